/* plan_combine.c - one candidate per workload, cheapest sums first; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

#define POPS_MAX 4000 /* sums looked at; more exist only when stock is contended for */

/* A sum: which entry of each workload's list. Its successors raise one index, LAST or later. */
struct vector {
	int64_t total;
	uint8_t last;
	uint8_t index[PLAN_WORKLOADS_MAX];
};

struct vectors {
	struct vector *heap;
	int count;
	int capacity;
};

/* Where the sums go: room for LIMIT. */
struct sums {
	struct combination *items;
	int limit;
	bool exhausted; /* false: more were possible than could be looked at */
};

static bool vector_before(const struct vector *a, const struct vector *b)
{
	if (a->total != b->total)
		return a->total < b->total;
	return memcmp(a->index, b->index, sizeof a->index) < 0;
}

static void push(struct vectors *vectors, const struct vector *vector)
{
	int at = vectors->count;

	if (vectors->count == vectors->capacity)
		return;
	vectors->count++;
	for (; at > 0 && vector_before(vector, &vectors->heap[(at - 1) / 2]); at = (at - 1) / 2)
		vectors->heap[at] = vectors->heap[(at - 1) / 2];
	vectors->heap[at] = *vector;
}

static struct vector pop(struct vectors *vectors)
{
	struct vector first = vectors->heap[0];
	struct vector moved = vectors->heap[--vectors->count];
	int at = 0;

	for (;;) {
		int child = 2 * at + 1;

		if (child >= vectors->count)
			break;
		if (child + 1 < vectors->count &&
		    vector_before(&vectors->heap[child + 1], &vectors->heap[child]))
			child++;
		if (!vector_before(&vectors->heap[child], &moved))
			break;
		vectors->heap[at] = vectors->heap[child];
		at = child;
	}
	vectors->heap[at] = moved;
	return first;
}

/* Servers of the offer at POSITION that COMBINATION takes in all. */
static int64_t servers_taken(const struct combination *combination, int workloads,
                             uint32_t position)
{
	int64_t taken = 0;

	for (int w = 0; w < workloads; w++)
		for (int i = 0; i < combination->of[w]->pick_count; i++)
			if (combination->of[w]->picks[i].position == position)
				taken += combination->of[w]->picks[i].servers;
	return taken;
}

static bool stock_suffices(const struct plan_work *work, const struct combination *combination)
{
	int workloads = work->spec->workload_count;

	if (workloads == 1)
		return true;
	for (int w = 0; w < workloads; w++)
		for (int i = 0; i < combination->of[w]->pick_count; i++) {
			const struct pick *pick = &combination->of[w]->picks[i];
			int64_t stock = work->source->stocks[pick->position];

			if (pick->role != PICK_HOST && stock >= 0 &&
			    servers_taken(combination, workloads, pick->position) > stock)
				return false;
		}
	return true;
}

/* A mix of routes: not all workloads the same pure way. */
static bool is_mixed(const struct combination *combination, int workloads)
{
	enum plan_route first = combination->of[0]->route;

	if (first == ROUTE_HYBRID)
		return true;
	for (int w = 1; w < workloads; w++)
		if (combination->of[w]->route != first)
			return true;
	return false;
}

/* The lists that ROUTE draws from: for hybrid plans of several workloads, all routes together. */
static bool lists_of(struct plan_work *work, enum plan_route route, struct candidates *lists)
{
	int workloads = work->spec->workload_count;

	for (int w = 0; w < workloads; w++) {
		lists[w] = work->lists[w][route];
		if (route == ROUTE_HYBRID && workloads > 1) {
			int limit = work->lists[w][ROUTE_RENT].limit;

			if (!candidates_init(work, &lists[w], limit))
				return false;
			for (int from = 0; from < ROUTE_COUNT; from++)
				for (int i = 0; i < work->lists[w][from].count; i++)
					candidates_add(work, &lists[w],
					               &work->lists[w][from].items[i]);
		}
		if (lists[w].count == 0)
			return false;
	}
	return true;
}

