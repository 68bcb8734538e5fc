/* store_offers.c - offers, price history, the whole catalogue: see store.h. */
#include <string.h>

#include "base/arena.h"
#include "store/catalogue.h"
#include "store/offer_rows.h"

/* --- Walking over many -------------------------------------------------------------------- */

static enum store_result read_revision(struct connection *c, int64_t *revision)
{
	struct query *q = query_start(c, "SELECT revision FROM meta");

	if (query_next(q))
		*revision = query_integer(q);
	return query_end_one(q);
}

static enum store_result walk_current(struct connection *c, store_offer_visit visit, void *context)
{
	struct offer_walk walk = {.connection = c, .visit = visit, .context = context};
	enum store_result result = offer_walk_current(&walk);

	offer_walk_finish(&walk);
	return result;
}

enum store_result store_offers_each(struct store *store, int64_t *revision, store_offer_visit visit,
                                    void *context)
{
	struct connection *c = store_read(store);
	enum store_result result = read_revision(c, revision);

	if (result == STORE_OK)
		result = walk_current(c, visit, context);
	return store_read_end(store, c, result);
}

static enum store_result walk_sheet(struct connection *c, int64_t sheet_id, store_offer_visit visit,
                                    void *context)
{
	struct offer_walk walk = {.connection = c, .visit = visit, .context = context};
	struct query *q = query_start(c, "SELECT h.first_offer, h.offer_count, s.id, s.name"
	                                 " FROM sheets AS h JOIN suppliers AS s"
	                                 " ON s.id = h.supplier WHERE h.id = ?");
	enum store_result walked = STORE_OK;

	query_put_integer(q, sheet_id);
	if (query_next(q)) {
		struct offer_range range;

		range.first = query_integer(q);
		range.count = query_integer(q);
		range.supplier = query_text(q);
		range.supplier_name = query_text(q);
		walked = offer_walk_sheet(&walk, &range);
	}
	offer_walk_finish(&walk);
	enum store_result found = query_end_one(q);

	return found == STORE_OK ? walked : found;
}

enum store_result store_sheet_offers_each(struct store *store, int64_t sheet_id,
                                          store_offer_visit visit, void *context)
{
	struct connection *c = store_read(store);

	return store_read_end(store, c, walk_sheet(c, sheet_id, visit, context));
}

static enum store_result count_offers(struct connection *c, int64_t *count)
{
	struct query *q =
	    query_start(c, "SELECT coalesce(sum(offer_count), 0) FROM sheets WHERE status = 0");

	if (query_next(q))
		*count = query_integer(q);
	return query_end_one(q);
}

static enum store_result read_catalogue(struct connection *c, struct arena *arena,
                                        struct store_catalogue *catalogue)
{
	enum store_result result = read_revision(c, &catalogue->revision);

	if (result == STORE_OK)
		result = count_offers(c, &catalogue->offer_count);
	if (result == STORE_OK)
		result = suppliers_list(c, arena, PAGE_ALL, &catalogue->suppliers);
	if (result == STORE_OK)
		result = sites_list(c, arena, &catalogue->sites);
	for (int kind = 0; result == STORE_OK && kind < REFERENCE_KIND_COUNT; kind++)
		result = reference_list(c, arena, (enum reference_kind)kind,
		                        &catalogue->reference[kind]);
	if (result == STORE_OK)
		result = tariffs_list(c, arena, &catalogue->tariffs);
	if (result == STORE_OK)
		result = fx_list(c, arena, &catalogue->fx);
	return result;
}

enum store_result store_catalogue_load(struct store *store, struct arena *arena,
                                       struct store_catalogue *catalogue, store_offer_visit visit,
                                       void *context)
{
	struct connection *c = store_read(store);
	enum store_result result = read_catalogue(c, arena, catalogue);

	if (result == STORE_OK)
		result = walk_current(c, visit, context);
	return store_read_end(store, c, result);
}

/* --- One, a page, a history --------------------------------------------------------------- */

