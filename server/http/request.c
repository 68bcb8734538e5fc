/* request.c - see request.h. */
#include "http/request.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "http/target.h"

#define TEST_MOMENT_US INT64_C(1796097600000000) /* 2026-12-01T04:00:00Z */

static const char *find(const struct request_pair *pairs, int count, const char *name)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(pairs[i].name, name) == 0)
			return pairs[i].value;
	}
	return NULL;
}

const char *request_header(const struct request *rq, const char *name)
{
	return find(rq->headers, rq->header_count, name);
}

const char *request_query(const struct request *rq, const char *name)
{
	return find(rq->query, rq->query_count, name);
}

/* Whether the media range at TEXT, up to LENGTH, is TYPE when its parameters are cut off. */
static bool is_type(const char *text, size_t length, const char *type)
{
	size_t end = 0;

	while (length > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		length--;
	}
	while (end < length && text[end] != ';' && text[end] != ' ' && text[end] != '\t')
		end++;
	return end == strlen(type) && strncasecmp(text, type, end) == 0;
}

bool request_is(const struct request *rq, const char *type)
{
	const char *value = request_header(rq, "content-type");

	return value != NULL && is_type(value, strlen(value), type);
}

bool request_accepts(const struct request *rq, const char *type)
{
	const char *value = request_header(rq, "accept");

	while (value != NULL && *value != '\0') {
		size_t length = strcspn(value, ",");

		if (is_type(value, length, type))
			return true;
		value += length;
		value += *value == ',';
	}
	return false;
}

void request_query_only(const struct request *rq, const char *const *names, size_t count,
                        struct problems *problems)
{
	for (int i = 0; i < rq->query_count; i++) {
		const char *name = rq->query[i].name;
		bool known = strcmp(name, "lang") == 0;

		for (size_t k = 0; k < count && !known; k++)
			known = strcmp(name, names[k]) == 0;
		if (known)
			continue;
		struct problem *problem = problem_add(
		    problems, PROBLEM_ERROR, "unknown_parameter", (struct place){.pointer = name},
		    NULL, "unknown query parameter \"%s\"", "未知的查询参数“%s”", name);
		const char *nearest = nearest_name(name, names, count);

		if (nearest != NULL)
			problem->hint = text_printf(problems->arena, "did you mean \"%s\"?",
			                            "是否想写“%s”？", nearest);
	}
}

struct request *request_for_test(struct arena *arena, const char *method, const char *target,
                                 const char *body)
{
	struct request *rq = arena_new(arena, struct request);
	struct request_pair *headers = arena_array(arena, struct request_pair, 1);

	rq->arena = arena;
	rq->id = "test";
	rq->method = method;
	rq->body = body == NULL ? "" : body;
	rq->body_size = strlen(rq->body);
	rq->now_us = TEST_MOMENT_US;
	rq->peer = "192.0.2.1";
	headers[0] = (struct request_pair){"content-type", "application/json"};
	rq->headers = headers;
	rq->header_count = body == NULL ? 0 : 1;
	enum target_fault fault = target_read(rq, target);

	assert(fault == TARGET_OK);
	(void)fault;
	const char *lang = request_query(rq, "lang");

	rq->lang = lang != NULL && strcmp(lang, "en") == 0 ? LANG_EN : LANG_ZH;
	return rq;
}
