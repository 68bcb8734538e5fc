/*
 * model.h - the architecture of a language model: dimensions, from which everything is counted.
 *
 * Rows come from schema/reference/models.csv; a request may also give the dimensions itself.
 */
#ifndef OFFER_MODEL_H
#define OFFER_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum attention {
	ATTENTION_FULL,   /* MHA, GQA, MQA: told apart by kv_heads */
	ATTENTION_MLA,    /* multi-head latent attention (DeepSeek-V2) */
	ATTENTION_HYBRID, /* some full layers, the others linear (or state-space) */
};
#define ATTENTION_COUNT 3
extern const char *const attention_names[ATTENTION_COUNT]; /* "full", "mla", "hybrid" */

struct model {
	const char *id;
	double params_b;        /* 10^9, all of them */
	double active_params_b; /* per token; = params_b when dense */
	int layers;
	int hidden;
	int heads;
	int kv_heads;
	int head_dim;
	int ffn_hidden;
	bool gated_ffn; /* three matrices instead of two */
	int experts;    /* 0 = dense */
	int experts_active;
	int shared_experts;
	int moe_ffn_hidden;
	int dense_layers; /* leading layers without experts */
	int moe_every;    /* every how many layers has experts; 1 */
	int vocab;
	bool tied_embeddings;
	int max_positions;
	enum attention attention;
	int mla_q_lora;
	int mla_kv_lora;
	int mla_nope;
	int mla_rope;
	int mla_v;
	int sliding_window; /* tokens; 0 = none */
	int window_layers;  /* layers that use it; the rest attend to everything */
	int full_layers;    /* hybrid: layers with full attention */
	int linear_layers;  /* hybrid: the others */
	int linear_key_heads, linear_key_dim, linear_value_heads, linear_value_dim;
	int sparse_topk; /* tokens attended to per query under sparse attention (DSA); 0 = all */
	const char *source;
};

struct models {
	const struct model *items; /* sorted by id */
	size_t count;
};

/* A member that contradicts the others: its name in requests, and why. */
struct model_fault {
	const char *member;
	struct text text;
};

/*
 * What cannot be true of a model: more layers of a kind than layers, heads that do not share keys
 * and values evenly, more active than there are. Zero stands for "not given" and contradicts
 * nothing, except where layers without experts need the width of their FFN.
 *   Returned  the number of FAULTS, which has room for MODEL_FAULTS_MAX; none is good
 * 61 layers with 80 dense_layers: one fault, of "dense_layers".
 */
#define MODEL_FAULTS_MAX 8
int model_faults(const struct model *model, struct model_fault faults[MODEL_FAULTS_MAX]);

/* The model with this id, or NULL. */
const struct model *model_find(const struct models *models, const char *id);

#endif
