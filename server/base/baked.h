/*
 * baked.h - files that were built into the program: migrations, schema, reference data, the page.
 *
 * The Makefile generates the table from migrations/, schema/ and static/, so one binary is all that
 * is installed. Paths are as in the repository: "static/index.html", "schema/reference/cards.csv".
 */
#ifndef BASE_BAKED_H
#define BASE_BAKED_H

#include <stddef.h>

struct baked_file {
	const char *path;
	const unsigned char *bytes;
	size_t size;
};

/* Every baked file, sorted by path. */
extern const struct baked_file baked_files[];
extern const size_t baked_file_count;

/* The file at PATH, or NULL. */
const struct baked_file *baked_find(const char *path);

/* The first file whose path begins with PREFIX; its followers are the next COUNT - 1 entries. */
const struct baked_file *baked_below(const char *prefix, size_t *count);

#endif
