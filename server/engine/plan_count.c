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

static enum offer_kind kind_of(const struct plan_work *work, size_t group)
{
	const struct plan_source *source = work->source;

	return (enum offer_kind)source->blocks[source->groups[group].first_block].facts.kind;
}

/* The fewest servers of GROUP that some workload needs; 0 where none needs any. Own servers may be
 * rented in place of a cabinet for them, but are not bought again. */
static int32_t fewest_servers(const struct plan_work *work, size_t group)
{
	int class_index = work->groups[group].class_index;
	bool is_bought = kind_of(work, group) == OFFER_PURCHASE;
	int32_t fewest = 0;

	for (int w = 0; class_index >= 0 && w < work->spec->workload_count; w++) {
		const struct demand *demand = possible_demand(work, w, class_index);

		if (is_bought && work->spec->workloads[w].kind == WORKLOAD_HOSTING)
			continue;
		if (demand != NULL && (fewest == 0 || demand->servers < fewest))
			fewest = demand->servers;
	}
	return fewest;
}

/* Whether the offer of GROUP at POSITION has fewer servers than any workload needs. */
static bool has_too_few(const struct plan_work *work, size_t group, uint32_t position)
{
	int32_t stock = work->source->stocks[position];

	return stock >= 0 && stock < fewest_servers(work, group);
}

/* How many the one at POSITION lacks. */
static struct screen_tally lacking(const struct plan_work *work, size_t group, uint32_t position)
{
	double gap = fewest_servers(work, group) - work->source->stocks[position];

	return (struct screen_tally){.reason = REASON_STOCK,
	                             .alone = true,
	                             .has_gap = gap > 0,
	                             .gap = gap > 0 ? gap : 0,
	                             .offers = 1,
	                             .position = position};
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

/* How many offers of a group were looked at, and how many of those have too few servers. */
struct marked {
	uint32_t offers;
	uint32_t short_of_stock;
};

/* Offers that were looked at, one by one; MARKED by group. */
static void count_marked(const struct plan_work *work, struct tally *tallies, struct marked *marked,
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

		marked[group].offers++;
		marked[group].short_of_stock += has_too_few(work, group, mark->position);
		if (mark->reason == USED_MARK) {
			(*used)++;
			continue;
		}
		if (reason == REASON_DEARER || (reason == REASON_STOCK && kind == OFFER_RENTAL &&
		                                work->class_covered[class_index]))
			reason = default_reason(work, kind);
		struct screen_tally one = {
		    .reason = reason, .alone = true, .offers = 1, .position = mark->position};

		count_offers(work, tallies,
		             reason == REASON_STOCK ? lacking(work, group, mark->position) : one);
	}
}

/* ---- Those that no search priced ---- */

/* The offers of a part in the order of a price. */
struct run {
	const struct screened *offers;
	uint32_t count;
	const int32_t *most; /* see screen_part */
};

/* The first of RUN with NEED servers that no search priced; false when there is none. */
static bool first_unmarked(const struct plan_work *work, const struct run *run, int32_t need,
                           uint32_t *position)
{
	for (uint32_t i = 0; i < run->count; i++) {
		uint32_t at = run->offers[i].position;
		int32_t stock = work->source->stocks[at];

		if (need > 0 && i % SCREEN_STRIDE == 0 && run->most[i / SCREEN_STRIDE] < need) {
			i += SCREEN_STRIDE - 1;
			continue;
		}
		if ((need > 0 && stock >= 0 && stock < need) || mark_of(work, at) != 0)
			continue;
		*position = at;
		return true;
	}
	return false;
}

/* The cheapest of PART that pass, have NEED servers and were not priced, where cheaper than SOME's.
 */
