/* offer_rows.c - see offer_rows.h. */
#include "store/offer_rows.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"

/* The numbers on disk are those of the enums: a new value goes at the end of its list. */
_Static_assert(OFFER_RENTAL == 0 && OFFER_COLOCATION == 1 && OFFER_PURCHASE == 2 &&
                   OFFER_NETWORK == 3 && OFFER_STORAGE == 4 && OFFER_SERVICE == 5,
               "on disk");
_Static_assert(ITEM_COMPUTE == 0 && ITEM_CABINET == 1 && ITEM_POWER == 2 && ITEM_BANDWIDTH == 3 &&
                   ITEM_TRAFFIC == 4 && ITEM_STORAGE == 5 && ITEM_IP == 6 && ITEM_SETUP == 7 &&
                   ITEM_SERVICE == 8 && ITEM_PURCHASE == 9 && ITEM_DEPOSIT == 10 &&
                   ITEM_OVERAGE == 11,
               "on disk");
_Static_assert(TERM_HOURLY == 0 && TERM_MONTHLY == 1 && TERM_QUARTERLY == 2 && TERM_YEARLY == 3 &&
                   TERM_SPOT == 4 && TERM_ONE_OFF == 5 && TERM_METERED == 6,
               "on disk");
_Static_assert(DELIVERY_UNKNOWN == 0 && DELIVERY_BARE_METAL == 1 && DELIVERY_VM == 2 &&
                   DELIVERY_CONTAINER == 3,
               "on disk");
_Static_assert(INTRA_UNKNOWN == 0 && INTRA_NVLINK == 1 && INTRA_PCIE == 2, "on disk");
_Static_assert(INTER_UNKNOWN == 0 && INTER_NONE == 1 && INTER_ETHERNET == 2 && INTER_ROCE == 3 &&
                   INTER_IB == 4,
               "on disk");
_Static_assert(POWER_UNKNOWN == 0 && POWER_INCLUDED == 1 && POWER_METERED == 2 && POWER_FLAT == 3 &&
                   POWER_TOU == 4,
               "on disk");
_Static_assert(YES_NO_UNKNOWN == 0 && YES_NO_YES == 1 && YES_NO_NO == 2, "on disk");
_Static_assert(PER_NONE == 0 && PER_CARD == 1 && PER_SERVER == 2 && PER_CABINET == 3 &&
                   PER_KW == 4 && PER_AMPERE == 5 && PER_U == 6 && PER_KWH == 7 && PER_MBPS == 8 &&
                   PER_GB == 9 && PER_TB == 10 && PER_IP == 11,
               "on disk");
_Static_assert(PERIOD_ONCE == 0 && PERIOD_HOUR == 1 && PERIOD_DAY == 2 && PERIOD_MONTH == 3 &&
                   PERIOD_YEAR == 4,
               "on disk");
_Static_assert(UNIT_CARD_HOUR == 0 && UNIT_CARD == 1 && UNIT_SERVER == 2 &&
                   UNIT_SERVER_MONTH == 3 && UNIT_CABINET_MONTH == 4 && UNIT_KW_MONTH == 5 &&
                   UNIT_U_MONTH == 6 && UNIT_KWH == 7 && UNIT_MBPS_MONTH == 8 && UNIT_GB == 9 &&
                   UNIT_TB_MONTH == 10 && UNIT_IP_MONTH == 11 && UNIT_TIME == 12 && UNIT_ONCE == 13,
               "on disk");
#define YES_NO_COUNT 3

/* How many offers are shown before the texts of their prices are freed. */
#define OFFERS_PER_ARENA 1024

/* --- Writing ------------------------------------------------------------------------------ */

