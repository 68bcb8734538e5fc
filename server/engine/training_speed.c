/*
 * training_speed.c - time of one optimizer step, term by term.
 *
 * A layer is matrix products (roofline), attention kernels (Dao 2023, arXiv:2307.08691),
 * elementwise traffic, and the time to launch it all; then links: tensor, context, expert,
 * pipeline (bubble: Narayanan et al. 2021, arXiv:2104.04473, section 2.2) and data parallel.
 */
#include <math.h>

#include "engine/training_links.h"
#include "engine/training_run.h"

/* Seconds of one micro-batch and one layer, forward and backward apart. */
struct pass {
	double forward;
	double backward;
};

struct layer_time {
	struct pass compute; /* products and attention */
	struct pass traffic; /* elementwise, permutation, casts */
	struct pass links;   /* exposed */
	double launch;       /* both passes */
};

struct step_time {
	double micro_s; /* one micro-batch on the fullest stage */
	double links;   /* of it, waiting for tensor, context and expert parallel links */
	double traffic; /* of it, memory bandwidth */
	double bubble;  /* of a step */
	double data;    /* of a step: gradients and sharded weights that nothing hides */
	double fixed;   /* of a step: optimizer */
	double total;
};

/*
 * One product of ROWS x K by K x N: FLOPs over the rate, and its operands over the memory, REUSED
 * rows to each copy of the weights.
 */
static double product(const struct training_run *run, double rate, double rows, double k, double n,
                      double reused)
{
	if (k <= 0 || n <= 0) /* layers without this map */
		return 0;
	double flops = 2 * rows * k * n;

	if (fmod(k, 64) != 0 || fmod(n, 64) != 0)
		rate *= training_constants.unaligned_products;
	double bytes = flops * (1 / n + 1 / reused + 1 / k);

	/* The last wave of tiles is half empty on average (NVIDIA's matrix product guide). */
	double tail = 2 * k * training_constants.half_wave;

	return (flops + tail) / (rate * run->stack->gemm) +
	       training_constants.gemm_traffic * bytes / run->base->memory_rate;
}

static double ffn_products(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double rate = run->base->matmul_rate;
	double rows = run->tokens;
	double h = model->hidden;
	double tp = run->layout.tp;
	double up = model->gated_ffn ? 2 : 1;
	double share = (double)run->base->moe_layers / model->layers;
	double seconds = 0;

	if (share < 1) {
		double f = model->ffn_hidden / tp;
		seconds += (1 - share) * (product(run, rate, rows, h, up * f, rows) +
		                          product(run, rate, rows, f, h, rows));
	}
	if (share > 0) {
		double f = model->moe_ffn_hidden;
		double routed = rows * model->experts_active / tp;
		double each = routed * run->expert_ways / model->experts;
		double grouped = rate * training_constants.grouped_gemm;

		if (run->layout.ep == 1) { /* experts are cut, not spread */
			routed *= tp;
			each = routed / model->experts;
			f /= tp;
		}
		seconds += share * (product(run, grouped, routed, h, up * f, each) +
		                    product(run, grouped, routed, f, h, each));
	}
	if (share > 0 && model->shared_experts > 0) {
		double f = (double)model->shared_experts * model->moe_ffn_hidden / tp;
		seconds += share * (product(run, rate, rows, h, up * f, rows) +
		                    product(run, rate, rows, f, h, rows));
	}
	return seconds;
}

static double attention_products(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double h = model->hidden;
	double tp = run->layout.tp;
	double projections = run->base->params.attention / model->layers;
	double out = model_query_width(model);
	double rate = run->base->matmul_rate;

	if (model->attention == ATTENTION_MLA)
		out = (double)model->heads * model->mla_v;
	double in = projections / h - out;

	return product(run, rate, run->tokens, h, in / tp, run->tokens) +
	       product(run, rate, run->tokens, out / tp, h, run->tokens);
}

/* Forward time of scores and values. Without fused kernels the whole square passes through memory.
 */
