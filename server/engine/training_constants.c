/*
 * training_constants.c - see training_constants.h.
 *
 * Where the values are from. "Derived" ones follow from what the software does; "published" ones
 * name their source. They were then fitted to the measurements of
 * tests/accuracy/training_throughput.csv: Huber loss on the logarithm of tokens/s, each source
 * weighted by the root of its rows and free to be 5 % off as a whole, each value held near the
 * derived or published one (within 2-15 %, figures of single cards 4-6 %). A value stands as
 * derived where the fit moved it by less than 2 %; [in brackets] what it was where the fit moved it
 * more. Held less tightly, the fit is better on the sources that it has seen and worse on others.
 * Memory values were set by hand from training_memory.csv. How well that does on sources left out
 * of the fit: tests/accuracy/training_left_out.csv.
 *
 * Classes of software: attention is the share of tuned kernels that FlashAttention-2 as shipped
 * reaches, fsdp has its elder kin too [0.55]; elementwise 1.7 Transformer Engine, 1.1 compiled, 4
 * eager; launch_ms 0.3 captured in graphs, 0.5-0.6, 4 eager; exposed 0.46 tuned, 0.8, 1 in 2021;
 * gradient_bytes: fp32 reduce-scatter and 16-bit gather 6, both in 16 bit 4; in 2021 fp32 sums
 * reduced in whole and weights gathered, 10, at 0.7 of the rate of today's networks 14; norm: how
 * much of sharded traffic hides; step_ms 10, 30 eager; loss_bytes: counted kernel by kernel (16-bit
 * logits to fp32 6, maximum 4, difference 8, exponential 8, sum 4, share 8, gradient 8, back to 16
 * bit 6), some of them joined; 20 compiled. Memory: live; logits: compiled, 16-bit logits and their
 * gradient 4; fp32 gradients too 8; eager, 16-bit logits, their fp32 copy and its gradient 10
 * (transformers before 4.46 kept a shifted copy besides: 14); reserved_share and logits_held_bytes
 * from runs that give both readings.
 */
#include "engine/training_constants.h"

#include <string.h>

