/* test_plan_hybrid.c - the mix of owned and rented servers against every possibility. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "engine/hybrid.h"

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The cheapest way to serve the levels from LEVEL on with OWNED owned already, trying all. */
static int64_t best_from(const struct hybrid_problem *problem, int level, int owned, int *used)
{
	if (level == problem->levels)
		return problem->owned[owned];
	int64_t best = best_from(problem, level + 1, owned + 1, used);

	if (best < HYBRID_IMPOSSIBLE)
		best += problem->owned_level[level];
	for (int s = 0; s < problem->suppliers; s++) {
		if ((problem->stock[s] >= 0 && used[s] >= problem->stock[s]) ||
		    problem->cost[s][level] >= HYBRID_IMPOSSIBLE)
			continue;
		used[s]++;
		int64_t rest = best_from(problem, level + 1, owned, used);

		used[s]--;
		if (rest < HYBRID_IMPOSSIBLE && rest + problem->cost[s][level] < best)
			best = rest + problem->cost[s][level];
	}
	return best;
}

static int64_t best_by_trying(const struct hybrid_problem *problem)
{
	int used[HYBRID_SUPPLIERS_MAX] = {0};

	return best_from(problem, 0, 0, used);
}

static int64_t cost_of(const struct hybrid_problem *problem, const struct hybrid_mix *mix)
{
	int64_t total = problem->owned[mix->owned];
	int used[HYBRID_SUPPLIERS_MAX] = {0};
	int owned = 0;

	for (int level = 0; level < problem->levels; level++) {
		int s = mix->supplier_of[level];

		if (s == HYBRID_OWNED) {
			total += problem->owned_level[level];
			owned++;
			continue;
		}
		assert_true(s >= 0 && s < problem->suppliers);
		total += problem->cost[s][level];
		used[s]++;
	}
	assert_int_equal(owned, mix->owned);
	for (int s = 0; s < problem->suppliers; s++)
		assert_true(problem->stock[s] < 0 || used[s] <= problem->stock[s]);
	return total;
}

static void a_random_problem(uint32_t *seed, struct hybrid_problem *problem)
{
	*problem = (struct hybrid_problem){.levels = 1 + (int)(next_random(seed) % 6),
	                                   .suppliers = (int)(next_random(seed) % 4)};
	for (int s = 0; s < problem->suppliers; s++) {
		problem->stock[s] = (int32_t)(next_random(seed) % 5) - 1;
		/* Any costs, not only such that grow with use: the assignment must be exact. */
		for (int level = 0; level < problem->levels; level++)
			problem->cost[s][level] =
			    next_random(seed) % 8 == 0 ? HYBRID_IMPOSSIBLE : next_random(seed) % 50;
	}
	for (int level = 0; level < problem->levels; level++)
		problem->owned_level[level] = next_random(seed) % 20;
	for (int owned = 1; owned <= problem->levels; owned++)
		problem->owned[owned] = next_random(seed) % 4 == 0
		                            ? HYBRID_IMPOSSIBLE
		                            : owned * 10 + (int)(next_random(seed) % 30);
}

static void every_mix_is_the_cheapest_of_all_possible_ones(void **state)
{
	(void)state;
	static struct hybrid_problem problem;
	struct hybrid_mix mix;
	uint32_t seed = 11;
	int solved = 0;

	for (int i = 0; i < 20000; i++) {
		a_random_problem(&seed, &problem);
		int64_t best = best_by_trying(&problem);
		bool found = hybrid_solve(&problem, &mix);

		assert_int_equal(found, best < HYBRID_IMPOSSIBLE);
		if (!found)
			continue;
		solved++;
		assert_int_equal(mix.total, best);
		assert_int_equal(cost_of(&problem, &mix), best);
	}
	assert_true(solved > 10000);
}

