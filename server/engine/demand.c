/* demand.c - see demand.h. */
#include "engine/demand.h"

#include <math.h>
#include <string.h>

#define WEEK_HOURS 168
#define MILLI 1000
#define VALLEY_HOURS 8 /* of a day, in one piece: Guangdong 0-8, see offer/tariff.h */
#define A_HAIR 1e-6    /* of a thousandth: a double's noise must not buy another hour */

const char *const demand_verdict_names[DEMAND_VERDICT_COUNT] = {"ok", "other_card", "does_not_fit",
                                                                "too_slow", "too_many"};

int class_server_cards(const struct card_class *class)
{
	if (class->cards_per_server > 0)
		return class->cards_per_server;
	return class->card != NULL && class->card->host_cards > 0 ? class->card->host_cards : 8;
}

static int divide_up(int64_t value, int64_t by)
{
	return (int)((value + by - 1) / by);
}

static int64_t milli_up(double value)
{
	return (int64_t)ceil(value * MILLI - A_HAIR);
}

/* A double as it was written: the nearest decimal with six digits. */
static struct ratio decimal(double value)
{
	return ratio_make(llround(value * 1e6), 1000000);
}

struct ratio demand_hours(const struct demand *demand, int cards)
{
	if (demand->elastic && cards > 0)
		return ratio_make(demand->milli_card_hours, (int64_t)cards * MILLI);
	return ratio_make(demand->milli_hours, MILLI);
}

static void reject(struct demand *demand, enum demand_verdict verdict, double gap)
{
	demand->verdict = verdict;
	demand->gap = gap;
}

/* Fills in whole servers for the cards, and rejects what is beyond all bounds. */
static void fill_servers(struct demand *demand, const struct demand_basis *basis)
{
	int most = basis->max_servers > 0 ? basis->max_servers : DEMAND_SERVERS_MAX;

	demand->servers = divide_up(demand->cards, class_server_cards(&demand->class));
	if (demand->servers > most)
		reject(demand, DEMAND_TOO_MANY, demand->servers - most);
}

/* ---- Training ---- */

/* GiB that a card lacks; 0 when memory is not the matter. */
static double memory_gap(const struct memory_size *memory)
{
	double gap = memory->per_card_gib - memory->usable_gib;

	return gap > 0 ? gap : 0;
}

/*
 * The link between servers of CLASS as a buyer may count on it: where an offer of cards without a
 * fabric of their own (PCIe, bridges) says nothing, plain Ethernet, not the RDMA port that a
 * benchmark would have.
 */
static enum inter_link offered_link(const struct card_class *class)
{
	const struct card *card = class->card;
	bool has_fabric = card->link_gbs_bidir > 0 && card->link_kind != CARD_LINK_PCIE &&
	                  card->link_kind != CARD_LINK_BRIDGE;

	if (class->inter_link != INTER_UNKNOWN || class->inter_gbps > 0 || has_fabric)
		return class->inter_link;
	return INTER_ETHERNET;
}

/* Hours of SPAN, counted from the beginning of a valley, that lie in valleys. */
static double valley_hours_in(double span)
{
	return floor(span / 24) * VALLEY_HOURS + fmin(fmod(span, 24), VALLEY_HOURS);
}

/* Hours from the beginning to the end of a run of HOURS that rests outside the valley. */
static double valley_span(double hours)
{
	double nights = fmax(ceil(hours / VALLEY_HOURS - A_HAIR), 1);

	return hours + (nights - 1) * (24 - VALLEY_HOURS);
}

/* Even the most servers are too slow: by how much, and whether the valley alone is the reason. */
static void reject_slow(const struct training *job, double hours, struct demand *demand)
{
	double span = job->valley_only ? valley_span(hours) : hours;
	double limit = job->deadline_hours;

	reject(demand, DEMAND_TOO_SLOW, limit > 0 && span > limit ? span - limit : 0);
	if (job->valley_only && limit > 0 && hours <= limit)
		note_add(&demand->size.training.warnings, NOTE_VALLEY_DEADLINE, span, limit, NULL);
}

