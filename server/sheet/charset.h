/*
 * charset.h - bytes of a text file as UTF-8, decided from the bytes alone.
 *
 * A byte order mark decides; else strict UTF-8; else GB18030, of which GBK and GB2312 are parts.
 * Nothing is replaced: what no charset can hold is refused.
 */
#ifndef SHEET_CHARSET_H
#define SHEET_CHARSET_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct charset_text {
	const char *encoding; /* "utf-8", "gb18030", "utf-16le", "utf-16be"; NULL = none fits */
	char *text;           /* UTF-8 without mark, ended by a NUL; in ARENA */
	size_t size;
	size_t bad_offset; /* where the last charset tried broke off */
};

/* False when BYTES are text in none of the charsets (or hold a NUL). */
bool charset_decode(struct arena *arena, const char *bytes, size_t size, struct charset_text *out);

#endif
