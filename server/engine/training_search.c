/* training_search.c - see training.h: which layout, and how many cards. */
#include <math.h>

#include "engine/training_run.h"

struct search {
	struct training_base base;
	int global_batch;
	bool batch_given;
	enum stack stack;
	bool found; /* one that fits */
	double best;
	struct layout layout; /* the best, or the nearest to fitting */
	/* The best of each division of the cards, one more than is shown: one of them wins. */
	struct layout_lost slower[LAYOUTS_SLOWER + 1];
	struct layout_lost too_large[LAYOUTS_TOO_LARGE + 1];
	int slower_count;
	int too_large_count;
	struct layout_lost division; /* the best of the one at hand */
};

/* Whether A is the better one: what fits before what does not, then the faster or the smaller. */
static bool beats(const struct layout_lost *a, const struct layout_lost *b)
{
	if (a->tokens_per_s_per_card != b->tokens_per_s_per_card)
		return a->tokens_per_s_per_card > b->tokens_per_s_per_card;
	return a->needed_gib < b->needed_gib;
}

/* Puts LOST in its place among the COUNT best, of which there is room for MOST. */
static void keep(struct layout_lost *best, int *count, int most, const struct layout_lost *lost)
{
	int at = *count;

	while (at > 0 && beats(lost, &best[at - 1])) {
		if (at < most)
			best[at] = best[at - 1];
		at--;
	}
	if (at < most)
		best[at] = *lost;
	if (*count < most)
		(*count)++;
}

static void keep_division(struct search *search)
{
	const struct layout_lost *division = &search->division;

	if (division->needed_gib <= 0)
		return;
	if (division->tokens_per_s_per_card > 0)
		keep(search->slower, &search->slower_count, LAYOUTS_SLOWER + 1, division);
	else
		keep(search->too_large, &search->too_large_count, LAYOUTS_TOO_LARGE + 1, division);
}

static bool same_division(const struct layout *a, const struct layout *b)
{
	return a->tp == b->tp && a->pp == b->pp && a->cp == b->cp && a->ep == b->ep &&
	       a->sharding == b->sharding;
}

/* The lists without the winner, into SIZE. */
static void list_lost(const struct search *search, struct training_size *size)
{
	int slower = 0;
	int too_large = 0;

	for (int i = 0; i < search->slower_count && slower < LAYOUTS_SLOWER; i++) {
		if (same_division(&search->slower[i].layout, &search->layout))
			continue;
		size->lost[size->lost_count++] = search->slower[i];
		slower++;
	}
	for (int i = 0; i < search->too_large_count && too_large < LAYOUTS_TOO_LARGE; i++) {
		if (same_division(&search->too_large[i].layout, &search->layout))
			continue;
		size->lost[size->lost_count++] = search->too_large[i];
		too_large++;
	}
}

static enum stack stack_to_search(const struct training *job, const struct training_base *base)
{
	if (job->stack != STACK_UNSET)
		return job->stack;
	if (job->method == METHOD_PRETRAIN)
		return STACK_TUNED;
	if (job->precision == PRECISION_FP8 || job->precision == PRECISION_FP4)
		return STACK_TUNED;
	return job->method == METHOD_FULL && base->cards > 8 ? STACK_MEGATRON : STACK_HF;
}

/* Sequences per step when nobody said: about 4M tokens of pre-training, 128 of fine-tuning. */
static int usual_global_batch(const struct training_base *base)
{
	int batch = 128;

	if (base->job.method == METHOD_PRETRAIN)
		batch = (int)fmax(1, 4.0 * 1024 * 1024 / base->job.seq_len);
	return batch > base->cards ? batch : base->cards;
}

static void note_tried(struct search *search, const struct layout_lost *tried)
{
	if (search->division.needed_gib <= 0 || beats(tried, &search->division))
		search->division = *tried;
}

/* Tries LAYOUT; keeps it when it is faster than the best by more than noise. False: too large. */
static bool try_layout(struct search *search, const struct layout *layout)
{
	struct training_run run;
	struct memory_size memory;
	struct training_speed speed;

	if (!training_run_of(&search->base, layout, &run))
		return true;
	struct layout_lost tried = {.layout = run.layout};

	training_memory(&run, &memory);
	tried.needed_gib = memory.needed_gib;
	if (!training_fits(&memory)) {
		note_tried(search, &tried);
		if (!search->found && (search->best == 0 || -memory.needed_gib > search->best)) {
			search->best = -memory.needed_gib;
			search->layout = run.layout;
		}
		return false;
	}
	training_speed_of(&run, &speed);
	tried.tokens_per_s_per_card = speed.tokens_per_s_per_card;
	tried.limit = speed.limit;
	note_tried(search, &tried);
	if (search->found && speed.tokens_per_s_per_card <= search->best * 1.002)
		return true;
	search->found = true;
	search->best = speed.tokens_per_s_per_card;
	search->layout = run.layout;
	return true;
}

