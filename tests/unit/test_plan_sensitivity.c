/*
 * test_plan_sensitivity.c - from what value on another option wins: each answer against plans that
 * are made again from the beginning, one for every value on the way.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "tests/unit/plan_fixture.h"

#define IDS_MAX 8
#define WIN 1000000 /* a yuan */

static struct fixture fixture;

/* What is varied, beside the fixture; 1 or today's value where nothing is. */
struct market {
	double price; /* factor of what the offer PRICED asks for */
	int64_t priced;
	double kwh;
	double bandwidth;
	double utilisation;
	int months;
	double recovered;
	double life;
	bool dear_rent; /* renting costs 1.3 times as much */
	bool by_year;   /* the first rental has a price for the year too */
};

static struct market today(void)
{
	return (struct market){.price = 1,
	                       .kwh = 1,
	                       .bandwidth = 1,
	                       .utilisation = 0.5,
	                       .months = 12,
	                       .recovered = 1,
	                       .life = 5};
}

static struct offer *rental(const char *monthly, const char *hourly, const char *per_mbps)
{
	struct offer *offer = fixture_rental(&fixture, monthly);

	if (hourly != NULL)
		fixture_price(offer, ITEM_COMPUTE, TERM_HOURLY, hourly,
		              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
	fixture_price(offer, ITEM_BANDWIDTH, TERM_MONTHLY, per_mbps,
	              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
	return offer;
}

static struct money times(struct money amount, double factor)
{
	struct ratio product;
	struct money result;

	assert_true(ratio_multiply(money_to_ratio(amount), ratio_make(llround(factor * 1000), 1000),
	                           &product));
	assert_true(money_from_ratio(product, &result));
	return result;
}

/* What is changed of the offers when all of them are there. */
static void change_prices(const struct market *market)
{
	for (int i = 0; i < fixture.count; i++) {
		struct offer *offer = &fixture.offers[i];
		double factor = offer->id == market->priced ? market->price : 1;

		if (market->dear_rent && offer->kind == OFFER_RENTAL)
			factor *= 1.3;
		for (int k = 0; k < offer->price_count; k++)
			offer->prices[k].amount = times(offer->prices[k].amount, factor);
	}
}

/* Three suppliers for rent and a machine to buy with a place for it, one server for all. */
static void make_plan(const struct market *market)
{
	struct spec *spec = &fixture.spec;
	struct ratio rate = ratio_make(llround(market->kwh * 1000) * 7, 10000);

	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720 * market->utilisation,
	              30);
	spec->routes = 1u << ROUTE_RENT | 1u << ROUTE_BUY_AND_HOST;
	spec->top = 100;
	spec->full_sensitivity = true;
	spec->basis.months = market->months;
	assert_true(date_parse("2026-12-01", &spec->basis.start));
	spec->network.public_mbps = ratio_make(llround(market->bandwidth * 10) * 10, 1);
	cost_basis_give(&spec->basis, ASSUME_BOOK_VALUE,
	                ratio_make(llround(market->recovered * 100), 100));
	cost_basis_give(&spec->basis, ASSUME_LIFE_YEARS,
	                ratio_make(llround(market->life * 10), 10));
	spec->has_kwh_price = true;
	assert_true(money_from_ratio(rate, &spec->kwh_price));
	struct offer *first = rental("60000", NULL, "60");

	if (market->by_year)
		fixture_price(first, ITEM_COMPUTE, TERM_YEARLY, "500000",
		              (struct unit){PER_SERVER, 1, PERIOD_YEAR, 1});
	rental("63000", NULL, "15");
	rental("90000", "200", "40");
	fixture_price(fixture_purchase(&fixture, "3000000"), ITEM_SETUP, TERM_ONE_OFF, "80000",
	              (struct unit){PER_SERVER, 1, PERIOD_ONCE, 1});
	struct offer *cabinet = fixture_cabinet(&fixture, "6000", 12000);

	cabinet->power_billing = POWER_METERED;
	cabinet->mbps_included = 100;
	fixture_price(cabinet, ITEM_BANDWIDTH, TERM_MONTHLY, "80",
	              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
	change_prices(market);
	fixture_plan(&fixture);
}

/* ---- The same option in another plan ---- */

struct ids {
	int64_t of[IDS_MAX];
	int count;
};

static struct ids ids_of(const struct plan_option *option)
{
	struct ids ids = {.count = option->item_count};

	for (int i = 0; i < option->item_count; i++)
		ids.of[i] = option->items[i].offer->id;
	return ids;
}

/* The total of the option with IDS in the plan at hand. */
static int64_t total_of(const struct ids *ids)
{
	for (int i = 0; i < fixture.plan.option_count; i++) {
		struct ids other = ids_of(&fixture.plan.options[i]);

		if (memcmp(&other, ids, sizeof other) == 0)
			return money_to_micro(fixture.plan.options[i].total);
	}
	fail_msg("the option is gone");
	return 0;
}

static void set_figure(struct market *market, enum sensitivity_what what, double value)
{
	switch (what) {
	case SENSITIVE_PRICE:
		market->price = value;
		return;
	case SENSITIVE_UTILISATION:
		market->utilisation = value;
		return;
	case SENSITIVE_KWH:
		market->kwh = value;
		return;
	case SENSITIVE_MONTHS:
		market->months = (int)llround(value);
		return;
	case SENSITIVE_BANDWIDTH:
		market->bandwidth = value;
		return;
	case SENSITIVE_BOOK_VALUE:
		market->recovered = value;
		return;
	case SENSITIVE_LIFE:
		market->life = value;
		return;
	}
}

/* Plans with the figure at VALUE; by how much the cheapest is below FIRST. */
static int64_t lead_at(struct market market, enum sensitivity_what what, double value,
                       const struct ids *first, struct ids *winner)
{
	set_figure(&market, what, value);
	make_plan(&market);
	int64_t lead = total_of(first) - money_to_micro(fixture.plan.options[0].total);

	*winner = ids_of(&fixture.plan.options[0]);
	fixture_end(&fixture);
	return lead;
}

static double step_of(enum sensitivity_what what)
{
	static const double steps[SENSITIVITY_COUNT] = {
	    [SENSITIVE_PRICE] = 0.001,   [SENSITIVE_UTILISATION] = 0.01,
	    [SENSITIVE_KWH] = 0.001,     [SENSITIVE_MONTHS] = 1,
	    [SENSITIVE_BANDWIDTH] = 0.1, [SENSITIVE_BOOK_VALUE] = 0.01,
	    [SENSITIVE_LIFE] = 0.1,
	};

	return steps[what];
}

/* TURN, between today and END, is where plans made again change their winner, and not before. */
static void check_turn(const struct market *market, const struct plan_sensitivity *at,
                       const struct sensitivity_turn *turn, double end, const struct ids ids[])
{
	double step = step_of(at->what) * (end < at->from ? -1 : 1);
	double last = turn->found ? turn->at - step : end;
	int values = (int)llround((last - at->from) / step);
	/* Every value on the way, or of very many some of them and those next to the turn. */
	int stride = values > 200 ? 97 : 1;
	struct ids winner;

	for (int k = 1; k <= values; k += k < values - 3 && k + stride > values - 3 ? 1 : stride) {
		double value = at->from + k * step;

		if (lead_at(*market, at->what, value, &ids[0], &winner) >= WIN)
			fail_msg("%s: another wins at %g already", sensitivity_names[at->what],
			         value);
	}
	if (!turn->found)
		return;
	assert_true(lead_at(*market, at->what, turn->at, &ids[0], &winner) >= WIN);
	assert_memory_equal(&winner, &ids[turn->winner], sizeof winner);
}

/* The figures in which something turns, as bits: below 1u << 2 * what, above the next. */
static unsigned check_all(const struct market *market)
{
	struct plan_sensitivity found[SENSITIVITY_COUNT];
	int64_t priced[SENSITIVITY_COUNT];
	struct ids ids[16];
	unsigned turns = 0;

	make_plan(market);
	int count = fixture.plan.sensitivity_count;

	assert_true(fixture.plan.option_count <= 16);
	for (int i = 0; i < fixture.plan.option_count; i++)
		ids[i] = ids_of(&fixture.plan.options[i]);
	for (int i = 0; i < count; i++) {
		found[i] = fixture.plan.sensitivity[i];
		priced[i] = found[i].offer == NULL ? 0 : found[i].offer->id;
	}
	fixture_end(&fixture);
	for (int i = 0; i < count; i++) {
		struct market varied = *market;
		unsigned what = found[i].what;

		varied.priced = priced[i];
		check_turn(&varied, &found[i], &found[i].below, found[i].least, ids);
		check_turn(&varied, &found[i], &found[i].above, found[i].most, ids);
		turns |= (found[i].below.found ? 1u : 0) << 2 * what;
		turns |= (found[i].above.found ? 2u : 0) << 2 * what;
	}
	return turns;
}

static bool has(unsigned turns, enum sensitivity_what what, bool above)
{
	return (turns >> (2 * what + (above ? 1 : 0)) & 1) != 0;
}

static void what_wins_when_renting_is_cheapest_is_what_wins_in_a_plan_made_then(void **state)
{
	(void)state;
	struct market market = today();
	unsigned turns = check_all(&market);

	assert_true(has(turns, SENSITIVE_PRICE, true));
	assert_true(has(turns, SENSITIVE_BANDWIDTH, false));
	assert_false(has(turns, SENSITIVE_PRICE, false));
}

static void what_wins_when_buying_is_cheapest_is_what_wins_in_a_plan_made_then(void **state)
{
	(void)state;
	struct market market = today();

	market.dear_rent = true;
	unsigned turns = check_all(&market);

	assert_true(has(turns, SENSITIVE_BOOK_VALUE, false));
	assert_true(has(turns, SENSITIVE_LIFE, false));
	assert_true(has(turns, SENSITIVE_UTILISATION, false));
	assert_true(has(turns, SENSITIVE_MONTHS, false));
	assert_true(has(turns, SENSITIVE_KWH, true));
}

static void terms_longer_than_a_month_turn_at_the_very_month(void **state)
{
	(void)state;
	struct market market = today();

	market.by_year = true;
	/* A year at 500000 pays from the 9th month on. */
	assert_true(has(check_all(&market), SENSITIVE_MONTHS, false));
	market.months = 7;
	assert_true(has(check_all(&market), SENSITIVE_MONTHS, true));
}

static void lines_alone_are_looked_at_unless_all_is_asked_for(void **state)
{
	(void)state;
	struct market market = today();

	make_plan(&market);
	assert_int_equal(fixture.plan.sensitivity_count, SENSITIVITY_COUNT);
	fixture.spec.full_sensitivity = false;
	fixture_end(&fixture);
	fixture_plan(&fixture);
	for (int i = 0; i < fixture.plan.sensitivity_count; i++) {
		enum sensitivity_what what = fixture.plan.sensitivity[i].what;

		assert_true(what == SENSITIVE_PRICE || what == SENSITIVE_KWH ||
		            what == SENSITIVE_BOOK_VALUE || what == SENSITIVE_LIFE);
	}
	assert_int_equal(fixture.plan.sensitivity_count, 4);
	fixture_end(&fixture);
}

static const struct plan_sensitivity *entry(enum sensitivity_what what)
{
	for (int i = 0; i < fixture.plan.sensitivity_count; i++)
		if (fixture.plan.sensitivity[i].what == what)
			return &fixture.plan.sensitivity[i];
	return NULL;
}

static void cards_that_are_busy_all_the_time_are_not_searched_beyond(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 2.25 * 8 * 720, 30);
	fixture.spec.full_sensitivity = true;
	fixture.spec.routes = 7;
	fixture_price(fixture_rental(&fixture, "76000"), ITEM_COMPUTE, TERM_HOURLY, "200",
	              (struct unit){PER_SERVER, 1, PERIOD_HOUR, 1});
	fixture_plan(&fixture);
	const struct plan_sensitivity *utilisation = entry(SENSITIVE_UTILISATION);

	/* Two of its three servers run through already. */
	assert_int_equal(fixture.plan.options[0].route, ROUTE_HYBRID);
	assert_true(fabs(utilisation->from - 0.75) < 1e-9);
	assert_true(utilisation->most <= utilisation->from);
	assert_false(utilisation->above.found);
	assert_true(utilisation->least < 0.02);
	fixture_end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_wins_when_renting_is_cheapest_is_what_wins_in_a_plan_made_then),
	    cmocka_unit_test(what_wins_when_buying_is_cheapest_is_what_wins_in_a_plan_made_then),
	    cmocka_unit_test(terms_longer_than_a_month_turn_at_the_very_month),
	    cmocka_unit_test(cards_that_are_busy_all_the_time_are_not_searched_beyond),
	    cmocka_unit_test(lines_alone_are_looked_at_unless_all_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
