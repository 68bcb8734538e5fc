/*
 * training_memory.c - bytes on the fullest card of a training run.
 *
 * Weights, gradients and optimizer: Rajbhandari et al. 2020 (arXiv:1910.02054), section 3, each
 * class of tensor over its own divisor. Activations: Korthikanti et al. 2022 (arXiv:2205.05198),
 * section 4, without the mask bytes that fused attention and dropout-free models do not keep.
 * Both ends of a pipeline are sized; the worse one is the answer.
 */
#include <math.h>

#include "engine/training_run.h"

#define GIB (1024.0 * 1024 * 1024)

/* Bytes per parameter before any sharding. */
struct recipe {
	double weights;
	double gradients;
	double optimizer;
	double step_temporary; /* while the optimizer runs */
};

static struct recipe mixed_precision(const struct training_run *run)
{
	const struct stack_constants *stack = run->stack;
	enum sharding sharding = run->layout.sharding;
	bool fully = sharding == SHARDING_FSDP || sharding == SHARDING_HSDP;

	/* PyTorch FSDP and plain autocast keep fp32 weights, gradients and two moments; AdamW of
	 * trainers that do not fuse it takes a copy while it runs, DeepSpeed one of the gradients.
	 */
	if (stack == &training_constants.stack[STACK_FSDP])
		return (struct recipe){4, 4, 8, 0};
	if (stack == &training_constants.stack[STACK_HF])
		return fully || sharding == SHARDING_NONE ? (struct recipe){4, 4, 8, 4}
		                                          : (struct recipe){2, 2, 12, 4};
	/* DeepSpeed under Megatron: 16-bit gradients, fp32 ones by partition; its bf16 optimizer
	 * keeps both whole. */
	if (stack == &training_constants.stack[STACK_PREFLASH])
		return run->base->job.precision == PRECISION_BF16 ? (struct recipe){2, 6, 12, 0}
		                                                  : (struct recipe){2, 2, 16, 0};
	return (struct recipe){2, 4, 12, 0}; /* Megatron: fp32 gradients */
}

static struct recipe recipe_of(const struct training_run *run)
{
	const struct training *job = &run->base->job;

	if (job->precision == PRECISION_FP32)
		return (struct recipe){4, 4, job->optimizer == OPTIMIZER_SGD ? 4 : 8, 0};
	switch (job->optimizer) {
	case OPTIMIZER_ADAMW_BF16:
		return (struct recipe){2, 2, 4, 2};
	case OPTIMIZER_ADAMW_8BIT:
		return (struct recipe){2, 2, 2, 2};
	case OPTIMIZER_SGD:
		return (struct recipe){2, 2, 4, 2};
	case OPTIMIZER_UNSET:
	case OPTIMIZER_ADAMW:
		break;
	}
	return mixed_precision(run);
}

/* Parameters that one card of a stage holds, unsharded. */
struct held {
	double dense;   /* attention, dense FFN, shared experts, router, norms */
	double experts; /* routed */
	double vocabulary;
};

static struct held held_by(const struct training_run *run, bool last)
{
	const struct model_params *all = &run->base->params;
	int layers = last ? run->last_layers : run->stage_layers;
	double part = (double)layers / run->base->model->layers;
	double tp = run->layout.tp;
	double table = (double)run->base->model->vocab * run->base->model->hidden / tp;
	bool untied = all->head > 0;
	double tables = run->layout.pp > 1 || !untied ? 1 : 2;

	return (struct held){
	    .dense = part * ((all->attention + all->dense_ffn + all->shared_experts) / tp +
	                     all->router + all->norms),
	    .experts = part * all->routed_experts / run->expert_ways,
	    .vocabulary = table * tables,
	};
}

/* Bytes of a frozen base: linear maps at the job's bits, tables at 16 (fp32 under QLoRA in HF). */
static double frozen_bytes(const struct training_run *run, const struct held *held)
{
	int bits = run->base->job.quant_bits;
	bool quantised = bits < 16;
	/* nf4: blocks of 64 with a constant each (Dettmers et al. 2023, section 3). */
	double linear = quantised ? bits / 8.0 + 0.0625 * bits / 8 : 2;
	bool widened = quantised && run->stack == &training_constants.stack[STACK_HF];

	return linear * (held->dense + held->experts) + (widened ? 4 : 2) * held->vocabulary;
}

