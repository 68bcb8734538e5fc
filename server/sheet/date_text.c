/* date_text.c - see date_text.h. */
#include "sheet/date_text.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Up to MOST digits; returns how many. */
static size_t digits(const char *text, size_t most, int *value)
{
	size_t used = 0;

	*value = 0;
	for (; used < most && is_digit(text[used]); used++)
		*value = *value * 10 + (text[used] - '0');
	return used;
}

static size_t after_space(const char *text, size_t at)
{
	return at + strspn(text + at, " ");
}

static size_t take(const char *text, size_t at, const char *sign)
{
	return strncmp(text + at, sign, strlen(sign)) == 0 ? strlen(sign) : 0;
}

/* The last day of a month. */
static struct date month_end(int year, int month)
{
	struct date date = DATE_NONE;

	for (int day = 31; day >= 28; day--)
		if (date_from_ymd(year, month, day, &date))
			break;
	return date;
}

/* "2026-11-02", "2026.11.2", "2026/11/2", "2026年11月2日", "2026年6月", "20261102". */
static size_t year_first(const char *text, struct date *first, struct date *last)
{
	int year;
	int month;
	int day;
	size_t at = digits(text, 4, &year);

	if (at != 4 || year < 1990 || year > 2200)
		return 0;
	if (is_digit(text[4])) {
		size_t two = digits(text + 4, 2, &month);

		if (two != 2 || digits(text + 6, 2, &day) != 2 || is_digit(text[8]) ||
		    !date_from_ymd(year, month, day, first))
			return 0;
		*last = *first;
		return 8;
	}
	at = after_space(text, at);
	bool chinese = take(text, at, "年") > 0;

	if (!chinese && strchr("-./", text[at]) == NULL)
		return 0;
	at = after_space(text, at + (chinese ? strlen("年") : 1));
	size_t used = digits(text + at, 2, &month);

	if (used == 0 || is_digit(text[at + used]) || !date_from_ymd(year, month, 1, first))
		return 0;
	*last = month_end(year, month);
	at += used;
	size_t sign = after_space(text, at);
	size_t length = chinese ? take(text, sign, "月")
	                        : (text[sign] != '\0' && strchr("-./", text[sign]) != NULL);

	if (chinese && length == 0)
		return 0;
	if (length == 0)
		return at;
	at = after_space(text, sign + length);
	used = digits(text + at, 2, &day);
	if (used == 0)
		return chinese ? sign + length : sign;
	if (is_digit(text[at + used]) || !date_from_ymd(year, month, day, first))
		return 0;
	*last = *first;
	at += used;
	sign = after_space(text, at);
	length = take(text, sign, "日") + take(text, sign, "号");
	return length > 0 ? sign + length : at;
}

/* 1..12 of an English month name at the start, and its length. */
static size_t month_name(const char *text, int *month)
{
	static const char *const names[] = {"january",   "february", "march",    "april",
	                                    "may",       "june",     "july",     "august",
	                                    "september", "october",  "november", "december"};

	for (int i = 0; i < 12; i++) {
		size_t length = 0;

		while (names[i][length] != '\0' && names[i][length] == text[length])
			length++;
		if (length >= 3 && !(text[length] >= 'a' && text[length] <= 'z')) {
			*month = i + 1;
			return length + (text[length] == '.');
		}
	}
	return 0;
}

/* "31 dec 2026", "dec 31, 2026", "dec 2026". */
static size_t month_named(const char *text, struct date *first, struct date *last)
{
	int year = 0;
	int month = 0;
	int day = 0;
	size_t at = digits(text, 2, &day);

	at += at > 0 ? take(text, at, "th") + take(text, at, "st") + take(text, at, "nd") +
	                   take(text, at, "rd")
	             : 0;
	at += strspn(text + at, " -");
	size_t name = month_name(text + at, &month);

	if (name == 0)
		return 0;
	at += name + strspn(text + at + name, " -");
	if (day == 0 && is_digit(text[at]) && !(is_digit(text[at + 1]) && is_digit(text[at + 2]))) {
		at += digits(text + at, 2, &day);
		at += take(text, at, "th") + take(text, at, "st") + take(text, at, "nd") +
		      take(text, at, "rd");
	}
	at += strspn(text + at, " ,-");
	if (digits(text + at, 4, &year) != 4)
		return 0;
	if (!date_from_ymd(year, month, day == 0 ? 1 : day, first))
		return 0;
	*last = day == 0 ? month_end(year, month) : *first;
	return at + 4;
}

/* "12/31/2026" and "31/12/2026": only where one of the two cannot be a month. */
static size_t year_last(const char *text, struct date *first, struct date *last)
{
	int a;
	int b;
	int year;
	size_t at = digits(text, 2, &a);

	if (at == 0 || text[at] == '\0' || strchr("/.-", text[at]) == NULL)
		return 0;
	char sign = text[at++];
	size_t used = digits(text + at, 2, &b);

	at += used;
	if (used == 0 || text[at] != sign || digits(text + at + 1, 4, &year) != 4 ||
	    is_digit(text[at + 5]))
		return 0;
	bool day_first = a > 12;

	if ((!day_first && b <= 12 && a != b) ||
	    !date_from_ymd(year, day_first ? b : a, day_first ? a : b, first))
		return 0;
	*last = *first;
	return at + 5;
}

size_t date_text_start(const char *text, struct date *first, struct date *last)
{
	size_t used = year_first(text, first, last);

	if (used == 0)
		used = month_named(text, first, last);
	if (used == 0)
		used = year_last(text, first, last);
	/* The clock behind the day: "2026-11-01 00:00:00", "2026-11-01t08:00z". */
	if (used > 0 && (text[used] == ' ' || text[used] == 't') && is_digit(text[used + 1])) {
		size_t clock = strspn(text + used + 1, "0123456789:.");

		if (memchr(text + used + 1, ':', clock) != NULL)
			used += 1 + clock + take(text, used + 1 + clock, "z");
	}
	return used;
}

