/*
 * serving_constants.c - see serving_constants.h.
 *
 * Where each constant comes from. Those that a measurement settled name its rows in
 * tests/accuracy; a free fit of all of them was no better on sources left out, so values stay near
 * physics and are rounded.
 *
 *   weight_read, kv_read   STREAM-like kernels reach 0.78-0.85 of the sheet on HBM and GDDR; paged
 *                          attention reads longer runs. Static batches of TensorRT-LLM (TRTD)
 *                          transformers copies and repeats its cache each step: 0.028 (QWN)
 *   read_8bit, read_4bit   the same with scales and unpacking; batch 1 of llama.cpp, exllama (XJD)
 *   compute                share of the sheet on an H100: 0.70 compiled engines (TRTD, ANL), 0.60
 *                          PyTorch engines (AIC, pre-fill of vLLM)
 *   attention              share of the tensor peak before softmax limits it (Dao 2023)
 *   moe_compute            grouped products against dense ones; pre-fill of mixtures (AIC, TRTD)
 *   activation             norms, rotations, residuals: 15 hidden widths a layer (counted)
 *   step_ms, layer_us      scheduler; a dozen launches a layer under CUDA graphs. Small models
 *                          (QWN) and batch 1 (ANL); transformers launches from Python
 *   sequence_us            per-sequence host work: 38 in vLLM V0's single process (ANL, batch 64)
 *   page_us                block tables that vLLM V0 built anew each step: what grows with batch x
 *                          context where the cards do little (ANL, grouped heads, tp 4)
 *   allreduce, pcie        older engines use NCCL where newer have one-shot kernels (ANL, tp 2, 4;
 *                          an engine that is not known: DeepSpeed-MII);
 *                          no peer-to-peer kernels in vLLM and SGLang (dennislee22, two cards)
 *   prefill_layer_ms       short prompts (AIC, 128-512 tokens)
 *   request_ms             HTTP, tokenizer, first scheduling (AIC, GPUStack at low load)
 *   crowding, bunching,    where pre-fill of other requests lands: on first tokens (SGLang serves
 *   stall                  prompts first) or on every token (chunked pre-fill). What is not on one
 *                          is on the other: bunching + stall is near 1 (AIC, by engine)
 *   memory_share ... chunk defaults of the engines' command lines and startup logs (MV rows)
 */
#include "engine/serving_constants.h"

#include <stdlib.h>
#include <string.h>

#define EFFICIENCY(share, moe, cache)                                                              \
	.weight_read = 0.83, .read_8bit = 1.0, .read_4bit = 0.95, .compute = (share),              \
	.kv_read = (cache), .attention = 0.80, .moe_compute = (moe), .activation = 15

