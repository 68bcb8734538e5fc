/* plan_count.c - why not the others: every offer of the catalogue once; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

/* For showing and for gaps, never for a bill. */
static double yuan(struct money amount)
{
	return (double)money_to_micro(amount) / 1e6;
}

/* Offers that a reason keeps out, and the nearest of them so far. */
struct tally {
	size_t offers;
	size_t alone;
	struct screen_tally nearest;
};

static void count_offers(const struct plan_work *work, struct tally *tallies,
                         struct screen_tally some)
{
	struct tally *tally = &tallies[some.reason];
	bool is_first = tally->offers == 0;

	tally->offers += some.offers;
	if (some.alone)
		tally->alone += some.offers;
	if (is_first || some.alone > tally->nearest.alone ||
	    (some.alone == tally->nearest.alone &&
	     screen_tally_nearer(work->source, &some, &tally->nearest)))
		tally->nearest = some;
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
static struct screen_tally lacking(const struct plan_work *work, int class_index, uint32_t position)
{
	struct screen_tally one = {
	    .reason = REASON_STOCK, .alone = true, .offers = 1, .position = position};
	int32_t stock = work->source->stocks[position];

	for (int w = 0; class_index >= 0 && w < work->spec->workload_count; w++) {
		const struct demand *demand = possible_demand(work, w, class_index);
		double gap = demand == NULL ? 0 : demand->servers - stock;

		if (gap <= 0 || (one.has_gap && gap >= one.gap))
			continue;
		one.has_gap = true;
		one.gap = gap;
	}
	return one;
}

/* The group that the offer at POSITION is in: the last that begins at or before its block. */
static size_t group_of(const struct plan_source *source, uint32_t position)
{
	uint32_t block = source->block_of[position];
	size_t low = 0;
	size_t high = source->group_count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (source->groups[middle].first_block <= block)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static enum offer_kind kind_of(const struct plan_work *work, size_t group)
{
	const struct plan_source *source = work->source;

	return (enum offer_kind)source->blocks[source->groups[group].first_block].facts.kind;
}

/* Offers that were looked at, one by one; MARKED: how many of each group. */
static void count_marked(const struct plan_work *work, struct tally *tallies, uint32_t *marked,
                         size_t *used)
{
	for (uint32_t i = 0; i < work->marks.capacity; i++) {
		const struct mark *mark = &work->marks.entries[i];

		if (!mark->is_taken || mark->reason == 0)
			continue;
		size_t group = group_of(work->source, mark->position);
		enum offer_kind kind = kind_of(work, group);
		int class_index = work->groups[group].class_index;
		enum plan_reason reason = (enum plan_reason)(mark->reason - 1);

		marked[group]++;
		if (mark->reason == USED_MARK) {
			(*used)++;
			continue;
		}
		if (reason == REASON_DEARER || (reason == REASON_STOCK && kind == OFFER_RENTAL &&
		                                work->class_covered[class_index]))
			reason = default_reason(work, kind);
		struct screen_tally one = {
		    .reason = reason, .offers = 1, .position = mark->position};

		count_offers(work, tallies,
		             reason == REASON_STOCK ? lacking(work, class_index, mark->position)
		                                    : one);
	}
}

/* The first of RUN that no search priced; false when there is none. */
static bool first_unmarked(const struct plan_work *work, const struct screened *run, uint32_t count,
                           uint32_t *position)
{
	for (uint32_t i = 0; i < count; i++)
		if (mark_of(work, run[i].position) == 0) {
			*position = run[i].position;
			return true;
		}
	return false;
}

/* The offers of PART that pass and that no search priced: SOME says how many, and the reason. */
static void find_nearest(const struct plan_work *work, const struct screen_part *part,
                         bool *is_found, struct screen_tally *some)
{
	const struct {
		const struct screened *offers;
		uint32_t count;
	} runs[] = {{part->committed, part->committed_count}, {part->hourly, part->hourly_count}};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct screen_tally other = *some;

		if (!first_unmarked(work, runs[i].offers, runs[i].count, &other.position))
			continue;
		if (!*is_found || screen_tally_nearer(work->source, &other, some))
			*some = other;
		*is_found = true;
	}
}

/* Cabinets that feed no server: what keeps them out is not all that may. */
static void count_too_weak(const struct plan_work *work, const struct screen_part *part,
                           struct tally *tallies)
{
	for (int i = 0; i < part->tally_count; i++) {
		struct screen_tally some = part->tallies[i];

		some.alone = false;
		count_offers(work, tallies, some);
	}
	if (part->good > 0)
		count_offers(work, tallies,
		             (struct screen_tally){
				 .reason = REASON_CABINET_POWER,
				 .alone = true,
				 .has_gap = true,
				 .gap = (double)(work->least_watts - part->facts->cabinet_watts),
				 .offers = part->good,
				 .position = part->committed[0].position});
}

/* The offers of a group that is of use, except those MARKED. */
static void count_parts(const struct plan_work *work, size_t group, uint32_t marked,
                        struct tally *tallies)
{
	struct parts parts = parts_of_group(work, (int)group);
	struct screen_tally unmarked = {.reason = default_reason(work, kind_of(work, group))};
	bool is_found = false;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (is_too_weak(work, part)) {
			count_too_weak(work, part, tallies);
			continue;
		}
		for (int i = 0; i < part->tally_count; i++)
			count_offers(work, tallies, part->tallies[i]);
		unmarked.offers += part->good;
		find_nearest(work, part, &is_found, &unmarked);
	}
	unmarked.offers -= marked;
	if (unmarked.offers > 0)
		count_offers(work, tallies, unmarked);
}

