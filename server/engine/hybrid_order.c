/* hybrid_order.c - see hybrid_order.h. */
#include "engine/hybrid_order.h"

#include <stddef.h>

static int first_way(const struct hybrid_orders *orders, int supplier)
{
	return supplier == 0 ? 0 : orders->way_end[supplier - 1];
}

static int64_t cost_by(const struct hybrid_orders *orders, const struct hybrid_way *way, int level)
{
	int64_t cost = orders->cost[way->row][level];

	return level < way->first || cost >= HYBRID_IMPOSSIBLE ? HYBRID_IMPOSSIBLE
	                                                       : cost + way->extra;
}

/* ---- The problem in which every supplier charges by the level ---- */

/* The part of what is due for an order that each of its servers bears at least. */
static int64_t share_of_fixed(const struct hybrid_way *way)
{
	return way->fixed >= 0 ? way->fixed / way->most
	                       : -((-way->fixed + way->least - 1) / way->least);
}

static void set_open_row(const struct hybrid_orders *orders, int supplier, int64_t *row)
{
	for (int level = 0; level < orders->levels; level++)
		row[level] = HYBRID_IMPOSSIBLE;
	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++) {
		const struct hybrid_way *way = &orders->ways[w];
		int64_t share = share_of_fixed(way);

		for (int level = way->first; level < orders->levels; level++) {
			int64_t cost = cost_by(orders, way, level);

			if (cost < HYBRID_IMPOSSIBLE && cost + share < row[level])
				row[level] = cost + share;
		}
	}
}

static void set_way_row(const struct hybrid_orders *orders, const struct hybrid_way *way,
                        int64_t *row)
{
	for (int level = 0; level < orders->levels; level++)
		row[level] = cost_by(orders, way, level);
}

static int most_of(const struct hybrid_orders *orders, int supplier)
{
	int most = 0;

	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++)
		if (orders->ways[w].most > most)
			most = orders->ways[w].most;
	return most;
}

/* A supplier of the problem whose costs stand in its row already; STOCK -1 = no limit. */
static void add_row(struct hybrid_search *search, int supplier, int stock, bool forced)
{
	int row = search->problem.suppliers++;

	search->problem.stock[row] = stock;
	search->supplier_of[row] = (int16_t)supplier;
	search->forced[row] = forced;
	search->forced_total += forced ? stock : 0;
}

/* Room for one more supplier of the problem; NULL when there is none. */
static int64_t *next_row(struct hybrid_search *search)
{
	if (search->problem.suppliers == HYBRID_SUPPLIERS_MAX) {
		search->gave_up = true;
		return NULL;
	}
	return search->problem.cost[search->problem.suppliers];
}

/* FORCED servers of SUPPLIER at the prices of ROW, on levels before END, that must be used. */
static bool add_forced(struct hybrid_search *search, int supplier, int forced, int end,
                       const int64_t *row)
{
	int64_t *into = forced > 0 ? next_row(search) : NULL;

	if (into == NULL)
		return forced == 0;
	for (int level = 0; level < search->orders->levels; level++)
		into[level] = level < end ? row[level] : HYBRID_IMPOSSIBLE;
	add_row(search, supplier, forced, true);
	return true;
}

/* What is left of MOST; there is no limit where all levels can be served. */
static int rest_of(const struct hybrid_search *search, int most, int forced)
{
	return most >= search->orders->levels ? -1 : most - forced;
}

/* SUPPLIER by WAY. */
static bool add_way(struct hybrid_search *search, int supplier, const struct hybrid_way *way)
{
	int levels = search->orders->levels;
	int early = way->end < levels; /* servers that must serve one of the levels before END */
	int least = way->least > 1 || supplier == search->must ? way->least : early;
	int64_t *row = next_row(search);

	if (row == NULL)
		return false;
	set_way_row(search->orders, way, row);
	search->fixed += way->fixed;
	add_row(search, supplier, rest_of(search, way->most, least), false);
	return add_forced(search, supplier, early, way->end, row) &&
	       add_forced(search, supplier, least - early, levels, row);
}

/* SUPPLIER by any of its ways. */
static bool add_open(struct hybrid_search *search, int supplier)
{
	int forced = supplier == search->must;
	int64_t *row = next_row(search);

	if (row == NULL)
		return false;
	set_open_row(search->orders, supplier, row);
	add_row(search, supplier, rest_of(search, most_of(search->orders, supplier), forced),
	        false);
	return add_forced(search, supplier, forced, search->orders->levels, row);
}

