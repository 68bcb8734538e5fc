/* answer.c - see answer.h. */
#include "http/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "http/answer_parts.h"

static struct answer *create(struct request *rq, int status, const char *type)
{
	struct answer *answer = arena_new(rq->arena, struct answer);

	answer->arena = rq->arena;
	answer->status = status;
	answer->type = type;
	answer->body = "";
	return answer;
}

struct answer *answer_bytes(struct request *rq, int status, const char *type, struct buf *body)
{
	struct answer *answer = create(rq, status, type);

	answer->body = arena_adopt(rq->arena, buf_steal(body, &answer->size));
	return answer;
}

struct answer *answer_json(struct request *rq, int status, struct buf *body)
{
	return answer_bytes(rq, status, "application/json", body);
}

struct answer *answer_constant(struct request *rq, int status, const char *type, const void *bytes,
                               size_t size)
{
	struct answer *answer = create(rq, status, type);

	answer->body = bytes;
	answer->size = size;
	return answer;
}

struct answer *answer_empty(struct request *rq, int status)
{
	return create(rq, status, NULL);
}

/* RFC 9110, section 15, and RFC 6585. */
static const struct {
	int status;
	const char *title;
} titles[] = {
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

static const char *title_of(int status)
{
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
		if (titles[i].status == status)
			return titles[i].title;
	}
	return "Error";
}

static void write_place(struct json_write *out, const struct place *place)
{
	char letters[8];
	char cell[24];

	if (place->pointer != NULL)
		out_string(out, "pointer", place->pointer);
	if (place->sheet != NULL)
		out_string(out, "sheet", place->sheet);
	if (place->row > 0)
		out_integer(out, "row", place->row);
	if (place->column <= 0)
		return;
	column_name(place->column, letters);
	out_string(out, "column", letters);
	if (place->row > 0) {
		snprintf(cell, sizeof cell, "%s%d", letters, place->row);
		out_string(out, "cell", cell);
	}
}

void problem_write(struct json_write *out, const char *key, const struct problem *problem,
                   enum lang lang)
{
	const char *hint = text_in(problem->hint, lang);

	out_object(out, key);
	out_string(out, "severity", problem_severity_name(problem->severity));
	write_place(out, &problem->place);
	out_string(out, "code", problem->code);
	if (problem->value != NULL)
		out_string(out, "value", problem->value);
	out_string(out, "message", text_in(problem->message, lang));
	if (hint != NULL)
		out_string(out, "hint", hint);
	out_end(out);
}

struct answer *answer_problems(struct request *rq, int status, const char *code, struct text detail,
                               const struct problems *problems)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	out_object(&out, NULL);
	out_string(&out, "type", "about:blank");
	out_string(&out, "title", title_of(status));
	out_integer(&out, "status", status);
	out_string(&out, "detail", text_in(detail, rq->lang));
	out_string(&out, "code", code);
	out_string(&out, "request_id", rq->id);
	if (problems != NULL) {
		out_array(&out, "problems");
		for (size_t i = 0; i < problems->count; i++)
			problem_write(&out, NULL, &problems->items[i], rq->lang);
		out_end(&out);
	}
	out_end(&out);
	struct answer *answer = answer_bytes(rq, status, "application/problem+json", &body);

	return answer_header(answer, "content-language", rq->lang == LANG_EN ? "en" : "zh");
}

struct answer *answer_problem(struct request *rq, int status, const char *code, const char *en,
                              const char *zh, ...)
{
	va_list args;

	va_start(args, zh);
	struct text detail = text_vprintf(rq->arena, en, zh, args);
	va_end(args);
	return answer_problems(rq, status, code, detail, NULL);
}

struct answer *answer_header(struct answer *answer, const char *name, const char *value)
{
	struct request_pair *header = NULL;

	for (size_t i = 0; i < answer->header_count; i++) {
		if (strcasecmp(answer->headers[i].name, name) == 0)
			header = &answer->headers[i];
	}
	if (header == NULL) {
		answer->headers = arena_grow(answer->arena, answer->headers, answer->header_count,
		                             &answer->header_capacity, sizeof *answer->headers);
		header = &answer->headers[answer->header_count++];
		header->name = arena_strdup(answer->arena, name);
	}
	header->value = arena_strdup(answer->arena, value);
	return answer;
}

/* Whether the If-None-Match list names TAG (weak comparison, RFC 9110, 13.1.2) or is "*". */
static bool none_match_names(const char *list, const char *tag)
{
	while (list != NULL && *list != '\0') {
		size_t skip = strspn(list, " \t,");

		list += skip;
		size_t length = strcspn(list, ",");
		const char *entry = strncmp(list, "W/", 2) == 0 ? list + 2 : list;
		size_t entry_length = length - (size_t)(entry - list);

		while (entry_length > 0 && strchr(" \t", entry[entry_length - 1]) != NULL)
			entry_length--;
		if ((entry_length == 1 && *entry == '*') ||
		    (entry_length == strlen(tag) && memcmp(entry, tag, entry_length) == 0))
			return true;
		list += length;
	}
	return false;
}

struct answer *answer_etag(struct request *rq, struct answer *answer, const char *version)
{
	const char *tag = arena_printf(rq->arena, "\"%s\"", version);

	answer_header(answer, "etag", tag);
	if (answer->status == 200 && none_match_names(request_header(rq, "if-none-match"), tag)) {
		answer->status = 304;
		answer->unsent_size = answer->size;
		answer->size = 0;
	}
	return answer;
}

int answer_status(const struct answer *answer)
{
	return answer->status;
}

const char *answer_type(const struct answer *answer)
{
	return answer->type;
}

const char *answer_body(const struct answer *answer, size_t *size)
{
	if (size != NULL)
		*size = answer->size;
	return answer->body;
}

const char *answer_get_header(const struct answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->header_count; i++) {
		if (strcasecmp(answer->headers[i].name, name) == 0)
			return answer->headers[i].value;
	}
	return NULL;
}
