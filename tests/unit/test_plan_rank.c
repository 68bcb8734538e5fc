/* test_plan_rank.c - a lower bound is never called cheaper than a whole price, nor explained as
 * one. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_test.h"

static void ask_for_bandwidth(void)
{
	fixture.spec.network.public_mbps = ratio_of(100);
}

static void a_lower_bound_stands_after_every_whole_price(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	struct offer *open = fixture_rental(&fixture, "60000");
	struct offer *whole = fixture_rental(&fixture, "76000");
	struct offer *cheaper_open = fixture_rental(&fixture, "50000");

	price_bandwidth(whole, "30");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 3);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, whole->id);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(fixture.plan.options[1].items[0].offer->id, cheaper_open->id);
	assert_int_equal(fixture.plan.options[1].unknown_count, 1);
	assert_int_equal(fixture.plan.options[2].items[0].offer->id, open->id);
	assert_int_equal(fixture.plan.best[ROUTE_RENT], 0);
	assert_true(has_note(NOTE_PLAN_LOWER_BOUNDS));
}

static void the_whole_price_is_found_behind_any_number_of_lower_bounds(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	fixture.spec.top = 1;
	for (int i = 0; i < 40; i++)
		fixture_rental(&fixture, "50000");
	struct offer *whole = fixture_rental(&fixture, "90000");

	price_bandwidth(whole, "30");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, whole->id);
	assert_int_equal(reason(REASON_DEARER)->offers, 40);
	assert_false(reason(REASON_DEARER)->has_gap);
	assert_false(has_note(NOTE_PLAN_LOWER_BOUNDS));
}

static void an_order_is_split_over_suppliers_that_price_everything(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 3 * 8 * 720, 30);
	fixture.spec.service = SERVICE_IMAGE;
	for (int i = 0; i < 3; i++)
		fixture_rental(&fixture, "50000")->servers_available = 2;
	for (int i = 0; i < 2; i++) {
		struct offer *offer = fixture_rental(&fixture, "76000");

		offer->servers_available = 2;
		offer->service_tier = "image";
	}
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(money_to_micro(fixture.plan.options[0].total), 3 * 12 * 76000000000);
}

static void a_split_order_over_the_budget_gives_way_to_a_lower_bound_within_it(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 3 * 8 * 720, 30);
	fixture.spec.service = SERVICE_IMAGE;
	fixture.spec.has_budget = true;
	assert_true(money_parse("200000", &fixture.spec.budget_per_month));
	for (int i = 0; i < 2; i++) {
		fixture_rental(&fixture, "50000")->servers_available = 2;
		struct offer *whole = fixture_rental(&fixture, "76000");

		whole->servers_available = 2;
		whole->service_tier = "image";
	}
	fixture_plan(&fixture);
	/* All of it priced 228000 a month; 150000 and help that nobody prices. */
	assert_int_equal(fixture.plan.option_count, 1);
	assert_true(fixture.plan.options[0].unknown_count > 0);
	assert_int_equal(money_to_micro(fixture.plan.options[0].total), 3 * 12 * 50000000000);
}

static void what_is_over_the_budget_gives_way_to_a_lower_bound_within_it(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	fixture.spec.top = 1;
	fixture.spec.has_budget = true;
	assert_true(money_parse("70000", &fixture.spec.budget_per_month));
	struct offer *open = fixture_rental(&fixture, "60000");

	for (int i = 0; i < 40; i++)
		price_bandwidth(fixture_rental(&fixture, "76000"), "30");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, open->id);
	assert_int_equal(reason(REASON_BUDGET)->offers, 40);
}

static void nothing_is_said_about_what_would_beat_a_lower_bound(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	fixture.spec.routes = 7;
	fixture_rental(&fixture, "60000");
	fixture_rental(&fixture, "65000");
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_true(fixture.plan.option_count > 2);
	assert_int_equal(fixture.plan.sensitivity_count, 0);
	assert_false(fixture.plan.has_break_even);
}

static void a_dearer_price_loses_to_whole_prices_only(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	price_bandwidth(fixture_rental(&fixture, "60000"), "0");
	price_bandwidth(fixture_rental(&fixture, "90000"), "0");
	fixture_rental(&fixture, "61000");
	fixture_plan(&fixture);
	const struct plan_sensitivity *price = &fixture.plan.sensitivity[0];

	assert_int_equal(price->what, SENSITIVE_PRICE);
	assert_false(price->below.found);
	assert_int_equal(price->above.winner, 1);
	assert_true(price->above.at > 1.4999 && price->above.at < 1.5011);
}

