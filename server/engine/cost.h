/*
 * cost.h - what something costs, line by line, on one basis.
 *
 * A bill is a list of lines. A line is an exact quantity times an exact unit price, rounded once to
 * fen, half away from zero; accounts and totals are the exact sums of the lines. Prices of offers
 * are brought to one tax basis and to yuan before anything is compared; the words of the sheet stay
 * reachable through the line's source. What has no price is unknown: counted in the bill, never 0.
 *
 * How a bill is made:
 *
 *     struct cost_basis basis = cost_basis_default();     then today, start, months, tax, fx
 *     bill_start(&bill);
 *     cost_rent(&basis, offer, &need, &bill);             cost_rent.h
 *     cost_network(&basis, sources, &need, &bill);        cost_extras.h: network, storage, service
 *     cost_host(...), cost_buy(...);                      cost_host.h
 *     bill_finish(&basis, card_hours, &bill);
 *
 * Each function appends lines; the order in which they are called does not change any amount. The
 * first status other than COST_OK means that the bill is not usable: COST_STATUS says why.
 *
 * Pure: no allocation, clock, file or JSON. Strings and offers are borrowed.
 */
#ifndef ENGINE_COST_H
#define ENGINE_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "offer/fx.h"
#include "offer/offer.h"
#include "offer/tariff.h"

/* Why a candidate has no bill. */
enum cost_status {
	COST_OK,
	COST_NO_PRICE,       /* no price of the kind that is needed, in the terms allowed */
	COST_NO_RATE,        /* a foreign currency without a dated rate in the basis */
	COST_NO_SERVER_SIZE, /* priced per server, cards_per_server unknown: not comparable */
	COST_NO_STOCK,       /* fewer servers available than needed */
	COST_NO_CABINET,     /* no server fits the cabinet's kW or U, or its kW is not stated */
	COST_WRONG_UNIT,     /* the price's unit cannot be brought to what is counted */
	COST_OVERFLOW,       /* an exact amount does not fit (beyond about 9.2e12 yuan) */
	COST_TOO_MANY_LINES, /* more than BILL_LINES_MAX */
};
#define COST_STATUS_COUNT 9
extern const char *const cost_status_names[COST_STATUS_COUNT]; /* "ok", "no_price", ... */

/* The seeds' three accounts, and where else money goes. */
enum cost_account {
	ACCOUNT_COMPUTE,
	ACCOUNT_NETWORK_STORAGE,
	ACCOUNT_SERVICE,
	ACCOUNT_POWER,
	ACCOUNT_CABINET,
	ACCOUNT_PURCHASE, /* depreciation, write-off, capital, spares; the price itself as cash */
	ACCOUNT_TAX,      /* VAT that cannot be deducted, on the excluded basis */
	ACCOUNT_ONE_OFF,  /* setup */
};
#define COST_ACCOUNT_COUNT 8
extern const char *const cost_account_names[COST_ACCOUNT_COUNT];

/* What a line pays for: names in answers and enumerators, one per line. Words: api/. */
enum cost_what {
#define COST_WHAT(code, name, account) code,
#include "engine/cost_whats.def"
#undef COST_WHAT
	COST_WHAT_COUNT
};
const char *cost_what_name(enum cost_what what);          /* "rent_monthly" */
enum cost_account cost_what_account(enum cost_what what); /* the account its lines belong to */

/*
 * Assumptions: figures that the request may set and that otherwise come from a source. One row
 * each in cost_assumptions.def; a bill lists the ones that it used and that nobody gave.
 */
enum cost_assumption {
#define ASSUMPTION(code, name, num, den, least, most, unit, date, en, zh) code,
#include "engine/cost_assumptions.def"
#undef ASSUMPTION
	ASSUMPTION_COUNT
};

struct assumption {
	const char *name; /* "pue" */
	struct ratio value;
	int least_hundredths; /* what a request may give, so that no bill is absurd: */
	int most_hundredths;  /* no life of 0 years, no PUE below 1 */
	const char *unit;     /* "", "share", "years", "CNY/server-year", ... */
	const char *date;     /* of the source, as precise as known; "" = a rule of this house */
	struct text source;   /* where the figure comes from */
};
extern const struct assumption cost_assumptions[ASSUMPTION_COUNT];

/* What every price is brought to, and the figures that the project gives. */
struct cost_basis {
	enum tax_basis tax;  /* TAX_EXCLUDED (default) or TAX_INCLUDED: of the amounts shown */
	int hours_per_month; /* 720 (default) or 730 */
	struct date today;   /* for expiry and age of sheets; DATE_NONE = not looked at */
	struct date start;   /* first day of the project; DATE_NONE: no tariff by calendar month */
	int months;          /* > 0 */
	const struct fx_rate *fx;
	int fx_count;
	struct ratio given[ASSUMPTION_COUNT]; /* valid where is_given */
	bool is_given[ASSUMPTION_COUNT];
};

