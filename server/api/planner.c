/* planner.c - see planner.h. */
#include "api/planner.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/plan_source.h"
#include "api/screens.h"
#include "base/alloc.h"

#define BLOCKS_KEPT 16
#define DEMANDS_KEPT 1024 /* about 7 KB each */
#define PLACES 8          /* next to each other, in which a demand may stand */
#define VERSION_SIZE 32

/*
 * All that a demand depends on, by value. Compared as bytes: padding may make equal keys differ,
 * which costs a sizing, but never different keys equal.
 */
struct demand_key {
	enum workload_kind kind;
	union {
		struct training training;
		struct serving serving;
	} job;
	struct model model;
	char engine_version[VERSION_SIZE];
	struct card_class class;
	struct demand_basis basis;
};

struct remembered {
	uint64_t hash;
	struct demand_key key;
	struct demand demand;
};

struct planner {
	pthread_mutex_t lock;
	struct plan_memory blocks[BLOCKS_KEPT];
	int block_count;
	struct screens *screens;
	struct catalogue *catalogue; /* that the demands borrow from; one reference is held */
	struct remembered *demands[DEMANDS_KEPT];
};

/* What plan_source.context is while a planner plans. */
struct asking {
	struct planner *planner;
	struct catalogue *catalogue;
	struct plan_source source; /* over the catalogue */
};

struct planner *planner_create(void)
{
	struct planner *planner = alloc_zeroed(1, sizeof *planner);

	pthread_mutex_init(&planner->lock, NULL);
	planner->screens = screens_create();
	return planner;
}

static void forget_demands(struct planner *planner)
{
	for (int i = 0; i < DEMANDS_KEPT; i++) {
		free(planner->demands[i]);
		planner->demands[i] = NULL;
	}
	catalogue_release(planner->catalogue);
	planner->catalogue = NULL;
}

void planner_destroy(struct planner *planner)
{
	if (planner == NULL)
		return;
	forget_demands(planner);
	screens_destroy(planner->screens);
	for (int i = 0; i < planner->block_count; i++)
		free(planner->blocks[i].block);
	pthread_mutex_destroy(&planner->lock);
	free(planner);
}

/* ---- Demands ---- */

static void set_model(struct demand_key *key, const struct model **model)
{
	key->model = **model;
	key->model.id = NULL;
	key->model.source = NULL;
	*model = NULL;
}

static void set_job(struct demand_key *key, const struct workload *workload)
{
	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		key->job.training = workload->training;
		set_model(key, &key->job.training.model);
		return;
	case WORKLOAD_INFERENCE:
		key->job.serving = workload->serving;
		set_model(key, &key->job.serving.model);
		if (key->job.serving.engine_version != NULL)
			strncpy(key->engine_version, key->job.serving.engine_version,
			        VERSION_SIZE - 1);
		key->job.serving.engine_version = NULL;
		return;
	case WORKLOAD_USAGE:
	case WORKLOAD_HOSTING:
		return; /* not remembered */
	}
}

