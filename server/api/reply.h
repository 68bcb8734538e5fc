/*
 * reply.h - what handlers share: refusing all problems at once, pages, versions, preconditions.
 */
#ifndef API_REPLY_H
#define API_REPLY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/app.h"
#include "api/json_read.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "http/answer.h"

struct catalogue;

/* ---- refusing ---- */

/*
 * The refusal of a request with PROBLEMS (at least one error): 400 when the JSON or a query
 * parameter could not be read at all, else 422; all of them are listed.
 */
struct answer *reply_invalid(struct request *rq, const struct problems *problems);

/* 404: the same words and code whether the thing is not there or somebody else's. */
struct answer *reply_not_found(struct request *rq);

/* 507 or 500: the store could not write; what was said to be stored before is untouched. */
struct answer *reply_store_failed(struct request *rq, bool disk_full);

/*
 * The JSON of the body, and a reader that collects into PROBLEMS (set up here, in the request's
 * arena). New reference, NULL when it does not parse: then answer reply_invalid().
 */
json_t *reply_read_body(struct request *rq, struct json_reader *reader, struct problems *problems);

/* ---- versions ---- */

#define VERSION_SIZE 33

/* What an ETag says: the first 128 bits of SHA-256 over BYTES, in hex. */
void reply_version(const void *bytes, size_t size, char version[static VERSION_SIZE]);

/* answer_json() with an ETag over its bytes: 304 when the caller has them. Steals BODY. */
struct answer *reply_tagged(struct request *rq, int status, struct buf *body);

/* The same for bytes of any TYPE. */
struct answer *reply_tagged_bytes(struct request *rq, const char *type, struct buf *body);

/*
 * Holds If-Match and If-None-Match: * of a write against CURRENT, the version that GET shows (NULL
 * = there is none yet). NULL when the write may go on, else 412, or 428 when something that exists
 * would be replaced by a caller who does not say which version was seen.
 */
struct answer *reply_precondition(struct request *rq, const char *current);

/* ---- pages ---- */

#define PAGE_DEFAULT 50
#define PAGE_MOST 500

/* Which part of a list is asked for: at most LIMIT entries after the one named by CURSOR. */
struct page {
	const char *cursor; /* the last entry of the page before, decoded; NULL = from the start */
	int64_t after;      /* the same as a number; 0 = from the start */
	int limit;
};

/*
 * Reads ?cursor= and ?limit=, and refuses every query parameter but those and NAMES (COUNT of
 * them). A cursor is opaque outside: base64url of the last entry's key. Numbers must be positive.
 */
struct page page_read(struct request *rq, const char *const *names, size_t count,
                      struct problems *problems);

/*
 * The address of the page after the entry LAST: this request's path and query with the cursor
 * replaced; in the request's arena.
 */
const char *page_next(struct request *rq, const char *last);

/* Sets Link: <NEXT>; rel="next", where NEXT is not NULL. Returns ANSWER. */
struct answer *page_link(struct request *rq, struct answer *answer, const char *next);

/* ---- catalogue ---- */

/* The current snapshot, with a reference of the caller's own: catalogue_release() it. */
struct catalogue *reply_catalogue(struct request *rq);

/* ---- small writers ---- */

/* "2026-11-30", or null for DATE_NONE. */
void out_date(struct json_write *out, const char *key, struct date date);

/* "2026-11-30T12:00:00Z" of microseconds, or null for 0. */
void out_moment(struct json_write *out, const char *key, int64_t us);

/* "76000.00" */
void out_money(struct json_write *out, const char *key, struct money amount);

/* VALUE, or null when it is not positive: "unknown" in most structs. */
void out_known_number(struct json_write *out, const char *key, double value, int decimals);
void out_known_integer(struct json_write *out, const char *key, int64_t value);

/* TEXT, or null when it is NULL or empty. */
void out_known_string(struct json_write *out, const char *key, const char *text);

#endif
