/*
 * table.h - a table that is exported: as CSV or as a workbook, cell by cell, the same cells in
 * both.
 */
#ifndef API_TABLE_H
#define API_TABLE_H

#include <stdint.h>

#include "api/csv_write.h"
#include "http/answer.h"
#include "offer/offer.h"
#include "sheet/xlsx_write.h"

#define XLSX_TYPE "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

enum table_format { TABLE_CSV, TABLE_XLSX };

struct table {
	enum table_format format;
	struct buf text; /* CSV */
	struct csv_write csv;
	struct xlsx_write book;
};

/* Makes OUT an empty table. It is written until table_answer() takes it. */
void table_begin(struct table *out, enum table_format format);

/* One cell each: words (NULL = empty), a decimal number of this program, an empty cell. */
void table_text(struct table *out, const char *text);
void table_number(struct table *out, const char *decimal);
void table_empty(struct table *out);

/* VALUE, or an empty cell where it is not positive: "unknown" in most structs. */
void table_known(struct table *out, int64_t value);

/* "2026-11-30", or an empty cell for DATE_NONE. */
void table_date(struct table *out, struct date date);

/* Ends the row. */
void table_end_row(struct table *out);

/*
 * 200 or 304 with the table as the file NAME.csv or NAME.xlsx, or 500 when it does not fit into a
 * workbook; frees OUT.
 */
struct answer *table_answer(struct request *rq, struct table *out, const char *name);

#endif
