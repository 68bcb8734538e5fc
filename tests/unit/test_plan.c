/* test_plan.c - the planner: what is chosen, why not the others, and that the numbers add up. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_test.h"

static void assert_money(struct money amount, const char *text)
{
	char shown[MONEY_TEXT_SIZE];

	money_format(amount, shown);
	assert_string_equal(shown, text);
}

/* Every offer once; every option's lines and accounts make its total; ascending. */
static void assert_adds_up(void)
{
	const struct plan *plan = &fixture.plan;
	size_t offers = plan->offers_used;

	for (int i = 0; i < plan->not_chosen_count; i++)
		offers += plan->not_chosen[i].offers;
	assert_int_equal(offers, fixture.count);
	assert_int_equal(plan->offers, fixture.count);
	for (int i = 0; i < plan->option_count; i++) {
		const struct plan_option *option = &plan->options[i];
		struct money lines = money_zero();
		struct money accounts = money_zero();

		for (int k = 0; k < option->line_count; k++)
			if (option->lines[k]->is_cost)
				assert_true(money_add(lines, option->lines[k]->amount, &lines));
		for (int k = 0; k < COST_ACCOUNT_COUNT; k++)
			assert_true(money_add(accounts, option->accounts[k], &accounts));
		assert_int_equal(money_compare(lines, option->total), 0);
		assert_int_equal(money_compare(accounts, option->total), 0);
		assert_int_equal(option->rank, i + 1);
		if (i > 0)
			assert_true(money_compare(plan->options[i - 1].total, option->total) <= 0);
	}
}

static void one_server_for_a_year_costs_twelve_months(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	const struct plan_option *option = &fixture.plan.options[0];

	assert_money(option->total, "912000.00");
	assert_money(option->per_month, "76000.00");
	assert_money(option->per_card_hour, "13.194444");
	assert_int_equal(option->item_count, 1);
	assert_int_equal(option->items[0].servers, 1);
	assert_int_equal(option->items[0].cards, 8);
	assert_int_equal(option->items[0].term, TERM_MONTHLY);
	assert_int_equal(option->items[0].months, 12);
	assert_int_equal(option->items[0].offer->row, 2);
	assert_adds_up();
}

static void the_cheapest_comes_first_and_ties_stand_by_id(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_rental(&fixture, "80000");
	fixture_rental(&fixture, "76000");
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 3);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, 2);
	assert_int_equal(fixture.plan.options[1].items[0].offer->id, 3);
	assert_true(fixture.plan.options[0].ties);
	assert_false(fixture.plan.options[2].ties);
	assert_adds_up();
}

static void what_is_dearer_than_the_top_is_counted_with_the_nearest(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.top = 2;
	for (int i = 0; i < 20; i++)
		fixture_rental(&fixture, i % 2 == 0 ? "76000" : "90000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_int_equal(fixture.plan.offers_used, 2);
	assert_int_equal(reason(REASON_DEARER)->offers, 18);
	assert_int_equal(reason(REASON_DEARER)->nearest->id, 5);
	assert_true(reason(REASON_DEARER)->has_gap);
	assert_true(reason(REASON_DEARER)->gap < 0.001);
	assert_adds_up();
}

static void what_is_rented_for_a_hybrid_is_not_dearer_by_less_than_nothing(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST | 1u << ROUTE_HYBRID;
	fixture_rental(&fixture, "7600");
	fixture_purchase(&fixture, "2500000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_true(fixture.plan.best[ROUTE_BUY_AND_HOST] >= 0);
	assert_int_equal(fixture.plan.best[ROUTE_RENT], -1);
	assert_true(!reason(REASON_DEARER)->has_gap || reason(REASON_DEARER)->gap >= 0);
	assert_adds_up();
}

static void each_requirement_keeps_out_what_misses_it(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.cities = 1u << CITY_SHENZHEN;
	fixture.spec.require.availability_ppm = 999000;
	struct offer *good = fixture_rental(&fixture, "80000");
	struct offer *down = fixture_rental(&fixture, "70000");
	struct offer *silent = fixture_rental(&fixture, "60000");
	struct offer *elsewhere = fixture_rental(&fixture, "50000");
	struct offer *nowhere = fixture_rental(&fixture, "40000");

	good->availability_ppm = 999500;
	down->availability_ppm = 995000;
	elsewhere->availability_ppm = 999900;
	elsewhere->city = CITY_DONGGUAN;
	nowhere->availability_ppm = 999900;
	nowhere->city = CITY_UNKNOWN;
	(void)silent;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, good->id);
	assert_int_equal(reason(REASON_AVAILABILITY)->offers, 2);
	assert_int_equal(reason(REASON_AVAILABILITY)->nearest->id, down->id);
	assert_true(reason(REASON_AVAILABILITY)->gap > 3999 &&
	            reason(REASON_AVAILABILITY)->gap < 4001);
	assert_int_equal(reason(REASON_CITY)->offers, 1);
	assert_int_equal(reason(REASON_CITY_UNKNOWN)->offers, 1);
	assert_adds_up();
}

static void a_nation_wide_price_is_used_only_when_allowed(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.cities = 1u << CITY_SHENZHEN;
	fixture.spec.any_city = true;
	fixture_rental(&fixture, "40000")->city = CITY_UNKNOWN;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_non_null(cost_flag_find(&fixture.plan.options[0].flags, FLAG_NATIONAL_PRICE));
}

static void nothing_that_suits_is_an_answer(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.require.support_24x7 = true;
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 0);
	assert_int_equal(fixture.plan.best[ROUTE_RENT], -1);
	assert_int_equal(reason(REASON_SUPPORT)->alone, 1);
	assert_adds_up();
}

