/*
 * target.h - the target of a request line: "/offers?card=h100-sxm" into path and query.
 *
 * libmicrohttpd would cut "/a%00b" to "/a" and pass "/x/../y" on, so the raw target is read here.
 */
#ifndef HTTP_TARGET_H
#define HTTP_TARGET_H

#include <stddef.h>

struct arena;
struct request;

#define TARGET_BYTES_MAX 8000 /* RFC 9110, 4.1: at least 8000 should be taken */
#define QUERY_PAIRS_MAX 64

/* What is wrong with a target. */
enum target_fault {
	TARGET_OK,
	TARGET_MALFORMED, /* not origin-form, control bytes, bad %, NUL, "..", not UTF-8, or a
	                     parameter twice: 400 */
	TARGET_TOO_LONG,  /* 414 */
};

/*
 * Reads RAW (the bytes between method and version) into rq->path, rq->query and rq->query_count;
 * everything is copied into rq->arena. On a fault the path is "/" and the query empty.
 * "/a%20b?x=1+2" has the path "/a b" and the query x = "1 2". A segment "." or ".." is a fault
 * however it is encoded, as is an encoded slash; "//" is a fault too.
 */
enum target_fault target_read(struct request *rq, const char *raw);

#endif
