/* serving.c - see serving.h. */
#include "engine/serving.h"

#include <math.h>

#include "engine/serving_layout.h"
#include "engine/serving_load.h"
#include "engine/serving_run.h"

static double max(double a, double b)
{
	return a > b ? a : b;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

/* The same job with what was not said filled in, so that no routine below asks again. */
static struct serving with_defaults(const struct serving *job)
{
	struct serving filled = *job;

	if (filled.engine == ENGINE_UNSET)
		filled.engine = ENGINE_VLLM;
	if (filled.weights == WEIGHTS_UNSET)
		filled.weights = WEIGHTS_BF16;
	if (filled.input_tokens <= 0)
		filled.input_tokens = 1;
	if (filled.output_tokens <= 0)
		filled.output_tokens = 1;
	if (filled.mode == MODE_UNSET)
		filled.mode = MODE_ONLINE;
	if (filled.concurrency <= 0 && filled.requests_per_s <= 0 && filled.requests <= 0 &&
	    filled.mode == MODE_ONLINE)
		filled.concurrency = 1;
	return filled;
}

static void note_defaults(const struct serving *asked, const struct replica *replica,
                          struct notes *assumed)
{
	const struct serving *job = replica->job;

	if (asked->engine == ENGINE_UNSET)
		note_add(assumed, NOTE_ASSUMED_ENGINE, 0, 0, engine_names[job->engine]);
	if (asked->weights == WEIGHTS_UNSET)
		note_add(assumed, NOTE_ASSUMED_WEIGHTS, 0, 0, weight_format_names[job->weights]);
	if (asked->kv_cache == KV_UNSET)
		note_add(assumed, NOTE_ASSUMED_KV, 0, 0, kv_format_names[replica->kv]);
	if (asked->max_model_len == 0)
		note_add(assumed, NOTE_ASSUMED_CONTEXT, job->input_tokens + job->output_tokens, 0,
		         NULL);
	if (asked->gpu_memory_utilization <= 0)
		note_add(assumed, NOTE_ASSUMED_UTILIZATION, replica_memory_share(replica), 0, NULL);
}

static void note_warnings(const struct replica *replica, struct notes *warnings)
{
	const struct serving *job = replica->job;
	const struct card *card = replica->on->card;
	double gb = serving_weights_gib(job->model, job->weights) * 1.073741824;
	bool eight = job->weights == WEIGHTS_FP8 || job->weights == WEIGHTS_INT8;

	if (!serving_card_measured(card))
		note_add(warnings, NOTE_CARD_NOT_MEASURED, 0, 0, card->id);
	if (job->weights == WEIGHTS_FP8 && card->fp8_tflops <= 0)
		note_add(warnings, NOTE_NO_PRECISION, 0, 0, weight_format_names[job->weights]);
	if (job->weights == WEIGHTS_BF16 && !card->bf16_native)
		note_add(warnings, NOTE_NO_BF16, 0, 0, card->id);
	double tokens = max(job->max_model_len, job->input_tokens + job->output_tokens);
	double positions = job->model->max_positions;

	if (positions > 0 && tokens > positions)
		note_add(warnings, NOTE_CONTEXT_TOO_LONG, tokens, positions, NULL);
	if (job->model->experts > 0)
		note_add(warnings, NOTE_MOE_RANGE, 0, 0, NULL);
	if (job->weights == WEIGHTS_BF16 || eight)
		note_add(warnings, NOTE_SEED_WEIGHTS, job->model->params_b * (eight ? 1 : 2), gb,
		         NULL);
}

static enum sizing_status status_of(const struct replica *replica)
{
	const struct card *card = replica->on->card;

	if (card->bandwidth_gbs <= 0 || card->fp16_tflops <= 0)
		return STATUS_UNKNOWN;
	return serving_card_measured(card) ? STATUS_MEASURED : STATUS_ESTIMATED;
}

/*
 * Bands around the figures: factors that hold nine tenths of the measurements (tests/accuracy).
 * Where requests wait, a first token lies anywhere between one that did not and the mean.
 */
static void fill_bands(const struct replica *replica, enum sizing_status status,
                       struct serving_speed *speed)
{
	bool run = replica->job->requests > 0 && replica->job->requests_per_s <= 0;
	bool waits = speed->saturated && !run;
	struct serving_band band =
	    serving_band_of(replica->profile, replica->job->model->experts > 0, run);
	double unseen = status == STATUS_MEASURED ? 1 : 1.2;
	double tpot = band.tpot * (waits ? 1.3 : 1) * unseen;
	double rate = band.rate * (waits ? 1.15 : 1) * unseen;
	double ttft = band.ttft * (waits ? 1.6 : 1) * unseen;

	speed->tpot_low = speed->tpot_ms / tpot;
	speed->tpot_high = speed->tpot_ms * tpot;
	speed->low = speed->output_tokens_per_s / rate;
	speed->high = speed->output_tokens_per_s * rate;
	speed->ttft_low = (waits ? speed->first_ms : speed->ttft_ms) / ttft;
	speed->ttft_high = speed->ttft_ms * ttft;
}

/* Share of the work that goes into all-reduces over PCIe, when it is more than a sixth. */
static void note_slow_link(const struct replica *replica, const struct serving_room *room,
                           struct serving_size *size)
{
	double batch = min(max(size->speed.concurrency, 1), room->batch);
	struct serving_point point = serving_point_at(replica, batch);
	double decode = replica->job->output_tokens / batch;
	double total = decode * point.decode.total + point.prefill.total;
	double link = decode * point.decode.communication + point.prefill.communication;

	if (replica->link.pcie && link > total / 6)
		note_add(&size->warnings, NOTE_PCIE_SLOW, link / total, 0, NULL);
}

static void fill_speed(const struct replica *replica, const struct serving_room *room,
                       struct serving_size *size)
{
	const struct serving *job = replica->job;
	struct serving_speed *speed = &size->speed;

	if (job->mode == MODE_OFFLINE)
		serving_all_at_once(replica, room,
		                    job->concurrency > 0 ? job->concurrency : INFINITY, speed);
	else if (job->requests > 0 && job->requests_per_s <= 0)
		serving_finite_run(replica, room,
		                   job->concurrency > 0 ? job->concurrency : job->requests, speed);
	else if (job->concurrency > 0)
		serving_closed_loop(replica, room, job->concurrency, speed);
	else
		serving_open_rate(replica, room, job->requests_per_s, speed);
	fill_bands(replica, size->status, speed);
	bool crowded = job->concurrency > 0 ? job->concurrency > room->batch : speed->saturated;

	/* Requests of a run may wait for pre-fill alone: every one of them has a place. */
	if (speed->saturated && crowded && job->mode != MODE_OFFLINE)
		note_add(&size->warnings, NOTE_SATURATED,
		         job->concurrency > 0 ? job->concurrency : job->requests_per_s,
		         job->concurrency > 0 ? room->batch : speed->max_requests_per_s, NULL);
	note_slow_link(replica, room, size);
	/* Decode waits for memory, pre-fill for the tensor cores: between 55 and 90 % of TDP. */
	double busy = speed->limit == LIMIT_COMPUTE ? 0.9 : 0.7;

	size->power_w = replica->on->card->tdp_w * (0.25 + (busy - 0.25) * speed->utilisation);
}

/* What the pool must hold for the job to be served at all, bytes on one card. */
static double needed_bytes(const struct replica *replica)
{
	const struct serving *job = replica->job;
	double request = max(job->max_model_len, job->input_tokens + job->output_tokens);

	return replica_sequence_bytes(replica, request);
}

static void fill_memory(const struct replica *replica, double kv_room, struct serving_size *size)
{
	struct memory_size *memory = &size->memory;
	struct memory_parts *p = &memory->parts;
	double gib = 1073741824.0 * replica->layout.pp;
	double requests = replica->job->concurrency > 0 ? replica->job->concurrency : 1;

	if (serving_kv_rules[replica->profile] == KV_ON_DEMAND)
		p->kv_cache = min(kv_room, requests * needed_bytes(replica)) / gib;
	if (!size->fits)
		p->kv_cache = needed_bytes(replica) / gib;
	memory->allocated_gib = p->weights + p->activations + p->logits + p->kv_cache + p->overhead;
	memory->reserved_gib = memory->allocated_gib;
	memory->per_card_gib = memory->reserved_gib + 0.45;
	/* A pool is filled to the share that was asked; without one buffers vary with the code. */
	double width = serving_kv_rules[replica->profile] == KV_ON_DEMAND ? 1.3 : 1.05;

	memory->low_gib = memory->per_card_gib / width;
	memory->high_gib = memory->per_card_gib * width;
	if (!size->fits)
		note_add(&size->warnings, NOTE_DOES_NOT_FIT, memory->per_card_gib,
		         memory->usable_gib, NULL);
}

/* What memory alone decides; known even where no speed is. */
static void fill_room(const struct replica *replica, const struct serving_room *room,
                      struct serving_speed *speed)
{
	speed->kv_tokens = room->kv_tokens;
	speed->max_concurrency = room->max_concurrency;
	speed->max_context = room->max_context;
	speed->kv_bytes_per_token =
	    serving_kv_bytes_per_token(replica->job->model, replica->kv, replica->layout.tp);
}

void serving_size_layout(const struct serving *asked, const struct cluster *on,
                         const struct serving_layout *layout, struct serving_size *size)
{
	struct serving job = with_defaults(asked);
	struct replica replica;
	double kv_room;

	replica_make(&job, on, layout, &replica);
	*size = (struct serving_size){
	    .layout = *layout,
	    .cards = (layout->tp * layout->pp * layout->dp + serving_dies(on->card) - 1) /
	             serving_dies(on->card),
	    .status = status_of(&replica),
	};
	note_defaults(asked, &replica, &size->assumed);
	note_warnings(&replica, &size->warnings);
	replica_memory(&replica, &size->memory, &kv_room);
	size->fits = kv_room >= needed_bytes(&replica);
	fill_memory(&replica, kv_room, size);
	if (!size->fits)
		return;
	struct serving_room room = serving_room_of(&replica, kv_room);

	fill_room(&replica, &room, &size->speed);
	if (size->status == STATUS_UNKNOWN)
		return;

	fill_speed(&replica, &room, size);
}

struct serving_capacity serving_layout_capacity(const struct serving *asked,
                                                const struct cluster *on,
                                                const struct serving_layout *layout, double least)
{
	struct serving job = with_defaults(asked);
	struct serving_capacity none = {0};
	struct replica replica;
	struct memory_size memory;
	double kv_room;

	replica_make(&job, on, layout, &replica);
	replica_memory(&replica, &memory, &kv_room);
	if (kv_room < needed_bytes(&replica) || status_of(&replica) == STATUS_UNKNOWN)
		return none;
	struct serving_room room = serving_room_of(&replica, kv_room);
	struct serving_point knee = serving_knee(&replica, &room, least);

	return (struct serving_capacity){knee.rate, knee.batch};
}

static bool unset(const struct serving_layout *layout)
{
	return layout->tp == 0 && layout->pp == 0 && layout->dp == 0 && layout->ep == 0;
}

/* Fills the zeros of a layout of which something was said. */
static struct serving_layout completed(const struct serving_layout *given, int cards,
                                       enum engine engine)
{
	struct serving_layout layout = {
	    .tp = given->tp,
	    .pp = given->pp > 0 ? given->pp : 1,
	    .dp = given->dp > 0 ? given->dp : 1,
	    .ep = given->ep > 0 ? given->ep : 1,
	};

	if (layout.tp == 0 && given->pp == 0 && serving_splits_by_layer(engine)) {
		layout.tp = 1;
		layout.pp = (int)max(cards / layout.dp, 1);
	}
	if (layout.tp == 0)
		layout.tp = (int)max(cards / (layout.pp * layout.dp), 1);
	return layout;
}

/* Mean time of a whole request, ms. */
static double request_ms(const struct serving *job, const struct serving_size *size)
{
	return size->speed.ttft_ms + (job->output_tokens - 1) * size->speed.tpot_ms;
}

/*
 * Whether A answers the job better than B: fits first, then tokens per card. Below saturation every
 * layout of as many cards serves the same rate, and the one with the shortest requests is better.
 */
static bool better(const struct serving *job, const struct serving_size *a,
                   const struct serving_size *b)
{
	if (a->fits != b->fits)
		return a->fits;
	if (!a->fits)
		return a->memory.per_card_gib < b->memory.per_card_gib;
	if (a->speed.saturated != b->speed.saturated)
		return b->speed.saturated;
	double ratio =
	    a->speed.output_tokens_per_s_per_card / b->speed.output_tokens_per_s_per_card;

	if (ratio > 1.001 || ratio < 1 / 1.001)
		return ratio > 1;
	return request_ms(job, a) < request_ms(job, b);
}

static void best_layout(const struct serving *job, const struct cluster *on,
                        struct serving_size *size)
{
	struct serving_layout layouts[SERVING_LAYOUTS_MAX];
	int count = serving_layouts(job, on, layouts);

	*size = (struct serving_size){0};
	for (int i = 0; i < count; i++) {
		struct serving_size next;

		serving_size_layout(job, on, &layouts[i], &next);
		if (i == 0 || better(job, &next, size))
			*size = next;
	}
	if (count == 0)
		note_add(&size->warnings, NOTE_NO_LEGAL_LAYOUT, on->cards, 0, NULL);
	note_add(&size->assumed, NOTE_ASSUMED_LAYOUT, 0, 0, NULL);
}

void serving_size(const struct serving *job, const struct cluster *on,
                  const struct serving_layout *layout, struct serving_size *size)
{
	if (layout == NULL || unset(layout)) {
		best_layout(job, on, size);
		return;
	}
	struct serving_layout filled = completed(layout, on->cards, job->engine);

	serving_size_layout(job, on, &filled, size);
}
