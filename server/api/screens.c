/* screens.c - see screens.h. */
#include "api/screens.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"

#define SCREENS_MAX 32
#define BYTES_MAX (160u << 20) /* of all, four of a million offers; the last used is always kept */
#define PREPARED_MAX 4        /* for the snapshot that comes next */

struct screen_kept {
	bool is_forgotten; /* freed when it is given back */
	const struct screen *screen;
	struct plan_memory memory; /* that it lies in */
	int users;
	uint64_t used; /* the higher, the later */
};

struct screens {
	pthread_mutex_t lock;
	struct catalogue *catalogue; /* that all are of; one reference is held */
	struct screen_kept *kept[SCREENS_MAX];
	int count;
	uint64_t uses;
	struct catalogue *next; /* that there are some prepared of; one reference is held */
	struct screen_kept *prepared[PREPARED_MAX];
	int prepared_count;
};

struct screens *screens_create(void)
{
	struct screens *screens = alloc_zeroed(1, sizeof *screens);

	pthread_mutex_init(&screens->lock, NULL);
	return screens;
}

static void free_kept(struct screen_kept *kept)
{
	free(kept->memory.block);
	free(kept);
}

/* Forgets number AT; who uses it frees it. */
static void forget(struct screens *screens, int at)
{
	struct screen_kept *kept = screens->kept[at];

	screens->kept[at] = screens->kept[--screens->count];
	kept->is_forgotten = true;
	if (kept->users == 0)
		free_kept(kept);
}

static void drop_prepared(struct screens *screens)
{
	while (screens->prepared_count > 0)
		free_kept(screens->prepared[--screens->prepared_count]);
	catalogue_release(screens->next);
	screens->next = NULL;
}

void screens_destroy(struct screens *screens)
{
	if (screens == NULL)
		return;
	while (screens->count > 0)
		forget(screens, 0);
	drop_prepared(screens);
	catalogue_release(screens->catalogue);
	pthread_mutex_destroy(&screens->lock);
	free(screens);
}

/* The one that was used the longest ago. */
static int oldest(const struct screens *screens)
{
	int at = 0;

	for (int i = 1; i < screens->count; i++)
		if (screens->kept[i]->used < screens->kept[at]->used)
			at = i;
	return at;
}

static size_t bytes_of_all(const struct screens *screens)
{
	size_t bytes = 0;

	for (int i = 0; i < screens->count; i++)
		bytes += screens->kept[i]->memory.used;
	return bytes;
}

/* Forgets the oldest until there is room for BYTES more. */
static void make_room(struct screens *screens, size_t bytes)
{
	while (screens->count == SCREENS_MAX ||
	       (screens->count > 0 && bytes_of_all(screens) + bytes > BYTES_MAX))
		forget(screens, oldest(screens));
}

/* Keeps what is not kept yet. */
static void add(struct screens *screens, struct screen_kept *kept)
{
	make_room(screens, kept->memory.used);
	kept->is_forgotten = false;
	kept->used = ++screens->uses;
	screens->kept[screens->count++] = kept;
}

/* Turns to CATALOGUE unless it is older than what is remembered of; whether it did. */
static bool turn_to(struct screens *screens, struct catalogue *catalogue)
{
	if (screens->catalogue == catalogue)
		return true;
	if (screens->catalogue != NULL &&
	    catalogue_revision(screens->catalogue) > catalogue_revision(catalogue))
		return false;
	while (screens->count > 0)
		forget(screens, 0);
	catalogue_release(screens->catalogue);
	screens->catalogue = catalogue_retain(catalogue);
	while (screens->next == catalogue && screens->prepared_count > 0)
		add(screens, screens->prepared[--screens->prepared_count]);
	drop_prepared(screens);
	return true;
}

static struct screen_kept *find(struct screens *screens, struct catalogue *catalogue,
                                const struct screen_ask *ask)
{
	if (screens->next == catalogue)
		turn_to(screens, catalogue);
	for (int i = 0; i < screens->count && screens->catalogue == catalogue; i++)
		if (screen_ask_same(&screens->kept[i]->screen->ask, ask))
			return screens->kept[i];
	return NULL;
}

bool screens_have(struct screens *screens, struct catalogue *catalogue,
                  const struct screen_ask *ask)
{
	pthread_mutex_lock(&screens->lock);
	bool found = find(screens, catalogue, ask) != NULL;

	pthread_mutex_unlock(&screens->lock);
	return found;
}

