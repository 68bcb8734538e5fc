/*
 * context.h - what the lines around a table say for all its rows: unit, tax, dates, what is sold.
 */
#ifndef SHEET_CONTEXT_H
#define SHEET_CONTEXT_H

#include <stdbool.h>

#include "base/clock.h"
#include "sheet/table.h"
#include "sheet/terms_text.h"
#include "sheet/unit_text.h"
#include "sheet/words.h"

struct arena;

struct context {
	struct unit_reading unit;
	const char *unit_text; /* normal form; "" */
	struct tax_reading tax;
	bool tax_of_section; /* said in the title of one section: "一、…（含6%税）" */
	bool period_known;   /* "整机月租" in a title: prices without a time are per month */
	bool periods_differ; /* titles name several */
	enum period period;
	int period_count;
	struct date observed_on;
	struct date valid_from;
	struct date valid_to;
	int valid_days;   /* "有效期15天", "30天内有效": from the date of the price on; 0 */
	int valid_months; /* "有效期3个月": the same in months; 0 */
	enum power_billing power_billing; /* of cabinets */
	int min_term_months;              /* "起租 1 个月"; 0 */
	int cards;                        /* "8卡整机" in a title; 0 */
	int hours_per_month;              /* "按730小时/月计"; 0 */
	bool rent;
	bool sale;
	bool colocation;
	enum delivery delivery;
	const char *city; /* "城市：深圳", "GPU报价（深圳）", or the name of the worksheet; NULL */
	bool city_of_section; /* "深圳机房" above this table: says nothing of the next one */
};

/* Nothing said. */
struct context context_nothing(void);

/* "8卡整机", "8卡服务器", "8-gpu server" in TEXT (normal form): cards of a machine; 0 = not said.
 */
int cards_of_machine(const char *text);

/* Takes what one line (as it stands) says; what is known already stays. */
void context_line(struct arena *arena, const struct words *words, const char *line,
                  struct context *context);

/*
 * The context of TABLE: lines above it, headings, the name of the worksheet; for a later table of
 * the sheet also what GENERAL (the lines above the first table) says of dates and delivery.
 */
struct context context_of(struct arena *arena, const struct words *words, const struct table *table,
                          const struct context *general);

#endif
