/*
 * words.h - the vocabulary of price sheets: schema/reference/words.csv.
 *
 * Each row of the file gives a group ("column", "term", "no_price", ...), a meaning and the words
 * that have it, in normal form (norm.h), separated by "|". New spellings are added there, never in
 * code. Words made of Latin letters or digits match whole words only; Chinese words match anywhere,
 * except that words of one character match only alone.
 */
#ifndef SHEET_WORDS_H
#define SHEET_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct word {
	const char *group;
	const char *meaning;
	const char *text;
	size_t length;
};

#define WORD_BUCKETS 256 /* by the first character of a word */

struct word_group {
	const char *name;
	uint16_t from[WORD_BUCKETS + 1]; /* of the words of each bucket in items */
};

#define WORD_GROUPS_MAX 64

struct words {
	struct word *items; /* by group, bucket and length, longer words first */
	size_t count;
	struct word_group groups[WORD_GROUPS_MAX]; /* by name */
	size_t group_count;
};

/* The baked vocabulary; arena. */
const struct words *words_baked(struct arena *arena);

/* The meaning in GROUP of the word that TEXT (normal form) is, or NULL. */
const char *words_whole(const struct words *words, const char *group, const char *text);

/* The longest word of GROUP inside TEXT, or NULL. AT (may be NULL) receives its offset. */
const struct word *words_find(const struct words *words, const char *group, const char *text,
                              size_t *at);

/* The meaning of that word, or NULL; TEXT may be NULL. */
const char *words_meaning(const struct words *words, const char *group, const char *text);

/* The longest word of GROUP at the very start of TEXT, or NULL. */
const struct word *words_start(const struct words *words, const char *group, const char *text);

/* The place in TEXT (normal form) behind the longest word of GROUP, or NULL. */
const char *words_behind(const struct words *words, const char *group, const char *text);

#endif
