/*
 * fuzz_guard.c - any bytes as a request line and headers: what is let in means one thing only.
 *
 * The input is lines: target, method, version, then "name:value" as libmicrohttpd would hand them
 * over (so also with bytes that a header cannot have).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "http/guard.h"
#include "http/request.h"
#include "http/target.h"
#include "tests/fuzz/fuzz.h"

#define HEADERS 128

/* Cuts the next line off *TEXT. */
static char *line(char **text)
{
	char *start = *text;
	char *end = strchr(start, '\n');

	*text = end == NULL ? start + strlen(start) : end + 1;
	if (end != NULL)
		*end = '\0';
	return start;
}

static void check_target(struct arena *arena, const char *raw)
{
	struct request rq = {.arena = arena};

	if (target_read(&rq, raw) != TARGET_OK) {
		if (strcmp(rq.path, "/") != 0 || rq.query_count != 0)
			abort();
		return;
	}
	if (rq.path[0] != '/' || strstr(rq.path, "/../") != NULL || strstr(rq.path, "//") != NULL ||
	    !utf8_valid(rq.path, strlen(rq.path), NULL) || rq.query_count > QUERY_PAIRS_MAX)
		abort();
	for (int i = 0; i < rq.query_count; i++) {
		if (rq.query[i].name == NULL || rq.query[i].value == NULL)
			abort();
	}
}

static int times(const struct guard_header *headers, size_t count, const char *name)
{
	int found = 0;

	for (size_t i = 0; i < count; i++)
		found += headers[i].name_length == strlen(name) &&
		         strncasecmp(headers[i].name, name, strlen(name)) == 0;
	return found;
}

static void check_headers(const char *method, const char *version, char *text)
{
	struct guard_header headers[HEADERS];
	size_t count = 0;

	while (*text != '\0' && count < HEADERS) {
		char *name = line(&text);
		size_t name_length = strcspn(name, ":");
		char *value = name + name_length + (name[name_length] == ':');

		headers[count++] = (struct guard_header){.name = name,
		                                         .name_length = name_length,
		                                         .value = value,
		                                         .value_length = strlen(value)};
	}
	struct guard_verdict verdict = guard_request(method, version, headers, count);

	if ((verdict.status == 0) != (verdict.code == NULL))
		abort();
	if (verdict.status != 0)
		return;
	int lengths = times(headers, count, "content-length");
	int encodings = times(headers, count, "transfer-encoding");

	if (lengths + encodings > 1 || times(headers, count, "host") > 1)
		abort();
	if ((guard_content_length(headers, count) >= 0) != (lengths == 1) ||
	    (encodings == 1 && !guard_has_body(headers, count)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	char *text = arena_strndup(arena, (const char *)data, size);
	const char *target = line(&text);
	const char *method = line(&text);
	const char *version = line(&text);

	check_target(arena, target);
	check_headers(method, version, text);
	arena_destroy(arena);
	return 0;
}
