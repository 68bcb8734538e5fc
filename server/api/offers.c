/*
 * offers.c - GET /offers, /offers.csv, /offers.xlsx, /offers/{id}, /offers/{id}/history.
 *
 * A supplier's own id is put into every query, so that somebody else's offers are not filtered out
 * of an answer but never get into it: counts, cursors and ETags cannot tell of them.
 */
#include <string.h>

#include "api/auth.h"
#include "api/offer_write.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/table.h"
#include "base/arena.h"
#include "market/catalogue.h"

#define EXPORT_CHUNK 1000
#define HISTORY_MOST 100

static const char *const filter_names[] = {"kind",   "card", "city",     "supplier",
                                           "origin", "term", "valid_on", "sheet"};
#define FILTER_COUNT (sizeof filter_names / sizeof *filter_names)

static void bad_parameter(struct problems *problems, const char *name, const char *value)
{
	problem_add(problems, PROBLEM_ERROR, "parameter_invalid", (struct place){.pointer = name},
	            value, "\"%s\" cannot have this value", "参数“%s”不能取此值", name);
}

/* The index of parameter NAME in NAMES, or -1 when it is not given. */
static int read_choice(const struct request *rq, const char *name, const char *const *names,
                       int count, struct problems *problems)
{
	const char *value = request_query(rq, name);
	int index = value == NULL ? -1 : name_index(value, names, count);

	if (value != NULL && index < 0)
		bad_parameter(problems, name, value);
	return index;
}

static int read_city(const struct request *rq, struct problems *problems)
{
	const char *value = request_query(rq, "city");

	if (value == NULL)
		return -1;
	if (strcmp(value, "other") == 0)
		return CITY_OTHER;
	enum city city = city_from_name(value);

	if (city == CITY_UNKNOWN || city == CITY_OTHER)
		bad_parameter(problems, "city", value);
	return (int)city;
}

static int64_t read_number(const struct request *rq, const char *name, struct problems *problems)
{
	const char *value = request_query(rq, name);
	struct ratio number;

	if (value == NULL)
		return 0;
	if (strlen(value) <= 15 && ratio_parse(value, &number) && number.den == 1 && number.num > 0)
		return (int64_t)number.num;
	bad_parameter(problems, name, value);
	return 0;
}

static struct catalogue_filter read_filter(struct request *rq, struct problems *problems)
{
	struct catalogue_filter filter = catalogue_filter_any();
	const char *day = request_query(rq, "valid_on");

	filter.kind = read_choice(rq, "kind", offer_kind_names, OFFER_KIND_COUNT, problems);
	filter.card = request_query(rq, "card");
	filter.city = read_city(rq, problems);
	filter.supplier = request_query(rq, "supplier");
	filter.origin = read_choice(rq, "origin", origin_names, ORIGIN_COUNT, problems);
	filter.term = read_choice(rq, "term", price_term_names, PRICE_TERM_COUNT, problems);
	filter.sheet_id = read_number(rq, "sheet", problems);
	if (day != NULL && !date_parse(day, &filter.valid_on))
		bad_parameter(problems, "valid_on", day);
	return filter;
}

/* Narrows FILTER to what the caller may see; false when that is nothing at all. */
static bool narrow(const struct request *rq, struct catalogue_filter *filter)
{
	const char *own = caller_supplier(rq);

	if (own == NULL)
		return true;
	if (filter->supplier != NULL && strcmp(filter->supplier, own) != 0)
		return false;
	filter->supplier = own;
	return true;
}

static void write_offer(struct json_write *out, const struct offer *offer)
{
	out_object(out, NULL);
	offer_write_provenance(out, offer);
	offer_write_members(out, offer);
	out_end(out);
}

/* ---- tables ---- */

static const char *const table_columns[] = {
    "id",        "supplier", "supplier_name", "origin",   "observed_on",
    "kind",      "card",     "title",         "cards",    "servers",
    "city",      "site",     "item",          "term",     "min_quantity",
    "as_quoted", "unit",     "normalised",    "low",      "normalised_unit",
    "tax",       "tax_rate", "valid_from",    "valid_to", "sheet_id",
    "sheet",     "row",      "note",
};

/* Says what was sold at PRICE; a supplier's words are text, what this program computed a number. */
static void price_cells(struct table *out, const struct price *price)
{
	char amount[RATIO_DECIMAL_SIZE];
	char unit[32];

	table_text(out, price_item_names[price->item]);
	table_text(out, price_term_names[price->term]);
	table_known(out, price->min_quantity);
	table_text(out, price->as_quoted);
	table_text(out, price->unit_text);
	money_six(price->normalised, amount);
	table_number(out, amount);
	money_six(price->normalised_low, amount);
	table_number(out, price->has_low ? amount : NULL);
	price_unit_text(price, unit);
	table_text(out, unit);
	table_text(out, tax_basis_names[price->tax]);
	if (price->tax_rate_bp >= 0 &&
	    ratio_format_short(ratio_make(price->tax_rate_bp, 10000), 4, amount))
		table_number(out, amount);
	else
		table_empty(out);
}

