/* screen.c - see screen.h. */
#include "engine/screen.h"

#include <math.h>
#include <string.h>

#include "engine/plan_work.h"
#include "engine/screen_checks.h"

/* ---- What is asked ---- */

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

struct screen_ask screen_ask_of(const struct spec *spec)
{
	const struct cost_basis *basis = &spec->basis;
	struct date first = date_is_none(basis->start) ? basis->today : basis->start;

	return (struct screen_ask){
	    .cities = spec->cities,
	    .any_city = spec->any_city,
	    .leased = needs_dedicated(&spec->network),
	    .no_public = needs_dedicated(&spec->network) && !needs_public(&spec->network),
	    .terms = spec->terms,
	    .service = spec->service,
	    .line = spec->line,
	    .first = first,
	    .last = date_is_none(spec->require.start_by) ? first : spec->require.start_by,
	    .below_floor = below_floor(basis),
	    .fx = basis->fx,
	    .fx_count = basis->fx_count,
	    .require = spec->require,
	};
}

static bool same_words(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_rates(const struct screen_ask *a, const struct screen_ask *b)
{
	if (a->fx_count != b->fx_count)
		return false;
	for (int i = 0; i < a->fx_count; i++)
		if (strcmp(a->fx[i].currency, b->fx[i].currency) != 0 ||
		    money_compare(a->fx[i].per_unit, b->fx[i].per_unit) != 0)
			return false;
	return true;
}

static bool same_requirement(const struct requirement *a, const struct requirement *b)
{
	if (a->availability_ppm != b->availability_ppm ||
	    a->replacement_minutes != b->replacement_minutes ||
	    a->support_24x7 != b->support_24x7 || !same_words(a->power_tier, b->power_tier) ||
	    a->delivery != b->delivery || a->max_card_age_months != b->max_card_age_months ||
	    a->new_cards != b->new_cards || a->licence_count != b->licence_count ||
	    a->intra_link != b->intra_link || a->inter_link != b->inter_link)
		return false;
	for (int i = 0; i < a->licence_count; i++)
		if (!same_words(a->licences[i], b->licences[i]))
			return false;
	return true;
}

/* Who adds a field to one of these must compare and copy it below. */
_Static_assert(sizeof(struct requirement) == 56, "another field is compared and copied");
_Static_assert(sizeof(struct screen_ask) == 112, "another field is compared and copied");

bool screen_ask_same(const struct screen_ask *a, const struct screen_ask *b)
{
	return a->cities == b->cities && a->any_city == b->any_city && a->leased == b->leased &&
	       a->no_public == b->no_public && a->terms == b->terms && a->service == b->service &&
	       same_words(a->line, b->line) && a->first.days == b->first.days &&
	       a->last.days == b->last.days && !(a->below_floor < b->below_floor) &&
	       !(a->below_floor > b->below_floor) && same_rates(a, b) &&
	       same_requirement(&a->require, &b->require);
}

static const char *copy_words(struct plan_memory *memory, const char *words)
{
	size_t size = words == NULL ? 0 : strlen(words) + 1;
	char *copy = words == NULL ? NULL : PLAN_TAKE(memory, char, size);

	if (copy != NULL)
		memcpy(copy, words, size);
	return copy;
}

static void copy_ask(struct plan_memory *memory, const struct screen_ask *ask,
                     struct screen_ask *copy)
{
	struct fx_rate *fx = PLAN_TAKE(memory, struct fx_rate, ask->fx_count + 1);
	const char **licences = PLAN_TAKE(memory, const char *, ask->require.licence_count + 1);

	*copy = *ask;
	if (fx == NULL || licences == NULL)
		return;
	for (int i = 0; i < ask->fx_count; i++) {
		fx[i] = ask->fx[i];
		fx[i].source = NULL;
	}
	for (int i = 0; i < ask->require.licence_count; i++)
		licences[i] = copy_words(memory, ask->require.licences[i]);
	copy->line = copy_words(memory, ask->line);
	copy->require.power_tier = copy_words(memory, ask->require.power_tier);
	copy->require.licences = licences;
	copy->fx = fx;
}

/* ---- Parts ---- */

struct tally_node {
	struct screen_tally tally;
	struct tally_node *next;
};

/*
 * A part in the making. It is kept small and found by hash: a price list may state another power
 * for each of its cabinets, and every one of them is a part.
 */
struct draft {
	struct screen_part part;
	struct screened *committed;
	struct screened *hourly;
	struct tally_node *tallies; /* one of each reason, shared with others or alone */
	struct draft *next;         /* in the same bucket */
	uint32_t number;
};

/* The codes that were met, each once. */
struct codes {
	bool has[SCREEN_CODES];
	uint32_t met[SCREEN_CODES];
	uint32_t index[SCREEN_CODES]; /* of each code met, in the part that is in hand */
	uint32_t count;
};

struct screening {
	const struct screen_ask *ask;
	unsigned asked;
	const struct plan_source *source;
	struct plan_memory *keep;
	struct plan_memory *scratch;
	struct screen *screen;
	struct draft **draft_of; /* by block; NULL = the block does not pass */
	struct draft **drafts;   /* by number, in chunks that double */
	uint32_t count;
	uint32_t capacity;
	struct draft **buckets; /* by hash_of() */
	uint32_t bucket_mask;
	struct codes *codes;
};

double screen_rate(const struct screen_ask *ask, const char *currency)
{
	if (strcmp(currency, "CNY") == 0)
		return ask->below_floor;
	for (int i = 0; i < ask->fx_count; i++)
		if (strcmp(ask->fx[i].currency, currency) == 0)
			return (double)money_to_micro(ask->fx[i].per_unit) / 1e6 * ask->below_floor;
	return 0;
}

static bool is_shared(const struct offer_facts *facts)
{
	return facts->delivery == DELIVERY_VM || facts->delivery == DELIVERY_CONTAINER;
}

/* Whether a price of A bounds a bill in the same way as one of B, both of one group. */
static bool same_part(const struct offer_facts *a, const struct offer_facts *b)
{
	if (strcmp(a->currency, b->currency) != 0)
		return false;
	switch ((enum offer_kind)a->kind) {
	case OFFER_RENTAL:
		return is_shared(a) == is_shared(b);
	case OFFER_PURCHASE:
	case OFFER_COLOCATION:
		return a->basis == b->basis && a->cabinet_watts == b->cabinet_watts;
	case OFFER_NETWORK:
		return a->basis == b->basis && a->city == b->city &&
		       line_is_dedicated(a->line) == line_is_dedicated(b->line);
	case OFFER_STORAGE:
	case OFFER_SERVICE:
		return a->basis == b->basis && a->city == b->city;
	}
	return false;
}

/* Empty tables for as many drafts as there are blocks; false when memory is short. */
static bool room_for_tables(struct screening *screening)
{
	uint32_t buckets = 64;

	while (buckets < screening->source->block_count)
		buckets *= 2;
	screening->draft_of =
	    PLAN_TAKE(screening->scratch, struct draft *, screening->source->block_count + 1);
	screening->buckets = PLAN_TAKE(screening->scratch, struct draft *, buckets);
	screening->codes = PLAN_TAKE(screening->scratch, struct codes, 1);
	screening->bucket_mask = buckets - 1;
	if (screening->draft_of == NULL || screening->buckets == NULL || screening->codes == NULL)
		return false;
	memset(screening->buckets, 0, buckets * sizeof(struct draft *));
	memset(screening->codes, 0, sizeof *screening->codes);
	return true;
}

/* Room for one more number; false when memory is short. */
static bool room_for_draft(struct screening *screening)
{
	if (screening->count < screening->capacity)
		return true;
	uint32_t more = screening->capacity == 0 ? 64 : screening->capacity * 2;
	struct draft **grown = PLAN_TAKE(screening->scratch, struct draft *, more);

	if (grown == NULL)
		return false;
	if (screening->count > 0)
		memcpy(grown, screening->drafts, screening->count * sizeof *grown);
	screening->drafts = grown;
	screening->capacity = more;
	return true;
}

static struct draft *new_draft(struct screening *screening, const struct offer_facts *facts)
{
	struct draft *draft = PLAN_TAKE(screening->scratch, struct draft, 1);

	if (draft == NULL || !room_for_draft(screening))
		return NULL;
	memset(draft, 0, sizeof *draft);
	draft->part.facts = facts;
	draft->part.shared = is_shared(facts);
	draft->part.rate = screen_rate(screening->ask, facts->currency);
	draft->part.least_stock = -1;
	draft->number = screening->count;
	screening->drafts[screening->count++] = draft;
	return draft;
}

/* Equal for what same_part() holds to be the same, in the group that begins at FIRST. */
static uint32_t hash_of(uint32_t first, const struct offer_facts *facts)
{
	bool by_power = facts->kind == OFFER_PURCHASE || facts->kind == OFFER_COLOCATION;
	uint64_t hash = first;

	hash = (hash ^ (uint64_t)(by_power ? facts->cabinet_watts : 0)) * 0x9e3779b97f4a7c15u;
	for (const char *at = facts->currency; *at != '\0'; at++)
		hash = ((hash ^ hash >> 32) + (unsigned char)*at) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(hash >> 32);
}

/* The draft for FACTS among those of the group, which begin at FIRST; NULL when memory is short. */
static struct draft *draft_for(struct screening *screening, uint32_t first,
                               const struct offer_facts *facts)
{
	struct draft **bucket = &screening->buckets[hash_of(first, facts) & screening->bucket_mask];

	for (struct draft *draft = *bucket; draft != NULL; draft = draft->next)
		if (draft->number >= first && same_part(draft->part.facts, facts))
			return draft;
	struct draft *draft = new_draft(screening, facts);

	if (draft != NULL) {
		draft->next = *bucket;
		*bucket = draft;
	}
	return draft;
}

/* ---- Those that do not pass ---- */

static int64_t lower_floor(const struct plan_source *source, uint32_t position)
{
	int64_t committed = source->floors[position];
	int64_t hourly = source->hourly_floors[position];

	return committed < hourly ? committed : hourly;
}

bool screen_tally_nearer(const struct plan_source *source, const struct screen_tally *a,
                         const struct screen_tally *b)
{
	int64_t a_floor = lower_floor(source, a->position);
	int64_t b_floor = lower_floor(source, b->position);

	if (a->has_gap != b->has_gap)
		return a->has_gap;
	/* Hours and milliseconds are not compared: of several workloads the deadline is named. */
	if (a->in_ms != b->in_ms)
		return b->in_ms;
	if (a->gap < b->gap || a->gap > b->gap)
		return a->gap < b->gap;
	if (a_floor != b_floor)
		return a_floor < b_floor;
	return source->ids[a->position] < source->ids[b->position];
}

/* Where DRAFT counts those that REASON keeps out, ALONE or not; NULL when memory is short. */
static struct screen_tally *tally_for(const struct screening *screening, struct draft *draft,
                                      enum plan_reason reason, bool alone)
{
	struct tally_node *node = draft->tallies;

	while (node != NULL && (node->tally.reason != reason || node->tally.alone != alone))
		node = node->next;
	if (node != NULL)
		return &node->tally;
	node = PLAN_TAKE(screening->scratch, struct tally_node, 1);
	if (node == NULL)
		return NULL;
	*node = (struct tally_node){.tally = {.reason = reason, .alone = alone},
	                            .next = draft->tallies};
	draft->tallies = node;
	draft->part.tally_count++;
	return &node->tally;
}

/* False when memory is short. */
static bool tally(const struct screening *screening, struct draft *draft,
                  const struct judged *judged, const struct offer_block *block)
{
	enum plan_reason reason = (enum plan_reason)__builtin_ctz(judged->failed);
	bool alone = (judged->failed & (judged->failed - 1)) == 0;
	struct screen_tally *at = tally_for(screening, draft, reason, alone);
	struct screen_tally one = {.reason = reason,
	                           .alone = alone,
	                           .has_gap = judged->has_gap,
	                           .gap = judged->gap,
	                           .offers = block->count,
	                           .position = block->first};

	if (at == NULL)
		return false;
	uint32_t before = at->offers;

	if (before == 0 || screen_tally_nearer(screening->source, &one, at))
		*at = one;
	at->offers = before + block->count;
	return true;
}

/* ---- Walking ---- */

static bool sells_by(const struct screening *screening, const struct offer_facts *facts,
                     unsigned terms)
{
	return (facts->terms & screening->ask->terms & terms) != 0;
}

/* The draft of the block, and how many offers it adds to which run; false when memory is short. */
static bool screen_block(struct screening *screening, uint32_t first, uint32_t index)
{
	const struct offer_block *block = &screening->source->blocks[index];
	const struct offer_facts *facts = &block->facts;
	struct draft *draft = draft_for(screening, first, facts);

	if (draft == NULL)
		return false;
	struct judged judged = judge_facts(screening->ask, screening->asked, facts);

	screening->draft_of[index] = judged.failed == 0 ? draft : NULL;
	if (judged.failed != 0)
		return tally(screening, draft, &judged, block);
	draft->part.good += block->count;
	if (facts->kind == OFFER_RENTAL && sells_by(screening, facts, TERMS_BY_HOUR))
		draft->part.hourly_count += block->count;
	if (facts->kind != OFFER_RENTAL || sells_by(screening, facts, ~TERMS_BY_HOUR))
		draft->part.committed_count += block->count;
	return true;
}

static bool screen_blocks(struct screening *screening, uint32_t *first_part)
{
	const struct plan_source *source = screening->source;

	for (size_t g = 0; g < source->group_count; g++) {
		const struct offer_group *group = &source->groups[g];
		uint32_t first = screening->count;

		first_part[g] = first;
		for (uint32_t i = 0; i < group->block_count; i++)
			if (!screen_block(screening, first, group->first_block + i))
				return false;
	}
	first_part[source->group_count] = screening->count;
	return true;
}

/* Room for the runs of each draft; the counts begin again at 0. */
static bool room_for_runs(struct screening *screening)
{
	for (uint32_t i = 0; i < screening->count; i++) {
		struct draft *draft = screening->drafts[i];
		struct screen_part *part = &draft->part;

		draft->committed =
		    PLAN_TAKE(screening->keep, struct screened, part->committed_count);
		draft->hourly = PLAN_TAKE(screening->keep, struct screened, part->hourly_count);
		if (draft->committed == NULL || draft->hourly == NULL)
			return false;
		part->committed = draft->committed;
		part->hourly = draft->hourly;
		part->committed_count = part->hourly_count = 0;
	}
	return true;
}

static void note_stock(const struct plan_source *source, struct draft *draft, uint32_t position)
{
	int32_t stock = source->stocks[position];
	int32_t *least = &draft->part.least_stock;

	if (stock >= 0 && (*least < 0 || stock < *least))
		*least = stock;
}

/* Whether the offer at POSITION is in the run of those that are committed to. */
static bool commits(const struct screening *screening, uint32_t position)
{
	const struct plan_source *source = screening->source;
	const struct offer_facts *facts = &source->blocks[source->block_of[position]].facts;

	return facts->kind != OFFER_RENTAL || sells_by(screening, facts, ~TERMS_BY_HOUR);
}

/* Appends the offers that pass to their runs: the cheapest first, as the source has them. */
static void fill_runs(struct screening *screening)
{
	const struct plan_source *source = screening->source;

	for (size_t i = 0; i < source->offer_count; i++) {
		uint32_t position = source->by_floor[i];
		uint32_t block = source->block_of[position];
		const struct offer_facts *facts = &source->blocks[block].facts;
		struct draft *draft = screening->draft_of[block];

		if (draft == NULL)
			continue;
		struct screened offer = {position, screen_code(facts, source->supplies[position])};

		note_stock(source, draft, position);
		if (commits(screening, position))
			draft->committed[draft->part.committed_count++] = offer;
	}
	for (size_t i = 0; i < source->offer_count; i++) {
		uint32_t position = source->by_hour[i];
		uint32_t block = source->block_of[position];
		const struct offer_facts *facts = &source->blocks[block].facts;
		struct draft *draft = screening->draft_of[block];

		if (draft != NULL && facts->kind == OFFER_RENTAL &&
		    sells_by(screening, facts, TERMS_BY_HOUR))
			draft->hourly[draft->part.hourly_count++] = (struct screened){
			    position, screen_code(facts, source->supplies[position])};
	}
}

static void meet_codes(struct codes *codes, const struct screened *run, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (codes->has[run[i].code])
			continue;
		codes->has[run[i].code] = true;
		codes->met[codes->count++] = run[i].code;
	}
}

