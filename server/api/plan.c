/* plan.c - see plan.h. */
#include "api/plan.h"

#include <string.h>

#include "api/answers.h"
#include "api/plan_read.h"
#include "api/plan_write.h"
#include "api/planner.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/size.h"
#include "base/buf.h"
#include "market/catalogue.h"

bool plan_answer(const struct plan_setting *setting, const json_t *json, struct arena *arena,
                 struct problems *problems, struct buf *out)
{
	const struct catalogue_reference *reference = catalogue_reference_of(setting->catalogue);
	struct remarks assumed = {.arena = arena};
	struct workload_reader reader = {
	    .json = {.arena = arena, .problems = problems},
	    .cards = &reference->base.cards,
	    .models = &reference->base.models,
	    .assumed = &assumed,
	};
	struct spec spec;
	struct planned planned;

	if (!plan_read(&reader, json, setting->today, &spec))
		return false;
	tariff_check(problems, &reference->base.tariffs, spec.tariff_id);
	if (problems->errors > 0)
		return false;
	if (setting->at_once && !planner_is_quick(setting->planner, setting->catalogue, &spec))
		return false;
	spec.bands = setting->bands.items;
	spec.band_count = setting->bands.count;
	planner_make(setting->planner, setting->catalogue, &spec, &planned);
	struct said said = {.arena = arena};
	struct plan_context context = {
	    .spec = &spec,
	    .plan = &planned.plan,
	    .catalogue = setting->catalogue,
	    .assumed = &assumed,
	    .version = setting->version,
	    .said = &said,
	    .listener = {arena, setting->lang},
	};
	struct json_write writer = json_write_to(out);

	plan_write(&writer, &context);
	planner_give_back(setting->planner, &planned);
	return true;
}

static struct answer_key key_of(const struct request *rq, const struct catalogue *catalogue,
                                struct date today)
{
	return (struct answer_key){.revision = catalogue_revision(catalogue),
	                           .today = today,
	                           .lang = rq->lang,
	                           .body = rq->body,
	                           .size = rq->body_size};
}

/* The plan of a request that was not asked before; NULL: it takes too long to be done at once. */
static struct answer *plan_anew(struct request *rq, struct catalogue *catalogue, struct date today)
{
	struct json_reader reader;
	struct problems problems;
	struct buf body = {0};
	json_t *json = reply_read_body(rq, &reader, &problems);

	if (json == NULL)
		return reply_invalid(rq, &problems);
	struct plan_setting setting = {
	    .catalogue = catalogue,
	    .planner = app_of(rq)->planner,
	    .today = today,
	    .version = app_of(rq)->version,
	    .bands = app_of(rq)->bands,
	    .lang = rq->lang,
	    .at_once = rq->at_once,
	};
	bool planned = plan_answer(&setting, json, rq->arena, &problems, &body);

	json_decref(json);
	if (!planned)
		return problems.errors == 0 ? NULL : reply_invalid(rq, &problems);
	struct answer_key key = key_of(rq, catalogue, today);

	answers_keep(app_of(rq)->answers, &key, &body);
	return answer_json(rq, 200, &body);
}

/* 200, also when nothing suits; 400, 422 with all problems. Nothing is stored. */
struct answer *post_plan(struct request *rq)
{
	struct catalogue *catalogue = reply_catalogue(rq);
	struct date today = date_in_shanghai(rq->now_us / 1000000);
	struct answer_key key = key_of(rq, catalogue, today);
	struct buf body = {0};
	/* A query is looked at first: parameters that the path does not take are refused. */
	bool is_known = rq->query_count == 0 && answers_find(app_of(rq)->answers, &key, &body);
	struct answer *answer =
	    is_known ? answer_json(rq, 200, &body) : plan_anew(rq, catalogue, today);

	catalogue_release(catalogue);
	return answer;
}