static void size_training(const struct training *job, const struct demand_basis *basis,
                          struct training_known *known, struct demand *demand)
{
	const struct card_class *class = &demand->class;
	int server = class_server_cards(class);
	int most = basis->max_servers > 0 ? basis->max_servers : DEMAND_TRAINING_SERVERS_MAX;
	struct cluster on = {class->card,       most * server,       server,
	                     class->intra_link, offered_link(class), class->inter_gbps};
	double window = basis->hours_per_month;
	struct training wanted = *job;

	/* Servers without a network between them cannot share a run. */
	if (class->inter_link == INTER_NONE)
		on.cards = server;
	if (job->valley_only && job->deadline_hours > 0)
		wanted.deadline_hours = valley_hours_in(job->deadline_hours);
	struct training_count count =
	    training_smallest(&wanted, &on, known, &demand->size.training);
	double hours = count.hours;

	demand->cards = count.cards;
	if (!count.does) {
		const struct training_size *size = &demand->size.training;

		if (!size->fits)
			reject(demand, DEMAND_DOES_NOT_FIT, memory_gap(&size->memory));
		else
			reject_slow(job, hours, demand);
		return;
	}
	demand->run_hours = hours;
	if (job->valley_only)
		window *= VALLEY_HOURS / 24.0;
	double runs = job->runs_per_month > 0 ? job->runs_per_month : 1;
	double all = job->tokens > 0 ? runs * hours : window;
	double side_by_side = all > window ? ceil(all / window - A_HAIR) : 1;

	demand->unit = divide_up(demand->cards, server);
	if (demand->unit * side_by_side > DEMAND_SERVERS_MAX) {
		reject(demand, DEMAND_TOO_MANY, demand->unit * side_by_side - DEMAND_SERVERS_MAX);
		return;
	}
	demand->cards =
	    side_by_side > 1 ? demand->unit * server * (int)side_by_side : demand->cards;
	demand->milli_hours = milli_up(all / side_by_side);
	demand->tokens_per_month = job->tokens * runs;
	fill_servers(demand, basis);
}

/* ---- Inference ---- */

static int64_t profile_level(const struct serving_fleet *fleet, int replicas, int hours_per_month)
{
	int hours = 0;

	for (int hour = 0; hour < WEEK_HOURS; hour++)
		hours += fleet->replicas_by_hour[hour] >= replicas;
	return ((int64_t)hours * hours_per_month * MILLI + WEEK_HOURS - 1) / WEEK_HOURS;
}

/*
 * Thousandths of hours a month for which replica number RANK (from 0) is needed. Spares stand by
 * all the time.
 */
static int64_t replica_level(const struct serving_fleet *fleet, int rank, int hours_per_month)
{
	if (rank < fleet->spares)
		return (int64_t)hours_per_month * MILLI;
	return profile_level(fleet, rank - fleet->spares + 1, hours_per_month);
}

static void size_inference(const struct serving *job, const struct demand_basis *basis,
                           struct serving_known *known, struct demand *demand)
{
	const struct card_class *class = &demand->class;
	struct serving_fleet *fleet = &demand->size.serving;
	int server = class_server_cards(class);
	struct cluster on = {class->card,      0, server, class->intra_link, class->inter_link,
	                     class->inter_gbps};

	serving_fleet(job, &on, known, fleet);
	if (!fleet->possible) {
		if (!fleet->replica.fits)
			reject(demand, DEMAND_DOES_NOT_FIT, memory_gap(&fleet->replica.memory));
		else
			reject(demand, DEMAND_TOO_SLOW, fleet->missed_ms);
		return;
	}
	int replica = fleet->replica.cards > 0 ? fleet->replica.cards : 1;
	int replicas = fleet->replicas + fleet->spares;

	/* Replicas do not straddle servers, unless one is larger than a server. */
	demand->unit = divide_up(replica, server);
	if (replica <= server) {
		int per_server = server / replica;

		demand->cards = replicas <= per_server
		                    ? replicas * replica
		                    : divide_up(replicas, per_server) * per_server * replica;
		demand->servers = divide_up(replicas, per_server);
	} else {
		demand->cards = replicas * demand->unit * server;
		demand->servers = replicas * demand->unit;
	}
	if (demand->servers > DEMAND_SERVERS_MAX) {
		reject(demand, DEMAND_TOO_MANY, demand->servers - DEMAND_SERVERS_MAX);
		return;
	}
	demand->tokens_per_month =
	    fleet->output_tokens_per_week * basis->hours_per_month / WEEK_HOURS;
	demand->input_tokens_per_month =
	    fleet->input_tokens_per_week * basis->hours_per_month / WEEK_HOURS;
}

