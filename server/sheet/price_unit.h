/*
 * price_unit.h - the full unit of one price from all places that say a part of it.
 *
 * From the strongest: the cell itself, the row's unit column, the column's heading, the lines
 * around the table. Two of the first three that disagree are a clash, not a choice; a heading or a
 * row overrules a line above the table.
 */
#ifndef SHEET_PRICE_UNIT_H
#define SHEET_PRICE_UNIT_H

#include "sheet/number_text.h"
#include "sheet/row.h"

enum unit_fault {
	UNIT_FINE,
	UNIT_MISSING,        /* nothing is said */
	UNIT_CLASH,          /* two places disagree */
	UNIT_CURRENCY_CLASH, /* 元 here, USD there */
	UNIT_NO_THING,       /* 元/月: per card or per server? */
	UNIT_NO_PERIOD,      /* 元/卡: to rent or to buy? */
	UNIT_NO_CARDS,       /* per server, and nobody says how many cards it has */
	UNIT_NO_RATE,        /* per line, and nobody says how fast it is */
	UNIT_NOT_OF_ITEM,    /* a compute price per cabinet */
	UNIT_NO_CURRENCY,    /* "per GPU hour" of an English sheet */
};

struct price_unit {
	enum unit_fault fault;
	struct unit_reading reading; /* merged */
	struct unit unit;            /* when fine */
	enum price_item item;
	enum price_term term;
	int months;
	const char *text;                 /* the unit's words for people; arena */
	const struct column *unit_column; /* where the row says it; NULL */
	bool scale_twice;                 /* 万 in the cell and 万元 in the unit: taken once */
	bool period_of_term;              /* no unit says the period: that of 包年 was taken */
	bool currency_assumed;
};

/* NUMBER is the cell's reading in the price column COLUMN. */
struct price_unit price_unit_of(const struct row_view *view, const struct column *column,
                                const struct number_reading *number, const struct offer *offer);

/* What is wrong and what to do about it: a cabinet is to be priced in 元/柜/月. */
struct text unit_fault_message(enum unit_fault fault);
struct text unit_fault_hint(enum unit_fault fault, enum price_item item);

/* The same of a number. */
struct text number_fault_message(enum number_fault fault);
struct text number_fault_hint(enum number_fault fault);

/* "unit_missing" or "ambiguous_unit". */
const char *unit_fault_code(enum unit_fault fault);

#endif
