/* compare_own.c - owning the servers against renting the cards in GET /compare; see compare.h. */
#include <string.h>

#include "api/compare.h"
#include "base/arena.h"
#include "engine/cost_flags.h"
#include "market/catalogue.h"

static bool sells(const struct offer *offer, const struct compare_request *request)
{
	return offer->card != NULL && strcmp(offer->card, request->card->id) == 0 &&
	       offer->cards_per_server == request->cards_per_server;
}

static bool buy_of(const struct compare_request *request, const struct offer *offer,
                   struct bill *bill)
{
	struct flag_limits limits = {.bands = request->bands.items,
	                             .band_count = request->bands.count};

	bill_start(bill);
	if (cost_buy(&request->basis, offer, request->question.host.servers, bill) != COST_OK)
		return false;
	cost_offer_flags(&request->basis, offer, &limits, &bill->flags);
	return bill_finish(&request->basis, ratio_of(0), bill) == COST_OK;
}

void compare_buy(const struct compare_request *request, const struct catalogue_page *offers,
                 struct arena *arena, struct compare_deal *best)
{
	struct bill *bill = arena_new(arena, struct bill);

	best->bill = arena_new(arena, struct bill);
	if (request->card == NULL || request->question.host.servers == 0)
		return;
	for (size_t i = 0; i < offers->count; i++) {
		const struct offer *offer = &offers->items[i];

		if (!sells(offer, request) || !buy_of(request, offer, bill) ||
		    (best->found && compare_bills(bill, best->bill) >= 0))
			continue;
		best->found = true;
		best->offer = *offer;
		*best->bill = *bill;
	}
}

/* ---- where the two meet ---- */

static bool is_whole(const struct compare_deal *deal)
{
	return deal->found && deal->bill->unknown_count == 0;
}

static struct ratio lines_total(const struct bill *bill, enum cost_what what)
{
	struct ratio total = ratio_of(0);

	for (int i = 0; i < bill->line_count; i++)
		if (bill->lines[i].what == what &&
		    !ratio_add(total, money_to_ratio(bill->lines[i].amount), &total))
			return ratio_of(0);
	return total;
}

/* Card-hours of all months, around the clock. */
static struct ratio card_hours(const struct compare_request *request)
{
	return ratio_of((int64_t)request->question.cards * request->basis.months *
	                request->basis.hours_per_month);
}

/* What owning costs a month, and per card-hour that runs: the energy of HOST. */
static bool own_costs(const struct compare_request *request, const struct bill *host,
                      const struct bill *buy, struct break_even_input *own)
{
	struct ratio months = ratio_of(request->basis.months);
	struct ratio energy = money_to_ratio(host->accounts[ACCOUNT_POWER]);
	struct ratio fixed, cash;

	own->cards = request->question.cards;
	own->purchase = lines_total(buy, COST_PURCHASE_CASH);
	return ratio_add(money_to_ratio(host->total), money_to_ratio(buy->total), &fixed) &&
	       ratio_subtract(fixed, energy, &fixed) &&
	       ratio_subtract(fixed, lines_total(buy, COST_DEPRECIATION), &cash) &&
	       ratio_subtract(cash, lines_total(buy, COST_CAPITAL), &cash) &&
	       ratio_subtract(cash, lines_total(buy, COST_DEPOSIT_CAPITAL), &cash) &&
	       ratio_subtract(cash, lines_total(host, COST_DEPOSIT_CAPITAL), &cash) &&
	       ratio_divide(fixed, months, &own->own_fixed_month) &&
	       ratio_divide(cash, months, &own->own_cash_month) &&
	       ratio_divide(energy, card_hours(request), &own->own_hour);
}

/*
 * The utilisation above which owning is cheaper than renting by the hour, unless a full month at
 * RENT_MONTH is cheaper still by then.
 */
static bool meet_by_hours(const struct compare_request *request, struct bill *bill,
                          struct compare_meeting *meeting)
{
	struct break_even_input own = meeting->own;
	struct ratio full = ratio_of((int64_t)own.cards * request->basis.hours_per_month);
	struct break_even at;
	struct ratio paid;

	own.rent_card_hour = meeting->rent_hour;
	if (break_even(&request->basis, &own, ratio_of(1), bill, &at) != COST_OK)
		return false;
	meeting->utilisation = at.utilisation;
	meeting->has_utilisation = at.has_utilisation &&
	                           ratio_compare(at.utilisation, ratio_of(1)) <= 0 &&
	                           ratio_multiply(full, meeting->rent_hour, &paid) &&
	                           ratio_multiply(paid, at.utilisation, &paid) &&
	                           ratio_compare(paid, meeting->rent_month) <= 0;
	return true;
}

bool compare_meet(const struct compare_request *request, const struct bill *host,
                  const struct compare_deal *buy, const struct compare_rents *rents,
                  struct compare_meeting *meeting)
{
	struct ratio full = card_hours(request);
	struct break_even at;

	*meeting = (struct compare_meeting){.has_rent_hour = is_whole(rents->hourly)};
	if (!is_whole(buy) || !is_whole(rents->full) || host->unknown_count > 0 ||
	    request->question.host.schedule.kind != SCHEDULE_ALWAYS ||
	    !own_costs(request, host, buy->bill, &meeting->own) ||
	    !ratio_divide(money_to_ratio(rents->full->bill->total), full,
	                  &meeting->own.rent_card_hour) ||
	    !ratio_divide(money_to_ratio(rents->full->bill->total), ratio_of(request->basis.months),
	                  &meeting->rent_month))
		return false;
	if (break_even(&request->basis, &meeting->own, ratio_of(1), buy->bill, &at) != COST_OK)
		return false;
	meeting->has_month = at.has_month;
	meeting->month = at.month;
	meeting->seed_rule = at.seed_rule;
	return ratio_multiply(cost_assume(&request->basis, ASSUME_LIFE_YEARS, buy->bill),
	                      ratio_of(12), &meeting->life_months) &&
	       (!meeting->has_rent_hour || (ratio_divide(money_to_ratio(rents->hourly->bill->total),
	                                                 full, &meeting->rent_hour) &&
	                                    meet_by_hours(request, buy->bill, meeting)));
}
