/* words.c - see words.h. */
#include "sheet/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/baked.h"
#include "base/csv.h"

#define MAX_FIELDS ((size_t)20000)

static int by_group_and_length(const void *a, const void *b)
{
	const struct word *left = a;
	const struct word *right = b;
	int order = strcmp(left->group, right->group);

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
	for (size_t i = 0; i < words->count; i++) {
		struct word_group *last = &words->groups[words->group_count];

		if (words->group_count == 0 || strcmp(last[-1].name, words->items[i].group) != 0) {
			if (words->group_count++ == WORD_GROUPS_MAX)
				abort(); /* the file grew: raise the limit */
			*last = (struct word_group){.name = words->items[i].group, .start = i};
		}
		words->groups[words->group_count - 1].end = i + 1;
	}
	return words;
}

static int by_name(const void *name, const void *group)
{
	return strcmp(name, ((const struct word_group *)group)->name);
}

/* The words of a group; an empty range for a name that is none. */
static struct word_group group_named(const struct words *words, const char *name)
{
	const struct word_group *found =
	    bsearch(name, words->groups, words->group_count, sizeof *words->groups, by_name);

	return found == NULL ? (struct word_group){0} : *found;
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
	struct word_group in = group_named(words, group);

	for (size_t i = in.start; i < in.end; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return words->items[i].meaning;
	return NULL;
}

const struct word *words_find(const struct words *words, const char *group, const char *text,
                              size_t *at)
{
	struct word_group in = group_named(words, group);
	size_t length = strlen(text);
	bool holds[256] = {false};

	for (size_t i = 0; i < length; i++)
		holds[(unsigned char)text[i]] = true;
	for (size_t i = in.start; i < in.end; i++) {
		const struct word *word = &words->items[i];
		const char *found = text;

		if (word->length > length || !holds[(unsigned char)word->text[word->length - 1]] ||
		    !holds[(unsigned char)word->text[0]])
			continue;

		while ((found = strstr(found, word->text)) != NULL) {
			size_t offset = (size_t)(found - text);

			if (stands_alone(text, offset, word)) {
				if (at != NULL)
					*at = offset;
				return word;
			}
			found++;
		}
	}
	return NULL;
}

const char *words_meaning(const struct words *words, const char *group, const char *text)
{
	const struct word *word = text == NULL ? NULL : words_find(words, group, text, NULL);

	return word == NULL ? NULL : word->meaning;
}

const struct word *words_start(const struct words *words, const char *group, const char *text)
{
	struct word_group in = group_named(words, group);

	for (size_t i = in.start; i < in.end; i++) {
		const struct word *word = &words->items[i];
		size_t end = word->length;

		if (strncmp(text, word->text, end) != 0)
			continue;
		if (!is_latin(word->text[end - 1]) || !is_latin(text[end]))
			return word;
	}
	return NULL;
}
