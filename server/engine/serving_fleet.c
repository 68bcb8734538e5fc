/* serving_fleet.c - layouts of a replica and the fleet for a load; see serving.h. */
#include <math.h>

#include "engine/serving_layout.h"
#include "engine/serving_load.h"

int serving_server_cards(const struct cluster *on)
{
	if (on->cards_per_server > 0)
		return on->cards_per_server;
	return on->card->host_cards > 0 ? on->card->host_cards : 8;
}

/* Heads are whole on each card, or, of keys and values, copied whole. */
static bool divides_heads(const struct model *model, int tp)
{
	if (model->heads % tp != 0)
		return false;
	if (model->attention == ATTENTION_MLA || model->kv_heads <= 0)
		return true;
	return model->kv_heads % tp == 0 || tp % model->kv_heads == 0;
}

bool serving_splits_by_layer(enum engine engine)
{
	return engine == ENGINE_LLAMACPP || engine == ENGINE_TRANSFORMERS;
}

static int add_layouts(const struct serving *job, const struct cluster *on, int cards,
                       struct serving_layout *layouts, int count)
{
	const struct model *model = job->model;
	bool by_layer = serving_splits_by_layer(job->engine);
	int server = by_layer ? 1 : serving_server_cards(on);

	for (int tp = 1; tp <= cards && tp <= server; tp++) {
		if (cards % tp != 0 || !divides_heads(model, tp))
			continue;
		int rest = cards / tp;

		if (rest <= model->layers && count < SERVING_LAYOUTS_MAX)
			layouts[count++] =
			    (struct serving_layout){.tp = tp, .pp = rest, .ep = 1, .dp = 1};
		if (rest > 1 && model->experts > 0 && !by_layer && count < SERVING_LAYOUTS_MAX)
			layouts[count++] =
			    (struct serving_layout){.tp = tp, .pp = 1, .ep = cards, .dp = rest};
	}
	return count;
}

int serving_layouts(const struct serving *job, const struct cluster *on,
                    struct serving_layout *layouts)
{
	if (on->cards > 0)
		return add_layouts(job, on, on->cards, layouts, 0);
	int count = 0;

	for (int cards = 1; cards <= serving_server_cards(on); cards *= 2)
		count = add_layouts(job, on, cards, layouts, count);
	return count;
}

/* Every layout of up to ON's cards: powers of two, and the whole. */
static int fleet_layouts(const struct serving *job, const struct cluster *on,
                         struct serving_layout *layouts)
{
	int most = on->cards > 0 ? on->cards : serving_server_cards(on);
	int count = 0;
	int cards = 1;

	for (; cards < most; cards *= 2)
		count = add_layouts(job, on, cards, layouts, count);
	return add_layouts(job, on, most, layouts, count);
}

/*
 * Replicas for RATE at KNEE each; a hair below a whole number is that number. At most
 * SERVING_REPLICAS_MAX: a fleet of that many is beyond every bound of the planner.
 */
static int replicas_for(double rate, double knee)
{
	double replicas = ceil(rate / knee - 1e-9);

	if (replicas < 1)
		return rate > 0 ? 1 : 0;
	return replicas < SERVING_REPLICAS_MAX ? (int)replicas : SERVING_REPLICAS_MAX;
}

/* The highest multiplier: a profile is meant to peak at 1, but need not. */
static double peak_multiplier(const struct serving *job)
{
	double highest = 0;

	for (int hour = 0; hour < job->profile_hours; hour++)
		if (job->profile[hour] > highest)
			highest = job->profile[hour];
	return highest > 0 ? highest : 1;
}

static void fill_week(const struct serving *job, double peak, struct serving_fleet *fleet)
{
	int period = job->profile_hours > 0 ? job->profile_hours : 1;
	double highest = peak_multiplier(job);
	double requests = 0;
	double before = -1; /* most hours are as busy as the one before */
	int replicas = 0;

	for (int hour = 0, at = 0; hour < 168; hour++, at = at + 1 < period ? at + 1 : 0) {
		double share = job->profile_hours > 0 ? job->profile[at] : 1;
		double rate = peak * share / highest;

		if (rate < before || rate > before)
			replicas = replicas_for(rate, fleet->knee_requests_per_s);
		before = rate;
		fleet->replicas_by_hour[hour] = replicas;
		requests += rate * 3600;
	}
	fleet->output_tokens_per_week = requests * job->output_tokens;
	fleet->input_tokens_per_week = requests * job->input_tokens;
	fleet->cost_basis_output_tokens_per_hour = peak * 3600 * job->output_tokens;
	fleet->cost_basis_input_tokens_per_hour = peak * 3600 * job->input_tokens;
}

struct choice {
	struct serving_layout layout;
	struct serving_capacity capacity; /* of one replica */
	double rate;                      /* of the whole fleet at the peak */
	int replicas;
	int cards;
};

/* One replica's share of the peak. */
static struct serving share_of(const struct serving *job, const struct choice *choice)
{
	struct serving share = *job;

