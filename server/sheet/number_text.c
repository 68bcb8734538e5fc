/* number_text.c - see number_text.h. */
#include "sheet/number_text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/limits.h"
#include "sheet/norm.h"

#define DIGITS_MAX 24

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A cell being read, in normal form. */
struct cursor {
	struct arena *arena;
	const struct words *words;
	struct norm norm;
	size_t at;
};

static const char *here(const struct cursor *in)
{
	return in->norm.text + in->at;
}

static void skip_space(struct cursor *in)
{
	in->at += strspn(here(in), " ");
}

static bool take_word(struct cursor *in, const char *group)
{
	const struct word *word = words_start(in->words, group, here(in));

	if (word == NULL)
		return false;
	in->at += word->length;
	skip_space(in);
	return true;
}

/* The text as it stood between two places of the normal form. */
static const char *as_it_stood(const struct cursor *in, const char *original, size_t from,
                               size_t to)
{
	size_t start = in->norm.origin[from];
	size_t end = in->norm.origin[to];

	return norm_trim(in->arena,
	                 arena_strndup(in->arena, original + start, end > start ? end - start : 0));
}

/*
 * Digits with correct thousands commas and an optional fraction; the plain decimal goes to PLAIN.
 * A comma that does not group three digits, or a second point, is NUMBER_COMMAS.
 */
static enum number_fault read_digits(struct cursor *in, char plain[DIGITS_MAX * 2 + 2])
{
	size_t length = 0;
	size_t group = 0; /* digits since the last comma */
	bool commas = false;

	for (;; in->at++) {
		char c = *here(in);

		if (c == ',' && is_digit(here(in)[1])) {
			if (length == 0 || group > 3 || (commas && group != 3))
				return NUMBER_COMMAS;
			commas = true;
			group = 0;
			continue;
		}
		if (!is_digit(c))
			break;
		if (length >= DIGITS_MAX)
			return NUMBER_TOO_LONG;
		plain[length++] = c;
		group++;
	}
	if (commas && group != 3)
		return NUMBER_COMMAS;
	if (*here(in) == '.' && is_digit(here(in)[1])) {
		size_t digits = length;

		if (length == 0)
			plain[length++] = '0';
		plain[length++] = '.';
		for (in->at++; is_digit(*here(in)); in->at++) {
			if (length - digits > DIGITS_MAX)
				return NUMBER_TOO_LONG;
			plain[length++] = *here(in);
		}
		if (*here(in) == ',' || (*here(in) == '.' && is_digit(here(in)[1])))
			return NUMBER_COMMAS;
	}
	plain[length] = '\0';
	return length == 0 ? NUMBER_NOT_ONE : NUMBER_FINE;
}

/* One number with its own 万; SCALE stays 1 without. */
static enum number_fault read_one(struct cursor *in, struct ratio *value, struct ratio *scale)
{
	char plain[DIGITS_MAX * 2 + 2];
	enum number_fault fault = read_digits(in, plain);

	*scale = ratio_of(1);
	if (fault != NUMBER_FINE)
		return fault;
	if (!ratio_parse(plain, value))
		return NUMBER_TOO_LONG;
	size_t space = strspn(here(in), " ");
	const struct word *word = words_start(in->words, "scale", here(in) + space);

	if (word != NULL) {
		in->at += space + word->length;
		if (!ratio_parse(word->meaning, scale))
			return NUMBER_NOT_ONE;
	}
	if (strchr("ol", *here(in)) != NULL && *here(in) != '\0' && here(in)[1] != 'r')
		return NUMBER_LETTERS;
	return NUMBER_FINE;
}

static bool take_range_sign(struct cursor *in)
{
	static const char *const signs[] = {"-", "~", "至", "到", "to "};
	size_t at = in->at + strspn(here(in), " ");

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t length = strlen(signs[i]);
		const char *after = in->norm.text + at + length;

		if (strncmp(in->norm.text + at, signs[i], length) != 0)
			continue;
		after += strspn(after, " ");
		const struct word *currency = words_start(in->words, "currency", after);

		after += currency == NULL ? 0 : currency->length;
		if (!is_digit(*after))
			continue;
		in->at = (size_t)(after - in->norm.text);
		return true;
	}
	return false;
}

