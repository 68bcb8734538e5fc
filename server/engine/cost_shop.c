/* cost_shop.c - see cost_shop.h. */
#include "engine/cost_shop.h"

#include "engine/cost_calc.h"
#include "engine/cost_rent.h"

static struct terms_question terms_question_of(const struct cost_basis *basis, enum price_item item,
                                               const struct counts *counts)
{
	return (struct terms_question){
	    .item = item,
	    .terms = TERMS_ALL_BUT_SPOT,
	    .hours_per_month = ratio_of(basis->hours_per_month),
	    .counts = counts,
	};
}

static void offer_way(struct shop *shop, const struct way *way)
{
	if (shop->best.offer == NULL || ratio_less(way->total, shop->best.total))
		shop->best = *way;
}

/* No such price is no refusal; a price that cannot be used is. */
static void refuse(struct shop *shop, enum cost_status status)
{
	if (status == COST_NO_RATE || status == COST_OVERFLOW)
		shop->refused = status;
}

void try_terms(struct shop *shop, enum price_item item, enum cost_what what,
               const struct counts *counts)
{
	for (int i = 0; i < 2; i++) {
		struct way way = {.offer = shop->offers[i],
		                  .what = what,
		                  .price = -1,
		                  .counts = *counts,
		                  .things = ratio_of(0)};
		struct terms_question question = terms_question_of(shop->basis, item, &way.counts);

		if (way.offer == NULL)
			continue;
		enum cost_status status = terms_mix(shop->basis, way.offer, &question, &way.mix);

		refuse(shop, status);
		way.total = way.mix.total;
		if (status == COST_OK)
			offer_way(shop, &way);
	}
}

static bool is_metered(const struct price *price, enum price_item item, enum per per)
{
	return price->item == item && price->term == TERM_METERED && price->unit.per == per;
}

/* Periods of UNIT in the project: its months for what has no time (so many GB a month). */
static struct ratio metered_periods(const struct cost_basis *basis, struct unit unit)
{
	int64_t hours = (int64_t)basis->months * basis->hours_per_month;

	if (unit.period == PERIOD_ONCE)
		return ratio_of(basis->months);
	return ratio_make(hours, period_hours(unit.period, 1, basis->hours_per_month));
}

/* What THINGS a month at PRICE cost over the project. */
static enum cost_status metered_total(const struct cost_basis *basis, const struct price *price,
                                      struct ratio things, struct ratio *total)
{
	struct calc calc = {false};
	struct unit unit = price->unit;
	struct ratio weight;
	struct ratio periods = metered_periods(basis, unit);
	enum cost_status status = cost_price_weight(basis, price, &weight);

	if (status != COST_OK)
		return status;
	if (unit.period != PERIOD_ONCE)
		periods = calc_divide(&calc, periods, ratio_of(unit.period_count));
	struct ratio units = calc_divide(&calc, things, ratio_of(unit.per_count));

	*total = calc_multiply(&calc, calc_multiply(&calc, units, periods), weight);
	return calc_status(&calc);
}

/* What is billed of THINGS: never less than the step of the ladder, which is the least sold. */
static struct ratio at_least(struct ratio things, int32_t step)
{
	return ratio_compare(things, ratio_of(step)) < 0 ? ratio_of(step) : things;
}

void try_metered(struct shop *shop, enum price_item item, enum per per, enum cost_what what,
                 struct ratio things)
{
	for (int i = 0; i < 2; i++) {
		const struct offer *offer = shop->offers[i];

		for (int p = 0; offer != NULL && p < offer->price_count; p++) {
			const struct price *price = &offer->prices[p];
			struct way way = {.offer = offer,
			                  .what = what,
			                  .price = p,
			                  .things = at_least(things, price->min_quantity)};

			if (!is_metered(price, item, per))
				continue;
			enum cost_status status =
			    metered_total(shop->basis, price, way.things, &way.total);

			refuse(shop, status);
			if (status == COST_OK)
				offer_way(shop, &way);
		}
	}
}

/* Appends the cheapest way that was found. */
static enum cost_status buy_best(struct shop *shop, enum price_item item, struct bill *bill)
{
	struct way *best = &shop->best;
	struct terms_question question = terms_question_of(shop->basis, item, &best->counts);
	enum cost_what whats[TERM_SLOTS] = {best->what, best->what, best->what, best->what};

	if (best->price < 0)
		return terms_add(shop->basis, best->offer, &question, &best->mix, whats, bill);
	return bill_add_price(shop->basis, best->offer, best->price, best->what, best->things,
	                      metered_periods(shop->basis, best->offer->prices[best->price].unit),
	                      bill);
}

enum cost_status buy_or_unknown(struct shop *shop, enum price_item item,
                                struct cost_unknown unknown, struct bill *bill)
{
	if (shop->best.offer != NULL)
		return buy_best(shop, item, bill);
	return shop->refused != COST_OK ? shop->refused : bill_add_unknown(bill, unknown);
}

struct shop open_shop(const struct cost_basis *basis, const struct offer *offer,
                      const struct offer *side)
{
	return (struct shop){
	    .basis = basis, .offers = {offer, side}, .best = {.offer = NULL}, .refused = COST_OK};
}