const struct serving_constants serving_constants_table[PROFILE_COUNT] = {
    [PROFILE_NEUTRAL] = {EFFICIENCY(0.60, 1.5, 0.85),
                         .step_ms = 1,
                         .layer_us = 40,
                         .sequence_us = 10,
                         .allreduce = 3,
                         .pcie = 2.5,
                         .prefill_layer_ms = 0.3,
                         .request_ms = 10,
                         .prefill_factor = 1.2,
                         .crowding = 0.7,
                         .bunching = 0.1,
                         .stall = 0.8,
                         .memory_share = 0.9,
                         .overhead_gib = 0.3,
                         .graph_gib = 0.5,
                         .communicator_gib = 0.3,
                         .occupancy = 0.7,
                         .sequences = 256,
                         .sequences_large = 256,
                         .chunk = 2048,
                         .chunk_large = 8192},
    [PROFILE_VLLM] = {EFFICIENCY(0.60, 1.8, 0.85),
                      .step_ms = 0.55,
                      .layer_us = 22,
                      .sequence_us = 7,
                      .allreduce = 1,
                      .pcie = 2.5,
                      .prefill_layer_ms = 0.43,
                      .request_ms = 25,
                      .prefill_factor = 1.2,
                      .crowding = 0.3,
                      .bunching = 0.1,
                      .stall = 0.78,
                      .memory_share = 0.9,
                      .overhead_gib = 0.3,
                      .graph_gib = 0.5,
                      .communicator_gib = 0.3,
                      .occupancy = 0.7,
                      .sequences = 256,
                      .sequences_large = 1024,
                      .chunk = 2048,
                      .chunk_large = 8192},
    [PROFILE_VLLM_V0] = {EFFICIENCY(0.60, 1.8, 0.85),
                         .step_ms = 2.0,
                         .layer_us = 20,
                         .sequence_us = 38,
                         .page_us = 0.35,
                         .allreduce = 1.5,
                         .pcie = 2.5,
                         .prefill_layer_ms = 0.31,
                         .request_ms = 10,
                         .prefill_factor = 1.2,
                         .crowding = 0.7,
                         .bunching = 0.1,
                         .stall = 0.83,
                         .memory_share = 0.9,
                         .overhead_gib = 0.3,
                         .graph_gib = 0.5,
                         .communicator_gib = 0.3,
                         .occupancy = 0.7,
                         .sequences = 256,
                         .sequences_large = 256,
                         .chunk = 2048,
                         .chunk_large = 2048},
    [PROFILE_TRTLLM] = {EFFICIENCY(0.70, 1.2, 0.85),
                        .step_ms = 0.7,
                        .layer_us = 18,
                        .sequence_us = 8,
                        .allreduce = 1,
                        .pcie = 1,
                        .prefill_layer_ms = 0.65,
                        .request_ms = 6,
                        .prefill_factor = 1.2,
                        .crowding = 2,
                        .bunching = 0.075,
                        .stall = 1.0,
                        .memory_share = 0.9,
                        .overhead_gib = 2.5,
                        .graph_gib = 0,
                        .communicator_gib = 0,
                        .occupancy = 1,
                        .sequences = 2048,
                        .sequences_large = 2048,
                        .chunk = 8192,
                        .chunk_large = 8192},
    [PROFILE_TRTLLM_CPP] = {EFFICIENCY(0.70, 1.2, 0.85),
                            .step_ms = 0.62,
                            .layer_us = 21,
                            .sequence_us = 5,
                            .allreduce = 2,
                            .pcie = 1,
                            .prefill_layer_ms = 0,
                            .request_ms = 3,
                            .prefill_factor = 1.05,
                            .crowding = 0.7,
                            .bunching = 0.1,
                            .stall = 0.97,
                            .memory_share = 0.92,
                            .overhead_gib = 2.5,
                            .graph_gib = 0,
                            .communicator_gib = 0,
                            .occupancy = 1,
                            .sequences = 2048,
                            .sequences_large = 2048,
                            .chunk = 8192,
                            .chunk_large = 8192},
    [PROFILE_SGLANG] = {EFFICIENCY(0.60, 1.8, 0.85),
                        .step_ms = 0.6,
                        .layer_us = 20,
                        .sequence_us = 9,
                        .allreduce = 1,
                        .pcie = 2.5,
                        .prefill_layer_ms = 0.8,
                        .request_ms = 11,
                        .prefill_factor = 1.2,
                        .crowding = 1.5,
                        .bunching = 0.42,
                        .stall = 0.4,
                        .memory_share = 0.86,
                        .overhead_gib = 0.3,
                        .graph_gib = 0.5,
                        .communicator_gib = 0.3,
                        .occupancy = 0.7,
                        .sequences = 2048,
                        .sequences_large = 2048,
                        .chunk = 2048,
                        .chunk_large = 8192},
    [PROFILE_SGLANG_04] = {EFFICIENCY(0.60, 1.8, 0.85),
                           .step_ms = 0.83,
                           .layer_us = 45,
                           .sequence_us = 9,
                           .allreduce = 1,
                           .pcie = 2.5,
                           .prefill_layer_ms = 0.8,
                           .request_ms = 11,
                           .prefill_factor = 1.2,
                           .crowding = 1.5,
                           .bunching = 0.42,
                           .stall = 0.4,
                           .memory_share = 0.86,
                           .overhead_gib = 0.3,
                           .graph_gib = 0.5,
                           .communicator_gib = 0.3,
                           .occupancy = 0.7,
                           .sequences = 2048,
                           .sequences_large = 2048,
                           .chunk = 2048,
                           .chunk_large = 8192},
    [PROFILE_LMDEPLOY] = {EFFICIENCY(0.70, 1.2, 0.85),
                          .step_ms = 0.6,
                          .layer_us = 30,
                          .sequence_us = 10,
                          .allreduce = 1,
                          .pcie = 2.5,
                          .prefill_layer_ms = 0.3,
                          .request_ms = 10,
                          .prefill_factor = 1.2,
                          .crowding = 0.7,
                          .bunching = 0.1,
                          .stall = 0.8,
                          .memory_share = 0.8,
                          .overhead_gib = 0.3,
                          .graph_gib = 0.5,
                          .communicator_gib = 0.3,
                          .occupancy = 0.7,
                          .sequences = 128,
                          .sequences_large = 256,
                          .chunk = 8192,
                          .chunk_large = 8192},
    [PROFILE_LLAMACPP] = {EFFICIENCY(0.70, 1.2, 0.85),
                          .step_ms = 0.6,
                          .layer_us = 30,
                          .sequence_us = 10,
                          .allreduce = 1,
                          .pcie = 2.5,
                          .prefill_layer_ms = 0,
                          .request_ms = 10,
                          .prefill_factor = 1.2,
                          .crowding = 0.7,
                          .bunching = 0.1,
                          .stall = 1,
                          .memory_share = 1,
                          .overhead_gib = 0.3,
                          .graph_gib = 0,
                          .communicator_gib = 0,
                          .occupancy = 1,
                          .sequences = 64,
                          .sequences_large = 64,
                          .chunk = 512,
                          .chunk_large = 512},
    [PROFILE_TRANSFORMERS] = {.weight_read = 0.83,
                              .read_8bit = 0.45,
                              .read_4bit = 0.95,
                              .compute = 0.70,
                              .kv_read = 0.028,
                              .attention = 0.80,
                              .moe_compute = 1.2,
                              .activation = 15,
                              .step_ms = 0.5,
                              .layer_us = 750,
                              .sequence_us = 0,
                              .allreduce = 1,
                              .pcie = 2.5,
                              .prefill_layer_ms = 0.8,
                              .request_ms = 6,
                              .prefill_factor = 1.2,
                              .crowding = 0.7,
                              .bunching = 1,
                              .stall = 1,
                              .memory_share = 1,
                              .overhead_gib = 0.05,
                              .graph_gib = 0,
                              .communicator_gib = 0,
                              .occupancy = 1,
                              .sequences = 256,
                              .sequences_large = 256,
                              .chunk = 1e9,
                              .chunk_large = 1e9},
};

