/* arena.c - see arena.h. Blocks double up to 1 MiB; a larger request gets a block of its own. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_BLOCK ((size_t)1 << 20)
#define ALIGNMENT ((size_t)16)

struct block {
	struct block *next;
	size_t size; /* of data */
	size_t used;
	_Alignas(16) unsigned char data[];
};

struct adopted {
	struct adopted *next;
	void *heap;
};

struct arena {
	struct block *head; /* the block being filled */
	struct adopted *adopted;
	size_t total;
};

static struct block *block_create(size_t size)
{
	struct block *block = alloc_zeroed(1, sizeof *block + size);

	block->size = size;
	return block;
}

struct arena *arena_create(void)
{
	struct arena *arena = alloc_zeroed(1, sizeof *arena);

	arena->head = block_create(FIRST_BLOCK);
	arena->total = FIRST_BLOCK;
	return arena;
}

void arena_destroy(struct arena *arena)
{
	if (arena == NULL)
		return;
	for (struct adopted *entry = arena->adopted; entry != NULL; entry = entry->next)
		free(entry->heap);
	for (struct block *block = arena->head; block != NULL;) {
		struct block *next = block->next;

		free(block);
		block = next;
	}
	free(arena);
}

static void *take(struct arena *arena, size_t size)
{
	struct block *head = arena->head;
	void *found = head->data + head->used;

	head->used += size;
	return found;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX / 2)
		alloc_fail(size);
	size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if (arena->head->size - arena->head->used >= size)
		return take(arena, size);

	size_t next = arena->head->size < LARGEST_BLOCK ? arena->head->size * 2 : LARGEST_BLOCK;
	struct block *block = block_create(size > next ? size : next);

	arena->total += block->size;
	if (size > next) { /* keep filling the current block: put the big one behind it */
		block->used = size;
		block->next = arena->head->next;
		arena->head->next = block;
		return block->data;
	}
	block->next = arena->head;
	arena->head = block;
	return take(arena, size);
}

void *arena_calloc(struct arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		alloc_fail(SIZE_MAX);
	return arena_alloc(arena, total);
}

void *arena_grow(struct arena *arena, void *old, size_t used, size_t *capacity, size_t size)
{
	if (used < *capacity)
		return old;
	size_t wanted = *capacity == 0 ? 8 : *capacity * 2;
	void *grown = arena_calloc(arena, wanted, size);

	if (used > 0)
		memcpy(grown, old, used * size);
	*capacity = wanted;
	return grown;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return text == NULL ? NULL : arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	char short_text[256];
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(short_text, sizeof short_text, format, again);
	va_end(again);
	if (length < 0)
		alloc_fail(0);
	if ((size_t)length < sizeof short_text)
		return arena_strndup(arena, short_text, (size_t)length);
	char *text = arena_alloc(arena, (size_t)length + 1);

	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

void *arena_adopt(struct arena *arena, void *heap)
{
	struct adopted *entry = arena_new(arena, struct adopted);

	*entry = (struct adopted){arena->adopted, heap};
	arena->adopted = entry;
	return heap;
}

size_t arena_size(const struct arena *arena)
{
	return arena->total;
}
