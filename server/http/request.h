/*
 * request.h - one HTTP request as a handler sees it.
 *
 * http/ knows no product: roles are bits that the route table and the authenticator agree on, and
 * APP is whatever the program hands to server_start(). A handler never sees libmicrohttpd, so tests
 * call it with a struct request made by request_for_test().
 */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"

struct arena;
struct route;

#define ROUTE_PARAMS_MAX 4

/* Who asks. For an anonymous caller: role = 0 and the strings NULL. */
struct principal {
	const char *key_id;  /* public part of the key, for logs */
	unsigned role;       /* exactly one bit */
	const char *subject; /* what the role is limited to: a supplier's id; NULL = nothing */
};

struct request_pair {
	const char *name;
	const char *value;
};

/* Everything is borrowed from ARENA and valid until the answer has been sent. */
struct request {
	struct arena *arena;
	const char *id;     /* Request-Id: the client's if well formed, else made here */
	const char *method; /* "GET"; HEAD is seen as GET, the body is left out when sending */
	const char *path;   /* percent-decoded, starts with '/' */
	const char *params[ROUTE_PARAMS_MAX]; /* the {…} parts of the route's pattern, decoded */
	const struct request_pair *query;     /* decoded, in order */
	int query_count;
	const struct request_pair *headers; /* names in lower case */
	int header_count;
	const char *body; /* followed by a NUL that is not counted; "" when there is none */
	size_t body_size;
	enum lang lang; /* of the caller: ?lang=zh|en, else Accept-Language, else Chinese */
	bool at_once; /* see ROUTE_AT_ONCE */
	struct principal caller;
	const struct route *route;
	int64_t arrived_us; /* when it began to come in, on the monotonic clock */
	int64_t now_us;     /* when it arrived: the only "now" a handler uses */
	const char *peer;   /* address of the client, for rate limits and audit */
	void *app;
};

/* The value of header NAME (lower case), or NULL. */
const char *request_header(const struct request *rq, const char *name);

/* The first value of query parameter NAME, or NULL. */
const char *request_query(const struct request *rq, const char *name);

/* Whether the media type of the body is TYPE ("application/json"), parameters aside. */
bool request_is(const struct request *rq, const char *type);

/* Whether Accept names TYPE explicitly (not through a wildcard). */
bool request_accepts(const struct request *rq, const char *type);

/*
 * A request as a test makes one: METHOD, TARGET ("/offers?card=h100-sxm&lang=en") and BODY (NULL =
 * none, else JSON) in ARENA; the caller is nobody, it is 2026-12-01T04:00:00Z, the id is "test".
 * The test sets the rest (caller, app, params) itself. TARGET must be well formed (asserted).
 */
struct request *request_for_test(struct arena *arena, const char *method, const char *target,
                                 const char *body);

/* Adds an "unknown_parameter" problem for each query parameter not among NAMES (or "lang"). */
void request_query_only(const struct request *rq, const char *const *names, size_t count,
                        struct problems *problems);

#endif
