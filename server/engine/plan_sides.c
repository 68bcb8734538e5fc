/* plan_sides.c - who supplies what others do not price; see plan_work.h. */
#include <limits.h>
#include <math.h>

#include "engine/cost_calc.h"
#include "engine/plan_work.h"

struct network_need network_part(const struct network_need *need)
{
	struct network_need part = *need;

	part.storage_tb = ratio_of(0);
	return part;
}

struct network_need storage_part(const struct network_need *need)
{
	return (struct network_need){
	    .public_mbps = ratio_of(0),
	    .mbps_95 = ratio_of(0),
	    .egress_gb = ratio_of(0),
	    .dataset_tb_in = ratio_of(0),
	    .storage_tb = need->storage_tb,
	};
}

/* ---- Network, storage and leased lines ---- */

static bool is_leased(const struct screen_part *part)
{
	return part->facts->kind == OFFER_NETWORK && line_is_dedicated(part->facts->line);
}

/* The total of work->bill, which STATUS came of; INT64_MAX when something has no price. */
static int64_t whole_total(struct plan_work *work, enum cost_status status)
{
	if (status == COST_OK)
		status = bill_finish(&work->basis, ratio_of(0), work->bill);
	if (status != COST_OK || work->bill->unknown_count > 0)
		return INT64_MAX;
	return money_to_micro(work->bill->total);
}

/* What SIDE charges for the whole need of its kind; INT64_MAX when it does not supply all of it. */
static int64_t side_total(struct plan_work *work, const struct offer *side)
{
	const struct network_need *need = &work->spec->network;
	struct network_need part =
	    side->kind == OFFER_STORAGE ? storage_part(need) : network_part(need);
	enum cost_status status;

	bill_start(work->bill);
	if (side->kind == OFFER_NETWORK && line_is_dedicated(side->line))
		status = cost_dedicated(&work->basis, side, need->dedicated_mbps, work->bill);
	else
		status = cost_network(&work->basis, &work->nothing, side, &part, work->bill);
	return whole_total(work, status);
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
	return 0;
}

/* What an offer of PART must have a price for to supply all. */
static unsigned wanted_supplies(const struct plan_work *work, const struct screen_part *part)
{
	const struct network_need *need = &work->spec->network;
	unsigned wanted = 0;

	if (part->facts->kind == OFFER_STORAGE)
		return SUPPLIES_STORAGE;
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

/* The offer at POSITION charges TOTAL. */
static void keep_best(const struct plan_work *work, uint32_t position, int64_t total,
                      struct best_side best)
{
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
		keep_best(work, position, side_total(work, work_offer(work, position, &work->main)),
		          best);
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
	case OFFER_RENTAL:
	case OFFER_COLOCATION:
	case OFFER_PURCHASE:
		break;
	}
	return (struct best_side){NULL, NULL};
}

/* ---- Network beside what an offer includes and prices itself ---- */

/* What of the network SOUGHT asks for. */
static struct network_need sought_part(const struct network_need *need, unsigned sought)
{
	struct network_need part = network_part(need);

	if ((sought & SUPPLIES_NETWORK) == 0)
		part.public_mbps = part.mbps_95 = part.egress_gb = ratio_of(0);
	if ((sought & SUPPLIES_IPS) == 0)
		part.ips = 0;
	return part;
}

/* Looks through PART, cheapest first, for who supplies what is SOUGHT beside ALONE for least. */
static void try_sellers(struct plan_work *work, const struct screen_part *part,
                        const struct offer *alone, unsigned sought, struct best_side best)
{
	struct network_need need = sought_part(&work->spec->network, sought);
	double missing = least_mbps(&need) - fmax(alone->mbps_included, 0);
	double factor = part->facts->basis == UNIT_MBPS_MONTH
	                    ? fmax(missing, 0) * work->basis.months * part->rate
	                    : 0;

	for (uint32_t i = 0; i < part->committed_count; i++) {
		uint32_t position = part->committed[i].position;
		unsigned supplies = code_supplies(part->committed[i].code);
		bool dearer = *best.position >= 0 &&
		              bound_of(factor, work->source->floors[position]) > *best.total;

		if (dearer && need.egress_gb.num == 0)
			return;
		if ((supplies & sought) != sought || (dearer && (supplies & SUPPLIES_TRAFFIC) == 0))
			continue;
		bill_start(work->bill);
		enum cost_status status =
		    cost_network(&work->basis, alone, work_offer(work, position, &work->network),
		                 &need, work->bill);

		keep_best(work, position, whole_total(work, status), best);
	}
}

