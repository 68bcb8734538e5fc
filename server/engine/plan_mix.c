/* plan_mix.c - owned and rented servers together, for a demand that changes; see plan_work.h. */
#include <math.h>
#include <string.h>

#include "engine/hybrid.h"
#include "engine/plan_work.h"

struct mixing {
	int workload;
	const struct demand *demand;
	struct hybrid_problem problem;
	struct hybrid_mix mix;
	int64_t hours[HYBRID_LEVELS_MAX]; /* thousandths, by level, ascending */
	uint32_t positions[HYBRID_SUPPLIERS_MAX];
	const struct candidate *pair; /* what is bought and where it stands; NULL = nothing */
};

/* The staircase, from the server that works least; false when it is flat or too long. */
static bool find_levels(const struct plan_work *work, struct mixing *mixing)
{
	const struct demand *demand = mixing->demand;
	const struct workload *workload = &work->spec->workloads[mixing->workload];
	int levels = demand->servers;

	if (levels < 2 || levels > HYBRID_LEVELS_MAX || demand->unit > 1)
		return false;
	mixing->problem.levels = levels;
	for (int i = 0; i < levels; i++)
		mixing->hours[i] =
		    demand_level(demand, workload, work->basis.hours_per_month, levels - 1 - i);
	return mixing->hours[0] < mixing->hours[levels - 1];
}

/* ---- Rented ---- */

static bool has_supplier(const struct mixing *mixing, uint32_t position)
{
	for (int i = 0; i < mixing->problem.suppliers; i++)
		if (mixing->positions[i] == position)
			return true;
	return false;
}

static void price_levels(struct plan_work *work, struct mixing *mixing, uint32_t position)
{
	int supplier = mixing->problem.suppliers;
	const struct offer *offer = work_offer(work, position, &work->main);
	struct rent_need need = {.cards = class_server_cards(&mixing->demand->class),
	                         .terms = work->spec->terms};

	for (int i = 0; i < mixing->problem.levels; i++) {
		int64_t *cost = &mixing->problem.cost[supplier][i];
		struct ratio total;
		struct money amount;

		if (i > 0 && mixing->hours[i] == mixing->hours[i - 1]) {
			*cost = cost[-1];
			continue;
		}
		need.hours_per_month = ratio_make(mixing->hours[i], 1000);
		bool priced = cost_rent_total(&work->basis, offer, &need, &total) == COST_OK &&
		              money_from_ratio(total, &amount);

		*cost = priced && money_to_micro(amount) < HYBRID_IMPOSSIBLE / 1024
		            ? money_to_micro(amount)
		            : HYBRID_IMPOSSIBLE;
	}
	mixing->problem.stock[supplier] = work->source->stocks[position];
	mixing->positions[supplier] = position;
	mixing->problem.suppliers++;
}

/* ---- Which of those for rent are weighed ---- */

#define BATCH 4

/* Offers of a class in the order of their bounds for one server: committed to, and by the hour. */
struct rentals {
	struct frontier committed;
	struct frontier hourly; /* bounds for the hours of the busiest level */
};

static void open_rentals(struct plan_work *work, const struct mixing *mixing, int class_index,
                         struct rentals *rentals)
{
	struct parts parts = parts_of_group(work, work->class_rented[class_index]);
	double cards = class_server_cards(&mixing->demand->class);
	double busiest = (double)mixing->hours[mixing->problem.levels - 1] / 1000;

	*rentals = (struct rentals){
	    .committed.heap = work->frontier.heap,
	    .hourly.heap = work->frontier.heap + (parts.end - parts.first),
	};
	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		frontier_add_hourly(work, &rentals->hourly, part, class_index,
		                    floor_month(work) * busiest * cards * work->basis.months);
		frontier_add(work, &rentals->committed, part, class_index,
		             720 * cards * work->basis.months);
	}
}

