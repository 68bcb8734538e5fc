/*
 * screen.h - which offers pass what a request asks of every offer, in the order in which a search
 * wants them.
 *
 * A screen depends on the offers and on struct screen_ask alone, not on the workloads, and never
 * changes once it is made: a caller may keep it for the requests to come. Making one walks all
 * offers; using one costs no more for a large catalogue than for a small one.
 */
#ifndef ENGINE_SCREEN_H
#define ENGINE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "engine/cost.h"
#include "engine/cost_extras.h"
#include "offer/facts.h"
#include "offer/fx.h"
#include "offer/offer.h"

struct plan_memory;
struct plan_source;
struct spec;

/* Hard requirements. Zero or unknown = not asked. An offer that does not state it fails it. */
struct requirement {
	int32_t availability_ppm;    /* at least; 999000 = 99.9 % */
	int32_t replacement_minutes; /* at most; 0 = not asked */
	bool support_24x7;           /* must be stated */
	const char *power_tier;      /* these very words, case ignored; NULL = not asked */
	enum delivery delivery;      /* this one; unknown = not asked */
	int16_t max_card_age_months; /* at most; 0 = not asked */
	bool new_cards;              /* must be stated */
	const char *const *licences; /* each must stand in the offer's words */
	int licence_count;
	enum intra_link intra_link; /* unknown = not asked */
	enum inter_link inter_link; /* unknown = not asked */
	struct date start_by;       /* the last day on which the project may start; DATE_NONE */
};

/* Why an offer is in no option that is shown; an offer counts under the first that holds. */
enum plan_reason {
	REASON_NOT_ASKED,    /* of a kind that no route or need of the request uses */
	REASON_UNKNOWN_CARD, /* not in the card table, cards per server unknown, or beyond the
	                        classes that one plan compares */
	REASON_OTHER_CARD,   /* the workload names its card */
	REASON_DOES_NOT_FIT, /* memory; gap: GiB per card */
	REASON_TOO_SLOW,     /* deadline or latency; gap: hours of a run */
	REASON_NO_PRICE,     /* no main price, or in a currency without a rate */
	REASON_NOT_VALID,    /* not valid on the first day; gap: days */
	REASON_CITY,         /* in a city that was not asked for */
	REASON_CITY_UNKNOWN, /* no city stated, or a nation-wide price */
	REASON_TERM,         /* none of the terms asked for */
	REASON_DELIVERY,
	REASON_INTRA_LINK,
	REASON_INTER_LINK,
	REASON_AVAILABILITY, /* gap: ppm; -1 = not stated, also below */
	REASON_REPLACEMENT,  /* gap: minutes */
	REASON_SUPPORT,
	REASON_POWER_TIER,
	REASON_CARD_AGE, /* gap: months */
	REASON_NOT_NEW,
	REASON_LICENCE,
	REASON_LINE, /* another line than the one asked for, or no way to the internet, or no
	                leased line where only that is */
	REASON_CABINET_POWER, /* the server does not fit; gap: W */
	REASON_STOCK,         /* too few servers, also together with others; gap: servers */
	REASON_NO_PARTNER,    /* equipment without a place for it, or a place without equipment */
	REASON_NOT_COSTED,    /* a price that cannot be brought to the bill (see its sheet) */
	REASON_BUDGET,        /* gap: CNY per month */
	REASON_DEARER,        /* suits, but dearer than the options shown; gap: CNY in all */
};
#define REASON_COUNT 27
extern const char *const reason_names[REASON_COUNT];     /* "not_asked", "no_price", ... */
extern const char *const reason_gap_units[REASON_COUNT]; /* "GiB", "ppm", "CNY", ... or "" */

#define TERMS_BY_HOUR (1u << TERM_HOURLY | 1u << TERM_SPOT)

/* All that a screen depends on besides the offers; strings and arrays borrowed. */
struct screen_ask {
	unsigned cities; /* bits 1u << enum city; 0 = anywhere */
	bool any_city;   /* offers of unknown or nation-wide place may be used */
	bool leased;     /* a leased line is wanted ... */
	bool no_public;  /* ... and nothing else of those who sell bandwidth */
	unsigned terms;  /* bits 1u << enum price_term a rental may use */
	enum service_tier service;
	const char *line;         /* to the internet; NULL = any */
	struct date first;        /* the project's first day; DATE_NONE = validity is not asked */
	struct date last;         /* the last on which it may begin */
	double below_floor;       /* what is left of a floor price under the request's VAT rates */
	const struct fx_rate *fx; /* the rates that turn other currencies to CNY */
	int fx_count;
	struct requirement require; /* start_by apart: it is in LAST */
};

