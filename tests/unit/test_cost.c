/* test_cost.c - bills, tax, renting: exact, on one basis, whatever the sheet's unit. */
#include "tests/unit/unit.h"

#include <string.h>

#include "engine/cost_extras.h"
#include "engine/cost_flags.h"
#include "engine/cost_rent.h"
#include "tests/unit/cost_fixture.h"

static struct bill bill;

static struct rent_need need_of(int cards, int64_t hours)
{
	return (struct rent_need){
	    .cards = cards, .hours_per_month = ratio_of(hours), .terms = TERMS_ALL_BUT_SPOT};
}

/* Rents all hours, all terms but spot; the bill is finished. */
static enum cost_status rent(const struct cost_basis *basis, const struct fixture *fixture,
                             int cards)
{
	struct rent_need need = need_of(cards, basis->hours_per_month);

	bill_start(&bill);
	enum cost_status status = cost_rent(basis, &fixture->offer, &need, &bill, NULL);

	return status != COST_OK ? status : bill_finish(basis, ratio_of(0), &bill);
}

/* A small repeatable generator; the tests must not differ from run to run. */
static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* ---- Tax ---- */

static void check_tax_round_trip(int64_t fen, int rate_bp)
{
	struct price gross = {.item = ITEM_COMPUTE,
	                      .amount = money_from_micro(fen * 10000),
	                      .unit = SERVER_MONTH,
	                      .currency = "CNY",
	                      .tax = TAX_INCLUDED,
	                      .tax_rate_bp = rate_bp};
	struct cost_basis basis = cost_basis_default();
	struct basis_price net;
	struct ratio back;

	assert_int_equal(cost_price_on_basis(&basis, &gross, NULL, &net), COST_OK);
	assert_true(ratio_multiply(net.net, ratio_make(10000 + rate_bp, 10000), &back));
	assert_int_equal(ratio_compare(back, ratio_make(fen, 100)), 0);
}

static void tax_taken_out_and_put_back_is_the_same_price(void **state)
{
	static const int rates[] = {1300, 900, 600, 300, 0};

	(void)state;
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		for (int64_t fen = 1; fen <= 2000; fen++)
			check_tax_round_trip(fen, rates[i]);
		for (int64_t fen = 2001; fen <= 100000000; fen += 9973)
			check_tax_round_trip(fen, rates[i]);
	}
	check_tax_round_trip(5000000, 600); /* 50,000 came back as 50,001 elsewhere */
}

static void check_net(const char *amount, int rate_bp, const char *wanted)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	fixture_start(&fixture);
	struct price *price =
	    fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, amount, SERVER_MONTH);

	price->tax = TAX_INCLUDED;
	price->tax_rate_bp = rate_bp;
	basis.months = 1;
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, wanted);
}

static void prices_net_of_tax_are_the_known_figures(void **state)
{
	(void)state;
	check_net("3300000", 1300, "2920353.98");
	check_net("90000", 600, "84905.66");
	check_net("9593", 600, "9050.00");
}

static void unknown_tax_is_never_taken_too_cheap(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "9050", SERVER_MONTH)->tax =
	    TAX_UNKNOWN;
	basis.months = 1;
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "9050.00");
	assert_non_null(cost_flag_find(&bill.flags, FLAG_TAX_UNKNOWN));
	basis.tax = TAX_INCLUDED;
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "9593.00");
}

static void a_rate_that_is_not_stated_is_reported_as_assumed(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "9050", SERVER_MONTH)->tax_rate_bp = -1;
	basis.tax = TAX_INCLUDED;
	basis.months = 1;
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "9593.00");
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_SERVICE_VAT) != 0);
	cost_basis_give(&basis, ASSUME_SERVICE_VAT, ratio_make(3, 100));
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "9321.50");
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_SERVICE_VAT) == 0);
}

/* ---- Units ---- */

static const char *rent_total(const char *amount, struct unit unit, enum price_term term,
                              int hours_per_month, int cards)
{
	static char text[MONEY_TEXT_SIZE];
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, term, amount, unit);
	basis.hours_per_month = hours_per_month;
	assert_int_equal(rent(&basis, &fixture, cards), COST_OK);
	money_format(bill.total, text);
	return text;
}

static void quoting_by_card_server_or_eight_cards_gives_one_total(void **state)
{
	struct unit eight = {PER_CARD, 8, PERIOD_MONTH, 1};
	struct unit year = {PER_SERVER, 1, PERIOD_YEAR, 1};

	(void)state;
	assert_string_equal(rent_total("76000", SERVER_MONTH, TERM_MONTHLY, 720, 32), "3648000.00");
	assert_string_equal(rent_total("9500", CARD_MONTH, TERM_MONTHLY, 720, 32), "3648000.00");
	assert_string_equal(rent_total("76000", eight, TERM_MONTHLY, 720, 32), "3648000.00");
	assert_string_equal(rent_total("912000", year, TERM_MONTHLY, 720, 32), "3648000.00");
}

static void a_month_has_the_hours_that_the_basis_says(void **state)
{
	struct unit thirty_days = {PER_SERVER, 1, PERIOD_DAY, 30};

	(void)state;
	/* 8 cards x 12 months: by the hour the basis decides, by the month it does not. */
	assert_string_equal(rent_total("10", CARD_HOUR, TERM_HOURLY, 720, 8), "691200.00");
	assert_string_equal(rent_total("10", CARD_HOUR, TERM_HOURLY, 730, 8), "700800.00");
	assert_string_equal(rent_total("76000", SERVER_MONTH, TERM_MONTHLY, 730, 8), "912000.00");
	assert_string_equal(rent_total("72000", thirty_days, TERM_MONTHLY, 720, 8), "864000.00");
	assert_string_equal(rent_total("72000", thirty_days, TERM_MONTHLY, 730, 8), "876000.00");
}

