/* store.c - see store.h: opening, the pool of readers, and what belongs to no noun. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/log.h"
#include "store/arrivals.h"
#include "store/inside.h"
#include "store/migrate.h"

#define READERS_MAX 32
#define LIST_MAX 10000

const char *const store_result_names[STORE_RESULT_COUNT] = {"ok",   "not_found", "conflict",
                                                            "full", "busy",      "failed"};

struct store {
	char *path;
	int lock;              /* descriptor of PATH.lock; -1 in STORE_READ */
	struct writer *writer; /* NULL in STORE_READ */
	pthread_mutex_t mutex; /* of the pool */
	pthread_cond_t has_reader;
	struct connection *idle;
	int readers; /* idle or in use */
	struct arrivals *arrivals;
};

/* --- Opening ------------------------------------------------------------------------------ */

int store_lock(const char *path, struct problems *problems)
{
	struct buf name = {0};

	buf_printf(&name, "%s.lock", path);
	int fd = open(buf_text(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		problem_add(problems, PROBLEM_ERROR, "database_open", (struct place){0},
		            buf_text(&name), "%s cannot be made: %s", "无法创建 %s：%s",
		            buf_text(&name), strerror(errno));
	else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		problem_add(problems, PROBLEM_ERROR, "database_locked", (struct place){0}, path,
		            "another process has the database open", "数据库正被另一个进程使用");
		close(fd);
		fd = -1;
	}
	buf_finish(&name);
	return fd;
}

/* SQLite would make it readable for others, under the usual umask. */
static void create_private(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	/* Closing a descriptor of an open database would drop SQLite's locks: this one is new. */
	if (fd >= 0)
		close(fd);
}

/* What the last process was doing when it ended will not be finished any more. */
static enum store_result forget_running(struct writing *w, void *context)
{
	(void)context;
	return query_run(
	    query_start(w->connection, "DELETE FROM once WHERE made IS NULL AND status IS NULL"));
}

static bool open_for_writing(struct store *store, struct problems *problems)
{
	store->lock = store_lock(store->path, problems);
	if (store->lock < 0)
		return false;
	create_private(store->path);
	store->writer = writer_start(store->path, problems);
	if (store->writer == NULL)
		return false;
	if (writer_do(store->writer, NULL, forget_running, NULL) != STORE_OK)
		log_line(LOG_WARN, "store: could not forget interrupted requests");
	return true;
}

static bool open_for_reading(struct store *store, struct problems *problems)
{
	struct connection *c = store_read(store);
	bool ok = migrate(c, problems);

	return store_read_end(store, c, STORE_OK) == STORE_OK && ok;
}

struct store *store_open(const char *path, enum store_mode mode, struct problems *problems)
{
	struct store *store = alloc_zeroed(1, sizeof *store);
	bool ok;

	store->path = alloc_strdup(path);
	store->lock = -1;
	store->arrivals = arrivals_create();
	pthread_mutex_init(&store->mutex, NULL);
	pthread_cond_init(&store->has_reader, NULL);
	ok = mode == STORE_WRITE ? open_for_writing(store, problems)
	                         : open_for_reading(store, problems);
	if (ok)
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (store == NULL)
		return;
	while (store->idle != NULL) {
		struct connection *c = store->idle;

		store->idle = c->next;
		store->readers--;
		connection_close(c);
		free(c);
	}
	assert(store->readers == 0);
	writer_stop(store->writer); /* last, so that its close checkpoints everything */
	if (store->lock >= 0)
		close(store->lock);
	arrivals_destroy(store->arrivals);
	pthread_cond_destroy(&store->has_reader);
	pthread_mutex_destroy(&store->mutex);
	free(store->path);
	free(store);
}

struct arrivals *store_arrivals(const struct store *store)
{
	return store->arrivals;
}

const char *store_path(const struct store *store)
{
	return store->path;
}

/* --- Readers ------------------------------------------------------------------------------ */

/* An idle connection, or NULL and the right to open one. */
static struct connection *take_idle(struct store *store)
{
	struct connection *c;

	pthread_mutex_lock(&store->mutex);
	while (store->idle == NULL && store->readers >= READERS_MAX)
		pthread_cond_wait(&store->has_reader, &store->mutex);
	c = store->idle;
	if (c == NULL)
		store->readers++;
	else
		store->idle = c->next;
	pthread_mutex_unlock(&store->mutex);
	return c;
}

struct connection *store_read(struct store *store)
{
	struct connection *c = take_idle(store);

	if (c == NULL) {
		c = alloc_zeroed(1, sizeof *c);
		connection_open(c, store->path, false);
	}
	/* Deferred: the snapshot is that of the first query. */
	if (query_run(query_start(c, "BEGIN")) != STORE_OK)
		log_line(LOG_ERROR, "store: a read could not begin");
	return c;
}

enum store_result store_read_end(struct store *store, struct connection *c,
                                 enum store_result result)
{
	bool usable = query_run(query_start(c, "COMMIT")) == STORE_OK;

	if (!usable) {
		connection_close(c);
		free(c);
	}
	pthread_mutex_lock(&store->mutex);
	if (usable) {
		c->next = store->idle;
		store->idle = c;
	} else {
		store->readers--;
	}
	pthread_cond_signal(&store->has_reader);
	pthread_mutex_unlock(&store->mutex);
	return usable ? result : STORE_FAILED;
}

int store_limit(int limit)
{
	if (limit < 1)
		return 1;
	return limit > LIST_MAX ? LIST_MAX : limit;
}

/* --- Writes ------------------------------------------------------------------------------- */

enum store_result store_write(struct store *store, const struct store_actor *actor, write_job job,
                              void *context)
{
	if (store->writer == NULL) {
		log_line(LOG_ERROR, "store: a write to a database that was opened for reading");
		return STORE_FAILED;
	}
	return writer_do(store->writer, actor, job, context);
}

void store_touch_key(struct store *store, const char *id, int64_t now_us)
{
	if (store->writer != NULL)
		writer_touch_key(store->writer, id, now_us);
}

static enum store_result ping(struct writing *w, void *context)
{
	(void)context;
	return query_run(query_start(w->connection, "UPDATE meta SET pings = pings + 1"));
}

enum store_result store_ping(struct store *store)
{
	return store_write(store, NULL, ping, NULL);
}

enum store_result store_revision(struct store *store, int64_t *revision)
{
	struct connection *c = store_read(store);
	struct query *q = query_start(c, "SELECT revision FROM meta");

	if (query_next(q))
		*revision = query_integer(q);
	return store_read_end(store, c, query_end_one(q));
}
