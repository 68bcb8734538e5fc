/* tariffs.c - GET /tariffs, GET and PUT /tariffs/{id}: what a kWh costs, by zone, month and hour.
 */
#include <string.h>

#include "api/entries.h"
#include "api/resources.h"
#include "market/catalogue.h"

static void write_tariff(struct json_write *out, const void *entry)
{
	const struct tariff *tariff = entry;

	out_object(out, NULL);
	out_string(out, "id", tariff->id);
	out_known_string(out, "city", city_names_zh[tariff->city]);
	out_string(out, "name", tariff->name);
	out_string(out, "hours", tariff->hours_id);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		out_money_if(out, tariff_band_names[band], tariff->known[band],
		             tariff->per_kwh[band]);
	out_string(out, "tax", tax_basis_names[tariff->tax]);
	out_date(out, "valid_from", tariff->valid_from);
	out_date(out, "valid_to", tariff->valid_to);
	out_string(out, "origin", origin_names[tariff->origin]);
	out_known_string(out, "source", tariff->source);
	out_end(out);
}

static const void *all(const struct catalogue *catalogue, size_t *count)
{
	const struct tariffs *tariffs = &catalogue_reference_of(catalogue)->base.tariffs;

	*count = tariffs->count;
	return tariffs->items;
}

static const struct entry_kind kind = {
    .all = all, .size = sizeof(struct tariff), .write = write_tariff};

static bool hours_known(struct request *rq, const char *id)
{
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct tariffs *tariffs = &catalogue_reference_of(catalogue)->base.tariffs;
	bool known = false;

	for (size_t i = 0; i < tariffs->hours_count; i++)
		known |= strcmp(tariffs->hours[i].id, id) == 0;
	catalogue_release(catalogue);
	return known;
}

/* 200, 304, 400. */
struct answer *get_tariffs(struct request *rq)
{
	return entries_list(rq, &kind);
}

/* 200, 304, 400, 404. */
struct answer *get_tariff(struct request *rq)
{
	return entry_get(rq, &kind);
}

static void read_prices(struct fields *in, struct tariff *tariff)
{
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		tariff->known[band] = field_money(in, tariff_band_names[band], FIELD_OPTIONAL,
		                                  &tariff->per_kwh[band]);
	if (!tariff->known[BAND_FLAT])
		field_problem(in, "flat", "missing_field", NULL,
		              "the price of the flat hours is wanted", "缺少平段电价");
}

static void read_city(struct fields *in, struct tariff *tariff)
{
	const char *name = NULL;

	if (!field_string(in, "city", FIELD_REQUIRED, &name))
		return;
	tariff->city = city_from_name(name);
	if (tariff->city == CITY_UNKNOWN || tariff->city == CITY_OTHER)
		field_problem(in, "city", "unknown_value", name, "must be one of: %s",
		              "应为以下之一：%s", "深圳, 东莞, 惠州");
}

static void read_fields(struct request *rq, struct fields *in, struct tariff *tariff)
{
	int tax = TAX_UNKNOWN;

	read_city(in, tariff);
	field_string(in, "name", FIELD_REQUIRED, &tariff->name);
	field_string(in, "hours", FIELD_OPTIONAL, &tariff->hours_id);
	read_prices(in, tariff);
	field_enum(in, "tax", FIELD_REQUIRED, tax_basis_names, TAX_BASIS_COUNT, &tax);
	field_date(in, "valid_from", FIELD_OPTIONAL, &tariff->valid_from);
	field_date(in, "valid_to", FIELD_OPTIONAL, &tariff->valid_to);
	tariff->tax = (enum tax_basis)tax;
	tariff->source = field_source(in);
	fields_end(in);
	if (!hours_known(rq, tariff->hours_id))
		field_problem(in, "hours", "unknown_value", tariff->hours_id,
		              "no such table of hours", "没有这个时段表");
	if (!date_is_none(tariff->valid_from) && !date_is_none(tariff->valid_to) &&
	    tariff->valid_to.days < tariff->valid_from.days)
		field_problem(in, "valid_to", "out_of_range", NULL, "it ends before it begins",
		              "结束日期早于开始日期");
}

/* The answer that If-Match or If-None-Match asks for, or NULL: go on with EXPECTED. */
static struct answer *check_version(struct request *rq, int64_t *expected, bool *exists)
{
	struct stored_tariff stored;
	enum store_result found =
	    store_tariff_get(app_of(rq)->store, rq->arena, rq->params[0], &stored);

	if (found != STORE_OK && found != STORE_NOT_FOUND)
		return reply_store_failed(rq, found);
	*expected = found == STORE_OK ? stored.version : STORE_NO_VERSION;
	struct catalogue *catalogue = reply_catalogue(rq);
	const void *current =
	    found == STORE_OK ? &stored.value : entry_find(&kind, catalogue, rq->params[0]);
	struct answer *refusal = entry_precondition(rq, &kind, current);

	*exists = current != NULL;
	catalogue_release(catalogue);
	return refusal;
}

static struct answer *put(struct request *rq, const struct tariff *tariff)
{
	struct store_actor actor = reply_actor(rq);
	int64_t expected;
	int64_t version;
	bool exists;
	struct answer *refusal = check_version(rq, &expected, &exists);

	if (refusal != NULL)
		return refusal;
	enum store_result result =
	    store_tariff_put(app_of(rq)->store, &actor, tariff, expected, &version);

	return entry_stored(rq, &kind, tariff, exists, result);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_tariff(struct request *rq)
{
	struct json_reader reader;
	struct problems problems;
	struct fields in;
	struct tariff tariff = {
	    .id = rq->params[0],
	    .hours_id = "guangdong-2021",
	    .valid_from = DATE_NONE,
	    .valid_to = DATE_NONE,
	    .origin = ORIGIN_PUBLISHED,
	};
	json_t *json = reply_read_body(rq, &reader, &problems);

	reply_check_id(rq, ".", &problems);
	if (json != NULL && fields_begin(&in, &reader, json, ""))
		read_fields(rq, &in, &tariff);
	json_decref(json);
	return problems.errors > 0 ? reply_invalid(rq, &problems) : put(rq, &tariff);
}
