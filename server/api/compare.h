/*
 * compare.h - GET /compare: colocation city by city for own servers or a load in kW, and renting
 * the same cards beside it.
 */
#ifndef API_COMPARE_H
#define API_COMPARE_H

#include <jansson.h>

#include "api/json_read.h"
#include "api/price_bands.h"
#include "base/problem.h"
#include "engine/compare.h"
#include "http/answer.h"
#include "offer/reference.h"

struct catalogue;
struct catalogue_page;
struct json_write;

#define COMPARE_CITIES 3 /* 深圳, 东莞, 惠州: the enum's order */

/* The question, decoded from the query. */
struct compare_request {
	struct cost_basis basis;
	struct compare_question question;
	const struct card *card; /* NULL when only kW are given */
	int cards_per_server;
	bool cities[COMPARE_CITIES];
	const char *tariff_id; /* use this table everywhere; NULL = by city */
	bool has_kwh_price;    /* a price given in the request goes before any table */
	struct money kwh_price;
	bool samples;             /* also prices labelled 示例 */
	struct price_bands bands; /* usual prices, for red flags; set by the caller */
};

/*
 * Reads the query parameters, given as a JSON object of strings. False when a problem was added.
 */
bool compare_read(struct json_reader *reader, const struct cards *cards, const json_t *query,
                  struct date today, struct compare_request *request);

/*
 * An offer under one schedule, whatever the question says: at the term that is cheapest for the
 * question. Nothing is saved by standing idle but energy; see compare_hours_write().
 */
struct compare_running {
	bool is_whole; /* every part has a price */
	struct money total;
	struct money per_month;
	struct money power; /* of total */
	struct ratio hours; /* a month in which the load runs */
	struct ratio kwh;   /* over all months, where a meter counts */
};
#define COMPARE_RUNNINGS 2 /* around the clock, valley hours only */

/* One colocation offer, priced; with the side offer that makes it cheapest. */
struct compare_offer {
	const struct offer *offer; /* stays where it is: the lines of the bill point to it */
	const struct offer *side;  /* NULL = none */
	struct comparison *priced;
	bool has_running;
	struct compare_running running[COMPARE_RUNNINGS];
};

/* An offer that was taken, with its bill over all months. */
struct compare_deal {
	bool found;
	struct offer offer;
	struct bill *bill;
	struct rent_mix mix; /* rented */
};

/*
 * Where owning and renting the same cards meet. Owning costs own.own_fixed_month a month and
 * own.own_hour per card-hour that runs; renting costs rent_hour per card-hour that runs, at most
 * rent_month.
 */
struct compare_meeting {
	struct break_even_input own; /* rent_card_hour: that of a full month at its cheapest */
	bool has_rent_hour;
	struct ratio rent_hour; /* by the hour */
	struct ratio rent_month;
	bool has_utilisation; /* false: at no utilisation is owning cheaper */
	struct ratio utilisation;
	bool has_month; /* in use around the clock; false: never within the life */
	struct ratio month;
	struct ratio seed_rule;
	struct ratio life_months;
};

/* The two ways to rent that owning is held against. */
struct compare_rents {
	const struct compare_deal *full;   /* the cheapest for full months */
	const struct compare_deal *hourly; /* by the hour; may not be found */
};

#define COMPARE_OFFERS_MAX 100 /* that are told of in a city */

struct compare_city {
	enum city city;
	struct compare_offer *offers; /* usable ones cheapest first, then the others by id */
	size_t count;
	size_t left_out;             /* behind those */
	size_t usable;               /* of all */
	const struct tariff *tariff; /* NULL = no table of the city is known */
	const struct tariff_hours *hours;
	struct compare_deal rent;   /* the cheapest rental of the same cards in the city */
	struct compare_deal hourly; /* the cheapest by the hour alone */
	bool has_meeting;
	struct compare_meeting meeting;
};

struct compare_result {
	struct compare_city cities[COMPARE_CITIES];
	int city_count;
	struct compare_deal national_rent; /* the cheapest rental that names no city */
	struct compare_deal national_hourly;
	struct compare_deal buy; /* the cheapest purchase of the servers, from wherever */
};

/*
 * The cheapest purchase of the servers of REQUEST from OFFERS into BEST; not found when none of
 * them sells servers of this card and size.
 */
void compare_buy(const struct compare_request *request, const struct catalogue_page *offers,
                 struct arena *arena, struct compare_deal *best);

/*
 * Where owning the servers, bought by BUY and hosted by HOST, meets renting by RENT; HOURLY may not
 * be found. False where that cannot be said: a deal is missing, a part of a bill has no price, or
 * the cards do not run around the clock. What is assumed is noted in the bill of BUY.
 */
bool compare_meet(const struct compare_request *request, const struct bill *host,
                  const struct compare_deal *buy, const struct compare_rents *rents,
                  struct compare_meeting *meeting);

/*
 * What PRICED, an offer of CITY, costs around the clock and in valley hours only, into
 * PRICED->running. None where it has no bill or no hours of a tariff are known.
 */
void compare_hours(const struct compare_request *request, const struct compare_city *city,
                   struct arena *arena, struct compare_offer *priced);

/*
 * Writes it as "running": {"whole_day", "valley"}; each with what an hour of running costs, and
 * that with the servers bought by BUY: what stands idle is paid for by the hours that run.
 */
void compare_hours_write(struct json_write *out, const struct compare_request *request,
                         const struct compare_offer *priced, const struct compare_deal *buy,
                         struct arena *arena);

/* The order of bills: NULL last, fewer unknown prices first, then the lower total. */
int compare_bills(const struct bill *a, const struct bill *b);

/* Writes the answer as one object. */
void compare_write(struct json_write *out, const struct catalogue *catalogue,
                   const struct compare_request *request, const struct compare_result *result,
                   struct arena *arena, enum lang lang);

#endif
