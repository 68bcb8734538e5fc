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

/* The share of its price that equipment costs over the months: depreciation, write-off, capital. */
static double price_share(const struct plan_work *work)
{
	const struct cost_basis *basis = &work->basis;
	double residual = ratio_to_double(cost_assume(basis, ASSUME_RESIDUAL, NULL));
	double life = ratio_to_double(cost_assume(basis, ASSUME_LIFE_YEARS, NULL)) * 12;
	double rate = ratio_to_double(cost_assume(basis, ASSUME_CAPITAL_RATE, NULL));
	double months = basis->months;
	double worn = life > 0 ? fmin(months / life, 1) : 1;
	double lost = 1 - ratio_to_double(cost_assume(basis, ASSUME_BOOK_VALUE, NULL));

	return (1 - residual) * worn + (1 - (1 - residual) * worn) * lost +
	       (1 + residual) / 2 * rate * months / 12;
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

/* Whether a cabinet of FACTS feeds at least one server of DEMAND. */
static bool feeds(const struct demand *demand, const struct offer_facts *facts)
{
	return facts->cabinet_watts <= 0 || facts->cabinet_watts >= demand->server_watts;
}

/* A search for the offers of a role: those that cannot enter PAIRS together with what costs at
 * least BESIDE are of no use. */
struct offer_search {
	const struct demand *demand;
	int class_index;
	enum pick_role role;
	const struct candidates *bought; /* of places: what each is paired with at once; NULL = none
	                                  */
	struct candidates *pairs;        /* NULL = they are wanted by themselves */
	int64_t beside;
	bool pairs_may_complete; /* some place can be complete */
	struct candidates *list;
	int64_t power[CITY_COUNT]; /* see least_power(); of places only */
};

/* What a place of CODE costs at least beside its cabinets. */
static int64_t beside_cabinets(const struct plan_work *work, const struct offer_search *search,
                               uint32_t code, int64_t bound)
{
	bool by_tariff = code_power(code) != POWER_INCLUDED && code_power(code) != POWER_FLAT &&
	                 (code_supplies(code) & SUPPLIES_POWER) == 0;
	bool carries = search->demand->workload == work->carrier;
	int64_t total;

	bound = bound_with_sides(work, code, carries, bound);
	if (!by_tariff || __builtin_add_overflow(bound, search->power[code_city(code)], &total))
		return bound;
	return total;
}

/* What is bought beside it counts where the budget decides how a candidate stands. */
static void spend(struct plan_work *work, int64_t amount)
{
	if (work->budget != INT64_MAX)
		work->budget -= amount;
}

static bool is_wanted(struct plan_work *work, const struct offer_search *search, int64_t bound,
                      bool complete)
{
	int64_t together;

	if (!candidates_may_take(work, search->list, bound, complete))
		return false;
	if (search->pairs == NULL || __builtin_add_overflow(bound, search->beside, &together))
		return search->pairs == NULL;
	spend(work, -search->beside);
	bool wanted = candidates_may_take(work, search->pairs, together,
	                                  complete && search->pairs_may_complete);

	spend(work, search->beside);
	return wanted;
}

/*
 * Adds HOSTED together with each purchase. Where one of them costs too much for PAIRS, so do those
 * after it that leave as much unknown.
 */
static void pair_up(struct plan_work *work, const struct offer_search *search,
                    const struct candidate *hosted)
{
	bool is_full[2] = {false, false};

	spend(work, -search->beside);
	for (int i = 0; search->bought != NULL && i < search->bought->count; i++) {
		const struct candidate *bought = &search->bought->items[i];
		struct pick picks[2] = {bought->picks[0], hosted->picks[0]};
		struct candidate pair = {.route = ROUTE_BUY_AND_HOST,
		                         .demand = bought->demand,
		                         .picks = picks,
		                         .pick_count = 2,
		                         .incomplete = bought->incomplete || hosted->incomplete};
		int64_t total;

		if (is_full[bought->incomplete] ||
		    __builtin_add_overflow(bought->total, hosted->total, &total))
			continue;
		pair.total = total;
		is_full[bought->incomplete] =
		    !candidates_may_take(work, search->pairs, total, !pair.incomplete);
		candidates_add(work, search->pairs, &pair);
	}
	spend(work, search->beside);
}

static void try_offer(struct plan_work *work, const struct offer_search *search, uint32_t position)
{
	const struct demand *demand = search->demand;
	bool hosts = search->role == PICK_HOST;
	struct pick pick = {
	    .position = position,
	    .role = search->role,
	    .carries_network = hosts && demand->workload == work->carrier,
	    .servers = demand->servers,
	    .cards = demand->servers * class_server_cards(&demand->class),
	    .milli_hours = demand->milli_hours,
	};
	enum cost_status status = price_total(work, demand, &pick);

	mark_offer(work, position, reason_of_status(status));
	if (status != COST_OK)
		return;
	if (hosts)
		work->hosted = true;
	else
		work->bought = true;
	struct candidate candidate = {pick.total, ROUTE_BUY_AND_HOST, demand, &pick,
	                              1,          pick.incomplete};

	candidates_add(work, search->list, &candidate);
	pair_up(work, search, &candidate);
}

static void open_offers(struct plan_work *work, const struct offer_search *search)
{
	bool hosts = search->role == PICK_HOST;
	bool carries = search->demand->workload == work->carrier;
	struct parts parts = hosts ? parts_of_kind(work, OFFER_COLOCATION)
	                           : parts_of_group(work, work->class_bought[search->class_index]);

	work->frontier.count = 0;
	work->frontier.need = hosts ? 0 : search->demand->servers;
	work->frontier.beside = NULL;
	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (hosts && !feeds(search->demand, part->facts))
			continue;
		for (uint32_t i = 0; hosts && carries && i < part->code_count; i++)
			work->beside[i] = beside_cabinets(work, search, part->codes[i], 0);
		if (hosts && carries)
			work->frontier.beside = work->beside;
		frontier_add(work, &work->frontier, part, search->class_index,
		             hosts ? host_factor(work, search->demand, part->facts)
		                   : buy_factor(work, search->demand, part->facts));
	}
}

