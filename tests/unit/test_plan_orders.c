/* test_plan_orders.c - the mix where prices depend on the quantity against every possibility. */
#include "tests/unit/unit.h"

#include <string.h>

#include "engine/hybrid_order.h"

static struct hybrid_orders orders;
static struct hybrid_search search;

static int64_t below(uint32_t *seed, int64_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % limit;
}

/* ---- Random suppliers ---- */

static void add_way(struct hybrid_way way)
{
	orders.ways[orders.way_end[orders.suppliers]++] = way;
}

/* A row that grows with the level, as the cost of hours does. */
static int add_row(uint32_t *seed)
{
	int64_t *row = orders.cost[orders.rows];

	for (int level = 0; level < orders.levels; level++)
		row[level] = (level > 0 ? row[level - 1] : 5) + below(seed, 3) * below(seed, 20);
	return orders.rows++;
}

/* A ladder: each step with prices of its own, and what is due for the order. */
static void add_steps(uint32_t *seed, int most)
{
	for (int least = 1; least <= most;) {
		int last = least + (int)below(seed, 3);

		add_way((struct hybrid_way){.least = least,
		                            .most = last < most ? last : most,
		                            .end = orders.levels,
		                            .row = add_row(seed),
		                            .extra = below(seed, 4),
		                            .fixed = below(seed, 3) * below(seed, 40)});
		least = last + 1;
	}
}

/* An order that is larger than it need be, whose idlest server is one of a few. */
static void add_larger_order(uint32_t *seed, int most)
{
	int servers = 1 + (int)below(seed, most);
	int first = (int)below(seed, orders.levels);
	int end = first + 1 + (int)below(seed, orders.levels - first);

	add_way((struct hybrid_way){.least = servers,
	                            .most = servers,
	                            .first = first,
	                            .end = end,
	                            .row = add_row(seed),
	                            .fixed = below(seed, 60),
	                            .ordered = servers + 1});
}

static void add_supplier(uint32_t *seed)
{
	int most = 1 + (int)below(seed, orders.levels);

	orders.way_end[orders.suppliers] =
	    orders.suppliers > 0 ? orders.way_end[orders.suppliers - 1] : 0;
	add_steps(seed, most);
	if (below(seed, 2) == 0)
		add_larger_order(seed, most);
	orders.suppliers++;
}

static void make_orders_of(uint32_t *seed, int levels, int suppliers)
{
	memset(&orders, 0, sizeof orders);
	orders.levels = levels;
	for (int i = 0; i < suppliers; i++)
		add_supplier(seed);
	for (int level = 0; level < orders.levels; level++)
		orders.owned_level[level] = below(seed, 10);
	for (int owned = 1; owned <= orders.levels; owned++)
		orders.owned[owned] =
		    below(seed, 3) == 0 ? HYBRID_IMPOSSIBLE : owned * 15 + below(seed, 30);
}

static void make_orders(uint32_t *seed)
{
	int suppliers = (int)below(seed, 4);

	make_orders_of(seed, 1 + (int)below(seed, 5), suppliers);
}

/* ---- Every possibility ---- */

/* What SUPPLIER charges for what it serves, by its best way. */
static int64_t charge_of(const int *served_by, int supplier)
{
	int64_t least = HYBRID_IMPOSSIBLE;
	int servers = 0;
	int idlest = -1;

	for (int level = 0; level < orders.levels; level++) {
		if (served_by[level] != supplier)
			continue;
		servers++;
		idlest = idlest < 0 ? level : idlest;
	}
	if (servers == 0)
		return 0;
	for (int w = supplier > 0 ? orders.way_end[supplier - 1] : 0; w < orders.way_end[supplier];
	     w++) {
		const struct hybrid_way *way = &orders.ways[w];
		int64_t total = way->fixed;

		for (int level = 0; level < orders.levels; level++)
			if (served_by[level] == supplier)
				total += orders.cost[way->row][level] + way->extra;
		if (servers >= way->least && servers <= way->most && idlest >= way->first &&
		    idlest < way->end && total < least)
			least = total;
	}
	return least;
}

static int64_t cost_of(const int *served_by, int must)
{
	int64_t total = 0;
	int owned = 0;
	bool has_must = must == HYBRID_NONE;

	for (int level = 0; level < orders.levels; level++) {
		if (served_by[level] == HYBRID_OWNED) {
			owned++;
			total += orders.owned_level[level];
		}
		has_must = has_must || served_by[level] == must;
	}
	total += orders.owned[owned];
	for (int s = 0; s < orders.suppliers && total < HYBRID_IMPOSSIBLE; s++)
		total += charge_of(served_by, s);
	return has_must && total < HYBRID_IMPOSSIBLE ? total : HYBRID_IMPOSSIBLE;
}

