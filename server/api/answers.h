/*
 * answers.h - answers of POST /plan, remembered while the catalogue stays the same.
 *
 * The same request over the same catalogue on the same day has the same answer, byte for byte, and
 * is asked again more often than one would think: a page that is loaded again, a link that is
 * passed on, a script that polls. What is asked once need not be kept: an answer is when its
 * request comes for the second time. Bounded in bytes; what was not asked for longest goes first.
 * Shared by all threads.
 */
#ifndef API_ANSWERS_H
#define API_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"

struct answers;

/* All that an answer depends on, in one process. */
struct answer_key {
	int64_t revision; /* of the catalogue */
	struct date today;
	enum lang lang;
	const char *body; /* of the request, as it came; borrowed */
	size_t size;
};

/* Nothing remembered, room for BYTES of requests and answers; new. */
struct answers *answers_create(size_t bytes);

/* Forgets all. NULL is fine. */
void answers_destroy(struct answers *answers);

/* Appends the answer of KEY to OUT; false when it is not known. ANSWERS NULL: it never is. */
bool answers_find(struct answers *answers, const struct answer_key *key, struct buf *out);

/* Remembers a copy of ANSWER when KEY's request was answered before, unless it is larger than an
 * eighth of the room. */
void answers_keep(struct answers *answers, const struct answer_key *key, const struct buf *answer);

#endif
