/*
 * csv_write.h - tables that a spreadsheet program opens: UTF-8 with a BOM, CRLF, RFC 4180.
 *
 * A text cell that a spreadsheet would run as a formula gets an apostrophe in front (ASVS 1.2.10);
 * a number is written as it is, so -5 stays a number.
 */
#ifndef API_CSV_WRITE_H
#define API_CSV_WRITE_H

#include <stdbool.h>
#include <stdint.h>

struct buf;

struct csv_write {
	struct buf *buf;
	bool row_begun;
};

/* A writer that appends to BUF (borrowed), beginning with the BOM. */
struct csv_write csv_write_to(struct buf *buf);

/*
 * One cell of words that came from outside; NULL is an empty cell. Guarded when it begins, blanks
 * aside, with = + - @ (also full-width), a tab or a line break: "=1+1" becomes "'=1+1".
 */
void csv_text(struct csv_write *out, const char *text);

/* One cell holding a number that this program made: "-5", "13.194444"; NULL is an empty cell. */
void csv_number(struct csv_write *out, const char *number);
void csv_integer(struct csv_write *out, int64_t value);

/* An empty cell. */
void csv_empty(struct csv_write *out);

/* Ends the row. */
void csv_end_row(struct csv_write *out);

#endif
