/* cost_terms.c - see cost_terms.h. */
#include "engine/cost_terms.h"

#include "engine/cost_calc.h"
#include "offer/facts.h"

struct counts counts_none(void)
{
	struct counts counts = {.ladder = 0};

	counts_set(&counts, PER_NONE, ratio_of(1));
	return counts;
}

void counts_set(struct counts *counts, enum per per, struct ratio value)
{
	counts->of[per] = value;
	counts->known[per] = true;
}

static bool sold_whole(enum per per)
{
	switch (per) {
	case PER_CARD:
	case PER_SERVER:
	case PER_CABINET:
	case PER_U:
	case PER_MBPS:
	case PER_IP:
		return true;
	case PER_NONE:
	case PER_KW:
	case PER_AMPERE:
	case PER_KWH:
	case PER_GB:
	case PER_TB:
		return false;
	}
	return false;
}

bool counts_things(const struct counts *counts, struct unit unit, struct ratio *things)
{
	struct ratio units;
	int64_t whole;

	if (!counts->known[unit.per])
		return false;
	*things = counts->of[unit.per];
	if (!sold_whole(unit.per) || (things->den == 1 && unit.per_count == 1))
		return true;
	if (!ratio_divide(*things, ratio_of(unit.per_count), &units) || !ratio_ceil(units, &whole))
		return false;
	return ratio_multiply(ratio_of(whole), ratio_of(unit.per_count), things);
}

/* HOURS counted in single periods of UNIT: 720 h is 1 month, 1/12 year, 30 days. */
static bool periods_in(const struct cost_basis *basis, struct unit unit, struct ratio hours,
                       struct ratio *periods)
{
	int64_t one = period_hours(unit.period, 1, basis->hours_per_month);

	return one > 0 && ratio_divide(hours, ratio_of(one), periods);
}

/*
 * Cost in yuan on the basis of what COUNTS says at price INDEX for HOURS (a month's hours for a
 * month), exact. COST_WRONG_UNIT when the unit counts something unknown or has no time.
 */
static enum cost_status price_for_hours(const struct cost_basis *basis, const struct offer *offer,
                                        int index, const struct counts *counts, struct ratio hours,
                                        struct ratio *cost)
{
	const struct price *price = &offer->prices[index];
	struct calc calc = {false};
	struct ratio weight, things, periods;
	enum cost_status status = cost_price_weight(basis, price, &weight);

	if (status != COST_OK)
		return status;
	if (!counts_things(counts, price->unit, &things) ||
	    !periods_in(basis, price->unit, hours, &periods))
		return COST_WRONG_UNIT;
	things = calc_divide(&calc, things, ratio_of(price->unit.per_count));
	periods = calc_divide(&calc, periods, ratio_of(price->unit.period_count));
	*cost = calc_multiply(&calc, weight, calc_multiply(&calc, things, periods));
	return calc_status(&calc);
}

/* ---- Which price serves a slot ---- */

/* Which slot a price of TERM serves; -1 = none. */
static int slot_of(enum price_term term)
{
	switch (term) {
	case TERM_HOURLY:
	case TERM_SPOT:
		return SLOT_HOURLY;
	case TERM_MONTHLY:
		return SLOT_MONTH;
	case TERM_QUARTERLY:
		return SLOT_QUARTER;
	case TERM_YEARLY:
		return SLOT_YEAR;
	default:
		return -1;
	}
}

static int slot_months(enum term_slot slot)
{
	return slot == SLOT_YEAR ? 12 : slot == SLOT_QUARTER ? 3 : 1;
}

static struct ratio slot_hours(const struct cost_basis *basis,
                               const struct terms_question *question, enum term_slot slot)
{
	if (slot == SLOT_HOURLY)
		return question->hours_per_month;
	return ratio_of((int64_t)slot_months(slot) * basis->hours_per_month);
}

/* Whether PRICE is of the step of its term's ladder that the quantity reaches. */
static bool is_step_reached(const struct offer *offer, const struct price *price, int64_t quantity)
{
	if (price->min_quantity > quantity)
		return false;
	for (int i = 0; i < offer->price_count; i++) {
		const struct price *other = &offer->prices[i];

		if (other->item == price->item && other->term == price->term &&
		    other->min_quantity > price->min_quantity && other->min_quantity <= quantity)
			return false;
	}
	return true;
}

