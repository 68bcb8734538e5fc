/* words.c - see words.h. */
#include "sheet/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/baked.h"
#include "base/csv.h"

#define MAX_FIELDS ((size_t)20000)

/* Of the character that TEXT begins with: of its own bytes, not of what follows it. */
static unsigned bucket_of(const char *text)
{
	unsigned first = (unsigned char)text[0];
	unsigned second = first < 0xc0 ? 0 : (unsigned char)text[1];
	unsigned third = first < 0xe0 || second == 0 ? 0 : (unsigned char)text[2];

	return (first + 31 * second + 7 * third) % WORD_BUCKETS;
}

static int by_group_and_length(const void *a, const void *b)
{
	const struct word *left = a;
	const struct word *right = b;
	int order = strcmp(left->group, right->group);

	if (order == 0)
		order = (int)bucket_of(left->text) - (int)bucket_of(right->text);
	if (order != 0)
		return order;
	if (left->length != right->length)
		return left->length > right->length ? -1 : 1;
	return strcmp(left->text, right->text);
}

static void add_row(struct arena *arena, struct words *words, size_t *capacity, char **fields)
{
	for (const char *at = fields[2]; *at != '\0';) {
		size_t length = strcspn(at, "|");

		words->items =
		    arena_grow(arena, words->items, words->count, capacity, sizeof *words->items);
		words->items[words->count++] =
		    (struct word){.group = fields[0],
		                  .meaning = fields[1],
		                  .text = arena_strndup(arena, at, length),
		                  .length = length};
		at += length;
		at += *at == '|';
	}
}

static struct word_group *add_group(struct words *words, size_t start)
{
	if (words->group_count == WORD_GROUPS_MAX || words->count > UINT16_MAX)
		abort(); /* the file grew: raise the limit */
	struct word_group *group = &words->groups[words->group_count++];

	*group = (struct word_group){.name = words->items[start].group};
	for (size_t b = 0; b <= WORD_BUCKETS; b++)
		group->from[b] = (uint16_t)start;
	return group;
}

static void lay_out_groups(struct words *words)
{
	struct word_group *group = NULL;

	for (size_t i = 0; i < words->count; i++) {
		if (group == NULL || strcmp(group->name, words->items[i].group) != 0)
			group = add_group(words, i);
		for (size_t b = bucket_of(words->items[i].text) + 1; b <= WORD_BUCKETS; b++)
			group->from[b] = (uint16_t)(i + 1);
	}
}

const struct words *words_baked(struct arena *arena)
{
	const struct baked_file *file = baked_find("schema/reference/words.csv");
	struct words *words = arena_new(arena, struct words);
	size_t capacity = 0;
	struct csv csv;

	if (file == NULL ||
	    !csv_read(arena, (const char *)file->bytes, file->size, ',', MAX_FIELDS, &csv))
		return words;
	for (size_t row = 1; row < csv.count; row++)
		if (csv.rows[row].count >= 3)
			add_row(arena, words, &capacity, csv.rows[row].fields);
	if (words->count > 0)
		qsort(words->items, words->count, sizeof *words->items, by_group_and_length);
	lay_out_groups(words);
	return words;
}

static int by_name(const void *name, const void *group)
{
	return strcmp(name, ((const struct word_group *)group)->name);
}

/* Words that begin alike. */
struct range {
	const struct word *at;
	const struct word *end;
};

/* The words of the group NAME that may begin TEXT; none for a name that is none. */
static struct range words_like(const struct words *words, const struct word_group *group,
                               const char *text)
{
	unsigned bucket = bucket_of(text);

	return group == NULL ? (struct range){0}
	                     : (struct range){.at = words->items + group->from[bucket],
	                                      .end = words->items + group->from[bucket + 1]};
}

static const struct word_group *group_named(const struct words *words, const char *name)
{
	return bsearch(name, words->groups, words->group_count, sizeof *words->groups, by_name);
}

static bool is_latin(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* A word of Latin letters must not be part of a longer one. */
static bool stands_alone(const char *text, size_t at, const struct word *word)
{
	size_t end = at + word->length;

	if (word->length <= 3 && (unsigned char)word->text[0] >= 0xe0)
		return at == 0 && text[end] == '\0'; /* one Chinese character */
	if (is_latin(word->text[0]) && at > 0 && is_latin(text[at - 1]))
		return false;
	return !is_latin(word->text[word->length - 1]) || !is_latin(text[end]);
}

const char *words_whole(const struct words *words, const char *group, const char *text)
{
	struct range in = words_like(words, group_named(words, group), text);

	for (; in.at < in.end; in.at++)
		if (strcmp(in.at->text, text) == 0)
			return in.at->meaning;
	return NULL;
}

/* Whether WORD is to be preferred to BEST (NULL = none), which was found before it. */
static bool is_better(const struct word *word, const struct word *best)
{
	return best == NULL || word->length > best->length ||
	       (word->length == best->length && strcmp(word->text, best->text) < 0);
}

const struct word *words_find(const struct words *words, const char *group, const char *text,
                              size_t *at)
{
	const struct word_group *named = group_named(words, group);
	const struct word *best = NULL;

	for (size_t i = 0; text[i] != '\0'; i++) {
		struct range in = words_like(words, named, text + i);

		for (; in.at < in.end && (best == NULL || in.at->length >= best->length); in.at++) {
			if (strncmp(text + i, in.at->text, in.at->length) != 0 ||
			    !stands_alone(text, i, in.at) || !is_better(in.at, best))
				continue;
			best = in.at;
			if (at != NULL)
				*at = i;
			break;
		}
	}
	return best;
}

const char *words_meaning(const struct words *words, const char *group, const char *text)
{
	const struct word *word = text == NULL ? NULL : words_find(words, group, text, NULL);

	return word == NULL ? NULL : word->meaning;
}

const struct word *words_start(const struct words *words, const char *group, const char *text)
{
	struct range in = words_like(words, group_named(words, group), text);

	for (; in.at < in.end; in.at++) {
		size_t end = in.at->length;

		if (strncmp(text, in.at->text, end) != 0)
			continue;
		if (!is_latin(in.at->text[end - 1]) || !is_latin(text[end]))
			return in.at;
	}
	return NULL;
}

const char *words_behind(const struct words *words, const char *group, const char *text)
{
	size_t at;
	const struct word *word = words_find(words, group, text, &at);

	return word == NULL ? NULL : text + at + word->length;
}