static void more_hours_than_a_month_has_are_the_whole_month(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(8, 744);

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "10", CARD_HOUR);
	basis.months = 1;
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, NULL), COST_OK);
	assert_money(bill.lines[0].amount, "57600.00");
}

static void n_cards_cost_n_times_one_card(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.cards_per_server = 0;
	fixture.offer.delivery = DELIVERY_CONTAINER;
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "1.98", CARD_HOUR);
	basis.months = 1;
	for (int n = 1; n <= 1024; n++) {
		struct money wanted = money_from_micro((int64_t)n * 1980000 * 720);

		assert_int_equal(rent(&basis, &fixture, n), COST_OK);
		assert_int_equal(money_compare(bill.total, wanted), 0);
	}
}

static void an_hourly_price_comes_out_as_the_same_price_per_card_hour(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(16, 300);

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "13.194444", CARD_HOUR);
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, NULL), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(16 * 300 * 12), &bill), COST_OK);
	assert_money(bill.per_card_hour, "13.194444");
}

static void whole_servers_are_rented_unless_single_cards_are_sold(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "13", CARD_HOUR);
	assert_int_equal(rent_lot_cards(&fixture.offer), 8);
	fixture.offer.delivery = DELIVERY_VM;
	assert_int_equal(rent_lot_cards(&fixture.offer), 1);
	fixture.offer.delivery = DELIVERY_UNKNOWN;
	fixture.offer.cards_per_server = 0;
	assert_int_equal(rent_lot_cards(&fixture.offer), 1);
	fixture.prices[0].unit = (struct unit){PER_CARD, 8, PERIOD_MONTH, 1};
	assert_int_equal(rent_lot_cards(&fixture.offer), 8);
	fixture.prices[0].unit = SERVER_MONTH;
	assert_int_equal(rent_lot_cards(&fixture.offer), 0);
}

/* ---- The mix of terms against brute force ---- */

struct rates {
	bool has[4]; /* hour, month, quarter, year */
	int64_t price[4];
	int months;
	int min_term;
	int64_t hours;
};

/* Everything that could be bought, by plain loops; -1 = nothing covers the months. */
static int64_t cheapest_by_hand(const struct rates *rates)
{
	int64_t best = -1;
	int most = rates->months > rates->min_term ? rates->months : rates->min_term;

	for (int y = 0; y <= (rates->has[3] ? most / 12 + 1 : 0); y++)
		for (int q = 0; q <= (rates->has[2] ? most / 3 + 1 : 0); q++)
			for (int m = 0; m <= (rates->has[1] ? most : 0); m++) {
				int committed = 12 * y + 3 * q + m;
				int rest = rates->months - committed;
				int64_t cost = rates->price[3] * 12 * y + rates->price[2] * 3 * q +
				               rates->price[1] * m;

				if (committed > 0 && committed < rates->min_term)
					continue;
				if (rest > 0 && !rates->has[0])
					continue;
				cost += rest > 0 ? rates->price[0] * rates->hours * rest : 0;
				if (best < 0 || cost < best)
					best = cost;
			}
	return best;
}

static struct rates random_rates(uint32_t *seed)
{
	struct rates rates = {
	    .months = 1 + (int)(next(seed) % 30),
	    .min_term = (int)(next(seed) % 3) * 5,
	    .hours = 1 + next(seed) % 720,
	};

	for (int i = 0; i < 4; i++) {
		rates.has[i] = next(seed) % 4 != 0;
		rates.price[i] =
		    i == 0 ? 60 + next(seed) % 200 : 30000 + (int64_t)(next(seed) % 60000);
	}
	return rates;
}

static void check_mix(const struct rates *rates)
{
	static const enum price_term terms[4] = {TERM_HOURLY, TERM_MONTHLY, TERM_QUARTERLY,
	                                         TERM_YEARLY};
	struct unit units[4] = {
	    {PER_SERVER, 1, PERIOD_HOUR, 1}, SERVER_MONTH, SERVER_MONTH, SERVER_MONTH};
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(8, rates->hours);
	struct ratio bound;
	int64_t wanted = cheapest_by_hand(rates);

	fixture_start(&fixture);
	fixture.offer.min_term_months = rates->min_term;
	basis.months = rates->months;
	for (int i = 0; i < 4; i++)
		if (rates->has[i])
			fixture_price(&fixture, ITEM_COMPUTE, terms[i], "1", units[i])->amount =
			    money_from_yuan(rates->price[i]);
	bill_start(&bill);
	enum cost_status status = cost_rent(&basis, &fixture.offer, &need, &bill, NULL);

	assert_int_equal(status, wanted < 0 ? COST_NO_PRICE : COST_OK);
	if (wanted < 0)
		return;
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_int_equal(money_compare(bill.total, money_from_yuan(wanted)), 0);
	assert_int_equal(cost_rent_bound(&basis, &fixture.offer, TERMS_ALL_BUT_SPOT, &bound),
	                 COST_OK);
	assert_true(ratio_multiply(bound, ratio_of(8 * rates->hours * rates->months), &bound));
	assert_true(ratio_compare(bound, ratio_of(wanted)) <= 0);
}

static void the_mix_of_terms_is_the_cheapest_of_all(void **state)
{
	uint32_t seed = 20261130;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		struct rates rates = random_rates(&seed);

		check_mix(&rates);
	}
}

/* A year at 11900 with 13 %, or 12 months at 1000 with 3 %: 13447 and 12360 with their VAT. */
static void tax_that_is_not_deducted_decides_between_terms(void **state)
{
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(8, 720);
	struct fixture fixture;
	struct rent_mix mix;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_YEARLY, "11900",
	              (struct unit){PER_SERVER, 1, PERIOD_YEAR, 1})
	    ->tax_rate_bp = 1300;
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "1000", SERVER_MONTH)->tax_rate_bp =
	    300;
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, &mix), COST_OK);
	assert_int_equal(mix.years, 1);
	cost_basis_give(&basis, ASSUME_VAT_DEDUCTIBLE, ratio_of(0));
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, &mix), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_int_equal(mix.months, 12);
	assert_money(bill.total, "12360.00");
}

