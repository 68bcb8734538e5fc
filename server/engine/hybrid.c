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
	/* What is owned, in the order of what renting it from a supplier costs more; it only
	 * becomes less. */
	int16_t dearer[HYBRID_SUPPLIERS_MAX][HYBRID_LEVELS_MAX];
	int16_t next[HYBRID_SUPPLIERS_MAX]; /* the first there that may still be owned */
	/* Of the search for the cheapest way to rent one more: */
	bool is_changed[NODES_MAX];         /* since its moves were found */
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

/* What moving a level to a supplier costs more; HYBRID_IMPOSSIBLE when it cannot be. */
static int64_t change_of(const struct placing *placing, int level, int supplier)
{
	int64_t cost = placing->problem->cost[supplier][level];

	return cost >= HYBRID_IMPOSSIBLE ? HYBRID_IMPOSSIBLE
	                                 : cost - cost_at(placing, placing->node_of[level], level);
}

/* Shell sort (gaps halved), of equal ones the lower level first. */
static void sort_levels(const int64_t *change, int16_t *order, int levels)
{
	for (int gap = levels / 2; gap > 0; gap /= 2)
		for (int i = gap; i < levels; i++) {
			int16_t moved = order[i];
			int at = i;

			for (; at >= gap; at -= gap) {
				int16_t other = order[at - gap];

				if (change[other] < change[moved] ||
				    (change[other] == change[moved] && other < moved))
					break;
				order[at] = other;
			}
			order[at] = moved;
		}
}

static void sort_owned(struct placing *placing, int supplier)
{
	int levels = placing->problem->levels;
	int16_t *order = placing->dearer[supplier];
	int64_t change[HYBRID_LEVELS_MAX];
	bool is_sorted = true;

	for (int level = 0; level < levels; level++) {
		order[level] = (int16_t)level;
		change[level] = change_of(placing, level, supplier);
		is_sorted = is_sorted && (level == 0 || change[level] >= change[level - 1]);
	}
	if (!is_sorted)
		sort_levels(change, order, levels);
}

static void own_all(struct placing *placing, const struct hybrid_problem *problem)
{
	placing->problem = problem;
	placing->own = problem->suppliers;
	placing->total = 0;
	for (int level = 0; level < problem->levels; level++) {
		placing->node_of[level] = (int16_t)placing->own;
		placing->total += problem->owned_level[level];
	}
	for (int s = 0; s < problem->suppliers; s++) {
		placing->used[s] = 0;
		placing->next[s] = 0;
		placing->is_changed[s] = true;
		sort_owned(placing, s);
	}
	placing->used[placing->own] = problem->levels;
}

/* The cheapest level of what is owned that can be moved to each supplier. */
static void find_moves_of_owned(struct placing *placing)
{
	int levels = placing->problem->levels;

	for (int t = 0; t < placing->own; t++) {
		const int16_t *order = placing->dearer[t];
		int at = placing->next[t];

		while (at < levels && placing->node_of[order[at]] != placing->own)
			at++;
		placing->next[t] = (int16_t)at;
		placing->move[placing->own][t] =
		    at < levels ? change_of(placing, order[at], t) : HYBRID_IMPOSSIBLE;
		placing->mover[placing->own][t] = at < levels ? order[at] : 0;
	}
}

/* The cheapest level that can be moved from each node to each supplier. */
static void find_moves(struct placing *placing)
{
	const struct hybrid_problem *problem = placing->problem;

	find_moves_of_owned(placing);
	for (int s = 0; s < placing->own; s++)
		for (int t = 0; placing->is_changed[s] && t < placing->own; t++)
			placing->move[s][t] = HYBRID_IMPOSSIBLE;
	for (int level = 0; level < problem->levels; level++) {
		int s = placing->node_of[level];

		for (int t = 0; s != placing->own && placing->is_changed[s] && t < placing->own;
		     t++) {
			int64_t change = change_of(placing, level, t);

			if (change >= placing->move[s][t])
				continue;
			placing->move[s][t] = change;
			placing->mover[s][t] = (int16_t)level;
		}
	}
	for (int s = 0; s < placing->own; s++)
		placing->is_changed[s] = false;
}

/* Shortens the ways that go on from node S; whether there was one. */
static bool go_on_from(struct placing *placing, int s, bool *is_nearer)
{
	bool changed = false;

	for (int t = 0; t < placing->own; t++) {
		int64_t way = placing->reach[s] + placing->move[s][t];

		if (placing->move[s][t] >= HYBRID_IMPOSSIBLE || way >= placing->reach[t])
			continue;
		placing->reach[t] = way;
		placing->from[t] = (int16_t)s;
		/* From what serves nothing no way goes on. */
		is_nearer[t] = placing->used[t] > 0;
		changed = changed || is_nearer[t];
	}
	return changed;
}

/* Shortest ways from what is owned (Bellman-Ford; there is no negative cycle while costs are
 * least). */
static void find_ways(struct placing *placing)
{
	bool is_nearer[NODES_MAX] = {false};
	bool changed = true;

	for (int s = 0; s < placing->own; s++)
		placing->reach[s] = HYBRID_IMPOSSIBLE;
	placing->reach[placing->own] = 0;
	is_nearer[placing->own] = true;
	while (changed) {
		changed = false;
		for (int s = 0; s <= placing->own; s++) {
			if (!is_nearer[s])
				continue;
			is_nearer[s] = false;
			changed = go_on_from(placing, s, is_nearer) || changed;
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
	for (int at = best; at != placing->own; at = placing->from[at]) {
		placing->node_of[placing->mover[placing->from[at]][at]] = (int16_t)at;
		placing->is_changed[at] = true;
	}
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
	for (int owned = 0; owned < problem->levels; owned++)
		mix->least[owned] = HYBRID_IMPOSSIBLE;
	do {
		int owned = placing.used[placing.own];
		int64_t fixed = problem->owned[owned];

		mix->least[owned] = placing.total;
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