/* The highest replica (from 0) on server RANK, counting servers as they fill up from the first. */
static int first_replica_on(const struct demand *demand, int rank)
{
	int replica = demand->size.serving.replica.cards;
	int server = class_server_cards(&demand->class);

	return replica > server ? rank / demand->unit
	                        : rank * (server / (replica > 0 ? replica : 1));
}

/* ---- Usage and hosting ---- */

/* How many of CLASS's card-hours do the work of one of the card in the history. */
static bool usage_factor(const struct usage *usage, const struct demand_basis *basis,
                         struct demand *demand, double *factor)
{
	const struct card *card = demand->class.card;

	*factor = 1;
	if (strcmp(usage->card->id, card->id) == 0)
		return true;
	if (!basis->convert_usage || card->fp16_tflops <= 0 || usage->card->fp16_tflops <= 0)
		return false;
	*factor = usage->card->fp16_tflops / card->fp16_tflops;
	note_add(&demand->notes, NOTE_USAGE_CONVERTED, *factor, 0, usage->card->id);
	return true;
}

static bool usage_card_hours(const struct usage *usage, double factor, int hours_per_month,
                             struct ratio *card_hours)
{
	struct ratio buffer = usage->buffer_given ? decimal(usage->buffer) : ratio_make(3, 10);
	struct ratio share = usage->utilisation > 0 ? decimal(usage->utilisation) : ratio_of(1);
	struct ratio days = decimal(usage->days);

	return ratio_multiply(days, ratio_of(24), &days) &&
	       ratio_divide(decimal(usage->gpu_hours), days, card_hours) &&
	       ratio_multiply(*card_hours, ratio_of(hours_per_month), card_hours) &&
	       ratio_add(buffer, ratio_of(1), &buffer) &&
	       ratio_multiply(*card_hours, buffer, card_hours) &&
	       ratio_divide(*card_hours, share, card_hours) &&
	       ratio_multiply(*card_hours, decimal(factor), card_hours);
}

static void size_usage(const struct usage *usage, const struct demand_basis *basis,
                       struct demand *demand)
{
	struct ratio card_hours;
	struct ratio part;
	int64_t cards;
	double factor;

	if (!usage_factor(usage, basis, demand, &factor)) {
		reject(demand, DEMAND_OTHER_CARD, 0);
		return;
	}
	if (!usage_card_hours(usage, factor, basis->hours_per_month, &card_hours) ||
	    !ratio_divide(card_hours, ratio_of(basis->hours_per_month), &part) ||
	    !ratio_ceil(part, &cards) || !ratio_multiply(card_hours, ratio_of(MILLI), &part) ||
	    !ratio_ceil(part, &demand->milli_card_hours) || cards > INT32_MAX / 2) {
		reject(demand, DEMAND_TOO_MANY, 0);
		return;
	}
	demand->mean_cards = usage->gpu_hours * factor / (usage->days * 24);
	demand->wanted_cards = (double)demand->milli_card_hours / MILLI / basis->hours_per_month;
	demand->cards = cards > 0 ? (int)cards : 1;
	demand->elastic = true;
	fill_servers(demand, basis);
	int rented = demand->servers * class_server_cards(&demand->class);

	demand->milli_hours = (demand->milli_card_hours + rented - 1) / rented;
}

static void size_hosting(const struct hosting *hosting, const struct demand_basis *basis,
                         struct demand *demand)
{
	const struct card_class *class = &demand->class;
	struct card_class own = {.card = hosting->card,
	                         .cards_per_server = hosting->cards_per_server};

