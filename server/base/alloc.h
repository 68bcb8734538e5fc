/*
 * alloc.h - heap memory for the few things that outlive an arena (buffers, servers, caches).
 *
 * As in arena.h, running out of memory is fatal, so no call site checks for NULL. Free with free().
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

/* COUNT zeroed elements of SIZE bytes; new, never NULL. */
void *alloc_zeroed(size_t count, size_t size);

/* realloc() to SIZE bytes; steals OLD, never NULL. Bytes beyond the old size are not zeroed. */
void *alloc_resize(void *old, size_t size);

/* A new copy of TEXT. */
char *alloc_strdup(const char *text);

/* Reports that SIZE bytes could not be had and aborts. */
_Noreturn void alloc_fail(size_t size);

#endif
