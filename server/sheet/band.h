/*
 * band.h - what a price usually is: schema/reference/price_bands.csv.
 *
 * A price outside its band is a warning, never an error: markets move. It catches a forgotten 万,
 * hours taken for months and machines taken for cards.
 */
#ifndef SHEET_BAND_H
#define SHEET_BAND_H

#include <stdbool.h>
#include <stddef.h>

#include "offer/offer.h"

struct arena;

struct band {
	enum price_item item;
	const char *card; /* card id; "" = any */
	enum normalised_unit unit;
	struct money low;
	struct money high;
};

struct bands {
	struct band *items;
	size_t count;
};

/* The baked bands, in CNY; arena. */
const struct bands *bands_baked(struct arena *arena);

/* The band for PRICE of an offer of CARD (NULL = none): the card's own before the general one. */
const struct band *band_for(const struct bands *bands, const struct price *price, const char *card);

/* Whether the normalised price (both ends of a range) lies in BAND. */
bool band_holds(const struct band *band, const struct price *price);

#endif
