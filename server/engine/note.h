/*
 * note.h - what the engine assumed and what it warns of, without words.
 *
 * The engine allocates nothing and formats nothing: it records a code and at most two numbers and a
 * borrowed word; note_remark() in api/ turns them into sentences in both languages.
 */
#ifndef ENGINE_NOTE_H
#define ENGINE_NOTE_H

#include <stdbool.h>

/*
 * Every note the engine can make. The argument order is what api/remarks.c prints.
 * Append freely; api/remarks.c switches over all of them without a default.
 */
enum note_code {
	NOTE_NONE,
#define NOTE(code, name) code,
#include "engine/notes.def"
#undef NOTE
	NOTE_COUNT
};

struct note {
	enum note_code code;
	double x;
	double y;
	const char *word; /* borrowed: a static string, or from the catalogue; NULL */
};

#define NOTES_MAX 24

struct notes {
	struct note items[NOTES_MAX];
	int count;
};

/* Adds a note once per code; when the list is full the note is dropped. */
void note_add(struct notes *notes, enum note_code code, double x, double y, const char *word);

/* The code's name in answers: "assumed_stack". */
const char *note_name(enum note_code code);

#endif
