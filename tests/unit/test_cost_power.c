/* test_cost_power.c - energy by the hour, cabinets, ports: the known figures and the calendar. */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "engine/cost_extras.h"
#include "engine/packing.h"
#include "engine/power.h"
#include "offer/reference.h"
#include "tests/unit/cost_fixture.h"

static struct arena *arena;
static const struct tariff_hours *guangdong;
static struct bill bill;

static int read_reference(void **state)
{
	static struct reference reference;
	struct problems problems;

	(void)state;
	arena = arena_create();
	problems_init(&problems, arena);
	if (!reference_baked(arena, &problems, &reference))
		return -1;
	guangdong = &reference.tariffs.hours[0];
	return 0;
}

static int drop_reference(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

static struct date day_of(const char *text)
{
	struct date day;

	assert_true(date_parse(text, &day));
	return day;
}

/* ---- Cabinets ---- */

static void check_packing(int64_t cabinet_watts, int servers, int per_cabinet, int cabinets)
{
	struct packing packing = packing_of(10200, 8, servers, cabinet_watts, 42);

	assert_int_equal(packing.per_cabinet, per_cabinet);
	assert_int_equal(packing.cabinets, cabinets);
}

static void servers_of_ten_kilowatts_fill_cabinets_by_their_power(void **state)
{
	(void)state;
	check_packing(10000, 1, 0, 0);
	check_packing(6600, 4, 0, 0);
	check_packing(10200, 1, 1, 1);
	check_packing(12000, 4, 1, 4);
	check_packing(20000, 4, 1, 4);
	check_packing(20400, 4, 2, 2);
	check_packing(31000, 4, 3, 2);
}

static void height_limits_where_power_does_not(void **state)
{
	/* 8 x 4090, 4.8 kW: two in 10 kW; five of 8 U in 42 U whatever the power. */
	struct packing two = packing_of(4800, 8, 2, 10000, 42);
	struct packing five = packing_of(4800, 8, 6, 100000, 42);

	(void)state;
	assert_int_equal(two.cabinets, 1);
	assert_int_equal(two.limit, PACKED_BY_POWER);
	assert_int_equal(two.watts_unused, 400);
	assert_int_equal(five.per_cabinet, 5);
	assert_int_equal(five.cabinets, 2);
	assert_int_equal(five.limit, PACKED_BY_HEIGHT);
	assert_int_equal(cabinets_for_watts(20000, 2640), 8);
	assert_int_equal(cabinets_for_watts(21120, 2640), 8);
	assert_int_equal(cabinets_for_watts(21121, 2640), 9);
}

/* ---- The tariff's ratios ---- */

static void check_mean(int month, enum schedule_kind kind, const char *wanted)
{
	struct schedule schedule = {.kind = kind};
	struct ratio mean;

	assert_int_equal(tariff_mean_ratio(guangdong, month, &schedule, &mean), COST_OK);
	assert_ratio(mean, 6, wanted);
}

static void a_flat_load_pays_the_known_mean_of_the_tariff(void **state)
{
	(void)state;
	check_mean(6, SCHEDULE_ALWAYS, "0.997500");
	check_mean(7, SCHEDULE_ALWAYS, "1.050625");
	check_mean(9, SCHEDULE_ALWAYS, "1.050625");
	check_mean(10, SCHEDULE_ALWAYS, "0.997500");
	check_mean(7, SCHEDULE_VALLEY, "0.380000");
}

static void check_seconds(const char *day, int hour_utc, int64_t length, const int64_t wanted[4])
{
	int64_t seconds[TARIFF_BAND_COUNT];
	int64_t from = (int64_t)day_of(day).days * 86400 + hour_utc * 3600;

	tariff_seconds(guangdong, from, from + length, seconds);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		assert_int_equal(seconds[band], wanted[band]);
}

static void a_night_in_august_crosses_flat_valley_peak_and_sharp(void **state)
{
	/* 23:00 to 11:30 in Shenzhen is 15:00 UTC for 12.5 h. Valley, flat, peak, sharp. */
	static const int64_t august[4] = {8 * 3600, 3 * 3600, 3600, 1800};
	static const int64_t may[4] = {8 * 3600, 3 * 3600, 5400, 0};

	(void)state;
	check_seconds("2027-08-10", 15, 45000, august);
	check_seconds("2027-05-10", 15, 45000, may);
}

static void the_month_turns_at_midnight_in_shenzhen(void **state)
{
	/* 2027-06-30T16:00Z is the 1st of July there; 11 h later it is 11 o'clock: sharp. */
	static const int64_t sharp[4] = {0, 0, 0, 3600};
	static const int64_t peak[4] = {0, 0, 3600, 0};
	static const int64_t edge[4] = {1, 1, 0, 0};

	(void)state;
	check_seconds("2027-07-01", 3, 3600, sharp);
	check_seconds("2027-06-30", 3, 3600, peak);
	check_seconds("2027-09-30", 3, 3600, sharp);
	check_seconds("2027-10-01", 3, 3600, peak);

	int64_t seconds[TARIFF_BAND_COUNT];
	int64_t midnight = (int64_t)day_of("2027-06-30").days * 86400 + 16 * 3600;

	tariff_seconds(guangdong, midnight - 1, midnight + 1,
	               seconds); /* flat ends, valley starts */
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		assert_int_equal(seconds[band], edge[band]);
}

/* ---- Energy by the calendar ---- */

/* Hours of one kW at full load and PUE 1 from START for MONTHS months, by band. */
static void check_hours(const char *start, int months, const int64_t wanted[4])
{
	struct cost_basis basis = cost_basis_default();
	struct power_load load = {.kw = ratio_of(1), .pue_milli = 1000};
	struct date from = day_of(start);
	struct energy energy;

	cost_basis_give(&basis, ASSUME_LOAD, ratio_of(1));
	bill_start(&bill);
	assert_int_equal(power_energy(&basis, &load, guangdong, from,
	                              date_add_months(from, months).days - from.days, &bill,
	                              &energy),
	                 COST_OK);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		assert_int_equal(ratio_compare(energy.kwh[band], ratio_of(wanted[band])), 0);
}

static void energy_follows_the_days_of_real_months(void **state)
{
	/* Valley 8, flat 9, peak 7 hours a day; in the third quarter peak 4 and sharp 3. */
	static const int64_t february[4] = {8 * 28, 9 * 28, 7 * 28, 0};
	static const int64_t leap[4] = {8 * 29, 9 * 29, 7 * 29, 0};
	static const int64_t july[4] = {8 * 31, 9 * 31, 4 * 31, 3 * 31};
	static const int64_t year[4] = {8 * 365, 9 * 365, 7 * 273 + 4 * 92, 3 * 92};
	static const int64_t leap_year[4] = {8 * 366, 9 * 366, 7 * 274 + 4 * 92, 3 * 92};
	/* 15 June to 15 July: 16 ordinary days, 14 sharp ones. */
	static const int64_t across[4] = {8 * 30, 9 * 30, 7 * 16 + 4 * 14, 3 * 14};

	(void)state;
	check_hours("2027-02-01", 1, february);
	check_hours("2028-02-01", 1, leap);
	check_hours("2027-07-01", 1, july);
	check_hours("2027-01-01", 12, year);
	check_hours("2028-01-01", 12, leap_year);
	check_hours("2027-06-15", 1, across);
	check_hours("2027-01-31", 1, february); /* to 28 February: 28 days */
}

static void valley_only_pays_for_the_idle_hours_too(void **state)
{
	struct cost_basis basis = cost_basis_default();
	struct power_load load = {
	    .kw = ratio_of(10), .schedule.kind = SCHEDULE_VALLEY, .pue_milli = 1300};
	struct energy energy;

	(void)state;
	cost_basis_give(&basis, ASSUME_LOAD, ratio_of(1));
	bill_start(&bill);
	assert_int_equal(
	    power_energy(&basis, &load, guangdong, day_of("2027-06-01"), 1, &bill, &energy),
	    COST_OK);
	assert_ratio(energy.kwh[BAND_VALLEY], 2, "104.00"); /* 8 h x 13 kW */
	assert_ratio(energy.kwh[BAND_FLAT], 2, "40.95");    /* 9 h x 13 x 0.35 */
	assert_ratio(energy.kwh[BAND_PEAK], 2, "31.85");    /* 7 h x 13 x 0.35 */
	cost_basis_give(&basis, ASSUME_IDLE_DRAW, ratio_of(2));
	assert_int_equal(
	    power_energy(&basis, &load, guangdong, day_of("2027-06-01"), 1, &bill, &energy),
	    COST_OK);
	assert_ratio(energy.idle_kw, 0, "13"); /* idle is never above running */
}

static void own_hours_run_where_they_say(void **state)
{
	struct schedule nine_to_five = {.kind = SCHEDULE_HOURS};
	struct ratio mean;

	(void)state;
	for (int hour = 9; hour < 17; hour++)
		nine_to_five.run[hour] = true;
	assert_int_equal(schedule_hours_per_day(&nine_to_five, guangdong), 8);
	/* 9 flat, 10-12 peak, 12-14 flat, 14-17 peak: (3 + 5 x 1.7) / 8 */
	assert_int_equal(tariff_mean_ratio(guangdong, 6, &nine_to_five, &mean), COST_OK);
	assert_ratio(mean, 6, "1.437500");
}

/* ---- Money for energy ---- */

/* One month of a 10.2 kW server under this billing; the bill's total. */
static void check_month(struct fixture *fixture, struct cost_basis *basis, const char *wanted)
{
	struct power_load load = {.kw = ratio_make(102, 10), .pue_milli = 1300};

	basis->months = 1;
	basis->tax = TAX_INCLUDED;
	bill_start(&bill);
	assert_int_equal(cost_power(basis, &fixture->offer, &load, 1, NULL, NULL, &bill), COST_OK);
	assert_int_equal(bill_finish(basis, ratio_of(0), &bill), COST_OK);
	assert_money(bill.total, wanted);
}

static void a_server_of_ten_kilowatts_costs_the_known_month(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.power_billing = POWER_METERED;
	struct price *price =
	    fixture_price(&fixture, ITEM_POWER, TERM_METERED, "0.65", ONCE_EACH(PER_KWH));

	price->tax = TAX_INCLUDED;
	cost_basis_give(&basis, ASSUME_LOAD, ratio_of(1));
	check_month(&fixture, &basis, "6205.68"); /* 10.2 x 1.3 x 720 x 0.65 CNY */
	assert_true(money_parse("0.71", &price->amount));
	check_month(&fixture, &basis, "6778.51");
	assert_true(money_parse("1", &price->amount));
	cost_basis_give(&basis, ASSUME_LOAD, ratio_make(65, 100));
	check_month(&fixture, &basis, "6205.68"); /* 6205.68 kWh at a load factor of 0.65 */
}

static void each_billing_of_power_is_priced_its_own_way(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture_price(&fixture, ITEM_POWER, TERM_MONTHLY, "600",
	              (struct unit){PER_KW, 1, PERIOD_MONTH, 1})
	    ->tax = TAX_INCLUDED;
	fixture.offer.power_billing = POWER_FLAT;
	check_month(&fixture, &basis, "6120.00"); /* 10.2 kW x 600 */
	/* A price per kWh beside it: flat billing goes by the kW, metered by the kWh. */
	fixture_price(&fixture, ITEM_POWER, TERM_METERED, "1", ONCE_EACH(PER_KWH))->tax =
	    TAX_INCLUDED;
	check_month(&fixture, &basis, "6120.00");
	fixture.offer.power_billing = POWER_METERED;
	check_month(&fixture, &basis, "6205.68");
	fixture.offer.power_billing = POWER_FLAT;
	fixture.prices[0].unit = CABINET_MONTH;
	check_month(&fixture, &basis, "600.00");
	/* Included up to 8.8 kW; 1.4 kW above at 230 per ampere (0.22 kW): 1463.636... */
	fixture.prices[0].item = ITEM_OVERAGE;
	fixture.prices[0].unit = (struct unit){PER_AMPERE, 1, PERIOD_MONTH, 1};
	fixture.prices[0].amount = money_from_yuan(230);
	fixture.offer.power_billing = POWER_INCLUDED;
	fixture.offer.cabinet_watts = 8800;
	check_month(&fixture, &basis, "1463.64");
	fixture.offer.cabinet_watts = 12000;
	check_month(&fixture, &basis, "0.00");
	assert_int_equal(bill.unknown_count, 0);
}

static void power_without_a_price_is_unknown_with_its_energy(void **state)
{
	struct fixture fixture;
	struct cost_basis basis = cost_basis_default();

	(void)state;
	fixture_start(&fixture);
	fixture.offer.power_billing = POWER_METERED;
	check_month(&fixture, &basis, "0.00");
	assert_int_equal(bill.unknown_count, 1);
	assert_int_equal(bill.unknowns[0].what, COST_ENERGY);
	assert_ratio(bill.unknowns[0].quantity, 2, "6205.68");
	fixture.offer.power_billing = POWER_UNKNOWN;
	check_month(&fixture, &basis, "0.00");
	assert_int_equal(bill.unknown_count, 1);
	assert_non_null(cost_flag_find(&bill.flags, FLAG_POWER_BILLING_UNKNOWN));
}

/* ---- Ports ---- */

static void the_95th_percentile_bills_the_433rd_of_8640_samples(void **state)
{
	static int64_t samples[8640];

	(void)state;
	/* 1 ... 8640 in a shuffled order (7 and 8640 have no common divisor): the 433rd largest. */
	for (int i = 0; i < 8640; i++)
		samples[(int64_t)i * 7 % 8640] = i + 1;
	assert_int_equal(percentile_95(samples, 8640), 8640 - 432);
	int64_t one[] = {5};

	assert_int_equal(percentile_95(one, 1), 5);
}

static void a_part_of_a_month_and_a_long_copy_are_the_known_figures(void **state)
{
	struct money amount;
	struct ratio seconds;

	(void)state;
	assert_int_equal(port_part_month(ratio_of(900), ratio_of(15), 26, 30, &amount), COST_OK);
	assert_money(amount, "11700.00");
	assert_true(transfer_seconds(ratio_of(10), ratio_of(100), ratio_make(9, 10), &seconds));
	assert_ratio(seconds, 1, "888888.9");
	assert_false(transfer_seconds(ratio_of(10), ratio_of(0), ratio_make(9, 10), &seconds));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(servers_of_ten_kilowatts_fill_cabinets_by_their_power),
	    cmocka_unit_test(height_limits_where_power_does_not),
	    cmocka_unit_test(a_flat_load_pays_the_known_mean_of_the_tariff),
	    cmocka_unit_test(a_night_in_august_crosses_flat_valley_peak_and_sharp),
	    cmocka_unit_test(the_month_turns_at_midnight_in_shenzhen),
	    cmocka_unit_test(energy_follows_the_days_of_real_months),
	    cmocka_unit_test(valley_only_pays_for_the_idle_hours_too),
	    cmocka_unit_test(own_hours_run_where_they_say),
	    cmocka_unit_test(a_server_of_ten_kilowatts_costs_the_known_month),
	    cmocka_unit_test(each_billing_of_power_is_priced_its_own_way),
	    cmocka_unit_test(power_without_a_price_is_unknown_with_its_energy),
	    cmocka_unit_test(the_95th_percentile_bills_the_433rd_of_8640_samples),
	    cmocka_unit_test(a_part_of_a_month_and_a_long_copy_are_the_known_figures),
	};

	return cmocka_run_group_tests(tests, read_reference, drop_reference);
}
