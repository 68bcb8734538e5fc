/* cost_extras.c - see cost_extras.h. */
#include "engine/cost_extras.h"

#include <assert.h>

#include "engine/cost_calc.h"
#include "engine/cost_rent.h"
#include "engine/cost_terms.h"

const char *const service_tier_names[SERVICE_TIER_COUNT] = {"", "bare", "image", "managed"};

#define DAY_SECONDS 86400
#define MEGABITS_PER_GB 8000
#define MEGABITS_PER_TB 8000000

static const struct unit mbps_month = {PER_MBPS, 1, PERIOD_MONTH, 1};
static const struct unit gigabyte = {PER_GB, 1, PERIOD_ONCE, 1};

/* One way to buy something: an offer and its cheapest mix, or a metered price. */
struct way {
	const struct offer *offer; /* NULL = none found */
	enum cost_what what;
	struct ratio total;
	struct term_mix mix; /* of committed prices */
	int price;           /* of a metered price; -1 = mix */
	struct counts counts;
	struct ratio things; /* of a metered price, per month */
};

struct shop {
	const struct cost_basis *basis;
	const struct offer *offers[2]; /* where the cards stand, then the side offer */
	struct way best;
	enum cost_status refused; /* a currency or an amount that could not be used */
};

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

/* Committed prices of ITEM in both offers. */
static void try_terms(struct shop *shop, enum price_item item, enum cost_what what,
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

/* Metered prices of ITEM: THINGS of PER each month. */
static void try_metered(struct shop *shop, enum price_item item, enum per per, enum cost_what what,
                        struct ratio things)
{
	for (int i = 0; i < 2; i++) {
		const struct offer *offer = shop->offers[i];

		for (int p = 0; offer != NULL && p < offer->price_count; p++) {
			struct way way = {
			    .offer = offer, .what = what, .price = p, .things = things};

			if (!is_metered(&offer->prices[p], item, per))
				continue;
			enum cost_status status =
			    metered_total(shop->basis, &offer->prices[p], things, &way.total);

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

static enum cost_status buy_or_unknown(struct shop *shop, enum price_item item,
                                       struct cost_unknown unknown, struct bill *bill)
{
	if (shop->best.offer != NULL)
		return buy_best(shop, item, bill);
	return shop->refused != COST_OK ? shop->refused : bill_add_unknown(bill, unknown);
}

static struct shop open_shop(const struct cost_basis *basis, const struct offer *offer,
                             const struct offer *side)
{
	return (struct shop){
	    .basis = basis, .offers = {offer, side}, .best = {.offer = NULL}, .refused = COST_OK};
}

/* ---- Bandwidth and traffic ---- */

static struct ratio not_negative(struct ratio value)
{
	return ratio_larger(value, ratio_of(0));
}

static struct ratio included_mbps(const struct offer *offer)
{
	return ratio_of(offer->mbps_included > 0 ? offer->mbps_included : 0);
}

/* Mbps that would carry the month's egress if it flowed evenly at the usual efficiency. */
static struct ratio mean_mbps(struct calc *calc, const struct cost_basis *basis,
                              struct ratio egress_gb, struct bill *bill)
{
	struct ratio megabits = calc_multiply(calc, egress_gb, ratio_of(MEGABITS_PER_GB));
	struct ratio seconds = calc_multiply(calc, ratio_of((int64_t)basis->hours_per_month * 3600),
	                                     cost_assume(basis, ASSUME_TRANSFER, bill));

	return calc_divide(calc, megabits, seconds);
}

static void try_port(struct shop *shop, struct ratio mbps)
{
	struct counts counts = counts_none();

	if (!ratio_ceil(mbps, &counts.ladder))
		return;
	counts_set(&counts, PER_MBPS, mbps);
	try_terms(shop, ITEM_BANDWIDTH, COST_BANDWIDTH, &counts);
}

static void flag_included(int included, struct bill *bill)
{
	if (included > 0)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_INCLUDED_ONCE,
		                                               .x = ratio_of(included)});
}

/* A port of so many Mbps: fixed, by its 95th percentile, or by what flows through it. */
static enum cost_status add_port(const struct cost_basis *basis, const struct offer *offer,
                                 const struct offer *side, const struct network_need *need,
                                 struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct calc calc = {false};
	struct ratio included = included_mbps(offer);
	struct ratio asked_95 = ratio_is_zero(need->mbps_95) ? need->public_mbps : need->mbps_95;
	struct ratio missing = calc_subtract(&calc, need->public_mbps, included);
	struct ratio missing_95 = not_negative(calc_subtract(&calc, asked_95, included));

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_compare(missing, ratio_of(0)) <= 0)
		return COST_OK;
	flag_included(offer->mbps_included, bill);
	try_port(&shop, missing);
	try_metered(&shop, ITEM_BANDWIDTH, PER_MBPS, COST_BANDWIDTH_95, missing_95);
	if (!ratio_is_zero(need->egress_gb))
		try_metered(&shop, ITEM_TRAFFIC, PER_GB, COST_TRAFFIC, need->egress_gb);
	return buy_or_unknown(&shop, ITEM_BANDWIDTH,
	                      (struct cost_unknown){COST_BANDWIDTH, missing, mbps_month, -1}, bill);
}

/* So many GB a month without a port asked for: by the GB, or a port for the mean. */
static enum cost_status add_egress(const struct cost_basis *basis, const struct offer *offer,
                                   const struct offer *side, const struct network_need *need,
                                   struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct calc calc = {false};
	struct ratio mean = mean_mbps(&calc, basis, need->egress_gb, bill);
	struct ratio missing = calc_subtract(&calc, mean, included_mbps(offer));

	if (calc.failed)
		return COST_OVERFLOW;
	if (ratio_compare(missing, ratio_of(0)) <= 0)
		return COST_OK;
	try_metered(&shop, ITEM_TRAFFIC, PER_GB, COST_TRAFFIC, need->egress_gb);
	if (shop.best.offer == NULL) {
		try_port(&shop, missing);
		cost_flag_add(&bill->flags,
		              (struct cost_flag){.code = FLAG_PEAK_NOT_COVERED, .x = mean});
	}
	return buy_or_unknown(&shop, ITEM_BANDWIDTH,
	                      (struct cost_unknown){COST_TRAFFIC, need->egress_gb, gigabyte, -1},
	                      bill);
}

/* ---- Addresses and storage ---- */

static enum cost_status add_addresses(const struct cost_basis *basis, const struct offer *offer,
                                      const struct offer *side, int ips, struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct counts counts = counts_none();
	int missing = ips - (offer->ips_included > 0 ? offer->ips_included : 0);

	if (missing <= 0)
		return COST_OK;
	counts.ladder = missing;
	counts_set(&counts, PER_IP, ratio_of(missing));
	try_terms(&shop, ITEM_IP, COST_IP, &counts);
	return buy_or_unknown(
	    &shop, ITEM_IP,
	    (struct cost_unknown){COST_IP, ratio_of(missing), {PER_IP, 1, PERIOD_MONTH, 1}, -1},
	    bill);
}

static enum cost_status add_storage(const struct cost_basis *basis, const struct offer *offer,
                                    const struct offer *side, struct ratio tb, struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct counts counts = counts_none();
	struct calc calc = {false};

	if (ratio_is_zero(tb))
		return COST_OK;
	if (!ratio_ceil(tb, &counts.ladder))
		return COST_OVERFLOW;
	counts_set(&counts, PER_TB, tb);
	counts_set(&counts, PER_GB, calc_multiply(&calc, tb, ratio_of(1000)));
	if (calc.failed)
		return COST_OVERFLOW;
	try_terms(&shop, ITEM_STORAGE, COST_STORAGE, &counts);
	return buy_or_unknown(
	    &shop, ITEM_STORAGE,
	    (struct cost_unknown){COST_STORAGE, tb, {PER_TB, 1, PERIOD_MONTH, 1}, -1}, bill);
}

bool transfer_seconds(struct ratio tb, struct ratio mbps, struct ratio efficiency,
                      struct ratio *seconds)
{
	struct calc calc = {false};
	struct ratio megabits = calc_multiply(&calc, tb, ratio_of(MEGABITS_PER_TB));
	struct ratio result = calc_divide(&calc, megabits, calc_multiply(&calc, mbps, efficiency));

	if (!calc.failed)
		*seconds = result;
	return !calc.failed;
}

static void flag_transfer(const struct cost_basis *basis, const struct offer *offer,
                          const struct network_need *need, struct bill *bill)
{
	struct ratio mbps = ratio_larger(need->public_mbps, included_mbps(offer));
	struct ratio seconds;

	if (ratio_is_zero(need->dataset_tb_in) || ratio_is_zero(mbps) ||
	    !transfer_seconds(need->dataset_tb_in, mbps, cost_assume(basis, ASSUME_TRANSFER, bill),
	                      &seconds))
		return;
	if (ratio_less(ratio_of(DAY_SECONDS), seconds))
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_SLOW_TRANSFER,
		                                               .x = seconds,
		                                               .y = need->dataset_tb_in,
		                                               .z = mbps});
}

