/* compare.c - see compare.h. */
#include "api/compare.h"

#include <stdlib.h>
#include <string.h>

#include "api/compare_side.h"
#include "api/plan_read.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"
#include "base/buf.h"
#include "engine/cost_flags.h"
#include "market/catalogue.h"

/* A table with one price in every band: what the request says a kWh costs. */
static const struct tariff *flat_tariff(struct arena *arena, const struct compare_request *request)
{
	struct tariff *tariff = arena_new(arena, struct tariff);

	*tariff = (struct tariff){.id = "request",
	                          .name = "request",
	                          .tax = request->basis.tax,
	                          .valid_from = DATE_NONE,
	                          .valid_to = DATE_NONE,
	                          .source = "request"};
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		tariff->known[band] = true;
		tariff->per_kwh[band] = request->kwh_price;
	}
	return tariff;
}

/* A table without a price says nothing here: none is shown for the city then. */
static void choose_tariff(const struct tariffs *tariffs, const struct compare_request *request,
                          struct arena *arena, struct compare_city *city)
{
	const struct tariff *tariff =
	    request->tariff_id != NULL ? tariff_find(tariffs, request->tariff_id)
	    : request->has_kwh_price   ? flat_tariff(arena, request)
				       : tariff_for_city(tariffs, city->city, request->basis.start);

	if (tariff != NULL && (tariff_has_price(tariff) || request->tariff_id != NULL))
		city->tariff = tariff;
	if (city->tariff != NULL && city->tariff->hours_id != NULL)
		city->hours = tariff_hours_find(tariffs, city->tariff->hours_id);
	else if (tariffs->hours_count > 0)
		city->hours = &tariffs->hours[0];
}

/* Offers of KIND in CITY that hold on the first day; labelled samples only when wanted. */
static struct catalogue_page offers_of(const struct catalogue *catalogue, enum offer_kind kind,
                                       int city, const struct compare_request *request,
                                       struct arena *arena)
{
	struct catalogue_filter filter = catalogue_filter_any();
	struct catalogue_page page;

	filter.kind = (int)kind;
	filter.city = city;
	filter.valid_on = request->basis.start;
	catalogue_list(catalogue, &filter, 0, catalogue_count(catalogue, &filter), arena, &page);
	size_t kept = 0;

	for (size_t i = 0; i < page.count; i++)
		if (request->samples || page.items[i].origin != ORIGIN_SAMPLE)
			page.items[kept++] = page.items[i];
	page.count = kept;
	return page;
}

static const struct bill *best_bill(const struct comparison *priced)
{
	return priced->cheapest < 0 ? NULL : &priced->columns[priced->cheapest].bill;
}

/* A bill with a hole is no bargain. */
int compare_bills(const struct bill *a, const struct bill *b)
{
	if (a == NULL || b == NULL)
		return (a == NULL) - (b == NULL);
	if (a->unknown_count != b->unknown_count)
		return a->unknown_count < b->unknown_count ? -1 : 1;
	return money_compare(a->total, b->total);
}

/* What a buyer should ask about the offer, and the one beside it, with each of its bills. */
static void add_flags(const struct compare_request *request, const struct compare_offer *priced)
{
	struct flag_limits limits = {.wants_network =
	                                 request->question.network.public_mbps.num > 0};

	for (int i = 0; i < priced->priced->count; i++) {
		struct compare_column *column = &priced->priced->columns[i];

		if (column->status != COST_OK)
			continue;
		cost_offer_flags(&request->basis, priced->offer, &limits, &column->bill.flags);
		if (priced->side != NULL)
			cost_side_flags(&request->basis, priced->side, &column->bill.flags);
		if (request->question.leased != NULL)
			cost_side_flags(&request->basis, request->question.leased,
			                &column->bill.flags);
	}
}

