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
	struct candidates pairs[HYBRID_LEVELS_MAX + 1]; /* of so many owned servers, the cheapest */
	int64_t owned[HYBRID_LEVELS_MAX + 1];     /* what they cost when they are the busiest */
	int64_t all_hours[HYBRID_LEVELS_MAX + 1]; /* and more when they never rest than always */
	bool complete; /* nothing that leaves something unknown is weighed */
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

/* What one server of DEMAND costs for so many hours; HYBRID_IMPOSSIBLE when it has no bill, or none
 * that is as complete as is wanted. */
static int64_t level_cost(struct plan_work *work, const struct mixing *mixing, uint32_t position,
                          int64_t milli_hours)
{
	struct pick pick = {.position = position,
	                    .role = PICK_RENT,
	                    .servers = 1,
	                    .cards = class_server_cards(&mixing->demand->class),
	                    .milli_hours = milli_hours};

	if (price_total(work, mixing->demand, &pick) != COST_OK ||
	    (mixing->complete && pick.incomplete) || pick.total >= HYBRID_IMPOSSIBLE / 1024)
		return HYBRID_IMPOSSIBLE;
	return pick.total;
}

static void price_levels(struct plan_work *work, struct mixing *mixing, uint32_t position)
{
	int supplier = mixing->problem.suppliers;
	int64_t *costs = mixing->problem.cost[supplier];

	for (int i = 0; i < mixing->problem.levels; i++)
		costs[i] = i > 0 && mixing->hours[i] == mixing->hours[i - 1]
		               ? costs[i - 1]
		               : level_cost(work, mixing, position, mixing->hours[i]);
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

/* Where SERVERS owned ones stand. */
static const struct pick *place_of(const struct mixing *mixing, int servers)
{
	return &mixing->pairs[servers].items[0].picks[1];
}

/*
 * The problem with what is owned at the place of SERVERS alone, the most that stand there. Power is
 * linear in the hours, so that their cost for all of them gives that of an hour to a fraction of a
 * fen.
 */
static void set_place(const struct plan_work *work, struct mixing *mixing, int servers)
{
	struct hybrid_problem *problem = &mixing->problem;
	int128 hours = (int128)servers * work->basis.hours_per_month * 1000;
	int128 cost = mixing->all_hours[servers];
	uint32_t place = place_of(mixing, servers)->position;
	int64_t of_busiest = 0;

	for (int i = 0; i < problem->levels; i++)
		problem->owned_level[i] = (int64_t)(cost * mixing->hours[i] / hours);
	for (int owned = 1; owned <= problem->levels; owned++) {
		bool is_there = mixing->owned[owned] < HYBRID_IMPOSSIBLE &&
		                place_of(mixing, owned)->position == place;

		of_busiest += problem->owned_level[problem->levels - owned];
		problem->owned[owned] =
		    is_there ? mixing->owned[owned] - of_busiest : HYBRID_IMPOSSIBLE;
	}
}

/* Whether no more servers than these stand at their place. */
static bool is_most_of_place(const struct mixing *mixing, int servers)
{
	uint32_t place = place_of(mixing, servers)->position;

	for (int more = servers + 1; more <= mixing->problem.levels; more++)
		if (mixing->owned[more] < HYBRID_IMPOSSIBLE &&
		    place_of(mixing, more)->position == place)
			return false;
	return true;
}

static void forbid_owning(struct hybrid_problem *problem)
{
	for (int i = 0; i < problem->levels; i++) {
		problem->owned_level[i] = 0;
		problem->owned[i + 1] = HYBRID_IMPOSSIBLE;
	}
}

/* The cheapest mix with nothing owned or with what is owned at one place: there an hour costs the
 * same for each number of servers. */
static bool solve_places(const struct plan_work *work, struct mixing *mixing)
{
	struct hybrid_mix mix;

	forbid_owning(&mixing->problem);
	bool found = hybrid_solve(&mixing->problem, &mixing->mix);

	for (int servers = mixing->problem.levels; servers > 0; servers--) {
		if (mixing->owned[servers] >= HYBRID_IMPOSSIBLE ||
		    !is_most_of_place(mixing, servers))
			continue;
		set_place(work, mixing, servers);
		if (!hybrid_solve(&mixing->problem, &mix) ||
		    (found && mix.total >= mixing->mix.total))
			continue;
		mixing->mix = mix;
		found = true;
	}
	return found;
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
		found = solve_places(work, mixing);
		committed = committed_limit(mixing);
		hourly = hourly_limit(mixing);
	} while (more);
	return found;
}