static void several_workloads_have_no_utilisation_in_common(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 300, 30);
	fixture.spec.routes = 3;
	fixture_rental(&fixture, "150000");
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_true(fixture.plan.has_break_even);
	assert_false(fixture.plan.break_even.has_utilisation);
	assert_true(fixture.plan.break_even.has_month);
	for (int i = 0; i < fixture.plan.sensitivity_count; i++)
		assert_int_not_equal(fixture.plan.sensitivity[i].what, SENSITIVE_UTILISATION);
}

static void renting_wins_below_the_break_even_and_buying_above(void **state)
{
	(void)state;
	static const double gpu_hours[] = {8 * 100, 8 * 700};

	for (int turn = 0; turn < 2; turn++) {
		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), gpu_hours[turn], 30);
		fixture.spec.routes = 3;
		fixture.spec.full_sensitivity = true;
		struct offer *offer = fixture_rental(&fixture, "900000");

		fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, "200",
		              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
		fixture_purchase(&fixture, "2400000");
		fixture_cabinet(&fixture, "9000", 12000);
		fixture_plan(&fixture);
		int first = turn == 0 ? ROUTE_RENT : ROUTE_BUY_AND_HOST;

		assert_int_equal(fixture.plan.best[first], 0);
		assert_true(fixture.plan.sensitivity_count > 0);
		for (int i = 0; i < fixture.plan.sensitivity_count; i++) {
			const struct plan_sensitivity *at = &fixture.plan.sensitivity[i];

			if (at->what == SENSITIVE_UTILISATION) {
				assert_int_equal(at->above.found, turn == 0);
				assert_int_equal(at->below.found, turn == 1);
			}
		}
		if (turn == 0)
			fixture_end(&fixture);
	}
}

static void each_class_says_what_it_costs_at_best(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.convert_usage = true;
	fixture.spec.top = 1;
	fixture_rental(&fixture, "76000");
	fixture_rental(&fixture, "77000");
	struct offer *other = fixture_rental(&fixture, "900000");

	other->card = "h200-sxm";
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.demand_count, 2);
	int own = strcmp(fixture.plan.demand[0].class.card->id, "h100-sxm") == 0 ? 0 : 1;
	const struct class_cost *best = &fixture.plan.class_costs[own];
	const struct class_cost *lost = &fixture.plan.class_costs[1 - own];

	assert_true(best->has_best && best->best_complete);
	assert_int_equal(money_to_micro(best->best), 12 * 76000000000);
	assert_false(lost->has_best);
	assert_true(lost->has_least);
	assert_true(money_compare(lost->least, best->best) > 0);
}

static void help_of_a_lower_tier_does_not_supply_the_wanted_one(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.service = SERVICE_MANAGED;
	fixture_rental(&fixture, "76000");
	struct offer *image = fixture_offer(&fixture, OFFER_SERVICE);

	image->service_tier = "image";
	fixture_price(image, ITEM_SERVICE, TERM_MONTHLY, "1000",
	              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].unknown_count, 1);
	assert_int_equal(reason(REASON_NOT_ASKED)->offers, 1);
	fixture_end(&fixture);
	image->service_tier = "managed";
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(money_to_micro(fixture.plan.options[0].total), 12 * 77000000000);
}

static void a_table_without_prices_does_not_hide_the_landlords_own(void **state)
{
	(void)state;
	fixture_hosting(&fixture, h100(), 1);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	assert_true(date_parse("2026-12-01", &fixture.spec.basis.start));
	struct offer *cabinet = fixture_cabinet(&fixture, "9000", 12000);

	cabinet->power_billing = POWER_TOU;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count > 0, 1);
	fixture_end(&fixture);
	fixture_price(cabinet, ITEM_POWER, TERM_METERED, "0.8",
	              (struct unit){PER_KWH, 1, PERIOD_ONCE, 1});
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_true(money_compare(fixture.plan.options[0].accounts[ACCOUNT_POWER], money_zero()) >
	            0);
}

static struct offer *bandwidth_offer(const char *per_mbps)
{
	struct offer *offer = fixture_offer(&fixture, OFFER_NETWORK);

	price_bandwidth(offer, per_mbps);
	return offer;
}

/* Found by the oracle: the search stopped at ports that cost more, whatever else was sold. */
static void a_dear_port_with_cheap_metering_is_found_behind_cheap_ports(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), 8 * 720, 30);
		ask_for_bandwidth();
		fixture_rental(&fixture, "76000");
		for (int i = 0; i < 20; i++)
			bandwidth_offer("18");
		struct offer *metered = bandwidth_offer("90");

		if (turn == 0) {
			fixture.spec.network.mbps_95 = ratio_of(5);
			fixture_price(metered, ITEM_BANDWIDTH, TERM_METERED, "20",
			              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
		} else {
			fixture.spec.network.egress_gb = ratio_of(200);
			fixture_price(metered, ITEM_TRAFFIC, TERM_METERED, "0.5",
			              (struct unit){PER_GB, 1, PERIOD_ONCE, 1});
		}
		fixture_plan(&fixture);
		/* 5 Mbps at 20, or 200 GB at 0.5: 100 a month. */
		assert_int_equal(money_to_micro(fixture.plan.options[0].total), 12 * 76100000000);
		if (turn == 0)
			fixture_end(&fixture);
	}
}

