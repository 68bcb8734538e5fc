/* catalogue.c - making, holding and reading a snapshot; see catalogue.h. */
#include "market/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "market/snapshot.h"

/* An offer on its way in: which facts, and where it is packed. */
struct draft {
	uint32_t facts; /* number in the builder's table, then rank in their order */
	int64_t floor;
	int64_t hourly_floor;
	int64_t id;
	int32_t stock;
	uint8_t supplies;
	uint64_t start;
	uint64_t size;
};

struct catalogue_builder {
	struct catalogue *catalogue; /* in the making */
	struct arena *scratch;
	struct intern facts; /* struct offer_facts with interned strings; in scratch */
	struct draft *drafts;
	size_t count;
	size_t capacity;
	struct buf packed;
};

struct catalogue_builder *catalogue_builder_create(int64_t revision)
{
	struct catalogue_builder *builder = alloc_zeroed(1, sizeof *builder);
	struct catalogue *catalogue = alloc_zeroed(1, sizeof *catalogue);

	atomic_init(&catalogue->references, 1);
	catalogue->revision = revision;
	catalogue->arena = arena_create();
	pack_tables_init(&catalogue->tables, catalogue->arena);
	builder->scratch = arena_create();
	intern_init(&builder->facts, builder->scratch);
	builder->catalogue = catalogue;
	return builder;
}

struct arena *catalogue_builder_arena(struct catalogue_builder *builder)
{
	return builder->catalogue->arena;
}

void catalogue_builder_reference(struct catalogue_builder *builder,
                                 const struct catalogue_reference *reference)
{
	builder->catalogue->reference = *reference;
}

/* The number of OFFER's facts, with every string interned. */
static uint32_t facts_number(struct catalogue_builder *builder, const struct offer *offer)
{
	struct intern *words = &builder->catalogue->tables.words;
	struct offer_facts facts;

	offer_facts_of(offer, &facts);
	facts.card = intern_word(words, facts.card);
	facts.power_tier = intern_word(words, facts.power_tier);
	facts.licences = intern_word(words, facts.licences);
	facts.line = intern_word(words, facts.line);
	return intern_bytes(&builder->facts, &facts, sizeof facts);
}

void catalogue_builder_add(struct catalogue_builder *builder, const struct offer *offer)
{
	struct catalogue *catalogue = builder->catalogue;

	if (builder->count == builder->capacity) {
		builder->capacity = builder->capacity == 0 ? 256 : builder->capacity * 2;
		builder->drafts =
		    alloc_resize(builder->drafts, builder->capacity * sizeof *builder->drafts);
	}
	struct draft *draft = &builder->drafts[builder->count++];

	draft->facts = facts_number(builder, offer);
	draft->floor = offer_floor_price(offer, false);
	draft->hourly_floor = offer_floor_price(offer, true);
	draft->id = offer->id;
	draft->stock = offer->servers_available;
	draft->supplies = offer_supplies(offer);
	draft->start = builder->packed.size;
	pack_offer(&catalogue->tables, offer, &builder->packed);
	draft->size = builder->packed.size - draft->start;
	if (offer->price_count > catalogue->max_prices)
		catalogue->max_prices = offer->price_count;
}

struct ranked_facts {
	const struct offer_facts *facts;
	uint32_t number;
};

static int compare_ranked(const void *a, const void *b)
{
	return offer_facts_compare(((const struct ranked_facts *)a)->facts,
	                           ((const struct ranked_facts *)b)->facts);
}

