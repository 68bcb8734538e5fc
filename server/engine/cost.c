/* cost.c - see cost.h. */
#include "engine/cost.h"

#include <string.h>

#include "engine/cost_calc.h"

const char *const cost_status_names[COST_STATUS_COUNT] = {
    "ok",         "no_price",   "no_rate",  "no_server_size", "no_stock",
    "no_cabinet", "wrong_unit", "overflow", "too_many_lines"};
const char *const cost_account_names[COST_ACCOUNT_COUNT] = {
    "compute", "network_storage", "service", "power", "cabinet", "purchase", "tax", "one_off"};
const struct assumption cost_assumptions[ASSUMPTION_COUNT] = {
#define ASSUMPTION(code, name, num, den, least, most, unit, date, en, zh)                          \
	[code] = {name, {num, den}, least, most, unit, date, {en, zh}},
#include "engine/cost_assumptions.def"
#undef ASSUMPTION
};
_Static_assert(ASSUMPTION_COUNT <= 64, "bill.assumed has one bit for each");

const char *cost_what_name(enum cost_what what)
{
	static const char *const names[COST_WHAT_COUNT] = {
#define COST_WHAT(code, name, account) [code] = name,
#include "engine/cost_whats.def"
#undef COST_WHAT
	};
	return names[what];
}

enum cost_account cost_what_account(enum cost_what what)
{
	static const enum cost_account accounts[COST_WHAT_COUNT] = {
#define COST_WHAT(code, name, account) [code] = account,
#include "engine/cost_whats.def"
#undef COST_WHAT
	};
	return accounts[what];
}

const char *cost_flag_name(enum cost_flag_code code)
{
	static const char *const names[COST_FLAG_COUNT] = {
#define COST_FLAG(code, name) [code] = name,
#include "engine/cost_flags.def"
#undef COST_FLAG
	};
	return names[code];
}

/* A ratio that an initialiser left out is 0. */
static struct ratio settled(struct ratio value)
{
	return value.den == 0 ? ratio_of(0) : value;
}

void cost_flag_add(struct cost_flags *flags, struct cost_flag flag)
{
	for (int i = 0; i < flags->count; i++)
		if (flags->items[i].code == flag.code) {
			flags->items[i].items |= flag.items;
			return;
		}
	if (flags->count == COST_FLAGS_MAX)
		return;
	flag.x = settled(flag.x);
	flag.y = settled(flag.y);
	flag.z = settled(flag.z);
	flags->items[flags->count++] = flag;
}

const struct cost_flag *cost_flag_find(const struct cost_flags *flags, enum cost_flag_code code)
{
	for (int i = 0; i < flags->count; i++)
		if (flags->items[i].code == code)
			return &flags->items[i];
	return NULL;
}

struct cost_basis cost_basis_default(void)
{
	return (struct cost_basis){
	    .tax = TAX_EXCLUDED,
	    .hours_per_month = 720,
	    .today = DATE_NONE,
	    .start = DATE_NONE,
	    .months = 12,
	};
}

void cost_basis_give(struct cost_basis *basis, enum cost_assumption code, struct ratio value)
{
	basis->given[code] = value;
	basis->is_given[code] = true;
}

struct ratio cost_assume(const struct cost_basis *basis, enum cost_assumption code,
                         struct bill *bill)
{
	if (basis->is_given[code])
		return basis->given[code];
	if (bill != NULL)
		bill->assumed |= UINT64_C(1) << code;
	return cost_assumptions[code].value;
}

/* ---- Prices on the basis ---- */

static enum cost_assumption usual_vat(enum price_item item)
{
	switch (item) {
	case ITEM_PURCHASE:
		return ASSUME_GOODS_VAT;
	case ITEM_POWER:
		return ASSUME_POWER_VAT;
	case ITEM_COMPUTE:
	case ITEM_CABINET:
	case ITEM_BANDWIDTH:
	case ITEM_TRAFFIC:
	case ITEM_STORAGE:
	case ITEM_IP:
	case ITEM_SETUP:
	case ITEM_SERVICE:
	case ITEM_DEPOSIT:
	case ITEM_OVERAGE:
		return ASSUME_SERVICE_VAT;
	}
	return ASSUME_SERVICE_VAT;
}

