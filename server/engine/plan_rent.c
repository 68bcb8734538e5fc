/* plan_rent.c - rented cards: one supplier, or several when stock is short; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

/* Bounds of the exact covering: beyond them an order is not split. */
#define SPLIT_UNITS_MAX 128
#define SPLIT_OFFERS_MAX 64
#define SPLIT_GAIN 1000000 /* micro: one yuan. Less may come from the rounding of more lines */

/* The fewest cards of an offer with FACTS that can be rented for DEMAND: whole servers mostly. */
static double rented_cards(const struct demand *demand, const struct screen_part *part)
{
	int server = part->facts->cards_per_server;
	int lot = server > 1 && !part->shared ? server : 1;

	return (double)((demand->cards + lot - 1) / lot) * lot;
}

/* Card-hours paid for over the project at least: how many times its hourly floor an offer costs. */
static double paid_hours(const struct plan_work *work, const struct demand *demand,
                         const struct screen_part *part)
{
	double milli = demand->elastic ? (double)demand->milli_card_hours
	                               : (double)demand->milli_hours * rented_cards(demand, part);

	return milli / 1000 * work->basis.months * floor_month(work);
}

/* Card-hours of whole months: the same for what is committed to. */
static double committed_hours(const struct plan_work *work, const struct demand *demand,
                              const struct screen_part *part)
{
	return rented_cards(demand, part) * 720 * work->basis.months;
}

/* Hours that each card runs when the offer is rented in lots of LOT cards. */
static int64_t hours_in_lots(const struct plan_work *work, const struct demand *demand, int cards,
                             int lot)
{
	int64_t month = (int64_t)work->basis.hours_per_month * 1000;
	int64_t rented = lot > 0 ? ((int64_t)cards + lot - 1) / lot * lot : cards;

	if (!demand->elastic)
		return least(demand->milli_hours, month);
	return least((demand->milli_card_hours + rented - 1) / rented, month);
}

static bool carries_network(const struct plan_work *work, int workload)
{
	return workload == work->carrier;
}

/* ---- All from one supplier ---- */

static void try_single(struct plan_work *work, int workload, const struct demand *demand,
                       uint32_t position)
{
	const struct offer *offer = work_offer(work, position, &work->main);
	struct pick pick = {
	    .position = position,
	    .role = PICK_RENT,
	    .carries_network = carries_network(work, workload),
	    .servers = demand->servers,
	    .cards = demand->cards,
	    .milli_hours = hours_in_lots(work, demand, demand->cards, rent_lot_cards(offer)),
	};
	enum cost_status status = price_total(work, demand, &pick);

	mark_offer(work, position, reason_of_status(status));
	if (status != COST_OK)
		return;
	struct candidate candidate = {pick.total, ROUTE_RENT, demand, &pick, 1, pick.incomplete};

	candidates_add(work, &work->lists[workload][ROUTE_RENT], &candidate);
}

/* Servers that an offer of all cards of DEMAND must have. */
static int rented_servers(const struct demand *demand)
{
	int server = class_server_cards(&demand->class);

	return (demand->cards + server - 1) / server;
}

/* What the offers of PART leave to others to supply, code by code. */
static const int64_t *besides(struct plan_work *work, const struct screen_part *part)
{
	for (uint32_t i = 0; i < part->code_count; i++)
		work->beside[i] = bound_with_sides(work, part->codes[i], true, 0);
	return work->beside;
}

/* The offers of a class that may be all of DEMAND, with bounds for it; CARRIES as
 * bound_with_sides(), not in the result: the lowest bound of any offer's price. */
static int64_t open_class(struct plan_work *work, const struct demand *demand, int class_index,
                          bool carries, struct frontier *frontier)
{
	struct parts parts = parts_of_group(work, work->class_rented[class_index]);
	int64_t lowest = INT64_MAX;

	frontier->need = rented_servers(demand);
	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		double hours = paid_hours(work, demand, part);
		double committed = committed_hours(work, demand, part);

		frontier->beside = carries ? besides(work, part) : NULL;
		lowest =
		    least(lowest, frontier_add_hourly(work, frontier, part, class_index, hours));
		lowest = least(lowest, frontier_add(work, frontier, part, class_index, committed));
	}
	return lowest;
}

