/*
 * plan_mix.c - owned and rented servers together, for a demand that changes; see plan_work.h.
 *
 * Of a class the offers are weighed in the order of their bounds, and the best mix of those is
 * found anew, until none that is left can lower the total. What the project needs once is bought
 * with one of the servers, and each that may be the one is tried: at each place together with what
 * stands there, and with each supplier, which then must be part of the mix.
 */
#include <math.h>
#include <string.h>

#include "engine/plan_mixing.h"

#define EFFORT 200000000 /* comparisons for all mixes of a workload, ... */
#define EFFORT_SHARE 4   /* ... of what is left for those of one class at most this part */
#define BATCH 4
#define FEN 10000 /* micro: by so much what a server costs may be rounded */
#define ANY_BOUND (INT64_MAX / 2)

enum staircase {
	STAIRCASE_FLAT, /* nothing to mix */
	STAIRCASE,
	STAIRCASE_TOO_LONG, /* only its busiest servers are known */
};

/* The hours of the servers, from the one that works least. */
static enum staircase find_levels(const struct plan_work *work, struct mixing *mixing)
{
	const struct demand *demand = mixing->demand;
	const struct workload *workload = &work->spec->workloads[mixing->workload];
	int hours = work->basis.hours_per_month;
	int levels = (int)least(demand->servers, HYBRID_LEVELS_MAX);

	if (levels < 2 || demand->unit > 1)
		return STAIRCASE_FLAT;
	mixing->orders.levels = levels;
	for (int i = 0; i < levels; i++)
		mixing->hours[i] = demand_level(demand, workload, hours, levels - 1 - i);
	if (demand_level(demand, workload, hours, demand->servers - 1) == mixing->hours[levels - 1])
		return STAIRCASE_FLAT;
	return levels < demand->servers ? STAIRCASE_TOO_LONG : STAIRCASE;
}

/* ---- Which of those for rent are weighed ---- */

/* Offers of a class in the order of their bounds for one server. */
struct run {
	struct frontier frontier;
	int64_t passed_by; /* the least bound of those that were not weighed */
};

struct rentals {
	int class_index;
	struct run committed;
	struct run hourly;    /* bounds for the hours of the busiest level */
	int64_t least_beside; /* what the project needs once costs no less with any of them */
};

/* What the project needs once costs at least with an offer of CODE; HYBRID_IMPOSSIBLE when it is
 * not bought with one. */
static int64_t beside_bound(const struct plan_work *work, const struct mixing *mixing,
                            uint32_t code)
{
	if (!mixing->carries || (mixing->complete && !may_be_complete(work, code, PICK_RENT, true)))
		return HYBRID_IMPOSSIBLE;
	return bound_with_sides(work, code, true, 0);
}

/* Adds the offers of a class. */
static void open_class(struct plan_work *work, const struct mixing *mixing, int class_index,
                       struct rentals *rentals)
{
	struct parts parts = parts_of_group(work, work->class_rented[class_index]);
	double cards = class_server_cards(&mixing->demand->class);
	double busiest = (double)mixing->hours[mixing->orders.levels - 1] / 1000;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		frontier_add_hourly(work, &rentals->hourly.frontier, part, class_index,
		                    floor_month(work) * busiest * cards * work->basis.months);
		frontier_add(work, &rentals->committed.frontier, part, class_index,
		             720 * cards * work->basis.months);
		for (uint32_t i = 0; i < part->code_count && mixing->carries; i++)
			rentals->least_beside = least(rentals->least_beside,
			                              beside_bound(work, mixing, part->codes[i]));
	}
}

/* Those of CLASS_INDEX and of the classes alike it. */
static void open_rentals(struct plan_work *work, const struct mixing *mixing, int class_index,
                         struct rentals *rentals)
{
	size_t runs = 0;

