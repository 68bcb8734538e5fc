/*
 * writer.h - the one thread that writes.
 *
 * SQLite before 3.51.3 (Debian 12 has 3.40.1) can corrupt a database in WAL mode when two
 * connections write or checkpoint at the same moment. Here one connection, opened, used and closed
 * on one thread, does every write and every checkpoint; PATH.lock keeps other processes out.
 * query.c asserts the thread at each statement, and readers are opened read-only.
 *
 * A write function describes its work as a job, a function and its context, and waits. The thread
 * runs one job at a time in a transaction of its own: BEGIN IMMEDIATE, the job, COMMIT with an
 * fsync. Whatever a job answers other than STORE_OK rolls all of it back.
 */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "store/query.h"

struct writer;

/* A job being done: where it writes, and for whom. */
struct writing {
	struct connection *connection;
	const struct store_actor *actor; /* NULL for bookkeeping that is not logged */
};

typedef enum store_result (*write_job)(struct writing *w, void *context);

/*
 * Starts the thread, which opens the database at PATH and brings its schema up to date. Returns a
 * new writer (writer_stop() it), or NULL after adding a problem.
 */
struct writer *writer_start(const char *path, struct problems *problems);

/* Ends the thread after the jobs that wait; checkpoints and closes. */
void writer_stop(struct writer *writer);

/*
 * Runs JOB on the thread and returns when it is on disk or rolled back. CONTEXT is the job's, also
 * for results: the caller sees what the job wrote there. STORE_BUSY when too many jobs wait.
 */
MUST_CHECK enum store_result writer_do(struct writer *writer, const struct store_actor *actor,
                                       write_job job, void *context);

/* Notes, some time later, that the key ID was used at NOW_US; forgets it under load. */
void writer_touch_key(struct writer *writer, const char *id, int64_t now_us);

/* What a job did, for the audit log. */
struct change {
	const char *action;  /* "sheet.add" */
	const char *subject; /* "sheet/12" */
	const char *before;  /* hash in hex; NULL or "" = there was nothing */
	const char *after;
};

/*
 * Appends the audit row of the job, and notes its subject for the request's Idempotency-Key:
 * STORE_CONFLICT when something was made under that key before.
 */
MUST_CHECK enum store_result writing_log(struct writing *w, const struct change *change);

/* Raises the catalogue revision. */
MUST_CHECK enum store_result writing_raise_revision(struct writing *w);

#endif
