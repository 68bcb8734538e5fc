/*
 * entries.h - what the resources with entries share: cards, models, tariffs, sites, suppliers, fx.
 *
 * A kind says where a snapshot of the catalogue keeps its entries and how one is written; listing,
 * showing, and the version that a PUT is held against are the same for all.
 */
#ifndef API_ENTRIES_H
#define API_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "api/reply.h"

struct entry_kind {
	/*
	 * The COUNT entries in CATALOGUE in order of their ids: an array, borrowed from it. NULL
	 * where the resource lists and shows by itself (fx: older rates are not in the catalogue).
	 */
	const void *(*all)(const struct catalogue *catalogue, size_t *count);
	size_t size; /* of one entry; its first member is its id, a const char * */
	/* The supplier that ENTRY belongs to, hidden from other suppliers; NULL = nobody's. */
	const char *(*owner)(const void *entry);
	/* Writes ENTRY as an object. */
	void (*write)(struct json_write *out, const void *entry);
};

/* The entry with ID, borrowed from CATALOGUE; NULL = there is none. */
const void *entry_find(const struct entry_kind *kind, const struct catalogue *catalogue,
                       const char *id);

/* GET of all, page by page: 200, 304, 400. */
struct answer *entries_list(struct request *rq, const struct entry_kind *kind);

/* The page that WALK begins, of the COUNT entries at ENTRIES: 200, 304. */
struct answer *entries_page(struct request *rq, const struct entry_kind *kind,
                            struct page_walk *walk, const void *entries, size_t count);

/* GET of the one that the path names: 200, 304, 400, 404. */
struct answer *entry_get(struct request *rq, const struct entry_kind *kind);

/* ENTRY as the answer, with its ETag. */
struct answer *entry_answer(struct request *rq, const struct entry_kind *kind, int status,
                            const void *entry);

/* reply_precondition() where GET shows CURRENT now, or nothing (NULL). */
struct answer *entry_precondition(struct request *rq, const struct entry_kind *kind,
                                  const void *current);

/*
 * What a PUT of ENTRY answers after the store gave RESULT: 200 where it EXISTED, else 201, with the
 * catalogue brought up to date; or the refusal.
 */
struct answer *entry_stored(struct request *rq, const struct entry_kind *kind, const void *entry,
                            bool existed, enum store_result result);

#endif
