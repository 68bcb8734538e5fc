/* training_run.c - see training_run.h: from a request to a resolved run. */
#include "engine/training_run.h"

#include <math.h>
#include <string.h>

static double one(double value)
{
	return value > 1 ? value : 1;
}

/* Stack of a silent request, from the layout's habits (see schema/reference/README.md). */
static enum stack stack_of(const struct training *job, const struct layout *layout)
{
	if (job->stack != STACK_UNSET)
		return job->stack;
	bool parallel = (double)one(layout->tp) * one(layout->pp) * one(layout->ep) > 1;
	bool sharded = layout->sharding == SHARDING_FSDP || layout->sharding == SHARDING_HSDP;

	if (job->precision == PRECISION_FP8 || job->precision == PRECISION_FP4)
		return STACK_TUNED;
	if (job->method == METHOD_PRETRAIN)
		return sharded && !parallel ? STACK_FSDP : STACK_TUNED;
	if (parallel)
		return job->method == METHOD_FULL ? STACK_MEGATRON : STACK_TUNED;
	return STACK_HF;
}

static void assume_job(struct training *job, struct notes *assumed)
{
	if (job->seq_len == 0) {
		job->seq_len = 4096;
		note_add(assumed, NOTE_ASSUMED_SEQ_LEN, job->seq_len, 0, NULL);
	}
	if (job->precision == PRECISION_UNSET) {
		job->precision = PRECISION_BF16;
		note_add(assumed, NOTE_ASSUMED_PRECISION, 0, 0, precision_names[job->precision]);
	}
	if (job->optimizer == OPTIMIZER_UNSET) {
		job->optimizer = OPTIMIZER_ADAMW;
		note_add(assumed, NOTE_ASSUMED_OPTIMIZER, 0, 0, optimizer_names[job->optimizer]);
	}
	bool adapters = job->method == METHOD_LORA || job->method == METHOD_QLORA;

	if (adapters && job->lora_rank == 0) {
		job->lora_rank = 16;
		note_add(assumed, NOTE_ASSUMED_LORA_RANK, job->lora_rank, 0, NULL);
	}
	if (job->quant_bits == 0)
		job->quant_bits = job->method == METHOD_QLORA ? 4 : 16;
}

/* Parameters of the adapters beside every linear map of a layer: rank x (in + out) of each. */
static double adapter_params(const struct model *model, int rank)
{
	double h = model->hidden;
	double q = model_query_width(model);
	double kv = model_kv_width(model);
	double f = model->ffn_hidden > 0 ? model->ffn_hidden : model->moe_ffn_hidden;
	double matrices = model->gated_ffn ? 3 : 2;

	return rank * model->layers * (2 * (h + q) + 2 * (h + kv) + matrices * (h + f));
}

/* One-way bytes/s of a PCIe slot: 0.985 GB/s a lane of the third generation, doubling since. */
static double pcie_rate(const struct card *card)
{
	int generation = card->pcie_gen > 0 ? card->pcie_gen : 4;
	int lanes = card->pcie_lanes > 0 ? card->pcie_lanes : 16;

	return 0.985e9 * lanes * pow(2, generation - 3);
}

/*
 * Gb/s of a server whose network is not stated. Cards with a fast link of their own stand in
 * servers with a port for each: 400G since Hopper, 200G on Ampere. Servers of PCIe cards: one 200G
 * port where InfiniBand or RoCE is named, else ordinary Ethernet.
 */
static double usual_network(const struct cluster *on, bool has_link, int cards_per_server)
{
	if (has_link)
		return (on->card->launch_year >= 2022 ? 400 : 200) * (double)cards_per_server;
	return on->inter_link == INTER_IB || on->inter_link == INTER_ROCE ? 200 : 25;
}

static void resolve_links(const struct cluster *on, struct training_base *base,
                          struct notes *assumed)
{
	const struct card *card = base->card;
	bool has_link = card->link_gbs_bidir > 0 && card->link_kind != CARD_LINK_PCIE &&
	                card->link_kind != CARD_LINK_BRIDGE;

	base->nvlink = on->intra_link == INTRA_NVLINK ? card->link_gbs_bidir > 0
	                                              : on->intra_link == INTRA_UNKNOWN && has_link;
	if (on->intra_link == INTRA_UNKNOWN && base->cards > 1)
		note_add(assumed, NOTE_ASSUMED_INTRA_LINK, 0, 0,
		         intra_link_names[base->nvlink ? INTRA_NVLINK : INTRA_PCIE]);
	base->intra_rate = base->nvlink ? card->link_gbs_bidir / 2 * 1e9 * training_constants.nvlink
	                                : pcie_rate(card) * training_constants.pcie;
	base->fast_domain = base->cards_per_server;
	if (base->nvlink && card->host_cards > base->cards_per_server && card->host_cards >= 32)
		base->fast_domain = card->host_cards;

	enum inter_link usual = has_link ? INTER_IB : INTER_ETHERNET;
	enum inter_link link = on->inter_link == INTER_UNKNOWN ? usual : on->inter_link;
	double gbps = on->inter_gbps;

