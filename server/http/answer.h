/*
 * answer.h - what a handler returns.
 *
 * Only the functions below make a struct answer, so a handler cannot forget to answer and cannot
 * answer twice: the compiler sees to it. They take what they need from the request (language,
 * Request-Id) and put the answer into its arena. http/ adds the headers common to all answers
 * (Request-Id, security headers, HSTS, Cache-Control: private, no-store unless set).
 */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include <stddef.h>

#include "base/problem.h"
#include "http/request.h"

struct answer;
struct buf;

/* 2xx with a JSON body; steals the content of BODY (it is empty afterwards). */
struct answer *answer_json(struct request *rq, int status, struct buf *body);

/* STATUS with bytes of any TYPE; steals the content of BODY. */
struct answer *answer_bytes(struct request *rq, int status, const char *type, struct buf *body);

/* STATUS with bytes that live as long as the program (baked files); borrowed. */
struct answer *answer_constant(struct request *rq, int status, const char *type, const void *bytes,
                               size_t size);

/* STATUS without a body: 204, 304. */
struct answer *answer_empty(struct request *rq, int status);

/*
 * The one door out for errors: application/problem+json (RFC 9457) with type, title (of STATUS),
 * status, detail (in the caller's language), code, request_id. CODE is snake_case and stable.
 */
struct answer *answer_problem(struct request *rq, int status, const char *code, const char *en,
                              const char *zh, ...)
    __attribute__((format(printf, 4, 6), format(printf, 5, 6)));

/* The same with problems[]: {severity, pointer | sheet,row,column,cell, code, value, message,
 * hint}. */
struct answer *answer_problems(struct request *rq, int status, const char *code, struct text detail,
                               const struct problems *problems);

/* Sets a header (replacing it); NAME and VALUE are copied. Returns ANSWER. */
struct answer *answer_header(struct answer *answer, const char *name, const char *value);

/*
 * Sets a strong ETag made of VERSION (hex of SHA-256 or a revision; quotes are added here) and
 * turns the answer into 304 when If-None-Match names it. Returns ANSWER.
 */
struct answer *answer_etag(struct request *rq, struct answer *answer, const char *version);

/* For tests and for writing logs: status, content type, body and headers of ANSWER. */
int answer_status(const struct answer *answer);
const char *answer_type(const struct answer *answer);
const char *answer_body(const struct answer *answer, size_t *size);
const char *answer_get_header(const struct answer *answer, const char *name);

/* One problem as a JSON object, in LANG; shared by every place that shows problems. */
struct json_write;
void problem_write(struct json_write *out, const char *key, const struct problem *problem,
                   enum lang lang);

#endif
