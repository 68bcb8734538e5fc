/* plan_combine.c - one candidate per workload, cheapest sums first; see plan_work.h. */
#include <string.h>

#include "engine/plan_sums.h"

#define POPS_MAX 16000    /* sums looked at; more exist only when stock is contended for */
#define VECTORS_MAX 16000 /* sums waiting to be looked at */

/*
 * A sum: which entry of each workload's list; the CARRIER's entry is one of those that carry
 * network and storage. Its successors raise one index, LAST or later.
 */
struct vector {
	int64_t total;
	int8_t carrier;
	uint8_t last;
	uint16_t index[PLAN_WORKLOADS_MAX];
};

struct vectors {
	const struct plan_work *work;
	const struct choices *choices;
	struct vector *heap;
	int count;
	bool lost; /* some did not fit */
};

static const struct candidates *list_of(const struct choices *choices, const struct vector *vector,
                                        int workload)
{
	return choices_for(choices, vector->carrier, workload);
}

static const struct candidate *entry_of(const struct choices *choices, const struct vector *vector,
                                        int workload)
{
	return &list_of(choices, vector, workload)->items[vector->index[workload]];
}

/* ---- The order of sums ---- */

/* By their offers: fewer first, then the ids. */
static int order_of_offers(const struct plan_work *work, const struct candidate *a,
                           const struct candidate *b)
{
	struct candidate x = *a;
	struct candidate y = *b;

	x.total = y.total = 0;
	return candidate_order(work, &x, &y);
}

int combination_order(const struct plan_work *work, const struct combination *a,
                      const struct combination *b)
{
	if (a->total != b->total)
		return a->total < b->total ? -1 : 1;
	for (int w = 0; w < work->spec->workload_count; w++) {
		int order = order_of_offers(work, a->of[w], b->of[w]);

		if (order != 0)
			return order;
	}
	return a->carrier - b->carrier;
}

static void fill(const struct plan_work *work, const struct choices *choices,
                 const struct vector *vector, struct combination *combination)
{
	combination->total = vector->total;
	combination->incomplete = false;
	combination->carrier = vector->carrier;
	for (int w = 0; w < work->spec->workload_count; w++) {
		combination->of[w] = entry_of(choices, vector, w);
		if (combination->of[w]->incomplete)
			combination->incomplete = true;
	}
}

static bool vector_before(const struct vectors *vectors, const struct vector *a,
                          const struct vector *b)
{
	struct combination x, y;

	if (a->total != b->total)
		return a->total < b->total;
	fill(vectors->work, vectors->choices, a, &x);
	fill(vectors->work, vectors->choices, b, &y);
	int order = combination_order(vectors->work, &x, &y);

	return order != 0 ? order < 0 : memcmp(a->index, b->index, sizeof a->index) < 0;
}

static void push(struct vectors *vectors, const struct vector *vector)
{
	int at = vectors->count;

	if (vectors->count == VECTORS_MAX) {
		vectors->lost = true;
		return;
	}
	vectors->count++;
	for (; at > 0 && vector_before(vectors, vector, &vectors->heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
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
		    vector_before(vectors, &vectors->heap[child + 1], &vectors->heap[child]))
			child++;
		if (!vector_before(vectors, &vectors->heap[child], &moved))
			break;
		vectors->heap[at] = vectors->heap[child];
		at = child;
	}
	vectors->heap[at] = moved;
	return first;
}

/* ---- What is possible ---- */

/* Servers of the offer at POSITION that the first WORKLOADS take in all. */
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

bool stock_suffices(const struct plan_work *work, const struct combination *combination,
                    int workload)
{
	for (int i = 0; i < combination->of[workload]->pick_count; i++) {
		const struct pick *pick = &combination->of[workload]->picks[i];
		int64_t stock = work->source->stocks[pick->position];

		if (pick->role != PICK_HOST && stock >= 0 &&
		    servers_taken(combination, workload + 1, pick->position) > stock)
			return false;
	}
	return true;
}