static void a_short_stock_is_completed_by_others_at_the_least_cost(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 4 * 8 * 720, 30);
	fixture_rental(&fixture, "70000")->servers_available = 1;
	fixture_rental(&fixture, "75000")->servers_available = 2;
	fixture_rental(&fixture, "90000")->servers_available = 2;
	fixture_rental(&fixture, "95000");
	fixture_plan(&fixture);
	/* 70000 + 2 x 75000 + 90000, and all from the fourth. */
	assert_int_equal(fixture.plan.option_count, 2);
	assert_money(fixture.plan.options[0].total, "3720000.00");
	assert_int_equal(fixture.plan.options[0].item_count, 3);
	assert_money(fixture.plan.options[1].total, "4560000.00");
	assert_adds_up();
}

static void for_the_same_money_an_order_goes_to_fewer_suppliers(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 21 * 8 * 720, 30);
	fixture_rental(&fixture, "70000")->servers_available = 2;
	fixture_rental(&fixture, "76000")->servers_available = 18;
	fixture_rental(&fixture, "76000")->servers_available = 20;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].item_count, 2);
}

static void too_little_stock_everywhere_is_said(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 4 * 8 * 720, 30);
	fixture_rental(&fixture, "70000")->servers_available = 1;
	fixture_rental(&fixture, "75000")->servers_available = 2;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 0);
	assert_int_equal(reason(REASON_STOCK)->offers, 2);
	assert_int_equal(reason(REASON_STOCK)->nearest->id, 2);
	assert_true(reason(REASON_STOCK)->gap > 1.9 && reason(REASON_STOCK)->gap < 2.1);
	assert_adds_up();
}

static void buying_pairs_the_machine_with_a_cabinet_that_can_feed_it(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 2 * 8 * 720, 30);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "4000", 4400);
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_cabinet(&fixture, "15000", 31000);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_int_equal(reason(REASON_CABINET_POWER)->offers, 1);
	assert_true(reason(REASON_CABINET_POWER)->gap > 5799);
	/* One 31 kW cabinet holds both servers: 15000 a month against 2 x 9000. */
	assert_int_equal(fixture.plan.options[0].items[1].offer->id, 4);
	assert_int_equal(fixture.plan.options[0].cabinets, 1);
	assert_int_equal(fixture.plan.options[1].cabinets, 2);
	assert_money(fixture.plan.options[0].accounts[ACCOUNT_CABINET], "180000.00");
	assert_adds_up();
}