static double attention_core(const struct training_run *run)
{
	double flops = run->base->attention_flops * run->tokens / run->layout.tp;
	double most = training_constants.shipped_attention;
	bool tuned = run->stack == &training_constants.stack[STACK_TUNED];
	double rate = (tuned ? run->base->attention_rate : fmin(run->base->attention_rate, most)) *
	              run->stack->attention;
	double plain = run->base->head_rate * run->stack->attention;
	double seq_len = run->base->job.seq_len;

	/* Causal tiles: short sequences waste the more of them (Dao 2023, figure 4). */
	rate *= seq_len / (seq_len + training_constants.attention_ramp);

	/* Tensor cores take heads in multiples of 8 elements (NVIDIA's matrix product guide). */
	if (run->base->model->head_dim % 8 != 0) {
		rate *= training_constants.unaligned_heads;
		plain *= training_constants.unaligned_heads;
	}
	if (run->stack != &training_constants.stack[STACK_PREFLASH])
		return flops / rate;
	double scores =
	    run->tokens * run->base->job.seq_len * run->base->model->heads / run->layout.tp;

	return 2 * flops / plain +
	       scores * training_constants.preflash_score_bytes / run->base->memory_rate;
}

/* Eager trainers whose loss is fused run norms, rotations and activations fused as well. */
static bool fused(const struct training_run *run)
{
	const struct training *job = &run->base->job;

	return run->stack == &training_constants.stack[STACK_HF] &&
	       (job->fused_loss || job->chunked_loss);
}

/* Bytes that norms, activations and residuals move in a forward pass of one layer. */
static double elementwise_bytes(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double tp = run->layout.tp;
	double sp = run->sequence_parallel ? tp : 1;
	double h = model->hidden;
	double q = model_query_width(model);
	double kv = model_kv_width(model);
	double gated = model->gated_ffn ? 4 : 2;
	double share = (double)run->base->moe_layers / model->layers;
	double f = (1 - share) * model->ffn_hidden +
	           share * (model->experts_active + model->shared_experts) * model->moe_ffn_hidden;
	/* What enters the products: a token goes into each of its experts. */
	double entering =
	    h * (2 - share + share * (model->experts_active + (model->shared_experts > 0)));
	double permuted = share * training_constants.permute_traffic * model->experts_active * h;
	double each = fused(run) ? training_constants.elementwise_fused : run->stack->elementwise;
	double stream = 14 * h / sp + 3 * (q + 2 * kv) / tp + permuted / tp;
	double inner = training_constants.ffn_traffic * gated * f / tp;
	double bytes = 2 * run->tokens * (stream * each + inner);

	if (run->base->frozen)
		bytes += 2 * run->tokens * (4 * h + q + 2 * f) / tp * each;
	if (run->base->job.precision == PRECISION_FP8 || run->base->job.precision == PRECISION_FP4)
		bytes += training_constants.fp8_cast_bytes * run->tokens * (entering + q + f) / tp;
	return bytes;
}

/* Bytes to turn the frozen base of one layer back into 16 bit, each pass. */
static double dequant_bytes(const struct training_run *run)
{
	if (!run->base->frozen || run->base->job.quant_bits >= 16)
		return 0;
	const struct model_params *all = &run->base->params;
	double layer =
	    (all->attention + all->dense_ffn + all->shared_experts + all->routed_experts) /
	    run->base->model->layers / run->layout.tp;

	return (fused(run) ? training_constants.dequant_bytes_fused
	                   : training_constants.dequant_bytes) *
	       layer;
}

static struct layer_time layer_time_of(const struct training_run *run)
{
	const struct training_base *base = run->base;
	double products = ffn_products(run) + attention_products(run);
	double core = attention_core(run);
	double moved = elementwise_bytes(run) / base->memory_rate;
	double dequant = dequant_bytes(run) / base->memory_rate;
	double links = training_split_links(run, core) + training_expert_links(run);
	double back = base->frozen ? 1 : 2;
	double share = (double)base->moe_layers / base->model->layers;
	/* Casting what enters their products doubles the kernels of the experts. */
	bool casts = base->job.precision == PRECISION_FP8 || base->job.precision == PRECISION_FP4;
	double experts = share * training_constants.moe_launch_ms * (casts ? 2 : 1);

	return (struct layer_time){
	    .compute = {products + core,
	                back * products + training_constants.attention_backward * core},
	    .traffic = {moved + dequant, training_constants.elementwise_backward * moved + dequant},
	    .links = {links, links},
	    .launch = (run->stack->launch_ms + experts) * 1e-3,
	};
}

/* Share of the forward pass that recomputation repeats. */
static double repeated(const struct training_run *run)
{
	bool halves = run->stack == &training_constants.stack[STACK_FSDP] ||
	              run->stack == &training_constants.stack[STACK_HF];

	if (run->layout.recompute != RECOMPUTE_SELECTIVE)
		return run->recomputed;
	/* Cheap modules are chosen first where one may choose. */
	return halves ? training_constants.selective_recompute
	              : run->recomputed * training_constants.module_recompute;
}

