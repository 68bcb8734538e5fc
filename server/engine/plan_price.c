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

/* Only the network part of NEED, or only its storage. */
static struct network_need network_part(const struct network_need *need)
{
	struct network_need part = *need;

	part.storage_tb = ratio_of(0);
	return part;
}

static struct network_need storage_part(const struct network_need *need)
{
	return (struct network_need){
	    .public_mbps = ratio_of(0),
	    .mbps_95 = ratio_of(0),
	    .egress_gb = ratio_of(0),
	    .dataset_tb_in = ratio_of(0),
	    .storage_tb = need->storage_tb,
	};
}

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

		status = cost_network(&work->basis, offer,
		                      side_offer(work, work->sides.network[city], &work->network),
		                      &part, work->bill);
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

static enum cost_status price_extras(struct plan_work *work, const struct offer *offer,
                                     const struct pick *pick)
{
	enum cost_status status = COST_OK;

	if (pick->carries_network)
		status = price_network(work, offer, offer->city);
	if (status != COST_OK || work->spec->service == SERVICE_UNSET || pick->order.is_rest)
		return status;
	return cost_service(
	    &work->basis, offer, side_offer(work, work->sides.service[offer->city], &work->service),
	    work->spec->service, pick->order.cards > 0 ? pick->order.servers : pick->servers,
	    work->bill);
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

	bill_start(work->bill);
	work->bill->sums_only = true;
	enum cost_status status = price_network(work, offer, offer->city);

	if (status == COST_OK)
		status = bill_finish(&work->basis, ratio_of(0), work->bill);
	if (status == COST_OK) {
		*total = money_to_micro(work->bill->total);
		*incomplete = work->bill->unknown_count > 0;
	}
	return status;
}

/* ---- Who supplies what others do not price ---- */

static bool is_leased(const struct screen_part *part)
{
	return part->facts->kind == OFFER_NETWORK && line_is_dedicated(part->facts->line);
}

/* What SIDE charges for the whole need of its kind; INT64_MAX when it does not supply all of it. */
static int64_t side_total(struct plan_work *work, const struct offer *side)
{
	const struct network_need *need = &work->spec->network;
	struct network_need part =
	    side->kind == OFFER_STORAGE ? storage_part(need) : network_part(need);
	enum cost_status status;

	bill_start(work->bill);
	if (side->kind == OFFER_SERVICE)
		status = cost_service(&work->basis, &work->nothing, side, work->spec->service, 1,
		                      work->bill);
	else if (side->kind == OFFER_NETWORK && line_is_dedicated(side->line))
		status = cost_dedicated(&work->basis, side, need->dedicated_mbps, work->bill);
	else
		status = cost_network(&work->basis, &work->nothing, side, &part, work->bill);
	if (status == COST_OK)
		status = bill_finish(&work->basis, ratio_of(0), work->bill);
	if (status != COST_OK || work->bill->unknown_count > 0)
		return INT64_MAX;
	return money_to_micro(work->bill->total);
}

/* Mbps that are billed at least: the 95th percentile may be below the port. */
static double least_mbps(const struct network_need *need)
{
	double port = ratio_to_double(need->public_mbps);
	double billed = ratio_to_double(need->mbps_95);

	return billed > 0 && billed < port ? billed : port;
}

/* How many of its main unit the project needs over its months; 0 = its floor bounds nothing. */
static double side_factor(const struct plan_work *work, const struct screen_part *part)
{
	const struct network_need *need = &work->spec->network;
	const struct offer_facts *facts = part->facts;
	double months = work->basis.months;
	double rate = part->rate;

	if (facts->kind == OFFER_NETWORK && facts->basis == UNIT_MBPS_MONTH)
		return (is_leased(part) ? ratio_to_double(need->dedicated_mbps)
		                        : least_mbps(need)) *
		       months * rate;
	if (facts->kind == OFFER_STORAGE && facts->basis == UNIT_TB_MONTH)
		return ratio_to_double(need->storage_tb) * months * rate;
	if (facts->kind == OFFER_SERVICE && facts->basis == UNIT_SERVER_MONTH)
		return months * rate;
	return 0;
}