static void a_machine_without_a_place_has_no_partner(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture_purchase(&fixture, "2400000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 0);
	assert_int_equal(reason(REASON_NO_PARTNER)->offers, 1);
	assert_adds_up();
}

static void own_servers_need_a_cabinet_only(void **state)
{
	(void)state;
	fixture_hosting(&fixture, h100(), 4);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST | 1u << ROUTE_RENT;
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_rental(&fixture, "76000");
	fixture_purchase(&fixture, "2400000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_money(fixture.plan.options[0].total, "432000.00"); /* 4 x 9000 x 12 */
	assert_int_equal(fixture.plan.options[0].route, ROUTE_BUY_AND_HOST);
	assert_money(fixture.plan.options[1].total, "3648000.00");
	assert_int_equal(reason(REASON_NOT_ASKED)->offers, 1);
	assert_adds_up();
}

static void a_price_per_kwh_in_the_request_goes_before_any_table(void **state)
{
	(void)state;
	fixture_hosting(&fixture, h100(), 1);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture.spec.basis.months = 1;
	fixture.spec.has_kwh_price = true;
	fixture.spec.kwh_price = money_from_yuan(1);
	fixture_cabinet(&fixture, "9000", 12000)->power_billing = POWER_METERED;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	/* 10.2 kW x 1.3 x 0.65 x 720 h = 6205.68 kWh. */
	assert_money(fixture.plan.options[0].accounts[ACCOUNT_POWER], "6205.68");
	assert_money(fixture.plan.options[0].total, "15205.68");
	/* It stands in no cell of the landlord's sheet. */
	const struct cost_source *source = &fixture.plan.options[0].lines[1]->source;

	assert_int_equal(fixture.plan.options[0].lines[1]->what, COST_ENERGY);
	assert_int_equal(source->kind, SOURCE_TARIFF);
	assert_string_equal(source->tariff->id, "request");
	assert_adds_up();
}

/* Rounded order by order, two of 42.857 a month came to 85.72. */
static void what_is_paid_a_month_is_rounded_once(void **state)
{
	const struct unit quarter = {PER_SERVER, 1, PERIOD_MONTH, 3};

	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.basis.months = 7;
	fixture_price(fixture_rental(&fixture, "76000"), ITEM_COMPUTE, TERM_QUARTERLY, "100",
	              quarter);
	fixture_plan(&fixture);
	assert_money(fixture.plan.options[0].total, "600.00");
	assert_money(fixture.plan.options[0].paid_per_month, "85.71");
}

static void another_card_than_that_of_the_history_is_not_taken_unasked(void **state)
{
	(void)state;
	fixture_usage(&fixture, fixture_card(&fixture, "a100-80-sxm"), 8 * 720, 30);
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 0);
	assert_int_equal(reason(REASON_OTHER_CARD)->offers, 1);
	assert_adds_up();
}

static void usage_moves_to_a_faster_card_when_asked(void **state)
{
	(void)state;
	fixture_usage(&fixture, fixture_card(&fixture, "a100-80-sxm"), 8 * 720, 30);
	fixture.spec.convert_usage = true;
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	/* 312 / 989.4 of 8 cards are three. */
	assert_int_equal(fixture.plan.demand[0].cards, 3);
	assert_int_equal(fixture.plan.demand[0].servers, 1);
}

static void a_budget_cuts_the_list_and_says_by_how_much(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.has_budget = true;
	fixture.spec.budget_per_month = money_from_yuan(78000);
	fixture_rental(&fixture, "76000");
	fixture_rental(&fixture, "80000");
	fixture_rental(&fixture, "90000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(reason(REASON_BUDGET)->offers, 2);
	assert_int_equal(reason(REASON_BUDGET)->nearest->id, 2);
	assert_true(reason(REASON_BUDGET)->gap > 1999 && reason(REASON_BUDGET)->gap < 2001);
	assert_adds_up();
}

/* 12000.05 and 12000.06 of a year: 1000.0041... and 1000.005 a month. */
static void a_month_as_shown_meets_a_budget_that_is_equal(void **state)
{
	static const char *const setups[] = {"0.05", "0.06"};
	static const struct {
		const char *budget;
		int options;
	} cases[] = {{"1000.00", 1}, {"1000.009", 1}, {"1000.01", 2}, {"999.999", 0}};

	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.has_budget = true;
	for (int i = 0; i < 2; i++)
		fixture_price(fixture_rental(&fixture, "1000"), ITEM_SETUP, TERM_ONE_OFF, setups[i],
		              (struct unit){PER_SERVER, 1, PERIOD_ONCE, 1});
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(money_parse(cases[i].budget, &fixture.spec.budget_per_month));
		fixture_plan(&fixture);
		assert_int_equal(fixture.plan.option_count, cases[i].options);
	}
}

static const struct cost_flag *flag_of(int option, enum cost_flag_code code)
{
	return cost_flag_find(&fixture.plan.options[option].flags, code);
}

/* A list with a row by the month and one by the year, each with the 2 servers that there are. */
static void rows_that_may_be_the_same_machines_are_told(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 3 * 8 * 720, 30);
	struct offer *first = fixture_rental(&fixture, "70000");
	struct offer *second = fixture_rental(&fixture, "75000");

	first->servers_available = second->servers_available = 2;
	second->sheet_id = first->sheet_id;
	first->site = second->site = "松湖";
	fixture_plan(&fixture);
	const struct cost_flag *flag = flag_of(0, FLAG_SAME_MACHINES);

	assert_non_null(flag);
	assert_int_equal(ratio_compare(flag->x, ratio_of(3)), 0);
	assert_int_equal(ratio_compare(flag->y, ratio_of(2)), 0);
	assert_int_equal(flag->items, 3);
	second->site = "科兴";
	fixture_plan(&fixture);
	assert_null(flag_of(0, FLAG_SAME_MACHINES));
}

