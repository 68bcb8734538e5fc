/* plan_buy.c - own servers: bought and placed, or only placed; see plan_work.h. */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

/* ---- Bounds ---- */

static bool is_hosting(const struct plan_work *work, int workload)
{
	return work->spec->workloads[workload].kind == WORKLOAD_HOSTING;
}

/* How many main units of a colocation offer DEMAND needs over the months, at least. */
static double host_factor(const struct plan_work *work, const struct demand *demand,
                          const struct offer_facts *facts)
{
	double months = work->basis.months;
	double servers = demand->servers;

	switch ((enum normalised_unit)facts->basis) {
	case UNIT_CABINET_MONTH:
		if (demand->server_watts <= 0)
			return 0;
		return ceil(servers / (double)(facts->cabinet_watts / demand->server_watts)) *
		       months;
	case UNIT_KW_MONTH:
		return servers * (double)demand->server_watts / 1000 * months;
	case UNIT_U_MONTH:
	case UNIT_SERVER_MONTH:
		return servers * months; /* a server has at least one unit */
	case UNIT_CARD_HOUR:
	case UNIT_CARD:
	case UNIT_SERVER:
	case UNIT_KWH:
	case UNIT_MBPS_MONTH:
	case UNIT_GB:
	case UNIT_TB_MONTH:
	case UNIT_IP_MONTH:
	case UNIT_TIME:
	case UNIT_ONCE:
		return 0;
	}
	return 0;
}

/* The share of its price that equipment costs over the months: depreciation and capital. */
static double price_share(const struct plan_work *work)
{
	const struct cost_basis *basis = &work->basis;
	double residual = ratio_to_double(cost_assume(basis, ASSUME_RESIDUAL, NULL));
	double life = ratio_to_double(cost_assume(basis, ASSUME_LIFE_YEARS, NULL)) * 12;
	double rate = ratio_to_double(cost_assume(basis, ASSUME_CAPITAL_RATE, NULL));
	double months = basis->months;
	double worn = life > 0 ? fmin(months / life, 1) : 1;

	return (1 - residual) * worn + (1 + residual) / 2 * rate * months / 12;
}

static double buy_factor(const struct plan_work *work, const struct demand *demand,
                         const struct offer_facts *facts)
{
	double servers = demand->servers;

	if (facts->basis == UNIT_CARD)
		servers *= class_server_cards(&demand->class);
	return servers * price_share(work);
}

/* Micro-yuan of upkeep that comes on top of any price: it bounds a purchase more closely. */
static int64_t upkeep(const struct plan_work *work, const struct demand *demand)
{
	double per_year = ratio_to_double(cost_assume(&work->basis, ASSUME_MAINTENANCE, NULL));
	double all = per_year * 1e6 * demand->servers * work->basis.months / 12;

	return all > 0 && all < 9e15 ? (int64_t)(all * (1 - 1e-12)) : 0;
}

/* ---- One offer of either kind ---- */

static void try_offer(struct plan_work *work, const struct demand *demand, uint32_t position,
                      enum pick_role role, struct candidates *list)
{
	struct pick pick = {
	    .position = position,
	    .role = role,
	    .carries_network = role == PICK_HOST && demand->workload == work->carrier,
	    .servers = demand->servers,
	    .cards = demand->servers * class_server_cards(&demand->class),
	    .milli_hours = demand->milli_hours,
	};
	int64_t stock = work->source->stocks[position];
	enum cost_status status = role == PICK_BUY && stock >= 0 && stock < pick.servers
	                              ? COST_NO_STOCK
	                              : price_total(work, demand, &pick);

	mark_offer(work, position, reason_of_status(status));
	if (status != COST_OK)
		return;
	if (role == PICK_HOST)
		work->hosted = true;
	else
		work->bought = true;
	struct candidate candidate = {pick.total, ROUTE_BUY_AND_HOST, demand, &pick, 1};

	candidates_add(work, list, &candidate);
}

/* Whether a cabinet of FACTS feeds at least one server of DEMAND. */
static bool feeds(const struct demand *demand, const struct offer_facts *facts)
{
	return facts->cabinet_watts <= 0 || facts->cabinet_watts >= demand->server_watts;
}

/* The cheapest offers of a role; those above MOST are of no use. */
static void search_offers(struct plan_work *work, const struct demand *demand, int class_index,
                          enum pick_role role, int64_t most, struct candidates *list)
{
	enum offer_kind kind = role == PICK_HOST ? OFFER_COLOCATION : OFFER_PURCHASE;
	struct good_range range = {work->good_first[kind], work->good_end[kind]};
	struct frontier *frontier = &work->frontier;
	int64_t fixed = role == PICK_BUY ? upkeep(work, demand) : 0;
	uint32_t position;
	int64_t bound;

