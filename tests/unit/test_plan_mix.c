/* test_plan_mix.c - owned, committed and hourly servers for one workload: the cheapest mix. */
#include "tests/unit/unit.h"

#include <stdio.h>

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

/* The same where what is for sale states its fabric and what is for rent does not. */
static void links_that_a_workload_does_not_feel_keep_no_mix_apart(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	struct offer *machine = fixture_purchase(&fixture, "900000");

	machine->servers_available = 2;
	machine->inter_link = INTER_IB;
	machine->inter_gbps = 3200;
	fixture_cabinet(&fixture, "5000", 21000);
	assert_money(best_mix()->total, "984000.00");
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
}

/* One has a server and the other, with a fabric, two: three for 70000 + 2 x 76000 a month. */
static void stocks_of_classes_that_are_alike_make_one_order_together(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 3 * 8 * 720, 30);
	struct offer *first = fixture_rental(&fixture, "70000");
	struct offer *other = fixture_rental(&fixture, "76000");

	first->servers_available = 1;
	other->servers_available = 2;
	other->inter_link = INTER_IB;
	other->inter_gbps = 3200;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].item_count, 2);
	assert_money(fixture.plan.options[0].total, "2664000.00");
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

/* ---- What is rented from one offer is one order ---- */

static int lines_of(const struct plan_option *option, enum cost_what what)
{
	int count = 0;

	for (int i = 0; i < option->line_count; i++)
		count += option->lines[i]->what == what;
	return count;
}

static void charge_once(struct offer *offer, enum price_item item, const char *amount)
{
	fixture_price(offer, item, TERM_ONE_OFF, amount,
	              (struct unit){PER_NONE, 1, PERIOD_ONCE, 1});
}

static struct offer *add_step(struct offer *offer, enum price_term term, int step,
                              const char *amount)
{
	enum period period = term == TERM_HOURLY ? PERIOD_HOUR : PERIOD_MONTH;

	fixture_price(offer, ITEM_COMPUTE, term, amount, (struct unit){PER_SERVER, 1, period, 1})
	    ->min_quantity = step;
	return offer;
}

/* Two by the month and one by the hour: 2 x 76000 x 12 + 180 x 200 x 12 + 5000. */
static void setup_is_paid_once_for_servers_of_different_hours(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	charge_once(add_hourly(fixture_rental(&fixture, "76000"), "200"), ITEM_SETUP, "5000");
	const struct plan_option *mix = best_mix();

	assert_money(mix->total, "2261000.00");
	assert_int_equal(lines_of(mix, COST_SETUP), 1);
}

/* The deposit too, and help that is charged by the order. */
static void deposit_and_help_of_an_order_are_paid_once(void **state)
{
	struct offer *offer;

	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.service = SERVICE_MANAGED;
	offer = add_hourly(fixture_rental(&fixture, "76000"), "200");
	charge_once(offer, ITEM_DEPOSIT, "100000");
	fixture_price(offer, ITEM_SERVICE, TERM_MONTHLY, "1000",
	              (struct unit){PER_NONE, 1, PERIOD_MONTH, 1});
	const struct plan_option *mix = best_mix();

	/* 2256000 + 100000 x 8 % + 1000 x 12 */
	assert_money(mix->total, "2276000.00");
	assert_money(mix->deposit, "100000.00");
}

/* Each by itself would be dearer than at the other: 2 x 70000 x 12 + 180 x 150 x 12. */
static void a_step_is_reached_by_all_servers_of_an_order(void **state)
{
	struct offer *offer;

	(void)state;
	use_two_servers_and_a_quarter();
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	offer = add_hourly(fixture_rental(&fixture, "80000"), "250");
	add_step(add_step(offer, TERM_MONTHLY, 3, "70000"), TERM_HOURLY, 3, "150");
	assert_money(best_mix()->total, "2004000.00");
}

/*
 * Four are ordered where three work, and the fourth costs what the idlest does:
 * 2 x 60000 x 12 + 2 x 180 x 100 x 12.
 */
static void one_more_is_ordered_where_its_step_makes_all_cheaper(void **state)
{
	struct offer *offer;

	(void)state;
	use_two_servers_and_a_quarter();
	offer = add_hourly(fixture_rental(&fixture, "76000"), "200");
	add_step(add_step(offer, TERM_MONTHLY, 4, "60000"), TERM_HOURLY, 4, "100");
	const struct plan_option *mix = best_mix();

	assert_money(mix->total, "1872000.00");
	assert_int_equal(mix->items[0].servers + mix->items[1].servers, 3);
	assert_int_equal(mix->items[0].cards + mix->items[1].cards, 32);
	offer->servers_available = 3;
	fixture_end(&fixture);
	assert_money(best_mix()->total, "2256000.00");
}

/* A setup fee of 40000 an order is more than the second offer's hours cost less. */
static void a_second_order_must_be_worth_its_fee(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	charge_once(add_hourly(fixture_rental(&fixture, "76000"), "200"), ITEM_SETUP, "1000");
	charge_once(add_hourly(fixture_rental(&fixture, "90000"), "190"), ITEM_SETUP, "40000");
	assert_money(best_mix()->total, "2257000.00");
}

