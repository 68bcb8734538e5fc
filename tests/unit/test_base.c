/* test_base.c - ratios, dates, text, CSV, JSON: the worked numbers of the headers. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/decimal.h"
#include "base/json_write.h"
#include "base/problem.h"
#include "base/ratio.h"
#include "base/text.h"
#include "base/utf8.h"

static int64_t random_number(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)(*random >> (34 + (*random >> 33 & 15))) - 1000;
}

static void assert_is(struct ratio value, int128 num, int128 den)
{
	int128 a = num < 0 ? -num : num;
	int128 b = den;

	while (b != 0) {
		int128 rest = a % b;

		a = b;
		b = rest;
	}
	assert_true(value.num == num / a && value.den == den / a);
}

static void ratios_agree_with_plain_fractions(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int128 n = random_number(&random), d = llabs(random_number(&random)) + 1;
		int128 m = random_number(&random),
		       e = i % 3 == 0 ? d : llabs(random_number(&random)) + 1;
		struct ratio x = ratio_make((int64_t)n, (int64_t)d);
		struct ratio y = ratio_make((int64_t)m, (int64_t)e);
		struct ratio sum = ratio_of(0), product = ratio_of(0);
		int64_t rounded;

		assert_is(x, n, d);
		assert_true(ratio_add(x, y, &sum) && ratio_multiply(x, y, &product));
		assert_is(sum, n * e + m * d, d * e);
		assert_is(product, n * m, d * e);
		assert_int_equal(ratio_compare(x, y), (n * e > m * d) - (n * e < m * d));
		assert_true(ratio_round(x, 2, &rounded));
		int128 twice =
		    2 * (100 * (n < 0 ? -n : n)) + d; /* half up: floor((2 x 100 n + d) / 2 d) */

		assert_int_equal(rounded, (int64_t)(n < 0 ? -(twice / (2 * d)) : twice / (2 * d)));
	}
}

static void ratio_keeps_a_price_exact_until_it_is_rounded(void **state)
{
	struct ratio price = ratio_make(76000, 5760);
	struct ratio back;
	char text[RATIO_DECIMAL_SIZE];
	int64_t micro;

	(void)state;
	assert_true(ratio_round(price, 6, &micro));
	assert_int_equal(micro, 13194444);
	assert_true(ratio_multiply(price, ratio_of(5760), &back));
	assert_int_equal((int64_t)back.num, 76000);
	assert_int_equal((int64_t)back.den, 1);
	assert_true(ratio_format(price, 6, text));
	assert_string_equal(text, "13.194444");
	assert_true(ratio_format_short(ratio_make(76, 10), 6, text));
	assert_string_equal(text, "7.6");
}