	if (hosting->card != NULL &&
	    (class->card == NULL || strcmp(hosting->card->id, class->card->id) != 0)) {
		reject(demand, DEMAND_OTHER_CARD, 0);
		return;
	}
	demand->cards = hosting->servers * class_server_cards(&own);
	demand->milli_hours = (int64_t)basis->hours_per_month * MILLI;
	fill_servers(demand, basis);
	demand->server_u = hosting->server_u;
	if (hosting->server_kw > 0)
		demand->server_watts = llround(hosting->server_kw * 1000);
}

static void size_by_kind(const struct workload *workload, const struct demand_basis *basis,
                         union demand_known *known, struct demand *demand)
{
	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		size_training(&workload->training, basis, &known->training, demand);
		demand->power_w = demand->size.training.power_w;
		return;
	case WORKLOAD_INFERENCE:
		size_inference(&workload->serving, basis, &known->serving, demand);
		demand->power_w = demand->size.serving.replica.power_w;
		return;
	case WORKLOAD_USAGE:
		size_usage(&workload->usage, basis, demand);
		return;
	case WORKLOAD_HOSTING:
		size_hosting(&workload->hosting, basis, demand);
		return;
	}
}

/* The mean over the servers of a fleet that follows its profile. */
static int64_t mean_level(const struct demand *demand, const struct workload *workload,
                          int hours_per_month)
{
	int64_t sum = 0;

	for (int rank = 0; rank < demand->servers; rank++)
		sum += demand_level(demand, workload, hours_per_month, rank);
	return (sum + demand->servers - 1) / demand->servers;
}

struct workload demand_subject(const struct workload *workload)
{
	struct workload subject = *workload;

	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		subject.training.tokens = 0;
		subject.training.runs_per_month = 0;
		subject.training.deadline_hours = 0;
		subject.training.valley_only = false;
		break;
	case WORKLOAD_INFERENCE:
		if (workload->serving.requests_per_s > 0)
			subject.serving.requests_per_s = 1;
		memset(subject.serving.profile, 0, sizeof subject.serving.profile);
		subject.serving.profile_hours = 0;
		subject.serving.spare_replicas = 0;
		break;
	case WORKLOAD_USAGE:
	case WORKLOAD_HOSTING:
		break;
	}
	return subject;
}

void demand_size(const struct workload *workload, const struct demand_basis *basis,
                 const struct card_class *class, union demand_known *known, struct demand *demand)
{
	union demand_known nothing;

	if (known == NULL) {
		memset(&nothing, 0, sizeof nothing);
		known = &nothing;
	}
	*demand = (struct demand){.class = *class, .unit = 1};
	if (class->card != NULL)
		demand->server_watts =
		    llround(card_server_kw(class->card, class_server_cards(class)) * 1000);
	size_by_kind(workload, basis, known, demand);
	demand->server_kw = (double)demand->server_watts / 1000;
	if (demand->verdict != DEMAND_OK)
		return;
	if (workload->kind == WORKLOAD_INFERENCE)
		demand->milli_hours = mean_level(demand, workload, basis->hours_per_month);
	if (!demand->elastic)
		demand->milli_card_hours = demand->milli_hours * demand->cards;
	demand->card_hours_per_month = (double)demand->milli_card_hours / MILLI;
	demand->utilisation = (double)demand->milli_hours / MILLI / basis->hours_per_month;
}

/* Hours from a history fill one server after the other: all but the last work all the time. */
static int64_t usage_level(const struct demand *demand, int hours_per_month, int rank)
{
	int64_t month = (int64_t)hours_per_month * MILLI;
	int64_t server = class_server_cards(&demand->class);
	int64_t left = (demand->milli_card_hours + server - 1) / server - rank * month;

	return left < 0 ? 0 : left < month ? left : month;
}

int64_t demand_level(const struct demand *demand, const struct workload *workload,
                     int hours_per_month, int rank)
{
	if (rank >= demand->servers)
		return 0;
	switch (workload->kind) {
	case WORKLOAD_INFERENCE:
		return replica_level(&demand->size.serving, first_replica_on(demand, rank),
		                     hours_per_month);
	case WORKLOAD_USAGE:
		return usage_level(demand, hours_per_month, rank);
	case WORKLOAD_TRAINING:
	case WORKLOAD_HOSTING:
		return demand->milli_hours;
	}
	return 0;
}
