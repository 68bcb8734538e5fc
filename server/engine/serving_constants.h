/*
 * serving_constants.h - what the closed formulas of serving cannot derive, in one table.
 *
 * Efficiencies are shares of the card's sheet figures and stay near their physical defaults;
 * engines differ mostly in host overhead. Each value's origin stands beside it in the .c file.
 */
#ifndef ENGINE_SERVING_CONSTANTS_H
#define ENGINE_SERVING_CONSTANTS_H

#include "offer/workload.h"

/* An engine of one era: a release changes host overhead by two, efficiency by nothing. */
enum serving_profile {
	PROFILE_NEUTRAL,
	PROFILE_VLLM,       /* V1, 0.8 and later */
	PROFILE_VLLM_V0,    /* before 0.8 */
	PROFILE_TRTLLM,     /* 0.18 and later: PyTorch back end */
	PROFILE_TRTLLM_CPP, /* before 0.18: compiled engines */
	PROFILE_SGLANG,     /* 0.5 and later */
	PROFILE_SGLANG_04,  /* before 0.5: twice the host cost */
	PROFILE_LMDEPLOY,
	PROFILE_LLAMACPP,
	PROFILE_TRANSFORMERS,
	PROFILE_COUNT
};

/* How an engine decides the room of its KV cache. */
enum kv_rule {
	KV_SHARE_OF_TOTAL, /* total x share less weights and overhead (vLLM) */
	KV_STATIC_SHARE,   /* total x share less weights: overhead lives in the rest (SGLang) */
	KV_SHARE_OF_FREE,  /* share x (total less weights and overhead) (TensorRT-LLM, LMDeploy) */
	KV_ON_DEMAND,      /* as much as the requests need (transformers, llama.cpp) */
};

/* Doubles only, so that a fit can treat a row as a vector; see tests/accuracy. */
struct serving_constants {
	/* Efficiency. */
	double weight_read; /* of memory bandwidth, 16-bit weights */
	double read_8bit;   /* of weight_read, 8-bit weights */
	double read_4bit;   /* of weight_read, 4-bit weights */
	double compute;     /* of the tensor peak, large matrices */
	double kv_read;     /* of memory bandwidth */
	double attention;   /* of the 16-bit peak */
	double moe_compute; /* work of grouped expert products against dense ones */
	double activation;  /* element traffic of a layer, hidden widths a token */
	/* Host. */
	double step_ms;          /* per decode step */
	double layer_us;         /* per layer and step */
	double sequence_us;      /* per sequence and step */
	double page_us;          /* per page of cache and step: tables built anew by Python */
	double allreduce;        /* latency of the link's all-reduce against the best kernels */
	double pcie;             /* traffic over PCIe against peer-to-peer kernels */
	double prefill_layer_ms; /* launch floor of a layer outside CUDA graphs */
	double request_ms;       /* per request before its first step */
	double prefill_factor;   /* first token: pre-fill against the bare step */
	double crowding; /* pre-fills of others under way at an arrival, once there are many */
	double bunching; /* share of the other requests met by an arriving one */
	double stall;    /* share of others' pre-fill that delays a decode step */
	/* Memory. */
	double memory_share;     /* the engine's default */
	double overhead_gib;     /* of a card before anything that depends on the model */
	double graph_gib;        /* CUDA graphs */
	double communicator_gib; /* with more than one card */
	double occupancy;        /* share of the output a request holds on average */
	/* Limits. */
	double sequences;       /* max_num_seqs on cards below 70 GiB */
	double sequences_large; /* from 70 GiB */
	double chunk;           /* prompt tokens of a step, cards below 70 GiB */
	double chunk_large;     /* from 70 GiB */
};

extern const struct serving_constants serving_constants_table[PROFILE_COUNT];
extern const enum kv_rule serving_kv_rules[PROFILE_COUNT];

/* The profile of ENGINE at VERSION ("0.11.0", "v1.0"; NULL = current). */
enum serving_profile serving_profile_of(enum engine engine, const char *version);

