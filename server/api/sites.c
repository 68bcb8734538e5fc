/* sites.c - GET /sites, GET and PUT /sites/{id}: data centres; a supplier sees only its own. */
#include "api/entries.h"
#include "api/resources.h"
#include "market/catalogue.h"

static void write_site(struct json_write *out, const void *entry)
{
	const struct site *site = entry;

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

static const void *all(const struct catalogue *catalogue, size_t *count)
{
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);

	*count = reference->site_count;
	return reference->sites;
}

static const char *owner(const void *entry)
{
	const struct site *site = entry;

	return site->supplier;
}

static const struct entry_kind kind = {
    .all = all, .size = sizeof(struct site), .owner = owner, .write = write_site};

/* 200, 304, 400. */
struct answer *get_sites(struct request *rq)
{
	return entries_list(rq, &kind);
}

/* 200, 304, 400, 404. */
struct answer *get_site(struct request *rq)
{
	return entry_get(rq, &kind);
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
		field_check_name(&in, site->name);
		fields_end(&in);
	}
	if (site->city_name != NULL)
		site->city = city_from_name(site->city_name);
	json_decref(json);
}

/* The answer that If-Match or If-None-Match asks for, or NULL: go on with EXPECTED. */
static struct answer *check_version(struct request *rq, int64_t *expected)
{
	struct stored_site old;
	enum store_result found = store_site_get(app_of(rq)->store, rq->arena, rq->params[0], &old);

	if (found != STORE_OK && found != STORE_NOT_FOUND)
		return reply_store_failed(rq, found);
	*expected = found == STORE_OK ? old.version : STORE_NO_VERSION;
	return entry_precondition(rq, &kind, found == STORE_OK ? &old.value : NULL);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_site(struct request *rq)
{
	struct store_actor actor = reply_actor(rq);
	struct site site;
	struct problems problems;
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
		return reply_unknown_supplier(rq, &problems, site.supplier);
	return entry_stored(rq, &kind, &site, expected != STORE_NO_VERSION, result);
}