const struct training_constants training_constants = {
    .stack =
	{
	    [STACK_TUNED] =
		{
		    .gemm = 1.0,
		    .attention = 1.0,
		    .elementwise = 1.7,
		    .launch_ms = 0.3,
		    .exposed = 0.46,
		    .gradient_bytes = 4,
		    .overlap = 0.8,
		    .norm = 2.5,
		    .step_ms = 10,
		    .loss_bytes = 40,
		    .live = 1.0,
		    .logits_bytes = 8,
		    .logits_held_bytes = 10,
		    .reserved_share = 1.1,
		    .sharding = SHARDING_ZERO1,
		    .recompute = RECOMPUTE_NONE,
		    .recompute_sharded = RECOMPUTE_NONE,
		},
	    [STACK_MEGATRON] =
		{
		    .gemm = 1.0,
		    .attention = 0.6,
		    .elementwise = 1.7,
		    .launch_ms = 0.6,
		    .exposed = 0.77,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 1.8,
		    .step_ms = 10,
		    .loss_bytes = 40,
		    .live = 1.0,
		    .logits_bytes = 8,
		    .logits_held_bytes = 10,
		    .reserved_share = 1.1,
		    .sharding = SHARDING_ZERO1,
		    .recompute = RECOMPUTE_NONE,
		    .recompute_sharded = RECOMPUTE_NONE,
		},
	    [STACK_FSDP] =
		{
		    .gemm = 1.0,
		    .attention = 0.51,
		    .elementwise = 1.1,
		    .launch_ms = 0.5,
		    .exposed = 1.0,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 1.9,
		    .step_ms = 10,
		    .loss_bytes = 20,
		    .live = 1.0,
		    .logits_bytes = 4,
		    .logits_held_bytes = 6,
		    .reserved_share = 1.1,
		    .sharding = SHARDING_FSDP,
		    .recompute = RECOMPUTE_SELECTIVE,
		    .recompute_sharded = RECOMPUTE_SELECTIVE,
		},
	    [STACK_HF] =
		{
		    .gemm = 1.0,
		    .attention = 0.6,
		    .elementwise = 4.1,
		    .launch_ms = 4,
		    .exposed = 1.0,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 1,
		    .step_ms = 30,
		    .loss_bytes = 40,
		    .live = 1.4,
		    .logits_bytes = 10,
		    .logits_held_bytes = 10,
		    .reserved_share = 1.23,
		    .sharding = SHARDING_FSDP,
		    .recompute = RECOMPUTE_FULL,
		    .recompute_sharded = RECOMPUTE_FULL,
		},
	    [STACK_PREFLASH] =
		{
		    .gemm = 1.0,
		    .attention = 1,
		    .elementwise = 1.7,
		    .launch_ms = 0.6,
		    .exposed = 0.96,
		    .gradient_bytes = 14,
		    .overlap = 0.3,
		    .norm = 1.0,
		    .step_ms = 10,
		    .loss_bytes = 40,
		    .live = 1.0,
		    .logits_bytes = 10,
		    .logits_held_bytes = 12,
		    .reserved_share = 1.2,
		    .buffers_gib = 5,
		    .sharding = SHARDING_ZERO1,
		    .recompute = RECOMPUTE_FULL,
		    .recompute_sharded = RECOMPUTE_FULL,
		},
	    [STACK_NEUTRAL] =
		{
		    .gemm = 1.0,
		    .attention = 0.8,
		    .elementwise = 1.7,
		    .launch_ms = 0.6,
		    .exposed = 0.8,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 1.8,
		    .step_ms = 10,
		    .loss_bytes = 40,
		    .live = 1.0,
		    .logits_bytes = 8,
		    .logits_held_bytes = 10,
		    .reserved_share = 1.1,
		    .sharding = SHARDING_ZERO1,
		    .recompute = RECOMPUTE_NONE,
		    .recompute_sharded = RECOMPUTE_SELECTIVE,
		},
	},
    .gemm_traffic = 0.97,        /* [1] operands once through memory */
    .half_wave = 2.1e6,          /* [2.2e6] half of 132 tiles of 256 x 128, H100 */
    .attention_backward = 2.3,   /* 5 products against 2 (Dao 2023, section 3) */
    .elementwise_backward = 2,   /* gradients of input and of output */
    .preflash_score_bytes = 11,  /* 5 B kept (Korthikanti et al. 2022), read and written */
    .ffn_traffic = 1.3,          /* one of the three passes is not fused */
    .handing_ms = 0.57,          /* [0.6] a send and a receive, launched and waited for */
    .attention_ramp = 1000,      /* Dao 2023, figure 4 */
    .shipped_attention = 340e12, /* FlashAttention-2 on H100: 35 % of the peak (Shah et al. 2024,
                                    arXiv:2407.08608) */
    .unaligned_heads = 0.25,     /* heads of 108 and 150 in bigscience trials */
    .quantised_launch = 1.3,     /* a kernel more for each map */
    .sharded_launch = 1.2,       /* hooks that gather and free */
    .dequant_bytes = 22,         /* 0.5 read, 2 written and read, in kernels as shipped */
    .grouped_gemm = 0.8,         /* one product an expert, of uneven heights */
    .expert_exposed = 0.4,       /* of what DeepEP and its like leave */
    .moe_launch_ms = 3.9,        /* [4] router, sort, permutation, one product an expert */
    .permute_traffic = 4,        /* there and back, read and written */
    .fp8_cast_bytes = 3,         /* 2 B read, 1 B written */
    .nvlink = 0.75,              /* nccl-tests bus rate over the one-way rate */
    .pcie = 0.4,                 /* nccl-tests over PCIe: 0.2-0.45 of the slot */
    .nic = 0.82,                 /* [0.8] the same of InfiniBand and RoCE */
    .loss_bytes_fused = 12,      /* logits read twice, gradient written, scaled */
    .elementwise_fused = 2,      /* Triton norms, rotations, activations (Liger, Unsloth) */
    .dequant_bytes_fused = 14,   /* fused adapters unpack once for both passes of a map */
    .unaligned_products = 0.9,   /* NVIDIA matrix product guide: 128 bytes on A100 */
    .selective_recompute = 0.5,  /* every second product (torchtitan) */
    .module_recompute = 0.6,     /* norms, activations and cores first */
    .optimizer_bytes = 42,       /* AdamW: 4 B x (master, 2 moments) twice, gradient, 16-bit copy */
    .scaling_loss = 0.0093,      /* [0.01] stragglers */
    .context_gib = 0.8,          /* nvidia-smi over reserved, one card */
    .nccl_gib = 0.8,             /* the same, several cards */
    .checkpoint_live = 1.25,     /* fms-acceleration with chunked loss: 1.2-1.4 */
    .squeezed_share = 0.8,       /* what runs that ran out of memory ask for */
    .fit_margin = 0.02,          /* errors lean to too little */
    .speed_band_dense = 1.3,     /* holds 90 % of dense rows of sources left out */
    .wider_band = 1.1,           /* small batches, slow links, untuned code */
    .speed_band_moe = 1.8,       /* holds 93 % of expert rows of sources left out */
    .memory_band_low = 0.24,     /* these two hold 93 % of rows */
    .memory_band_high = 0.38,
    .estimated_band = 1.15,
};

