/*
 * compare.h - one colocation offer against own servers or a load in kW: what GET /compare shows.
 *
 * The caller loops over cities, offers and tariffs.
 */
#ifndef ENGINE_COMPARE_H
#define ENGINE_COMPARE_H

#include "engine/cost_extras.h"
#include "engine/cost_host.h"

struct compare_question {
	struct host_need host; /* terms are set per column */
	struct network_need network;
	const struct offer *leased; /* sells the leased line of NETWORK; NULL = nobody does */
	enum service_tier service;  /* SERVICE_UNSET = hands are not asked for */
	int cards;                  /* in the servers; 0 = no figure per card-hour */
};

/* One column per term that the offer's cabinets are priced in. */
struct compare_column {
	enum price_term term; /* TERM_MONTHLY, TERM_QUARTERLY, TERM_YEARLY */
	enum cost_status status;
	struct packing packing;
	struct bill bill; /* meaningful when status is COST_OK */
};

#define COMPARE_COLUMNS 3
struct comparison {
	struct compare_column
	    columns[COMPARE_COLUMNS]; /* the first COUNT, in the order of the enum */
	int count;
	int cheapest; /* index; -1 = none has a bill */
};

/*
 * Appends to BILL what QUESTION asks for beside the cabinets of OFFER: network, storage, service,
 * of OFFER or SIDE (NULL = none), over basis->months.
 */
enum cost_status compare_beside(const struct cost_basis *basis,
                                const struct compare_question *question, const struct offer *offer,
                                const struct offer *side, struct bill *bill);

/*
 * Prices QUESTION in OFFER for basis->months, term by term.
 *   Given     side           network, storage or service offer for what OFFER does not price; NULL
 *             tariff, hours  the zone's; NULL = energy is unknown unless the offer prices it
 *   Returned  comparison     about 50 KB: not on a small stack
 */
void compare_colocation(const struct cost_basis *basis, const struct compare_question *question,
                        const struct offer *offer, const struct offer *side,
                        const struct tariff *tariff, const struct tariff_hours *hours,
                        struct comparison *comparison);

#endif
