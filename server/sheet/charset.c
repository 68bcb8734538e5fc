/* charset.c - see charset.h. */
#include "sheet/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

static bool starts_with(const char *bytes, size_t size, const char *mark, size_t length)
{
	return size >= length && memcmp(bytes, mark, length) == 0;
}

/* BYTES in CHARSET to UTF-8, strictly. */
static bool convert(struct arena *arena, const char *charset, const char *bytes, size_t size,
                    struct charset_text *out)
{
	iconv_t how = iconv_open("UTF-8", charset);

	if (how == (iconv_t)-1)
		return false;
	size_t capacity = size * 2 + 16; /* two bytes become at most three, four at most four */
	char *text = arena_alloc(arena, capacity);
	/* iconv() takes a pointer to non-const but does not write there. */
	char *in = (char *)(uintptr_t)bytes;
	char *to = text;
	size_t left = size;
	size_t room = capacity - 1;
	size_t done = iconv(how, &in, &left, &to, &room);

	iconv_close(how);
	out->bad_offset = size - left;
	if (done == (size_t)-1 || left > 0)
		return false;
	*to = '\0';
	out->text = text;
	out->size = (size_t)(to - text);
	return true;
}

bool charset_decode(struct arena *arena, const char *bytes, size_t size, struct charset_text *out)
{
	*out = (struct charset_text){0};
	if (starts_with(bytes, size, "\xff\xfe", 2) || starts_with(bytes, size, "\xfe\xff", 2)) {
		bool little = bytes[0] == '\xff';

		if (!convert(arena, little ? "UTF-16LE" : "UTF-16BE", bytes + 2, size - 2, out))
			return false;
		out->encoding = little ? "utf-16le" : "utf-16be";
		return memchr(out->text, '\0', out->size) == NULL;
	}
	if (memchr(bytes, '\0', size) != NULL)
		return false;
	if (utf8_valid(bytes, size, &out->bad_offset)) {
		size_t mark = starts_with(bytes, size, "\xef\xbb\xbf", 3) ? 3 : 0;

		out->encoding = "utf-8";
		out->text = arena_strndup(arena, bytes + mark, size - mark);
		out->size = size - mark;
		return true;
	}
	/* A UTF-8 mark promises UTF-8: then it is damaged, not something else. */
	if (starts_with(bytes, size, "\xef\xbb\xbf", 3))
		return false;
	if (!convert(arena, "GB18030", bytes, size, out))
		return false;
	out->encoding = "gb18030";
	return true;
}
