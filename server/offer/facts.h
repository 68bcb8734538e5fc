/*
 * facts.h - what a request can ask about an offer apart from its price: the small, comparable part.
 *
 * The catalogue keeps offers with equal facts together, cheapest first, and the planner judges each
 * such block once. Strings are borrowed from whoever made the facts.
 */
#ifndef OFFER_FACTS_H
#define OFFER_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "offer/offer.h"

struct offer_facts {
	const char *card;       /* NULL where no card is sold */
	const char *power_tier; /* NULL = not stated */
	const char *licences;   /* NULL = not stated */
	const char *line;       /* NULL = not stated */
	double inter_gbps;      /* from here as in struct offer */
	int64_t cabinet_watts;
	struct date valid_from;
	struct date valid_to;
	int32_t availability_ppm;
	int32_t replacement_minutes;
	int32_t cards_per_server;
	int32_t cabinet_u;
	int32_t min_term_months;
	int32_t card_age_months;
	char currency[4]; /* of the main price; "" when it has none */
	uint8_t terms;    /* bits enum price_term: terms of its main prices (offer_main_item()) */
	uint8_t basis;    /* enum normalised_unit of the main price; of several kinds the first */
	uint8_t kind;     /* enum offer_kind; so on below */
	uint8_t origin;
	uint8_t city;
	uint8_t delivery;
	uint8_t intra_link;
	uint8_t inter_link;
	uint8_t power_billing;
	uint8_t support_24x7;
	uint8_t new_cards;
	uint8_t service; /* service_rank() */
};

/* 1 bare, 2 image, 3 managed: what a service tier's word is worth; 0 = NULL or other words. */
int service_rank(const char *tier);

/* The item that an offer of KIND is bought for: compute for a rental, cabinet for colocation ... */
enum price_item offer_main_item(enum offer_kind kind);

/*
 * What an offer says of the things beside its main item: bits of offer_supplies(). A bit that is
 * not set means that the offer alone leaves that thing without a price.
 */
enum supply {
	SUPPLIES_NETWORK = 1, /* Mbps included, or a price of bandwidth or traffic */
	SUPPLIES_IPS = 2,
	SUPPLIES_STORAGE = 4,
	SUPPLIES_SERVICE = 8,
	SUPPLIES_POWER = 16,   /* a price of its own, by the kWh or by the month */
	SUPPLIES_TRAFFIC = 32, /* a price by the GB or TB */
};
uint8_t offer_supplies(const struct offer *offer);

/* The facts of OFFER; strings borrowed from it. */
void offer_facts_of(const struct offer *offer, struct offer_facts *facts);

/*
 * A total order: kind, card, cards per server, links, city, then the rest. 0 means that no request
 * can tell the two apart except by price and stock.
 */
int offer_facts_compare(const struct offer_facts *a, const struct offer_facts *b);

/* Offers with equal facts: positions first .. first + count - 1 of a list, cheapest first. */
struct offer_block {
	struct offer_facts facts;
	uint32_t first;
	uint32_t count;
};

/* Blocks, one after the other, of the same kind, card, cards per server and links. */
struct offer_group {
	uint32_t first_block;
	uint32_t block_count;
	uint32_t offers; /* in all its blocks */
	uint32_t
	    cheapest; /* position of the one with the lowest floor price of either kind, then id */
};

/* Whether A and B are of the same kind, card, cards per server and links. */
bool offer_facts_same_class(const struct offer_facts *a, const struct offer_facts *b);

/*
 * A price that no bill for OFFER can undercut, in micro of its currency: the lowest of its main
 * prices of any step, either those by the hour (hourly and spot) or all others, in the basis of the
 * first main price (UNIT_CARD_HOUR for a rental, a month taken as 720 hours), less tax at its own
 * rate or 13 % where it is included, rounded down. 0 when one of them cannot be brought to that
 * basis; INT64_MAX when it has none.
 *   9050 CNY per cabinet-month without tax: 9050000000; with tax included: 8008849557.
 */
int64_t offer_floor_price(const struct offer *offer, bool hourly);

#endif
