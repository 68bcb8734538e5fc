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
	struct candidate candidate = {pick.total, ROUTE_BUY_AND_HOST, demand, &pick,
	                              1,          pick.incomplete};

	candidates_add(work, list, &candidate);
}

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
	const struct candidates *pairs; /* NULL = they are wanted by themselves */
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

static void open_offers(struct plan_work *work, const struct offer_search *search)
{
	bool hosts = search->role == PICK_HOST;
	struct parts parts = hosts ? parts_of_kind(work, OFFER_COLOCATION)
	                           : parts_of_group(work, work->class_bought[search->class_index]);

	work->frontier.count = 0;
	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (hosts && !feeds(search->demand, part->facts))
			continue;
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
		if (search->role == PICK_HOST)
			bound = beside_cabinets(work, search, offer.code, bound);
		if (is_wanted(work, search, bound,
		              may_be_complete(work, offer.code, search->role, carries)))
			try_offer(work, search->demand, offer.position, search->role, search->list);
	}
	spend(work, -search->beside);
}

/* ---- Pairs ---- */

/* Where the entries of LIST that are INCOMPLETE, or those that are not, stand: COUNT of them. */
static int entries(const struct candidates *list, bool incomplete, const struct candidate **out)
{
	int count = 0;

	for (int i = 0; i < list->count; i++)
		if (list->items[i].incomplete == incomplete)
			out[count++] = &list->items[i];
	return count;
}

static void add_pair(struct plan_work *work, const struct candidate *bought,
                     const struct candidate *hosted, struct candidates *list)
{
	struct pick picks[2] = {bought->picks[0], hosted->picks[0]};
	struct candidate pair = {0,
	                         ROUTE_BUY_AND_HOST,
	                         bought->demand,
	                         picks,
	                         2,
	                         bought->incomplete || hosted->incomplete};

	if (!__builtin_add_overflow(bought->total, hosted->total, &pair.total))
		candidates_add(work, list, &pair);
}

/*
 * Of bills that are equally complete, the cheapest sums of one of A and one of B are among the
 * pairs with (i + 1)(j + 1) <= limit.
 */
static void add_pairs(struct plan_work *work, const struct candidates *bought,
                      const struct candidates *hosted, struct candidates *list)
{
	const struct candidate **a =
	    PLAN_TAKE(work->memory, const struct candidate *, bought->count + 1);
	const struct candidate **b =
	    PLAN_TAKE(work->memory, const struct candidate *, hosted->count + 1);

	if (a == NULL || b == NULL)
		return;
	for (int kinds = 0; kinds < 4; kinds++) {
		int a_count = entries(bought, (kinds & 1) != 0, a);
		int b_count = entries(hosted, (kinds & 2) != 0, b);

		for (int i = 0; i < a_count; i++)
			for (int j = 0; j < b_count && (i + 1) * (j + 1) <= list->limit; j++)
				add_pair(work, a[i], b[j], list);
	}
}

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

/* The pairs of SEARCH, which is for purchases and has its bounds of power, into LIST. */
static void search_both(struct plan_work *work, struct offer_search *search,
                        struct candidates *list)
{
	struct candidates bought;
	struct candidates hosted;

	if (!candidates_init(work, &bought, list->limit) ||
	    !candidates_init(work, &hosted, list->limit))
		return;
	bought.by_total = hosted.by_total = list->by_total;
	search->pairs = list;
	search->list = &bought;
	search->beside = least_hosting(work, search);
	if (search->beside == INT64_MAX)
		search->beside = 0;
	search_offers(work, search);
	if (bought.count == 0)
		return;
	search->role = PICK_HOST;
	search->beside = least_total(&bought);
	search->list = &hosted;
	search_offers(work, search);
	add_pairs(work, &bought, &hosted, list);
}

static void search_class(struct plan_work *work, const struct demand *demand, int class_index,
                         bool may_complete, struct candidates *list)
{
	struct offer_search search = {
	    .demand = demand,
	    .class_index = class_index,
	    .role = PICK_BUY,
	    .pairs_may_complete = may_complete,
	};

	find_power_bounds(work, &search);
	search_both(work, &search, list);
}

struct least_powers find_least_powers(struct plan_work *work, const struct demand *demand)
{
	struct least_powers powers;
	struct demand one = *demand;

	one.servers = 1;
	for (int city = 0; city < CITY_COUNT; city++) {
		one.milli_hours = 0;
		powers.idle[city] = least_power(work, &one, (enum city)city);
		one.milli_hours = (int64_t)work->basis.hours_per_month * 1000;
		powers.busy[city] = least_power(work, &one, (enum city)city);
	}
	return powers;
}

/* What is drawn grows evenly with the hours and with the servers. */
static int64_t scaled_power(const struct plan_work *work, const struct demand *demand,
                            const struct least_powers *powers, int city)
{
	double share = (double)demand->milli_hours / (work->basis.hours_per_month * 1000.0);
	double one = (double)powers->idle[city] +
	             (double)(powers->busy[city] - powers->idle[city]) * fmin(share, 1);
	double all = one * demand->servers * (1 - 1e-12) - BOUND_SLACK;

	return all > 0 && all < 9e15 ? (int64_t)all : 0;
}

void search_pairs(struct plan_work *work, const struct demand *demand, int class_index,
                  const struct least_powers *powers, struct candidates *list)
{
	struct offer_search search = {
	    .demand = demand,
	    .class_index = class_index,
	    .role = PICK_BUY,
	    .pairs_may_complete =
		some_may_be_complete(work, parts_of_kind(work, OFFER_COLOCATION), PICK_HOST,
	                             demand->workload == work->carrier),
	};

	for (int city = 0; city < CITY_COUNT; city++)
		search.power[city] = scaled_power(work, demand, powers, city);
	search_both(work, &search, list);
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
