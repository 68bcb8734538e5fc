/* test_cost_host.c - own servers: a place for them, buying them, when that beats renting. */
#include "tests/unit/unit.h"

#include "engine/compare.h"
#include "tests/unit/cost_fixture.h"

static struct bill bill;

static struct host_need need_of(int servers)
{
	return (struct host_need){
	    .servers = servers, .server_watts = 10200, .terms = TERMS_ALL_BUT_SPOT};
}

/* A colocation without prices, power included, cabinets of WATTS. */
static void site_start(struct fixture *fixture, int64_t watts)
{
	fixture_start(fixture);
	fixture->offer.kind = OFFER_COLOCATION;
	fixture->offer.cabinet_watts = watts;
	fixture->offer.power_billing = POWER_INCLUDED;
}

static enum cost_status host(const struct cost_basis *basis, const struct fixture *fixture,
                             int servers)
{
	struct host_need need = need_of(servers);

	bill_start(&bill);
	enum cost_status status = cost_host(basis, &fixture->offer, &need, NULL, NULL, &bill, NULL);

	return status != COST_OK ? status : bill_finish(basis, ratio_of(0), &bill);
}

static void check_site(struct unit unit, int64_t watts, int servers, const char *wanted)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	basis.months = 1;
	site_start(&fixture, watts);
	fixture_price(&fixture, ITEM_CABINET, TERM_MONTHLY, "1000", unit);
	assert_int_equal(host(&basis, &fixture, servers), COST_OK);
	assert_money(bill.total, wanted);
	assert_money(bill.accounts[ACCOUNT_CABINET], wanted);
}

static void a_cabinet_fee_counts_what_its_unit_counts(void **state)
{
	(void)state;
	check_site(CABINET_MONTH, 12000, 4, "4000.00");
	check_site((struct unit){PER_KW, 1, PERIOD_MONTH, 1}, 12000, 4, "48000.00");
	check_site((struct unit){PER_KW, 1, PERIOD_MONTH, 1}, 0, 4, "40800.00");
	check_site((struct unit){PER_U, 1, PERIOD_MONTH, 1}, 12000, 4, "32000.00");
	check_site(SERVER_MONTH, 0, 4, "4000.00");
	check_site((struct unit){PER_AMPERE, 1, PERIOD_MONTH, 1}, 11000, 1, "50000.00");
}

static void a_place_is_refused_when_nothing_fits(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	site_start(&fixture, 10000);
	fixture_price(&fixture, ITEM_CABINET, TERM_MONTHLY, "1000", CABINET_MONTH);
	assert_int_equal(host(&basis, &fixture, 1), COST_NO_CABINET);
	fixture.offer.cabinet_watts = 0;
	assert_int_equal(host(&basis, &fixture, 1), COST_NO_CABINET);
	fixture.offer.cabinet_watts = 20000;
	fixture.offer.cabinet_u = 6; /* a half-height cabinet takes no 8 U server */
	assert_int_equal(host(&basis, &fixture, 1), COST_NO_CABINET);
}

/* ---- Buying ---- */

static struct ratio account(enum cost_account code)
{
	return money_to_ratio(bill.accounts[code]);
}

static enum cost_status buy(const struct cost_basis *basis, const struct fixture *fixture,
                            int servers)
{
	bill_start(&bill);
	enum cost_status status = cost_buy(basis, &fixture->offer, servers, &bill);

	return status != COST_OK ? status : bill_finish(basis, ratio_of(0), &bill);
}

static void depreciation_over_the_whole_life_is_the_price(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "2300000", ONCE_EACH(PER_SERVER));
	cost_basis_give(&basis, ASSUME_CAPITAL_RATE, ratio_of(0));
	cost_basis_give(&basis, ASSUME_MAINTENANCE, ratio_of(0));
	basis.months = 60;
	assert_int_equal(buy(&basis, &fixture, 3), COST_OK);
	assert_money(bill.total, "6900000.00");
	assert_money(bill.upfront, "6900000.00");
	assert_money(bill.paid_per_month, "0.00");
	basis.months = 72; /* no more than the price, however long they run */
	assert_int_equal(buy(&basis, &fixture, 3), COST_OK);
	assert_money(bill.total, "6900000.00");
	basis.months = 60;
	cost_basis_give(&basis, ASSUME_RESIDUAL, ratio_make(1, 10));
	assert_int_equal(buy(&basis, &fixture, 3), COST_OK);
	assert_money(bill.total, "6210000.00");
}