/* ---- What the project needs once ---- */

/*
 * 100 Mbps cost 90 each in the city; the second offer has them, for a yuan an hour more:
 * 2 x 76000 x 12 + 180 x 201 x 12.
 */
static void the_network_counts_when_a_mix_is_chosen(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.network.public_mbps = ratio_of(100);
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	add_hourly(fixture_rental(&fixture, "90000"), "201")->mbps_included = 100;
	price_bandwidth(fixture_offer(&fixture, OFFER_NETWORK), "90");
	assert_money(best_mix()->total, "2258160.00");
}

/* The same of places: the dearer cabinet has the line. 246000 x 2 + 12 x 6000 + 180 x 200 x 12 */
static void the_network_counts_when_a_place_is_chosen(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture.spec.network.public_mbps = ratio_of(100);
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_purchase(&fixture, "900000")->servers_available = 2;
	fixture_cabinet(&fixture, "5000", 21000);
	fixture_cabinet(&fixture, "6000", 21000)->mbps_included = 100;
	price_bandwidth(fixture_offer(&fixture, OFFER_NETWORK), "90");
	assert_money(best_mix()->total, "996000.00");
}

/* ---- Places ---- */

/* For a server that always works the place with its power would be cheaper; the one that is owned
 * works a quarter of the time. */
static void the_place_is_that_for_the_hours_that_are_owned(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture_rental(&fixture, "76000");
	sell_machines_and_power(1);
	int64_t metered = fixture.offers[fixture.count - 1].id;

	fixture_cabinet(&fixture, "9500", 21000);
	const struct plan_option *mix = best_mix();

	assert_int_equal(mix->items[1].offer->id, metered);
	assert_true(mix->energy_kwh.num > 0);
}

/* ---- What is not sure is said ---- */

static void what_is_compared_in_full_is_not_called_unsure(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	charge_once(add_hourly(fixture_rental(&fixture, "76000"), "200"), ITEM_SETUP, "5000");
	add_hourly(fixture_rental(&fixture, "77000"), "199");
	best_mix();
	assert_false(has_note(NOTE_PLAN_MIX_UNSURE));
}

/* Seventy suppliers have a server each, and seventy are needed. */
static void more_small_stocks_than_can_be_weighed_are_called_unsure(void **state)
{
	(void)state;
	char price[16];

	fixture_usage(&fixture, h100(), 69.25 * 8 * 720, 30);
	fixture.spec.routes = 7;
	for (int i = 0; i < 70; i++) {
		snprintf(price, sizeof price, "%d", 70000 + 100 * i);
		add_hourly(fixture_rental(&fixture, price), "300")->servers_available = 1;
	}
	add_hourly(fixture_rental(&fixture, "90000"), "300");
	fixture_plan(&fixture);
	assert_true(has_note(NOTE_PLAN_MIX_UNSURE));
}

static void a_staircase_that_is_too_long_is_called_unsure(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 200.25 * 8 * 720, 30);
	fixture.spec.routes = 7;
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], -1);
	assert_true(has_note(NOTE_PLAN_MIX_UNSURE));
}

/* A flat one has no mix, however long it is. */
static void a_long_demand_that_never_changes_is_not_called_unsure(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 200.0 * 8 * 720, 30);
	fixture.spec.routes = 7;
	add_hourly(fixture_rental(&fixture, "76000"), "200");
	fixture_plan(&fixture);
	assert_false(has_note(NOTE_PLAN_MIX_UNSURE));
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
	    TEST(links_that_a_workload_does_not_feel_keep_no_mix_apart),
	    TEST(stocks_of_classes_that_are_alike_make_one_order_together),
	    TEST(what_is_for_sale_is_owned_though_it_is_too_few_for_all),
	    TEST(a_mix_that_stays_open_stands_where_it_is_cheapest),
	    TEST(the_idle_server_is_owned_where_rent_is_by_the_month),
	    TEST(a_mix_that_is_complete_goes_before_a_cheaper_bound),
	    TEST(help_counts_when_a_mix_is_chosen),
	    TEST(a_class_is_mixed_though_its_plain_ways_are_dear),
	    TEST(setup_is_paid_once_for_servers_of_different_hours),
	    TEST(deposit_and_help_of_an_order_are_paid_once),
	    TEST(a_step_is_reached_by_all_servers_of_an_order),
	    TEST(one_more_is_ordered_where_its_step_makes_all_cheaper),
	    TEST(a_second_order_must_be_worth_its_fee),
	    TEST(the_network_counts_when_a_mix_is_chosen),
	    TEST(the_network_counts_when_a_place_is_chosen),
	    TEST(the_place_is_that_for_the_hours_that_are_owned),
	    TEST(what_is_compared_in_full_is_not_called_unsure),
	    TEST(more_small_stocks_than_can_be_weighed_are_called_unsure),
	    TEST(a_staircase_that_is_too_long_is_called_unsure),
	    TEST(a_long_demand_that_never_changes_is_not_called_unsure),
	    TEST(too_little_memory_is_said_wherever_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
