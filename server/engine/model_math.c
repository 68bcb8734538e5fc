/* model_math.c - see model_math.h. */
#include "engine/model_math.h"

int model_moe_layers(const struct model *model)
{
	if (model->experts == 0)
		return 0;
	int every = model->moe_every > 0 ? model->moe_every : 1;

	return (model->layers - model->dense_layers) / every;
}

double model_query_width(const struct model *model)
{
	return (double)model->heads * model->head_dim;
}

double model_kv_width(const struct model *model)
{
	if (model->attention == ATTENTION_MLA)
		return (double)model->heads * (model->mla_nope + model->mla_rope + model->mla_v) /
		       2;
	return (double)model->kv_heads * model->head_dim;
}

static double mla_layer(const struct model *model)
{
	double h = model->hidden;
	double heads = model->heads;
	double query = heads * (model->mla_nope + model->mla_rope);
	double q = model->mla_q_lora > 0 ? model->mla_q_lora * (h + query) : h * query;
	double kv = h * (model->mla_kv_lora + model->mla_rope) +
	            model->mla_kv_lora * heads * (model->mla_nope + model->mla_v);

	return q + kv + heads * model->mla_v * h;
}

/* Parameters of one layer's softmax-attention projections: q, k, v, o, or the latent ones of MLA.
 */
static double attention_layer(const struct model *model)
{
	if (model->attention == ATTENTION_MLA)
		return mla_layer(model);
	double h = model->hidden;
	double q = model_query_width(model);
	/* Hybrids of the Qwen3-Next kind gate the output of attention: a second query projection.
	 */
	double queries = model->attention == ATTENTION_HYBRID ? 2 * q : q;

	return h * queries + 2 * h * model_kv_width(model) + q * h;
}

/* Parameters of one layer's linear-attention projections (gated delta net); 0 without such layers.
 */
static double linear_layer(const struct model *model)
{
	if (model->attention != ATTENTION_HYBRID)
		return 0;
	double h = model->hidden;
	double key = (double)model->linear_key_heads * model->linear_key_dim;
	double value = (double)model->linear_value_heads * model->linear_value_dim;

	/* q, k, v and the output gate; two scalars a head; the way back. */
	return h * (2 * key + 2 * value) + 2 * h * model->linear_value_heads + value * h;
}

static int linear_layers(const struct model *model)
{
	return model->attention == ATTENTION_HYBRID ? model->linear_layers : 0;
}

struct model_params model_params(const struct model *model)
{
	double h = model->hidden;
	double matrices = model->gated_ffn ? 3 : 2;
	double expert = matrices * h * model->moe_ffn_hidden;
	int linear = linear_layers(model);
	int moe = model_moe_layers(model);
	double vocabulary = (double)model->vocab * h;

	return (struct model_params){
	    .embedding = vocabulary,
	    .head = model->tied_embeddings ? 0 : vocabulary,
	    .attention =
		(model->layers - linear) * attention_layer(model) + linear * linear_layer(model),
	    .dense_ffn = (model->layers - moe) * matrices * h * model->ffn_hidden,
	    .routed_experts = (double)moe * model->experts * expert,
	    .shared_experts = (double)moe * model->shared_experts * expert,
	    .router = (double)moe * model->experts * h,
	    .norms = (2.0 * model->layers + 1) * h,
	};
}

double model_params_sum(const struct model_params *params)
{
	return params->embedding + params->head + params->attention + params->dense_ffn +
	       params->routed_experts + params->shared_experts + params->router + params->norms;
}

double model_matrix_params(const struct model *model)
{
	struct model_params all = model_params(model);
	double active = model->experts > 0 ? (double)model->experts_active / model->experts : 0;

	return all.attention + all.dense_ffn + all.routed_experts * active + all.shared_experts +
	       all.router + (double)model->vocab * model->hidden;
}

/* Tokens that a query attends to on average: half of SEQ_LEN, less inside a window of WIDTH. */
static double causal_context(double seq_len, double width)
{
	if (width <= 0 || width >= seq_len)
		return seq_len / 2;
	return width - width * width / (2 * seq_len);
}

double model_attention_flops(const struct model *model, double seq_len)
{
	int linear = linear_layers(model);
	int windowed = model->sliding_window > 0 ? model->window_layers : 0;
	int full = model->layers - linear - windowed;
	double width = 2 * model_query_width(model); /* of a query and of its value */

	if (model->attention == ATTENTION_MLA)
		width = (double)model->heads * (model->mla_nope + model->mla_rope + model->mla_v);
	double contexts = full * causal_context(seq_len, model->sparse_topk) +
	                  windowed * causal_context(seq_len, model->sliding_window);
	double state =
	    (double)model->linear_value_heads * model->linear_value_dim * model->linear_key_dim;

	return 2 * width * contexts + 6 * linear * state;
}
