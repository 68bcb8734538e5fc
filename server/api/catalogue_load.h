/*
 * catalogue_load.h - from what is on disk to the snapshot that plans see.
 *
 * The reference data that is baked in, overlaid by the operator's own, plus every offer of the
 * current sheets, all of one revision.
 */
#ifndef API_CATALOGUE_LOAD_H
#define API_CATALOGUE_LOAD_H

#include "api/app.h"
#include "base/problem.h"

struct catalogue;

/*
 * Builds the snapshot of the store's current revision; new reference, or NULL after adding a
 * problem (a reference row that no longer reads, a store that fails).
 */
struct catalogue *catalogue_load(struct store *store, struct problems *problems);

/*
 * Brings the slot of APP up to the store's revision, after a commit. Threads that call it at the
 * same time take turns, and one that finds its revision there already does nothing; readers of the
 * slot never wait. When it fails, the snapshot before stays and the log says why.
 */
void catalogue_reload(struct app *app);

#endif
