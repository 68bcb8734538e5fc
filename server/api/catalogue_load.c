/* catalogue_load.c - see catalogue_load.h. */
#include "api/catalogue_load.h"

#include <stdlib.h>
#include <string.h>

#include "api/planner.h"
#include "base/arena.h"
#include "base/log.h"
#include "market/catalogue.h"
#include "store/store.h"

struct loading {
	struct catalogue_builder *builder;
	struct arena *arena; /* of the snapshot */
	struct problems *problems;
	struct store_catalogue stored;
	int64_t revision; /* that the builder was made for */
};

/* Index of the entry of BASE (COUNT entries of SIZE bytes that begin with an id) with ID, or -1. */
static int find_id(const void *base, size_t count, size_t size, const char *id)
{
	for (size_t i = 0; i < count; i++) {
		const char *const *entry =
		    (const void *)((const char *)base + i * size); /* the id is the first member */

		if (strcmp(*entry, id) == 0)
			return (int)i;
	}
	return -1;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A copy of BASE with the entries of OVER put in their places or added, sorted by id. */
static void *overlay(struct arena *arena, const void *base, size_t *count, const void *over,
                     size_t over_count, size_t size)
{
	char *all = arena_calloc(arena, *count + over_count, size);

	if (*count > 0)
		memcpy(all, base, *count * size);
	for (size_t i = 0; i < over_count; i++) {
		const char *entry = (const char *)over + i * size;
		int at = find_id(all, *count, size, *(const char *const *)(const void *)entry);

		memcpy(all + (at < 0 ? (*count)++ : (size_t)at) * size, entry, size);
	}
	qsort(all, *count, size, by_id);
	return all;
}

static void overlay_row(struct loading *loading, enum reference_kind kind, const char *csv,
                        struct reference *all)
{
	struct arena *arena = loading->arena;
	size_t size = strlen(csv);
	struct cards cards;
	struct models models;
	struct tariffs hours = {0};

	switch (kind) {
	case REFERENCE_CARD:
		if (cards_read(arena, csv, size, loading->problems, &cards))
			all->cards.items = overlay(arena, all->cards.items, &all->cards.count,
			                           cards.items, cards.count, sizeof *cards.items);
		return;
	case REFERENCE_MODEL:
		if (models_read(arena, csv, size, loading->problems, &models))
			all->models = models_merge(arena, all->models, models);
		return;
	case REFERENCE_TARIFF_HOURS:
		if (tariff_hours_read(arena, csv, size, loading->problems, &hours))
			all->tariffs.hours =
			    overlay(arena, all->tariffs.hours, &all->tariffs.hours_count,
			            hours.hours, hours.hours_count, sizeof *hours.hours);
		return;
	}
}

static void overlay_tariffs(struct loading *loading, struct tariffs *all)
{
	const struct stored_tariffs *stored = &loading->stored.tariffs;
	struct tariff *own = arena_array(loading->arena, struct tariff, stored->count);

	for (size_t i = 0; i < stored->count; i++)
		own[i] = stored->items[i].value;
	all->items =
	    overlay(loading->arena, all->items, &all->count, own, stored->count, sizeof *own);
}

/* Rates come by currency, then day: the last of each currency is the newest. */
static size_t newest_rates(struct arena *arena, const struct fx_rates *rates,
                           const struct fx_rate **newest)
{
	struct fx_rate *kept = arena_array(arena, struct fx_rate, rates->count);
	size_t count = 0;

	for (size_t i = 0; i < rates->count; i++) {
		bool same =
		    count > 0 && strcmp(kept[count - 1].currency, rates->items[i].currency) == 0;

		kept[same ? count - 1 : count++] = rates->items[i];
	}
	*newest = kept;
	return count;
}

static void load_reference(struct loading *loading)
{
	const struct store_catalogue *stored = &loading->stored;
	struct arena *arena = loading->arena;
	struct supplier *suppliers = arena_array(arena, struct supplier, stored->suppliers.count);
	struct site *sites = arena_array(arena, struct site, stored->sites.count);
	struct catalogue_reference reference = {
	    .suppliers = suppliers,
	    .supplier_count = stored->suppliers.count,
	    .sites = sites,
	    .site_count = stored->sites.count,
	};

	reference_baked(arena, loading->problems, &reference.base);
	for (int kind = 0; kind < REFERENCE_KIND_COUNT; kind++)
		for (size_t i = 0; i < stored->reference[kind].count; i++)
			overlay_row(loading, (enum reference_kind)kind,
			            stored->reference[kind].items[i].csv, &reference.base);
	overlay_tariffs(loading, &reference.base.tariffs);
	for (size_t i = 0; i < stored->suppliers.count; i++)
		suppliers[i] = stored->suppliers.items[i].value;
	for (size_t i = 0; i < stored->sites.count; i++)
		sites[i] = stored->sites.items[i].value;
	reference.fx_count = newest_rates(arena, &stored->fx, &reference.fx);
	catalogue_builder_reference(loading->builder, &reference);
}

/* The builder was made for the revision read just before: another commit in between ends the walk.
 */
static bool add_offer(void *context, const struct offer *offer)
{
	struct loading *loading = context;

	if (loading->stored.revision != loading->revision)
		return false;
	catalogue_builder_add(loading->builder, offer);
	return true;
}

static void report(struct problems *problems, enum store_result result)
{
	problem_add(problems, PROBLEM_ERROR, "store_failed", (struct place){0}, NULL,
	            "the store cannot be read: %s", "数据库无法读取：%s",
	            store_result_names[result]);
}

/* One try; NULL without an error when the revision moved on, which LOADING then says. */
static struct catalogue *try_load(struct store *store, struct loading *loading)
{
	size_t errors = loading->problems->errors;

	loading->builder = catalogue_builder_create(loading->revision);
	loading->arena = catalogue_builder_arena(loading->builder);
	enum store_result result =
	    store_catalogue_load(store, loading->arena, &loading->stored, add_offer, loading);

	if (result != STORE_OK)
		report(loading->problems, result);
	else if (loading->stored.revision == loading->revision)
		load_reference(loading);
	if (result == STORE_OK && loading->stored.revision == loading->revision &&
	    loading->problems->errors == errors)
		return catalogue_builder_finish(loading->builder);
	loading->revision = loading->stored.revision;
	catalogue_builder_destroy(loading->builder);
	return NULL;
}

struct catalogue *catalogue_load(struct store *store, struct problems *problems)
{
	struct loading loading = {.problems = problems};
	size_t errors = problems->errors;
	struct catalogue *catalogue = NULL;
	enum store_result result = store_revision(store, &loading.revision);

	if (result != STORE_OK)
		report(problems, result);
	while (catalogue == NULL && problems->errors == errors)
		catalogue = try_load(store, &loading);
	return catalogue;
}

static void log_problems(const struct problems *problems)
{
	for (size_t i = 0; i < problems->count; i++)
		log_line(LOG_ERROR, "the catalogue stays as it was: %s: %s",
		         problems->items[i].code, problems->items[i].message.en);
}

static bool is_current(struct app *app)
{
	struct catalogue *catalogue = catalogue_slot_get(app->catalogue);
	int64_t revision;
	bool current = catalogue != NULL && store_revision(app->store, &revision) == STORE_OK &&
	               catalogue_revision(catalogue) >= revision;

	catalogue_release(catalogue);
	return current;
}

/* The snapshot before is held until nobody else remembers anything of it, so that to free it, which
 * takes some milliseconds, is seldom left to a reader. */
static void put_in_force(struct app *app, struct catalogue *next)
{
	struct catalogue *before = catalogue_slot_get(app->catalogue);

	planner_prepare(app->planner, next);
	catalogue_slot_put(app->catalogue, next);
	planner_turn_to(app->planner, next);
	catalogue_release(before);
}

void catalogue_reload(struct app *app)
{
	pthread_mutex_lock(&app->reloading);
	if (!is_current(app)) {
		struct arena *arena = arena_create();
		struct problems problems;

		problems_init(&problems, arena);
		struct catalogue *next = catalogue_load(app->store, &problems);

		if (next != NULL)
			put_in_force(app, next);
		else
			log_problems(&problems);
		arena_destroy(arena);
	}
	pthread_mutex_unlock(&app->reloading);
}
