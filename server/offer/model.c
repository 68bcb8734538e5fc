/* model.c - see model.h. */
#include "offer/model.h"

#include <stdlib.h>
#include <string.h>

const char *const attention_names[ATTENTION_COUNT] = {"full", "mla", "hybrid"};

static int compare_id(const void *key, const void *item)
{
	return strcmp(key, ((const struct model *)item)->id);
}

const struct model *model_find(const struct models *models, const char *id)
{
	if (models->count == 0)
		return NULL;
	return bsearch(id, models->items, models->count, sizeof *models->items, compare_id);
}
