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
#include "store/store.h"

struct catalogue;

/* ---- refusing ---- */

/*
 * The refusal of a request with PROBLEMS (at least one error): 400 when the JSON or a query
 * parameter could not be read at all, else 422; all of them are listed.
 */
struct answer *reply_invalid(struct request *rq, const struct problems *problems);

/* The refusal of query parameters where a path takes none (but lang); NULL = there are none. */
struct answer *reply_unwanted_query(struct request *rq);

/* 404: the same words and code whether the thing is not there or somebody else's. */
struct answer *reply_not_found(struct request *rq);

/* 422 with PROBLEMS and one more: the body's SUPPLIER is nobody we know. */
struct answer *reply_unknown_supplier(struct request *rq, struct problems *problems,
                                      const char *supplier);

/*
 * What a store_result other than STORE_OK becomes: 404 not found, 409 conflict, 507 disk full, 503
 * busy (with Retry-After), 500 the rest. What was stored before is untouched.
 */
struct answer *reply_store_failed(struct request *rq, enum store_result result);

/* The same for a PUT, where a conflict is 412: somebody else was faster. */
struct answer *reply_put_failed(struct request *rq, enum store_result result);

/* Who writes, for the audit log; borrowed from the request. */
struct store_actor reply_actor(const struct request *rq);

/*
 * The JSON of the body, and a reader that collects into PROBLEMS (set up here, in the request's
 * arena). New reference, NULL when it does not parse or a query parameter was given, which no route
 * with a JSON body takes: then answer reply_invalid().
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
	const char *after; /* key of the last entry of the page before; NULL = from the start */
	int64_t after_id;  /* the same where keys are numbers; 0 = from the start */
	int limit;
};

enum page_key { PAGE_KEY_TEXT, PAGE_KEY_NUMBER };

/*
 * Reads ?cursor= and ?limit=, and refuses every query parameter but those and NAMES (COUNT of
 * them). What a cursor holds is nobody's business outside.
 */
struct page page_read(struct request *rq, enum page_key key, const char *const *names, size_t count,
                      struct problems *problems);

/* A walk over a whole list, in order of its keys, that writes one page of it. */
struct page_walk {
	struct page page;
	int written;
	const char *last; /* key of the last entry written, borrowed */
	bool more;        /* there is an entry after it */
};

/* Whether the entry with KEY belongs to the page and is to be written now. */
bool page_takes(struct page_walk *walk, const char *key);

/*
 * The address of the page after the entry with key LAST (NULL: there is none, and so the result):
 * this request's path and query with the cursor replaced; in the request's arena.
 */
const char *page_next(struct request *rq, const char *last);

/* The same for keys that are numbers; 0 = there is none. */
const char *page_next_id(struct request *rq, int64_t last);

/*
 * Ends a page: writes "next" (NULL = null) into the object open in OUT, closes it, and answers 200
 * with ETag and, where there is a next page, Link: <...>; rel="next".
 */
struct answer *page_answer(struct request *rq, struct json_write *out, const char *next);

/* The first parameter of the path as the positive number of an id; 0 when it is none: 404. */
int64_t reply_param_id(const struct request *rq);

/* ---- what an administrator states ---- */

/*
 * Reads the members "source" and "date", both wanted: no figure without where it is from and since
 * when. Returns them as one text, "合同附件 (2026-11-01)"; NULL after a problem.
 */
const char *field_source(struct fields *in);

/* Adds a problem unless NAME, the member "name", has 1 to 200 bytes or is missing (NULL). */
void field_check_name(struct fields *in, const char *name);

/*
 * Whether the first parameter of the path may name a new thing, else a problem: 2 to 40 characters
 * of a-z 0-9 - and of MORE ("." or "").
 */
bool reply_check_id(const struct request *rq, const char *more, struct problems *problems);

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

/* The same, or null unless it is KNOWN. */
void out_money_if(struct json_write *out, const char *key, bool known, struct money amount);

/* VALUE, or null when it is not positive: "unknown" in most structs. */
void out_known_number(struct json_write *out, const char *key, double value, int decimals);
void out_known_integer(struct json_write *out, const char *key, int64_t value);

/* TEXT, or null when it is NULL or empty. */
void out_known_string(struct json_write *out, const char *key, const char *text);

#endif
