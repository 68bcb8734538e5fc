/*
 * cost_words.h - bills, flags and reasons in words: what people read of the cost engine's codes.
 */
#ifndef API_COST_WORDS_H
#define API_COST_WORDS_H

#include "base/json_write.h"
#include "base/text.h"
#include "engine/cost.h"
#include "engine/plan.h"

struct arena;

/* "包月租金" / "monthly rent". */
struct text cost_what_text(enum cost_what what);

/* "算力" / "compute". */
struct text cost_account_text(enum cost_account account);

/* The red flag or warning as a sentence. */
struct text cost_flag_text(struct arena *arena, const struct cost_flag *flag);

/* Why an offer was not chosen, as a sentence. */
struct text plan_reason_text(enum plan_reason reason);

/* How the line's amount comes about: "76000 ÷ 1.06 × 4 台 × 12 月". */
const char *cost_formula_words(const struct listener *listener, const struct cost_line *line);

/* An exact number for programs: a decimal of at most six places. */
const char *ratio_words(struct arena *arena, struct ratio value);

/* The same for people, within a sentence: "3,398,230.088496". */
const char *ratio_grouped(struct arena *arena, struct ratio value);

/* Yuan for people: "239,882.30", and "76,000" where they are whole. */
const char *ratio_yuan(struct arena *arena, struct ratio value);

/* A share for people: "8%". */
const char *ratio_percent(struct arena *arena, struct ratio share);

/* A line of a bill as an object: Line in schema/openapi.json. */
void cost_line_write(struct json_write *out, const struct cost_line *line,
                     const struct listener *listener);

/* "accounts": {"compute": "76000.00", ...}, every account. */
void cost_accounts_write(struct json_write *out, const struct money accounts[COST_ACCOUNT_COUNT]);

/* "key": [{what, text, quantity, unit, band}]: what has no price. */
void cost_unknowns_write(struct json_write *out, const char *key,
                         const struct cost_unknown *unknowns, int count,
                         const struct listener *listener);

/* The members of FLAG in an object that is open: its code and its words. */
void cost_flag_write(struct json_write *out, const struct cost_flag *flag, struct arena *arena,
                     enum lang lang);

/* "key": [{code, text}] */
void cost_flags_write(struct json_write *out, const char *key, const struct cost_flags *flags,
                      struct arena *arena, enum lang lang);

/* "key": [{name, value, unit, date, source}]: defaults that were used, a bit each in ASSUMED. */
void cost_assumed_write(struct json_write *out, const char *key, uint64_t assumed, enum lang lang);

#endif
