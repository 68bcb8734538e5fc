/* serving_step.c - see serving_step.h. */
#include "engine/serving_step.h"

#include <math.h>

#include "engine/model_math.h"
#include "engine/serving_layout.h"

static double max(double a, double b)
{
	return a > b ? a : b;
}

/* Share of the routed experts that N tokens touch: 1 - (1 - k/E)^n, uniform routing. */
static double experts_touched(const struct model *model, double n)
{
	if (model->experts == 0)
		return 0;
	return 1 - pow(1 - (double)model->experts_active / model->experts, n);
}

static double weight_ms(const struct replica *replica, double tokens, double sampled)
{
	const struct serving_constants *c = replica->constants;
	bool slow = replica->profile == PROFILE_LLAMACPP && serving_has_hbm(replica->on->card);
	double efficiency = slow ? c->weight_read * 0.6 : c->weight_read;

	switch (replica->weights) {
	case WEIGHTS_UNSET:
	case WEIGHTS_BF16:
		break;
	case WEIGHTS_FP8:
	case WEIGHTS_INT8:
	case WEIGHTS_Q8_0:
		efficiency *= c->read_8bit;
		break;
	case WEIGHTS_INT4:
	case WEIGHTS_AWQ:
	case WEIGHTS_GPTQ:
	case WEIGHTS_NF4:
	case WEIGHTS_NVFP4:
	case WEIGHTS_MXFP4:
	case WEIGHTS_W4A8:
	case WEIGHTS_Q4_K_M:
		efficiency *= c->read_4bit;
		break;
	}
	double touched = experts_touched(replica->job->model, tokens);
	double bytes = replica->dense_bytes +
	               replica->expert_bytes * touched / replica->expert_share +
	               (sampled > 0 ? replica->head_bytes : 0);

	return bytes / (replica->bytes_per_ms * efficiency);
}

static double compute_ms(const struct replica *replica, double tokens, double sampled)
{
	const struct serving_constants *c = replica->constants;
	double flops = tokens * (replica->dense_flops + replica->expert_flops * c->moe_compute);
	double head = sampled * replica->head_flops;

	return flops / (replica->flops_per_ms * c->compute) +
	       head / (replica->half_flops_per_ms * c->compute);
}

static double kv_ms(const struct replica *replica, const struct step_work *work)
{
	const struct serving_constants *c = replica->constants;
	double sequences = work->decode / replica->layout.dp;
	double bytes = sequences * replica_read_bytes(replica, work->context);
	double read = bytes / (replica->bytes_per_ms * c->kv_read);
	double topk = replica->job->model->sparse_topk;
	double attended = topk > 0 && topk < work->context ? topk : work->context;
	double latent =
	    sequences * attended * replica->mla_decode_flops / replica->attention_flops_per_ms;

	return max(read, latent);
}

/* Mean tokens that a query of a prompt attends to: CACHED before it, half of the new ones. */
static double attended(double cached, double fresh, double limit)
{
	double mean = cached + fresh / 2;

	if (limit <= 0 || limit >= cached + fresh)
		return mean;
	return cached >= limit ? limit : limit - (limit - cached) * (limit - cached) / (2 * fresh);
}

static double attention_ms(const struct replica *replica, const struct step_work *work)
{
	const struct model *model = replica->job->model;

	if (work->prefill <= 0)
		return 0;
	double prompts = work->prompts > 0 ? work->prompts : 1;
	double fresh = work->prefill / prompts;
	double full = attended(work->cached, fresh, model->sparse_topk);
	double windowed = attended(work->cached, fresh, model->sliding_window);
	double flops = work->prefill / replica->layout.dp *
	               (full * replica->pair_flops + windowed * replica->windowed_flops);

	return flops / replica->attention_flops_per_ms;
}