static void a_flag_tells_which_offers_it_is_about(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	struct offer *first = fixture_rental(&fixture, "70000");
	struct offer *second = fixture_rental(&fixture, "75000");

	first->servers_available = 1;
	first->support_24x7 = YES_NO_NO;
	second->support_24x7 = YES_NO_YES;
	second->servers_available = 1;
	fixture_plan(&fixture);
	const struct plan_option *option = &fixture.plan.options[0];

	assert_int_equal(option->item_count, 2);
	int at = option->items[0].offer->id == first->id ? 0 : 1;

	assert_int_equal(flag_of(0, FLAG_NO_24X7)->items, 1u << at);
	assert_int_equal(flag_of(0, FLAG_NO_REPLACEMENT_SLA)->items, 3);
}

static void two_workloads_do_not_take_the_same_last_server(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_rental(&fixture, "70000")->servers_available = 1;
	fixture_rental(&fixture, "75000");
	fixture_plan(&fixture);
	assert_money(fixture.plan.options[0].total, "1740000.00"); /* (70000 + 75000) x 12 */
	assert_int_equal(fixture.plan.options[0].item_count, 2);
	assert_true(fixture.plan.options[0].ties); /* the other way round costs the same */
	assert_adds_up();
}

static void an_expired_offer_is_never_ranked(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	assert_true(date_parse("2026-12-01", &fixture.spec.basis.start));
	struct offer *gone = fixture_rental(&fixture, "50000");
	struct offer *last_day = fixture_rental(&fixture, "76000");

	assert_true(date_parse("2026-11-30", &gone->valid_to));
	assert_true(date_parse("2026-12-01", &last_day->valid_to));
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, last_day->id);
	assert_int_equal(reason(REASON_NOT_VALID)->offers, 1);
	assert_adds_up();
}

static void a_foreign_price_without_a_rate_is_no_price(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	struct offer *offer = fixture_rental(&fixture, "10000");

	memcpy(offer->prices[0].currency, "USD", 4);
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(reason(REASON_NO_PRICE)->offers, 1);
	assert_adds_up();
}

static void rent_and_buy_meet_at_a_computed_point(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.routes = 1u << ROUTE_RENT | 1u << ROUTE_BUY_AND_HOST;
	fixture_rental(&fixture, "76000");
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_true(fixture.plan.has_break_even);
	assert_true(fixture.plan.break_even.has_utilisation);
	assert_true(fixture.plan.break_even.has_month);
	assert_true(fixture.plan.sensitivity_count >= 2);
	assert_adds_up();
}

static void the_network_is_charged_once_and_may_come_from_another_offer(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture_rental(&fixture, "76000");
	struct offer *line = fixture_offer(&fixture, OFFER_NETWORK);

	fixture_price(line, ITEM_BANDWIDTH, TERM_MONTHLY, "20",
	              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
	fixture_plan(&fixture);
	assert_money(fixture.plan.options[0].total, "1848000.00"); /* 2 x 912000 + 100 x 20 x 12 */
	assert_int_equal(fixture.plan.options[0].item_count, 3);
	assert_int_equal(fixture.plan.offers_used, 2);
	assert_adds_up();
}

static void the_order_of_offers_changes_no_option(void **state)
{
	(void)state;
	static const char *const rents[] = {"81000", "76000", "76000", "99000", "70000", "88000"};
	char totals[2][6][MONEY_TEXT_SIZE];

	for (int turn = 0; turn < 2; turn++) {
		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), 3 * 8 * 720, 30);
		for (int i = 0; i < 6; i++) {
			int which = turn == 0 ? i : 5 - i;

			fixture_rental(&fixture, rents[which])->servers_available =
			    which == 4 ? 2 : -1;
		}
		fixture_plan(&fixture);
		assert_int_equal(fixture.plan.option_count, 6);
		for (int i = 0; i < 6; i++)
			money_format(fixture.plan.options[i].total, totals[turn][i]);
		if (turn == 0)
			fixture_end(&fixture);
	}
	for (int i = 0; i < 6; i++)
		assert_string_equal(totals[0][i], totals[1][i]);
}