static void ratio_rounds_half_away_from_zero(void **state)
{
	static const struct {
		int64_t num, den, rounded;
	} cases[] = {{1, 2, 1},    {-1, 2, -1}, {3, 2, 2}, {-3, 2, -2}, {49, 100, 0}, {-49, 100, 0},
	             {5, 1000, 0}, {1, 3, 0},   {2, 3, 1}, {-2, 3, -1}, {0, 7, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t rounded;

		assert_true(ratio_round(ratio_make(cases[i].num, cases[i].den), 0, &rounded));
		assert_int_equal(rounded, cases[i].rounded);
	}
}

static void ratio_says_when_it_overflows(void **state)
{
	struct ratio huge = {.num = (int128)1 << 120, .den = 1};
	struct ratio untouched = ratio_of(7);
	int64_t rounded = 7;

	(void)state;
	assert_false(ratio_multiply(huge, huge, &untouched));
	assert_false(ratio_divide(huge, ratio_of(0), &untouched));
	assert_false(ratio_round(huge, 0, &rounded));
	assert_int_equal((int64_t)untouched.num, 7);
	assert_int_equal(rounded, 7);
}

static void ratio_compares_without_multiplying_out(void **state)
{
	struct ratio a = {.num = ((int128)1 << 126) + 1, .den = (int128)1 << 126};
	struct ratio b = {.num = (int128)1 << 126, .den = ((int128)1 << 126) - 1};

	(void)state;
	assert_true(ratio_compare(a, b) < 0);
	assert_true(ratio_compare(b, a) > 0);
	assert_int_equal(ratio_compare(a, a), 0);
	assert_true(ratio_compare(ratio_make(-1, 3), ratio_make(-1, 4)) < 0);
	assert_true(ratio_compare(ratio_make(-1, 3), ratio_of(0)) < 0);
}

static void ratio_reads_plain_decimals_only(void **state)
{
	static const char *const bad[] = {"",   "-",   ".",     "1.",
	                                  ".5", "1e3", "0x1",   " 1",
	                                  "1 ", "1,0", "1.2.3", "1234567890123456789012345678901"};
	struct ratio value;

	(void)state;
	assert_true(ratio_parse("-0.0125", &value));
	assert_int_equal((int64_t)value.num, -1);
	assert_int_equal((int64_t)value.den, 80);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(ratio_parse(bad[i], &value));
}

static void days_are_those_of_shanghai(void **state)
{
	struct date date;
	char text[21];

	(void)state;
	assert_true(date_parse("2027-01-01", &date));
	assert_int_equal(date_in_shanghai(1798732800).days, date.days); /* 2026-12-31T16:00:00Z */
	assert_int_equal(date_in_shanghai(1798732799).days, date.days - 1);
	moment_format(1798732800, text);
	assert_string_equal(text, "2026-12-31T16:00:00Z");
	assert_false(date_parse("2027-02-29", &date));
	assert_false(date_parse("2027-1-01", &date));
	assert_true(date_parse("2024-02-29", &date));
	date_format(date, text);
	assert_string_equal(text, "2024-02-29");
}

static void months_end_where_the_calendar_says(void **state)
{
	struct date start, wanted;

	(void)state;
	assert_true(date_parse("2026-01-31", &start) && date_parse("2026-02-28", &wanted));
	assert_int_equal(date_add_months(start, 1).days, wanted.days);
	assert_true(date_parse("2028-02-29", &wanted));
	assert_int_equal(date_add_months(start, 25).days, wanted.days);
	assert_true(date_parse("2025-11-30", &wanted));
	assert_int_equal(date_add_months(start, -2).days, wanted.days);
	assert_int_equal(days_in_month(2028, 2), 29);
	assert_int_equal(days_in_month(2100, 2), 28);
	assert_int_equal(days_in_month(2000, 2), 29);
	assert_int_equal(days_in_month(2026, 4), 30);
	/* Before the first year there is none. */
	assert_int_equal(date_add_months(start, -2027 * 12).days, start.days);
}

static void every_day_of_four_centuries_survives_the_round_trip(void **state)
{
	(void)state;
	for (int32_t days = -135140; days < 11000; days++) {
		int y, m, d;
		struct date again;

		date_to_ymd((struct date){.days = days}, &y, &m, &d);
		assert_true(date_from_ymd(y, m, d, &again));
		assert_int_equal(again.days, days);
	}
}

static void language_follows_accept_language(void **state)
{
	(void)state;
	assert_int_equal(lang_from_accept(NULL), LANG_ZH);
	assert_int_equal(lang_from_accept("en-GB,en;q=0.9"), LANG_EN);
	assert_int_equal(lang_from_accept("zh-CN,zh;q=0.9,en;q=0.8"), LANG_ZH);
	assert_int_equal(lang_from_accept("en;q=0.1, zh;q=0.5"), LANG_ZH);
	assert_int_equal(lang_from_accept("fr"), LANG_ZH);
	assert_int_equal(lang_from_accept("en;q=0"), LANG_ZH);
}

static void json_strings_are_escaped_and_valid(void **state)
{
	struct buf buf = {0};

	(void)state;
	out_quote(&buf, "a\"\\\n\x01\xff算", 9);
	assert_string_equal(buf_text(&buf), "\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd算\"");
	buf_finish(&buf);
}

/* Strings are looked at eight bytes at a time: every byte is told at every place. */
static void json_strings_are_escaped_wherever_the_byte_stands(void **state)
{
	static const char *const wide[] = {"算", "é", "😀", "\xed\xa0\x80", "\xe0\x80\x80"};
	struct buf buf = {0};

	(void)state;
	for (int byte = 0; byte < 0x80; byte++)
		for (size_t at = 0; at < 20; at++) {
			char text[20];
			bool plain = byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';

			memset(text, 'a', sizeof text);
			text[at] = (char)byte;
			buf_clear(&buf);
			out_quote(&buf, text, sizeof text);
			assert_memory_equal(buf.bytes + 1, text, at);
			assert_int_equal(buf.bytes[1 + at], plain ? byte : '\\');
			assert_memory_equal(buf.bytes + buf.size - (20 - at), text + at + 1,
			                    19 - at);
			assert_int_equal(plain, buf.size == 22);
		}
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		for (size_t at = 0; at < 20; at++) {
			char text[32];
			int length = snprintf(text, sizeof text, "%.*s%s%.*s", (int)at,
			                      "aaaaaaaaaaaaaaaaaaaa", wide[i], 19 - (int)at,
			                      "aaaaaaaaaaaaaaaaaaaa");
			struct json_write out = json_write_to(&buf);

			buf_clear(&buf);
			out_string_n(&out, NULL, text, (size_t)length);
			assert_memory_equal(buf.bytes + 1, text, at);
			assert_true((strncmp(buf.bytes + 1, text, (size_t)length) == 0) == (i < 3));
			assert_true((strstr(buf.bytes, "\xef\xbf\xbd") == NULL) == (i < 3));
		}
	buf_finish(&buf);
}

static void decimals_are_those_of_printf(void **state)
{
	static const double edges[] = {
	    0,     -0.0,   0.5,  1.5,  2.5, 0.125,  0.375, 1e-300, 1e300, 5e-324,
	    0.045, -0.045, 1e15, 1e16, 9.5, 0.0005, 1e18,  1.1e19, 2e19,  4503599627370496.5};
	uint64_t random = 20261130;
	char expected[400];
	char text[DECIMAL_SIZE];
	uint64_t scaled;

	(void)state;
	for (size_t i = 0; i < 200000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		/* Sums of few powers of two, so that ties are met. */
		double value = i < sizeof edges / sizeof *edges
		                   ? edges[i]
		                   : ldexp((double)(random >> 50), (int)(random >> 40 & 63) - 40);
		int decimals = (int)(i % 8);

		if (!decimal_scale(value, decimals, &scaled))
			continue;
		snprintf(expected, sizeof expected, "%.*f", decimals, fabs(value));
		assert_int_equal(decimal_fixed(false, scaled, decimals, text), strlen(expected));
		assert_string_equal(text, expected);
		decimal_trim(expected, strlen(expected));
		assert_int_equal(decimal_short(false, scaled, decimals, text), strlen(expected));
		assert_string_equal(text, expected);
	}
	assert_false(decimal_scale(2e19, 0, &scaled));
	assert_false(decimal_scale(NAN, 0, &scaled));
	assert_false(decimal_scale(9007199254740992.0, 0, &scaled)); /* 2^53 */
	assert_true(decimal_scale(9007199254740991.0, 0, &scaled));
}

static void json_keeps_its_commas(void **state)
{
	struct buf buf = {0};
	struct json_write out = json_write_to(&buf);

	(void)state;
	out_object(&out, NULL);
	out_array(&out, "a");
	out_integer(&out, NULL, -1);
	out_number(&out, NULL, 2.5000, 4);
	out_number(&out, NULL, -0.00001, 2);
	out_object(&out, NULL);
	out_end(&out);
	out_end(&out);
	out_boolean(&out, "b", true);
	out_string(&out, "c", NULL);
	out_end(&out);
	assert_string_equal(buf_text(&buf), "{\"a\":[-1,2.5,0,{}],\"b\":true,\"c\":null}");
	buf_finish(&buf);
}

static void a_piece_of_json_is_written_again_with_the_commas_of_its_new_place(void **state)
{
	struct buf buf = {0};
	struct json_write out = json_write_to(&buf);
	struct json_piece pair = {0};
	struct json_piece members = {0};
	struct json_piece nothing = {0};

	(void)state;
	out_array(&out, NULL);
	assert_false(out_piece(&out, &nothing));
	out_piece_end(&out, &nothing);
	out_integer(&out, NULL, 1);
	assert_false(out_piece(&out, &pair));
	out_integer(&out, NULL, 2);
	out_integer(&out, NULL, 3);
	out_piece_end(&out, &pair);
	out_array(&out, NULL);
	assert_true(out_piece(&out, &pair)); /* first in its array */
	assert_true(out_piece(&out, &pair));
	out_end(&out);
	out_object(&out, NULL);
	assert_false(out_piece(&out, &members));
	out_string(&out, "a", "x");
	out_null(&out, "b");
	out_piece_end(&out, &members);
	out_end(&out);
	out_object(&out, NULL);
	out_boolean(&out, "c", true);
	assert_true(out_piece(&out, &members));
	out_end(&out);
	assert_false(out_piece(&out, &nothing)); /* of no size: still to be written */
	out_end(&out);
	assert_string_equal(buf_text(&buf), "[1,2,3,[2,3,2,3],{\"a\":\"x\",\"b\":null},"
	                                    "{\"c\":true,\"a\":\"x\",\"b\":null}]");
	buf_finish(&buf);
}

static void csv_follows_rfc_4180(void **state)
{
	struct arena *arena = arena_create();
	static const char text[] = "\xef\xbb\xbf"
				   "a,\"b \"\"x\"\"\nc\",\r\n\r\nlast";
	struct csv csv;

	(void)state;
	assert_true(csv_read(arena, text, sizeof text - 1, ',', 100, &csv));
	assert_int_equal(csv.count, 3);
	assert_int_equal(csv.rows[0].count, 3);
	assert_string_equal(csv.rows[0].fields[0], "a");
	assert_string_equal(csv.rows[0].fields[1], "b \"x\"\nc");
	assert_string_equal(csv.rows[0].fields[2], "");
	assert_int_equal(csv.rows[1].count, 1);
	assert_string_equal(csv.rows[2].fields[0], "last");
	assert_false(csv_read(arena, "a\n\"b", 4, ',', 100, &csv));
	assert_int_equal(csv.error_row, 2);
	assert_false(csv_read(arena, "\"b\"c", 4, ',', 100, &csv));
	assert_false(csv_read(arena, "a,b,c", 5, ',', 2, &csv));
	arena_destroy(arena);
}

static void columns_have_spreadsheet_names(void **state)
{
	char name[8];

	(void)state;
	column_name(1, name);
	assert_string_equal(name, "A");
	column_name(26, name);
	assert_string_equal(name, "Z");
	column_name(27, name);
	assert_string_equal(name, "AA");
	column_name(703, name);
	assert_string_equal(name, "AAA");
}

static void a_slip_of_the_pen_finds_its_name(void **state)
{
	static const char *const names[] = {"months", "model", "mode"};

	(void)state;
	assert_string_equal(nearest_name("month", names, 3), "months");
	assert_string_equal(nearest_name("modle", names, 3), "mode");
	assert_null(nearest_name("zzz", names, 3));
}

/* "budget" is no slip of the pen, but only one field can be meant. */
static void a_part_of_a_name_finds_the_only_one_that_has_it(void **state)
{
	static const char *const names[] = {"budget_per_month", "deadline_hours", "public_mbps",
	                                    "dedicated_mbps", "cities"};

	(void)state;
	assert_string_equal(nearest_name("budget", names, 5), "budget_per_month");
	assert_string_equal(nearest_name("deadline", names, 5), "deadline_hours");
	assert_string_equal(nearest_name("cities_wanted", names, 5), "cities");
	assert_string_equal(nearest_name("CITIES", names, 5), "cities");
	assert_null(nearest_name("mbps", names, 5));
	assert_null(nearest_name("line", names, 5));
	assert_null(nearest_name("", names, 5));
}

static void utf8_is_strict(void **state)
{
	size_t bad;

	(void)state;
	assert_true(utf8_valid("算价\xf0\xa0\x80\xbe", 10, NULL));
	assert_false(utf8_valid("a\xc0\x80", 3, &bad));
	assert_int_equal(bad, 1);
	assert_false(utf8_valid("\xed\xa0\x80", 3, NULL));
	assert_false(utf8_valid("\xf4\x90\x80\x80", 4, NULL));
	assert_false(utf8_valid("\xe7\xae", 2, NULL));
}

static void arenas_hold_what_they_are_given(void **state)
{
	struct arena *arena = arena_create();
	size_t capacity = 0;
	int *items = NULL;

	(void)state;
	for (size_t i = 0; i < 10000; i++) {
		items = arena_grow(arena, items, i, &capacity, sizeof *items);
		items[i] = (int)i;
	}
	char *big = arena_alloc(arena, (size_t)3 << 20);

	assert_int_equal(big[((size_t)3 << 20) - 1], 0);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(items[i], i);
	assert_int_equal((uintptr_t)arena_alloc(arena, 1) % 16, 0);
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ratios_agree_with_plain_fractions),
	    cmocka_unit_test(ratio_keeps_a_price_exact_until_it_is_rounded),
	    cmocka_unit_test(ratio_rounds_half_away_from_zero),
	    cmocka_unit_test(ratio_says_when_it_overflows),
	    cmocka_unit_test(ratio_compares_without_multiplying_out),
	    cmocka_unit_test(ratio_reads_plain_decimals_only),
	    cmocka_unit_test(days_are_those_of_shanghai),
	    cmocka_unit_test(months_end_where_the_calendar_says),
	    cmocka_unit_test(every_day_of_four_centuries_survives_the_round_trip),
	    cmocka_unit_test(language_follows_accept_language),
	    cmocka_unit_test(json_strings_are_escaped_and_valid),
	    cmocka_unit_test(json_strings_are_escaped_wherever_the_byte_stands),
	    cmocka_unit_test(decimals_are_those_of_printf),
	    cmocka_unit_test(json_keeps_its_commas),
	    cmocka_unit_test(a_piece_of_json_is_written_again_with_the_commas_of_its_new_place),
	    cmocka_unit_test(csv_follows_rfc_4180),
	    cmocka_unit_test(columns_have_spreadsheet_names),
	    cmocka_unit_test(a_slip_of_the_pen_finds_its_name),
	    cmocka_unit_test(a_part_of_a_name_finds_the_only_one_that_has_it),
	    cmocka_unit_test(utf8_is_strict),
	    cmocka_unit_test(arenas_hold_what_they_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