static int compare_drafts(const void *a, const void *b)
{
	const struct draft *x = a;
	const struct draft *y = b;

	if (x->facts != y->facts)
		return x->facts < y->facts ? -1 : 1;
	if (x->floor != y->floor)
		return x->floor < y->floor ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Blocks in the order of their facts; each draft's number becomes the index of its block. */
static void make_blocks(struct catalogue_builder *builder)
{
	struct catalogue *catalogue = builder->catalogue;
	size_t count = builder->facts.count - 1;
	struct ranked_facts *ranked = alloc_zeroed(count + 1, sizeof *ranked);
	uint32_t *block_of = alloc_zeroed(count + 1, sizeof *block_of);

	for (uint32_t i = 0; i < count; i++)
		ranked[i] = (struct ranked_facts){builder->facts.items[i + 1], i + 1};
	qsort(ranked, count, sizeof *ranked, compare_ranked);
	catalogue->blocks = alloc_zeroed(count + 1, sizeof *catalogue->blocks);
	catalogue->block_count = count;
	for (uint32_t i = 0; i < count; i++) {
		catalogue->blocks[i].facts = *ranked[i].facts;
		block_of[ranked[i].number] = i;
	}
	for (size_t i = 0; i < builder->count; i++)
		builder->drafts[i].facts = block_of[builder->drafts[i].facts];
	free(ranked);
	free(block_of);
}

/* The columns and the packed bytes, in the order of the sorted drafts. */
static void lay_out(struct catalogue_builder *builder)
{
	struct catalogue *catalogue = builder->catalogue;
	size_t count = builder->count;
	size_t at = 0;

	catalogue->size = count;
	catalogue->floors = alloc_zeroed(count + 1, sizeof *catalogue->floors);
	catalogue->hourly_floors = alloc_zeroed(count + 1, sizeof *catalogue->hourly_floors);
	catalogue->ids = alloc_zeroed(count + 1, sizeof *catalogue->ids);
	catalogue->stocks = alloc_zeroed(count + 1, sizeof *catalogue->stocks);
	catalogue->block_of = alloc_zeroed(count + 1, sizeof *catalogue->block_of);
	catalogue->supplies = alloc_zeroed(count + 1, sizeof *catalogue->supplies);
	catalogue->starts = alloc_zeroed(count + 1, sizeof *catalogue->starts);
	catalogue->packed = alloc_zeroed(builder->packed.size + 1, 1);
	catalogue->packed_size = builder->packed.size;
	for (size_t i = 0; i < count; i++) {
		const struct draft *draft = &builder->drafts[i];
		struct offer_block *block = &catalogue->blocks[draft->facts];

		if (block->count++ == 0)
			block->first = (uint32_t)i;
		catalogue->floors[i] = draft->floor;
		catalogue->hourly_floors[i] = draft->hourly_floor;
		catalogue->ids[i] = draft->id;
		catalogue->stocks[i] = draft->stock;
		catalogue->block_of[i] = draft->facts;
		catalogue->supplies[i] = draft->supplies;
		catalogue->starts[i] = at;
		memcpy(catalogue->packed + at, builder->packed.bytes + draft->start, draft->size);
		at += draft->size;
	}
}

/* A position with what it is sorted by. */
struct id_position {
	int64_t floor;
	int64_t id;
	uint32_t position;
};

static int compare_ids(const void *a, const void *b)
{
	const struct id_position *x = a;
	const struct id_position *y = b;

	if (x->floor != y->floor)
		return x->floor < y->floor ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* The positions of each group in the order of FLOORS, then ids; new. */
static uint32_t *order_groups(const struct catalogue *catalogue, const int64_t *floors)
{
	struct id_position *pairs = alloc_zeroed(catalogue->size + 1, sizeof *pairs);
	uint32_t *order = alloc_zeroed(catalogue->size + 1, sizeof *order);

	for (size_t i = 0; i < catalogue->size; i++)
		pairs[i] = (struct id_position){floors[i], catalogue->ids[i], (uint32_t)i};
	for (size_t i = 0; i < catalogue->group_count; i++) {
		const struct offer_group *group = &catalogue->groups[i];

		qsort(pairs + catalogue->blocks[group->first_block].first, group->offers,
		      sizeof *pairs, compare_ids);
	}
	for (size_t i = 0; i < catalogue->size; i++)
		order[i] = pairs[i].position;
	free(pairs);
	return order;
}

static int64_t lowest_floor(const struct catalogue *catalogue, uint32_t position)
{
	int64_t committed = catalogue->floors[position];
	int64_t hourly = catalogue->hourly_floors[position];

	return committed < hourly ? committed : hourly;
}

static bool is_cheaper(const struct catalogue *catalogue, uint32_t a, uint32_t b)
{
	int64_t x = lowest_floor(catalogue, a);
	int64_t y = lowest_floor(catalogue, b);

	if (x != y)
		return x < y;
	return catalogue->ids[a] < catalogue->ids[b];
}

/* Gathers neighbouring blocks of one class. */
static void make_groups(struct catalogue *catalogue)
{
	struct offer_group *group = NULL;

	catalogue->groups = alloc_zeroed(catalogue->block_count + 1, sizeof *catalogue->groups);
	for (uint32_t i = 0; i < catalogue->block_count; i++) {
		const struct offer_block *block = &catalogue->blocks[i];

		if (i == 0 || !offer_facts_same_class(&block[-1].facts, &block->facts)) {
			group = &catalogue->groups[catalogue->group_count++];
			group->first_block = i;
		}
		group->block_count++;
		group->offers += block->count;
	}
	catalogue->groups =
	    alloc_resize(catalogue->groups, (catalogue->group_count + 1) * sizeof *group);
}

/* The orders within each group, and which offer of it is cheapest. */
static void order_offers(struct catalogue *catalogue)
{
	catalogue->by_floor = order_groups(catalogue, catalogue->floors);
	catalogue->by_hour = order_groups(catalogue, catalogue->hourly_floors);
	for (size_t i = 0; i < catalogue->group_count; i++) {
		struct offer_group *group = &catalogue->groups[i];
		uint32_t first = catalogue->blocks[group->first_block].first;
		uint32_t by_hour = catalogue->by_hour[first];

		group->cheapest = catalogue->by_floor[first];
		if (is_cheaper(catalogue, by_hour, group->cheapest))
			group->cheapest = by_hour;
	}
}

static void index_ids(struct catalogue *catalogue)
{
	struct id_position *pairs = alloc_zeroed(catalogue->size + 1, sizeof *pairs);

	for (size_t i = 0; i < catalogue->size; i++)
		pairs[i] = (struct id_position){0, catalogue->ids[i], (uint32_t)i};
	qsort(pairs, catalogue->size, sizeof *pairs, compare_ids);
	catalogue->by_id = alloc_zeroed(catalogue->size + 1, sizeof *catalogue->by_id);
	for (size_t i = 0; i < catalogue->size; i++)
		catalogue->by_id[i] = pairs[i].position;
	free(pairs);
}

/* Everything of the builder but the catalogue. */
static void builder_free(struct catalogue_builder *builder)
{
	intern_finish(&builder->facts);
	arena_destroy(builder->scratch);
	buf_finish(&builder->packed);
	free(builder->drafts);
	free(builder);
}

struct catalogue *catalogue_builder_finish(struct catalogue_builder *builder)
{
	struct catalogue *catalogue = builder->catalogue;

	make_blocks(builder);
	if (builder->count > 0)
		qsort(builder->drafts, builder->count, sizeof *builder->drafts, compare_drafts);
	lay_out(builder);
	make_groups(catalogue);
	order_offers(catalogue);
	index_ids(catalogue);
	pack_tables_seal(&catalogue->tables);
	builder_free(builder);
	return catalogue;
}

void catalogue_builder_destroy(struct catalogue_builder *builder)
{
	if (builder == NULL)
		return;
	catalogue_release(builder->catalogue);
	builder_free(builder);
}

struct catalogue *catalogue_retain(struct catalogue *catalogue)
{
	atomic_fetch_add_explicit(&catalogue->references, 1, memory_order_relaxed);
	return catalogue;
}

void catalogue_release(struct catalogue *catalogue)
{
	if (catalogue == NULL ||
	    atomic_fetch_sub_explicit(&catalogue->references, 1, memory_order_acq_rel) > 1)
		return;
	pack_tables_finish(&catalogue->tables);
	arena_destroy(catalogue->arena);
	free(catalogue->blocks);
	free(catalogue->groups);
	free(catalogue->floors);
	free(catalogue->hourly_floors);
	free(catalogue->by_floor);
	free(catalogue->by_hour);
	free(catalogue->ids);
	free(catalogue->stocks);
	free(catalogue->block_of);
	free(catalogue->supplies);
	free(catalogue->starts);
	free(catalogue->by_id);
	free(catalogue->packed);
	free(catalogue);
}

int64_t catalogue_revision(const struct catalogue *catalogue)
{
	return catalogue->revision;
}

size_t catalogue_size(const struct catalogue *catalogue)
{
	return catalogue->size;
}

size_t catalogue_bytes(const struct catalogue *catalogue)
{
	const struct pack_tables *tables = &catalogue->tables;
	size_t pointers = tables->words.count + tables->sheets.count + tables->forms.count;
	size_t columns = sizeof *catalogue->floors + sizeof *catalogue->hourly_floors +
	                 sizeof *catalogue->by_floor + sizeof *catalogue->by_hour +
	                 sizeof *catalogue->block_of + sizeof *catalogue->ids +
	                 sizeof *catalogue->stocks + sizeof *catalogue->supplies +
	                 sizeof *catalogue->starts + sizeof *catalogue->by_id;

	return catalogue->size * columns + catalogue->packed_size + pointers * sizeof(void *) +
	       catalogue->block_count * sizeof *catalogue->blocks +
	       catalogue->group_count * sizeof *catalogue->groups + arena_size(catalogue->arena);
}

const struct catalogue_reference *catalogue_reference_of(const struct catalogue *catalogue)
{
	return &catalogue->reference;
}

const struct supplier *catalogue_supplier(const struct catalogue *catalogue, const char *id)
{
	const struct catalogue_reference *reference = &catalogue->reference;

	for (size_t i = 0; i < reference->supplier_count; i++)
		if (strcmp(reference->suppliers[i].id, id) == 0)
			return &reference->suppliers[i];
	return NULL;
}

const struct fx_rate *catalogue_fx(const struct catalogue *catalogue, const char *currency)
{
	const struct catalogue_reference *reference = &catalogue->reference;

	for (size_t i = 0; i < reference->fx_count; i++)
		if (strcmp(reference->fx[i].currency, currency) == 0)
			return &reference->fx[i];
	return NULL;
}

const struct offer_block *catalogue_blocks(const struct catalogue *catalogue, size_t *count)
{
	*count = catalogue->block_count;
	return catalogue->blocks;
}

const struct offer_group *catalogue_groups(const struct catalogue *catalogue, size_t *count)
{
	*count = catalogue->group_count;
	return catalogue->groups;
}

const int64_t *catalogue_floors(const struct catalogue *catalogue)
{
	return catalogue->floors;
}

const int64_t *catalogue_hourly_floors(const struct catalogue *catalogue)
{
	return catalogue->hourly_floors;
}

const uint32_t *catalogue_by_floor(const struct catalogue *catalogue)
{
	return catalogue->by_floor;
}

const uint32_t *catalogue_block_of(const struct catalogue *catalogue)
{
	return catalogue->block_of;
}

const uint32_t *catalogue_by_hour(const struct catalogue *catalogue)
{
	return catalogue->by_hour;
}

const int64_t *catalogue_ids(const struct catalogue *catalogue)
{
	return catalogue->ids;
}

const int32_t *catalogue_stocks(const struct catalogue *catalogue)
{
	return catalogue->stocks;
}

const uint8_t *catalogue_supplies(const struct catalogue *catalogue)
{
	return catalogue->supplies;
}

int catalogue_max_prices(const struct catalogue *catalogue)
{
	return catalogue->max_prices;
}

void catalogue_offer_at(const struct catalogue *catalogue, size_t position, struct offer *offer,
                        struct price *prices)
{
	unpack_offer(&catalogue->tables, &catalogue->blocks[catalogue->block_of[position]].facts,
	             catalogue->ids[position], catalogue->packed + catalogue->starts[position],
	             offer, prices);
	offer->servers_available = catalogue->stocks[position];
}

bool catalogue_offer(const struct catalogue *catalogue, int64_t id, struct arena *arena,
                     struct offer *offer)
{
	size_t low = 0;
	size_t high = catalogue->size;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (catalogue->ids[catalogue->by_id[middle]] < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == catalogue->size || catalogue->ids[catalogue->by_id[low]] != id)
		return false;
	catalogue_offer_at(catalogue, catalogue->by_id[low], offer,
	                   arena_array(arena, struct price, (size_t)catalogue->max_prices));
	return true;
}
