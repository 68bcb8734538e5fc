/* test_plan_once.c - what the project needs once is bought where that is cheapest, whatever the
 * order of the workloads. */
#include "tests/unit/unit.h"

#include "tests/unit/plan_test.h"

static const char *const cards[] = {"h100-sxm", "a100-80-sxm", "l40s"};

static struct offer *rental_of(const char *card, const char *per_month)
{
	struct offer *offer = fixture_rental(&fixture, per_month);

	offer->card = card;
	return offer;
}

/* Suppliers of three cards, of which some sell or include bandwidth and some do not. */
static void make_market(void)
{
	price_bandwidth(rental_of("h100-sxm", "76000"), "60");
	price_bandwidth(rental_of("h100-sxm", "75000"), "90");
	rental_of("a100-80-sxm", "30000");
	rental_of("a100-80-sxm", "32500")->mbps_included = 100;
	price_bandwidth(rental_of("l40s", "15000"), "40");
	price_bandwidth(rental_of("l40s", "16000"), "18");
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000)->mbps_included = 10;
	price_bandwidth(fixture_offer(&fixture, OFFER_NETWORK), "55");
}

/* All totals in the order shown; their number. */
static int totals_of(const int order[3], int64_t totals[64])
{
	fixture_begin(&fixture);
	fixture.spec.routes = 7;
	fixture.spec.network.public_mbps = ratio_of(100);
	for (int i = 0; i < 3; i++)
		fixture_usage(&fixture, fixture_card(&fixture, cards[order[i]]), 8 * 720, 30);
	make_market();
	fixture_plan(&fixture);
	for (int i = 0; i < fixture.plan.option_count; i++)
		totals[i] = money_to_micro(fixture.plan.options[i].total);
	return fixture.plan.option_count;
}

static void the_order_of_workloads_changes_no_total(void **state)
{
	(void)state;
	static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
	                                 {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	int64_t first[64], totals[64];
	int count = totals_of(orders[0], first);

	assert_true(count > 10);
	/* 59500 a month for a machine of one's own, 32500 with the bandwidth in it, and 15000. */
	assert_int_equal(first[0], 12 * 107000000000);
	for (int i = 1; i < 6; i++) {
		fixture_end(&fixture);
		assert_int_equal(totals_of(orders[i], totals), count);
		for (int k = 0; k < count; k++)
			assert_int_equal(totals[k], first[k]);
	}
}

/* What two items say and cost. */
static bool say_the_same(const struct plan_option *x, const struct plan_item *a,
                         const struct plan_option *y, const struct plan_item *b)
{
	if (a->workload != b->workload || a->offer->id != b->offer->id ||
	    a->servers != b->servers || a->line_count != b->line_count)
		return false;
	for (int i = 0; i < a->line_count; i++) {
		const struct cost_line *s = x->lines[a->first_line + i];
		const struct cost_line *t = y->lines[b->first_line + i];

		if (s->what != t->what || money_compare(s->amount, t->amount) != 0)
			return false;
	}
	return true;
}

static void items_of_one_number_are_the_same_and_no_others_are(void **state)
{
	(void)state;
	static const int order[3] = {0, 1, 2};
	int64_t totals[64];
	const struct plan *plan = &fixture.plan;
	int shared = 0;

	totals_of(order, totals);
	for (int x = 0; x < plan->option_count; x++)
		for (int y = 0; y < x; y++)
			for (int i = 0; i < plan->options[x].item_count; i++)
				for (int k = 0; k < plan->options[y].item_count; k++) {
					const struct plan_item *a = &plan->options[x].items[i];
					const struct plan_item *b = &plan->options[y].items[k];

					assert_true(a->number < plan->item_count);
					assert_int_equal(a->number == b->number,
					                 say_the_same(&plan->options[x], a,
					                              &plan->options[y], b));
					shared += a->number == b->number;
				}
	assert_true(shared > 20);
}

static void of_the_same_offers_only_the_cheapest_carrier_is_shown(void **state)
{
	(void)state;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	fixture_usage(&fixture, fixture_card(&fixture, "l40s"), 8 * 720, 30);
	fixture.spec.network.public_mbps = ratio_of(100);
	price_bandwidth(rental_of("h100-sxm", "76000"), "60");
	price_bandwidth(rental_of("l40s", "15000"), "40");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].carrier, 1);
	assert_int_equal(money_to_micro(fixture.plan.options[0].total), 12 * 95000000000);
}