/*
 * Shares of the dense peak. bf16 [held near]: best matrix products that stas00/ml-engineering
 * @744d01e1, compute/accelerator, measured (A100 268 of 312, A100 PCIe 253, MI300X 668 of 1307,
 * B200 1745 of 2250, GB200 1822 of 2500), H100 795 of 989 in one product, 0.72 sustained at its
 * power limit; H20 142 of 148, L20 114 of 119.5, 4090 167 with FP32 accumulation at its boost
 * clock, 910B 315 of 353. fp8: the same page (H100 70.9 % there, fitted 76; B200 76.3 %), fp4:
 * fitted. Families that no source measured (Ada, Volta, Turing and the last row) are cautious
 * estimates: answers on them say "estimated". attention: FlashAttention on the card over its 16-bit
 * peak: A100 0.7 of FlashAttention-2 (Dao 2023), Hopper and later 0.55 with what cuDNN and
 * FlashAttention-3 reach on causal shapes, 910B fitted. MI300X trains at less than its best product
 * and with kernels of another compiler: all three fitted to the four runs of torchao-float8.
 */
/* clang-format off */
static const struct card_constants cards[] = {
    {"a100-80-pcie", NULL, 0.811, 0, 0, 0.58},
    {"a800-80-pcie", NULL, 0.811, 0, 0, 0.58},
    {"a100-40-pcie", NULL, 0.811, 0, 0, 0.58},
    {"h20-96", NULL, 0.96, 0.93, 0, 0.9},
    {"h20-141", NULL, 0.96, 0.93, 0, 0.9},
    {"l20", NULL, 0.95, 0.9, 0, 0.75},
    {"rtx-4090", NULL, 0.977, 0.9, 0, 0.75},
    {"rtx-4090-48", NULL, 0.974, 0.9, 0, 0.75},
    {"gb300", NULL, 0.73, 0.76, 0.55, 0.55},
    {"gb200", NULL, 0.729, 0.74, 0.55, 0.55},
    {"b200-sxm", NULL, 0.776, 0.763, 0.6, 0.55},
    {"mi300x", NULL, 0.45, 0.4, 0, 0.18},
    {"ascend-910b", NULL, 0.892, 0, 0, 0.68},
    {NULL, "Blackwell", 0.776, 0.763, 0.6, 0.55},
    {NULL, "Hopper", 0.74, 0.76, 0, 0.55},
    {NULL, "Ampere", 0.859, 0, 0, 0.67},
    {NULL, "Ada", 0.85, 0.8, 0, 0.6},
    {NULL, "Volta", 0.8, 0, 0, 0.4},
    {NULL, "Turing", 0.7, 0, 0, 0.4},
    {NULL, "CDNA", 0.45, 0.4, 0.36, 0.18},
    {NULL, "", 0.7, 0.65, 0.55, 0.4},
};
/* clang-format on */

const struct card_constants *training_card(const struct card *card)
{
	const char *family = card->architecture ? card->architecture : "";
	size_t count = sizeof cards / sizeof cards[0];

	for (size_t i = 0; i < count; i++) {
		const struct card_constants *row = &cards[i];
		if (row->id ? strcmp(row->id, card->id) == 0
		            : strncmp(row->family, family, strlen(row->family)) == 0)
			return row;
	}
	return &cards[count - 1];
}

/* Cards and methods among the measurements of tests/accuracy (rows of use "score"). */
static const struct {
	const char *card;
	enum train_method method;
} measured[] = {
    {"a100-40-sxm", METHOD_PRETRAIN},
    {"a100-80-sxm", METHOD_FULL},
    {"a100-80-sxm", METHOD_LORA},
    {"a100-80-sxm", METHOD_PRETRAIN},
    {"a100-80-sxm", METHOD_QLORA},
    {"ascend-910b", METHOD_PRETRAIN},
    {"b200-sxm", METHOD_PRETRAIN},
    {"b300-sxm", METHOD_PRETRAIN},
    {"gb200", METHOD_FULL},
    {"gb200", METHOD_LORA},
    {"gb200", METHOD_PRETRAIN},
    {"gb300", METHOD_FULL},
    {"gb300", METHOD_LORA},
    {"gb300", METHOD_PRETRAIN},
    {"h100-96-500w", METHOD_PRETRAIN},
    {"h100-sxm", METHOD_FULL},
    {"h100-sxm", METHOD_LORA},
    {"h100-sxm", METHOD_PRETRAIN},
    {"mi300x", METHOD_PRETRAIN},
    {"rtx-4090", METHOD_PRETRAIN},
    {"rtx-4090-48", METHOD_PRETRAIN},
};

bool training_measured(const struct card *card, enum train_method method)
{
	for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
		if (measured[i].method == method && strcmp(measured[i].card, card->id) == 0)
			return true;
	return false;
}