/* How many of the workloads, from the first, there is stock for. */
static int stocked_workloads(const struct plan_work *work, const struct combination *combination)
{
	int count = 1;

	while (count < work->spec->workload_count && stock_suffices(work, combination, count))
		count++;
	return count;
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

/* ---- What is summed ---- */

/* The candidates for ROUTE of one workload's LISTS: for hybrid plans of several workloads, those of
 * all routes together. */
static bool of_route(struct plan_work *work, enum plan_route route, const struct candidates *lists,
                     struct candidates *out)
{
	*out = lists[route];
	if (route != ROUTE_HYBRID || work->spec->workload_count == 1)
		return true;
	/* All of them: the cheapest of one route may be too many for any of another to be seen. */
	if (!candidates_init(work, out, ROUTE_COUNT * work->list_limit))
		return false;
	for (int from = 0; from < ROUTE_COUNT; from++)
		for (int i = 0; i < lists[from].count; i++)
			candidates_add(work, out, &lists[from].items[i]);
	return true;
}

static bool choices_of(struct plan_work *work, enum plan_route route, struct choices *choices)
{
	for (int w = 0; w < work->spec->workload_count; w++) {
		if (!of_route(work, route, work->lists[w], &choices->plain[w]))
			return false;
		if (work->may_carry[w] &&
		    !of_route(work, route, work->carrying[w], &choices->carrying[w]))
			return false;
	}
	return true;
}

/* The entries of FROM without those that leave something unknown, or all, by total alone. */
static bool sort_list(struct plan_work *work, const struct candidates *from, bool complete,
                      struct candidates *to)
{
	if (!candidates_init(work, to, from->count))
		return false;
	for (int i = 0; i < from->count; i++) {
		const struct candidate *moved = &from->items[i];
		int at = to->count;

		if (complete && moved->incomplete)
			continue;
		for (; at > 0 && candidate_order(work, moved, &to->items[at - 1]) < 0; at--)
			to->items[at] = to->items[at - 1];
		to->items[at] = *moved;
		to->count++;
	}
	return true;
}

static bool sort_choices(struct plan_work *work, const struct choices *from, bool complete,
                         struct choices *to)
{
	for (int w = 0; w < work->spec->workload_count; w++) {
		if (!sort_list(work, &from->plain[w], complete, &to->plain[w]))
			return false;
		if (work->may_carry[w] &&
		    !sort_list(work, &from->carrying[w], complete, &to->carrying[w]))
			return false;
	}
	return true;
}

/* ---- The sums ---- */

/* The cheapest sum with CARRIER, when every workload has a candidate. */
static void push_first(struct vectors *vectors, int carrier)
{
	struct vector first = {.carrier = (int8_t)carrier};

	for (int w = 0; w < vectors->work->spec->workload_count; w++)
		if (list_of(vectors->choices, &first, w)->count == 0 ||
		    __builtin_add_overflow(
			first.total, entry_of(vectors->choices, &first, w)->total, &first.total))
			return;
	push(vectors, &first);
}

/*
 * Raises one index, where there is stock for the workloads before it: theirs are not raised any
 * more. STOCKED: how many there is stock for.
 */
static void push_successors(struct vectors *vectors, const struct vector *vector, int stocked)
{
	int workloads = vectors->work->spec->workload_count;

	for (int w = vector->last; w < workloads && w <= stocked; w++) {
		const struct candidates *list = list_of(vectors->choices, vector, w);
		struct vector next = *vector;
		int at = next.index[w];

		if (at + 1 >= list->count)
			continue;
		next.index[w]++;
		next.last = (uint8_t)w;
		if (!__builtin_add_overflow(
			next.total, list->items[at + 1].total - list->items[at].total, &next.total))
			push(vectors, &next);
	}
}

bool is_of_route(const struct plan_work *work, const struct combination *combination)
{
	return combination->route != ROUTE_HYBRID ||
	       is_mixed(combination, work->spec->workload_count);
}

/* Servers of the offer at POSITION in the role of PICK, whatever their hours. */
static int64_t servers_as(const struct candidate *candidate, const struct pick *pick)
{
	int64_t servers = 0;

	for (int i = 0; i < candidate->pick_count; i++)
		if (candidate->picks[i].position == pick->position &&
		    candidate->picks[i].role == pick->role)
			servers += candidate->picks[i].servers;
	return servers;
}

/* Whether B has as many of all that A buys. */
static bool has_all(const struct candidate *b, const struct candidate *a)
{
	for (int i = 0; i < a->pick_count; i++)
		if (servers_as(a, &a->picks[i]) != servers_as(b, &a->picks[i]))
			return false;
	return true;
}

/* Whether they buy the same from the same offers. Which of the servers are the busy ones may differ
 * where that costs the same. */
static bool same_picks(const struct candidate *a, const struct candidate *b)
{
	return a->demand == b->demand && has_all(b, a) && has_all(a, b);
}

bool same_offers(const struct plan_work *work, const struct combination *a,
                 const struct combination *b)
{
	for (int w = 0; w < work->spec->workload_count; w++)
		if (!same_picks(a->of[w], b->of[w]))
			return false;
	return true;
}

/* Whether the same was found already, with another carrier. */
static bool is_known(const struct plan_work *work, const struct sums *out,
                     const struct combination *combination)
{
	for (int i = 0; work->carrier_count > 1 && i < out->count; i++)
		if (out->items[i].carrier != combination->carrier &&
		    same_offers(work, &out->items[i], combination))
			return true;
	return false;
}

void note_over(struct plan_work *work, const struct combination *combination)
{
	enum plan_route route = combination->route;

	if (work->has_over[route] && work->over[route].total <= combination->total)
		return;
	work->has_over[route] = true;
	work->over[route] = *combination;
}

/* No sum above this is wanted. */
static int64_t dearest_wanted(const struct plan_work *work, const struct sums *out)
{
	return out->count == out->limit ? out->items[out->count - 1].total : work->budget;
}

/* Adds the sums that are INCOMPLETE as asked, in their order, up to the budget. */
static void sum_up(struct vectors *vectors, struct plan_work *work, bool incomplete,
                   struct sums *out)
{
	int workloads = work->spec->workload_count;

	vectors->count = 0;
	vectors->lost = false;
	if (work->carrier_count == 0)
		push_first(vectors, -1);
	for (int w = 0; w < workloads; w++)
		if (work->may_carry[w])
			push_first(vectors, w);
	for (int pops = 0; vectors->count > 0 && out->count < out->limit; pops++) {
		struct combination *at = &out->items[out->count];
		struct vector next = pop(vectors);

		if (pops == POPS_MAX || vectors->lost) {
			out->too_many = true;
			return;
		}
		at->route = out->route;
		fill(work, vectors->choices, &next, at);
		int stocked = stocked_workloads(work, at);

		push_successors(vectors, &next, stocked);
		out->passed_over += stocked < workloads;
		if (stocked < workloads || at->incomplete != incomplete || !is_of_route(work, at) ||
		    is_known(work, out, at))
			continue;
		if (at->total > work->budget) {
			note_over(work, at);
			return;
		}
		out->count++;
	}
}

unsigned combine(struct plan_work *work, enum plan_route route, struct combination *out, int limit,
                 int *count)
{
	struct choices choices = {0};
	struct choices sorted = {0};
	struct vectors vectors = {.work = work, .choices = &sorted};
	struct sums sums = {.route = route, .items = out, .limit = limit};
	unsigned doubt = NO_DOUBT;

	*count = 0;
	work->has_over[route] = false;
	if (!route_asked(work->spec, route) || !choices_of(work, route, &choices))
		return NO_DOUBT;
	vectors.heap = PLAN_TAKE(work->memory, struct vector, VECTORS_MAX);
	if (vectors.heap == NULL)
		return NO_DOUBT;
	for (int incomplete = 0; incomplete < 2 && sums.count < limit; incomplete++) {
		struct search_end end = {.wanted = limit - sums.count, .complete = incomplete == 0};

		if (!sort_choices(work, &choices, incomplete == 0, &sorted))
			return NO_DOUBT;
		sum_up(&vectors, work, incomplete != 0, &sums);
		if (sums.too_many) {
			doubt |= TOO_MANY_SUMS;
			dive(work, &sorted, incomplete == 0, &sums);
		}
		end.dearest = dearest_wanted(work, &sums);
		end.passed_over = sums.passed_over;
		if (!lists_suffice(work, route, &end))
			doubt |= LISTS_TOO_SHORT;
	}
	*count = sums.count;
	return doubt;
}
