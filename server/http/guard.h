/*
 * guard.h - refuses requests whose framing two readers could understand differently.
 *
 * libmicrohttpd 0.9.75 takes two different Content-Length headers, Content-Length beside
 * Transfer-Encoding, two Hosts, folded lines, a space before the colon and HTTP/1.2: with any of
 * them the body of one request can become a second request. A pure function over the headers as
 * they came, so the unit tests reach every branch.
 *
 * Not visible here, because libmicrohttpd has already resolved them: a bare LF at the end of the
 * last header, of the empty line after it and of chunk lines. The front proxies in deploy/ write
 * all of these anew.
 */
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard_header {
	const char *name;
	size_t name_length;
	const char *value;
	size_t value_length;
	bool broken_line; /* continued on a second line, or the line before did not end with CRLF */
};

/* STATUS 0 = let it in. Otherwise answer STATUS with CODE and close the connection. */
struct guard_verdict {
	int status;
	const char *code;
};

/*
 * Judges a request line's METHOD and VERSION ("HTTP/1.1") and its HEADERS (COUNT of them, in
 * order):
 *   505 version other than HTTP/1.0 and HTTP/1.1
 *   501 method that is not one of GET HEAD POST PUT DELETE OPTIONS
 *   501 Transfer-Encoding other than exactly "chunked"
 *   400 broken line, header name that is not a token ("Content-Length :"), control byte in a
 *       value, Content-Length that is not digits, twice, or beside Transfer-Encoding;
 *       Transfer-Encoding with HTTP/1.0 (501 when twice); Host missing (HTTP/1.1), twice or
 *       malformed; Authorization, Content-Type, Origin or Idempotency-Key twice
 *   417 Expect other than 100-continue
 *   431 more than 100 headers
 */
struct guard_verdict guard_request(const char *method, const char *version,
                                   const struct guard_header *headers, size_t count);

/* Whether a body follows these headers (of a request that guard_request() let in). */
bool guard_has_body(const struct guard_header *headers, size_t count);

/*
 * The value of Content-Length, or -1 when there is none (chunked, or no body). Saturates at
 * INT64_MAX.
 */
long long guard_content_length(const struct guard_header *headers, size_t count);

#endif
