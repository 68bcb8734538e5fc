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

/* How many bytes at the start of TEXT stand in a string literal as they are. */
static size_t plain_run(const char *text, size_t length)
{
	size_t run = 0;
	size_t width;

	while (run < length) {
		if (plain[(unsigned char)text[run]])
			run++;
		else if ((unsigned char)text[run] >= 0x80 &&
		         (width = utf8_width(text + run, length - run)) > 0)
			run += width;
		else
			break;
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

/* The comma and the key. Keys are the program's own names: nothing in them needs escaping. */
static void begin_value(struct json_write *out, const char *key)
{
	struct buf *buf = out->buf;
	size_t length = key == NULL ? 0 : strlen(key);

	assert((key != NULL) == (out->depth > 0 && out->closing[out->depth] == '}'));
	buf_reserve(buf, length + 4);
	char *at = buf->bytes + buf->size;

	if (out->has_member[out->depth])
		*at++ = ',';
	out->has_member[out->depth] = true;
	if (key != NULL) {
		*at++ = '"';
		memcpy(at, key, length);
		at += length;
		*at++ = '"';
		*at++ = ':';
	}
	*at = '\0';
	buf->size = (size_t)(at - buf->bytes);
}

static void open_value(struct json_write *out, const char *key, char opening, char closing)
{
	begin_value(out, key);
	assert(out->depth < JSON_WRITE_DEPTH);
	buf_putc(out->buf, opening);
	out->depth++;
	out->closing[out->depth] = closing;
	out->has_member[out->depth] = false;
}

void out_object(struct json_write *out, const char *key)
{
	open_value(out, key, '{', '}');
}

void out_array(struct json_write *out, const char *key)
{
	open_value(out, key, '[', ']');
}

void out_end(struct json_write *out)
{
	assert(out->depth > 0);
	buf_putc(out->buf, out->closing[out->depth]);
	out->depth--;
}

void out_string_n(struct json_write *out, const char *key, const char *text, size_t length)
{
	begin_value(out, key);
	out_quote(out->buf, text, length);
}

void out_string(struct json_write *out, const char *key, const char *text)
{
	if (text == NULL)
		out_null(out, key);
	else
		out_string_n(out, key, text, strlen(text));
}

void out_integer(struct json_write *out, const char *key, int64_t value)
{
	char text[DECIMAL_SIZE];
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	begin_value(out, key);
	buf_put(out->buf, text, decimal_fixed(value < 0, size, 0, text));
}

void out_boolean(struct json_write *out, const char *key, bool value)
{
	begin_value(out, key);
	buf_puts(out->buf, value ? "true" : "false");
}

void out_null(struct json_write *out, const char *key)
{
	begin_value(out, key);
	buf_puts(out->buf, "null");
}

void out_number(struct json_write *out, const char *key, double value, int decimals)
{
	char text[400];
	uint64_t scaled;
	size_t length;

	if (!isfinite(value)) {
		out_null(out, key);
		return;
	}
	if (decimal_scale(value, decimals, &scaled))
		length = decimal_fixed(value < 0 && scaled != 0, scaled, decimals, text);
	else
		length = (size_t)snprintf(text, sizeof text, "%.*f", decimals, value);
	assert(length < sizeof text);
	length = decimal_trim(text, length);
	begin_value(out, key);
	buf_put(out->buf, text, length);
}