	for (int c = class_index; c >= 0; c = next_alike(work, mixing->workload, c)) {
		struct parts parts = parts_of_group(work, work->class_rented[c]);

		runs += (size_t)(parts.end - parts.first);
	}
	*rentals = (struct rentals){
	    .class_index = class_index,
	    .committed = {{.heap = work->frontier.heap}, INT64_MAX},
	    .hourly = {{.heap = work->frontier.heap + runs}, INT64_MAX},
	    .least_beside = HYBRID_IMPOSSIBLE,
	};
	for (int c = class_index; c >= 0; c = next_alike(work, mixing->workload, c))
		open_class(work, mixing, c, rentals);
}

static bool has_supplier(const struct mixing *mixing, uint32_t position)
{
	for (int i = 0; i < mixing->orders.suppliers; i++)
		if (mixing->positions[i] == position)
			return true;
	return false;
}

/* From which bounds on an offer cannot lower the total. */
struct limits {
	int64_t any;
	int64_t carrying; /* one with which the network costs less than this: */
	int64_t beside;
};

static bool may_gain(const struct plan_work *work, const struct mixing *mixing,
                     const struct screened *offer, int64_t bound, const struct limits *limits)
{
	return bound < limits->any || (bound < limits->carrying &&
	                               beside_bound(work, mixing, offer->code) < limits->beside);
}

/* Weighs a few more of those that can lower the total; false when there were none. */
static bool add_suppliers(struct plan_work *work, struct mixing *mixing, struct run *run,
                          const struct limits *limits)
{
	int64_t widest = limits->any > limits->carrying ? limits->any : limits->carrying;
	int tried = 0;

	while (tried < BATCH && run->frontier.count > 0 &&
	       frontier_first(&run->frontier)->bound < widest) {
		struct screened offer;
		int64_t bound;

		if (mixing->orders.suppliers == HYBRID_SUPPLIERS_MAX) {
			mixing->gave_up = true;
			break;
		}
		frontier_pop(&run->frontier, &offer, &bound);
		if (has_supplier(mixing, offer.position) ||
		    (mixing->complete && !may_be_complete(work, offer.code, PICK_RENT, false)))
			continue;
		if (may_gain(work, mixing, &offer, bound, limits)) {
			mix_add_offer(work, mixing, offer.position,
			              beside_bound(work, mixing, offer.code));
			tried++;
		} else {
			run->passed_by = least(run->passed_by, bound);
		}
	}
	return tried > 0;
}

/* From which bound on what is committed to cannot lower the total, when a mix may gain SLACK. */
static int64_t committed_limit(const struct mixing *mixing, int64_t slack)
{
	int64_t limit = 0;

	for (int i = 0; i < mixing->orders.levels; i++)
		if (mixing->ceiling[i] + slack > limit)
			limit = mixing->ceiling[i] + slack;
	return limit;
}

/* The same of what is paid by the hour, whose bounds are for the hours of the busiest level. */
static int64_t hourly_limit(const struct mixing *mixing, int64_t slack)
{
	double busiest = (double)mixing->hours[mixing->orders.levels - 1];
	double limit = 0;

	for (int i = 0; i < mixing->orders.levels; i++) {
		double worth = (double)mixing->ceiling[i] + (double)slack;

		if (worth > 0)
			limit = fmax(limit, mixing->hours[i] > 0
			                        ? worth * busiest / (double)mixing->hours[i]
			                        : INFINITY);
	}
	return limit < 9e18 ? (int64_t)limit + 1 : INT64_MAX;
}

/* ---- The best mix of those that are weighed ---- */

/* What is owned at PLACE alone; nothing is where that is NULL. */
static void set_place(struct mixing *mixing, const struct mix_place *place)
{
	struct hybrid_orders *orders = &mixing->orders;

	orders->owned[0] = 0;
	for (int i = 0; i < orders->levels; i++) {
		orders->owned[i + 1] = place == NULL ? HYBRID_IMPOSSIBLE : place->owned[i + 1];
		orders->owned_level[i] = place == NULL ? 0 : place->owned_level[i];
	}
}

/* The cheapest mix with MUST that costs less than BELOW. */
static bool find_mix(struct mixing *mixing, int must, int64_t below, struct hybrid_choice *choice)
{
	struct hybrid_search *search = &mixing->search;
	bool found;

	search->orders = &mixing->orders;
	search->must = must;
	search->below = below;
	search->same = (int64_t)FEN * mixing->orders.levels;
	found = hybrid_order(search, choice);
	mixing->gave_up = mixing->gave_up || search->gave_up;
	return found;
}

