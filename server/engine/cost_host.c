/* cost_host.c - see cost_host.h. */
#include "engine/cost_host.h"

#include "engine/cost_calc.h"
#include "engine/cost_terms.h"

/* ---- A place for servers ---- */

static int height_of(const struct cost_basis *basis, const struct host_need *need,
                     struct bill *bill)
{
	int64_t height = need->server_u;

	if (height == 0 && !ratio_ceil(cost_assume(basis, ASSUME_SERVER_U, bill), &height))
		height = 1;
	return height > 0 ? (int)height : 1;
}

static int cabinet_height_of(const struct cost_basis *basis, const struct offer *offer,
                             struct bill *bill)
{
	int64_t height = offer->cabinet_u;

	if (height == 0 && !ratio_ceil(cost_assume(basis, ASSUME_CABINET_U, bill), &height))
		height = 1;
	return (int)height;
}

/* Cabinets for NEED; 0 with COST_OK when the cabinet's kW is not stated. */
static enum cost_status pack(const struct cost_basis *basis, const struct offer *offer,
                             const struct host_need *need, struct bill *bill,
                             struct packing *packing)
{
	*packing = (struct packing){.limit = PACKED_BY_POWER};
	if (offer->cabinet_watts == 0)
		return COST_OK;
	if (need->servers == 0) {
		packing->cabinets = cabinets_for_watts(need->server_watts, offer->cabinet_watts);
		packing->watts_unused =
		    packing->cabinets * offer->cabinet_watts - need->server_watts;
		return COST_OK;
	}
	*packing = packing_of(need->server_watts, height_of(basis, need, bill), need->servers,
	                      offer->cabinet_watts, cabinet_height_of(basis, offer, bill));
	return packing->per_cabinet > 0 ? COST_OK : COST_NO_CABINET;
}

static int64_t watts_of(const struct host_need *need)
{
	return need->servers > 0 ? need->server_watts * need->servers : need->server_watts;
}

/* What a cabinet fee can be counted by. */
static struct counts host_counts(const struct cost_basis *basis, const struct offer *offer,
                                 const struct host_need *need, int cabinets, struct bill *bill)
{
	struct counts counts = counts_none();
	int64_t watts = cabinets > 0 ? cabinets * offer->cabinet_watts : watts_of(need);

	counts_set(&counts, PER_KW, ratio_make(watts, 1000));
	counts_set(&counts, PER_AMPERE, ratio_make(watts, 220));
	if (cabinets > 0)
		counts_set(&counts, PER_CABINET, ratio_of(cabinets));
	if (need->servers > 0) {
		int64_t height = height_of(basis, need, bill);

		counts_set(&counts, PER_SERVER, ratio_of(need->servers));
		counts_set(&counts, PER_U, ratio_of(height * need->servers));
	}
	counts.ladder = cabinets > 0 ? cabinets : need->servers;
	return counts;
}

static enum cost_status add_cabinets(const struct cost_basis *basis, const struct offer *offer,
                                     const struct host_need *need, const struct counts *counts,
                                     struct bill *bill)
{
	/* A cabinet by the hour is not sold; its slot keeps the monthly name. */
	static const enum cost_what whats[TERM_SLOTS] = {COST_CABINET_MONTHLY, COST_CABINET_MONTHLY,
	                                                 COST_CABINET_QUARTERLY,
	                                                 COST_CABINET_YEARLY};
	struct terms_question question = {
	    .item = ITEM_CABINET,
	    .terms = need->terms,
	    .hours_per_month = ratio_of(basis->hours_per_month),
	    .counts = counts,
	};
	struct term_mix mix;
	enum cost_status status = terms_mix(basis, offer, &question, &mix);

	if (status == COST_WRONG_UNIT && offer->cabinet_watts == 0)
		return COST_NO_CABINET;
	if (status == COST_OK)
		status = terms_add(basis, offer, &question, &mix, whats, bill);
	if (status == COST_OK)
		status = once_add(basis, offer, ITEM_SETUP, COST_SETUP, counts, bill, NULL);
	if (status == COST_OK)
		status = deposit_add(basis, offer, counts, bill, NULL);
	return status;
}

