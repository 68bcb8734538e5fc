/*
 * offer.h - one priced thing that a supplier sells, as read from a row of a sheet.
 *
 * Prices keep the words of the sheet (as_quoted, unit_text) beside their exact meaning. What the
 * sheet does not say is unknown, not zero: see the comment of each field.
 */
#ifndef OFFER_OFFER_H
#define OFFER_OFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "offer/money.h"
#include "offer/unit.h"

enum offer_kind {
	OFFER_RENTAL,
	OFFER_COLOCATION,
	OFFER_PURCHASE,
	OFFER_NETWORK,
	OFFER_STORAGE,
	OFFER_SERVICE,
};
#define OFFER_KIND_COUNT 6
extern const char *const offer_kind_names[OFFER_KIND_COUNT];

enum price_item {
	ITEM_COMPUTE,
	ITEM_CABINET,
	ITEM_POWER, /* per kWh metered, or per kW-month of all that is drawn */
	ITEM_BANDWIDTH,
	ITEM_TRAFFIC,
	ITEM_STORAGE,
	ITEM_IP,
	ITEM_SETUP,
	ITEM_SERVICE,
	ITEM_PURCHASE,
	ITEM_DEPOSIT,
	ITEM_OVERAGE, /* power above what the cabinet includes, per kW-month */
};
#define PRICE_ITEM_COUNT 12
extern const char *const price_item_names[PRICE_ITEM_COUNT];

/* What one commits to. */
enum price_term {
	TERM_HOURLY,
	TERM_MONTHLY,
	TERM_QUARTERLY,
	TERM_YEARLY,
	TERM_SPOT, /* hourly, may be taken back at any time */
	TERM_ONE_OFF,
	TERM_METERED,
};
#define PRICE_TERM_COUNT 7
extern const char *const price_term_names[PRICE_TERM_COUNT];

enum tax_basis { TAX_UNKNOWN, TAX_INCLUDED, TAX_EXCLUDED };
#define TAX_BASIS_COUNT 3
extern const char *const tax_basis_names[TAX_BASIS_COUNT];

enum city { CITY_UNKNOWN, CITY_SHENZHEN, CITY_DONGGUAN, CITY_HUIZHOU, CITY_OTHER };
#define CITY_COUNT 5
extern const char *const city_names_zh[CITY_COUNT]; /* "", "深圳", ..., "other" */
extern const char *const city_names_en[CITY_COUNT]; /* "", "shenzhen", ..., "other" */

enum delivery { DELIVERY_UNKNOWN, DELIVERY_BARE_METAL, DELIVERY_VM, DELIVERY_CONTAINER };
#define DELIVERY_COUNT 4
extern const char *const delivery_names[DELIVERY_COUNT];

enum intra_link { INTRA_UNKNOWN, INTRA_NVLINK, INTRA_PCIE };
#define INTRA_LINK_COUNT 3
extern const char *const intra_link_names[INTRA_LINK_COUNT];

enum inter_link { INTER_UNKNOWN, INTER_NONE, INTER_ETHERNET, INTER_ROCE, INTER_IB };
#define INTER_LINK_COUNT 5
extern const char *const inter_link_names[INTER_LINK_COUNT];

enum power_billing { POWER_UNKNOWN, POWER_INCLUDED, POWER_METERED, POWER_FLAT, POWER_TOU };
#define POWER_BILLING_COUNT 5
extern const char *const power_billing_names[POWER_BILLING_COUNT];

/* Where a price is from; every answer shows it. */
enum origin {
	ORIGIN_SHEET,     /* uploaded by the supplier */
	ORIGIN_PUBLISHED, /* a published price with source and date */
	ORIGIN_SAMPLE,    /* 示例: illustrative, fictitious supplier */
};
#define ORIGIN_COUNT 3
extern const char *const origin_names[ORIGIN_COUNT];

enum yes_no { YES_NO_UNKNOWN, YES_NO_YES, YES_NO_NO };

/* The basis on which prices of ITEM with UNIT are compared (a setup fee is UNIT_ONCE). */
enum normalised_unit price_basis(enum price_item item, struct unit unit);

