/*
 * builtin.h - /healthz, /readyz and /metrics, which every server has beside its table.
 */
#ifndef HTTP_BUILTIN_H
#define HTTP_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

#include "http/route.h"

extern const struct route builtin_routes[];
extern const size_t builtin_route_count;

/* Whether ROUTE (may be NULL) is one of them: not logged at level info, not rate-limited. */
bool builtin_is(const struct route *route);

#endif
