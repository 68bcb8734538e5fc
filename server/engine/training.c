/* training.c - see training.h: what the formulas say of one job, with its notes and bands. */
#include "engine/training.h"

#include <math.h>
#include <stdlib.h>

#include "engine/training_run.h"

/*
 * Share of TDP drawn by a card that waits, and by one that computes without pause: assumed, and the
 * answer says so. No published figure separates the two; a server of 8 H100 near full use drew 8.4
 * of its 10.2 kW at most (arXiv:2412.08602).
 */
#define POWER_WAITING 0.35
#define POWER_BUSY 0.90

static void note_seed_rule(const struct training_run *run, struct training_size *size)
{
	const struct training_base *base = run->base;

	if (base->frozen)
		return;
	/* The seeds count 8 B a parameter; the states of this run, all cards together: */
	double params = model_params_sum(&base->params);
	double bytes = base->job.optimizer == OPTIMIZER_ADAMW ? 16 : 8;
	bool fp32_gradients = run->stack == &training_constants.stack[STACK_MEGATRON] ||
	                      run->stack == &training_constants.stack[STACK_TUNED];

	if (bytes > 8 && fp32_gradients)
		bytes = 18;
	note_add(&size->warnings, NOTE_SEED_MEMORY_8B, params * 8 / 1e9, params * bytes / 1e9,
	         NULL);
}

static void judge_fit(const struct training_run *run, struct training_size *size)
{
	const struct memory_size *memory = &size->memory;
	size->fits = training_fits(memory);
	if (!size->fits)
		note_add(&size->warnings, NOTE_DOES_NOT_FIT, memory->needed_gib, memory->usable_gib,
		         NULL);
	else if (memory->needed_gib > 0.9 * memory->usable_gib)
		note_add(&size->warnings, NOTE_TIGHT_MEMORY, memory->per_card_gib,
		         memory->usable_gib, NULL);
	note_seed_rule(run, size);
}

/* How far the measured speed may be from the estimate, as a factor either way. */
static double speed_band(const struct training_run *run, enum sizing_status status)
{
	double band = training_constants.speed_band_dense;

	if (run->base->moe_layers > 0)
		band = training_constants.speed_band_moe;
	/* What small batches, slow links and untuned code do varies more. */
	if (run->tokens < 4096)
		band *= training_constants.wider_band;
	if (training_link_share(run) > 0.15)
		band *= training_constants.wider_band;
	if (run->stack == &training_constants.stack[STACK_PREFLASH] ||
	    run->stack == &training_constants.stack[STACK_MEGATRON])
		band *= training_constants.wider_band;
	if (status != STATUS_MEASURED)
		band *= training_constants.estimated_band;
	return band;
}

static void band_speed(const struct training_run *run, struct training_size *size)
{
	struct training_speed *speed = &size->speed;
	double band = speed_band(run, size->status);

	speed->low = speed->tokens_per_s_per_card / band;
	speed->high = speed->tokens_per_s_per_card * band;
	if (run->base->moe_layers > 0)
		note_add(&size->warnings, NOTE_MOE_RANGE, speed->low, speed->high, NULL);
}

/* The low end: PyTorch trainers may or may not keep the logits, and the request does not say. */
static void band_memory(const struct training_run *run, struct training_size *size)
{
	struct training_run lean = *run;
	struct training_base base = *run->base;
	struct memory_size memory;

	if (run->stack == &training_constants.stack[STACK_HF] && !base.job.fused_loss) {
		base.job.chunked_loss = true;
		lean.base = &base;
		training_memory(&lean, &memory);
		size->memory.low_gib = fmin(size->memory.low_gib, memory.low_gib);
	}
	if (size->status == STATUS_ESTIMATED) {
		size->memory.low_gib /= training_constants.estimated_band;
		size->memory.high_gib *= training_constants.estimated_band;
	}
}

void training_size_run(const struct training_run *run, struct training_size *size)
{
	const struct training_base *base = run->base;

	size->layout = run->layout;
	size->status =
	    training_measured(base->card, base->job.method) ? STATUS_MEASURED : STATUS_ESTIMATED;
	size->speed = (struct training_speed){0};
	size->power_w = 0;
	training_memory(run, &size->memory);
	judge_fit(run, size);
	band_memory(run, size);
	if (size->status == STATUS_ESTIMATED)
		note_add(&size->warnings, NOTE_CARD_NOT_MEASURED, 0, 0, base->card->id);
	if (!size->fits)
		return;
	training_speed_of(run, &size->speed);
	band_speed(run, size);
	double waiting = fmin(1, training_link_share(run));

	size->power_w = base->card->tdp_w * (POWER_BUSY - (POWER_BUSY - POWER_WAITING) * waiting);
	note_add(&size->assumed, NOTE_ASSUMED_POWER, POWER_BUSY, POWER_WAITING, NULL);
	if (!base->nvlink && base->cards > 1 && waiting > 0.1)
		note_add(&size->warnings, NOTE_PCIE_SLOW, waiting, 0, NULL);
}