static int64_t best_from(int *served_by, int level, int must)
{
	int64_t best = HYBRID_IMPOSSIBLE;

	if (level == orders.levels)
		return cost_of(served_by, must);
	for (int s = HYBRID_OWNED; s < orders.suppliers; s++) {
		served_by[level] = s;
		int64_t total = best_from(served_by, level + 1, must);

		best = total < best ? total : best;
	}
	return best;
}

/* ---- Tests ---- */

static bool solve(int must, int64_t effort, struct hybrid_choice *choice)
{
	search.orders = &orders;
	search.must = must;
	search.below = HYBRID_IMPOSSIBLE;
	search.effort = effort;
	search.gave_up = false;
	return hybrid_order(&search, choice);
}

static int64_t cost_of_choice(const struct hybrid_choice *choice, int must)
{
	int served_by[HYBRID_LEVELS_MAX];

	for (int level = 0; level < orders.levels; level++)
		served_by[level] = choice->mix.supplier_of[level];
	return cost_of(served_by, must);
}

static void every_mix_of_orders_is_the_cheapest_of_all(void **state)
{
	(void)state;
	struct hybrid_choice choice;
	uint32_t seed = 5;
	int solved = 0;

	for (int i = 0; i < 20000; i++) {
		int served_by[HYBRID_LEVELS_MAX];

		make_orders(&seed);
		int must = i % 3 == 0 && orders.suppliers > 0 ? (int)below(&seed, orders.suppliers)
		                                              : HYBRID_NONE;
		int64_t best = best_from(served_by, 0, must);
		bool found = solve(must, INT64_MAX, &choice);

		assert_false(search.gave_up);
		assert_int_equal(found, best < HYBRID_IMPOSSIBLE);
		assert_true(search.bound <= best);
		if (!found)
			continue;
		solved++;
		assert_int_equal(choice.mix.total, best);
		assert_int_equal(cost_of_choice(&choice, must), best);
	}
	assert_true(solved > 10000);
}

/* Ten levels that are all unlike are too many to count: ways are tried one by one. */
static void every_mix_of_unlike_servers_is_the_cheapest_of_all(void **state)
{
	(void)state;
	struct hybrid_choice choice;
	uint32_t seed = 3;

	for (int i = 0; i < 150; i++) {
		int served_by[HYBRID_LEVELS_MAX];

		make_orders_of(&seed, 10, 2);
		for (int level = 0; level < 10; level++)
			orders.owned_level[level] = 2 * level;
		int must = (int)below(&seed, 3) == 0 ? 1 : HYBRID_NONE;
		int64_t best = best_from(served_by, 0, must);

		assert_int_equal(solve(must, INT64_MAX, &choice), best < HYBRID_IMPOSSIBLE);
		if (best == HYBRID_IMPOSSIBLE)
			continue;
		assert_int_equal(choice.mix.total, best);
		assert_int_equal(cost_of_choice(&choice, must), best);
		assert_false(hybrid_alike(&search, &choice));
	}
}

/* Without the effort for more than one look there is a mix all the same, and it is said. */
static void a_search_that_gives_up_says_so(void **state)
{
	(void)state;
	struct hybrid_choice choice;
	uint32_t seed = 9;
	int worse = 0;

	for (int i = 0; i < 150; i++) {
		int served_by[HYBRID_LEVELS_MAX];

		make_orders_of(&seed, 10, 2);
		for (int level = 0; level < 10; level++)
			orders.owned_level[level] = 2 * level;
		int64_t best = best_from(served_by, 0, HYBRID_NONE);

		if (!solve(HYBRID_NONE, 0, &choice)) {
			assert_true(search.gave_up || best == HYBRID_IMPOSSIBLE);
			continue;
		}
		assert_int_equal(cost_of_choice(&choice, HYBRID_NONE), choice.mix.total);
		assert_true(choice.mix.total == best || search.gave_up);
		worse += choice.mix.total > best;
	}
	assert_true(worse > 0);
}

/* One more supplier, whatever it costs, but for each level as much more than its ceiling as a mix
 * may gain at all. */
static void add_dear_supplier(uint32_t *seed, const int64_t *ceiling, int64_t slack)
{
	int s = orders.suppliers++;
	int row = orders.rows++;

	for (int level = 0; level < orders.levels; level++)
		orders.cost[row][level] = ceiling[level] >= HYBRID_IMPOSSIBLE
		                              ? HYBRID_IMPOSSIBLE
		                              : ceiling[level] + slack + below(seed, 3);
	orders.ways[s > 0 ? orders.way_end[s - 1] : 0] = (struct hybrid_way){
	    .least = 1, .most = orders.levels, .end = orders.levels, .row = row};
	orders.way_end[s] = (s > 0 ? orders.way_end[s - 1] : 0) + 1;
}

