/* test_sheet_texts.c - what suppliers type into one cell: numbers, units, dates, terms, tax. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/terms_text.h"
#include "sheet/validity.h"
#include "sheet/xlsx_styles.h"

static struct arena *arena;
static const struct words *words;

static int set_up(void **state)
{
	(void)state;
	arena = arena_create();
	words = words_baked(arena);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

/* ---- numbers ---- */

struct number_case {
	const char *text;
	const char *value; /* NULL = not a number */
	const char *low;   /* NULL = no range */
	enum number_kind kind;
	enum number_fault fault;
};

#define OK(text, value)                                                                            \
	{                                                                                          \
		text, value, NULL, NUMBER_OK, NUMBER_FINE                                          \
	}
#define RANGE(text, low, value)                                                                    \
	{                                                                                          \
		text, value, low, NUMBER_OK, NUMBER_FINE                                           \
	}
#define BAD(text, fault)                                                                           \
	{                                                                                          \
		text, NULL, NULL, NUMBER_BAD, fault                                                \
	}
#define NONE(text)                                                                                 \
	{                                                                                          \
		text, NULL, NULL, NUMBER_NONE, NUMBER_FINE                                         \
	}

static const struct number_case numbers[] = {
    OK("1052", "1052"),
    OK("1,052", "1052"),
    OK("1,052.00", "1052"),
    OK("12,345,678.9", "12345678.9"),
    OK("0.88", "0.88"),
    OK(".5", "0.5"),
    OK("１．９８", "1.98"),
    OK("８，６００", "8600"),
    OK("￥8,500.00", "8500"),
    OK("¥ 8500", "8500"),
    OK("RMB 8500", "8500"),
    OK("8500元", "8500"),
    OK("$4.39", "4.39"),
    OK("US$8,582.40", "8582.4"),
    OK("0.83万", "8300"),
    OK("8千", "8000"),
    OK("1.2W", "12000"),
    OK("1.2w", "12000"),
    OK("7.6 万", "76000"),
    OK("5k", "5000"),
    OK("1.5百万", "1500000"),
    OK("0.3亿", "30000000"),
    OK("约1.25万", "12500"),
    OK("大约 1.25万", "12500"),
    OK("~1500", "1500"),
    OK("1.6万起", "16000"),
    OK("1600元起", "1600"),
    OK("1600元/卡/月起", "1600"),
    OK("≥1500", "1500"),
    OK(">=1500", "1500"),
    OK("不低于1500元", "1500"),
    OK("from 1500", "1500"),
    OK("1500左右", "1500"),
    OK("\xc2\xa0"
       "20,800\xc2\xa0",
       "20800"),
    OK("4.8万元/台/月", "48000"),
    OK("7.6万元/8卡/月（含税）", "76000"),
    OK("1052元（不含税）", "1052"),
    OK("650元/kW/月 不含税", "650"),
    OK("4580元/月 包电", "4580"),
    OK("每卡每月2600元", "2600"),
    OK("$4.39/卡/时", "4.39"),
    OK("28W 元/年", "280000"),
    OK("25万/颗", "250000"),
    OK("1052（活动价）", "1052"),
    OK("0", "0"),
    OK("-500", "-500"),
    OK("−500", "-500"),
    OK("-0.5万", "-5000"),
    RANGE("12-15元", "12", "15"),
    RANGE("12–15", "12", "15"),
    RANGE("12～15元/卡/时", "12", "15"),
    RANGE("12至15", "12", "15"),
    RANGE("12 - 15", "12", "15"),
    RANGE("3.15–3.8万", "31500", "38000"),
    RANGE("0.68-0.88万", "6800", "8800"),
    RANGE("7–8千", "7000", "8000"),
    RANGE("8000-1万", "8000", "10000"),
    RANGE("75000~80000", "75000", "80000"),
    RANGE("18,000-25,000元/月", "18000", "25000"),
    RANGE("¥12-¥15", "12", "15"),
    RANGE("0.55–0.60 USD/M", "0.55", "0.60"),
    BAD("12OOO", NUMBER_LETTERS),
    BAD("l2000", NUMBER_LETTERS),
    BAD("1.355,90", NUMBER_COMMAS),
    BAD("1,05", NUMBER_COMMAS),
    BAD("12,34,567", NUMBER_COMMAS),
    BAD("1,0520", NUMBER_COMMAS),
    BAD("1.2.3", NUMBER_COMMAS),
    BAD("=1.5*2", NUMBER_FORMULA),
    BAD("@SUM(A1)", NUMBER_FORMULA),
    BAD("+A1", NUMBER_FORMULA),
    BAD("500元/月 5300元/年", NUMBER_TWO),
    BAD("4.6 / 8.4万", NUMBER_TWO),
    BAD("8折", NUMBER_LEFTOVERS),
    BAD("15-12", NUMBER_TWO),
    BAD("十五", NUMBER_NOT_ONE),
    BAD("12345678901234567890123456", NUMBER_TOO_LONG),
    NONE("面议"),
    NONE("电询"),
    NONE("价格面议"),
    NONE("请联系商务"),
    NONE("-"),
    NONE("—"),
    NONE("--"),
    NONE("/"),
    NONE("N/A"),
    NONE("待定"),
    NONE("TBD"),
    NONE("on request"),
    NONE("Contact us"),
    NONE("按项目报价"),
    {"", NULL, NULL, NUMBER_EMPTY, NUMBER_FINE},
    {"   ", NULL, NULL, NUMBER_EMPTY, NUMBER_FINE},
    {"免", NULL, NULL, NUMBER_FREE, NUMBER_FINE},
    {"免费", NULL, NULL, NUMBER_FREE, NUMBER_FINE},
    {"赠送", NULL, NULL, NUMBER_FREE, NUMBER_FINE},
    {"included", NULL, NULL, NUMBER_FREE, NUMBER_FINE},
};

