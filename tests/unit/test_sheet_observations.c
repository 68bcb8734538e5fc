/*
 * test_sheet_observations.c - two hundred published prices: the words that were printed, brought to
 * the common basis, are the figures that were worked out by hand.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/csv.h"
#include "offer/offer.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"

#define FILE_NAME "tests/sheets/observations.csv"

struct observation {
	const char *id;
	const char *quoted_text;
	const char *quoted_unit;
	const char *norm_low;
	const char *norm_high;
	const char *unit;
	const char *expect; /* same, bad, no_thing, month, year */
	enum price_item item;
	int cards;
	double factor; /* what the source data multiplied by: exchange rate, added tax */
};

static bool read_file(struct arena *arena, struct csv *csv)
{
	struct buf text = {0};
	FILE *file = fopen(FILE_NAME, "rb");
	char piece[4096];
	size_t size;

	if (file == NULL)
		return false;
	while ((size = fread(piece, 1, sizeof piece, file)) > 0)
		buf_put(&text, piece, size);
	fclose(file);
	bool read = csv_read(arena, buf_text(&text), text.size, ',', 100000, csv);

	buf_finish(&text);
	return read;
}

static const char *field(const struct csv *csv, size_t row, const char *name)
{
	return csv_field(csv, row, csv_column(csv, name));
}

static struct observation observation_at(const struct csv *csv, size_t row)
{
	int item = name_index(field(csv, row, "item"), price_item_names, PRICE_ITEM_COUNT);

	assert_true(item >= 0);
	return (struct observation){
	    .id = field(csv, row, "id"),
	    .quoted_text = field(csv, row, "quoted_text"),
	    .quoted_unit = field(csv, row, "quoted_unit"),
	    .norm_low = field(csv, row, "norm_low"),
	    .norm_high = field(csv, row, "norm_high"),
	    .unit = field(csv, row, "unit"),
	    .expect = field(csv, row, "expect"),
	    .item = (enum price_item)item,
	    .cards = (int)strtol(field(csv, row, "cards_per_unit"), NULL, 10),
	    .factor = strtod(field(csv, row, "factor"), NULL),
	};
}

/* The unit column, completed by the cell; as price_unit.c does for a sheet. */
static struct unit_reading unit_of(struct arena *arena, const struct words *words,
                                   const struct observation *seen,
                                   const struct number_reading *number)
{
	struct unit_reading unit;

	unit_text_find(words, norm_text(arena, seen->quoted_unit), &unit, NULL, NULL);
	if (number->scaled || number->unit.amount_known)
		unit.scale = number->scaled ? ratio_of(1) : number->unit.scale;
	if (!unit.period_known && strcmp(seen->expect, "month") == 0) {
		unit.period_known = true;
		unit.period = PERIOD_MONTH;
	}
	if (unit.counted == COUNTED_NOTHING && seen->item == ITEM_CABINET)
		unit.counted = COUNTED_CABINET;
	return unit;
}

static void check_value(const struct observation *seen, struct ratio value, const char *expected)
{
	double found = ratio_to_double(value) * seen->factor;
	double wanted = strtod(expected, NULL);

	if (strcmp(seen->expect, "year") == 0)
		found *= 12;
	/* The figures were printed with four decimals. */
	if (fabs(found - wanted) > 0.000051 + wanted * 1e-9)
		fail_msg("%s: %s %s is %.6f, expected %s", seen->id, seen->quoted_text,
		         seen->quoted_unit, found, expected);
}

static void check(struct arena *arena, const struct words *words, const struct observation *seen)
{
	struct number_reading number = number_text_read(arena, words, seen->quoted_text);
	struct unit_reading reading = unit_of(arena, words, seen, &number);
	struct unit unit;
	struct ratio value;

	if (strcmp(seen->expect, "bad") == 0) {
		assert_int_equal(number.kind, NUMBER_BAD);
		return;
	}
	if (number.kind != NUMBER_OK)
		fail_msg("%s: %s is no number", seen->id, seen->quoted_text);
	if (strcmp(seen->expect, "no_thing") == 0) {
		assert_int_equal(reading.counted, COUNTED_NOTHING);
		return;
	}
	if (!unit_resolve(&reading, seen->item, 0, &unit))
		fail_msg("%s: %s has no unit", seen->id, seen->quoted_unit);
	enum normalised_unit basis = price_basis(seen->item, unit);

	if (strcmp(seen->expect, "same") == 0)
		assert_string_equal(normalised_unit_names[basis], seen->unit);
	assert_true(ratio_multiply(number.value, reading.scale, &value));
	assert_true(unit_normalise(value, unit, seen->cards, 720, basis, &value));
	check_value(seen, value, seen->norm_high);
	assert_true(
	    ratio_multiply(number.is_range ? number.low : number.value, reading.scale, &value));
	assert_true(unit_normalise(value, unit, seen->cards, 720, basis, &value));
	check_value(seen, value, seen->norm_low);
}

static void every_published_price_comes_to_the_figure_worked_by_hand(void **state)
{
	struct arena *arena = arena_create();
	const struct words *words = words_baked(arena);
	struct csv csv;

	(void)state;
	assert_true(read_file(arena, &csv));
	assert_int_equal(csv.count, 202);
	for (size_t row = 1; row < csv.count; row++) {
		struct observation seen = observation_at(&csv, row);

		check(arena, words, &seen);
	}
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_published_price_comes_to_the_figure_worked_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