enum cost_status cost_host(const struct cost_basis *basis, const struct offer *offer,
                           const struct host_need *need, const struct tariff *tariff,
                           const struct tariff_hours *hours, struct bill *bill,
                           struct packing *packing)
{
	struct packing own;
	struct packing *packed = packing != NULL ? packing : &own;
	struct power_load load = {
	    .kw = ratio_make(watts_of(need), 1000),
	    .schedule = need->schedule,
	    .pue_milli = offer->pue_milli,
	};
	enum cost_status status = pack(basis, offer, need, bill, packed);

	if (status != COST_OK)
		return status;
	struct counts counts = host_counts(basis, offer, need, packed->cabinets, bill);

	status = add_cabinets(basis, offer, need, &counts, bill);
	if (status != COST_OK)
		return status;
	return cost_power(basis, offer, &load, packed->cabinets, tariff, hours, bill);
}

/* ---- Buying ---- */

struct purchase {
	const struct cost_basis *basis;
	struct bill *bill;
	struct cost_source source;
	struct ratio price; /* all servers, on the basis */
	struct ratio vat_rate;
	struct ratio servers;
	struct ratio residual;
};

/* The price row that applies, cheapest in its step, and its cost for SERVERS. */
static enum cost_status choose_purchase(const struct cost_basis *basis, const struct offer *offer,
                                        const struct counts *counts, int *index)
{
	enum cost_status worst = COST_NO_PRICE;
	int32_t step = -1;
	struct ratio best = ratio_of(0);

	*index = -1;
	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];
		struct ratio weight, things, cost;

		if (price->item != ITEM_PURCHASE || price->min_quantity > counts->ladder)
			continue;
		enum cost_status status = cost_price_weight(basis, price, &weight);

		if (status == COST_OK && !counts_things(counts, price->unit, &things))
			status =
			    price->unit.per == PER_SERVER ? COST_WRONG_UNIT : COST_NO_SERVER_SIZE;
		if (status == COST_OK &&
		    (!ratio_multiply(things, weight, &cost) ||
		     !ratio_divide(cost, ratio_of(price->unit.per_count), &cost)))
			status = COST_OVERFLOW;
		if (status != COST_OK) {
			worst = status;
			continue;
		}
		if (price->min_quantity > step ||
		    (price->min_quantity == step && ratio_less(cost, best))) {
			*index = i;
			step = price->min_quantity;
			best = cost;
		}
	}
	return *index >= 0 ? COST_OK : worst;
}

static enum cost_status add_cash(const struct cost_basis *basis, const struct offer *offer,
                                 const struct counts *counts, struct purchase *purchase)
{
	int index;
	struct ratio things;
	enum cost_status status = choose_purchase(basis, offer, counts, &index);

	if (status != COST_OK)
		return status;
	if (!counts_things(counts, offer->prices[index].unit, &things))
		return COST_WRONG_UNIT;
	status = bill_add_price(basis, offer, index, COST_PURCHASE_CASH, things, ratio_of(1),
	                        purchase->bill);
	if (status != COST_OK)
		return status;
	const struct cost_line *line = &purchase->bill->lines[purchase->bill->line_count - 1];

	purchase->source = line->source;
	purchase->vat_rate = line->vat_rate;
	return ratio_multiply(line->quantity, line->unit_price, &purchase->price) ? COST_OK
	                                                                          : COST_OVERFLOW;
}

/* A cost that is so much per server and month; PER_MONTH is for all servers. */
static enum cost_status add_monthly(const struct purchase *purchase, struct cost_line line,
                                    struct ratio per_month, struct ratio months)
{
	struct calc calc = {false};

	line.account = cost_what_account(line.what);
	line.is_cost = true;
	line.quantity = calc_multiply(&calc, purchase->servers, months);
	line.unit = (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1};
	line.unit_price = calc_divide(&calc, per_month, purchase->servers);
	return calc.failed ? COST_OVERFLOW : bill_add(purchase->bill, line);
}

static enum cost_status add_depreciation(const struct purchase *purchase)
{
	struct calc calc = {false};
	struct ratio life = calc_multiply(
	    &calc, cost_assume(purchase->basis, ASSUME_LIFE_YEARS, purchase->bill), ratio_of(12));
	struct ratio months = ratio_of(purchase->basis->months);
	struct ratio lost = calc_multiply(&calc, purchase->price,
	                                  calc_subtract(&calc, ratio_of(1), purchase->residual));