#define SELECT_OFFERS                                                                              \
	"SELECT " OFFER_COLUMNS ", s.id, s.name, h.uploaded_us, h.revision, h.status"              \
	" FROM offers AS o JOIN sheets AS h ON h.id = o.sheet_id"                                  \
	" JOIN suppliers AS s ON s.id = h.supplier "

/* One row of SELECT_OFFERS and its prices. */
static enum store_result read_stored(struct query *q, struct stored_offer *offer)
{
	offer_read(q, &offer->value);
	offer->value.supplier = query_text(q);
	offer->value.supplier_name = query_text(q);
	offer->uploaded_us = query_integer(q);
	offer->sheet_revision = query_int(q);
	offer->status = (enum sheet_status)query_enum(q, SHEET_STATUS_COUNT);
	return offer_read_prices(q->connection, q->arena, &offer->value);
}

/* All rows of SELECT_OFFERS up to LIMIT; ends Q. */
static enum store_result read_list(struct query *q, int limit, struct stored_offers *offers)
{
	enum store_result prices = STORE_OK;
	size_t capacity = 0;

	*offers = (struct stored_offers){0};
	while (prices == STORE_OK && query_next_in_page(q, offers->count, limit, &offers->more)) {
		offers->items = arena_grow(q->arena, offers->items, offers->count, &capacity,
		                           sizeof *offers->items);
		prices = read_stored(q, &offers->items[offers->count++]);
	}
	enum store_result result = query_end(q);

	return result == STORE_OK ? prices : result;
}

enum store_result store_offer_get(struct store *store, struct arena *arena, int64_t id,
                                  struct stored_offer *offer)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(c, SELECT_OFFERS "WHERE o.id = ?", arena);
	enum store_result prices = STORE_OK;

	query_put_integer(q, id);
	if (query_next(q))
		prices = read_stored(q, offer);
	enum store_result result = query_end_one(q);

	return store_read_end(store, c, result == STORE_OK ? prices : result);
}

/* A filter that is off is NULL, and then true for every row. */
#define FILTERS                                                                                    \
	" (?2 IS NULL OR h.supplier = ?2) AND (?3 IS NULL OR h.id = ?3)"                           \
	" AND (?4 IS NULL OR o.kind = ?4) AND (?5 IS NULL OR o.city = ?5)"                         \
	" AND (?6 IS NULL OR h.status = 0) "

/*
 * By card through its index; else sheet by sheet, so that a sheet that is not wanted costs nothing.
 * Offers of later sheets have higher ids: by sheet, then offer, is by offer.
 */
#define LIST_OF_CARD                                                                               \
	SELECT_OFFERS "WHERE o.card = ?8 AND o.id > ?1 AND" FILTERS "ORDER BY o.id LIMIT ?7"
#define LIST_OF_SHEETS                                                                             \
	"SELECT " OFFER_COLUMNS ", s.id, s.name, h.uploaded_us, h.revision, h.status"              \
	" FROM sheets AS h CROSS JOIN offers AS o JOIN suppliers AS s ON s.id = h.supplier"        \
	" WHERE o.id BETWEEN max(h.first_offer, ?1 + 1) AND h.first_offer + h.offer_count - 1"     \
	" AND" FILTERS "ORDER BY h.id, o.id LIMIT ?7"

static void put_if(struct query *q, bool on, int64_t value)
{
	if (on)
		query_put_integer(q, value);
	else
		query_put_null(q);
}

enum store_result store_offers_list(struct store *store, struct arena *arena,
                                    const struct offer_query *query, struct stored_offers *offers)
{
	struct connection *c = store_read(store);
	int limit = store_limit(query->limit);
	struct query *q =
	    query_start_into(c, query->card == NULL ? LIST_OF_SHEETS : LIST_OF_CARD, arena);

	query_put_integer(q, query->after);
	query_put_text(q, query->supplier);
	put_if(q, query->sheet_id != 0, query->sheet_id);
	put_if(q, query->kind >= 0, query->kind);
	put_if(q, query->city >= 0, query->city);
	put_if(q, query->current_only, 1);
	query_put_integer(q, limit + 1);
	if (query->card != NULL)
		query_put_text(q, query->card);
	return store_read_end(store, c, read_list(q, limit, offers));
}

