/* test_plan_misses.c - each hard requirement: what keeps to it, what misses it and by how much. */
#include "tests/unit/unit.h"

#include "engine/serving_load.h"
#include "tests/unit/plan_fixture.h"

static struct fixture fixture;

/* One requirement: what is asked, an offer that misses it by GAP (0 = no number), and one that
 * keeps to it by nothing. Beside them stands one that says nothing. */
struct requirement_case {
	enum plan_reason reason;
	void (*ask)(struct spec *spec);
	void (*miss)(struct offer *offer);
	void (*keep)(struct offer *offer);
	double gap;
	bool silence_keeps; /* what says nothing keeps to it */
};

static struct date day(const char *text)
{
	struct date date;

	assert_true(date_parse(text, &date));
	return date;
}

static void ask_dates(struct spec *spec)
{
	spec->basis.start = day("2027-01-15");
}

static void miss_dates(struct offer *offer)
{
	offer->valid_to = day("2027-01-12");
}

static void keep_dates(struct offer *offer)
{
	offer->valid_to = day("2027-01-15");
}

static void ask_start_by(struct spec *spec)
{
	spec->basis.start = day("2027-01-01");
	spec->require.start_by = day("2027-01-15");
}

static void miss_start_by(struct offer *offer)
{
	offer->valid_from = day("2027-01-17");
}

static void keep_start_by(struct offer *offer)
{
	offer->valid_from = day("2027-01-15");
}

static void ask_city(struct spec *spec)
{
	spec->cities = 1u << CITY_HUIZHOU;
	spec->any_city = true;
}

static void miss_city(struct offer *offer)
{
	offer->city = CITY_DONGGUAN;
}

static void keep_city(struct offer *offer)
{
	offer->city = CITY_HUIZHOU;
}

static void ask_known_city(struct spec *spec)
{
	spec->cities = 1u << CITY_SHENZHEN;
}

static void miss_known_city(struct offer *offer)
{
	offer->city = CITY_UNKNOWN;
}

static void keep_known_city(struct offer *offer)
{
	offer->city = CITY_SHENZHEN;
}

static void ask_term(struct spec *spec)
{
	spec->terms = 1u << TERM_MONTHLY;
}

static void miss_term(struct offer *offer)
{
	offer->prices[0].term = TERM_YEARLY;
	offer->prices[0].unit = (struct unit){PER_SERVER, 1, PERIOD_YEAR, 1};
}

static void keep_term(struct offer *offer)
{
	offer->prices[0].term = TERM_MONTHLY;
}

static void ask_delivery(struct spec *spec)
{
	spec->require.delivery = DELIVERY_BARE_METAL;
}

static void miss_delivery(struct offer *offer)
{
	offer->delivery = DELIVERY_VM;
}

static void keep_delivery(struct offer *offer)
{
	offer->delivery = DELIVERY_BARE_METAL;
}

static void ask_intra_link(struct spec *spec)
{
	spec->require.intra_link = INTRA_NVLINK;
}

static void miss_intra_link(struct offer *offer)
{
	offer->intra_link = INTRA_PCIE;
}

static void keep_intra_link(struct offer *offer)
{
	offer->intra_link = INTRA_NVLINK;
}

static void ask_inter_link(struct spec *spec)
{
	spec->require.inter_link = INTER_IB;
}

static void miss_inter_link(struct offer *offer)
{
	offer->inter_link = INTER_ETHERNET;
}

static void keep_inter_link(struct offer *offer)
{
	offer->inter_link = INTER_IB;
}

static void ask_availability(struct spec *spec)
{
	spec->require.availability_ppm = 999000;
}

static void miss_availability(struct offer *offer)
{
	offer->availability_ppm = 998999;
}

static void keep_availability(struct offer *offer)
{
	offer->availability_ppm = 999000;
}

static void ask_replacement(struct spec *spec)
{
	spec->require.replacement_minutes = 240;
}

static void miss_replacement(struct offer *offer)
{
	offer->replacement_minutes = 270;
}

static void keep_replacement(struct offer *offer)
{
	offer->replacement_minutes = 240;
}

static void ask_support(struct spec *spec)
{
	spec->require.support_24x7 = true;
}

static void miss_support(struct offer *offer)
{
	offer->support_24x7 = YES_NO_NO;
}

static void keep_support(struct offer *offer)
{
	offer->support_24x7 = YES_NO_YES;
}

