/*
 * training_run.h - one training job on given cards in one layout, everything resolved: what the
 * memory and speed formulas read. Inside the training engine only.
 */
#ifndef ENGINE_TRAINING_RUN_H
#define ENGINE_TRAINING_RUN_H

#include "engine/model_math.h"
#include "engine/training.h"
#include "engine/training_constants.h"

/* The part that does not depend on the layout. */
struct training_base {
	struct training job; /* defaults filled in */
	const struct model *model;
	const struct card *card;
	const struct card_constants *rates;
	struct model_params params;
	double adapter_params;  /* LoRA, whole model */
	double attention_flops; /* forward, per token and layer, causal */
	double peak_tflops;     /* dense, at the job's precision */
	double matmul_rate;     /* FLOP/s of large products at the job's precision */
	double head_rate;       /* the same at 16 bit: the head is never quantised */
	double attention_rate;  /* FLOP/s of the attention kernels */
	double memory_rate;     /* bytes/s */
	int cards;
	int cards_per_server;
	int fast_domain;   /* cards that the fast link joins: a server, or a rack */
	bool nvlink;       /* or the like of it */
	double intra_rate; /* bytes/s of one card, one way, inside the fast domain */
	double inter_rate; /* bytes/s of one server, one way */
	double usable_gib;
	int moe_layers;
	bool frozen; /* LoRA, QLoRA */
};

struct training_run {
	const struct training_base *base;
	const struct stack_constants *stack;
	struct layout layout;   /* nothing left 0 */
	int stage_layers;       /* of the fullest stage */
	int last_layers;        /* of the last stage */
	bool sequence_parallel; /* activations between tensor-parallel regions are split too */
	int micro_batches;      /* per step and data-parallel rank */
	double tokens;          /* per micro-batch and context-parallel rank */
	double shards;          /* over which dense state is divided */
	double expert_shards;   /* over which experts' state is divided */
	double recomputed;      /* share of the layers that the backward pass computes again */
	double expert_ways;     /* cards that share one copy of the experts of a layer */
};

/* Fills BASE; what was not said is assumed and noted. */
void training_base_of(const struct training *job, const struct cluster *on,
                      struct training_base *base, struct notes *assumed);

/*
 * Resolves LAYOUT (0 = derive) on BASE. False when it is not legal: the product of its degrees is
 * not the number of cards, more stages than layers, tensor parallelism beyond the fast domain,
 * heads or experts that do not divide.
 */
bool training_run_of(const struct training_base *base, const struct layout *layout,
                     struct training_run *run);

/* Stages to interleave by: the largest divisor of STAGE_LAYERS up to 6, as tuned recipes do. */
int training_usual_vpp(int stage_layers);

/* Memory of the fullest stage; status and bands are the caller's. */
void training_memory(const struct training_run *run, struct memory_size *memory);

/* Whether MEMORY fits its card, with the margin that the estimate needs. */
bool training_fits(const struct memory_size *memory);

/* Speed, with its limit; no bands. */
void training_speed_of(const struct training_run *run, struct training_speed *speed);

/*
 * Share of its layers that RUN must compute again to fit its card: 0 = fits as it is, 1 = all of
 * them, more = even that does not do.
 */
double training_recompute_needed(struct training_run run);

/* Share of the step that waits for links between cards, 0..1. */
double training_link_share(const struct training_run *run);

/* False, with the reason noted in SIZE, when the card has no such arithmetic. */
bool training_can_compute(struct training_base *base, struct training_size *size);

/* Sizes RUN: memory, fit, and speed where it fits. */
void training_size_run(const struct training_run *run, struct training_size *size);

#endif
