/*
 * sheet.h - what a supplier sent: bytes in, offers, problems and sentences out.
 *
 * The way of a file: the bytes say what it is (never its name or a client's label) -> a grid of
 * cells per worksheet (workbook.h) -> tables found in the grid (table.h) -> a meaning for each
 * column (header.h) -> one offer per row, each price with its exact unit (row.h). Nothing is
 * guessed: what can mean two things is a problem that names its cell, and every other row is still
 * read.
 *
 * Reading is bounded in time and memory whatever the bytes are (limits.h), opens no file, evaluates
 * no formula and never fails but by a problem.
 */
#ifndef SHEET_SHEET_H
#define SHEET_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "offer/card.h"
#include "offer/offer.h"

struct arena;
struct buf;

struct sheet_options {
	const struct cards *cards; /* borrowed: the catalogue that names are matched against */
	int hours_per_month;       /* 720 or 730, for prices per month brought to hours */
	struct date today;         /* in Shenzhen: rows valid to an earlier day are warned */
};

/* A column of a table and what it was taken for. */
struct sheet_column {
	int column;          /* 1-based */
	const char *heading; /* the words of the sheet; lines of a two-line header joined */
	struct text meaning; /* "price, monthly, 元/卡/月"; "not read" where nothing is */
};

struct sheet_table {
	const char *sheet; /* worksheet; NULL for text files */
	int header_row; /* 1-based, the last line of the header; of a turned table its first row */
	bool turned;    /* it stands on its side: its columns are rows of the sheet */
	struct sheet_column *columns;
	int column_count;
};

struct sheet {
	const char *format;   /* "xlsx", "csv", "json"; "unknown" for what is refused unread */
	const char *encoding; /* "utf-8", "gb18030", "utf-16le", "utf-16be"; NULL for xlsx */
	struct sheet_table *tables;
	size_t table_count;
	struct offer *offers;    /* supplier, sheet_id and id are for the caller to fill */
	struct text *understood; /* one sentence per offer, same order */
	size_t offer_count;
	struct problems problems; /* errors, warnings, and what was skipped */
	bool accepted;            /* something was read and nothing is an error */
};

/*
 * Reads SIZE bytes.
 *
 *   Given     arena     owns all of OUT
 *             bytes     borrowed; untrusted
 *             filename  borrowed; only shown in messages, never believed; NULL = none
 *   Returned  out       always filled; offer_count > 0 without accepted means that only
 *                       accept=partial may store it
 */
void sheet_read(struct arena *arena, const void *bytes, size_t size, const char *filename,
                const struct sheet_options *options, struct sheet *out);

/* ---- the last sheet of a supplier beside a new one ---- */

/* What became of one offer. */
struct sheet_change {
	const struct offer *before; /* NULL = it is new */
	const struct offer *now;    /* NULL = it is gone */
};

struct sheet_difference {
	size_t added;     /* "new" */
	size_t changed;   /* the same thing at another price, on other conditions or newly named */
	size_t gone;      /* in the old sheet only */
	size_t unchanged; /* the same thing at the same price */
	struct sheet_change *changes; /* all but the unchanged: changed, then new, then gone */
	size_t change_count;
};

struct offer_list {
	const struct offer *items;
	size_t count;
};

/*
 * Compares by what is sold and not by row number, so that sorting a sheet changes nothing. Offers
 * are paired in three rounds, each over those that are left:
 *   1. same kind, card, cards per server, city, site, cabinet, line, title and minimum term;
 *   2. the same but for site and title, first where prices are equal, then where as many are left
 *      of the old as of the new: a site that was renamed is no other offer;
 *   3. the same but for the city, too, where prices are equal: its name was written otherwise.
 * Of several that fit, those that stand in the same order are paired.
 *
 * A price that moved by more than 40 % either way (10 to 14.01, or to 5.99) is a warning
 * "price_jump" in PROBLEMS (may be NULL) at the new row; 3 or more offers gone that are more than
 * half of the old ones are a warning "many_gone". The changes live in ARENA and borrow the offers.
 */
struct sheet_difference sheet_difference(struct arena *arena, struct offer_list before,
                                         struct offer_list now, struct problems *problems);

/* A price of a changed offer, before and now; one of them may be NULL. */
struct price_change {
	const struct price *before;
	const struct price *now;
};

/* The prices of CHANGE (neither side NULL) that are not the same; their number. Array in ARENA. */
size_t sheet_price_changes(struct arena *arena, const struct sheet_change *change,
                           struct price_change **prices);

/* Something else that a changed offer says, before and now; NULL = not stated. */
struct condition_change {
	const char *field; /* as offers in JSON call it: "valid_to" */
	struct text label;
	const char *before;
	const char *now;
};

/* What CHANGE (neither side NULL) changes beside prices; its number. Array in ARENA. */
size_t sheet_condition_changes(struct arena *arena, const struct sheet_change *change,
                               struct condition_change **found);

/* The name of an offer for people: "h100-sxm ×8 · 深圳 · 示例机房"; arena. */
struct text offer_name(struct arena *arena, const struct offer *offer);

/* ---- the template that suppliers fill in ---- */

#define TEMPLATE_EXAMPLES 4

struct template_column {
	struct text heading;
	struct text note;                        /* what to write there */
	struct text examples[TEMPLATE_EXAMPLES]; /* one per example row; NULL = empty cell */
	const char *const *choices_zh;           /* drop-down, NULL-terminated; NULL = free */
	const char *const *choices_en;
};

/* The columns of the template in order; one definition for its CSV and its XLSX. */
const struct template_column *sheet_template(size_t *count);

/*
 * The template as CSV with a UTF-8 BOM: heading row and example rows. What it says is read back by
 * sheet_read() without an error or warning; the tests hold that.
 */
void sheet_template_csv(struct buf *out, enum lang lang);

/* The same as a workbook, with a note and a drop-down on each column. False when packing fails. */
bool sheet_template_xlsx(struct buf *out, enum lang lang);

#endif
