/*
 * serving_load.h - a replica under load: batch, latency, rate, queues.
 *
 * Continuous batching (Yu et al. 2022, Orca) as a closed formula: every decode step of a batch of
 * b sequences also waits for its share of the pre-fill of the requests that join, so
 *
 *     TPOT(b) = step(b) + stall (b-1)/out x pre-fill of one request
 *     T(b)    = first token + (out-1) TPOT(b),   rate(b) = b / T(b)    (Little)
 */
#ifndef ENGINE_SERVING_LOAD_H
#define ENGINE_SERVING_LOAD_H

#include "engine/serving_step.h"

/* A replica with B requests in flight, none waiting. */
struct serving_point {
	double batch;
	double first_ms;   /* first token of a request that waits for nobody */
	double prefill_ms; /* what its prompt takes from the pipeline */
	double stall_ms;   /* of each output token: pre-fill of others */
	double tpot_ms;
	double rate; /* requests a second */
	struct step_time decode;
	struct step_time prefill;
};

/* What a replica holds at most. */
struct serving_room {
	double kv_tokens;       /* whole blocks */
	double max_concurrency; /* requests of the stated length held in full */
	double max_context;
	double batch; /* sequences that decode together at most */
};

/* The room of REPLICA with KV_ROOM bytes on one card (all stages' share); see replica_memory(). */
struct serving_room serving_room_of(const struct replica *replica, double kv_room);

/* REPLICA with BATCH >= 1 requests in flight. */
struct serving_point serving_point_at(const struct replica *replica, double batch);

/* A closed loop of JOB's concurrency; more than the room waits. */
void serving_closed_loop(const struct replica *replica, const struct serving_room *room,
                         double concurrency, struct serving_speed *speed);

/* Everything at once, CONCURRENCY requests in all (infinite: a stream without end). */
void serving_all_at_once(const struct replica *replica, const struct serving_room *room,
                         double concurrency, struct serving_speed *speed);

/* Poisson arrivals of RATE requests a second. */
void serving_open_rate(const struct replica *replica, const struct serving_room *room, double rate,
                       struct serving_speed *speed);

/* Fills *speed, whose rates are known, from POINT; WAIT_MS is the mean wait before the pre-fill. */
void serving_report(const struct replica *replica, const struct serving_point *point,
                    double wait_ms, struct serving_speed *speed);

/* The figure of P at PERCENTILE: 50, 90, 95 or 99; any other is 95. */
double serving_at_percentile(const struct serving_percentiles *p, int percentile);

/* The fullest point at which JOB's latency limits hold at its percentile; batch 0 when they never
 * do, or when the rate there is sure to be below LEAST. Without limits: nine tenths of what can be
 * served. */
struct serving_point serving_knee(const struct replica *replica, const struct serving_room *room,
                                  double least);

#endif