static void check_ratio(const char *text, struct ratio value, const char *expected)
{
	struct ratio wanted;

	assert_true(ratio_parse(expected, &wanted));
	if (ratio_compare(value, wanted) != 0)
		fail_msg("\"%s\" is %g, expected %s", text, ratio_to_double(value), expected);
}

static void numbers_are_read_as_people_mean_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct number_case *one = &numbers[i];
		struct number_reading number = number_text_read(arena, words, one->text);

		if (number.kind != one->kind || number.fault != one->fault)
			fail_msg("\"%s\" is kind %d fault %d, expected %d %d", one->text,
			         number.kind, number.fault, one->kind, one->fault);
		if (one->value != NULL)
			check_ratio(one->text, number.value, one->value);
		assert_int_equal(number.is_range, one->low != NULL);
		if (one->low != NULL)
			check_ratio(one->text, number.low, one->low);
	}
}

static void the_number_keeps_its_own_text(void **state)
{
	struct number_reading number = number_text_read(arena, words, " 约￥1.25 万元/台/月 ");

	(void)state;
	assert_string_equal(number.number_text, "￥1.25 万");
	assert_string_equal(number.unit_text, "元/台/月");
	assert_true(number.approximate && number.scaled);
	assert_string_equal(number_text_shortest(arena, 4.9800000000000004), "4.98");
	assert_string_equal(number_text_shortest(arena, 1e15), "1000000000000000");
	assert_string_equal(number_text_shortest(arena, 0.000001), "0.000001");
	assert_string_equal(number_text_shortest(arena, 76000), "76000");
}

/* ---- units ---- */

struct unit_case {
	const char *text;
	enum counted counted;
	int count;
	enum period period; /* PERIOD_ONCE = none said */
	int period_count;
	const char *currency;
	const char *scale;
};