static void a_price_per_card_is_the_same_as_one_per_server(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 2 * 8 * 720, 30);
	fixture_rental(&fixture, "76000");
	struct offer *offer = fixture_offer(&fixture, OFFER_RENTAL);

	offer->card = "h100-sxm";
	offer->cards_per_server = 8;
	offer->delivery = DELIVERY_BARE_METAL;
	fixture_price(offer, ITEM_COMPUTE, TERM_MONTHLY, "9500",
	              (struct unit){PER_CARD, 1, PERIOD_MONTH, 1});
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_true(fixture.plan.options[0].ties);
}

static void the_same_question_gives_the_same_answer(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 5 * 8 * 720, 30);
	fixture.spec.routes = 7;
	for (int i = 0; i < 8; i++)
		fixture_rental(&fixture, "76000")->servers_available = 1 + i % 3;
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	struct money first = fixture.plan.options[0].total;
	int count = fixture.plan.option_count;
	struct plan_source source = plan_source_of(fixture.catalogue, &fixture.spec);

	memset(fixture.memory.block, 0xa5, fixture.memory.size);
	assert_true(plan_make(&fixture.spec, &source, &fixture.memory, &fixture.plan));
	assert_int_equal(fixture.plan.option_count, count);
	assert_int_equal(money_compare(fixture.plan.options[0].total, first), 0);
	assert_adds_up();
}

static void too_little_memory_is_said_and_nothing_else_happens(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	struct plan_source source = plan_source_of(fixture.catalogue, &fixture.spec);
	size_t enough = fixture.memory.used;
	struct plan plan;

	for (size_t size = 0; size < enough; size += 997) {
		struct plan_memory memory = {.block = alloc_zeroed(size + 1, 1), .size = size};

		assert_false(plan_make(&fixture.spec, &source, &memory, &plan));
		free(memory.block);
	}
}

/* Serving that is busy for nine hours a day on L40S servers, which can be rented both ways. */
static void serving_by_day(void)
{
	struct workload *workload = &fixture.workloads[fixture.spec.workload_count++];

	workload->name = "serving";
	workload->kind = WORKLOAD_INFERENCE;
	workload->serving = fixture_serving_by_day();
}

static struct offer *l40s_rental(const char *per_month, const char *per_hour)
{
	struct offer *offer = fixture_offer(&fixture, OFFER_RENTAL);

	offer->card = "l40s";
	offer->cards_per_server = 8;
	offer->delivery = DELIVERY_BARE_METAL;
	if (per_month != NULL)
		fixture_price(offer, ITEM_COMPUTE, TERM_MONTHLY, per_month,
		              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	if (per_hour != NULL)
		fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, per_hour,
		              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
	return offer;
}

static void a_day_profile_is_served_by_months_at_the_bottom_and_hours_on_top(void **state)
{
	(void)state;
	serving_by_day();
	fixture.spec.routes = 7;
	l40s_rental("20000", NULL);
	l40s_rental(NULL, "40");
	fixture_plan(&fixture);
	const struct plan *plan = &fixture.plan;

	assert_true(plan->best[ROUTE_HYBRID] >= 0);
	const struct plan_option *mix = &plan->options[plan->best[ROUTE_HYBRID]];
	const struct plan_option *pure = &plan->options[plan->best[ROUTE_RENT]];

	assert_int_equal(mix->rank, 1);
	assert_true(money_compare(mix->total, pure->total) < 0);
	assert_int_equal(mix->item_count, 2);
	assert_int_equal(mix->items[0].servers + mix->items[1].servers, plan->demand[0].servers);
	assert_adds_up();
}

/* Twenty look cheaper than they are: that price is for fifty servers. */
static void a_mix_is_not_missed_behind_ladders_that_begin_elsewhere(void **state)
{
	(void)state;
	serving_by_day();
	fixture.spec.routes = 7;
	for (int i = 0; i < 20; i++) {
		struct offer *offer = l40s_rental("90000", NULL);

		fixture_price(offer, ITEM_COMPUTE, TERM_MONTHLY, "9000",
		              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1})
		    ->min_quantity = 50;
	}
	const struct offer *committed = l40s_rental("20000", NULL);

