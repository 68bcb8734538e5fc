/* test_plan_leased.c - a leased line from the buyer's own place, bought once for the project. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "tests/unit/plan_test.h"

static struct offer *leased_line(enum city city, const char *per_mbps)
{
	struct offer *offer = fixture_offer(&fixture, OFFER_NETWORK);

	offer->city = city;
	offer->line = LINE_DEDICATED;
	price_bandwidth(offer, per_mbps);
	return offer;
}

static struct offer *rental_in(enum city city, const char *per_month)
{
	struct offer *offer = fixture_rental(&fixture, per_month);

	offer->city = city;
	return offer;
}

/* One server all month, and so many Mbps of a leased line. */
static void ask(int mbps)
{
	fixture_usage(&fixture, h100(), 8 * 720, 30);
	fixture.spec.network.dedicated_mbps = ratio_of(mbps);
}

static int64_t total_of(int option)
{
	return money_to_micro(fixture.plan.options[option].total);
}

static void every_offer_counts_once(void)
{
	size_t counted = fixture.plan.offers_used;

	for (int i = 0; i < fixture.plan.not_chosen_count; i++)
		counted += fixture.plan.not_chosen[i].offers;
	assert_int_equal(counted, fixture.count);
}

static const struct cost_line *line_for(enum cost_what what)
{
	const struct plan_option *option = &fixture.plan.options[0];

	for (int i = 0; i < option->line_count; i++)
		if (option->lines[i]->what == what)
			return option->lines[i];
	return NULL;
}

static void a_leased_line_is_bought_from_the_cheapest_of_the_city(void **state)
{
	(void)state;
	ask(200);
	fixture_rental(&fixture, "60000");
	leased_line(CITY_SHENZHEN, "40");
	struct offer *cheap = leased_line(CITY_SHENZHEN, "30");

	leased_line(CITY_HUIZHOU, "5");
	fixture_plan(&fixture);
	/* 12 months of 60000 and of 200 Mbps at 30. */
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 30) * 1000000);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(fixture.plan.options[0].item_count, 2);
	assert_int_equal(fixture.plan.options[0].items[1].offer->id, cheap->id);
	const struct cost_line *line = line_for(COST_DEDICATED);

	assert_non_null(line);
	assert_int_equal(line->account, ACCOUNT_NETWORK_STORAGE);
	assert_int_equal(line->source.offer->id, cheap->id);
	assert_int_equal(reason(REASON_DEARER)->offers, 2);
	every_offer_counts_once();
}

static void it_is_bought_beside_public_bandwidth_and_never_as_such(void **state)
{
	(void)state;
	ask(200);
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture_rental(&fixture, "60000");
	leased_line(CITY_SHENZHEN, "10");
	price_bandwidth(fixture_offer(&fixture, OFFER_NETWORK), "80");
	fixture_plan(&fixture);
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 10 + 100 * 80) * 1000000);
	assert_int_equal(fixture.plan.offers_used, 3);
	assert_true(line_for(COST_BANDWIDTH)->source.offer->id !=
	            line_for(COST_DEDICATED)->source.offer->id);
	every_offer_counts_once();
}

/* The line to the internet that is asked for says nothing of the leased one. */
static void the_line_asked_for_is_that_of_public_access(void **state)
{
	(void)state;
	ask(200);
	fixture.spec.line = "bgp";
	fixture.spec.network.public_mbps = ratio_of(100);
	fixture_rental(&fixture, "60000")->line = "bgp";
	leased_line(CITY_SHENZHEN, "10");
	struct offer *open = fixture_offer(&fixture, OFFER_NETWORK);

	open->line = "bgp";
	price_bandwidth(open, "80");
	fixture_plan(&fixture);
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 10 + 100 * 80) * 1000000);
	/* Asked for as a way to the internet it still is none. */
	open->line = LINE_DEDICATED;
	fixture.spec.line = LINE_DEDICATED;
	fixture.offers[0].line = LINE_DEDICATED;
	fixture.spec.network.dedicated_mbps = ratio_of(0);
	fixture_end(&fixture);
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].unknown_count, 1);
	assert_int_equal(reason(REASON_LINE)->offers, 2);
}

static void without_public_access_its_sellers_are_no_line_that_is_wanted(void **state)
{
	(void)state;
	ask(200);
	fixture_rental(&fixture, "60000");
	leased_line(CITY_SHENZHEN, "10");
	struct offer *open = fixture_offer(&fixture, OFFER_NETWORK);

	price_bandwidth(open, "5");
	fixture_plan(&fixture);
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 10) * 1000000);
	assert_int_equal(reason(REASON_LINE)->nearest->id, open->id);
	every_offer_counts_once();
}

static void where_nobody_prices_it_the_total_is_a_lower_bound(void **state)
{
	(void)state;
	ask(200);
	rental_in(CITY_DONGGUAN, "50000");
	struct offer *whole = rental_in(CITY_SHENZHEN, "60000");

	leased_line(CITY_SHENZHEN, "10");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.option_count, 2);
	assert_int_equal(fixture.plan.options[0].items[0].offer->id, whole->id);
	assert_int_equal(fixture.plan.options[0].unknown_count, 0);
	assert_int_equal(fixture.plan.options[1].unknown_count, 1);
	assert_int_equal(fixture.plan.options[1].unknowns[0].what, COST_DEDICATED);
	assert_true(has_note(NOTE_PLAN_LOWER_BOUNDS));
}

