/* test_plan_mix.c - owned, committed and hourly servers for one workload: the cheapest mix. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_test.h"

static void assert_money(struct money amount, const char *text)
{
	struct money wanted;

	assert_true(money_parse(text, &wanted));
	assert_int_equal(money_to_micro(amount), money_to_micro(wanted));
}

/* A history that keeps two servers busy and a third one for 180 hours a month. */
static void use_two_servers_and_a_quarter(void)
{
	fixture_usage(&fixture, h100(), 2.25 * 8 * 720, 30);
	fixture.spec.routes = 7;
}

static struct offer *add_hourly(struct offer *offer, const char *per_hour)
{
	fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, per_hour,
	              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
	return offer;
}

static const struct plan_option *best_mix(void)
{
	fixture_plan(&fixture);
	assert_true(fixture.plan.best[ROUTE_HYBRID] >= 0);
	return &fixture.plan.options[fixture.plan.best[ROUTE_HYBRID]];
}

static void one_offer_committed_to_throughout_is_no_mix(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], -1);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_money(fixture.plan.options[0].total, "2736000.00");
}

/*
 * Two machines are for sale. Each: 900000 / 5 + 900000 / 2 x 8 % + 30000 = 246000 a year; a cabinet
 * for both 60000; the third server 180 x 200 x 12 = 432000.
 */
static void what_is_for_sale_is_owned_though_it_is_too_few_for_all(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_purchase(&fixture, "900000")->servers_available = 2;
	fixture_cabinet(&fixture, "5000", 21000);
	assert_money(best_mix()->total, "984000.00");
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
	assert_int_equal(fixture.plan.best[ROUTE_BUY_AND_HOST], -1);
}

/* Nobody prices help for the rented server: what is known of it stands where it is cheapest. */
static void a_mix_that_stays_open_stands_where_it_is_cheapest(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.service = SERVICE_MANAGED;
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_purchase(&fixture, "900000")->servers_available = 2;
	fixture_cabinet(&fixture, "5000", 21000);
	fixture_price(fixture_cabinet(&fixture, "9000", 21000), ITEM_SERVICE, TERM_MONTHLY, "100",
	              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	const struct plan_option *mix = best_mix();

	assert_true(mix->unknown_count > 0);
	assert_money(mix->total, "984000.00");
}

/* A machine, and a place that charges a yuan for each kWh. */
static void sell_machines_and_power(int machines)
{
	struct offer *place;

	fixture_purchase(&fixture, "900000")->servers_available = machines;
	place = fixture_cabinet(&fixture, "5000", 21000);
	place->power_billing = POWER_METERED;
	fixture_price(place, ITEM_POWER, TERM_METERED, "1",
	              (struct unit){PER_KWH, 1, PERIOD_ONCE, 1});
}

/* Rent by the month is the same for any hours, so that the machine takes the fewest. */
static void the_idle_server_is_owned_where_rent_is_by_the_month(void **state)
{
	struct ratio of_three, of_one;

	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	sell_machines_and_power(3);
	fixture_plan(&fixture);
	assert_true(fixture.plan.option_count > 0);
	of_three = fixture.plan.options[0].energy_kwh;
	fixture_end(&fixture);
	fixture_begin(&fixture);
	use_two_servers_and_a_quarter();
	fixture_rental(&fixture, "76000");
	sell_machines_and_power(1);
	/* Of three that work 720, 720 and 180 hours the last draws less than the mean. */
	assert_true(ratio_multiply(best_mix()->energy_kwh, ratio_of(3), &of_one));
	assert_true(of_one.num > 0 && ratio_compare(of_one, of_three) < 0);
}

/* Help costs 1000 per server and month at the second; nobody prices it for the first. */
static void a_mix_that_is_complete_goes_before_a_cheaper_bound(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.service = SERVICE_MANAGED;
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_price(add_hourly(fixture_rental(&fixture, "80000"), "250"), ITEM_SERVICE,
	              TERM_MONTHLY, "1000", (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	const struct plan_option *mix = best_mix();

	assert_int_equal(mix->unknown_count, 0);
	/* 2 x 80000 x 12 + 180 x 250 x 12 + 3 x 1000 x 12 */
	assert_money(mix->total, "2496000.00");
}

/* Both charge the same for the cards; only the first one's help costs nothing more. */
static void help_counts_when_a_mix_is_chosen(void **state)
{
	struct offer *helped;

	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.service = SERVICE_MANAGED;
	fixture_price(add_hourly(fixture_rental(&fixture, "75000"), "200"), ITEM_SERVICE,
	              TERM_MONTHLY, "2000", (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	helped = add_hourly(fixture_rental(&fixture, "76000"), "205");
	helped->service_tier = "managed";
	/* 2 x 76000 x 12 + 180 x 205 x 12 */
	assert_money(best_mix()->total, "2266800.00");
}

/*
 * Servers of four: plain renting of five by the hour is far dearer than what is shown of servers of
 * eight, and for buying all five there are not enough. Four owned and the fifth for 360 hours:
 * 4 x (450000 / 5 + 450000 / 2 x 8 % + 30000) + 60000 + 360 x 100 x 12 = 1044000.
 */
static void a_class_is_mixed_though_its_plain_ways_are_dear(void **state)
{
	struct offer *offer;

	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.top = 1;
	for (int i = 0; i < 4; i++)
		fixture_rental(&fixture, "60000");
	offer = fixture_offer(&fixture, OFFER_RENTAL);
	offer->card = "h100-sxm";
	offer->cards_per_server = 4;
	offer->delivery = DELIVERY_BARE_METAL;
	add_hourly(offer, "100");
	offer = fixture_purchase(&fixture, "450000");
	offer->cards_per_server = 4;
	offer->servers_available = 4;
	fixture_cabinet(&fixture, "5000", 60000);
	assert_money(best_mix()->total, "1044000.00");
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
}

/* What is left of a block that was used before is nothing that was found. */
static void too_little_memory_is_said_wherever_it_ends(void **state)
{
	size_t needed;

	(void)state;
	use_two_servers_and_a_quarter();
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_purchase(&fixture, "900000")->servers_available = 2;
	fixture_cabinet(&fixture, "5000", 21000);
	fixture_plan(&fixture);
	needed = fixture.memory.used;
	struct plan_source source = plan_source_of(fixture.catalogue, &fixture.spec);

	for (size_t size = needed - 64; size > 320; size -= 256) {
		memset(fixture.memory.block, 0x25, needed);
		fixture.memory.size = size;
		assert_false(plan_make(&fixture.spec, &source, &fixture.memory, &fixture.plan));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(one_offer_committed_to_throughout_is_no_mix),
	    TEST(what_is_for_sale_is_owned_though_it_is_too_few_for_all),
	    TEST(a_mix_that_stays_open_stands_where_it_is_cheapest),
	    TEST(the_idle_server_is_owned_where_rent_is_by_the_month),
	    TEST(a_mix_that_is_complete_goes_before_a_cheaper_bound),
	    TEST(help_counts_when_a_mix_is_chosen),
	    TEST(a_class_is_mixed_though_its_plain_ways_are_dear),
	    TEST(too_little_memory_is_said_wherever_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
