/*
 * clock.h - now, and civil dates.
 *
 * Inside, a moment is UTC (seconds or microseconds since 1970); a day is a civil date of
 * Asia/Shanghai, which is UTC+8 without daylight saving. Only clock_now_us() looks at a clock: what
 * must be repeatable takes the moment as an argument.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Microseconds since 1970-01-01T00:00:00Z. */
int64_t clock_now_us(void);

/* Microseconds of a clock that never jumps; only differences mean anything. */
int64_t clock_monotonic_us(void);

/* A civil day: days since 1970-01-01 in the proleptic Gregorian calendar. */
struct date {
	int32_t days;
};

#define DATE_NONE ((struct date){.days = INT32_MIN})

static inline bool date_is_none(struct date date)
{
	return date.days == INT32_MIN;
}

/* Days of MONTH (1 .. 12): 28 to 31. February 2028 has 29, February 2100 has 28. */
int days_in_month(int year, int month);

/* False when there is no such day (years 1..9999). */
bool date_from_ymd(int year, int month, int day, struct date *date);
void date_to_ymd(struct date date, int *year, int *month, int *day);

/* Exactly "YYYY-MM-DD". */
bool date_parse(const char *text, struct date *date);
void date_format(struct date date, char text[static 11]);

/*
 * The same day MONTHS later, or the last day of that month: 2026-01-31 + 1 = 2026-02-28. Outside
 * the years 1..9999 the same date.
 */
struct date date_add_months(struct date date, int months);

/* The day in Shenzhen at a moment: 2026-12-31T16:00:00Z is 2027-01-01. */
struct date date_in_shanghai(int64_t utc_seconds);

/* "2026-11-30T12:28:51Z" of a moment in seconds. */
void moment_format(int64_t utc_seconds, char text[static 21]);

#endif