/* Mixes eight bytes at a time; the key's size is a multiple of eight. */
static uint64_t hash_of(const struct demand_key *key)
{
	uint64_t hash = 14695981039346656037u;
	uint64_t word;

	_Static_assert(sizeof *key % sizeof word == 0, "the key is hashed word by word");
	for (size_t i = 0; i < sizeof *key; i += sizeof word) {
		memcpy(&word, (const char *)key + i, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return hash;
}

/* The first of the PLACES for HASH. */
static struct remembered **places_of(struct planner *planner, uint64_t hash)
{
	return &planner->demands[hash % (DEMANDS_KEPT / PLACES) * PLACES];
}

/* Copies a remembered demand; false when there is none. */
static bool recall(struct planner *planner, const struct catalogue *catalogue,
                   const struct demand_key *key, uint64_t hash, struct demand *demand)
{
	bool found = false;

	pthread_mutex_lock(&planner->lock);
	struct remembered **places = places_of(planner, hash);

	for (int i = 0; i < PLACES && !found && planner->catalogue == catalogue; i++) {
		const struct remembered *at = places[i];

		found =
		    at != NULL && at->hash == hash && memcmp(&at->key, key, sizeof at->key) == 0;
		if (found)
			*demand = at->demand;
	}
	pthread_mutex_unlock(&planner->lock);
	return found;
}

/* Keeps REMEMBERED (steals it), where all places are taken instead of another. */
static void keep(struct planner *planner, struct catalogue *catalogue,
                 struct remembered *remembered)
{
	pthread_mutex_lock(&planner->lock);
	if (planner->catalogue != catalogue) {
		forget_demands(planner);
		planner->catalogue = catalogue_retain(catalogue);
	}
	struct remembered **places = places_of(planner, remembered->hash);
	uint64_t at = remembered->hash >> 32 & (PLACES - 1);

	for (uint64_t i = 0; i < PLACES; i++)
		if (places[i] == NULL)
			at = i;
	free(places[at]);
	places[at] = remembered;
	pthread_mutex_unlock(&planner->lock);
}

/* Whether a demand of WORKLOAD is worth a look into the memory, and can be kept there. */
static bool is_memorable(const struct workload *workload)
{
	const char *version = workload->serving.engine_version;

	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		return true;
	case WORKLOAD_INFERENCE: /* of the version only so much is kept */
		return version == NULL || strlen(version) < VERSION_SIZE;
	case WORKLOAD_USAGE:
	case WORKLOAD_HOSTING:
		return false; /* a few divisions */
	}
	return false;
}

static void demand_remembered(const void *context, const struct workload *workload,
                              const struct demand_basis *basis, const struct card_class *class,
                              struct demand *demand)
{
	const struct asking *asking = context;
	struct demand_key key = {.kind = workload->kind, .class = *class, .basis = *basis};

	if (!is_memorable(workload)) {
		demand_size(workload, basis, class, demand);
		return;
	}
	set_job(&key, workload);
	uint64_t hash = hash_of(&key);

	if (recall(asking->planner, asking->catalogue, &key, hash, demand))
		return;
	demand_size(workload, basis, class, demand);
	struct remembered *remembered = alloc_zeroed(1, sizeof *remembered);

	memcpy(&remembered->key, &key, sizeof key);
	remembered->hash = hash;
	remembered->demand = *demand;
	keep(asking->planner, asking->catalogue, remembered);
}

static const struct card *asking_card(const void *context, const char *id)
{
	const struct asking *asking = context;

	return asking->source.card(asking->source.context, id);
}

static void asking_offer(const void *context, size_t position, struct offer *offer,
                         struct price *prices)
{
	const struct asking *asking = context;

	asking->source.offer(asking->source.context, position, offer, prices);
}

/* ---- Blocks ---- */

static void hold_block(size_t size, struct plan_memory *memory)
{
	if (memory->size >= size)
		return;
	free(memory->block);
	memory->block = alloc_resize(NULL, size);
	memory->size = size;
}

static void take_block(struct planner *planner, size_t size, struct plan_memory *memory)
{
	*memory = (struct plan_memory){0};
	if (planner != NULL) {
		pthread_mutex_lock(&planner->lock);
		if (planner->block_count > 0)
			*memory = planner->blocks[--planner->block_count];
		pthread_mutex_unlock(&planner->lock);
	}
	hold_block(size, memory);
}

void planner_give_back(struct planner *planner, struct planned *planned)
{
	struct plan_memory memory = planned->memory;

	planned->memory = (struct plan_memory){0};
	screens_give_back(planner == NULL ? NULL : planner->screens, planned->screen);
	if (planner != NULL) {
		pthread_mutex_lock(&planner->lock);
		if (planner->block_count < BLOCKS_KEPT) {
			planner->blocks[planner->block_count++] = memory;
			memory.block = NULL;
		}
		pthread_mutex_unlock(&planner->lock);
	}
	free(memory.block);
}

void planner_make(struct planner *planner, struct catalogue *catalogue, struct spec *spec,
                  struct planned *planned)
{
	struct asking asking = {.planner = planner, .catalogue = catalogue};
	struct plan_source source = plan_source_of(catalogue, spec);
	struct screen_ask ask = screen_ask_of(spec);

	take_block(planner, screen_scratch(&source), &planned->memory);
	source.screen = screens_take(planner == NULL ? NULL : planner->screens, catalogue, &source,
	                             &ask, &planned->memory, &planned->screen);
	size_t size = plan_memory_needed(spec, &source);

	if (planner != NULL) {
		asking.source = source;
		source.context = &asking;
		source.card = asking_card;
		source.offer = asking_offer;
		source.demand = demand_remembered;
	}
	hold_block(size, &planned->memory);
	while (!plan_make(spec, &source, &planned->memory, &planned->plan)) {
		hold_block(planned->memory.size * 2, &planned->memory);
	}
}