/* The entries of FROM without those that leave something unknown, or all, by total alone. */
static bool sort_lists(struct plan_work *work, const struct candidates *from, bool complete,
                       struct candidates *to)
{
	for (int w = 0; w < work->spec->workload_count; w++) {
		if (!candidates_init(work, &to[w], from[w].count))
			return false;
		for (int i = 0; i < from[w].count; i++) {
			const struct candidate *moved = &from[w].items[i];
			int at = to[w].count;

			if (complete && moved->incomplete)
				continue;
			for (; at > 0 && candidate_order(work, moved, &to[w].items[at - 1]) < 0;
			     at--)
				to[w].items[at] = to[w].items[at - 1];
			to[w].items[at] = *moved;
			to[w].count++;
		}
		if (to[w].count == 0)
			return false;
	}
	return true;
}

static void fill(const struct vector *vector, const struct candidates *lists, int workloads,
                 struct combination *combination)
{
	combination->total = vector->total;
	combination->incomplete = false;
	for (int w = 0; w < workloads; w++) {
		combination->of[w] = &lists[w].items[vector->index[w]];
		if (combination->of[w]->incomplete)
			combination->incomplete = true;
	}
}

static void push_successors(struct vectors *vectors, const struct vector *vector,
                            const struct candidates *lists, int workloads)
{
	for (int w = vector->last; w < workloads; w++) {
		struct vector next = *vector;
		int at = next.index[w];

		if (at + 1 >= lists[w].count)
			continue;
		next.index[w]++;
		next.last = (uint8_t)w;
		if (!__builtin_add_overflow(next.total,
		                            lists[w].items[at + 1].total - lists[w].items[at].total,
		                            &next.total))
			push(vectors, &next);
	}
}

static bool is_possible(const struct plan_work *work, const struct combination *combination)
{
	return stock_suffices(work, combination) &&
	       (combination->route != ROUTE_HYBRID ||
	        is_mixed(combination, work->spec->workload_count));
}

/* The cheapest of a route that is beyond the budget. */
static void note_over(struct plan_work *work, const struct combination *combination)
{
	enum plan_route route = combination->route;

	if (work->has_over[route] && work->over[route].total <= combination->total)
		return;
	work->has_over[route] = true;
	work->over[route] = *combination;
}

/* The sums of LISTS that are INCOMPLETE as asked, ascending, up to the budget; their number. */
static int sums(struct plan_work *work, enum plan_route route, const struct candidates *lists,
                bool incomplete, struct sums *out)
{
	int workloads = work->spec->workload_count;
	struct vectors vectors = {.capacity = POPS_MAX};
	struct vector first = {0};
	int count = 0;

	vectors.heap = PLAN_TAKE(work->memory, struct vector, vectors.capacity);
	if (vectors.heap == NULL)
		return 0;
	for (int w = 0; w < workloads; w++)
		if (__builtin_add_overflow(first.total, lists[w].items[0].total, &first.total))
			return 0;
	push(&vectors, &first);
	for (int pops = 0; vectors.count > 0 && count < out->limit; pops++) {
		struct combination *at = &out->items[count];
		struct vector next = pop(&vectors);

		if (pops == POPS_MAX) {
			out->exhausted = false;
			break;
		}
		at->route = route;
		fill(&next, lists, workloads, at);
		push_successors(&vectors, &next, lists, workloads);
		if (at->incomplete != incomplete || !is_possible(work, at))
			continue;
		if (at->total > work->budget) {
			note_over(work, at);
			break;
		}
		count++;
	}
	return count;
}

int combine(struct plan_work *work, enum plan_route route, struct combination *out, int limit,
            bool *exhausted)
{
	struct candidates lists[PLAN_WORKLOADS_MAX];
	struct candidates sorted[PLAN_WORKLOADS_MAX];
	struct sums sums_out = {out, limit, true};
	int count = 0;

	work->has_over[route] = false;
	if (!route_asked(work->spec, route) || !lists_of(work, route, lists))
		return 0;
	if (sort_lists(work, lists, true, sorted))
		count = sums(work, route, sorted, false, &sums_out);
	sums_out.items += count;
	sums_out.limit -= count;
	if (sums_out.limit > 0 && sort_lists(work, lists, false, sorted))
		count += sums(work, route, sorted, true, &sums_out);
	if (!sums_out.exhausted)
		*exhausted = false;
	return count;
}
