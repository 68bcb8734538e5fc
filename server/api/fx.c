/*
 * fx.c - GET /fx, GET and PUT /fx/{id}: what a unit of another currency costs, day by day.
 *
 * The id says currency and day, "USD-2026-11-30"; the newest rate of a currency is the one in use.
 * If-Match is held against what is there when the request comes; of two that come at once the later
 * one stays, since the store keeps no versions of rates.
 */
#include <string.h>

#include "api/entries.h"
#include "api/resources.h"
#include "base/arena.h"

/* A rate and the id that its path has. */
struct rate_entry {
	const char *id;
	struct fx_rate rate;
};

static void write_rate(struct json_write *out, const void *entry)
{
	const struct rate_entry *item = entry;
	const struct fx_rate *rate = &item->rate;

	out_object(out, NULL);
	out_string(out, "id", item->id);
	out_string(out, "currency", rate->currency);
	out_date(out, "date", rate->on);
	out_money(out, "rate", rate->per_unit);
	out_known_string(out, "source", rate->source);
	out_end(out);
}

static const struct entry_kind kind = {.size = sizeof(struct rate_entry), .write = write_rate};

/* Every rate there is, in the request's arena. */
static enum store_result all_rates(struct request *rq, struct rate_entry **entries, size_t *count)
{
	struct fx_rates rates;
	enum store_result result = store_fx_list(app_of(rq)->store, rq->arena, &rates);

	if (result != STORE_OK)
		return result;
	*entries = arena_array(rq->arena, struct rate_entry, rates.count);
	*count = rates.count;
	for (size_t i = 0; i < rates.count; i++) {
		char day[11];

		date_format(rates.items[i].on, day);
		(*entries)[i].id = arena_printf(rq->arena, "%s-%s", rates.items[i].currency, day);
		(*entries)[i].rate = rates.items[i];
	}
	return STORE_OK;
}

/* 200, 304, 400. */
struct answer *get_rates(struct request *rq)
{
	struct problems problems;
	struct rate_entry *entries;
	size_t count;

	problems_init(&problems, rq->arena);
	struct page_walk walk = {.page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems)};

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result result = all_rates(rq, &entries, &count);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	return entries_page(rq, &kind, &walk, entries, count);
}

/* The rate with the id in the path; STORE_NOT_FOUND when there is none. */
static enum store_result find_rate(struct request *rq, const struct rate_entry **entry)
{
	struct rate_entry *entries;
	size_t count;
	enum store_result result = all_rates(rq, &entries, &count);

	for (size_t i = 0; result == STORE_OK && i < count; i++) {
		if (strcmp(entries[i].id, rq->params[0]) == 0) {
			*entry = &entries[i];
			return STORE_OK;
		}
	}
	return result == STORE_OK ? STORE_NOT_FOUND : result;
}

/* 200, 304, 400, 404. */
struct answer *get_rate(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);
	const struct rate_entry *entry;

	if (refusal != NULL)
		return refusal;
	enum store_result result = find_rate(rq, &entry);

	return result == STORE_OK ? entry_answer(rq, &kind, 200, entry)
	                          : reply_store_failed(rq, result);
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
	struct rate_entry entry = {.id = rq->params[0]};
	const struct rate_entry *old = NULL;
	struct problems problems;

	read_rate(rq, &entry.rate, &problems);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	bool exists = find_rate(rq, &old) == STORE_OK;
	struct answer *refusal = entry_precondition(rq, &kind, old);

	if (refusal != NULL)
		return refusal;
	enum store_result result = store_fx_put(app_of(rq)->store, &actor, &entry.rate);

	return entry_stored(rq, &kind, &entry, exists, result);
}
