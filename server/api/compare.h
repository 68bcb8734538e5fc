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

/* One colocation offer, priced; with the side offer that makes it cheapest. */
struct compare_offer {
	const struct offer *offer; /* stays where it is: the lines of the bill point to it */
	const struct offer *side;  /* NULL = none */
	struct comparison *priced;
};

struct compare_city {
	enum city city;
	struct compare_offer *offers; /* usable ones cheapest first, then the others by id */
	size_t count;
	size_t usable;
	const struct tariff *tariff; /* NULL = no table of the city is known */
	const struct tariff_hours *hours;
	bool has_rent;
	struct offer rent_offer; /* the cheapest rental of the same cards in the city */
	struct bill *rent;
	struct rent_mix rent_mix;
};

struct compare_result {
	struct compare_city cities[COMPARE_CITIES];
	int city_count;
	bool has_national_rent; /* the cheapest rental that names no city */
	struct offer national_offer;
	struct bill *national_rent;
	struct rent_mix national_mix;
};

/* Writes the answer as one object. */
void compare_write(struct json_write *out, const struct catalogue *catalogue,
                   const struct compare_request *request, const struct compare_result *result,
                   struct arena *arena, enum lang lang);

#endif
