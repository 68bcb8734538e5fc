/*
 * workload.h - what must run: the sizing engine's questions, as plain values.
 *
 * Enum value 0 is "not said" where the engine has a default; the answer then says what was assumed.
 * Card and model are borrowed from the catalogue or from the request's arena.
 */
#ifndef OFFER_WORKLOAD_H
#define OFFER_WORKLOAD_H

#include <stdbool.h>

#include "offer/card.h"
#include "offer/model.h"
#include "offer/offer.h"

enum workload_kind { WORKLOAD_TRAINING, WORKLOAD_INFERENCE, WORKLOAD_USAGE, WORKLOAD_HOSTING };
#define WORKLOAD_KIND_COUNT 4
extern const char *const workload_kind_names[WORKLOAD_KIND_COUNT];

enum train_method { METHOD_PRETRAIN, METHOD_FULL, METHOD_LORA, METHOD_QLORA };
#define TRAIN_METHOD_COUNT 4
extern const char *const train_method_names[TRAIN_METHOD_COUNT];

enum precision {
	PRECISION_UNSET,
	PRECISION_BF16,
	PRECISION_FP16,
	PRECISION_FP8,
	PRECISION_FP4,
	PRECISION_FP32,
};
#define PRECISION_COUNT 6
extern const char *const precision_names[PRECISION_COUNT];

enum optimizer {
	OPTIMIZER_UNSET,
	OPTIMIZER_ADAMW,      /* fp32 master and moments */
	OPTIMIZER_ADAMW_BF16, /* weights and both moments in 16 bit, no master */
	OPTIMIZER_ADAMW_8BIT,
	OPTIMIZER_SGD,
};
#define OPTIMIZER_COUNT 5
extern const char *const optimizer_names[OPTIMIZER_COUNT];

/* Class of training software; see shared classes in schema/reference/README.md. */
enum stack {
	STACK_UNSET,
	STACK_TUNED,
	STACK_MEGATRON,
	STACK_FSDP,
	STACK_HF,
	STACK_PREFLASH,
	STACK_NEUTRAL,
};
#define STACK_COUNT 7
extern const char *const stack_names[STACK_COUNT];

enum sharding {
	SHARDING_UNSET,
	SHARDING_NONE,
	SHARDING_ZERO1,
	SHARDING_ZERO2,
	SHARDING_ZERO3,
	SHARDING_FSDP,
	SHARDING_HSDP,
};
#define SHARDING_COUNT 7
extern const char *const sharding_names[SHARDING_COUNT];

enum recompute { RECOMPUTE_UNSET, RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };
#define RECOMPUTE_COUNT 4
extern const char *const recompute_names[RECOMPUTE_COUNT];

/* How a job is spread over cards. 0 = not said. */
struct layout {
	int tp, pp, vpp, cp, ep, dp;
	enum sharding sharding;
	int micro_batch;  /* sequences per card and micro-batch */
	int global_batch; /* sequences per optimizer step */
	enum recompute recompute;
};

/* The cards a job runs on. */
struct cluster {
	const struct card *card;
	int cards;
	int cards_per_server;       /* 0 = the card's usual server */
	enum intra_link intra_link; /* unknown = what the card has */
	enum inter_link inter_link;
	double inter_gbps; /* of a server; 0 = not said */
};

struct training {
	const struct model *model;
	enum train_method method;
	int seq_len; /* 0 = 4096 */
	enum precision precision;
	enum optimizer optimizer;
	int lora_rank;  /* 0 = 16 */
	int quant_bits; /* of a frozen base: 4, 8, 16; 0 = by method */
	enum stack stack;
	bool fused_loss;   /* logits never kept in fp32 beside their copy */
	bool chunked_loss; /* logits never whole: Liger, cut cross-entropy */
	/* What a plan adds to what /size asks: */
	double tokens; /* per run */
	double runs_per_month;
	double deadline_hours; /* per run; 0 = none */
	bool valley_only;      /* run only in the tariff's valley hours */
};

