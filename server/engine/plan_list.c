/* plan_list.c - the cheapest so far, and what to look at next; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

bool candidates_init(struct plan_work *work, struct candidates *list, int limit)
{
	*list = (struct candidates){.limit = limit};
	list->items = PLAN_TAKE(work->memory, struct candidate, limit + 1);
	return list->items != NULL;
}

int candidate_order(const struct plan_work *work, const struct candidate *a,
                    const struct candidate *b)
{
	const int64_t *ids = work->source->ids;

	if (a->total != b->total)
		return a->total < b->total ? -1 : 1;
	if (a->pick_count != b->pick_count)
		return a->pick_count < b->pick_count ? -1 : 1;
	for (int i = 0; i < a->pick_count; i++) {
		int64_t x = ids[a->picks[i].position];
		int64_t y = ids[b->picks[i].position];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static enum standing standing_of(const struct plan_work *work, int64_t total, bool incomplete)
{
	if (total > work->budget)
		return STANDS_OVER_BUDGET;
	return incomplete ? STANDS_INCOMPLETE : STANDS_COMPLETE;
}

static enum standing standing_in(const struct plan_work *work, const struct candidates *list,
                                 int64_t total, bool incomplete)
{
	return standing_of(work, total, incomplete && !list->by_total);
}

static enum standing candidate_standing(const struct plan_work *work,
                                        const struct candidate *candidate)
{
	return standing_of(work, candidate->total, candidate->incomplete);
}

int candidate_compare(const struct plan_work *work, const struct candidate *a,
                      const struct candidate *b)
{
	enum standing x = candidate_standing(work, a);
	enum standing y = candidate_standing(work, b);

	if (x != y)
		return x < y ? -1 : 1;
	return candidate_order(work, a, b);
}

/* The same for what would stand so: -1 = nothing is added any more. */
static int64_t bar_of(const struct plan_work *work, const struct candidates *list,
                      enum standing standing)
{
	if (list->count < list->limit)
		return INT64_MAX;
	const struct candidate *last = &list->items[list->count - 1];
	enum standing worst = standing_in(work, list, last->total, last->incomplete);

	if (worst != standing)
		return worst > standing ? INT64_MAX : -1;
	return last->total;
}

bool candidates_may_take(const struct plan_work *work, const struct candidates *list, int64_t bound,
                         bool complete)
{
	return bound <= bar_of(work, list, standing_in(work, list, bound, !complete));
}

static int order_in(const struct plan_work *work, const struct candidates *list,
                    const struct candidate *a, const struct candidate *b)
{
	return list->by_total ? candidate_order(work, a, b) : candidate_compare(work, a, b);
}

void candidates_add(struct plan_work *work, struct candidates *list,
                    const struct candidate *candidate)
{
	int at = list->count;

	while (at > 0 && order_in(work, list, candidate, &list->items[at - 1]) < 0)
		at--;
	if (at == list->limit)
		return;
	struct pick *picks = PLAN_TAKE(work->memory, struct pick, candidate->pick_count);

	if (picks == NULL)
		return;
	memcpy(picks, candidate->picks, (size_t)candidate->pick_count * sizeof *picks);
	if (list->count < list->limit)
		list->count++;
	memmove(&list->items[at + 1], &list->items[at],
	        (size_t)(list->count - 1 - at) * sizeof *list->items);
	list->items[at] = *candidate;
	list->items[at].picks = picks;
}

/* ---- The frontier: a heap of runs with the lowest bound at the root ---- */

int64_t bound_of(double factor, int64_t floor)
{
	/* The floor is rounded down already; the hair covers the doubles of this product. */
	double bound = (double)floor * factor * (1 - 1e-12) - BOUND_SLACK;

	return bound <= 0 ? 0 : bound >= 9e18 ? INT64_MAX : (int64_t)bound;
}

