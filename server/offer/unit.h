/*
 * unit.h - what a price counts and for how long; one basis for all.
 *
 * "元/8卡/月" is {PER_CARD x 8, PERIOD_MONTH x 1}; "元/30天" has PERIOD_DAY x 30; "万元/G/年" is
 * {PER_MBPS x 1000, PERIOD_YEAR x 1} (the 万 belongs to the amount). unit_normalise() brings a
 * price to the basis on which offers are compared, as an exact ratio.
 *
 * A year is 12 months, a quarter 3, a month HOURS_PER_MONTH hours (720 unless the sheet or the
 * request says 730), a day 24 hours. 1 G = 1000 M, 1 TB = 1000 GB, 1 A = 0.22 kW (220 V).
 */
#ifndef OFFER_UNIT_H
#define OFFER_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ratio.h"

enum per {
	PER_NONE, /* a flat sum */
	PER_CARD,
	PER_SERVER,
	PER_CABINET,
	PER_KW,
	PER_AMPERE,
	PER_U,
	PER_KWH,
	PER_MBPS,
	PER_GB,
	PER_TB,
	PER_IP,
};
#define PER_COUNT 12

enum period {
	PERIOD_ONCE, /* no time: one-off sums, and what is metered */
	PERIOD_HOUR,
	PERIOD_DAY,
	PERIOD_MONTH,
	PERIOD_YEAR,
};
#define PERIOD_COUNT 5

struct unit {
	enum per per;
	int32_t per_count; /* 8 in 元/8卡/月; >= 1 */
	enum period period;
	int32_t period_count; /* 30 in 元/30天, 3 for a quarter in months; >= 1 */
};

enum normalised_unit {
	UNIT_CARD_HOUR,     /* CNY/card-hour */
	UNIT_CARD,          /* CNY/card */
	UNIT_SERVER,        /* CNY/server */
	UNIT_SERVER_MONTH,  /* CNY/server-month */
	UNIT_CABINET_MONTH, /* CNY/cabinet-month */
	UNIT_KW_MONTH,      /* CNY/kW-month */
	UNIT_U_MONTH,       /* CNY/U-month */
	UNIT_KWH,           /* CNY/kWh */
	UNIT_MBPS_MONTH,    /* CNY/Mbps-month */
	UNIT_GB,            /* CNY/GB */
	UNIT_TB_MONTH,      /* CNY/TB-month */
	UNIT_IP_MONTH,      /* CNY/IP-month */
	UNIT_TIME,          /* CNY/time: each time a service is called for */
	UNIT_ONCE,          /* CNY: one-off */
};
#define NORMALISED_UNIT_COUNT 14

/* "card-hour", ... without the currency, in the order of the enum; "" for UNIT_ONCE. */
extern const char *const normalised_unit_names[NORMALISED_UNIT_COUNT];

/*
 * Hours in one PERIOD x COUNT: 720 for a month, 8640 for a year; 0 for PERIOD_ONCE.
 *   Given  hours_per_month  720 or 730
 */
int64_t period_hours(enum period period, int32_t count, int hours_per_month);

/*
 * AMOUNT (currency units per UNIT) on the common basis.
 *
 *   Given     amount            exact
 *             cards_per_server  > 0 where UNIT counts servers and WANTED is per card, else 0
 *             hours_per_month   720 or 730
 *             wanted            the basis of the price's item (see price_basis() in offer.h)
 *   Returned  normalised        amount per WANTED, exact
 *   Result    false when UNIT cannot be brought to WANTED (a cabinet price is no card-hour price; a
 *             price per server without the number of cards) or on overflow
 *
 *   76000 per {server, month} with 8 cards is 76000/5760 = 13.194444 per card-hour (720 h).
 *   280000 per {Mbps x 1000, year} is 23.333333 per Mbps-month.
 *   230 per {ampere, month} is 1045.454545 per kW-month.
 */
MUST_CHECK bool unit_normalise(struct ratio amount, struct unit unit, int cards_per_server,
                               int hours_per_month, enum normalised_unit wanted,
                               struct ratio *normalised);

#endif
