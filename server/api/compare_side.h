/*
 * compare_side.h - which network offer of a city goes with a cabinet offer of it.
 *
 * What a cabinet offer lacks of the network, storage and service asked for is bought from one
 * network offer beside it. What that costs depends on the cabinet only by what it includes, so that
 * each network offer is priced once for each amount that is missing, not once for each cabinet.
 */
#ifndef API_COMPARE_SIDE_H
#define API_COMPARE_SIDE_H

#include "engine/compare.h"

struct arena;
struct side_prices;

#define SIDE_NEEDS 4 /* a port, addresses, storage, service */

/* The network offers of a city and what is known of their prices so far. */
struct compare_sides {
	const struct cost_basis *basis;
	struct compare_question question; /* what others may sell of it */
	const struct offer *items;
	struct offer *plain; /* the same without what they take once */
	size_t count;
	struct arena *arena;
	struct bill *bill;                     /* the one at hand */
	struct side_prices *known[SIDE_NEEDS]; /* by what is missing, the last asked for first */
	size_t bills;                          /* that were made: what the search cost */
};

/* COUNT offers ITEMS for QUESTION; BASIS and ITEMS must outlive what is returned, in ARENA. */
struct compare_sides compare_sides_of(const struct cost_basis *basis,
                                      const struct compare_question *question,
                                      const struct offer *items, size_t count, struct arena *arena);

/*
 * The one of SIDES with which OFFER costs least: fewest parts without a price, then the lower
 * total, then the first. NULL when none is better than OFFER alone.
 */
const struct offer *compare_sides_best(struct compare_sides *sides, const struct offer *offer);

#endif
