/*
 * cost_shop.h - the cheapest of several ways to buy one thing; for the files of the cost room.
 *
 * Open a shop, try ways (each adds those it finds among the offers), then buy the best of them.
 */
#ifndef ENGINE_COST_SHOP_H
#define ENGINE_COST_SHOP_H

#include "engine/cost.h"
#include "engine/cost_terms.h"

/* One way to buy something: an offer and its cheapest mix, or a metered price. */
struct way {
	const struct offer *offer; /* NULL = none found */
	enum cost_what what;
	struct ratio total;
	struct term_mix mix; /* of committed prices */
	int price;           /* of a metered price; -1 = mix */
	struct counts counts;
	struct ratio things; /* of a metered price, per month */
};

struct shop {
	const struct cost_basis *basis;
	const struct offer *offers[2]; /* where the cards stand, then the side offer */
	struct way best;
	enum cost_status refused; /* a currency or an amount that could not be used */
};

/* A shop with what OFFER, where the cards stand, and SIDE sell; either may be NULL. */
struct shop open_shop(const struct cost_basis *basis, const struct offer *offer,
                      const struct offer *side);

/* Tries the committed prices of ITEM for what COUNTS says, at the cheapest mix of terms. */
void try_terms(struct shop *shop, enum price_item item, enum cost_what what,
               const struct counts *counts);

/* Tries the metered prices of ITEM: THINGS of PER each month, or the step where that is more. */
void try_metered(struct shop *shop, enum price_item item, enum per per, enum cost_what what,
                 struct ratio things);

/*
 * Appends the cheapest way that was found; else UNKNOWN. What was refused for its currency or its
 * size is an error when nothing else was found.
 */
enum cost_status buy_or_unknown(struct shop *shop, enum price_item item,
                                struct cost_unknown unknown, struct bill *bill);

#endif
