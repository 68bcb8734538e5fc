/*
 * validity.h - from when to when the prices of a sheet hold, as a title or a note says it:
 * "有效期至2027年3月31日", "有效期：2026.11.01-2027.01.31", "自2026年11月20日起45天",
 * "有效期一个月（2026-11-25起）", "有效期15天".
 */
#ifndef SHEET_VALIDITY_H
#define SHEET_VALIDITY_H

#include "sheet/context.h"
#include "sheet/words.h"

struct arena;

/*
 * Reads what TEXT (normal form) says of it into CONTEXT; what is known already stays. A day with
 * 起 behind it or 自 before it begins the time, and never ends it.
 */
void validity_read(struct arena *arena, const struct words *words, const char *text,
                   struct context *context);

/* The last day of prices that hold from DAY on, by the length of time in CONTEXT; none without. */
struct date validity_end(const struct context *context, struct date day);

#endif