static enum store_result price_insert(struct connection *c, const struct price *p, int64_t offer_id,
                                      int position)
{
	struct query *q = query_start(
	    c, "INSERT INTO prices (offer_id, position, item, term, amount_micro, unit_per,"
	       " unit_per_count, unit_period, unit_period_count, currency, tax, tax_rate_bp,"
	       " min_quantity, low_micro, as_quoted, unit_text, column_number, row_number, "
	       "normalised_unit,"
	       " normalised_micro, normalised_low_micro)"
	       " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	query_put_integer(q, offer_id);
	query_put_integer(q, position);
	query_put_integer(q, p->item);
	query_put_integer(q, p->term);
	query_put_money(q, p->amount);
	query_put_integer(q, p->unit.per);
	query_put_integer(q, p->unit.per_count);
	query_put_integer(q, p->unit.period);
	query_put_integer(q, p->unit.period_count);
	query_put_text(q, p->currency);
	query_put_integer(q, p->tax);
	query_put_integer(q, p->tax_rate_bp);
	query_put_integer(q, p->min_quantity);
	query_put_money_if(q, p->has_low, p->low);
	query_put_text(q, p->as_quoted);
	query_put_text(q, p->unit_text);
	query_put_integer(q, p->column);
	query_put_integer(q, p->row);
	query_put_integer(q, p->normalised_unit);
	query_put_money(q, p->normalised);
	query_put_money_if(q, p->has_low, p->normalised_low);
	return query_run(q);
}

static enum store_result row_insert(struct connection *c, const struct offer *o, int64_t sheet_id,
                                    int64_t id)
{
	struct query *q = query_start(
	    c,
	    "INSERT INTO offers (id, sheet_id, sheet_name, row, kind, origin, source, observed_on,"
	    " card, title, cards_per_server, servers_available, city, city_name, site, delivery,"
	    " intra_link, inter_link, inter_gbps, cabinet_watts, cabinet_u, power_billing, line,"
	    " mbps_included, ips_included, min_term_months, availability_ppm,"
	    " replacement_minutes, support_24x7, new_cards, card_age_months, power_tier,"
	    " service_tier, licences, pue_milli, valid_from, valid_to, note)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	    " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	query_put_integer(q, id);
	query_put_integer(q, sheet_id);
	query_put_text(q, o->sheet_name);
	query_put_integer(q, o->row);
	query_put_integer(q, o->kind);
	query_put_integer(q, o->origin);
	query_put_text(q, o->source);
	query_put_date(q, o->observed_on);
	query_put_text(q, o->card);
	query_put_text(q, o->title);
	query_put_integer(q, o->cards_per_server);
	query_put_integer(q, o->servers_available);
	query_put_integer(q, o->city);
	query_put_text(q, o->city_name);
	query_put_text(q, o->site);
	query_put_integer(q, o->delivery);
	query_put_integer(q, o->intra_link);
	query_put_integer(q, o->inter_link);
	query_put_real(q, o->inter_gbps);
	query_put_integer(q, o->cabinet_watts);
	query_put_integer(q, o->cabinet_u);
	query_put_integer(q, o->power_billing);
	query_put_text(q, o->line);
	query_put_integer(q, o->mbps_included);
	query_put_integer(q, o->ips_included);
	query_put_integer(q, o->min_term_months);
	query_put_integer(q, o->availability_ppm);
	query_put_integer(q, o->replacement_minutes);
	query_put_integer(q, o->support_24x7);
	query_put_integer(q, o->new_cards);
	query_put_integer(q, o->card_age_months);
	query_put_text(q, o->power_tier);
	query_put_text(q, o->service_tier);
	query_put_text(q, o->licences);
	query_put_integer(q, o->pue_milli);
	query_put_date(q, o->valid_from);
	query_put_date(q, o->valid_to);
	query_put_text(q, o->note);
	return query_run(q);
}

enum store_result offer_insert(struct connection *c, const struct offer *offer, int64_t sheet_id,
                               int64_t id)
{
	enum store_result result = row_insert(c, offer, sheet_id, id);

	for (int i = 0; result == STORE_OK && i < offer->price_count; i++)
		result = price_insert(c, &offer->prices[i], id, i);
	return result;
}

/* --- Reading ------------------------------------------------------------------------------ */

void offer_read(struct query *q, struct offer *o)
{
	o->id = query_integer(q);
	o->sheet_id = query_integer(q);
	o->sheet_name = query_text(q);
	o->row = query_int(q);
	o->kind = (enum offer_kind)query_enum(q, OFFER_KIND_COUNT);
	o->origin = (enum origin)query_enum(q, ORIGIN_COUNT);
	o->source = query_text(q);
	o->observed_on = query_date(q);
	o->card = query_text(q);
	o->title = query_text(q);
	o->cards_per_server = query_int(q);
	o->servers_available = query_int(q);
	o->city = (enum city)query_enum(q, CITY_COUNT);
	o->city_name = query_text(q);
	o->site = query_text(q);
	o->delivery = (enum delivery)query_enum(q, DELIVERY_COUNT);
	o->intra_link = (enum intra_link)query_enum(q, INTRA_LINK_COUNT);
	o->inter_link = (enum inter_link)query_enum(q, INTER_LINK_COUNT);
	o->inter_gbps = query_real(q);
	o->cabinet_watts = query_integer(q);
	o->cabinet_u = query_int(q);
	o->power_billing = (enum power_billing)query_enum(q, POWER_BILLING_COUNT);
	o->line = query_text(q);
	o->mbps_included = query_int(q);
	o->ips_included = query_int(q);
	o->min_term_months = query_int(q);
	o->availability_ppm = query_int(q);
	o->replacement_minutes = query_int(q);
	o->support_24x7 = (enum yes_no)query_enum(q, YES_NO_COUNT);
	o->new_cards = (enum yes_no)query_enum(q, YES_NO_COUNT);
	o->card_age_months = query_int(q);
	o->power_tier = query_text(q);
	o->service_tier = query_text(q);
	o->licences = query_text(q);
	o->pue_milli = query_int(q);
	o->valid_from = query_date(q);
	o->valid_to = query_date(q);
	o->note = query_text(q);
}

/* The PRICE_COLUMNS of the current row after offer_id, taken in order. */
static void price_read(struct query *q, struct price *p)
{
	p->item = (enum price_item)query_enum(q, PRICE_ITEM_COUNT);
	p->term = (enum price_term)query_enum(q, PRICE_TERM_COUNT);
	p->amount = query_money(q);
	p->unit.per = (enum per)query_enum(q, PER_COUNT);
	p->unit.per_count = query_int(q);
	p->unit.period = (enum period)query_enum(q, PERIOD_COUNT);
	p->unit.period_count = query_int(q);
	query_code(q, p->currency);
	p->tax = (enum tax_basis)query_enum(q, TAX_BASIS_COUNT);
	p->tax_rate_bp = query_int(q);
	p->min_quantity = query_int(q);
	p->has_low = !query_is_null(q);
	p->low = query_money(q);
	p->as_quoted = query_text(q);
	p->unit_text = query_text(q);
	p->column = query_int(q);
	p->row = query_int(q);
	p->normalised_unit = (enum normalised_unit)query_enum(q, NORMALISED_UNIT_COUNT);
	p->normalised = query_money(q);
	p->normalised_low = query_money(q);
}

enum store_result offer_read_prices(struct connection *c, struct arena *arena, struct offer *offer)
{
	struct query *q = query_start_into(
	    c, "SELECT " PRICE_COLUMNS " FROM prices WHERE offer_id = ? ORDER BY position", arena);
	size_t capacity = 0;
	size_t count = 0;

	offer->prices = NULL;
	query_put_integer(q, offer->id);
	while (query_next(q)) {
		offer->prices =
		    arena_grow(arena, offer->prices, count, &capacity, sizeof *offer->prices);
		query_skip(q);
		price_read(q, &offer->prices[count++]);
	}
	offer->price_count = (int)count;
	return query_end(q);
}

/* --- Walking over many -------------------------------------------------------------------- */

/*
 * Takes the prices of OFFER from the cursor P, which runs beside that of the offers in the same
 * order. HAS_ROW: P stands on a row that was not taken yet; answers the same for afterwards.
 */
static bool walk_prices(struct offer_walk *walk, struct query *p, struct offer *offer, bool has_row)
{
	size_t count = 0;

	while (has_row && query_integer(p) == offer->id) {
		if (count == walk->price_capacity) {
			walk->price_capacity = count == 0 ? 16 : 2 * count;
			walk->prices =
			    alloc_resize(walk->prices, walk->price_capacity * sizeof *walk->prices);
		}
		price_read(p, &walk->prices[count++]);
		has_row = query_next(p);
	}
	if (has_row)
		query_untake(p);
	offer->prices = walk->prices;
	offer->price_count = (int)count;
	return has_row;
}

/* Price texts live until a thousand offers later, so that memory stays small. */
static struct arena *walk_texts(struct offer_walk *walk)
{
	if (walk->shown % OFFERS_PER_ARENA == 0) {
		arena_destroy(walk->texts);
		walk->texts = arena_create();
	}
	return walk->texts;
}

static struct query *start_range(struct connection *c, const char *sql,
                                 const struct offer_range *range)
{
	struct query *q = query_start(c, sql);

	query_put_integer(q, range->first);
	query_put_integer(q, range->first + range->count - 1);
	return q;
}

enum store_result offer_walk_sheet(struct offer_walk *walk, const struct offer_range *range)
{
	struct query *o =
	    start_range(walk->connection,
	                "SELECT " OFFER_COLUMNS " FROM offers AS o WHERE o.id BETWEEN ? AND ?"
	                " ORDER BY o.id",
	                range);
	struct query *p =
	    start_range(walk->connection,
	                "SELECT " PRICE_COLUMNS " FROM prices WHERE offer_id BETWEEN ? AND ?"
	                " ORDER BY offer_id, position",
	                range);
	struct offer offer = {.supplier = range->supplier, .supplier_name = range->supplier_name};

	p->arena = walk_texts(walk);
	bool has_price = query_next(p);

	while (!walk->ended && query_next(o)) {
		offer_read(o, &offer);
		has_price = walk_prices(walk, p, &offer, has_price);
		if (o->error != SQLITE_OK || p->error != SQLITE_OK)
			break;
		walk->ended = !walk->visit(walk->context, &offer);
		walk->shown++;
		p->arena = walk_texts(walk);
	}
	enum store_result offers = query_end(o);
	enum store_result prices = query_end(p);

	return offers == STORE_OK ? prices : offers;
}

void offer_walk_finish(struct offer_walk *walk)
{
	arena_destroy(walk->texts);
	free(walk->prices);
}

enum store_result offer_walk_current(struct offer_walk *walk)
{
	struct query *q =
	    query_start(walk->connection, "SELECT h.first_offer, h.offer_count, s.id, s.name"
	                                  " FROM sheets AS h JOIN suppliers AS s"
	                                  " ON s.id = h.supplier"
	                                  " WHERE h.status = 0 ORDER BY h.id");
	enum store_result result = STORE_OK;

	while (result == STORE_OK && !walk->ended && query_next(q)) {
		struct offer_range range;

		range.first = query_integer(q);
		range.count = query_integer(q);
		range.supplier = query_text(q);
		range.supplier_name = query_text(q);
		result = offer_walk_sheet(walk, &range);
	}
	enum store_result sheets = query_end(q);

	return result == STORE_OK ? sheets : result;
}