/*
 * Bytes that the loss moves per token and vocabulary entry, both passes: logits widened to fp32,
 * maximum, difference, exponential, sum, and the gradient on the way back, each a kernel of its own
 * unless they are compiled or fused into one.
 */
static double loss_bytes(const struct training_run *run)
{
	const struct training *job = &run->base->job;

	if (job->fused_loss || job->chunked_loss)
		return training_constants.loss_bytes_fused;
	return run->stack->loss_bytes;
}

/* Head and loss of one micro-batch, both passes. */
static double head_time(const struct training_run *run)
{
	const struct model *model = run->base->model;
	double n = model->vocab / (double)run->layout.tp;
	double forward =
	    product(run, run->base->head_rate, run->tokens, model->hidden, n, run->tokens);
	double passes = run->base->frozen ? 2 : 3;
	double loss = run->tokens * n * loss_bytes(run) / run->base->memory_rate;

	return forward * passes + loss;
}

/* What quantised maps and sharding hooks add to the launches of a layer. */
static double launch_factor(const struct training_run *run)
{
	double factor = 1;

	if (run->base->frozen && run->base->job.quant_bits < 16)
		factor *= training_constants.quantised_launch;
	if (run->layout.sharding >= SHARDING_ZERO3 && run->shards > 1)
		factor *= training_constants.sharded_launch;
	return factor;
}

/* Parameters of one card, with the head and table counted once. */
static double card_params(const struct training_run *run, double *experts)
{
	const struct model_params *all = &run->base->params;
	double tp = run->layout.tp;
	double pp = run->layout.pp;
	double dense = all->attention + all->dense_ffn + all->shared_experts + all->router +
	               all->embedding + all->head;

	*experts = all->routed_experts / run->expert_ways / pp;
	return dense / tp / pp;
}

/*
 * Seconds in which the gradients of one micro-batch are added to those before it: fp32 sums are
 * read and written, in place of the 16-bit gradient that the product already counts; where the sum
 * is a kernel of its own, it reads that gradient again. Sharded gradients travel instead.
 */
static double accumulate_time(const struct training_run *run)
{
	double experts;
	double dense = card_params(run, &experts);
	double bytes =
	    run->stack == &training_constants.stack[STACK_PREFLASH] ? 2 + 4 + 4 : 4 + 4 - 2;

	if (run->base->frozen || run->layout.sharding >= SHARDING_ZERO3)
		return 0;
	return (dense + experts) * bytes / run->base->memory_rate;
}

/* Time of a micro-batch on the fullest stage without its links to other cards' parameters. */
static void micro_time(const struct training_run *run, struct step_time *step)
{
	struct layer_time layer = layer_time_of(run);
	double again = repeated(run);
	double first = 1 + again;
	double compute = layer.compute.forward * first + layer.compute.backward;
	double traffic = layer.traffic.forward * first + layer.traffic.backward;
	double links = layer.links.forward * first + layer.links.backward;
	double gpu = compute + traffic + links;
	double cpu = layer.launch * (1 + again / 3) * launch_factor(run);
	double busy = pow(pow(gpu, 4) + pow(cpu, 4), 0.25);
	double head = head_time(run);
	double handed = training_stage_links(run);
	double summed = accumulate_time(run);
	double full = run->stage_layers * busy + handed + summed;

	step->links = links * run->stage_layers + handed;
	step->traffic = traffic * run->stage_layers + summed;
	if (run->layout.pp == 1) {
		step->micro_s = full + head;
		return;
	}
	double last = run->last_layers * busy + head + handed + summed;

	/* Every micro-batch passes the slowest stage. */
	step->micro_s = fmax(full, last);
}

/* Joins compute with traffic that hides under it in part. */
static double joined(double compute, double traffic, double p)
{
	return pow(pow(compute, p) + pow(traffic, p), 1 / p);
}

/* Sharded weights and gradients travel with every micro-batch; replicas meet once a step. */
static double sharded_time(const struct training_run *run, double dense, double experts,
                           const struct step_time *step)
{
	const struct training_base *base = run->base;
	bool hybrid = run->layout.sharding == SHARDING_HSDP;
	double element = base->frozen ? base->job.quant_bits / 8.0 : 2;
	double moves = base->frozen ? 2 * element : 3 * element;
	double each = hybrid ? training_hybrid_time(run, dense, experts, moves)
	                     : training_parameter_time(run, dense, experts, moves);

	each += training_ring_time(run, base->frozen ? 2 : 3);
	double micro = joined(step->micro_s, each, run->stack->norm);
	double time = run->micro_batches * (micro - step->micro_s);

	if (!hybrid || base->frozen)
		return time;
	/* Replicas on other servers: gradients once a step, there and back in 16 bit. */
	double whole = training_parameter_time(run, dense, experts, 4);

	return time + fmax(0, whole - run->stack->overlap * 0.6 * step->micro_s);
}

