/*
 * norm.h - one spelling for the many ways a cell is typed, before words and numbers are looked for.
 *
 * Full-width ASCII becomes ASCII, letters become lower case, every kind of space (also line breaks
 * and NBSP) one space, every dash '-', every tilde '~', the multiplication sign 'x', both yen signs
 * "¥", all brackets round. Invisible characters vanish; spaces at the ends too.
 */
#ifndef SHEET_NORM_H
#define SHEET_NORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct norm {
	char *text;
	size_t length;
	uint32_t *origin; /* offset in the original of each byte, and of the end at [length] */
};

/* The normal form of TEXT; arena. "８，６００ " is "8,600". NULL is "". */
const char *norm_text(struct arena *arena, const char *text);

/* The same with the way back into TEXT. */
struct norm norm_mapped(struct arena *arena, const char *text);

/* Normal form without any space: "元 / 卡 / 月" is "元/卡/月". */
const char *norm_tight(struct arena *arena, const char *text);

/*
 * The part of TEXT whose normal form, spaces aside, is PART: "元/m/月" of "单价（元/M/月）" is
 * "元/M/月". PART itself where TEXT does not hold it; arena.
 */
const char *norm_as_written(struct arena *arena, const char *text, const char *part);

/* Whether TEXT (normal form) holds a Chinese character. */
bool norm_has_han(const char *text);

/* Whether TEXT is nothing but white space. */
bool norm_is_blank(const char *text);

/* Whether TEXT is a number and nothing else: digits with commas, a point, a sign, %, $. */
bool norm_is_number(const char *text);

/* TEXT without leading and trailing white space of any kind, otherwise as it stands; arena. */
const char *norm_trim(struct arena *arena, const char *text);

#endif