static void frozen_state(const struct training_run *run, const struct held *held,
                         struct memory_parts *parts)
{
	bool divided = run->layout.sharding >= SHARDING_ZERO3;
	double adapters = run->base->adapter_params / (run->layout.tp * run->layout.pp);
	double shards = divided ? run->shards : 1;
	struct held dense = *held;
	struct held experts = {.experts = held->experts};

	dense.experts = 0;
	parts->weights = (frozen_bytes(run, &dense) + 4 * adapters) / shards +
	                 frozen_bytes(run, &experts) / (divided ? run->expert_shards : 1);
	parts->gradients = 4 * adapters / shards;
	parts->optimizer = 8 * adapters / shards;
}

/* Fills weights, gradients, optimizer (bytes); returns the temporary of the optimizer step. */
static double state_bytes(const struct training_run *run, const struct held *held,
                          struct memory_parts *parts)
{
	struct recipe recipe = recipe_of(run);
	enum sharding sharding = run->layout.sharding;
	double dense = held->dense + held->vocabulary;
	double whole = dense + held->experts;
	double shard = dense / run->shards + held->experts / run->expert_shards;

	if (run->base->frozen) {
		frozen_state(run, held, parts);
		return 0;
	}
	parts->weights = recipe.weights * (sharding >= SHARDING_ZERO3 ? shard : whole);
	parts->gradients = recipe.gradients * (sharding >= SHARDING_ZERO2 ? shard : whole);
	parts->optimizer = recipe.optimizer * (sharding >= SHARDING_ZERO1 ? shard : whole);
	return recipe.step_temporary * (sharding >= SHARDING_ZERO1 ? shard : whole);
}

/* Bytes kept per token by the FFN of one layer, averaged over dense and expert layers. */
static double ffn_bytes(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double wide = model->gated_ffn ? 6 : 4;
	double dense = wide * model->ffn_hidden / run->layout.tp;
	double share = (double)run->base->moe_layers / model->layers;
	double routed = (double)model->experts_active *
	                (4.0 * model->hidden + wide * model->moe_ffn_hidden) / run->layout.tp;
	double shared = wide * model->shared_experts * model->moe_ffn_hidden / run->layout.tp;

	return (1 - share) * dense + share * (routed + shared);
}

/*
 * Whether the stream between layers is fp32: PEFT widens norms and tables before it trains a
 * quantised base (prepare_model_for_kbit_training). FSDP casts back what enters its modules, fused
 * kernels do without.
 */
static bool wide_stream(const struct training_run *run)
{
	const struct training *job = &run->base->job;

	return run->base->frozen && job->quant_bits < 16 &&
	       run->stack == &training_constants.stack[STACK_HF] && !job->fused_loss &&
	       !job->chunked_loss && (run->layout.sharding < SHARDING_ZERO3 || run->shards <= 1);
}

/* Bytes kept per token by one layer without recomputation. */
static double layer_bytes(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double tp = run->layout.tp;
	bool megatron = run->stack == &training_constants.stack[STACK_MEGATRON] ||
	                run->stack == &training_constants.stack[STACK_PREFLASH];
	/* Two dropout masks in models of the GPT kind. */
	double each = megatron && !model->gated_ffn ? 10 : 8;

	/* Inputs and outputs of two norms in 4 bytes, and what enters the products in 2. */
	if (wide_stream(run))
		each += 12;
	double h = each * model->hidden / (run->sequence_parallel ? tp : 1);
	double attention = (4 * model_query_width(model) + 4 * model_kv_width(model)) / tp;
	double bytes = h + attention + ffn_bytes(run);
	bool scores = run->stack == &training_constants.stack[STACK_PREFLASH];

	if (run->base->job.precision == PRECISION_FP8)
		bytes -= (2.0 * model->hidden + model_query_width(model) + model->ffn_hidden) / tp;
	if (scores && run->layout.recompute != RECOMPUTE_SELECTIVE)
		bytes += 5.0 * model->heads * run->base->job.seq_len / tp;
	return bytes * run->stack->live;
}