enum cost_status cost_network(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, const struct network_need *need,
                              struct bill *bill)
{
	enum cost_status status = COST_OK;

	if (!ratio_is_zero(need->public_mbps))
		status = add_port(basis, offer, side, need, bill);
	else if (!ratio_is_zero(need->egress_gb))
		status = add_egress(basis, offer, side, need, bill);
	if (status == COST_OK)
		status = add_addresses(basis, offer, side, need->ips, bill);
	if (status == COST_OK)
		status = add_storage(basis, offer, side, need->storage_tb, bill);
	flag_transfer(basis, offer, need, bill);
	return status;
}

/* ---- Ports: 95th percentile, part of a month ---- */

/* Shell sort, largest first (gaps halved): the C library's qsort() may allocate. */
static void sort_down(int64_t *samples, int count)
{
	for (int gap = count / 2; gap > 0; gap /= 2)
		for (int i = gap; i < count; i++) {
			int64_t sample = samples[i];
			int place = i;

			for (; place >= gap && samples[place - gap] < sample; place -= gap)
				samples[place] = samples[place - gap];
			samples[place] = sample;
		}
}

int64_t percentile_95(int64_t *samples, int count)
{
	assert(count > 0);
	sort_down(samples, count);
	return samples[(int64_t)count * 5 / 100];
}

