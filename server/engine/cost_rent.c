/* cost_rent.c - see cost_rent.h. */
#include "engine/cost_rent.h"

#include <assert.h>
#include <limits.h>

#include "engine/cost_calc.h"
#include "engine/cost_terms.h"

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static bool is_shared_host(const struct offer *offer)
{
	return offer->delivery == DELIVERY_VM || offer->delivery == DELIVERY_CONTAINER;
}

int rent_lot_cards(const struct offer *offer)
{
	bool whole = offer->cards_per_server > 1 && !is_shared_host(offer);
	int lot = whole ? offer->cards_per_server : 1;

	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];

		if (price->item != ITEM_COMPUTE)
			continue;
		if (price->unit.per == PER_SERVER && offer->cards_per_server == 0)
			return 0;
		if (price->unit.per == PER_SERVER)
			lot = larger(lot, offer->cards_per_server);
		if (price->unit.per == PER_CARD)
			lot = larger(lot, price->unit.per_count);
	}
	return lot;
}

/* ---- How many are rented ---- */

struct rent_order {
	const struct cost_basis *basis;
	const struct offer *offer;
	struct terms_question question;
	int lot_cards;
	int lots;
	struct counts counts;
	struct counts whole; /* of the order that they are a part of */
};

/* Servers that LOTS make, rounded down: what the ladder and the stock count. */
static int64_t servers_in(const struct rent_order *order, int lots)
{
	int cards_per_server = order->offer->cards_per_server;

	if (cards_per_server == 0)
		return lots;
	return (int64_t)lots * order->lot_cards / cards_per_server;
}

static bool in_stock(const struct rent_order *order, int lots)
{
	int64_t stock = order->offer->servers_available;
	int cards_per_server = larger(order->offer->cards_per_server, order->lot_cards);

	return stock < 0 || (int64_t)lots * order->lot_cards <= stock * cards_per_server;
}

static void order_lots(struct rent_order *order, int lots)
{
	int64_t cards = (int64_t)lots * order->lot_cards;

	order->lots = lots;
	order->counts = counts_none();
	order->counts.ladder = servers_in(order, lots);
	counts_set(&order->counts, PER_CARD, ratio_of(cards));
	if (order->offer->cards_per_server > 0)
		counts_set(&order->counts, PER_SERVER,
		           ratio_make(cards, order->offer->cards_per_server));
	order->question.counts = &order->counts;
	order->whole = order->counts;
}

static int lots_of(const struct rent_order *order, int cards)
{
	return (cards + order->lot_cards - 1) / order->lot_cards;
}

/* The lots of a part, at the step of its whole order. */
static void order_part(struct rent_order *order, const struct rent_need *need)
{
	struct counts whole;

	order_lots(order, lots_of(order, need->order.cards));
	whole = order->counts;
	order_lots(order, lots_of(order, need->cards + need->order.spare));
	order->counts.ladder = whole.ladder;
	order->whole = whole;
}

/* The fewest lots that reach a step of the ladder. */
static int lots_for_step(const struct rent_order *order, int32_t step)
{
	int cards_per_server = larger(order->offer->cards_per_server, 1);
	int64_t cards = (int64_t)step * cards_per_server;
	int64_t lots = (cards + order->lot_cards - 1) / order->lot_cards;

	return lots > INT_MAX ? INT_MAX : (int)lots;
}

/* Rent, setup and the capital in the deposit of the order as it stands. */
static enum cost_status order_cost(const struct rent_order *order, struct term_mix *mix,
                                   struct ratio *total)
{
	enum cost_status status = terms_mix(order->basis, order->offer, &order->question, mix);

	if (status != COST_OK)
		return status;
	*total = mix->total;
	status = once_add(order->basis, order->offer, ITEM_SETUP, COST_SETUP, &order->counts, NULL,
	                  total);
	if (status != COST_OK)
		return status;
	return deposit_add(order->basis, order->offer, &order->counts, NULL, total);
}

