/*
 * table.h - finds the tables of a worksheet: header lines wherever they are, and rows below.
 *
 * A header row has at least two cells that name a column, no number, and more names than other
 * texts. A second (and third) line continues it when all its texts are names standing below
 * merged or empty cells. A table ends where the next begins.
 */
#ifndef SHEET_TABLE_H
#define SHEET_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "sheet/header.h"
#include "sheet/workbook.h"

struct arena;

struct table {
	const struct grid *grid;
	size_t above;     /* index in grid->rows of the first line above that belongs to it */
	size_t above_end; /* index behind the last of them */
	size_t again;     /* the same of a header that is printed again: its own titles */
	size_t again_end;
	size_t header;  /* index of the first header line */
	size_t body;    /* index of the first row below the header */
	size_t end;     /* index behind the last row */
	int header_row; /* number of the last header line */
	struct column *columns;
	int column_count;
	bool beside; /* another table stands beside it in the same rows */
};

struct tables {
	struct table *items;
	size_t count;
};

/*
 * The tables of GRID in order; columns are read, hidden ones marked. Of more than SHEET_TABLES_MAX
 * the rest is not looked for.
 */
struct tables tables_find(struct arena *arena, const struct words *words, const struct grid *grid);

/* Takes list prices, amounts or cities alone for prices where no other column of TABLE is one. */
void table_settle_columns(struct table *table);

/* The first visible column of this role, or NULL. */
const struct column *table_column(const struct table *table, enum role role);

#endif