const char *date_text_near(const char *text)
{
	size_t gap = strcspn(text, "0123456789");

	/* The date stands right behind its name, not at the end of the next sentence. */
	return gap <= 16 && text[gap] != '\0' ? text + gap : NULL;
}

static bool is_endless(const char *text)
{
	static const char *const words[] = {
	    "长期",   "长期有效",  "永久",      "永久有效", "不限",
	    "无限期", "long-term", "no expiry", "open",     "until further notice"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return strcmp(text, "-") == 0 || strcmp(text, "/") == 0;
}

static size_t range_sign(const char *text)
{
	static const char *const signs[] = {"-", "~", "至", "到", "to", "until"};
	size_t at = after_space(text, 0);

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t length = take(text, at, signs[i]);

		if (length > 0)
			return after_space(text, at + length);
	}
	return 0;
}

struct date_reading date_text_read(struct arena *arena, const char *text)
{
	const char *in = norm_text(arena, text);
	struct date_reading reading = {.kind = DATE_TEXT_BAD, .from = DATE_NONE, .to = DATE_NONE};
	struct date unused;
	size_t length = strlen(in);
	size_t used;

	if (length == 0)
		reading.kind = DATE_TEXT_EMPTY;
	if (length == 0 || length > 120)
		return reading;
	if (is_endless(in)) {
		reading.kind = DATE_TEXT_ENDLESS;
		return reading;
	}
	size_t start = strncmp(in, "至", strlen("至")) == 0 ? strlen("至") : 0;

	used = date_text_start(in + start, &reading.from, &reading.to);
	if (used == 0)
		return reading;
	start += used;
	size_t sign = range_sign(in + start);

	used = sign == 0 ? 0 : date_text_start(in + start + sign, &unused, &reading.to);
	reading.kind = used > 0 ? DATE_TEXT_RANGE : DATE_TEXT_DAY;
	start += used > 0 ? sign + used : 0;
	start = after_space(in, start);
	start += take(in, start, "前") + take(in, start, "止") + take(in, start, "截止");
	start += take(in, start, "(含)") + take(in, start, "有效");
	if (in[start] != '\0')
		reading.kind = DATE_TEXT_BAD;
	return reading;
}

bool date_from_serial(double serial, bool date1904, struct date *date)
{
	if (!(serial >= 1 && serial < 2958466))
		return false;
	int days = (int)serial;

	/* Day 1 is 1900-01-01; Excel believes in 1900-02-29, so later days are one less. */
	if (date1904)
		date->days = days - 24107;
	else
		date->days = days - (days > 60 ? 25569 : 25568);
	return true;
}

static int number_word(const char *text, size_t *used)
{
	static const struct {
		const char *text;
		int value;
	} numbers[] = {{"十二", 12}, {"一", 1},    {"二", 2}, {"两", 2},  {"三", 3},
	               {"四", 4},    {"五", 5},    {"六", 6}, {"半", -1}, {"one", 1},
	               {"two", 2},   {"three", 3}, {"six", 6}};
	int value;

	*used = digits(text, 4, &value);
	if (*used > 0)
		return value;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		*used = take(text, 0, numbers[i].text);
		if (*used > 0)
			return numbers[i].value;
	}
	return 0;
}

struct length_word {
	const char *text;
	int length;
};

static int length_of(const char *text, const struct length_word *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, words[i].text, strlen(words[i].text)) == 0)
			return words[i].length;
	return 0;
}

int months_text_read(struct arena *arena, const char *text)
{
	static const struct length_word words[] = {
	    {"个月", 1}, {"月", 1},      {"个季", 3},  {"季", 3},  {"年", 12}, {"month", 1},
	    {"mo", 1},   {"quarter", 3}, {"year", 12}, {"yr", 12}, {"m", 1},   {"y", 12}};
	const char *in = norm_tight(arena, text);
	size_t used;

	in += strspn(in, ">=~");
	in += take(in, 0, "≥");
	int value = number_word(in, &used);

	in += used;
	in += *in == '-';
	if (used == 0 && strcmp(in, "季度") != 0 && strcmp(in, "年") != 0 &&
	    strcmp(in, "月") != 0 && strcmp(in, "month") != 0 && strcmp(in, "year") != 0 &&
	    strcmp(in, "quarter") != 0)
		return 0;
	int length = length_of(in, words, sizeof words / sizeof *words);

	if (value == -1)
		return length == 12 ? 6 : 0;
	if (used > 0 && *in == '\0')
		return value <= 120 ? value : 0; /* a bare number of months */
	value = used == 0 ? 1 : value;
	return value > 0 && value * length <= 240 ? value * length : 0;
}

int minutes_text_read(struct arena *arena, const char *text)
{
	static const struct length_word words[] = {
	    {"小时", 60}, {"个小时", 60}, {"h", 60},    {"时", 60},    {"分", 1},
	    {"min", 1},   {"天", 1440},   {"日", 1440}, {"day", 1440}, {"d", 1440}};
	const char *in = norm_tight(arena, text);
	size_t used;

	in += strspn(in, "<=>~");
	in += take(in, 0, "≤");
	in += take(in, 0, "不超过");
	int value = number_word(in, &used);

	if (used == 0 || value <= 0)
		return -1;
	in += used;
	in += *in == '-';
	int length = length_of(in, words, sizeof words / sizeof *words);

	return length > 0 && value <= 10000 ? value * length : -1;
}
