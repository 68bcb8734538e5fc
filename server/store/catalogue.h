/* catalogue.h - the reads that make up a snapshot, on a connection that is in one already. */
#ifndef STORE_CATALOGUE_H
#define STORE_CATALOGUE_H

#include "store/inside.h"

/* A page of a list by text id. */
struct page {
	const char *after; /* NULL = from the first */
	int64_t limit;
};
#define PAGE_ALL ((struct page){.limit = INT32_MAX})

/* As the store_..._list() functions of store.h. */
MUST_CHECK enum store_result suppliers_list(struct connection *c, struct arena *arena,
                                            struct page page, struct stored_suppliers *suppliers);
MUST_CHECK enum store_result sites_list(struct connection *c, struct arena *arena,
                                        struct stored_sites *sites);
MUST_CHECK enum store_result reference_list(struct connection *c, struct arena *arena,
                                            enum reference_kind kind, struct reference_rows *rows);
MUST_CHECK enum store_result tariffs_list(struct connection *c, struct arena *arena,
                                          struct stored_tariffs *tariffs);
MUST_CHECK enum store_result fx_list(struct connection *c, struct arena *arena,
                                     struct fx_rates *rates);

#endif