/* Weighs a few more of those whose bound is below LIMIT; false when there were none. */
static bool add_suppliers(struct plan_work *work, struct mixing *mixing, struct frontier *frontier,
                          int64_t limit)
{
	int added = 0;

	while (added < BATCH && mixing->problem.suppliers < HYBRID_SUPPLIERS_MAX &&
	       frontier->count > 0 && frontier_first(frontier)->bound < limit) {
		struct screened offer;
		int64_t bound;

		frontier_pop(frontier, &offer, &bound);
		if (has_supplier(mixing, offer.position))
			continue;
		price_levels(work, mixing, offer.position);
		added++;
	}
	return added > 0;
}

/* From which bound on nothing that is committed to can lower the total. */
static int64_t committed_limit(const struct mixing *mixing)
{
	int64_t limit = 0;

	for (int i = 0; i < mixing->problem.levels; i++)
		if (mixing->mix.ceiling[i] > limit)
			limit = mixing->mix.ceiling[i];
	return limit;
}

/* The same of what is paid by the hour, whose bounds are for the hours of the busiest level. */
static int64_t hourly_limit(const struct mixing *mixing)
{
	double busiest = (double)mixing->hours[mixing->problem.levels - 1];
	double limit = 0;

	for (int i = 0; i < mixing->problem.levels; i++) {
		double worth = (double)mixing->mix.ceiling[i];

		if (worth > 0)
			limit = fmax(limit, mixing->hours[i] > 0
			                        ? worth * busiest / (double)mixing->hours[i]
			                        : INFINITY);
	}
	return limit < 9e18 ? (int64_t)limit + 1 : INT64_MAX;
}

/*
 * The cheapest mix over all offers of the class: more are weighed until none that is left can lower
 * the total. Beyond HYBRID_SUPPLIERS_MAX, that is when dozens of small stocks are used up, the best
 * of those weighed.
 */
static bool solve(struct plan_work *work, struct mixing *mixing, int class_index)
{
	struct rentals rentals;
	int64_t committed = INT64_MAX;
	int64_t hourly = INT64_MAX;
	bool found = false;
	bool more;

	mixing->problem.suppliers = 0;
	open_rentals(work, mixing, class_index, &rentals);
	do {
		more = add_suppliers(work, mixing, &rentals.committed, committed);
		more = add_suppliers(work, mixing, &rentals.hourly, hourly) || more;
		found = hybrid_solve(&mixing->problem, &mixing->mix);
		committed = committed_limit(mixing);
		hourly = hourly_limit(mixing);
	} while (more);
	return found;
}

/* ---- Owned ---- */

/* SERVERS of them, which together run so many HOURS, thousandths, in a month. */
static struct pick owned_pick(const struct mixing *mixing, int which, int servers, int64_t hours)
{
	struct pick pick = mixing->pair->picks[which];

	pick.servers = servers;
	pick.cards = servers * class_server_cards(&mixing->demand->class);
	pick.milli_hours = (hours + servers - 1) / servers;
	pick.carries_network = false;
	return pick;
}

/* What owning SERVERS costs that run HOURS together; HYBRID_IMPOSSIBLE when they cannot be had. */
static int64_t owned_cost(struct plan_work *work, const struct mixing *mixing, int servers,
                          int64_t hours)
{
	int64_t total = 0;

	for (int which = 0; which < 2; which++) {
		struct pick pick = owned_pick(mixing, which, servers, hours);

		if (price_total(work, mixing->demand, &pick) != COST_OK ||
		    __builtin_add_overflow(total, pick.total, &total) ||
		    total >= HYBRID_IMPOSSIBLE / 1024)
			return HYBRID_IMPOSSIBLE;
	}
	return total;
}

/*
 * What each level adds by its hours: power is linear in them, so that its cost for all servers,
 * idle and at work throughout, gives that of an hour to a fraction of a fen.
 */
static void price_owned_hours(struct plan_work *work, struct mixing *mixing)
{
	int levels = mixing->problem.levels;
	int64_t month = (int64_t)work->basis.hours_per_month * 1000;
	int64_t idle = owned_cost(work, mixing, levels, 0);
	int64_t busy = owned_cost(work, mixing, levels, levels * month);
	int128 more = idle < HYBRID_IMPOSSIBLE && busy < HYBRID_IMPOSSIBLE ? busy - idle : 0;

	for (int i = 0; i < levels; i++)
		mixing->problem.owned_level[i] =
		    (int64_t)(more * mixing->hours[i] / (levels * month));
}

