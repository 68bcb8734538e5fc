/*
 * json_write.h - writes JSON straight into a buffer.
 *
 * Answers are written in order, once, without a tree: on a 20 KB answer this is about thirty times
 * cheaper than building and dumping one. The writer keeps the commas and the nesting right; it
 * asserts that what was opened is closed. Requests are parsed with jansson, in api/.
 *
 * Inside an object every call takes a key, a name of plain ASCII that is written as it is; inside
 * an array and at the top the key is NULL.
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define JSON_WRITE_DEPTH 32

struct json_write {
	struct buf *buf;
	int depth;
	bool has_member[JSON_WRITE_DEPTH + 1];
	char closing[JSON_WRITE_DEPTH + 1];
};

/* A writer that appends to BUF (borrowed). */
struct json_write json_write_to(struct buf *buf);

/* Opens an object or an array; out_end() closes it. */
void out_object(struct json_write *out, const char *key);
void out_array(struct json_write *out, const char *key);
void out_end(struct json_write *out); /* closes the innermost object or array */

/* Scalars. */
void out_string(struct json_write *out, const char *key, const char *text); /* NULL = null */
void out_string_n(struct json_write *out, const char *key, const char *text, size_t length);
void out_integer(struct json_write *out, const char *key, int64_t value);
void out_boolean(struct json_write *out, const char *key, bool value);
void out_null(struct json_write *out, const char *key);

/* DECIMALS digits after the point at most, trailing zeros cut; NaN and infinities become null. */
void out_number(struct json_write *out, const char *key, double value, int decimals);

/* TEXT as a JSON string literal with its quotes; bytes that are not UTF-8 become U+FFFD. */
void out_quote(struct buf *buf, const char *text, size_t length);

#endif