/* Micro-batches whose activations the first or the last stage holds at once, in whole stages. */
static double in_flight(const struct training_run *run, bool last)
{
	const struct layout *layout = &run->layout;
	double m = run->micro_batches;
	double v = layout->vpp;
	double rank = last ? layout->pp - 1 : 0;

	if (v <= 1)
		return fmin(m, layout->pp - rank);
	return fmin(m * v, 2 * (layout->pp - rank - 1) + (v - 1) * layout->pp + 1) / v;
}

/* Whether the software keeps its state as PyTorch modules do, not as Megatron's buffers. */
static bool is_module_stack(const struct training_run *run)
{
	return run->stack == &training_constants.stack[STACK_HF] ||
	       run->stack == &training_constants.stack[STACK_FSDP];
}

/* What comes and goes within a step on one stage, bytes. */
struct moving {
	double kept;         /* activations that wait for the backward pass */
	double copied;       /* of them, what the backward pass holds twice */
	double live;         /* the layer that is computed again */
	double logits;       /* at the loss */
	double logits_held;  /* what the allocator ends up holding for them */
	double gradients;    /* of the whole step */
	double temporary;    /* of the optimizer */
	bool gradients_stay; /* allocated before the backward pass begins */
};

static void fill_logits(const struct training_run *run, bool last, struct moving *moving)
{
	const struct training *job = &run->base->job;
	double entries = run->tokens * job->model->vocab / run->layout.tp;
	double each = run->stack->logits_bytes;
	double held = run->stack->logits_held_bytes;

	if (!last && run->layout.pp > 1)
		return;
	if (job->fused_loss)
		each = fmin(each, 8);
	if (job->chunked_loss)
		each = held = 1;
	moving->logits = entries * each;
	moving->logits_held = entries * held;
}

static void fill_activations(const struct training_run *run, bool last, struct moving *moving)
{
	double layers = last ? run->last_layers : run->stage_layers;
	double layer = run->tokens * layer_bytes(run);
	double wide = wide_stream(run) ? 4 : 2;
	double checkpoint = wide * run->base->model->hidden * run->tokens;
	double again = run->recomputed;
	bool fsdp = run->layout.sharding == SHARDING_FSDP || run->layout.sharding == SHARDING_HSDP;

	if (run->sequence_parallel)
		checkpoint /= run->layout.tp;
	/* Wrapped modules hold their input twice once the backward pass runs: as it came, and cast
	 * to 16 bit. */
	if (fsdp && run->shards > 1 && run->stack == &training_constants.stack[STACK_HF])
		moving->copied = again * checkpoint * layers * in_flight(run, last);
	double kept = again * checkpoint + (1 - again) * layer;

	if (run->layout.recompute == RECOMPUTE_SELECTIVE && is_module_stack(run))
		kept *= 1 - training_constants.selective_recompute;
	moving->kept = kept * layers * in_flight(run, last);
	moving->live = again > 0 ? layer * training_constants.checkpoint_live : 0;
}

/* The worst moment of a step: at the loss, in the backward pass, at the optimizer. */
static double peak_of(const struct moving *moving, double growth, double logits)
{
	double kept = moving->kept * growth;
	double before = moving->gradients_stay ? moving->gradients : 0;
	double loss = kept + logits + before;
	/* Checkpoints go as gradients come. */
	kept += moving->copied * growth;
	double back = moving->live * growth +
	              (moving->gradients_stay ? kept + before : fmax(kept, moving->gradients));
	double step = moving->gradients + moving->temporary;

	return fmax(loss, fmax(back, step));
}

/* Weights that are whole for a moment under full sharding: two layers, and their gradients. */
static double gathered_bytes(const struct training_run *run, const struct held *held)
{
	if (run->layout.sharding < SHARDING_ZERO3 || run->shards <= 1)
		return 0;
	double layer = (held->dense + held->experts) / run->stage_layers;
	double bytes = run->base->job.quant_bits < 16 ? run->base->job.quant_bits / 8.0 : 2;

	return bytes * 2 * layer + (run->base->frozen ? 0 : 2 * layer) + 2 * held->vocabulary;
}