/* Share of memory that the engine takes by default: vLLM 0.92 since 0.20, else of the table. */
double serving_memory_share(enum serving_profile profile, const char *version);

/* Bytes per logit that the engine sets aside for its sampler: vLLM sorted fp32 copies of them while
 * it profiled, before 0.14. */
double serving_sampler_bytes(enum serving_profile profile, const char *version);

/* Share of the usual rate at which the engine's grouped products read experts: before 0.13 vLLM's
 * were Triton kernels of which few were tuned. */
double serving_expert_share(enum serving_profile profile, const char *version);

/* Whether the engine computes the logits of every prompt token: transformers before 4.45. */
bool serving_keeps_prompt_logits(enum serving_profile profile, const char *version);

/* What does not depend on the engine; doubles only. */
struct serving_shared {
	double gemm_half_tflops; /* 16-bit peak at which large products reach half of it */
	double attention_tflops; /* rate that the exponentials of softmax allow on a large chip */
	double unpacking_share;  /* of the 16-bit peak where weights are unpacked to 16 bit */
	double untuned_experts;  /* of the rate at which experts are read, before vLLM 0.13 */
	double cdna_share;       /* of the rates of AMD's chips that their software reaches */
	double thin_chip;        /* GB/s per TFLOP/s that half of a chip's cores cannot ask for */
	double nvlink_us;        /* one all-reduce between two cards at decode sizes */
	double nvlink_growth;    /* of it per doubling of the cards */
	double nvlink_share;     /* of the link's one-way rate that all-reduce reaches */
	double pcie_us;
	double pcie_growth;
	double pcie_share;
	double mesh_us; /* cards linked point to point: HCCS, Infinity Fabric */
	double mesh_share;
	double sparse_layer_us;   /* per layer and step: the indexer of sparse attention */
	double latent_layer_us;   /* per layer and step: more projections of latent attention */
	double expert_loop_us;    /* per expert where a Python loop goes over them (transformers) */
	double scaled_product_us; /* per FP8 product where Python launches it (transformers) */
	double expert_layer_us;   /* per layer with experts and step: routing and permutation */
	double ascend_layer_us;   /* per layer and step: launches on an Ascend, without graphs */
	double eager_layer_ms;    /* per layer of a decode step outside CUDA graphs */
	double front_ms;        /* per request in the one process that speaks HTTP and tokenizes */
	double linear_layer_us; /* per linear-attention layer and step, beyond a full layer */
};

extern const struct serving_shared serving_shared;

/* Factors around a figure that hold nine tenths of what was measured. */
struct serving_band {
	double tpot, rate, ttft;
};

/* The band of PROFILE on a model with EXPERTS or without; a RUN that ends, of servers as they come,
 * varies most. */
struct serving_band serving_band_of(enum serving_profile profile, bool experts, bool run);

/* One link between the cards of a tensor-parallel group. */
struct serving_link {
	double latency_us;   /* of one all-reduce between two cards at decode sizes */
	double growth;       /* of the latency per doubling of the cards beyond two */
	double bytes_per_ms; /* of the bus in one direction, as collectives reach it */
	bool pcie;
};

/* The link of a group of TP cards on ON. */
struct serving_link serving_link_of(const struct cluster *on, int tp);

/* Share of CARD's tensor peak that large products reach, against an H100: 1.16 on an H20. */
double serving_gemm_share(const struct card *card);

/* Share of CARD's memory bandwidth that its few cores can ask for: 0.66 on an H20, else near 1. */
double serving_reach(const struct card *card);

/* TFLOP/s of CARD's fused attention at SHARE of its 16-bit peak, softmax included. */
double serving_attention_tflops(const struct card *card, double share);

/* Processors that CARD shows to an engine, each with its share of memory: 2 on an Ascend 910C. */
int serving_dies(const struct card *card);

/* Whether CARD is an Ascend. */
bool serving_is_ascend(const struct card *card);

/* Whether CARD has stacked memory (HBM) rather than GDDR. */
bool serving_has_hbm(const struct card *card);

/* Whether published measurements of serving on this card took part in the constants. */
bool serving_card_measured(const struct card *card);

#endif