/*
 *   gemm_half_tflops       large products: H20 142 of 148, A100 268 of 312, H100 795 of 989 TFLOP/s
 *   attention_tflops       fused attention on H100 about 0.4 of the peak, on A100 and H20 0.6-0.7
 *   unpacking_share        batches from 8 of AWQ, GPTQ, and of FP8 on A100 and RTX 3090 (GPUStack,
 *                          Model-Optimizer, alesha-pro)
 *   untuned_experts        decode of Qwen3-235B and GLM under vLLM 0.11 and 0.12 (AIC, GPUStack)
 *                          against MiniMax under 0.17 and later
 *   cdna_share             MI300X 668 of 1307 TFLOP/s
 *   thin_chip              batch 1 on an H20 reads 2.4 of 4 TB/s (QWN, SGLang)
 *   nvlink, pcie           AIC (tensor parallel 1 to 8), L40S and A100 (TRTD)
 *   mesh                   between the two; few rows: wide band
 *   scaled_product_us      Qwen3 in FP8 under transformers, dense and 30B-A3B alike (QWN)
 *   sparse, latent, expert, linear, loop, ascend
 *                          decode steps of GLM-5, DeepSeek-R1 and MiniMax (AIC), Qwen3.5 (R39),
 *                          mixtures under transformers (QWN), Qwen3-8B on a 910B (GPUStack)
 *   front_ms               1000 requests of 4 tokens at once: 190-250 a second at most (GPUStack)
 *   eager_layer_ms         Qwen2 beyond 8192 tokens under vLLM 0.4 (QWN)
 */
const struct serving_shared serving_shared = {
    .gemm_half_tflops = 5000,
    .attention_tflops = 791,
    .unpacking_share = 0.65,
    .untuned_experts = 0.6,
    .cdna_share = 0.68,
    .thin_chip = 28,
    .nvlink_us = 10,
    .nvlink_growth = 0.35,
    .nvlink_share = 0.6,
    .pcie_us = 15,
    .pcie_growth = 0.5,
    .pcie_share = 0.5,
    .mesh_us = 15,
    .mesh_share = 0.4,
    .sparse_layer_us = 80,
    .latent_layer_us = 20,
    .expert_loop_us = 70,
    .scaled_product_us = 100,
    .expert_layer_us = 30,
    .ascend_layer_us = 500,
    .eager_layer_ms = 0.3,
    .front_ms = 4,
    .linear_layer_us = 30,
};

