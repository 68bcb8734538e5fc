/* plan_dive.c - some good sums when there are too many to look at; see plan_sums.h. */
#include "engine/plan_sums.h"

#define TRIES_MAX 20000 /* candidates tried for each carrier */

struct dive {
	struct plan_work *work;
	const struct choices *choices;
	struct sums *out;
	bool complete;
	int first; /* of the sums that the dive may add to */
	int64_t
	    rest[PLAN_WORKLOADS_MAX + 1]; /* that the workloads from this one on cost at least */
	struct combination at;
	int tries;
};

static bool is_listed(const struct dive *dive)
{
	for (int i = 0; i < dive->out->count; i++)
		if (same_offers(dive->work, &dive->out->items[i], &dive->at))
			return true;
	return false;
}

/* Puts the sum in its place among those that were added. */
static void list_sum(struct dive *dive)
{
	struct sums *out = dive->out;
	int at = out->count;

	for (;
	     at > dive->first && combination_order(dive->work, &dive->at, &out->items[at - 1]) < 0;
	     at--)
		out->items[at] = out->items[at - 1];
	out->items[at] = dive->at;
	if (out->count < out->limit)
		out->count++;
}

/* A candidate for every workload was found. */
static void consider(struct dive *dive)
{
	bool open = false;

	for (int w = 0; w < dive->work->spec->workload_count; w++)
		open = open || dive->at.of[w]->incomplete;
	dive->at.incomplete = open;
	if (open == dive->complete || !is_of_route(dive->work, &dive->at) || is_listed(dive))
		return;
	if (dive->at.total > dive->work->budget)
		note_over(dive->work, &dive->at);
	else
		list_sum(dive);
}

/* No sum above this can be listed any more. */
static int64_t bar_of(const struct dive *dive)
{
	const struct sums *out = dive->out;

	return out->count < out->limit ? INT64_MAX : out->items[out->count - 1].total;
}

static void descend(struct dive *dive, int workload, int64_t total)
{
	const struct candidates *list = choices_for(dive->choices, dive->at.carrier, workload);

	if (workload == dive->work->spec->workload_count) {
		dive->at.total = total;
		consider(dive);
		return;
	}
	for (int i = 0; i < list->count && dive->tries < TRIES_MAX; i++) {
		int64_t sum = total + list->items[i].total;

		dive->tries++;
		dive->at.of[workload] = &list->items[i];
		if (sum + dive->rest[workload + 1] > bar_of(dive))
			return;
		if (stock_suffices(dive->work, &dive->at, workload))
			descend(dive, workload + 1, sum);
	}
}

/* What the workloads cost at least; false when one has no candidate or they cost beyond all
 * bounds. */
static bool find_rest(struct dive *dive)
{
	int workloads = dive->work->spec->workload_count;

	dive->rest[workloads] = 0;
	for (int w = workloads - 1; w >= 0; w--) {
		const struct candidates *list = choices_for(dive->choices, dive->at.carrier, w);

		/* Sums of what stands in a list stay below twice this. */
		if (list->count == 0 ||
		    list->items[list->count - 1].total > INT64_MAX / 2 / PLAN_WORKLOADS_MAX)
			return false;
		dive->rest[w] = dive->rest[w + 1] + list->items[0].total;
	}
	return true;
}

static void dive_for(struct dive *dive, int carrier)
{
	dive->at = (struct combination){.route = dive->out->route, .carrier = carrier};
	dive->tries = 0;
	if (find_rest(dive))
		descend(dive, 0, 0);
}

void dive(struct plan_work *work, const struct choices *choices, bool complete, struct sums *out)
{
	struct dive dive = {.work = work,
	                    .choices = choices,
	                    .out = out,
	                    .complete = complete,
	                    .first = out->count};

	if (work->carrier_count == 0)
		dive_for(&dive, -1);
	for (int w = 0; w < work->spec->workload_count; w++)
		if (work->may_carry[w])
			dive_for(&dive, w);
}