static void ask_power_tier(struct spec *spec)
{
	spec->require.power_tier = "2N";
}

static void miss_power_tier(struct offer *offer)
{
	offer->power_tier = "N+1";
}

static void keep_power_tier(struct offer *offer)
{
	offer->power_tier = "2n";
}

static void ask_card_age(struct spec *spec)
{
	spec->require.max_card_age_months = 36;
}

static void miss_card_age(struct offer *offer)
{
	offer->card_age_months = 40;
}

static void keep_card_age(struct offer *offer)
{
	offer->card_age_months = 36;
}

static void ask_new_cards(struct spec *spec)
{
	spec->require.new_cards = true;
}

static void miss_new_cards(struct offer *offer)
{
	offer->new_cards = YES_NO_NO;
}

static void keep_new_cards(struct offer *offer)
{
	offer->new_cards = YES_NO_YES;
}

static const char *const licences[] = {"IDC", "ISP"};

static void ask_licences(struct spec *spec)
{
	spec->require.licences = licences;
	spec->require.licence_count = 2;
}

static void miss_licences(struct offer *offer)
{
	offer->licences = "IDC";
}

static void keep_licences(struct offer *offer)
{
	offer->licences = "IDC、ISP、CDN";
}

static void ask_line(struct spec *spec)
{
	spec->line = "bgp";
}

static void miss_line(struct offer *offer)
{
	offer->line = "telecom";
}

static void keep_line(struct offer *offer)
{
	offer->line = "BGP";
}

static const struct requirement_case cases[] = {
    {REASON_NOT_VALID, ask_dates, miss_dates, keep_dates, 3, true},
    {REASON_NOT_VALID, ask_start_by, miss_start_by, keep_start_by, 2, true},
    {REASON_CITY, ask_city, miss_city, keep_city, 0, false},
    {REASON_CITY_UNKNOWN, ask_known_city, miss_known_city, keep_known_city, 0, true},
    {REASON_TERM, ask_term, miss_term, keep_term, 0, true},
    {REASON_DELIVERY, ask_delivery, miss_delivery, keep_delivery, 0, true},
    {REASON_INTRA_LINK, ask_intra_link, miss_intra_link, keep_intra_link, 0, false},
    {REASON_INTER_LINK, ask_inter_link, miss_inter_link, keep_inter_link, 0, false},
    {REASON_AVAILABILITY, ask_availability, miss_availability, keep_availability, 1, false},
    {REASON_REPLACEMENT, ask_replacement, miss_replacement, keep_replacement, 30, false},
    {REASON_SUPPORT, ask_support, miss_support, keep_support, 0, false},
    {REASON_POWER_TIER, ask_power_tier, miss_power_tier, keep_power_tier, 0, false},
    {REASON_CARD_AGE, ask_card_age, miss_card_age, keep_card_age, 4, false},
    {REASON_NOT_NEW, ask_new_cards, miss_new_cards, keep_new_cards, 0, false},
    {REASON_LICENCE, ask_licences, miss_licences, keep_licences, 0, false},
    {REASON_LINE, ask_line, miss_line, keep_line, 0, false},
};

static const struct plan_not_chosen *reason(enum plan_reason reason)
{
	for (int i = 0; i < fixture.plan.not_chosen_count; i++)
		if (fixture.plan.not_chosen[i].reason == reason)
			return &fixture.plan.not_chosen[i];
	return NULL;
}

/* Offers 1 misses and is the cheapest, 2 says nothing, 3 keeps to it. */
static void plan_case(const struct requirement_case *one, bool with_good)
{
	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	fixture_rental(&fixture, "50000");
	fixture_rental(&fixture, "60000");
	one->miss(&fixture.offers[0]);
	if (with_good)
		one->keep(fixture_rental(&fixture, "70000"));
	one->ask(&fixture.spec);
	fixture_plan(&fixture);
}

static void what_misses_a_requirement_is_out_and_says_by_how_much(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct requirement_case *one = &cases[i];
		int keeping = one->silence_keeps ? 2 : 1;

		plan_case(one, true);
		const struct plan_not_chosen *missed = reason(one->reason);

		if (fixture.plan.option_count != keeping || missed == NULL)
			fail_msg("%s: %d options", reason_names[one->reason],
			         fixture.plan.option_count);
		assert_int_equal(missed->offers, 3 - keeping);
		assert_int_equal(missed->alone, 3 - keeping);
		assert_int_equal(missed->nearest->id, 1);
		assert_int_equal(missed->has_gap, one->gap > 0);
		assert_true(missed->gap > one->gap - 1e-6 && missed->gap < one->gap + 1e-6);
		fixture_end(&fixture);
	}
}

