/* offer_rows.h - rows of offers and prices <-> struct offer and struct price, every field exactly.
 */
#ifndef STORE_OFFER_ROWS_H
#define STORE_OFFER_ROWS_H

#include "store/inside.h"

/* What a SELECT gives for offer_read(), from "offers AS o" and joined suppliers "AS s". */
#define OFFER_COLUMNS                                                                              \
	"o.id, o.sheet_id, o.sheet_name, o.row, o.kind, o.origin, o.source, o.observed_on,"        \
	" o.card, o.title, o.cards_per_server, o.servers_available, o.city, o.city_name, o.site,"  \
	" o.delivery, o.intra_link, o.inter_link, o.inter_gbps, o.cabinet_watts, o.cabinet_u,"     \
	" o.power_billing, o.line, o.mbps_included, o.ips_included, o.min_term_months,"            \
	" o.availability_ppm, o.replacement_minutes, o.support_24x7, o.new_cards,"                 \
	" o.card_age_months, o.power_tier, o.service_tier, o.licences, o.pue_milli, o.valid_from," \
	" o.valid_to, o.note"

/* What a SELECT from prices gives to offer_read_prices() and offer_walk. */
#define PRICE_COLUMNS                                                                              \
	"offer_id, item, term, amount_micro, unit_per, unit_per_count, unit_period,"               \
	" unit_period_count, currency, tax, tax_rate_bp, min_quantity, low_micro, as_quoted,"      \
	" unit_text, column_number, row_number, normalised_unit, normalised_micro, "               \
	"normalised_low_micro"

/* Inserts an offer of SHEET_ID under ID, with its prices. */
MUST_CHECK enum store_result offer_insert(struct connection *c, const struct offer *offer,
                                          int64_t sheet_id, int64_t id);

/*
 * The OFFER_COLUMNS of the current row, taken in order; supplier, supplier_name and prices are left
 * alone.
 */
void offer_read(struct query *q, struct offer *offer);

/* Reads the prices of OFFER (its id) into ARENA. */
MUST_CHECK enum store_result offer_read_prices(struct connection *c, struct arena *arena,
                                               struct offer *offer);

/*
 * Shows the offers of a sheet, ids FIRST to FIRST + COUNT - 1, to a visitor: see store_offer_visit.
 */
struct offer_walk {
	struct connection *connection;
	store_offer_visit visit;
	void *context;
	bool ended;           /* the visitor said so */
	struct arena *texts;  /* of the prices being shown; renewed now and then */
	struct price *prices; /* of the offer being shown */
	size_t price_capacity;
	int64_t shown;
};

/* The sheet that is walked over. */
struct offer_range {
	int64_t first;
	int64_t count;
	const char *supplier;
	const char *supplier_name;
};

/* Walks over one sheet; over as many as wanted, in turn, until ENDED. offer_walk_finish() frees. */
MUST_CHECK enum store_result offer_walk_sheet(struct offer_walk *walk,
                                              const struct offer_range *range);
void offer_walk_finish(struct offer_walk *walk);

/* Walks over all current sheets. */
MUST_CHECK enum store_result offer_walk_current(struct offer_walk *walk);

#endif