static void equipment_that_outlives_the_project_is_told_with_what_is_left(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture.spec.basis.months = 3;
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	const struct cost_flag *flag =
	    cost_flag_find(&fixture.plan.options[0].flags, FLAG_EQUIPMENT_OUTLIVES);

	/* 3 of 60 months are worn: 57 / 60 of the price are left. */
	assert_non_null(flag);
	assert_int_equal(ratio_compare(flag->x, ratio_of(57)), 0);
	assert_int_equal(ratio_compare(flag->y, ratio_of(2280000)), 0);
}

static void whole_servers_for_a_few_cards_are_told(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 700, 30);
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	const struct cost_flag *flag =
	    cost_flag_find(&fixture.plan.options[0].flags, FLAG_MORE_THAN_NEEDED);

	assert_non_null(flag);
	assert_int_equal(ratio_compare(flag->x, ratio_of(8)), 0);
	assert_int_equal(ratio_compare(flag->y, ratio_of(1)), 0);
}

static void an_offer_is_valid_through_its_last_day(void **state)
{
	(void)state;
	static const struct {
		const char *first_day;
		int options;
	} days[] = {{"2026-12-01", 1}, {"2026-12-02", 1}, {"2026-12-03", 0}};

	for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), 8 * 720, 30);
		struct offer *offer = fixture_rental(&fixture, "76000");

		assert_true(date_parse("2026-12-02", &offer->valid_to));
		assert_true(date_parse(days[i].first_day, &fixture.spec.basis.start));
		fixture_plan(&fixture);
		assert_int_equal(fixture.plan.option_count, days[i].options);
		if (i + 1 < sizeof days / sizeof *days)
			fixture_end(&fixture);
	}
}

static void a_day_begins_at_midnight_in_shanghai(void **state)
{
	(void)state;
	struct date day;

	/* 2026-12-01 16:00:00 UTC is 2026-12-02 00:00:00 there; one second earlier it is not. */
	assert_true(date_parse("2026-12-02", &day));
	assert_int_equal(date_in_shanghai(1796140800).days, day.days);
	assert_int_equal(date_in_shanghai(1796140799).days, day.days - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static void a_leased_line_is_no_way_to_the_internet(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	ask_for_bandwidth();
	fixture_rental(&fixture, "60000");
	struct offer *leased = fixture_offer(&fixture, OFFER_NETWORK);
	struct offer *open = fixture_offer(&fixture, OFFER_NETWORK);

	leased->line = "dedicated";
	price_bandwidth(leased, "10");
	price_bandwidth(open, "80");
	fixture_plan(&fixture);
	/* 12 months of 60000 and of 100 Mbit/s at 80. */
	assert_int_equal(money_to_micro(fixture.plan.options[0].total),
	                 INT64_C(12) * (60000 + 100 * 80) * 1000000);
	assert_int_equal(reason(REASON_LINE)->nearest->id, leased->id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_lower_bound_stands_after_every_whole_price),
	    TEST(the_whole_price_is_found_behind_any_number_of_lower_bounds),
	    TEST(a_leased_line_is_no_way_to_the_internet),
	    TEST(an_order_is_split_over_suppliers_that_price_everything),
	    TEST(a_split_order_over_the_budget_gives_way_to_a_lower_bound_within_it),
	    TEST(what_is_over_the_budget_gives_way_to_a_lower_bound_within_it),
	    TEST(nothing_is_said_about_what_would_beat_a_lower_bound),
	    TEST(a_dearer_price_loses_to_whole_prices_only),
	    TEST(several_workloads_have_no_utilisation_in_common),
	    TEST(renting_wins_below_the_break_even_and_buying_above),
	    TEST(each_class_says_what_it_costs_at_best),
	    TEST(help_of_a_lower_tier_does_not_supply_the_wanted_one),
	    TEST(a_table_without_prices_does_not_hide_the_landlords_own),
	    TEST(a_dear_port_with_cheap_metering_is_found_behind_cheap_ports),
	    TEST(equipment_that_outlives_the_project_is_told_with_what_is_left),
	    TEST(whole_servers_for_a_few_cards_are_told),
	    TEST(an_offer_is_valid_through_its_last_day),
	    cmocka_unit_test(a_day_begins_at_midnight_in_shanghai),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
