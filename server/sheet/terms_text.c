/* terms_text.c - see terms_text.h. */
#include "sheet/terms_text.h"

#include <stdlib.h>
#include <string.h>

#include "sheet/number_text.h"

#define POWER_GAP_MAX 30 /* bytes from 含 to 电费 */

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
    {"hour", PERIOD_HOUR, 1},   {"day", PERIOD_DAY, 1},       {"week", PERIOD_DAY, 7},
    {"month", PERIOD_MONTH, 1}, {"quarter", PERIOD_MONTH, 3}, {"year", PERIOD_YEAR, 1},
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
	     strstr(text, "闲时") != NULL || strstr(text, "spot") != NULL))
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

struct term_reading term_of_period_word(const struct words *words, const char *text)
{
	static const struct {
		const char *meaning;
		enum price_term term;
		enum period period;
		int count;
	} periods[] = {
	    {"hour", TERM_HOURLY, PERIOD_HOUR, 1},    {"day", TERM_HOURLY, PERIOD_DAY, 1},
	    {"month", TERM_MONTHLY, PERIOD_MONTH, 1}, {"quarter", TERM_QUARTERLY, PERIOD_MONTH, 3},
	    {"year", TERM_YEARLY, PERIOD_YEAR, 1},
	};
	struct term_reading reading = {.period_count = 1};
	const char *meaning = words_whole(words, "period", text);

	for (size_t i = 0; meaning != NULL && i < sizeof periods / sizeof *periods; i++) {
		if (strcmp(periods[i].meaning, meaning) != 0)
			continue;
		reading.known = reading.period_known = true;
		reading.term = periods[i].term;
		reading.period = periods[i].period;
		reading.period_count = periods[i].count;
	}
	return reading;
}

/* The length of "6%", "6个点", "6个税点" at TEXT; 0 = none is there. */
static size_t rate_length(const char *text)
{
	static const char *const signs[] = {"%", "个点", "个税点", "点税", "税点"};
	size_t gap = strspn(text, " ");
	size_t digits = strspn(text + gap, "0123456789.");
	size_t space = digits > 0 ? strspn(text + gap + digits, " ") : 0;

	for (size_t i = 0; i < sizeof signs / sizeof *signs && digits > 0; i++)
		if (strncmp(text + gap + digits + space, signs[i], strlen(signs[i])) == 0)
			return gap + digits + space + strlen(signs[i]);
	return 0;
}

/* The rate that TEXT names: the first "6%", "6个点" in it; -1 = none. */
static int32_t rate_in(const char *text)
{
	for (const char *at = text + strcspn(text, "0123456789"); *at != '\0';
	     at += strcspn(at, "0123456789")) {
		struct ratio value;
		int64_t basis_points;

		if (rate_length(at) > 0 && number_text_first(at, &value, NULL) &&
		    ratio_round(value, 2, &basis_points) && basis_points >= 0 &&
		    basis_points <= 3000)
			return (int32_t)basis_points;
		at += strspn(at, "0123456789.");
	}
	return -1;
}

static bool ends_with(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - text) >= length && strncmp(end - length, word, length) == 0;
}

/* Whether what stands right before END denies it: 不含, 未含, "not included". */
static bool denied(const char *text, const char *end)
{
	static const char *const words[] = {"不",   "未",  "没",      "没有",    "不包",
	                                    "未包", "not", "not yet", "does not"};

	while (end > text && end[-1] == ' ')
		end--;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (ends_with(text, end, words[i]))
			return true;
	return false;
}

static bool speaks_of_tax(const char *text)
{
	return strstr(text, "vat") != NULL || strstr(text, "tax") != NULL ||
	       strstr(text, "税") != NULL;
}

/*
 * "含6%税", "含6个点" (WANTED false) or "未含6%税点", "tax 6% not included" (WANTED true): a rate
 * that is in or not in the price.
 */