	if (gbps <= 0) {
		gbps = usual_network(on, has_link, base->cards_per_server);
		if (base->cards > base->cards_per_server)
			note_add(assumed, NOTE_ASSUMED_INTER_LINK, gbps, 0, inter_link_names[link]);
	}
	base->inter_rate = gbps / 8 * 1e9 * training_constants.nic;
	if (link == INTER_ETHERNET && !has_link)
		base->inter_rate *= 0.6; /* TCP, no RDMA */
}

/* Dense peak of CARD at PRECISION, TFLOP/s; 0 = the card lacks it. */
static double peak_tflops(const struct card *card, enum precision precision)
{
	switch (precision) {
	case PRECISION_FP8:
		return card->fp8_tflops;
	case PRECISION_FP4:
		return card->fp4_tflops;
	case PRECISION_FP32:
		return card->tf32_tflops > 0 ? card->tf32_tflops : card->fp32_tflops;
	case PRECISION_UNSET:
	case PRECISION_BF16:
	case PRECISION_FP16:
		return card->fp16_tflops;
	}
	return 0;
}

static double measured_share(const struct card_constants *rates, enum precision precision)
{
	if (precision == PRECISION_FP8)
		return rates->fp8;
	if (precision == PRECISION_FP4)
		return rates->fp4;
	return rates->bf16;
}

void training_base_of(const struct training *job, const struct cluster *on,
                      struct training_base *base, struct notes *assumed)
{
	memset(base, 0, sizeof *base);
	base->job = *job;
	assume_job(&base->job, assumed);
	base->model = job->model;
	base->card = on->card;
	base->rates = training_card(on->card);
	base->params = model_params(job->model);
	base->moe_layers = model_moe_layers(job->model);
	base->frozen = job->method == METHOD_LORA || job->method == METHOD_QLORA;
	if (base->frozen)
		base->adapter_params = adapter_params(job->model, base->job.lora_rank);
	base->attention_flops =
	    model_attention_flops(job->model, base->job.seq_len) / job->model->layers;
	enum precision precision = base->job.precision;

	base->peak_tflops = peak_tflops(on->card, precision);
	base->matmul_rate = base->peak_tflops * 1e12 * measured_share(base->rates, precision);
	/* Head and attention stay in 16 bit under 8 and 4, and are as wide as the rest under 32. */
	double wide = precision == PRECISION_FP32 ? base->peak_tflops : on->card->fp16_tflops;

	base->head_rate = wide * 1e12 * base->rates->bf16;
	base->attention_rate = wide * 1e12 * base->rates->attention;
	base->memory_rate = on->card->bandwidth_gbs * 1e9;
	base->usable_gib = card_usable_gib(on->card);
	base->cards = on->cards > 0 ? on->cards : 1;
	base->cards_per_server = on->cards_per_server;
	if (base->cards_per_server <= 0) {
		int host = on->card->host_cards > 0 ? on->card->host_cards : 8;
		base->cards_per_server = host >= 32 ? 4 : host; /* a rack: 4 cards a tray */
		if (base->cards > 1)
			note_add(assumed, NOTE_ASSUMED_CARDS_PER_SERVER, base->cards_per_server, 0,
			         NULL);
	}
	resolve_links(on, base, assumed);
}

int training_usual_vpp(int stage_layers)
{
	for (int v = 6; v > 1; v--)
		if (stage_layers % v == 0)
			return v;
	return 1;
}

/* Whether STACK can recompute some layers or modules and not others. */
static bool recomputes_by_need(const struct stack_constants *stack)
{
	return stack == &training_constants.stack[STACK_TUNED] ||
	       stack == &training_constants.stack[STACK_MEGATRON] ||
	       stack == &training_constants.stack[STACK_NEUTRAL];
}

/* What the stack does when not told, less where it may choose, more until the memory holds it. */
static void assume_recompute(struct training_run *run)
{
	struct layout *layout = &run->layout;
	struct memory_size memory;
	bool sharded = layout->sharding >= SHARDING_ZERO3;
	enum recompute usual = sharded ? run->stack->recompute_sharded : run->stack->recompute;
	/* Compiled code keeps what there is room for. */
	enum recompute tried = usual == RECOMPUTE_SELECTIVE ? RECOMPUTE_NONE : usual;

	for (; tried <= usual; tried++) {
		layout->recompute = tried;
		training_memory(run, &memory);
		if (training_fits(&memory))
			return;
	}
	layout->recompute = RECOMPUTE_FULL;
	if (recomputes_by_need(run->stack) && training_recompute_needed(*run) < 1)
		layout->recompute = RECOMPUTE_SELECTIVE;
}

/* Megatron's code splits the sequence only when told: taken as told where the memory asks it. */
static bool splits_sequence(const struct training_run *run)
{
	struct memory_size memory;

	if (run->layout.tp == 1)
		return false;
	/* Selective recomputation came together with it (Korthikanti et al. 2022). */
	if (run->stack == &training_constants.stack[STACK_PREFLASH])
		return run->layout.recompute == RECOMPUTE_SELECTIVE;
	if (run->stack != &training_constants.stack[STACK_MEGATRON])
		return true;
	struct training_run whole = *run;

	whole.recomputed = whole.layout.recompute == RECOMPUTE_FULL;
	training_memory(&whole, &memory);
	return !training_fits(&memory);
}

