/*
 * catalogue.h - a random catalogue of any size, the same each time.
 *
 * Shaped like the sheets of real suppliers: what a supplier promises (validity, availability,
 * replacement, support) is the same in all its rows, what a machine is (card, city, delivery,
 * terms) differs by row. Prices are invented around the card's own level and mean nothing.
 */
#ifndef TESTS_BENCH_CATALOGUE_H
#define TESTS_BENCH_CATALOGUE_H

#include "offer/offer.h"

#define BENCH_PRICES_MAX 4

/* How many suppliers a catalogue of OFFERS has: 50 offers each, then 200 suppliers. */
int bench_suppliers(size_t offers);

/*
 * Offer NUMBER of SUPPLIER (both from 0) into *OFFER, its prices into PRICES (BENCH_PRICES_MAX).
 * Strings live for ever, but for those of the prices, which stand in PRICES_TEXT.
 */
struct bench_text {
	char as_quoted[BENCH_PRICES_MAX][24];
};
void bench_offer(int supplier, size_t number, struct offer *offer,
                 struct price prices[static BENCH_PRICES_MAX], struct bench_text *text);

#endif
