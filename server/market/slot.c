/*
 * slot.c - the current snapshot; see catalogue.h.
 *
 * Between loading the pointer and counting itself in, a reader could lose the snapshot to a writer.
 * So a reader announces itself first, and a writer that has swapped the pointer waits, for the
 * nanoseconds that this takes, until nobody is announced before it gives the old one back. New
 * readers are announced in the other of two counters, so they cannot keep the writer waiting.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "market/catalogue.h"

struct catalogue_slot {
	_Atomic(struct catalogue *) current;
	atomic_uint turn; /* its lowest bit: the counter that readers use now */
	atomic_uint entering[2];
};

struct catalogue_slot *catalogue_slot_create(struct catalogue *first)
{
	struct catalogue_slot *slot = alloc_zeroed(1, sizeof *slot);

	atomic_init(&slot->current, first);
	atomic_init(&slot->turn, 0);
	atomic_init(&slot->entering[0], 0);
	atomic_init(&slot->entering[1], 0);
	return slot;
}

void catalogue_slot_destroy(struct catalogue_slot *slot)
{
	if (slot == NULL)
		return;
	catalogue_release(atomic_load(&slot->current));
	free(slot);
}

struct catalogue *catalogue_slot_get(struct catalogue_slot *slot)
{
	unsigned side = atomic_load(&slot->turn) & 1;

	atomic_fetch_add(&slot->entering[side], 1);
	struct catalogue *current = atomic_load(&slot->current);

	if (current != NULL)
		catalogue_retain(current);
	atomic_fetch_sub(&slot->entering[side], 1);
	return current;
}

void catalogue_slot_put(struct catalogue_slot *slot, struct catalogue *next)
{
	struct catalogue *old = atomic_exchange(&slot->current, next);

	/* Twice: a reader may have read the turn before the first flip and be announced after it.
	 */
	for (int i = 0; i < 2; i++) {
		unsigned side = atomic_fetch_add(&slot->turn, 1) & 1;

		while (atomic_load(&slot->entering[side]) != 0)
			sched_yield();
	}
	catalogue_release(old);
}
