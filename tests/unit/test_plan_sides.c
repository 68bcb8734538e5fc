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

/* One server, 100 Mbps and two addresses for a year. */
static struct offer *ask_network(void)
{
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture.spec.network.ips = 2;
	return fixture_rental(&fixture, "60000");
}

static struct offer *line_at(const char *per_mbps)
{
	struct offer *offer = fixture_offer(&fixture, OFFER_NETWORK);

	price_bandwidth(offer, per_mbps);
	return offer;
}

static void price_address(struct offer *offer, const char *each)
{
	fixture_price(offer, ITEM_IP, TERM_MONTHLY, each,
	              (struct unit){PER_IP, 1, PERIOD_MONTH, 1});
}

/* A line was bought only from who sells addresses too, and so from nobody. */
static void who_sells_a_line_alone_is_enough_where_addresses_are_included(void **state)
{
	(void)state;
	ask_network()->ips_included = 2;
	line_at("30");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(total_of_first(), 12 * (60000 + 100 * 30));
	assert_int_equal(fixture.plan.offers_used, 2);
}

static void who_sells_a_line_alone_is_enough_where_addresses_are_priced(void **state)
{
	(void)state;
	price_address(ask_network(), "50");
	price_address(line_at("35"), "10");
	line_at("30");
	fixture_plan(&fixture);
	/* 500 a month are saved by the line, 80 by the addresses: one seller is taken. */
	assert_int_equal(total_of_first(), 12 * (60000 + 100 * 30 + 2 * 50));
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
}

/* Half of it is included: 50 Mbps at 30 are cheaper than the 100 that are sold whole at 20. */
static void the_seller_is_the_cheapest_for_what_is_missing(void **state)
{
	struct offer *rental = ask_network();

	(void)state;
	rental->ips_included = 2;
	rental->mbps_included = 50;
	fixture_price(fixture_offer(&fixture, OFFER_NETWORK), ITEM_BANDWIDTH, TERM_MONTHLY, "2000",
	              (struct unit){PER_MBPS, 100, PERIOD_MONTH, 1});
	line_at("30");
	fixture_plan(&fixture);
	assert_int_equal(total_of_first(), 12 * (60000 + 50 * 30));
}

/* The rental sells by the GB, so that no port for the mean is bought: another's GB are cheaper. */
static void by_the_gigabyte_the_cheapest_gigabyte_is_bought(void **state)
{
	const struct unit gigabyte = {PER_GB, 1, PERIOD_ONCE, 1};
	struct offer *rental = ask_network();

	(void)state;
	fixture.spec.network.public_mbps = ratio_of(0);
	fixture.spec.network.egress_gb = ratio_of(7000);
	rental->ips_included = 2;
	fixture_price(rental, ITEM_TRAFFIC, TERM_METERED, "1", gigabyte);
	line_at("1");
	fixture_price(line_at("90"), ITEM_TRAFFIC, TERM_METERED, "0.5", gigabyte);
	fixture_plan(&fixture);
	assert_int_equal(total_of_first(), 12 * (60000 + 3500));
}

static void where_nobody_sells_it_all_what_is_sold_is_priced(void **state)
{
	(void)state;
	ask_network();
	line_at("30");
	fixture_plan(&fixture);
	assert_int_equal(total_of_first(), 12 * (60000 + 100 * 30));
	assert_int_equal(fixture.plan.options[0].unknown_count, 1);
	assert_int_equal(fixture.plan.options[0].unknowns[0].what, COST_IP);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(for_one_server_help_without_a_setup_is_cheaper),
	    TEST(for_eight_servers_another_helps_for_less),
	    TEST(help_from_two_servers_on_is_help_for_two),
	    TEST(who_sells_a_line_alone_is_enough_where_addresses_are_included),
	    TEST(who_sells_a_line_alone_is_enough_where_addresses_are_priced),
	    TEST(the_seller_is_the_cheapest_for_what_is_missing),
	    TEST(by_the_gigabyte_the_cheapest_gigabyte_is_bought),
	    TEST(where_nobody_sells_it_all_what_is_sold_is_priced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
