/* training.c - see training.h: what the formulas say of one job, with its notes and bands. */
#include "engine/training.h"

#include <math.h>

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

bool training_can_compute(struct training_base *base, struct training_size *size)
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
	if (!training_can_compute(&base, size))
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