	l40s_rental(NULL, "40");
	fixture_plan(&fixture);
	const struct plan *plan = &fixture.plan;

	assert_true(plan->best[ROUTE_HYBRID] >= 0);
	const struct plan_option *mix = &plan->options[plan->best[ROUTE_HYBRID]];

	assert_int_equal(mix->item_count, 2);
	assert_true(mix->items[0].offer->id == committed->id ||
	            mix->items[1].offer->id == committed->id);
	assert_adds_up();
}

/* Rented at 76000 a month or 200 an hour. */
static void use_two_servers_and_a_quarter(void)
{
	fixture_usage(&fixture, h100(), 2.25 * 8 * 720, 30);
	fixture.spec.routes = 7;
	struct offer *offer = fixture_rental(&fixture, "76000");

	fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, "200",
	              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
}

static void a_history_is_committed_to_at_its_base_and_paid_by_the_hour_above(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture_plan(&fixture);
	/* Two servers by the month, the third for 180 hours at 200; or all three by the month. */
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
	assert_money(fixture.plan.options[0].total, "2256000.00");
	assert_int_equal(fixture.plan.options[0].item_count, 2);
	assert_money(fixture.plan.options[1].total, "2736000.00");
	assert_adds_up();
}

/* The cabinet's power has no price: a server of one's own is 23500 a month and what that is. */
static void owning_at_an_unknown_price_hides_no_mix_that_is_known_whole(void **state)
{
	(void)state;
	use_two_servers_and_a_quarter();
	fixture_purchase(&fixture, "600000");
	fixture_cabinet(&fixture, "9000", 12000)->power_billing = POWER_METERED;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
	assert_money(fixture.plan.options[0].total, "2256000.00");
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(fixture.plan.offers_used, 3);
}

static void a_steady_need_is_no_mix(void **state)
{
	(void)state;
	serving_by_day();
	for (int hour = 0; hour < 24; hour++)
		fixture.workloads[0].serving.profile[hour] = 1;
	fixture.spec.routes = 7;
	l40s_rental("20000", NULL);
	l40s_rental(NULL, "40");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], -1);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_adds_up();
}

/* As many cards as are in use, hour by hour, of one offer: that is renting, not a mix. */
static void one_offer_by_the_hour_is_no_mix(void **state)
{
	(void)state;
	serving_by_day();
	fixture.spec.routes = 7;
	l40s_rental(NULL, "40");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], -1);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_adds_up();
}

static void one_workload_is_owned_and_the_other_rented_when_that_is_cheapest(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 40, 30);
	fixture.spec.routes = 7;
	struct offer *offer = fixture_rental(&fixture, "150000");

	fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, "220",
	              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.best[ROUTE_HYBRID], 0);
	assert_int_equal(fixture.plan.options[0].item_count, 3);
	assert_adds_up();
}

/* Money and taxes scale and turn as money and taxes do. */
static void prices_ten_times_as_high_give_the_same_order_ten_times_as_dear(void **state)
{
	(void)state;
	static const char *const small[] = {"76000", "81000.5", "75999"};
	static const char *const large[] = {"760000", "810005", "759990"};
	struct money totals[2][3];
	int64_t ids[2][3];

	for (int turn = 0; turn < 2; turn++) {
		fixture_begin(&fixture);
		fixture_usage(&fixture, h100(), 2 * 8 * 720, 30);
		for (int i = 0; i < 3; i++)
			fixture_rental(&fixture, turn == 0 ? small[i] : large[i]);
		fixture_plan(&fixture);
		for (int i = 0; i < 3; i++) {
			totals[turn][i] = fixture.plan.options[i].total;
			ids[turn][i] = fixture.plan.options[i].items[0].offer->id;
		}
		if (turn == 0)
			fixture_end(&fixture);
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(money_to_micro(totals[0][i]) * 10, money_to_micro(totals[1][i]));
		assert_int_equal(ids[0][i], ids[1][i]);
	}
}

