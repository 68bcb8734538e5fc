/*
 * date_text.h - days as people type them: 2026-11-02, 2026.11.2, 2026年6月30日, 31 Dec 2026.
 *
 * Only orders that cannot be mistaken are read: 03/04/2026 may be March or April and is refused.
 */
#ifndef SHEET_DATE_TEXT_H
#define SHEET_DATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

struct arena;

enum date_kind {
	DATE_TEXT_EMPTY,
	DATE_TEXT_ENDLESS, /* 长期有效: no date, and none is missing */
	DATE_TEXT_DAY,
	DATE_TEXT_RANGE, /* FROM and TO */
	DATE_TEXT_BAD,
};

struct date_reading {
	enum date_kind kind;
	struct date from; /* the day itself where there is one */
	struct date to;
};

/*
 * Reads all of TEXT. A month without a day ("2026年6月") is its first day as FROM and its last as
 * TO.
 */
struct date_reading date_text_read(struct arena *arena, const char *text);

/*
 * The first day written at the start of TEXT (normal form); returns the bytes it takes, 0 when
 * there is none.
 */
size_t date_text_start(const char *text, struct date *first, struct date *last);

/* The first digit of TEXT when it stands right at its start, a few signs or words on; or NULL. */
const char *date_text_near(const char *text);

/*
 * The day of a spreadsheet's serial number. In the 1900 system 60 is the day that never was; in
 * the 1904 system 0 is 1904-01-01. False outside years 1900..9999.
 */
bool date_from_serial(double serial, bool date1904, struct date *date);

/* A length of time in months: "3个月", "12 months", "1年", "半年", "季度"; 0 when it is none. */
int months_text_read(struct arena *arena, const char *text);

/* A length of time in minutes: "4小时", "30分钟", "2 hours", "1天"; -1 when it is none. */
int minutes_text_read(struct arena *arena, const char *text);

#endif