enum cost_status port_part_month(struct ratio mbps, struct ratio per_mbps_month, int days,
                                 int days_in_month, struct money *amount)
{
	struct calc calc = {false};
	struct ratio whole = calc_multiply(&calc, mbps, per_mbps_month);
	struct ratio part = calc_multiply(&calc, whole, ratio_make(days, days_in_month));

	return !calc.failed && money_line(part, amount) ? COST_OK : COST_OVERFLOW;
}

/* ---- Service ---- */

static enum cost_status add_own_hours(const struct cost_basis *basis, int servers,
                                      struct bill *bill)
{
	struct calc calc = {false};
	struct ratio hours = cost_assume(basis, ASSUME_OWN_HOURS, bill);
	struct ratio each = cost_assume(basis, ASSUME_OWN_HOUR_COST, bill);
	struct ratio server_months = ratio_of((int64_t)servers * basis->months);
	struct ratio per_month = calc_multiply(&calc, hours, each);

	if (!basis->is_given[ASSUME_OWN_HOURS] || !basis->is_given[ASSUME_OWN_HOUR_COST]) {
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_OWN_HOURS_NOT_PRICED});
		return COST_OK;
	}
	if (calc.failed)
		return COST_OVERFLOW;
	return bill_add(
	    bill, (struct cost_line){
		      .account = ACCOUNT_SERVICE,
		      .what = COST_OWN_OPERATION,
		      .timing = PAID_MONTHLY,
		      .is_cost = true,
		      .quantity = server_months,
		      .unit = {PER_SERVER, 1, PERIOD_MONTH, 1},
		      .unit_price = per_month,
		      .formula = FORMULA_FLAT,
		      .factors = {ratio_of(servers), ratio_of(basis->months), hours, each},
		      .source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_OWN_HOUR_COST},
		  });
}

static enum service_tier tier_of(const struct offer *offer)
{
	int index = offer->service_tier == NULL
	                ? -1
	                : name_index(offer->service_tier, service_tier_names, SERVICE_TIER_COUNT);

	return index < 0 ? SERVICE_UNSET : (enum service_tier)index;
}

enum cost_status cost_service(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, enum service_tier wanted, int servers,
                              struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct counts counts = counts_none();

	if (wanted == SERVICE_UNSET)
		return COST_OK;
	if (wanted == SERVICE_BARE)
		return add_own_hours(basis, servers, bill);
	if (tier_of(offer) >= wanted)
		return COST_OK;
	counts.ladder = servers;
	counts_set(&counts, PER_SERVER, ratio_of(servers));
	if (offer->cards_per_server > 0)
		counts_set(&counts, PER_CARD, ratio_of((int64_t)servers * offer->cards_per_server));
	try_terms(&shop, ITEM_SERVICE, COST_SERVICE_MONTHLY, &counts);
	return buy_or_unknown(
	    &shop, ITEM_SERVICE,
	    (struct cost_unknown){
		COST_SERVICE_MONTHLY, ratio_of(servers), {PER_SERVER, 1, PERIOD_MONTH, 1}, -1},
	    bill);
}