static bool rate_is(const char *text, bool wanted)
{
	const char *with = strstr(text, "含");

	for (; with != NULL; with = strstr(with + 1, "含"))
		if (rate_length(with + strlen("含")) > 0 && denied(text, with) == wanted)
			return true;
	with = strchr(text, '%') != NULL && speaks_of_tax(text) ? strstr(text, "incl") : NULL;
	for (; with != NULL; with = strstr(with + 1, "incl"))
		if (denied(text, with) == wanted)
			return true;
	return false;
}

static bool included_around_rate(const char *text)
{
	return rate_is(text, false);
}

/* "未含6%税点", "tax 6% not included" */
static bool excluded_around_rate(const char *text)
{
	return rate_is(text, true);
}

/* "+6%", "plus 6%", "另加6%": on top. */
static bool excluded_by_plus(const char *text)
{
	static const char *const signs[] = {"+", "plus", "另加", "加收", "加"};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		const char *sign = strstr(text, signs[i]);

		for (; sign != NULL; sign = strstr(sign + 1, signs[i])) {
			if (rate_length(sign + strlen(signs[i])) > 0)
				return true;
		}
	}
	return false;
}

/* "All prices exclude 6% VAT", "excl. 6% VAT", "exclusive of tax". */
static bool excluded_by_verb(const char *text)
{
	const char *verb = strstr(text, "excl");

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

/* "是", "是(6%)": whether TEXT, brackets aside, is a word of GROUP. */
static bool answers(const struct words *words, const char *group, const char *text)
{
	const struct word *word = words_start(words, group, text);
	const char *after = word == NULL ? text : text + word->length;

	return word != NULL && (*after == '\0' || *after == '(' || *after == ',');
}

/* In a column for tax: "是", "incl. 6%", "6%", "专票". */
static bool says_included(const struct words *words, const char *text)
{
	bool rate_only = *text != '\0' && strspn(text, "0123456789.% ") == strlen(text) &&
	                 strchr(text, '%') != NULL;

	return rate_only || answers(words, "yes", text) || strncmp(text, "incl", 4) == 0 ||
	       strstr(text, "专票") != NULL || strstr(text, "普票") != NULL;
}

struct tax_reading tax_text_read(const struct words *words, const char *text, bool in_tax_column)
{
	struct tax_reading reading = {.basis = TAX_UNKNOWN, .rate_bp = -1};
	bool excluded = words_find(words, "tax_out", text, NULL) != NULL ||
	                excluded_by_plus(text) || excluded_by_verb(text) ||
	                excluded_around_rate(text);
	bool included = included_outside(words, text);

	if (in_tax_column && !excluded && !included) {
		excluded = answers(words, "no", text) || strncmp(text, "excl", 4) == 0;
		included = !excluded && says_included(words, text);
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

/* "500m", "1g" at TEXT in Mbit/s, AFTER behind it; -1 = none is there. */
static int rate_at(const char *text, const char **after)
{
	int value = number_at(text, after);

	*after += strspn(*after, " ");
	char unit = **after;

	if (value == 0 || (unit != 'm' && unit != 'g') || (unit == 'g' && value > 1000))
		return -1;
	++*after;
	*after += strncmp(*after, "bps", 3) == 0 ? 3 : 0;
	return unit == 'g' ? value * 1000 : value;
}

/* "100tb", "2p" at TEXT in TB, AFTER behind it; -1 = none is there. */
static int tb_at(const char *text, const char **after)
{
	int value = number_at(text, after);

	*after += strspn(*after, " ");
	char unit = **after;

	if (value == 0 || (unit != 't' && unit != 'p') || (unit == 'p' && value > 1000))
		return -1;
	++*after;
	*after += **after == 'b';
	return unit == 'p' ? value * 1000 : value;
}

/* The least amount of a step, where TEXT is one and nothing else; AMOUNT_AT reads one with unit. */
static int step_read(const char *text, int (*amount_at)(const char *, const char **))
{
	bool least = *text == '>' || strncmp(text, "≥", strlen("≥")) == 0;

	/* "保底200M": what is billed at least. */
	if (strncmp(text, "保底", strlen("保底")) == 0) {
		text += strlen("保底");
		least = true;
	}
	const char *start = text + strspn(text, ">= ");
	const char *after;
	const char *end;

	start += strncmp(start, "≥", strlen("≥")) == 0 ? strlen("≥") : 0;
	int from = amount_at(start, &after);
	int bare = number_at(start, &end);
	bool zero = *start == '0';

	end += zero;
	/* "100-500M": the unit stands once. */
	if (from < 0 && (bare > 0 || zero) && (*end == '-' || *end == '~') &&
	    amount_at(end + 1, &after) > 0)
		return *after == '\0' ? bare : -1;
	if (from < 0)
		return -1;
	if (*after == '-' || *after == '~')
		return amount_at(after + 1, &end) > 0 && *end == '\0' ? from : -1;
	if (strcmp(after, "以下") == 0 || strcmp(after, "以内") == 0)
		return 0;
	if (strcmp(after, "以上") == 0 || strcmp(after, "及以上") == 0 ||
	    strcmp(after, "起") == 0 || strcmp(after, "+") == 0 || (least && *after == '\0'))
		return from;
	return -1;
}

int mbps_step_read(const char *text)
{
	return step_read(text, rate_at);
}

int tb_step_read(const char *text)
{
	return step_read(text, tb_at);
}

int line_mbps_read(const char *text)
{
	const char *after;
	int rate = rate_at(text + strcspn(text, "0123456789"), &after);
	const char *rest = after + strspn(after, " ");

	/* "100M-200M" and "100M以上" are no rate of one line; "10G 深圳-东莞" is. */
	if (rate <= 0 || *rest == '-' || *rest == '~' || strncmp(rest, "以", strlen("以")) == 0 ||
	    strpbrk(rest, "0123456789") != NULL)
		return 0;
	return rate;
}

/* What TEXT names with UNIT behind its number, times EACH; 0 = nothing. */
static int64_t watts_with(const char *text, const char *unit, int each)
{
	for (const char *at = strstr(text, unit); at != NULL; at = strstr(at + 1, unit)) {
		const char *start = at;
		char next = at[strlen(unit)];
		struct ratio value;
		int64_t watts;

		while (start > text && start[-1] == ' ')
			start--;
		while (start > text && strchr("0123456789.", start[-1]) != NULL)
			start--;
		if (start == at || (next >= 'a' && next <= 'z') || (next >= '0' && next <= '9') ||
		    !number_text_first(start, &value, NULL) ||
		    !ratio_multiply(value, ratio_of(each), &value) ||
		    !ratio_round(value, 0, &watts))
			continue;
		if (watts > 0 && watts <= 1000000)
			return watts;
	}
	return 0;
}

int64_t watts_text_read(const char *text)
{
	int64_t watts = watts_with(text, "kw", 1000);

	watts = watts > 0 ? watts : watts_with(text, "kva", 1000);
	watts = watts > 0 ? watts : watts_with(text, "a", 220);
	return watts > 0 ? watts : watts_with(text, "安", 220);
}

/* "含机柜标准功率电费", "不含电力费用": 电 a few words behind 含. */
static enum power_billing power_around(const char *text)
{
	const char *with = strstr(text, "含");

	for (; with != NULL; with = strstr(with + 1, "含")) {
		size_t length = strcspn(with, ",;:.()/ ");
		const char *power = strstr(with, "电费");

		power = power == NULL ? strstr(with, "电力费") : power;
		if (power != NULL && power < with + length && power - with <= POWER_GAP_MAX)
			return denied(text, with) ? POWER_METERED : POWER_INCLUDED;
	}
	return POWER_UNKNOWN;
}

enum power_billing power_billing_read(const struct words *words, const char *text)
{
	for (const char *rest = text; *rest != '\0';) {
		size_t at;
		const struct word *word = words_find(words, "billing", rest, &at);

		if (word == NULL)
			break;
		bool electric =
		    strstr(word->text, "电") != NULL || strstr(word->text, "power") != NULL;
		int index = name_index(word->meaning, power_billing_names, POWER_BILLING_COUNT);

		if (electric && index > 0)
			return (enum power_billing)index;
		rest += at + word->length;
	}
	return power_around(text);
}
