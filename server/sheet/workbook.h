/*
 * workbook.h - what every format is brought to: worksheets of cells, without any meaning yet.
 *
 * Only cells with a value are kept, row by row. A formula is its cached value: its text is never
 * looked at.
 */
#ifndef SHEET_WORKBOOK_H
#define SHEET_WORKBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct arena;
struct problems;

enum cell_kind {
	CELL_TEXT,
	CELL_NUMBER,   /* TEXT is its shortest decimal */
	CELL_PERCENT,  /* a number shown as percent: TEXT is the number, 0.06 for 6 % */
	CELL_DATE,     /* DATE holds; TEXT is YYYY-MM-DD */
	CELL_BOOL,     /* "1" or "0" */
	CELL_ERROR,    /* #N/A and its like */
	CELL_NO_VALUE, /* a formula without a cached value */
};

/* Packed, for a sheet may have more than a million. */
struct cell {
	uint16_t column; /* 1-based */
	enum cell_kind kind : 8;
	bool long_number : 1; /* more than 15 digits: a spreadsheet has lost some */
	struct date date;
	const char *text; /* never NULL */
};

struct grid_row {
	int number; /* 1-based, as a spreadsheet program shows */
	bool hidden;
	struct cell *cells; /* by column */
	int count;
};

struct merge {
	int top, left, bottom, right;
};

struct grid {
	const char *name; /* NULL for text files */
	bool hidden;
	bool turned;           /* rows are columns of the sheet: see turn.h */
	bool knows_merges;     /* a text file cannot say that cells were merged */
	struct grid_row *rows; /* by number */
	size_t row_count;
	bool *hidden_columns; /* by column, SHEET_COLUMNS_MAX + 1 of them; NULL = none */
	struct merge *merges;
	size_t merge_count;
	const struct merge **merge_at; /* by column and top: see grid_lay_out_merges() */
	size_t *merge_from;            /* by column: where its ranges begin in merge_at */
};

struct workbook {
	struct grid *grids;
	size_t count;
};

/* The row with this number, or NULL. */
const struct grid_row *grid_row(const struct grid *grid, int number);

/* The cell of ROW in COLUMN, or NULL; ROW may be NULL. */
const struct cell *row_cell(const struct grid_row *row, int column);

/* The text there, or "". */
const char *row_text(const struct grid_row *row, int column);

/*
 * Sorts the merged ranges of GRID, whose number is merge_count, for grid_merge(): it looks through
 * none but one, however many there are. False when they cover more columns than a sheet can need.
 */
bool grid_lay_out_merges(struct arena *arena, struct grid *grid);

/* The merged range that covers the place, or NULL. Ranges do not overlap. */
const struct merge *grid_merge(const struct grid *grid, int row, int column);

/* Whether the column is hidden. */
bool grid_column_hidden(const struct grid *grid, int column);

#endif
