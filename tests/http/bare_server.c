/*
 * bare_server.c - the HTTP room with a handful of routes, for tests/http/bare.mjs and for
 * measuring. Not installed.
 *
 *   bare_server CERTIFICATE KEY [NAME=NUMBER ...]
 *
 * Makes the certificate when it is not there, prints "listening on PORT", reads the certificate
 * again on SIGHUP, drains on SIGTERM. The names are those of main()'s table below.
 */
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/notify.h"
#include "http/certificate.h"
#include "http/server.h"

#define ROLE_ONE 1u
#define ROLE_TWO 2u

static _Atomic int executed; /* handler runs, so that a test can see a smuggled request */
static sem_t gate;

static struct answer *hello(struct request *rq)
{
	struct buf body = {0};

	executed++;
	buf_printf(&body, "{\"hello\":\"%s\"}", rq->lang == LANG_EN ? "world" : "世界");
	return answer_json(rq, 200, &body);
}

static struct answer *smuggled(struct request *rq)
{
	struct buf body = {0};

	executed++;
	buf_puts(&body, "{\"smuggled\":true}");
	return answer_json(rq, 200, &body);
}

static struct answer *count(struct request *rq)
{
	struct buf body = {0};

	buf_printf(&body, "{\"executed\":%d}", (int)executed);
	return answer_json(rq, 200, &body);
}

static struct answer *echo(struct request *rq)
{
	struct buf body = {0};

	executed++;
	buf_put(&body, rq->body, rq->body_size);
	return answer_etag(rq, answer_bytes(rq, 200, "application/octet-stream", &body), "echo");
}

/* ?bytes=N of the letter x. */
static struct answer *big(struct request *rq)
{
	const char *wanted = request_query(rq, "bytes");
	size_t size = wanted == NULL ? 0 : (size_t)strtoul(wanted, NULL, 10);
	struct buf body = {0};
	char block[4096];

	if (size > (size_t)256 << 20)
		return answer_problem(rq, 400, "too_big", "at most 256 MiB", "最多 256 MiB");
	buf_reserve(&body, size);
	memset(block, 'x', sizeof block);
	while (body.size < size)
		buf_put(&body, block,
		        size - body.size < sizeof block ? size - body.size : sizeof block);
	return answer_bytes(rq, 200, "text/plain", &body);
}

/* ?ms=N: answers after so many milliseconds. */
static struct answer *slow(struct request *rq)
{
	const char *wanted = request_query(rq, "ms");
	long ms = wanted == NULL ? 0 : strtol(wanted, NULL, 10);
	struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&wait, NULL);
	return hello(rq);
}

/* Says that it has begun, and answers only after a /release. */
static struct answer *held(struct request *rq)
{
	executed++;
	while (sem_wait(&gate) != 0)
		continue;
	return echo(rq);
}

/* ?count=N: lets so many of those that are held go on. */
static struct answer *release(struct request *rq)
{
	const char *wanted = request_query(rq, "count");
	long count = wanted == NULL ? 1 : strtol(wanted, NULL, 10);

	while (count-- > 0)
		sem_post(&gate);
	return hello(rq);
}

static struct answer *item(struct request *rq)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	executed++;
	out_object(&out, NULL);
	out_string(&out, "id", rq->params[0]);
	out_string(&out, "key", rq->caller.key_id);
	out_end(&out);
	return answer_json(rq, 200, &body);
}

static struct answer *nothing(struct request *rq)
{
	(void)rq;
	return NULL;
}

/* Where it was answered; with ?long it cannot be at once. */
static struct answer *either(struct request *rq)
{
	const char *where = rq->at_once ? "at once" : "aside";

	if (rq->at_once && request_query(rq, "long") != NULL)
		return NULL;
	executed++;
	return answer_constant(rq, 200, "text/plain", where, strlen(where));
}

