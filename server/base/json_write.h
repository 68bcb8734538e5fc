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
#include <string.h>

struct buf;

#define JSON_WRITE_DEPTH 32

struct json_write {
	struct buf *buf;
	int depth;
	bool has_member[JSON_WRITE_DEPTH + 1];
	char closing[JSON_WRITE_DEPTH + 1];
};

/* A key with its length, which the compiler knows of a literal. */
struct json_key {
	const char *name;
	size_t length;
};

static inline struct json_key json_key_of(const char *name)
{
	return (struct json_key){name, name == NULL ? 0 : strlen(name)};
}

/* What the functions below come to. */
void write_object(struct json_write *out, struct json_key key);
void write_array(struct json_write *out, struct json_key key);
void write_string_n(struct json_write *out, struct json_key key, const char *text, size_t length);
void write_string(struct json_write *out, struct json_key key, const char *text);
void write_integer(struct json_write *out, struct json_key key, int64_t value);
void write_boolean(struct json_write *out, struct json_key key, bool value);
void write_null(struct json_write *out, struct json_key key);
void write_number(struct json_write *out, struct json_key key, double value, int decimals);

/* A writer that appends to BUF (borrowed). */
struct json_write json_write_to(struct buf *buf);

/* Opens an object or an array; out_end() closes the innermost. */
static inline void out_object(struct json_write *out, const char *key)
{
	write_object(out, json_key_of(key));
}
static inline void out_array(struct json_write *out, const char *key)
{
	write_array(out, json_key_of(key));
}
void out_end(struct json_write *out);

/* Scalars. A text of NULL is null. */
static inline void out_string(struct json_write *out, const char *key, const char *text)
{
	write_string(out, json_key_of(key), text);
}
static inline void out_string_n(struct json_write *out, const char *key, const char *text,
                                size_t length)
{
	write_string_n(out, json_key_of(key), text, length);
}
static inline void out_integer(struct json_write *out, const char *key, int64_t value)
{
	write_integer(out, json_key_of(key), value);
}
static inline void out_boolean(struct json_write *out, const char *key, bool value)
{
	write_boolean(out, json_key_of(key), value);
}
static inline void out_null(struct json_write *out, const char *key)
{
	write_null(out, json_key_of(key));
}

/* DECIMALS digits after the point at most, trailing zeros cut; NaN and infinities become null. */
static inline void out_number(struct json_write *out, const char *key, double value, int decimals)
{
	write_number(out, json_key_of(key), value, decimals);
}

/*
 * What was written from one moment to another, to be written again: members of an object, or
 * elements of an array, without the commas around them. Both moments are in the same object or
 * array; what it is written into again is one of the same kind.
 */
struct json_piece {
	size_t from; /* in the buffer */
	size_t size;
};

/*
 * Writes PIECE, of the same buffer, again. False when its size is 0: then it begins where the next
 * value will stand, and out_piece_end() ends it. So
 *     if (!out_piece(out, &piece)) { out_...; out_piece_end(out, &piece); }
 */
bool out_piece(struct json_write *out, struct json_piece *piece);
void out_piece_end(const struct json_write *out, struct json_piece *piece);

/* TEXT as a JSON string literal with its quotes; bytes that are not UTF-8 become U+FFFD. */
void out_quote(struct buf *buf, const char *text, size_t length);

#endif
