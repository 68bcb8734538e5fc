/* training_links.c - see training_links.h. */
#include "engine/training_links.h"

#include <math.h>

#include "engine/training_run.h"

/* Latency of one hop of a ring, seconds: NVLink and network, Simple protocol (NCCL's tuning.cc). */
#define FAST_HOP_S 3.4e-6
#define NETWORK_HOP_S 14e-6

/* Seconds for BYTES of each card to reach WAYS - 1 peers that stand STRIDE apart. */
static double group_time(const struct training_run *run, double bytes, double ways, double stride)
{
	const struct training_base *base = run->base;

	if (ways <= 1)
		return 0;
	double moved = bytes * (ways - 1) / ways;

	if (ways * stride <= base->fast_domain)
		return moved / base->intra_rate;
	/* Across servers: the card's share of the server's network. */
	return moved / fmin(base->intra_rate, base->inter_rate / base->cards_per_server);
}

/* Share of links' time that compute does not hide; over PCIe copies pass through the host. */
static double exposed_of(const struct training_run *run)
{
	return run->base->nvlink ? run->stack->exposed : 1;
}

double training_split_links(const struct training_run *run, double attention)
{
	const struct model *model = run->base->model;
	double tp = run->layout.tp;
	double activations = 2 * run->tokens * model->hidden;
	double tensor = 4 * group_time(run, activations, tp, 1) * exposed_of(run);
	double kv = 2 * run->tokens * 2 * model_kv_width(model) / tp * (run->layout.cp - 1);
	double ring =
	    run->layout.cp > 1 ? group_time(run, kv * 2, 2, tp * run->layout.cp / 2.0) : 0;

	return tensor + fmax(0, ring - 0.7 * attention);
}

/* Other servers that the K experts of a token lie on, of SERVERS, when spread evenly. */
static double other_servers(double servers, double k)
{
	return servers * (1 - pow(1 - 1 / servers, k)) * (servers - 1) / servers;
}

double training_expert_links(const struct training_run *run)
{
	const struct training_base *base = run->base;
	double ep = run->layout.ep;

	if (ep <= 1)
		return 0;
	double token_bytes = run->tokens / run->layout.tp * base->model->hidden * 2;
	double servers = fmax(1, ep / base->fast_domain);
	double k = base->model->experts_active;
	double remote = servers > 1 ? other_servers(servers, k) : 0;
	double network = token_bytes * remote / (base->inter_rate / base->cards_per_server);
	double inside = token_bytes * fmin(k, ep - 1) / base->intra_rate;
	double share = (double)base->moe_layers / base->model->layers;

	double exposed = base->nvlink ? training_constants.expert_exposed : 1;

	return 2 * share * (network + inside) * exposed;
}

double training_stage_links(const struct training_run *run)
{
	const struct training_base *base = run->base;
	const struct layout *layout = &run->layout;
	double bytes = 2 * run->tokens * base->model->hidden;
	double ranks = (double)layout->tp * layout->cp * layout->dp;

	if (layout->pp == 1)
		return 0;
	/* Each rank sends its part, gathered again on arrival: scattered hand-over came together
	 * with interleaving (Narayanan et al. 2021, section 4.1). */
	if (run->stack != &training_constants.stack[STACK_PREFLASH] || layout->vpp > 1)
		bytes /= layout->tp;
	double rate = ranks * 2 <= base->fast_domain ? base->intra_rate
	                                             : base->inter_rate / base->cards_per_server;

	return 2 * layout->vpp * bytes / rate * exposed_of(run) +
	       layout->vpp * training_constants.handing_ms * 1e-3;
}

double training_parameter_time(const struct training_run *run, double dense, double experts,
                               double each)
{
	const struct training_base *base = run->base;
	const struct layout *layout = &run->layout;
	double ranks = (double)layout->dp * layout->cp;
	double bytes = each * (dense + experts);

	if (ranks <= 1)
		return 0;
	if (ranks * layout->tp <= base->fast_domain)
		return bytes * (ranks - 1) / ranks / base->intra_rate;
	/* Distinct parameters of a fast domain: ranks of one group inside it share a copy. */
	double copies = fmax(1, fmin(ranks, (double)base->fast_domain / layout->tp));
	double spread = fmax(1, fmin(copies, run->expert_shards));
	double distinct = dense / copies + experts / (layout->ep > 1 ? 1 : spread);

	return each * distinct * base->cards_per_server / base->inter_rate +
	       bytes / base->intra_rate;
}

double training_hybrid_time(const struct training_run *run, double dense, double experts,
                            double each)
{
	double spread = fmax(run->shards, run->expert_shards);

	return each * (dense + experts) * (spread - 1) / spread / run->base->intra_rate;
}

double training_ring_time(const struct training_run *run, double passes)
{
	double messages = run->layout.sharding == SHARDING_ZERO3 ? 12 : 1;
	double ranks = (double)run->layout.dp * run->layout.cp;
	double inside = fmax(1, fmin(run->base->fast_domain / run->layout.tp, ranks));
	double server = (inside - 1) * FAST_HOP_S;

	if (run->layout.sharding == SHARDING_HSDP)
		ranks = run->shards;
	double servers = ranks > inside ? ranks / inside : 0;

	return passes * messages * run->stage_layers *
	       (fmax(1, servers) * server + servers * NETWORK_HOP_S);
}
