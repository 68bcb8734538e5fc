/*
 * compare.h - when two offers are the same thing, and whether at the same price.
 */
#ifndef SHEET_COMPARE_H
#define SHEET_COMPARE_H

#include <stdbool.h>

#include "offer/offer.h"

/*
 * Order of what is sold and where: kind, card, cards per server, city, site, cabinet, line, title,
 * minimum term; 0 = the same thing. Rows, prices, dates and notes do not count.
 */
int offer_compare_thing(const struct offer *a, const struct offer *b);

/* The same without the names of sites and products, which are rewritten while a thing stays. */
int offer_compare_unnamed(const struct offer *a, const struct offer *b);

/* The same without cities, too. */
int offer_compare_unplaced(const struct offer *a, const struct offer *b);

/* Whether A and B are prices for the same: item, term, quantity and common unit. */
bool price_same_purpose(const struct price *a, const struct price *b);

/* Whether they are the same price, currency and tax included. */
bool price_same(const struct price *a, const struct price *b);

/* Whether both have the same prices, in any order. */
bool offers_same_prices(const struct offer *a, const struct offer *b);

/* Whether some price of A stands in B for the same item, term and quantity at another amount. */
bool offers_conflict(const struct offer *a, const struct offer *b);

#endif