static void keep_mix(struct mixing *mixing, const struct hybrid_choice *choice, int64_t total,
                     const struct mix_place *place, int carrier)
{
	mixing->found = true;
	mixing->total = total;
	mixing->choice = *choice;
	mixing->place = choice->mix.owned > 0 ? place : NULL;
	mixing->carrier = carrier;
}

static int64_t least_beside(const struct mixing *mixing)
{
	int64_t result = HYBRID_IMPOSSIBLE;

	for (int s = 0; s < mixing->orders.suppliers; s++)
		if (mixing->beside_known[s])
			result = least(result, mixing->beside[s]);
	return result;
}

/* Whether a mix for TOTAL costs least with the network at SUPPLIER's; what that costs is known
 * then.
 */
static bool may_carry(struct plan_work *work, struct mixing *mixing, int supplier, int64_t total)
{
	return mixing->beside[supplier] < HYBRID_IMPOSSIBLE &&
	       total + mixing->beside[supplier] < mixing->total &&
	       mix_beside(work, mixing, supplier) < HYBRID_IMPOSSIBLE &&
	       total + mixing->beside[supplier] < mixing->total;
}

/* Each supplier that may carry the network, those of the best mix without it first. */
static void try_carriers(struct plan_work *work, struct mixing *mixing,
                         const struct mix_place *place)
{
	int64_t beside = least_beside(mixing);
	struct hybrid_choice base, choice;

	if (!find_mix(mixing, HYBRID_NONE, mixing->total - beside, &base)) {
		mixing->bound = least(mixing->bound, mixing->search.bound);
		return;
	}
	mixing->bound = least(mixing->bound, mixing->search.bound);
	for (int s = 0; s < mixing->orders.suppliers; s++)
		if (base.way[s] != HYBRID_NONE && may_carry(work, mixing, s, base.mix.total))
			keep_mix(mixing, &base, base.mix.total + mixing->beside[s], place, s);
	for (int s = 0; s < mixing->orders.suppliers; s++)
		if (base.way[s] == HYBRID_NONE && may_carry(work, mixing, s, base.mix.total) &&
		    find_mix(mixing, s, mixing->total - mixing->beside[s], &choice))
			keep_mix(mixing, &choice, choice.mix.total + mixing->beside[s], place, s);
}

static void try_plain(struct mixing *mixing, const struct mix_place *place)
{
	struct hybrid_choice choice;

	if (find_mix(mixing, HYBRID_NONE, mixing->total, &choice))
		keep_mix(mixing, &choice, choice.mix.total, place, HYBRID_NONE);
	mixing->bound = least(mixing->bound, mixing->search.bound);
}

/* The network with what is owned at PLACE. */
static void try_carrying_place(struct mixing *mixing, const struct mix_place *place)
{
	struct hybrid_choice choice;

	set_place(mixing, place);
	mixing->orders.owned[0] = HYBRID_IMPOSSIBLE;
	if (find_mix(mixing, HYBRID_NONE, mixing->total, &choice))
		keep_mix(mixing, &choice, choice.mix.total, place, HYBRID_OWNED);
	mixing->bound_owned = least(mixing->bound_owned, mixing->search.bound);
}

/* With nothing owned, or with what is owned at one place. */
static void try_places(struct plan_work *work, struct mixing *mixing)
{
	mixing->found = false;
	mixing->total = mixing->bound = mixing->bound_owned = HYBRID_IMPOSSIBLE;
	for (int i = 0; i == 0 || i < mixing->plain.count; i++) {
		const struct mix_place *place =
		    i < mixing->plain.count ? &mixing->plain.items[i] : NULL;

		set_place(mixing, place);
		if (mixing->carries)
			try_carriers(work, mixing, place);
		else
			try_plain(mixing, place);
	}
	for (int i = 0; i < mixing->carrying.count; i++)
		try_carrying_place(mixing, &mixing->carrying.items[i]);
}

