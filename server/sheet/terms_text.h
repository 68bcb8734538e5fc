/*
 * terms_text.h - the words for what one commits to, for tax, and for quantity steps.
 */
#ifndef SHEET_TERMS_TEXT_H
#define SHEET_TERMS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "offer/offer.h"
#include "sheet/words.h"

struct term_reading {
	bool known;
	enum price_term term;
	int months;        /* of the commitment where the term does not say it all: 6, 24, 36; 0 */
	bool period_known; /* 月租 is also a price per month; 年付 need not be one per year */
	enum period period;
	int period_count;
};

/* The term that TEXT (normal form) names: 包月, 一年期, 3个月, on-demand, 抢占; none = not known.
 */
struct term_reading term_text_read(const struct words *words, const char *text);

/* A bare time as a term, where TEXT (normal form) is one and nothing else: "月", "小时", "year". */
struct term_reading term_of_period_word(const struct words *words, const char *text);

struct tax_reading {
	enum tax_basis basis; /* TAX_UNKNOWN also when TEXT says both */
	int32_t rate_bp;      /* 600 = 6 %; -1 = not said */
	bool clash;           /* says both: 境内含税，海外不含税 */
};

/*
 * What TEXT (normal form) says about tax: 含税6%, +6%, 不含税，开票另加6%, Prices include 6% VAT.
 * IN_TAX_COLUMN: a bare 是, 否, yes or 6% is an answer too.
 */
struct tax_reading tax_text_read(const struct words *words, const char *text, bool in_tax_column);

/*
 * The least quantity of a price step: "10台以上", "≥10台", "10-19台", "10+ servers" are 10; 0 when
 * TEXT (normal form) names none. CARDS is set where cards are counted instead of servers.
 */
int quantity_text_read(const char *text, bool *cards);

/*
 * The least Mbit/s of a step of a ladder of bandwidth, where TEXT (normal form) is one and nothing
 * else: "100M-500M" and "100-500M" are 100, "1G以上" 1000, "100M以下" 0; -1 otherwise.
 */
int mbps_step_read(const char *text);

/* The same of a ladder of storage in TB: "0-100TB" is 0, "100TB以上" 100, "1PB以上" 1000. */
int tb_step_read(const char *text);

/* The rate in Mbit/s of one line, where TEXT (normal form) names one: "10G 深圳-东莞" is 10000; 0.
 */
int line_mbps_read(const char *text);

/* How electricity is billed, where TEXT (normal form) speaks of it: 含电, 不含电, 电费另计. */
enum power_billing power_billing_read(const struct words *words, const char *text);

/* The power of a cabinet that TEXT (normal form) names: "高密柜10kW" 10000, "47U 20A" 4400 W; 0 =
 * none. */
int64_t watts_text_read(const char *text);

#endif
