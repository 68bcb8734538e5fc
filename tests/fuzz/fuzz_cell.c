/* fuzz_cell.c - the text of one cell, as number, unit, date, term, tax, quantity and format. */
#include "sheet/date_text.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/terms_text.h"
#include "sheet/xlsx_styles.h"
#include "tests/fuzz/fuzz_sheet.h"

static void hold_number(const struct number_reading *number)
{
	hold(number->number_text != NULL && number->unit_text != NULL && number->rest != NULL);
	hold((number->kind == NUMBER_BAD) == (number->fault != NUMBER_FINE));
	hold(number->kind != NUMBER_OK || number->value.den > 0);
}

static void read_all(struct arena *arena, const struct words *words, const char *text)
{
	const char *norm = norm_text(arena, text);
	struct number_reading number = number_text_read(arena, words, text);
	struct unit_reading unit;
	bool cards;
	int count;

	hold_number(&number);
	unit_text_read(words, norm, &unit);
	hold(unit.count >= 1 && unit.period_count >= 1);
	unit_text_find(words, norm, &unit, NULL, NULL);
	for (int item = 0; item < PRICE_ITEM_COUNT; item++) {
		struct unit resolved;

		if (unit_resolve(&unit, (enum price_item)item, 100, &resolved))
			hold(resolved.per_count >= 1 && resolved.period_count >= 1);
	}
	date_text_read(arena, text);
	months_text_read(arena, text);
	minutes_text_read(arena, text);
	count_text_read(arena, text, &count);
	term_text_read(words, norm);
	tax_text_read(words, norm, true);
	quantity_text_read(norm, &cards);
	style_of_format(arena, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct words *words;
	static struct arena *keep;
	struct arena *arena = arena_create();

	if (keep == NULL) {
		keep = arena_create();
		words = words_baked(keep);
	}
	if (memchr(data, '\0', size) == NULL)
		read_all(arena, words, arena_strndup(arena, (const char *)data, size));
	arena_destroy(arena);
	return 0;
}