static bool add_supplier(struct hybrid_search *search, int supplier)
{
	int chosen = search->chosen[supplier];

	if (chosen == HYBRID_NONE)
		return true;
	return chosen == HYBRID_OPEN ? add_open(search, supplier)
	                             : add_way(search, supplier, &search->orders->ways[chosen]);
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value;
}

/* More than any two ways to serve all levels can differ by. */
static int64_t bonus_of(const struct hybrid_problem *problem)
{
	int64_t bonus = 1;

	for (int level = 0; level < problem->levels; level++) {
		int64_t most = magnitude(problem->owned_level[level]);

		for (int s = 0; s < problem->suppliers; s++)
			if (problem->cost[s][level] < HYBRID_IMPOSSIBLE &&
			    magnitude(problem->cost[s][level]) > most)
				most = magnitude(problem->cost[s][level]);
		bonus += 2 * most;
	}
	int64_t most_owned = 0;

	for (int owned = 1; owned <= problem->levels; owned++)
		if (problem->owned[owned] < HYBRID_IMPOSSIBLE &&
		    magnitude(problem->owned[owned]) > most_owned)
			most_owned = magnitude(problem->owned[owned]);
	return bonus + 2 * most_owned;
}

/* What must be used up gets a bonus that no other gain is worth; false when it is too large. */
static bool grant_bonus(struct hybrid_search *search)
{
	struct hybrid_problem *problem = &search->problem;

	search->bonus = 0;
	if (search->forced_total == 0)
		return true;
	search->bonus = bonus_of(problem);
	if (search->bonus > HYBRID_IMPOSSIBLE / 4 / search->forced_total) {
		search->gave_up = true;
		return false;
	}
	for (int s = 0; s < problem->suppliers; s++)
		for (int level = 0; level < problem->levels && search->forced[s]; level++)
			if (problem->cost[s][level] < HYBRID_IMPOSSIBLE)
				problem->cost[s][level] -= search->bonus;
	return true;
}

static bool make_problem(struct hybrid_search *search)
{
	const struct hybrid_orders *orders = search->orders;
	struct hybrid_problem *problem = &search->problem;

	problem->levels = orders->levels;
	problem->suppliers = 0;
	search->forced_total = 0;
	search->fixed = 0;
	problem->owned[0] = orders->owned[0];
	for (int level = 0; level < orders->levels; level++) {
		problem->owned_level[level] = orders->owned_level[level];
		problem->owned[level + 1] = orders->owned[level + 1];
	}
	for (int s = 0; s < orders->suppliers; s++)
		if (!add_supplier(search, s))
			return false;
	return grant_bonus(search);
}

/* ---- What its solution really costs ---- */

/* The levels that one supplier serves. */
struct order {
	bool serves[HYBRID_LEVELS_MAX];
	int servers;
	int idlest; /* level */
};

/* What ORDER costs by its supplier's best way, in *BEST. */
static int64_t cost_of_order(const struct hybrid_orders *orders, int supplier,
                             const struct order *order, int16_t *best)
{
	int64_t least = HYBRID_IMPOSSIBLE;

	*best = HYBRID_NONE;
	if (order->servers == 0)
		return 0;
	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++) {
		const struct hybrid_way *way = &orders->ways[w];
		int64_t cost = way->fixed;

		if (order->servers < way->least || order->servers > way->most ||
		    order->idlest < way->first || order->idlest >= way->end)
			continue;
		for (int level = 0; level < orders->levels && cost < HYBRID_IMPOSSIBLE; level++)
			if (order->serves[level])
				cost += cost_by(orders, way, level);
		if (cost >= least)
			continue;
		least = cost;
		*best = (int16_t)w;
	}
	return least;
}

static void serve(struct order *order, int level)
{
	if (order->servers++ == 0)
		order->idlest = level;
	order->serves[level] = true;
}

/* The order from SUPPLIER in MIX, and what the problem charges for it. */
static struct order order_of(const struct hybrid_search *search, const struct hybrid_mix *mix,
                             int supplier, int64_t *charged)
{
	struct order order = {.servers = 0};

	*charged = 0;
	for (int level = 0; level < search->orders->levels; level++) {
		int row = mix->supplier_of[level];

		if (row == HYBRID_OWNED || search->supplier_of[row] != supplier)
			continue;
		serve(&order, level);
		*charged +=
		    search->problem.cost[row][level] + (search->forced[row] ? search->bonus : 0);
	}
	return order;
}

