/* server_parts.h - what a server is made of; only http/ looks inside. */
#ifndef HTTP_SERVER_PARTS_H
#define HTTP_SERVER_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "http/connection.h"
#include "http/server.h"
#include "http/static_files.h"
#include "http/tls.h"

struct jobs;
struct worker;

struct server {
	struct server_config config; /* with every default filled in */
	int listen_fd;
	int port;
	struct tls *tls;
	struct static_files *files;
	struct deadlines deadlines;
	struct metrics *metrics;
	const struct route **metric_routes;
	struct connection_counts *counts; /* open connections per address */
	struct rate_limit *rate;          /* NULL = no limit */
	struct jobs *jobs;
	struct worker **workers;
	pthread_t acceptor;
	int acceptor_wake; /* eventfd: stop accepting */
	_Atomic int connections;
	_Atomic int lingering; /* descriptors kept open beyond their connection */
	_Atomic bool draining; /* answers close their connection; idle ones are closed */
	int64_t started_s;
};

#endif
