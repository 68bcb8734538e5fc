/* test_plan_compete.c - several workloads that want the same: nothing that is possible is missed,
 * however much of what is cheapest is passed over. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "tests/unit/plan_test.h"

static void use_machines(int workloads)
{
	for (int i = 0; i < workloads; i++)
		fixture_usage(&fixture, h100(), 8 * 720, 30);
}

/* At 70000, 70100 ... a month, of each supplier a single one. */
static void rent_out_one_each(int suppliers)
{
	static char price[16]; /* offers keep the words of their prices */

	for (int i = 0; i < suppliers; i++) {
		snprintf(price, sizeof price, "%d", 70000 + 100 * i);
		fixture_rental(&fixture, price)->servers_available = 1;
	}
}

static void each_takes_the_next_of_machines_that_are_there_once(void **state)
{
	(void)state;
	use_machines(6);
	fixture.spec.top = 1;
	rent_out_one_each(30);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	/* 70000, 70100 .. 70500 a month. */
	assert_int_equal(money_to_micro(fixture.plan.options[0].total),
	                 INT64_C(12) * (6 * 70000 + 1500) * 1000000);
	assert_false(has_note(NOTE_PLAN_LIST_SHORT));
}

static void more_ways_than_can_be_compared_still_give_a_plan(void **state)
{
	(void)state;
	use_machines(14);
	fixture.spec.top = 2;
	rent_out_one_each(40);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	/* Each takes the next one: 70000, 70100 .. 71300 a month, which is the cheapest there is.
	 */
	assert_int_equal(money_to_micro(fixture.plan.options[0].total),
	                 INT64_C(12) * (14 * 70000 + 9100) * 1000000);
	assert_true(has_note(NOTE_PLAN_LIST_SHORT));
}

static void a_machine_for_sale_once_hides_no_other_behind_its_places(void **state)
{
	(void)state;
	char price[16];

	use_machines(2);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture.spec.top = 1;
	fixture_purchase(&fixture, "2400000")->servers_available = 1;
	fixture_purchase(&fixture, "2500000")->servers_available = 1;
	for (int i = 0; i < 60; i++) {
		snprintf(price, sizeof price, "%d", 9000 + i);
		fixture_cabinet(&fixture, price, 12000);
	}
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].item_count, 4);
	assert_int_not_equal(fixture.plan.options[0].items[0].offer->id,
	                     fixture.plan.options[0].items[2].offer->id);
	assert_false(has_note(NOTE_PLAN_LIST_SHORT));
}

static void many_cheap_rentals_hide_no_mix_of_routes(void **state)
{
	(void)state;
	char price[16];

	use_machines(2);
	fixture.spec.routes = 7;
	fixture.spec.top = 3;
	for (int i = 0; i < 90; i++) {
		snprintf(price, sizeof price, "%d", 10000 + i);
		fixture_rental(&fixture, price);
	}
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_true(fixture.plan.best[ROUTE_RENT] >= 0);
	assert_true(fixture.plan.best[ROUTE_BUY_AND_HOST] >= 0);
	assert_true(fixture.plan.best[ROUTE_HYBRID] >= 0);
	/* One rented at 10000 a month, the other owned. */
	const struct plan_option *mixed = &fixture.plan.options[fixture.plan.best[ROUTE_HYBRID]];
	const struct plan_option *owned =
	    &fixture.plan.options[fixture.plan.best[ROUTE_BUY_AND_HOST]];

	assert_int_equal(2 * money_to_micro(mixed->total),
	                 money_to_micro(owned->total) + INT64_C(2) * 12 * 10000 * 1000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(each_takes_the_next_of_machines_that_are_there_once),
	    TEST(more_ways_than_can_be_compared_still_give_a_plan),
	    TEST(a_machine_for_sale_once_hides_no_other_behind_its_places),
	    TEST(many_cheap_rentals_hide_no_mix_of_routes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
