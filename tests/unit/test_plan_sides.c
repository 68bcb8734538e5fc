/* test_plan_sides.c - who supplies what the offers of cards do not price. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_test.h"

static const struct unit server_month = {PER_SERVER, 1, PERIOD_MONTH, 1};

/* So many servers all month, with images kept for them. */
static void ask(int servers)
{
	fixture_usage(&fixture, h100(), servers * 8 * 720, 30);
	fixture.spec.service = SERVICE_IMAGE;
	fixture_rental(&fixture, "60000");
}

static struct offer *helper(const char *per_server)
{
	struct offer *offer = fixture_offer(&fixture, OFFER_SERVICE);

	fixture_price(offer, ITEM_SERVICE, TERM_MONTHLY, per_server, server_month);
	return offer;
}

static void one_that_takes_800_and_5000_once(void)
{
	fixture_price(helper("800"), ITEM_SETUP, TERM_ONE_OFF, "5000",
	              (struct unit){PER_NONE, 1, PERIOD_ONCE, 1});
}

static int64_t total_of_first(void)
{
	return money_to_micro(fixture.plan.options[0].total) / 1000000;
}

static int64_t upfront_of_first(void)
{
	return money_to_micro(fixture.plan.options[0].upfront) / 1000000;
}

static void for_one_server_help_without_a_setup_is_cheaper(void **state)
{
	(void)state;
	ask(1);
	helper("1000");
	one_that_takes_800_and_5000_once();
	fixture_plan(&fixture);
	assert_int_equal(total_of_first(), 732000);
	assert_int_equal(upfront_of_first(), 0);
}

/* Who was cheapest for one server helped them all. */
static void for_eight_servers_another_helps_for_less(void **state)
{
	(void)state;
	ask(8);
	helper("1000");
	one_that_takes_800_and_5000_once();
	fixture_plan(&fixture);
	assert_int_equal(total_of_first(), 5841800);
	assert_int_equal(upfront_of_first(), 5000);
}

/* For one server nobody helped at such a price, so the help was left without one. */
static void help_from_two_servers_on_is_help_for_two(void **state)
{
	(void)state;
	ask(2);
	helper("900")->prices[0].min_quantity = 2;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(total_of_first(), 1461600);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(for_one_server_help_without_a_setup_is_cheaper),
	    TEST(for_eight_servers_another_helps_for_less),
	    TEST(help_from_two_servers_on_is_help_for_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
