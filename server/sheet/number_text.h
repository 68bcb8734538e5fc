/*
 * number_text.h - the text of a price cell: "￥1,052.00", "约1.25万", "3.15–3.8万", "面议",
 * "12OOO".
 */
#ifndef SHEET_NUMBER_TEXT_H
#define SHEET_NUMBER_TEXT_H

#include <stdbool.h>

#include "base/ratio.h"
#include "sheet/unit_text.h"
#include "sheet/words.h"

struct arena;

enum number_kind {
	NUMBER_EMPTY,
	NUMBER_NONE, /* 面议, 电询, "-", on request: no price, never 0 */
	NUMBER_FREE, /* 免, 赠送 */
	NUMBER_OK,
	NUMBER_BAD, /* not a number, or not one number */
};

enum number_fault {
	NUMBER_FINE,
	NUMBER_NOT_ONE,   /* no number at all */
	NUMBER_FORMULA,   /* the text of a formula */
	NUMBER_COMMAS,    /* "1.355,90", "12,5": which is the decimal sign? */
	NUMBER_LETTERS,   /* the letter O for 0, l for 1 */
	NUMBER_TWO,       /* two prices in one cell */
	NUMBER_TOO_LONG,  /* more digits than can be kept */
	NUMBER_LEFTOVERS, /* words after the number that nobody understands */
};

struct number_reading {
	enum number_kind kind;
	enum number_fault fault;
	struct ratio value; /* the high end of a range; with 万 applied; 0 unless NUMBER_OK */
	struct ratio low;
	bool is_range;
	bool approximate;        /* 约 */
	bool from;               /* 起, ≥ */
	bool scaled;             /* 万, 千, W stood with the number */
	bool noted;              /* words in brackets after it */
	const char *number_text; /* the number as it stood, with 万, without unit; arena */
	const char *unit_text;   /* the unit as it stood, "" = none; arena */
	const char *front; /* normal form of the words before it (含税, 月付, 约); arena */
	const char *rest;  /* normal form of what follows number and unit (含税, …); arena */
	struct unit_reading unit;
};

/* Reads TEXT (as it stands in the cell; NULL = empty). Strings of the result live in ARENA. */
struct number_reading number_text_read(struct arena *arena, const struct words *words,
                                       const char *text);

/*
 * A plain count: "8", "8卡", "16 张", "30台", "1,200". False when TEXT is not exactly one whole
 * number with at most a unit word behind it.
 */
bool count_text_read(struct arena *arena, const char *text, int *count);

/* The first plain decimal in TEXT (normal form), e.g. 99.9 in "≥99.9%"; false when none. */
bool number_text_first(const char *text, struct ratio *value, const char **after);

/* Shortest decimal of at most 15 digits of an XLSX or JSON number: 4.9800000000000004 is "4.98". */
const char *number_text_shortest(struct arena *arena, double value);

#endif
