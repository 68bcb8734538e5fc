/* worker.c - see worker.h. */
#include "http/worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/thread.h"
#include "http/handover.h"
#include "http/server_parts.h"
#include "http/transport.h"

#define REAP_EVERY_US 200000
#define LINGER_US 2000000
#define LINGER_BYTES ((size_t)16 << 20)
#define STALL_US 100000 /* a longer round is not the clients' fault */
/*
 * After so many rounds in which nothing moved, libmicrohttpd's wish to be called again at once is
 * not followed (transport.h says why). What does move wakes the thread.
 */
#define IDLE_ROUNDS_MAX 3
#define IDLE_WAIT_MS 20
/* While draining, a connection without a request may still begin one for so long. */
#define DRAIN_GRACE_US 300000

/* A socket whose answer was sent and whose input is read only to be thrown away. */
struct lingerer {
	struct lingerer *next;
	int fd;
	size_t bytes;
	int64_t until_us;
};

struct worker {
	struct server *server;
	struct MHD_Daemon *daemon;
	pthread_t thread;
	int epoll_fd;
	int wake_fd;
	_Atomic bool stopping;
	_Atomic int load;
	pthread_mutex_t lock; /* guards the next two */
	struct connection *arrivals;
	struct connection *resumed;
	/* Everything below belongs to the thread. */
	struct connection *arriving; /* being handed to libmicrohttpd right now */
	struct connection *connections;
	struct lingerer *lingerers;
	int64_t next_reap_us;
	uint64_t moved_bytes; /* in and out, of all its connections */
	int idle_rounds;      /* calls of MHD_run() since bytes moved */
};

static void discard_connection(struct connection *connection)
{
	struct worker *worker = connection->worker;
	struct server *server = worker->server;

	connection_counts_remove(server->counts, connection->address);
	server->connections--;
	worker->load--;
	free(connection);
}