static void find_nearest(const struct plan_work *work, const struct screen_part *part, int32_t need,
                         bool *is_found, struct screen_tally *some)
{
	const struct run runs[] = {
	    {part->committed, part->committed_count, part->committed_most},
	    {part->hourly, part->hourly_count, part->hourly_most},
	};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct screen_tally other = *some;

		if (!first_unmarked(work, &runs[i], need, &other.position))
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

/* How many of PART have fewer than NEED servers: they are the first by stock. */
static uint32_t count_short(const struct plan_work *work, const struct screen_part *part,
                            int32_t need)
{
	uint32_t low = 0;
	uint32_t high = part->good;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int32_t stock = work->source->stocks[part->by_stock[middle]];

		if (stock >= 0 && stock < need)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The one of the first COUNT by stock that lacks the fewest servers, is the cheapest of those and
 * was not looked at; false when there is none. */
static bool find_least_short(const struct plan_work *work, const struct screen_part *part,
                             uint32_t count, uint32_t *position)
{
	const int32_t *stocks = work->source->stocks;

	while (count > 0) {
		uint32_t first = count_short(work, part, stocks[part->by_stock[count - 1]]);

		for (uint32_t i = first; i < count; i++)
			if (mark_of(work, part->by_stock[i]) == 0) {
				*position = part->by_stock[i];
				return true;
			}
		count = first;
	}
	return false;
}

/* Counts the offers of GROUP that have too few servers, except those MARKED; how many. */
static uint32_t count_too_few(const struct plan_work *work, size_t group, uint32_t marked,
                              struct tally *tallies)
{
	struct parts parts = parts_of_group(work, (int)group);
	int32_t need = fewest_servers(work, group);
	struct screen_tally nearest = {.offers = 0};
	uint32_t all = 0;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		uint32_t count = count_short(work, part, need);
		uint32_t position;

		all += count;
		if (!find_least_short(work, part, count, &position))
			continue;
		struct screen_tally one = lacking(work, group, position);

		if (nearest.offers == 0 || screen_tally_nearer(work->source, &one, &nearest))
			nearest = one;
	}
	nearest.offers = all - marked;
	if (nearest.offers > 0)
		count_offers(work, tallies, nearest);
	return nearest.offers;
}

/* How many servers an offer of GROUP must have, or it has too few; 0 = any: where
 * several rented ones together have enough, those that have few are too dear. */
static int32_t servers_asked(const struct plan_work *work, size_t group)
{
	int class_index = work->groups[group].class_index;
	bool is_covered = class_index >= 0 && kind_of(work, group) == OFFER_RENTAL &&
	                  work->class_covered[class_index];

	return is_covered ? 0 : fewest_servers(work, group);
}

/* The offers of a group that is of use, except those MARKED. */
static void count_parts(const struct plan_work *work, size_t group, const struct marked *marked,
                        struct tally *tallies)
{
	struct parts parts = parts_of_group(work, (int)group);
	/* What a search might have come upon keeps to all requirements. */
	struct screen_tally unmarked = {.reason = default_reason(work, kind_of(work, group)),
	                                .alone = true};
	int32_t need = servers_asked(work, group);
	bool is_found = false;

	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (is_too_weak(work, part)) {
			count_too_weak(work, part, tallies);
			continue;
		}
		for (int i = 0; i < part->tally_count; i++)
			count_offers(work, tallies, part->tallies[i]);
		unmarked.offers += part->good;
		find_nearest(work, part, need, &is_found, &unmarked);
	}
	unmarked.offers -= marked->offers;
	if (need > 0)
		unmarked.offers -= count_too_few(work, group, marked->short_of_stock, tallies);
	if (unmarked.offers > 0)
		count_offers(work, tallies, unmarked);
}

/* A group that is of no use: nothing else keeps those of its offers out that pass the screen. */
static void count_useless(const struct plan_work *work, size_t index, struct tally *tallies)
{
	const struct offer_group *group = &work->source->groups[index];
	const struct judged *whole = &work->groups[index].judged;
	struct parts parts = parts_of_group(work, (int)index);
	struct screen_tally all = {
	    .reason = (enum plan_reason)__builtin_ctz(whole->failed),
	    .has_gap = whole->has_gap,
	    .in_ms = whole->in_ms,
	    .gap = whole->gap,
	    .offers = group->offers,
	    .position = group->cheapest,
	};
	bool is_one = (whole->failed & (whole->failed - 1)) == 0;

	for (const struct screen_part *part = parts.first; is_one && part < parts.end; part++) {
		struct screen_tally good = all;

		if (part->good == 0 || is_too_weak(work, part))
			continue;
		good.alone = true;
		good.offers = part->good;
		good.position = part->committed_count > 0 ? part->committed[0].position
		                                          : part->hourly[0].position;
		count_offers(work, tallies, good);
		all.offers -= good.offers;
	}
	if (all.offers > 0)
		count_offers(work, tallies, all);
}

static void count_group(const struct plan_work *work, size_t index, const struct marked *marked,
                        struct tally *tallies)
{
	if (work->groups[index].judged.failed == 0)
		count_parts(work, index, marked, tallies);
	else
		count_useless(work, index, tallies);
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
	struct marked *marked =
	    PLAN_TAKE(work->memory, struct marked, work->source->group_count + 1);
	size_t used = 0;
	int count = 0;

	if (out == NULL || marked == NULL)
		return false;
	memset(marked, 0, work->source->group_count * sizeof *marked);
	count_marked(work, tallies, marked, &used);
	for (size_t i = 0; i < work->source->group_count; i++)
		count_group(work, i, &marked[i], tallies);
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
