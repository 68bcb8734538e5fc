/*
 * training_constants.h - what the training formulas cannot derive: measured rates and habits of
 * software. One table; each value has its source beside it in training_constants.c.
 */
#ifndef ENGINE_TRAINING_CONSTANTS_H
#define ENGINE_TRAINING_CONSTANTS_H

#include "offer/workload.h"

/* What a class of training software does. Rows by enum stack. */
struct stack_constants {
	/* Speed */
	double gemm;        /* matrix products, share of the card's measured best */
	double attention;   /* attention kernels, share of what tuned ones reach on the card */
	double elementwise; /* traffic of norms, activations, residuals over the least possible */
	double launch_ms;   /* CPU time to launch one layer, forward + backward */
	double exposed;     /* share of tensor- and expert-parallel traffic not hidden */
	double gradient_bytes; /* per parameter and step that data parallelism moves */
	double overlap;        /* share of the backward pass under which gradients travel */
	double norm;           /* p of the p-norm that joins sharded traffic with compute */
	double step_ms;        /* fixed time per optimizer step */
	double loss_bytes;     /* traffic of the loss per token and vocabulary entry */
	/* Memory */
	double live;              /* activations over what the formula counts */
	double logits_bytes;      /* per token and vocabulary entry at the peak */
	double logits_held_bytes; /* the same of what the allocator ends up holding */
	double reserved_share;    /* allocator: held over asked for, of what comes and goes */
	double buffers_gib;       /* communication buckets that stay */
	/* Defaults when the request is silent */
	enum sharding sharding;
	enum recompute recompute;
	enum recompute recompute_sharded; /* under FSDP or ZeRO-3 */
};

/* Measured rates of a card, or of its family. */
struct card_constants {
	const char *id;     /* card, or NULL: the family's row */
	const char *family; /* card.architecture begins with this */
	double bf16;        /* share of the dense peak that large matrix products reach */
	double fp8;         /* the same of the FP8 peak */
	double fp4;
	double attention; /* tuned flash attention, share of the dense 16-bit peak */
};

struct training_constants {
	struct stack_constants stack[STACK_COUNT];
	/* Speed */
	double gemm_traffic;         /* kappa: operand traffic added to a matrix product */
	double half_wave;            /* products of a wave's tiles that the last one wastes */
	double attention_backward;   /* time of the backward kernel over the forward one */
	double elementwise_backward; /* the same of elementwise traffic */
	double preflash_score_bytes; /* traffic per score where attention is not fused */
	double ffn_traffic;          /* traffic inside the FFN over the least possible */

	double handing_ms;        /* a stage's wait per micro-batch and interleaved part */
	double attention_ramp;    /* tokens at which attention runs at half its rate */
	double shipped_attention; /* FLOP/s that kernels not rewritten since Ampere reach at most */
	double unaligned_heads;   /* rate of attention when heads are no multiple of 8 */
	double quantised_launch;  /* the same of quantised maps */
	double sharded_launch;    /* the same of FSDP or ZeRO-3 */
	double dequant_bytes;     /* per base parameter and pass under QLoRA */
	double grouped_gemm;      /* matrix products of experts over dense ones */
	double expert_exposed;    /* share of dispatch and combine that compute does not hide */
	double moe_launch_ms;     /* CPU time to launch what experts add to a layer */
	double permute_traffic;   /* token permutation of experts, copies each way */
	double fp8_cast_bytes;    /* per element that enters an FP8 product */
	double nvlink;            /* share of the one-way rate that collectives reach */
	double pcie;              /* the same over PCIe */
	double nic;               /* the same of a server's network */
	double loss_bytes_fused;  /* the same where the loss is one kernel */
	double elementwise_fused; /* elementwise of eager trainers with fused kernels */
	double dequant_bytes_fused;
	double unaligned_products;  /* rate of products with a side that is no multiple of 64 */
	double selective_recompute; /* forward share that FSDP's selective mode repeats */
	double module_recompute;    /* cost of recomputing what is cheap, over all of it */
	double optimizer_bytes;     /* traffic per parameter of one optimizer step */
	double scaling_loss;        /* per doubling of servers */
	/* Memory */
	double context_gib;     /* CUDA context and libraries */
	double nccl_gib;        /* communicators */
	double checkpoint_live; /* live layer under full recomputation */
	double squeezed_share;  /* of what the allocator holds beyond need, kept on a nearly full
	                           card */
	double fit_margin;      /* deciding fit: the estimate is taken this much larger */
	/* Bands that hold at least 90 % of the measurements of sources not fitted */
	double speed_band_dense;
	double speed_band_moe;
	double memory_band_low;
	double memory_band_high;
	double wider_band;     /* for each thing that varies more */
	double estimated_band; /* wider by this where nothing like it was measured */
};
extern const struct training_constants training_constants;

/* The row of CARD: its own, else its family's, else one of caution. Never NULL. */
const struct card_constants *training_card(const struct card *card);

/* Whether the published measurements contain METHOD on CARD. */
bool training_measured(const struct card *card, enum train_method method);

#endif
