/* arrivals.c - see arrivals.h. A list: suppliers are few. */
#include "store/arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct arrival {
	char *supplier;
	int64_t last_us;
};

struct arrivals {
	struct arrival *items;
	size_t count;
};

struct arrivals *arrivals_create(void)
{
	return alloc_zeroed(1, sizeof(struct arrivals));
}

void arrivals_destroy(struct arrivals *arrivals)
{
	for (size_t i = 0; arrivals != NULL && i < arrivals->count; i++)
		free(arrivals->items[i].supplier);
	if (arrivals != NULL)
		free(arrivals->items);
	free(arrivals);
}

static struct arrival *find(const struct arrivals *arrivals, const char *supplier)
{
	for (size_t i = 0; i < arrivals->count; i++)
		if (strcmp(arrivals->items[i].supplier, supplier) == 0)
			return &arrivals->items[i];
	return NULL;
}

bool arrivals_late(const struct arrivals *arrivals, const char *supplier, int64_t arrived_us)
{
	const struct arrival *arrival = find(arrivals, supplier);

	return arrival != NULL && arrived_us < arrival->last_us;
}

void arrivals_note(struct arrivals *arrivals, const char *supplier, int64_t arrived_us)
{
	struct arrival *arrival = find(arrivals, supplier);

	if (arrival == NULL) {
		arrivals->items =
		    alloc_resize(arrivals->items, (arrivals->count + 1) * sizeof *arrivals->items);
		arrival = &arrivals->items[arrivals->count++];
		*arrival = (struct arrival){.supplier = alloc_strdup(supplier)};
	}
	arrival->last_us = arrived_us;
}