static void spot_is_used_only_when_allowed(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(8, 100);
	struct rent_mix mix;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "2.19", CARD_HOUR);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_SPOT, "1.19", CARD_HOUR);
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, &mix), COST_OK);
	assert_false(mix.spot);
	assert_int_equal(bill.lines[0].what, COST_RENT_HOURLY);
	need.terms |= 1u << TERM_SPOT;
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, &mix), COST_OK);
	assert_true(mix.spot);
	assert_int_equal(bill.lines[0].what, COST_RENT_SPOT);
	assert_non_null(cost_flag_find(&bill.flags, FLAG_PREEMPTIBLE));
	assert_money(bill.lines[0].amount, "11424.00");
}

static void a_ladder_applies_from_its_first_server(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "80000", SERVER_MONTH);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "79000", SERVER_MONTH)->min_quantity =
	    4;
	basis.months = 1;
	assert_int_equal(rent(&basis, &fixture, 24), COST_OK);
	assert_money(bill.total, "240000.00");
	assert_int_equal(rent(&basis, &fixture, 32), COST_OK);
	assert_money(bill.total, "316000.00");
	fixture.prices[1].amount = money_from_yuan(59000); /* 4 x 59000 < 3 x 80000 */
	assert_int_equal(rent(&basis, &fixture, 24), COST_OK);
	assert_money(bill.total, "236000.00");
	fixture.offer.servers_available = 3; /* but there are only three */
	assert_int_equal(rent(&basis, &fixture, 24), COST_OK);
	assert_money(bill.total, "240000.00");
	assert_int_equal(rent(&basis, &fixture, 32), COST_NO_STOCK);
}

/* Two servers all month and one for ten hours, ordered together. */
static void a_part_of_an_order_is_charged_at_the_step_of_the_whole(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need month = need_of(16, 720);
	struct rent_need hours = need_of(8, 10);

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "80000", SERVER_MONTH);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "70000", SERVER_MONTH)->min_quantity =
	    3;
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "20", CARD_HOUR);
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "500", ONCE_EACH(PER_SERVER));
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "900", ONCE_EACH(PER_NONE));
	basis.months = 1;
	month.order = (struct rent_order_part){.cards = 24, .servers = 3};
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &month, &bill, NULL), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, "142400.00"); /* 2 x 70000 + 3 x 500 + 900 */
	hours.order = (struct rent_order_part){.cards = 24, .servers = 3, .is_rest = true};
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &hours, &bill, NULL), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, "1600.00"); /* 8 x 10 x 20 */
	fixture.offer.servers_available = 2;
	assert_int_equal(cost_rent(&basis, &fixture.offer, &hours, &bill, NULL), COST_NO_STOCK);
}

static void cards_that_an_order_has_to_spare_are_paid_for(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need hours = need_of(8, 10);
	struct rent_mix mix;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "20", CARD_HOUR);
	basis.months = 1;
	hours.order =
	    (struct rent_order_part){.cards = 32, .servers = 3, .spare = 8, .is_rest = true};
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &hours, &bill, &mix), COST_OK);
	assert_int_equal(mix.lots, 2);
	assert_money(bill.lines[0].amount, "3200.00");
	assert_non_null(cost_flag_find(&bill.flags, FLAG_MORE_THAN_NEEDED));
}

static void a_month_below_half_of_its_hours_is_flagged(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "10", CARD_HOUR);
	/* Half of 10 x 720 x 8 is 28800. */
	struct price *month =
	    fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "28800", SERVER_MONTH);

	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_null(cost_flag_find(&bill.flags, FLAG_MONTH_BELOW_HALF));
	assert_true(money_parse("28799.99", &month->amount));
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	const struct cost_flag *flag = cost_flag_find(&bill.flags, FLAG_MONTH_BELOW_HALF);

	assert_non_null(flag);
	assert_ratio(flag->x, 6, "4.999998");
	assert_ratio(flag->y, 2, "10.00");
}

static void rent_is_refused_with_its_reason(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	assert_int_equal(rent(&basis, &fixture, 8), COST_NO_PRICE);
	struct price *price =
	    fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "76000", CABINET_MONTH);

	assert_int_equal(rent(&basis, &fixture, 8), COST_WRONG_UNIT);
	price->unit = SERVER_MONTH;
	memcpy(price->currency, "USD", 4);
	assert_int_equal(rent(&basis, &fixture, 8), COST_NO_RATE);
	memcpy(price->currency, "CNY", 4);
	fixture.offer.cards_per_server = 0;
	assert_int_equal(rent(&basis, &fixture, 8), COST_NO_SERVER_SIZE);
}

static void a_minimum_term_beyond_reason_ends_the_search_and_leaves_the_hours(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.min_term_months = INT32_MAX;
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "76000", SERVER_MONTH);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_QUARTERLY, "70000", SERVER_MONTH);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_YEARLY, "60000", SERVER_MONTH);
	assert_int_equal(rent(&basis, &fixture, 8), COST_NO_PRICE);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "10", CARD_HOUR);
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "691200.00");
}

static void a_minimum_term_of_machines_does_not_hold_their_bandwidth(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct network_need network = {.public_mbps = ratio_of(100),
	                               .mbps_95 = ratio_of(0),
	                               .egress_gb = ratio_of(0),
	                               .dataset_tb_in = ratio_of(0),
	                               .storage_tb = ratio_of(0)};

	(void)state;
	fixture_start(&fixture);
	fixture.offer.min_term_months = 12;
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "20", MBPS_MONTH);
	basis.months = 1;
	bill_start(&bill);
	assert_int_equal(cost_network(&basis, &fixture.offer, NULL, &network, &bill), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, "2000.00");
}