/* Gives PART the codes of its offers; false when memory is short. CODES is empty before and after.
 */
static bool find_codes(struct plan_memory *keep, struct codes *codes, struct screen_part *part)
{
	meet_codes(codes, part->committed, part->committed_count);
	meet_codes(codes, part->hourly, part->hourly_count);
	uint32_t *kept = PLAN_TAKE(keep, uint32_t, codes->count);

	if (kept == NULL)
		return false;
	for (uint32_t i = 0; i < codes->count; i++) {
		kept[i] = codes->met[i];
		codes->has[kept[i]] = false;
		codes->index[kept[i]] = i;
	}
	part->codes = kept;
	part->code_count = codes->count;
	codes->count = 0;
	return true;
}

/* The most servers of each SCREEN_STRIDE of a run; NULL when memory is short. */
static const int32_t *most_of_run(const struct screening *screening, const struct screened *run,
                                  uint32_t count)
{
	int32_t *most = PLAN_TAKE(screening->keep, int32_t, count / SCREEN_STRIDE + 1);

	for (uint32_t i = 0; most != NULL && i < count; i++) {
		int32_t stock = screening->source->stocks[run[i].position];
		int32_t *of = &most[i / SCREEN_STRIDE];
		int32_t has = stock < 0 ? INT32_MAX : stock;

		if (i % SCREEN_STRIDE == 0 || has > *of)
			*of = has;
	}
	return most;
}