/* What the network costs at least with any offer of GROUP. */
static int64_t least_beside(const struct plan_work *work, int group, bool carries)
{
	struct parts parts = parts_of_group(work, group);
	int64_t lowest = INT64_MAX;

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		for (uint32_t i = 0; i < part->code_count; i++)
			lowest = least(lowest, bound_with_sides(work, part->codes[i], carries, 0));
	return lowest == INT64_MAX ? 0 : lowest;
}

/* Also gives the lowest bound of each class; INT64_MAX for a class of no use. */
static void search_singles(struct plan_work *work, int workload, struct frontier *frontier,
                           int64_t *bounds)
{
	struct candidates *list = &work->lists[workload][ROUTE_RENT];
	bool carries = carries_network(work, workload);
	const struct frontier_entry *first;

	frontier->count = 0;
	work->search++;
	for (int i = 0; i < work->class_count; i++) {
		const struct demand *demand = possible_demand(work, workload, i);

		bounds[i] =
		    demand == NULL ? INT64_MAX : open_class(work, demand, i, carries, frontier);
	}
	while ((first = frontier_first(frontier)) != NULL) {
		const struct demand *demand = possible_demand(work, workload, first->class_index);
		struct screened offer;
		int64_t bound;

		if (!candidates_may_take(work, list, first->bound, true))
			return;
		frontier_pop(frontier, &offer, &bound);
		if (!is_first_look(work, offer.position))
			continue;
		if (candidates_may_take(work, list, bound,
		                        may_be_complete(work, offer.code, PICK_RENT, carries)))
			try_single(work, workload, demand, offer.position);
	}
}

/* ---- Covered by several suppliers: exact, by dynamic programming over their offers ---- */

/* What a cover so far is: it has bought the network, one of its bills is incomplete. */
#define WITH_NETWORK 1
#define INCOMPLETE 2
#define COVER_STATES 4

/* How the cheapest cover of J units in a state ends: TAKEN of the last offer, after state FROM. */
struct cover_step {
	int16_t taken;
	int16_t from;
};

struct unit_price {
	int64_t total; /* INT64_MAX = no bill */
	bool incomplete;
};

struct cover {
	const struct demand *demand;
	int workload;
	int units;        /* to be covered */
	bool carries;     /* one of the picks must carry the network */
	int64_t cheapest; /* bound of the first offer: no unit of any costs less; -1 = none yet */
	int64_t least_beside; /* that the network costs with any offer of the class */
	int64_t least_extra; /* that an offer costs more than that by carrying, of those taken in */
	bool may_complete;   /* some offer of the class can be complete */
	/* The least for J units in each state; INT64_MAX = not possible. */
	int64_t best[COVER_STATES][SPLIT_UNITS_MAX + 1];
	int16_t picks[COVER_STATES][SPLIT_UNITS_MAX + 1]; /* of the best */
	struct cover_step steps[SPLIT_OFFERS_MAX][COVER_STATES][SPLIT_UNITS_MAX + 1];
	uint32_t positions[SPLIT_OFFERS_MAX];
	int offers;
};

static struct pick cover_pick(const struct cover *cover, uint32_t position, int units,
                              bool carries_network)
{
	int servers = units * cover->demand->unit;

	return (struct pick){
	    .position = position,
	    .role = PICK_RENT,
	    .carries_network = carries_network,
	    .servers = servers,
	    .cards = servers * class_server_cards(&cover->demand->class),
	    .milli_hours = cover->demand->milli_hours,
	};
}

static bool cover_has(const struct cover *cover, uint32_t position)
{
	for (int i = 0; i < cover->offers; i++)
		if (cover->positions[i] == position)
			return true;
	return false;
}

/* What cover_pick() rents for one unit, as a demand of its own. */
static struct demand cover_unit(const struct demand *demand)
{
	struct demand one = *demand;

	one.servers = demand->unit;
	one.cards = demand->unit * class_server_cards(&demand->class);
	one.elastic = false;
	return one;
}

static struct unit_price price_of_units(struct plan_work *work, const struct cover *cover,
                                        uint32_t position, int units, bool with_network)
{
	struct pick pick = cover_pick(cover, position, units, with_network);
	enum cost_status status = price_total(work, cover->demand, &pick);

	return (struct unit_price){status == COST_OK ? pick.total : INT64_MAX, pick.incomplete};
}

/* Whether a bill is the sum of its lines: VAT that is a cost is rounded over all lines of a rate.
 */
static bool is_sum_of_lines(const struct plan_work *work)
{
	return !cost_vat_is_cost(&work->basis, NULL);
}