static const struct unit_case units[] = {
    {"元/卡/时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元/卡/小时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元/卡时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元/卡·时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元/GPU/h", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元每卡每月", COUNTED_CARD, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/月/卡", COUNTED_CARD, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/张/天", COUNTED_CARD, 1, PERIOD_DAY, 1, "CNY", "1"},
    {"万元/颗/年", COUNTED_CARD, 1, PERIOD_YEAR, 1, "CNY", "10000"},
    {"万元/8卡/月", COUNTED_CARD, 8, PERIOD_MONTH, 1, "CNY", "10000"},
    {"万元/8卡整机/月", COUNTED_CARD, 8, PERIOD_MONTH, 1, "CNY", "10000"},
    {"元/8卡节点(月)", COUNTED_CARD, 8, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/台/月", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元 / 台 / 月", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/台(8卡)/月", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/整机/季", COUNTED_SERVER, 1, PERIOD_MONTH, 3, "CNY", "1"},
    {"元/实例/时", COUNTED_SERVER, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"元/台/30天", COUNTED_SERVER, 1, PERIOD_DAY, 30, "CNY", "1"},
    {"元/30天", COUNTED_NOTHING, 1, PERIOD_DAY, 30, "CNY", "1"},
    {"元/台/半年", COUNTED_SERVER, 1, PERIOD_MONTH, 6, "CNY", "1"},
    {"元/台/周", COUNTED_SERVER, 1, PERIOD_DAY, 7, "CNY", "1"},
    {"万/台/月", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "", "10000"},
    {"万元/1838台", COUNTED_SERVER, 1838, PERIOD_ONCE, 1, "CNY", "10000"},
    {"元/台", COUNTED_SERVER, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"元/柜/月", COUNTED_CABINET, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/机柜/月", COUNTED_CABINET, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/柜 一次性", COUNTED_CABINET, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"元/kW/月", COUNTED_KW, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/A/柜/月", COUNTED_AMPERE, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/U/月", COUNTED_U, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/度", COUNTED_KWH, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"元/kWh", COUNTED_KWH, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"分/kWh", COUNTED_KWH, 1, PERIOD_ONCE, 1, "CNY", "0.01"},
    {"元/M/月", COUNTED_MBPS, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/Mbps/月", COUNTED_MBPS, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/100M/月", COUNTED_MBPS, 100, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/500M/月", COUNTED_MBPS, 500, PERIOD_MONTH, 1, "CNY", "1"},
    {"万元/G/年", COUNTED_G, 1, PERIOD_YEAR, 1, "CNY", "10000"},
    {"万元/10G/年", COUNTED_G, 10, PERIOD_YEAR, 1, "CNY", "10000"},
    {"元/月/G", COUNTED_G, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/Gbps/月", COUNTED_GBPS, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/GB", COUNTED_GB, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"元/GB/月", COUNTED_GB, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/TB/月", COUNTED_TB, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/T/月", COUNTED_T, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/个/月", COUNTED_PIECE, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/个IP/月", COUNTED_IP, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/条/月", COUNTED_LINE, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"元/次", COUNTED_TIME, 1, PERIOD_ONCE, 1, "CNY", "1"},
    {"美元/卡/时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "USD", "1"},
    {"USD/卡/时", COUNTED_CARD, 1, PERIOD_HOUR, 1, "USD", "1"},
    {"USD/h", COUNTED_NOTHING, 1, PERIOD_HOUR, 1, "USD", "1"},
    {"$/GPU-hour", COUNTED_CARD, 1, PERIOD_HOUR, 1, "USD", "1"},
    {"CNY/GPU/hour", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"CNY/server/month", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "CNY", "1"},
    {"CNY per GPU per hour", COUNTED_CARD, 1, PERIOD_HOUR, 1, "CNY", "1"},
    {"per GPU hour", COUNTED_CARD, 1, PERIOD_HOUR, 1, "", "1"},
    {"per node per month (USD)", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "USD", "1"},
    {"HKD/server/month", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "HKD", "1"},
    {"人民币元/台/年", COUNTED_SERVER, 1, PERIOD_YEAR, 1, "CNY", "1"},
    {"元/台/月 3个月", COUNTED_SERVER, 1, PERIOD_MONTH, 1, "CNY", "1"},
};

static void units_are_what_per_what_per_how_long(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const struct unit_case *one = &units[i];
		struct unit_reading unit;

		if (unit_text_read(words, norm_text(arena, one->text), &unit) == 0)
			fail_msg("%s is no unit", one->text);
		if (unit.counted != one->counted || unit.count != one->count)
			fail_msg("%s counts %d x %d", one->text, unit.counted, unit.count);
		enum period period = unit.period_known ? unit.period : PERIOD_ONCE;

		if (period != one->period || unit.period_count != one->period_count)
			fail_msg("%s has period %d x %d", one->text, period, unit.period_count);
		assert_string_equal(unit.currency, one->currency);
		check_ratio(one->text, unit.scale, one->scale);
		assert_false(unit.clash);
	}
}

static void a_unit_that_counts_two_things_is_a_clash(void **state)
{
	struct unit_reading unit;

	(void)state;
	unit_text_read(words, "元/卡/台/月", &unit);
	assert_true(unit.clash);
	unit_text_read(words, "元/月/年", &unit);
	assert_true(unit.clash);
}

/* ---- dates and lengths of time ---- */

struct date_case {
	const char *text;
	const char *from; /* NULL = not a date */
	const char *to;
};

static const struct date_case dates[] = {
    {"2026-11-02", "2026-11-02", "2026-11-02"},
    {"2026/11/2", "2026-11-02", "2026-11-02"},
    {"2026.11.1", "2026-11-01", "2026-11-01"},
    {"2026年11月5日", "2026-11-05", "2026-11-05"},
    {"2026 年 11 月 5 日", "2026-11-05", "2026-11-05"},
    {"２０２６年６月３０日", "2026-06-30", "2026-06-30"},
    {"20261231", "2026-12-31", "2026-12-31"},
    {"2028年6月", "2028-06-01", "2028-06-30"},
    {"2028-02", "2028-02-01", "2028-02-29"},
    {"2026-11-01 00:00:00", "2026-11-01", "2026-11-01"},
    {"2026-11-01T08:00:00Z", "2026-11-01", "2026-11-01"},
    {"31 Dec 2026", "2026-12-31", "2026-12-31"},
    {"Dec 31, 2026", "2026-12-31", "2026-12-31"},
    {"December 2026", "2026-12-01", "2026-12-31"},
    {"31/12/2026", "2026-12-31", "2026-12-31"},
    {"12/31/2026", "2026-12-31", "2026-12-31"},
    {"2026.11.1-2028.12.31", "2026-11-01", "2028-12-31"},
    {"2026-11-01至2026-12-31", "2026-11-01", "2026-12-31"},
    {"至2026-12-31", "2026-12-31", "2026-12-31"},
    {"2026-12-31前", "2026-12-31", "2026-12-31"},
    {"03/04/2028", NULL, NULL},
    {"2026-02-30", NULL, NULL},
    {"2026-13-01", NULL, NULL},
    {"26.11.1", NULL, NULL},
    {"next week", NULL, NULL},
    {"46022", NULL, NULL},
};

static void check_day(const char *text, struct date date, const char *expected)
{
	char day[11];

	date_format(date, day);
	if (strcmp(day, expected) != 0)
		fail_msg("\"%s\" is %s, expected %s", text, day, expected);
}

static void dates_are_read_only_one_way(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		struct date_reading reading = date_text_read(arena, dates[i].text);

		if ((reading.kind == DATE_TEXT_BAD) != (dates[i].from == NULL))
			fail_msg("\"%s\" has kind %d", dates[i].text, reading.kind);
		if (dates[i].from == NULL)
			continue;
		check_day(dates[i].text, reading.from, dates[i].from);
		check_day(dates[i].text, reading.to, dates[i].to);
	}
	assert_int_equal(date_text_read(arena, "长期有效").kind, DATE_TEXT_ENDLESS);
	assert_int_equal(date_text_read(arena, "").kind, DATE_TEXT_EMPTY);
}

static void serial_days_are_right_in_both_systems(void **state)
{
	struct date date;

	(void)state;
	assert_true(date_from_serial(46327, false, &date));
	check_day("46327", date, "2026-11-01");
	assert_true(date_from_serial(44865, true, &date));
	check_day("44865 in 1904", date, "2026-11-01");
	assert_true(date_from_serial(1, false, &date));
	check_day("1", date, "1900-01-01");
	assert_true(date_from_serial(61, false, &date));
	check_day("61", date, "1900-03-01");
	assert_true(date_from_serial(46327.75, false, &date));
	check_day("46327.75", date, "2026-11-01");
	assert_false(date_from_serial(-1, false, &date));
	assert_false(date_from_serial(1e9, false, &date));
}

static void lengths_of_time_are_months_and_minutes(void **state)
{
	static const struct {
		const char *text;
		int months;
		int minutes;
	} lengths[] = {{"3个月", 3, -1},    {"12 months", 12, -1},
	               {"1年", 12, -1},     {"一年", 12, -1},
	               {"半年", 6, -1},     {"两年", 24, -1},
	               {"6", 6, -1},        {"1-year", 12, -1},
	               {"4小时", 0, 240},   {"30分钟", 0, 30},
	               {"2 hours", 0, 120}, {"1天", 0, 1440},
	               {"≤4小时", 0, 240},  {"次日", 0, -1},
	               {"", 0, -1},         {"next business day", 0, -1}};

	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		if (months_text_read(arena, lengths[i].text) != lengths[i].months)
			fail_msg("%s: %d months", lengths[i].text,
			         months_text_read(arena, lengths[i].text));
		if (minutes_text_read(arena, lengths[i].text) != lengths[i].minutes)
			fail_msg("%s: %d minutes", lengths[i].text,
			         minutes_text_read(arena, lengths[i].text));
	}
}

/* ---- terms, tax, quantities ---- */

static void terms_are_what_one_commits_to(void **state)
{
	static const struct {
		const char *text;
		enum price_term term;
		int months;
	} terms[] = {{"按时（元/卡/时）", TERM_HOURLY, 0},
	             {"包月", TERM_MONTHLY, 0},
	             {"1个月", TERM_MONTHLY, 0},
	             {"3个月", TERM_QUARTERLY, 0},
	             {"季付", TERM_QUARTERLY, 0},
	             {"12个月", TERM_YEARLY, 0},
	             {"一年期（元/台/月）", TERM_YEARLY, 0},
	             {"半年付", TERM_QUARTERLY, 6},
	             {"两年付", TERM_YEARLY, 24},
	             {"三年", TERM_YEARLY, 36},
	             {"抢占式", TERM_SPOT, 0},
	             {"on-demand", TERM_HOURLY, 0},
	             {"1-year commitment", TERM_YEARLY, 0},
	             {"36 months", TERM_YEARLY, 36}};

	(void)state;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct term_reading term = term_text_read(words, norm_text(arena, terms[i].text));

		if (!term.known || term.term != terms[i].term || term.months != terms[i].months)
			fail_msg("%s: %d %d", terms[i].text, term.term, term.months);
	}
	assert_false(term_text_read(words, "固定带宽").known);
}

static void tax_words_and_rates_are_told_apart(void **state)
{
	static const struct {
		const char *text;
		enum tax_basis basis;
		int rate;
	} taxes[] = {{"含税6%", TAX_INCLUDED, 600},
	             {"含６％增值税", TAX_INCLUDED, 600},
	             {"含13%增值税", TAX_INCLUDED, 1300},
	             {"价格含6%增值税；交付方式：裸金属", TAX_INCLUDED, 600},
	             {"Prices include 6% VAT.", TAX_INCLUDED, 600},
	             {"incl. VAT 6%", TAX_INCLUDED, 600},
	             {"不含税", TAX_EXCLUDED, -1},
	             {"未税", TAX_EXCLUDED, -1},
	             {"税前+6%", TAX_EXCLUDED, 600},
	             {"不含税，开票另加6%", TAX_EXCLUDED, 600},
	             {"+6%", TAX_EXCLUDED, 600},
	             {"excl. VAT", TAX_EXCLUDED, -1},
	             {"ex. tax, NVLink", TAX_EXCLUDED, -1},
	             {"VAT incl.", TAX_INCLUDED, -1},
	             {"price excludes VAT", TAX_EXCLUDED, -1},
	             {"税费另付", TAX_EXCLUDED, -1},
	             {"以上价格均为税前价，开具6%专票另加税点", TAX_EXCLUDED, 600},
	             {"境内含税6%，海外节点美元不含税", TAX_UNKNOWN, -1},
	             {"价格已含机柜、电力及运维", TAX_UNKNOWN, -1},
	             {"包月", TAX_UNKNOWN, -1}};

	(void)state;
	for (size_t i = 0; i < sizeof taxes / sizeof *taxes; i++) {
		struct tax_reading tax =
		    tax_text_read(words, norm_text(arena, taxes[i].text), false);

		if (tax.basis != taxes[i].basis || tax.rate_bp != taxes[i].rate)
			fail_msg("%s: %d %d", taxes[i].text, tax.basis, tax.rate_bp);
	}
	assert_int_equal(tax_text_read(words, "是", true).basis, TAX_INCLUDED);
	assert_int_equal(tax_text_read(words, "否", true).basis, TAX_EXCLUDED);
	assert_int_equal(tax_text_read(words, "是", false).basis, TAX_UNKNOWN);
}

static void steps_of_a_ladder_have_a_least_quantity(void **state)
{
	bool cards;

	(void)state;
	assert_int_equal(quantity_text_read("10台以上", &cards), 10);
	assert_int_equal(quantity_text_read("≥10台", &cards), 10);
	assert_int_equal(quantity_text_read("10-49台", &cards), 10);
	assert_int_equal(quantity_text_read("10+ servers", &cards), 10);
	assert_int_equal(quantity_text_read("1-9台", &cards), 1);
	assert_int_equal(quantity_text_read("64卡起", &cards), 64);
	assert_true(cards);
	assert_int_equal(quantity_text_read("元/8卡/月", &cards), 0);
	assert_int_equal(quantity_text_read("月租", &cards), 0);
}

static void number_formats_are_data(void **state)
{
	(void)state;
	assert_int_equal(style_of_format(arena, "yyyy\"年\"m\"月\"d\"日\"").shown, SHOWN_DATE);
	assert_int_equal(style_of_format(arena, "0.0%").shown, SHOWN_PERCENT);
	assert_int_equal(style_of_format(arena, "#,##0.00_ ;[Red]-#,##0.00").shown, SHOWN_NUMBER);
	assert_string_equal(style_of_format(arena, "0.00\"万元/台/月\"").after, "万元/台/月");
	assert_string_equal(style_of_format(arena, "[$¥-804]#,##0").before, "¥");
	assert_string_equal(style_of_format(arena, "[$$-409]#,##0.00").before, "$");
	assert_int_equal(style_of_format(arena, "\"").shown, SHOWN_NUMBER);
	assert_int_equal(style_of_format(arena, "[").shown, SHOWN_NUMBER);
	assert_int_equal(style_of_format(arena, "General").shown, SHOWN_NUMBER);
	assert_string_equal(style_of_format(arena, "General").before, "");
}

static void steps_of_bandwidth_are_mbps_and_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(mbps_step_read("100m-500m"), 100);
	assert_int_equal(mbps_step_read("100-500m"), 100);
	assert_int_equal(mbps_step_read("1g以上"), 1000);
	assert_int_equal(mbps_step_read(">=1g"), 1000);
	assert_int_equal(mbps_step_read("100m以下"), 0);
	assert_int_equal(mbps_step_read("100m"), -1);
	assert_int_equal(mbps_step_read("10-49台"), -1);
	assert_int_equal(mbps_step_read("1g以上另议"), -1);
	assert_int_equal(mbps_step_read("0-100m"), 0);
	assert_int_equal(tb_step_read("0-100tb"), 0);
	assert_int_equal(tb_step_read("100-500tb"), 100);
	assert_int_equal(tb_step_read("1pb以上"), 1000);
	assert_int_equal(tb_step_read("≥20t"), 20);
	assert_int_equal(tb_step_read("100tb"), -1);
	assert_int_equal(tb_step_read("0"), -1);
	assert_int_equal(line_mbps_read("10g 深圳-东莞"), 10000);
	assert_int_equal(line_mbps_read("100m-200m"), 0);
	assert_int_equal(line_mbps_read("100m以上"), 0);
}