/* Excluded tax, 720 h, 12 months, no dates, no rates, nothing given. */
struct cost_basis cost_basis_default(void);

/* Sets an assumption: cost_basis_give(&basis, ASSUME_PUE, ratio_make(12, 10)). */
void cost_basis_give(struct cost_basis *basis, enum cost_assumption code, struct ratio value);

/* How the numbers of a line are put together; the factors in the order in which they are written.
 */
enum cost_formula {
	FORMULA_PRICE,  /* quoted amount, tax factor, fx, things, periods:
	                   76000 / 1.06 x 1 x 4 x 12; quantity = things x periods */
	FORMULA_ENERGY, /* kW at the meter while running, hours running, kW idle, hours idle, price
	                   per kWh on the basis */
	FORMULA_DEPRECIATION, /* price, residual share, life in months, months */
	FORMULA_WRITE_OFF,    /* price, residual share, months of its life that are left, life in
	                         months, share recovered */
	FORMULA_CAPITAL,      /* price, residual share, rate per year, months */
	FORMULA_SHARE,        /* price, share per year, months: spares, capital of a deposit */
	FORMULA_FLAT,         /* things, periods, amount each: maintenance, own hours */
	FORMULA_TAX,          /* net amount, rate */
};
#define COST_FACTORS 5

enum source_kind { SOURCE_OFFER, SOURCE_TARIFF, SOURCE_ASSUMPTION, SOURCE_BILL };

/* Where a line's unit price is from. */
struct cost_source {
	enum source_kind kind;
	const struct offer *offer;   /* SOURCE_OFFER */
	int price;                   /* index in offer->prices */
	const struct tariff *tariff; /* SOURCE_TARIFF */
	enum tariff_band band;
	enum cost_assumption assumption; /* SOURCE_ASSUMPTION */
};

enum cost_timing {
	PAID_UPFRONT,
	PAID_MONTHLY,
	NOT_PAID, /* depreciation, write-off, capital: a cost of the months, no payment */
};

struct cost_line {
	enum cost_account account;
	enum cost_what what;
	enum cost_timing timing;
	bool is_cost; /* false: shown and paid, but not in the totals (deposit, purchase price as
	                 cash) */
	struct ratio quantity;         /* in UNITs, the sheet's own wherever there is one */
	struct unit unit;              /* 元/8卡/月 is {PER_CARD x 8, PERIOD_MONTH x 1} */
	struct ratio unit_price;       /* exact, on the basis, yuan per UNIT */
	struct money unit_price_shown; /* rounded to six decimals */
	struct money amount;           /* quantity x unit_price, rounded once to fen */
	struct ratio vat_rate; /* of the line: 6/100, 13/100; 0 where no VAT belongs to it */
	enum cost_formula formula;
	struct ratio factors[COST_FACTORS];
	struct cost_source source;
};

/* Something that must be bought and has no price here. */
struct cost_unknown {
	enum cost_what what;
	struct ratio quantity; /* how much of it, in UNITs */
	struct unit unit;
	int band; /* a tariff band without a price; -1 = not about a band */
};

/*
 * Red flags and warnings, one row each in cost_flags.def: code, name, what the numbers are. The
 * numbers are exact ratios, the word is borrowed.
 */
enum cost_flag_code {
#define COST_FLAG(code, name) code,
#include "engine/cost_flags.def"
#undef COST_FLAG
	COST_FLAG_COUNT
};
const char *cost_flag_name(enum cost_flag_code code);

struct cost_flag {
	enum cost_flag_code code;
	struct ratio x;
	struct ratio y;
	struct ratio z;
	const char *word;
	uint64_t items; /* of an option (plan.h): bits 1 << the item it is about; 0 = none told */
};

#define COST_FLAGS_MAX 24
struct cost_flags {
	struct cost_flag items[COST_FLAGS_MAX];
	int count;
};

#define BILL_LINES_MAX 48
#define BILL_UNKNOWNS_MAX 12

