/*
 * cost_flags.h - what a buyer should ask about an offer before signing: red flags.
 */
#ifndef ENGINE_COST_FLAGS_H
#define ENGINE_COST_FLAGS_H

#include "engine/cost.h"

/* What a card usually costs; data with a source, not code. */
struct price_band {
	const char *card; /* card id */
	struct ratio low; /* CNY per card-hour, as observed (tax mostly included) */
	struct ratio high;
	const char *source;
	struct date date;
};

struct flag_limits {
	const struct price_band *bands;
	int band_count;
	int max_card_age_months; /* 0 = no limit asked */
	bool wants_network; /* the project needs the internet: bandwidth and addresses matter */
};

/*
 * Adds the flags of OFFER: price band (each compute price of the offer that commits by hour, month,
 * quarter or year, on the included basis), a month below half of its hours, validity and age of the
 * price on basis->today, SLA, 24x7, bandwidth, addresses, condition and age of the cards, national
 * or sample price, price range, stock not stated, no price at all.
 */
void cost_offer_flags(const struct cost_basis *basis, const struct offer *offer,
                      const struct flag_limits *limits, struct cost_flags *flags);

/*
 * The same of an offer that only fills in what another leaves out (network, storage, service):
 * validity and age of its price on basis->today, sample price. What it promises is not asked.
 */
void cost_side_flags(const struct cost_basis *basis, const struct offer *offer,
                     struct cost_flags *flags);

#endif