/* Two all-reduces a layer (Shoeybi et al. 2019): latency, and 2 (tp-1)/tp of the message. */
static double communication_ms(const struct replica *replica, double tokens)
{
	const struct model *model = replica->job->model;
	double cards = (double)replica->layout.tp * replica->layout.dp;

	if (cards <= 1)
		return 0;
	const struct serving_link *link = &replica->link;
	double slow = link->pcie ? replica->constants->pcie : 1;
	double latency = link->latency_us * replica->constants->allreduce *
	                 (1 + link->growth * log2(cards / 2)) / 1000;
	double bytes = 4 * tokens * model->hidden * (cards - 1) / cards;

	return 2.0 * model->layers * (latency + slow * bytes / link->bytes_per_ms);
}

/* Element-wise traffic of a layer: norms, rotations, activations, residuals. */
static double activation_ms(const struct replica *replica, double tokens)
{
	const struct model *model = replica->job->model;
	double tp = replica->layout.tp;
	double width =
	    replica->constants->activation * model->hidden +
	    4 *
		((double)model->ffn_hidden + (double)model->experts_active * model->moe_ffn_hidden +
	         model_query_width(model)) /
		tp;

	return 2 * tokens / replica->layout.dp * model->layers * width / replica->bytes_per_ms;
}

/* What Python adds to each layer where it launches every product: a loop over all experts, and for
 * FP8 the scaling of each product's input (seven of a layer, three of an expert). */
static double eager_ms(const struct replica *replica)
{
	const struct model *model = replica->job->model;
	double sparse = model->layers > 0 ? (double)model_moe_layers(model) / model->layers : 0;
	double experts = sparse * model->experts;
	double products = replica->weights == WEIGHTS_FP8 ? 7 + 3 * experts : 0;

	return (serving_shared.expert_loop_us * experts +
	        serving_shared.scaled_product_us * products) /
	       1000;
}

/* Kernel launches of the layers. Before V1 vLLM captured no CUDA graph beyond 8192 tokens. */
static double launch_ms(const struct replica *replica, const struct step_work *work)
{
	const struct model *model = replica->job->model;
	double each = replica->constants->layer_us / 1000;
	double linear = model->attention == ATTENTION_HYBRID ? model->linear_layers : 0;

	if (replica->profile == PROFILE_TRANSFORMERS)
		each += eager_ms(replica);
	if (model->attention == ATTENTION_MLA)
		each += serving_shared.latent_layer_us / 1000;
	if (model->sparse_topk > 0)
		each += serving_shared.sparse_layer_us / 1000;
	if (serving_is_ascend(replica->on->card))
		each += serving_shared.ascend_layer_us / 1000;
	if (replica->profile == PROFILE_VLLM_V0 && work->context > 8192)
		each += serving_shared.eager_layer_ms;
	return model->layers * each + linear * serving_shared.linear_layer_us / 1000 +
	       model_moe_layers(model) * serving_shared.expert_layer_us / 1000;
}

struct step_time step_time_of(const struct replica *replica, const struct step_work *work)
{
	const struct serving_constants *c = replica->constants;
	double tokens = work->decode + work->prefill;
	double sampled = work->decode + work->prompts;
	double launch = launch_ms(replica, work);
	double pages = work->decode * work->context / KV_PAGE_TOKENS;
	/* Each stage schedules its own pass, over the requests of all; layers of one process do
	 * not. */
	bool one_process = serving_splits_by_layer(replica->job->engine);
	double passes = one_process ? 1 : replica->layout.pp;
	double scheduler = passes * (c->step_ms + passes * sampled * c->sequence_us / 1000) +
	                   pages * c->page_us / 1000;
	struct step_time time = {
	    .weights = weight_ms(replica, tokens, sampled),
	    .compute = compute_ms(replica, tokens, sampled),
	    .kv = kv_ms(replica, work),
	    .attention = attention_ms(replica, work),
	    .communication = communication_ms(replica, tokens),
	};
	double device = time.weights + time.compute + time.kv + time.attention +
	                activation_ms(replica, tokens) + time.communication;

	time.host = launch + scheduler;
	/* Without CUDA graphs launches run ahead of the kernels: the slower of the two shows. */
	if (replica->profile == PROFILE_TRANSFORMERS)
		time.total = pow(pow(device, 4) + pow(time.host, 4), 0.25);
	else
		time.total = device + time.host;
	return time;
}