static void a_price_with_tax_ranks_by_its_net(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	struct offer *gross = fixture_rental(&fixture, "80560");

	gross->prices[0].tax = TAX_INCLUDED;
	gross->prices[0].tax_rate_bp = 600;
	fixture_rental(&fixture, "76000");
	fixture_plan(&fixture);
	/* 80560 / 1.06 = 76000: a tie, by id. */
	assert_true(fixture.plan.options[0].ties);
	assert_money(fixture.plan.options[1].total, "912000.00");
	fixture_end(&fixture);
	fixture.spec.basis.tax = TAX_INCLUDED;
	fixture_plan(&fixture);
	assert_money(fixture.plan.options[0].total, "966720.00");
	assert_true(fixture.plan.options[0].ties);
}

static void stock_in_two_rows_serves_as_stock_in_one(void **state)
{
	(void)state;
	struct money whole;

	fixture_usage(&fixture, h100(), 4 * 8 * 720, 30);
	fixture_rental(&fixture, "76000")->servers_available = 4;
	fixture_plan(&fixture);
	whole = fixture.plan.options[0].total;
	fixture_end(&fixture);
	fixture.offers[0].servers_available = 1;
	fixture_rental(&fixture, "76000")->servers_available = 3;
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(money_compare(fixture.plan.options[0].total, whole), 0);
	assert_int_equal(fixture.plan.options[0].item_count, 2);
	assert_adds_up();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(one_server_for_a_year_costs_twelve_months),
	    TEST(the_cheapest_comes_first_and_ties_stand_by_id),
	    TEST(what_is_dearer_than_the_top_is_counted_with_the_nearest),
	    TEST(what_is_rented_for_a_hybrid_is_not_dearer_by_less_than_nothing),
	    TEST(each_requirement_keeps_out_what_misses_it),
	    TEST(a_nation_wide_price_is_used_only_when_allowed),
	    TEST(nothing_that_suits_is_an_answer),
	    TEST(a_short_stock_is_completed_by_others_at_the_least_cost),
	    TEST(for_the_same_money_an_order_goes_to_fewer_suppliers),
	    TEST(too_little_stock_everywhere_is_said),
	    TEST(buying_pairs_the_machine_with_a_cabinet_that_can_feed_it),
	    TEST(a_machine_without_a_place_has_no_partner),
	    TEST(own_servers_need_a_cabinet_only),
	    TEST(a_price_per_kwh_in_the_request_goes_before_any_table),
	    TEST(what_is_paid_a_month_is_rounded_once),
	    TEST(another_card_than_that_of_the_history_is_not_taken_unasked),
	    TEST(usage_moves_to_a_faster_card_when_asked),
	    TEST(a_budget_cuts_the_list_and_says_by_how_much),
	    TEST(a_month_as_shown_meets_a_budget_that_is_equal),
	    TEST(rows_that_may_be_the_same_machines_are_told),
	    TEST(a_flag_tells_which_offers_it_is_about),
	    TEST(two_workloads_do_not_take_the_same_last_server),
	    TEST(an_expired_offer_is_never_ranked),
	    TEST(a_foreign_price_without_a_rate_is_no_price),
	    TEST(rent_and_buy_meet_at_a_computed_point),
	    TEST(the_network_is_charged_once_and_may_come_from_another_offer),
	    TEST(the_order_of_offers_changes_no_option),
	    TEST(a_price_per_card_is_the_same_as_one_per_server),
	    TEST(a_day_profile_is_served_by_months_at_the_bottom_and_hours_on_top),
	    TEST(a_mix_is_not_missed_behind_ladders_that_begin_elsewhere),
	    TEST(a_history_is_committed_to_at_its_base_and_paid_by_the_hour_above),
	    TEST(owning_at_an_unknown_price_hides_no_mix_that_is_known_whole),
	    TEST(a_steady_need_is_no_mix),
	    TEST(one_offer_by_the_hour_is_no_mix),
	    TEST(one_workload_is_owned_and_the_other_rented_when_that_is_cheapest),
	    TEST(prices_ten_times_as_high_give_the_same_order_ten_times_as_dear),
	    TEST(a_price_with_tax_ranks_by_its_net),
	    TEST(stock_in_two_rows_serves_as_stock_in_one),
	    TEST(the_same_question_gives_the_same_answer),
	    TEST(too_little_memory_is_said_and_nothing_else_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
