/* plan_price.c - the bill of one pick; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"
#include "offer/reference.h"

#define CABINET_TERMS (1u << TERM_MONTHLY | 1u << TERM_QUARTERLY | 1u << TERM_YEARLY)

void *plan_take(struct plan_memory *memory, size_t count, size_t size)
{
	size_t bytes;
	size_t at = (memory->used + 15) & ~(size_t)15;

	if (__builtin_mul_overflow(count, size, &bytes) || at > memory->size ||
	    bytes > memory->size - at) {
		memory->too_small = true;
		return NULL;
	}
	memory->used = at + bytes;
	return (char *)memory->block + at;
}

const struct offer *work_offer(struct plan_work *work, size_t position, struct expanded *into)
{
	if (into->position != position)
		work->source->offer(work->source->context, position, &into->offer, into->prices);
	into->position = position;
	return &into->offer;
}

enum plan_reason reason_of_status(enum cost_status status)
{
	switch (status) {
	case COST_OK:
		return REASON_DEARER;
	case COST_NO_PRICE:
	case COST_NO_RATE:
		return REASON_NO_PRICE;
	case COST_NO_SERVER_SIZE:
		return REASON_UNKNOWN_CARD;
	case COST_NO_STOCK:
		return REASON_STOCK;
	case COST_NO_CABINET:
		return REASON_CABINET_POWER;
	case COST_WRONG_UNIT:
	case COST_OVERFLOW:
	case COST_TOO_MANY_LINES:
		return REASON_NOT_COSTED;
	}
	return REASON_NOT_COSTED;
}

/* ---- Network, storage, service ---- */

static bool needs_network(const struct network_need *need)
{
	return needs_public(need) || need->dataset_tb_in.num > 0;
}

static const struct offer *side_offer(struct plan_work *work, int64_t position,
                                      struct expanded *into)
{
	return position < 0 ? NULL : work_offer(work, (size_t)position, into);
}

/* Appends network, storage and a leased line for an offer in CITY. */
static enum cost_status price_network(struct plan_work *work, const struct offer *offer,
                                      enum city city)
{
	const struct network_need *need = &work->spec->network;
	enum cost_status status = COST_OK;

	if (needs_network(need)) {
		struct network_need part = network_part(need);

		status =
		    cost_network(&work->basis, offer,
		                 side_offer(work, work->seller, &work->network), &part, work->bill);
	}
	if (status == COST_OK && need->storage_tb.num > 0) {
		struct network_need part = storage_part(need);

		status = cost_network(&work->basis, offer,
		                      side_offer(work, work->sides.storage[city], &work->storage),
		                      &part, work->bill);
	}
	if (status != COST_OK || !needs_dedicated(need))
		return status;
	return cost_dedicated(&work->basis,
	                      side_offer(work, work->sides.leased[city], &work->leased),
	                      need->dedicated_mbps, work->bill);
}

/* Servers that service is bought for: those of the whole order. */
static int served(const struct pick *pick)
{
	return pick->order.cards > 0 ? pick->order.servers : pick->servers;
}

static enum cost_status price_extras(struct plan_work *work, const struct offer *offer,
                                     const struct pick *pick)
{
	enum cost_status status = COST_OK;

	if (pick->carries_network)
		status = price_network(work, offer, offer->city);
	if (status != COST_OK || work->spec->service == SERVICE_UNSET || pick->order.is_rest)
		return status;
	return cost_service(&work->basis, offer, side_offer(work, work->helper, &work->service),
	                    work->spec->service, served(pick), work->bill);
}

/* ---- Power ---- */

const struct tariff *work_tariff(const struct plan_work *work, enum city city,
                                 const struct tariff_hours **hours)
{
	const struct spec *spec = work->spec;
	const struct tariffs *tariffs = spec->tariffs;

	*hours = NULL;
	if (spec->has_kwh_price || tariffs == NULL)
		return NULL;
	const struct tariff *tariff = spec->tariff_id != NULL
	                                  ? tariff_find(tariffs, spec->tariff_id)
	                                  : tariff_for_city(tariffs, city, work->basis.start);

	if (tariff != NULL)
		*hours = tariff_hours_find(tariffs, tariff->hours_id);
	return tariff;
}

/*
 * The basis with the mean draw of servers that work only part of the month: load x share + idle
 * draw x the rest. The energy of a part-time job would be overstated otherwise.
 */
static enum cost_status basis_at_load(const struct plan_work *work, const struct pick *pick,
                                      struct cost_basis *basis)
{
	struct ratio month = ratio_of((int64_t)work->basis.hours_per_month * 1000);
	struct ratio share, rest, load, idle;

