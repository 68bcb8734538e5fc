/* cell_parts.c - see cell_parts.h. */
#include "sheet/cell_parts.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

/* The space between "500元/月" and "5300元/年"; NULL = none. */
static const char *before_number(const char *text, size_t *sign)
{
	*sign = 1;
	for (const char *at = strchr(text, ' '); at != NULL; at = strchr(at + 1, ' '))
		if (at > text && (at[-1] < '0' || at[-1] > '9') && at[1] >= '0' && at[1] <= '9')
			return at;
	return NULL;
}

/* Where the first part of TEXT ends: at a line break, a semicolon, a slash between spaces, 或. */
static const char *part_end(const char *text, size_t *sign)
{
	static const char *const signs[] = {"\n", ";", "；", " / ", " ／ ", "或"};
	const char *end = NULL;

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		const char *found = strstr(text, signs[i]);

		if (found == NULL || (end != NULL && found > end))
			continue;
		end = found;
		*sign = strlen(signs[i]);
	}
	return end;
}

/* Whether NUMBER says itself what sets it apart: its unit, its tax or its term. */
static bool stands_alone(const struct number_reading *number)
{
	return number->kind == NUMBER_OK && !number->noted &&
	       (unit_says_what(&number->unit) || *number->front != '\0' || *number->rest != '\0');
}

/* Whether nothing but their amount sets A and B apart: then which of them holds? */
static bool says_the_same(const struct number_reading *a, const struct number_reading *b)
{
	return a->unit.counted == b->unit.counted && a->unit.count == b->unit.count &&
	       a->unit.period_known == b->unit.period_known && a->unit.period == b->unit.period &&
	       strcmp(a->front, b->front) == 0 && strcmp(a->rest, b->rest) == 0;
}

/* The parts of TEXT that are not blank; 0 when there are too many. */
static int split(struct arena *arena, const char *text, struct cell_part parts[CELL_PARTS_MAX])
{
	size_t sign = 0;
	bool at_spaces = part_end(text, &sign) == NULL;
	int count = 0;

	while (text != NULL) {
		const char *end = at_spaces ? before_number(text, &sign) : part_end(text, &sign);
		const char *part = norm_trim(
		    arena, end == NULL ? text : arena_strndup(arena, text, (size_t)(end - text)));

		if (*part != '\0' && count == CELL_PARTS_MAX)
			return 0;
		if (*part != '\0')
			parts[count++].text = part;
		text = end == NULL ? NULL : end + sign;
	}
	return count;
}

int cell_parts(struct arena *arena, const struct words *words, const char *text,
               struct cell_part parts[CELL_PARTS_MAX])
{
	int count = split(arena, text, parts);

	for (int i = 0; i < count; i++) {
		parts[i].number = number_text_read(arena, words, parts[i].text);
		if (!stands_alone(&parts[i].number))
			return 0;
		for (int j = 0; j < i; j++)
			if (says_the_same(&parts[i].number, &parts[j].number))
				return 0;
	}
	return count > 1 ? count : 0;
}
