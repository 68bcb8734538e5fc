/*
 * csv.h - comma (or tab, or semicolon) separated text, strictly (RFC 4180), in UTF-8.
 *
 * Fields may be quoted, a quote inside is doubled, line breaks inside quotes belong to the field;
 * CRLF, LF and CR end a row. Rows are those a spreadsheet program would number. Used for reference
 * data and, after the charset is settled, by sheet/.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * Reads field by field, in place: what is read is overwritten by its fields.
 *
 *   AT         of text that may be written to, with one byte of room behind END
 *   ERROR      "unterminated quote", "text after quote"; NULL
 */
struct csv_scan {
	char *at;
	char *end;
	char separator;
	const char *error;
};

/*
 * The next field, ended by a NUL; NULL when it is malformed. ROW_ENDS says whether it is the last
 * of its row; no row begins at the end of the text.
 */
char *csv_scan_field(struct csv_scan *scan, bool *row_ends);

struct csv_row {
	char **fields;
	int count;
};

struct csv {
	struct csv_row *rows; /* blank lines are rows with one empty field */
	size_t count;
	size_t error_row;  /* 1-based row where reading stopped; 0 = read to the end */
	const char *error; /* "unterminated quote", "text after quote"; NULL */
};

/*
 * Reads all of TEXT (a UTF-8 BOM at the start is skipped) into ARENA. False when it is malformed:
 * rows before error_row are there. MAX_FIELDS bounds all fields together; more is the error "too
 * large".
 */
bool csv_read(struct arena *arena, const char *text, size_t size, char separator, size_t max_fields,
              struct csv *csv);

/* The index of column NAME in the first row, or -1. */
int csv_column(const struct csv *csv, const char *name);

/* The field of ROW (0-based) in COLUMN, or "" where the row is short or COLUMN is -1. */
const char *csv_field(const struct csv *csv, size_t row, int column);

#endif
