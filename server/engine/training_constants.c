/*
 * training_constants.c - see training_constants.h.
 *
 * Where the values are from. "Derived" ones follow from what the software does; "published" ones
 * name their source. Speed values with three digits were then fitted to the measurements of
 * tests/accuracy/training_throughput.csv: least squares on the logarithm of tokens/s, each source
 * weighted by the root of its rows, each value held within 10-50 % of the one in brackets, which
 * is derived or published. Memory values were set by hand from training_memory.csv. How well
 * that does on sources left out of the fit: tests/accuracy/training_left_out.csv.
 *
 * Classes of software [held near]: attention is the share of tuned kernels that FlashAttention-2 as
 * shipped reaches [0.6]; elementwise [1.7 Transformer Engine, 1.1 compiled, 4.9 eager]; launch_ms
 * [0.3 captured in graphs, 0.5-0.6, 2.8 eager]; exposed [0.46 tuned, 1 others]; gradient_bytes:
 * fp32 reduce-scatter and 16-bit gather 6, both in 16 bit 4; norm [2.5, 1.8, 1.3]; step_ms [10, 30
 * eager]. Memory: live; logits: compiled, 16-bit logits and
 * their gradient 4; fp32 gradients too 8; eager, in fp32 logits, shifted copy, logarithms 12;
 * reserved_share and logits_held_bytes from runs that give both readings.
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
		    .elementwise = 1.54,
		    .launch_ms = 0.298,
		    .exposed = 0.434,
		    .gradient_bytes = 4,
		    .overlap = 0.845,
		    .norm = 2.7,
		    .step_ms = 9.6,
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
		    .attention = 0.48,
		    .elementwise = 1.63,
		    .launch_ms = 0.6,
		    .exposed = 0.791,
		    .gradient_bytes = 6.3,
		    .overlap = 0.746,
		    .norm = 1.8,
		    .step_ms = 13.2,
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
		    .attention = 0.444,
		    .elementwise = 1.08,
		    .launch_ms = 0.5,
		    .exposed = 1.0,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 2,
		    .step_ms = 9.9,
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
		    .attention = 0.726,
		    .elementwise = 3.7,
		    .launch_ms = 4.4,
		    .exposed = 1.0,
		    .gradient_bytes = 6,
		    .overlap = 0.8,
		    .norm = 0.99,
		    .step_ms = 31,
		    .live = 1.4,
		    .logits_bytes = 12,
		    .logits_held_bytes = 14,
		    .reserved_share = 1.23,
		    .sharding = SHARDING_FSDP,
		    .recompute = RECOMPUTE_FULL,
		    .recompute_sharded = RECOMPUTE_FULL,
		},
	    [STACK_PREFLASH] =
		{
		    .gemm = 1.0,
		    .attention = 0.941,
		    .elementwise = 1.74,
		    .launch_ms = 0.6,
		    .exposed = 1.08,
		    .gradient_bytes = 10.6,
		    .overlap = 0.3,
		    .norm = 1.0,
		    .step_ms = 10,
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
		    .live = 1.0,
		    .logits_bytes = 8,
		    .logits_held_bytes = 10,
		    .reserved_share = 1.1,
		    .sharding = SHARDING_ZERO1,
		    .recompute = RECOMPUTE_NONE,
		    .recompute_sharded = RECOMPUTE_SELECTIVE,
		},
	},
    .gemm_traffic = 0.901,        /* [1] operands once through memory */
    .half_wave = 1.91e6,          /* [1.75e6] half of 108 tiles of 256 x 128, A100 */
    .attention_backward = 2.6,    /* [2.3] 5 products against 2 (Dao 2023, section 3) */
    .elementwise_backward = 1.92, /* [2] */
    .preflash_score_bytes = 11.6, /* [11] 5 B kept (Korthikanti et al. 2022), read and written */
    .ffn_traffic = 1.33,          /* [1.3] */
    .handing_ms = 0.495,          /* [1] a send and a receive, launched and waited for */
    .attention_ramp = 1028,       /* [1000] Dao 2023, figure 4 */
    .unaligned_heads = 0.201,     /* [0.25] heads of 108 and 150 in bigscience trials */
    .quantised_launch = 1.25,     /* [1.3] */
    .sharded_launch = 1.31,       /* [1.2] */
    .dequant_bytes = 22,          /* [22] 0.5 read, 2 written and read, in kernels as shipped */
    .grouped_gemm = 0.757,        /* [0.8] */
    .expert_exposed = 0.467,      /* [0.4] */
    .moe_launch_ms = 3.7,         /* [4] */
    .permute_traffic = 4.1,       /* [4] there and back, read and written */
    .fp8_cast_bytes = 3,          /* [3] 2 B read, 1 B written */
    .nvlink = 0.75,               /* [0.75] nccl-tests bus rate over the one-way rate */
    .pcie = 0.4,                  /* nccl-tests over PCIe: 0.2-0.45 of the slot */
    .nic = 0.86,                  /* [0.8] */
    .head_imbalance = 0.438,      /* [0.3] */
    .selective_recompute = 0.484, /* [0.5] every second product (torchtitan) */
    .module_recompute = 0.594,    /* [0.6] */
    .optimizer_bytes = 44,  /* [42] AdamW: 4 B x (master, 2 moments) twice, gradient, 16-bit copy */
    .scaling_loss = 0.0083, /* [0.01] */
    .context_gib = 0.8,     /* nvidia-smi over reserved, one card */
    .nccl_gib = 0.8,        /* the same, several cards */
    .checkpoint_live = 1.25, /* fms-acceleration with chunked loss: 1.2-1.4 */
    .squeezed_share = 0.8,   /* what runs that ran out of memory ask for */
    .fit_margin = 0.02,      /* errors lean to too little */
    .speed_band_dense = 1.3, /* holds 90 % of dense rows of sources left out */
    .wider_band = 1.1,       /* small batches, slow links, untuned code */
    .speed_band_moe = 1.8,   /* holds 93 % of expert rows of sources left out */
    .memory_band_low = 0.24, /* these two hold 93 % of rows */
    .memory_band_high = 0.38,
    .estimated_band = 1.15,
};

