/* validity.c - see validity.h. */
#include "sheet/validity.h"

#include <stdlib.h>
#include <string.h>

#include "sheet/date_text.h"

static bool starts(const char *text, const char *sign)
{
	return strncmp(text, sign, strlen(sign)) == 0;
}

static bool ends(const char *text, const char *end, const char *sign)
{
	size_t length = strlen(sign);

	return (size_t)(end - text) >= length && strncmp(end - length, sign, length) == 0;
}

/* Whether the day at AT of TEXT, USED bytes long, is where something begins. */
static bool begins_there(const char *text, const char *at, size_t used)
{
	const char *behind = at + used + strspn(at + used, " ");

	while (at > text && at[-1] == ' ')
		at--;
	return starts(behind, "起") || ends(text, at, "自") || ends(text, at, "从") ||
	       ends(text, at, "from");
}

/* "15天", "30 days" at the start of AT; 0 when it is none. */
static int days_at(const char *at)
{
	size_t digits = strspn(at, "0123456789");
	long days = digits > 0 && digits <= 3 ? strtol(at, NULL, 10) : 0;

	at += digits + strspn(at + digits, " 个");
	return starts(at, "天") || starts(at, "日") || starts(at, "工作日") || starts(at, "day")
	           ? (int)days
	           : 0;
}

/* "3个月", "一年", "two months" at the start of AT; 0 when it is none, or a bare number. */
static int months_at(struct arena *arena, const char *at)
{
	const char *unit = at + strspn(at, "0123456789 ");

	return *unit == '\0' ? 0 : months_text_read(arena, at);
}

/* A length of time at the start of AT, into CONTEXT; false when there is none. */
static bool take_length(struct arena *arena, const char *at, struct context *context)
{
	at += strspn(at, ": ,(");
	int days = days_at(at);
	int months = days > 0 ? 0 : months_at(arena, at);

	if (days == 0 && months == 0)
		return false;
	if (context->valid_days == 0 && context->valid_months == 0) {
		context->valid_days = days;
		context->valid_months = months;
	}
	return true;
}

struct date validity_end(const struct context *context, struct date day)
{
	if (date_is_none(day))
		return DATE_NONE;
	if (context->valid_months > 0)
		return date_add_months(day, context->valid_months);
	if (context->valid_days == 0)
		return DATE_NONE;
	day.days += context->valid_days;
	return day;
}

/*
 * One day or two at the start of AT into CONTEXT: one alone is the first where it BEGINS the time,
 * else the last. False when there is none.
 */
static bool take_days(const char *at, bool begins, struct context *context)
{
	struct date first;
	struct date last;
	struct date unused;
	struct date end;
	size_t used = date_text_start(at, &first, &last);

	if (used == 0)
		return false;
	at += used + strspn(at + used, " ");
	at += starts(at, "起") ? strlen("起") : 0;
	at += strspn(at, " -~,");
	at += starts(at, "至") || starts(at, "到") ? strlen("至") : 0;
	at += starts(at, "to ") ? strlen("to ") : 0;
	bool ranged = date_text_start(at + strspn(at, " "), &unused, &end) > 0;

	if (ranged || begins)
		context->valid_from = first;
	if ((ranged || !begins) && date_is_none(context->valid_to))
		context->valid_to = ranged ? end : last;
	return true;
}

/* "自2026年12月1日起执行", "生效日期：2026-12-01": the first day of the prices. */
static void read_valid_from(const struct words *words, const char *text, struct context *context)
{
	const char *at = words_behind(words, "line_valid_from", text);
	struct date first;
	struct date last;

	if (!date_is_none(context->valid_from))
		return;
	at = at == NULL ? NULL : date_text_near(at);
	if (at != NULL && take_days(at, true, context))
		return;
	for (at = text; (at = strstr(at, "20")) != NULL; at++) {
		size_t used = date_text_start(at, &first, &last);

		if (used == 0 || words_start(words, "line_valid_from_after",
		                             at + used + (at[used] == ' ')) == NULL)
			continue;
		context->valid_from = first;
		return;
	}
}

/* "有效期至2026-12-31", "2026.11.01-2027.01.31", "自2026-11-20起45天". */
static void read_valid_to(struct arena *arena, const struct words *words, const char *text,
                          struct context *context)
{
	const char *at = words_behind(words, "line_valid_to", text);
	struct date first;
	struct date last;

	at = at == NULL ? NULL : date_text_near(at);
	if (at == NULL || !date_is_none(context->valid_to))
		return;
	size_t used = date_text_start(at, &first, &last);
	bool begins = used > 0 && begins_there(text, at, used);

	take_days(at, begins, context);
	at += used + strspn(at + used, " ");
	if (begins && starts(at, "起"))
		take_length(arena, at + strlen("起"), context);
}

void validity_read(struct arena *arena, const struct words *words, const char *text,
                   struct context *context)
{
	const char *length = words_behind(words, "line_valid_days", text);

	if (length != NULL)
		take_length(arena, length, context);
	read_valid_from(words, text, context);
	read_valid_to(arena, words, text, context);
}
