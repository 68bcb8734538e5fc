/*
 * auth.h - who sends a request: an API key in Authorization, or a browser's session cookie.
 */
#ifndef API_AUTH_H
#define API_AUTH_H

#include <stdbool.h>

#include "api/app.h"
#include "store/store.h"

#define SESSION_COOKIE "__Host-suanjia"
#define SESSION_HOURS 12

/*
 * The server_authenticate of http/server.h.
 *
 * "Authorization: Bearer sk_..." must be a live key: false otherwise. A session cookie that has
 * ended is no key at all (the browser may sign in again); a live one counts only when the browser
 * does not say that another site sent the request. A revoked key, and every session made from it,
 * is refused from the next request on.
 */
bool authenticate(const struct request *rq, struct principal *caller);

/*
 * The token in the session cookie of RQ, in its arena; NULL when there is none, and when
 * Sec-Fetch-Site or else Origin tells that another site sent the request.
 */
const char *auth_session_token(const struct request *rq);

/* The role named "admin", "buyer", "supplier" or "viewer" as its bit; 0 for anything else. */
unsigned role_from_name(const char *name);

/* The name of the role with this one bit; NULL for none. */
const char *role_name(unsigned role);

/*
 * Whether the caller may see and change what belongs to SUPPLIER: a supplier only its own, every
 * other role that the route lets in whatever there is.
 */
bool caller_owns(const struct request *rq, const char *supplier);

/* The supplier that the caller is limited to, or NULL: for queries. */
const char *caller_supplier(const struct request *rq);

#endif
