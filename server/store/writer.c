/* writer.c - see writer.h. */
#include "store/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/thread.h"
#include "store/audit.h"
#include "store/migrate.h"

#define JOBS_MAX 256   /* that may wait; each holds a thread of the server */
#define TOUCHES_MAX 64 /* keys used lately */

struct job {
	write_job run;
	void *context;
	const struct store_actor *actor;
	enum store_result result;
	bool done;
	pthread_cond_t is_done;
	struct job *next;
};

struct touch {
	char id[KEY_ID_SIZE];
	int64_t now_us;
};

struct writer {
	pthread_t thread;
	pthread_mutex_t mutex; /* of all that follows up to CONNECTION */
	pthread_cond_t has_work;
	struct job *first, *last;
	int waiting;
	struct touch touches[TOUCHES_MAX];
	int touch_count;
	bool stopping;
	bool ready; /* opened, or failed to */
	bool opened;
	struct connection connection; /* of the thread alone */
	const char *path;             /* while starting */
	struct problems *problems;    /* while starting */
};

/* In one transaction; anything but STORE_OK leaves the database as it was. */
static enum store_result run_job(struct connection *c, write_job run, void *context,
                                 const struct store_actor *actor)
{
	struct writing writing = {.connection = c, .actor = actor};
	enum store_result result = connection_run(c, "BEGIN IMMEDIATE");

	if (result != STORE_OK)
		return result;
	result = run(&writing, context);
	if (result == STORE_OK)
		result = connection_run(c, "COMMIT");
	/* SQLite has rolled back by itself after some errors, and then refuses a ROLLBACK. */
	if (result != STORE_OK && !sqlite3_get_autocommit(c->db) &&
	    connection_run(c, "ROLLBACK") != STORE_OK)
		log_line(LOG_ERROR, "store: could not roll back");
	return result;
}

static enum store_result touch_keys(struct writing *w, void *context)
{
	for (const struct touch *touch = context; touch->id[0] != '\0'; touch++) {
		struct query *q = query_start(w->connection, "UPDATE keys SET last_used_us = ?"
		                                             " WHERE id = ? AND last_used_us < ?");

		query_put_integer(q, touch->now_us);
		query_put_text(q, touch->id);
		query_put_integer(q, touch->now_us);
		enum store_result result = query_run(q);

		if (result != STORE_OK)
			return result;
	}
	return STORE_OK;
}

static struct job *take_job(struct writer *writer)
{
	struct job *job = writer->first;

	if (job == NULL)
		return NULL;
	writer->first = job->next;
	if (writer->first == NULL)
		writer->last = NULL;
	writer->waiting--;
	return job;
}

/* Runs the next job with the mutex released; false when there was none. */
static bool do_next_job(struct writer *writer)
{
	struct job *job = take_job(writer);
	enum store_result result;

	if (job == NULL)
		return false;
	pthread_mutex_unlock(&writer->mutex);
	result = run_job(&writer->connection, job->run, job->context, job->actor);
	pthread_mutex_lock(&writer->mutex);
	job->result = result;
	job->done = true;
	pthread_cond_signal(&job->is_done);
	return true;
}

static void do_touches(struct writer *writer)
{
	struct touch touches[TOUCHES_MAX + 1];

	memcpy(touches, writer->touches, sizeof writer->touches);
	touches[writer->touch_count].id[0] = '\0';
	writer->touch_count = 0;
	pthread_mutex_unlock(&writer->mutex);
	if (run_job(&writer->connection, touch_keys, touches, NULL) != STORE_OK)
		log_line(LOG_WARN, "store: the use of a key was not noted");
	pthread_mutex_lock(&writer->mutex);
}

static void *writer_main(void *context)
{
	struct writer *writer = context;

	connection_open(&writer->connection, writer->path, true);
	writer->opened = migrate(&writer->connection, writer->problems);
	pthread_mutex_lock(&writer->mutex);
	writer->ready = true;
	pthread_cond_broadcast(&writer->has_work);
	while (writer->opened) {
		if (do_next_job(writer))
			continue;
		if (writer->touch_count > 0)
			do_touches(writer);
		else if (writer->stopping)
			break;
		else
			pthread_cond_wait(&writer->has_work, &writer->mutex);
	}
	pthread_mutex_unlock(&writer->mutex);
	connection_close(&writer->connection);
	return NULL;
}

