/*
 * terms_text.h - the words for what one commits to, for tax, and for quantity steps.
 */
#ifndef SHEET_TERMS_TEXT_H
#define SHEET_TERMS_TEXT_H

#include <stdbool.h>

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

#endif