static void search_offers(struct plan_work *work, const struct offer_search *search)
{
	struct frontier *frontier = &work->frontier;
	int64_t fixed = search->role == PICK_BUY ? upkeep(work, search->demand) : 0;
	bool carries = search->demand->workload == work->carrier;
	const struct frontier_entry *first;

	open_offers(work, search);
	spend(work, search->beside);
	while ((first = frontier_first(frontier)) != NULL) {
		int64_t bound = first->bound < INT64_MAX / 2 ? first->bound + fixed : first->bound;
		struct screened offer;
		int64_t popped;

		if (!is_wanted(work, search, bound, true))
			break;
		frontier_pop(frontier, &offer, &popped);
		/* Where it carries, that is in the bound. */
		if (search->role == PICK_HOST && !carries)
			bound = beside_cabinets(work, search, offer.code, bound);
		if (is_wanted(work, search, bound,
		              may_be_complete(work, offer.code, search->role, carries)))
			try_offer(work, search, offer.position);
	}
	spend(work, -search->beside);
}

/* ---- Pairs ---- */

static int64_t least_total(const struct candidates *list)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < list->count; i++)
		if (list->items[i].total < least)
			least = list->items[i].total;
	return least;
}

/* What any place for DEMAND costs at least; INT64_MAX when there is none. */
static int64_t least_hosting(struct plan_work *work, const struct offer_search *search)
{
	struct parts parts = parts_of_kind(work, OFFER_COLOCATION);
	int64_t lowest = INT64_MAX;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (part->committed_count == 0 || !feeds(search->demand, part->facts))
			continue;
		double factor = host_factor(work, search->demand, part->facts) * part->rate;
		int64_t floor = work->source->floors[part->committed[0].position];

		for (uint32_t i = 0; i < part->code_count; i++) {
			int64_t bound =
			    beside_cabinets(work, search, part->codes[i], bound_of(factor, floor));

			lowest = bound < lowest ? bound : lowest;
		}
	}
	return lowest;
}