/* ---- Owned ---- */

/* The busiest SERVERS of the demand. */
static struct demand busiest(const struct mixing *mixing, int servers)
{
	struct demand part = *mixing->demand;
	int levels = mixing->problem.levels;
	int64_t hours = 0;

	for (int i = levels - servers; i < levels; i++)
		hours += mixing->hours[i];
	part.servers = servers;
	part.milli_hours = (hours + servers - 1) / servers;
	return part;
}

/* For each number of servers the cheapest way to buy and place them. */
static void find_owned(struct plan_work *work, struct mixing *mixing, int class_index)
{
	struct demand one = busiest(mixing, 1);
	bool is_sold = least_purchase(work, &one, class_index) != INT64_MAX;
	int carrier = work->carrier;

	work->carrier = -1; /* see price_picks() */
	for (int servers = 1; servers <= mixing->problem.levels; servers++) {
		struct demand part = busiest(mixing, servers);
		struct candidates *pairs = &mixing->pairs[servers];

		*pairs = (struct candidates){.limit = 1};
		if (!is_sold || !candidates_init(work, pairs, 1))
			continue;
		pairs->by_total = !mixing->complete;
		search_pairs(work, &part, class_index, pairs);
	}
	work->carrier = carrier;
}

/* What SERVERS at their place cost more when they work all hours than when they never do. */
static int64_t cost_of_hours(struct plan_work *work, const struct mixing *mixing, int servers)
{
	struct pick pick = *place_of(mixing, servers);

	pick.milli_hours = 0;
	if (price_total(work, mixing->demand, &pick) != COST_OK)
		return 0;
	int64_t idle = pick.total;

	pick.milli_hours = (int64_t)work->basis.hours_per_month * 1000;
	return price_total(work, mixing->demand, &pick) == COST_OK ? pick.total - idle : 0;
}

