/* plan_judge.c - which offers can be used at all, block by block; see plan_work.h. */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

#define CARDS (1u << OFFER_RENTAL | 1u << OFFER_PURCHASE)
#define UNKNOWN_GAP NAN

/* ---- Kinds, prices and cards ---- */

bool route_asked(const struct spec *spec, enum plan_route route)
{
	return (spec->routes >> route & 1) != 0;
}

static bool all_hosting(const struct spec *spec)
{
	for (int i = 0; i < spec->workload_count; i++)
		if (spec->workloads[i].kind != WORKLOAD_HOSTING)
			return false;
	return true;
}

static bool kind_asked(const struct spec *spec, enum offer_kind kind)
{
	const struct network_need *need = &spec->network;
	bool buys = route_asked(spec, ROUTE_BUY_AND_HOST) || route_asked(spec, ROUTE_HYBRID);

	switch (kind) {
	case OFFER_RENTAL:
		return route_asked(spec, ROUTE_RENT) || route_asked(spec, ROUTE_HYBRID);
	case OFFER_COLOCATION:
		return buys;
	case OFFER_PURCHASE:
		return buys && !all_hosting(spec);
	case OFFER_NETWORK:
		return need->public_mbps.num > 0 || need->egress_gb.num > 0 || need->ips > 0;
	case OFFER_STORAGE:
		return need->storage_tb.num > 0;
	case OFFER_SERVICE:
		return spec->service > SERVICE_BARE;
	}
	return false;
}

/* What is left of a floor when the request's own rate is above the one that floors assume. */
static double below_floor(const struct cost_basis *basis)
{
	static const enum cost_assumption rates[] = {ASSUME_SERVICE_VAT, ASSUME_GOODS_VAT};
	double highest = 0.13;

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		if (basis->is_given[rates[i]])
			highest = fmax(highest, ratio_to_double(basis->given[rates[i]]));
	return highest > 0.13 ? 1.13 / (1 + highest) : 1;
}

double floor_month(const struct plan_work *work)
{
	return work->basis.hours_per_month > 720 ? 720.0 / work->basis.hours_per_month : 1;
}

double floor_rate(const struct plan_work *work, const char *currency)
{
	const struct cost_basis *basis = &work->basis;

	if (strcmp(currency, "CNY") == 0)
		return work->below_floor;
	for (int i = 0; i < (int)basis->fx_count; i++)
		if (strcmp(basis->fx[i].currency, currency) == 0)
			return (double)money_to_micro(basis->fx[i].per_unit) / 1e6 *
			       work->below_floor;
	return 0;
}

static bool same_class(const struct card_class *a, const struct card_class *b)
{
	return a->card == b->card && a->cards_per_server == b->cards_per_server &&
	       a->intra_link == b->intra_link && a->inter_link == b->inter_link &&
	       a->inter_gbps >= b->inter_gbps && a->inter_gbps <= b->inter_gbps;
}

/* The card called ID; blocks of a card stand together, so it is nearly always the last one's. */
static const struct card *card_of(const struct plan_work *work, const char *id)
{
	const struct card_class *last =
	    work->class_count == 0 ? NULL : &work->classes[work->class_count - 1];

	if (id == NULL)
		return NULL;
	if (last != NULL && strcmp(last->card->id, id) == 0)
		return last->card;
	return work->source->card(work->source->context, id);
}

/* The index of the class of FACTS, added when new; -1 for an unknown card. */
static int class_of(struct plan_work *work, const struct offer_facts *facts)
{
	const struct card *card = card_of(work, facts->card);
	struct card_class class = {card, facts->cards_per_server, facts->intra_link,
	                           facts->inter_link, facts->inter_gbps};

	if (card == NULL)
		return -1;
	for (int i = work->class_count - 1; i >= 0; i--)
		if (same_class(&work->classes[i], &class))
			return i;
	if (work->class_count == CLASSES_MAX)
		return -1;
	work->classes[work->class_count] = class;
	return work->class_count++;
}

static bool is_card_kind(enum offer_kind kind)
{
	return (CARDS >> kind & 1) != 0;
}