/* Currency signs before the number: ¥, US$, 人民币. */
static void take_currency(struct cursor *in, struct number_reading *number)
{
	const struct word *word = words_start(in->words, "currency", here(in));

	if (word == NULL || strcmp(word->meaning, "FEN") == 0)
		return;
	memcpy(number->unit.currency, word->meaning, 4);
	in->at += word->length;
	skip_space(in);
}

/* "3.15-3.8万": both ends are in 万; "8000-1万" is not. */
static bool apply_scales(struct number_reading *number, struct ratio low_scale,
                         struct ratio high_scale)
{
	bool inherits = number->is_range && ratio_compare(low_scale, ratio_of(1)) == 0 &&
	                ratio_compare(number->low, number->value) <= 0;

	if (!ratio_multiply(number->low, inherits ? high_scale : low_scale, &number->low) ||
	    !ratio_multiply(number->value, high_scale, &number->value))
		return false;
	return !number->is_range || ratio_compare(number->low, number->value) <= 0;
}

static enum number_fault read_numbers(struct cursor *in, struct number_reading *number)
{
	struct ratio low_scale = ratio_of(1);
	struct ratio scale = ratio_of(1);
	bool negative = *here(in) == '-';

	in->at += negative;
	skip_space(in);
	take_currency(in, number);
	if (!negative && *here(in) == '-') {
		negative = true;
		in->at++;
	}
	enum number_fault fault = read_one(in, &number->value, &scale);

	if (fault != NUMBER_FINE)
		return fault;
	size_t before = in->at;
	const struct word *currency = words_start(in->words, "currency", here(in));

	/* "0.9元-1.2元" */
	in->at += currency == NULL ? 0 : currency->length;
	if (take_range_sign(in)) {
		number->is_range = true;
		number->low = number->value;
		low_scale = scale;
		fault = read_one(in, &number->value, &scale);
		if (fault != NUMBER_FINE)
			return fault;
	} else {
		in->at = before;
	}
	number->scaled = ratio_compare(scale, ratio_of(1)) != 0;
	if (!apply_scales(number, low_scale, scale))
		return NUMBER_TWO;
	if (negative)
		number->value.num = -number->value.num;
	return NUMBER_FINE;
}

/* "（含税）", "（不含税）": words that are read elsewhere. */
static bool tax_in_brackets(const struct cursor *in)
{
	const char *inner = here(in) + 1;

	return words_start(in->words, "tax_out", inner) != NULL ||
	       words_start(in->words, "tax_in", inner) != NULL;
}

/* The length of the "6%" or "+6%" here, which are the tax's; 0 = none is. */
static size_t rate_follows(const struct cursor *in)
{
	size_t sign = strspn(here(in), "+ ");
	size_t digits = strspn(here(in) + sign, "0123456789.");

	return digits > 0 && digits <= 5 && here(in)[sign + digits] == '%' ? sign + digits + 1 : 0;
}

static bool take_rate(struct cursor *in)
{
	size_t length = rate_follows(in);

	in->at += length;
	return length > 0;
}

/* What may stand after the unit: 起, 左右, tax words, words in brackets. */
static bool known_rest(struct cursor *in, struct number_reading *number)
{
	bool tax = false; /* tax is spoken of, so that a rate may follow */

	number->rest = here(in);
	while (*here(in) != '\0') {
		skip_space(in);
		if ((tax || *here(in) == '+') && take_rate(in)) {
			continue;
		} else if (take_word(in, "tax_out") || take_word(in, "tax_in")) {
			tax = true;
		} else if (take_word(in, "from_after")) {
			number->from = true;
		} else if (take_word(in, "approx_after")) {
			number->approximate = true;
		} else if (*here(in) == ')' || (*here(in) == '(' && tax_in_brackets(in))) {
			in->at++;
		} else if (*here(in) == '(' || *here(in) == ',' || *here(in) == ';') {
			/* Words for people: shown, not understood. */
			number->noted = true;
			return *here(in) == '(' || strpbrk(here(in), "0123456789") == NULL;
		} else if (!take_word(in, "billing") && *here(in) != '\0') {
			return false;
		}
	}
	return true;
}

