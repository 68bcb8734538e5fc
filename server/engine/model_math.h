/*
 * model_math.h - parameters of a model by class of tensor, and FLOPs per token.
 *
 * One place that both sizing engines count from. Biases, and learned position embeddings, are left
 * out: below 0.3 % of every model of the catalogue that has more than 10^9 parameters.
 */
#ifndef ENGINE_MODEL_MATH_H
#define ENGINE_MODEL_MATH_H

#include "offer/model.h"

/* Parameters (not 10^9) of each class of tensor; of one layer or of a whole model. */
struct model_params {
	double embedding; /* vocabulary x hidden */
	double head;      /* 0 when tied to the embedding: no second copy exists */
	double attention; /* projections of every kind of attention */
	double dense_ffn;
	double routed_experts; /* all of them */
	double shared_experts;
	double router;
	double norms;
};

/* Layers of MODEL that have experts: 58 of the 61 of DeepSeek-V3, 24 of the 48 of Llama 4 Maverick.
 */
int model_moe_layers(const struct model *model);

/* Parameters of the whole model by class. Mixtral-8x7B: 46.7 x 10^9 in all. */
struct model_params model_params(const struct model *model);

/* Sum of every class. */
double model_params_sum(const struct model_params *params);

/*
 * Parameters that take part in the matrix products of one token: attention, dense FFN, router,
 * shared experts, the experts a token is sent to, and the head (also when tied); not the embedding,
 * which is a look-up. N of "6 N". Llama-2-7B: 6.607 x 10^9; DeepSeek-V3: 36.6 x 10^9.
 */
double model_matrix_params(const struct model *model);

/*
 * Forward FLOPs per token of the products query x key and probability x value, summed over the
 * layers, causal: a query attends to half of SEQ_LEN tokens on average (Dao 2023,
 * arXiv:2307.08691, section 4.1). Sliding windows and sparse top-k limit it; linear attention is
 * charged its state update and read. Llama-2-7B at 4096 tokens: 1.074 x 10^9.
 */
double model_attention_flops(const struct model *model, double seq_len);

/* Width of the queries, and of keys and values of one token and layer, in elements. */
double model_query_width(const struct model *model);
double model_kv_width(const struct model *model);

#endif