static void setup_counted_by_something_unknown_is_unknown(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "10", CARD_HOUR);
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "500", ONCE_EACH(PER_CABINET));
	basis.months = 1;
	assert_int_equal(rent(&basis, &fixture, 8), COST_OK);
	assert_money(bill.total, "57600.00");
	assert_int_equal(bill.unknown_count, 1);
	assert_int_equal(bill.unknowns[0].what, COST_SETUP);
	fixture.prices[1].unit = ONCE_EACH(PER_NONE);
	assert_int_equal(rent(&basis, &fixture, 16), COST_OK);
	assert_money(bill.total, "115700.00"); /* once for the order */
}

/* ---- Bills ---- */

static struct cost_line line_of(struct ratio quantity, struct ratio unit_price)
{
	return (struct cost_line){.account = ACCOUNT_COMPUTE,
	                          .what = COST_RENT_HOURLY,
	                          .timing = PAID_MONTHLY,
	                          .is_cost = true,
	                          .quantity = quantity,
	                          .unit = CARD_HOUR,
	                          .unit_price = unit_price};
}

static void the_total_is_the_sum_of_the_rounded_lines(void **state)
{
	struct cost_basis basis = cost_basis_default();
	struct ratio exact = ratio_of(0);
	struct money sum = money_zero();
	int64_t off;

	(void)state;
	bill_start(&bill);
	for (int i = 0; i < BILL_LINES_MAX; i++) {
		struct ratio price = ratio_make(1000 + 7 * i, 106);
		struct ratio amount;

		assert_int_equal(bill_add(&bill, line_of(ratio_of(i + 1), price)), COST_OK);
		assert_true(ratio_multiply(ratio_of(i + 1), price, &amount));
		assert_true(ratio_add(exact, amount, &exact));
		assert_true(money_add(sum, bill.lines[i].amount, &sum));
	}
	assert_int_equal(bill_add(&bill, line_of(ratio_of(1), ratio_of(1))), COST_TOO_MANY_LINES);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_int_equal(money_compare(bill.total, sum), 0);
	assert_int_equal(money_compare(bill.accounts[ACCOUNT_COMPUTE], sum), 0);
	/* Against the exact sum: at most half a fen for each line. */
	assert_true(ratio_subtract(exact, money_to_ratio(sum), &exact));
	assert_true(ratio_round(exact, 6, &off));
	assert_in_range(off + 5000 * BILL_LINES_MAX, 0, 2 * 5000 * BILL_LINES_MAX);
}

static void the_order_of_the_calls_changes_no_amount(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct rent_need need = need_of(24, 400);
	struct network_need network = {.public_mbps = ratio_of(70),
	                               .mbps_95 = ratio_of(0),
	                               .egress_gb = ratio_of(0),
	                               .dataset_tb_in = ratio_of(0),
	                               .storage_tb = ratio_make(7, 2)};
	struct money first;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "13.194444", CARD_HOUR)->tax =
	    TAX_INCLUDED;
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "23.333333", MBPS_MONTH)->tax =
	    TAX_INCLUDED;
	bill_start(&bill);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, NULL), COST_OK);
	assert_int_equal(cost_network(&basis, &fixture.offer, NULL, &network, &bill), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(1), &bill), COST_OK);
	first = bill.total;
	bill_start(&bill);
	assert_int_equal(cost_network(&basis, &fixture.offer, NULL, &network, &bill), COST_OK);
	assert_int_equal(cost_rent(&basis, &fixture.offer, &need, &bill, NULL), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(1), &bill), COST_OK);
	assert_int_equal(money_compare(bill.total, first), 0);
	assert_int_equal(bill.unknown_count, 1); /* storage, in both */
}

static void what_is_shown_reproduces_the_amount(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct ratio quantity = ratio_of(1 + next(&seed) % 5000);
		struct ratio shown, off;
		int64_t micro;

		bill_start(&bill);
		assert_int_equal(
		    bill_add(&bill, line_of(quantity, ratio_make(next(&seed) % 9999999, 106))),
		    COST_OK);
		assert_true(ratio_multiply(quantity, money_to_ratio(bill.lines[0].unit_price_shown),
		                           &shown));
		assert_true(ratio_subtract(shown, money_to_ratio(bill.lines[0].amount), &off));
		assert_true(ratio_round(off, 6, &micro));
		/* Half a fen, and half a millionth for each of at most 5000 units. */
		assert_in_range(micro + 7500, 0, 15000);
	}
}

static void amounts_that_do_not_fit_are_refused(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct ratio most = ratio_of(INT64_MAX);

	(void)state;
	bill_start(&bill);
	assert_int_equal(bill_add(&bill, line_of(most, ratio_of(2))), COST_OVERFLOW);
	assert_int_equal(bill_add(&bill, line_of(ratio_of(1), most)), COST_OVERFLOW);
	assert_int_equal(bill.line_count, 0);
	/* 9223372036854.77 yuan fits a line; two of them fit no total. */
	struct ratio largest = ratio_make(922337203685477, 100);

	assert_int_equal(bill_add(&bill, line_of(ratio_of(1), largest)), COST_OK);
	assert_int_equal(bill_add(&bill, line_of(ratio_of(1), largest)), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OVERFLOW);
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_MONTHLY, "9223372036854.775807", SERVER_MONTH);
	assert_int_equal(rent(&basis, &fixture, 8), COST_OVERFLOW);
}

static void names_and_sources_are_complete(void **state)
{
	(void)state;
	for (int what = 0; what < COST_WHAT_COUNT; what++)
		assert_true(strlen(cost_what_name((enum cost_what)what)) > 1);
	for (int flag = 0; flag < COST_FLAG_COUNT; flag++)
		assert_true(strlen(cost_flag_name((enum cost_flag_code)flag)) > 3);
	for (int code = 0; code < ASSUMPTION_COUNT; code++) {
		assert_true(strlen(cost_assumptions[code].name) > 2);
		assert_true(strlen(cost_assumptions[code].source.en) > 5);
		assert_true(strlen(cost_assumptions[code].source.zh) > 5);
	}
	for (int status = 0; status < COST_STATUS_COUNT; status++)
		assert_non_null(cost_status_names[status]);
}

