/* json_write.c - see json_write.h. */
#include "base/json_write.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/utf8.h"

struct json_write json_write_to(struct buf *buf)
{
	return (struct json_write){.buf = buf};
}

static void quote_ascii(struct buf *buf, unsigned char byte)
{
	switch (byte) {
	case '"':
		buf_puts(buf, "\\\"");
		return;
	case '\\':
		buf_puts(buf, "\\\\");
		return;
	case '\n':
		buf_puts(buf, "\\n");
		return;
	case '\r':
		buf_puts(buf, "\\r");
		return;
	case '\t':
		buf_puts(buf, "\\t");
		return;
	}
	buf_printf(buf, "\\u%04x", byte);
}

/* Bytes that stand in a string literal as they are. */
static const bool plain[256] = {[' ' ... '!'] = true, ['#' ... '['] = true, [']' ... '~'] = true};

/*
 * Whether each of the 8 bytes of WORD is plain: the high bit of a byte of the result is set where
 * one is above 0x7e, below 0x20, a quote or a backslash (Hacker's Delight 6-1: a byte of x is zero
 * where (x - 1) & ~x has its high bit).
 */
static bool is_plain_word(uint64_t word)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t quote = word ^ ones * '"';
	uint64_t backslash = word ^ ones * '\\';
	uint64_t odd = (word - ones * ' ') | ((quote - ones) & ~quote) |
	               ((backslash - ones) & ~backslash) | (word + ones) | word;

	return (odd & ones * 0x80) == 0;
}

/* The width of a character of three bytes that is surely well-formed; else 0. */
static size_t usual_width(const unsigned char *text, size_t length)
{
	return length >= 3 && text[0] >= 0xe1 && text[0] <= 0xec && (text[1] & 0xc0) == 0x80 &&
	               (text[2] & 0xc0) == 0x80
	           ? 3
	           : 0;
}

/* How many bytes at the start of TEXT stand in a string literal as they are. */
static size_t plain_run(const char *text, size_t length)
{
	size_t run = 0;

	while (run < length) {
		const unsigned char *at = (const unsigned char *)text + run;
		uint64_t word;

		if (length - run >= sizeof word) {
			memcpy(&word, at, sizeof word);
			if (is_plain_word(word)) {
				run += sizeof word;
				continue;
			}
		}
		if (plain[*at]) {
			run++;
			continue;
		}
		size_t width = *at < 0x80 ? 0 : usual_width(at, length - run);

		if (width == 0 && *at >= 0x80)
			width = utf8_width(text + run, length - run);
		if (width == 0)
			break;
		run += width;
	}
	return run;
}

void out_quote(struct buf *buf, const char *text, size_t length)
{
	buf_reserve(buf, length + 2);
	buf_putc(buf, '"');
	for (size_t i = 0; i < length;) {
		size_t run = plain_run(text + i, length - i);

		buf_put(buf, text + i, run);
		i += run;
		if (i == length)
			break;
		if ((unsigned char)text[i] < 0x80)
			quote_ascii(buf, (unsigned char)text[i]);
		else
			buf_puts(buf, "\xef\xbf\xbd");
		i++;
	}
	buf_putc(buf, '"');
}

/*
 * The comma and the key, and room for EXTRA bytes of the value. Keys are the program's own names:
 * nothing in them needs escaping. Where the value is to be written.
 */
static char *begin_value(struct json_write *out, struct json_key key, size_t extra)
{
	struct buf *buf = out->buf;

	assert((key.name != NULL) == (out->depth > 0 && out->closing[out->depth] == '}'));
	buf_reserve(buf, key.length + 4 + extra);
	char *at = buf->bytes + buf->size;

	if (out->has_member[out->depth])
		*at++ = ',';
	out->has_member[out->depth] = true;
	if (key.name != NULL) {
		*at++ = '"';
		memcpy(at, key.name, key.length);
		at += key.length;
		*at++ = '"';
		*at++ = ':';
	}
	buf->size = (size_t)(at - buf->bytes);
	return at;
}

/* The value written up to AT. */
static void end_value(struct json_write *out, char *at)
{
	*at = '\0';
	out->buf->size = (size_t)(at - out->buf->bytes);
}

static void put_value(struct json_write *out, struct json_key key, const char *text, size_t length)
{
	char *at = begin_value(out, key, length + 1);

	memcpy(at, text, length);
	end_value(out, at + length);
}

static void open_value(struct json_write *out, struct json_key key, char opening, char closing)
{
	put_value(out, key, &opening, 1);
	assert(out->depth < JSON_WRITE_DEPTH);
	out->depth++;
	out->closing[out->depth] = closing;
	out->has_member[out->depth] = false;
}

void write_object(struct json_write *out, struct json_key key)
{
	open_value(out, key, '{', '}');
}

void write_array(struct json_write *out, struct json_key key)
{
	open_value(out, key, '[', ']');
}

void out_end(struct json_write *out)
{
	assert(out->depth > 0);
	buf_putc(out->buf, out->closing[out->depth]);
	out->depth--;
}

bool out_piece(struct json_write *out, struct json_piece *piece)
{
	struct buf *buf = out->buf;

	if (piece->size == 0) {
		piece->from = buf->size + out->has_member[out->depth];
		return false;
	}
	buf_reserve(buf, piece->size + 1);
	if (out->has_member[out->depth])
		buf_putc(buf, ',');
	out->has_member[out->depth] = true;
	buf_put(buf, buf->bytes + piece->from, piece->size);
	return true;
}

void out_piece_end(const struct json_write *out, struct json_piece *piece)
{
	piece->size = out->buf->size > piece->from ? out->buf->size - piece->from : 0;
}

void write_string_n(struct json_write *out, struct json_key key, const char *text, size_t length)
{
	char *at = begin_value(out, key, length + 3);
	size_t run = plain_run(text, length);

	if (run < length) {
		out_quote(out->buf, text, length);
		return;
	}
	*at++ = '"';
	memcpy(at, text, length);
	at[length] = '"';
	end_value(out, at + length + 1);
}

void write_string(struct json_write *out, struct json_key key, const char *text)
{
	if (text == NULL)
		write_null(out, key);
	else
		write_string_n(out, key, text, strlen(text));
}

void write_integer(struct json_write *out, struct json_key key, int64_t value)
{
	char text[DECIMAL_SIZE];
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	put_value(out, key, text, decimal_fixed(value < 0, size, 0, text));
}

void write_boolean(struct json_write *out, struct json_key key, bool value)
{
	put_value(out, key, value ? "true" : "false", value ? 4 : 5);
}

void write_null(struct json_write *out, struct json_key key)
{
	put_value(out, key, "null", 4);
}

/* What is too large for 64 bits: apart, as its text is longer than all others. */
static void write_huge(struct json_write *out, struct json_key key, double value, int decimals)
{
	char text[400];
	size_t length = (size_t)snprintf(text, sizeof text, "%.*f", decimals, value);

	assert(length < sizeof text);
	put_value(out, key, text, decimal_trim(text, length));
}

void write_number(struct json_write *out, struct json_key key, double value, int decimals)
{
	char text[DECIMAL_SIZE];
	uint64_t scaled;

	if (!isfinite(value))
		write_null(out, key);
	else if (decimal_scale(value, decimals, &scaled))
		put_value(out, key, text,
		          decimal_short(value < 0 && scaled != 0, scaled, decimals, text));
	else
		write_huge(out, key, value, decimals);
}