static void what_is_not_recovered_of_the_book_value_is_a_cost(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "1000000", ONCE_EACH(PER_SERVER));
	assert_int_equal(buy(&basis, &fixture, 2), COST_OK);
	/* 400000 of depreciation, 80000 of capital: that the rest is recovered is an assumption. */
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "480000.00");
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_BOOK_VALUE) != 0);
	cost_basis_give(&basis, ASSUME_BOOK_VALUE, ratio_of(0));
	assert_int_equal(buy(&basis, &fixture, 2), COST_OK);
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "2080000.00");
	cost_basis_give(&basis, ASSUME_RESIDUAL, ratio_make(2, 10));
	assert_int_equal(buy(&basis, &fixture, 2), COST_OK);
	/* All of the price whatever was hoped for at the end of its life; capital on 1.2 / 2. */
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "2096000.00");
	basis.months = 72;
	cost_basis_give(&basis, ASSUME_RESIDUAL, ratio_of(0));
	basis.is_given[ASSUME_BOOK_VALUE] = false;
	assert_int_equal(buy(&basis, &fixture, 2), COST_OK);
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_BOOK_VALUE) == 0);
}

static void a_price_per_card_buys_whole_servers(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "45000", ONCE_EACH(PER_CARD));
	assert_int_equal(buy(&basis, &fixture, 2), COST_OK);
	assert_money(bill.upfront, "720000.00");
	fixture.offer.cards_per_server = 0;
	assert_int_equal(buy(&basis, &fixture, 2), COST_NO_SERVER_SIZE);
	fixture.offer.cards_per_server = 8;
	fixture.offer.servers_available = 1;
	assert_int_equal(buy(&basis, &fixture, 2), COST_NO_STOCK);
}

static void spares_and_maintenance_are_paid_month_by_month(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "1200000", ONCE_EACH(PER_SERVER));
	cost_basis_give(&basis, ASSUME_SPARES, ratio_make(2, 100));
	cost_basis_give(&basis, ASSUME_CAPITAL_RATE, ratio_of(0));
	assert_int_equal(buy(&basis, &fixture, 1), COST_OK);
	/* 24000 of spares, 30000 of maintenance a year: 4500 a month. */
	assert_money(bill.paid_per_month, "4500.00");
	assert_ratio(account(ACCOUNT_SERVICE), 2, "30000.00");
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "264000.00");
}

static void vat_that_is_a_cost_is_paid_with_what_it_is_on(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "1200000", ONCE_EACH(PER_SERVER));
	cost_basis_give(&basis, ASSUME_SPARES, ratio_make(2, 100));
	cost_basis_give(&basis, ASSUME_VAT_DEDUCTIBLE, ratio_of(0));
	assert_int_equal(buy(&basis, &fixture, 1), COST_OK);
	/* All the VAT on the price goes with it, though a fifth of it is a cost of the year. */
	assert_money(bill.upfront, "1272000.00");
	/* 24000 of spares and 30000 of maintenance, at 6 %. */
	assert_money(bill.paid_per_month, "4770.00");
	assert_ratio(account(ACCOUNT_TAX), 2, "17640.00");
}

static void capital_is_the_mean_of_what_is_tied_up(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_PURCHASE, TERM_ONE_OFF, "1000000", ONCE_EACH(PER_SERVER));
	cost_basis_give(&basis, ASSUME_RESIDUAL, ratio_make(2, 10));
	/* 160000 of depreciation; (1000000 + 200000) / 2 x 8 % = 48000 of capital */
	assert_int_equal(buy(&basis, &fixture, 1), COST_OK);
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "208000.00");
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_CAPITAL_RATE) != 0);
	assert_true((bill.assumed & UINT64_C(1) << ASSUME_RESIDUAL) == 0);
	basis.tax = TAX_INCLUDED; /* the fixture's 6 % on the machine; maintenance with its 6 % */
	assert_int_equal(buy(&basis, &fixture, 1), COST_OK);
	assert_ratio(account(ACCOUNT_PURCHASE), 2, "220480.00");
	assert_ratio(account(ACCOUNT_SERVICE), 2, "31800.00");
}

/* ---- Break-even: the published figures of the GPU Price Index ---- */

