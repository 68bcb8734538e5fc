/* alloc.c - see alloc.h. */
#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void alloc_fail(size_t size)
{
	fprintf(stderr, "suanjia: out of memory (%zu bytes)\n", size);
	abort();
}

void *alloc_zeroed(size_t count, size_t size)
{
	void *found = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);

	if (found == NULL)
		alloc_fail(size);
	return found;
}

void *alloc_resize(void *old, size_t size)
{
	void *found = realloc(old, size == 0 ? 1 : size);

	if (found == NULL)
		alloc_fail(size);
	return found;
}

char *alloc_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = alloc_zeroed(1, size);

	memcpy(copy, text, size);
	return copy;
}