static void the_power_of_a_cabinet_is_in_its_words(void **state)
{
	(void)state;
	assert_int_equal(watts_text_read("高密柜10kw(元/柜/月)"), 10000);
	assert_int_equal(watts_text_read("标准柜 47u 20a(4.4kw)"), 4400);
	assert_int_equal(watts_text_read("42u 16a"), 3520);
	assert_int_equal(watts_text_read("6.5 kva"), 6500);
	assert_int_equal(watts_text_read("超电单价(元/a/月)"), 0);
	assert_int_equal(watts_text_read("0.88元/kwh"), 0);
}

static void electricity_is_billed_as_the_words_say(void **state)
{
	(void)state;
	assert_int_equal(power_billing_read(words, "机柜托管(含税6%,不含电)"), POWER_METERED);
	assert_int_equal(power_billing_read(words, "含电"), POWER_INCLUDED);
	assert_int_equal(power_billing_read(words, "电费另计"), POWER_METERED);
	assert_int_equal(power_billing_read(words, "no setup fee"), POWER_UNKNOWN);
	assert_int_equal(power_billing_read(words, "含带宽"), POWER_UNKNOWN);
}

static void assert_day(const char *line, struct date found, const char *wanted)
{
	char day[11] = "";

	if (!date_is_none(found))
		date_format(found, day);
	if (strcmp(day, wanted) != 0)
		fail_msg("%s: \"%s\" instead of \"%s\"", line, day, wanted);
}