static void count_group(const struct plan_work *work, size_t index, uint32_t marked,
                        struct tally *tallies)
{
	const struct offer_group *group = &work->source->groups[index];
	const struct judged *whole = &work->groups[index].judged;

	if (whole->failed == 0) {
		count_parts(work, index, marked, tallies);
		return;
	}
	count_offers(work, tallies,
	             (struct screen_tally){.reason = (enum plan_reason)__builtin_ctz(whole->failed),
	                                   .alone = (whole->failed & (whole->failed - 1)) == 0,
	                                   .has_gap = whole->has_gap,
	                                   .in_ms = whole->in_ms,
	                                   .gap = whole->gap,
	                                   .offers = group->offers,
	                                   .position = group->cheapest});
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
				shown = shown && mark_of(work, at->picks[k].position) == USED_MARK;
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
		if (mark_of(work, best->picks[k].position) != USED_MARK)
			tally->nearest.position = best->picks[k].position;
	tally->nearest.gap =
	    (double)(best->total - money_to_micro(plan->options[last].total)) / 1e6;
	/* A lower bound that is below what is shown does not miss it by anything known. */
	tally->nearest.has_gap = tally->nearest.gap >= 0;
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
	tally->nearest.position = best->of[0]->picks[0].position;
	tally->nearest.has_gap = true;
	tally->nearest.gap =
	    (double)best->total / 1e6 / work->basis.months - yuan(work->spec->budget_per_month);
}

bool explain_not_chosen(struct plan_work *work, struct plan *plan)
{
	struct tally tallies[REASON_COUNT] = {0};
	struct plan_not_chosen *out = PLAN_TAKE(work->memory, struct plan_not_chosen, REASON_COUNT);
	uint32_t *marked = PLAN_TAKE(work->memory, uint32_t, work->source->group_count + 1);
	size_t used = 0;
	int count = 0;

	if (out == NULL || marked == NULL)
		return false;
	memset(marked, 0, work->source->group_count * sizeof *marked);
	count_marked(work, tallies, marked, &used);
	for (size_t i = 0; i < work->source->group_count; i++)
		count_group(work, i, marked[i], tallies);
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
		    .nearest = kept_offer(work, tally->nearest.position),
		    .has_gap = tally->nearest.has_gap,
		    .gap_in_ms = tally->nearest.in_ms,
		    .gap = tally->nearest.gap,
		};
	}
	plan->not_chosen = out;
	plan->not_chosen_count = count;
	plan->offers = work->source->offer_count;
	plan->offers_used = used;
	return !work->memory->too_small;
}