static void begin_use(struct screens *screens, struct screen_kept *kept)
{
	kept->users++;
	kept->used = ++screens->uses;
}

/* The remembered one, which is in use from now on; NULL = there is none. */
static struct screen_kept *use(struct screens *screens, struct catalogue *catalogue,
                               const struct screen_ask *ask)
{
	pthread_mutex_lock(&screens->lock);
	struct screen_kept *kept = find(screens, catalogue, ask);

	if (kept != NULL)
		begin_use(screens, kept);
	pthread_mutex_unlock(&screens->lock);
	return kept;
}

static void resize(struct plan_memory *memory, size_t size)
{
	free(memory->block);
	*memory = (struct plan_memory){.block = alloc_resize(NULL, size), .size = size};
}

static struct screen_kept *make(const struct plan_source *source, const struct screen_ask *ask,
                                struct plan_memory *scratch)
{
	struct screen_kept *kept = alloc_zeroed(1, sizeof *kept);

	resize(&kept->memory, screen_size(source));
	for (;;) {
		scratch->used = 0;
		scratch->too_small = false;
		kept->screen = screen_make(ask, source, &kept->memory, scratch);
		if (kept->screen != NULL)
			break;
		if (scratch->too_small)
			resize(scratch, scratch->size * 2);
		resize(&kept->memory, kept->memory.size * (kept->memory.too_small ? 2 : 1));
	}
	kept->users = 1;
	kept->is_forgotten = true; /* until it is kept */
	return kept;
}

static void keep(struct screens *screens, struct catalogue *catalogue, struct screen_kept *kept)
{
	pthread_mutex_lock(&screens->lock);
	if (turn_to(screens, catalogue))
		add(screens, kept);
	pthread_mutex_unlock(&screens->lock);
}

const struct screen *screens_take(struct screens *screens, struct catalogue *catalogue,
                                  const struct plan_source *source, const struct screen_ask *ask,
                                  struct plan_memory *scratch, struct screen_kept **kept)
{
	*kept = screens == NULL ? NULL : use(screens, catalogue, ask);
	if (*kept == NULL) {
		*kept = make(source, ask, scratch);
		if (screens != NULL)
			keep(screens, catalogue, *kept);
	}
	return (*kept)->screen;
}

void screens_give_back(struct screens *screens, struct screen_kept *kept)
{
	if (screens != NULL)
		pthread_mutex_lock(&screens->lock);
	bool is_last = --kept->users == 0 && kept->is_forgotten;

	if (screens != NULL)
		pthread_mutex_unlock(&screens->lock);
	if (is_last)
		free_kept(kept);
}

/* Those that were used last, all in use from now on; their number. */
static int use_latest(struct screens *screens, struct screen_kept *latest[static PREPARED_MAX])
{
	int count = 0;

	pthread_mutex_lock(&screens->lock);
	for (uint64_t before = UINT64_MAX; count < PREPARED_MAX; before = latest[count++]->used) {
		struct screen_kept *next = NULL;

		for (int i = 0; i < screens->count; i++)
			if (screens->kept[i]->used < before &&
			    (next == NULL || screens->kept[i]->used > next->used))
				next = screens->kept[i];
		if (next == NULL)
			break;
		next->users++;
		latest[count] = next;
	}
	pthread_mutex_unlock(&screens->lock);
	return count;
}

void screens_prepare(struct screens *screens, struct catalogue *catalogue,
                     const struct plan_source *source)
{
	struct screen_kept *kept[PREPARED_MAX];
	struct plan_memory scratch = {0};
	int count = use_latest(screens, kept);

	resize(&scratch, screen_scratch(source));
	for (int i = 0; i < count; i++) {
		struct screen_kept *made = make(source, &kept[i]->screen->ask, &scratch);

		made->users = 0;
		screens_give_back(screens, kept[i]);
		kept[i] = made;
	}
	free(scratch.block);
	pthread_mutex_lock(&screens->lock);
	drop_prepared(screens);
	screens->next = catalogue_retain(catalogue);
	/* The one that was used last is taken last, so that it is the last to be forgotten. */
	for (int i = 0; i < count; i++)
		screens->prepared[screens->prepared_count++] = kept[i];
	pthread_mutex_unlock(&screens->lock);
}

void screens_turn_to(struct screens *screens, struct catalogue *catalogue)
{
	pthread_mutex_lock(&screens->lock);
	turn_to(screens, catalogue);
	pthread_mutex_unlock(&screens->lock);
}