bool find_classes(struct plan_work *work)
{
	const struct plan_source *source = work->source;

	work->below_floor = below_floor(&work->basis);
	work->groups = PLAN_TAKE(work->memory, struct judged_group, source->group_count + 1);
	work->classes = PLAN_TAKE(work->memory, struct card_class, CLASSES_MAX);
	work->class_rented = PLAN_TAKE(work->memory, struct good_range, CLASSES_MAX);
	work->class_covered = PLAN_TAKE(work->memory, bool, CLASSES_MAX);
	work->class_bought = PLAN_TAKE(work->memory, struct good_range, CLASSES_MAX);
	if (work->memory->too_small)
		return false;
	for (size_t i = 0; i < source->group_count; i++) {
		const struct offer_facts *facts =
		    &source->blocks[source->groups[i].first_block].facts;
		struct judged_group *group = &work->groups[i];

		*group = (struct judged_group){.class_index = -1};
		if (!kind_asked(work->spec, facts->kind)) {
			judged_fail(&group->judged, REASON_NOT_ASKED, UNKNOWN_GAP);
			continue;
		}
		if (!is_card_kind(facts->kind))
			continue;
		group->class_index = class_of(work, facts);
		if (group->class_index < 0)
			judged_fail(&group->judged, REASON_UNKNOWN_CARD, UNKNOWN_GAP);
	}
	return true;
}

/* ---- What the demands say ---- */

const struct demand *possible_demand(const struct plan_work *work, int workload, int class_index)
{
	const struct demand *demand = class_index < 0
	                                  ? work->own[workload]
	                                  : work->demand[workload * CLASSES_MAX + class_index];

	return demand != NULL && demand->verdict == DEMAND_OK ? demand : NULL;
}

static enum plan_reason reason_of_verdict(enum demand_verdict verdict)
{
	switch (verdict) {
	case DEMAND_OK:
		return NO_REASON;
	case DEMAND_OTHER_CARD:
		return REASON_OTHER_CARD;
	case DEMAND_DOES_NOT_FIT:
		return REASON_DOES_NOT_FIT;
	case DEMAND_TOO_SLOW:
	case DEMAND_TOO_MANY:
		return REASON_TOO_SLOW;
	}
	return NO_REASON;
}

/* Fails a group whose class no workload can use, for the reason of the one that gets furthest. */
static void judge_class(const struct plan_work *work, struct judged_group *group)
{
	const struct demand *furthest = NULL;

	for (int w = 0; w < work->spec->workload_count; w++) {
		const struct demand *demand = work->demand[w * CLASSES_MAX + group->class_index];
		enum plan_reason reason = reason_of_verdict(demand->verdict);
		enum plan_reason best =
		    furthest == NULL ? REASON_NOT_ASKED : reason_of_verdict(furthest->verdict);

		if (reason == NO_REASON)
			return;
		if (reason > best || (reason == best && demand->gap < furthest->gap))
			furthest = demand;
	}
	/* Too many servers is no number of hours. */
	bool has_gap = furthest->gap > 0 && furthest->verdict != DEMAND_TOO_MANY;

	judged_fail(&group->judged, reason_of_verdict(furthest->verdict),
	            has_gap ? furthest->gap : UNKNOWN_GAP);
}

/* The least that a cabinet must feed: the smallest server of any demand that is bought or owned. */
static int64_t least_server_watts(const struct plan_work *work)
{
	int64_t least = INT64_MAX;

	for (int w = 0; w < work->spec->workload_count; w++) {
		bool owned = work->spec->workloads[w].kind == WORKLOAD_HOSTING;

		for (int c = -1; c < work->class_count; c++) {
			const struct demand *demand = possible_demand(work, w, c);
			bool placed = c < 0 || (!owned && work->class_bought[c].end >
			                                      work->class_bought[c].first);

			if (demand != NULL && placed && demand->server_watts < least)
				least = demand->server_watts;
		}
	}
	return least;
}

/* ---- Blocks ---- */