/* Whole gradients travel once a step, under the end of the backward pass. */
static double gradient_time(const struct training_run *run, double dense, double experts,
                            const struct step_time *step)
{
	double all = training_parameter_time(run, dense, experts, run->stack->gradient_bytes) +
	             training_ring_time(run, 2);
	/* Interleaved parts end one after the other: all but the last have others to hide under. */
	double parts = run->layout.vpp;
	double ahead = fmin(run->micro_batches, run->layout.pp) - 1;
	double others = ahead * step->micro_s * (parts - 1) / parts;
	double hidden = run->stack->overlap * (0.9 * step->micro_s + 0.5 * step->bubble + others);

	return fmax(0, all - hidden) + 0.1 * fmin(all, hidden);
}

/* Seconds of a step for which parameters and gradients travel and nothing hides it. */
static double data_time(const struct training_run *run, const struct step_time *step)
{
	bool sharded = run->layout.sharding >= SHARDING_ZERO3;
	double experts;
	double dense = card_params(run, &experts);

	if (run->base->frozen) {
		experts = 0;
		if (!sharded)
			dense = run->base->adapter_params / (run->layout.tp * run->layout.pp);
	}
	return sharded ? sharded_time(run, dense, experts, step)
	               : gradient_time(run, dense, experts, step);
}

static void step_time_of(const struct training_run *run, struct step_time *step)
{
	const struct training_base *base = run->base;
	double m = run->micro_batches;
	double pp = run->layout.pp;
	double experts;
	double held = card_params(run, &experts);
	bool sharded = run->layout.sharding >= SHARDING_ZERO1;

	micro_time(run, step);
	step->bubble = step->micro_s * (pp - 1) / run->layout.vpp;
	step->data = data_time(run, step);
	held = sharded ? held / run->shards + experts / run->expert_shards : held + experts;
	if (base->frozen)
		held = base->adapter_params / (run->layout.tp * pp);
	step->fixed = run->stack->step_ms * 1e-3 +
	              held * training_constants.optimizer_bytes / base->memory_rate;
	double servers = ceil((double)base->cards / base->cards_per_server);
	double loss = 1 + training_constants.scaling_loss * log2(fmax(1, servers));

	step->total = (m * step->micro_s + step->bubble + step->data + step->fixed) * loss;
}

/* What holds the step back: the largest of what is not arithmetic, when it is a fifth of it. */
static enum sizing_limit limit_of(const struct training_run *run, const struct step_time *step)
{
	double m = run->micro_batches;
	double links = m * step->links + step->data;
	double traffic = m * step->traffic;
	double most = fmax(fmax(links, step->bubble), traffic);

	if (most < 0.25 * step->total)
		return LIMIT_COMPUTE;
	if (most == links)
		return LIMIT_INTERCONNECT;
	return most == traffic ? LIMIT_MEMORY_BANDWIDTH : LIMIT_PIPELINE;
}

double training_flops_per_token(const struct training *job)
{
	bool frozen = job->method == METHOD_LORA || job->method == METHOD_QLORA;
	double seq_len = job->seq_len > 0 ? job->seq_len : 4096;
	double matrices = model_matrix_params(job->model) * (frozen ? 4 : 6);

	return matrices + 3 * model_attention_flops(job->model, seq_len);
}

void training_speed_of(const struct training_run *run, struct training_speed *speed)
{
	struct step_time step;

	step_time_of(run, &step);
	double tokens = (double)run->micro_batches * run->layout.micro_batch * run->layout.dp *
	                run->base->job.seq_len;
	double peak = run->base->peak_tflops;

	speed->step_s = step.total;
	speed->tokens_per_s_per_card = tokens / step.total / run->base->cards;
	speed->tflops_per_card =
	    speed->tokens_per_s_per_card * training_flops_per_token(&run->base->job) / 1e12;
	speed->mfu = peak > 0 ? speed->tflops_per_card / peak : 0;
	speed->limit = limit_of(run, &step);
}

double training_link_share(const struct training_run *run)
{
	struct step_time step;

	step_time_of(run, &step);
	return (run->micro_batches * step.links + step.data) / step.total;
}
