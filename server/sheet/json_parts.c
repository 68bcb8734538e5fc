/* json_parts.c - see json_parts.h. */
#include "sheet/json_parts.h"

#include <string.h>

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* Behind the string that begins AT; END when it does not end. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/* Behind the value that begins AT, by its brackets alone. */
static const char *skip_value(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		char c = *at;

		if (c == '"') {
			at = skip_string(at, end);
			if (depth == 0)
				return at;
			continue;
		}
		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			return at;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		at++;
		if (depth == 0 && (c == '}' || c == ']'))
			return at;
	}
	return end;
}

/* Steps over C and the white space around it. */
static bool take(struct json_parts *parts, char c)
{
	parts->at = skip_space(parts->at, parts->end);
	if (parts->at == parts->end || *parts->at != c)
		return false;
	parts->at = skip_space(parts->at + 1, parts->end);
	return true;
}

static bool fail(struct json_parts *parts)
{
	parts->failed = true;
	return false;
}

struct json_parts json_parts_of(struct json_part whole)
{
	struct json_parts parts = {.at = whole.at, .end = whole.at + whole.size, .closing = '}'};

	if (!take(&parts, '{')) {
		parts.closing = ']';
		parts.failed = !take(&parts, '[');
	}
	return parts;
}

static bool read_name(struct json_parts *parts)
{
	const char *at = parts->at;

	if (at == parts->end || *at != '"')
		return fail(parts);
	parts->at = skip_string(at, parts->end);
	parts->name = (struct json_part){at, (size_t)(parts->at - at)};
	return take(parts, ':') || fail(parts);
}

bool json_parts_next(struct json_parts *parts)
{
	if (parts->failed)
		return false;
	if (take(parts, parts->closing))
		return false;
	if (parts->begun && !take(parts, ','))
		return fail(parts);
	parts->begun = true;
	if (parts->closing == '}' && !read_name(parts))
		return false;
	const char *at = parts->at;

	parts->at = skip_value(at, parts->end);
	parts->value = (struct json_part){at, (size_t)(parts->at - at)};
	return parts->value.size > 0 || fail(parts);
}

bool json_parts_last(const struct json_parts *parts)
{
	return !parts->failed && skip_space(parts->at, parts->end) == parts->end;
}