static void judge(const struct plan_work *work, unsigned asked, const struct offer_facts *facts,
                  struct judged *judged)
{
	*judged = (struct judged){0};
	/* Help of a lower tier than the one that is wanted is none. */
	if (facts->kind == OFFER_SERVICE && facts->service > 0 &&
	    facts->service < (int)work->spec->service)
		judged_fail(judged, REASON_NOT_ASKED, UNKNOWN_GAP);
	if (facts->terms == 0 || floor_rate(work, facts->currency) <= 0)
		judged_fail(judged, REASON_NO_PRICE, UNKNOWN_GAP);
	run_checks(work->spec, asked, facts, judged);
}

static void judge_cabinet(int64_t least_watts, const struct offer_facts *facts,
                          struct judged *judged)
{
	if (facts->cabinet_watts <= 0 && facts->basis == UNIT_CABINET_MONTH)
		judged_fail(judged, REASON_CABINET_POWER, UNKNOWN_GAP);
	if (facts->cabinet_watts > 0 && least_watts != INT64_MAX &&
	    facts->cabinet_watts < least_watts)
		judged_fail(judged, REASON_CABINET_POWER,
		            (double)(least_watts - facts->cabinet_watts));
}

/* Judges the blocks of one group and appends the good ones; their new number. */
static size_t judge_group(struct plan_work *work, size_t index, unsigned asked, int64_t least_watts,
                          size_t count)
{
	const struct offer_group *group = &work->source->groups[index];
	int class_index = work->groups[index].class_index;

	for (uint32_t i = group->first_block; i < group->first_block + group->block_count; i++) {
		const struct offer_facts *facts = &work->source->blocks[i].facts;
		struct judged *judged = &work->judged[i];

		judge(work, asked, facts, judged);
		if (facts->kind == OFFER_COLOCATION)
			judge_cabinet(least_watts, facts, judged);
		if (judged->failed != 0)
			continue;
		work->good[count] = i;
		work->good_class[count++] = (int16_t)class_index;
	}
	return count;
}

/* Judges the groups of KIND. */
static size_t judge_kind(struct plan_work *work, enum offer_kind kind, unsigned asked, size_t count)
{
	const struct plan_source *source = work->source;
	int64_t least_watts = kind == OFFER_COLOCATION ? least_server_watts(work) : 0;

	for (size_t i = 0; i < source->group_count; i++) {
		struct judged_group *group = &work->groups[i];

		if (source->blocks[source->groups[i].first_block].facts.kind != kind)
			continue;
		if (group->judged.failed == 0 && group->class_index >= 0)
			judge_class(work, group);
		if (group->judged.failed != 0)
			continue;
		struct good_range range = {.first = count};

		count = judge_group(work, i, asked, least_watts, count);
		range.end = count;
		if (kind == OFFER_RENTAL)
			work->class_rented[group->class_index] = range;
		if (kind == OFFER_PURCHASE)
			work->class_bought[group->class_index] = range;
	}
	return count;
}

bool judge_blocks(struct plan_work *work)
{
	/* Purchases before cabinets: these must feed what is bought. */
	static const enum offer_kind order[OFFER_KIND_COUNT] = {OFFER_RENTAL,     OFFER_PURCHASE,
	                                                        OFFER_COLOCATION, OFFER_NETWORK,
	                                                        OFFER_STORAGE,    OFFER_SERVICE};
	size_t blocks = work->source->block_count + 1;
	unsigned asked = asked_checks(work->spec);
	size_t count = 0;

	work->judged = PLAN_TAKE(work->memory, struct judged, blocks);
	work->good = PLAN_TAKE(work->memory, uint32_t, blocks);
	work->good_class = PLAN_TAKE(work->memory, int16_t, blocks);
	work->frontier.heap = PLAN_TAKE(work->memory, struct frontier_entry, 2 * blocks);
	if (work->memory->too_small)
		return false;
	memset(work->class_rented, 0, CLASSES_MAX * sizeof *work->class_rented);
	memset(work->class_covered, 0, CLASSES_MAX * sizeof *work->class_covered);
	memset(work->class_bought, 0, CLASSES_MAX * sizeof *work->class_bought);
	for (int i = 0; i < OFFER_KIND_COUNT; i++) {
		work->good_first[order[i]] = count;
		count = judge_kind(work, order[i], asked, count);
		work->good_end[order[i]] = count;
	}
	return true;
}