/* Sequences per step over DP ranks: as given, else the usual number rounded to whole ranks. */
static int batch_for(const struct search *search, int dp)
{
	if (search->batch_given)
		return search->global_batch;
	int each = (search->global_batch + dp / 2) / dp;

	/* An even number, so that micro-batches may be larger than one. */
	if (each > 8)
		each -= each % 8;
	return (each > 0 ? each : 1) * dp;
}

/* Every recomputation and micro-batch of one division of the cards, least work first. */
static void try_division(struct search *search, struct layout layout)
{
	static const enum recompute modes[] = {RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL};

	for (int i = 0; i < 3; i++) {
		layout.recompute = modes[i];
		for (int micro = 1; micro <= 16; micro *= 2) {
			layout.micro_batch = micro;
			if (layout.global_batch % (micro * layout.dp) != 0)
				break;
			if (!try_layout(search, &layout))
				break;
		}
	}
}

/* With and without interleaved stages, where there are stages (Narayanan et al. 2021, 2.2). */
static void try_interleaving(struct search *search, struct layout layout)
{
	int layers = (search->base.model->layers + layout.pp - 1) / layout.pp;

	layout.vpp = 1;
	search->division = (struct layout_lost){0};
	try_division(search, layout);
	layout.vpp = training_usual_vpp(layers);
	if (layout.pp > 1 && layout.vpp > 1 && search->stack != STACK_PREFLASH)
		try_division(search, layout);
	keep_division(search);
}

static void try_shardings(struct search *search, struct layout layout)
{
	enum stack stack = search->stack;
	bool one_stage = layout.pp == 1;

	layout.global_batch = batch_for(search, layout.dp);
	if (layout.dp * layout.cp == 1 || (stack == STACK_HF && search->base.frozen)) {
		layout.sharding = SHARDING_NONE;
		try_interleaving(search, layout);
	} else if (stack != STACK_FSDP && stack != STACK_HF) {
		layout.sharding = SHARDING_ZERO1;
		try_interleaving(search, layout);
	}
	if (!one_stage || layout.dp * layout.cp == 1 || stack == STACK_PREFLASH)
		return;
	layout.sharding = SHARDING_FSDP;
	try_interleaving(search, layout);
	if (search->base.cards > search->base.fast_domain && stack != STACK_HF) {
		layout.sharding = SHARDING_HSDP;
		try_interleaving(search, layout);
	}
}

static void try_experts(struct search *search, struct layout layout)
{
	const struct model *model = search->base.model;
	int ranks = layout.tp * layout.cp * layout.dp;

	if (model->experts == 0 || search->stack == STACK_HF) {
		layout.ep = 1;
		try_shardings(search, layout);
		return;
	}
	for (int ep = 1; ep <= 64 && ep <= ranks; ep *= 2) {
		if (model->experts % ep != 0 || ranks % ep != 0)
			continue;
		layout.ep = ep;
		try_shardings(search, layout);
	}
}

static void try_stages(struct search *search, struct layout layout)
{
	const struct training_base *base = &search->base;
	int rest = base->cards / layout.tp / layout.cp;
	int most = search->stack == STACK_HF || search->stack == STACK_FSDP ? 1 : 64;

	for (int pp = 1; pp <= most && pp <= rest && pp <= base->model->layers; pp++) {
		bool power = (pp & (pp - 1)) == 0;
		if (rest % pp != 0 || (!power && base->model->layers % pp != 0))
			continue;
		layout.pp = pp;
		layout.dp = rest / pp;
		if (batch_for(search, layout.dp) % layout.dp == 0)
			try_experts(search, layout);
	}
}

static void search_layouts(struct search *search)
{
	const struct training_base *base = &search->base;
	int most = search->stack == STACK_HF ? 1 : 8;

	search->slower_count = search->too_large_count = 0;
	for (int tp = 1; tp <= most && tp <= base->cards_per_server; tp *= 2) {
		if (base->cards % tp != 0 || base->model->heads % tp != 0)
			continue;
		for (int cp = 1; cp <= 16; cp *= 2) {
			if (base->cards % (tp * cp) != 0)
				break;
			if (cp > 1 && (base->job.seq_len / cp < 4096 || search->stack == STACK_HF))
				break;
			try_stages(search, (struct layout){.tp = tp, .cp = cp});
		}
	}
}

/* Searches again with states in 16 bit; back to full precision when that does not fit either. */
static void search_16_bit_states(struct search *search, struct training_size *size)
{
	struct notes others = size->assumed;

	search->base.job.optimizer = OPTIMIZER_ADAMW_BF16;
	search_layouts(search);
	if (!search->found) {
		search->base.job.optimizer = OPTIMIZER_ADAMW;
		return;
	}
	size->assumed = (struct notes){0};
	note_add(&size->assumed, NOTE_ASSUMED_OPTIMIZER, 0, 0,
	         optimizer_names[OPTIMIZER_ADAMW_BF16]);
	for (int i = 0; i < others.count; i++) {
		const struct note *note = &others.items[i];
		note_add(&size->assumed, note->code, note->x, note->y, note->word);
	}
}