/* ---- Until no other offer can lower the total ---- */

/* How much a mix may cost less than the best so far when no such mix costs less than BOUND. */
static int64_t slack_of(const struct mixing *mixing, int64_t bound)
{
	if (bound >= HYBRID_IMPOSSIBLE)
		return 0;
	if (!mixing->found)
		return ANY_BOUND;
	return mixing->total > bound ? mixing->total - bound : 0;
}

/* More of those that can lower the total by SLACK, or by CARRYING when the network costs less with
 * them than with any so far. */
static bool weigh_more(struct plan_work *work, struct mixing *mixing, struct rentals *rentals,
                       const int64_t slack[2])
{
	struct limits committed = {.any = committed_limit(mixing, slack[0]),
	                           .carrying = committed_limit(mixing, slack[1]),
	                           .beside = least_beside(mixing)};
	struct limits hourly = {.any = hourly_limit(mixing, slack[0]),
	                        .carrying = hourly_limit(mixing, slack[1]),
	                        .beside = committed.beside};

	/* What did not seem of use may be so beside those that were weighed since. */
	if (rentals->committed.passed_by < committed.any || rentals->hourly.passed_by < hourly.any)
		open_rentals(work, mixing, rentals->class_index, rentals);
	bool more = add_suppliers(work, mixing, &rentals->committed, &committed);

	return add_suppliers(work, mixing, &rentals->hourly, &hourly) || more;
}

/* Weighs what lowers the bound of all mixes, and gives the worth of the levels. */
static void weigh_cheapest(struct plan_work *work, struct mixing *mixing, struct rentals *rentals)
{
	static const int64_t no_slack[2] = {0, 0};
	struct hybrid_search *search = &mixing->search;
	struct hybrid_mix mix;
	bool more;

	set_place(mixing, NULL);
	search->orders = &mixing->orders;
	search->must = HYBRID_NONE;
	do {
		more = weigh_more(work, mixing, rentals, no_slack);
		hybrid_order_bound(search, &mix);
		memcpy(mixing->ceiling, mix.ceiling, sizeof mixing->ceiling);
		memcpy(mixing->least, mix.least, sizeof mixing->least);
	} while (more);
}

/*
 * So many servers are worth no more than what a mix that is to be the best may cost beside those
 * that it rents, with the network for BESIDE at least.
 */
static void set_worth(const struct mixing *mixing, int64_t beside, int64_t *worth)
{
	int levels = mixing->orders.levels;

	for (int owned = 1; owned <= levels; owned++) {
		worth[owned] = mixing->found && mixing->least[owned] < HYBRID_IMPOSSIBLE
		                   ? mixing->total - mixing->least[owned] - beside
		                   : INT64_MAX;
		/* Where nothing can be rented all are owned. */
		if (mixing->orders.suppliers == 0 && owned < levels)
			worth[owned] = 0;
	}
}

/* What the project needs once costs at least at any place. */
static int64_t least_beside_place(const struct plan_work *work, const struct mixing *mixing)
{
	struct parts parts = parts_of_kind(work, OFFER_COLOCATION);
	int64_t result = HYBRID_IMPOSSIBLE;

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		for (uint32_t i = 0; i < part->code_count; i++)
			if (!mixing->complete ||
			    may_be_complete(work, part->codes[i], PICK_HOST, true))
				result =
				    least(result, bound_with_sides(work, part->codes[i], true, 0));
	return result;
}

/* Those at which the network is bought too, which costs BESIDE at least. */
static void find_carrying_places(struct plan_work *work, struct mixing *mixing, int class_index,
                                 int64_t beside)
{
	struct mix_places *places = &mixing->carrying;

	set_worth(mixing, 0, places->worth);
	for (int owned = 1; owned <= mixing->orders.levels; owned++)
		if (places->worth[owned] < INT64_MAX &&
		    mixing->plain.least[owned] + beside >= places->worth[owned])
			places->worth[owned] = 0;
	mix_find_places(work, mixing, class_index, places);
	if (places->count > 0)
		try_places(work, mixing);
}