/*
 * Shares of the dense peak. bf16 [held near]: best matrix products that stas00/ml-engineering
 * @744d01e1, compute/accelerator, measured (A100 268 of 312, A100 PCIe 253, MI300X 668 of 1307,
 * B200 1745 of 2250, GB200 1822 of 2500; H100 795 of 989 in one product, 0.70 sustained at its
 * power limit over the runs of tests/accuracy), H20 142 of 148, L20 114 of 119.5, 4090 167 with
 * FP32 accumulation at its boost clock, 910B 315 of 353. fp8: the same page (H100 70.9 %, B200 76.3
 * %), fp4: fitted. Families that no source measured (Ada, Volta, Turing and the last row) are
 * cautious estimates: answers on them say "estimated". attention: FlashAttention on the card over
 * its 16-bit peak, fitted.
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
    {"gb300", NULL, 0.714, 0.74, 0.51, 0.536},
    {"gb200", NULL, 0.686, 0.686, 0.593, 0.482},
    {"b200-sxm", NULL, 0.776, 0.763, 0.6, 0.5},
    {"mi300x", NULL, 0.504, 0.488, 0, 0.252},
    {"ascend-910b", NULL, 0.831, 0, 0, 0.83},
    {NULL, "Blackwell", 0.767, 0.757, 0.6, 0.49},
    {NULL, "Hopper", 0.69, 0.759, 0, 0.483},
    {NULL, "Ampere", 0.862, 0, 0, 0.695},
    {NULL, "Ada", 0.85, 0.8, 0, 0.6},
    {NULL, "Volta", 0.8, 0, 0, 0.4},
    {NULL, "Turing", 0.7, 0, 0, 0.4},
    {NULL, "CDNA", 0.514, 0.5, 0.45, 0.3},
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
