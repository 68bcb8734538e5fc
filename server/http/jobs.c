/* jobs.c - see jobs.h. */
#include "http/jobs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "http/exchange.h"
#include "http/route.h"
#include "http/worker.h"

#define THREADS_MAX 64

const char *const job_kind_names[JOB_KINDS] = {"computes", "stores", "bulk"};

/* The requests of one kind that wait, first come first served. */
struct queue {
	struct jobs *jobs;
	pthread_cond_t has_work;
	struct exchange *first;
	struct exchange *last;
	int waiting;
};

struct jobs {
	pthread_mutex_t lock; /* of the queues and of STOPPING */
	struct queue queues[JOB_KINDS];
	int waiting_max;
	bool stopping;
	pthread_t threads[THREADS_MAX];
	int thread_count;
};

int job_kind_of(const struct route *route)
{
	if (route->flags & ROUTE_COMPUTES)
		return JOB_COMPUTES;
	if (route->flags & ROUTE_STORES)
		return JOB_STORES;
	return route->flags & ROUTE_BULK ? JOB_BULK : -1;
}

static struct exchange *take(struct queue *queue)
{
	struct exchange *x = queue->first;

	if (x == NULL)
		return NULL;
	queue->first = x->next;
	if (queue->first == NULL)
		queue->last = NULL;
	queue->waiting--;
	return x;
}

static void *job_main(void *context)
{
	struct queue *queue = context;
	struct jobs *jobs = queue->jobs;

	pthread_mutex_lock(&jobs->lock);
	while (!jobs->stopping) {
		struct exchange *x = take(queue);

		if (x == NULL) {
			pthread_cond_wait(&queue->has_work, &jobs->lock);
			continue;
		}
		pthread_mutex_unlock(&jobs->lock);
		exchange_run(x);
		worker_resume(x->connection);
		pthread_mutex_lock(&jobs->lock);
	}
	pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

/*
 * Those that compute share the cores, more than one to a core so that a short one need not wait for
 * a long one to end; the others mostly wait for the one thread that writes.
 */
static int threads_for(enum job_kind kind)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	switch (kind) {
	case JOB_COMPUTES:
		return cores <= 0 ? 4 : cores < 8 ? (int)cores * 4 : 32;
	case JOB_STORES:
		return 4;
	case JOB_BULK:
	case JOB_KINDS:
		break;
	}
	return 2;
}

static bool start_threads(struct jobs *jobs, enum job_kind kind)
{
	for (int i = 0; i < threads_for(kind); i++) {
		if (!thread_start(&jobs->threads[jobs->thread_count], job_main,
		                  &jobs->queues[kind]))
			return false;
		jobs->thread_count++;
	}
	return true;
}

struct jobs *jobs_create(int waiting_max)
{
	struct jobs *jobs = alloc_zeroed(1, sizeof *jobs);
	bool started = true;

	jobs->waiting_max = waiting_max;
	pthread_mutex_init(&jobs->lock, NULL);
	for (int kind = 0; kind < JOB_KINDS; kind++) {
		jobs->queues[kind].jobs = jobs;
		pthread_cond_init(&jobs->queues[kind].has_work, NULL);
	}
	for (int kind = 0; kind < JOB_KINDS && started; kind++)
		started = start_threads(jobs, (enum job_kind)kind);
	if (started)
		return jobs;
	jobs_stop(jobs);
	jobs_destroy(jobs);
	return NULL;
}

int jobs_waiting(struct jobs *jobs, enum job_kind kind)
{
	pthread_mutex_lock(&jobs->lock);
	int waiting = jobs->queues[kind].waiting;

	pthread_mutex_unlock(&jobs->lock);
	return waiting;
}

bool jobs_full(struct jobs *jobs, enum job_kind kind)
{
	return jobs_waiting(jobs, kind) >= jobs->waiting_max;
}

bool jobs_add(struct jobs *jobs, enum job_kind kind, struct exchange *x)
{
	struct queue *queue = &jobs->queues[kind];

	pthread_mutex_lock(&jobs->lock);
	bool taken = !jobs->stopping && queue->waiting < jobs->waiting_max;

	if (taken) {
		x->next = NULL;
		if (queue->last == NULL)
			queue->first = x;
		else
			queue->last->next = x;
		queue->last = x;
		queue->waiting++;
		pthread_cond_signal(&queue->has_work);
	}
	pthread_mutex_unlock(&jobs->lock);
	return taken;
}

static void give_back(struct queue *queue)
{
	struct exchange *x;

	while ((x = take(queue)) != NULL)
		worker_resume(x->connection);
}

void jobs_stop(struct jobs *jobs)
{
	if (jobs == NULL)
		return;
	pthread_mutex_lock(&jobs->lock);
	jobs->stopping = true;
	for (int kind = 0; kind < JOB_KINDS; kind++) {
		pthread_cond_broadcast(&jobs->queues[kind].has_work);
		give_back(&jobs->queues[kind]);
	}
	pthread_mutex_unlock(&jobs->lock);
	for (int i = 0; i < jobs->thread_count; i++)
		pthread_join(jobs->threads[i], NULL);
}

void jobs_destroy(struct jobs *jobs)
{
	if (jobs == NULL)
		return;
	for (int kind = 0; kind < JOB_KINDS; kind++)
		pthread_cond_destroy(&jobs->queues[kind].has_work);
	pthread_mutex_destroy(&jobs->lock);
	free(jobs);
}