enum weight_format {
	WEIGHTS_UNSET,
	WEIGHTS_BF16, /* and fp16 */
	WEIGHTS_FP8,
	WEIGHTS_INT8,
	WEIGHTS_INT4, /* group size 128, as AWQ and GPTQ */
	WEIGHTS_AWQ,
	WEIGHTS_GPTQ,
	WEIGHTS_NF4,
	WEIGHTS_NVFP4,
	WEIGHTS_MXFP4,
	WEIGHTS_W4A8,
	WEIGHTS_Q4_K_M,
	WEIGHTS_Q8_0,
};
#define WEIGHT_FORMAT_COUNT 13
extern const char *const weight_format_names[WEIGHT_FORMAT_COUNT];

enum kv_format { KV_UNSET, KV_BF16, KV_FP8, KV_INT8, KV_INT4 };
#define KV_FORMAT_COUNT 5
extern const char *const kv_format_names[KV_FORMAT_COUNT];

enum engine {
	ENGINE_UNSET,
	ENGINE_VLLM,
	ENGINE_TRTLLM,
	ENGINE_SGLANG,
	ENGINE_LMDEPLOY,
	ENGINE_LLAMACPP,
	ENGINE_TRANSFORMERS,
	ENGINE_OTHER, /* neutral defaults */
};
#define ENGINE_COUNT 8
extern const char *const engine_names[ENGINE_COUNT];

enum serving_mode { MODE_UNSET, MODE_ONLINE, MODE_OFFLINE };
#define SERVING_MODE_COUNT 3
extern const char *const serving_mode_names[SERVING_MODE_COUNT];

/* One replica: tp x pp cards, or with attention data parallelism tp x dp x pp. 0 = not said. */
struct serving_layout {
	int tp, pp, ep, dp;
};

struct serving {
	const struct model *model;
	enum weight_format weights;
	enum kv_format kv_cache;
	double input_tokens;
	double output_tokens;
	double concurrency;    /* requests in flight at one deployment; 0 = use requests_per_s */
	double requests_per_s; /* offered; 0 = use concurrency */
	double requests;       /* of a run that ends, in all; 0 = a stream without end */
	double output_spread;  /* coefficient of variation of the answers' lengths; 0 = all alike */
	enum engine engine;
	const char *engine_version; /* NULL = current */
	enum serving_mode mode;
	int max_model_len;             /* 0 = input + output, see the answer's assumed */
	double gpu_memory_utilization; /* 0 = the engine's default */
	double prefix_cache_hit;       /* share of prompt tokens found in the cache, 0..1 */
	double speculative_accept;     /* mean tokens accepted per step beyond one; 0 = off */
	/* What a plan adds: */
	double profile[168]; /* multiplier of requests_per_s by hour of the week; peak = 1 */
	int profile_hours;   /* 0 = flat, 24 or 168 */
	double ttft_ms;      /* limit at the percentile; 0 = none */
	double tpot_ms;      /* limit at the percentile; 0 = none */
	int percentile;      /* 50, 90, 95, 99; 0 = 95 */
	int spare_replicas;
};

/* GPU-hours that were used, to be covered again. */
struct usage {
	const struct card *card;
	double gpu_hours;
	double days;
	double utilisation; /* of the hours paid for, 0..1; 0 = 1 */
	double buffer;      /* 0.30 = 30 % more; the seeds' rule */
	bool buffer_given;
};

/* Own servers that need a place. */
struct hosting {
	const struct card *card; /* NULL when server_kw is given */
	int cards_per_server;
	int servers;
	double server_kw; /* maximum; 0 = by card */
	int server_u;     /* 0 = 8 */
};

struct workload {
	const char *name;
	enum workload_kind kind;
	struct training training; /* the one that KIND names is filled */
	struct serving serving;
	struct usage usage;
	struct hosting hosting;
};

#endif