	if (role == PICK_BUY)
		range = work->class_bought[class_index];
	frontier->count = 0;
	for (size_t i = range.first; i < range.end; i++) {
		const struct offer_facts *facts = &good_block(work, i)->facts;

		if (role == PICK_HOST && !feeds(demand, facts))
			continue;
		frontier_add(work, frontier, i,
		             role == PICK_HOST ? host_factor(work, demand, facts)
		                               : buy_factor(work, demand, facts));
	}
	while (frontier_peek(frontier, &bound)) {
		if (bound > candidates_bar(list) - fixed || bound > most - fixed)
			return;
		frontier_pop(work, frontier, &position, &bound);
		try_offer(work, demand, position, role, list);
	}
}

/* ---- Pairs ---- */

/* The cheapest sums of one of A and one of B are among the pairs with (i + 1)(j + 1) <= limit. */
static void add_pairs(struct plan_work *work, const struct candidates *bought,
                      const struct candidates *hosted, struct candidates *list)
{
	for (int i = 0; i < bought->count; i++)
		for (int j = 0; j < hosted->count && (i + 1) * (j + 1) <= list->limit; j++) {
			struct pick picks[2] = {bought->items[i].picks[0],
			                        hosted->items[j].picks[0]};
			struct candidate pair = {0, ROUTE_BUY_AND_HOST, bought->items[i].demand,
			                         picks, 2};

			if (!__builtin_add_overflow(bought->items[i].total, hosted->items[j].total,
			                            &pair.total))
				candidates_add(work, list, &pair);
		}
}

static void search_class(struct plan_work *work, const struct demand *demand, int class_index,
                         struct candidates *list)
{
	struct candidates bought;
	struct candidates hosted;

	if (!candidates_init(work, &bought, list->limit) ||
	    !candidates_init(work, &hosted, list->limit))
		return;
	int64_t bar = candidates_bar(list);

	search_offers(work, demand, class_index, PICK_BUY, bar, &bought);
	if (bought.count == 0)
		return;
	search_offers(work, demand, class_index, PICK_HOST, bar - bought.items[0].total, &hosted);
	add_pairs(work, &bought, &hosted, list);
}

/* Lower bounds of buying for each class; INT64_MAX when it cannot be bought for WORKLOAD. */
static void class_bounds(const struct plan_work *work, int workload, int64_t *bounds)
{
	for (int i = 0; i < work->class_count; i++)
		bounds[i] = INT64_MAX;
	for (size_t i = work->good_first[OFFER_PURCHASE]; i < work->good_end[OFFER_PURCHASE]; i++) {
		const struct offer_block *block = good_block(work, i);
		int class_index = work->good_class[i];
		const struct demand *demand = possible_demand(work, workload, class_index);

		if (demand == NULL)
			continue;
		double factor = buy_factor(work, demand, &block->facts) *
		                floor_rate(work, block->facts.currency);
		int64_t bound = bound_of(factor, work->source->floors[block->first]);

		bound = bound > INT64_MAX / 2 ? bound : bound + upkeep(work, demand);

		if (bound < bounds[class_index])
			bounds[class_index] = bound;
	}
}

/* The class, not yet done, with the lowest bound; -1 when none is left. */
static int next_class(const int64_t *bounds, int count, const bool *done)
{
	int best = -1;

	for (int i = 0; i < count; i++)
		if (!done[i] && bounds[i] != INT64_MAX && (best < 0 || bounds[i] < bounds[best]))
			best = i;
	return best;
}

void search_buy(struct plan_work *work, int workload)
{
	struct candidates *list = &work->lists[workload][ROUTE_BUY_AND_HOST];
	int64_t *bounds = PLAN_TAKE(work->memory, int64_t, CLASSES_MAX);
	bool *done = PLAN_TAKE(work->memory, bool, CLASSES_MAX);

	if (bounds == NULL || done == NULL)
		return;
	if (is_hosting(work, workload)) {
		const struct demand *demand = possible_demand(work, workload, -1);

		if (demand != NULL)
			search_offers(work, demand, -1, PICK_HOST, INT64_MAX, list);
		return;
	}
	memset(done, 0, CLASSES_MAX * sizeof *done);
	class_bounds(work, workload, bounds);
	for (;;) {
		int next = next_class(bounds, work->class_count, done);

		if (next < 0)
			return;
		if (bounds[next] > candidates_bar(list))
			return;
		done[next] = true;
		search_class(work, possible_demand(work, workload, next), next, list);
	}
}
