/* hybrid.c - see hybrid.h. */
#include "engine/hybrid.h"

/* Levels placed so far, at least cost. */
struct placing {
	const struct hybrid_problem *problem;
	int level; /* the next one to place */
	int used[HYBRID_SUPPLIERS_MAX];
	int16_t supplier_of[HYBRID_LEVELS_MAX];
	/* Of the search for the shortest way to place one more: */
	int64_t move[HYBRID_SUPPLIERS_MAX][HYBRID_SUPPLIERS_MAX]; /* one level from s to t */
	int16_t mover[HYBRID_SUPPLIERS_MAX][HYBRID_SUPPLIERS_MAX];
	int64_t reach[HYBRID_SUPPLIERS_MAX]; /* cost when s ends up with one more */
	int16_t from[HYBRID_SUPPLIERS_MAX];  /* the supplier before s on that way; -1 = none */
};

/* The cheapest level that can be moved between each two suppliers. */
static void find_moves(struct placing *placing)
{
	const struct hybrid_problem *problem = placing->problem;

	for (int s = 0; s < problem->suppliers; s++)
		for (int t = 0; t < problem->suppliers; t++)
			placing->move[s][t] = HYBRID_IMPOSSIBLE;
	for (int level = 0; level < placing->level; level++) {
		int s = placing->supplier_of[level];

		for (int t = 0; t < problem->suppliers; t++) {
			int64_t change = problem->cost[t][level] - problem->cost[s][level];

			if (problem->cost[t][level] >= HYBRID_IMPOSSIBLE ||
			    change >= placing->move[s][t])
				continue;
			placing->move[s][t] = change;
			placing->mover[s][t] = (int16_t)level;
		}
	}
}

/* Shortest ways to every supplier (Bellman-Ford; there is no negative cycle while costs are least).
 */
static void find_ways(struct placing *placing)
{
	const struct hybrid_problem *problem = placing->problem;
	bool changed = true;

	for (int s = 0; s < problem->suppliers; s++) {
		placing->reach[s] = problem->cost[s][placing->level];
		placing->from[s] = -1;
	}
	while (changed) {
		changed = false;
		for (int s = 0; s < problem->suppliers; s++)
			for (int t = 0; t < problem->suppliers; t++) {
				int64_t way = placing->reach[s] + placing->move[s][t];

				if (placing->reach[s] >= HYBRID_IMPOSSIBLE ||
				    placing->move[s][t] >= HYBRID_IMPOSSIBLE ||
				    way >= placing->reach[t])
					continue;
				placing->reach[t] = way;
				placing->from[t] = (int16_t)s;
				changed = true;
			}
	}
}

static bool has_room(const struct placing *placing, int supplier)
{
	int32_t stock = placing->problem->stock[supplier];

	return stock < 0 || placing->used[supplier] < stock;
}

/* Places the next level; what the total grows by, or HYBRID_IMPOSSIBLE. */
static int64_t place_next(struct placing *placing)
{
	const struct hybrid_problem *problem = placing->problem;
	int best = -1;

	find_moves(placing);
	find_ways(placing);
	for (int s = 0; s < problem->suppliers; s++) {
		if (has_room(placing, s) && placing->reach[s] < HYBRID_IMPOSSIBLE &&
		    (best < 0 || placing->reach[s] < placing->reach[best]))
			best = s;
	}
	if (best < 0)
		return HYBRID_IMPOSSIBLE;
	int at = best;

	for (; placing->from[at] >= 0; at = placing->from[at])
		placing->supplier_of[placing->mover[placing->from[at]][at]] = (int16_t)at;
	placing->supplier_of[placing->level++] = (int16_t)at;
	placing->used[best]++;
	return placing->reach[best];
}

/* What a level is worth at most, from those suppliers that could serve one more. */
static void find_ceilings(const struct placing *placing, struct hybrid_mix *mix)
{
	const struct hybrid_problem *problem = placing->problem;
	bool all = placing->level == problem->levels;

	for (int level = 0; level < problem->levels; level++)
		mix->ceiling[level] = HYBRID_IMPOSSIBLE;
	for (int s = 0; s < problem->suppliers && all; s++) {
		if (!has_room(placing, s))
			continue;
		for (int level = 0; level < problem->levels; level++)
			if (problem->cost[s][level] < mix->ceiling[level])
				mix->ceiling[level] = problem->cost[s][level];
	}
}

bool hybrid_solve(const struct hybrid_problem *problem, struct hybrid_mix *mix)
{
	int levels = problem->levels;
	struct placing placing = {.problem = problem};
	int64_t rented = 0;
	bool found = false;

	/* With so many rented, the levels above them are owned. */
	for (int count = 0; count <= levels; count++) {
		if (count > 0) {
			int64_t more = place_next(&placing);

			if (more >= HYBRID_IMPOSSIBLE)
				break;
			rented += more;
		}
		int64_t owned = problem->owned[levels - count];

		if (owned >= HYBRID_IMPOSSIBLE || (found && rented + owned > mix->total))
			continue;
		found = true;
		mix->total = rented + owned;
		mix->owned = levels - count;
		for (int level = 0; level < levels; level++)
			mix->supplier_of[level] =
			    level < count ? placing.supplier_of[level] : HYBRID_OWNED;
	}
	find_ceilings(&placing, mix);
	return found;
}
