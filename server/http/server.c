/* server.c - see server.h: the listening socket, the acceptor, starting and draining. */
#include "http/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "http/builtin.h"
#include "http/jobs.h"
#include "http/server_parts.h"
#include "http/worker.h"

#define BACKLOG 1024
#define WORKERS_MAX 64
#define SPARE_FILES 512 /* descriptors for everything that is not a connection */

static void fill_defaults(struct server_config *config)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	/* Short handlers run on these threads, so there are more of them than cores. */
	if (config->workers <= 0)
		config->workers = cores > 0 ? (int)cores * 4 : 8;
	if (config->workers > WORKERS_MAX)
		config->workers = WORKERS_MAX;
	if (config->connection_limit <= 0)
		config->connection_limit = 12000;
	if (config->connections_per_address <= 0)
		config->connections_per_address = 512;
	if (config->header_deadline_ms <= 0)
		config->header_deadline_ms = 5000;
	if (config->idle_ms <= 0)
		config->idle_ms = 75000;
	if (config->body_bytes_per_s <= 0)
		config->body_bytes_per_s = 1024;
	if (config->jobs_waiting <= 0)
		config->jobs_waiting = 64;
}

/* Raises the limit of open files as far as allowed, and lowers the connections to what fits. */
static void fit_connections(struct server_config *config)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return;
	rlim_t wanted = (rlim_t)config->connection_limit * 17 / 16 + SPARE_FILES;

	if (files.rlim_cur < wanted) {
		files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (files.rlim_cur >= wanted)
		return;
	int fits = files.rlim_cur > 2 * SPARE_FILES
	               ? (int)((files.rlim_cur - SPARE_FILES) * 16 / 17)
	               : (int)files.rlim_cur / 2;

	log_line(LOG_WARN, "only %d connections fit into the limit of %llu open files", fits,
	         (unsigned long long)files.rlim_cur);
	config->connection_limit = fits;
}

static int bind_socket(const struct addrinfo *address)
{
	int on = 1;
	int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	int error = errno;

	close(fd);
	errno = error;
	return -1;
}

static int open_socket(const struct server_config *config, struct problems *problems)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
	                         .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
	struct addrinfo *address = NULL;
	char port[8];

	snprintf(port, sizeof port, "%d", config->listen_port);
	int result = getaddrinfo(config->listen_address, port, &hints, &address);
	int fd = result == 0 ? bind_socket(address) : -1;
	const char *reason = result == 0 ? strerror(errno) : gai_strerror(result);

	if (result == 0)
		freeaddrinfo(address);
	if (fd < 0)
		problem_add(problems, PROBLEM_ERROR, "cannot_listen",
		            (struct place){.pointer = "listen"}, NULL,
		            "cannot listen on %s port %d: %s", "无法在 %s 端口 %d 上监听：%s",
		            config->listen_address, config->listen_port, reason);
	return fd;
}

static int port_of(int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t length = sizeof address;

	if (getsockname(fd, (struct sockaddr *)&address, &length) != 0)
		return 0;
	if (address.ss_family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)(void *)&address)->sin6_port);
	return ntohs(((struct sockaddr_in *)(void *)&address)->sin_port);
}

static struct worker *least_loaded(const struct server *server)
{
	struct worker *best = server->workers[0];

	for (int i = 1; i < server->config.workers; i++) {
		if (worker_load(server->workers[i]) < worker_load(best))
			best = server->workers[i];
	}
	return best;
}

/* The address as text; an IPv4 client of an IPv6 socket is shown as IPv4. */
static void name_peer(struct connection *connection)
{
	static const char mapped[] = "::ffff:";
	char *peer = connection->peer;

	if (getnameinfo((const struct sockaddr *)&connection->peer_address, connection->peer_length,
	                peer, sizeof connection->peer, NULL, 0, NI_NUMERICHOST) != 0)
		snprintf(peer, sizeof connection->peer, "unknown");
	if (strncmp(peer, mapped, sizeof mapped - 1) == 0 && strchr(peer, '.') != NULL)
		memmove(peer, peer + sizeof mapped - 1, strlen(peer) - sizeof mapped + 2);
}

/* A record for an accepted socket; counted. */
static struct connection *connection_create(struct server *server, int fd,
                                            const struct sockaddr_storage *address,
                                            socklen_t length)
{
	struct connection *connection = alloc_zeroed(1, sizeof *connection);

	connection->fd = fd;
	connection->linger_fd = -1;
	connection->peer_address = *address;
	connection->peer_length = length;
	connection->address = limit_address_of((const struct sockaddr *)address);
	connection_enter(connection, CONNECTION_HEADER, clock_monotonic_us());
	name_peer(connection);
	server->connections++;
	return connection;
}

/*
 * Over a limit a client is still told so (503 or 429) as long as the sixteenth part that is kept
 * for it lasts; beyond that the socket is closed.
 */
static bool over_limit(struct server *server, struct connection *connection)
{
	int limit = server->config.connection_limit;
	int per_address = server->config.connections_per_address;
	int held = connection_counts_add(server->counts, connection->address);

	if (server->connections > limit) {
		connection->refuse_status = 503;
		metrics_count(server->metrics, METRICS_CONNECTION_REFUSED_TOTAL);
		return server->connections > limit + limit / 16;
	}
	if (held > per_address) {
		connection->refuse_status = 429;
		metrics_count(server->metrics, METRICS_CONNECTION_REFUSED_ADDRESS);
		return held > per_address + per_address / 16 + 1;
	}
	return false;
}

