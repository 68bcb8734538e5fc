/*
 * facts.h - what a request can ask about an offer apart from its price: the small, comparable part.
 *
 * The catalogue keeps offers with equal facts together, cheapest first, and the planner judges each
 * such block once. Strings are borrowed from whoever made the facts.
 */
#ifndef OFFER_FACTS_H
#define OFFER_FACTS_H

#include <stdint.h>

#include "offer/offer.h"

struct offer_facts {
	const char *card;       /* NULL where no card is sold */
	const char *power_tier; /* NULL = not stated */
	const char *licences;   /* NULL = not stated */
	const char *line;       /* NULL = not stated */
	float inter_gbps;       /* 0 = not stated */
	int32_t cabinet_watts;  /* 0 = not stated */
	int32_t availability_ppm;
	int32_t replacement_minutes;
	struct date valid_from;
	struct date valid_to;
	int16_t cards_per_server; /* 0 = unknown */
	int16_t cabinet_u;
	int16_t min_term_months;
	int16_t card_age_months;
	uint8_t terms; /* bit enum price_term: terms of its main price (see offer_main_item()) */
	uint8_t kind;  /* enum offer_kind, and so on for the other bytes */
	uint8_t origin;
	uint8_t city;
	uint8_t delivery;
	uint8_t intra_link;
	uint8_t inter_link;
	uint8_t power_billing;
	uint8_t support_24x7;
	uint8_t new_cards;
	uint8_t service;  /* service_rank() */
	char currency[4]; /* of the main price; "" when it has none */
};

/* 1 bare, 2 image, 3 managed: what a service tier's word is worth; 0 = NULL or other words. */
int service_rank(const char *tier);

/* The item that an offer of KIND is bought for: compute for a rental, cabinet for colocation ... */
enum price_item offer_main_item(enum offer_kind kind);

/* The facts of OFFER; strings borrowed from it. Numbers beyond a field's range are clamped. */
void offer_facts_of(const struct offer *offer, struct offer_facts *facts);

/*
 * A total order: kind, card, cards per server, links, city, then the rest. 0 means that no request
 * can tell the two apart except by price and stock.
 */
int offer_facts_compare(const struct offer_facts *a, const struct offer_facts *b);

/*
 * A price that no bill for OFFER can undercut, in micro of its currency, before tax: the lowest of
 * its main prices per card-hour (rental), per cabinet-month or kW-month ... (colocation), per
 * server or card (purchase) in that basis, less tax at the highest rate in use (13 %), rounded
 * down. INT64_MAX when it has no main price.
 */
int64_t offer_floor_price(const struct offer *offer);

#endif