/* The cheapest price for each slot among the rows of the step that applies. A row in a unit that
 * cannot be counted here is passed over; the status of the last slot that has no other is kept. */
static enum cost_status choose_prices(const struct cost_basis *basis, const struct offer *offer,
                                      const struct terms_question *question, struct term_mix *mix)
{
	enum cost_status worst_of[TERM_SLOTS] = {COST_OK, COST_OK, COST_OK, COST_OK};
	enum cost_status worst = COST_OK;

	for (int slot = 0; slot < TERM_SLOTS; slot++)
		mix->price[slot] = -1;
	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];
		int slot = slot_of(price->term);
		struct ratio cost;

		if (price->item != question->item || slot < 0 ||
		    (question->terms & 1u << price->term) == 0 ||
		    !is_step_reached(offer, price, question->counts->ladder))
			continue;
		enum cost_status status =
		    price_for_hours(basis, offer, i, question->counts,
		                    slot_hours(basis, question, (enum term_slot)slot), &cost);

		if (status != COST_OK)
			worst_of[slot] = status;
		else if (mix->price[slot] < 0 || ratio_less(cost, mix->cost[slot])) {
			mix->price[slot] = i;
			mix->cost[slot] = cost;
		}
	}
	for (int slot = 0; slot < TERM_SLOTS; slot++)
		if (mix->price[slot] < 0 && worst_of[slot] != COST_OK)
			worst = worst_of[slot];
	return worst;
}

bool terms_slot_cost(const struct cost_basis *basis, const struct offer *offer,
                     const struct terms_question *question, enum term_slot slot, struct ratio *cost)
{
	struct term_mix mix;

	choose_prices(basis, offer, question, &mix);
	if (mix.price[slot] < 0)
		return false;
	*cost = mix.cost[slot];
	return true;
}

/* Nobody commits to more; it bounds the search whatever a sheet says of its minimum term. */
#define LONGEST_TERM_MONTHS 240

/* ---- How much of each: integers over one denominator ---- */

struct search {
	int128 cost[TERM_SLOTS]; /* numerators over a common denominator */
	bool has[TERM_SLOTS];
	int months;
	int min_months; /* of commitments together */
	bool found;
	bool failed;
	int128 best;
	int best_committed;
	int best_count[TERM_SLOTS];
};

/* The least common multiple of the denominators, step by step: common / den in lowest terms has the
 * denominator that is still missing. */
static bool common_denominator(const struct term_mix *mix, int128 *common)
{
	*common = 1;
	for (int slot = 0; slot < TERM_SLOTS; slot++) {
		struct ratio share;

		if (mix->price[slot] < 0)
			continue;
		struct ratio one = {1, mix->cost[slot].den};

		if (!ratio_multiply((struct ratio){*common, 1}, one, &share) ||
		    __builtin_mul_overflow(*common, share.den, common))
			return false;
	}
	return true;
}

static bool bring_to_one_denominator(const struct term_mix *mix, struct search *search)
{
	int128 common;

	if (!common_denominator(mix, &common))
		return false;
	for (int slot = 0; slot < TERM_SLOTS; slot++) {
		search->has[slot] = mix->price[slot] >= 0;
		if (search->has[slot] &&
		    __builtin_mul_overflow(mix->cost[slot].num, common / mix->cost[slot].den,
		                           &search->cost[slot]))
			return false;
	}
	return true;
}

static int at_least_zero(int value)
{
	return value > 0 ? value : 0;
}

/* Fewer yuan, then fewer committed months, then longer terms. */
static bool is_better(const struct search *search, int128 cost, int committed,
                      const int count[TERM_SLOTS])
{
	if (!search->found || cost != search->best)
		return !search->found || cost < search->best;
	if (committed != search->best_committed)
		return committed < search->best_committed;
	return count[SLOT_YEAR] != search->best_count[SLOT_YEAR]
	           ? count[SLOT_YEAR] > search->best_count[SLOT_YEAR]
	           : count[SLOT_QUARTER] > search->best_count[SLOT_QUARTER];
}