/*
 * Sorts POSITIONS by stock, keeping the order of those that have as many: byte by byte (radix
 * sort), of which all but one or two are the same in all offers. OTHER has room for as many.
 */
static void sort_by_stock(const int32_t *stocks, uint32_t *positions, uint32_t *other,
                          uint32_t count)
{
	for (int shift = 0; shift < 32; shift += 8) {
		uint32_t first[257] = {0};

		for (uint32_t i = 0; i < count; i++)
			first[((uint32_t)stocks[positions[i]] >> shift & 255) + 1]++;
		for (int byte = 0; byte < 256; byte++)
			first[byte + 1] += first[byte];
		for (uint32_t i = 0; i < count; i++)
			other[first[(uint32_t)stocks[positions[i]] >> shift & 255]++] =
			    positions[i];
		memcpy(positions, other, count * sizeof *positions);
	}
}

/* Each offer of PART once, by stock; NULL when memory is short. */
static const uint32_t *stock_order(const struct screening *screening,
                                   const struct screen_part *part)
{
	const struct plan_source *source = screening->source;
	size_t used = screening->scratch->used;
	uint32_t *order = PLAN_TAKE(screening->keep, uint32_t, part->good);
	uint32_t *other = PLAN_TAKE(screening->scratch, uint32_t, part->good);
	uint32_t count = 0;

	if (order == NULL || other == NULL)
		return NULL;
	/* What is sold both by the hour and with a commitment stands in both runs. */
	for (uint32_t i = 0; i < part->committed_count; i++)
		order[count++] = part->committed[i].position;
	for (uint32_t i = 0; i < part->hourly_count; i++)
		if (!commits(screening, part->hourly[i].position))
			order[count++] = part->hourly[i].position;
	sort_by_stock(source->stocks, order, other, count);
	if (screening->keep != screening->scratch)
		screening->scratch->used = used;
	return order;
}