const enum kv_rule serving_kv_rules[PROFILE_COUNT] = {
    [PROFILE_NEUTRAL] = KV_SHARE_OF_TOTAL,   [PROFILE_VLLM] = KV_SHARE_OF_TOTAL,
    [PROFILE_VLLM_V0] = KV_SHARE_OF_TOTAL,   [PROFILE_TRTLLM] = KV_SHARE_OF_FREE,
    [PROFILE_TRTLLM_CPP] = KV_SHARE_OF_FREE, [PROFILE_SGLANG] = KV_STATIC_SHARE,
    [PROFILE_SGLANG_04] = KV_STATIC_SHARE,   [PROFILE_LMDEPLOY] = KV_SHARE_OF_FREE,
    [PROFILE_LLAMACPP] = KV_ON_DEMAND,       [PROFILE_TRANSFORMERS] = KV_ON_DEMAND,
};

/* Nine tenths, with room for sources that were not seen: tests/accuracy/REPORT.md, "in band". */
struct serving_band serving_band_of(enum serving_profile profile, bool experts, bool run)
{
	static const struct serving_band bands[2][2] = {
	    {{1.5, 1.6, 2.2}, {1.7, 2.0, 2.6}},
	    {{3.2, 2.1, 3.4}, {4.2, 2.9, 4.7}}, /* GPUStack: untuned servers, all at once */
	};
	struct serving_band band = bands[run][experts];
	bool plain = profile == PROFILE_NEUTRAL || profile == PROFILE_LLAMACPP ||
	             profile == PROFILE_TRANSFORMERS;

	/* One profile stands for many builds and helpers around them. */
	if (plain && !run) {
		band.tpot *= 1.15;
		band.rate *= 1.2;
	}
	return band;
}

/* 0.11 of "v0.11.0rc1" as 0 x 1000 + 11; a text without a number is current. */
static int release_of(const char *version)
{
	if (version == NULL)
		return 1000000;
	version += strcspn(version, "0123456789");
	if (*version == '\0')
		return 1000000;
	char *rest;
	long major = strtol(version, &rest, 10);
	long minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;

	return (int)(major * 1000 + minor);
}

enum serving_profile serving_profile_of(enum engine engine, const char *version)
{
	switch (engine) {
	case ENGINE_UNSET:
	case ENGINE_VLLM:
		return release_of(version) < 8 ? PROFILE_VLLM_V0 : PROFILE_VLLM;
	case ENGINE_TRTLLM:
		return release_of(version) < 18 ? PROFILE_TRTLLM_CPP : PROFILE_TRTLLM;
	case ENGINE_SGLANG:
		return release_of(version) < 5 ? PROFILE_SGLANG_04 : PROFILE_SGLANG;
	case ENGINE_LMDEPLOY:
		return PROFILE_LMDEPLOY;
	case ENGINE_LLAMACPP:
		return PROFILE_LLAMACPP;
	case ENGINE_TRANSFORMERS:
		return PROFILE_TRANSFORMERS;
	case ENGINE_OTHER:
		return PROFILE_NEUTRAL;
	}
	return PROFILE_NEUTRAL;
}

double serving_memory_share(enum serving_profile profile, const char *version)
{
	if (profile == PROFILE_VLLM && release_of(version) >= 20)
		return 0.92;
	return serving_constants_table[profile].memory_share;
}

double serving_sampler_bytes(enum serving_profile profile, const char *version)
{
	bool sorts =
	    profile == PROFILE_VLLM_V0 || (profile == PROFILE_VLLM && release_of(version) < 14);

	return sorts ? 32 : 8;
}

double serving_expert_share(enum serving_profile profile, const char *version)
{
	return profile == PROFILE_VLLM && release_of(version) < 13 ? serving_shared.untuned_experts
	                                                           : 1;
}

bool serving_keeps_prompt_logits(enum serving_profile profile, const char *version)
{
	return profile == PROFILE_TRANSFORMERS && release_of(version) < 4045;
}

/* One direction of the slot, 10^6 bytes per ms: 31.5 GB/s for PCIe 4.0 x16. */
static double pcie_gbs(const struct card *card)
{
	double lane = card->pcie_gen >= 6   ? 7.56
	              : card->pcie_gen == 5 ? 3.94
	              : card->pcie_gen == 4 ? 1.97
	                                    : 0.985;

	return lane * (card->pcie_lanes > 0 ? card->pcie_lanes : 16);
}