/* False, with the reason noted, when the card has no such arithmetic. */
static bool can_compute(struct training_base *base, struct training_size *size)
{
	struct training *job = &base->job;

	if (job->precision == PRECISION_BF16 && !base->card->bf16_native)
		note_add(&size->warnings, NOTE_NO_BF16, 0, 0, base->card->id);
	if (base->matmul_rate > 0 && base->memory_rate > 0 && base->usable_gib > 0)
		return true;
	note_add(&size->warnings, NOTE_NO_PRECISION, 0, 0, precision_names[job->precision]);
	size->status = STATUS_UNKNOWN;
	return false;
}

static void note_assumptions(const struct training *job, const struct layout *asked,
                             const struct training_run *run, struct notes *assumed)
{
	const struct layout *used = &run->layout;

	if (job->stack == STACK_UNSET)
		note_add(assumed, NOTE_ASSUMED_STACK, 0, 0,
		         stack_names[run->stack - training_constants.stack]);
	if (asked->sharding == SHARDING_UNSET)
		note_add(assumed, NOTE_ASSUMED_SHARDING, 0, 0, sharding_names[used->sharding]);
	if (asked->recompute == RECOMPUTE_UNSET)
		note_add(assumed, NOTE_ASSUMED_RECOMPUTE, 0, 0, recompute_names[used->recompute]);
	if (asked->micro_batch == 0 || asked->global_batch == 0)
		note_add(assumed, NOTE_ASSUMED_BATCH, used->micro_batch, used->global_batch, NULL);
}

/* PyTorch trainers also run in 16 bit throughout: 8 bytes a parameter, the seeds' rule. */
static bool may_use_16_bit_states(const struct training *job, const struct training_run *run)
{
	return job->optimizer == OPTIMIZER_UNSET && job->method == METHOD_FULL &&
	       run->stack == &training_constants.stack[STACK_HF];
}

/* Sizes again with states in 16 bit and says so, when that is what it takes to fit. */
static void size_with_16_bit_states(struct training_base *base, const struct layout *layout,
                                    struct training_size *size)
{
	struct training_size again = {0};
	struct training_run run;

	base->job.optimizer = OPTIMIZER_ADAMW_BF16;
	if (!training_run_of(base, layout, &run))
		return;
	training_size_run(&run, &again);
	if (!again.fits)
		return;
	note_add(&again.assumed, NOTE_ASSUMED_OPTIMIZER, 0, 0,
	         optimizer_names[OPTIMIZER_ADAMW_BF16]);
	for (int i = 0; i < size->assumed.count; i++) {
		const struct note *note = &size->assumed.items[i];
		note_add(&again.assumed, note->code, note->x, note->y, note->word);
	}
	*size = again;
}

void training_size(const struct training *job, const struct cluster *on,
                   const struct layout *layout, struct training_size *size)
{
	struct training_base base;
	struct training_run run;

	*size = (struct training_size){.layout = *layout};
	training_base_of(job, on, &base, &size->assumed);
	if (!can_compute(&base, size))
		return;
	if (!training_run_of(&base, layout, &run)) {
		note_add(&size->warnings, NOTE_NO_LEGAL_LAYOUT, base.cards, 0, NULL);
		size->status = STATUS_UNKNOWN;
		return;
	}
	training_size_run(&run, size);
	if (!size->fits && may_use_16_bit_states(job, &run))
		size_with_16_bit_states(&base, layout, size);
	note_assumptions(job, layout, &run, &size->assumed);
}

/* ---- search ------------------------------------------------------------------------------- */

struct search {
	struct training_base base;
	int global_batch;
	bool batch_given;
	enum stack stack;
	bool found; /* one that fits */
	double best;
	struct layout layout; /* the best, or the nearest to fitting */
};

static enum stack stack_to_search(const struct training *job, const struct training_base *base)
{
	if (job->stack != STACK_UNSET)
		return job->stack;
	if (job->method == METHOD_PRETRAIN)
		return STACK_TUNED;
	if (job->precision == PRECISION_FP8 || job->precision == PRECISION_FP4)
		return STACK_TUNED;
	return job->method == METHOD_FULL && base->cards > 8 ? STACK_MEGATRON : STACK_HF;
}

/* Sequences per step when nobody said: about 4M tokens of pre-training, 128 of fine-tuning. */
static int usual_global_batch(const struct training_base *base)
{
	int batch = 128;

	if (base->job.method == METHOD_PRETRAIN)
		batch = (int)fmax(1, 4.0 * 1024 * 1024 / base->job.seq_len);
	return batch > base->cards ? batch : base->cards;
}