/* What an offer of PART must have a price for to supply all. */
static unsigned wanted_supplies(const struct plan_work *work, const struct screen_part *part)
{
	const struct network_need *need = &work->spec->network;
	unsigned wanted = 0;

	if (part->facts->kind == OFFER_STORAGE)
		return SUPPLIES_STORAGE;
	if (part->facts->kind == OFFER_SERVICE)
		return SUPPLIES_SERVICE;
	if (is_leased(part))
		return SUPPLIES_NETWORK;
	if (need->public_mbps.num > 0 || need->egress_gb.num > 0)
		wanted |= SUPPLIES_NETWORK;
	return need->ips > 0 ? wanted | SUPPLIES_IPS : wanted;
}

/* The best supplier of a kind in a city so far. */
struct best_side {
	int64_t *position; /* -1 = none */
	int64_t *total;
};

static void try_side(struct plan_work *work, uint32_t position, struct best_side best)
{
	int64_t total = side_total(work, work_offer(work, position, &work->main));
	bool same = total == *best.total && *best.position >= 0;

	if (total == INT64_MAX || total > *best.total ||
	    (same && work->source->ids[position] >= work->source->ids[*best.position]))
		return;
	*best.position = position;
	*best.total = total;
}

/*
 * Looks through PART, cheapest first, and keeps the offer that supplies all for the least. The
 * bound is about bandwidth: where the month's traffic is known, an offer that also sells it by the
 * GB has none.
 */
static void try_sides(struct plan_work *work, const struct screen_part *part, struct best_side best)
{
	double factor = side_factor(work, part);
	unsigned wanted = wanted_supplies(work, part);
	bool by_traffic = part->facts->kind == OFFER_NETWORK && !is_leased(part) &&
	                  work->spec->network.egress_gb.num > 0;

	for (uint32_t i = 0; i < part->committed_count; i++) {
		uint32_t position = part->committed[i].position;
		unsigned supplies = code_supplies(part->committed[i].code);
		bool dearer = *best.position >= 0 &&
		              bound_of(factor, work->source->floors[position]) > *best.total;

		if (dearer && !by_traffic)
			return;
		if ((supplies & wanted) != wanted || (dearer && (supplies & SUPPLIES_TRAFFIC) == 0))
			continue;
		try_side(work, position, best);
	}
}

/* Where the best supplier among those of PART is kept; position NULL: they are none. */
static struct best_side best_of(struct sides *sides, const struct screen_part *part)
{
	int city = part->facts->city;

	if (is_leased(part))
		return (struct best_side){&sides->leased[city], &sides->leased_total[city]};
	switch ((enum offer_kind)part->facts->kind) {
	case OFFER_NETWORK:
		return (struct best_side){&sides->network[city], &sides->network_total[city]};
	case OFFER_STORAGE:
		return (struct best_side){&sides->storage[city], &sides->storage_total[city]};
	case OFFER_SERVICE:
		return (struct best_side){&sides->service[city], &sides->service_total[city]};
	case OFFER_RENTAL:
	case OFFER_COLOCATION:
	case OFFER_PURCHASE:
		break;
	}
	return (struct best_side){NULL, NULL};
}

void find_sides(struct plan_work *work)
{
	struct sides *sides = &work->sides;
	int64_t *const totals[] = {sides->network_total, sides->storage_total, sides->service_total,
	                           sides->leased_total};
	int64_t *const positions[] = {sides->network, sides->storage, sides->service,
	                              sides->leased};
	int lists = sizeof totals / sizeof *totals;

	for (int city = 0; city < CITY_COUNT; city++)
		for (int i = 0; i < lists; i++) {
			positions[i][city] = -1;
			totals[i][city] = INT64_MAX;
		}
	for (int kind = OFFER_NETWORK; kind <= OFFER_SERVICE; kind++) {
		struct parts parts = parts_of_kind(work, (enum offer_kind)kind);

		for (const struct screen_part *part = parts.first; part < parts.end; part++) {
			struct best_side best = best_of(sides, part);

			if (best.position != NULL)
				try_sides(work, part, best);
		}
	}
	for (int city = 0; city < CITY_COUNT; city++)
		for (int i = 0; i < lists; i++)
			if (positions[i][city] < 0)
				totals[i][city] = 0;
}
