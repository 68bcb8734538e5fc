/* plan_sure.c - whether lists of candidates were long enough; see plan_work.h. */
#include <limits.h>

#include "engine/plan_work.h"

/* The lists that sums of a route are made of: of its own, or of all where routes are mixed. */
struct route_range {
	int first;
	int end;
};

static struct route_range routes_of(const struct plan_work *work, enum plan_route route)
{
	if (route == ROUTE_HYBRID && work->spec->workload_count > 1)
		return (struct route_range){0, ROUTE_COUNT};
	return (struct route_range){(int)route, (int)route + 1};
}

/* Entries that leave something open. */
static int open_entries(const struct candidates *list)
{
	int open = 0;

	for (int i = 0; i < list->count; i++)
		open += list->items[i].incomplete;
	return open;
}

/*
 * How many entries of LIST come before each that it lacks, and leave as much open; INT_MAX when it
 * lacks none that counts. What leaves something open stands after all that does not, and is not
 * wanted where there is enough of that.
 */
static int entries_before(const struct candidates *list, bool complete)
{
	if (list->count < list->limit)
		return INT_MAX;
	int open = open_entries(list);

	if (complete)
		return open > 0 ? INT_MAX : list->count;
	return open > 0 ? open : INT_MAX;
}

/* What is known of the lists of a workload for a route. */
struct reach {
	int before;    /* the least of entries_before() */
	int64_t first; /* the least total in them; INT64_MAX = they are empty */
	int64_t last;  /* no entry that they lack has a lower total; INT64_MAX = none is lacked */
};

static void reach_of_list(const struct candidates *list, bool complete, struct reach *reach)
{
	int before = entries_before(list, complete);

	for (int i = 0; i < list->count; i++)
		reach->first = least(reach->first, list->items[i].total);
	if (before == INT_MAX)
		return;
	reach->last = least(reach->last, list->items[list->count - 1].total);
	if (before < reach->before)
		reach->before = before;
}

static struct reach reach_of(const struct plan_work *work, int workload, struct route_range routes,
                             bool complete)
{
	struct reach reach = {INT_MAX, INT64_MAX, INT64_MAX};

	for (int route = routes.first; route < routes.end; route++) {
		reach_of_list(&work->lists[workload][route], complete, &reach);
		if (work->may_carry[workload])
			reach_of_list(&work->carrying[workload][route], complete, &reach);
	}
	return reach;
}

/* The least of any sum with an entry that a list lacks; INT64_MAX when there is none. */
static int64_t least_beyond(const struct reach *reaches, int count)
{
	int64_t beyond = INT64_MAX;

	for (int w = 0; w < count; w++) {
		int64_t sum = reaches[w].last;

		for (int other = 0; other < count; other++)
			if (other != w && __builtin_add_overflow(sum, reaches[other].first, &sum))
				sum = INT64_MAX;
		beyond = least(beyond, sum);
	}
	return beyond;
}

/*
 * Take a sum that is wanted, with an entry that its list lacks. In place of that one each entry
 * that comes before it makes a sum that comes before that one. Fewer than end->wanted of those are
 * among what was found, so that all others must have been passed over for their stock. Where too
 * few were, or where every such sum is dearer than what is wanted, there is none.
 */
bool lists_suffice(const struct plan_work *work, enum plan_route route,
                   const struct search_end *end)
{
	struct route_range routes = routes_of(work, route);
	struct reach reaches[PLAN_WORKLOADS_MAX];
	int workloads = work->spec->workload_count;
	bool few_passed_over = true;

	for (int w = 0; w < workloads; w++) {
		reaches[w] = reach_of(work, w, routes, end->complete);
		few_passed_over =
		    few_passed_over && end->passed_over <= reaches[w].before - end->wanted;
	}
	return few_passed_over || end->dearest < least_beyond(reaches, workloads);
}