/* The offers of RUN apart by the codes of PART, each in the order of RUN; NULL when memory is
 * short.
 */
static const struct screen_run *runs_by_code(const struct screening *screening,
                                             const struct screen_part *part,
                                             const struct screened *run, uint32_t count)
{
	struct plan_memory *keep = screening->keep;
	const uint32_t *index = screening->codes->index;
	struct screen_run *runs = PLAN_TAKE(keep, struct screen_run, part->code_count + 1);
	struct screened *offers = PLAN_TAKE(keep, struct screened, count + 1);
	uint32_t before = 0;

	if (runs == NULL || offers == NULL)
		return NULL;
	memset(runs, 0, part->code_count * sizeof *runs);
	for (uint32_t i = 0; i < count; i++)
		runs[index[run[i].code]].count++;
	for (uint32_t code = 0; code < part->code_count; code++) {
		runs[code].offers = offers + before;
		before += runs[code].count;
		runs[code].count = 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct screen_run *of = &runs[index[run[i].code]];

		offers[(size_t)(of->offers - offers) + of->count++] = run[i];
	}
	for (uint32_t code = 0; part->facts->kind == OFFER_RENTAL && code < part->code_count;
	     code++)
		runs[code].most = most_of_run(screening, runs[code].offers, runs[code].count);
	return runs;
}

