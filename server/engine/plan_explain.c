/*
 * plan_explain.c - why not the others, and what would change the answer; see plan_work.h.
 */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

/* For showing and for gaps, never for a bill. */
static double yuan(struct money amount)
{
	return (double)money_to_micro(amount) / 1e6;
}

/* ---- Why not: every offer once ---- */

struct tally {
	size_t offers;
	size_t alone;
	/* Of the nearest so far: */
	bool found;
	bool is_alone;
	bool has_gap;
	double gap;
	int64_t floor;
	uint32_t position;
};

static bool nearer(const struct plan_work *work, const struct tally *tally,
                   const struct tally *other)
{
	const int64_t *ids = work->source->ids;

	if (!tally->found)
		return true;
	if (other->is_alone != tally->is_alone)
		return other->is_alone;
	if (other->has_gap != tally->has_gap)
		return other->has_gap;
	if (other->gap < tally->gap || other->gap > tally->gap)
		return other->gap < tally->gap;
	if (other->floor != tally->floor)
		return other->floor < tally->floor;
	return ids[other->position] < ids[tally->position];
}

static int64_t floor_at(const struct plan_work *work, uint32_t position)
{
	int64_t committed = work->source->floors[position];
	int64_t hourly = work->source->hourly_floors[position];

	return committed < hourly ? committed : hourly;
}

/* COUNT offers from POSITION on are kept out by REASON; they are told by JUDGED. */
static void count_offers(struct plan_work *work, struct tally *tally, const struct judged *judged,
                         uint32_t position, uint32_t count)
{
	struct tally other = {
	    .is_alone = judged != NULL && (judged->failed & (judged->failed - 1)) == 0,
	    .has_gap = judged != NULL && judged->has_gap,
	    .gap = judged != NULL ? judged->gap : 0,
	    .floor = floor_at(work, position),
	    .position = position,
	};

	tally->offers += count;
	if (other.is_alone)
		tally->alone += count;
	if (!nearer(work, tally, &other))
		return;
	other.offers = tally->offers;
	other.alone = tally->alone;
	other.found = true;
	*tally = other;
}

/* The reason of a good offer that no search priced. */
static enum plan_reason default_reason(const struct plan_work *work, enum offer_kind kind)
{
	bool all_hosting = true;

	for (int w = 0; w < work->spec->workload_count; w++)
		all_hosting = all_hosting && work->spec->workloads[w].kind == WORKLOAD_HOSTING;
	if (kind == OFFER_PURCHASE && !work->hosted)
		return REASON_NO_PARTNER;
	if (kind == OFFER_COLOCATION && !work->bought && !all_hosting)
		return REASON_NO_PARTNER;
	/* The list of its route was cut by the budget, not by its length. */
	if ((kind == OFFER_RENTAL && work->has_over[ROUTE_RENT]) ||
	    ((kind == OFFER_PURCHASE || kind == OFFER_COLOCATION) &&
	     work->has_over[ROUTE_BUY_AND_HOST]))
		return REASON_BUDGET;
	return REASON_DEARER;
}

/* How many servers the offer at POSITION lacks for the workload that needs the fewest. */
static struct judged lacking(const struct plan_work *work, int class_index, uint32_t position)
{
	struct judged judged = {.failed = 1u << REASON_STOCK};
	int32_t stock = work->source->stocks[position];

	for (int w = 0; class_index >= 0 && w < work->spec->workload_count; w++) {
		const struct demand *demand = possible_demand(work, w, class_index);
		double gap = demand == NULL ? 0 : demand->servers - stock;

		if (gap <= 0 || (judged.has_gap && gap >= judged.gap))
			continue;
		judged.has_gap = true;
		judged.gap = gap;
	}
	return judged;
}

/* Offers of a block that nothing keeps out: each by its mark, those without one together. */
static void count_good(struct plan_work *work, const struct offer_block *block, int class_index,
                       struct tally *tallies, size_t *used)
{
	enum plan_reason usual = default_reason(work, block->facts.kind);
	bool covered = block->facts.kind == OFFER_RENTAL && work->class_covered[class_index];
	uint32_t unmarked = 0;
	uint32_t first_unmarked = 0;

	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		uint8_t mark = work->marks[i];
		enum plan_reason reason = (enum plan_reason)(mark - 1);

