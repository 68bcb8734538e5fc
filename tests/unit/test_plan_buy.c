/* test_plan_buy.c - what a purchase costs a project that ends before the equipment does. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_fixture.h"

static struct fixture fixture;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	fixture.spec.routes = 1u << ROUTE_RENT | 1u << ROUTE_BUY_AND_HOST;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	fixture_rental(&fixture, "65000");
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fixture);
	return 0;
}

static void a_purchase_says_its_total_when_the_rest_of_its_life_is_worth_nothing(void **state)
{
	(void)state;
	fixture_plan(&fixture);
	const struct plan_option *buy = &fixture.plan.options[0];

	/* 480000 depreciation, 96000 capital, 30000 maintenance, 108000 cabinet. */
	assert_int_equal(buy->route, ROUTE_BUY_AND_HOST);
	assert_int_equal(money_to_micro(buy->total), 714000000000);
	assert_true(buy->has_written_off);
	/* 48 of 60 months of 2400000 are left. */
	assert_int_equal(money_to_micro(buy->total_if_written_off), 2634000000000);
	assert_true((buy->assumed & UINT64_C(1) << ASSUME_BOOK_VALUE) != 0);
	assert_false(fixture.plan.options[1].has_written_off);
	const struct cost_flag *flag = cost_flag_find(&buy->flags, FLAG_EQUIPMENT_OUTLIVES);

	assert_int_equal(ratio_compare(flag->z, ratio_of(2634000)), 0);
}

static void a_request_may_rank_purchases_as_written_off_within_the_project(void **state)
{
	(void)state;
	cost_basis_give(&fixture.spec.basis, ASSUME_BOOK_VALUE, ratio_of(0));
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].route, ROUTE_RENT);
	assert_int_equal(money_to_micro(fixture.plan.options[1].total), 2634000000000);
	assert_false(fixture.plan.options[1].has_written_off);
	assert_null(cost_flag_find(&fixture.plan.options[1].flags, FLAG_EQUIPMENT_OUTLIVES));
}

static void where_buying_meets_renting_is_told_both_ways(void **state)
{
	(void)state;
	fixture_plan(&fixture);
	/* 59500 a month of the 65000 that are rented; with 160000 of book value lost, never. */
	assert_true(fixture.plan.break_even.has_utilisation);
	assert_int_equal(ratio_compare(fixture.plan.break_even.utilisation, ratio_make(595, 650)),
	                 0);
	assert_false(fixture.plan.has_utilisation_written_off);
	fixture_end(&fixture);
	fixture.spec.basis.months = 60;
	fixture_plan(&fixture);
	assert_true(fixture.plan.has_utilisation_written_off);
	assert_int_equal(ratio_compare(fixture.plan.utilisation_written_off,
	                               fixture.plan.break_even.utilisation),
	                 0);
	assert_false(fixture.plan.options[0].has_written_off);
}

/* Found by the oracle: cabinets that fit the budget only without a machine hid those that fit. */
static void a_place_that_no_budget_allows_with_the_machine_hides_none_that_it_does(void **state)
{
	(void)state;
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture.spec.top = 1;
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture.spec.has_budget = true;
	assert_true(money_parse("60000", &fixture.spec.budget_per_month));
	for (int i = 0; i < 3; i++)
		fixture_price(fixture_cabinet(&fixture, "9000", 12000), ITEM_BANDWIDTH,
		              TERM_MONTHLY, "30", (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
	fixture_plan(&fixture);
	/* With its bandwidth 62500 a month; without, 59500 and a part that is not known. */
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].unknown_count, 1);
	assert_int_equal(money_to_micro(fixture.plan.options[0].total), 714000000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_purchase_says_its_total_when_the_rest_of_its_life_is_worth_nothing),
	    TEST(a_request_may_rank_purchases_as_written_off_within_the_project),
	    TEST(where_buying_meets_renting_is_told_both_ways),
	    TEST(a_place_that_no_budget_allows_with_the_machine_hides_none_that_it_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
