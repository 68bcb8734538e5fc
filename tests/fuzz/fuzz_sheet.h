/* fuzz_sheet.h - reads bytes as a whole sheet and holds what must be true of every answer. */
#ifndef TESTS_FUZZ_FUZZ_SHEET_H
#define TESTS_FUZZ_FUZZ_SHEET_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "offer/reference.h"
#include "sheet/sheet.h"
#include "tests/fuzz/fuzz.h"

#define ARENA_MOST ((size_t)1 << 30)

static inline void hold(bool truth)
{
	if (!truth)
		abort();
}

static inline const struct reference *fuzz_reference(void)
{
	static struct reference reference;
	static struct arena *arena;
	struct problems problems;

	if (arena == NULL) {
		arena = arena_create();
		problems_init(&problems, arena);
		hold(reference_baked(arena, &problems, &reference));
	}
	return &reference;
}

static inline void hold_offer(const struct offer *offer, struct text understood)
{
	hold(understood.en != NULL && understood.zh != NULL);
	hold(offer->price_count > 0);
	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];

		hold(money_compare(price->normalised, money_zero()) >= 0);
		hold(price->unit.per_count >= 1 && price->unit.period_count >= 1);
		hold(strlen(price->currency) == 3);
		hold(!price->has_low ||
		     money_compare(price->normalised_low, price->normalised) <= 0);
	}
}

/* Reads and checks. */
static inline void fuzz_sheet(const void *data, size_t size)
{
	struct arena *arena = arena_create();
	struct sheet_options options = {
	    .cards = &fuzz_reference()->cards, .hours_per_month = 720, .today = {.days = 20787}};
	struct sheet sheet;

	sheet_read(arena, data, size, "fuzz", &options, &sheet);
	hold(sheet.format != NULL);
	hold(sheet.offer_count > 0 || sheet.problems.errors > 0);
	hold(sheet.accepted == (sheet.offer_count > 0 && sheet.problems.errors == 0));
	for (size_t i = 0; i < sheet.offer_count; i++)
		hold_offer(&sheet.offers[i], sheet.understood[i]);
	for (size_t i = 0; i < sheet.problems.count; i++)
		hold(sheet.problems.items[i].message.zh != NULL);
	hold(arena_size(arena) < ARENA_MOST);
	arena_destroy(arena);
}

#endif
