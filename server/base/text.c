/* text.c - see text.h. */
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"

struct text text_vprintf(struct arena *arena, const char *en, const char *zh, va_list args)
{
	va_list again;

	va_copy(again, args);
	struct text text = {.en = arena_vprintf(arena, en, args),
	                    .zh = arena_vprintf(arena, zh, again)};
	va_end(again);
	return text;
}

struct text text_printf(struct arena *arena, const char *en, const char *zh, ...)
{
	va_list args;

	va_start(args, zh);
	struct text text = text_vprintf(arena, en, zh, args);
	va_end(args);
	return text;
}

const char *say(const struct listener *listener, const char *en, const char *zh, ...)
{
	va_list args;

	va_start(args, zh);
	const char *text =
	    arena_vprintf(listener->arena, listener->lang == LANG_EN ? en : zh, args);
	va_end(args);
	return text;
}

const char *digits_grouped(const char *decimal, char text[static DIGITS_GROUPED_SIZE])
{
	size_t first = decimal[0] == '-';
	size_t whole = first;
	size_t length = 0;

	while (decimal[whole] >= '0' && decimal[whole] <= '9')
		whole++;
	for (size_t i = 0; decimal[i] != '\0' && length < DIGITS_GROUPED_SIZE - 2; i++) {
		if (i > first && i < whole && (whole - i) % 3 == 0)
			text[length++] = ',';
		text[length++] = decimal[i];
	}
	text[length] = '\0';
	return text;
}

const char *text_in(struct text text, enum lang lang)
{
	return lang == LANG_EN ? text.en : text.zh;
}

/* The q of one element of the list, in thousandths; 1000 when absent or unreadable. */
static long quality(const char *element, size_t length)
{
	for (size_t i = 0; i + 2 < length; i++)
		if (element[i] == ';') {
			const char *q = element + i + 1;

			while (*q == ' ')
				q++;
			if (strncasecmp(q, "q=", 2) == 0)
				return (long)(strtod(q + 2, NULL) * 1000 + 0.5);
		}
	return 1000;
}

enum lang lang_from_accept(const char *value)
{
	long zh = -1;
	long en = -1;

	while (value != NULL && *value != '\0') {
		value += strspn(value, " \t,");
		size_t length = strcspn(value, ",");

		if (length >= 2 && strncasecmp(value, "zh", 2) == 0 && quality(value, length) > zh)
			zh = quality(value, length);
		if (length >= 2 && strncasecmp(value, "en", 2) == 0 && quality(value, length) > en)
			en = quality(value, length);
		value += length;
	}
	return en > zh && en > 0 ? LANG_EN : LANG_ZH;
}
