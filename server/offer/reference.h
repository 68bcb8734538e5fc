/*
 * reference.h - reads the CSV files of schema/reference: cards, models, tariffs.
 *
 * The same reader serves the baked files, an operator's own file and the tests. Columns are found
 * by name; an unknown id in a reference, a number that is none, a duplicate id are problems with
 * their row and column.
 */
#ifndef OFFER_REFERENCE_H
#define OFFER_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "offer/card.h"
#include "offer/model.h"
#include "offer/tariff.h"

struct arena;

/* Each false when an error was added to PROBLEMS; the results live in ARENA, sorted by id. */
bool cards_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                struct cards *cards);
bool models_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                 struct models *models);
bool tariff_hours_read(struct arena *arena, const char *text, size_t size,
                       struct problems *problems, struct tariffs *tariffs);
bool tariffs_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                  struct tariffs *tariffs);

/* Union of two lists, sorted; an id in both keeps B's row. */
struct models models_merge(struct arena *arena, struct models a, struct models b);

/* All that is baked in: schema/reference/{cards,models,tariff_hours,tariffs}.csv. */
struct reference {
	struct cards cards;
	struct models models;
	struct tariffs tariffs;
};
bool reference_baked(struct arena *arena, struct problems *problems, struct reference *reference);

#endif
