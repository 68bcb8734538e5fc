/* route.c - see route.h. Tables are short (tens of rows), so a linear scan is fast enough. */
#include "http/route.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

/* Takes "{name}" at PATTERN: the parameter is a segment of PATH less the fixed TAIL after it. */
static bool match_parameter(const char *pattern, const char *path, struct arena *arena,
                            const char **value)
{
	const char *tail = strchr(pattern, '}') + 1;
	size_t tail_length = strcspn(tail, "/");
	size_t segment = strcspn(path, "/");

	if (segment <= tail_length || memcmp(path + segment - tail_length, tail, tail_length) != 0)
		return false;
	*value = arena_strndup(arena, path, segment - tail_length);
	return true;
}

static bool match_pattern(const char *pattern, const char *path, struct arena *arena,
                          const char *params[ROUTE_PARAMS_MAX])
{
	int count = 0;

	while (*pattern == '/' && *path == '/') {
		pattern++;
		path++;
		size_t pattern_length = strcspn(pattern, "/");
		size_t path_length = strcspn(path, "/");

		if (*pattern == '{') {
			if (count == ROUTE_PARAMS_MAX ||
			    !match_parameter(pattern, path, arena, &params[count++]))
				return false;
		} else if (pattern_length != path_length ||
		           memcmp(pattern, path, path_length) != 0) {
			return false;
		}
		pattern += pattern_length;
		path += path_length;
	}
	return *pattern == '\0' && *path == '\0';
}

static const char *allowed_methods(const struct route *routes, size_t count, const char *path,
                                   struct arena *arena)
{
	const char *ignored[ROUTE_PARAMS_MAX];
	const char *allow = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *method = routes[i].method;

		if (!match_pattern(routes[i].pattern, path, arena, ignored) ||
		    (allow != NULL && strstr(allow, method) != NULL))
			continue;
		if (strcmp(method, "GET") == 0)
			method = "GET, HEAD";
		allow = allow == NULL ? method : arena_printf(arena, "%s, %s", allow, method);
	}
	return allow == NULL ? NULL : arena_printf(arena, "%s, OPTIONS", allow);
}

void route_find(const struct route *routes, size_t count, const char *method, const char *path,
                struct arena *arena, struct route_match *match)
{
	*match = (struct route_match){0};
	if (strcmp(method, "HEAD") == 0)
		method = "GET";
	for (size_t i = 0; i < count; i++) {
		if (strcmp(routes[i].method, method) == 0 &&
		    match_pattern(routes[i].pattern, path, arena, match->params)) {
			match->route = &routes[i];
			return;
		}
	}
	memset(match->params, 0, sizeof match->params);
	match->allow = allowed_methods(routes, count, path, arena);
}