/* The seller of all that is SOUGHT beside what OFFER includes that is cheapest; -1 = nobody. */
static int64_t seller_of(struct plan_work *work, const struct offer *offer, unsigned sought)
{
	struct seller key = {.sought = sought,
	                     .mbps = (sought & SUPPLIES_NETWORK) != 0 && offer->mbps_included > 0
	                                 ? offer->mbps_included
	                                 : 0,
	                     .ips = (sought & SUPPLIES_IPS) != 0 && offer->ips_included > 0
	                                ? offer->ips_included
	                                : 0,
	                     .city = offer->city,
	                     .position = -1};
	size_t mixed = ((size_t)key.mbps * 131 + (size_t)key.ips) * CITY_COUNT + key.city;
	struct seller *known = &work->sellers[(mixed * 4 + sought) % SELLERS];
	struct parts parts = parts_of_kind(work, OFFER_NETWORK);
	struct offer alone = work->nothing;
	int64_t total = INT64_MAX;

	if (known->sought == sought && known->mbps == key.mbps && known->ips == key.ips &&
	    known->city == key.city)
		return known->position;
	alone.mbps_included = key.mbps;
	alone.ips_included = key.ips;
	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		if (part->facts->city == key.city && !is_leased(part))
			try_sellers(work, part, &alone, sought,
			            (struct best_side){&key.position, &total});
	*known = key;
	return key.position;
}

/* What OFFER does not include. */
static unsigned missing_of(const struct plan_work *work, const struct offer *offer)
{
	const struct network_need *need = &work->spec->network;
	bool port = need->public_mbps.num > 0
	                ? ratio_less(ratio_of(offer->mbps_included), need->public_mbps)
	                : need->egress_gb.num > 0;

	return (port ? SUPPLIES_NETWORK : 0) | (need->ips > offer->ips_included ? SUPPLIES_IPS : 0);
}

/* Parts without a price, and the total of the others, when SELLER (-1 = nobody) is beside OFFER. */
struct beside {
	int64_t seller;
	int open;
	int64_t total;
};

static bool weigh_seller(struct plan_work *work, const struct offer *offer, int64_t seller,
                         struct beside *beside)
{
	struct network_need need = network_part(&work->spec->network);
	const struct offer *side =
	    seller < 0 ? NULL : work_offer(work, (size_t)seller, &work->network);

	bill_start(work->bill);
	work->bill->sums_only = true;
	if (cost_network(&work->basis, offer, side, &need, work->bill) != COST_OK ||
	    bill_finish(&work->basis, ratio_of(0), work->bill) != COST_OK)
		return false;
	*beside =
	    (struct beside){seller, work->bill->unknown_count, money_to_micro(work->bill->total)};
	return true;
}

/* Keeps the better of BEST and SELLER: that with the least open, then the cheapest, then nobody. */
static void keep_seller(struct plan_work *work, const struct offer *offer, int64_t seller,
                        struct beside *best)
{
	const int64_t *ids = work->source->ids;
	struct beside other;

	if (seller < 0 || seller == best->seller || !weigh_seller(work, offer, seller, &other) ||
	    other.open > best->open)
		return;
	if (other.open < best->open || other.total < best->total ||
	    (other.total == best->total && best->seller >= 0 && ids[seller] < ids[best->seller]))
		*best = other;
}

static bool prices_network(const struct offer *offer)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_BANDWIDTH ||
		    offer->prices[i].item == ITEM_TRAFFIC || offer->prices[i].item == ITEM_IP)
			return true;
	return false;
}

static int64_t find_network_beside(struct plan_work *work, const struct offer *offer)
{
	const unsigned all = SUPPLIES_NETWORK | SUPPLIES_IPS;
	struct beside best = {.seller = -1, .open = INT_MAX};
	unsigned missing = work->sides.sells[offer->city] == 0 ? 0 : missing_of(work, offer);

	if (missing == 0)
		return -1;
	if (missing != all && !prices_network(offer))
		return seller_of(work, offer, missing);
	if (!weigh_seller(work, offer, -1, &best))
		best.open = INT_MAX;
	keep_seller(work, offer, seller_of(work, offer, missing), &best);
	/* Where one sells by the GB no port for the mean is bought, be it cheaper. */
	if ((missing & SUPPLIES_NETWORK) != 0 && work->spec->network.public_mbps.num == 0) {
		keep_seller(work, offer, seller_of(work, offer, missing | SUPPLIES_TRAFFIC), &best);
		keep_seller(work, offer,
		            seller_of(work, offer, SUPPLIES_NETWORK | SUPPLIES_TRAFFIC), &best);
	}
	if (missing != all)
		return best.seller;
	/* What OFFER prices itself may be left to it: then whoever is cheapest for the rest. */
	keep_seller(work, offer, seller_of(work, offer, SUPPLIES_NETWORK), &best);
	keep_seller(work, offer, seller_of(work, offer, SUPPLIES_IPS), &best);
	return best.seller;
}