/* A line that is out of date, or sold in too large steps only, is none. */
static void a_line_that_cannot_be_had_is_passed_over(void **state)
{
	(void)state;
	ask(200);
	fixture.spec.basis.today = fixture.spec.basis.start = (struct date){20000};
	fixture_rental(&fixture, "60000");
	leased_line(CITY_SHENZHEN, "10")->valid_to = (struct date){19999};
	leased_line(CITY_SHENZHEN, "20")->prices[0].min_quantity = 500;
	leased_line(CITY_SHENZHEN, "30");
	fixture_plan(&fixture);
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 30) * 1000000);
	assert_int_equal(reason(REASON_NOT_VALID)->offers, 1);
	every_offer_counts_once();
}

/* What is laid once may turn the order of two sellers. */
static void setup_counts_when_sellers_are_compared(void **state)
{
	(void)state;
	ask(200);
	fixture_rental(&fixture, "60000");
	fixture_price(leased_line(CITY_SHENZHEN, "29"), ITEM_SETUP, TERM_ONE_OFF, "5000",
	              (struct unit){PER_NONE, 1, PERIOD_ONCE, 1});
	struct offer *flat = leased_line(CITY_SHENZHEN, "30");

	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].items[1].offer->id, flat->id);
	assert_int_equal(total_of(0), INT64_C(12) * (60000 + 200 * 30) * 1000000);
}

/* Two suppliers with a server each, or cabinets for own servers: the line is bought once. */
static void it_is_bought_once_however_the_servers_are_had(void **state)
{
	(void)state;
	fixture_usage(&fixture, h100(), 16 * 720, 30);
	fixture.spec.network.dedicated_mbps = ratio_of(100);
	fixture_rental(&fixture, "60000")->servers_available = 1;
	fixture_rental(&fixture, "61000")->servers_available = 1;
	leased_line(CITY_SHENZHEN, "30");
	fixture_plan(&fixture);
	assert_int_equal(fixture.plan.options[0].item_count, 3);
	assert_int_equal(total_of(0), INT64_C(12) * (121000 + 3000) * 1000000);
	every_offer_counts_once();
	fixture_end(&fixture);
	fixture_begin(&fixture);
	fixture.spec.routes = 1u << ROUTE_BUY_AND_HOST;
	fixture_hosting(&fixture, h100(), 2);
	fixture.spec.network.dedicated_mbps = ratio_of(100);
	fixture_cabinet(&fixture, "5000", 12000);
	leased_line(CITY_SHENZHEN, "30");
	fixture_plan(&fixture);
	/* A server to a cabinet. */
	assert_int_equal(total_of(0), INT64_C(12) * (2 * 5000 + 3000) * 1000000);
	every_offer_counts_once();
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

/* The least a month for a server, and for 100 Mbps, by city; INT64_MAX = none. */
struct cheapest {
	int64_t rent[CITY_COUNT];
	int64_t line[CITY_COUNT];
};

static void add_random_offer(uint32_t *seed, char words[16], struct cheapest *cheapest)
{
	enum city city = (enum city)(CITY_SHENZHEN + next(seed) % 3);
	bool is_line = next(seed) % 4 == 0;
	int price = (int)(is_line ? next(seed) % 400 + 1 : 40000 + next(seed) % 20000);
	int64_t *lowest = is_line ? &cheapest->line[city] : &cheapest->rent[city];
	int64_t month = is_line ? (int64_t)price * 100 : price;

	snprintf(words, 16, "%d", price);
	if (is_line)
		leased_line(city, words);
	else
		rental_in(city, words);
	if (month < *lowest)
		*lowest = month;
}

/* The least for both in one city. */
static int64_t least_of_both(const struct cheapest *cheapest)
{
	int64_t least = INT64_MAX;

	for (int city = 0; city < CITY_COUNT; city++)
		if (cheapest->rent[city] != INT64_MAX && cheapest->line[city] != INT64_MAX &&
		    cheapest->rent[city] + cheapest->line[city] < least)
			least = cheapest->rent[city] + cheapest->line[city];
	return least;
}

/* Of any number of places and lines the first option is the cheapest sum of both in one city. */
static void the_cheapest_place_with_its_line_is_found_among_many(void **state)
{
	static char words[30][16];
	uint32_t seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct cheapest cheapest;

		fixture_end(&fixture);
		fixture_begin(&fixture);
		ask(100);
		fixture.spec.top = 1;
		for (int city = 0; city < CITY_COUNT; city++)
			cheapest.rent[city] = cheapest.line[city] = INT64_MAX;
		for (int i = 0; i < 30; i++)
			add_random_offer(&seed, words[i], &cheapest);
		fixture_plan(&fixture);
		assert_int_equal(total_of(0), 12 * least_of_both(&cheapest) * 1000000);
		every_offer_counts_once();
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_leased_line_is_bought_from_the_cheapest_of_the_city),
	    TEST(it_is_bought_beside_public_bandwidth_and_never_as_such),
	    TEST(the_line_asked_for_is_that_of_public_access),
	    TEST(without_public_access_its_sellers_are_no_line_that_is_wanted),
	    TEST(where_nobody_prices_it_the_total_is_a_lower_bound),
	    TEST(a_line_that_cannot_be_had_is_passed_over),
	    TEST(setup_counts_when_sellers_are_compared),
	    TEST(it_is_bought_once_however_the_servers_are_had),
	    TEST(the_cheapest_place_with_its_line_is_found_among_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
