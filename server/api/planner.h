/*
 * planner.h - the planner with a memory: blocks that plans are made in, what cards can do for the
 * jobs that were asked about, and what passes the requirements that others asked too (screens.h).
 *
 * To find the layouts of a model on every class of card takes milliseconds. What they are and what
 * they bear depends on the model, the limits and the card table, not on how many tokens or requests
 * there are, so it is remembered for as long as the snapshot is the same. Shared by all threads.
 */
#ifndef API_PLANNER_H
#define API_PLANNER_H

#include "engine/plan.h"
#include "market/catalogue.h"

struct planner;
struct screen_kept;

/* A plan and the block that it lies in. */
struct planned {
	struct plan plan;
	struct plan_memory memory;
	struct screen_kept *screen; /* that it was made with */
};

/* An empty planner; new. */
struct planner *planner_create(void);

/* Frees PLANNER with its blocks; every plan must have been given back. NULL is fine. */
void planner_destroy(struct planner *planner);

/*
 * Whether planning SPEC over CATALOGUE takes about a millisecond at most: one workload, and what it
 * goes by is remembered. False in doubt.
 */
bool planner_is_quick(struct planner *planner, struct catalogue *catalogue,
                      const struct spec *spec);

/*
 * Makes ready for CATALOGUE, before it becomes the current snapshot, what plans were made with
 * lately. PLANNER NULL: nothing.
 */
void planner_prepare(struct planner *planner, struct catalogue *catalogue);

/* CATALOGUE is the current snapshot from now on: what is about another is forgotten. */
void planner_turn_to(struct planner *planner, struct catalogue *catalogue);

/*
 * Plans SPEC over CATALOGUE (see plan_source_of() and plan_make()). The plan is valid until
 * planner_give_back() and as long as the caller holds CATALOGUE. PLANNER NULL: nothing is
 * remembered.
 */
void planner_make(struct planner *planner, struct catalogue *catalogue, struct spec *spec,
                  struct planned *planned);

/* Gives the block of PLANNED back, to be used again while all that are kept are not too large. */
void planner_give_back(struct planner *planner, struct planned *planned);

#endif