static struct ratio vat_rate_of(const struct cost_basis *basis, const struct price *price,
                                struct bill *bill)
{
	if (price->item == ITEM_DEPOSIT)
		return ratio_of(0); /* money that comes back is no supply */
	if (price->tax_rate_bp >= 0)
		return ratio_make(price->tax_rate_bp, 10000);
	return cost_assume(basis, usual_vat(price->item), bill);
}

static struct ratio tax_factor_of(struct calc *calc, enum tax_basis quoted, enum tax_basis wanted,
                                  struct ratio rate)
{
	bool is_included = quoted == TAX_INCLUDED; /* unknown counts as excluded: never too cheap */
	bool want_included = wanted == TAX_INCLUDED;

	if (is_included == want_included)
		return ratio_of(1);
	struct ratio gross = calc_add(calc, ratio_of(1), rate);

	return want_included ? gross : calc_divide(calc, ratio_of(1), gross);
}

static bool rate_of(const struct cost_basis *basis, const char *currency, struct ratio *cny)
{
	if (strcmp(currency, "CNY") == 0) {
		*cny = ratio_of(1);
		return true;
	}
	for (int i = 0; i < basis->fx_count; i++)
		if (strcmp(basis->fx[i].currency, currency) == 0) {
			*cny = money_to_ratio(basis->fx[i].per_unit);
			return true;
		}
	return false;
}

enum cost_status cost_price_on_basis(const struct cost_basis *basis, const struct price *price,
                                     struct bill *bill, struct basis_price *result)
{
	struct calc calc = {false};
	struct ratio amount = money_to_ratio(price->amount);

	if (!rate_of(basis, price->currency, &result->fx))
		return COST_NO_RATE;
	result->vat_rate = vat_rate_of(basis, price, bill);
	result->tax_factor = tax_factor_of(&calc, price->tax, basis->tax, result->vat_rate);
	result->net =
	    calc_multiply(&calc, calc_multiply(&calc, amount, result->tax_factor), result->fx);
	if (bill != NULL && price->tax == TAX_UNKNOWN && !ratio_is_zero(result->vat_rate))
		cost_flag_add(&bill->flags,
		              (struct cost_flag){.code = FLAG_TAX_UNKNOWN, .x = result->vat_rate});
	return calc_status(&calc);
}

bool cost_vat_is_cost(const struct cost_basis *basis, struct bill *bill)
{
	return basis->tax != TAX_INCLUDED &&
	       ratio_is_zero(cost_assume(basis, ASSUME_VAT_DEDUCTIBLE, bill));
}

enum cost_status cost_price_weight(const struct cost_basis *basis, const struct price *price,
                                   struct ratio *weight)
{
	struct calc calc = {false};
	struct basis_price on_basis;
	enum cost_status status = cost_price_on_basis(basis, price, NULL, &on_basis);

	if (status != COST_OK)
		return status;
	struct ratio vat = cost_vat_is_cost(basis, NULL) ? on_basis.vat_rate : ratio_of(0);

	*weight = calc_multiply(&calc, on_basis.net, calc_add(&calc, ratio_of(1), vat));
	return calc_status(&calc);
}

/* ---- The bill while it is made ---- */

void bill_start(struct bill *bill)
{
	memset(bill, 0, offsetof(struct bill, flags));
	bill->flags.count = 0;
}

enum cost_status bill_add(struct bill *bill, struct cost_line line)
{
	struct ratio amount;

	if (bill->line_count == BILL_LINES_MAX)
		return COST_TOO_MANY_LINES;
	if (!ratio_multiply(line.quantity, line.unit_price, &amount) ||
	    !money_line(amount, &line.amount) ||
	    !money_from_ratio(line.unit_price, &line.unit_price_shown))
		return COST_OVERFLOW;
	line.vat_rate = settled(line.vat_rate);
	for (int i = 0; i < COST_FACTORS; i++)
		line.factors[i] = settled(line.factors[i]);
	bill->lines[bill->line_count++] = line;
	return COST_OK;
}

static enum cost_timing timing_of(enum cost_what what)
{
	bool before = what == COST_PURCHASE_CASH || what == COST_SETUP || what == COST_DEPOSIT;

	return before ? PAID_UPFRONT : PAID_MONTHLY;
}

