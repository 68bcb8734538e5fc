/* serving_run.c - see serving_run.h. */
#include "engine/serving_run.h"

#include <math.h>

static double max(double a, double b)
{
	return a > b ? a : b;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

/* One decode step, per token, of BATCH sequences. */
static double step_ms(const struct replica *replica, double batch)
{
	struct serving_point point = serving_point_at(replica, batch);

	return point.tpot_ms - point.stall_ms;
}

/* The step time averaged over ln b from one sequence to BATCH, times ln BATCH: Simpson, 4 parts. */
static double drained_steps(const struct replica *replica, double batch)
{
	static const double weights[] = {1, 4, 2, 4, 1};
	double span = log(max(batch, 1));
	double sum = 0;

	for (int i = 0; i < 5; i++)
		sum += weights[i] * step_ms(replica, exp(span * i / 4));
	return (sum / 12 * span) + step_ms(replica, 1) * 0.5772;
}

double serving_drain_ms(const struct replica *replica, double batch)
{
	double spread = min(replica->job->output_spread, 1);
	double tokens = max(replica->job->output_tokens - 1, 0);
	double alike = spread < 1 ? step_ms(replica, batch) : 0;
	double varied = spread > 0 ? drained_steps(replica, batch) : 0;

	return tokens * ((1 - spread) * alike + spread * varied);
}

/* The requests of a run by how long they wait. */
struct crowd {
	double first;  /* decode as soon as their prompts are computed */
	double queued; /* sent at the start too, but there is no room yet */
	double later;  /* sent as clients get their answers */
	double ramp_ms;
	double prefill_ms; /* of the first ones together */
	double queue_ms;   /* mean of the queued ones */
};

static struct crowd crowd_of(const struct replica *replica, double concurrency,
                             const struct serving_point *point)
{
	const struct serving *job = replica->job;
	double clients = min(concurrency, job->requests);
	struct crowd crowd = {
	    .first = point->batch,
	    .queued = clients - point->batch,
	    .later = job->requests - clients,
	    .prefill_ms = point->batch * point->prefill_ms,
	};
	double alike = 1 - min(job->output_spread, 1);
	double first_done = alike * job->output_tokens * point->tpot_ms;

	/* The front end reads requests one by one; the first steps have few prompts to compute. */
	crowd.ramp_ms = crowd.prefill_ms + clients * serving_shared.front_ms;
	crowd.queue_ms = max(crowd.ramp_ms, first_done) + 1000 * crowd.queued / (2 * point->rate);
	return crowd;
}

/* The exponential integral E1(z), within 4 % (the mean of its elementary bounds). */
static double exponential_integral(double z)
{
	return exp(-z) * (log(1 + 1 / z) + log(1 + 2 / z) / 2) / 2;
}

/*
 * The first requests decode while others' prompts are computed: on average half of the ramp, over
 * few tokens where an answer is short. An answer of x times the mean length is delayed by A / x a
 * token, at most by a whole chunk's pre-fill (or, where prompts go first, by all of them).
 */
static double mean_delay(double a, double most, double spread)
{
	if (a <= 0)
		return 0;
	double varied = most * (1 - exp(-a / most)) + a * exponential_integral(a / most);

	return (1 - spread) * min(a, most) + spread * varied;
}

static double delay_at(double a, double most, double spread, double quantile)
{
	double varied = min(most, a / -log(quantile));

	return (1 - spread) * min(a, most) + spread * varied;
}

void serving_finite_run(const struct replica *replica, const struct serving_room *room,
                        double concurrency, struct serving_speed *speed)
{
	const struct serving *job = replica->job;
	double batch = min(min(concurrency, room->batch), job->requests);
	struct serving_point point = serving_point_at(replica, batch);
	struct crowd crowd = crowd_of(replica, concurrency, &point);
	double refill = 1000 * (job->requests - batch) / point.rate;
	double total = crowd.ramp_ms + point.first_ms + refill + serving_drain_ms(replica, batch);
	double spread = min(job->output_spread, 1);
	double half = crowd.prefill_ms / 2 / max(job->output_tokens - 1, 1);
	double chunk = replica_chunk(replica) / job->input_tokens * point.prefill_ms;
	double most = max(replica_prompts_first(replica) ? crowd.prefill_ms / 4 : chunk, 1e-9);
	double share = crowd.first / job->requests;
	double decode = point.tpot_ms - point.stall_ms;
	double wait = (crowd.first * crowd.ramp_ms / 2 + crowd.queued * crowd.queue_ms +
	               crowd.later * 1000 * crowd.queued / point.rate) /
	              job->requests;

	point.stall_ms = share * mean_delay(half, most, spread) + (1 - share) * point.stall_ms;
	point.tpot_ms = decode + point.stall_ms;
	speed->requests_per_s = 1000 * job->requests / total;
	speed->max_requests_per_s = max(point.rate, speed->requests_per_s);
	speed->concurrency = concurrency;
	speed->saturated = concurrency > room->batch || wait > 8 * point.first_ms;
	serving_report(replica, &point, wait, speed);
	if (share > 0.5 && spread > 0)
		speed->tpot = (struct serving_percentiles){
		    decode + delay_at(half, most, spread, 0.5),
		    decode + delay_at(half, most, spread, 0.9),
		    decode + delay_at(half, most, spread, 0.95),
		    decode + delay_at(half, most, spread, 0.99),
		};
}
