/*
 * text.h - words for people, in both languages.
 *
 * Everything a person reads is made where it is known, in English and Chinese at once, and one of
 * the two is picked at the very edge; or, at the edge, by say(). Both formats of text_printf() take
 * the same arguments; where the order differs, write %1$s, %2$d, ... in both.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>

struct arena;

enum lang { LANG_ZH, LANG_EN };

/* Borrowed strings; both NULL means "no text". */
struct text {
	const char *en;
	const char *zh;
};

#define TEXT(en_literal, zh_literal) ((struct text){.en = (en_literal), .zh = (zh_literal)})

/* Both formats with the same arguments; strings live in ARENA. */
struct text text_printf(struct arena *arena, const char *en, const char *zh, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
struct text text_vprintf(struct arena *arena, const char *en, const char *zh, va_list args)
    __attribute__((format(printf, 2, 0), format(printf, 3, 0)));

/* Whom words are made for: what is long and told once is made in the listener's language alone. */
struct listener {
	struct arena *arena;
	enum lang lang;
};

/* The format of the listener's language, printed; the string lives in his arena. */
const char *say(const struct listener *listener, const char *en, const char *zh, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));

/* The words of TEXT in LANG, borrowed; NULL for no text. */
const char *text_in(struct text text, enum lang lang);

/* Room for any decimal of this program with its thousands marked. */
#define DIGITS_GROUPED_SIZE 48

/* DECIMAL ("-1920350.93") as people read it: "-1,920,350.93" in TEXT, which is returned. */
const char *digits_grouped(const char *decimal, char text[static DIGITS_GROUPED_SIZE]);

/*
 * The language of an Accept-Language value (RFC 9110, 12.5.4): the highest q of zh* and en*;
 * Chinese when neither is named or VALUE is NULL.
 */
enum lang lang_from_accept(const char *value);

#endif
