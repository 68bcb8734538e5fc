/*
 * serving_run.h - a run of so many requests, from the first arrival to the last answer.
 *
 * What a benchmark or a nightly batch measures is not the steady state. At its start every prompt
 * waits for pre-fill (the ramp); at its end the batch drains, the longer the more the lengths of
 * the answers vary:
 *
 *     time = ramp(B) + (N - B) / steady rate + drain(B)        B = requests that decode together
 *
 * With exponential lengths the batch left after k tokens is B exp(-k / mean), so the drain is the
 * mean length times the step time averaged over ln b.
 */
#ifndef ENGINE_SERVING_RUN_H
#define ENGINE_SERVING_RUN_H

#include "engine/serving_load.h"

/*
 * JOB's `requests` sent by CONCURRENCY clients, each waiting for its answer (as many clients as
 * requests: all at once).
 *
 *   Given     concurrency >= 1, job->requests >= 1
 *   Returned  *speed: rate over the whole run, mean and percentiles over its requests
 */
void serving_finite_run(const struct replica *replica, const struct serving_room *room,
                        double concurrency, struct serving_speed *speed);

/* Mean time that BATCH sequences decode until the last is done, ms. */
double serving_drain_ms(const struct replica *replica, double batch);

#endif
