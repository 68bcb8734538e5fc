/* target.c - see target.h. */
#include "http/target.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "http/request.h"

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

/*
 * Percent-decodes LENGTH bytes of TEXT into a new string; '+' is a space where PLUS says so. NULL
 * when a % is not followed by two hex digits, a control byte comes out, or the result is not UTF-8.
 */
static char *decode(struct arena *arena, const char *text, size_t length, bool plus)
{
	char *decoded = arena_alloc(arena, length + 1);
	size_t size = 0;

	for (size_t i = 0; i < length; i++) {
		int byte = (unsigned char)text[i];

		if (byte == '%') {
			int high = i + 2 < length ? hex_value(text[i + 1]) : -1;
			int low = high >= 0 ? hex_value(text[i + 2]) : -1;

			if (low < 0)
				return NULL;
			byte = high * 16 + low;
			i += 2;
		} else if (byte == '+' && plus) {
			byte = ' ';
		}
		if (byte == 0x7F || (byte < 0x20 && !(plus && (byte == '\t' || byte == '\n'))))
			return NULL;
		decoded[size++] = (char)byte;
	}
	return utf8_valid(decoded, size, NULL) ? decoded : NULL;
}

/* No empty segment but the last, no "." or "..", and as many slashes as before decoding. */
static bool path_is_plain(const char *path, const char *raw, size_t raw_length)
{
	int slashes = 0;

	for (size_t i = 0; i < raw_length; i++)
		slashes += raw[i] == '/';
	for (const char *at = path; *at == '/'; slashes--) {
		size_t length = strcspn(++at, "/");

		if ((length == 0 && *at == '/') || (length == 1 && at[0] == '.') ||
		    (length == 2 && at[0] == '.' && at[1] == '.'))
			return false;
		at += length;
	}
	return slashes == 0 && strchr(path, '\\') == NULL;
}

static bool read_pair(struct request *rq, const char *text, size_t length,
                      struct request_pair *pair)
{
	const char *equals = memchr(text, '=', length);
	size_t name_length = equals == NULL ? length : (size_t)(equals - text);

	pair->name = decode(rq->arena, text, name_length, true);
	pair->value =
	    equals == NULL ? "" : decode(rq->arena, equals + 1, length - name_length - 1, true);
	return pair->name != NULL && pair->value != NULL;
}

static bool is_repeated(const struct request_pair *pairs, int last)
{
	for (int i = 0; i < last; i++)
		if (strcmp(pairs[i].name, pairs[last].name) == 0)
			return true;
	return false;
}

/* A parameter that is named twice is refused: one of the two would be dropped without a word. */
static bool read_query(struct request *rq, const char *text)
{
	struct request_pair *pairs = arena_array(rq->arena, struct request_pair, QUERY_PAIRS_MAX);
	int count = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, "&");

		if (length > 0) {
			if (count == QUERY_PAIRS_MAX ||
			    !read_pair(rq, text, length, &pairs[count]) ||
			    is_repeated(pairs, count))
				return false;
			count++;
		}
		text += length;
		text += *text == '&';
	}
	rq->query = pairs;
	rq->query_count = count;
	return true;
}

/* Only what RFC 3986 lets stand unencoded, and bytes above 127 for people who type Chinese. */
static bool bytes_are_plain(const char *raw)
{
	for (; *raw != '\0'; raw++) {
		unsigned char byte = (unsigned char)*raw;

		if (byte <= 0x20 || byte == 0x7F || strchr("\"<>\\^`{|}#", byte) != NULL)
			return false;
	}
	return true;
}

enum target_fault target_read(struct request *rq, const char *raw)
{
	size_t path_length = strcspn(raw, "?");

	rq->path = "/";
	rq->query = NULL;
	rq->query_count = 0;
	if (strlen(raw) > TARGET_BYTES_MAX)
		return TARGET_TOO_LONG;
	if (raw[0] != '/' || !bytes_are_plain(raw))
		return TARGET_MALFORMED;
	const char *path = decode(rq->arena, raw, path_length, false);

	if (path == NULL || !path_is_plain(path, raw, path_length))
		return TARGET_MALFORMED;
	if (raw[path_length] == '?' && !read_query(rq, raw + path_length + 1))
		return TARGET_MALFORMED;
	rq->path = path;
	return TARGET_OK;
}