static void resolve_recompute(struct training_run *run)
{
	run->recomputed = 0;
	run->sequence_parallel = splits_sequence(run);
	if (run->layout.recompute == RECOMPUTE_UNSET)
		assume_recompute(run);
	if (run->layout.recompute == RECOMPUTE_FULL)
		run->recomputed = 1;
	else if (run->layout.recompute == RECOMPUTE_SELECTIVE && recomputes_by_need(run->stack))
		run->recomputed = fmin(1, training_recompute_needed(*run));
}

static bool is_legal(const struct training_run *run)
{
	const struct layout *layout = &run->layout;
	const struct model *model = run->base->model;

	if (layout->tp * layout->pp * layout->cp * layout->dp != run->base->cards)
		return false;
	if (layout->pp > model->layers)
		return false;
	if (layout->ep > 1 && (model->experts == 0 || model->experts % layout->ep != 0 ||
	                       (layout->tp * layout->cp * layout->dp) % layout->ep != 0))
		return false;
	return layout->tp == 1 || model->heads % layout->tp == 0;
}

/* Over how many cards each kind of state is divided. */
static void count_shards(struct training_run *run)
{
	const struct layout *layout = &run->layout;
	double ranks = (double)layout->dp * layout->cp;

	run->expert_ways = layout->ep > 1 ? layout->ep : layout->tp;
	run->shards = ranks;
	run->expert_shards = ranks * layout->tp / run->expert_ways;
	if (layout->sharding == SHARDING_HSDP) {
		double inside = one((double)run->base->fast_domain / layout->tp);
		run->shards = fmin(run->shards, inside);
		run->expert_shards = fmin(run->expert_shards, inside);
	}
	if (layout->sharding == SHARDING_NONE)
		run->shards = run->expert_shards = 1;
}

/* Adapters are small: PyTorch trainers replicate the base while it fits a card. */
static void assume_sharding(struct training_run *run)
{
	struct layout *layout = &run->layout;
	bool modules = run->stack == &training_constants.stack[STACK_HF];
	struct memory_size memory;

	if (layout->sharding != SHARDING_UNSET)
		return;
	layout->sharding = run->stack->sharding;
	if (layout->dp * layout->cp == 1 && run->base->frozen)
		layout->sharding = SHARDING_NONE;
	if (!modules || !run->base->frozen || layout->dp * layout->cp == 1)
		return;
	struct training_run replicated = *run;

	replicated.layout.sharding = SHARDING_NONE;
	count_shards(&replicated);
	replicated.recomputed = replicated.layout.recompute != RECOMPUTE_NONE;
	training_memory(&replicated, &memory);
	if (training_fits(&memory))
		layout->sharding = SHARDING_NONE;
}

/* Degrees that were not said are 1, data parallelism takes the rest of the cards. */
static void assume_degrees(struct training_run *run)
{
	struct layout *layout = &run->layout;

	layout->tp = layout->tp > 0 ? layout->tp : 1;
	layout->pp = layout->pp > 0 ? layout->pp : 1;
	layout->cp = layout->cp > 0 ? layout->cp : 1;
	layout->ep = layout->ep > 0 ? layout->ep : 1;
	if (layout->dp <= 0)
		layout->dp = run->base->cards / (layout->tp * layout->pp * layout->cp);
}

/* Layers by stage: the first stages take what does not divide, the last one what is left. */
static void split_layers(struct training_run *run)
{
	struct layout *layout = &run->layout;
	int layers = run->base->model->layers;
	bool tuned = run->stack == &training_constants.stack[STACK_TUNED];

	run->stage_layers = (layers + layout->pp - 1) / layout->pp;
	int rest = layers - run->stage_layers * (layout->pp - 1);

	run->last_layers = rest > 0 ? rest : layers / layout->pp;
	if (layout->vpp <= 0)
		layout->vpp = layout->pp > 1 && tuned ? training_usual_vpp(run->stage_layers) : 1;
}

static void split_batch(struct training_run *run)
{
	struct layout *layout = &run->layout;

	if (layout->micro_batch <= 0)
		layout->micro_batch = 1;
	double at_once = (double)layout->micro_batch * layout->dp;

	if (layout->global_batch <= 0)
		layout->global_batch = (int)at_once * (layout->pp > 1 ? 8 * layout->pp : 1);
	run->micro_batches = (int)one(ceil(layout->global_batch / at_once - 1e-9));
	run->tokens = (double)layout->micro_batch * run->base->job.seq_len / layout->cp;
}

bool training_run_of(const struct training_base *base, const struct layout *layout,
                     struct training_run *run)
{
	*run = (struct training_run){.base = base, .layout = *layout};
	run->stack = &training_constants.stack[stack_of(&base->job, layout)];
	assume_degrees(run);
	if (run->layout.dp <= 0 || !is_legal(run))
		return false;
	split_layers(run);
	split_batch(run);
	assume_sharding(run);
	count_shards(run);
	resolve_recompute(run);
	return true;
}