static bool find_runs(const struct screening *screening, struct screen_part *part)
{
	if (part->facts->kind != OFFER_RENTAL && part->facts->kind != OFFER_COLOCATION)
		return true;
	part->committed_of = runs_by_code(screening, part, part->committed, part->committed_count);
	part->hourly_of = runs_by_code(screening, part, part->hourly, part->hourly_count);
	return part->committed_of != NULL && part->hourly_of != NULL;
}

/* What searches need to know of the stocks of PART; false when memory is short. */
static bool find_stocks(const struct screening *screening, struct screen_part *part)
{
	enum offer_kind kind = (enum offer_kind)part->facts->kind;

	if (kind != OFFER_RENTAL && kind != OFFER_PURCHASE)
		return true;
	part->committed_most = most_of_run(screening, part->committed, part->committed_count);
	part->hourly_most = most_of_run(screening, part->hourly, part->hourly_count);
	part->by_stock = stock_order(screening, part);
	return part->by_stock != NULL;
}

/* The part of DRAFT with its codes and tallies; false when memory is short. */
static bool finish_part(struct screening *screening, struct draft *draft, struct screen_part *part)
{
	struct screen_tally *tally =
	    PLAN_TAKE(screening->keep, struct screen_tally, draft->part.tally_count);

	*part = draft->part;
	part->tallies = tally;
	for (struct tally_node *node = draft->tallies; node != NULL && tally != NULL;
	     node = node->next)
		*tally++ = node->tally;
	return tally != NULL && find_codes(screening->keep, screening->codes, part) &&
	       find_runs(screening, part) && find_stocks(screening, part);
}