static bool all_no_price(const struct cursor *in)
{
	const char *text = in->norm.text;

	if (words_whole(in->words, "no_price", text) != NULL)
		return true;
	if (strpbrk(text, "0123456789") != NULL || strspn(text, "-—/ ") == strlen(text))
		return strpbrk(text, "0123456789") == NULL;
	const struct word *word = words_find(in->words, "no_price", text, NULL);

	return word != NULL && word->length >= 4;
}

static bool is_formula(const char *text)
{
	return *text == '=' || *text == '@' || (*text == '+' && !is_digit(text[1]));
}

static struct number_reading bad(struct number_reading number, enum number_fault fault)
{
	number.kind = NUMBER_BAD;
	number.fault = fault;
	number.is_range = false;
	return number;
}

/*
 * "含税：63600", "月付 76000", "不含电费（0.68元/度）": words that say more of the price than its
 * number does.
 */
static bool take_front(struct cursor *in)
{
	bool power =
	    !take_word(in, "tax_out") && !take_word(in, "tax_in") && !take_word(in, "term");

	if (power && !take_word(in, "billing"))
		return false;
	in->at += strspn(here(in), power ? ": (," : ": ");
	return true;
}

/* Words before the number: 约, 不低于, ≥. */
static void take_prefixes(struct cursor *in, struct number_reading *number)
{
	size_t start = in->at;

	for (;;) {
		if (take_word(in, "approx"))
			number->approximate = true;
		else if (take_word(in, "from"))
			number->from = true;
		else if (!take_front(in))
			break;
	}
	number->front = arena_strndup(in->arena, in->norm.text + start, in->at - start);
}

static enum number_fault letters_or(const struct cursor *in, enum number_fault fault)
{
	const char *text = in->norm.text;

	/* "12ooo", "l2000": digits and look-alikes only. */
	return fault != NUMBER_TOO_LONG && strpbrk(text, "0123456789") != NULL &&
	               strspn(text, "0123456789olsi.,") == strlen(text) &&
	               strpbrk(text, "olsi") != NULL
	           ? NUMBER_LETTERS
	           : fault;
}

/* What was said before the number, where nothing behind it says the same. */
static void add_front(const struct unit_reading *front, struct unit_reading *unit)
{
	if (unit->counted == COUNTED_NOTHING) {
		unit->counted = front->counted;
		unit->count = front->count;
	}
	if (!unit->period_known && front->period_known) {
		unit->period_known = true;
		unit->period = front->period;
		unit->period_count = front->period_count;
	}
}

