/*
 * metrics.h - counts what the server does, for /metrics (Prometheus text format 0.0.4).
 *
 * Every function may be called from any thread.
 */
#ifndef HTTP_METRICS_H
#define HTTP_METRICS_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct route;

/* Events without a route. */
enum metrics_event {
	METRICS_CONNECTION_ACCEPTED,
	METRICS_CONNECTION_REFUSED_TOTAL,   /* too many in all */
	METRICS_CONNECTION_REFUSED_ADDRESS, /* too many of one address */
	METRICS_REAPED_HEADER,              /* closed: its headers took too long */
	METRICS_REAPED_BODY,                /* its body came too slowly */
	METRICS_REAPED_ANSWER,              /* it did not read */
	METRICS_REAPED_IDLE,
	METRICS_REQUEST_MALFORMED, /* refused by libmicrohttpd or the guard */
	METRICS_REQUEST_ABORTED,   /* the client went away before the answer was sent */
	METRICS_EVENTS
};

struct metrics;

/* Counters for COUNT routes (borrowed), which are known by their address. */
struct metrics *metrics_create(const struct route *const *routes, size_t count);

/* Counts one answered request; a ROUTE not given to metrics_create() (or NULL) counts as none. */
void metrics_request(struct metrics *metrics, const struct route *route, int status,
                     int64_t duration_us);

/* Counts one EVENT. */
void metrics_count(struct metrics *metrics, enum metrics_event event);

/* Requests being worked on: CHANGE is +1 or -1. */
void metrics_in_flight(struct metrics *metrics, int change);

/* Appends all of it. */
void metrics_write(struct metrics *metrics, struct buf *text);

/* NULL is fine. */
void metrics_destroy(struct metrics *metrics);

#endif