size_t screen_size(const struct plan_source *source)
{
	return (256u << 10) + source->group_count * 4096 +
	       4 * source->offer_count * (sizeof(struct screened) + 1) +
	       source->offer_count * sizeof(uint32_t);
}

size_t screen_scratch(const struct plan_source *source)
{
	return (512u << 10) + source->group_count * 4 * sizeof(struct draft) +
	       source->block_count * 3 * sizeof(struct draft *) +
	       source->offer_count * sizeof(uint32_t);
}

const struct screen *screen_make(const struct screen_ask *ask, const struct plan_source *source,
                                 struct plan_memory *keep, struct plan_memory *scratch)
{
	struct screening screening = {.ask = ask,
	                              .asked = asked_checks(ask),
	                              .source = source,
	                              .keep = keep,
	                              .scratch = scratch};
	struct screen *screen = PLAN_TAKE(keep, struct screen, 1);
	uint32_t *first_part = PLAN_TAKE(keep, uint32_t, source->group_count + 1);

	if (screen == NULL || first_part == NULL || !room_for_tables(&screening) ||
	    !screen_blocks(&screening, first_part) || !room_for_runs(&screening))
		return NULL;
	fill_runs(&screening);
	copy_ask(keep, ask, &screen->ask);
	struct screen_part *parts = PLAN_TAKE(keep, struct screen_part, screening.count);

	screen->run_count = 0;
	for (uint32_t i = 0; parts != NULL && i < screening.count; i++) {
		if (!finish_part(&screening, screening.drafts[i], &parts[i]))
			return NULL;
		screen->run_count += 2 * (parts[i].code_count > 0 ? parts[i].code_count : 1);
	}
	screen->parts = parts;
	screen->part_count = screening.count;
	screen->first_part = first_part;
	return keep->too_small ? NULL : screen;
}
