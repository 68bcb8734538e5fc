/*
 * said.h - what an answer has said already: the same words again are copied, not made anew.
 *
 * The classes of card of a plan share most of their notes, and its options most of their warnings.
 */
#ifndef API_SAID_H
#define API_SAID_H

#include "base/arena.h"
#include "base/json_write.h"
#include "engine/cost.h"
#include "engine/note.h"

#define SAID_BUCKETS 64

/* Zeroed but for the arena it is empty. Of one answer: what it remembers is in that buffer. */
struct said {
	struct arena *arena;
	struct said_entry *buckets[SAID_BUCKETS];
};

/*
 * The place of what was said of a note or of a flag, for out_piece(): of no size when that was not
 * said yet.
 */
struct json_piece *said_of_note(struct said *said, const struct note *note);
struct json_piece *said_of_flag(struct said *said, const struct cost_flag *flag);

#endif
