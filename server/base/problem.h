/*
 * problem.h - what is wrong with something that came from outside, all of it at once.
 *
 * Readers of requests, sheets, options and reference files add every problem they find to one list
 * and go on as far as they can; the edge turns the list into problem+json (RFC 9457), a table on
 * the supplier's page, or lines on stderr. What is wrong with the program itself is an assert.
 */
#ifndef BASE_PROBLEM_H
#define BASE_PROBLEM_H

#include <stddef.h>

#include "base/text.h"

struct arena;

enum problem_severity {
	PROBLEM_ERROR,   /* the thing is refused */
	PROBLEM_WARNING, /* taken, but somebody should look */
	PROBLEM_SKIPPED, /* left out on purpose: notes, totals, hidden rows, 面议 */
};

/* Where a problem is. Fields that do not apply stay zero. Strings are copied by problem_add(). */
struct place {
	const char *pointer; /* JSON pointer (RFC 6901), or the name of a header, query or option */
	const char *sheet;   /* worksheet name, or file name */
	int row;             /* 1-based, 0 = none */
	int column;          /* 1-based, 0 = none */
};

struct problem {
	enum problem_severity severity;
	const char *code; /* snake_case, stable: part of the interface */
	struct place place;
	const char *value;   /* the offending text as it stood; NULL = none */
	struct text message; /* what is wrong */
	struct text hint;    /* what to do; both NULL = none */
};

struct problems {
	struct arena *arena; /* holds the list and every string */
	struct problem *items;
	size_t count;
	size_t capacity;
	size_t errors; /* how many of them are PROBLEM_ERROR */
};

/* An empty list in ARENA. */
void problems_init(struct problems *problems, struct arena *arena);

/*
 * Adds a problem; PLACE and VALUE are copied, the formats are as in text_printf(). Returns the new
 * entry (borrowed until the next call) so that a hint can be set.
 */
struct problem *problem_add(struct problems *problems, enum problem_severity severity,
                            const char *code, struct place place, const char *value, const char *en,
                            const char *zh, ...)
    __attribute__((format(printf, 6, 8), format(printf, 7, 8)));

/* The same with a message that is made already: borrowed, as long-lived as the list. */
struct problem *problem_add_text(struct problems *problems, enum problem_severity severity,
                                 const char *code, struct place place, const char *value,
                                 struct text message);

/* "error", "warning", "skipped". */
const char *problem_severity_name(enum problem_severity severity);

/* Spreadsheet letters of a 1-based column: 1 = A, 27 = AA; "" for 0. NAME holds at least 8 bytes.
 */
void column_name(int column, char name[static 8]);

/*
 * The entry of NAMES (COUNT of them) that is nearest to NAME by edit distance, if near enough to be
 * a slip of the pen (distance <= 1 + length / 4, ASCII letters of either case alike); else the only
 * one that shares its whole words with NAME ("budget": "budget_per_month"), or NULL. For "unknown
 * field, did you mean".
 */
const char *nearest_name(const char *name, const char *const *names, size_t count);

#endif
