/*
 * row.h - one row of a table into one offer (or none), with every problem it has.
 */
#ifndef SHEET_ROW_H
#define SHEET_ROW_H

#include "sheet/context.h"
#include "sheet/finish.h"
#include "sheet/reader.h"
#include "sheet/table.h"

/* Rows that are told of together, in one warning for the table. */
struct rows_said {
	size_t count;
	int last;            /* row added last */
	const char *numbers; /* "2, 3, 4" of the first ones; NULL */
	struct place first;
	const char *value; /* of the first; NULL */
};

/* What earlier rows of a table leave to later ones. */
struct carry {
	const char *group_city;       /* of a row that is only a city's name; NULL */
	const char *unknown_city;     /* told of last; NULL */
	bool city_missed;             /* it was said that nothing names a city */
	struct rows_said cityless;    /* rows whose cell of the city is empty */
	struct rows_said no_currency; /* rows with a price that was taken for CNY */
	const struct grid_row *above; /* the last data row, for text files that lost their merges */
};

/* One row being read. */
struct row_view {
	struct reader *reader;
	const struct table *table;
	const struct context *context;
	const struct grid_row *row;
	struct carry *carry;
	bool filled; /* all its labels come from the row above */
};

/* The cell of COLUMN for this row: its own, or for labels that of a merged range; NULL = empty. */
const struct cell *view_cell(const struct row_view *view, const struct column *column);

/* The text of the first visible column of ROLE in this row; "" when there is none. */
const char *view_text(const struct row_view *view, enum role role);

/* The place of COLUMN (NULL = the whole row), for problems. */
struct place view_place(const struct row_view *view, const struct column *column);

/*
 * Reads the city of the row into OFFER: from its own cell, its site, the group row or the titles
 * above it. One that is not known, or several, are a warning.
 */
void row_city(const struct row_view *view, struct offer *offer);

/* Reads everything but prices and the card into OFFER, with warnings. */
void row_attributes(const struct row_view *view, struct offer *offer);

/*
 * Reads the prices of the row into OFFER's list, each with its exact unit and tax; SPLITS (one per
 * price, same order) receives what sets prices of one row apart.
 */
void row_prices(const struct row_view *view, struct offer *offer, struct split **splits);

/* The card that a row is about. */
struct named_card {
	struct card_match match;
	const struct column *column; /* where its name stands; NULL = in no column */
	const char *text;            /* as it stands; "" = nothing names one */
};

/* From the row, else from the titles above the table, else from the name of the worksheet. */
struct named_card row_card(const struct row_view *view);

/* False, with a problem, when CARD is not exactly one card of the catalogue. */
bool row_card_report(const struct row_view *view, const struct named_card *card);

/*
 * How many cards a machine of the row has, where no column says it; TITLE are the row's words for
 * it. 0 = nothing says it.
 */
int row_card_count(const struct row_view *view, const struct named_card *card, const char *title);

/* What the row's product and line cells say is sold ("ip", "traffic", ...); NULL = nothing. */
const char *row_item_word(const struct row_view *view);

/* Adds the row of VIEW at COLUMN, once however often it is said. */
void rows_add(struct rows_said *rows, const struct row_view *view, const struct column *column,
              const char *value);

/* Says what CARRY has gathered, after the last row of a table. */
void rows_report(struct reader *reader, const struct carry *carry);

/* Reads one row: an offer, a skipped row, or problems. */
void row_read(const struct row_view *view);

#endif
