/* problem.c - see problem.h. */
#include "base/problem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

void problems_init(struct problems *problems, struct arena *arena)
{
	*problems = (struct problems){.arena = arena};
}

struct problem *problem_add_text(struct problems *problems, enum problem_severity severity,
                                 const char *code, struct place place, const char *value,
                                 struct text message)
{
	struct arena *arena = problems->arena;

	problems->items = arena_grow(arena, problems->items, problems->count, &problems->capacity,
	                             sizeof *problems->items);
	struct problem *problem = &problems->items[problems->count++];

	*problem = (struct problem){
	    .severity = severity,
	    .code = arena_strdup(arena, code),
	    .place = {.pointer = arena_strdup(arena, place.pointer),
	              .sheet = arena_strdup(arena, place.sheet),
	              .row = place.row,
	              .column = place.column},
	    .value = arena_strdup(arena, value),
	    .message = message,
	};
	if (severity == PROBLEM_ERROR)
		problems->errors++;
	return problem;
}

struct problem *problem_add(struct problems *problems, enum problem_severity severity,
                            const char *code, struct place place, const char *value, const char *en,
                            const char *zh, ...)
{
	va_list args;

	va_start(args, zh);
	struct text message = text_vprintf(problems->arena, en, zh, args);
	va_end(args);
	return problem_add_text(problems, severity, code, place, value, message);
}

const char *problem_severity_name(enum problem_severity severity)
{
	switch (severity) {
	case PROBLEM_ERROR:
		return "error";
	case PROBLEM_WARNING:
		return "warning";
	case PROBLEM_SKIPPED:
		return "skipped";
	}
	return "error";
}

void column_name(int column, char name[static 8])
{
	char reversed[8];
	int length = 0;

	for (; column > 0 && length < 7; column = (column - 1) / 26)
		reversed[length++] = (char)('A' + (column - 1) % 26);
	for (int i = 0; i < length; i++)
		name[i] = reversed[length - 1 - i];
	name[length] = '\0';
}

#define LONGEST_NAME ((size_t)64)

static char ascii_lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Levenshtein distance, letters of either case alike; names longer than LONGEST_NAME count as
 * infinitely far. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST_NAME + 1];
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);

	if (a_length > LONGEST_NAME || b_length > LONGEST_NAME)
		return SIZE_MAX;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t above = row[j];
			size_t best = diagonal + (ascii_lower(a[i - 1]) != ascii_lower(b[j - 1]));

			if (above + 1 < best)
				best = above + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diagonal = above;
		}
	}
	return row[b_length];
}

/* NAME stands in LONGER as whole words between underscores: "budget" in "budget_per_month". */
static bool has_words(const char *longer, const char *name)
{
	size_t length = strlen(name);

	if (length == 0)
		return false;
	for (const char *at = strstr(longer, name); at != NULL; at = strstr(at + 1, name)) {
		bool begins = at == longer || at[-1] == '_';

		if (begins && (at[length] == '_' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* The only entry that has the words of NAME among its own, or whose words NAME has; else NULL. */
static const char *name_with_words(const char *name, const char *const *names, size_t count)
{
	const char *only = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!has_words(names[i], name) && !has_words(name, names[i]))
			continue;
		if (only != NULL)
			return NULL;
		only = names[i];
	}
	return only;
}

const char *nearest_name(const char *name, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t best_distance = 1 + strlen(name) / 4;

	for (size_t i = 0; i < count; i++) {
		size_t found = distance(name, names[i]);

		if (found < best_distance || (found == best_distance && best == NULL)) {
			best = names[i];
			best_distance = found;
		}
	}
	return best != NULL ? best : name_with_words(name, names, count);
}
