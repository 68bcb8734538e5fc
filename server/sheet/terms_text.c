/* terms_text.c - see terms_text.h. */
#include "sheet/terms_text.h"

#include <stdlib.h>
#include <string.h>

#include "sheet/number_text.h"

static const struct {
	const char *meaning;
	enum price_term term;
	int months;
} terms[] = {
    {"hourly", TERM_HOURLY, 0},       {"daily", TERM_HOURLY, 0},
    {"weekly", TERM_HOURLY, 0},       {"monthly", TERM_MONTHLY, 0},
    {"quarterly", TERM_QUARTERLY, 0}, {"half_year", TERM_QUARTERLY, 6},
    {"yearly", TERM_YEARLY, 0},       {"two_years", TERM_YEARLY, 24},
    {"three_years", TERM_YEARLY, 36}, {"five_years", TERM_YEARLY, 60},
    {"spot", TERM_SPOT, 0},           {"one_off", TERM_ONE_OFF, 0},
};

static const struct {
	const char *meaning;
	enum period period;
	int count;
} term_periods[] = {
    {"hour", PERIOD_HOUR, 1},     {"day", PERIOD_DAY, 1},   {"month", PERIOD_MONTH, 1},
    {"quarter", PERIOD_MONTH, 3}, {"year", PERIOD_YEAR, 1},
};

struct term_reading term_text_read(const struct words *words, const char *text)
{
	struct term_reading reading = {.period_count = 1};
	const struct word *word = words_find(words, "term", text, NULL);

	for (size_t i = 0; word != NULL && i < sizeof terms / sizeof *terms; i++) {
		if (strcmp(terms[i].meaning, word->meaning) != 0)
			continue;
		reading.known = true;
		reading.term = terms[i].term;
		reading.months = terms[i].months;
	}
	/* 抢占 beside 按小时: the stronger word, whatever its length. */
	if (words_find(words, "term", text, NULL) != NULL &&
	    (strstr(text, "抢占") != NULL || strstr(text, "竞价") != NULL ||
	     strstr(text, "spot") != NULL))
		reading.term = TERM_SPOT;
	const struct word *period = words_find(words, "term_period", text, NULL);

	for (size_t i = 0; period != NULL && i < sizeof term_periods / sizeof *term_periods; i++) {
		if (strcmp(term_periods[i].meaning, period->meaning) != 0)
			continue;
		reading.period_known = true;
		reading.period = term_periods[i].period;
		reading.period_count = term_periods[i].count;
	}
	return reading;
}

/* The percentage nearest to the tax words: the first "N%" in TEXT; -1 = none. */
static int32_t rate_in(const char *text)
{
	const char *percent = strchr(text, '%');

	for (; percent != NULL; percent = strchr(percent + 1, '%')) {
		const char *start = percent;
		struct ratio value;
		int64_t basis_points;

		while (start > text && start[-1] == ' ')
			start--;
		while (start > text && strchr("0123456789.", start[-1]) != NULL)
			start--;
		if (start == percent || !number_text_first(start, &value, NULL) ||
		    !ratio_round(value, 2, &basis_points))
			continue;
		if (basis_points >= 0 && basis_points <= 3000)
			return (int32_t)basis_points;
	}
	return -1;
}

/* "含6%税", "含13%增值税", "含6个点": 含 … 税 with a rate between. */
static bool included_around_rate(const char *text)
{
	const char *with = strstr(text, "含");

	for (; with != NULL; with = strstr(with + 1, "含")) {
		const char *digits = with + strlen("含");

		digits += strspn(digits, " ");
		size_t length = strspn(digits, "0123456789.");

		if (length > 0 && strncmp(digits + length, "%", 1) == 0 &&
		    (with == text || strncmp(with - 3, "不", 3) != 0))
			return true;
	}
	return strstr(text, "include") != NULL && strchr(text, '%') != NULL &&
	       (strstr(text, "vat") != NULL || strstr(text, "tax") != NULL);
}

/* "+6%", "plus 6%", "另加6%": on top. */
static bool excluded_by_plus(const char *text)
{
	static const char *const signs[] = {"+", "plus", "另加", "加收"};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		const char *sign = strstr(text, signs[i]);

		for (; sign != NULL; sign = strstr(sign + 1, signs[i])) {
			const char *digits = sign + strlen(signs[i]);

			digits += strspn(digits, " ");
			size_t length = strspn(digits, "0123456789.");

			if (length > 0 && digits[length] == '%')
				return true;
		}
	}
	return false;
}