/* Tries LAYOUT; keeps it when it is faster than the best by more than noise. False: too large. */
static bool try_layout(struct search *search, const struct layout *layout)
{
	struct training_run run;
	struct memory_size memory;
	struct training_speed speed;

	if (!training_run_of(&search->base, layout, &run))
		return true;
	training_memory(&run, &memory);
	if (!training_fits(&memory)) {
		if (!search->found && (search->best == 0 || -memory.needed_gib > search->best)) {
			search->best = -memory.needed_gib;
			search->layout = run.layout;
		}
		return false;
	}
	training_speed_of(&run, &speed);
	if (search->found && speed.tokens_per_s_per_card <= search->best * 1.002)
		return true;
	search->found = true;
	search->best = speed.tokens_per_s_per_card;
	search->layout = run.layout;
	return true;
}

/* Sequences per step over DP ranks: as given, else the usual number rounded to whole ranks. */
static int batch_for(const struct search *search, int dp)
{
	if (search->batch_given)
		return search->global_batch;
	int each = (search->global_batch + dp / 2) / dp;

	/* An even number, so that micro-batches may be larger than one. */
	if (each > 8)
		each -= each % 8;
	return (each > 0 ? each : 1) * dp;
}

/* Every recomputation and micro-batch of one division of the cards, least work first. */
static void try_division(struct search *search, struct layout layout)
{
	static const enum recompute modes[] = {RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL};

	for (int i = 0; i < 3; i++) {
		layout.recompute = modes[i];
		for (int micro = 1; micro <= 16; micro *= 2) {
			layout.micro_batch = micro;
			if (layout.global_batch % (micro * layout.dp) != 0)
				break;
			if (!try_layout(search, &layout))
				break;
		}
	}
}

/* With and without interleaved stages, where there are stages (Narayanan et al. 2021, 2.2). */
static void try_interleaving(struct search *search, struct layout layout)
{
	int layers = (search->base.model->layers + layout.pp - 1) / layout.pp;

	layout.vpp = 1;
	try_division(search, layout);
	if (layout.pp == 1 || search->stack == STACK_PREFLASH)
		return;
	layout.vpp = training_usual_vpp(layers);
	if (layout.vpp > 1)
		try_division(search, layout);
}

static void try_shardings(struct search *search, struct layout layout)
{
	enum stack stack = search->stack;
	bool one_stage = layout.pp == 1;

	layout.global_batch = batch_for(search, layout.dp);
	if (layout.dp * layout.cp == 1 || (stack == STACK_HF && search->base.frozen)) {
		layout.sharding = SHARDING_NONE;
		try_interleaving(search, layout);
	} else if (stack != STACK_FSDP && stack != STACK_HF) {
		layout.sharding = SHARDING_ZERO1;
		try_interleaving(search, layout);
	}
	if (!one_stage || layout.dp * layout.cp == 1 || stack == STACK_PREFLASH)
		return;
	layout.sharding = SHARDING_FSDP;
	try_interleaving(search, layout);
	if (search->base.cards > search->base.fast_domain && stack != STACK_HF) {
		layout.sharding = SHARDING_HSDP;
		try_interleaving(search, layout);
	}
}

static void try_experts(struct search *search, struct layout layout)
{
	const struct model *model = search->base.model;
	int ranks = layout.tp * layout.cp * layout.dp;

	if (model->experts == 0 || search->stack == STACK_HF) {
		layout.ep = 1;
		try_shardings(search, layout);
		return;
	}
	for (int ep = 1; ep <= 64 && ep <= ranks; ep *= 2) {
		if (model->experts % ep != 0 || ranks % ep != 0)
			continue;
		layout.ep = ep;
		try_shardings(search, layout);
	}
}

static void try_stages(struct search *search, struct layout layout)
{
	const struct training_base *base = &search->base;
	int rest = base->cards / layout.tp / layout.cp;
	int most = search->stack == STACK_HF || search->stack == STACK_FSDP ? 1 : 64;

	for (int pp = 1; pp <= most && pp <= rest && pp <= base->model->layers; pp++) {
		bool power = (pp & (pp - 1)) == 0;
		if (rest % pp != 0 || (!power && base->model->layers % pp != 0))
			continue;
		layout.pp = pp;
		layout.dp = rest / pp;
		if (batch_for(search, layout.dp) % layout.dp == 0)
			try_experts(search, layout);
	}
}

static void search_layouts(struct search *search)
{
	const struct training_base *base = &search->base;
	int most = search->stack == STACK_HF ? 1 : 8;

	for (int tp = 1; tp <= most && tp <= base->cards_per_server; tp *= 2) {
		if (base->cards % tp != 0 || base->model->heads % tp != 0)
			continue;
		for (int cp = 1; cp <= 16; cp *= 2) {
			if (base->cards % (tp * cp) != 0)
				break;
			if (cp > 1 && (base->job.seq_len / cp < 4096 || search->stack == STACK_HF))
				break;
			try_stages(search, (struct layout){.tp = tp, .cp = cp});
		}
	}
}