static void price_owned(struct plan_work *work, struct mixing *mixing)
{
	mixing->problem.owned[0] = 0;
	for (int servers = 1; servers <= mixing->problem.levels; servers++) {
		const struct candidates *pairs = &mixing->pairs[servers];
		bool is_of_use =
		    pairs->count > 0 && !(mixing->complete && pairs->items[0].incomplete);

		mixing->owned[servers] = is_of_use ? pairs->items[0].total : HYBRID_IMPOSSIBLE;
	}
	for (int servers = 1; servers <= mixing->problem.levels; servers++)
		if (mixing->owned[servers] < HYBRID_IMPOSSIBLE && is_most_of_place(mixing, servers))
			mixing->all_hours[servers] = cost_of_hours(work, mixing, servers);
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

static bool same_terms(const struct rent_mix *a, const struct rent_mix *b)
{
	return a->years == b->years && a->quarters == b->quarters && a->months == b->months;
}

/* Whether COUNT picks are one offer in the same terms throughout: rented as it is needed, or
 * committed to alike, which is no mix. */
static bool is_plain_rent(struct plan_work *work, const struct demand *demand,
                          const struct pick *picks, int count)
{
	struct rent_mix first;

	for (int i = 0; i < count; i++) {
		struct rent_mix mix;

		if (picks[i].position != picks[0].position ||
		    price_pick(work, demand, &picks[i], &mix, NULL) != COST_OK)
			return false;
		if (i == 0)
			first = mix;
		if (!same_terms(&mix, &first))
			return false;
	}
	return true;
}

static int owned_picks(const struct mixing *mixing, struct pick *picks)
{
	int servers = mixing->mix.owned;
	int64_t hours = 0;

	memcpy(picks, mixing->pairs[servers].items[0].picks, 2 * sizeof *picks);
	for (int i = 0; i < mixing->problem.levels; i++)
		if (mixing->mix.supplier_of[i] == HYBRID_OWNED)
			hours += mixing->hours[i];
	for (int i = 0; i < 2; i++)
		picks[i].milli_hours = (hours + servers - 1) / servers;
	return 2;
}

static void add_mix(struct plan_work *work, const struct mixing *mixing)
{
	struct pick picks[PICKS_MAX];
	int count = 0;
	struct candidate candidate = {0, ROUTE_HYBRID, mixing->demand, picks, 0, false};

	if (mixing->mix.owned > 0)
		count = owned_picks(mixing, picks);
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

/* Adds the mix of the class: one that leaves nothing unknown goes before any other. */
static void mix_class(struct plan_work *work, struct mixing *mixing, int class_index)
{
	bool found = false;

	for (int complete = 1; complete >= 0 && !found; complete--) {
		mixing->complete = complete != 0;
		find_owned(work, mixing, class_index);
		price_owned(work, mixing);
		found = solve(work, mixing, class_index);
	}
	if (found)
		add_mix(work, mixing);
}

/* ---- Which classes are mixed ---- */

static int64_t first_bound(const struct frontier *frontier)
{
	const struct frontier_entry *first = frontier_first(frontier);

	return first == NULL ? INT64_MAX : first->bound;
}

/* No mix of the class costs less: each server rented or bought by itself at the lowest bound. */
static int64_t mix_bound(struct plan_work *work, const struct mixing *mixing, int class_index)
{
	struct demand one = busiest(mixing, 1);
	double hours = (double)one.milli_hours;
	double owned = (double)least_purchase(work, &one, class_index);
	double sum = 0;
	struct rentals rentals;

	open_rentals(work, mixing, class_index, &rentals);
	double committed = (double)first_bound(&rentals.committed);
	double hourly = (double)first_bound(&rentals.hourly);

	for (int i = 0; i < mixing->problem.levels; i++)
		sum += fmin(fmin(owned, committed), hourly * (double)mixing->hours[i] / hours);
	return sum < 9e18 ? (int64_t)(sum * (1 - 1e-12)) : INT64_MAX;
}

/* Makes MIXING that of a class; false when there is nothing to mix. */
static bool open_mixing(struct plan_work *work, int workload, int class_index,
                        struct mixing *mixing)
{
	mixing->workload = workload;
	mixing->demand = possible_demand(work, workload, class_index);
	return mixing->demand != NULL && find_levels(work, mixing);
}

/* The classes in the order of their bounds, until no other can be among the cheapest. */
void search_mix(struct plan_work *work, int workload)
{
	const struct candidates *list = &work->lists[workload][ROUTE_HYBRID];
	enum workload_kind kind = work->spec->workloads[workload].kind;

	/* A history of use is a base to commit to, and a rest by the hour. */
	if (kind != WORKLOAD_INFERENCE && kind != WORKLOAD_USAGE)
		return;
	struct mixing *mixing = PLAN_TAKE(work->memory, struct mixing, 1);
	int64_t *bounds = PLAN_TAKE(work->memory, int64_t, CLASSES_MAX);
	bool *done = PLAN_TAKE(work->memory, bool, CLASSES_MAX);

	if (mixing == NULL || bounds == NULL || done == NULL)
		return;
	for (int i = 0; i < work->class_count; i++) {
		done[i] = false;
		bounds[i] =
		    open_mixing(work, workload, i, mixing) ? mix_bound(work, mixing, i) : INT64_MAX;
	}
	for (;;) {
		int next = next_class(bounds, work->class_count, done);

		if (next < 0 || !candidates_may_take(work, list, bounds[next], true))
			return;
		done[next] = true;
		if (open_mixing(work, workload, next, mixing))
			mix_class(work, mixing, next);
	}
}
