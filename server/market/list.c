/* list.c - lists of offers for people and exports; see catalogue.h. */
#include <string.h>

#include "base/arena.h"
#include "market/catalogue.h"
#include "market/snapshot.h"

struct catalogue_filter catalogue_filter_any(void)
{
	return (struct catalogue_filter){
	    .kind = -1, .city = -1, .origin = -1, .term = -1, .valid_on = DATE_NONE};
}

/* Whether the offers of a block may pass: all that can be seen without unpacking one. */
static bool block_passes(const struct catalogue_filter *filter, const struct offer_facts *facts)
{
	if (filter->kind >= 0 && facts->kind != filter->kind)
		return false;
	if (filter->city >= 0 && facts->city != filter->city)
		return false;
	if (filter->origin >= 0 && facts->origin != filter->origin)
		return false;
	if (filter->term >= 0 && (facts->terms >> filter->term & 1) == 0)
		return false;
	if (filter->card != NULL && (facts->card == NULL || strcmp(facts->card, filter->card) != 0))
		return false;
	if (date_is_none(filter->valid_on))
		return true;
	struct offer dates = {.valid_from = facts->valid_from, .valid_to = facts->valid_to};

	return offer_valid_on(&dates, filter->valid_on);
}

static bool offer_passes(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                         size_t position)
{
	const unsigned char *bytes = catalogue->packed + catalogue->starts[position];

	if (filter->sheet_id != 0 && unpack_sheet_id(&catalogue->tables, bytes) != filter->sheet_id)
		return false;
	if (filter->supplier == NULL)
		return true;
	const char *supplier = unpack_supplier(&catalogue->tables, bytes);

	return supplier != NULL && strcmp(supplier, filter->supplier) == 0;
}

/* The LIMIT smallest ids after AFTER, as a heap with the largest at the root. */
struct smallest {
	int64_t after;
	size_t limit;
	size_t seen; /* how many would be kept if there were no limit */
	size_t count;
	struct {
		int64_t id;
		size_t position;
	} * heap;
};

static void swap_entries(struct smallest *smallest, size_t a, size_t b)
{
	int64_t id = smallest->heap[a].id;
	size_t position = smallest->heap[a].position;

	smallest->heap[a] = smallest->heap[b];
	smallest->heap[b].id = id;
	smallest->heap[b].position = position;
}

static void sift_down(struct smallest *smallest, size_t at, size_t count)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			return;
		if (child + 1 < count && smallest->heap[child].id < smallest->heap[child + 1].id)
			child++;
		if (smallest->heap[at].id >= smallest->heap[child].id)
			return;
		swap_entries(smallest, at, child);
		at = child;
	}
}

static void sift_up(struct smallest *smallest, size_t at)
{
	while (at > 0 && smallest->heap[(at - 1) / 2].id < smallest->heap[at].id) {
		swap_entries(smallest, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void keep(struct smallest *smallest, int64_t id, size_t position)
{
	smallest->seen++;
	if (smallest->count < smallest->limit) {
		smallest->heap[smallest->count].id = id;
		smallest->heap[smallest->count].position = position;
		sift_up(smallest, smallest->count++);
		return;
	}
	if (smallest->limit == 0 || id > smallest->heap[0].id)
		return;
	smallest->heap[0].id = id;
	smallest->heap[0].position = position;
	sift_down(smallest, 0, smallest->count);
}

static void keep_block(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                       const struct offer_block *block, struct smallest *smallest)
{
	for (size_t i = block->first; i < (size_t)block->first + block->count; i++)
		if (catalogue->ids[i] > smallest->after && offer_passes(catalogue, filter, i))
			keep(smallest, catalogue->ids[i], i);
}

static void keep_all(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                     struct smallest *smallest)
{
	for (size_t i = 0; i < catalogue->block_count; i++)
		if (block_passes(filter, &catalogue->blocks[i].facts))
			keep_block(catalogue, filter, &catalogue->blocks[i], smallest);
}

/* The heap in ascending order of id. */
static void sort_kept(struct smallest *smallest)
{
	for (size_t left = smallest->count; left > 1; left--) {
		swap_entries(smallest, 0, left - 1);
		sift_down(smallest, 0, left - 1);
	}
}

void catalogue_list(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                    int64_t after, size_t limit, struct arena *arena, struct catalogue_page *page)
{
	struct smallest smallest = {.after = after, .limit = limit};

	smallest.heap = arena_calloc(arena, limit + 1, sizeof *smallest.heap);
	keep_all(catalogue, filter, &smallest);
	sort_kept(&smallest);
	*page = (struct catalogue_page){
	    .items = arena_array(arena, struct offer, smallest.count + 1),
	    .count = smallest.count,
	};
	for (size_t i = 0; i < page->count; i++)
		catalogue_offer_at(catalogue, smallest.heap[i].position, &page->items[i],
		                   arena_array(arena, struct price, (size_t)catalogue->max_prices));
	if (smallest.seen > page->count && page->count > 0)
		page->next_after = smallest.heap[page->count - 1].id;
}

size_t catalogue_count(const struct catalogue *catalogue, const struct catalogue_filter *filter)
{
	struct smallest smallest = {.after = INT64_MIN};

	keep_all(catalogue, filter, &smallest);
	return smallest.seen;
}