/* "All prices exclude 6% VAT", "exclusive of tax". */
static bool excluded_by_verb(const char *text)
{
	const char *verb = strstr(text, "exclu");

	return verb != NULL && (strstr(verb, "vat") != NULL || strstr(verb, "tax") != NULL);
}

/* Whether an "included" word stands outside every "excluded" word: 不含税 holds 含税. */
static bool included_outside(const struct words *words, const char *text)
{
	size_t at;
	const struct word *out = words_find(words, "tax_out", text, &at);

	if (out == NULL)
		return words_find(words, "tax_in", text, NULL) != NULL ||
		       included_around_rate(text);
	char copy[2048];
	size_t length = strlen(text);

	if (length >= sizeof copy)
		return false;
	memcpy(copy, text, length + 1);
	while (out != NULL) {
		memset(copy + at, '_', out->length);
		out = words_find(words, "tax_out", copy, &at);
	}
	return words_find(words, "tax_in", copy, NULL) != NULL || included_around_rate(copy);
}

struct tax_reading tax_text_read(const struct words *words, const char *text, bool in_tax_column)
{
	struct tax_reading reading = {.basis = TAX_UNKNOWN, .rate_bp = -1};
	bool excluded = words_find(words, "tax_out", text, NULL) != NULL ||
	                excluded_by_plus(text) || excluded_by_verb(text);
	bool included = included_outside(words, text);

	if (in_tax_column && !excluded && !included) {
		const char *answer_no = words_whole(words, "no", text);
		bool rate_only = *text != '\0' && strspn(text, "0123456789.% ") == strlen(text) &&
		                 strchr(text, '%') != NULL;

		excluded = answer_no != NULL;
		included =
		    !excluded && (words_whole(words, "yes", text) != NULL || rate_only ||
		                  strstr(text, "专票") != NULL || strstr(text, "普票") != NULL);
	}
	if (excluded && included) {
		reading.clash = true;
		return reading;
	}
	if (!excluded && !included)
		return reading;
	reading.basis = excluded ? TAX_EXCLUDED : TAX_INCLUDED;
	reading.rate_bp = rate_in(text);
	return reading;
}

static bool counts_servers(const char *text, bool *cards)
{
	static const char *const servers[] = {"台", "node", "server", "机", "套"};
	static const char *const units[] = {"卡", "张", "gpu", "card"};

	for (size_t i = 0; i < sizeof servers / sizeof *servers; i++)
		if (strncmp(text, servers[i], strlen(servers[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strncmp(text, units[i], strlen(units[i])) == 0) {
			*cards = true;
			return true;
		}
	}
	return false;
}

/* Reads digits at TEXT; 0 when there are none or too many. */
static int number_at(const char *text, const char **after)
{
	char *end;
	long value = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;

	*after = value > 0 ? end : text;
	return value > 0 && value <= 100000 ? (int)value : 0;
}

int quantity_text_read(const char *text, bool *cards)
{
	*cards = false;
	for (const char *at = text + strcspn(text, "0123456789"); *at != '\0';
	     at += strcspn(at, "0123456789")) {
		const char *after;
		const char *unused;
		int value = number_at(at, &after);
		bool least = at > text && (at[-1] == '>' || at[-1] == '=' ||
		                           (at - text >= 3 && strncmp(at - 3, "≥", 3) == 0));

		if (value == 0) {
			at += strspn(at, "0123456789");
			continue;
		}
		after += strspn(after, " ");
		bool more = *after == '+';
		bool range = (*after == '-' || *after == '~') && number_at(after + 1, &unused) > 0;

		if (range)
			after = unused;
		after += more;
		after += strspn(after, " ");
		bool counted = counts_servers(after, cards);
		bool upwards = strstr(after, "以上") != NULL || strstr(after, "起") != NULL ||
		               strstr(after, "及以上") != NULL || strchr(after, '+') != NULL;

		if (counted && (least || more || range || upwards))
			return value;
		at = after;
	}
	return 0;
}
