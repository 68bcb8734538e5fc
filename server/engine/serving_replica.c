/* serving_replica.c - see serving_replica.h. */
#include "engine/serving_replica.h"

#include <math.h>
#include <string.h>

#include "engine/model_math.h"

#define GIB 1073741824.0

static double max(double a, double b)
{
	return a > b ? a : b;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

/* Bytes per parameter of a quantised matrix with its scales and zero points. */
static double format_bytes(enum weight_format format)
{
	switch (format) {
	case WEIGHTS_UNSET:
	case WEIGHTS_BF16:
		return 2;
	case WEIGHTS_FP8: /* one fp32 scale per 128 x 128 block, or per channel */
		return 1.0003;
	case WEIGHTS_INT8:
		return 1.003;
	case WEIGHTS_INT4: /* groups of 128: 16-bit scale, 4-bit zero */
	case WEIGHTS_AWQ:
	case WEIGHTS_GPTQ:
		return 4.156 / 8;
	case WEIGHTS_NF4: /* double quantisation, Dettmers et al. 2023: 0.127 bit */
		return 4.127 / 8;
	case WEIGHTS_NVFP4: /* groups of 16 with an 8-bit scale */
		return 4.5 / 8;
	case WEIGHTS_MXFP4: /* groups of 32 with an 8-bit scale */
		return 4.25 / 8;
	case WEIGHTS_W4A8:
		return 4.156 / 8;
	case WEIGHTS_Q4_K_M: /* llama.cpp's mix of 4.5 and 6.56 bits */
		return 4.85 / 8;
	case WEIGHTS_Q8_0: /* groups of 32 with a 16-bit scale */
		return 8.5 / 8;
	}
	return 2;
}

/* GGUF files quantise embedding and head too. */
static bool quantises_vocabulary(enum weight_format format)
{
	return format == WEIGHTS_Q4_K_M || format == WEIGHTS_Q8_0;
}

/* Bytes per parameter of what is not a routed expert: mixtures of experts keep it at 16 bit beside
 * 4-bit floating experts, and at 8 bit beside w4a8 ones. */
static double dense_format_bytes(enum weight_format format, const struct model *model)
{
	if (model->experts == 0)
		return format_bytes(format);
	if (format == WEIGHTS_MXFP4 || format == WEIGHTS_NVFP4)
		return 2;
	return format == WEIGHTS_W4A8 ? format_bytes(WEIGHTS_INT8) : format_bytes(format);
}

/* Bytes of each class of tensor. */
struct weight_bytes {
	double embedding;
	double head;   /* read in each pass; no second copy when tied */
	double dense;  /* attention, feed-forward, router, norms */
	double shared; /* experts that every token passes */
	double experts;
};

static struct weight_bytes weight_bytes_of(const struct model *model, enum weight_format format)
{
	struct model_params params = model_params(model);
	double quantised = format_bytes(format);
	double vocabulary = quantises_vocabulary(format) ? quantised : 2;
	double dense = dense_format_bytes(format, model);

	return (struct weight_bytes){
	    .embedding = params.embedding * vocabulary,
	    .head = params.head * vocabulary,
	    .dense =
		(params.attention + params.dense_ffn) * dense + (params.router + params.norms) * 2,
	    .shared = params.shared_experts * dense,
	    .experts = params.routed_experts * quantised,
	};
}

double serving_weights_gib(const struct model *model, enum weight_format weights)
{
	struct weight_bytes bytes = weight_bytes_of(model, weights);

	return (bytes.embedding + bytes.head + bytes.dense + bytes.shared + bytes.experts) / GIB;
}

static double kv_element_bytes(enum kv_format kv)
{
	switch (kv) {
	case KV_UNSET:
	case KV_BF16:
		return 2;
	case KV_FP8:
	case KV_INT8:
		return 1;
	case KV_INT4: /* with scales */
		return 0.5625;
	}
	return 2;
}

/* Elements of K and V of one token in one softmax-attention layer on one of TP cards. */
static double kv_layer_elements(const struct model *model, int tp)
{
	if (model->attention == ATTENTION_MLA)
		return model->mla_kv_lora + model->mla_rope;
	return 2 * max((double)model->kv_heads / tp, 1) * model->head_dim;
}

static int kv_layers(const struct model *model)
{
	return model->attention == ATTENTION_HYBRID ? model->full_layers : model->layers;
}

static int windowed_layers(const struct model *model)
{
	return model->sliding_window > 0 ? model->window_layers : 0;
}

double serving_kv_bytes_per_token(const struct model *model, enum kv_format kv, int tp)
{
	int cards = tp > 0 ? tp : 1;

	return kv_layers(model) * kv_layer_elements(model, cards) * kv_element_bytes(kv) * cards;
}

/* Recurrent state of the linear layers: fp32 key x value per head, and the short convolution. */
static double linear_state_bytes(const struct model *model)
{
	if (model->attention != ATTENTION_HYBRID)
		return 0;
	double state =
	    (double)model->linear_value_heads * model->linear_value_dim * model->linear_key_dim;
	double convolution = 3.0 * (2.0 * model->linear_key_heads * model->linear_key_dim +
	                            (double)model->linear_value_heads * model->linear_value_dim);

	return model->linear_layers * (4 * state + 2 * convolution);
}

/*
 * TFLOP/s of llama.cpp's products. 16-bit ones accumulate in 16 bit, which a GeForce does at twice
 * the rate of its sheet; quantised ones run on the int8 units, unpacking as they go: 0.22 of them
 * (prompt rates on ten cards from RTX 3090 to H100 lie within a fifth of it).
 */
static double llamacpp_tflops(const struct card *card, enum weight_format format)
{
	bool geforce = strstr(card->name, "GeForce") != NULL;

	if (format == WEIGHTS_BF16 || card->int8_tops <= 0)
		return card->fp16_tflops * (geforce ? 2 : 1);
	return card->int8_tops * 0.22;
}

/* TFLOP/s of kernels that unpack weights to 16 bit as they go. Unpacking takes turns with the
 * products, and their instructions are Ampere's: a Hopper or Blackwell is not used in full. */
#define WEIGHT_ONLY_TFLOPS 600.0

static double unpacking_tflops(const struct card *card)
{
	return min(card->fp16_tflops * serving_shared.unpacking_share, WEIGHT_ONLY_TFLOPS);
}

/* TFLOP/s of CARD for matrices of weights in FORMAT: engines compute in 16 bit otherwise. */
static double compute_tflops(const struct card *card, enum weight_format format)
{
	double half = card->fp16_tflops;

	switch (format) {
	case WEIGHTS_FP8:
		return card->fp8_tflops > 0 ? card->fp8_tflops : unpacking_tflops(card);
	case WEIGHTS_INT8:
		return card->int8_tops > half ? card->int8_tops : half;
	case WEIGHTS_W4A8:
		return max(max(card->fp8_tflops, card->int8_tops), half) *
		       serving_shared.unpacking_share;
	case WEIGHTS_NVFP4:
	case WEIGHTS_MXFP4:
		return card->fp4_tflops > 0 ? card->fp4_tflops : unpacking_tflops(card);
	case WEIGHTS_INT4:
	case WEIGHTS_AWQ:
	case WEIGHTS_GPTQ:
	case WEIGHTS_NF4:
		return unpacking_tflops(card);
	case WEIGHTS_UNSET:
	case WEIGHTS_BF16:
	case WEIGHTS_Q4_K_M:
	case WEIGHTS_Q8_0:
		return half;
	}
	return half;
}

static void fill_weights(struct replica *replica)
{
	const struct model *model = replica->job->model;
	struct model_params params = model_params(model);
	struct weight_bytes bytes = weight_bytes_of(model, replica->weights);
	double tp = replica->layout.tp;
	double all = tp * replica->layout.dp;
	double routed = params.routed_experts;
	double active = model->experts > 0 ? routed * model->experts_active / model->experts : 0;
	double vocabulary = (double)model->vocab * model->hidden;

	/* Ranks with their own attention each hold the shared experts whole. */
	replica->dense_bytes = bytes.dense / tp + bytes.shared / (replica->layout.dp > 1 ? 1 : tp);
	replica->expert_bytes = bytes.experts / all;
	/* MXFP4 experts never had those kernels. */
	replica->expert_share =
	    replica->weights == WEIGHTS_MXFP4
		? 1
		: serving_expert_share(replica->profile, replica->job->engine_version);
	replica->head_bytes = (model->tied_embeddings ? bytes.embedding : bytes.head) / tp;
	replica->dense_flops =
	    2 * (params.attention + params.dense_ffn + params.shared_experts + params.router) / all;
	replica->expert_flops = 2 * active / all;
	replica->head_flops = 2 * vocabulary / all;
}

static void fill_attention(struct replica *replica)
{
	const struct model *model = replica->job->model;
	int tp = replica->layout.tp;
	int windowed = windowed_layers(model);
	int all = kv_layers(model);
	double heads = (double)model->heads / tp;
	double layer = kv_layer_elements(model, tp) * kv_element_bytes(replica->kv);
	double pair = 4 * heads * model->head_dim;

	if (model->attention == ATTENTION_MLA) {
		pair = 2 * heads * (model->mla_nope + model->mla_rope + model->mla_v);
		replica->mla_decode_flops =
		    all * 2 * heads * (2.0 * model->mla_kv_lora + model->mla_rope);
	}
	replica->kv_token_bytes = all * layer;
	replica->kv_full_bytes = (all - windowed) * layer;
	replica->state_bytes = linear_state_bytes(model) / tp;
	replica->pair_flops = (all - windowed) * pair;
	replica->windowed_flops = windowed * pair;
}

static enum kv_format kv_format_of(const struct serving *job, enum serving_profile profile)
{
	if (job->kv_cache != KV_UNSET)
		return job->kv_cache;
	bool trtllm = profile == PROFILE_TRTLLM || profile == PROFILE_TRTLLM_CPP;
	bool floating = job->weights == WEIGHTS_FP8 || job->weights == WEIGHTS_NVFP4;

	/* ModelOpt checkpoints in fp8 and nvfp4 carry an fp8 cache. */
	return trtllm && floating ? KV_FP8 : KV_BF16;
}

void replica_make(const struct serving *job, const struct cluster *on,
                  const struct serving_layout *layout, struct replica *replica)
{
	const struct card *card = on->card;
	enum serving_profile profile = serving_profile_of(job->engine, job->engine_version);

	*replica = (struct replica){
	    .job = job,
	    .on = on,
	    .constants = &serving_constants_table[profile],
	    .profile = profile,
	    .layout = *layout,
	    .weights = job->weights == WEIGHTS_UNSET ? WEIGHTS_BF16 : job->weights,
	    .kv = kv_format_of(job, profile),
	    .link = serving_link_of(on, layout->tp * layout->dp),
	    .bytes_per_ms = card->bandwidth_gbs * 1e6 * serving_reach(card),
	    .half_flops_per_ms = card->fp16_tflops * 1e9 * serving_gemm_share(card),
	};
	replica->attention_flops_per_ms =
	    serving_attention_tflops(card, replica->constants->attention) * 1e9;
	double tflops = profile == PROFILE_LLAMACPP ? llamacpp_tflops(card, replica->weights)
	                                            : compute_tflops(card, replica->weights);

	replica->flops_per_ms = tflops * 1e9 * serving_gemm_share(card);
	fill_weights(replica);
	fill_attention(replica);
}

double replica_sequence_bytes(const struct replica *replica, double tokens)
{
	double window = replica->job->model->sliding_window;
	double kept = window > 0 ? min(tokens, window) : tokens;

	return replica->kv_full_bytes * tokens +
	       (replica->kv_token_bytes - replica->kv_full_bytes) * kept + replica->state_bytes;
}

double replica_read_bytes(const struct replica *replica, double tokens)
{
	const struct model *model = replica->job->model;
	double window = model->sliding_window > 0 ? min(tokens, model->sliding_window) : tokens;
	double chosen = model->sparse_topk > 0 ? min(tokens, model->sparse_topk) : tokens;

	/* The recurrent state is read and written back. */
	return replica->kv_full_bytes * chosen +
	       (replica->kv_token_bytes - replica->kv_full_bytes) * window +
	       2 * replica->state_bytes;
}

/* Memory of one processor as the engine's rank sees it. */
static double rank_gib(const struct card *card)
{
	return card_usable_gib(card) / serving_dies(card);
}

/* As vLLM tells: 70 GiB and no A100. */
static bool is_large(const struct replica *replica)
{
	const struct card *card = replica->on->card;

	return rank_gib(card) >= 70 && strcmp(card->architecture, "Ampere") != 0;
}

double replica_max_sequences(const struct replica *replica)
{
	const struct serving_constants *c = replica->constants;
	double most = is_large(replica) ? c->sequences_large : c->sequences;

	return most * replica->layout.dp;
}

double replica_chunk(const struct replica *replica)
{
	const struct serving_constants *c = replica->constants;

	return is_large(replica) ? c->chunk_large : c->chunk;
}

bool replica_prompts_first(const struct replica *replica)
{
	return replica->profile == PROFILE_SGLANG || replica->profile == PROFILE_SGLANG_04;
}

static bool on_demand(const struct replica *replica)
{
	return serving_kv_rules[replica->profile] == KV_ON_DEMAND;
}

/* Sequences that buffers are made for: all the engine admits, or those that there are. */
static double provided_sequences(const struct replica *replica)
{
	double most = replica_max_sequences(replica) / replica->layout.dp;
	double asked = replica->job->concurrency > 0 ? replica->job->concurrency : 1;

	return on_demand(replica) ? min(asked, most) : min(most, 1024);
}

/* GiB of one pre-fill step's live tensors: the widest moment of a layer, 16 bit. */
static double activation_gib(const struct replica *replica)
{
	const struct model *model = replica->job->model;
	double tp = replica->layout.tp;
	double tokens =
	    min(replica_chunk(replica), replica->job->input_tokens * provided_sequences(replica));
	double dense = 3.0 * model->ffn_hidden / tp;
	double routed = model->experts_active * (3.0 * model->moe_ffn_hidden / tp + model->hidden);

	return tokens * 2 * (4.0 * model->hidden + max(dense, routed)) / GIB;
}

/* GiB of logits: the sampler's, or of the whole prompt in 16 bit and in fp32. */
static double logits_gib(const struct replica *replica)
{
	const struct serving *job = replica->job;
	double rows = provided_sequences(replica);
	double bytes = serving_sampler_bytes(replica->profile, job->engine_version);

	if (serving_keeps_prompt_logits(replica->profile, job->engine_version)) {
		rows *= job->input_tokens;
		bytes = 6;
	}
	return rows * job->model->vocab * bytes / GIB;
}

/* GiB of communication buffers: NVLink's symmetric memory grows with the group. */
static double communicator_gib(const struct replica *replica)
{
	double cards = (double)replica->layout.tp * replica->layout.dp * replica->layout.pp;

	if (cards <= 1)
		return 0;
	return replica->constants->communicator_gib * (replica->link.pcie ? 1 : cards);
}

static double usable_gib(const struct replica *replica)
{
	const struct card *card = replica->on->card;

	/* A process sees less than nvidia-smi prints: driver and page tables; an Ascend reserves
	 * more (60.8 of 64 GiB in the logs of SGLang's tests on a 910C). */
	return rank_gib(card) - (serving_is_ascend(card) ? 2.9 : 0.45);
}

/* GiB of the up-projections of latent attention that engines keep a second time, in 16 bit, to fold
 * them into queries and outputs of decode steps (DeepSeek-V2, arXiv:2405.04434, section 2.1.2). */
static double absorbed_gib(const struct replica *replica)
{
	const struct model *model = replica->job->model;
	double heads = (double)model->heads / replica->layout.tp;

	if (model->attention != ATTENTION_MLA)
		return 0;
	return 2.0 * model->layers * model->mla_kv_lora * heads * (model->mla_nope + model->mla_v) /
	       GIB;
}

static double stored_weights_gib(const struct replica *replica)
{
	struct weight_bytes bytes = weight_bytes_of(replica->job->model, replica->weights);
	double tp = replica->layout.tp;
	double stage = replica->layout.pp;
	double embedding = bytes.embedding / (replica->layout.dp > 1 ? 1 : tp);
	double vocabulary = embedding + bytes.head / tp;

	/* The first stage holds the embedding, the last the head; the fuller one has the larger. */
	if (stage > 1)
		vocabulary = max(embedding, bytes.head / tp);
	/* Beside the checkpoint: rotary tables and quantisation workspaces. */
	return (replica->dense_bytes / stage + replica->expert_bytes / stage + vocabulary) / GIB +
	       absorbed_gib(replica) / stage + 0.05;
}

double replica_memory_share(const struct replica *replica)
{
	const struct serving *job = replica->job;

	if (job->gpu_memory_utilization > 0)
		return job->gpu_memory_utilization;
	/* SGLang leaves 1.5 MiB per token of its chunk and a margin for graphs. */
	if (serving_kv_rules[replica->profile] == KV_STATIC_SHARE)
		return 1 - (replica_chunk(replica) * 1.5 / 1024 + 1.5) / usable_gib(replica);
	return serving_memory_share(replica->profile, job->engine_version);
}

void replica_memory(const struct replica *replica, struct memory_size *memory, double *kv_room)
{
	const struct serving_constants *c = replica->constants;
	struct memory_parts parts = {.weights = stored_weights_gib(replica)};
	double total = usable_gib(replica);
	double share = replica_memory_share(replica);
	double room = 0;

	parts.activations = activation_gib(replica);
	parts.logits = logits_gib(replica);
	parts.overhead = c->overhead_gib + c->graph_gib + communicator_gib(replica);
	double other = parts.activations + parts.logits + parts.overhead;

	switch (serving_kv_rules[replica->profile]) {
	case KV_SHARE_OF_TOTAL: /* CUDA graphs are captured outside the share */
		room = total * share - parts.weights - (other - c->graph_gib);
		break;
	case KV_STATIC_SHARE:
		room = min(total * share - parts.weights, total - parts.weights - other);
		break;
	case KV_SHARE_OF_FREE:
		room = (total - parts.weights - c->overhead_gib) * share;
		break;
	case KV_ON_DEMAND:
		room = total * share - parts.weights - other;
		break;
	}
	*kv_room = max(room, 0) * GIB * replica->layout.pp;
	parts.kv_cache = max(room, 0);
	memory->parts = parts;
	memory->usable_gib = rank_gib(replica->on->card);
}
