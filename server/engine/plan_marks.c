/* plan_marks.c - what became of the offers that were looked at; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

#define FIRST_CAPACITY 512

static bool make_room(struct plan_work *work, uint32_t capacity)
{
	struct mark *entries = PLAN_TAKE(work->memory, struct mark, capacity);

	if (entries == NULL)
		return false;
	memset(entries, 0, capacity * sizeof *entries);
	work->marks = (struct marks){.entries = entries, .capacity = capacity};
	return true;
}

bool marks_init(struct plan_work *work)
{
	return make_room(work, FIRST_CAPACITY);
}

/* The entry of POSITION, or the free one where it would stand. */
static struct mark *place_of(const struct marks *marks, uint32_t position)
{
	uint32_t at = position * 0x9e3779b1u >> 7;

	for (;; at++) {
		struct mark *entry = &marks->entries[at & (marks->capacity - 1)];

		if (!entry->is_taken || entry->position == position)
			return entry;
	}
}

static bool grow(struct plan_work *work)
{
	struct marks old = work->marks;

	if (!make_room(work, old.capacity * 4))
		return false;
	for (uint32_t i = 0; i < old.capacity; i++)
		if (old.entries[i].is_taken)
			*place_of(&work->marks, old.entries[i].position) = old.entries[i];
	work->marks.count = old.count;
	return true;
}

/* The entry of POSITION, a new one where there is none; NULL when memory is short. */
static struct mark *entry_of(struct plan_work *work, uint32_t position)
{
	struct mark *entry = place_of(&work->marks, position);

	if (entry->is_taken)
		return entry;
	if (work->marks.count >= work->marks.capacity / 2) {
		if (!grow(work))
			return NULL;
		entry = place_of(&work->marks, position);
	}
	work->marks.count++;
	*entry = (struct mark){.position = position, .is_taken = true};
	return entry;
}

void mark_offer(struct plan_work *work, uint32_t position, enum plan_reason reason)
{
	struct mark *entry = entry_of(work, position);
	uint8_t mark = (uint8_t)(reason + 1);

	if (entry != NULL && entry->reason < mark)
		entry->reason = mark;
}

void mark_used(struct plan_work *work, uint32_t position)
{
	struct mark *entry = entry_of(work, position);

	if (entry != NULL)
		entry->reason = USED_MARK;
}

uint8_t mark_of(const struct plan_work *work, uint32_t position)
{
	const struct mark *entry = place_of(&work->marks, position);

	return entry->is_taken ? entry->reason : 0;
}

bool is_first_look(struct plan_work *work, uint32_t position)
{
	struct mark *entry = entry_of(work, position);

	if (entry == NULL || entry->search == work->search)
		return false;
	entry->search = work->search;
	return true;
}