	if (job->requests_per_s > 0) {
		share.concurrency = 0;
		share.requests_per_s = choice->rate / choice->replicas;
	} else {
		share.concurrency = job->concurrency * peak_multiplier(job) / choice->replicas;
	}
	return share;
}

/* Replicas of CHOICE's layout for the peak, by rate or by requests in flight. */
static void count_replicas(const struct serving *job, const struct cluster *on,
                           struct choice *choice)
{
	double peak = peak_multiplier(job);
	const struct serving_layout *layout = &choice->layout;

	if (job->requests_per_s > 0) {
		choice->rate = job->requests_per_s * peak;
		choice->replicas = replicas_for(choice->rate, choice->capacity.rate);
	} else {
		choice->replicas = replicas_for(job->concurrency * peak, choice->capacity.requests);
	}
	choice->replicas = choice->replicas > 0 ? choice->replicas : 1;
	choice->cards =
	    (choice->replicas + job->spare_replicas) * layout->tp * layout->pp * layout->dp;
	if (job->requests_per_s > 0)
		return;
	struct serving share = share_of(job, choice);
	struct serving_size size;

	serving_size_layout(&share, on, layout, &size);
	choice->rate = size.speed.requests_per_s * choice->replicas;
}

static bool fewer(const struct choice *a, const struct choice *b)
{
	if (a->cards != b->cards)
		return a->cards < b->cards;
	return a->capacity.rate * a->replicas > b->capacity.rate * b->replicas;
}

/*
 * The rate that a replica of LAYOUT must bear to need no more cards than BEST; the hair keeps what
 * needs just as many. 0 without a rate to serve.
 */
static double rate_to_match(const struct serving *job, const struct serving_layout *layout,
                            const struct choice *best)
{
	int replicas = best->cards / (layout->tp * layout->pp * layout->dp) - job->spare_replicas;

	if (job->requests_per_s <= 0)
		return 0;
	return replicas < 1 ? INFINITY : best->rate / replicas * (1 - 1e-6);
}

static bool is_known(const struct serving_layout_known *at, double least)
{
	return at->tried && (at->capacity.rate > 0 || at->below <= least);
}

/* The choice with the fewest cards, spares counted; false when no layout keeps the limits. */
static bool choose(const struct serving *job, const struct cluster *on, struct serving_known *known,
                   struct choice *best)
{
	struct serving_layout layouts[SERVING_LAYOUTS_MAX];
	int count = fleet_layouts(job, on, layouts);
	bool found = false;

	for (int i = 0; i < count; i++) {
		struct choice next = {.layout = layouts[i]};
		double least = found ? rate_to_match(job, &layouts[i], best) : 0;

		if (!is_known(&known->layouts[i], least)) {
			known->layouts[i] = (struct serving_layout_known){
			    .tried = true,
			    .capacity = serving_layout_capacity(job, on, &layouts[i], least),
			    .below = least,
			};
			known->changes++;
		}
		next.capacity = known->layouts[i].capacity;
		if (next.capacity.rate <= 0)
			continue;
		count_replicas(job, on, &next);
		if (!found || fewer(&next, best))
			*best = next;
		found = true;
	}
	return found;
}

/* Why there is no fleet: memory, or the limits; the layout nearest to the goal is shown. */
static void fill_impossible(const struct serving *job, const struct cluster *on,
                            struct serving_fleet *fleet)
{
	struct cluster most = *on;
	struct serving alone = *job;

	most.cards = on->cards > 0 ? on->cards : serving_server_cards(on);
	alone.concurrency = 1;
	alone.requests_per_s = 0;
	serving_size(&alone, &most, NULL, &fleet->replica);
	if (!fleet->replica.fits || fleet->replica.status == STATUS_UNKNOWN)
		return;
	const struct serving_speed *speed = &fleet->replica.speed;
	double ttft = serving_at_percentile(&speed->ttft, job->percentile);
	double tpot = serving_at_percentile(&speed->tpot, job->percentile);
	bool is_ttft = job->ttft_ms > 0 && ttft > job->ttft_ms;
	double best = is_ttft ? ttft : tpot;
	double limit = is_ttft ? job->ttft_ms : job->tpot_ms;

	note_add(&fleet->replica.warnings, NOTE_LIMIT_MISSED, best, limit,
	         is_ttft ? "ttft_ms" : "tpot_ms");
	if (limit > 0 && best > limit)
		fleet->missed_ms = best - limit;
}

void serving_fleet(const struct serving *job, const struct cluster *on, struct serving_known *known,
                   struct serving_fleet *fleet)
{
	struct choice best;

	*fleet = (struct serving_fleet){0};
	if (!choose(job, on, known, &best)) {
		fill_impossible(job, on, fleet);
		return;
	}
	struct serving share = share_of(job, &best);

	fleet->possible = true;
	fleet->replicas = best.replicas;
	fleet->spares = job->spare_replicas;
	fleet->cards = best.cards;
	fleet->knee_requests_per_s = best.capacity.rate;
	serving_size_layout(&share, on, &best.layout, &fleet->replica);
	note_add(&fleet->replica.assumed, NOTE_ASSUMED_LAYOUT, 0, 0, NULL);
	fill_week(job, best.rate, fleet);
}
