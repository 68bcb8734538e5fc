/*
 * exchange.h - one request and its answer, from the request line to the last byte sent.
 *
 * libmicrohttpd calls in this order: the URI callback (exchange_begin), the access handler with the
 * headers (exchange_headers), once per piece of body (exchange_body), once more at its end
 * (exchange_end; twice when the handler runs elsewhere), and the completion callback
 * (exchange_finish). A malformed request goes from exchange_begin() straight to exchange_finish().
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "http/answer.h"
#include "http/connection.h"
#include "http/guard.h"
#include "http/limit.h"
#include "http/target.h"

struct server;

struct exchange {
	struct request rq;     /* first, so that the built-in handlers find the rest */
	struct exchange *next; /* in the queue of jobs */
	struct server *server;
	struct connection *connection;
	struct answer *answer;     /* NULL until it is decided */
	struct buf body;           /* as far as it has come */
	const struct route *route; /* also of requests refused later; NULL = none */
	struct rate_left rate;     /* what the caller has left; quota 0 = not counted */
	enum target_fault fault;   /* of the request line */
	const char *raw;           /* the target as it stood in libmicrohttpd's buffer */
	size_t raw_length;         /* of it, up to the first NUL */
	int64_t began_us;          /* monotonic */
	bool headers_seen;         /* exchange_headers() ran */
	bool has_body;             /* a body follows the headers */
	bool head_only;            /* HEAD: the body of the answer is left out */
	bool close;                /* the connection must not be used again */
	bool sent;                 /* the answer was queued */
};

/* The request line has come, with target RAW. New; exchange_finish() frees it. */
struct exchange *exchange_begin(struct server *server, struct connection *connection,
                                const char *raw);

/*
 * The headers are complete. Fills the request and sets x->answer when it is refused: by the guard
 * (then x->close is set), by the limits, for its target, route, caller, body or media type.
 */
void exchange_headers(struct exchange *x, const char *method, const char *version,
                      const struct guard_header *headers, size_t count);

/* SIZE more bytes of body. False when so much more than the limit came that reading should end. */
bool exchange_body(struct exchange *x, const char *bytes, size_t size);

/*
 * The whole request is there: x->answer is set when this returns true. False when the handler takes
 * long: it runs as a job (jobs.h), and after worker_resume() this is asked again.
 */
bool exchange_end(struct exchange *x);

/* Runs the handler: sets x->answer. On a worker or on a thread of the jobs. */
void exchange_run(struct exchange *x);

/* Writes the log line, counts, frees. COMPLETED is false when the client went away before. */
void exchange_finish(struct exchange *x, bool completed);

#endif