/* ---- Network and service ---- */

static struct network_need no_network(void)
{
	struct ratio zero = ratio_of(0);

	return (struct network_need){.public_mbps = zero,
	                             .mbps_95 = zero,
	                             .egress_gb = zero,
	                             .dataset_tb_in = zero,
	                             .storage_tb = zero};
}

/* One month of network; the bill is finished. */
static enum cost_status network(const struct fixture *fixture, const struct network_need *need)
{
	struct cost_basis basis = cost_basis_default();

	basis.months = 1;
	bill_start(&bill);
	enum cost_status status = cost_network(&basis, &fixture->offer, NULL, need, &bill);

	return status != COST_OK ? status : bill_finish(&basis, ratio_of(0), &bill);
}

/* 12 months of 100 Mbps and 2 addresses from SIDE, or where the cards stand. */
static enum cost_status year_of_network(const struct fixture *fixture, const struct fixture *side)
{
	struct cost_basis basis = cost_basis_default();
	struct network_need need = no_network();

	need.public_mbps = ratio_of(100);
	need.ips = 2;
	cost_basis_give(&basis, ASSUME_CAPITAL_RATE, ratio_make(5, 100));
	bill_start(&bill);
	enum cost_status status = cost_network(&basis, &fixture->offer, &side->offer, &need, &bill);

	return status != COST_OK ? status : bill_finish(&basis, ratio_of(0), &bill);
}

static void what_another_seller_takes_once_is_paid_and_weighed(void **state)
{
	struct fixture fixture, side;
	const struct unit ip_month = {PER_IP, 1, PERIOD_MONTH, 1};

	(void)state;
	fixture_start(&fixture);
	fixture_start(&side);
	side.offer.kind = OFFER_NETWORK;
	fixture_price(&fixture, ITEM_IP, TERM_MONTHLY, "100", ip_month);
	fixture_price(&side, ITEM_BANDWIDTH, TERM_MONTHLY, "50", MBPS_MONTH);
	fixture_price(&side, ITEM_IP, TERM_MONTHLY, "80", ip_month);
	fixture_price(&side, ITEM_SETUP, TERM_ONE_OFF, "3000", ONCE_EACH(PER_NONE));
	fixture_price(&side, ITEM_DEPOSIT, TERM_ONE_OFF, "5000", ONCE_EACH(PER_NONE));
	/* Nobody else has bandwidth: 60000 and, as the seller is paid anyway, its addresses at
	 * 1920; 3000 once, and a year's capital in 5000 at 5 %: 250. */
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "65170.00");
	assert_money(bill.deposit, "5000.00");
	/* 60 where the cards stand are 12000 more in a year, 52 are 2400: less than 3250 and the
	 * 480 of the addresses. */
	struct price *own = fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "60", MBPS_MONTH);

	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "65170.00");
	own->amount = money_from_micro(52000000);
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "64800.00");
	assert_money(bill.deposit, "0.00");
	/* Nothing is bought there: nothing is paid. */
	fixture.offer.mbps_included = 100;
	fixture.offer.ips_included = 2;
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_int_equal(bill.line_count, 0);
}

static void what_is_taken_once_counts_what_is_bought_there(void **state)
{
	struct fixture fixture, side;
	const struct unit ip_month = {PER_IP, 1, PERIOD_MONTH, 1};
	struct network_need need = no_network();
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_start(&side);
	side.offer.kind = OFFER_NETWORK;
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "30", MBPS_MONTH);
	fixture_price(&side, ITEM_BANDWIDTH, TERM_MONTHLY, "50", MBPS_MONTH);
	fixture_price(&side, ITEM_IP, TERM_MONTHLY, "80", ip_month);
	fixture_price(&side, ITEM_SETUP, TERM_ONE_OFF, "40", ONCE_EACH(PER_MBPS));
	/* Only the addresses come from there, 1920 a year: no line is laid for them. */
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "37920.00");
	/* Its bandwidth is cheaper, but the 4000 of its line are not. */
	side.offer.prices[0].amount = money_from_micro(27000000);
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "37920.00");
	side.offer.prices[0].amount = money_from_micro(26000000);
	assert_int_equal(year_of_network(&fixture, &side), COST_OK);
	assert_money(bill.total, "37120.00");
	/* Traffic takes a line too, of its mean of 10 Mbps. */
	need.egress_gb = ratio_of(2916);
	basis.months = 1;
	fixture.offer.price_count = 0;
	bill_start(&bill);
	assert_int_equal(cost_network(&basis, &fixture.offer, &side.offer, &need, &bill), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, "660.00");
}

static void a_port_is_bought_by_whole_units_of_its_price(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "2000",
	              (struct unit){PER_MBPS, 100, PERIOD_MONTH, 1});
	need.public_mbps = ratio_of(150);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "4000.00");
	need.public_mbps = ratio_of(200);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "4000.00");
	memcpy(fixture.prices[0].currency, "HKD", 4);
	assert_int_equal(network(&fixture, &need), COST_NO_RATE);
}

/* A leased line of the fixture's offer over MONTHS; the bill is finished. */
static enum cost_status leased(const struct fixture *fixture, int months, struct ratio mbps)
{
	struct cost_basis basis = cost_basis_default();

	basis.months = months;
	bill_start(&bill);
	enum cost_status status = cost_dedicated(&basis, &fixture->offer, mbps, &bill);

	return status != COST_OK ? status : bill_finish(&basis, ratio_of(0), &bill);
}

