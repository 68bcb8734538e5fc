/*
 * tariff.h - what a kilowatt-hour costs, by hour of the day and month, in a price zone.
 *
 * Hours are half-open [h, h+1) in Asia/Shanghai. Guangdong (粤发改价格〔2021〕331号, from
 * 2021-10-01): peak 10-12 and 14-19, valley 0-8, flat the rest; sharp peak 11-12 and 15-17 in
 * July, August and September, 25 % above peak.
 */
#ifndef OFFER_TARIFF_H
#define OFFER_TARIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "offer/offer.h"

enum tariff_band { BAND_VALLEY, BAND_FLAT, BAND_PEAK, BAND_SHARP };
#define TARIFF_BAND_COUNT 4
extern const char *const tariff_band_names[TARIFF_BAND_COUNT];

/* Which hours are what: the shape, without prices. */
struct tariff_hours {
	const char *id;
	enum tariff_band bands[24];       /* on an ordinary day */
	enum tariff_band sharp_bands[24]; /* on a day of a sharp month */
	bool sharp_months[12];            /* January first */
	struct ratio
	    ratios[TARIFF_BAND_COUNT]; /* of flat, before surcharges; shown, never billed */
	struct date valid_from;
	const char *source;
};

/* A price table of one zone. A band without a known price is unknown, never 0. */
struct tariff {
	const char *id; /* "dongguan-1-10kv-2026-01" */
	enum city city;
	const char *name;
	const char *hours_id;
	bool known[TARIFF_BAND_COUNT];
	struct money per_kwh[TARIFF_BAND_COUNT];
	enum tax_basis tax;
	struct date valid_from; /* price month; DATE_NONE = unknown */
	struct date valid_to;
	enum origin origin;
	const char *source;
};

/* The tables that are known, with the shapes they refer to. */
struct tariffs {
	const struct tariff_hours *hours;
	size_t hours_count;
	const struct tariff *items;
	size_t count;
};

/* The table, or the shape, with this id; NULL when there is none, or for ID NULL. */
const struct tariff *tariff_find(const struct tariffs *tariffs, const char *id);
const struct tariff_hours *tariff_hours_find(const struct tariffs *tariffs, const char *id);

/* Whether any band of TARIFF has a price. */
bool tariff_has_price(const struct tariff *tariff);

/*
 * The table for electricity in CITY from START on: one with a price before one without, one that
 * has begun before one that has not, then the newest. NULL when the city has none at all.
 */
const struct tariff *tariff_for_city(const struct tariffs *tariffs, enum city city,
                                     struct date start);

/* The band of an hour (0-23) in a month (1-12). */
enum tariff_band tariff_band_at(const struct tariff_hours *hours, int month, int hour);

/* How many hours of a day in MONTH fall into each band; the four counts add up to 24. */
void tariff_hours_of_day(const struct tariff_hours *hours, int month,
                         int counts[static TARIFF_BAND_COUNT]);

#endif