/*
 * One 8-card server of YUAN: 5 years, 8 % capital on the mean, 8 % operation, 10000 for the
 * cabinet, 10.2 kW x (0.35 + 0.65 u) x PUE 1.3 x 730 h x 0.65 CNY.
 */
static struct break_even_input index_case(int64_t yuan, struct ratio rent)
{
	struct ratio energy = ratio_make(102 * 13 * 65, 10000); /* CNY an hour at full load */
	struct ratio idle, running;
	int64_t cash = yuan * 8 / 1200 + 10000;

	assert_true(ratio_multiply(energy, ratio_make(35 * 730, 100), &idle));
	assert_true(ratio_multiply(energy, ratio_make(65, 800), &running));
	assert_true(ratio_add(idle, ratio_of(cash), &idle));
	struct break_even_input input = {.purchase = ratio_of(yuan),
	                                 .own_cash_month = idle,
	                                 .own_hour = running,
	                                 .cards = 8,
	                                 .rent_card_hour = rent};

	assert_true(ratio_add(idle, ratio_make(yuan, 60), &input.own_fixed_month));
	assert_true(
	    ratio_add(input.own_fixed_month, ratio_make(yuan * 4, 1200), &input.own_fixed_month));
	return input;
}

static void break_even_reproduces_the_published_utilisations(void **state)
{
	struct cost_basis basis = cost_basis_default();
	struct break_even_input h200 = index_case(1500000, ratio_make(156, 10));
	struct break_even_input h100 = index_case(2300000, ratio_make(132, 10));
	struct break_even result;

	(void)state;
	basis.hours_per_month = 730;
	bill_start(&bill);
	assert_int_equal(break_even(&basis, &h200, ratio_of(1), &bill, &result), COST_OK);
	assert_true(result.has_utilisation);
	assert_ratio(result.utilisation, 4, "0.5999");
	assert_true(result.below_seed_rule);
	assert_ratio(result.seed_rule, 2, "0.70");
	assert_int_equal(break_even(&basis, &h100, ratio_of(1), &bill, &result), COST_OK);
	assert_true(ratio_compare(result.utilisation, ratio_of(1)) > 0);
	assert_false(result.below_seed_rule);
}

static void break_even_by_month_is_where_the_cash_is_equal(void **state)
{
	struct cost_basis basis = cost_basis_default();
	/* Rent 8 x 720 x 10 = 57600 a month at full use, own 7600: 50000 a month are saved. */
	struct break_even_input input = {.purchase = ratio_of(1250000),
	                                 .own_fixed_month = ratio_of(28800),
	                                 .own_cash_month = ratio_of(7600),
	                                 .own_hour = ratio_of(0),
	                                 .cards = 8,
	                                 .rent_card_hour = ratio_of(10)};
	struct break_even result;

	(void)state;
	bill_start(&bill);
	assert_int_equal(break_even(&basis, &input, ratio_of(1), &bill, &result), COST_OK);
	assert_true(result.has_month);
	assert_ratio(result.month, 2, "25.00");
	assert_ratio(result.utilisation, 2, "0.50");
	input.purchase = ratio_of(3000050); /* 60.001 months: beyond the life of five years */
	assert_int_equal(break_even(&basis, &input, ratio_of(1), &bill, &result), COST_OK);
	assert_false(result.has_month);
	input.rent_card_hour = ratio_of(0); /* nothing is ever saved */
	assert_int_equal(break_even(&basis, &input, ratio_of(1), &bill, &result), COST_OK);
	assert_false(result.has_utilisation);
	assert_false(result.has_month);
}

/* ---- Compare ---- */

static struct compare_question question_of(int servers)
{
	return (struct compare_question){
	    .host = need_of(servers),
	    .network = {.public_mbps = ratio_of(100),
	                .mbps_95 = ratio_of(0),
	                .egress_gb = ratio_of(0),
	                .dataset_tb_in = ratio_of(0),
	                .storage_tb = ratio_of(0)},
	    .cards = 8 * servers,
	};
}