/* From NEXT on to the first that has as many servers as are needed; false when there is none. */
static bool find_next(const struct frontier *frontier, struct frontier_entry *entry)
{
	while (entry->need > 0 && entry->next < entry->end) {
		size_t index = (size_t)(entry->next - entry->run);
		bool none_has =
		    index % SCREEN_STRIDE == 0 && entry->most[index / SCREEN_STRIDE] < entry->need;
		int32_t stock = frontier->stocks[entry->next->position];

		if (!none_has && (stock < 0 || stock >= entry->need))
			break;
		entry->next += none_has && entry->end - entry->next > SCREEN_STRIDE ? SCREEN_STRIDE
		               : none_has ? entry->end - entry->next
		                          : 1;
	}
	if (entry->next >= entry->end)
		return false;
	int64_t bound = bound_of(entry->factor, entry->floors[entry->next->position]);

	if (__builtin_add_overflow(bound, entry->beside, &entry->bound))
		entry->bound = INT64_MAX;
	return true;
}

static bool before(const struct frontier_entry *a, const struct frontier_entry *b)
{
	return a->bound != b->bound ? a->bound < b->bound : a->order < b->order;
}

static void sift_up(struct frontier *frontier, size_t at)
{
	struct frontier_entry entry = frontier->heap[at];

	for (; at > 0 && before(&entry, &frontier->heap[(at - 1) / 2]); at = (at - 1) / 2)
		frontier->heap[at] = frontier->heap[(at - 1) / 2];
	frontier->heap[at] = entry;
}

static void sift_down(struct frontier *frontier, size_t at)
{
	struct frontier_entry entry = frontier->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= frontier->count)
			break;
		if (child + 1 < frontier->count &&
		    before(&frontier->heap[child + 1], &frontier->heap[child]))
			child++;
		if (!before(&frontier->heap[child], &entry))
			break;
		frontier->heap[at] = frontier->heap[child];
		at = child;
	}
	frontier->heap[at] = entry;
}

/* Adds those of RUN, which is sorted by the floors of ENTRY, that have enough servers. */
static void add_run(struct frontier *frontier, struct frontier_entry entry,
                    const struct screen_run *run)
{
	entry.run = run->offers;
	entry.next = run->offers;
	entry.end = run->offers + run->count;
	entry.most = run->most;
	entry.need = frontier->need;
	if (!find_next(frontier, &entry))
		return;
	frontier->heap[frontier->count] = entry;
	sift_up(frontier, frontier->count++);
}

/* Adds WHOLE, or code by code those that make it up; the lowest bound of their prices. */
static int64_t add_runs(struct frontier *frontier, struct frontier_entry entry,
                        const struct screen_run *whole, const struct screen_run *of)
{
	if (whole->count == 0)
		return INT64_MAX;
	if (frontier->beside == NULL)
		add_run(frontier, entry, whole);
	for (uint32_t i = 0; frontier->beside != NULL && i < entry.part->code_count; i++) {
		entry.beside = frontier->beside[i];
		add_run(frontier, entry, &of[i]);
	}
	return bound_of(entry.factor, entry.floors[whole->offers->position]);
}

static struct frontier_entry entry_of(const struct plan_work *work, const struct screen_part *part,
                                      int class_index, double factor)
{
	return (struct frontier_entry){.factor = factor * part->rate,
	                               .part = part,
	                               .order = 2 * (uint32_t)(part - work->screen->parts),
	                               .class_index = class_index};
}

int64_t frontier_add(const struct plan_work *work, struct frontier *frontier,
                     const struct screen_part *part, int class_index, double factor)
{
	struct frontier_entry entry = entry_of(work, part, class_index, factor);
	struct screen_run whole = {part->committed, part->committed_count, part->committed_most};

	entry.floors = work->source->floors;
	return add_runs(frontier, entry, &whole, part->committed_of);
}

int64_t frontier_add_hourly(const struct plan_work *work, struct frontier *frontier,
                            const struct screen_part *part, int class_index, double factor)
{
	struct frontier_entry entry = entry_of(work, part, class_index, factor);
	struct screen_run whole = {part->hourly, part->hourly_count, part->hourly_most};

	entry.floors = work->source->hourly_floors;
	entry.order++;
	return add_runs(frontier, entry, &whole, part->hourly_of);
}

bool frontier_pop(struct frontier *frontier, struct screened *offer, int64_t *bound)
{
	struct frontier_entry *first = &frontier->heap[0];

	if (frontier->count == 0)
		return false;
	*offer = *first->next;
	*bound = first->bound;
	first->next++;
	if (!find_next(frontier, first)) {
		frontier->heap[0] = frontier->heap[--frontier->count];
		if (frontier->count == 0)
			return true;
	}
	sift_down(frontier, 0);
	return true;
}