enum cost_status bill_add_price(const struct cost_basis *basis, const struct offer *offer,
                                int index, enum cost_what what, struct ratio things,
                                struct ratio periods, struct bill *bill)
{
	const struct price *price = &offer->prices[index];
	struct basis_price on_basis;
	struct calc calc = {false};
	enum cost_status status = cost_price_on_basis(basis, price, bill, &on_basis);

	if (status != COST_OK)
		return status;
	things = calc_divide(&calc, things, ratio_of(price->unit.per_count));
	if (price->unit.period != PERIOD_ONCE)
		periods = calc_divide(&calc, periods, ratio_of(price->unit.period_count));
	struct cost_line line = {
	    .account = cost_what_account(what),
	    .what = what,
	    .timing = timing_of(what),
	    .is_cost = what != COST_DEPOSIT && what != COST_PURCHASE_CASH,
	    .quantity = calc_multiply(&calc, things, periods),
	    .unit = price->unit,
	    .unit_price = on_basis.net,
	    .vat_rate = on_basis.vat_rate,
	    .formula = FORMULA_PRICE,
	    .factors = {money_to_ratio(price->amount), on_basis.tax_factor, on_basis.fx, things,
	                periods},
	    .source = {.kind = SOURCE_OFFER, .offer = offer, .price = index},
	};
	return calc.failed ? COST_OVERFLOW : bill_add(bill, line);
}

static bool unit_equal(struct unit a, struct unit b)
{
	return a.per == b.per && a.per_count == b.per_count && a.period == b.period &&
	       a.period_count == b.period_count;
}

enum cost_status bill_add_unknown(struct bill *bill, struct cost_unknown unknown)
{
	for (int i = 0; i < bill->unknown_count; i++) {
		struct cost_unknown *known = &bill->unknowns[i];

		if (known->what == unknown.what && known->band == unknown.band &&
		    unit_equal(known->unit, unknown.unit))
			return ratio_add(known->quantity, unknown.quantity, &known->quantity)
			           ? COST_OK
			           : COST_OVERFLOW;
	}
	if (bill->unknown_count == BILL_UNKNOWNS_MAX)
		return COST_TOO_MANY_LINES;
	bill->unknowns[bill->unknown_count++] = unknown;
	return COST_OK;
}

/* ---- The bill when it is finished ---- */

/* Whether line INDEX is the first cost line with its VAT rate, and that rate is not zero. */
static bool opens_rate(const struct bill *bill, int index)
{
	const struct cost_line *line = &bill->lines[index];

	if (!line->is_cost || ratio_is_zero(line->vat_rate))
		return false;
	for (int i = 0; i < index; i++)
		if (bill->lines[i].is_cost &&
		    ratio_compare(bill->lines[i].vat_rate, line->vat_rate) == 0)
			return false;
	return true;
}

/* Sum of the cost lines with this rate, exact. */
static bool sum_of_rate(const struct bill *bill, struct ratio rate, struct money *sum)
{
	*sum = money_zero();
	for (int i = 0; i < bill->line_count; i++)
		if (bill->lines[i].is_cost && ratio_compare(bill->lines[i].vat_rate, rate) == 0 &&
		    !money_add(*sum, bill->lines[i].amount, sum))
			return false;
	return true;
}

static enum cost_status add_tax_line(struct bill *bill, struct ratio net, struct ratio rate)
{
	return bill_add(bill, (struct cost_line){
				  .account = ACCOUNT_TAX,
				  .what = COST_VAT,
				  .timing = NOT_PAID, /* see add_paid_tax() */
				  .is_cost = true,
				  .quantity = net,
				  .unit = {PER_NONE, 1, PERIOD_ONCE, 1},
				  .unit_price = rate,
				  .vat_rate = ratio_of(0),
				  .formula = FORMULA_TAX,
				  .factors = {net, rate},
				  .source = {.kind = SOURCE_BILL},
			      });
}

/* VAT of the cost lines, rate by rate; on the excluded basis also as lines if it stays a cost. */
static enum cost_status finish_tax(const struct cost_basis *basis, struct bill *bill)
{
	bool included = basis->tax == TAX_INCLUDED;
	bool is_cost = cost_vat_is_cost(basis, bill);
	int count = bill->line_count;

