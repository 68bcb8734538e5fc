/* plan_rent.c - rented cards: one supplier, or several when stock is short; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

/* Bounds of the exact covering: beyond them an order is not split. */
#define SPLIT_UNITS_MAX 128
#define SPLIT_OFFERS_MAX 64
#define SPLIT_GAIN 1000000 /* micro: one yuan. Less may come from the rounding of more lines */

/* The fewest cards of an offer with FACTS that can be rented for DEMAND: whole servers mostly. */
static double rented_cards(const struct demand *demand, const struct offer_facts *facts)
{
	bool shared = facts->delivery == DELIVERY_VM || facts->delivery == DELIVERY_CONTAINER;
	int lot = facts->cards_per_server > 1 && !shared ? facts->cards_per_server : 1;

	return (double)((demand->cards + lot - 1) / lot) * lot;
}

/* Card-hours paid for over the project at least: how many times its hourly floor an offer costs. */
static double paid_hours(const struct plan_work *work, const struct demand *demand,
                         const struct offer_facts *facts)
{
	/* A floor takes a month as 720 hours; one of 730 makes what is quoted so cheaper. */
	double month = work->basis.hours_per_month > 720 ? 720.0 / work->basis.hours_per_month : 1;
	double milli = demand->elastic ? (double)demand->milli_card_hours
	                               : (double)demand->milli_hours * rented_cards(demand, facts);

	return milli / 1000 * work->basis.months * month;
}

/* Card-hours of whole months: the same for what is committed to. */
static double committed_hours(const struct plan_work *work, const struct demand *demand,
                              const struct offer_facts *facts)
{
	return rented_cards(demand, facts) * 720 * work->basis.months;
}

static bool fits_stock(const struct plan_work *work, uint32_t position, int cards,
                       int cards_per_server)
{
	int64_t stock = work->source->stocks[position];

	return stock < 0 || stock * cards_per_server >= cards;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
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
	struct candidate candidate = {pick.total, ROUTE_RENT, demand, &pick, 1};

	candidates_add(work, &work->lists[workload][ROUTE_RENT], &candidate);
}

/* The good blocks of a class, with bounds for DEMAND; the lowest of them. */
static int64_t open_class(struct plan_work *work, const struct demand *demand, int class_index,
                          struct frontier *frontier)
{
	const unsigned by_hour = 1u << TERM_HOURLY | 1u << TERM_SPOT;
	struct good_range range = work->class_rented[class_index];
	int64_t lowest = INT64_MAX;

	for (size_t i = range.first; i < range.end; i++) {
		const struct offer_facts *facts = &good_block(work, i)->facts;
		unsigned terms = facts->terms & work->spec->terms;

		if ((terms & by_hour) != 0)
			lowest =
			    least(lowest, frontier_add_hourly(work, frontier, i,
			                                      paid_hours(work, demand, facts)));
		if ((terms & ~by_hour) != 0)
			lowest = least(lowest, frontier_add(work, frontier, i,
			                                    committed_hours(work, demand, facts)));
	}
	return lowest;
}

/* Whether the search that is going on comes upon the offer for the first time. */
static bool is_new(struct plan_work *work, uint32_t position)
{
	if (work->seen[position] != 0)
		return false;
	work->seen[position] = 1;
	return true;
}

/* Also gives the lowest bound of each class; INT64_MAX for a class of no use. */
static void search_singles(struct plan_work *work, int workload, struct frontier *frontier,
                           int64_t *bounds)
{
	struct candidates *list = &work->lists[workload][ROUTE_RENT];
	int64_t bound;

	frontier->count = 0;
	memset(work->seen, 0, work->source->offer_count);
	for (int i = 0; i < work->class_count; i++) {
		const struct demand *demand = possible_demand(work, workload, i);

		bounds[i] = demand == NULL ? INT64_MAX : open_class(work, demand, i, frontier);
	}
	while (frontier_peek(frontier, &bound)) {
		int class_index = work->good_class[frontier->heap[0].good];
		const struct demand *demand = possible_demand(work, workload, class_index);
		uint32_t position;

		if (bound > candidates_bar(list))
			return;
		frontier_pop(work, frontier, &position, &bound);
		if (!is_new(work, position))
			continue;
		if (fits_stock(work, position, demand->cards, class_server_cards(&demand->class))) {
			try_single(work, workload, demand, position);
			continue;
		}
		mark_offer(work, position, REASON_STOCK);
	}
}

