/* planner.c - see planner.h. */
#include "api/planner.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/plan_source.h"
#include "api/screens.h"
#include "base/alloc.h"

#define BLOCKS_KEPT 16
#define BYTES_KEPT ((size_t)256 << 20) /* of all blocks: a plan of 16 workloads takes 380 MB */
#define ABILITIES_KEPT 1024            /* about 6 KB each */
#define PLACES 8                       /* next to each other, in which one may stand */
#define SUBJECTS_KEPT 64
#define QUICK_TOP 20
#define VERSION_SIZE 32

/*
 * A job without its amounts, by value. Compared as bytes: padding may make equal subjects differ,
 * which costs a sizing, but never different ones equal.
 */
struct subject {
	enum workload_kind kind;
	union {
		struct training training;
		struct serving serving;
	} job;
	struct model model;
	char engine_version[VERSION_SIZE];
};

/* What a class of card can do for a job. */
struct ability {
	uint64_t hash; /* of both */
	struct subject subject;
	struct card_class class;
	union demand_known known;
};

/* A subject to be looked for, hashed. */
struct asked {
	struct subject subject;
	uint64_t hash; /* never 0 */
};

struct planner {
	pthread_mutex_t lock;
	struct plan_memory blocks[BLOCKS_KEPT];
	int block_count;
	size_t block_bytes; /* of those */
	struct screens *screens;
	struct catalogue *catalogue; /* that the abilities borrow from; one reference is held */
	struct ability *abilities[ABILITIES_KEPT];
	uint64_t subjects[SUBJECTS_KEPT]; /* jobs that plans were made for, as hashes; 0 = none */
};

/* What plan_source.context is while a planner plans. */
struct asking {
	struct planner *planner;
	struct catalogue *catalogue;
	struct plan_source source; /* over the catalogue */
	const struct workload *workloads;
	struct asked *asked; /* by workload; those that are memorable */
};

struct planner *planner_create(void)
{
	struct planner *planner = alloc_zeroed(1, sizeof *planner);

	pthread_mutex_init(&planner->lock, NULL);
	planner->screens = screens_create();
	return planner;
}

static void forget_abilities(struct planner *planner)
{
	for (int i = 0; i < ABILITIES_KEPT; i++) {
		free(planner->abilities[i]);
		planner->abilities[i] = NULL;
	}
	memset(planner->subjects, 0, sizeof planner->subjects);
	catalogue_release(planner->catalogue);
	planner->catalogue = NULL;
}

void planner_destroy(struct planner *planner)
{
	if (planner == NULL)
		return;
	forget_abilities(planner);
	screens_destroy(planner->screens);
	for (int i = 0; i < planner->block_count; i++)
		free(planner->blocks[i].block);
	pthread_mutex_destroy(&planner->lock);
	free(planner);
}

/* ---- What cards can do ---- */

static void set_model(struct subject *subject, const struct model **model)
{
	subject->model = **model;
	subject->model.id = NULL;
	subject->model.source = NULL;
	*model = NULL;
}

/* SUBJECT is all zero before. */
static void set_subject(struct subject *subject, const struct workload *workload)
{
	struct workload job = demand_subject(workload);

	subject->kind = workload->kind;
	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		subject->job.training = job.training;
		set_model(subject, &subject->job.training.model);
		return;
	case WORKLOAD_INFERENCE:
		subject->job.serving = job.serving;
		set_model(subject, &subject->job.serving.model);
		if (job.serving.engine_version != NULL)
			strncpy(subject->engine_version, job.serving.engine_version,
			        VERSION_SIZE - 1);
		subject->job.serving.engine_version = NULL;
		return;
	case WORKLOAD_USAGE:
	case WORKLOAD_HOSTING:
		return; /* not remembered */
	}
}

/* Mixes SIZE bytes into HASH, eight at a time. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	uint64_t word;

	for (size_t i = 0; i < size; i += sizeof word) {
		memcpy(&word, (const char *)bytes + i, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return hash;
}

static void ask_for(const struct workload *workload, struct asked *asked)
{
	_Static_assert(sizeof asked->subject % 8 == 0 && sizeof(struct card_class) % 8 == 0,
	               "they are hashed word by word");
	memset(&asked->subject, 0, sizeof asked->subject);
	set_subject(&asked->subject, workload);
	asked->hash = mix(14695981039346656037u, &asked->subject, sizeof asked->subject) | 1;
}

static bool is_for(const struct ability *ability, const struct asked *asked,
                   const struct card_class *class, uint64_t hash)
{
	return ability != NULL && ability->hash == hash &&
	       memcmp(&ability->class, class, sizeof *class) == 0 &&
	       memcmp(&ability->subject, &asked->subject, sizeof asked->subject) == 0;
}

/* The place of the one for ASKED on CLASS with HASH, else where it may stand. */
static struct ability **place_of(struct planner *planner, const struct asked *asked,
                                 const struct card_class *class, uint64_t hash)
{
	struct ability **places = &planner->abilities[hash % (ABILITIES_KEPT / PLACES) * PLACES];
	struct ability **at = &places[hash >> 32 & (PLACES - 1)];

	for (int i = 0; i < PLACES; i++) {
		if (is_for(places[i], asked, class, hash))
			return &places[i];
		if (places[i] == NULL)
			at = &places[i];
	}
	return at;
}