		if (mark == 0) {
			first_unmarked = unmarked == 0 ? i : first_unmarked;
			unmarked++;
		} else if (mark == USED_MARK) {
			(*used)++;
		} else {
			if (reason == REASON_DEARER || (reason == REASON_STOCK && covered))
				reason = usual;
			struct judged judged = lacking(work, class_index, i);

			count_offers(work, &tallies[reason],
			             reason == REASON_STOCK ? &judged : NULL, i, 1);
		}
	}
	if (unmarked > 0)
		count_offers(work, &tallies[usual], NULL, first_unmarked, unmarked);
}

static enum plan_reason first_reason(const struct judged *judged)
{
	return (enum plan_reason)__builtin_ctz(judged->failed);
}

static void count_group(struct plan_work *work, size_t index, struct tally *tallies, size_t *used)
{
	const struct offer_group *group = &work->source->groups[index];
	const struct judged *whole = &work->groups[index].judged;

	if (whole->failed != 0) {
		count_offers(work, &tallies[first_reason(whole)], whole, group->cheapest,
		             group->offers);
		return;
	}
	for (uint32_t i = group->first_block; i < group->first_block + group->block_count; i++) {
		const struct offer_block *block = &work->source->blocks[i];
		const struct judged *judged = &work->judged[i];

		if (judged->failed == 0)
			count_good(work, block, work->groups[index].class_index, tallies, used);
		else
			count_offers(work, &tallies[first_reason(judged)], judged, block->first,
			             block->count);
	}
}

static const struct offer *kept_offer(struct plan_work *work, uint32_t position)
{
	struct offer *kept = PLAN_TAKE(work->memory, struct offer, 1);
	struct price *prices = PLAN_TAKE(work->memory, struct price, work->source->max_prices + 1);

	if (kept == NULL || prices == NULL)
		return NULL;
	work->source->offer(work->source->context, position, kept, prices);
	return kept;
}

/*
 * The nearest of those that suit: the cheapest candidate that was priced and is not shown, and what
 * it costs more than the last option of its route. Routes that are not shown have none: what is
 * rented for a hybrid is not an option alone.
 */
static void nearest_dearer(const struct plan_work *work, const struct plan *plan,
                           struct tally *tally)
{
	const struct candidate *best = NULL;
	int workloads = work->spec->workload_count;

	for (int route = 0; workloads == 1 && route < ROUTE_COUNT; route++) {
		int count = plan->best[route] < 0 ? 0 : work->lists[0][route].count;

		for (int i = 0; i < count; i++) {
			const struct candidate *at = &work->lists[0][route].items[i];
			bool shown = true;

			for (int k = 0; k < at->pick_count; k++)
				shown = shown && work->marks[at->picks[k].position] == USED_MARK;
			if (!shown && (best == NULL || candidate_compare(work, at, best) < 0))
				best = at;
		}
	}
	if (best == NULL)
		return;
	int last = plan->option_count - 1;

	while (last > 0 && plan->options[last].route != best->route)
		last--;
	for (int k = 0; k < best->pick_count; k++)
		if (work->marks[best->picks[k].position] != USED_MARK)
			tally->position = best->picks[k].position;
	tally->gap = (double)(best->total - money_to_micro(plan->options[last].total)) / 1e6;
	/* A lower bound that is below what is shown does not miss it by anything known. */
	tally->has_gap = tally->gap >= 0;
}

/* The cheapest option that the budget excludes, and by how much a month. */
static void nearest_over_budget(const struct plan_work *work, struct tally *tally)
{
	const struct combination *best = NULL;

	for (int route = 0; route < ROUTE_COUNT; route++)
		if (work->has_over[route] &&
		    (best == NULL || work->over[route].total < best->total))
			best = &work->over[route];
	if (best == NULL)
		return;
	tally->position = best->of[0]->picks[0].position;
	tally->has_gap = true;
	tally->gap =
	    (double)best->total / 1e6 / work->basis.months - yuan(work->spec->budget_per_month);
}

