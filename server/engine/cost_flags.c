/* cost_flags.c - see cost_flags.h. */
#include "engine/cost_flags.h"

#include <string.h>

#include "engine/cost_calc.h"
#include "offer/facts.h"

static void raise(struct cost_flags *flags, enum cost_flag_code code)
{
	cost_flag_add(flags, (struct cost_flag){.code = code});
}

static void raise_numbers(struct cost_flags *flags, enum cost_flag_code code, struct ratio x,
                          struct ratio y)
{
	cost_flag_add(flags, (struct cost_flag){.code = code, .x = x, .y = y});
}

/* ---- Prices ---- */

static const struct price_band *band_of(const struct flag_limits *limits, const char *card)
{
	for (int i = 0; card != NULL && i < limits->band_count; i++)
		if (strcmp(limits->bands[i].card, card) == 0)
			return &limits->bands[i];
	return NULL;
}

/* Yuan per card-hour with tax, as the bands are. */
static bool card_hour_with_tax(const struct cost_basis *basis, const struct offer *offer,
                               const struct price *price, struct ratio *value)
{
	struct cost_basis gross = *basis;
	struct basis_price on_basis;

	gross.tax = TAX_INCLUDED;
	return cost_price_on_basis(&gross, price, NULL, &on_basis) == COST_OK &&
	       unit_normalise(on_basis.net, price->unit, offer->cards_per_server,
	                      basis->hours_per_month, UNIT_CARD_HOUR, value);
}

static void flag_band(const struct cost_basis *basis, const struct offer *offer,
                      const struct price *price, const struct price_band *band,
                      struct cost_flags *flags)
{
	struct ratio value;
	struct cost_flag flag = {.word = offer->card};

	if (band == NULL || price->term == TERM_SPOT ||
	    !card_hour_with_tax(basis, offer, price, &value))
		return;
	flag.x = value;
	if (ratio_less(value, band->low)) {
		flag.code = FLAG_PRICE_LOW;
		flag.y = band->low;
		cost_flag_add(flags, flag);
	}
	if (ratio_less(band->high, value)) {
		flag.code = FLAG_PRICE_HIGH;
		flag.y = band->high;
		cost_flag_add(flags, flag);
	}
}

/* The cheapest price per card-hour of TERM, tax as on the basis. */
static bool cheapest_of(const struct cost_basis *basis, const struct offer *offer,
                        enum price_term term, struct ratio *cheapest)
{
	bool found = false;

	for (int i = 0; i < offer->price_count; i++) {
		struct ratio value;

		if (offer->prices[i].item != ITEM_COMPUTE || offer->prices[i].term != term ||
		    !card_hour_with_tax(basis, offer, &offer->prices[i], &value))
			continue;
		if (!found || ratio_less(value, *cheapest))
			*cheapest = value;
		found = true;
	}
	return found;
}

static void flag_month(const struct cost_basis *basis, const struct offer *offer,
                       struct cost_flags *flags)
{
	struct ratio hour, month, half;

	if (cheapest_of(basis, offer, TERM_HOURLY, &hour) &&
	    cheapest_of(basis, offer, TERM_MONTHLY, &month) &&
	    ratio_divide(hour, ratio_of(2), &half) && ratio_less(month, half))
		raise_numbers(flags, FLAG_MONTH_BELOW_HALF, month, hour);
}

static bool is_main(const struct offer *offer, const struct price *price)
{
	bool traffic =
	    offer->kind == OFFER_NETWORK && (price->item == ITEM_TRAFFIC || price->item == ITEM_IP);

	return traffic || price->item == offer_main_item(offer->kind);
}

static void flag_prices(const struct cost_basis *basis, const struct offer *offer,
                        const struct flag_limits *limits, struct cost_flags *flags)
{
	const struct price_band *band = band_of(limits, offer->card);
	bool has_main = false;

	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];

		has_main = has_main || is_main(offer, price);
		if (price->item == ITEM_COMPUTE)
			flag_band(basis, offer, price, band, flags);
		if (price->has_low)
			cost_flag_add(flags, (struct cost_flag){.code = FLAG_PRICE_RANGE,
			                                        .x = money_to_ratio(price->low),
			                                        .y = money_to_ratio(price->amount),
			                                        .word = price->currency});
		if (price->tax == TAX_UNKNOWN)
			raise(flags, FLAG_TAX_UNKNOWN);
	}
	if (!has_main)
		raise(flags, FLAG_NO_PRICE);
	flag_month(basis, offer, flags);
}