enum store_result store_offer_history(struct store *store, struct arena *arena, int64_t offer_id,
                                      int limit, struct stored_offers *offers)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c,
	    "WITH this AS (SELECT o.*, h.supplier FROM offers AS o JOIN sheets AS h"
	    " ON h.id = o.sheet_id WHERE o.id = ?1) "
	    "SELECT " OFFER_COLUMNS ", s.id, s.name, h.uploaded_us, h.revision, h.status"
	    " FROM this CROSS JOIN sheets AS h CROSS JOIN offers AS o"
	    " JOIN suppliers AS s ON s.id = h.supplier"
	    " WHERE h.supplier = this.supplier AND h.status <> 2"
	    " AND o.id BETWEEN h.first_offer AND h.first_offer + h.offer_count - 1"
	    " AND o.kind = this.kind AND o.card IS this.card AND o.title IS this.title"
	    " AND o.site IS this.site AND o.city = this.city AND o.city_name IS this.city_name"
	    " AND o.cards_per_server = this.cards_per_server"
	    " ORDER BY o.id DESC LIMIT ?2",
	    arena);

	limit = store_limit(limit);
	query_put_integer(q, offer_id);
	query_put_integer(q, limit + 1);
	return store_read_end(store, c, read_list(q, limit, offers));
}

/* --- Price history ------------------------------------------------------------------------ */

static void read_point(struct query *q, struct price_point *point)
{
	point->offer_id = query_integer(q);
	point->sheet_id = query_integer(q);
	point->supplier = query_text(q);
	point->origin = (enum origin)query_enum(q, ORIGIN_COUNT);
	point->city = (enum city)query_enum(q, CITY_COUNT);
	point->observed_on = query_date(q);
	point->from_us = query_integer(q);
	point->to_us = query_integer(q);
	point->item = (enum price_item)query_enum(q, PRICE_ITEM_COUNT);
	point->term = (enum price_term)query_enum(q, PRICE_TERM_COUNT);
	point->tax = (enum tax_basis)query_enum(q, TAX_BASIS_COUNT);
	point->tax_rate_bp = query_int(q);
	point->min_quantity = query_int(q);
	query_code(q, point->currency);
	point->unit = (enum normalised_unit)query_enum(q, NORMALISED_UNIT_COUNT);
	point->amount = query_money(q);
}

/* Items 0 and 9 are ITEM_COMPUTE and ITEM_PURCHASE; pinned in offer_rows.c. */
enum store_result store_price_history(struct store *store, struct arena *arena,
                                      const struct price_query *query, struct price_points *points)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c,
	    "SELECT o.id, o.sheet_id, h.supplier, o.origin, o.city, o.observed_on, h.uploaded_us,"
	    " h.ended_us, p.item, p.term, p.tax, p.tax_rate_bp, p.min_quantity, p.currency,"
	    " p.normalised_unit, p.normalised_micro"
	    " FROM offers AS o JOIN sheets AS h ON h.id = o.sheet_id"
	    " JOIN prices AS p ON p.offer_id = o.id"
	    " WHERE o.card = ?1 AND h.status <> 2 AND p.item IN (0, 9)"
	    " AND (?2 IS NULL OR h.supplier = ?2) AND (h.ended_us = 0 OR h.ended_us >= ?3)"
	    " ORDER BY o.id DESC, p.position LIMIT ?4",
	    arena);
	int limit = store_limit(query->limit);
	size_t capacity = 0;

	*points = (struct price_points){0};
	query_put_text(q, query->card);
	query_put_text(q, query->supplier);
	query_put_integer(q, query->since_us);
	query_put_integer(q, limit + 1);
	while (query_next_in_page(q, points->count, limit, &points->more)) {
		points->items = arena_grow(arena, points->items, points->count, &capacity,
		                           sizeof *points->items);
		read_point(q, &points->items[points->count++]);
	}
	return store_read_end(store, c, query_end(q));
}