static void price_owned(struct plan_work *work, struct mixing *mixing)
{
	struct hybrid_problem *problem = &mixing->problem;
	int64_t hours = 0;
	int64_t for_hours = 0;

	memset(problem->owned_level, 0, sizeof problem->owned_level);
	if (mixing->pair != NULL)
		price_owned_hours(work, mixing);
	problem->owned[0] = 0;
	for (int servers = 1; servers <= problem->levels; servers++) {
		int busiest = problem->levels - servers;
		int64_t total = HYBRID_IMPOSSIBLE;

		hours += mixing->hours[busiest];
		for_hours += problem->owned_level[busiest];
		if (mixing->pair != NULL)
			total = owned_cost(work, mixing, servers, hours);
		problem->owned[servers] =
		    total < HYBRID_IMPOSSIBLE ? total - for_hours : HYBRID_IMPOSSIBLE;
	}
}

/* ---- Together ---- */

/* Levels of the same supplier and hours are one pick. */
static int rented_picks(const struct mixing *mixing, struct pick *picks, int count)
{
	int server = class_server_cards(&mixing->demand->class);

	for (int i = 0; i < mixing->problem.levels; i++) {
		if (mixing->mix.supplier_of[i] == HYBRID_OWNED)
			continue;
		uint32_t position = mixing->positions[mixing->mix.supplier_of[i]];
		int at = 0;

		while (at < count &&
		       (picks[at].role != PICK_RENT || picks[at].position != position ||
		        picks[at].milli_hours != mixing->hours[i]))
			at++;
		if (at == PICKS_MAX)
			return -1;
		if (at == count)
			picks[count++] = (struct pick){.position = position,
			                               .role = PICK_RENT,
			                               .milli_hours = mixing->hours[i]};
		picks[at].servers++;
		picks[at].cards += server;
	}
	return count;
}

/* Prices all picks; the network goes where it leaves nothing unknown and adds least. False when
 * something has no bill. */
static bool price_picks(struct plan_work *work, const struct demand *demand, struct pick *picks,
                        int count, int64_t *total)
{
	int64_t least_more = INT64_MAX;
	bool least_opens = false;
	int carrier = -1;

	*total = 0;
	for (int i = 0; i < count; i++) {
		if (price_total(work, demand, &picks[i]) != COST_OK ||
		    __builtin_add_overflow(*total, picks[i].total, total))
			return false;
		if (demand->workload != work->carrier || picks[i].role == PICK_BUY)
			continue;
		struct pick carrying = picks[i];

		carrying.carries_network = true;
		if (price_total(work, demand, &carrying) != COST_OK)
			continue;
		int64_t more = carrying.total - picks[i].total;
		bool opens = carrying.incomplete && !picks[i].incomplete;

		if (carrier >= 0 && (opens != least_opens ? opens : more >= least_more))
			continue;
		least_opens = opens;
		least_more = more;
		carrier = i;
	}
	if (demand->workload != work->carrier)
		return true;
	if (carrier < 0)
		return false;
	picks[carrier].carries_network = true;
	picks[carrier].incomplete = picks[carrier].incomplete || least_opens;
	picks[carrier].total += least_more;
	return !__builtin_add_overflow(*total, least_more, total);
}

/* Whether COUNT picks are one offer by the hour throughout: rented as it is needed, which is no
 * mix. */
static bool is_plain_rent(struct plan_work *work, const struct demand *demand,
                          const struct pick *picks, int count)
{
	for (int i = 0; i < count; i++) {
		struct rent_mix mix;

		if (picks[i].position != picks[0].position ||
		    price_pick(work, demand, &picks[i], &mix, NULL) != COST_OK || mix.years > 0 ||
		    mix.quarters > 0 || mix.months > 0)
			return false;
	}
	return true;
}