/* Offers that one reason keeps out. */
struct screen_tally {
	enum plan_reason reason;
	bool alone; /* nothing else does */
	bool has_gap;
	bool in_ms; /* the gap is a latency's, in place of the unit of its reason */
	uint32_t offers;
	double gap;        /* of the one that misses by least, cheapest of them ... */
	uint32_t position; /* ... which is this */
};

/* An offer that passes, with what a search must know of it; see screen_code(). */
struct screened {
	uint32_t position;
	uint32_t code;
};

#define SCREEN_STRIDE 64

/* Offers in the order of a price. */
struct screen_run {
	const struct screened *offers;
	uint32_t count;
	/* The most servers that one of each SCREEN_STRIDE of them has, INT32_MAX where one does not
	 * say: by which those that have too few are passed over. NULL where no stock is asked for.
	 */
	const int32_t *most;
};

/*
 * The offers of one group (see struct offer_group) for which a price has the same meaning: the same
 * unit, currency and cabinet, and lots of the same kind.
 */
struct screen_part {
	const struct offer_facts *facts;  /* of one of them: kind, basis, cabinet_watts, currency */
	bool shared;                      /* a rental of single cards: no whole servers */
	double rate;                      /* CNY that a unit of a floor price is worth at least */
	uint32_t good;                    /* how many pass */
	int32_t least_stock;              /* the fewest servers that one states; -1 = none does */
	const struct screened *committed; /* by floor price, then id; rentals: by commitments */
	uint32_t committed_count;
	const struct screened *hourly; /* rentals: those by the hour, by hourly floor */
	uint32_t hourly_count;
	const int32_t *committed_most; /* of each SCREEN_STRIDE of the run: see screen_run */
	const int32_t *hourly_most;
	/* Cards, rented or sold: those that pass, by the servers they have, those that do not say
	 * last; then by floor price and id. */
	const uint32_t *by_stock;
	const uint32_t *codes; /* each code that occurs among those that pass */
	uint32_t code_count;
	/* Rentals and cabinets: the two runs once more, those of each code by themselves. */
	const struct screen_run *committed_of;
	const struct screen_run *hourly_of;
	const struct screen_tally *tallies; /* of those that do not */
	int tally_count;
};

struct screen {
	struct screen_ask ask;           /* a copy, strings and all */
	const struct screen_part *parts; /* group by group */
	uint32_t part_count;
	uint32_t run_count;         /* of all parts, code by code */
	const uint32_t *first_part; /* by group, and one more for the end */
};

/* What SPEC asks of every offer; borrows from it. */
struct screen_ask screen_ask_of(const struct spec *spec);

/* Whether A and B make the same screen. */
bool screen_ask_same(const struct screen_ask *a, const struct screen_ask *b);

/* CNY that one unit of a floor price in CURRENCY is worth at least; 0 = no rate. */
double screen_rate(const struct screen_ask *ask, const char *currency);

/* Whether A's nearest offer misses by less than B's, or is the cheaper one. */
bool screen_tally_nearer(const struct plan_source *source, const struct screen_tally *a,
                         const struct screen_tally *b);

/* Bytes of KEEP that are enough for a screen over SOURCE, except for very many kinds of parts. */
size_t screen_size(const struct plan_source *source);

/* The same for SCRATCH. */
size_t screen_scratch(const struct plan_source *source);

/*
 * Makes the screen of ASK over SOURCE.
 *
 *   Given     keep     the screen lies in it from now on, and borrows the facts of SOURCE
 *             scratch  used meanwhile only; may be the same
 *   Result    NULL when one of them is too small (its too_small says which)
 */
const struct screen *screen_make(const struct screen_ask *ask, const struct plan_source *source,
                                 struct plan_memory *keep, struct plan_memory *scratch);

/* ---- Codes: city, tier of service, how power is billed, offer_supplies() ---- */

static inline uint32_t screen_code(const struct offer_facts *facts, uint8_t supplies)
{
	return (uint32_t)facts->city | (uint32_t)facts->service << 3 |
	       (uint32_t)facts->power_billing << 5 | (uint32_t)supplies << 8;
}
#define SCREEN_CODES (1u << 14)
_Static_assert(CITY_COUNT <= 8 && POWER_TOU < 8 && SUPPLIES_TRAFFIC <= 32,
               "a code has 3 bits for the city, 2 and 3 more, 6 for what is supplied");

static inline enum city code_city(uint32_t code)
{
	return (enum city)(code & 7);
}

static inline int code_service(uint32_t code)
{
	return (int)(code >> 3 & 3);
}

static inline enum power_billing code_power(uint32_t code)
{
	return (enum power_billing)(code >> 5 & 7);
}

static inline unsigned code_supplies(uint32_t code)
{
	return code >> 8;
}

#endif
