/*
 * server.h - the HTTPS server: listen, guard, dispatch, drain.
 *
 * The only folder that sees microhttpd.h and gnutls. TLS ends inside libmicrohttpd.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "http/route.h"

struct server;
struct json_write;

/*
 * Tells who sends RQ (headers are filled; caller, route and body are not yet). True for a known
 * caller (fills CALLER) and for none at all (role stays 0); false for a wrong key, cookie or token:
 * 401.
 */
typedef bool (*server_authenticate)(const struct request *rq, struct principal *caller);

/* Appends "name value" lines of the program's own to /metrics. */
struct buf;
typedef void (*server_metrics)(void *app, struct buf *text);

/* Whether the program can serve now; if not, appends the reason (one line, English) to WHY. */
typedef bool (*server_ready)(void *app, struct buf *why);

/* Zero means the default where one is named. Strings and tables are borrowed while it runs. */
struct server_config {
	const char *listen_address; /* "127.0.0.1" or "::1" or "0.0.0.0" */
	int listen_port;            /* 0 = any free one */
	int listen_fd;              /* inherited socket (LISTEN_FDS); -1 = bind listen_address */
	const char *certificate_path;
	const char *key_path;
	const struct route *routes;
	size_t route_count;
	server_authenticate authenticate;
	server_metrics metrics; /* may be NULL */
	server_ready ready;     /* asked by /readyz; may be NULL */
	unsigned metrics_roles; /* roles that may read /metrics; 0 = only callers on this machine */
	void *app;
	int workers;                 /* 0 = chosen from the cores */
	int connection_limit;        /* 0 = 12000 */
	int connections_per_address; /* 0 = 512 */
	double requests_per_s;       /* per key or address; 0 = no limit */
	int header_deadline_ms;      /* 0 = 5000 */
	int idle_ms;                 /* a connection between two requests; 0 = 75000 */
	int body_bytes_per_s;        /* least rate; 0 = 1024 */
	int jobs_waiting;            /* requests of a kind (jobs.h) that may wait; 0 = 64 */
	const char *static_prefix;   /* baked path below which the page lies: "static/" */
};

/* Starts listening. NULL with problems when the socket, certificate or key is not usable. */
struct server *server_start(const struct server_config *config, struct problems *problems);

/* The port that is listened on. */
int server_port(const struct server *server);

/*
 * Reads certificate and key again and swaps them in one step; open connections go on. False with
 * problems when they do not fit together: the old ones stay.
 */
bool server_reload_certificate(struct server *server, struct problems *problems);

/* Stops accepting, lets requests in flight end (at most WAIT_MS), then closes. Frees SERVER. */
void server_drain(struct server *server, int wait_ms);

#endif