static void price_row(struct table *out, const struct offer *offer, const struct price *price)
{
	table_known(out, offer->id);
	table_text(out, offer->supplier);
	table_text(out, offer->supplier_name);
	table_text(out, origin_names[offer->origin]);
	table_date(out, offer->observed_on);
	table_text(out, offer_kind_names[offer->kind]);
	table_text(out, offer->card);
	table_text(out, offer->title);
	table_known(out, offer->cards_per_server);
	table_known(out, offer->servers_available);
	table_text(out, offer->city_name != NULL ? offer->city_name : city_names_zh[offer->city]);
	table_text(out, offer->site);
	price_cells(out, price);
	table_date(out, offer->valid_from);
	table_date(out, offer->valid_to);
	table_known(out, offer->sheet_id);
	table_text(out, offer->sheet_name);
	table_known(out, offer->row);
	table_text(out, offer->note);
	table_end_row(out);
}

/* Offers come in chunks, each in an arena of its own: a million rows need no memory but the text.
 */
static void export_all(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                       struct table *out)
{
	struct catalogue_page page = {0};

	do {
		struct arena *arena = arena_create();

		catalogue_list(catalogue, filter, page.next_after, EXPORT_CHUNK, arena, &page);
		for (size_t i = 0; i < page.count; i++)
			for (int p = 0; p < page.items[i].price_count; p++)
				price_row(out, &page.items[i], &page.items[i].prices[p]);
		arena_destroy(arena);
	} while (page.next_after != 0);
}

static struct answer *export_offers(struct request *rq, enum table_format format)
{
	struct problems problems;
	struct table out;

	problems_init(&problems, rq->arena);
	request_query_only(rq, filter_names, FILTER_COUNT, &problems);
	struct catalogue_filter filter = read_filter(rq, &problems);

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	table_begin(&out, format);
	for (size_t i = 0; i < sizeof table_columns / sizeof *table_columns; i++)
		table_text(&out, table_columns[i]);
	table_end_row(&out);
	if (narrow(rq, &filter)) {
		struct catalogue *catalogue = reply_catalogue(rq);

		export_all(catalogue, &filter, &out);
		catalogue_release(catalogue);
	}
	return table_answer(rq, &out, "offers");
}

/* 200, 304, 400. */
struct answer *get_offers_csv(struct request *rq)
{
	return export_offers(rq, TABLE_CSV);
}

/* 200, 304, 400. */
struct answer *get_offers_xlsx(struct request *rq)
{
	return export_offers(rq, TABLE_XLSX);
}

/* ---- JSON ---- */

/* 200, 304, 400. */
struct answer *get_offers(struct request *rq)
{
	struct problems problems;
	struct catalogue_page found = {0};
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	if (request_accepts(rq, "text/csv"))
		return export_offers(rq, TABLE_CSV);
	if (request_accepts(rq, XLSX_TYPE))
		return export_offers(rq, TABLE_XLSX);
	problems_init(&problems, rq->arena);
	struct page page = page_read(rq, PAGE_KEY_NUMBER, filter_names, FILTER_COUNT, &problems);
	struct catalogue_filter filter = read_filter(rq, &problems);

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);

	if (narrow(rq, &filter))
		catalogue_list(catalogue, &filter, page.after_id, (size_t)page.limit, rq->arena,
		               &found);
	out_object(&out, NULL);
	if (caller_supplier(rq) == NULL)
		out_integer(&out, "revision", catalogue_revision(catalogue));
	out_array(&out, "items");
	for (size_t i = 0; i < found.count; i++)
		write_offer(&out, &found.items[i]);
	out_end(&out);
	catalogue_release(catalogue);
	return answer_header(page_answer(rq, &out, page_next_id(rq, found.next_after)), "Vary",
	                     "Accept");
}

/* The offer in the path, from the store, since it may stand in an older sheet. */
static enum store_result find_offer(struct request *rq, struct stored_offer *offer)
{
	enum store_result result =
	    store_offer_get(app_of(rq)->store, rq->arena, reply_param_id(rq), offer);

	return result == STORE_OK && !caller_owns(rq, offer->value.supplier) ? STORE_NOT_FOUND
	                                                                     : result;
}

static void write_stored(struct json_write *out, const struct stored_offer *offer)
{
	out_object(out, NULL);
	offer_write_provenance(out, &offer->value);
	offer_write_members(out, &offer->value);
	out_moment(out, "uploaded", offer->uploaded_us);
	out_integer(out, "sheet_revision", offer->sheet_revision);
	out_string(out, "sheet_status", sheet_status_names[offer->status]);
	out_end(out);
}

/* 200, 304, 400, 404. */
struct answer *get_offer(struct request *rq)
{
	struct stored_offer offer;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	struct answer *refusal = reply_unwanted_query(rq);

	if (refusal != NULL)
		return refusal;
	enum store_result result = find_offer(rq, &offer);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	write_stored(&out, &offer);
	return reply_tagged(rq, 200, &body);
}

/* 200, 304, 400, 404. */
struct answer *get_offer_history(struct request *rq)
{
	struct stored_offer offer;
	struct stored_offers history;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	struct answer *refusal = reply_unwanted_query(rq);

	if (refusal != NULL)
		return refusal;
	enum store_result result = find_offer(rq, &offer);

	if (result == STORE_OK)
		result = store_offer_history(app_of(rq)->store, rq->arena, offer.value.id,
		                             HISTORY_MOST, &history);
	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	out_integer(&out, "offer", offer.value.id);
	out_array(&out, "items");
	for (size_t i = 0; i < history.count; i++)
		write_stored(&out, &history.items[i]);
	out_end(&out);
	out_end(&out);
	return reply_tagged(rq, 200, &body);
}
