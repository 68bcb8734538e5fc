/* cost_extras.c - see cost_extras.h. */
#include "engine/cost_extras.h"

#include <assert.h>

#include "engine/cost_calc.h"
#include "engine/cost_shop.h"

const char *const service_tier_names[SERVICE_TIER_COUNT] = {"", "bare", "image", "managed"};

#define DAY_SECONDS 86400
#define MEGABITS_PER_GB 8000
#define MEGABITS_PER_TB 8000000
#define GB_PER_TB 1000

static const struct unit mbps_month = {PER_MBPS, 1, PERIOD_MONTH, 1};
static const struct unit gigabyte = {PER_GB, 1, PERIOD_ONCE, 1};

/* Things that are bought for an order. */
enum part {
	PART_PORT,
	PART_IPS,
	PART_STORAGE,
	PART_SERVICE,
	PARTS,
};

/* What is wanted, and where it may be bought besides where the cards stand. */
struct wanted {
	const struct network_need *network; /* NULL = service */
	int servers;
	const struct offer *side; /* NULL = nobody else sells it */
	unsigned from_side;       /* bits 1u << enum part: what may be bought there */
};

static const struct offer *seller_of(const struct wanted *wanted, enum part part)
{
	return (wanted->from_side >> part & 1) != 0 ? wanted->side : NULL;
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

/* What flows through, by the GB or the TB. */
static void try_traffic(struct shop *shop, struct calc *calc, struct ratio egress_gb)
{
	if (ratio_is_zero(egress_gb))
		return;
	try_metered(shop, ITEM_TRAFFIC, PER_GB, COST_TRAFFIC, egress_gb);
	try_metered(shop, ITEM_TRAFFIC, PER_TB, COST_TRAFFIC,
	            calc_divide(calc, egress_gb, ratio_of(GB_PER_TB)));
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
	try_traffic(&shop, &calc, need->egress_gb);
	if (calc.failed)
		return COST_OVERFLOW;
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
	try_traffic(&shop, &calc, need->egress_gb);
	if (calc.failed)
		return COST_OVERFLOW;
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
	counts_set(&counts, PER_GB, calc_multiply(&calc, tb, ratio_of(GB_PER_TB)));
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

	if (need->dedicated_mbps.num > 0)
		mbps = ratio_larger(mbps, need->dedicated_mbps);
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

/* ---- All of the network ---- */

static enum cost_status add_network(const struct cost_basis *basis, const struct offer *offer,
                                    const struct wanted *wanted, struct bill *bill)
{
	const struct network_need *need = wanted->network;
	const struct offer *port = seller_of(wanted, PART_PORT);
	enum cost_status status = COST_OK;

	if (!ratio_is_zero(need->public_mbps))
		status = add_port(basis, offer, port, need, bill);
	else if (!ratio_is_zero(need->egress_gb))
		status = add_egress(basis, offer, port, need, bill);
	if (status == COST_OK)
		status = add_addresses(basis, offer, seller_of(wanted, PART_IPS), need->ips, bill);
	if (status == COST_OK)
		status = add_storage(basis, offer, seller_of(wanted, PART_STORAGE),
		                     need->storage_tb, bill);
	flag_transfer(basis, offer, need, bill);
	return status;
}

/* ---- A leased line ---- */

/* What a seller takes once: to set it up, and as a deposit. */
static enum cost_status add_once(const struct cost_basis *basis, const struct offer *seller,
                                 const struct counts *counts, struct bill *bill)
{
	enum cost_status status =
	    once_add(basis, seller, ITEM_SETUP, COST_SETUP, counts, bill, NULL);

	return status == COST_OK ? deposit_add(basis, seller, counts, bill, NULL) : status;
}

enum cost_status cost_dedicated(const struct cost_basis *basis, const struct offer *line,
                                struct ratio mbps, struct bill *bill)
{
	struct shop shop = open_shop(basis, line, NULL);
	struct counts counts = counts_none();

	if (mbps.num <= 0)
		return COST_OK;
	if (!ratio_ceil(mbps, &counts.ladder))
		return COST_OVERFLOW;
	counts_set(&counts, PER_MBPS, mbps);
	try_terms(&shop, ITEM_BANDWIDTH, COST_DEDICATED, &counts);
	try_metered(&shop, ITEM_BANDWIDTH, PER_MBPS, COST_DEDICATED, mbps);
	enum cost_status status =
	    buy_or_unknown(&shop, ITEM_BANDWIDTH,
	                   (struct cost_unknown){COST_DEDICATED, mbps, mbps_month, -1}, bill);

	if (status != COST_OK || shop.best.offer == NULL)
		return status;
	return add_once(basis, line, &counts, bill);
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

static struct counts service_counts(const struct offer *offer, int servers)
{
	struct counts counts = counts_none();

	counts.ladder = servers;
	counts_set(&counts, PER_SERVER, ratio_of(servers));
	if (offer->cards_per_server > 0)
		counts_set(&counts, PER_CARD, ratio_of((int64_t)servers * offer->cards_per_server));
	return counts;
}

static enum cost_status add_service(const struct cost_basis *basis, const struct offer *offer,
                                    const struct offer *side, int servers, struct bill *bill)
{
	struct shop shop = open_shop(basis, offer, side);
	struct counts counts = service_counts(offer, servers);

	try_terms(&shop, ITEM_SERVICE, COST_SERVICE_MONTHLY, &counts);
	return buy_or_unknown(
	    &shop, ITEM_SERVICE,
	    (struct cost_unknown){
		COST_SERVICE_MONTHLY, ratio_of(servers), {PER_SERVER, 1, PERIOD_MONTH, 1}, -1},
	    bill);
}

/* ---- From the cards' own offer, or from another ---- */

/* Whether SELLER takes something once that BILL does not have yet. */
static bool takes_once(const struct offer *seller, const struct bill *bill)
{
	for (int i = 0; i < bill->line_count; i++)
		if (bill->lines[i].source.offer == seller &&
		    (bill->lines[i].what == COST_SETUP || bill->lines[i].what == COST_DEPOSIT))
			return false;
	for (int i = 0; i < seller->price_count; i++)
		if (seller->prices[i].item == ITEM_SETUP || seller->prices[i].item == ITEM_DEPOSIT)
			return true;
	return false;
}

/* What a bill has so far. */
struct bill_mark {
	int lines;
	int unknowns;
	int flags;
	uint64_t assumed;
};

static struct bill_mark mark_bill(const struct bill *bill)
{
	return (struct bill_mark){bill->line_count, bill->unknown_count, bill->flags.count,
	                          bill->assumed};
}

static void return_to(struct bill *bill, struct bill_mark mark)
{
	bill->line_count = mark.lines;
	bill->unknown_count = mark.unknowns;
	bill->flags.count = mark.flags;
	bill->assumed = mark.assumed;
}

/* Whether something since MARK is bought from SELLER. */
static bool buys_from(const struct bill *bill, struct bill_mark mark, const struct offer *seller)
{
	for (int i = mark.lines; i < bill->line_count; i++)
		if (bill->lines[i].source.offer == seller)
			return true;
	return false;
}

/* Yuan of what was added since MARK, with the VAT on it where that is a cost. */
static struct ratio cost_since(struct calc *calc, const struct cost_basis *basis,
                               const struct bill *bill, struct bill_mark mark)
{
	bool is_taxed = cost_vat_is_cost(basis, NULL);
	struct ratio total = ratio_of(0);

	for (int i = mark.lines; i < bill->line_count; i++) {
		const struct cost_line *line = &bill->lines[i];
		struct ratio amount = money_to_ratio(line->amount);

		if (!line->is_cost)
			continue;
		total = calc_add(calc, total, amount);
		if (is_taxed)
			total = calc_add(calc, total, calc_multiply(calc, amount, line->vat_rate));
	}
	return total;
}

static enum cost_status add_wanted(const struct cost_basis *basis, const struct offer *offer,
                                   const struct wanted *wanted, struct bill *bill)
{
	return wanted->network != NULL ? add_network(basis, offer, wanted, bill)
	                               : add_service(basis, offer, seller_of(wanted, PART_SERVICE),
	                                             wanted->servers, bill);
}

/* Mbps beyond what OFFER includes: of the port asked for, else of one for the month's traffic. */
static struct ratio missing_mbps(struct calc *calc, const struct cost_basis *basis,
                                 const struct offer *offer, const struct network_need *need)
{
	struct ratio mbps = ratio_is_zero(need->public_mbps)
	                        ? mean_mbps(calc, basis, need->egress_gb, NULL)
	                        : need->public_mbps;

	return not_negative(calc_subtract(calc, mbps, included_mbps(offer)));
}

/* What is counted where SIDE takes something once: what has been bought there since MARK. */
static bool count_bought(const struct cost_basis *basis, const struct offer *offer,
                         const struct wanted *wanted, const struct bill *bill,
                         struct bill_mark mark, struct counts *counts)
{
	const struct network_need *need = wanted->network;
	int ips = need->ips - (offer->ips_included > 0 ? offer->ips_included : 0);
	struct ratio of[PARTS] = {ratio_of(0), ratio_of(0), ratio_of(0)};
	struct calc calc = {false};

	for (int i = mark.lines; i < bill->line_count; i++) {
		if (bill->lines[i].source.offer != wanted->side)
			continue;
		if (bill->lines[i].what == COST_IP)
			of[PART_IPS] = ratio_of(ips);
		else if (bill->lines[i].what == COST_STORAGE)
			of[PART_STORAGE] = need->storage_tb;
		else
			of[PART_PORT] = missing_mbps(&calc, basis, offer, need);
	}
	*counts = counts_none();
	counts_set(counts, PER_MBPS, of[PART_PORT]);
	counts_set(counts, PER_IP, of[PART_IPS]);
	counts_set(counts, PER_TB, of[PART_STORAGE]);
	return !calc.failed &&
	       ratio_ceil(ratio_larger(ratio_larger(of[PART_PORT], of[PART_IPS]), of[PART_STORAGE]),
	                  &counts->ladder);
}

static enum cost_status add_with_once(const struct cost_basis *basis, const struct offer *offer,
                                      const struct wanted *wanted, struct bill *bill)
{
	struct bill_mark before = mark_bill(bill);
	enum cost_status status = add_wanted(basis, offer, wanted, bill);
	struct counts counts;

	if (status != COST_OK || !buys_from(bill, before, wanted->side))
		return status;
	if (wanted->network == NULL)
		counts = service_counts(offer, wanted->servers);
	else if (!count_bought(basis, offer, wanted, bill, before, &counts))
		return COST_OVERFLOW;
	return add_once(basis, wanted->side, &counts, bill);
}

static unsigned parts_of(const struct wanted *wanted)
{
	const struct network_need *need = wanted->network;

	if (need == NULL)
		return 1u << PART_SERVICE;
	return (unsigned)(need->public_mbps.num > 0 || need->egress_gb.num > 0) << PART_PORT |
	       (unsigned)(need->ips > 0) << PART_IPS |
	       (unsigned)(need->storage_tb.num > 0) << PART_STORAGE;
}

/* What adding WANTED comes to; BILL stays as it was. */
struct trial {
	enum cost_status status;
	int open;
	struct ratio cost;
};

static struct trial try_wanted(const struct cost_basis *basis, const struct offer *offer,
                               const struct wanted *wanted, struct bill *bill)
{
	struct bill_mark before = mark_bill(bill);
	struct trial trial = {.status = add_with_once(basis, offer, wanted, bill)};
	struct calc calc = {false};

	trial.open = bill->unknown_count;
	trial.cost = cost_since(&calc, basis, bill, before);
	if (calc.failed)
		trial.status = COST_OVERFLOW;
	return_to(bill, before);
	return trial;
}

static bool is_cheaper(const struct trial *a, const struct trial *b)
{
	if (a->status != COST_OK || b->status != COST_OK)
		return a->status == COST_OK && b->status != COST_OK;
	return a->open != b->open ? a->open < b->open : ratio_less(a->cost, b->cost);
}

/* Where SIDE takes nothing once, each thing is bought where it is cheapest. Else what it takes
 * comes with the first thing that is bought there, so every choice of those that may be is tried.
 */
static enum cost_status add_cheapest(const struct cost_basis *basis, const struct offer *offer,
                                     struct wanted wanted, struct bill *bill)
{
	unsigned all = parts_of(&wanted);
	unsigned best = all;

	wanted.from_side = all;
	if (wanted.side == NULL || !takes_once(wanted.side, bill))
		return add_wanted(basis, offer, &wanted, bill);
	struct trial least = try_wanted(basis, offer, &wanted, bill);

	/* All smaller subsets of the bits; where SIDE cannot be used, none of it is. */
	for (unsigned some = all; some != 0;) {
		some = least.status == COST_OK ? (some - 1) & all : 0;
		wanted.from_side = some;
		struct trial trial = try_wanted(basis, offer, &wanted, bill);

		if (is_cheaper(&trial, &least)) {
			least = trial;
			best = some;
		}
	}
	wanted.from_side = best;
	return add_with_once(basis, offer, &wanted, bill);
}

enum cost_status cost_network(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, const struct network_need *need,
                              struct bill *bill)
{
	return add_cheapest(basis, offer, (struct wanted){.network = need, .side = side}, bill);
}

enum cost_status cost_service(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, enum service_tier wanted, int servers,
                              struct bill *bill)
{
	if (wanted == SERVICE_UNSET)
		return COST_OK;
	if (wanted == SERVICE_BARE)
		return add_own_hours(basis, servers, bill);
	if (tier_of(offer) >= wanted)
		return COST_OK;
	return add_cheapest(basis, offer, (struct wanted){.servers = servers, .side = side}, bill);
}
