/*
 * cost_terms.h - the cheapest mix of an offer's terms for one item over the project's months.
 *
 * Inside the cost room: renting, cabinets, bandwidth, storage, addresses and service all commit by
 * the hour, month, quarter or year, with ladders and a minimum term, and share this.
 */
#ifndef ENGINE_COST_TERMS_H
#define ENGINE_COST_TERMS_H

#include "engine/cost.h"

/* How many of each counted thing are bought; what is not known cannot be priced by that unit. */
struct counts {
	struct ratio of[PER_COUNT];
	bool known[PER_COUNT];
	int64_t ladder; /* what min_quantity is compared with */
};

/* Nothing known but "one of it" for prices that count nothing (PER_NONE); ladder 0. */
struct counts counts_none(void);

/* From now on VALUE things of kind PER are bought. */
void counts_set(struct counts *counts, enum per per, struct ratio value);

/*
 * Things of UNIT's kind, rounded up to whole units where they are sold whole (cards, servers,
 * cabinets, U, Mbps, addresses); false when they are not known.
 */
bool counts_things(const struct counts *counts, struct unit unit, struct ratio *things);

enum term_slot { SLOT_HOURLY, SLOT_MONTH, SLOT_QUARTER, SLOT_YEAR };
#define TERM_SLOTS 4

/* What to take of which price. */
struct term_mix {
	int price[TERM_SLOTS]; /* index in offer->prices; -1 = that term is not offered */
	struct ratio
	    cost[TERM_SLOTS];  /* by cost_price_weight(), of one: an hourly month, a month ... */
	int count[TERM_SLOTS]; /* how many of each */
	int paid_months;       /* covered by all of them */
	struct ratio total;    /* of them all, yuan, exact */
};

struct terms_question {
	enum price_item item;
	unsigned terms;               /* set of enum price_term */
	struct ratio hours_per_month; /* that an hourly price is paid for */
	const struct counts *counts;
};

/*
 * The exact minimum over years, quarters, months and hours for basis->months; see cost_rent().
 * Commitments of together more than 20 years are not considered.
 *   Result    COST_NO_PRICE, COST_WRONG_UNIT, COST_NO_RATE, COST_OVERFLOW or COST_OK
 */
enum cost_status terms_mix(const struct cost_basis *basis, const struct offer *offer,
                           const struct terms_question *question, struct term_mix *mix);

/* What the cheapest price for one SLOT costs (an hourly month, a month ...), as term_mix.cost;
 * false when there is none. */
bool terms_slot_cost(const struct cost_basis *basis, const struct offer *offer,
                     const struct terms_question *question, enum term_slot slot,
                     struct ratio *cost);

/* Appends the lines of MIX; WHATS names them slot by slot. Flags months paid beyond the project. */
enum cost_status terms_add(const struct cost_basis *basis, const struct offer *offer,
                           const struct terms_question *question, const struct term_mix *mix,
                           const enum cost_what whats[TERM_SLOTS], struct bill *bill);

/*
 * Appends every one-off price of ITEM (setup, deposit) that applies: of rows with the same counted
 * thing, the highest step of the ladder. TOTAL (may be NULL) gets their sum by cost_price_weight();
 * with BILL NULL nothing is appended. A price per thing that COUNTS does not know becomes unknown.
 */
enum cost_status once_add(const struct cost_basis *basis, const struct offer *offer,
                          enum price_item item, enum cost_what what, const struct counts *counts,
                          struct bill *bill, struct ratio *total);

/*
 * Appends the deposits of OFFER, which come back, and what the capital in them costs until then:
 * deposit x ASSUME_CAPITAL_RATE x months / 12. TOTAL, BILL as in once_add(); TOTAL gets the cost of
 * the capital alone.
 */
enum cost_status deposit_add(const struct cost_basis *basis, const struct offer *offer,
                             const struct counts *counts, struct bill *bill, struct ratio *total);

#endif