static bool explain_not_chosen(struct plan_work *work, struct plan *plan)
{
	struct tally tallies[REASON_COUNT] = {0};
	struct plan_not_chosen *out = PLAN_TAKE(work->memory, struct plan_not_chosen, REASON_COUNT);
	size_t used = 0;
	int count = 0;

	if (out == NULL)
		return false;
	for (size_t i = 0; i < work->source->group_count; i++)
		count_group(work, i, tallies, &used);
	if (tallies[REASON_DEARER].offers > 0)
		nearest_dearer(work, plan, &tallies[REASON_DEARER]);
	if (tallies[REASON_BUDGET].offers > 0)
		nearest_over_budget(work, &tallies[REASON_BUDGET]);
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		const struct tally *tally = &tallies[reason];

		if (tally->offers == 0)
			continue;
		out[count++] = (struct plan_not_chosen){
		    .reason = (enum plan_reason)reason,
		    .offers = tally->offers,
		    .alone = tally->alone,
		    .nearest = kept_offer(work, tally->position),
		    .has_gap = tally->has_gap,
		    .gap = tally->gap,
		};
	}
	plan->not_chosen = out;
	plan->not_chosen_count = count;
	plan->offers = work->source->offer_count;
	plan->offers_used = used;
	return !work->memory->too_small;
}

/* ---- The seeds' decision list, and what to check on delivery ---- */

static enum scenario scenario_of(const struct workload *workload)
{
	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		return workload->training.method == METHOD_PRETRAIN ||
		               (workload->training.method == METHOD_FULL &&
		                workload->training.model->params_b > 10)
		           ? SCENARIO_PRETRAIN
		           : SCENARIO_FINE_TUNE;
	case WORKLOAD_INFERENCE:
		return SCENARIO_SERVING;
	case WORKLOAD_USAGE:
		return SCENARIO_STEADY;
	case WORKLOAD_HOSTING:
		return SCENARIO_OWN;
	}
	return SCENARIO_STEADY;
}

static void explain_scenario(const struct plan_work *work, struct plan *plan)
{
	const struct spec *spec = work->spec;

	plan->scenario = scenario_of(&spec->workloads[0]);
	for (int w = 1; w < spec->workload_count; w++)
		if (scenario_of(&spec->workloads[w]) != plan->scenario)
			plan->scenario = SCENARIO_MIXED;
}

static void explain_acceptance(const struct plan_work *work, struct plan *plan)
{
	unsigned checks = 1u << CHECK_CARD_AND_DRIVER | 1u << CHECK_BURN_IN;

	for (int i = 0; plan->option_count > 0 && i < plan->options[0].item_count; i++) {
		const struct plan_item *item = &plan->options[0].items[i];

		if (item->cards > 1)
			checks |=
			    1u << CHECK_TOPOLOGY | 1u << CHECK_COLLECTIVES | 1u << CHECK_SCALING;
		if (item->cards > 1 && item->offer->intra_link == INTRA_NVLINK)
			checks |= 1u << CHECK_NVLINK;
	}
	for (int w = 0; w < work->spec->workload_count; w++)
		if (work->spec->workloads[w].kind == WORKLOAD_INFERENCE)
			checks |= 1u << CHECK_LATENCY;
	if (work->spec->network.public_mbps.num > 0)
		checks |= 1u << CHECK_BANDWIDTH;
	plan->acceptance = checks;
}

/* ---- What each class costs ---- */

/* The first way of ROUTE to run DEMAND among the candidates of its workload; NULL = none. */
static const struct candidate *first_of_route(const struct plan_work *work,
                                              const struct demand *demand, int route)
{
	const struct candidates *list = &work->lists[demand->workload][route];

	for (int i = 0; i < list->count; i++)
		if (list->items[i].demand == demand)
			return &list->items[i];
	return NULL;
}

/* The lower bound of the class by ROUTE; INT64_MAX = no use, or not searched. */
static int64_t least_of_route(const struct plan_work *work, int workload, int class_index,
                              int route)
{
	const int64_t *bounds = work->bounds[workload][route];

	return bounds != NULL && class_index >= 0 ? bounds[class_index] : INT64_MAX;
}

/*
 * The first way to run DEMAND over all routes; LEAST is the lower bound of the routes that have
 * none among the candidates.
 */
