/*
 * header.h - what a column holds, from the words above it.
 */
#ifndef SHEET_HEADER_H
#define SHEET_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "sheet/terms_text.h"
#include "sheet/unit_text.h"
#include "sheet/words.h"

struct arena;

/* In the order of role_names in header.c. */
enum role {
	ROLE_NONE,
	ROLE_CARD,
	ROLE_FORM_FACTOR,
	ROLE_MEMORY,
	ROLE_CARDS,
	ROLE_SERVERS,
	ROLE_CITY,
	ROLE_SITE,
	ROLE_PRODUCT,
	ROLE_CONFIG,
	ROLE_PRICE,
	ROLE_UNIT,
	ROLE_TERM,
	ROLE_CURRENCY,
	ROLE_TAX,
	ROLE_TAX_RATE,
	ROLE_LINE,
	ROLE_INTER_LINK,
	ROLE_INTER_GBPS,
	ROLE_INTRA_LINK,
	ROLE_MBPS,
	ROLE_IPS,
	ROLE_AVAILABILITY,
	ROLE_REPLACEMENT,
	ROLE_SUPPORT,
	ROLE_VALID_TO,
	ROLE_VALID_FROM,
	ROLE_OBSERVED_ON,
	ROLE_MIN_TERM,
	ROLE_MIN_QUANTITY,
	ROLE_NOTE,
	ROLE_INDEX,
	ROLE_DISCOUNT,
	ROLE_LIST_PRICE,
	ROLE_COST,
	ROLE_AMOUNT,
	ROLE_CABINET_POWER,
	ROLE_CABINET_U,
	ROLE_POWER_BILLING,
	ROLE_POWER_TIER,
	ROLE_DELIVERY,
	ROLE_SERVICE_TIER,
	ROLE_NEW_CARDS,
	ROLE_CARD_AGE,
	ROLE_PUE,
	ROLE_WARRANTY,
	ROLE_LICENCES,
	ROLE_PROVIDER,
	ROLE_SOURCE,
	ROLE_CONVERTED,
	ROLE_IGNORE,
};
#define ROLE_COUNT 51

/* What the heading of a price column says. */
struct price_heading {
	bool item_known;
	enum price_item item;
	struct unit_reading unit;
	const char *unit_text; /* as normalised; "" */
	struct term_reading term;
	struct tax_reading tax;
	int min_quantity; /* 0 = none */
	bool min_quantity_is_cards;
	bool min_quantity_is_mbps;
	bool one_off;
	int64_t watts;              /* of the cabinet that the heading names; 0 = none */
	enum power_billing billing; /* 含电价, 不含电价 */
	bool by_hours;              /* 峰段电价: of some hours of the day only */
};

struct column {
	int column; /* 1-based */
	bool hidden;
	enum role role;
	const char *heading;        /* as it stands, lines joined by a space */
	const char *norm;           /* tight normal form of it */
	const char *city;           /* that the heading names; NULL */
	bool only_city;             /* and nothing else: a price where no other column is one */
	bool listed;                /* a list price, taken for the price because no column is one */
	struct price_heading price; /* of a price column */
	struct unit_reading unit;   /* of any other: what a bare number in it counts */
};

/* The role that HEADING (as it stands) has by itself, for finding header rows; ROLE_NONE = none. */
enum role heading_role(struct arena *arena, const struct words *words, const char *heading);

/* Whether TEXT (normal form) is the name of a city and nothing else: "深圳", "东莞市", "深圳机房".
 */
bool is_city(const struct words *words, const char *text);

/*
 * Fills role, price and unit of COLUMN. LEAF is the last line of its heading, GROUP the lines above
 * it joined (NULL = none).
 */
void header_read(struct arena *arena, const struct words *words, const char *group,
                 const char *leaf, struct column *column);

/* "price, monthly, 元/卡/月", "价格，包月，元/卡/月": for people. */
struct text column_meaning(struct arena *arena, const struct column *column);

#endif