struct rent_choice {
	int lots;
	struct term_mix mix;
	struct ratio total;
};

/* Takes LOTS when that is cheaper than the choice so far. */
static enum cost_status try_lots(struct rent_order *order, int lots, struct rent_choice *choice)
{
	struct term_mix mix;
	struct ratio total;

	order_lots(order, lots);
	enum cost_status status = order_cost(order, &mix, &total);

	if (status != COST_OK)
		return status;
	if (choice->lots == 0 || ratio_less(total, choice->total))
		*choice = (struct rent_choice){lots, mix, total};
	return COST_OK;
}

/* The needed quantity, and each higher step of the ladder that may come out cheaper. */
static enum cost_status choose_lots(struct rent_order *order, int needed,
                                    struct rent_choice *choice)
{
	enum cost_status status = try_lots(order, needed, choice);

	for (int i = 0; i < order->offer->price_count; i++) {
		const struct price *price = &order->offer->prices[i];
		int lots = lots_for_step(order, price->min_quantity);

		if (price->item != ITEM_COMPUTE || lots <= needed || !in_stock(order, lots))
			continue;
		enum cost_status larger_status = try_lots(order, lots, choice);

		if (choice->lots != 0)
			status = COST_OK;
		else if (larger_status != COST_NO_PRICE)
			status = larger_status;
	}
	if (choice->lots != 0)
		order_lots(order, choice->lots);
	return status;
}

static enum cost_status rent_choose(const struct cost_basis *basis, const struct offer *offer,
                                    const struct rent_need *need, struct rent_order *order,
                                    struct rent_choice *choice)
{
	struct ratio full = ratio_of(basis->hours_per_month);
	bool all_the_time = ratio_less(full, need->hours_per_month);

	assert(need->cards > 0);
	*order = (struct rent_order){.basis = basis, .offer = offer};
	order->question = (struct terms_question){
	    .item = ITEM_COMPUTE,
	    .terms = need->terms,
	    .hours_per_month = all_the_time ? full : need->hours_per_month,
	};
	order->lot_cards = rent_lot_cards(offer);
	*choice = (struct rent_choice){.lots = 0};
	if (order->lot_cards == 0)
		return COST_NO_SERVER_SIZE;
	int needed = lots_of(order, need->order.cards > 0 ? need->order.cards : need->cards);

	if (!in_stock(order, needed))
		return COST_NO_STOCK;
	if (need->order.cards == 0)
		return choose_lots(order, needed, choice);
	order_part(order, need);
	return terms_mix(order->basis, order->offer, &order->question, &choice->mix);
}

/* ---- The bill ---- */

static bool has_term(const struct offer *offer, enum price_term term)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_COMPUTE && offer->prices[i].term == term)
			return true;
	return false;
}

/* Yuan per card-hour of a whole month in this term; false when it is not offered. */
static bool month_in_term(const struct rent_order *order, enum price_term term,
                          struct ratio *per_card_hour)
{
	struct terms_question question = order->question;
	enum term_slot slot = term == TERM_HOURLY ? SLOT_HOURLY : SLOT_MONTH;
	struct ratio cost, card_hours;

	question.hours_per_month = ratio_of(order->basis->hours_per_month);
	question.terms = 1u << term;
	return terms_slot_cost(order->basis, order->offer, &question, slot, &cost) &&
	       ratio_multiply(order->counts.of[PER_CARD], question.hours_per_month, &card_hours) &&
	       ratio_divide(cost, card_hours, per_card_hour);
}