static void watch(const struct worker *worker, int fd, void *data)
{
	struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = data}};

	epoll_ctl(worker->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static void start_lingering(struct worker *worker, int fd)
{
	struct lingerer *lingerer = alloc_zeroed(1, sizeof *lingerer);

	shutdown(fd, SHUT_WR);
	lingerer->fd = fd;
	lingerer->until_us = clock_monotonic_us() + LINGER_US;
	lingerer->next = worker->lingerers;
	worker->lingerers = lingerer;
	watch(worker, fd, lingerer);
}

/* Throws away what has come; one that has ended or sent too much is due to be closed. */
static void read_away(struct lingerer *lingerer)
{
	char bytes[16384];

	for (;;) {
		ssize_t got = recv(lingerer->fd, bytes, sizeof bytes, MSG_DONTWAIT);

		if (got < 0)
			return;
		lingerer->bytes += (size_t)got;
		if (got == 0 || lingerer->bytes > LINGER_BYTES) {
			lingerer->until_us = 0;
			return;
		}
	}
}

static void close_lingerers(struct worker *worker, int64_t now_us)
{
	struct lingerer **link = &worker->lingerers;

	while (*link != NULL) {
		struct lingerer *lingerer = *link;

		if (lingerer->until_us > now_us) {
			link = &lingerer->next;
			continue;
		}
		*link = lingerer->next;
		close(lingerer->fd);
		worker->server->lingering--;
		free(lingerer);
	}
}

static void connection_opened(struct worker *worker, struct MHD_Connection *handle,
                              void **socket_context)
{
	struct connection *connection = worker->arriving;
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(handle, MHD_CONNECTION_INFO_GNUTLS_SESSION);

	worker->arriving = NULL;
	*socket_context = connection;
	connection->handle = handle;
	connection->moved_bytes = &worker->moved_bytes;
	tls_attach(worker->server->tls, info->tls_session);
	transport_attach(connection, info->tls_session);
	connection->next = worker->connections;
	if (connection->next != NULL)
		connection->next->previous = connection;
	worker->connections = connection;
}

static void connection_closed(struct worker *worker, struct connection *connection)
{
	if (connection->previous != NULL)
		connection->previous->next = connection->next;
	else
		worker->connections = connection->next;
	if (connection->next != NULL)
		connection->next->previous = connection->previous;
	if (connection->linger_fd >= 0)
		start_lingering(worker, connection->linger_fd);
	discard_connection(connection);
}

static void connection_notified(void *cls, struct MHD_Connection *handle, void **socket_context,
                                enum MHD_ConnectionNotificationCode code)
{
	struct worker *worker = cls;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		connection_opened(worker, handle, socket_context);
	else if (*socket_context != NULL)
		connection_closed(worker, *socket_context);
}

static void add_arrivals(struct worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	struct connection *connection = worker->arrivals;

	worker->arrivals = NULL;
	pthread_mutex_unlock(&worker->lock);
	while (connection != NULL) {
		struct connection *next = connection->next;

		connection->next = NULL;
		worker->arriving = connection;
		/* Closes the socket itself when it fails; then nobody has taken the record. */
		MHD_add_connection(worker->daemon, connection->fd,
		                   (const struct sockaddr *)&connection->peer_address,
		                   connection->peer_length);
		if (worker->arriving != NULL)
			discard_connection(connection);
		worker->arriving = NULL;
		connection = next;
	}
}

static void resume_connections(struct worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	struct connection *connection = worker->resumed;

	worker->resumed = NULL;
	pthread_mutex_unlock(&worker->lock);
	if (connection != NULL)
		worker->idle_rounds = 0;
	for (; connection != NULL; connection = connection->next_resumed)
		MHD_resume_connection(connection->handle);
}

/* All that has moved in this phase; the kernel is asked only while an answer is being sent. */
static uint64_t moved_bytes(struct connection *connection, int64_t now_us)
{
	if (connection->phase != CONNECTION_ANSWER)
		return connection->body_bytes;
	uint64_t acked = connection_acked_bytes(connection);

	if (!connection->acked_known) {
		connection->acked_known = true;
		connection->mark_bytes = acked;
		connection->since_us = now_us;
	}
	return acked;
}

/*
 * Rates are measured window by window: a burst that the kernel buffered is no credit for the
 * minutes after it.
 */
static bool is_late(struct connection *connection, const struct deadlines *deadlines,
                    int64_t now_us)
{
	uint64_t moved = moved_bytes(connection, now_us);
	bool measured =
	    connection->phase == CONNECTION_BODY || connection->phase == CONNECTION_ANSWER;

	if (connection_is_late(connection, deadlines, moved - connection->mark_bytes, now_us))
		return true;
	if (measured && now_us - connection->since_us > deadlines->header_us) {
		connection->since_us = now_us;
		connection->mark_bytes = moved;
	}
	return false;
}

/* Whether a draining server need not wait for CONNECTION. */
static bool is_done(const struct worker *worker, const struct connection *connection,
                    int64_t now_us)
{
	return worker->server->draining &&
	       (connection->phase == CONNECTION_IDLE || connection->phase == CONNECTION_HEADER) &&
	       now_us - connection->since_us > DRAIN_GRACE_US && !connection_has_input(connection);
}

static void reap(struct worker *worker, int64_t now_us)
{
	const struct deadlines *deadlines = &worker->server->deadlines;

	for (struct connection *at = worker->connections; at != NULL; at = at->next) {
		bool late = is_late(at, deadlines, now_us);

		if (!late && !is_done(worker, at, now_us))
			continue;
		if (late)
			metrics_count(worker->server->metrics, connection_reaped_event(at->phase));
		shutdown(at->fd, SHUT_RDWR); /* libmicrohttpd sees it and cleans up */
		connection_enter(at, at->phase, now_us);
	}
	close_lingerers(worker, now_us);
}

/* Nobody is late because of the time that this thread spent in a handler. */
static void forgive(struct worker *worker, int64_t stalled_us)
{
	for (struct connection *at = worker->connections; at != NULL; at = at->next)
		at->since_us += stalled_us;
}

static int wait_ms(const struct worker *worker, int64_t now_us)
{
	MHD_UNSIGNED_LONG_LONG asked_ms;

	if (MHD_get_timeout(worker->daemon, &asked_ms) == MHD_YES && asked_ms == 0)
		return worker->idle_rounds < IDLE_ROUNDS_MAX ? 0 : IDLE_WAIT_MS;
	if (worker->connections == NULL && worker->lingerers == NULL)
		return -1;
	int64_t left_us = worker->next_reap_us - now_us;

	return left_us <= 0 ? 0 : (int)((left_us + 999) / 1000);
}

static void wait_for_events(struct worker *worker)
{
	struct epoll_event events[16];
	bool lingered = false;
	int count = epoll_wait(worker->epoll_fd, events, 16, wait_ms(worker, clock_monotonic_us()));

	for (int i = 0; i < count; i++) {
		void *who = events[i].data.ptr;

		if (who == &worker->wake_fd) {
			eventfd_t times;

			eventfd_read(worker->wake_fd, &times);
		} else if (who != worker->daemon) {
			read_away(who);
			lingered = true;
		}
	}
	if (lingered)
		close_lingerers(worker, clock_monotonic_us());
}

static void run_daemon(struct worker *worker)
{
	uint64_t before = worker->moved_bytes;

	MHD_run(worker->daemon);
	worker->idle_rounds = worker->moved_bytes == before ? worker->idle_rounds + 1 : 0;
}

static void *worker_main(void *context)
{
	struct worker *worker = context;

	while (!worker->stopping) {
		wait_for_events(worker);
		add_arrivals(worker);
		resume_connections(worker);
		int64_t before_us = clock_monotonic_us();

		run_daemon(worker);
		int64_t now_us = clock_monotonic_us();

		if (now_us - before_us > STALL_US)
			forgive(worker, now_us - before_us);
		if (now_us < worker->next_reap_us)
			continue;
		reap(worker, now_us);
		worker->next_reap_us = now_us + REAP_EVERY_US;
	}
	add_arrivals(worker);
	resume_connections(worker);
	MHD_stop_daemon(worker->daemon);
	close_lingerers(worker, INT64_MAX);
	return NULL;
}

static void free_worker(struct worker *worker)
{
	close(worker->epoll_fd);
	close(worker->wake_fd);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

struct worker *worker_create(struct server *server, int limit)
{
	struct worker *worker = alloc_zeroed(1, sizeof *worker);

	worker->server = server;
	worker->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	worker->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&worker->lock, NULL);
	worker->daemon = handover_start(server, limit, connection_notified, worker);
	if (worker->daemon == NULL || worker->epoll_fd < 0 || worker->wake_fd < 0) {
		free_worker(worker);
		return NULL;
	}
	watch(worker, MHD_get_daemon_info(worker->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
	      worker->daemon);
	watch(worker, worker->wake_fd, &worker->wake_fd);
	if (!thread_start(&worker->thread, worker_main, worker)) {
		MHD_stop_daemon(worker->daemon);
		free_worker(worker);
		return NULL;
	}
	return worker;
}

void worker_take(struct worker *worker, struct connection *connection)
{
	worker->load++;
	connection->worker = worker;
	pthread_mutex_lock(&worker->lock);
	connection->next = worker->arrivals;
	worker->arrivals = connection;
	pthread_mutex_unlock(&worker->lock);
	eventfd_write(worker->wake_fd, 1);
}

void worker_resume(struct connection *connection)
{
	struct worker *worker = connection->worker;

	pthread_mutex_lock(&worker->lock);
	connection->next_resumed = worker->resumed;
	worker->resumed = connection;
	pthread_mutex_unlock(&worker->lock);
	eventfd_write(worker->wake_fd, 1);
}

int worker_load(const struct worker *worker)
{
	return worker->load;
}

void worker_destroy(struct worker *worker)
{
	if (worker == NULL)
		return;
	worker->stopping = true;
	eventfd_write(worker->wake_fd, 1);
	pthread_join(worker->thread, NULL);
	free_worker(worker);
}
