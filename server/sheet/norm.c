/* norm.c - see norm.h. */
#include "sheet/norm.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

static bool is_space(uint32_t code)
{
	return code <= 0x20 || code == 0xa0 || code == 0x3000 || code == 0x1680 ||
	       (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
	       code == 0x202f || code == 0x205f;
}

static bool is_invisible(uint32_t code)
{
	return (code >= 0x200b && code <= 0x200f) || code == 0xfeff || code == 0xad ||
	       (code >= 0x202a && code <= 0x202e) || code == 0xfe0e || code == 0xfe0f;
}

/* Signs that mean the same; 0 = stays. */
static uint32_t same_sign(uint32_t code)
{
	switch (code) {
	case 0x2010: /* hyphens, dashes, minus */
	case 0x2011:
	case 0x2012:
	case 0x2013:
	case 0x2014:
	case 0x2015:
	case 0x2212:
	case 0xfe63:
		return '-';
	case 0x223c: /* tildes and wave dashes */
	case 0x301c:
	case 0x02dc:
		return '~';
	case 0x00d7:
	case 0x2715:
	case 0x2716:
		return 'x';
	case 0xffe5:
		return 0xa5;
	case 0x3010:
	case 0x3014:
	case '[':
		return '(';
	case 0x3011:
	case 0x3015:
	case ']':
		return ')';
	case 0x2265:
	case 0x2267:
		return 0x2265;
	case 0x2018:
	case 0x2019:
		return '\'';
	default:
		return 0;
	}
}

static uint32_t simple(uint32_t code)
{
	if (code >= 0xff01 && code <= 0xff5e)
		code -= 0xff01 - 0x21;
	if (is_space(code))
		return ' ';
	if (code >= 'A' && code <= 'Z')
		return code - 'A' + 'a';
	uint32_t same = same_sign(code);

	return same != 0 ? same : code;
}

static void put(struct norm *norm, uint32_t code, size_t origin)
{
	char bytes[4];
	size_t width = utf8_encode(code, bytes);

	for (size_t i = 0; i < width; i++) {
		if (norm->origin != NULL)
			norm->origin[norm->length] = (uint32_t)origin;
		norm->text[norm->length++] = bytes[i];
	}
}

/* Fills NORM, whose text (and origin, where wanted) has room for LENGTH + 1. */
static void normalise(const char *text, size_t length, struct norm *norm)
{
	bool space = false;
	size_t end = 0;

	for (size_t at = 0; at < length;) {
		size_t width;
		bool valid = utf8_width(text + at, length - at) > 0;
		uint32_t code = simple(utf8_decode(text + at, length - at, &width));

		/* No character grows; a byte that is none becomes one sign. */
		code = valid ? code : '?';
		if (code == ' ') {
			space = norm->length > 0;
		} else if (!is_invisible(code)) {
			if (space)
				put(norm, ' ', at);
			space = false;
			put(norm, code, at);
			end = at + width;
		}
		at += width;
	}
	norm->text[norm->length] = '\0';
	if (norm->origin != NULL)
		norm->origin[norm->length] = (uint32_t)end;
}

struct norm norm_mapped(struct arena *arena, const char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	struct norm norm = {.text = arena_alloc(arena, length + 1),
	                    .origin = arena_array(arena, uint32_t, length + 1)};

	normalise(text, length, &norm);
	return norm;
}

const char *norm_text(struct arena *arena, const char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	struct norm norm = {0};

	if (length == 0)
		return "";
	norm.text = arena_alloc(arena, length + 1);
	normalise(text, length, &norm);
	return norm.text;
}

const char *norm_tight(struct arena *arena, const char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	struct norm norm = {0};
	size_t kept = 0;

	if (length == 0)
		return "";
	norm.text = arena_alloc(arena, length + 1);
	normalise(text, length, &norm);
	for (size_t i = 0; i < norm.length; i++)
		if (norm.text[i] != ' ')
			norm.text[kept++] = norm.text[i];
	norm.text[kept] = '\0';
	return norm.text;
}

/* Where PART ends in TEXT when it begins there, spaces of either not counted; NULL = it does not.
 */
static const char *end_of(const char *text, const char *part)
{
	for (; *part != '\0'; part++) {
		if (*part == ' ')
			continue;
		text += strspn(text, " ");
		if (*text++ != *part)
			return NULL;
	}
	return text;
}

const char *norm_as_written(struct arena *arena, const char *text, const char *part)
{
	struct norm norm = norm_mapped(arena, text);

	for (size_t at = 0; at < norm.length && *part != '\0'; at++) {
		const char *end = norm.text[at] == ' ' ? NULL : end_of(norm.text + at, part);

		if (end != NULL) {
			size_t from = norm.origin[at];

			return arena_strndup(arena, text + from,
			                     norm.origin[end - norm.text] - from);
		}
	}
	return part;
}

bool norm_has_han(const char *text)
{
	size_t length = strlen(text);
	size_t width;

	for (size_t at = 0; at < length; at += width) {
		uint32_t code = utf8_decode(text + at, length - at, &width);

		if (code >= 0x3400 && code <= 0x9fff)
			return true;
	}
	return false;
}

bool norm_is_blank(const char *text)
{
	size_t length = strlen(text);
	size_t width;

	for (size_t at = 0; at < length; at += width)
		if (!is_space(utf8_decode(text + at, length - at, &width)))
			return false;
	return true;
}

const char *norm_trim(struct arena *arena, const char *text)
{
	size_t end = strlen(text);
	size_t start = 0;
	size_t width;

	while (start < end && is_space(utf8_decode(text + start, end - start, &width)))
		start += width;
	for (;;) {
		size_t last = end;

		while (last > start && ((unsigned char)text[last - 1] & 0xc0) == 0x80)
			last--;
		if (last == start ||
		    !is_space(utf8_decode(text + last - 1, end - last + 1, &width)))
			break;
		end = last - 1;
	}
	return arena_strndup(arena, text + start, end - start);
}

bool norm_is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789.,-+%$ ");

	return strpbrk(text, "0123456789") != NULL && text[digits] == '\0';
}
