/*
 * remarks.h - what an answer assumed and what it warns of, in words: a code and a sentence.
 *
 * Decoders add what they filled in; the engine's notes are turned into remarks by note_remark().
 */
#ifndef API_REMARKS_H
#define API_REMARKS_H

#include <stddef.h>

#include "base/text.h"
#include "engine/note.h"

struct arena;
struct json_write;
struct said;

struct remark {
	const char *code; /* snake_case, stable */
	struct text text;
};

struct remarks {
	struct arena *arena;
	struct remark *items;
	size_t count;
	size_t capacity;
};

/* Adds a remark; the formats are as in text_printf(). CODE is borrowed. */
void remark_add(struct remarks *remarks, const char *code, const char *en, const char *zh, ...)
    __attribute__((format(printf, 3, 5), format(printf, 4, 5)));

/* The engine's note in words; strings live in ARENA. */
struct remark note_remark(struct arena *arena, const struct note *note);

/* Writes "key": [{"code", "text"}, ...]: REMARKS (may be NULL), then NOTES (may be NULL). */
void remarks_write(struct json_write *out, const char *key, const struct remarks *remarks,
                   const struct notes *notes, struct arena *arena, enum lang lang);

/* The same of NOTES (may be NULL) in an answer that says many of them again and again. */
void notes_write(struct json_write *out, const char *key, const struct notes *notes,
                 struct said *said, enum lang lang);

#endif