static void a_leased_line_is_bought_whole_with_what_is_paid_once(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_start(&fixture);
	fixture.offer.kind = OFFER_NETWORK;
	fixture.offer.line = LINE_DEDICATED;
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "8000",
	              (struct unit){PER_MBPS, 100, PERIOD_MONTH, 1});
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "2000",
	              (struct unit){PER_NONE, 1, PERIOD_ONCE, 1});
	/* Two lines of 100 for 12 months at 8000, laid for 2000. */
	assert_int_equal(leased(&fixture, 12, ratio_of(150)), COST_OK);
	assert_money(bill.total, "194000.00");
	assert_money(bill.accounts[ACCOUNT_NETWORK_STORAGE], "192000.00");
	assert_money(bill.accounts[ACCOUNT_ONE_OFF], "2000.00");
	assert_int_equal(bill.lines[0].what, COST_DEDICATED);
	assert_ptr_equal(bill.lines[0].source.offer, &fixture.offer);
	/* Where laying is priced by the line, it is paid for each of the two. */
	fixture.prices[1].unit = (struct unit){PER_MBPS, 100, PERIOD_ONCE, 1};
	assert_int_equal(leased(&fixture, 12, ratio_of(150)), COST_OK);
	assert_money(bill.total, "196000.00");
	/* Less than its shortest term is paid as that: 6 x 8000 and 2000. */
	fixture.offer.min_term_months = 6;
	assert_int_equal(leased(&fixture, 3, ratio_of(100)), COST_OK);
	assert_money(bill.total, "50000.00");
	/* A year is cheaper: 80000 and 2000. Tax of 6 % in it comes off: 75471.70. */
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_YEARLY, "80000",
	              (struct unit){PER_MBPS, 100, PERIOD_YEAR, 1});
	fixture.prices[2].tax = TAX_INCLUDED;
	fixture.prices[2].tax_rate_bp = 600;
	assert_int_equal(leased(&fixture, 12, ratio_of(100)), COST_OK);
	assert_money(bill.total, "77471.70");
	memcpy(fixture.prices[0].currency, "HKD", 4);
	memcpy(fixture.prices[2].currency, "HKD", 4);
	assert_int_equal(leased(&fixture, 12, ratio_of(100)), COST_NO_RATE);
}

static void a_leased_line_that_nobody_prices_is_unknown(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	bill_start(&bill);
	assert_int_equal(cost_dedicated(&basis, NULL, ratio_of(200), &bill), COST_OK);
	assert_int_equal(bill.unknown_count, 1);
	assert_int_equal(bill.unknowns[0].what, COST_DEDICATED);
	assert_true(ratio_compare(bill.unknowns[0].quantity, ratio_of(200)) == 0);
	/* None that is asked is none that is missing. */
	bill_start(&bill);
	assert_int_equal(cost_dedicated(&basis, NULL, ratio_of(0), &bill), COST_OK);
	assert_int_equal(bill.unknown_count + bill.line_count, 0);
}

static void a_data_set_takes_the_faster_of_port_and_leased_line(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();
	const struct cost_flag *slow;

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "20",
	              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
	need.public_mbps = ratio_of(100);
	need.dataset_tb_in = ratio_of(10);
	/* 10 TB over 100 Mbps at 0.9: 888888.9 s. */
	assert_int_equal(network(&fixture, &need), COST_OK);
	slow = cost_flag_find(&bill.flags, FLAG_SLOW_TRANSFER);
	assert_non_null(slow);
	assert_true(ratio_compare(slow->z, ratio_of(100)) == 0);
	/* Over 500 a fifth of that: 177777.8 s, still more than a day. */
	need.dedicated_mbps = ratio_of(500);
	assert_int_equal(network(&fixture, &need), COST_OK);
	slow = cost_flag_find(&bill.flags, FLAG_SLOW_TRANSFER);
	assert_non_null(slow);
	assert_true(ratio_compare(slow->z, ratio_of(500)) == 0);
	assert_true(ratio_compare(slow->x, ratio_make(1600000, 9)) == 0);
	/* Over 2000 it is 44444 s. */
	need.dedicated_mbps = ratio_of(2000);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_null(cost_flag_find(&bill.flags, FLAG_SLOW_TRANSFER));
	/* The port is the faster one. */
	need.dedicated_mbps = ratio_of(50);
	assert_int_equal(network(&fixture, &need), COST_OK);
	slow = cost_flag_find(&bill.flags, FLAG_SLOW_TRANSFER);
	assert_true(ratio_compare(slow->z, ratio_of(100)) == 0);
}

static void a_metered_port_counts_the_time_of_its_unit(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();

	(void)state;
	fixture_start(&fixture);
	struct price *price =
	    fixture_price(&fixture, ITEM_BANDWIDTH, TERM_METERED, "240", MBPS_MONTH);

	need.public_mbps = ratio_of(100);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "24000.00");
	price->unit = (struct unit){PER_MBPS, 1, PERIOD_YEAR, 1};
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "2000.00"); /* a twelfth of it */
	price->unit = (struct unit){PER_MBPS, 100, PERIOD_MONTH, 3};
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "80.00");
}

/* 保底200M, 50TB以上: 20 Mbps of the first were once billed as 20, 100 GB at the price of 50 TB. */
static void a_metered_price_bills_its_step_at_least(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_METERED, "30", MBPS_MONTH)->min_quantity = 200;
	need.public_mbps = ratio_of(20);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "6000.00");
	assert_ratio(bill.lines[0].quantity, 0, "200");
	need.public_mbps = ratio_of(300);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "9000.00");
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_TRAFFIC, TERM_METERED, "0.6", ONCE_EACH(PER_GB));
	fixture_price(&fixture, ITEM_TRAFFIC, TERM_METERED, "0.4", ONCE_EACH(PER_GB))
	    ->min_quantity = 50000;
	need.public_mbps = ratio_of(0);
	need.egress_gb = ratio_of(100);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "60.00");
}

static void what_the_offer_includes_is_not_bought_again(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.mbps_included = 100;
	fixture.offer.ips_included = 18;
	need.public_mbps = ratio_of(100);
	need.ips = 18;
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_int_equal(bill.line_count + bill.unknown_count, 0);
	need.ips = 20;
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_int_equal(bill.unknown_count, 1);
	assert_ratio(bill.unknowns[0].quantity, 0, "2");
}