static const struct candidate *first_way(const struct plan_work *work, const struct demand *demand,
                                         int class_index, int64_t *least)
{
	const struct candidate *best = NULL;

	*least = INT64_MAX;
	for (int route = 0; route < ROUTE_COUNT; route++) {
		const struct candidate *first = first_of_route(work, demand, route);
		int64_t bound = least_of_route(work, demand->workload, class_index, route);

		if (first == NULL && bound < *least)
			*least = bound;
		if (first != NULL && (best == NULL || candidate_compare(work, first, best) < 0))
			best = first;
	}
	return best;
}

/* What keeps most offers of a class out; NO_REASON when nothing is known to. */
static enum plan_reason reason_of_class(const struct plan_work *work, int class_index)
{
	size_t offers[REASON_COUNT] = {0};
	enum plan_reason most = NO_REASON;

	for (size_t g = 0; g < work->source->group_count; g++) {
		const struct offer_group *group = &work->source->groups[g];

		if (work->groups[g].class_index != class_index ||
		    work->groups[g].judged.failed != 0)
			continue;
		for (uint32_t i = 0; i < group->block_count; i++) {
			const struct judged *judged = &work->judged[group->first_block + i];

			if (judged->failed != 0)
				offers[first_reason(judged)] +=
				    work->source->blocks[group->first_block + i].count;
		}
	}
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (offers[reason] > (most == NO_REASON ? 0 : offers[most]))
			most = (enum plan_reason)reason;
	return most;
}

static struct class_cost class_cost_of(const struct plan_work *work, const struct demand *demand,
                                       int class_index)
{
	struct class_cost cost = {.has_best = false};
	int64_t least;
	const struct candidate *first = first_way(work, demand, class_index, &least);

	/* A route whose ways were passed over may still beat one that is a lower bound itself. */
	cost.has_best =
	    first != NULL && (least == INT64_MAX || (!first->incomplete && first->total <= least));
	if (cost.has_best) {
		cost.best_complete = !first->incomplete;
		cost.best = money_from_micro(first->total);
		return cost;
	}
	if (first != NULL && first->total < least)
		least = first->total;
	if (demand->verdict != DEMAND_OK)
		least = INT64_MAX;
	cost.has_least = least != INT64_MAX && least > 0;
	if (cost.has_least)
		cost.least = money_from_micro(least / 10000 * 10000);
	if (class_index < 0 || demand->verdict != DEMAND_OK || cost.has_least)
		return cost;
	cost.kept_out_by = reason_of_class(work, class_index);
	cost.is_kept_out = cost.kept_out_by != NO_REASON;
	return cost;
}

static bool explain_classes(struct plan_work *work, struct plan *plan)
{
	struct class_cost *costs =
	    PLAN_TAKE(work->memory, struct class_cost, plan->demand_count + 1);

	if (costs == NULL)
		return false;
	for (int i = 0; i < plan->demand_count; i++) {
		const struct demand *demand = &plan->demand[i];
		int class_index = -1;

		for (int c = 0; c < work->class_count && class_index < 0; c++)
			if (work->demand[demand->workload * CLASSES_MAX + c] == demand)
				class_index = c;
		costs[i] = class_cost_of(work, demand, class_index);
	}
	plan->class_costs = costs;
	return true;
}

/* How many options leave something without a price. */
static void explain_lower_bounds(struct plan *plan)
{
	int incomplete = 0;

	for (int i = 0; i < plan->option_count; i++)
		if (plan->options[i].unknown_count > 0)
			incomplete++;
	if (incomplete > 0)
		note_add(&plan->notes, NOTE_PLAN_LOWER_BOUNDS, incomplete, plan->option_count,
		         NULL);
}

bool answer_explain(struct plan_work *work, struct plan *plan)
{
	explain_break_even(work, plan);
	explain_sensitivity(work, plan);
	explain_lower_bounds(plan);
	explain_scenario(work, plan);
	explain_acceptance(work, plan);
	if (work->spec->workload_count > 1)
		note_add(&plan->notes, NOTE_PLAN_NOT_SHARED, 0, 0, NULL);
	if (plan->option_count > 0 && plan->options[0].carrier >= 0) {
		int carrier = plan->options[0].carrier;

		note_add(&plan->notes, NOTE_PLAN_NETWORK_AT, carrier + 1, 0,
		         work->spec->workloads[carrier].name);
	}
	return explain_classes(work, plan) && explain_not_chosen(work, plan);
}