	bill->vat = money_zero();
	if (bill->sums_only && !is_cost)
		return COST_OK;
	for (int i = 0; i < count; i++) {
		struct ratio rate = bill->lines[i].vat_rate;
		struct calc calc = {false};
		struct money sum, vat;

		if (!opens_rate(bill, i))
			continue;
		if (!sum_of_rate(bill, rate, &sum))
			return COST_OVERFLOW;
		struct ratio tax = calc_multiply(&calc, money_to_ratio(sum), rate);

		if (included)
			tax = calc_divide(&calc, tax, calc_add(&calc, ratio_of(1), rate));
		if (calc.failed || !money_line(tax, &vat) || !money_add(bill->vat, vat, &bill->vat))
			return COST_OVERFLOW;
		enum cost_status status =
		    is_cost ? add_tax_line(bill, money_to_ratio(sum), rate) : COST_OK;
		if (status != COST_OK)
			return status;
	}
	return COST_OK;
}

static bool add_to_totals(const struct cost_line *line, struct bill *bill)
{
	struct money *account = &bill->accounts[line->account];

	if (line->is_cost && (!money_add(*account, line->amount, account) ||
	                      !money_add(bill->total, line->amount, &bill->total)))
		return false;
	if (line->timing == PAID_UPFRONT && !money_add(bill->upfront, line->amount, &bill->upfront))
		return false;
	if (line->what == COST_DEPOSIT && !money_add(bill->deposit, line->amount, &bill->deposit))
		return false;
	return line->timing != PAID_MONTHLY ||
	       money_add(bill->paid_later, line->amount, &bill->paid_later);
}

/* Adds the VAT on what is paid at TIMING, each rate rounded once. */
static bool add_paid_tax(const struct bill *bill, enum cost_timing timing, struct money *paid)
{
	bool done[BILL_LINES_MAX] = {false};

	for (int i = 0; i < bill->line_count; i++) {
		struct ratio rate = bill->lines[i].vat_rate, tax;
		struct money sum = money_zero(), vat;

		for (int j = i; j < bill->line_count; j++) {
			const struct cost_line *line = &bill->lines[j];

			if (done[j] || line->timing != timing ||
			    ratio_compare(line->vat_rate, rate) != 0)
				continue;
			done[j] = true;
			if (!money_add(sum, line->amount, &sum))
				return false;
		}
		if (!ratio_multiply(money_to_ratio(sum), rate, &tax) || !money_line(tax, &vat) ||
		    !money_add(*paid, vat, paid))
			return false;
	}
	return true;
}

static bool divide_money(struct money amount, struct ratio by, int decimals, struct money *result)
{
	struct ratio share;

	return ratio_divide(money_to_ratio(amount), by, &share) &&
	       (decimals == 2 ? money_line(share, result) : money_from_ratio(share, result));
}

enum cost_status bill_finish(const struct cost_basis *basis, struct ratio card_hours,
                             struct bill *bill)
{
	enum cost_status status = finish_tax(basis, bill);

	if (status != COST_OK)
		return status;
	for (int account = 0; account < COST_ACCOUNT_COUNT; account++)
		bill->accounts[account] = money_zero();
	bill->total = bill->upfront = bill->deposit = bill->paid_later = money_zero();
	for (int i = 0; i < bill->line_count; i++)
		if (!add_to_totals(&bill->lines[i], bill))
			return COST_OVERFLOW;
	if (cost_vat_is_cost(basis, NULL) && (!add_paid_tax(bill, PAID_UPFRONT, &bill->upfront) ||
	                                      !add_paid_tax(bill, PAID_MONTHLY, &bill->paid_later)))
		return COST_OVERFLOW;
	if (bill->sums_only)
		return COST_OK;
	if (!divide_money(bill->paid_later, ratio_of(basis->months), 2, &bill->paid_per_month) ||
	    !divide_money(bill->total, ratio_of(basis->months), 2, &bill->per_month))
		return COST_OVERFLOW;
	bill->has_per_card_hour = !ratio_is_zero(card_hours);
	if (bill->has_per_card_hour &&
	    !divide_money(bill->total, card_hours, 6, &bill->per_card_hour))
		return COST_OVERFLOW;
	return COST_OK;
}