static void find_power_bounds(struct plan_work *work, struct offer_search *search)
{
	for (int city = 0; city < CITY_COUNT; city++)
		search->power[city] = least_power(work, search->demand, (enum city)city);
}

static void search_class(struct plan_work *work, const struct demand *demand, int class_index,
                         bool may_complete, struct candidates *list)
{
	struct candidates bought;
	struct candidates hosted;
	struct offer_search search = {
	    .demand = demand,
	    .class_index = class_index,
	    .role = PICK_BUY,
	    .pairs = list,
	    .pairs_may_complete = may_complete,
	    .list = &bought,
	};

	if (!candidates_init(work, &bought, list->limit) ||
	    !candidates_init(work, &hosted, list->limit))
		return;
	bought.by_total = hosted.by_total = list->by_total;
	find_power_bounds(work, &search);
	search.beside = least_hosting(work, &search);
	if (search.beside == INT64_MAX)
		search.beside = 0;
	search_offers(work, &search);
	if (bought.count == 0)
		return;
	search.role = PICK_HOST;
	search.beside = least_total(&bought);
	search.bought = &bought;
	search.list = &hosted;
	search_offers(work, &search);
}

void search_pairs(struct plan_work *work, const struct demand *demand, int class_index,
                  struct candidates *list)
{
	bool may_complete = some_may_be_complete(work, parts_of_kind(work, OFFER_COLOCATION),
	                                         PICK_HOST, demand->workload == work->carrier);

	search_class(work, demand, class_index, may_complete, list);
}

/* No purchase of PART for DEMAND costs less. */
static int64_t part_bound(const struct plan_work *work, const struct demand *demand,
                          const struct screen_part *part)
{
	double factor = buy_factor(work, demand, part->facts) * part->rate;
	int64_t bound = bound_of(factor, work->source->floors[part->committed[0].position]);

	return bound > INT64_MAX / 2 ? bound : bound + upkeep(work, demand);
}

int64_t least_purchase(const struct plan_work *work, const struct demand *demand, int class_index)
{
	struct parts parts = parts_of_group(work, work->class_bought[class_index]);
	int64_t least = INT64_MAX;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		int64_t bound =
		    part->committed_count > 0 ? part_bound(work, demand, part) : INT64_MAX;

		least = bound < least ? bound : least;
	}
	return least;
}

/* Lower bounds of buying for each class; INT64_MAX when it cannot be bought for WORKLOAD. */
static void class_bounds(const struct plan_work *work, int workload, int64_t *bounds)
{
	for (int i = 0; i < work->class_count; i++) {
		const struct demand *demand = possible_demand(work, workload, i);

		bounds[i] = demand == NULL ? INT64_MAX : least_purchase(work, demand, i);
	}
}

int next_class(const int64_t *bounds, int count, const bool *done)
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
		struct offer_search search = {.demand = demand,
		                              .class_index = -1,
		                              .role = PICK_HOST,
		                              .pairs_may_complete = true,
		                              .list = list};

		if (demand == NULL)
			return;
		find_power_bounds(work, &search);
		search_offers(work, &search);
		return;
	}
	bool may_complete = some_may_be_complete(work, parts_of_kind(work, OFFER_COLOCATION),
	                                         PICK_HOST, workload == work->carrier);

	memset(done, 0, CLASSES_MAX * sizeof *done);
	class_bounds(work, workload, bounds);
	work->bounds[workload][ROUTE_BUY_AND_HOST] = bounds;
	for (;;) {
		int next = next_class(bounds, work->class_count, done);

		if (next < 0 || !candidates_may_take(work, list, bounds[next], may_complete))
			return;
		done[next] = true;
		search_class(work, possible_demand(work, workload, next), next, may_complete, list);
	}
}