/* MIX as the suppliers charge for it, when that is the cheapest so far. */
static void keep(struct hybrid_search *search, const struct hybrid_mix *mix, int64_t total,
                 const int16_t *ways, struct hybrid_choice *choice)
{
	search->below = total;
	choice->mix = *mix;
	choice->mix.total = total;
	for (int level = 0; level < search->orders->levels; level++) {
		int row = mix->supplier_of[level];

		if (row != HYBRID_OWNED)
			choice->mix.supplier_of[level] = search->supplier_of[row];
	}
	for (int s = 0; s < search->orders->suppliers; s++)
		choice->way[s] = ways[s];
}

/* Charges for MIX; the open supplier that really costs most more than in the problem. */
static int charge(struct hybrid_search *search, const struct hybrid_mix *mix,
                  struct hybrid_choice *choice)
{
	int16_t ways[HYBRID_SUPPLIERS_MAX];
	int64_t total = search->orders->owned[mix->owned];
	int64_t widest = 0;
	int result = HYBRID_NONE;
	bool is_possible = true;

	for (int s = 0; s < search->orders->suppliers; s++) {
		int64_t charged;
		struct order order = order_of(search, mix, s, &charged);
		int64_t cost = cost_of_order(search->orders, s, &order, &ways[s]);

		is_possible = is_possible && cost < HYBRID_IMPOSSIBLE;
		total += is_possible ? cost : 0;
		if (search->chosen[s] == HYBRID_OPEN && cost - charged > widest) {
			widest = cost - charged;
			result = s;
		}
	}
	for (int level = 0; level < search->orders->levels; level++)
		if (mix->supplier_of[level] == HYBRID_OWNED)
			total += search->orders->owned_level[level];
	if (is_possible && total < search->below)
		keep(search, mix, total, ways, choice);
	return result;
}

/* ---- Of equal mixes that with fewer suppliers ---- */

static struct order order_from(const struct hybrid_search *search,
                               const struct hybrid_choice *choice, int a, int b)
{
	struct order order = {.servers = 0};

	for (int level = 0; level < search->orders->levels; level++)
		if (choice->mix.supplier_of[level] == a || choice->mix.supplier_of[level] == b)
			serve(&order, level);
	return order;
}

/* Orders from A what B serves too, if that costs no more. */
static void join(const struct hybrid_search *search, struct hybrid_choice *choice, int a, int b)
{
	const struct hybrid_orders *orders = search->orders;
	struct order of_a = order_from(search, choice, a, a);
	struct order of_b = order_from(search, choice, b, b);
	struct order both = order_from(search, choice, a, b);
	int16_t way;
	int64_t before =
	    cost_of_order(orders, a, &of_a, &way) + cost_of_order(orders, b, &of_b, &way);
	int64_t after = cost_of_order(orders, a, &both, &way);

	if (after > before + search->same)
		return;
	choice->mix.total += after - before;
	choice->way[a] = way;
	choice->way[b] = HYBRID_NONE;
	for (int level = 0; level < orders->levels; level++)
		if (choice->mix.supplier_of[level] == b)
			choice->mix.supplier_of[level] = (int16_t)a;
}

static void join_orders(const struct hybrid_search *search, struct hybrid_choice *choice)
{
	int suppliers = search->orders->suppliers;

	for (int a = 0; a < suppliers; a++)
		for (int b = 0; b < suppliers; b++)
			if (a != b && b != search->must && choice->way[a] != HYBRID_NONE &&
			    choice->way[b] != HYBRID_NONE)
				join(search, choice, a, b);
}

/* ---- Branch and bound ---- */

static void spend(struct hybrid_search *search)
{
	int64_t suppliers = search->problem.suppliers;
	int64_t levels = search->problem.levels;

	search->effort -= levels * suppliers * (levels + 3 * suppliers);
}

/* What no mix of these choices costs less than; HYBRID_IMPOSSIBLE when there is none. */
static int64_t solve(struct hybrid_search *search, struct hybrid_mix *mix)
{
	int forced = 0;

	if (!hybrid_solve(&search->problem, mix))
		return HYBRID_IMPOSSIBLE;
	for (int level = 0; level < search->orders->levels; level++)
		forced += mix->supplier_of[level] != HYBRID_OWNED &&
		          search->forced[mix->supplier_of[level]];
	if (forced < search->forced_total)
		return HYBRID_IMPOSSIBLE;
	return mix->total + search->bonus * forced + search->fixed;
}

