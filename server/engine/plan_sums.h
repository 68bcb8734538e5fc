/* plan_sums.h - what plan_combine.c and plan_dive.c share: sums of one candidate per workload. */
#ifndef ENGINE_PLAN_SUMS_H
#define ENGINE_PLAN_SUMS_H

#include "engine/plan_work.h"

/* What is summed: each workload's candidates without network and storage, and with them. */
struct choices {
	struct candidates plain[PLAN_WORKLOADS_MAX];
	struct candidates carrying[PLAN_WORKLOADS_MAX];
};

/* Where the sums of a route go: room for LIMIT, and one more in which the next is made. */
struct sums {
	enum plan_route route;
	struct combination *items;
	int count;
	int limit;
	int passed_over; /* as together they want more of an offer than there is; with all alike */
	bool too_many;   /* more were possible than could be looked at */
};

/* What WORKLOAD chooses from when CARRIER carries what is needed once. */
static inline const struct candidates *choices_for(const struct choices *choices, int carrier,
                                                   int workload)
{
	return workload == carrier ? &choices->carrying[workload] : &choices->plain[workload];
}

/* Whether there is stock for WORKLOAD beside those before it, given that there is for those. */
bool stock_suffices(const struct plan_work *work, const struct combination *combination,
                    int workload);

/* Whether it belongs to its route: a hybrid mixes. */
bool is_of_route(const struct plan_work *work, const struct combination *combination);

/* Whether they buy the same from the same offers for every workload. */
bool same_offers(const struct plan_work *work, const struct combination *a,
                 const struct combination *b);

/* Remembers the cheapest of a route that is beyond the budget. */
void note_over(struct plan_work *work, const struct combination *combination);

/* ---- plan_dive.c ---- */

/*
 * Adds sums that are COMPLETE as asked, as good as can be had without looking at all of them: each
 * workload in turn takes the cheapest candidate that the stock allows, and the last ones then look
 * on. For when there are too many sums to go through them by their totals.
 */
void dive(struct plan_work *work, const struct choices *choices, bool complete, struct sums *out);

#endif