static void writer_free(struct writer *writer)
{
	pthread_cond_destroy(&writer->has_work);
	pthread_mutex_destroy(&writer->mutex);
	free(writer);
}

struct writer *writer_start(const char *path, struct problems *problems)
{
	struct writer *writer = alloc_zeroed(1, sizeof *writer);

	pthread_mutex_init(&writer->mutex, NULL);
	pthread_cond_init(&writer->has_work, NULL);
	writer->path = path;
	writer->problems = problems;
	if (!thread_start(&writer->thread, writer_main, writer)) {
		problem_add(problems, PROBLEM_ERROR, "database_open", (struct place){0}, NULL,
		            "no thread could be started for writing", "无法启动写入线程");
		writer_free(writer);
		return NULL;
	}
	pthread_mutex_lock(&writer->mutex);
	while (!writer->ready)
		pthread_cond_wait(&writer->has_work, &writer->mutex);
	bool opened = writer->opened;

	pthread_mutex_unlock(&writer->mutex);
	if (opened)
		return writer;
	pthread_join(writer->thread, NULL);
	writer_free(writer);
	return NULL;
}

void writer_stop(struct writer *writer)
{
	if (writer == NULL)
		return;
	pthread_mutex_lock(&writer->mutex);
	writer->stopping = true;
	pthread_cond_broadcast(&writer->has_work);
	pthread_mutex_unlock(&writer->mutex);
	pthread_join(writer->thread, NULL);
	writer_free(writer);
}

enum store_result writer_do(struct writer *writer, const struct store_actor *actor, write_job run,
                            void *context)
{
	struct job job = {.run = run, .context = context, .actor = actor};

	pthread_mutex_lock(&writer->mutex);
	if (writer->waiting >= JOBS_MAX) {
		pthread_mutex_unlock(&writer->mutex);
		return STORE_BUSY;
	}
	pthread_cond_init(&job.is_done, NULL);
	if (writer->last == NULL)
		writer->first = &job;
	else
		writer->last->next = &job;
	writer->last = &job;
	writer->waiting++;
	pthread_cond_signal(&writer->has_work);
	while (!job.done)
		pthread_cond_wait(&job.is_done, &writer->mutex);
	pthread_mutex_unlock(&writer->mutex);
	pthread_cond_destroy(&job.is_done);
	return job.result;
}

void writer_touch_key(struct writer *writer, const char *id, int64_t now_us)
{
	bool known = false;

	pthread_mutex_lock(&writer->mutex);
	for (int i = 0; i < writer->touch_count; i++)
		known = known || strcmp(writer->touches[i].id, id) == 0;
	if (!known && writer->touch_count < TOUCHES_MAX) {
		struct touch *touch = &writer->touches[writer->touch_count++];

		memcpy(touch->id, id, KEY_ID_SIZE);
		touch->now_us = now_us;
		pthread_cond_signal(&writer->has_work);
	}
	pthread_mutex_unlock(&writer->mutex);
}

enum store_result writing_raise_revision(struct writing *w)
{
	return query_run(query_start(w->connection, "UPDATE meta SET revision = revision + 1"));
}

/* Notes what the request made; exactly one thing may be made under one Idempotency-Key. */
static enum store_result note_made(struct writing *w, const char *subject)
{
	struct query *q = query_start(w->connection,
	                              "UPDATE once SET made = ?"
	                              " WHERE key_id = ? AND key = ? AND made IS NULL RETURNING 1");

	query_put_text(q, subject);
	query_put_text(q, w->actor->key_id);
	query_put_text(q, w->actor->idempotency_key);
	if (query_next(q))
		return query_run(q);
	enum store_result result = query_end(q);

	return result == STORE_OK ? STORE_CONFLICT : result;
}

enum store_result writing_log(struct writing *w, const struct change *change)
{
	enum store_result result = audit_append(w->connection, w->actor, change);

	if (result != STORE_OK || w->actor->idempotency_key == NULL)
		return result;
	return note_made(w, change->subject);
}
