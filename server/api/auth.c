/* auth.c - see auth.h. */
#include "api/auth.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"

static const char *const role_names[] = {"admin", "buyer", "supplier", "viewer"};

unsigned role_from_name(const char *name)
{
	int index = name_index(name, role_names, 4);

	return index < 0 ? 0 : 1u << index;
}

const char *role_name(unsigned role)
{
	for (unsigned i = 0; i < 4; i++)
		if (role == 1u << i)
			return role_names[i];
	return NULL;
}

bool caller_owns(const struct request *rq, const char *supplier)
{
	if (rq->caller.role != ROLE_SUPPLIER)
		return true;
	return rq->caller.subject != NULL && supplier != NULL &&
	       strcmp(rq->caller.subject, supplier) == 0;
}

const char *caller_supplier(const struct request *rq)
{
	return rq->caller.role == ROLE_SUPPLIER ? rq->caller.subject : NULL;
}

/*
 * Whether ORIGIN ("https://example.com:8443") is the site that the request names as its Host. A
 * front proxy may leave out the port of Host, so a port that only the origin has is no difference.
 */
static bool is_own_origin(const char *origin, const char *host)
{
	static const char scheme[] = "https://";
	const char *authority = origin + sizeof scheme - 1;

	if (host == NULL || strncasecmp(origin, scheme, sizeof scheme - 1) != 0 ||
	    strncasecmp(authority, host, strlen(host)) != 0)
		return false;
	char after = authority[strlen(host)];

	return after == '\0' || after == ':';
}

/*
 * SameSite=Strict keeps the cookie from other sites; this holds where a browser does not know it.
 * Sec-Fetch-Site is the browser's own word, so Origin is asked only without it.
 */
static bool from_another_site(const struct request *rq)
{
	const char *site = request_header(rq, "sec-fetch-site");
	const char *origin = request_header(rq, "origin");

	if (site != NULL)
		return strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
	return origin != NULL && !is_own_origin(origin, request_header(rq, "host"));
}

const char *auth_session_token(const struct request *rq)
{
	const char *at = request_header(rq, "cookie");
	size_t name = strlen(SESSION_COOKIE);

	if (from_another_site(rq))
		return NULL;
	while (at != NULL && *at != '\0') {
		at += strspn(at, "; ");
		size_t length = strcspn(at, ";");

		if (length > name && at[name] == '=' && strncmp(at, SESSION_COOKIE, name) == 0)
			return arena_strndup(rq->arena, at + name + 1, length - name - 1);
		at += length;
	}
	return NULL;
}

static bool accept_key(const struct api_key *key, struct principal *caller)
{
	*caller = (struct principal){
	    .key_id = key->id,
	    .role = role_from_name(key->role),
	    .subject = key->supplier,
	};
	/* A supplier's key without its supplier would own nothing, and must not own everything. */
	return caller->role != 0 && (caller->role != ROLE_SUPPLIER || key->supplier != NULL);
}

bool authenticate(const struct request *rq, struct principal *caller)
{
	const char *authorization = request_header(rq, "authorization");
	struct store *store = app_of(rq)->store;
	struct api_key key;

	*caller = (struct principal){0};
	if (authorization != NULL) {
		if (strncasecmp(authorization, "Bearer ", 7) != 0)
			return false;
		const char *text = authorization + 7 + strspn(authorization + 7, " ");

		return store_key_find(store, rq->arena, text, rq->now_us, &key) == STORE_OK &&
		       accept_key(&key, caller);
	}
	const char *token = auth_session_token(rq);

	if (token == NULL ||
	    store_session_find(store, rq->arena, token, rq->now_us, &key) != STORE_OK)
		return true;
	return accept_key(&key, caller);
}
