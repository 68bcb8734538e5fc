/*
 * sheet_write.h - the answer to an upload: what was read, what was not, and what changed.
 */
#ifndef API_SHEET_WRITE_H
#define API_SHEET_WRITE_H

#include "api/sheet_keep.h"
#include "base/json_write.h"
#include "base/text.h"
#include "sheet/sheet.h"

/*
 * Writes the members of the answer (DRY_RUN's and the stored upload's alike) into the object that
 * is open in OUT: accepted, format, encoding, tables, offers, problems, and difference unless
 * DIFFERENCE is NULL. Texts in LANG.
 */
void sheet_write_members(struct json_write *out, const struct sheet *sheet,
                         const struct sheet_difference *difference, enum lang lang);

/* What became of an upload. Borrowed. */
struct sheet_upload {
	int64_t id;   /* 0 = not stored */
	bool current; /* false: not stored, or a later upload has taken its place already */
	const char *supplier;
	const struct sheet_bytes *bytes;
	const struct sheet *sheet;
	const struct sheet_difference *difference;
};

/* The whole answer to an upload, an object of its own: what came, and sheet_write_members(). */
void sheet_write_upload(struct json_write *out, const struct sheet_upload *upload, enum lang lang);

#endif