/* PLAIN, the bill for UNITS of an offer, with the network, which alone costs BESIDE. */
static struct unit_price with_network(struct plan_work *work, const struct cover *cover,
                                      uint32_t position, int units, struct unit_price plain,
                                      struct unit_price beside)
{
	struct unit_price sum = {INT64_MAX, plain.incomplete || beside.incomplete};

	if (!is_sum_of_lines(work))
		return price_of_units(work, cover, position, units, true);
	if (plain.total == INT64_MAX || beside.total == INT64_MAX ||
	    __builtin_add_overflow(plain.total, beside.total, &sum.total))
		sum.total = INT64_MAX;
	return sum;
}

/* TAKEN more units for PRICE, which adds what ADDS says, after a cover in state FROM. */
static void improve(struct cover *cover, int from, int adds, int units, int taken,
                    struct unit_price price)
{
	int64_t before = cover->best[from][units - taken];
	int to = from | adds | (price.incomplete ? INCOMPLETE : 0);
	int64_t total;

	if (before == INT64_MAX || price.total == INT64_MAX ||
	    __builtin_add_overflow(before, price.total, &total) || total > cover->best[to][units])
		return;
	int16_t picks = (int16_t)(cover->picks[from][units - taken] + 1);

	/* For the same money from as few suppliers as can be. */
	if (total == cover->best[to][units] && picks >= cover->picks[to][units])
		return;
	cover->best[to][units] = total;
	cover->picks[to][units] = picks;
	cover->steps[cover->offers][to][units] = (struct cover_step){(int16_t)taken, (int16_t)from};
}

/* Lets the offer at POSITION, which has MOST units and with the network costs BESIDE, take part. */
static void cover_add(struct plan_work *work, struct cover *cover, uint32_t position, int most,
                      struct unit_price beside)
{
	struct unit_price plain[SPLIT_UNITS_MAX + 1];
	struct unit_price carrying[SPLIT_UNITS_MAX + 1];

	memset(cover->steps[cover->offers], 0, sizeof cover->steps[cover->offers]);
	for (int units = 1; units <= most; units++) {
		plain[units] = price_of_units(work, cover, position, units, false);
		if (cover->carries)
			carrying[units] =
			    with_network(work, cover, position, units, plain[units], beside);
	}
	/* Downwards: what is built upon is still without this offer. */
	for (int units = cover->units; units >= 1; units--)
		for (int taken = 1; taken <= most && taken <= units; taken++)
			for (int from = 0; from < COVER_STATES; from++) {
				improve(cover, from, 0, units, taken, plain[taken]);
				if (cover->carries && (from & WITH_NETWORK) == 0)
					improve(cover, from, WITH_NETWORK, units, taken,
					        carrying[taken]);
			}
	cover->positions[cover->offers++] = position;
}

/*
 * The state of the best cover of all units: complete where that is possible, unless only what
 * leaves something open keeps to the budget. What may_help() passes over for a complete cover
 * beyond the budget is beyond it too, so that no open one within it is missed.
 */
static int cover_state(const struct plan_work *work, const struct cover *cover)
{
	int state = cover->carries ? WITH_NETWORK : 0;
	int64_t complete = cover->best[state][cover->units];
	int64_t open = cover->best[state | INCOMPLETE][cover->units];

	if (complete == INT64_MAX || (complete > work->budget && open <= work->budget))
		return state | INCOMPLETE;
	return state;
}

/* Whether a single offer of its class does it as completely for hardly more. */
static bool is_needless(const struct candidates *list, const struct candidate *cover)
{
	for (int i = 0; i < list->count; i++)
		if (list->items[i].demand == cover->demand &&
		    list->items[i].incomplete <= cover->incomplete &&
		    list->items[i].total < cover->total + SPLIT_GAIN)
			return true;
	return false;
}

/* Adds the cover as a candidate unless a single offer does it for hardly more. */
static void cover_finish(struct plan_work *work, const struct cover *cover)
{
	struct pick picks[SPLIT_OFFERS_MAX];
	struct candidates *list = &work->lists[cover->workload][ROUTE_RENT];
	int state = cover_state(work, cover);
	int units = cover->units;
	int count = 0;
	struct candidate candidate = {
	    cover->best[state][units], ROUTE_RENT, cover->demand, picks, 0,
	    (state & INCOMPLETE) != 0};

	if (candidate.total == INT64_MAX)
		return;
	for (int offer = cover->offers - 1; offer >= 0 && units > 0; offer--) {
		struct cover_step step = cover->steps[offer][state][units];
		bool carries = ((state ^ step.from) & WITH_NETWORK) != 0;

		if (step.taken == 0)
			continue;
		picks[count] = cover_pick(cover, cover->positions[offer], step.taken, carries);
		if (price_total(work, cover->demand, &picks[count++]) != COST_OK)
			return;
		units -= step.taken;
		state = step.from;
	}
	candidate.pick_count = count;
	if (count > 1 && count <= PICKS_MAX && !is_needless(list, &candidate))
		candidates_add(work, list, &candidate);
}