/* The seeds' rule: a month is not below half of its hours, or something is wrong with the price. */
static void flag_cheap_month(const struct rent_order *order, struct bill *bill)
{
	struct ratio hourly, monthly, half;

	if (!has_term(order->offer, TERM_HOURLY) || !has_term(order->offer, TERM_MONTHLY))
		return;
	if (month_in_term(order, TERM_HOURLY, &hourly) &&
	    month_in_term(order, TERM_MONTHLY, &monthly) &&
	    ratio_divide(hourly, ratio_of(2), &half) && ratio_less(monthly, half))
		cost_flag_add(
		    &bill->flags,
		    (struct cost_flag){.code = FLAG_MONTH_BELOW_HALF, .x = monthly, .y = hourly});
}

static void flag_order(const struct rent_order *order, const struct rent_need *need, bool spot,
                       struct bill *bill)
{
	int needed = lots_of(order, need->cards);

	if (order->lots > needed)
		cost_flag_add(
		    &bill->flags,
		    (struct cost_flag){.code = FLAG_MORE_THAN_NEEDED,
		                       .x = ratio_of((int64_t)order->lots * order->lot_cards),
		                       .y = ratio_of((int64_t)needed * order->lot_cards)});
	if (spot)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_PREEMPTIBLE});
	if (order->offer->servers_available < 0)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_STOCK_NOT_STATED});
}

static void describe(const struct rent_order *order, const struct term_mix *mix, bool spot,
                     struct rent_mix *result)
{
	*result = (struct rent_mix){
	    .lots = order->lots,
	    .lot_cards = order->lot_cards,
	    .years = mix->count[SLOT_YEAR],
	    .quarters = mix->count[SLOT_QUARTER],
	    .months = mix->count[SLOT_MONTH],
	    .hourly_months = mix->count[SLOT_HOURLY],
	    .spot = spot,
	};
}

enum cost_status cost_rent(const struct cost_basis *basis, const struct offer *offer,
                           const struct rent_need *need, struct bill *bill, struct rent_mix *mix)
{
	struct rent_order order;
	struct rent_choice choice;
	enum cost_status status = rent_choose(basis, offer, need, &order, &choice);

	if (status != COST_OK)
		return status;
	int hourly = choice.mix.price[SLOT_HOURLY];
	bool spot = choice.mix.count[SLOT_HOURLY] > 0 && offer->prices[hourly].term == TERM_SPOT;
	enum cost_what whats[TERM_SLOTS] = {spot ? COST_RENT_SPOT : COST_RENT_HOURLY,
	                                    COST_RENT_MONTHLY, COST_RENT_QUARTERLY,
	                                    COST_RENT_YEARLY};

	status = terms_add(basis, offer, &order.question, &choice.mix, whats, bill);
	if (status == COST_OK && !need->order.is_rest)
		status = once_add(basis, offer, ITEM_SETUP, COST_SETUP, &order.whole, bill, NULL);
	if (status == COST_OK && !need->order.is_rest)
		status = deposit_add(basis, offer, &order.whole, bill, NULL);
	if (!bill->sums_only) {
		flag_cheap_month(&order, bill);
		flag_order(&order, need, spot, bill);
	}
	if (mix != NULL)
		describe(&order, &choice.mix, spot, mix);
	return status;
}

/* ---- A bound ---- */

enum cost_status cost_rent_bound(const struct cost_basis *basis, const struct offer *offer,
                                 unsigned terms, struct ratio *per_card_hour)
{
	enum cost_status worst = COST_NO_PRICE;
	bool found = false;

	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];
		struct basis_price on_basis;
		struct ratio value;

		if (price->item != ITEM_COMPUTE || (terms & 1u << price->term) == 0)
			continue;
		enum cost_status status = cost_price_on_basis(basis, price, NULL, &on_basis);

		if (status == COST_OK &&
		    !unit_normalise(on_basis.net, price->unit, offer->cards_per_server,
		                    basis->hours_per_month, UNIT_CARD_HOUR, &value))
			status = COST_WRONG_UNIT;
		if (status != COST_OK) {
			worst = status;
			continue;
		}
		if (!found || ratio_less(value, *per_card_hour))
			*per_card_hour = value;
		found = true;
	}
	return found ? COST_OK : worst;
}
