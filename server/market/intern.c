/* intern.c - see intern.h. */
#include "market/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

#define FIRST_SLOTS 64

/* FNV-1a, finished so that the low bits depend on every byte. */
static uint32_t hash_of(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 1099511628211u;
	return (uint32_t)(hash ^ hash >> 32);
}

void intern_init(struct intern *table, struct arena *arena)
{
	*table = (struct intern){.arena = arena, .count = 1, .slot_count = FIRST_SLOTS};
	table->capacity = FIRST_SLOTS;
	table->items = alloc_zeroed(table->capacity, sizeof *table->items);
	table->sizes = alloc_zeroed(table->capacity, sizeof *table->sizes);
	table->slots = alloc_zeroed(table->slot_count, sizeof *table->slots);
}

static void place(struct intern *table, uint32_t number)
{
	uint32_t mask = table->slot_count - 1;
	uint32_t slot = hash_of(table->items[number], table->sizes[number]) & mask;

	while (table->slots[slot] != 0)
		slot = (slot + 1) & mask;
	table->slots[slot] = number;
}

static void grow(struct intern *table)
{
	table->capacity *= 2;
	table->items = alloc_resize(table->items, table->capacity * sizeof *table->items);
	table->sizes = alloc_resize(table->sizes, table->capacity * sizeof *table->sizes);
	free(table->slots);
	table->slot_count *= 2;
	table->slots = alloc_zeroed(table->slot_count, sizeof *table->slots);
	for (uint32_t i = 1; i < table->count; i++)
		place(table, i);
}

uint32_t intern_bytes(struct intern *table, const void *bytes, size_t size)
{
	uint32_t mask = table->slot_count - 1;

	for (uint32_t slot = hash_of(bytes, size) & mask; table->slots[slot] != 0;
	     slot = (slot + 1) & mask) {
		uint32_t number = table->slots[slot];

		if (table->sizes[number] == size && memcmp(table->items[number], bytes, size) == 0)
			return number;
	}
	if (table->count * 2 >= table->capacity)
		grow(table);
	uint32_t number = table->count++;
	void *copy = arena_alloc(table->arena, size);

	memcpy(copy, bytes, size);
	table->items[number] = copy;
	table->sizes[number] = (uint32_t)size;
	place(table, number);
	return number;
}

uint32_t intern_text(struct intern *table, const char *text)
{
	return text == NULL ? 0 : intern_bytes(table, text, strlen(text) + 1);
}

const char *intern_word(struct intern *table, const char *text)
{
	/* First the number: finding it may move the items. */
	uint32_t number = intern_text(table, text);

	return table->items[number];
}

void intern_seal(struct intern *table)
{
	free(table->sizes);
	free(table->slots);
	table->sizes = NULL;
	table->slots = NULL;
}

void intern_finish(struct intern *table)
{
	intern_seal(table);
	free(table->items);
	table->items = NULL;
}
