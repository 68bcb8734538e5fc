/*
 * plan_explain.c - what would change the answer, and what to check; see plan_work.h.
 */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

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
	if (work->spec->network.public_mbps.num > 0 || needs_dedicated(&work->spec->network))
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
		struct parts parts = parts_of_group(work, (int)g);

		if (work->groups[g].class_index != class_index ||
		    work->groups[g].judged.failed != 0)
			continue;
		for (const struct screen_part *part = parts.first; part < parts.end; part++)
			for (int i = 0; i < part->tally_count; i++)
				offers[part->tallies[i].reason] += part->tallies[i].offers;
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