static void no_supplier_above_ceiling_and_slack_lowers_a_total(void **state)
{
	(void)state;
	struct hybrid_choice choice;
	struct hybrid_mix mix;
	uint32_t seed = 17;
	int tight = 0;

	for (int i = 0; i < 10000; i++) {
		int served_by[HYBRID_LEVELS_MAX];

		make_orders(&seed);
		if (!solve(HYBRID_NONE, INT64_MAX, &choice))
			continue;
		int64_t slack = choice.mix.total - search.bound;

		hybrid_order_bound(&search, &mix);
		tight += mix.ceiling[0] < HYBRID_IMPOSSIBLE && slack > 0;
		add_dear_supplier(&seed, mix.ceiling, slack);
		assert_int_equal(best_from(served_by, 0, HYBRID_NONE), choice.mix.total);
	}
	assert_true(tight > 100);
}

/* 4 servers at 10 each: from one of two suppliers that are alike, never from both. */
static void equal_suppliers_are_not_mixed(void **state)
{
	(void)state;
	struct hybrid_choice choice;

	memset(&orders, 0, sizeof orders);
	orders.levels = 4;
	for (int s = 0; s < 2; s++) {
		for (int level = 0; level < 4; level++) {
			orders.cost[2 * s][level] = 12;
			orders.cost[2 * s + 1][level] = 10;
		}
		orders.ways[2 * s] =
		    (struct hybrid_way){.least = 1, .most = 1, .end = 4, .row = 2 * s};
		orders.ways[2 * s + 1] =
		    (struct hybrid_way){.least = 2, .most = 4, .end = 4, .row = 2 * s + 1};
		orders.way_end[s] = 2 * s + 2;
	}
	orders.suppliers = 2;
	for (int owned = 1; owned <= 4; owned++)
		orders.owned[owned] = HYBRID_IMPOSSIBLE;
	assert_true(solve(HYBRID_NONE, INT64_MAX, &choice));
	assert_int_equal(choice.mix.total, 40);
	for (int level = 1; level < 4; level++)
		assert_int_equal(choice.mix.supplier_of[level], choice.mix.supplier_of[0]);
}

/* Two and two cost 40; rounded, all four of either cost 41. */
static void suppliers_that_are_equal_but_for_rounding_are_not_mixed(void **state)
{
	(void)state;
	struct hybrid_choice choice;

	memset(&orders, 0, sizeof orders);
	orders.levels = 4;
	for (int s = 0; s < 2; s++) {
		for (int level = 0; level < 4; level++)
			orders.cost[s][level] = 10;
		orders.ways[2 * s] = (struct hybrid_way){.least = 1, .most = 3, .end = 4, .row = s};
		orders.ways[2 * s + 1] =
		    (struct hybrid_way){.least = 4, .most = 4, .end = 4, .row = s, .fixed = 1};
		orders.way_end[s] = 2 * s + 2;
	}
	orders.suppliers = orders.rows = 2;
	for (int owned = 1; owned <= 4; owned++)
		orders.owned[owned] = HYBRID_IMPOSSIBLE;
	search.same = 1;
	assert_true(solve(HYBRID_NONE, INT64_MAX, &choice));
	search.same = 0;
	assert_int_equal(choice.mix.total, 41);
	for (int level = 1; level < 4; level++)
		assert_int_equal(choice.mix.supplier_of[level], choice.mix.supplier_of[0]);
}

/* The example of the header. */
static void what_is_due_for_an_order_counts(void **state)
{
	(void)state;
	struct hybrid_choice choice;

	memset(&orders, 0, sizeof orders);
	orders.levels = 2;
	orders.suppliers = 2;
	for (int s = 0; s < 2; s++) {
		orders.cost[s][0] = orders.cost[s][1] = 5 + s;
		orders.ways[s] = (struct hybrid_way){
		    .least = 1, .most = 2, .end = 2, .row = s, .fixed = s == 0 ? 10 : 1};
		orders.way_end[s] = s + 1;
	}
	orders.owned[1] = orders.owned[2] = HYBRID_IMPOSSIBLE;
	assert_true(solve(HYBRID_NONE, INT64_MAX, &choice));
	assert_int_equal(choice.mix.total, 13);
	assert_int_equal(choice.mix.supplier_of[0], 1);
	assert_int_equal(choice.mix.supplier_of[1], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_mix_of_orders_is_the_cheapest_of_all),
	    cmocka_unit_test(every_mix_of_unlike_servers_is_the_cheapest_of_all),
	    cmocka_unit_test(a_search_that_gives_up_says_so),
	    cmocka_unit_test(no_supplier_above_ceiling_and_slack_lowers_a_total),
	    cmocka_unit_test(equal_suppliers_are_not_mixed),
	    cmocka_unit_test(suppliers_that_are_equal_but_for_rounding_are_not_mixed),
	    cmocka_unit_test(what_is_due_for_an_order_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