	if (ratio_less(life, months))
		months = life;
	struct ratio per_month = calc_divide(&calc, lost, life);

	return calc.failed
	           ? COST_OVERFLOW
	           : add_monthly(purchase,
	                         (struct cost_line){
				     .what = COST_DEPRECIATION,
				     .timing = NOT_PAID,
				     .vat_rate = purchase->vat_rate,
				     .formula = FORMULA_DEPRECIATION,
				     .factors = {purchase->price, purchase->residual, life, months},
				     .source = purchase->source,
				 },
	                         per_month, months);
}

/* What is left of the price at the end of the project and nobody pays for. */
static enum cost_status add_write_off(const struct purchase *purchase)
{
	struct calc calc = {false};
	struct ratio life = calc_multiply(
	    &calc, cost_assume(purchase->basis, ASSUME_LIFE_YEARS, NULL), ratio_of(12));
	struct ratio months = ratio_of(purchase->basis->months);
	struct ratio left = ratio_larger(calc_subtract(&calc, life, months), ratio_of(0));
	struct ratio unworn =
	    calc_multiply(&calc, calc_subtract(&calc, ratio_of(1), purchase->residual),
	                  calc_divide(&calc, left, life));
	struct ratio book_value =
	    calc_multiply(&calc, purchase->price, calc_add(&calc, purchase->residual, unworn));

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_is_zero(book_value))
		return COST_OK;
	struct ratio recovered = cost_assume(purchase->basis, ASSUME_BOOK_VALUE, purchase->bill);
	struct ratio lost =
	    calc_multiply(&calc, book_value, calc_subtract(&calc, ratio_of(1), recovered));
	struct ratio each = calc_divide(&calc, lost, purchase->servers);

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_is_zero(lost))
		return COST_OK;
	return bill_add(purchase->bill,
	                (struct cost_line){
			    .account = cost_what_account(COST_WRITE_OFF),
			    .what = COST_WRITE_OFF,
			    .timing = NOT_PAID,
			    .is_cost = true,
			    .quantity = purchase->servers,
			    .unit = {PER_SERVER, 1, PERIOD_ONCE, 1},
			    .unit_price = each,
			    .vat_rate = purchase->vat_rate,
			    .formula = FORMULA_WRITE_OFF,
			    .factors = {purchase->price, purchase->residual, left, life, recovered},
			    .source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_BOOK_VALUE},
			});
}

static enum cost_status add_capital(const struct purchase *purchase)
{
	struct calc calc = {false};
	struct ratio rate = cost_assume(purchase->basis, ASSUME_CAPITAL_RATE, purchase->bill);
	struct ratio months = ratio_of(purchase->basis->months);
	struct ratio tied_up = calc_divide(
	    &calc,
	    calc_multiply(&calc, purchase->price, calc_add(&calc, ratio_of(1), purchase->residual)),
	    ratio_of(2));
	struct ratio per_month =
	    calc_divide(&calc, calc_multiply(&calc, tied_up, rate), ratio_of(12));

	return calc.failed
	           ? COST_OVERFLOW
	           : add_monthly(purchase,
	                         (struct cost_line){
				     .what = COST_CAPITAL,
				     .timing = NOT_PAID,
				     .formula = FORMULA_CAPITAL,
				     .factors = {purchase->price, purchase->residual, rate, months},
				     .source = {.kind = SOURCE_ASSUMPTION,
	                                        .assumption = ASSUME_CAPITAL_RATE},
				 },
	                         per_month, months);
}

static enum cost_status add_spares(const struct purchase *purchase)
{
	struct calc calc = {false};
	struct ratio share = cost_assume(purchase->basis, ASSUME_SPARES, purchase->bill);
	struct ratio months = ratio_of(purchase->basis->months);
	struct ratio per_month =
	    calc_divide(&calc, calc_multiply(&calc, purchase->price, share), ratio_of(12));

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_is_zero(share))
		return COST_OK;
	return add_monthly(purchase,
	                   (struct cost_line){
			       .what = COST_SPARES,
			       .timing = PAID_MONTHLY,
			       .vat_rate = purchase->vat_rate,
			       .formula = FORMULA_SHARE,
			       .factors = {purchase->price, share, months},
			       .source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_SPARES},
			   },
	                   per_month, months);
}

