/*
 * worker.h - a thread with a libmicrohttpd daemon of its own.
 *
 * libmicrohttpd 0.9.75's own epoll thread asks epoll_wait() again with the full timeout when
 * exactly 128 sockets were ready, and those 128 wait. Here the thread waits on the daemon's epoll
 * descriptor and calls MHD_run(), which never waits; in between it closes who is late. Connections
 * are handed in by the acceptor, so each worker has its fair share of them.
 */
#ifndef HTTP_WORKER_H
#define HTTP_WORKER_H

#include "http/connection.h"

struct server;
struct worker;

/* A running worker of SERVER for at most LIMIT connections; NULL when no thread could be had. */
struct worker *worker_create(struct server *server, int limit);

/* Hands over an accepted CONNECTION (stolen). From any thread. */
void worker_take(struct worker *worker, struct connection *connection);

/*
 * Has CONNECTION go on, whose answer was made elsewhere (exchange.h). From any thread, which must
 * not touch it afterwards.
 */
void worker_resume(struct connection *connection);

/* How many connections it has, those on their way included. From any thread. */
int worker_load(const struct worker *worker);

/* Closes what is open, ends the thread and frees WORKER. NULL is fine. */
void worker_destroy(struct worker *worker);

#endif