	*basis = work->basis;
	if (!ratio_divide(ratio_of(pick->milli_hours), month, &share))
		return COST_OVERFLOW;
	if (ratio_compare(share, ratio_of(1)) >= 0)
		return COST_OK;
	load = cost_assume(&work->basis, ASSUME_LOAD, work->bill);
	idle = cost_assume(&work->basis, ASSUME_IDLE_DRAW, work->bill);
	if (!ratio_subtract(ratio_of(1), share, &rest) || !ratio_multiply(load, share, &load) ||
	    !ratio_multiply(idle, rest, &idle) || !ratio_add(load, idle, &load))
		return COST_OVERFLOW;
	cost_basis_give(basis, ASSUME_LOAD, load);
	return COST_OK;
}

static bool prices_power(const struct offer *offer)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_POWER)
			return true;
	return false;
}

/*
 * The request's price per kWh stands in for a tariff: the scratch copy of an offer that states none
 * of its own gets it as one. Its index there; -1 = it gets none.
 */
static int add_given_price(struct plan_work *work)
{
	struct offer *offer = &work->main.offer;

	if (!work->spec->has_kwh_price)
		return -1;
	if (prices_power(offer))
		return -1;
	work->main.position = SIZE_MAX;
	/* There is always room for one more than the source has. */
	offer->prices[offer->price_count++] = (struct price){
	    .item = ITEM_POWER,
	    .term = TERM_METERED,
	    .amount = work->spec->kwh_price,
	    .unit = {PER_KWH, 1, PERIOD_ONCE, 1},
	    .currency = "CNY",
	    .tax = work->basis.tax,
	    .tax_rate_bp = -1,
	    .as_quoted = "kwh_price",
	    .unit_text = "CNY/kWh",
	    .normalised_unit = UNIT_KWH,
	    .normalised = work->spec->kwh_price,
	};
	return offer->price_count - 1;
}

/* What was priced by GIVEN, a price of the request, is no word of the offer's sheet. */
static void name_given_price(struct bill *bill, int given)
{
	static const struct tariff asked = {.id = "request",
	                                    .name = "request",
	                                    .valid_from = DATE_NONE,
	                                    .valid_to = DATE_NONE,
	                                    .source = "request"};

	for (int i = 0; given >= 0 && i < bill->line_count; i++) {
		struct cost_source *source = &bill->lines[i].source;

		if (bill->lines[i].what == COST_ENERGY && source->price == given)
			*source = (struct cost_source){
			    .kind = SOURCE_TARIFF, .tariff = &asked, .band = BAND_FLAT};
	}
}

/* ---- The three roles ---- */

static enum cost_status price_rent(struct plan_work *work, const struct pick *pick,
                                   struct rent_mix *mix)
{
	const struct offer *offer = &work->main.offer;
	struct rent_need need = {
	    .cards = pick->cards,
	    .hours_per_month = ratio_make(pick->milli_hours, 1000),
	    .terms = work->spec->terms,
	    .order = pick->order,
	};
	enum cost_status status = cost_rent(&work->basis, offer, &need, work->bill, mix);

	return status == COST_OK ? price_extras(work, offer, pick) : status;
}

/* When servers of DEMAND draw power: in the valley only when that is asked for and known. */
static struct schedule schedule_of(const struct plan_work *work, const struct demand *demand,
                                   const struct tariff_hours *hours)
{
	const struct workload *workload = &work->spec->workloads[demand->workload];
	bool valley =
	    workload->kind == WORKLOAD_TRAINING && workload->training.valley_only && hours != NULL;

	return (struct schedule){.kind = valley ? SCHEDULE_VALLEY : SCHEDULE_ALWAYS};
}

/* Micro-yuan that LOAD costs at least over the months by the tariff of CITY; 0 = nothing is sure.
 */
static int64_t least_by_tariff(struct plan_work *work, const struct cost_basis *basis,
                               const struct power_load *load, enum city city)
{
	const struct tariff_hours *hours;
	const struct tariff *tariff = work_tariff(work, city, &hours);

	bill_start(work->bill);
	work->bill->sums_only = true;
	if (tariff == NULL ||
	    cost_power(basis, NULL, load, 0, tariff, hours, work->bill) != COST_OK ||
	    bill_finish(&work->basis, ratio_of(0), work->bill) != COST_OK)
		return 0;
	int64_t total = money_to_micro(work->bill->total);

	return total > BOUND_SLACK ? total - BOUND_SLACK : 0;
}

/* The same of 1,000 kW that are drawn all the time. */
static int64_t least_of_megawatt(struct plan_work *work, enum city city)
{
	struct power_load load = {.kw = ratio_of(1000), .pue_milli = 1000};
	struct cost_basis basis = work->basis;

	if (!work->has_megawatt[city]) {
		cost_basis_give(&basis, ASSUME_LOAD, ratio_of(1));
		work->megawatt[city] = least_by_tariff(work, &basis, &load, city);
		work->has_megawatt[city] = true;
	}
	return work->megawatt[city];
}