/* Searches again with states in 16 bit; back to full precision when that does not fit either. */
static void search_16_bit_states(struct search *search, struct training_size *size)
{
	struct notes others = size->assumed;

	search->base.job.optimizer = OPTIMIZER_ADAMW_BF16;
	search_layouts(search);
	if (!search->found) {
		search->base.job.optimizer = OPTIMIZER_ADAMW;
		return;
	}
	size->assumed = (struct notes){0};
	note_add(&size->assumed, NOTE_ASSUMED_OPTIMIZER, 0, 0,
	         optimizer_names[OPTIMIZER_ADAMW_BF16]);
	for (int i = 0; i < others.count; i++) {
		const struct note *note = &others.items[i];
		note_add(&size->assumed, note->code, note->x, note->y, note->word);
	}
}

void training_best_layout(const struct training *job, const struct cluster *on, int global_batch,
                          struct training_size *size)
{
	struct search search = {0};
	struct notes assumed = {0};

	*size = (struct training_size){0};
	training_base_of(job, on, &search.base, &assumed);
	size->assumed = assumed;
	if (!can_compute(&search.base, size))
		return;
	search.stack = stack_to_search(job, &search.base);
	search.base.job.stack = search.stack;
	search.batch_given = global_batch > 0;
	search.global_batch = global_batch > 0 ? global_batch : usual_global_batch(&search.base);
	search_layouts(&search);
	if (!search.found && job->optimizer == OPTIMIZER_UNSET && job->method == METHOD_FULL &&
	    search.stack == STACK_HF)
		search_16_bit_states(&search, size);
	if (!search.found && job->stack == STACK_UNSET && search.stack == STACK_HF) {
		search.base.job.stack = search.stack = STACK_TUNED;
		search_layouts(&search);
	}
	if (search.best == 0) {
		note_add(&size->warnings, NOTE_NO_LEGAL_LAYOUT, search.base.cards, 0, NULL);
		size->status = STATUS_UNKNOWN;
		return;
	}
	struct training_run run;

	if (!training_run_of(&search.base, &search.layout, &run))
		return;
	note_add(&size->assumed, NOTE_ASSUMED_LAYOUT, 0, 0, NULL);
	if (job->stack == STACK_UNSET)
		note_add(&size->assumed, NOTE_ASSUMED_STACK, 0, 0, stack_names[search.stack]);
	if (global_batch == 0)
		note_add(&size->assumed, NOTE_ASSUMED_BATCH, run.layout.micro_batch,
		         run.layout.global_batch, NULL);
	training_size_run(&run, size);
}

/* Hours of one run of JOB's tokens at SIZE's speed on CARDS. */
static double run_hours(const struct training *job, const struct training_size *size, int cards)
{
	if (!size->fits || job->tokens <= 0)
		return 0;
	return job->tokens / (size->speed.tokens_per_s_per_card * cards) / 3600;
}

/* Sizes JOB on COUNT cards; true when it fits and ends in time. */
static bool does_on(const struct training *job, const struct cluster *on, int count, double *hours,
                    struct training_size *size)
{
	struct cluster some = *on;

	some.cards = count;
	training_best_layout(job, &some, 0, size);
	*hours = run_hours(job, size, count);
	return size->fits && (job->deadline_hours <= 0 || *hours <= job->deadline_hours);
}

bool training_smallest(const struct training *job, const struct cluster *on, int *cards,
                       double *hours, struct training_size *size)
{
	int most = on->cards > 0 ? on->cards : 1;
	int server = on->cards_per_server > 0 ? on->cards_per_server : on->card->host_cards;

	if (server <= 0)
		server = 8;
	if (server >= 32)
		server = 4;
	for (int count = 1; count < server && count <= most; count *= 2) {
		*cards = count;
		if (does_on(job, on, count, hours, size))
			return true;
	}
	/* Doubling finds a count that does; then the least number of servers between. */
	int enough = 0;

	for (int servers = 1; servers * server <= most; servers *= 2) {
		*cards = servers * server;
		if (does_on(job, on, *cards, hours, size)) {
			enough = servers;
			break;
		}
	}
	if (enough == 0 && *cards != most - most % server && most >= server) {
		*cards = most - most % server;
		if (does_on(job, on, *cards, hours, size))
			enough = *cards / server;
	}
	if (enough == 0)
		return false;
	for (int servers = enough / 2 + 1; servers < enough; servers++) {
		struct training_size fewer;
		double fewer_hours;
		if (!does_on(job, on, servers * server, &fewer_hours, &fewer))
			continue;
		*cards = servers * server;
		*hours = fewer_hours;
		*size = fewer;
		break;
	}
	return true;
}