static void where_nothing_keeps_a_requirement_the_nearest_is_named_all_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		plan_case(&cases[i], false);
		const struct plan_not_chosen *missed = reason(cases[i].reason);

		assert_int_equal(fixture.plan.option_count, cases[i].silence_keeps ? 1 : 0);
		assert_int_equal(missed->nearest->id, 1);
		fixture_end(&fixture);
	}
}

/* The percentile that is asked for counts: at p50 less is missed than at p99. */
static void a_latency_that_no_layout_keeps_is_missed_by_milliseconds(void **state)
{
	static const int percentiles[] = {50, 99};
	double gaps[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		fixture_begin(&fixture);
		struct workload *workload = &fixture.workloads[fixture.spec.workload_count++];

		*workload = (struct workload){.name = "serve", .kind = WORKLOAD_INFERENCE};
		workload->serving = fixture_serving_by_day();
		workload->serving.ttft_ms = 1;
		workload->serving.percentile = percentiles[i];
		fixture_rental(&fixture, "50000");
		fixture_plan(&fixture);
		const struct plan_not_chosen *missed = reason(REASON_TOO_SLOW);

		assert_int_equal(fixture.plan.option_count, 0);
		assert_true(missed->has_gap && missed->gap_in_ms);
		assert_int_equal(missed->offers, 1);
		gaps[i] = missed->gap;
		/* One millisecond is allowed: the gap is all the rest of the first token. */
		double best = serving_at_percentile(
		    &fixture.plan.demand[0].size.serving.replica.speed.ttft, percentiles[i]);

		assert_true(gaps[i] > best - 1.001 && gaps[i] < best - 0.999);
		fixture_end(&fixture);
	}
	assert_true(gaps[0] > 0 && gaps[1] > gaps[0]);
}

/* A card that was not asked for is the only reason where the city would do. */
static void what_two_reasons_keep_out_is_no_reasons_alone(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	fixture.spec.cities = 1u << CITY_SHENZHEN;
	for (int i = 0; i < 3; i++) {
		struct offer *offer = fixture_rental(&fixture, i == 0 ? "50000" : "60000");

		offer->card = "a100-80-sxm";
		offer->city = i == 1 ? CITY_SHENZHEN : CITY_HUIZHOU;
	}
	fixture_plan(&fixture);
	assert_int_equal(reason(REASON_OTHER_CARD)->offers, 3);
	assert_int_equal(reason(REASON_OTHER_CARD)->alone, 1);
	assert_int_equal(reason(REASON_OTHER_CARD)->nearest->city, CITY_SHENZHEN);
	fixture_end(&fixture);
}

/* The server that needs a place is no reason to buy one, so that one on sale is one too few. */
static void own_servers_make_no_stock_enough(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture_hosting(&fixture, fixture_card(&fixture, "h100-sxm"), 1);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 2 * 8 * 720, 30);
	fixture_purchase(&fixture, "2400000")->servers_available = 1;
	fixture_cabinet(&fixture, "9000", 12000);
	fixture_plan(&fixture);
	assert_int_equal(reason(REASON_STOCK)->offers, 1);
	assert_true(reason(REASON_STOCK)->gap == 1);
	fixture_end(&fixture);
}

/* "0 of 2" were kept out by their price alone, though nothing else was wrong with them. */
static void what_is_dearer_is_kept_out_by_that_alone(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	fixture.spec.top = 1;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	for (int i = 0; i < 3; i++)
		fixture_rental(&fixture, i == 0 ? "50000" : "60000");
	fixture_plan(&fixture);
	assert_int_equal(reason(REASON_DEARER)->offers, 2);
	assert_int_equal(reason(REASON_DEARER)->alone, 2);
	fixture_end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_misses_a_requirement_is_out_and_says_by_how_much),
	    cmocka_unit_test(a_latency_that_no_layout_keeps_is_missed_by_milliseconds),
	    cmocka_unit_test(where_nothing_keeps_a_requirement_the_nearest_is_named_all_the_same),
	    cmocka_unit_test(what_two_reasons_keep_out_is_no_reasons_alone),
	    cmocka_unit_test(own_servers_make_no_stock_enough),
	    cmocka_unit_test(what_is_dearer_is_kept_out_by_that_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
