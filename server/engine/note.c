/* note.c - see note.h. */
#include "engine/note.h"

void note_add(struct notes *notes, enum note_code code, double x, double y, const char *word)
{
	for (int i = 0; i < notes->count; i++)
		if (notes->items[i].code == code)
			return;
	if (notes->count < NOTES_MAX)
		notes->items[notes->count++] = (struct note){code, x, y, word};
}

const char *note_name(enum note_code code)
{
	static const char *const names[NOTE_COUNT] = {
	    [NOTE_NONE] = "",
#define NOTE(code, name) [code] = name,
#include "engine/notes.def"
#undef NOTE
	};
	return names[code];
}
