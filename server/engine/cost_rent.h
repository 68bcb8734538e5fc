/*
 * cost_rent.h - what renting cards costs: the cheapest mix of one offer's own terms.
 */
#ifndef ENGINE_COST_RENT_H
#define ENGINE_COST_RENT_H

#include "engine/cost.h"

/* Terms that may be used, as a set: 1u << TERM_HOURLY | 1u << TERM_MONTHLY ... */
#define TERMS_ALL_BUT_SPOT                                                                         \
	(1u << TERM_HOURLY | 1u << TERM_MONTHLY | 1u << TERM_QUARTERLY | 1u << TERM_YEARLY)

/* What is ordered together with cards that run for other hours. */
struct rent_order_part {
	int cards;    /* ordered in all; 0 = these cards are no part of a larger order */
	int servers;  /* in which all that are needed run */
	int spare;    /* cards ordered with these and not needed, to reach a step of the ladder */
	bool is_rest; /* what is due once for the order is on the bill of another part */
};

struct rent_need {
	int cards;                    /* > 0 */
	struct ratio hours_per_month; /* in which they run; at most basis->hours_per_month, which
	                                 means all the time */
	unsigned terms;               /* set of enum price_term */
	struct rent_order_part order; /* all zero: CARDS are all that is ordered */
};

/* How much of each term the cheapest mix takes; months not covered by a term are paid by hours. */
struct rent_mix {
	int lots;      /* servers, or single cards where the offer sells these */
	int lot_cards; /* cards in a lot */
	int years;     /* whole terms */
	int quarters;
	int months;
	int hourly_months; /* months paid by the hour, TERM_HOURLY or TERM_SPOT */
	bool spot;
};

/*
 * The fewest cards of OFFER that can be rented: a whole server for bare metal, one card where cards
 * are priced singly and it is a virtual machine, a container or a server of unknown size.
 *   Result  0 when the price is per server and cards_per_server unknown
 */
int rent_lot_cards(const struct offer *offer);

/*
 * Appends what renting NEED from OFFER for basis->months costs: the compute lines, setup, deposit
 * and the capital that is tied up in it.
 *
 * Exact minimum over the offer's terms: years (12 months) and quarters (3) may overrun the end when
 * that is cheaper (flagged); months not covered by a commitment are paid for the hours that run,
 * so a 12-hour run is 12 hours. A minimum term holds for the commitments, together. The step of a
 * ladder is the highest min_quantity that the number of servers reaches; renting up to the next
 * step is taken when it is cheaper (flagged), within the stock. A part of an order is charged at
 * the step that the whole order reaches, and no more is rented than the order says; one of its
 * parts pays setup and deposit for all of them.
 *   Returned  mix  what was taken; may be NULL
 *   Result    COST_OK; COST_NO_PRICE, COST_NO_STOCK, COST_NO_RATE, COST_NO_SERVER_SIZE,
 *             COST_WRONG_UNIT, COST_OVERFLOW, COST_TOO_MANY_LINES
 *   Ties: fewer committed months, then longer terms first.
 *
 *   32 cards, all hours, 12 months, 76000 元/台/月 with tax at 6 %: 48 x 71698.113208 = 3441509.43.
 */
enum cost_status cost_rent(const struct cost_basis *basis, const struct offer *offer,
                           const struct rent_need *need, struct bill *bill, struct rent_mix *mix);

/*
 * A lower bound for pruning: no bill of cost_rent() on this basis with these TERMS is below this
 * many yuan per true card-hour that runs (in which a month has at most hours_per_month hours).
 *   Result  COST_NO_PRICE when no term is usable; as cost_rent()
 */
enum cost_status cost_rent_bound(const struct cost_basis *basis, const struct offer *offer,
                                 unsigned terms, struct ratio *per_card_hour);

#endif
