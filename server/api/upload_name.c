/* upload_name.c - see upload_name.h. */
#include "api/upload_name.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

#define NAME_LONGEST 255

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* UTF-8''%e6%8a%a5.xlsx, decoded (RFC 8187); NULL when it is not that. */
static const char *decode_extended(struct arena *arena, const char *value, size_t length)
{
	char *name = arena_alloc(arena, length + 1);
	size_t used = 0;

	if (length < 7 || strncasecmp(value, "UTF-8''", 7) != 0)
		return NULL;
	for (size_t i = 7; i < length; i++) {
		int high = value[i] == '%' && i + 2 < length ? hex_value(value[i + 1]) : -1;
		int low = high < 0 ? -1 : hex_value(value[i + 2]);

		if (value[i] == '%' && low < 0)
			return NULL;
		name[used++] = low < 0 ? value[i] : (char)(high * 16 + low);
		i += low < 0 ? 0 : 2;
	}
	return name;
}

/* The value of parameter NAME in a Content-Disposition, unquoted; NULL when it is not there. */
static const char *parameter(struct arena *arena, const char *header, const char *name)
{
	size_t name_length = strlen(name);

	for (const char *at = strchr(header, ';'); at != NULL; at = strchr(at, ';')) {
		at += 1 + strspn(at + 1, " \t");
		if (strncasecmp(at, name, name_length) != 0 || at[name_length] != '=')
			continue;
		at += name_length + 1;
		if (name[name_length - 1] == '*')
			return decode_extended(arena, at, strcspn(at, "; \t"));
		if (*at == '"')
			return arena_strndup(arena, at + 1, strcspn(at + 1, "\""));
		return arena_strndup(arena, at, strcspn(at, "; \t"));
	}
	return NULL;
}

static const char *given_name(const struct request *rq)
{
	const char *name = request_query(rq, "filename");
	const char *header = request_header(rq, "content-disposition");

	if (name == NULL && header != NULL)
		name = parameter(rq->arena, header, "filename*");
	if (name == NULL && header != NULL)
		name = parameter(rq->arena, header, "filename");
	return name;
}

static bool is_showable(const char *name)
{
	if (strlen(name) > NAME_LONGEST || !utf8_valid(name, strlen(name), NULL))
		return false;
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return false;
	return true;
}

const char *upload_name(const struct request *rq, struct problems *problems)
{
	const char *name = given_name(rq);

	if (name == NULL)
		return NULL;
	for (const char *at = name; *at != '\0'; at++)
		if (*at == '/' || *at == '\\')
			name = at + 1;
	if (*name == '\0')
		return NULL;
	if (is_showable(name))
		return name;
	problem_add(problems, PROBLEM_ERROR, "parameter_invalid",
	            (struct place){.pointer = "filename"}, NULL,
	            "a name of at most %d bytes of UTF-8 without control characters is wanted",
	            "文件名应为不含控制字符的 UTF-8，最多 %d 字节", NAME_LONGEST);
	return NULL;
}

const char *upload_disposition(struct arena *arena, const char *name, int64_t id,
                               const char *format)
{
	struct buf value = {0};

	buf_printf(&value, "attachment; filename=\"sheet-%" PRId64 ".%s\"", id, format);
	if (name != NULL) {
		buf_puts(&value, "; filename*=UTF-8''");
		for (const char *at = name; *at != '\0'; at++) {
			unsigned char byte = (unsigned char)*at;
			bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
			             (byte >= 'A' && byte <= 'Z') || strchr("-._", byte) != NULL;

			buf_printf(&value, plain ? "%c" : "%%%02X", byte);
		}
	}
	const char *copy = arena_strdup(arena, buf_text(&value));

	buf_finish(&value);
	return copy;
}