static const struct route routes[] = {
    {"GET", "/hello", hello, 0, 0, ROUTE_PUBLIC},
    {"GET", "/smuggled", smuggled, 0, 0, ROUTE_PUBLIC},
    {"GET", "/count", count, 0, 0, ROUTE_PUBLIC},
    {"GET", "/big", big, 0, 0, ROUTE_PUBLIC},
    {"GET", "/slow", slow, 0, 0, ROUTE_PUBLIC},
    {"GET", "/held", held, 0, 0, ROUTE_PUBLIC | ROUTE_BULK},
    {"POST", "/held", held, 0, (size_t)8 << 20, ROUTE_PUBLIC | ROUTE_BULK | ROUTE_ANY_BODY},
    {"GET", "/release", release, 0, 0, ROUTE_PUBLIC},
    {"GET", "/aside/big", big, 0, 0, ROUTE_PUBLIC | ROUTE_COMPUTES},
    {"GET", "/aside/slow", slow, 0, 0, ROUTE_PUBLIC | ROUTE_STORES},
    {"GET", "/aside/nothing", nothing, 0, 0, ROUTE_PUBLIC | ROUTE_COMPUTES},
    {"POST", "/aside/echo", echo, 0, 65536, ROUTE_PUBLIC | ROUTE_COMPUTES},
    {"GET", "/either", either, 0, 0, ROUTE_PUBLIC | ROUTE_BULK | ROUTE_AT_ONCE},
    {"GET", "/nothing", nothing, 0, 0, ROUTE_PUBLIC},
    {"POST", "/echo", echo, 0, 65536, ROUTE_PUBLIC},
    {"POST", "/upload", echo, 0, (size_t)8 << 20, ROUTE_PUBLIC | ROUTE_ANY_BODY},
    {"GET", "/items/{id}", item, ROLE_ONE, 0, 0},
    {"PUT", "/items/{id}", item, ROLE_ONE, 1024, 0},
};

static bool authenticate(const struct request *rq, struct principal *caller)
{
	const char *value = request_header(rq, "authorization");

	if (value == NULL)
		return true;
	if (strcmp(value, "Bearer one") == 0)
		*caller = (struct principal){"key1", ROLE_ONE, NULL};
	else if (strcmp(value, "Bearer two") == 0)
		*caller = (struct principal){"key2", ROLE_TWO, NULL};
	return caller->role != 0;
}

/* NAME=NUMBER of the command line, or FALLBACK. */
static double setting(int argc, char **argv, const char *name, double fallback)
{
	size_t length = strlen(name);

	for (int i = 3; i < argc; i++) {
		if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
			return strtod(argv[i] + length + 1, NULL);
	}
	return fallback;
}

static void report(const struct problems *problems)
{
	for (size_t i = 0; i < problems->count; i++)
		fprintf(stderr, "%s\n", problems->items[i].message.en);
}

static void reload(struct server *server)
{
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	notify_reloading();
	server_reload_certificate(server, &problems);
	notify_ready("serving");
	report(&problems);
	arena_destroy(arena);
}

/* Serves until SIGTERM or SIGINT. */
static void serve(struct server *server, const sigset_t *signals, int drain_ms)
{
	int signal_number = 0;

	printf("listening on %d\n", server_port(server));
	fflush(stdout);
	notify_ready("serving");
	while (sigwait(signals, &signal_number) == 0 && signal_number == SIGHUP)
		reload(server);
	notify_stopping();
	server_drain(server, drain_ms);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct problems problems;
	sigset_t signals;

	if (argc < 3) {
		fprintf(stderr, "usage: bare_server CERTIFICATE KEY [NAME=NUMBER ...]\n");
		return 2;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	sem_init(&gate, 0, 0);
	problems_init(&problems, arena);
	log_setup(setting(argc, argv, "log", 0) > 0 ? LOG_DEBUG : LOG_ERROR, LOG_FORMAT_JSON);
	if (access(argv[1], R_OK) != 0)
		certificate_make(argv[1], argv[2], 30, &problems);
	struct server_config config = {
	    .listen_address = "127.0.0.1",
	    .listen_port = (int)setting(argc, argv, "port", 0),
	    .listen_fd = notify_listen_fd(),
	    .certificate_path = argv[1],
	    .key_path = argv[2],
	    .routes = routes,
	    .route_count = sizeof routes / sizeof *routes,
	    .authenticate = authenticate,
	    .workers = (int)setting(argc, argv, "workers", 0),
	    .connection_limit = (int)setting(argc, argv, "connections", 0),
	    .connections_per_address = (int)setting(argc, argv, "per_address", 100000),
	    .requests_per_s = setting(argc, argv, "requests_per_s", 0),
	    .header_deadline_ms = (int)setting(argc, argv, "header_ms", 0),
	    .idle_ms = (int)setting(argc, argv, "idle_ms", 0),
	    .jobs_waiting = (int)setting(argc, argv, "jobs_waiting", 0),
	    .static_prefix = "schema/reference/",
	};
	struct server *server = server_start(&config, &problems);

	report(&problems);
	if (server != NULL)
		serve(server, &signals, (int)setting(argc, argv, "drain_ms", 5000));
	arena_destroy(arena);
	return server == NULL;
}