static void compare_answers_term_by_term_and_names_the_cheapest(void **state)
{
	static struct comparison comparison;
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct compare_question question = question_of(4);

	(void)state;
	site_start(&fixture, 12000);
	fixture_price(&fixture, ITEM_CABINET, TERM_YEARLY, "6000", CABINET_MONTH);
	fixture_price(&fixture, ITEM_CABINET, TERM_MONTHLY, "7000", CABINET_MONTH);
	fixture_price(&fixture, ITEM_BANDWIDTH, TERM_MONTHLY, "20", MBPS_MONTH);
	compare_colocation(&basis, &question, &fixture.offer, NULL, NULL, NULL, &comparison);
	assert_int_equal(comparison.count, 2);
	assert_int_equal(comparison.columns[0].term, TERM_MONTHLY);
	/* 4 cabinets x 7000 x 12 + 100 Mbps x 20 x 12 */
	assert_money(comparison.columns[0].bill.total, "360000.00");
	assert_money(comparison.columns[1].bill.total, "312000.00");
	assert_money(comparison.columns[1].bill.accounts[ACCOUNT_NETWORK_STORAGE], "24000.00");
	assert_int_equal(comparison.columns[1].packing.cabinets, 4);
	assert_int_equal(comparison.cheapest, 1);
	/* 312000 / (32 x 8640) */
	assert_money(comparison.columns[1].bill.per_card_hour, "1.128472");
	basis.months = 3; /* a year for three months: 288000 against 84000 */
	compare_colocation(&basis, &question, &fixture.offer, NULL, NULL, NULL, &comparison);
	assert_int_equal(comparison.cheapest, 0);
	assert_non_null(cost_flag_find(&comparison.columns[1].bill.flags, FLAG_TERM_OVERRUN));
}

static void compare_says_why_an_offer_has_no_bill(void **state)
{
	static struct comparison comparison;
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();
	struct compare_question question = question_of(1);

	(void)state;
	site_start(&fixture, 10000);
	fixture_price(&fixture, ITEM_CABINET, TERM_MONTHLY, "7000", CABINET_MONTH);
	compare_colocation(&basis, &question, &fixture.offer, NULL, NULL, NULL, &comparison);
	assert_int_equal(comparison.count, 1);
	assert_int_equal(comparison.columns[0].status, COST_NO_CABINET);
	assert_int_equal(comparison.cheapest, -1);
}

/* ---- Whatever a sheet says ---- */

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

/* Mostly small, sometimes as large as LIMIT; never below LOWEST. */
static int64_t wild(uint64_t *seed, int64_t lowest, int64_t limit)
{
	uint64_t dice = next(seed) % 8;
	int64_t span = dice == 0 ? limit : dice < 3 ? 1000 : 20;

	if (dice == 7)
		return lowest;
	return lowest + (int64_t)(next(seed) % (uint64_t)(span < limit ? span : limit));
}

static struct price wild_price(uint64_t *seed)
{
	return (struct price){
	    .item = (enum price_item)(next(seed) % PRICE_ITEM_COUNT),
	    .term = (enum price_term)(next(seed) % PRICE_TERM_COUNT),
	    .amount =
		money_from_micro(next(seed) % 9 == 0 ? INT64_MAX : wild(seed, 0, INT64_MAX / 2)),
	    .unit = {(enum per)(next(seed) % PER_COUNT), (int32_t)wild(seed, 1, INT32_MAX - 1),
	             (enum period)(next(seed) % PERIOD_COUNT),
	             (int32_t)wild(seed, 1, INT32_MAX - 1)},
	    .currency = "CNY",
	    .tax = (enum tax_basis)(next(seed) % TAX_BASIS_COUNT),
	    .tax_rate_bp = (int32_t)wild(seed, -1, 10000),
	    .min_quantity = (int32_t)wild(seed, 0, INT32_MAX - 1),
	};
}

