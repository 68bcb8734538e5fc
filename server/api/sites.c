/* sites.c - GET /sites, GET and PUT /sites/{id}: data centres; a supplier sees only its own. */
#include <string.h>

#include "api/auth.h"
#include "api/catalogue_load.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"
#include "market/catalogue.h"

static void write_site(struct json_write *out, const struct site *site)
{
	out_object(out, NULL);
	out_string(out, "id", site->id);
	out_string(out, "supplier", site->supplier);
	out_string(out, "name", site->name);
	out_known_string(out, "city", city_names_zh[site->city]);
	out_known_string(out, "city_name", site->city_name);
	out_known_number(out, "pue", site->pue_milli / 1000.0, 3);
	out_known_string(out, "power_tier", site->power_tier);
	out_known_string(out, "source", site->source);
	out_end(out);
}

/* 200, 304, 400. */
struct answer *get_sites(struct request *rq)
{
	struct problems problems;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page_walk walk = {.page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems)};

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);

	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < reference->site_count; i++) {
		const struct site *site = &reference->sites[i];

		if (caller_owns(rq, site->supplier) && page_takes(&walk, site->id))
			write_site(&out, site);
	}
	out_end(&out);
	const char *next = walk.more ? page_next(rq, walk.last) : NULL;

	catalogue_release(catalogue);
	return page_answer(rq, &out, next);
}

static const struct site *find_site(const struct catalogue *catalogue, const char *id)
{
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);

	for (size_t i = 0; i < reference->site_count; i++)
		if (strcmp(reference->sites[i].id, id) == 0)
			return &reference->sites[i];
	return NULL;
}

/* 200, 304, 400, 404. */
struct answer *get_site(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	if (refusal != NULL)
		return refusal;
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct site *site = find_site(catalogue, rq->params[0]);
	bool seen = site != NULL && caller_owns(rq, site->supplier);

	if (seen)
		write_site(&out, site);
	catalogue_release(catalogue);
	return seen ? reply_tagged(rq, 200, &body) : reply_not_found(rq);
}

/* "pue": 1.3 is kept as 1300. */
static void read_pue(struct fields *in, struct site *site)
{
	struct ratio pue;
	int64_t milli;

	if (field_ratio(in, "pue", FIELD_OPTIONAL, ratio_of(1), ratio_of(3), &pue) &&
	    ratio_round(pue, 3, &milli))
		site->pue_milli = (int32_t)milli;
}

static void read_site(struct request *rq, struct site *site, struct problems *problems)
{
	struct json_reader reader;
	struct fields in;
	json_t *json = reply_read_body(rq, &reader, problems);

	reply_check_id(rq, "", problems);
	*site = (struct site){.id = rq->params[0]};
	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		field_string(&in, "supplier", FIELD_REQUIRED, &site->supplier);
		field_string(&in, "name", FIELD_REQUIRED, &site->name);
		field_string(&in, "city", FIELD_REQUIRED, &site->city_name);
		read_pue(&in, site);
		field_string(&in, "power_tier", FIELD_OPTIONAL, &site->power_tier);
		site->source = field_source(&in);
		if (site->name != NULL && (*site->name == '\0' || strlen(site->name) > 200))
			field_problem(&in, "name", "out_of_range", NULL,
			              "between 1 and 200 bytes are wanted", "应为 1 至 200 字节");
		fields_end(&in);
	}
	if (site->city_name != NULL)
		site->city = city_from_name(site->city_name);
	json_decref(json);
}

static struct answer *unknown_supplier(struct request *rq, struct problems *problems,
                                       const struct site *site)
{
	problem_add(problems, PROBLEM_ERROR, "unknown_supplier",
	            (struct place){.pointer = "/supplier"}, site->supplier,
	            "there is no such supplier", "没有这个供应商");
	return reply_invalid(rq, problems);
}

/* The answer that If-Match or If-None-Match asks for, or NULL: go on with EXPECTED. */
static struct answer *check_version(struct request *rq, int64_t *expected)
{
	struct stored_site old;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	char seen[VERSION_SIZE];
	enum store_result found = store_site_get(app_of(rq)->store, rq->arena, rq->params[0], &old);

	*expected = STORE_NO_VERSION;
	if (found == STORE_NOT_FOUND)
		return reply_precondition(rq, NULL);
	if (found != STORE_OK)
		return reply_store_failed(rq, found);
	*expected = old.version;
	write_site(&out, &old.value);
	reply_version(body.bytes, body.size, seen);
	buf_finish(&body);
	return reply_precondition(rq, seen);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_site(struct request *rq)
{
	struct store_actor actor = reply_actor(rq);
	struct site site;
	struct problems problems;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	int64_t expected;
	int64_t version;

	read_site(rq, &site, &problems);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct answer *refusal = check_version(rq, &expected);

	if (refusal != NULL)
		return refusal;
	enum store_result result =
	    store_site_put(app_of(rq)->store, &actor, &site, expected, &version);

	if (result == STORE_NOT_FOUND)
		return unknown_supplier(rq, &problems, &site);
	if (result != STORE_OK)
		return reply_put_failed(rq, result);
	catalogue_reload(app_of(rq));
	write_site(&out, &site);
	return reply_tagged(rq, expected == STORE_NO_VERSION ? 201 : 200, &body);
}