/* "有效期一个月（2026-11-25起）" once ended on the day on which it begins. */
static void a_time_that_begins_on_a_day_does_not_end_on_it(void **state)
{
	static const struct {
		const char *line;
		const char *from;
		const char *to;
	} cases[] = {
	    {"有效期一个月（2026-11-25起）", "2026-11-25", "2026-12-25"},
	    {"有效期：自2026年11月20日起45天", "2026-11-20", "2027-01-04"},
	    {"有效期自2026-12-01起三个月", "2026-12-01", "2027-03-01"},
	    {"报价有效期半年，自2026年11月1日起", "2026-11-01", "2027-05-01"},
	    {"本报价自2026年11月20日起执行，有效期两个月", "2026-11-20", "2027-01-20"},
	    {"自2026-11-15起生效，有效期至2026-12-31", "2026-11-15", "2026-12-31"},
	    {"有效期从2026-12-01至2027-03-31", "2026-12-01", "2027-03-31"},
	    {"有效期：2026年12月1日起至2027年2月28日", "2026-12-01", "2027-02-28"},
	    {"Valid from 2026-11-20 to 2027-02-28", "2026-11-20", "2027-02-28"},
	    {"有效期：2026.11.01-2027.01.31", "2026-11-01", "2027-01-31"},
	    {"价格有效期：即日起至2026年12月31日", "", "2026-12-31"},
	    {"有效期至2027年3月31日", "", "2027-03-31"},
	    {"有效期 30 天", "", ""},
	    {"有效期2026年", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct context context = context_nothing();

		validity_read(arena, words, norm_text(arena, cases[i].line), &context);
		if (date_is_none(context.valid_to))
			context.valid_to = validity_end(&context, context.valid_from);
		assert_day(cases[i].line, context.valid_from, cases[i].from);
		assert_day(cases[i].line, context.valid_to, cases[i].to);
	}
}

static void a_unit_keeps_the_letters_of_the_sheet(void **state)
{
	(void)state;
	assert_string_equal(norm_as_written(arena, "单价（元/M/月）", "元/m/月"), "元/M/月");
	assert_string_equal(norm_as_written(arena, "价格（元 / TB / 月）", "元/tb/月"),
	                    "元 / TB / 月");
	assert_string_equal(norm_as_written(arena, "元／ＩＰ／月", "元/ip/月"), "元／ＩＰ／月");
	assert_string_equal(norm_as_written(arena, "价格", "元/m/月"), "元/m/月");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(steps_of_bandwidth_are_mbps_and_nothing_else),
	    cmocka_unit_test(the_power_of_a_cabinet_is_in_its_words),
	    cmocka_unit_test(electricity_is_billed_as_the_words_say),
	    cmocka_unit_test(a_time_that_begins_on_a_day_does_not_end_on_it),
	    cmocka_unit_test(a_unit_keeps_the_letters_of_the_sheet),
	    cmocka_unit_test(numbers_are_read_as_people_mean_them),
	    cmocka_unit_test(the_number_keeps_its_own_text),
	    cmocka_unit_test(units_are_what_per_what_per_how_long),
	    cmocka_unit_test(a_unit_that_counts_two_things_is_a_clash),
	    cmocka_unit_test(dates_are_read_only_one_way),
	    cmocka_unit_test(serial_days_are_right_in_both_systems),
	    cmocka_unit_test(lengths_of_time_are_months_and_minutes),
	    cmocka_unit_test(terms_are_what_one_commits_to),
	    cmocka_unit_test(tax_words_and_rates_are_told_apart),
	    cmocka_unit_test(steps_of_a_ladder_have_a_least_quantity),
	    cmocka_unit_test(number_formats_are_data),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