static int64_t owned_hours(const struct mixing *mixing)
{
	int64_t hours = 0;

	for (int i = 0; i < mixing->problem.levels; i++)
		if (mixing->mix.supplier_of[i] == HYBRID_OWNED)
			hours += mixing->hours[i];
	return hours;
}

static void add_mix(struct plan_work *work, const struct mixing *mixing)
{
	struct pick picks[PICKS_MAX];
	int count = 0;
	struct candidate candidate = {0, ROUTE_HYBRID, mixing->demand, picks, 0, false};

	if (mixing->mix.owned > 0)
		for (int which = 0; which < 2; which++)
			picks[count++] =
			    owned_pick(mixing, which, mixing->mix.owned, owned_hours(mixing));
	int owned = count;

	count = rented_picks(mixing, picks, count);
	/* All owned, or all rented alike, is no mix: the other routes show it. */
	if (count < 0 || count == owned || count - owned + (owned > 0) < 2 ||
	    (owned == 0 && is_plain_rent(work, mixing->demand, picks, count)))
		return;
	candidate.pick_count = count;
	if (!price_picks(work, mixing->demand, picks, count, &candidate.total))
		return;
	for (int i = 0; i < count; i++)
		candidate.incomplete = candidate.incomplete || picks[i].incomplete;
	candidates_add(work, &work->lists[mixing->workload][ROUTE_HYBRID], &candidate);
}

/* The cheapest way to own the whole fleet of DEMAND's class, as the search for it found. */
static const struct candidate *owned_pair(const struct plan_work *work, int workload,
                                          const struct demand *demand)
{
	const struct candidates *list = &work->lists[workload][ROUTE_BUY_AND_HOST];

	for (int i = 0; i < list->count; i++)
		if (list->items[i].demand == demand && list->items[i].pick_count == 2)
			return &list->items[i];
	return NULL;
}

/* Whether one of the cheapest candidates is of DEMAND's class: only those are worth mixing. */
static bool is_in_question(const struct plan_work *work, int workload, const struct demand *demand)
{
	for (int route = ROUTE_RENT; route <= ROUTE_BUY_AND_HOST; route++) {
		const struct candidates *list = &work->lists[workload][route];

		for (int i = 0; i < list->count; i++)
			if (list->items[i].demand == demand)
				return true;
	}
	return false;
}

/*
 * The cheapest mix of DEMAND's servers. Where a part of owning them has no price, its total is less
 * than it costs and would keep out a mix that is known whole: rented ones alone are a mix as well.
 */
static void mix_class(struct plan_work *work, struct mixing *mixing, int class_index)
{
	const struct candidate *pair = owned_pair(work, mixing->workload, mixing->demand);
	bool is_open = pair != NULL && pair->incomplete;

	mixing->pair = is_open ? NULL : pair;
	price_owned(work, mixing);
	if (solve(work, mixing, class_index))
		add_mix(work, mixing);
	if (!is_open)
		return;
	mixing->pair = pair;
	price_owned(work, mixing);
	if (solve(work, mixing, class_index) && mixing->mix.owned > 0)
		add_mix(work, mixing);
}

void search_mix(struct plan_work *work, int workload)
{
	struct mixing *mixing = NULL;
	enum workload_kind kind = work->spec->workloads[workload].kind;

	for (int class_index = 0; class_index < work->class_count; class_index++) {
		const struct demand *demand = possible_demand(work, workload, class_index);

		/* A history of use is a base to commit to, and a rest by the hour. */
		if (demand == NULL || (kind != WORKLOAD_INFERENCE && kind != WORKLOAD_USAGE) ||
		    !is_in_question(work, workload, demand))
			continue;
		if (mixing == NULL)
			mixing = PLAN_TAKE(work->memory, struct mixing, 1);
		if (mixing == NULL)
			return;
		mixing->workload = workload;
		mixing->demand = demand;
		if (find_levels(work, mixing))
			mix_class(work, mixing, class_index);
	}
}