static enum cost_status add_maintenance(const struct purchase *purchase)
{
	struct calc calc = {false};
	struct ratio per_year = cost_assume(purchase->basis, ASSUME_MAINTENANCE, purchase->bill);
	struct ratio vat = cost_assume(purchase->basis, ASSUME_SERVICE_VAT, purchase->bill);
	struct ratio months = ratio_of(purchase->basis->months);

	if (purchase->basis->tax == TAX_INCLUDED)
		per_year = calc_multiply(&calc, per_year, calc_add(&calc, ratio_of(1), vat));
	struct ratio each = calc_divide(&calc, per_year, ratio_of(12));
	struct ratio per_month = calc_multiply(&calc, each, purchase->servers);

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_is_zero(per_year))
		return COST_OK;
	return add_monthly(
	    purchase,
	    (struct cost_line){
		.what = COST_MAINTENANCE,
		.timing = PAID_MONTHLY,
		.vat_rate = vat,
		.formula = FORMULA_FLAT,
		.factors = {purchase->servers, months, each},
		.source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_MAINTENANCE},
	    },
	    per_month, months);
}

enum cost_status cost_buy(const struct cost_basis *basis, const struct offer *offer, int servers,
                          struct bill *bill)
{
	struct purchase purchase = {.basis = basis, .bill = bill, .servers = ratio_of(servers)};
	struct counts counts = counts_none();

	counts.ladder = servers;
	counts_set(&counts, PER_SERVER, ratio_of(servers));
	if (offer->cards_per_server > 0)
		counts_set(&counts, PER_CARD, ratio_of((int64_t)servers * offer->cards_per_server));
	if (offer->servers_available >= 0 && servers > offer->servers_available)
		return COST_NO_STOCK;
	purchase.residual = cost_assume(basis, ASSUME_RESIDUAL, bill);
	enum cost_status status = add_cash(basis, offer, &counts, &purchase);

	if (status == COST_OK)
		status = add_depreciation(&purchase);
	if (status == COST_OK)
		status = add_write_off(&purchase);
	if (status == COST_OK)
		status = add_capital(&purchase);
	if (status == COST_OK)
		status = add_spares(&purchase);
	if (status == COST_OK)
		status = add_maintenance(&purchase);
	if (status == COST_OK)
		status = once_add(basis, offer, ITEM_SETUP, COST_SETUP, &counts, bill, NULL);
	if (status == COST_OK)
		status = deposit_add(basis, offer, &counts, bill, NULL);
	return status;
}

/* ---- Where buying and renting meet ---- */

enum cost_status break_even(const struct cost_basis *basis, const struct break_even_input *input,
                            struct ratio utilisation, struct bill *bill, struct break_even *result)
{
	struct calc calc = {false};
	struct ratio month_hours = ratio_of((int64_t)input->cards * basis->hours_per_month);
	struct ratio gain = calc_subtract(&calc, input->rent_card_hour, input->own_hour);
	struct ratio gain_at_full = calc_multiply(&calc, month_hours, gain);
	struct ratio saved = calc_subtract(&calc, calc_multiply(&calc, gain_at_full, utilisation),
	                                   input->own_cash_month);

	*result = (struct break_even){
	    .seed_rule = cost_assume(basis, ASSUME_SEED_BREAK_EVEN, bill),
	    .has_utilisation = ratio_compare(gain_at_full, ratio_of(0)) > 0,
	    .has_month = ratio_compare(saved, ratio_of(0)) > 0,
	    .utilisation = ratio_of(0),
	    .month = ratio_of(0),
	};
	if (result->has_utilisation)
		result->utilisation = calc_divide(&calc, input->own_fixed_month, gain_at_full);
	result->below_seed_rule =
	    result->has_utilisation && ratio_compare(result->utilisation, result->seed_rule) <= 0;
	if (!result->has_month)
		return calc_status(&calc);
	struct ratio life =
	    calc_multiply(&calc, cost_assume(basis, ASSUME_LIFE_YEARS, bill), ratio_of(12));

	result->month = calc_divide(&calc, input->purchase, saved);
	result->has_month = ratio_compare(result->month, life) <= 0;
	return calc_status(&calc);
}