static void find_places(struct plan_work *work, struct mixing *mixing, int class_index,
                        const struct rentals *rentals)
{
	int64_t rented = least(least_beside(mixing), rentals->least_beside);
	int64_t beside = mixing->carries ? least_beside_place(work, mixing) : HYBRID_IMPOSSIBLE;

	/* What is found without the network is a bound for those with it. */
	set_worth(mixing, mixing->carries ? least(rented, beside) : 0, mixing->plain.worth);
	mix_find_places(work, mixing, class_index, &mixing->plain);
	if (mixing->plain.count > 0)
		try_places(work, mixing);
	if (beside < HYBRID_IMPOSSIBLE)
		find_carrying_places(work, mixing, class_index, beside);
}

/* Whether more offers may lower the total, and by how much: see weigh_more(). */
static bool may_cost_less(const struct mixing *mixing, const struct rentals *rentals,
                          int64_t slack[2])
{
	int64_t beside = mixing->carries ? least_beside(mixing) : 0;
	int64_t others = mixing->carries ? least(beside, rentals->least_beside) : 0;

	slack[0] = slack_of(mixing, least(mixing->bound + beside, mixing->bound_owned));
	slack[1] = slack_of(mixing, least(mixing->bound + others, mixing->bound_owned));
	return !mixing->search.gave_up && slack[1] > 0;
}

/* The cheapest mix over all offers of the class. */
static void solve(struct plan_work *work, struct mixing *mixing, int class_index)
{
	struct rentals rentals;
	int64_t slack[2];

	mixing->orders.suppliers = mixing->orders.rows = 0;
	mixing->plain.count = mixing->carrying.count = 0;
	for (int i = 0; i < mixing->orders.levels; i++)
		mixing->ceiling[i] = HYBRID_IMPOSSIBLE;
	open_rentals(work, mixing, class_index, &rentals);
	weigh_cheapest(work, mixing, &rentals);
	try_places(work, mixing);
	find_places(work, mixing, class_index, &rentals);
	/* The search for places has used up what was open. */
	open_rentals(work, mixing, class_index, &rentals);
	while (may_cost_less(mixing, &rentals, slack) &&
	       weigh_more(work, mixing, &rentals, slack)) {
		weigh_cheapest(work, mixing, &rentals);
		try_places(work, mixing);
	}
}

/* ---- Together ---- */

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

/* The bills of all picks; false when one has none. */
static bool price_picks(struct plan_work *work, struct pick *picks, struct candidate *candidate)
{
	for (int i = 0; i < candidate->pick_count; i++) {
		if (price_total(work, candidate->demand, &picks[i]) != COST_OK ||
		    __builtin_add_overflow(candidate->total, picks[i].total, &candidate->total))
			return false;
		candidate->incomplete = candidate->incomplete || picks[i].incomplete;
	}
	return true;
}

static void add_mix(struct plan_work *work, struct mixing *mixing)
{
	struct pick picks[PICKS_MAX];
	struct candidate candidate = {0, ROUTE_HYBRID, mixing->demand, picks, 0, false};
	int owned = mixing->place == NULL ? 0 : mix_owned_picks(mixing, picks);
	int count = mix_rented_picks(work, mixing, picks, owned);

	mixing->gave_up = mixing->gave_up || count < 0;
	/* All owned, or all rented alike, is no mix: the other routes show it. */
	if (count < 0 || count == owned || count - owned + (owned > 0) < 2 ||
	    (owned == 0 && is_plain_rent(work, mixing->demand, picks, count)))
		return;
	candidate.pick_count = count;
	if (price_picks(work, picks, &candidate))
		candidates_add(work, &work->lists[mixing->workload][ROUTE_HYBRID], &candidate);
}

static bool can_be_rented(const struct plan_work *work, const struct mixing *mixing, int first)
{
	for (int c = first; c >= 0; c = next_alike(work, mixing->workload, c)) {
		struct parts parts = parts_of_group(work, work->class_rented[c]);

		if (parts.first < parts.end)
			return true;
	}
	return false;
}

