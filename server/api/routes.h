/*
 * routes.h - the table of routes: what can be asked, by whom, how large.
 *
 * Nothing else dispatches. Tests generate the authorisation matrix from it.
 */
#ifndef API_ROUTES_H
#define API_ROUTES_H

#include "http/route.h"

/* The rows, in the order in which they are tried; COUNT receives how many. */
const struct route *routes(size_t *count);

#endif
