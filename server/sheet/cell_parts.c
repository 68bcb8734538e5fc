/* cell_parts.c - see cell_parts.h. */
#include "sheet/cell_parts.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

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

int cell_parts(struct arena *arena, const char *text, const char *parts[CELL_PARTS_MAX])
{
	int count = 0;

	while (text != NULL) {
		size_t sign = 0;
		const char *end = part_end(text, &sign);
		const char *part = norm_trim(
		    arena, end == NULL ? text : arena_strndup(arena, text, (size_t)(end - text)));

		if (*part != '\0' && count == CELL_PARTS_MAX)
			return 0;
		if (*part != '\0')
			parts[count++] = part;
		text = end == NULL ? NULL : end + sign;
	}
	return count;
}
