/* json_write.c - see json_write.h. */
#include "base/json_write.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
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

static bool plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void out_quote(struct buf *buf, const char *text, size_t length)
{
	buf_putc(buf, '"');
	for (size_t i = 0; i < length;) {
		size_t run = i;

		while (run < length && plain((unsigned char)text[run]))
			run++;
		buf_put(buf, text + i, run - i);
		i = run;
		if (i == length)
			break;
		if ((unsigned char)text[i] < 0x80) {
			quote_ascii(buf, (unsigned char)text[i++]);
			continue;
		}
		size_t width = utf8_width(text + i, length - i);

		buf_put(buf, width == 0 ? "\xef\xbf\xbd" : text + i, width == 0 ? 3 : width);
		i += width == 0 ? 1 : width;
	}
	buf_putc(buf, '"');
}

static void begin_value(struct json_write *out, const char *key)
{
	assert((key != NULL) == (out->depth > 0 && out->closing[out->depth] == '}'));
	if (out->has_member[out->depth])
		buf_putc(out->buf, ',');
	out->has_member[out->depth] = true;
	if (key == NULL)
		return;
	out_quote(out->buf, key, strlen(key));
	buf_putc(out->buf, ':');
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
	begin_value(out, key);
	buf_printf(out->buf, "%lld", (long long)value);
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

	if (!isfinite(value)) {
		out_null(out, key);
		return;
	}
	int length = snprintf(text, sizeof text, "%.*f", decimals, value);

	assert(length > 0 && (size_t)length < sizeof text);
	if (decimals > 0) {
		while (text[length - 1] == '0')
			length--;
		if (text[length - 1] == '.')
			length--;
		text[length] = '\0';
	}
	begin_value(out, key);
	buf_puts(out->buf, strcmp(text, "-0") == 0 ? "0" : text);
}

void out_raw(struct json_write *out, const char *key, const char *json)
{
	begin_value(out, key);
	buf_puts(out->buf, json);
}