static void a_complete_assignment_goes_before_one_that_leaves_the_network_open(void **state)
{
	(void)state;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	fixture_usage(&fixture, fixture_card(&fixture, "l40s"), 8 * 720, 30);
	fixture.spec.network.public_mbps = ratio_of(100);
	rental_of("h100-sxm", "76000");
	price_bandwidth(rental_of("l40s", "15000"), "40");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 1);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(fixture.plan.options[0].carrier, 1);
}

/* A dear card that serves users as well, after a cheap one that sells bandwidth for less. */
static void ask_beside_serving(enum serving_mode mode)
{
	fixture_usage(&fixture, fixture_card(&fixture, "l40s"), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 1, 30);
	fixture.workloads[1] = (struct workload){
	    .name = "serving", .kind = WORKLOAD_INFERENCE, .serving = fixture_serving_by_day()};
	fixture.workloads[1].serving.mode = mode;
	fixture.spec.network.public_mbps = ratio_of(100);
	price_bandwidth(rental_of("l40s", "15000"), "20");
	price_bandwidth(rental_of("h100-sxm", "76000"), "60");
	fixture_plan(&fixture);
	assert_true(fixture.plan.option_count > 0);
}

static void public_access_is_bought_where_users_are_served(void **state)
{
	(void)state;
	ask_beside_serving(MODE_ONLINE);
	assert_int_equal(fixture.plan.options[0].carrier, 1);
	fixture_end(&fixture);
	fixture_begin(&fixture);
	ask_beside_serving(MODE_UNSET);
	assert_int_equal(fixture.plan.options[0].carrier, 1);
}

static void an_offline_job_serves_nobody(void **state)
{
	(void)state;
	ask_beside_serving(MODE_OFFLINE);
	assert_int_equal(fixture.plan.options[0].carrier, 0);
}

static void storage_alone_is_bought_where_it_is_cheapest(void **state)
{
	(void)state;
	const struct unit per_tb = {PER_TB, 1, PERIOD_MONTH, 1};

	fixture_usage(&fixture, fixture_card(&fixture, "l40s"), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 1, 30);
	fixture.workloads[1] = (struct workload){
	    .name = "serving", .kind = WORKLOAD_INFERENCE, .serving = fixture_serving_by_day()};
	fixture.spec.network.storage_tb = ratio_of(10);
	fixture_price(rental_of("l40s", "15000"), ITEM_STORAGE, TERM_MONTHLY, "100", per_tb);
	fixture_price(rental_of("h100-sxm", "76000"), ITEM_STORAGE, TERM_MONTHLY, "300", per_tb);
	fixture_plan(&fixture);
	assert_true(fixture.plan.option_count > 0);
	assert_int_equal(fixture.plan.options[0].carrier, 0);
}

static void among_equal_carriers_the_first_is_named(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.network.public_mbps = ratio_of(100);
	rental_of("h100-sxm", "76000");
	price_bandwidth(fixture_offer(&fixture, OFFER_NETWORK), "20");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].carrier, 0);
}

static void the_only_workload_carries_what_is_needed_once(void **state)
{
	(void)state;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	rental_of("h100-sxm", "76000");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].carrier, -1);
	fixture_end(&fixture);
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].carrier, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_order_of_workloads_changes_no_total),
	    TEST(items_of_one_number_are_the_same_and_no_others_are),
	    TEST(of_the_same_offers_only_the_cheapest_carrier_is_shown),
	    TEST(a_complete_assignment_goes_before_one_that_leaves_the_network_open),
	    TEST(public_access_is_bought_where_users_are_served),
	    TEST(an_offline_job_serves_nobody),
	    TEST(storage_alone_is_bought_where_it_is_cheapest),
	    TEST(among_equal_carriers_the_first_is_named),
	    TEST(the_only_workload_carries_what_is_needed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
