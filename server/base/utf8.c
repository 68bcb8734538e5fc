/* utf8.c - see utf8.h. */
#include "base/utf8.h"

static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t utf8_width(const char *text, size_t length)
{
	const unsigned char *b = (const unsigned char *)text;

	if (length == 0)
		return 0;
	if (b[0] < 0x80)
		return 1;
	if (b[0] < 0xc2 || b[0] > 0xf4)
		return 0;
	size_t width = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;

	if (length < width)
		return 0;
	for (size_t i = 1; i < width; i++)
		if (!continues(b[i]))
			return 0;
	bool overlong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xf0 && b[1] < 0x90);
	bool surrogate = b[0] == 0xed && b[1] > 0x9f;
	bool beyond = b[0] == 0xf4 && b[1] > 0x8f;

	return overlong || surrogate || beyond ? 0 : width;
}

uint32_t utf8_decode(const char *text, size_t length, size_t *width)
{
	const unsigned char *b = (const unsigned char *)text;

	*width = utf8_width(text, length);
	switch (*width) {
	case 1:
		return b[0];
	case 2:
		return ((uint32_t)(b[0] & 0x1f) << 6) | (b[1] & 0x3f);
	case 3:
		return ((uint32_t)(b[0] & 0x0f) << 12) | ((uint32_t)(b[1] & 0x3f) << 6) |
		       (b[2] & 0x3f);
	case 4:
		return ((uint32_t)(b[0] & 0x07) << 18) | ((uint32_t)(b[1] & 0x3f) << 12) |
		       ((uint32_t)(b[2] & 0x3f) << 6) | (b[3] & 0x3f);
	}
	*width = 1;
	return 0xfffd;
}

size_t utf8_encode(uint32_t code, char out[static 4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | (code >> 6));
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | (code >> 12));
		out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | (code >> 18));
	out[1] = (char)(0x80 | ((code >> 12) & 0x3f));
	out[2] = (char)(0x80 | ((code >> 6) & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

bool utf8_valid(const char *text, size_t length, size_t *bad_offset)
{
	for (size_t i = 0; i < length;) {
		size_t width = utf8_width(text + i, length - i);

		if (width == 0) {
			if (bad_offset != NULL)
				*bad_offset = i;
			return false;
		}
		i += width;
	}
	return true;
}
