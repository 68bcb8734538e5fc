/*
 * arena.h - memory that is freed all at once.
 *
 * A request, a sheet being read, a snapshot being built: each owns one arena, and everything made
 * on its behalf lives there and dies with it. Nothing allocated here is freed one by one.
 *
 * Running out of memory is fatal (one line on stderr, then abort): no caller can do better, nothing
 * that was acknowledged is lost, and systemd starts the service again. What a stranger can ask
 * for is bounded before it is allocated (body limits, caps of the sheet reader).
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new arena; arena_destroy() frees it with all that it holds. */
struct arena *arena_create(void);

/* Frees ARENA and everything allocated from it. NULL is fine. */
void arena_destroy(struct arena *arena);

/* SIZE zeroed bytes aligned for any type, valid until ARENA is destroyed. Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* COUNT zeroed elements of SIZE bytes; a product that overflows is fatal. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);

/*
 * An array that held USED elements of SIZE bytes and has room for *CAPACITY, with room for one
 * more: OLD itself, or a copy twice as large with *CAPACITY updated. The outgrown copy stays in the
 * arena.
 */
void *arena_grow(struct arena *arena, void *old, size_t used, size_t *capacity, size_t size);

/* Copies of strings; the result is NUL-terminated. arena_strdup(arena, NULL) is NULL. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Makes ARENA the owner of HEAP (from alloc.h or buf_steal()): free()d with it. Returns HEAP. */
void *arena_adopt(struct arena *arena, void *heap);

/* Bytes taken from the system so far; for /metrics and the tests' bounds. */
size_t arena_size(const struct arena *arena);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