/* ---- Dates ---- */

static void flag_dates(const struct cost_basis *basis, const struct offer *offer,
                       struct cost_flags *flags)
{
	struct ratio limit = cost_assume(basis, ASSUME_STALE_DAYS, NULL);
	struct date today = basis->today;

	if (date_is_none(offer->observed_on))
		raise(flags, FLAG_PRICE_UNDATED);
	if (date_is_none(today))
		return;
	if (!date_is_none(offer->valid_to) && today.days > offer->valid_to.days)
		raise_numbers(flags, FLAG_SHEET_EXPIRED,
		              ratio_of((int64_t)today.days - offer->valid_to.days), ratio_of(0));
	if (!date_is_none(offer->valid_from) && today.days < offer->valid_from.days)
		raise_numbers(flags, FLAG_SHEET_NOT_YET,
		              ratio_of((int64_t)offer->valid_from.days - today.days), ratio_of(0));
	if (date_is_none(offer->observed_on))
		return;
	struct ratio age = ratio_of((int64_t)today.days - offer->observed_on.days);

	if (ratio_less(limit, age))
		raise_numbers(flags, FLAG_SHEET_OLD, age, limit);
}

/* ---- What is promised ---- */

static void flag_promises(const struct offer *offer, struct cost_flags *flags)
{
	if (offer->replacement_minutes < 0)
		raise(flags, FLAG_NO_REPLACEMENT_SLA);
	if (offer->availability_ppm < 0)
		raise(flags, FLAG_NO_AVAILABILITY);
	if (offer->support_24x7 == YES_NO_NO)
		raise(flags, FLAG_NO_24X7);
	if (offer->support_24x7 == YES_NO_UNKNOWN)
		raise(flags, FLAG_24X7_NOT_STATED);
}

static bool has_item(const struct offer *offer, enum price_item item)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == item)
			return true;
	return false;
}

static void flag_network(const struct offer *offer, struct cost_flags *flags)
{
	bool priced = has_item(offer, ITEM_BANDWIDTH) || has_item(offer, ITEM_TRAFFIC);

	if (offer->mbps_included < 0 && !priced)
		raise(flags, FLAG_BANDWIDTH_NOT_STATED);
	if (has_item(offer, ITEM_IP))
		return;
	if (offer->ips_included == 0)
		raise(flags, FLAG_NO_PUBLIC_IP);
	if (offer->ips_included < 0)
		raise(flags, FLAG_IP_NOT_STATED);
}

static void flag_cards(const struct offer *offer, const struct flag_limits *limits,
                       struct cost_flags *flags)
{
	if (offer->new_cards == YES_NO_NO)
		raise(flags, FLAG_REFURBISHED);
	if (offer->new_cards == YES_NO_UNKNOWN)
		raise(flags, FLAG_CARDS_NEW_NOT_STATED);
	if (limits->max_card_age_months > 0 && offer->card_age_months > limits->max_card_age_months)
		raise_numbers(flags, FLAG_CARDS_OLD, ratio_of(offer->card_age_months),
		              ratio_of(limits->max_card_age_months));
	if (offer->servers_available < 0)
		raise(flags, FLAG_STOCK_NOT_STATED);
}

void cost_offer_flags(const struct cost_basis *basis, const struct offer *offer,
                      const struct flag_limits *limits, struct cost_flags *flags)
{
	bool sells_cards = offer->kind == OFFER_RENTAL || offer->kind == OFFER_PURCHASE;
	bool has_network = offer->kind == OFFER_RENTAL || offer->kind == OFFER_COLOCATION;

	flag_prices(basis, offer, limits, flags);
	flag_dates(basis, offer, flags);
	if (offer->kind != OFFER_PURCHASE)
		flag_promises(offer, flags);
	if (has_network && limits->wants_network)
		flag_network(offer, flags);
	if (sells_cards)
		flag_cards(offer, limits, flags);
	if (offer->city == CITY_UNKNOWN)
		raise(flags, FLAG_NATIONAL_PRICE);
	if (offer->origin == ORIGIN_SAMPLE)
		raise(flags, FLAG_SAMPLE_PRICE);
}

void cost_side_flags(const struct cost_basis *basis, const struct offer *offer,
                     struct cost_flags *flags)
{
	flag_dates(basis, offer, flags);
	if (offer->origin == ORIGIN_SAMPLE)
		raise(flags, FLAG_SAMPLE_PRICE);
}