static void consider(struct search *search, int years, int quarters, int months)
{
	int committed = 12 * years + 3 * quarters + months;
	int hourly = at_least_zero(search->months - committed);
	int count[TERM_SLOTS] = {hourly, months, quarters, years};
	int128 cost = 0;

	if (committed > 0 && (committed < search->min_months || committed > LONGEST_TERM_MONTHS))
		return;
	for (int slot = 0; slot < TERM_SLOTS; slot++) {
		int128 part;

		if (count[slot] > 0 && !search->has[slot])
			return;
		if (__builtin_mul_overflow(search->cost[slot], count[slot], &part) ||
		    __builtin_add_overflow(cost, part, &cost)) {
			search->failed = true;
			return;
		}
	}
	if (!is_better(search, cost, committed, count))
		return;
	search->found = true;
	search->best = cost;
	search->best_committed = committed;
	for (int slot = 0; slot < TERM_SLOTS; slot++)
		search->best_count[slot] = count[slot];
}

/* With years and quarters fixed the cost is linear in months: only the ends can be cheapest. */
static void consider_months(struct search *search, int years, int quarters)
{
	int covered = 12 * years + 3 * quarters;

	consider(search, years, quarters, 0);
	if (!search->has[SLOT_MONTH])
		return;
	consider(search, years, quarters, at_least_zero(search->months - covered));
	consider(search, years, quarters, at_least_zero(search->min_months - covered));
}

static void search_mix(struct search *search)
{
	int to_cover = search->months > search->min_months ? search->months : search->min_months;

	if (to_cover > LONGEST_TERM_MONTHS)
		to_cover = LONGEST_TERM_MONTHS;
	int most_years = search->has[SLOT_YEAR] ? (to_cover + 11) / 12 : 0;

	for (int years = 0; years <= most_years; years++) {
		int rest = at_least_zero(to_cover - 12 * years);
		int most_quarters = search->has[SLOT_QUARTER] ? (rest + 2) / 3 : 0;

		for (int quarters = 0; quarters <= most_quarters; quarters++)
			consider_months(search, years, quarters);
	}
}

static enum cost_status total_of(struct term_mix *mix)
{
	struct calc calc = {false};

	mix->total = ratio_of(0);
	mix->paid_months = 0;
	for (int slot = 0; slot < TERM_SLOTS; slot++) {
		if (mix->count[slot] == 0)
			continue;
		mix->total =
		    calc_add(&calc, mix->total,
		             calc_multiply(&calc, mix->cost[slot], ratio_of(mix->count[slot])));
		mix->paid_months += mix->count[slot] * slot_months((enum term_slot)slot);
	}
	return calc_status(&calc);
}

/* The minimum term is of the thing that the offer is about: machines, cabinets, a line, storage. It
 * does not hold the addresses or the bandwidth beside them. */
static int minimum_term(const struct offer *offer, enum price_item item)
{
	return offer_main_item(offer->kind) == item ? offer->min_term_months : 0;
}

enum cost_status terms_mix(const struct cost_basis *basis, const struct offer *offer,
                           const struct terms_question *question, struct term_mix *mix)
{
	struct search search = {
	    .months = basis->months,
	    .min_months = minimum_term(offer, question->item),
	};
	enum cost_status worst = choose_prices(basis, offer, question, mix);

	if (!bring_to_one_denominator(mix, &search))
		return COST_OVERFLOW;
	search_mix(&search);
	if (!search.found)
		return search.failed ? COST_OVERFLOW : worst != COST_OK ? worst : COST_NO_PRICE;
	for (int slot = 0; slot < TERM_SLOTS; slot++)
		mix->count[slot] = search.best_count[slot];
	return total_of(mix);
}

/* ---- Lines ---- */

static enum cost_status add_slot(const struct cost_basis *basis, const struct offer *offer,
                                 const struct terms_question *question, const struct term_mix *mix,
                                 enum term_slot slot, enum cost_what what, struct bill *bill)
{
	int index = mix->price[slot];
	struct unit unit = offer->prices[index].unit;
	struct calc calc = {false};
	struct ratio hours =
	    calc_multiply(&calc, slot_hours(basis, question, slot), ratio_of(mix->count[slot]));
	struct ratio things, periods;

	if (calc.failed)
		return COST_OVERFLOW;
	if (!counts_things(question->counts, unit, &things) ||
	    !periods_in(basis, unit, hours, &periods))
		return COST_WRONG_UNIT;
	return bill_add_price(basis, offer, index, what, things, periods, bill);
}