static void traffic_without_a_port_goes_by_the_gigabyte_or_its_mean(void **state)
{
	struct fixture fixture;
	struct network_need need = no_network();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "20", MBPS_MONTH);
	/* 2916 GB x 8000 / (720 x 3600 x 0.9) = 10 Mbps */
	need.egress_gb = ratio_of(2916);
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "200.00");
	assert_non_null(cost_flag_find(&bill.flags, FLAG_PEAK_NOT_COVERED));
	fixture_price(&fixture, ITEM_TRAFFIC, TERM_METERED, "0.80", ONCE_EACH(PER_GB));
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "2332.80");
	assert_null(cost_flag_find(&bill.flags, FLAG_PEAK_NOT_COVERED));
	/* 2.916 TB at 700 are cheaper. */
	fixture_price(&fixture, ITEM_TRAFFIC, TERM_METERED, "700", ONCE_EACH(PER_TB));
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "2041.20");
	fixture.offer.mbps_included = 10;
	assert_int_equal(network(&fixture, &need), COST_OK);
	assert_money(bill.total, "0.00");
}

static void a_service_that_the_offer_contains_costs_nothing_more(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.service_tier = "image";
	bill_start(&bill);
	assert_int_equal(cost_service(&basis, &fixture.offer, NULL, SERVICE_IMAGE, 2, &bill),
	                 COST_OK);
	assert_int_equal(bill.line_count + bill.unknown_count, 0);
	assert_int_equal(cost_service(&basis, &fixture.offer, NULL, SERVICE_MANAGED, 2, &bill),
	                 COST_OK);
	assert_int_equal(bill.unknown_count, 1);
	assert_int_equal(cost_service(&basis, &fixture.offer, NULL, SERVICE_BARE, 2, &bill),
	                 COST_OK);
	assert_non_null(cost_flag_find(&bill.flags, FLAG_OWN_HOURS_NOT_PRICED));
}

static void setup_follows_its_own_ladder(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "0", CARD_HOUR);
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "500", ONCE_EACH(PER_SERVER));
	fixture_price(&fixture, ITEM_SETUP, TERM_ONE_OFF, "300", ONCE_EACH(PER_SERVER))
	    ->min_quantity = 4;
	assert_int_equal(rent(&basis, &fixture, 24), COST_OK);
	assert_money(bill.total, "1500.00");
	assert_int_equal(rent(&basis, &fixture, 32), COST_OK);
	assert_money(bill.total, "1200.00");
}

