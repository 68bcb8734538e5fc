/*
 * utf8.h - strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes (1-4) of the character at the start of TEXT, or 0 when it is not valid or cut off. */
size_t utf8_width(const char *text, size_t length);

/* The code point at the start of TEXT with its width; 0xFFFD and width 1 when not valid. */
uint32_t utf8_decode(const char *text, size_t length, size_t *width);

/* Writes CODE as UTF-8 and returns its width. */
size_t utf8_encode(uint32_t code, char out[static 4]);

/* Whether all of TEXT is valid; BAD_OFFSET (may be NULL) receives the first bad byte's offset. */
bool utf8_valid(const char *text, size_t length, size_t *bad_offset);

#endif
