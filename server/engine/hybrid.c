/* hybrid.c - see hybrid.h. */
#include "engine/hybrid.h"

/* The suppliers, and behind them, as one more, what is owned. */
#define NODES_MAX (HYBRID_SUPPLIERS_MAX + 1)

/* An assignment of all levels, at least cost for the number of those owned. */
struct placing {
	const struct hybrid_problem *problem;
	int own; /* the node of what is owned */
	int used[NODES_MAX];
	int16_t node_of[HYBRID_LEVELS_MAX];
	int64_t total; /* of the levels */
	/* Of the search for the cheapest way to rent one more: */
	int64_t move[NODES_MAX][NODES_MAX]; /* one level from s to t */
	int16_t mover[NODES_MAX][NODES_MAX];
	int64_t reach[NODES_MAX]; /* cost when s ends up with one more */
	int16_t from[NODES_MAX];  /* the node before s on that way */
};

static int64_t cost_at(const struct placing *placing, int node, int level)
{
	const struct hybrid_problem *problem = placing->problem;

	return node == placing->own ? problem->owned_level[level] : problem->cost[node][level];
}

static void own_all(struct placing *placing, const struct hybrid_problem *problem)
{
	*placing = (struct placing){.problem = problem, .own = problem->suppliers};
	for (int level = 0; level < problem->levels; level++) {
		placing->node_of[level] = (int16_t)placing->own;
		placing->total += problem->owned_level[level];
	}
	placing->used[placing->own] = problem->levels;
}

/* The cheapest level that can be moved from each node to each supplier. */
static void find_moves(struct placing *placing)
{
	const struct hybrid_problem *problem = placing->problem;

	for (int s = 0; s <= placing->own; s++)
		for (int t = 0; t < placing->own; t++)
			placing->move[s][t] = HYBRID_IMPOSSIBLE;
	for (int level = 0; level < problem->levels; level++) {
		int s = placing->node_of[level];
		int64_t before = cost_at(placing, s, level);

		for (int t = 0; t < placing->own; t++) {
			int64_t change = problem->cost[t][level] - before;

			if (problem->cost[t][level] >= HYBRID_IMPOSSIBLE ||
			    change >= placing->move[s][t])
				continue;
			placing->move[s][t] = change;
			placing->mover[s][t] = (int16_t)level;
		}
	}
}

/* Shortest ways from what is owned (Bellman-Ford; there is no negative cycle while costs are
 * least). */
static void find_ways(struct placing *placing)
{
	bool changed = true;

	for (int s = 0; s < placing->own; s++)
		placing->reach[s] = HYBRID_IMPOSSIBLE;
	placing->reach[placing->own] = 0;
	while (changed) {
		changed = false;
		for (int s = 0; s <= placing->own; s++)
			for (int t = 0; t < placing->own; t++) {
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

/* Rents one level that was owned; false when none can be. */
static bool rent_one(struct placing *placing)
{
	int best = -1;

	find_moves(placing);
	find_ways(placing);
	for (int s = 0; s < placing->own; s++) {
		if (has_room(placing, s) && placing->reach[s] < HYBRID_IMPOSSIBLE &&
		    (best < 0 || placing->reach[s] < placing->reach[best]))
			best = s;
	}
	if (best < 0 || placing->used[placing->own] == 0)
		return false;
	for (int at = best; at != placing->own; at = placing->from[at])
		placing->node_of[placing->mover[placing->from[at]][at]] = (int16_t)at;
	placing->used[best]++;
	placing->used[placing->own]--;
	placing->total += placing->reach[best];
	return true;
}

/* What a level is worth at most, from those suppliers that could serve one more. */
static void find_ceilings(const struct placing *placing, struct hybrid_mix *mix)
{
	const struct hybrid_problem *problem = placing->problem;
	bool all_rented = placing->used[placing->own] == 0;

	for (int level = 0; level < problem->levels; level++)
		mix->ceiling[level] = HYBRID_IMPOSSIBLE;
	for (int s = 0; s < problem->suppliers && all_rented; s++) {
		if (!has_room(placing, s))
			continue;
		for (int level = 0; level < problem->levels; level++)
			if (problem->cost[s][level] < mix->ceiling[level])
				mix->ceiling[level] = problem->cost[s][level];
	}
}

bool hybrid_solve(const struct hybrid_problem *problem, struct hybrid_mix *mix)
{
	struct placing placing;
	bool found = false;

	own_all(&placing, problem);
	do {
		int owned = placing.used[placing.own];
		int64_t fixed = problem->owned[owned];

		if (fixed >= HYBRID_IMPOSSIBLE || (found && placing.total + fixed > mix->total))
			continue;
		found = true;
		mix->total = placing.total + fixed;
		mix->owned = owned;
		for (int level = 0; level < problem->levels; level++)
			mix->supplier_of[level] = placing.node_of[level] == placing.own
			                              ? HYBRID_OWNED
			                              : placing.node_of[level];
	} while (rent_one(&placing));
	find_ceilings(&placing, mix);
	return found;
}