static void a_loss_is_the_larger_of_two_views_of_the_same_hours(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct sla_loss loss;

	(void)state;
	fixture_start(&fixture);
	bill_start(&bill);
	basis.months = 1;
	assert_int_equal(
	    cost_sla(&basis, &fixture.offer, ratio_of(72000), ratio_of(720), 1, &bill, &loss),
	    COST_OK);
	assert_false(loss.known);
	fixture.offer.availability_ppm = 999900; /* 99.99 % of 30 days: 4.32 minutes */
	fixture.offer.replacement_minutes = 600;
	cost_basis_give(&basis, ASSUME_FAILURES, ratio_make(1, 10));
	assert_int_equal(
	    cost_sla(&basis, &fixture.offer, ratio_of(72000), ratio_of(720), 1, &bill, &loss),
	    COST_OK);
	assert_ratio(loss.down_hours, 3, "0.072");
	assert_ratio(loss.down_loss, 2, "7.20");
	assert_ratio(loss.failure_hours, 2, "1.00");
	assert_money(loss.expected, "100.00");
	assert_int_equal(cost_sla_line(&loss, &bill), COST_OK);
	assert_int_equal(bill_finish(&basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, "100.00");
	assert_money(bill.paid_per_month, "0.00");
}

/* ---- Flags ---- */

static const struct price_band bands[] = {
    {"h100-sxm", {113, 10}, {148, 10}, "monthly lease, sanity limits 11.3-14.8", {20000}},
};

static bool flagged(const struct cost_basis *basis, const struct fixture *fixture,
                    enum cost_flag_code code)
{
	struct flag_limits limits = {
	    .bands = bands, .band_count = 1, .max_card_age_months = 36, .wants_network = true};
	struct cost_flags flags = {.count = 0};

	cost_offer_flags(basis, &fixture->offer, &limits, &flags);
	return cost_flag_find(&flags, code) != NULL;
}

static void a_price_outside_the_band_of_its_card_is_flagged_with_tax(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	assert_true(flagged(&basis, &fixture, FLAG_NO_PRICE));
	struct price *price = fixture_price(&fixture, ITEM_COMPUTE, TERM_HOURLY, "14.8", CARD_HOUR);

	price->tax = TAX_INCLUDED;
	assert_false(flagged(&basis, &fixture, FLAG_PRICE_HIGH));
	assert_false(flagged(&basis, &fixture, FLAG_NO_PRICE));
	price->tax = TAX_EXCLUDED; /* 15.688 with tax */
	assert_true(flagged(&basis, &fixture, FLAG_PRICE_HIGH));
	assert_true(money_parse("11.29", &price->amount));
	assert_false(flagged(&basis, &fixture, FLAG_PRICE_LOW)); /* 11.9674 with tax */
	price->tax = TAX_INCLUDED;
	assert_true(flagged(&basis, &fixture, FLAG_PRICE_LOW));
	price->term = TERM_SPOT; /* what may be taken back is cheap for a reason */
	assert_false(flagged(&basis, &fixture, FLAG_PRICE_LOW));
}

static void a_sheet_expires_after_its_last_day_not_on_it(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	assert_true(date_parse("2026-12-31", &fixture.offer.valid_to));
	assert_true(date_parse("2026-10-02", &fixture.offer.observed_on));
	basis.today = date_in_shanghai(1798732799); /* 2026-12-31T15:59:59Z: still the 31st */
	assert_false(flagged(&basis, &fixture, FLAG_SHEET_EXPIRED));
	assert_false(flagged(&basis, &fixture, FLAG_SHEET_OLD)); /* 90 days */
	basis.today = date_in_shanghai(1798732800);              /* midnight in Shenzhen */
	assert_true(flagged(&basis, &fixture, FLAG_SHEET_EXPIRED));
	assert_true(flagged(&basis, &fixture, FLAG_SHEET_OLD));
}

static void what_is_not_promised_is_flagged(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.new_cards = YES_NO_NO;
	fixture.offer.card_age_months = 37;
	fixture.offer.support_24x7 = YES_NO_NO;
	fixture.offer.ips_included = 0;
	fixture.offer.origin = ORIGIN_SAMPLE;
	assert_true(flagged(&basis, &fixture, FLAG_REFURBISHED));
	assert_true(flagged(&basis, &fixture, FLAG_CARDS_OLD));
	assert_true(flagged(&basis, &fixture, FLAG_NO_24X7));
	assert_true(flagged(&basis, &fixture, FLAG_NO_PUBLIC_IP));
	assert_true(flagged(&basis, &fixture, FLAG_NO_REPLACEMENT_SLA));
	assert_true(flagged(&basis, &fixture, FLAG_BANDWIDTH_NOT_STATED));
	assert_true(flagged(&basis, &fixture, FLAG_NATIONAL_PRICE));
	assert_true(flagged(&basis, &fixture, FLAG_SAMPLE_PRICE));
	fixture.offer.city = city_from_name("全国");
	assert_true(flagged(&basis, &fixture, FLAG_NATIONAL_PRICE));
	fixture.offer.card_age_months = 36;
	fixture.offer.mbps_included = 100;
	fixture.offer.city = CITY_SHENZHEN;
	fixture.offer.replacement_minutes = 240;
	assert_false(flagged(&basis, &fixture, FLAG_CARDS_OLD));
	assert_false(flagged(&basis, &fixture, FLAG_BANDWIDTH_NOT_STATED));
	assert_false(flagged(&basis, &fixture, FLAG_NATIONAL_PRICE));
	assert_false(flagged(&basis, &fixture, FLAG_NO_REPLACEMENT_SLA));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tax_taken_out_and_put_back_is_the_same_price),
	    cmocka_unit_test(prices_net_of_tax_are_the_known_figures),
	    cmocka_unit_test(unknown_tax_is_never_taken_too_cheap),
	    cmocka_unit_test(a_rate_that_is_not_stated_is_reported_as_assumed),
	    cmocka_unit_test(quoting_by_card_server_or_eight_cards_gives_one_total),
	    cmocka_unit_test(a_month_has_the_hours_that_the_basis_says),
	    cmocka_unit_test(more_hours_than_a_month_has_are_the_whole_month),
	    cmocka_unit_test(n_cards_cost_n_times_one_card),
	    cmocka_unit_test(an_hourly_price_comes_out_as_the_same_price_per_card_hour),
	    cmocka_unit_test(whole_servers_are_rented_unless_single_cards_are_sold),
	    cmocka_unit_test(the_mix_of_terms_is_the_cheapest_of_all),
	    cmocka_unit_test(tax_that_is_not_deducted_decides_between_terms),
	    cmocka_unit_test(spot_is_used_only_when_allowed),
	    cmocka_unit_test(a_ladder_applies_from_its_first_server),
	    cmocka_unit_test(a_part_of_an_order_is_charged_at_the_step_of_the_whole),
	    cmocka_unit_test(cards_that_an_order_has_to_spare_are_paid_for),
	    cmocka_unit_test(a_month_below_half_of_its_hours_is_flagged),
	    cmocka_unit_test(rent_is_refused_with_its_reason),
	    cmocka_unit_test(a_minimum_term_beyond_reason_ends_the_search_and_leaves_the_hours),
	    cmocka_unit_test(a_minimum_term_of_machines_does_not_hold_their_bandwidth),
	    cmocka_unit_test(setup_counted_by_something_unknown_is_unknown),
	    cmocka_unit_test(the_total_is_the_sum_of_the_rounded_lines),
	    cmocka_unit_test(the_order_of_the_calls_changes_no_amount),
	    cmocka_unit_test(what_is_shown_reproduces_the_amount),
	    cmocka_unit_test(amounts_that_do_not_fit_are_refused),
	    cmocka_unit_test(names_and_sources_are_complete),
	    cmocka_unit_test(what_another_seller_takes_once_is_paid_and_weighed),
	    cmocka_unit_test(what_is_taken_once_counts_what_is_bought_there),
	    cmocka_unit_test(a_port_is_bought_by_whole_units_of_its_price),
	    cmocka_unit_test(a_leased_line_is_bought_whole_with_what_is_paid_once),
	    cmocka_unit_test(a_leased_line_that_nobody_prices_is_unknown),
	    cmocka_unit_test(a_data_set_takes_the_faster_of_port_and_leased_line),
	    cmocka_unit_test(a_metered_port_counts_the_time_of_its_unit),
	    cmocka_unit_test(a_metered_price_bills_its_step_at_least),
	    cmocka_unit_test(what_the_offer_includes_is_not_bought_again),
	    cmocka_unit_test(traffic_without_a_port_goes_by_the_gigabyte_or_its_mean),
	    cmocka_unit_test(a_service_that_the_offer_contains_costs_nothing_more),
	    cmocka_unit_test(setup_follows_its_own_ladder),
	    cmocka_unit_test(a_loss_is_the_larger_of_two_views_of_the_same_hours),
	    cmocka_unit_test(a_price_outside_the_band_of_its_card_is_flagged_with_tax),
	    cmocka_unit_test(a_sheet_expires_after_its_last_day_not_on_it),
	    cmocka_unit_test(what_is_not_promised_is_flagged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