struct number_reading number_text_read(struct arena *arena, const struct words *words,
                                       const char *text)
{
	struct number_reading number = {.value = ratio_of(0),
	                                .low = ratio_of(0),
	                                .number_text = "",
	                                .unit_text = "",
	                                .front = "",
	                                .rest = "",
	                                .unit = unit_nothing()};

	if (text == NULL)
		return number;
	if (strlen(text) > SHEET_NUMBER_TEXT_MAX)
		return bad(number, NUMBER_NOT_ONE);
	struct cursor in = {.arena = arena, .words = words, .norm = norm_mapped(arena, text)};

	if (in.norm.length == 0)
		return number;
	if (is_formula(in.norm.text))
		return bad(number, NUMBER_FORMULA);
	if (all_no_price(&in)) {
		number.kind = NUMBER_NONE;
		return number;
	}
	if (words_whole(words, "free", in.norm.text) != NULL) {
		number.kind = NUMBER_FREE;
		number.number_text = norm_trim(arena, text);
		return number;
	}
	take_prefixes(&in, &number);
	/* "每卡每月2600元" */
	struct unit_reading front = unit_nothing();

	if (strncmp(here(&in), "每", strlen("每")) == 0)
		in.at += unit_text_read(words, here(&in), &front);
	size_t start = in.at;
	enum number_fault fault = read_numbers(&in, &number);

	if (fault != NUMBER_FINE)
		return bad(number, letters_or(&in, fault));
	number.number_text = as_it_stood(&in, text, start, in.at);
	char currency[4];

	memcpy(currency, number.unit.currency, 4);
	skip_space(&in);
	if (!rate_follows(&in) && take_word(&in, "from_after"))
		number.from = true;
	size_t unit_start = in.at;
	struct unit_reading unit;
	size_t used = unit_text_read(words, here(&in), &unit);

	if (used > 0) {
		in.at += used;
		number.unit = unit;
		add_front(&front, &number.unit);
		if (unit.currency[0] == '\0' && currency[0] != '\0') {
			memcpy(number.unit.currency, currency, 4);
		} else if (currency[0] != '\0' && strcmp(currency, unit.currency) != 0) {
			return bad(number, NUMBER_LEFTOVERS);
		}
		if (front.counted == COUNTED_NOTHING && !front.period_known)
			number.unit_text = as_it_stood(&in, text, unit_start, in.at);
	} else {
		add_front(&front, &number.unit);
	}
	if (!known_rest(&in, &number))
		return bad(number, strpbrk(here(&in), "0123456789") != NULL ? NUMBER_TWO
		                                                            : NUMBER_LEFTOVERS);
	number.kind = NUMBER_OK;
	return number;
}

bool count_text_read(struct arena *arena, const char *text, int *count)
{
	const char *at = text == NULL ? "" : norm_tight(arena, text);
	int64_t value = 0;
	int digits = 0;

	at += strspn(at, "x*>≥约共");
	for (; is_digit(*at) || (*at == ',' && digits > 0 && is_digit(at[1])); at++) {
		if (*at == ',')
			continue;
		value = value * 10 + (*at - '0');
		if (++digits > 9)
			return false;
	}
	if (digits == 0 || value > INT_MAX)
		return false;
	if (*at == '.' && at[1 + strspn(at + 1, "0")] == '\0')
		at += strlen(at); /* 8.0 */
	if (strpbrk(at, "0123456789.%") != NULL)
		return false;
	*count = (int)value;
	return true;
}

bool number_text_first(const char *text, struct ratio *value, const char **after)
{
	char plain[DIGITS_MAX + 2];
	size_t length = 0;
	bool point = false;

	text += strcspn(text, "0123456789");
	for (; is_digit(*text) || (*text == '.' && !point && is_digit(text[1])); text++) {
		if (length >= DIGITS_MAX)
			return false;
		point = point || *text == '.';
		plain[length++] = *text;
	}
	plain[length] = '\0';
	if (after != NULL)
		*after = text;
	return length > 0 && ratio_parse(plain, value);
}

/* DIGITS with the point moved: "123" and exponent 0 are 1.23. */
static const char *place_point(struct arena *arena, bool negative, const char *digits, int exponent)
{
	int length = (int)strlen(digits);
	const char *sign = negative ? "-" : "";
	static const char zeros[] = "00000000000000000000000000000000";

	if (exponent < 0)
		return arena_printf(arena, "%s0.%.*s%s", sign, -exponent - 1, zeros, digits);
	if (exponent + 1 >= length)
		return arena_printf(arena, "%s%s%.*s", sign, digits, exponent + 1 - length, zeros);
	return arena_printf(arena, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

const char *number_text_shortest(struct arena *arena, double value)
{
	char text[40];
	char digits[20];
	size_t length = 0;

	if (!isfinite(value) || fabs(value) >= 1e30)
		return "";
	/* Fifteen digits are what a spreadsheet keeps: d.dddddddddddddde±xx. */
	snprintf(text, sizeof text, "%.14e", fabs(value));
	for (const char *c = text; *c != 'e'; c++)
		if (*c != '.')
			digits[length++] = *c;
	while (length > 1 && digits[length - 1] == '0')
		length--;
	digits[length] = '\0';
	if (fabs(value) < 1e-25)
		return "0";
	return place_point(arena, value < 0, digits, (int)strtol(strchr(text, 'e') + 1, NULL, 10));
}
