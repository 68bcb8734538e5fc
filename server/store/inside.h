/* inside.h - a store as its own functions see it: a writer and a pool of readers. */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include "store/query.h"
#include "store/writer.h"

/* A snapshot of the database for reading, on a connection from the pool; store_read_end() it. */
struct connection *store_read(struct store *store);

/* Gives the connection back; answers RESULT, or STORE_FAILED when reading could not end well. */
enum store_result store_read_end(struct store *store, struct connection *c,
                                 enum store_result result);

/* writer_do() of the store's writer; STORE_FAILED in a store that was opened for reading. */
MUST_CHECK enum store_result store_write(struct store *store, const struct store_actor *actor,
                                         write_job job, void *context);

/* writer_touch_key() where there is a writer. */
void store_touch_key(struct store *store, const char *id, int64_t now_us);

/* Locks the database PATH for this process: a descriptor to close, or -1 after adding a problem. */
int store_lock(const char *path, struct problems *problems);

/* Which uploads came in last; for the writer's thread. Borrowed. */
struct arrivals *store_arrivals(const struct store *store);

/* The path of the database, borrowed. */
const char *store_path(const struct store *store);

/* What each list function does with LIMIT: at least 1, at most 10,000. */
int store_limit(int limit);

#endif