struct bill {
	/* Set by bill_finish(): */
	struct money accounts[COST_ACCOUNT_COUNT]; /* over all months */
	struct money total;                        /* exact sum of the lines that are costs */
	struct money upfront;        /* to be paid before the first day, deposit and purchase too */
	struct money deposit;        /* of it: comes back, is no cost */
	struct money paid_later;     /* what leaves the till after that, over all months ... */
	struct money paid_per_month; /* ... and each of them, to fen */
	struct money per_month;      /* total / months, to fen */
	bool has_per_card_hour;
	struct money per_card_hour; /* total / card-hours, six decimals */
	struct money vat; /* of all cost lines: contained in them (tax included) or to come
	                     on top of them on the invoice (excluded); each rate rounded once */
	/* While it is made: */
	bool sums_only; /* set after bill_start(): only accounts, total, upfront, deposit and what
	                 * is unknown will be read */
	int line_count;
	int unknown_count; /* > 0: the total is a lower bound */
	uint64_t assumed;  /* bit 1 << enum cost_assumption: defaults that were used */
	struct cost_flags flags;
	struct cost_unknown unknowns[BILL_UNKNOWNS_MAX];
	struct cost_line lines[BILL_LINES_MAX];
};

/* An empty bill. Lines, unknowns and flags are not cleared: only the first so many are meant. */
void bill_start(struct bill *bill);

/*
 * Sums up.
 *   Given  card_hours  true card-hours over all months; 0 = no figure per card-hour
 *   Result COST_OVERFLOW, COST_TOO_MANY_LINES (the tax lines) or COST_OK
 * With tax excluded and ASSUME_VAT_DEDUCTIBLE set to 0, one tax line is added for each VAT rate; it
 * is paid with what it is on: that of a purchase, all of it, before the first day.
 */
enum cost_status bill_finish(const struct cost_basis *basis, struct ratio card_hours,
                             struct bill *bill);

/* Adds FLAG once per code (numbers left out of its initialiser are 0); a 25th is dropped. */
void cost_flag_add(struct cost_flags *flags, struct cost_flag flag);
const struct cost_flag *cost_flag_find(const struct cost_flags *flags, enum cost_flag_code code);

/* ---- For the other files of the cost room, and for a planner that adds lines of its own ---- */

/* The value of an assumption; a default that is used is remembered in BILL (may be NULL). */
struct ratio cost_assume(const struct cost_basis *basis, enum cost_assumption code,
                         struct bill *bill);

/* A price on the basis. */
struct basis_price {
	struct ratio net;        /* yuan per the price's own unit, on the tax basis wanted */
	struct ratio tax_factor; /* what the quoted amount was multiplied with: 1, 1/1.06 or 1.06 */
	struct ratio fx;         /* yuan per unit of the quoted currency */
	struct ratio vat_rate;
};

/*
 * Brings a price to the tax basis and to yuan. A rate that the sheet does not state is 6 % for
 * services and 13 % for goods and electricity (see cost_assumptions.def). Unknown tax is taken
 * as excluded, which is never too cheap for the buyer, and flagged.
 *   Given     bill    for assumptions and flags; may be NULL
 *   Returned  result  exact
 *   Result    COST_NO_RATE, COST_OVERFLOW or COST_OK
 *   76000 included at 6 %, wanted excluded: 7600000/106 = 71698.113208.
 */
enum cost_status cost_price_on_basis(const struct cost_basis *basis, const struct price *price,
                                     struct bill *bill, struct basis_price *result);

/* Whether VAT comes on top of what is shown and is not deducted; BILL as in cost_assume(). */
bool cost_vat_is_cost(const struct cost_basis *basis, struct bill *bill);

/*
 * What one of the price's own units costs the buyer, by which ways to buy are compared: its net
 * price, and the VAT on it where that is a cost (tax excluded, ASSUME_VAT_DEDUCTIBLE set to 0).
 *   Result  COST_NO_RATE, COST_OVERFLOW or COST_OK
 *   100 excluded at 13 %, not deductible: 113; deductible: 100.
 */
enum cost_status cost_price_weight(const struct cost_basis *basis, const struct price *price,
                                   struct ratio *weight);

/*
 * Appends a line; amount and unit_price_shown are computed here from quantity and unit_price.
 * Factors and a VAT rate left out of the initialiser are 0.
 *   Result  COST_OVERFLOW, COST_TOO_MANY_LINES or COST_OK
 */
enum cost_status bill_add(struct bill *bill, struct cost_line line);

/*
 * Appends a line of price INDEX of OFFER: THINGS (in single cards, servers, Mbps, ... as the
 * price's unit counts them) for PERIODS (in single hours, months, ... of the price's unit; 1 for
 * what has no time). Quantity = THINGS / per_count x PERIODS / period_count.
 *   4 servers for 12 months at 76000 per server and month: 48 x 71698.113208 = 3441509.43.
 */
enum cost_status bill_add_price(const struct cost_basis *basis, const struct offer *offer,
                                int index, enum cost_what what, struct ratio things,
                                struct ratio periods, struct bill *bill);

/* Notes that QUANTITY of WHAT has no price; equal entries are added up. */
enum cost_status bill_add_unknown(struct bill *bill, struct cost_unknown unknown);

#endif
