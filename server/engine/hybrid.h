/*
 * hybrid.h - the cost-minimal mix of owned and rented servers for a demand that changes by the
 * hour.
 *
 * Sorted, the demand is a staircase: server number k is needed for so many hours a month. Each step
 * of it is served by one server, owned or rented from some supplier in the terms that are cheapest
 * for its hours (those of the month's rent near the bottom, by the hour at the top). So many owned
 * servers cost so much, and each something for the hours that it works: they take busy steps where
 * rent is by the hour, and idle ones where it is by the month, whatever the hours. Suppliers have
 * limited stock. From all steps owned, one after the other is rented by successive shortest paths
 * (minimum-cost flow), which gives the best assignment for each number of owned servers, exact for
 * integer costs (Ahuja, Magnanti, Orlin: Network Flows, 9.7).
 */
#ifndef ENGINE_HYBRID_H
#define ENGINE_HYBRID_H

#include <stdbool.h>
#include <stdint.h>

#define HYBRID_LEVELS_MAX 128
#define HYBRID_SUPPLIERS_MAX 64
#define HYBRID_IMPOSSIBLE (INT64_MAX / 8) /* a cost; all real ones are below 1/1024 of it */
#define HYBRID_OWNED (-1)

struct hybrid_problem {
	int levels;                          /* servers; level 0 is the one that works least */
	int suppliers;                       /* may be 0 */
	int32_t stock[HYBRID_SUPPLIERS_MAX]; /* servers; -1 = no limit */
	/* Of serving a level by one server of a supplier; over the project, any unit. */
	int64_t cost[HYBRID_SUPPLIERS_MAX][HYBRID_LEVELS_MAX];
	/* Of owning so many servers, [0] = 0; HYBRID_IMPOSSIBLE where they cannot be had ... */
	int64_t owned[HYBRID_LEVELS_MAX + 1];
	int64_t owned_level[HYBRID_LEVELS_MAX]; /* ... and more for each level that one serves */
};

struct hybrid_mix {
	int64_t total;
	int owned;                              /* servers */
	int16_t supplier_of[HYBRID_LEVELS_MAX]; /* by level: index, or HYBRID_OWNED */
	/* What all levels cost at least when so many are owned, without owned[] of the problem;
	 * HYBRID_IMPOSSIBLE when the others cannot be rented. */
	int64_t least[HYBRID_LEVELS_MAX + 1];
	/*
	 * By level: one more supplier can lower the total only if it costs less than this
	 * somewhere; HYBRID_IMPOSSIBLE where that is not known. Who knows lower bounds of the
	 * others' costs knows by this when to stop looking.
	 */
	int64_t ceiling[HYBRID_LEVELS_MAX];
};

/*
 * The cheapest mix; of equal ones that with the fewest owned servers.
 *   Result  false when the levels cannot all be served; the ceilings are set all the same
 *
 * The ceilings are dual prices. With all levels rented, a supplier that has stock left has a price
 * of 0 for its stock, so no level is worth more than it costs there. A supplier that costs as much
 * or more everywhere keeps that dual solution feasible, so the primal one optimal; and with fewer
 * levels rented, stock is no scarcer (ibid., 9.3).
 *
 *   Levels that cost 1 and 9 at the only supplier (stock 5), one owned server at 6, two at 12: the
 *   busier one is owned, total 7. Where they cost 9 each, one can be owned and the busier one costs
 *   2 more if it is, the idle one is owned: total 15.
 */
bool hybrid_solve(const struct hybrid_problem *problem, struct hybrid_mix *mix);

#endif
