/* plan.c - see plan.h. */
#include "api/plan.h"

#include <string.h>

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
	spec.bands = setting->bands.items;
	spec.band_count = setting->bands.count;
	planner_make(setting->planner, setting->catalogue, &spec, &planned);
	struct plan_context context = {
	    .spec = &spec,
	    .plan = &planned.plan,
	    .catalogue = setting->catalogue,
	    .assumed = &assumed,
	    .version = setting->version,
	    .arena = arena,
	    .lang = setting->lang,
	};
	struct json_write writer = json_write_to(out);

	plan_write(&writer, &context);
	planner_give_back(setting->planner, &planned);
	return true;
}

/* 200, also when nothing suits; 400, 422 with all problems. Nothing is stored. */
struct answer *post_plan(struct request *rq)
{
	struct json_reader reader;
	struct problems problems;
	struct buf body = {0};
	json_t *json = reply_read_body(rq, &reader, &problems);

	if (json == NULL)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	struct plan_setting setting = {
	    .catalogue = catalogue,
	    .planner = app_of(rq)->planner,
	    .today = date_in_shanghai(rq->now_us / 1000000),
	    .version = app_of(rq)->version,
	    .bands = app_of(rq)->bands,
	    .lang = rq->lang,
	};
	bool planned = plan_answer(&setting, json, rq->arena, &problems, &body);

	catalogue_release(catalogue);
	json_decref(json);
	return planned ? answer_json(rq, 200, &body) : reply_invalid(rq, &problems);
}