/* Adds the mix of the class: one that leaves nothing unknown goes before any other. */
static void mix_class(struct plan_work *work, struct mixing *mixing, int class_index)
{
	int64_t share = mixing->effort / EFFORT_SHARE;

	if (!can_be_rented(work, mixing, class_index))
		return;
	mixing->carries = mixing->workload == work->carrier;
	mixing->found = mixing->gave_up = mixing->search.gave_up = false;
	mixing->search.effort = share;
	for (int complete = 1; complete >= 0 && !mixing->found; complete--) {
		mixing->complete = complete != 0;
		solve(work, mixing, class_index);
	}
	mixing->effort -= share - mixing->search.effort;
	if (mixing->found)
		add_mix(work, mixing);
	work->mix_unsure = work->mix_unsure || mixing->gave_up;
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
	struct demand one = mix_busiest(mixing, 1);
	double hours = (double)one.milli_hours;
	double owned = (double)mix_least_purchase(work, mixing, &one, class_index);
	double sum = 0;
	struct rentals rentals;

	open_rentals(work, mixing, class_index, &rentals);
	double committed = (double)first_bound(&rentals.committed.frontier);
	double hourly = (double)first_bound(&rentals.hourly.frontier);

	for (int i = 0; i < mixing->orders.levels; i++)
		sum += fmin(fmin(owned, committed), hourly * (double)mixing->hours[i] / hours);
	return sum < 9e18 ? (int64_t)(sum * (1 - 1e-12)) : INT64_MAX;
}

/* Makes MIXING that of a class. */
static enum staircase open_mixing(struct plan_work *work, int workload, int class_index,
                                  struct mixing *mixing)
{
	mixing->workload = workload;
	mixing->carries = false;
	mixing->demand = possible_demand(work, workload, class_index);
	return mixing->demand == NULL ? STAIRCASE_FLAT : find_levels(work, mixing);
}

/* The lowest bounds of all classes that can be mixed; the least of those whose staircase is too
 * long. */
static int64_t bound_classes(struct plan_work *work, int workload, struct mixing *mixing,
                             int64_t *bounds)
{
	int64_t too_long = INT64_MAX;

	for (int i = 0; i < work->class_count; i++) {
		bounds[i] = INT64_MAX;
		if (first_alike(work, workload, i) != i)
			continue;
		enum staircase staircase = open_mixing(work, workload, i, mixing);

		if (staircase == STAIRCASE)
			bounds[i] = mix_bound(work, mixing, i);
		if (staircase == STAIRCASE_TOO_LONG)
			too_long = least(too_long, mix_bound(work, mixing, i));
	}
	return too_long;
}

/* The classes in the order of their bounds, until no other can be among the cheapest. */
void search_mix(struct plan_work *work, int workload)
{
	const struct candidates *list = &work->lists[workload][ROUTE_HYBRID];
	enum workload_kind kind = work->spec->workloads[workload].kind;

	/* A history of use is a base to commit to, and a rest by the hour. */
	if (kind != WORKLOAD_INFERENCE && kind != WORKLOAD_USAGE)
		return;
	struct mixing *mixing = work->mixing;
	int64_t *bounds = PLAN_TAKE(work->memory, int64_t, CLASSES_MAX);
	bool *done = PLAN_TAKE(work->memory, bool, CLASSES_MAX);

	if (mixing == NULL)
		mixing = work->mixing = PLAN_TAKE(work->memory, struct mixing, 1);
	if (mixing == NULL || bounds == NULL || done == NULL)
		return;
	memset(done, 0, CLASSES_MAX * sizeof *done);
	mixing->effort = EFFORT;
	mixing->plain.carrying = false;
	mixing->carrying.carrying = true;
	int64_t too_long = bound_classes(work, workload, mixing, bounds);

	for (;;) {
		int next = next_class(bounds, work->class_count, done);

		if (next < 0 || !candidates_may_take(work, list, bounds[next], true))
			break;
		done[next] = true;
		if (open_mixing(work, workload, next, mixing) == STAIRCASE)
			mix_class(work, mixing, next);
	}
	if (too_long < INT64_MAX && candidates_may_take(work, list, too_long, true))
		work->mix_unsure = true;
}