/* Which share of their full draw servers of DEMAND take on average; see basis_at_load(). */
static double mean_load(const struct plan_work *work, const struct demand *demand)
{
	double share = (double)demand->milli_hours / (1000.0 * work->basis.hours_per_month);
	double load = ratio_to_double(cost_assume(&work->basis, ASSUME_LOAD, NULL));
	double idle = ratio_to_double(cost_assume(&work->basis, ASSUME_IDLE_DRAW, NULL));

	return share < 1 ? load * share + idle * (1 - share) : load;
}

/* What is billed by the tariff is as many times as much as the load is. */
int64_t least_power(struct plan_work *work, const struct demand *demand, enum city city)
{
	const struct tariff_hours *hours;
	int64_t watts = demand->server_watts * demand->servers;
	struct power_load load = {.kw = ratio_make(watts, 1000), .pue_milli = 1000};

	work_tariff(work, city, &hours);
	load.schedule = schedule_of(work, demand, hours);
	if (load.schedule.kind != SCHEDULE_ALWAYS)
		return least_by_tariff(work, &work->basis, &load, city);
	double least = (double)least_of_megawatt(work, city) * ((double)watts / 1e6) *
	               mean_load(work, demand) * (1 - 1e-9);

	return least > BOUND_SLACK && least < 9e18 ? (int64_t)least - BOUND_SLACK : 0;
}

static enum cost_status price_host(struct plan_work *work, const struct demand *demand,
                                   const struct pick *pick, struct packing *packing)
{
	const struct offer *offer = &work->main.offer;
	const struct tariff_hours *hours;
	const struct tariff *tariff = work_tariff(work, offer->city, &hours);
	struct schedule schedule = schedule_of(work, demand, hours);
	struct host_need need = {
	    .servers = pick->servers,
	    .server_watts = demand->server_watts,
	    .server_u = demand->server_u,
	    .schedule = schedule,
	    .terms = CABINET_TERMS,
	};
	struct cost_basis basis = work->basis;

	int given = add_given_price(work);

	/* A table without prices is no reason to pass over the landlord's own. */
	if (tariff != NULL && !tariff_has_price(tariff) && prices_power(offer))
		tariff = NULL;
	enum cost_status status =
	    schedule.kind == SCHEDULE_VALLEY ? COST_OK : basis_at_load(work, pick, &basis);

	if (status == COST_OK)
		status = cost_host(&basis, offer, &need, tariff, hours, work->bill, packing);
	name_given_price(work->bill, given);
	return status == COST_OK ? price_extras(work, offer, pick) : status;
}

enum cost_status price_pick(struct plan_work *work, const struct demand *demand,
                            const struct pick *pick, struct rent_mix *mix, struct packing *packing)
{
	const struct offer *offer = work_offer(work, pick->position, &work->main);
	enum cost_status status = COST_OK;

	work->seller = pick->carries_network ? beside_main(work)->seller : -1;
	work->helper = pick->role == PICK_BUY ? -1 : helper_beside(work, offer, served(pick));
	bill_start(work->bill);
	work->bill->sums_only = mix == NULL;
	switch (pick->role) {
	case PICK_RENT:
		status = price_rent(work, pick, mix);
		break;
	case PICK_BUY:
		status = cost_buy(&work->basis, offer, pick->servers, work->bill);
		break;
	case PICK_HOST:
		status = price_host(work, demand, pick, packing);
		break;
	}
	if (status != COST_OK)
		return status;
	return bill_finish(&work->basis, ratio_of(0), work->bill);
}

enum cost_status price_total(struct plan_work *work, const struct demand *demand, struct pick *pick)
{
	enum cost_status status = price_pick(work, demand, pick, NULL, NULL);

	if (status == COST_OK) {
		pick->total = money_to_micro(work->bill->total);
		pick->incomplete = work->bill->unknown_count > 0;
	}
	return status;
}

enum cost_status price_beside(struct plan_work *work, uint32_t position, int64_t *total,
                              bool *incomplete)
{
	const struct offer *offer = work_offer(work, position, &work->main);
	struct beside_offer *beside = beside_main(work);

	if (!beside->is_priced) {
		work->seller = beside->seller;
		bill_start(work->bill);
		work->bill->sums_only = true;
		beside->status = price_network(work, offer, offer->city);
		if (beside->status == COST_OK)
			beside->status = bill_finish(&work->basis, ratio_of(0), work->bill);
		beside->total = money_to_micro(work->bill->total);
		beside->incomplete = work->bill->unknown_count > 0;
		beside->is_priced = true;
	}
	*total = beside->total;
	*incomplete = beside->incomplete;
	return beside->status;
}
