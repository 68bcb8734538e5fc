/*
 * xlsx_write.h - a workbook of one worksheet, written cell by cell (ECMA-376, Office Open XML).
 *
 * Words are inline strings, which no program takes for a formula; numbers are numbers. The same
 * cells give the same bytes, so that an ETag over them holds.
 */
#ifndef SHEET_XLSX_WRITE_H
#define SHEET_XLSX_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct xlsx_write {
	struct buf cells;  /* <row> elements */
	struct buf checks; /* <dataValidation> elements */
	int check_count;
	int row;    /* 1-based, the one being written */
	int column; /* 1-based, the next cell */
};

/* An empty worksheet. The first row is shown in bold and stays in view. */
struct xlsx_write xlsx_write_begin(void);

/* One cell each: words (NULL = empty; bytes that XML cannot hold become U+FFFD), or a number. */
void xlsx_text(struct xlsx_write *out, const char *text);
void xlsx_number(struct xlsx_write *out, const char *decimal);
void xlsx_integer(struct xlsx_write *out, int64_t value);
void xlsx_empty(struct xlsx_write *out);

/* Ends the row. */
void xlsx_end_row(struct xlsx_write *out);

/*
 * Puts a note (what to write there; NULL = none) and a drop-down (NULL-terminated; NULL = free) on
 * the cells of the 1-based COLUMN below the first row. Other words than those offered may still be
 * written. A list that a drop-down cannot hold (255 characters) is left out.
 */
void xlsx_check(struct xlsx_write *out, int column, const char *title, const char *note,
                const char *const *choices);

/*
 * Packs the workbook into FILE and frees OUT. False when it could not be packed (more than a
 * worksheet's 1048576 rows, or libzip fails): FILE is then empty.
 */
bool xlsx_write_finish(struct xlsx_write *out, const char *sheet_name, struct buf *file);

#endif