/* What no mix of these choices costs less than; the supplier to branch on, or none. */
static int64_t look(struct hybrid_search *search, struct hybrid_choice *choice, int *supplier)
{
	struct hybrid_mix mix;

	*supplier = HYBRID_NONE;
	if (!make_problem(search))
		return 0;
	spend(search);
	int64_t bound = solve(search, &mix);

	if (bound < search->below)
		*supplier = charge(search, &mix, choice);
	if (bound >= search->below)
		*supplier = HYBRID_NONE;
	return bound;
}

static void branch(struct hybrid_search *search, struct hybrid_choice *choice, int supplier);

static void follow(struct hybrid_search *search, struct hybrid_choice *choice)
{
	int supplier;

	look(search, choice, &supplier);
	if (supplier != HYBRID_NONE)
		branch(search, choice, supplier);
}

static void branch(struct hybrid_search *search, struct hybrid_choice *choice, int supplier)
{
	const struct hybrid_orders *orders = search->orders;

	if (search->effort < 0) {
		search->gave_up = true;
		return;
	}
	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++) {
		search->chosen[supplier] = (int16_t)w;
		follow(search, choice);
	}
	search->chosen[supplier] = HYBRID_NONE;
	if (supplier != search->must)
		follow(search, choice);
	search->chosen[supplier] = HYBRID_OPEN;
}

/* ---- Suppliers of no use ---- */

/* Whether a server and an order cost no more by the way A than by B; *LESS when they cost less. */
static bool is_no_dearer(const struct hybrid_orders *orders, const struct hybrid_way *a,
                         const struct hybrid_way *b, bool *less)
{
	if (a->fixed > b->fixed)
		return false;
	*less = *less || a->fixed < b->fixed;
	for (int level = 0; level < orders->levels; level++) {
		int64_t of_a = cost_by(orders, a, level);
		int64_t of_b = cost_by(orders, b, level);

		if (of_a > of_b)
			return false;
		*less = *less || of_a < of_b;
	}
	return true;
}

/*
 * Whether SUPPLIER has enough for all levels and charges no more for two orders together than for
 * both apart: the more are ordered the less each costs, and no more is due for the order.
 */
static bool is_regular(const struct hybrid_orders *orders, int supplier)
{
	int first = first_way(orders, supplier);
	int served = 0;

	for (int w = first; w < orders->way_end[supplier]; w++) {
		const struct hybrid_way *way = &orders->ways[w];
		bool less = false;

		if (way->ordered > 0 || way->least != served + 1 || way->fixed < 0 ||
		    (w > first && !is_no_dearer(orders, way, way - 1, &less)))
			return false;
		served = way->most;
	}
	return served >= orders->levels;
}

/* Whether whatever WAY may serve costs no more from OTHER, who is regular. */
static bool is_no_dearer_from(const struct hybrid_orders *orders, int other,
                              const struct hybrid_way *way, bool *less)
{
	for (int w = first_way(orders, other); w < orders->way_end[other]; w++) {
		const struct hybrid_way *of_other = &orders->ways[w];

		if (of_other->least <= way->most && of_other->most >= way->least &&
		    !is_no_dearer(orders, of_other, way, less))
			return false;
	}
	return true;
}

bool hybrid_is_needless(const struct hybrid_orders *orders, int supplier, int other)
{
	bool less = other < supplier;

	if (other == supplier || !is_regular(orders, other))
		return false;
	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++)
		if (!is_no_dearer_from(orders, other, &orders->ways[w], &less))
			return false;
	return less;
}

static void open_all(struct hybrid_search *search)
{
	const struct hybrid_orders *orders = search->orders;

	for (int s = 0; s < orders->suppliers; s++) {
		search->chosen[s] = HYBRID_OPEN;
		for (int other = 0; other < orders->suppliers && s != search->must; other++)
			if (hybrid_is_needless(orders, s, other))
				search->chosen[s] = HYBRID_NONE;
	}
}

/* ---- The two questions ---- */

bool hybrid_order(struct hybrid_search *search, struct hybrid_choice *choice)
{
	int64_t below = search->below;
	int supplier;

	open_all(search);
	search->bound = look(search, choice, &supplier);
	if (supplier != HYBRID_NONE && !hybrid_alike(search, choice))
		branch(search, choice, supplier);
	if (search->below == below)
		return false;
	join_orders(search, choice);
	return true;
}

bool hybrid_order_bound(struct hybrid_search *search, struct hybrid_mix *mix)
{
	open_all(search);
	return make_problem(search) && hybrid_solve(&search->problem, mix);
}
