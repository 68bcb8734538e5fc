/* baked.c - see baked.h. The table itself is generated: build/gen/baked.S. */
#include "base/baked.h"

#include <string.h>

const struct baked_file *baked_find(const char *path)
{
	for (size_t i = 0; i < baked_file_count; i++)
		if (strcmp(baked_files[i].path, path) == 0)
			return &baked_files[i];
	return NULL;
}

const struct baked_file *baked_below(const char *prefix, size_t *count)
{
	const struct baked_file *first = NULL;
	size_t length = strlen(prefix);

	*count = 0;
	for (size_t i = 0; i < baked_file_count; i++)
		if (strncmp(baked_files[i].path, prefix, length) == 0) {
			first = first == NULL ? &baked_files[i] : first;
			++*count;
		}
	return first;
}
