/*
 * versioned.h - the one way in which things that can be changed are changed.
 *
 * Suppliers, sites, reference rows and tariffs carry a version, raised by each change, which a
 * caller may insist on (If-Match). A change compares it, writes, logs the hash of the row before
 * and after, and raises the catalogue revision.
 */
#ifndef STORE_VERSIONED_H
#define STORE_VERSIONED_H

#include "store/inside.h"

/* How one kind of thing is stored. VALUE points to the noun's struct. */
struct versioned {
	/* A query for the row of VALUE's id, its version in the first column. */
	struct query *(*row)(struct connection *c, const void *value);
	/* Inserts or replaces the row. */
	enum store_result (*put)(struct writing *w, const void *value, int64_t version);
	/* Deletes the row of VALUE's id; NULL where nothing is deleted. */
	enum store_result (*remove)(struct writing *w, const void *value);
};

struct versioned_change {
	const struct versioned *kind;
	const char *noun; /* "supplier": action "supplier.put", subject "supplier/ID" */
	const char *id;
	const void *value;
	int64_t expected; /* version, STORE_ANY_VERSION or STORE_NO_VERSION */
	int64_t version;  /* versioned_put(): receives the new one */
};

/* Puts or removes. STORE_CONFLICT when another version than the expected one is there. */
MUST_CHECK enum store_result versioned_put(struct store *store, const struct store_actor *actor,
                                           struct versioned_change *change);
MUST_CHECK enum store_result versioned_remove(struct store *store, const struct store_actor *actor,
                                              struct versioned_change *change);

#endif
