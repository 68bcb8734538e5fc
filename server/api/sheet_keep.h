/*
 * sheet_keep.h - a price sheet from bytes to the store: what uploads, `import` and the demo share.
 */
#ifndef API_SHEET_KEEP_H
#define API_SHEET_KEEP_H

#include "sheet/sheet.h"
#include "store/store.h"

struct arena;
struct catalogue;

/* The bytes of a sheet and what is known of them. Borrowed. */
struct sheet_bytes {
	const void *bytes;
	size_t size;
	const char *filename;   /* NULL = none */
	const char *media_type; /* NULL = application/octet-stream */
};

/*
 * Reads BYTES as a sheet of SUPPLIER: sheet_read(), and every offer gets the supplier's id, name
 * and origin, and today as its date where the sheet names none. All in ARENA.
 */
void sheet_take(struct arena *arena, const struct supplier *supplier,
                const struct sheet_bytes *bytes, const struct sheet_options *options,
                struct sheet *sheet);

/*
 * SHEET, read by sheet_take(), beside the offers that SUPPLIER has in CATALOGUE now. A price that
 * jumped since is a warning among the sheet's own problems, so that it is kept with them.
 */
struct sheet_difference sheet_compare(struct arena *arena, const struct catalogue *catalogue,
                                      const struct supplier *supplier, struct sheet *sheet);

/*
 * Stores SHEET, read by sheet_take() from BYTES, whole: bytes, offers, problems, audit row.
 *   Returned  id  of the sheet
 *   Result    STORE_OK when it is on disk
 */
enum store_result sheet_keep(struct store *store, const struct store_actor *actor,
                             const struct supplier *supplier, const struct sheet_bytes *bytes,
                             const struct sheet *sheet, struct arena *arena, int64_t *id);

#endif
