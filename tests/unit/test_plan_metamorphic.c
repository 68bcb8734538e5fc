/* test_plan_metamorphic.c - changes of a request or a catalogue that must change its plan in a
 * known way, or not at all. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_fixture.h"

#define OPTIONS_MAX 64

static struct fixture fixture;

static const struct card *h100(void)
{
	return fixture_card(&fixture, "h100-sxm");
}

/* Rentals with several terms and deposits, some that look cheap because of a step of their ladder
 * that nobody reaches, a machine and two places for it. */
static void make_market(void)
{
	for (int i = 0; i < 6; i++) {
		static const char *const monthly[] = {"76000", "74000", "81000",
		                                      "69000", "90000", "73500"};
		struct offer *offer = fixture_rental(&fixture, monthly[i]);

		if (i % 2 == 0)
			fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, "160",
			              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
		if (i % 3 == 0)
			fixture_price(offer, ITEM_DEPOSIT, TERM_ONE_OFF, "50000",
			              (struct unit){PER_SERVER, 1, PERIOD_ONCE, 1});
		if (i == 1)
			fixture_price(offer, ITEM_COMPUTE, TERM_YEARLY, "840000",
			              (struct unit){PER_SERVER, 1, PERIOD_YEAR, 1});
	}
	for (int i = 0; i < 5; i++) {
		struct offer *offer = fixture_rental(&fixture, "95000");

		fixture_price(offer, ITEM_COMPUTE, TERM_MONTHLY, "10000",
		              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1})
		    ->min_quantity = 50;
		offer->servers_available = 8;
	}
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_cabinet(&fixture, "17000", 31000);
}

static void begin(int workloads, double gpu_hours)
{
	fixture_begin(&fixture);
	fixture.spec.routes = 7;
	fixture.spec.top = 2;
	for (int i = 0; i < workloads; i++)
		fixture_usage(&fixture, h100(), gpu_hours, 30);
	make_market();
}

/* Plans; the totals of all options in their order. */
static int totals_of(int64_t totals[OPTIONS_MAX])
{
	fixture_plan(&fixture);
	for (int i = 0; i < fixture.plan.option_count; i++)
		totals[i] = money_to_micro(fixture.plan.options[i].total);
	int count = fixture.plan.option_count;

	fixture_end(&fixture);
	return count;
}

static void the_same_work_twice_costs_twice_as_much_at_best(void **state)
{
	(void)state;
	int64_t once[OPTIONS_MAX], twice[OPTIONS_MAX];

	begin(1, 2.25 * 8 * 720);
	assert_true(totals_of(once) > 3);
	begin(2, 2.25 * 8 * 720);
	assert_true(totals_of(twice) > 3);
	assert_int_equal(twice[0], 2 * once[0]);
}

static void an_offer_that_is_dearer_than_all_changes_no_option(void **state)
{
	(void)state;
	int64_t before[OPTIONS_MAX], after[OPTIONS_MAX];

	begin(1, 3 * 8 * 720);
	int count = totals_of(before);

	begin(1, 3 * 8 * 720);
	fixture_rental(&fixture, "900000");
	fixture_purchase(&fixture, "24000000");
	fixture_cabinet(&fixture, "90000", 12000);
	assert_int_equal(totals_of(after), count);
	assert_memory_equal(before, after, (size_t)count * sizeof *before);
}

/* The same price in the words of other sheets. */
static void the_unit_in_which_a_price_is_quoted_changes_no_total(void **state)
{
	(void)state;
	static const struct {
		const char *amount;
		enum price_term term;
		struct unit unit;
	} quotes[] = {
	    {"72000", TERM_MONTHLY, {PER_SERVER, 1, PERIOD_MONTH, 1}},
	    {"9000", TERM_MONTHLY, {PER_CARD, 1, PERIOD_MONTH, 1}},
	    {"72000", TERM_MONTHLY, {PER_CARD, 8, PERIOD_MONTH, 1}},
	    {"216000", TERM_QUARTERLY, {PER_SERVER, 1, PERIOD_MONTH, 3}},
	    {"864000", TERM_YEARLY, {PER_SERVER, 1, PERIOD_YEAR, 1}},
	    {"108000", TERM_YEARLY, {PER_CARD, 1, PERIOD_YEAR, 1}},
	    {"12.5", TERM_HOURLY, {PER_CARD, 1, PERIOD_HOUR, 1}},
	    {"100", TERM_HOURLY, {PER_SERVER, 1, PERIOD_HOUR, 1}},
	};

	for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
		int64_t totals[OPTIONS_MAX];

		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), 2 * 8 * 720, 30);
		struct offer *offer = fixture_rental(&fixture, quotes[i].amount);

		offer->prices[0].term = quotes[i].term;
		offer->prices[0].unit = quotes[i].unit;
		assert_int_equal(totals_of(totals), 1);
		assert_int_equal(totals[0], 2 * 12 * 72000000000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_work_twice_costs_twice_as_much_at_best),
	    cmocka_unit_test(an_offer_that_is_dearer_than_all_changes_no_option),
	    cmocka_unit_test(the_unit_in_which_a_price_is_quoted_changes_no_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