/* What is asked for in place of what is varied, and back again. */
struct varied {
	const struct spec *spec;
	int months;
};

static struct varied as_asked(struct plan_work *work)
{
	struct varied varied = {work->spec, work->basis.months};

	work->spec = work->asked;
	work->basis.months = work->asked->basis.months;
	return varied;
}

static void as_varied(struct plan_work *work, struct varied varied)
{
	work->spec = varied.spec;
	work->basis.months = varied.months;
}

struct beside_offer *beside_main(struct plan_work *work)
{
	size_t next = work->main.position + 1; /* 0 where it was changed: not remembered */
	struct beside_offer *known = &work->besides[next * 0x9e3779b1u >> 7 & (BESIDES - 1)];

	if (known->next == next && next != 0)
		return known;
	struct varied varied = as_asked(work);

	*known = (struct beside_offer){.next = next,
	                               .seller = find_network_beside(work, &work->main.offer)};
	as_varied(work, varied);
	return known;
}

/* Where somebody sells bandwidth, traffic or addresses. */
static void find_sellers(struct plan_work *work)
{
	struct parts parts = parts_of_kind(work, OFFER_NETWORK);

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		for (uint32_t i = 0; i < part->code_count && !is_leased(part); i++)
			work->sides.sells[part->facts->city] |= code_supplies(part->codes[i]);
}

/* ---- Help ---- */

/* Where somebody sells help. */
static void find_helpers(struct plan_work *work)
{
	struct parts parts = parts_of_kind(work, OFFER_SERVICE);

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		if (work->spec->service > SERVICE_BARE && part->good > 0)
			work->sides.helps[part->facts->city] = true;
}

/* Looks through PART, cheapest first, for who helps SERVERS beside ALONE for the least. */
static void try_helpers(struct plan_work *work, const struct screen_part *part,
                        const struct offer *alone, int servers, struct best_side best)
{
	double months = work->basis.months;
	double factor = part->facts->basis == UNIT_SERVER_MONTH ? servers * months * part->rate : 0;

	for (uint32_t i = 0; i < part->committed_count; i++) {
		uint32_t position = part->committed[i].position;

		if (*best.position >= 0 &&
		    bound_of(factor, work->source->floors[position]) > *best.total)
			return;
		bill_start(work->bill);
		enum cost_status status =
		    cost_service(&work->basis, alone, work_offer(work, position, &work->service),
		                 work->spec->service, servers, work->bill);

		keep_best(work, position, whole_total(work, status), best);
	}
}

/* The one of the table where a helper of so many is remembered. */
static struct helper *slot_of(struct plan_work *work, struct helper key)
{
	size_t mixed = ((size_t)key.servers * 131 + (size_t)key.cards) * CITY_COUNT + key.city;

	return &work->helpers[mixed % HELPERS];
}

int64_t helper_beside(struct plan_work *work, const struct offer *offer, int servers)
{
	struct helper key = {.servers = servers > 0 ? servers : 1,
	                     .cards = offer->cards_per_server > 0 ? offer->cards_per_server : 0,
	                     .city = offer->city,
	                     .position = -1};
	struct helper *known = slot_of(work, key);
	struct parts parts = parts_of_kind(work, OFFER_SERVICE);
	struct offer alone = work->nothing;
	int64_t total = INT64_MAX;

	if (!work->sides.helps[offer->city] ||
	    service_rank(offer->service_tier) >= (int)work->spec->service)
		return -1;
	if (known->servers == key.servers && known->cards == key.cards && known->city == key.city)
		return known->position;
	struct varied varied = as_asked(work);

	alone.cards_per_server = key.cards;
	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		if (part->facts->city == key.city)
			try_helpers(work, part, &alone, key.servers,
			            (struct best_side){&key.position, &total});
	as_varied(work, varied);
	*known = key;
	return key.position;
}

/* ---- Network, storage, leased lines ---- */

void find_sides(struct plan_work *work)
{
	struct sides *sides = &work->sides;
	int64_t *const totals[] = {sides->network_total, sides->storage_total, sides->leased_total};
	int64_t *const positions[] = {sides->network, sides->storage, sides->leased};
	int lists = sizeof totals / sizeof *totals;

	for (int city = 0; city < CITY_COUNT; city++)
		for (int i = 0; i < lists; i++) {
			positions[i][city] = -1;
			totals[i][city] = INT64_MAX;
		}
	find_sellers(work);
	find_helpers(work);
	for (int kind = OFFER_NETWORK; kind <= OFFER_STORAGE; kind++) {
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