/* Prices OFFER alone and with the network offer that makes it cheapest; keeps the better. */
static void price_offer(const struct compare_request *request, const struct compare_city *city,
                        struct compare_sides *sides, struct comparison *trial,
                        struct compare_offer *priced)
{
	const struct offer *side = compare_sides_best(sides, priced->offer);

	compare_colocation(&request->basis, &request->question, priced->offer, NULL, city->tariff,
	                   city->hours, priced->priced);
	if (side == NULL)
		return;
	compare_colocation(&request->basis, &request->question, priced->offer, side, city->tariff,
	                   city->hours, trial);
	if (compare_bills(best_bill(trial), best_bill(priced->priced)) >= 0)
		return;
	*priced->priced = *trial;
	priced->side = side;
}

static bool ranks_before(const struct compare_offer *a, const struct compare_offer *b)
{
	int order = compare_bills(best_bill(a->priced), best_bill(b->priced));

	return order != 0 ? order < 0 : a->offer->id < b->offer->id;
}

/*
 * Moves the offer behind CITY's last one to its rank. Where the list is full the last one stays
 * behind it, and its room is used again.
 */
static void rank_offer(struct compare_city *city)
{
	struct compare_offer offer = city->offers[city->count];
	size_t at = city->count;

	for (; at > 0 && ranks_before(&offer, &city->offers[at - 1]); at--)
		city->offers[at] = city->offers[at - 1];
	city->offers[at] = offer;
	if (city->count < COMPARE_OFFERS_MAX)
		city->count++;
}

/* The best places of the city: a price list may hold a hundred thousand cabinets. */
static void rank_offers(const struct compare_request *request, const struct catalogue_page *offers,
                        const struct catalogue_page *page, struct arena *arena,
                        struct compare_city *city)
{
	struct comparison *trial = arena_new(arena, struct comparison);
	struct compare_sides sides =
	    compare_sides_of(&request->basis, &request->question, page->items, page->count, arena);

	city->offers = arena_array(arena, struct compare_offer, COMPARE_OFFERS_MAX + 1);
	for (size_t i = 0; i < offers->count; i++) {
		struct compare_offer *next = &city->offers[city->count];

		if (next->priced == NULL)
			next->priced = arena_new(arena, struct comparison);
		next->offer = &offers->items[i];
		next->side = NULL;
		price_offer(request, city, &sides, trial, next);
		city->usable += best_bill(next->priced) != NULL;
		rank_offer(city);
	}
	city->left_out = offers->count - city->count;
	for (size_t i = 0; i < city->count; i++) {
		add_flags(request, &city->offers[i]);
		compare_hours(request, city, arena, &city->offers[i]);
	}
}

/* ---- renting the same cards ---- */

/* What the servers need beside them, wherever OFFER has them. */
static enum cost_status rent_beside(const struct compare_request *request,
                                    const struct offer *offer, struct bill *bill)
{
	const struct compare_question *question = &request->question;
	enum cost_status status =
	    cost_network(&request->basis, offer, NULL, &question->network, bill);

	return status != COST_OK ? status
	                         : cost_dedicated(&request->basis, question->leased,
	                                          question->network.dedicated_mbps, bill);
}

static bool rent_of(const struct compare_request *request, const struct offer *offer,
                    unsigned terms, struct bill *bill, struct rent_mix *mix)
{
	struct rent_need need = {
	    .cards = request->question.cards,
	    .hours_per_month = ratio_of(request->basis.hours_per_month),
	    .terms = terms,
	};
	bool same = offer->card != NULL && strcmp(offer->card, request->card->id) == 0;

	bill_start(bill);
	if (!same || cost_rent(&request->basis, offer, &need, bill, mix) != COST_OK ||
	    rent_beside(request, offer, bill) != COST_OK)
		return false;
	struct flag_limits limits = {.bands = request->bands.items,
	                             .band_count = request->bands.count,
	                             .wants_network = true};

	cost_offer_flags(&request->basis, offer, &limits, &bill->flags);
	if (request->question.leased != NULL)
		cost_side_flags(&request->basis, request->question.leased, &bill->flags);
	struct ratio card_hours;

	return ratio_multiply(ratio_of((int64_t)need.cards * request->basis.months),
	                      need.hours_per_month, &card_hours) &&
	       bill_finish(&request->basis, card_hours, bill) == COST_OK;
}