/* ---- Covered by several suppliers: exact, by dynamic programming over their offers ---- */

/* How the cheapest cover of J units by the first offers ends: TAKEN of the last one. */
struct cover_step {
	int16_t taken;
	bool with_network; /* this offer's bill carries the network */
};

struct cover {
	const struct demand *demand;
	int workload;
	int units;    /* to be covered */
	bool carries; /* one of the picks must carry the network */
	/* The least for J units with the network bought ([1]) or not; INT64_MAX = not possible. */
	int64_t best[2][SPLIT_UNITS_MAX + 1];
	struct cover_step steps[SPLIT_OFFERS_MAX][2][SPLIT_UNITS_MAX + 1];
	uint32_t positions[SPLIT_OFFERS_MAX];
	int offers;
};

static struct pick cover_pick(const struct cover *cover, uint32_t position, int units,
                              bool with_network)
{
	int servers = units * cover->demand->unit;

	return (struct pick){
	    .position = position,
	    .role = PICK_RENT,
	    .carries_network = with_network,
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

/* The bill for 1 .. MOST units of an offer; INT64_MAX where there is none. */
static void price_units(struct plan_work *work, const struct cover *cover, uint32_t position,
                        int most, bool with_network, int64_t totals[])
{
	for (int units = 1; units <= most; units++) {
		struct pick pick = cover_pick(cover, position, units, with_network);
		enum cost_status status = price_total(work, cover->demand, &pick);

		totals[units] = status == COST_OK ? pick.total : INT64_MAX;
	}
}

static void improve(struct cover *cover, int to, int units, int taken, int from, int64_t price)
{
	int64_t before = cover->best[from][units - taken];
	int64_t total;

	if (before == INT64_MAX || price == INT64_MAX ||
	    __builtin_add_overflow(before, price, &total) || total >= cover->best[to][units])
		return;
	cover->best[to][units] = total;
	cover->steps[cover->offers][to][units] = (struct cover_step){(int16_t)taken, to != from};
}

/* Lets the offer at POSITION, which has MOST units, take part. */
static void cover_add(struct plan_work *work, struct cover *cover, uint32_t position, int most)
{
	int64_t plain[SPLIT_UNITS_MAX + 1];
	int64_t carrying[SPLIT_UNITS_MAX + 1];

	memset(cover->steps[cover->offers], 0, sizeof cover->steps[cover->offers]);
	price_units(work, cover, position, most, false, plain);
	if (cover->carries)
		price_units(work, cover, position, most, true, carrying);
	/* Downwards: what is built upon is still without this offer. */
	for (int units = cover->units; units >= 1; units--)
		for (int taken = 1; taken <= most && taken <= units; taken++) {
			improve(cover, 0, units, taken, 0, plain[taken]);
			if (!cover->carries)
				continue;
			improve(cover, 1, units, taken, 1, plain[taken]);
			improve(cover, 1, units, taken, 0, carrying[taken]);
		}
	cover->positions[cover->offers++] = position;
}

/* Adds the cover as a candidate unless a single offer does it for hardly more. */
static void cover_finish(struct plan_work *work, const struct cover *cover)
{
	struct pick picks[SPLIT_OFFERS_MAX];
	struct candidates *list = &work->lists[cover->workload][ROUTE_RENT];
	int network = cover->carries ? 1 : 0;
	int units = cover->units;
	int count = 0;
	struct candidate candidate = {cover->best[network][units], ROUTE_RENT, cover->demand, picks,
	                              0};

	if (candidate.total == INT64_MAX)
		return;
	for (int offer = cover->offers - 1; offer >= 0 && units > 0; offer--) {
		struct cover_step step = cover->steps[offer][network][units];

		if (step.taken == 0)
			continue;
		picks[count] =
		    cover_pick(cover, cover->positions[offer], step.taken, step.with_network);
		if (price_total(work, cover->demand, &picks[count++]) != COST_OK)
			return;
		units -= step.taken;
		network = step.with_network ? 0 : network;
	}
	candidate.pick_count = count;
	for (int i = 0; i < list->count; i++)
		if (list->items[i].demand == cover->demand &&
		    list->items[i].total < candidate.total + SPLIT_GAIN)
			return;
	if (count > 1 && count <= PICKS_MAX)
		candidates_add(work, list, &candidate);
}

/* The least that the cover can cost with another offer whose units cost at least BOUND each. */
static bool may_help(const struct cover *cover, int64_t bound, int64_t cheapest, int64_t bar)
{
	int64_t best = least(cover->best[cover->carries ? 1 : 0][cover->units], bar);

	return best == INT64_MAX ||
	       (double)bound + (double)cheapest * (cover->units - 1) <= (double)best;
}

static void search_split(struct plan_work *work, int workload, int class_index,
                         struct frontier *frontier, struct cover *cover)
{
	const struct demand *demand = possible_demand(work, workload, class_index);
	int units = demand->servers / demand->unit;
	int64_t bar = candidates_bar(&work->lists[workload][ROUTE_RENT]);
	int64_t cheapest = -1;
	int64_t bound;
	uint32_t position;

	if (units < 2 || units > SPLIT_UNITS_MAX)
		return;
	cover->demand = demand;
	cover->workload = workload;
	cover->units = units;
	cover->carries = carries_network(work, workload);
	cover->offers = 0;
	for (int i = 0; i <= units; i++)
		cover->best[0][i] = cover->best[1][i] = i == 0 ? 0 : INT64_MAX;
	cover->best[1][0] = INT64_MAX;
	struct demand one = cover_unit(demand);

	frontier->count = 0;
	open_class(work, &one, class_index, frontier);
	while (cover->offers < SPLIT_OFFERS_MAX &&
	       frontier_pop(work, frontier, &position, &bound)) {
		int64_t stock = work->source->stocks[position];
		int most = (int)least(stock < 0 ? units : stock / demand->unit, units);

		if (cover_has(cover, position))
			continue;
		cheapest = cheapest < 0 ? bound : cheapest;
		if (!may_help(cover, bound, cheapest, bar))
			break;
		if (most == 0)
			continue;
		cover_add(work, cover, position, most);
	}
	if (bar != INT64_MAX || cover->best[cover->carries ? 1 : 0][units] != INT64_MAX)
		work->class_covered[class_index] = true;
	cover_finish(work, cover);
}

/* Whether some offer of the class has too little for DEMAND. */
static bool is_short(const struct plan_work *work, const struct demand *demand, int class_index)
{
	struct good_range range = work->class_rented[class_index];
	int cards_per_server = class_server_cards(&demand->class);

	for (size_t i = range.first; i < range.end; i++) {
		const struct offer_block *block = good_block(work, i);

		for (uint32_t at = block->first; at < block->first + block->count; at++)
			if (!fits_stock(work, at, demand->cards, cards_per_server))
				return true;
	}
	return false;
}

void search_rent(struct plan_work *work, int workload)
{
	struct candidates *list = &work->lists[workload][ROUTE_RENT];
	struct cover *cover = NULL;
	int64_t *bounds = PLAN_TAKE(work->memory, int64_t, CLASSES_MAX);

	if (bounds == NULL)
		return;
	search_singles(work, workload, &work->frontier, bounds);
	for (int i = 0; i < work->class_count; i++) {
		if (bounds[i] == INT64_MAX || bounds[i] > candidates_bar(list) ||
		    !is_short(work, possible_demand(work, workload, i), i))
			continue;
		if (cover == NULL)
			cover = PLAN_TAKE(work->memory, struct cover, 1);
		if (cover == NULL)
			return;
		search_split(work, workload, i, &work->frontier, cover);
	}
}
