/*
 * jobs.h - threads for the handlers that take long, so that no worker ever waits for one.
 *
 * A worker serves many connections and stands still while a handler runs on it. A row of the route
 * table says by a flag (route.h) that its handler computes for long, waits for the disk or does
 * much of both; such a request waits in the queue of that kind, runs on one of its threads, and
 * goes back to the worker of its connection (worker_resume()), which sends the answer. Kinds have
 * threads of their own, so a plan never waits for an upload.
 */
#ifndef HTTP_JOBS_H
#define HTTP_JOBS_H

#include <stdbool.h>

enum job_kind { JOB_COMPUTES, JOB_STORES, JOB_BULK, JOB_KINDS };

/* "computes" … as /metrics says it. */
extern const char *const job_kind_names[JOB_KINDS];

struct exchange;
struct jobs;
struct route;

/* The kind of ROUTE's requests, or -1: they run on the worker itself. */
int job_kind_of(const struct route *route);

/*
 * Threads for every kind; at most WAITING_MAX requests of each may wait. NULL when there are no
 * threads to be had.
 */
struct jobs *jobs_create(int waiting_max);

/* Whether one more of KIND would be refused now. */
bool jobs_full(struct jobs *jobs, enum job_kind kind);

/* How many of KIND wait and have not begun. */
int jobs_waiting(struct jobs *jobs, enum job_kind kind);

/*
 * Has X run (exchange_run()) when its turn comes, then worker_resume() its connection; until then X
 * belongs to the job. False when too many wait or jobs_stop() was called: X stays the caller's.
 */
bool jobs_add(struct jobs *jobs, enum job_kind kind, struct exchange *x);

/*
 * Lets those end that have begun, gives the others back without an answer, ends the threads. From
 * then on every request is refused. Once; NULL is fine.
 */
void jobs_stop(struct jobs *jobs);

/* Frees JOBS after jobs_stop(), when nobody adds any more. NULL is fine. */
void jobs_destroy(struct jobs *jobs);

#endif
