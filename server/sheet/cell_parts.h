/*
 * cell_parts.h - several prices in one cell: "13.2元/卡时 / 7.6万元/台月".
 */
#ifndef SHEET_CELL_PARTS_H
#define SHEET_CELL_PARTS_H

#include "sheet/number_text.h"

struct arena;

#define CELL_PARTS_MAX 4

struct cell_part {
	const char *text; /* as it stands */
	struct number_reading number;
};

/*
 * The prices of TEXT, between line breaks, semicolons, slashes between spaces or 或, else at the
 * space before a number. Their number; 0 where some part is no number, does not say what sets it
 * apart (its unit, tax or term), or says the same as another. Strings live in ARENA.
 */
int cell_parts(struct arena *arena, const struct words *words, const char *text,
               struct cell_part parts[CELL_PARTS_MAX]);

#endif
