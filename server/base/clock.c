/* clock.c - see clock.h. Day arithmetic: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_us(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t clock_monotonic_us(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static int32_t days_from_civil(int year, int month, int day)
{
	year -= month <= 2;
	int era = (year >= 0 ? year : year - 399) / 400;
	int of_era = year - era * 400;
	int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
	int day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;

	return era * 146097 + day_of_era - 719468;
}

void date_to_ymd(struct date date, int *year, int *month, int *day)
{
	int64_t days = (int64_t)date.days + 719468;
	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	int of_era = (int)(days - era * 146097);
	int year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int shifted = (5 * of_year + 2) / 153;

	*day = of_year - (153 * shifted + 2) / 5 + 1;
	*month = shifted < 10 ? shifted + 3 : shifted - 9;
	*year = (int)(year_of_era + era * 400) + (*month <= 2);
}

int days_in_month(int year, int month)
{
	static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

bool date_from_ymd(int year, int month, int day, struct date *date)
{
	if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 ||
	    day > days_in_month(year, month))
		return false;
	date->days = days_from_civil(year, month, day);
	return true;
}

static bool digits(const char *text, int count, int *value)
{
	*value = 0;
	for (int i = 0; i < count; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*value = *value * 10 + (text[i] - '0');
	}
	return true;
}

bool date_parse(const char *text, struct date *date)
{
	int year, month, day;

	if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
		return false;
	if (!digits(text, 4, &year) || !digits(text + 5, 2, &month) || !digits(text + 8, 2, &day))
		return false;
	return date_from_ymd(year, month, day, date);
}

void date_format(struct date date, char text[static 11])
{
	int year, month, day;

	date_to_ymd(date, &year, &month, &day);
	snprintf(text, 11, "%04u-%02u-%02u", (unsigned)year % 10000, (unsigned)month % 100,
	         (unsigned)day % 100);
}

struct date date_add_months(struct date date, int months)
{
	int year, month, day;
	struct date result = date;

	date_to_ymd(date, &year, &month, &day);
	int index = year * 12 + month - 1 + months;

	if (index < 12)
		return date;
	int most = days_in_month(index / 12, index % 12 + 1);

	date_from_ymd(index / 12, index % 12 + 1, day < most ? day : most, &result);
	return result;
}

struct date date_in_shanghai(int64_t utc_seconds)
{
	int64_t local = utc_seconds + 8 * 3600;

	return (struct date){.days = (int32_t)((local >= 0 ? local : local - 86399) / 86400)};
}

void moment_format(int64_t utc_seconds, char text[static 21])
{
	int64_t days = (utc_seconds >= 0 ? utc_seconds : utc_seconds - 86399) / 86400;
	unsigned second = (unsigned)(utc_seconds - days * 86400);

	date_format((struct date){.days = (int32_t)days}, text);
	snprintf(text + 10, 11, "T%02u:%02u:%02uZ", second / 3600 % 24, second / 60 % 60,
	         second % 60);
}
