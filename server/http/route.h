/*
 * route.h - a row of the route table.
 *
 * api/routes.c is an array of these and nothing else dispatches. Before a handler runs, http/ has
 * refused: unknown path (404), wrong method (405 + Allow), no or bad key (401), wrong role (403),
 * body too large (413), wrong media type (415), too many requests (429), too many of its kind
 * waiting (503).
 */
#ifndef HTTP_ROUTE_H
#define HTTP_ROUTE_H

#include <stddef.h>

#include "http/answer.h"

typedef struct answer *(*route_handler)(struct request *rq);

/* Flags. */
#define ROUTE_PUBLIC 1u     /* a caller without a key is let in (role 0) */
#define ROUTE_CACHEABLE 2u  /* no Cache-Control: no-store is added */
#define ROUTE_ANY_BODY 4u   /* the body may be of any media type (uploads); else JSON */
#define ROUTE_IDEMPOTENT 8u /* Idempotency-Key is honoured (stored by the handler) */
/*
 * At most one of these: the handler does not run on the worker, whose other connections would wait
 * meanwhile, but on threads of its own kind (http/jobs.h).
 */
#define ROUTE_COMPUTES 16u /* may compute for more than some milliseconds */
#define ROUTE_STORES 32u   /* waits for a short write to be on disk */
#define ROUTE_BULK 64u     /* may do both for seconds: uploads, a new snapshot */
/*
 * With one of those: the handler is called on the worker first, with rq->at_once set. It answers if
 * that takes next to no time, else it returns NULL and is called again as they say.
 */
#define ROUTE_AT_ONCE 128u

/* A row. ROLES lets callers with a key in; ROLES = 0 with ROUTE_PUBLIC lets everybody in. */
struct route {
	const char *method;  /* "GET", "POST", "PUT", "DELETE" */
	const char *pattern; /* "/suppliers/{id}/sheets": a {name} takes one segment */
	route_handler handler;
	unsigned roles;    /* bits let in */
	size_t body_limit; /* bytes; 0 = no body is taken */
	unsigned flags;
};

/* What route_find() found. */
struct route_match {
	const struct route *route; /* NULL = no such path, or not with this method */
	const char *params[ROUTE_PARAMS_MAX];
	const char
	    *allow; /* methods that the path takes: "GET, HEAD, OPTIONS"; NULL = no such path */
};

/*
 * Finds the row of ROUTES (COUNT of them) for METHOD ("HEAD" is looked up as "GET") and the decoded
 * PATH. Rows are tried in order, so "/sheets/template.csv" stands before "/sheets/{id}". A
 * parameter may have a fixed tail: "/quotes/{id}.csv". Strings of MATCH live in ARENA.
 */
void route_find(const struct route *routes, size_t count, const char *method, const char *path,
                struct arena *arena, struct route_match *match);

#endif