/* The cheapest rental of the request's cards among OFFERS, by TERMS (a set). */
static void cheapest_rent(const struct compare_request *request,
                          const struct catalogue_page *offers, unsigned terms, struct arena *arena,
                          struct compare_deal *best)
{
	struct bill *bill = arena_new(arena, struct bill);
	struct rent_mix mix;

	best->bill = arena_new(arena, struct bill);
	for (size_t i = 0; i < offers->count; i++) {
		if (!rent_of(request, &offers->items[i], terms, bill, &mix) ||
		    (best->found && compare_bills(bill, best->bill) >= 0))
			continue;
		best->found = true;
		best->offer = offers->items[i];
		*best->bill = *bill;
		best->mix = mix;
	}
}

/* Renting in CITY at its cheapest, and by the hour alone. */
static void rent_in(const struct catalogue *catalogue, const struct compare_request *request,
                    int city, struct arena *arena, struct compare_deal deals[static 2])
{
	if (request->card == NULL || request->question.cards == 0)
		return;
	struct catalogue_page page = offers_of(catalogue, OFFER_RENTAL, city, request, arena);

	cheapest_rent(request, &page, TERMS_ALL_BUT_SPOT, arena, &deals[0]);
	cheapest_rent(request, &page, 1u << TERM_HOURLY, arena, &deals[1]);
}

/* What a leased line of OFFER costs; false when it sells none as wanted, or not all of it. */
static bool leased_total(const struct compare_request *request, const struct offer *offer,
                         struct bill *bill, struct money *total)
{
	struct ratio mbps = request->question.network.dedicated_mbps;

	bill_start(bill);
	bill->sums_only = true;
	if (!line_is_dedicated(offer->line) ||
	    cost_dedicated(&request->basis, offer, mbps, bill) != COST_OK ||
	    bill_finish(&request->basis, ratio_of(0), bill) != COST_OK || bill->unknown_count > 0)
		return false;
	*total = bill->total;
	return true;
}

/* Who of SIDES sells the leased line that is asked for at the least, copied; NULL = nobody. */
static const struct offer *cheapest_leased(const struct compare_request *request,
                                           const struct catalogue_page *sides, struct arena *arena)
{
	struct bill *bill;
	struct offer *best = NULL;
	struct money least = money_zero();

	if (!needs_dedicated(&request->question.network))
		return NULL;
	bill = arena_new(arena, struct bill);
	for (size_t i = 0; i < sides->count; i++) {
		struct money total;

		if (!leased_total(request, &sides->items[i], bill, &total) ||
		    (best != NULL && money_compare(total, least) >= 0))
			continue;
		if (best == NULL)
			best = arena_new(arena, struct offer);
		*best = sides->items[i];
		least = total;
	}
	return best;
}

/* Lines that lead to one place are no way to the internet. */
static void leave_out_dedicated(struct catalogue_page *sides)
{
	size_t kept = 0;

	for (size_t i = 0; i < sides->count; i++)
		if (!line_is_dedicated(sides->items[i].line))
			sides->items[kept++] = sides->items[i];
	sides->count = kept;
}

static void compute_city(const struct catalogue *catalogue, const struct compare_request *asked,
                         struct arena *arena, struct compare_city *city)
{
	struct compare_request here = *asked;
	const struct compare_request *request = &here;
	const struct tariffs *tariffs = &catalogue_reference_of(catalogue)->base.tariffs;
	struct catalogue_page offers =
	    offers_of(catalogue, OFFER_COLOCATION, (int)city->city, request, arena);
	struct catalogue_page sides =
	    offers_of(catalogue, OFFER_NETWORK, (int)city->city, request, arena);

