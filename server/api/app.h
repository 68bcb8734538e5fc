/*
 * app.h - what every handler reaches through its request: the store, the catalogue, the settings.
 *
 * One struct app lives as long as the process. A handler takes the catalogue once, at its start
 * (reply_catalogue()), and so sees one revision from beginning to end.
 */
#ifndef API_APP_H
#define API_APP_H

#include <pthread.h>
#include <stdbool.h>

#include "api/price_bands.h"
#include "http/request.h"

struct store;
struct catalogue_slot;
struct planner;
struct answers;

/* Roles of the route table: one bit each; a caller has exactly one, or 0 without a key. */
#define ROLE_ADMIN 1u
#define ROLE_BUYER 2u
#define ROLE_SUPPLIER 4u
#define ROLE_VIEWER 8u
#define ROLE_ANY (ROLE_ADMIN | ROLE_BUYER | ROLE_SUPPLIER | ROLE_VIEWER)

struct app {
	struct store *store;
	struct catalogue_slot *catalogue; /* the current snapshot, swapped at each commit */
	struct planner *planner;          /* what it remembers between plans; NULL = nothing */
	struct answers *answers;          /* of POST /plan; NULL = none is remembered */
	const char *version;              /* of the program: part of every basis */
	struct price_bands bands;         /* usual prices, for red flags */
	pthread_mutex_t reloading;        /* one catalogue_reload() at a time */
	bool compare_is_public;           /* GET /compare answers callers without a key */
};

/* The app behind a request. */
static inline struct app *app_of(const struct request *rq)
{
	return rq->app;
}

#endif
