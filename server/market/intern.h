/*
 * intern.h - distinct byte strings, each kept once and known by a small number.
 *
 * For words that repeat over thousands of offers, and for small structs without padding.
 */
#ifndef MARKET_INTERN_H
#define MARKET_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct intern {
	struct arena *arena; /* holds the bytes, for as long as they are read */
	const void **items;  /* by number; items[0] = NULL. Heap: intern_finish() or stolen */
	uint32_t count;      /* with the one at 0 */
	/* While it grows: */
	uint32_t *sizes;
	uint32_t capacity;
	uint32_t *slots; /* open addressing; 0 = empty */
	uint32_t slot_count;
};

/* An empty table whose bytes will live in ARENA. */
void intern_init(struct intern *table, struct arena *arena);

/* The number of these bytes, from 1; a copy is kept when they are new. Fewer than 2^31 of them. */
uint32_t intern_bytes(struct intern *table, const void *bytes, size_t size);

/* The number of TEXT with its NUL; 0 for NULL. */
uint32_t intern_text(struct intern *table, const char *text);

/* The kept copy of TEXT; NULL for NULL. Equal texts give equal pointers. */
const char *intern_word(struct intern *table, const char *text);

/* Frees what is only needed while it grows; items and count stay. */
void intern_seal(struct intern *table);

/* Frees everything but the bytes, which die with the arena. */
void intern_finish(struct intern *table);

#endif