static bool has_fast_link(const struct cluster *on, int tp)
{
	const struct card *card = on->card;

	if (on->intra_link == INTRA_PCIE || card->link_gbs_bidir <= 0)
		return false;
	if (card->link_kind == CARD_LINK_BRIDGE)
		return tp == 2 && on->intra_link == INTRA_NVLINK;
	return card->link_kind != CARD_LINK_PCIE;
}

/* Gb/s of a server that does not say: a 400G port a card with a fast link, else 25G Ethernet. */
static double usual_network(const struct card *card, int server)
{
	bool ports = card->link_gbs_bidir > 0 && card->link_kind != CARD_LINK_PCIE &&
	             card->link_kind != CARD_LINK_BRIDGE;

	return ports ? 400.0 * server : 25;
}

struct serving_link serving_link_of(const struct cluster *on, int tp)
{
	int server = on->cards_per_server > 0   ? on->cards_per_server
	             : on->card->host_cards > 0 ? on->card->host_cards
	                                        : 8;

	if (tp > server) {
		double usual = on->cards_per_server > 0 ? usual_network(on->card, server) : 3200;
		double gbps = on->inter_gbps > 0 ? on->inter_gbps : usual;

		return (struct serving_link){25, 0.35, gbps / 8 / server * 0.7 * 1e6, false};
	}
	const struct serving_shared *c = &serving_shared;
	double one_way = on->card->link_gbs_bidir / 2 * 1e6;

	if (!has_fast_link(on, tp))
		return (struct serving_link){c->pcie_us, c->pcie_growth,
		                             pcie_gbs(on->card) * c->pcie_share * 1e6, true};
	if (on->card->link_kind == CARD_LINK_XGMI || on->card->link_kind == CARD_LINK_HCCS)
		return (struct serving_link){c->mesh_us, c->nvlink_growth, one_way * c->mesh_share,
		                             false};
	return (struct serving_link){c->nvlink_us, c->nvlink_growth, one_way * c->nvlink_share,
	                             false};
}

/* The larger the chip, the smaller the share: 1 / (1 + peak / half). Measured large products: H20
 * 142 of 148 TFLOP/s, A100 268 of 312, H100 795 of 989. */
static double gemm_share(double half_tflops)
{
	return 1 / (1 + half_tflops / serving_shared.gemm_half_tflops);
}

static bool is_cdna(const struct card *card)
{
	return strncmp(card->architecture, "CDNA", 4) == 0;
}

double serving_gemm_share(const struct card *card)
{
	double share = gemm_share(card->fp16_tflops) / gemm_share(989.4);

	return is_cdna(card) ? share * serving_shared.cdna_share : share;
}

double serving_reach(const struct card *card)
{
	/* A GeForce's 16-bit figure is halved by fp32 accumulation; its int8 figure is not. */
	double tensor =
	    card->fp16_tflops > card->int8_tops / 2 ? card->fp16_tflops : card->int8_tops / 2;
	double ratio = card->bandwidth_gbs / tensor / serving_shared.thin_chip;

	return 1 / (1 + ratio * ratio);
}

double serving_attention_tflops(const struct card *card, double share)
{
	double tensor = card->fp16_tflops * share * (is_cdna(card) ? serving_shared.cdna_share : 1);

	return 1 / (1 / tensor + 1 / serving_shared.attention_tflops);
}

int serving_dies(const struct card *card)
{
	return strstr(card->architecture, "2 dies") != NULL ? 2 : 1;
}

bool serving_is_ascend(const struct card *card)
{
	return strncmp(card->architecture, "Da Vinci", 8) == 0;
}

bool serving_has_hbm(const struct card *card)
{
	return card->link_kind != CARD_LINK_PCIE && card->link_gbs_bidir >= 200;
}

bool serving_card_measured(const struct card *card)
{
	static const char *const measured[] = {
	    "a100-40-sxm",
	    "a100-80-pcie",
	    "a100-80-sxm",
	    "a40",
	    "ascend-910b",
	    "b200-sxm",
	    "b300-sxm",
	    "gb200",
	    "gh200-96",
	    "h100-pcie",
	    "h100-sxm",
	    "h20-96",
	    "h200-sxm",
	    "l4",
	    "l40s",
	    "mi300x",
	    "rtx-3090",
	    "rtx-4000-ada",
	    "rtx-4090",
	    "rtx-5090",
	    "rtx-6000-ada",
	    "rtx-a6000",
	    "rtx-pro-6000-server",
	};

	for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
		if (strcmp(card->id, measured[i]) == 0)
			return true;
	return false;
}