struct price {
	enum price_item item;
	enum price_term term;
	struct money amount; /* per UNIT, exact, 万 applied; the high end of a range */
	struct unit unit;
	char currency[4]; /* ISO 4217 */
	enum tax_basis tax;
	int32_t tax_rate_bp;  /* 600 = 6 %; -1 = not stated */
	int32_t min_quantity; /* a step of a ladder: applies from this many servers, cabinets,
	                         Mbit/s, TB of storage or GB of traffic; 0 = always */
	bool has_low;
	struct money low;      /* low end of a range, per UNIT */
	const char *as_quoted; /* the number's text as it stood */
	const char *unit_text; /* the unit's words as they stood */
	int32_t column;        /* 1-based column of the cell; 0 = none (JSON) */
	int32_t row;           /* 1-based row of the cell; 0 = that of its offer */
	enum normalised_unit normalised_unit;
	struct money
	    normalised; /* rounded to six decimals, for showing; bills use amount and unit */
	struct money normalised_low;
};

/* What a line says that leads to one place only: it is no way to the internet. */
#define LINE_DEDICATED "dedicated"

/* Whether LINE, of a network offer, is such a leased line; NULL is not. Case is ignored. */
bool line_is_dedicated(const char *line);

struct offer {
	int64_t id;           /* 0 before it is stored */
	int64_t sheet_id;     /* 0 before it is stored */
	const char *supplier; /* supplier id */
	const char *supplier_name;
	const char *sheet_name; /* worksheet; NULL for text files */
	int row;                /* of the sheet, 1-based; index + 1 in a JSON list */
	enum offer_kind kind;
	enum origin origin;
	const char *source;      /* published prices: where; else NULL */
	struct date observed_on; /* date of the price: of the sheet or of the publication */
	const char *card;        /* card id; NULL where no card is sold */
	const char *title;       /* what the row calls it */
	int cards_per_server;    /* 0 = unknown */
	int servers_available;   /* -1 = not stated: no limit is assumed, a warning is given */
	enum city city;
	const char *city_name; /* as written, without 市; NULL = not stated */
	const char *site;
	enum delivery delivery;
	enum intra_link intra_link;
	enum inter_link inter_link;
	double inter_gbps; /* of a server; 0 = not stated */
	int64_t
	    cabinet_watts; /* rated power of a cabinet, W (exact: 12 A = 2640); 0 = not stated */
	int cabinet_u;     /* usable units; 0 = not stated */
	enum power_billing power_billing;
	const char *line; /* "bgp", "telecom", "unicom", "mobile", "dual", ...; NULL = not stated */
	int mbps_included;        /* -1 = not stated */
	int ips_included;         /* -1 = not stated */
	int min_term_months;      /* 0 = not stated */
	int32_t availability_ppm; /* 999000 = 99.9 %; -1 = not stated */
	int replacement_minutes;  /* time to replace a failed machine; -1 = not stated */
	enum yes_no support_24x7;
	enum yes_no new_cards;    /* NO = refurbished or used */
	int card_age_months;      /* -1 = not stated */
	const char *power_tier;   /* "2n", "n+1", ...: the words are kept, grades not converted */
	const char *service_tier; /* "bare", "image", "managed"; NULL = not stated */
	const char *licences;     /* as written; NULL */
	int32_t pue_milli;        /* 1300 = 1.3; 0 = not stated */
	struct date valid_from;   /* DATE_NONE = not stated */
	struct date valid_to; /* last day on which it holds, inclusive; DATE_NONE = not stated */
	const char *note;
	struct price *prices;
	int price_count;
};

/* Everything "not stated": the state to start reading a row from. */
struct offer offer_blank(void);

/* Whether the offer holds on DAY: from the first to the last day inclusive, Asia/Shanghai. */
bool offer_valid_on(const struct offer *offer, struct date day);

/*
 * The city of a name with or without 市, Chinese or English ("东莞市", "Dongguan", "dg"). A word
 * for the whole country (全国, 不限, 云) is no city: a nation-wide price must never pass for a
 * city's.
 */
enum city city_from_name(const char *name);

/* The index of NAME in NAMES, or -1. For every *_names table above; "" entries never match. */
int name_index(const char *name, const char *const *names, int count);

#endif