/* Copies what is known of ASKED on CLASS to KNOWN; all zero when it is nothing. */
static void recall(const struct asking *asking, const struct asked *asked,
                   const struct card_class *class, uint64_t hash, union demand_known *known)
{
	struct planner *planner = asking->planner;

	pthread_mutex_lock(&planner->lock);
	const struct ability *at = *place_of(planner, asked, class, hash);
	bool is_known = planner->catalogue == asking->catalogue && is_for(at, asked, class, hash);

	if (is_known)
		memcpy(known, &at->known, sizeof *known);
	pthread_mutex_unlock(&planner->lock);
	if (!is_known)
		memset(known, 0, sizeof *known);
}

/* Keeps what is KNOWN, where all places are taken instead of something else. */
static void keep(const struct asking *asking, const struct asked *asked,
                 const struct card_class *class, uint64_t hash, const union demand_known *known)
{
	struct planner *planner = asking->planner;
	struct ability *ability = alloc_zeroed(1, sizeof *ability);

	ability->hash = hash;
	memcpy(&ability->subject, &asked->subject, sizeof asked->subject);
	memcpy(&ability->class, class, sizeof *class);
	memcpy(&ability->known, known, sizeof *known);
	pthread_mutex_lock(&planner->lock);
	if (planner->catalogue != asking->catalogue) {
		forget_abilities(planner);
		planner->catalogue = catalogue_retain(asking->catalogue);
	}
	struct ability **place = place_of(planner, asked, class, hash);

	free(*place);
	*place = ability;
	pthread_mutex_unlock(&planner->lock);
}

/* Whether what cards can do for WORKLOAD is worth a look into the memory, and can be kept there. */
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
	union demand_known known;

	if (!is_memorable(workload)) {
		demand_size(workload, basis, class, NULL, demand);
		return;
	}
	const struct asked *asked = &asking->asked[workload - asking->workloads];
	uint64_t hash = mix(asked->hash, class, sizeof *class);

	recall(asking, asked, class, hash, &known);
	unsigned before = known.changes;

	demand_size(workload, basis, class, &known, demand);
	if (known.changes != before)
		keep(asking, asked, class, hash, &known);
}

/* ---- What was sized before ---- */

static void note_subjects(const struct asking *asking, const struct spec *spec)
{
	struct planner *planner = asking->planner;

	pthread_mutex_lock(&planner->lock);
	for (int w = 0; w < spec->workload_count && planner->catalogue == asking->catalogue; w++)
		if (is_memorable(&spec->workloads[w])) {
			uint64_t hash = asking->asked[w].hash;

			planner->subjects[hash / 2 % SUBJECTS_KEPT] = hash;
		}
	pthread_mutex_unlock(&planner->lock);
}

static bool was_sized(struct planner *planner, const struct catalogue *catalogue,
                      const struct workload *workload)
{
	bool is_amounts_alone =
	    workload->kind == WORKLOAD_USAGE || workload->kind == WORKLOAD_HOSTING;
	struct asked asked;

	if (is_amounts_alone || !is_memorable(workload))
		return is_amounts_alone;
	ask_for(workload, &asked);
	pthread_mutex_lock(&planner->lock);
	bool was = planner->catalogue == catalogue &&
	           planner->subjects[asked.hash / 2 % SUBJECTS_KEPT] == asked.hash;

	pthread_mutex_unlock(&planner->lock);
	return was;
}

bool planner_is_quick(struct planner *planner, struct catalogue *catalogue, const struct spec *spec)
{
	struct screen_ask ask = screen_ask_of(spec);

	return spec->workload_count == 1 && spec->top <= QUICK_TOP && !spec->full_sensitivity &&
	       was_sized(planner, catalogue, &spec->workloads[0]) &&
	       screens_have(planner->screens, catalogue, &ask);
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
		if (planner->block_count > 0) {
			*memory = planner->blocks[--planner->block_count];
			planner->block_bytes -= memory->size;
		}
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
		if (planner->block_count < BLOCKS_KEPT &&
		    memory.size <= BYTES_KEPT - planner->block_bytes) {
			planner->blocks[planner->block_count++] = memory;
			planner->block_bytes += memory.size;
			memory.block = NULL;
		}
		pthread_mutex_unlock(&planner->lock);
	}
	free(memory.block);
}

void planner_prepare(struct planner *planner, struct catalogue *catalogue)
{
	struct spec spec = spec_defaults();
	struct plan_source source = plan_source_of(catalogue, &spec);

	if (planner != NULL)
		screens_prepare(planner->screens, catalogue, &source);
}

void planner_turn_to(struct planner *planner, struct catalogue *catalogue)
{
	if (planner == NULL)
		return;
	screens_turn_to(planner->screens, catalogue);
	pthread_mutex_lock(&planner->lock);
	if (planner->catalogue != catalogue)
		forget_abilities(planner);
	pthread_mutex_unlock(&planner->lock);
}

/* What of SPEC's workloads is to be remembered; free it. NULL = nothing. */
static struct asked *ask_for_all(const struct spec *spec)
{
	struct asked *asked = NULL;

	for (int w = 0; w < spec->workload_count; w++) {
		if (!is_memorable(&spec->workloads[w]))
			continue;
		if (asked == NULL)
			asked = alloc_zeroed((size_t)spec->workload_count, sizeof *asked);
		ask_for(&spec->workloads[w], &asked[w]);
	}
	return asked;
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
		asking.workloads = spec->workloads;
		asking.asked = ask_for_all(spec);
		source.context = &asking;
		source.card = asking_card;
		source.offer = asking_offer;
		source.demand = demand_remembered;
	}
	hold_block(size, &planned->memory);
	while (!plan_make(spec, &source, &planned->memory, &planned->plan)) {
		hold_block(planned->memory.size * 2, &planned->memory);
	}
	if (planner != NULL)
		note_subjects(&asking, spec);
	free(asking.asked);
}
