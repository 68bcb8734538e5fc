/* serving_load.c - see serving_load.h. */
#include "engine/serving_load.h"

#include <math.h>

#define KNEE_SHARE 0.9 /* of what can be served at all, that is planned with at most */

static double max(double a, double b)
{
	return a > b ? a : b;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

static double blocks(double tokens)
{
	return ceil(tokens / KV_PAGE_TOKENS) * KV_PAGE_TOKENS;
}

/* The longest request whose KV fits in ROOM bytes: full layers grow, windows and state do not. */
static double longest(const struct replica *replica, double room)
{
	double window = replica->job->model->sliding_window;
	double kept = replica->kv_token_bytes - replica->kv_full_bytes;

	if (window <= 0 || room < replica->kv_token_bytes * window)
		return max(room - replica->state_bytes, 0) / replica->kv_token_bytes;
	if (replica->kv_full_bytes <= 0)
		return replica->job->model->max_positions;
	return (room - kept * window) / replica->kv_full_bytes;
}

struct serving_room serving_room_of(const struct replica *replica, double kv_room)
{
	const struct serving *job = replica->job;
	double ranks = replica->layout.dp;
	double request = blocks(job->input_tokens + job->output_tokens);
	double held = job->input_tokens + replica->constants->occupancy * job->output_tokens;
	double positions = job->model->max_positions;
	double whole = kv_room / replica_sequence_bytes(replica, request);
	struct serving_room room = {
	    .kv_tokens =
		ranks * floor(kv_room / replica->kv_token_bytes / KV_PAGE_TOKENS) * KV_PAGE_TOKENS,
	    .max_concurrency = ranks * whole,
	    .max_context = floor(longest(replica, kv_room) / KV_PAGE_TOKENS) * KV_PAGE_TOKENS,
	};

	if (positions > 0)
		room.max_context = min(room.max_context, positions);
	room.batch = ranks * kv_room / replica_sequence_bytes(replica, held);
	if (whole >= 1)
		room.batch = max(room.batch, 1);
	room.batch = min(room.batch, replica_max_sequences(replica));
	return room;
}

/* Tokens of a prompt that are computed, and those found in the prefix cache. */
static struct step_work prompt_work(const struct serving *job, double prompts)
{
	double cached = job->input_tokens * job->prefix_cache_hit;

	return (struct step_work){
	    .prefill = max(job->input_tokens - cached, 1) * prompts,
	    .prompts = prompts,
	    .cached = cached,
	};
}

/* One decode step with speculation: verification of the drafted tokens, and a draft layer each. */
static struct step_time decode_step(const struct replica *replica, double sequences, double *tokens)
{
	const struct serving *job = replica->job;
	double accepted = job->speculative_accept;
	double drafted = accepted > 0 ? ceil(accepted) : 0;
	struct step_work work = {
	    .decode = sequences,
	    .context = job->input_tokens + job->output_tokens / 2,
	};
	struct step_time time = step_time_of(replica, &work);

	*tokens = 1 + accepted;
	if (drafted > 0) {
		struct step_work wide = {.decode = sequences * (1 + drafted)};
		struct step_work narrow = {.decode = sequences};
		double verify =
		    step_time_of(replica, &wide).total - step_time_of(replica, &narrow).total;

		time.total += verify + time.total * drafted / job->model->layers;
	}
	return time;
}

/* ms that PROMPTS requests' prompts take from the pipeline, alone, in steps of the chunk. */
static double prefill_alone(const struct replica *replica, double prompts, struct step_time *step)
{
	struct step_work work = prompt_work(replica->job, prompts);
	double steps = max(ceil(work.prefill / max(replica_chunk(replica), 1)), 1);

	work.prefill /= steps;
	work.prompts /= steps;
	*step = step_time_of(replica, &work);
	/* Outside CUDA graphs each layer takes at least its launches: a smooth maximum, the fourth
	 * root of the sum of fourth powers. */
	double floor_ms = replica->job->model->layers * replica->constants->prefill_layer_ms;
	double step_2 = step->total * step->total;
	double floor_2 = floor_ms * floor_ms;

	return sqrt(sqrt(step_2 * step_2 + floor_2 * floor_2)) * steps;
}

/* What a request's prompt takes alone: the same however many others are in flight. */
struct prompt_alone {
	double ms;
	struct step_time step;
};

static struct prompt_alone prompt_alone_of(const struct replica *replica)
{
	struct prompt_alone alone;

	alone.ms = prefill_alone(replica, 1, &alone.step);
	return alone;
}

static struct serving_point point_at(const struct replica *replica,
                                     const struct prompt_alone *prompt, double batch)
{
	const struct serving *job = replica->job;
	const struct serving_constants *c = replica->constants;
	double stages = replica->layout.pp;
	double output = max(job->output_tokens, 1);
	double tokens;
	struct serving_point point = {.batch = batch, .prefill = prompt->step};
	double alone = prompt->ms;

	point.decode = decode_step(replica, max(batch / stages, 1), &tokens);
	struct step_work joined = prompt_work(job, 1);

	joined.decode = max(batch / stages, 1);
	joined.context = job->input_tokens + output / 2;
	double marginal = max(step_time_of(replica, &joined).total - point.decode.total, 0);

	point.prefill_ms = min(marginal, alone) / stages;
	point.stall_ms = c->stall * max(batch - 1, 0) / output * point.prefill_ms;
	point.tpot_ms = point.decode.total / tokens + point.stall_ms;
	point.first_ms = c->request_ms + c->prefill_factor * alone;
	if (batch > 1)
		point.first_ms += point.decode.total + c->crowding * (1 - 1 / batch) * alone;
	point.rate = 1000 * batch / (point.first_ms + (output - 1) * point.tpot_ms);
	return point;
}

struct serving_point serving_point_at(const struct replica *replica, double batch)
{
	struct prompt_alone prompt = prompt_alone_of(replica);

	return point_at(replica, &prompt, batch);
}

/* A normal part around BASE with coefficient of variation CV, and an exponential wait of mean TAIL:
 * quantiles 0, 1.2816, 1.6449, 2.3263 and ln 2, ln 10, ln 20, ln 100. */
static struct serving_percentiles spread(double base, double cv, double tail)
{
	return (struct serving_percentiles){
	    .p50 = base + 0.6931 * tail,
	    .p90 = base * (1 + 1.2816 * cv) + 2.3026 * tail,
	    .p95 = base * (1 + 1.6449 * cv) + 2.9957 * tail,
	    .p99 = base * (1 + 2.3263 * cv) + 4.6052 * tail,
	};
}

static enum sizing_limit limit_of(const struct serving_point *point, double output)
{
	double share = point->batch > 0 ? output / point->batch : output;
	const struct step_time *d = &point->decode;
	const struct step_time *p = &point->prefill;
	double compute = share * d->compute + p->compute + p->attention;
	double bandwidth = share * (d->weights + d->kv) + p->weights;
	double link = share * d->communication + p->communication;

	if (link > compute && link > bandwidth)
		return LIMIT_INTERCONNECT;
	return compute > bandwidth ? LIMIT_COMPUTE : LIMIT_MEMORY_BANDWIDTH;
}

void serving_report(const struct replica *replica, const struct serving_point *point,
                    double wait_ms, struct serving_speed *speed)
{
	const struct serving *job = replica->job;
	double variation = 0.03 + 0.5 * point->stall_ms / max(point->tpot_ms, 1e-9);
	double cards = (double)replica->layout.tp * replica->layout.pp * replica->layout.dp;

	speed->tpot_ms = point->tpot_ms;
	speed->tpot = spread(point->tpot_ms, variation, 0);
	speed->ttft_ms = point->first_ms + wait_ms;
	speed->first_ms = point->first_ms;
	speed->ttft = spread(point->first_ms, 0.1, wait_ms);
	speed->output_tokens_per_s = speed->requests_per_s * job->output_tokens;
	speed->input_tokens_per_s = speed->requests_per_s * job->input_tokens;
	speed->output_tokens_per_s_per_card = speed->output_tokens_per_s / cards;
	speed->utilisation = min(speed->requests_per_s / max(speed->max_requests_per_s, 1e-12), 1);
	speed->prefill_share = min(point->rate * point->prefill_ms / 1000, 1);
	speed->limit = limit_of(point, job->output_tokens);
}

void serving_closed_loop(const struct replica *replica, const struct serving_room *room,
                         double concurrency, struct serving_speed *speed)
{
	double batch = min(concurrency, room->batch);
	struct serving_point point = serving_point_at(replica, batch);
	struct serving_point full = serving_point_at(replica, room->batch);
	double bunch = replica->constants->bunching * max(batch - 1, 0) * point.prefill_ms;
	double output = max(replica->job->output_tokens, 1);
	double rate = 1000 * batch / (point.first_ms + bunch + (output - 1) * point.tpot_ms);
	double queue = 1000 * max(concurrency - room->batch, 0) / rate;

	speed->requests_per_s = rate;
	speed->max_requests_per_s = max(full.rate, rate);
	speed->concurrency = concurrency;
	speed->saturated = concurrency > room->batch;
	serving_report(replica, &point, bunch + queue, speed);
}

/* A stream without end: as many as fit, all the time. */
static void endless(const struct replica *replica, const struct serving_room *room,
                    struct serving_speed *speed)
{
	struct serving_point point = serving_point_at(replica, room->batch);

	speed->requests_per_s = point.rate;
	speed->max_requests_per_s = point.rate;
	speed->concurrency = room->batch;
	serving_report(replica, &point, 0, speed);
}

void serving_all_at_once(const struct replica *replica, const struct serving_room *room,
                         double concurrency, struct serving_speed *speed)
{
	if (isinf(concurrency)) {
		endless(replica, room, speed);
		return;
	}
	double batch = min(concurrency, room->batch);
	struct serving_point point = serving_point_at(replica, batch);
	struct step_time step;
	double output = max(replica->job->output_tokens, 1);
	double stages = replica->layout.pp;
	double tokens = 1 + replica->job->speculative_accept;
	double prefill = prefill_alone(replica, batch, &step) / min(stages, batch);
	double decode = (output - 1) * point.decode.total / tokens;
	double waves = concurrency / batch;
	double total = waves * (prefill + decode);

	speed->requests_per_s = 1000 * concurrency / total;
	speed->max_requests_per_s = speed->requests_per_s;
	speed->concurrency = concurrency;
	point.first_ms = prefill / batch;
	serving_report(replica, &point,
	               prefill * (batch - 1) / batch / 2 + (waves - 1) / 2 * (prefill + decode),
	               speed);
	speed->prefill_share = prefill / (prefill + decode);
	speed->saturated = concurrency > room->batch;
}

/* Mean wait for one of C places at utilisation RHO, service T (Sakasegawa 1977, M/G/c). */
static double place_wait(double rho, double places, double service)
{
	double c = max(places, 1);

	if (rho >= 1)
		return INFINITY;
	return service * pow(rho, sqrt(2 * (c + 1)) - 1) / (c * (1 - rho)) * 0.5;
}

/* Mean wait of an arrival when the replica works at POINT: for a place, and for the pre-fills
 * before it (M/D/1, Pollaczek-Khinchine). */
static double wait_at(const struct replica *replica, const struct serving_room *room,
                      const struct serving_point *point, double most)
{
	double output = max(replica->job->output_tokens, 1);
	double service = point->first_ms + (output - 1) * point->tpot_ms;
	double busy = min(point->rate * point->prefill_ms / 1000, 0.98);
	double prefill = busy / (2 * (1 - busy)) * point->prefill_ms;

	return place_wait(min(point->rate / most, 0.999), room->batch, service) + prefill;
}

#define STEPS_MOST 40
#define RATE_FOUND 1e-7 /* so near, as a share of the rate, is there */

/* Two batches between which a rate lies, and how far above it they are. */
struct bracket {
	double low, high;
	double low_gap, high_gap;
};

/*
 * Where the rate is found if it grows evenly between the two (regula falsi, with Illinois' halving
 * against an end that stays); from one request in flight on it grows smoothly. Below, and at every
 * third step, the middle.
 */
static double next_batch(const struct bracket *at, int step)
{
	if (at->low < 1 || step % 3 == 2)
		return (at->low + at->high) / 2;
	return at->low + (at->high - at->low) * at->low_gap / (at->low_gap - at->high_gap);
}

/* The point at which requests are served at RATE; HIGHEST is that of the full batch, above it. */
static struct serving_point point_serving(const struct replica *replica,
                                          const struct prompt_alone *prompt, double rate,
                                          const struct serving_point *highest)
{
	struct serving_point point, found = *highest;
	struct bracket at = {0, highest->batch, -rate, highest->rate - rate};
	int before = 0;

	for (int step = 0; step < STEPS_MOST && found.rate > rate * (1 + RATE_FOUND); step++) {
		point = point_at(replica, prompt, next_batch(&at, step));
		double gap = point.rate - rate;
		int side = gap < 0 ? -1 : 1;

		if (side < 0) {
			at.low = point.batch;
			at.low_gap = gap;
			at.high_gap /= side == before ? 2 : 1;
		} else {
			at.high = point.batch;
			at.high_gap = gap;
			at.low_gap /= side == before ? 2 : 1;
			found = point;
		}
		before = side;
	}
	return found;
}

void serving_open_rate(const struct replica *replica, const struct serving_room *room, double rate,
                       struct serving_speed *speed)
{
	struct prompt_alone prompt = prompt_alone_of(replica);
	struct serving_point highest = point_at(replica, &prompt, room->batch);
	double most = highest.rate;
	double served = min(rate, 0.98 * most);
	struct serving_point point = point_serving(replica, &prompt, served, &highest);
	double wait = wait_at(replica, room, &point, most);

	/* Above capacity the queue grows as long as requests come: a run of so many is half of it.
	 */
	if (rate > most && replica->job->requests > room->batch)
		wait += 500 * (replica->job->requests - room->batch) * (1 / most - 1 / rate);
	speed->requests_per_s = min(rate, most);
	speed->max_requests_per_s = most;
	speed->saturated = rate > most;
	speed->concurrency =
	    speed->requests_per_s *
	    (point.first_ms + wait + (replica->job->output_tokens - 1) * point.tpot_ms) / 1000;
	serving_report(replica, &point, wait, speed);
}

double serving_at_percentile(const struct serving_percentiles *p, int percentile)
{
	return percentile == 50   ? p->p50
	       : percentile == 90 ? p->p90
	       : percentile == 99 ? p->p99
	                          : p->p95;
}

/* Whether the latency limits hold with BATCH in flight. */
static bool holds(const struct replica *replica, const struct serving_room *room,
                  const struct prompt_alone *prompt, double batch, double most)
{
	const struct serving *job = replica->job;
	struct serving_point point = point_at(replica, prompt, batch);
	struct serving_speed speed = {0};

	serving_report(replica, &point, wait_at(replica, room, &point, most), &speed);
	bool ttft = job->ttft_ms <= 0 ||
	            serving_at_percentile(&speed.ttft, job->percentile) <= job->ttft_ms;
	bool tpot = job->tpot_ms <= 0 ||
	            serving_at_percentile(&speed.tpot, job->percentile) <= job->tpot_ms;

	return ttft && tpot && point.rate <= KNEE_SHARE * most;
}

struct serving_point serving_knee(const struct replica *replica, const struct serving_room *room,
                                  double least)
{
	struct prompt_alone prompt = prompt_alone_of(replica);
	double most = point_at(replica, &prompt, room->batch).rate;
	double low = 0.01;
	double high = room->batch;

	if (KNEE_SHARE * most < least || !holds(replica, room, &prompt, low, most))
		return (struct serving_point){0};
	for (int i = 0; i < 20; i++) {
		double middle = (low + high) / 2;

		if (holds(replica, room, &prompt, middle, most))
			low = middle;
		else
			high = middle;
	}
	return point_at(replica, &prompt, low);
}
