/*
 * training_fixture.h - the reference data, and one-line questions about training, for the tests of
 * training. Static functions: each test program holds its own.
 */
#ifndef TESTS_TRAINING_FIXTURE_H
#define TESTS_TRAINING_FIXTURE_H

#include "tests/unit/unit.h"

#include <math.h>

#include "base/arena.h"
#include "engine/training.h"
#include "offer/reference.h"

static struct arena *arena;
static struct reference reference;

static inline int load(void **state)
{
	struct problems problems;

	(void)state;
	arena = arena_create();
	problems_init(&problems, arena);
	return reference_baked(arena, &problems, &reference) ? 0 : 1;
}

static inline int unload(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

static inline const struct model *model_of(const char *id)
{
	const struct model *model = model_find(&reference.models, id);

	assert_non_null(model);
	return model;
}

static inline struct cluster cluster_of(const char *card, int cards)
{
	struct cluster on = {.card = card_find(&reference.cards, card), .cards = cards};

	assert_non_null(on.card);
	return on;
}

static inline void assert_near(double value, double wanted, double share)
{
	if (fabs(value - wanted) > fabs(wanted) * share)
		fail_msg("%g is not within %g %% of %g", value, share * 100, wanted);
}

static inline const struct note *note_of(const struct notes *notes, enum note_code code)
{
	for (int i = 0; i < notes->count; i++)
		if (notes->items[i].code == code)
			return &notes->items[i];
	return NULL;
}

static inline struct training_size sized(const struct training *job, const struct cluster *on,
                                         struct layout layout)
{
	struct training_size size;

	training_size(job, on, &layout, &size);
	return size;
}

/* Tokens/s per card of JOB, which must fit. */
static inline double tokens(const struct training *job, struct cluster on, struct layout layout)
{
	struct training_size size = sized(job, &on, layout);

	assert_true(size.fits);
	return size.speed.tokens_per_s_per_card;
}

#endif