static void take(struct server *server, int fd, const struct sockaddr_storage *address,
                 socklen_t length)
{
	int on = 1;
	struct connection *connection = connection_create(server, fd, address, length);

	metrics_count(server->metrics, METRICS_CONNECTION_ACCEPTED);
	if (over_limit(server, connection)) {
		connection_counts_remove(server->counts, connection->address);
		server->connections--;
		close(fd);
		free(connection);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	worker_take(least_loaded(server), connection);
}

/* Accepts until nobody waits. False when descriptors ran out: better to wait a moment. */
static bool accept_all(struct server *server)
{
	for (;;) {
		struct sockaddr_storage address = {0};
		socklen_t length = sizeof address;
		int fd = accept4(server->listen_fd, (struct sockaddr *)&address, &length,
		                 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0)
			take(server, fd, &address, length);
		else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			return false;
		else if (errno != EINTR && errno != ECONNABORTED)
			return true;
	}
}

static void *acceptor_main(void *context)
{
	struct server *server = context;
	struct pollfd fds[] = {{.fd = server->listen_fd, .events = POLLIN},
	                       {.fd = server->acceptor_wake, .events = POLLIN}};
	static const struct timespec moment = {.tv_nsec = 100000000};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (!accept_all(server))
			nanosleep(&moment, NULL);
		if (fds[1].revents != 0)
			return NULL;
	}
}

static bool start_acceptor(struct server *server)
{
	server->acceptor_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return server->acceptor_wake >= 0 && thread_start(&server->acceptor, acceptor_main, server);
}

static bool start_workers(struct server *server)
{
	server->jobs = jobs_create(server->config.jobs_waiting);
	if (server->jobs == NULL)
		return false;
	server->workers = alloc_zeroed((size_t)server->config.workers, sizeof(struct worker *));
	for (int i = 0; i < server->config.workers; i++) {
		server->workers[i] =
		    worker_create(server, server->config.connection_limit * 17 / 16 + 16);
		if (server->workers[i] == NULL)
			return false;
	}
	return true;
}

static void create_metrics(struct server *server)
{
	const struct server_config *config = &server->config;
	size_t count = config->route_count + builtin_route_count;

	server->metric_routes = alloc_zeroed(count, sizeof *server->metric_routes);
	for (size_t i = 0; i < config->route_count; i++)
		server->metric_routes[i] = &config->routes[i];
	for (size_t i = 0; i < builtin_route_count; i++)
		server->metric_routes[config->route_count + i] = &builtin_routes[i];
	server->metrics = metrics_create(server->metric_routes, count);
}

static void create_parts(struct server *server)
{
	const struct server_config *config = &server->config;

	create_metrics(server);
	server->files = static_files_create(config->static_prefix);
	server->counts = connection_counts_create((size_t)config->connection_limit * 17 / 16 + 16);
	server->deadlines =
	    (struct deadlines){.header_us = (int64_t)config->header_deadline_ms * 1000,
	                       .idle_us = (int64_t)config->idle_ms * 1000,
	                       .bytes_per_s = config->body_bytes_per_s};
	if (config->requests_per_s > 0)
		server->rate = rate_limit_create(config->requests_per_s);
}

/* Frees what exists of SERVER; no acceptor runs any more. */
static void destroy(struct server *server)
{
	/* A worker can end only when none of its connections waits for a job. */
	jobs_stop(server->jobs);
	for (int i = 0; server->workers != NULL && i < server->config.workers; i++)
		worker_destroy(server->workers[i]);
	jobs_destroy(server->jobs);
	free(server->workers);
	if (server->listen_fd >= 0)
		close(server->listen_fd);
	if (server->acceptor_wake >= 0)
		close(server->acceptor_wake);
	rate_limit_destroy(server->rate);
	connection_counts_destroy(server->counts);
	metrics_destroy(server->metrics);
	free(server->metric_routes);
	static_files_destroy(server->files);
	tls_destroy(server->tls);
	free(server);
}

struct server *server_start(const struct server_config *config, struct problems *problems)
{
	struct server *server = alloc_zeroed(1, sizeof *server);

	server->config = *config;
	server->acceptor_wake = -1;
	server->started_s = clock_now_us() / 1000000;
	fill_defaults(&server->config);
	fit_connections(&server->config);
	server->listen_fd =
	    config->listen_fd >= 0 ? config->listen_fd : open_socket(config, problems);
	server->tls = tls_create(config->certificate_path, config->key_path, problems);
	if (server->listen_fd < 0 || server->tls == NULL) {
		destroy(server);
		return NULL;
	}
	/* An inherited socket may come blocking. */
	fcntl(server->listen_fd, F_SETFL, fcntl(server->listen_fd, F_GETFL) | O_NONBLOCK);
	server->port = port_of(server->listen_fd);
	create_parts(server);
	if (start_workers(server) && start_acceptor(server))
		return server;
	problem_add(problems, PROBLEM_ERROR, "cannot_start_threads", (struct place){0}, NULL,
	            "the worker threads could not be started", "无法启动工作线程");
	destroy(server);
	return NULL;
}

int server_port(const struct server *server)
{
	return server->port;
}

bool server_reload_certificate(struct server *server, struct problems *problems)
{
	return tls_reload(server->tls, server->config.certificate_path, server->config.key_path,
	                  problems);
}

void server_drain(struct server *server, int wait_ms)
{
	static const struct timespec moment = {.tv_nsec = 10000000};
	int64_t until_us = clock_monotonic_us() + (int64_t)wait_ms * 1000;

	eventfd_write(server->acceptor_wake, 1);
	pthread_join(server->acceptor, NULL);
	close(server->listen_fd);
	server->listen_fd = -1;
	server->draining = true;
	while (server->connections > 0 && clock_monotonic_us() < until_us)
		nanosleep(&moment, NULL);
	destroy(server);
}