/* One supplier more, whatever it costs, but not below the ceilings. */
static void add_dear_supplier(uint32_t *seed, struct hybrid_problem *problem,
                              const struct hybrid_mix *mix)
{
	int s = problem->suppliers++;

	problem->stock[s] = (int32_t)(next_random(seed) % 5) - 1;
	for (int level = 0; level < problem->levels; level++) {
		int64_t more = next_random(seed) % 3;

		problem->cost[s][level] = mix->ceiling[level] >= HYBRID_IMPOSSIBLE
		                              ? HYBRID_IMPOSSIBLE
		                              : mix->ceiling[level] + more;
	}
}

static void no_supplier_that_costs_the_ceiling_everywhere_lowers_a_total(void **state)
{
	(void)state;
	static struct hybrid_problem problem;
	struct hybrid_mix mix;
	uint32_t seed = 23;
	int tight = 0;

	for (int i = 0; i < 20000; i++) {
		a_random_problem(&seed, &problem);
		if (!hybrid_solve(&problem, &mix))
			continue;
		int64_t total = mix.total;

		tight += mix.ceiling[0] < HYBRID_IMPOSSIBLE;
		add_dear_supplier(&seed, &problem, &mix);
		assert_int_equal(best_by_trying(&problem), total);
	}
	assert_true(tight > 5000);
}

static void the_busy_server_is_owned_and_the_idle_one_rented(void **state)
{
	(void)state;
	static struct hybrid_problem problem = {
	    .levels = 2, .suppliers = 1, .stock = {5}, .cost = {{1, 9}}, .owned = {0, 6, 12}};
	struct hybrid_mix mix;

	assert_true(hybrid_solve(&problem, &mix));
	assert_int_equal(mix.total, 7);
	assert_int_equal(mix.owned, 1);
	assert_int_equal(mix.supplier_of[0], 0);
	assert_int_equal(mix.supplier_of[1], HYBRID_OWNED);
}

static void the_idle_server_is_owned_where_rent_does_not_ask_for_hours(void **state)
{
	(void)state;
	static struct hybrid_problem problem = {.levels = 2,
	                                        .suppliers = 1,
	                                        .stock = {5},
	                                        .cost = {{9, 9}},
	                                        .owned = {0, 6, 12},
	                                        .owned_level = {0, 2}};
	struct hybrid_mix mix;

	problem.stock[0] = 1;
	assert_true(hybrid_solve(&problem, &mix));
	assert_int_equal(mix.total, 14);
	assert_int_equal(mix.owned, 2);
	problem.owned[2] = HYBRID_IMPOSSIBLE;
	assert_true(hybrid_solve(&problem, &mix));
	assert_int_equal(mix.total, 15);
	assert_int_equal(mix.supplier_of[0], HYBRID_OWNED);
	assert_int_equal(mix.supplier_of[1], 0);
}

static void a_long_staircase_is_solved(void **state)
{
	(void)state;
	static struct hybrid_problem problem = {.levels = HYBRID_LEVELS_MAX,
	                                        .suppliers = HYBRID_SUPPLIERS_MAX};
	struct hybrid_mix mix;

	for (int s = 0; s < HYBRID_SUPPLIERS_MAX; s++) {
		problem.stock[s] = 4;
		for (int level = 0; level < HYBRID_LEVELS_MAX; level++)
			problem.cost[s][level] = (level + 1) * (s + 1);
	}
	for (int owned = 1; owned <= HYBRID_LEVELS_MAX; owned++)
		problem.owned[owned] = HYBRID_IMPOSSIBLE;
	assert_true(hybrid_solve(&problem, &mix));
	/* The busiest four at the cheapest, and so on down. */
	for (int level = 0; level < HYBRID_LEVELS_MAX; level++)
		assert_int_equal(mix.supplier_of[level], (HYBRID_LEVELS_MAX - 1 - level) / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_mix_is_the_cheapest_of_all_possible_ones),
	    cmocka_unit_test(no_supplier_that_costs_the_ceiling_everywhere_lowers_a_total),
	    cmocka_unit_test(the_busy_server_is_owned_and_the_idle_one_rented),
	    cmocka_unit_test(the_idle_server_is_owned_where_rent_does_not_ask_for_hours),
	    cmocka_unit_test(a_long_staircase_is_solved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