void training_best_layout(const struct training *job, const struct cluster *on, int global_batch,
                          struct training_size *size)
{
	struct search search = {0};
	struct notes assumed = {0};

	*size = (struct training_size){0};
	training_base_of(job, on, &search.base, &assumed);
	size->assumed = assumed;
	if (!training_can_compute(&search.base, size))
		return;
	search.stack = stack_to_search(job, &search.base);
	search.base.job.stack = search.stack;
	search.batch_given = global_batch > 0;
	search.global_batch = global_batch > 0 ? global_batch : usual_global_batch(&search.base);
	search_layouts(&search);
	if (!search.found && job->optimizer == OPTIMIZER_UNSET && job->method == METHOD_FULL &&
	    search.stack == STACK_HF)
		search_16_bit_states(&search, size);
	if (!search.found && job->stack == STACK_UNSET && search.stack == STACK_HF) {
		search.base.job.stack = search.stack = STACK_TUNED;
		search_layouts(&search);
	}
	if (search.best == 0) {
		note_add(&size->warnings, NOTE_NO_LEGAL_LAYOUT, search.base.cards, 0, NULL);
		size->status = STATUS_UNKNOWN;
		return;
	}
	struct training_run run;

	if (!training_run_of(&search.base, &search.layout, &run))
		return;
	note_add(&size->assumed, NOTE_ASSUMED_LAYOUT, 0, 0, NULL);
	if (job->stack == STACK_UNSET)
		note_add(&size->assumed, NOTE_ASSUMED_STACK, 0, 0, stack_names[search.stack]);
	if (global_batch == 0)
		note_add(&size->assumed, NOTE_ASSUMED_BATCH, run.layout.micro_batch,
		         run.layout.global_batch, NULL);
	training_size_run(&run, size);
	list_lost(&search, size);
}

/* Hours of one run of JOB's tokens on the cards that were TRIED. */
static double run_hours(const struct training *job, const struct training_tried *tried)
{
	if (!tried->fits || job->tokens <= 0)
		return 0;
	return job->tokens / (tried->tokens_per_s_per_card * tried->cards) / 3600;
}

/* What a search for the smallest count goes by. */
struct counting {
	const struct training *job;
	const struct cluster *on;
	struct training_known *known;
};

/* The size on COUNT cards is known->size then. */
static void size_on(const struct counting *counting, int count)
{
	struct cluster some = *counting->on;
	struct training_known *known = counting->known;

	if (known->sized == count)
		return;
	some.cards = count;
	training_best_layout(counting->job, &some, 0, &known->size);
	known->sized = count;
	known->changes++;
}

static struct training_tried try_on(const struct counting *counting, int count)
{
	struct training_known *known = counting->known;

	for (int i = 0; i < known->count; i++)
		if (known->tried[i].cards == count)
			return known->tried[i];
	size_on(counting, count);
	struct training_tried tried = {count, known->size.fits,
	                               known->size.speed.tokens_per_s_per_card};

	if (known->count < TRAINING_TRIED_MAX) {
		known->tried[known->count++] = tried;
		known->changes++;
	}
	return tried;
}

/* Whether COUNT cards hold the job and end it in time. */
static struct training_count does_on(const struct counting *counting, int count)
{
	const struct training *job = counting->job;
	struct training_tried tried = try_on(counting, count);
	double hours = run_hours(job, &tried);
	bool in_time = job->deadline_hours <= 0 || hours <= job->deadline_hours;

	return (struct training_count){tried.fits && in_time, count, hours};
}

/* Of whole servers of SERVER cards: doubling finds a count that does, then the least between. */
static struct training_count least_servers(const struct counting *counting, int server, int most)
{
	struct training_count count = {0};
	int servers = 1;

	for (; servers * server <= most; servers *= 2) {
		count = does_on(counting, servers * server);
		if (count.does)
			break;
	}
	if (!count.does) {
		servers = most / server;
		count = does_on(counting, servers * server);
	}
	for (int fewer = servers / 2 + 1; count.does && fewer < servers; fewer++) {
		struct training_count next = does_on(counting, fewer * server);

		if (next.does)
			return next;
	}
	return count;
}

static struct training_count count_cards(const struct counting *counting)
{
	const struct cluster *on = counting->on;
	struct training_count count = {0};
	int most = on->cards > 0 ? on->cards : 1;
	int server = on->cards_per_server > 0 ? on->cards_per_server : on->card->host_cards;

	if (server <= 0)
		server = 8;
	if (server >= 32)
		server = 4;
	for (int cards = 1; cards < server && cards <= most; cards *= 2) {
		count = does_on(counting, cards);
		if (count.does)
			return count;
	}
	return most < server ? count : least_servers(counting, server, most);
}

struct training_count training_smallest(const struct training *job, const struct cluster *on,
                                        struct training_known *known, struct training_size *size)
{
	struct counting counting = {job, on, known};
	struct training_count count = count_cards(&counting);

	size_on(&counting, count.cards);
	*size = known->size;
	return count;
}
