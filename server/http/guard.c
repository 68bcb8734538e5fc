/* guard.c - see guard.h. */
#include "http/guard.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#define HEADERS_MAX 100

static const struct guard_verdict pass = {0, NULL};

static struct guard_verdict refuse(int status, const char *code)
{
	return (struct guard_verdict){status, code};
}

static bool named(const struct guard_header *header, const char *name)
{
	return header->name_length == strlen(name) &&
	       strncasecmp(header->name, name, header->name_length) == 0;
}

static bool equals(const struct guard_header *header, const char *value)
{
	return header->value_length == strlen(value) &&
	       strncasecmp(header->value, value, header->value_length) == 0;
}

static const struct guard_header *find(const struct guard_header *headers, size_t count,
                                       const char *name, int *times)
{
	const struct guard_header *first = NULL;

	*times = 0;
	for (size_t i = 0; i < count; i++) {
		if (!named(&headers[i], name))
			continue;
		if ((*times)++ == 0)
			first = &headers[i];
	}
	return first;
}

/* A token of RFC 9110, 5.6.2. */
static bool is_token(const char *text, size_t length)
{
	static const char others[] = "!#$%&'*+-.^_`|~";

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];
		bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
		bool digit = byte >= '0' && byte <= '9';

		if (!letter && !digit && memchr(others, byte, sizeof others - 1) == NULL)
			return false;
	}
	return length > 0;
}

static bool is_field_value(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte < 0x20 && byte != '\t') || byte == 0x7F)
			return false;
	}
	return true;
}

static bool all_digits(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
	}
	return length > 0;
}

static struct guard_verdict judge_line(const char *method, const char *version)
{
	static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"};

	if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
		return refuse(505, "http_version_not_supported");
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		if (strcmp(method, methods[i]) == 0)
			return pass;
	}
	return refuse(501, "method_not_implemented");
}

static struct guard_verdict judge_host(const char *version, const struct guard_header *headers,
                                       size_t count)
{
	int times;
	const struct guard_header *host = find(headers, count, "host", &times);

	if (times > 1)
		return refuse(400, "duplicate_host");
	if (host == NULL)
		return strcmp(version, "HTTP/1.1") == 0 ? refuse(400, "host_missing") : pass;
	for (size_t i = 0; i < host->value_length; i++) {
		if (strchr(" \t/@\\,?#", host->value[i]) != NULL)
			return refuse(400, "malformed_host");
	}
	return pass;
}

static struct guard_verdict judge_length(const char *version, const struct guard_header *headers,
                                         size_t count)
{
	int lengths;
	int encodings;
	const struct guard_header *length = find(headers, count, "content-length", &lengths);
	const struct guard_header *encoding = find(headers, count, "transfer-encoding", &encodings);

	if (lengths > 1)
		return refuse(400, "duplicate_content_length");
	if (lengths > 0 && encodings > 0)
		return refuse(400, "content_length_with_transfer_encoding");
	if (length != NULL && !all_digits(length->value, length->value_length))
		return refuse(400, "malformed_content_length");
	if (encoding == NULL)
		return pass;
	if (strcmp(version, "HTTP/1.0") == 0)
		return refuse(400, "transfer_encoding_with_http_1_0");
	if (encodings > 1)
		return refuse(501, "duplicate_transfer_encoding");
	return equals(encoding, "chunked") ? pass : refuse(501, "unknown_transfer_encoding");
}

/*
 * Fields of one value that a proxy and this server must not read differently: who asks, what the
 * body is, and which request is the same again.
 */
static struct guard_verdict judge_single(const struct guard_header *headers, size_t count)
{
	static const char *const single[] = {"authorization", "content-type", "origin",
	                                     "idempotency-key"};

	for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
		int times;

		find(headers, count, single[i], &times);
		if (times > 1)
			return refuse(400, "duplicate_header");
	}
	return pass;
}

static struct guard_verdict judge_expect(const struct guard_header *headers, size_t count)
{
	int times;
	const struct guard_header *expect = find(headers, count, "expect", &times);

	if (expect == NULL || (times == 1 && equals(expect, "100-continue")))
		return pass;
	return refuse(417, "unknown_expectation");
}

struct guard_verdict guard_request(const char *method, const char *version,
                                   const struct guard_header *headers, size_t count)
{
	struct guard_verdict verdict = judge_line(method, version);

	if (verdict.status != 0)
		return verdict;
	if (count > HEADERS_MAX)
		return refuse(431, "too_many_headers");
	for (size_t i = 0; i < count; i++) {
		if (headers[i].broken_line)
			return refuse(400, "broken_header_line");
		if (!is_token(headers[i].name, headers[i].name_length))
			return refuse(400, "malformed_header_name");
		if (!is_field_value(headers[i].value, headers[i].value_length))
			return refuse(400, "malformed_header_value");
	}
	verdict = judge_host(version, headers, count);
	if (verdict.status == 0)
		verdict = judge_length(version, headers, count);
	if (verdict.status == 0)
		verdict = judge_single(headers, count);
	if (verdict.status == 0)
		verdict = judge_expect(headers, count);
	return verdict;
}

bool guard_has_body(const struct guard_header *headers, size_t count)
{
	int times;

	return find(headers, count, "transfer-encoding", &times) != NULL ||
	       guard_content_length(headers, count) > 0;
}

long long guard_content_length(const struct guard_header *headers, size_t count)
{
	int times;
	const struct guard_header *length = find(headers, count, "content-length", &times);
	long long value = 0;

	if (length == NULL)
		return -1;
	for (size_t i = 0; i < length->value_length; i++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, length->value[i] - '0', &value))
			return LLONG_MAX;
	}
	return value;
}
