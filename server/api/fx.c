/*
 * fx.c - GET /fx, GET and PUT /fx/{id}: what a unit of another currency costs, day by day.
 *
 * The id says currency and day, "USD-2026-11-30"; the newest rate of a currency is the one in use.
 * If-Match is held against what is there when the request comes; of two that come at once the later
 * one stays, since the store keeps no versions of rates.
 */
#include <string.h>

#include "api/catalogue_load.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"

static const char *rate_id(struct arena *arena, const struct fx_rate *rate)
{
	char day[11];

	date_format(rate->on, day);
	return arena_printf(arena, "%s-%s", rate->currency, day);
}

static void write_rate(struct json_write *out, const char *id, const struct fx_rate *rate)
{
	out_object(out, NULL);
	out_string(out, "id", id);
	out_string(out, "currency", rate->currency);
	out_date(out, "date", rate->on);
	out_money(out, "rate", rate->per_unit);
	out_known_string(out, "source", rate->source);
	out_end(out);
}

/* 200, 304, 400. */
struct answer *get_rates(struct request *rq)
{
	struct problems problems;
	struct fx_rates rates;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page_walk walk = {.page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems)};

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result result = store_fx_list(app_of(rq)->store, rq->arena, &rates);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < rates.count; i++) {
		const char *id = rate_id(rq->arena, &rates.items[i]);

		if (page_takes(&walk, id))
			write_rate(&out, id, &rates.items[i]);
	}
	out_end(&out);
	return page_answer(rq, &out, walk.more ? page_next(rq, walk.last) : NULL);
}

/* The rate with the id in the path; STORE_NOT_FOUND when there is none. */
static enum store_result find_rate(struct request *rq, struct fx_rate *rate)
{
	struct fx_rates rates;
	enum store_result result = store_fx_list(app_of(rq)->store, rq->arena, &rates);

	for (size_t i = 0; result == STORE_OK && i < rates.count; i++) {
		if (strcmp(rate_id(rq->arena, &rates.items[i]), rq->params[0]) == 0) {
			*rate = rates.items[i];
			return STORE_OK;
		}
	}
	return result == STORE_OK ? STORE_NOT_FOUND : result;
}

/* 200, 304, 400, 404. */
struct answer *get_rate(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);
	struct fx_rate rate;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	if (refusal != NULL)
		return refusal;
	enum store_result result = find_rate(rq, &rate);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	write_rate(&out, rq->params[0], &rate);
	return reply_tagged(rq, 200, &body);
}

/* "USD-2026-11-30" into its two parts. */
static void read_id(struct request *rq, struct fx_rate *rate, struct problems *problems)
{
	const char *id = rq->params[0];
	bool letters = strlen(id) == 14 && strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;

	if (letters && id[3] == '-' && strncmp(id, "CNY", 3) != 0 &&
	    date_parse(id + 4, &rate->on)) {
		memcpy(rate->currency, id, 3);
		return;
	}
	problem_add(problems, PROBLEM_ERROR, "bad_id", (struct place){.pointer = "{id}"}, id,
	            "an id such as USD-2026-11-30 is wanted", "标识应如 USD-2026-11-30");
}

static void read_rate(struct request *rq, struct fx_rate *rate, struct problems *problems)
{
	struct json_reader reader;
	struct fields in;
	json_t *json = reply_read_body(rq, &reader, problems);

	*rate = (struct fx_rate){.per_unit = money_zero()};
	read_id(rq, rate, problems);
	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		field_string(&in, "source", FIELD_REQUIRED, &rate->source);
		if (field_money(&in, "rate", FIELD_REQUIRED, &rate->per_unit) &&
		    money_compare(rate->per_unit, money_zero()) <= 0)
			field_problem(&in, "rate", "out_of_range", NULL, "more than 0 is wanted",
			              "应大于 0");
		fields_end(&in);
	}
	json_decref(json);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_rate(struct request *rq)
{
	struct store_actor actor = reply_actor(rq);
	struct fx_rate rate;
	struct fx_rate old;
	struct problems problems;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	char seen[VERSION_SIZE];

	read_rate(rq, &rate, &problems);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	bool exists = find_rate(rq, &old) == STORE_OK;

	if (exists) {
		write_rate(&out, rq->params[0], &old);
		reply_version(body.bytes, body.size, seen);
		buf_finish(&body);
	}
	struct answer *refusal = reply_precondition(rq, exists ? seen : NULL);

	if (refusal != NULL)
		return refusal;
	enum store_result result = store_fx_put(app_of(rq)->store, &actor, &rate);

	if (result != STORE_OK)
		return reply_put_failed(rq, result);
	catalogue_reload(app_of(rq));
	out = json_write_to(&body);
	write_rate(&out, rq->params[0], &rate);
	return reply_tagged(rq, exists ? 200 : 201, &body);
}