enum cost_status terms_add(const struct cost_basis *basis, const struct offer *offer,
                           const struct terms_question *question, const struct term_mix *mix,
                           const enum cost_what whats[TERM_SLOTS], struct bill *bill)
{
	for (int slot = TERM_SLOTS - 1; slot >= 0; slot--) {
		if (mix->count[slot] == 0)
			continue;
		enum cost_status status =
		    add_slot(basis, offer, question, mix, (enum term_slot)slot, whats[slot], bill);

		if (status != COST_OK)
			return status;
	}
	if (mix->paid_months > basis->months)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_TERM_OVERRUN,
		                                               .x = ratio_of(mix->paid_months),
		                                               .y = ratio_of(basis->months)});
	return COST_OK;
}

/* ---- One-off prices ---- */

static bool applies_once(const struct offer *offer, int index, int64_t ladder)
{
	const struct price *price = &offer->prices[index];

	if (price->min_quantity > ladder)
		return false;
	for (int i = 0; i < offer->price_count; i++) {
		const struct price *other = &offer->prices[i];

		if (other->item == price->item && other->unit.per == price->unit.per &&
		    other->min_quantity <= ladder && other->min_quantity > price->min_quantity)
			return false;
	}
	return true;
}

/* Adds the exact cost of THINGS at price INDEX to TOTAL. */
static enum cost_status sum_once(const struct cost_basis *basis, const struct offer *offer,
                                 int index, struct ratio things, struct ratio *total)
{
	const struct price *price = &offer->prices[index];
	struct calc calc = {false};
	struct ratio weight;
	enum cost_status status = cost_price_weight(basis, price, &weight);

	if (status != COST_OK)
		return status;
	things = calc_divide(&calc, things, ratio_of(price->unit.per_count));
	*total = calc_add(&calc, *total, calc_multiply(&calc, things, weight));
	return calc_status(&calc);
}

/* So much per thing that nobody counted here: the sum is unknown. */
static enum cost_status leave_unknown(enum cost_what what, struct unit unit, struct bill *bill)
{
	struct cost_unknown unknown = {what, ratio_of(1), unit, -1};

	return bill == NULL ? COST_OK : bill_add_unknown(bill, unknown);
}

enum cost_status once_add(const struct cost_basis *basis, const struct offer *offer,
                          enum price_item item, enum cost_what what, const struct counts *counts,
                          struct bill *bill, struct ratio *total)
{
	enum cost_status status = COST_OK;

	for (int i = 0; i < offer->price_count && status == COST_OK; i++) {
		struct ratio things;

		if (offer->prices[i].item != item || !applies_once(offer, i, counts->ladder))
			continue;
		if (!counts_things(counts, offer->prices[i].unit, &things)) {
			status = leave_unknown(what, offer->prices[i].unit, bill);
			continue;
		}
		if (total != NULL)
			status = sum_once(basis, offer, i, things, total);
		if (bill != NULL && status == COST_OK)
			status = bill_add_price(basis, offer, i, what, things, ratio_of(1), bill);
	}
	return status;
}

enum cost_status deposit_add(const struct cost_basis *basis, const struct offer *offer,
                             const struct counts *counts, struct bill *bill, struct ratio *total)
{
	struct calc calc = {false};
	struct ratio deposit = ratio_of(0);
	struct ratio months = ratio_of(basis->months);
	enum cost_status status =
	    once_add(basis, offer, ITEM_DEPOSIT, COST_DEPOSIT, counts, bill, &deposit);

	if (status != COST_OK || ratio_is_zero(deposit))
		return status;
	struct ratio rate = cost_assume(basis, ASSUME_CAPITAL_RATE, bill);
	struct ratio month = calc_divide(&calc, calc_multiply(&calc, deposit, rate), ratio_of(12));

	if (total != NULL)
		*total = calc_add(&calc, *total, calc_multiply(&calc, month, months));
	if (calc.failed)
		return COST_OVERFLOW;
	if (bill == NULL || ratio_is_zero(rate))
		return COST_OK;
	return bill_add(
	    bill, (struct cost_line){
		      .account = cost_what_account(COST_DEPOSIT_CAPITAL),
		      .what = COST_DEPOSIT_CAPITAL,
		      .timing = NOT_PAID,
		      .is_cost = true,
		      .quantity = months,
		      .unit = {PER_NONE, 1, PERIOD_MONTH, 1},
		      .unit_price = month,
		      .formula = FORMULA_SHARE,
		      .factors = {deposit, rate, months},
		      .source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_CAPITAL_RATE},
		  });
}
