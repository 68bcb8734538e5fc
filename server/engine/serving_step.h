/*
 * serving_step.h - the time of one step of a replica, term by term.
 *
 * A step of n = decode + pre-fill tokens passes every layer once. The terms add: kernels of one
 * stream run one after another, and none of them overlaps another's bound (roofline per kernel,
 * Williams et al. 2009; Pope et al. 2022, arXiv:2211.05102, for the decode terms).
 */
#ifndef ENGINE_SERVING_STEP_H
#define ENGINE_SERVING_STEP_H

#include "engine/serving_replica.h"

/* What one step of the whole replica carries. */
struct step_work {
	double decode;  /* sequences that decode one token */
	double context; /* tokens behind each of them, mean */
	double prefill; /* prompt tokens computed */
	double prompts; /* sequences these belong to; their last token is sampled */
	double cached;  /* tokens behind each prompt that are not computed again */
};

/* ms */
struct step_time {
	double weights; /* reading them */
	double compute; /* matrix products */
	double kv;      /* reading the cache */
	double attention;
	double host;          /* launches, scheduler, sampling */
	double communication; /* all-reduces of the tensor-parallel group */
	double total;
};

/* The time of a pass of WORK through all layers of REPLICA. */
struct step_time step_time_of(const struct replica *replica, const struct step_work *work);

#endif
