/*
 * price_bands.h - the usual prices of cards (schema/reference/price_bands.csv) as the cost engine's
 * red flags want them.
 */
#ifndef API_PRICE_BANDS_H
#define API_PRICE_BANDS_H

#include "engine/cost_flags.h"

struct arena;

struct price_bands {
	const struct price_band *items;
	int count;
};

/* The bands per card-hour that are baked in; they live in ARENA. */
struct price_bands price_bands_baked(struct arena *arena);

#endif