static void wild_offer(uint64_t *seed, struct fixture *fixture)
{
	struct offer *offer = &fixture->offer;

	fixture_start(fixture);
	offer->kind = (enum offer_kind)(next(seed) % OFFER_KIND_COUNT);
	offer->delivery = (enum delivery)(next(seed) % DELIVERY_COUNT);
	offer->power_billing = (enum power_billing)(next(seed) % POWER_BILLING_COUNT);
	offer->cards_per_server = (int)wild(seed, 0, 1000000);
	offer->servers_available = (int)wild(seed, -1, INT32_MAX - 2);
	offer->cabinet_watts = wild(seed, 0, 1000000000000);
	offer->cabinet_u = (int)wild(seed, 0, INT32_MAX - 1);
	offer->mbps_included = (int)wild(seed, -1, INT32_MAX - 2);
	offer->ips_included = (int)wild(seed, -1, INT32_MAX - 2);
	offer->min_term_months = (int)wild(seed, 0, INT32_MAX - 1);
	offer->availability_ppm = (int32_t)wild(seed, -1, 1000000);
	offer->replacement_minutes = (int)wild(seed, -1, INT32_MAX - 2);
	offer->pue_milli = (int32_t)wild(seed, 0, INT32_MAX - 1);
	offer->price_count = FIXTURE_PRICES;
	for (int i = 0; i < FIXTURE_PRICES; i++)
		fixture->prices[i] = wild_price(seed);
	/* Half of them can be rented and hosted after all, at whatever price. */
	if (next(seed) % 2 == 0)
		return;
	offer->servers_available = -1;
	offer->cards_per_server = 8;
	fixture->prices[0].item = ITEM_COMPUTE;
	fixture->prices[0].unit = SERVER_MONTH;
	fixture->prices[0].term = TERM_MONTHLY;
	fixture->prices[1].item = ITEM_CABINET;
	fixture->prices[1].unit = CABINET_MONTH;
	fixture->prices[1].term = TERM_MONTHLY;
}

/* Runs everything on one offer; a bill that is finished adds up. */
static bool check_wild(uint64_t *seed, const struct fixture *fixture)
{
	static struct comparison comparison;
	struct cost_basis basis = cost_basis_default();
	struct compare_question question = question_of((int)wild(seed, 1, 1000000));
	struct rent_need need = {.cards = (int)wild(seed, 1, 1000000),
	                         .hours_per_month = ratio_of(wild(seed, 0, 720)),
	                         .terms = TERMS_ALL_BUT_SPOT | 1u << TERM_SPOT};
	struct money sum = money_zero();

	basis.months = (int)wild(seed, 1, 120);
	basis.tax = next(seed) % 2 == 0 ? TAX_EXCLUDED : TAX_INCLUDED;
	question.host.server_watts = wild(seed, 1, 1000000000);
	question.network.egress_gb = ratio_of(wild(seed, 0, INT32_MAX));
	question.network.ips = (int)wild(seed, 0, INT32_MAX - 1);
	compare_colocation(&basis, &question, &fixture->offer, NULL, NULL, NULL, &comparison);
	bill_start(&bill);
	if (cost_rent(&basis, &fixture->offer, &need, &bill, NULL) != COST_OK ||
	    cost_buy(&basis, &fixture->offer, question.host.servers, &bill) ==
	        COST_TOO_MANY_LINES ||
	    bill_finish(&basis, ratio_of(1), &bill) != COST_OK)
		return false;
	for (int i = 0; i < bill.line_count; i++)
		if (bill.lines[i].is_cost)
			assert_true(money_add(sum, bill.lines[i].amount, &sum));
	assert_int_equal(money_compare(sum, bill.total), 0);
	return true;
}

static void no_offer_however_odd_breaks_the_arithmetic(void **state)
{
	uint64_t seed = 42;
	int billed = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct fixture fixture;

		wild_offer(&seed, &fixture);
		billed += check_wild(&seed, &fixture);
	}
	assert_true(billed > 1000); /* else the offers are too odd to test anything */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_cabinet_fee_counts_what_its_unit_counts),
	    cmocka_unit_test(a_place_is_refused_when_nothing_fits),
	    cmocka_unit_test(depreciation_over_the_whole_life_is_the_price),
	    cmocka_unit_test(what_is_not_recovered_of_the_book_value_is_a_cost),
	    cmocka_unit_test(a_price_per_card_buys_whole_servers),
	    cmocka_unit_test(spares_and_maintenance_are_paid_month_by_month),
	    cmocka_unit_test(vat_that_is_a_cost_is_paid_with_what_it_is_on),
	    cmocka_unit_test(capital_is_the_mean_of_what_is_tied_up),
	    cmocka_unit_test(break_even_reproduces_the_published_utilisations),
	    cmocka_unit_test(break_even_by_month_is_where_the_cash_is_equal),
	    cmocka_unit_test(compare_answers_term_by_term_and_names_the_cheapest),
	    cmocka_unit_test(compare_says_why_an_offer_has_no_bill),
	    cmocka_unit_test(no_offer_however_odd_breaks_the_arithmetic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