/* Whether the cover can gain by TAKEN units that cost at least BOUND each and EXTRA in all. */
static bool may_help(const struct plan_work *work, const struct cover *cover, int taken,
                     int64_t bound, int64_t extra)
{
	int network = cover->carries ? WITH_NETWORK : 0;
	int64_t best = cover->best[network | (cover->may_complete ? 0 : INCOMPLETE)][cover->units];
	double all = (double)bound * taken + (double)cover->cheapest * (cover->units - taken) +
	             (double)extra;
	int64_t least_total = all < 9e18 ? (int64_t)(all * (1 - 1e-12)) : INT64_MAX;

	return least_total <= best &&
	       candidates_may_take(work, &work->lists[cover->workload][ROUTE_RENT], least_total,
	                           cover->may_complete);
}

/* No bill with the network is dearer by less than this. */
static int64_t sure_part(const struct plan_work *work, struct unit_price beside)
{
	int64_t slack = is_sum_of_lines(work) ? 0 : BOUND_SLACK;

	return beside.total > slack ? beside.total - slack : 0;
}

/*
 * What a cover with an offer that costs at least BOUND a unit, and BESIDE with the network, costs
 * at least beside the servers. Either that offer carries the network, or another one does: one that
 * was taken in, or one that is still to come and costs at least BOUND.
 */
static int64_t extra_of(const struct plan_work *work, const struct cover *cover,
                        struct unit_price beside, int64_t bound)
{
	int64_t other = least(cover->least_extra, bound - cover->cheapest + cover->least_beside);

	return cover->carries ? least(sure_part(work, beside), other) : 0;
}

/* Takes the offer in where it can help the cover. */
static void cover_try(struct plan_work *work, struct cover *cover, uint32_t position, int64_t bound,
                      int most)
{
	struct unit_price beside = {0, false};

	if (cover->carries &&
	    price_beside(work, position, &beside.total, &beside.incomplete) != COST_OK)
		beside.total = INT64_MAX;
	int64_t extra = extra_of(work, cover, beside, bound);

	while (most > 0 && !may_help(work, cover, most, bound, extra))
		most--;
	if (most == 0)
		return;
	cover_add(work, cover, position, most, beside);
	if (beside.total < INT64_MAX / 2)
		cover->least_extra =
		    least(cover->least_extra, bound - cover->cheapest + sure_part(work, beside));
}

/* A class that is rented for a workload, or, with those alike it, the first of them. */
struct classes {
	int workload;
	int first;
	bool all_alike;
};

static int next_of(const struct plan_work *work, const struct classes *classes, int class_index)
{
	return classes->all_alike ? next_alike(work, classes->workload, class_index) : -1;
}

/* Starts the cover of DEMAND's servers; false when they cannot be split. */
static bool cover_start(struct plan_work *work, const struct classes *classes, struct cover *cover)
{
	int workload = classes->workload;
	const struct demand *demand = possible_demand(work, workload, classes->first);
	int units = demand->servers / demand->unit;

	if (units < 2 || units > SPLIT_UNITS_MAX)
		return false;
	cover->demand = demand;
	cover->workload = workload;
	cover->units = units;
	cover->carries = carries_network(work, workload);
	cover->may_complete = false;
	cover->offers = 0;
	cover->cheapest = -1;
	cover->least_beside = INT64_MAX;
	for (int c = classes->first; c >= 0; c = next_of(work, classes, c)) {
		int group = work->class_rented[c];

		cover->may_complete =
		    cover->may_complete || some_may_be_complete(work, parts_of_group(work, group),
		                                                PICK_RENT, cover->carries);
		cover->least_beside =
		    least(cover->least_beside, least_beside(work, group, cover->carries));
	}
	cover->least_extra = INT64_MAX;
	for (int state = 0; state < COVER_STATES; state++)
		for (int i = 0; i <= units; i++) {
			cover->best[state][i] = i == 0 && state == 0 ? 0 : INT64_MAX;
			cover->picks[state][i] = 0;
		}
	return true;
}

