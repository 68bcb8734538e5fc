/* training_constants.c - see training_constants.h. */
#include "engine/training_constants.h"

#include <string.h>

const struct training_constants training_constants =
    {
	.stack =
	    {
		[STACK_TUNED] = {1.0, 1.0, 1.7, 0.3, 0.46, 0.8, 1.8, 10, 1.0, 8, 1.1,
                                 SHARDING_ZERO1, RECOMPUTE_NONE, RECOMPUTE_NONE},
		[STACK_MEGATRON] = {1.0, 0.6, 1.7, 0.6, 1.0, 0.8, 1.8, 10, 1.0, 8, 1.1,
                                    SHARDING_ZERO1, RECOMPUTE_NONE, RECOMPUTE_NONE},
		[STACK_FSDP] = {1.0, 0.6, 1.1, 0.5, 1.0, 0.8, 1.8, 10, 1.0, 8, 1.1, SHARDING_FSDP,
                                RECOMPUTE_SELECTIVE, RECOMPUTE_SELECTIVE},
		[STACK_HF] = {1.0, 0.6, 4.9, 2.8, 1.0, 0.8, 1.3, 30, 1.25, 12, 1.23, SHARDING_FSDP,
                              RECOMPUTE_FULL, RECOMPUTE_FULL},
		[STACK_PREFLASH] = {1.0, 1.0, 1.7,
                                    0.6, 1.0, 0.8, 1.8, 10, 1.0, 10, 1.1, SHARDING_ZERO1,
                                    RECOMPUTE_FULL, RECOMPUTE_FULL},
		[STACK_NEUTRAL] = {1.0, 0.8, 1.7, 0.6, 0.8, 0.8, 1.8,
                                   10, 1.0, 8, 1.1, SHARDING_ZERO1, RECOMPUTE_NONE,
                                   RECOMPUTE_SELECTIVE},
	    },
	.gemm_traffic = 1.0,
	.attention_backward = 2.3,
	.elementwise_backward = 2.0,
	.preflash_score_bytes = 11,
	.lora_traffic = 1.0,
	.dequant_bytes = 22,
	.grouped_gemm = 0.7,
	.permute_traffic = 4,
	.fp8_cast_bytes = 3,
	.nvlink = 0.75,
	.pcie = 0.6,
	.nic = 0.8,
	.head_imbalance = 0.3,
	.selective_recompute = 0.5,
	.optimizer_bytes = 42,
	.scaling_loss = 0.01,
	.context_gib = 0.8,
	.nccl_gib = 0.8,
	.checkpoint_live = 1.2,
	.fit_margin = 0.03,
	.speed_band_dense = 1.4,
	.speed_band_moe = 1.8,
	.memory_band_low = 0.2,
	.memory_band_high = 0.35,
	.estimated_band = 1.15,
};

/*
 * Shares of the dense peak. bf16: best matrix products measured by stas00/ml-engineering@744d01e1
 * compute/accelerator/benchmarks (A100 268/312, H100 795/989, MI300X 668/1307, H200 as H100, B200
 * 1745/2250, GB200 1822/2500); H20, L20, 4090, 910B: measured rates of their sources.
 */
static const struct card_constants cards[] = {
    {"a100-80-pcie", NULL, 0.811, 0, 0, 0.58},  {"a800-80-pcie", NULL, 0.811, 0, 0, 0.58},
    {"a100-40-pcie", NULL, 0.811, 0, 0, 0.58},  {"h20-96", NULL, 0.96, 0.93, 0, 0.9},
    {"h20-141", NULL, 0.96, 0.93, 0, 0.9},      {"l20", NULL, 0.95, 0.9, 0, 0.75},
    {"rtx-4090", NULL, 0.95, 0.9, 0, 0.75},     {"gb200", NULL, 0.729, 0.7, 0.6, 0.5},
    {"b200-sxm", NULL, 0.776, 0.763, 0.6, 0.5}, {"mi300x", NULL, 0.514, 0.5, 0, 0.3},
    {"ascend-910b", NULL, 0.89, 0, 0, 0.5},     {NULL, "Blackwell", 0.776, 0.763, 0.6, 0.5},
    {NULL, "Hopper", 0.803, 0.71, 0, 0.55},     {NULL, "Ampere", 0.869, 0, 0, 0.6},
    {NULL, "Ada", 0.85, 0.8, 0, 0.6},           {NULL, "Volta", 0.8, 0, 0, 0.4},
    {NULL, "Turing", 0.7, 0, 0, 0.4},           {NULL, "CDNA3", 0.514, 0.5, 0, 0.3},
    {NULL, "", 0.7, 0.65, 0.55, 0.4},
};

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