	here.question.leased = cheapest_leased(asked, &sides, arena);
	leave_out_dedicated(&sides);
	choose_tariff(tariffs, request, arena, city);
	rank_offers(request, &offers, &sides, arena, city);
	struct compare_deal rents[2] = {0};

	rent_in(catalogue, request, (int)city->city, arena, rents);
	city->rent = rents[0];
	city->hourly = rents[1];
}

/* Where owning meets renting in CITY; where nobody rents out there, at the national price. */
static void meet_in(const struct compare_request *request, const struct compare_result *result,
                    struct compare_city *city)
{
	bool local = city->rent.found;
	struct compare_rents rents = {
	    .full = local ? &city->rent : &result->national_rent,
	    .hourly = local ? &city->hourly : &result->national_hourly,
	};

	if (city->usable > 0)
		city->has_meeting = compare_meet(request, best_bill(city->offers[0].priced),
		                                 &result->buy, &rents, &city->meeting);
}

/* Prices the question over every offer of CATALOGUE; everything lives in ARENA. */
static void compute(const struct catalogue *catalogue, const struct compare_request *request,
                    struct arena *arena, struct compare_result *result)
{
	*result = (struct compare_result){0};
	for (int i = 0; i < COMPARE_CITIES; i++) {
		if (!request->cities[i])
			continue;
		struct compare_city *city = &result->cities[result->city_count++];

		city->city = (enum city)(CITY_SHENZHEN + i);
		compute_city(catalogue, request, arena, city);
	}
	struct compare_deal rents[2] = {0};

	rent_in(catalogue, request, CITY_UNKNOWN, arena, rents);
	result->national_rent = rents[0];
	result->national_hourly = rents[1];
	struct catalogue_page sold =
	    offers_of(catalogue, OFFER_PURCHASE, catalogue_filter_any().city, request, arena);

	compare_buy(request, &sold, arena, &result->buy);
	for (int i = 0; i < result->city_count; i++)
		meet_in(request, result, &result->cities[i]);
}

/* ---- the handler ---- */

static json_t *query_as_json(const struct request *rq)
{
	json_t *object = json_object();

	for (int i = 0; i < rq->query_count; i++)
		json_object_set_new(object, rq->query[i].name, json_string(rq->query[i].value));
	return object;
}

/* 200, 304; 400, 422 for the query; 401 when the operator keeps it closed. */
struct answer *get_compare(struct request *rq)
{
	struct compare_request request;
	struct compare_result result;
	struct problems problems;
	struct buf body = {0};

	if (rq->caller.role == 0 && !app_of(rq)->compare_is_public) {
		struct answer *answer =
		    answer_problem(rq, 401, "key_needed", "an API key is needed", "需要 API 密钥");

		return answer_header(answer, "WWW-Authenticate", "Bearer");
	}
	problems_init(&problems, rq->arena);
	struct json_reader reader = {.arena = rq->arena, .problems = &problems};
	struct catalogue *catalogue = reply_catalogue(rq);
	json_t *query = query_as_json(rq);
	bool read = compare_read(&reader, &catalogue_reference_of(catalogue)->base.cards, query,
	                         date_in_shanghai(rq->now_us / 1000000), &request);

	json_decref(query);
	tariff_check(&problems, &catalogue_reference_of(catalogue)->base.tariffs,
	             request.tariff_id);
	read &= problems.errors == 0;
	if (read) {
		struct json_write out = json_write_to(&body);

		request.bands = app_of(rq)->bands;
		compute(catalogue, &request, rq->arena, &result);
		compare_write(&out, catalogue, &request, &result, rq->arena, rq->lang);
	}
	catalogue_release(catalogue);
	return read ? reply_tagged(rq, 200, &body) : reply_invalid(rq, &problems);
}