static void note_covered(struct plan_work *work, const struct classes *classes)
{
	for (int c = classes->first; c >= 0; c = next_of(work, classes, c))
		work->class_covered[c] = work->covered_now[c] = true;
}

static void search_split(struct plan_work *work, const struct classes *classes,
                         struct frontier *frontier, struct cover *cover)
{
	const struct candidates *list = &work->lists[classes->workload][ROUTE_RENT];
	bool is_full = list->count == list->limit;
	int64_t bound;
	struct screened offer;

	if (!cover_start(work, classes, cover))
		return;
	struct demand one = cover_unit(cover->demand);

	frontier->count = 0;
	for (int c = classes->first; c >= 0; c = next_of(work, classes, c))
		open_class(work, &one, c, false, frontier);
	while (cover->offers < SPLIT_OFFERS_MAX && frontier_pop(frontier, &offer, &bound)) {
		int64_t stock = work->source->stocks[offer.position];
		int most = (int)least(stock < 0 ? cover->units : stock / cover->demand->unit,
		                      cover->units);

		if (cover_has(cover, offer.position))
			continue;
		if (cover->cheapest < 0)
			cover->cheapest = bound;
		/* Those to come cost as much at least, and so does the network. */
		if (!may_help(work, cover, 1, bound, cover->least_beside))
			break;
		if (most > 0)
			cover_try(work, cover, offer.position, bound, most);
	}
	if (is_full || cover->best[cover_state(work, cover)][cover->units] != INT64_MAX)
		note_covered(work, classes);
	cover_finish(work, cover);
}

/* Whether some offer of the class has too little for DEMAND. */
static bool is_short(const struct plan_work *work, const struct demand *demand, int class_index)
{
	struct parts parts = parts_of_group(work, work->class_rented[class_index]);
	int64_t cards_per_server = class_server_cards(&demand->class);

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		if (part->least_stock >= 0 && part->least_stock * cards_per_server < demand->cards)
			return true;
	return false;
}

/* Whether one offer of the class has as many servers as DEMAND asks for. */
static bool has_enough(const struct plan_work *work, const struct demand *demand, int class_index)
{
	struct parts parts = parts_of_group(work, work->class_rented[class_index]);

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		int32_t most =
		    part->good > 0 ? work->source->stocks[part->by_stock[part->good - 1]] : 0;

		if (most < 0 || most >= rented_servers(demand))
			return true;
	}
	return false;
}

/* Whether of FIRST and the classes alike it none has enough servers by itself. */
static bool none_has_enough(const struct plan_work *work, int workload, int first)
{
	for (int c = first; c >= 0; c = next_alike(work, workload, c))
		if (work->covered_now[c] || has_enough(work, possible_demand(work, workload, c), c))
			return false;
	return true;
}

/* Covers by several offers of CLASS_INDEX, with or without those of the classes alike it. */
static void split(struct plan_work *work, int workload, int class_index, bool all_alike)
{
	struct candidates *list = &work->lists[workload][ROUTE_RENT];
	int64_t bound = work->bounds[workload][ROUTE_RENT][class_index];
	struct classes classes = {workload, class_index, all_alike};

	if (!all_alike && !candidates_may_take(work, list, bound, true)) {
		note_covered(work, &classes);
		return;
	}
	if (work->cover == NULL)
		work->cover = PLAN_TAKE(work->memory, struct cover, 1);
	if (work->cover != NULL)
		search_split(work, &classes, &work->frontier, work->cover);
}

void search_rent(struct plan_work *work, int workload)
{
	int64_t *bounds = PLAN_TAKE(work->memory, int64_t, CLASSES_MAX);

	if (bounds == NULL)
		return;
	work->bounds[workload][ROUTE_RENT] = bounds;
	memset(work->covered_now, 0, (size_t)work->class_count * sizeof *work->covered_now);
	search_singles(work, workload, &work->frontier, bounds);
	for (int i = 0; i < work->class_count; i++)
		if (bounds[i] != INT64_MAX && is_short(work, possible_demand(work, workload, i), i))
			split(work, workload, i, false);
	/* Where each class by itself has too few servers, all that are alike may have enough. */
	for (int i = 0; i < work->class_count; i++)
		if (first_alike(work, workload, i) == i && next_alike(work, workload, i) >= 0 &&
		    none_has_enough(work, workload, i))
			split(work, workload, i, true);
}
