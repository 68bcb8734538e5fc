/* plan_judge.c - which groups of offers can be used at all; see plan_work.h. */
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
		return needs_public(need) || needs_dedicated(need);
	case OFFER_STORAGE:
		return need->storage_tb.num > 0;
	case OFFER_SERVICE:
		return spec->service > SERVICE_BARE;
	}
	return false;
}

double floor_month(const struct plan_work *work)
{
	return work->basis.hours_per_month > 720 ? 720.0 / work->basis.hours_per_month : 1;
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

static const struct offer_facts *group_facts(const struct plan_work *work, size_t group)
{
	return &work->source->blocks[work->source->groups[group].first_block].facts;
}

/* The end of the run of groups of one kind and card that begins at FIRST. */
static size_t end_of_card(const struct plan_work *work, size_t first)
{
	const struct offer_facts *facts = group_facts(work, first);
	size_t end = first + 1;

	while (end < work->source->group_count && group_facts(work, end)->kind == facts->kind &&
	       facts->card != NULL && strcmp(group_facts(work, end)->card, facts->card) == 0)
		end++;
	return end;
}

/* Gives a class to the cheapest group of FIRST to END that has none; whether there is one. */
static bool admit_cheapest(struct plan_work *work, size_t first, size_t end)
{
	const struct plan_source *source = work->source;
	size_t best = end;

	for (size_t i = first; i < end; i++) {
		if (work->groups[i].judged.failed != 0 || work->groups[i].class_index >= 0)
			continue;
		if (best == end || source->floors[source->groups[i].cheapest] <
		                       source->floors[source->groups[best].cheapest])
			best = i;
	}
	if (best == end)
		return false;
	work->groups[best].class_index = class_of(work, group_facts(work, best));
	if (work->groups[best].class_index < 0)
		judged_fail(&work->groups[best].judged, REASON_UNKNOWN_CARD, UNKNOWN_GAP);
	return true;
}

/*
 * Where there may be more classes than a plan compares: the cheapest of each card have their turn,
 * then the next ones, so that nobody keeps others out by offering a card in a thousand ways.
 */
static void admit_in_turns(struct plan_work *work)
{
	bool progress = true;

	while (progress && work->class_count < CLASSES_MAX) {
		progress = false;
		for (size_t i = 0; i < work->source->group_count;) {
			size_t end = end_of_card(work, i);

			if (is_card_kind(group_facts(work, i)->kind) &&
			    admit_cheapest(work, i, end))
				progress = true;
			i = end;
		}
	}
}

bool find_classes(struct plan_work *work)
{
	const struct plan_source *source = work->source;

	work->groups = PLAN_TAKE(work->memory, struct judged_group, source->group_count + 1);
	work->classes = PLAN_TAKE(work->memory, struct card_class, CLASSES_MAX);
	work->class_rented = PLAN_TAKE(work->memory, int, CLASSES_MAX);
	work->class_bought = PLAN_TAKE(work->memory, int, CLASSES_MAX);
	work->class_covered = PLAN_TAKE(work->memory, bool, CLASSES_MAX);
	work->covered_now = PLAN_TAKE(work->memory, bool, CLASSES_MAX);
	if (work->memory->too_small)
		return false;
	for (size_t i = 0; i < source->group_count; i++) {
		work->groups[i] = (struct judged_group){.class_index = -1};
		if (!kind_asked(work->spec, group_facts(work, i)->kind))
			judged_fail(&work->groups[i].judged, REASON_NOT_ASKED, UNKNOWN_GAP);
	}
	if (source->group_count > CLASSES_MAX)
		admit_in_turns(work);
	for (size_t i = 0; i < source->group_count; i++) {
		struct judged_group *group = &work->groups[i];
		const struct offer_facts *facts = group_facts(work, i);

		if (group->judged.failed != 0 || group->class_index >= 0 ||
		    !is_card_kind(facts->kind))
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

/* Of two fleets: whether as many replicas are needed in each hour. */
static bool same_fleet(const struct serving_fleet *a, const struct serving_fleet *b)
{
	return a->replica.cards == b->replica.cards && a->spares == b->spares &&
	       memcmp(a->replicas_by_hour, b->replicas_by_hour, sizeof a->replicas_by_hour) == 0;
}

static bool demands_alike(const struct demand *a, const struct demand *b)
{
	return a == b ||
	       (a->class.card == b->class.card && a->servers == b->servers &&
	        class_server_cards(&a->class) == class_server_cards(&b->class) &&
	        a->cards == b->cards && a->unit == b->unit && a->elastic == b->elastic &&
	        a->milli_hours == b->milli_hours && a->milli_card_hours == b->milli_card_hours &&
	        a->server_watts == b->server_watts && a->server_u == b->server_u);
}

static bool classes_alike(const struct plan_work *work, int workload, int a, int b)
{
	const struct demand *x = work->demand[workload * CLASSES_MAX + a];
	const struct demand *y = work->demand[workload * CLASSES_MAX + b];

	if (x->class.card != y->class.card || !demands_alike(x, y))
		return false;
	return work->spec->workloads[workload].kind != WORKLOAD_INFERENCE ||
	       same_fleet(&x->size.serving, &y->size.serving);
}

static void find_alike(struct plan_work *work, int workload)
{
	int *alike = &work->alike[workload * CLASSES_MAX];

	for (int i = 0; i < work->class_count; i++) {
		alike[i] = possible_demand(work, workload, i) == NULL ? -1 : i;
		for (int first = 0; alike[i] == i && first < i; first++)
			if (alike[first] == first && classes_alike(work, workload, first, i))
				alike[i] = first;
	}
}

int first_alike(const struct plan_work *work, int workload, int class_index)
{
	return work->alike[workload * CLASSES_MAX + class_index];
}

int next_alike(const struct plan_work *work, int workload, int class_index)
{
	const int *alike = &work->alike[workload * CLASSES_MAX];

	for (int i = class_index + 1; i < work->class_count; i++)
		if (alike[i] == alike[class_index])
			return i;
	return -1;
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
	group->judged.in_ms = furthest->verdict == DEMAND_TOO_SLOW &&
	                      work->spec->workloads[furthest->workload].kind == WORKLOAD_INFERENCE;
}

struct parts parts_of_group(const struct plan_work *work, int group)
{
	const struct screen *screen = work->screen;

	if (group < 0)
		return (struct parts){screen->parts, screen->parts};
	return (struct parts){screen->parts + screen->first_part[group],
	                      screen->parts + screen->first_part[group + 1]};
}

struct parts parts_of_kind(const struct plan_work *work, enum offer_kind kind)
{
	const struct screen *screen = work->screen;
	size_t first = work->kind_first[kind];

	if (first == work->kind_end[kind] || work->groups[first].judged.failed != 0)
		return (struct parts){screen->parts, screen->parts};
	return (struct parts){screen->parts + screen->first_part[first],
	                      screen->parts + screen->first_part[work->kind_end[kind]]};
}

static bool has_good(const struct plan_work *work, int group)
{
	struct parts parts = parts_of_group(work, group);

	for (const struct screen_part *part = parts.first; part < parts.end; part++)
		if (part->good > 0)
			return true;
	return false;
}

/* The least that a cabinet must feed: the smallest server of any demand that is bought or owned. */
static int64_t least_server_watts(const struct plan_work *work)
{
	int64_t least = INT64_MAX;

	for (int w = 0; w < work->spec->workload_count; w++) {
		bool owned = work->spec->workloads[w].kind == WORKLOAD_HOSTING;

		for (int c = -1; c < work->class_count; c++) {
			const struct demand *demand = possible_demand(work, w, c);
			bool placed = c < 0 || (!owned && has_good(work, work->class_bought[c]));

			if (demand != NULL && placed && demand->server_watts < least)
				least = demand->server_watts;
		}
	}
	return least;
}

/* ---- Groups ---- */

static void judge_group(struct plan_work *work, size_t index, enum offer_kind kind)
{
	struct judged_group *group = &work->groups[index];

	if (group->judged.failed == 0 && group->class_index >= 0)
		judge_class(work, group);
	if (group->judged.failed != 0)
		return;
	if (kind == OFFER_RENTAL)
		work->class_rented[group->class_index] = (int)index;
	if (kind == OFFER_PURCHASE)
		work->class_bought[group->class_index] = (int)index;
}

void judge_groups(struct plan_work *work)
{
	const struct plan_source *source = work->source;

	for (int i = 0; i < CLASSES_MAX; i++) {
		work->class_rented[i] = work->class_bought[i] = -1;
		work->class_covered[i] = false;
	}
	memset(work->kind_first, 0, sizeof work->kind_first);
	memset(work->kind_end, 0, sizeof work->kind_end);
	for (size_t i = 0; i < source->group_count; i++) {
		uint8_t kind = source->blocks[source->groups[i].first_block].facts.kind;

		if (work->kind_end[kind] == 0)
			work->kind_first[kind] = i;
		work->kind_end[kind] = i + 1;
		judge_group(work, i, (enum offer_kind)kind);
	}
	work->least_watts = least_server_watts(work);
	for (int w = 0; w < work->spec->workload_count; w++)
		find_alike(work, w);
}