/* Shows PEAK as gradients, logits, activations and what the optimizer adds. */
static void split_peak(const struct moving *moving, double peak, struct memory_parts *parts)
{
	double rest = peak - moving->gradients;

	if (moving->gradients + moving->temporary >= peak) {
		parts->overhead += rest;
		parts->activations = 0;
		parts->logits = 0;
		return;
	}
	/* In the backward pass the logits are gone. */
	double loss =
	    moving->kept + moving->logits + (moving->gradients_stay ? moving->gradients : 0);

	parts->logits = loss >= peak ? fmin(moving->logits, rest) : 0;
	parts->activations = rest - parts->logits;
}

/* One end of the pipeline, GiB. */
static void end_memory(const struct training_run *run, bool last, struct memory_size *memory)
{
	struct held held = held_by(run, last);
	struct memory_parts *parts = &memory->parts;
	struct moving moving = {0};

	*parts = (struct memory_parts){0};
	moving.temporary = state_bytes(run, &held, parts);
	moving.gradients = parts->gradients;
	moving.gradients_stay = !is_module_stack(run) || run->micro_batches > 1;
	fill_logits(run, last, &moving);
	fill_activations(run, last, &moving);
	parts->overhead = gathered_bytes(run, &held) + run->stack->buffers_gib * GIB;
	double still = parts->weights + parts->optimizer + parts->overhead;
	double peak = peak_of(&moving, 1, moving.logits);
	double reserved = peak_of(&moving, run->stack->reserved_share, moving.logits_held);
	/* Of what the allocator holds beyond that, a nearly full card must still give this share.
	 */
	double kept_back = training_constants.squeezed_share;
	double growth = 1 + kept_back * (run->stack->reserved_share - 1);
	double loss = moving.logits + kept_back * fmax(0, moving.logits_held - moving.logits);
	double squeezed = peak_of(&moving, growth, loss);
	double outside = training_constants.context_gib +
	                 (run->base->cards > 1 ? training_constants.nccl_gib : 0);

	split_peak(&moving, peak, parts);
	memory->allocated_gib = (still + peak) / GIB;
	memory->reserved_gib = (still + fmax(peak, reserved)) / GIB;
	memory->per_card_gib = memory->reserved_gib + outside;
	memory->needed_gib = (still + squeezed) / GIB + outside;
}

static void to_gib(struct memory_parts *parts)
{
	parts->weights /= GIB;
	parts->gradients /= GIB;
	parts->optimizer /= GIB;
	parts->activations /= GIB;
	parts->logits /= GIB;
	parts->overhead /= GIB;
}

void training_memory(const struct training_run *run, struct memory_size *memory)
{
	struct memory_size last;

	end_memory(run, false, memory);
	if (run->layout.pp > 1) {
		end_memory(run, true, &last);
		if (last.needed_gib > memory->needed_gib)
			*memory = last;
	}
	to_gib(&memory->parts);
	memory->usable_gib = run->base->usable_gib;
	/* Under pressure the allocator gives back what it only holds. */
	if (training_fits(memory))
		memory->per_card_gib = fmin(memory->per_card_gib, memory->usable_gib);
	memory->low_gib = memory->per_card_gib * (1 - training_constants.memory_band_low);
	memory->high_gib = memory->per_card_gib * (1 + training_constants.memory_band_high);
}

double training_recompute_needed(struct training_run run)
{
	struct memory_size none;
	struct memory_size some;
	struct memory_size full;
	double margin = 1 + training_constants.fit_margin;

	run.layout.recompute = RECOMPUTE_NONE;
	run.recomputed = 0;
	training_memory(&run, &none);
	if (training_fits(&none))
		return 0;
	/* From the first layer on there is one that is alive again. */
	run.recomputed = 1e-9;
	training_memory(&run, &some);
	run.layout.recompute = RECOMPUTE_FULL;
	run.recomputed = 1;
	training_memory(&run, &full);
	double saved = some.needed_gib - full.needed_gib;
	double over = some.needed_gib - some.usable_gib / margin;

	/* A little more than the bare share, lest rounding say that it does not fit. */
	return saved > 0 ? over / saved + 0.001 : 2;
}

bool training_fits(const struct memory_size *memory)
{
	return memory->needed_gib * (1 + training_constants.fit_margin) <= memory->usable_gib;
}
