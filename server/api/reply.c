/* reply.c - see reply.h. */
#include "api/reply.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "market/catalogue.h"

/* Whether nothing of what was sent could be understood, so that 422 would say too much. */
static bool is_unreadable(const char *code)
{
	static const char *const codes[] = {"json_invalid", "json_too_deep", "unknown_parameter",
	                                    "parameter_invalid"};

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (strcmp(code, codes[i]) == 0)
			return true;
	return false;
}

struct answer *reply_invalid(struct request *rq, const struct problems *problems)
{
	int status = 422;

	for (size_t i = 0; i < problems->count; i++)
		if (is_unreadable(problems->items[i].code))
			status = 400;
	struct text detail =
	    text_printf(rq->arena, "%zu thing(s) in this request must be put right; all are listed",
	                "请求有 %zu 处问题，已全部列出", problems->errors);

	return answer_problems(rq, status, "invalid_request", detail, problems);
}

struct answer *reply_unwanted_query(struct request *rq)
{
	struct problems problems;

	problems_init(&problems, rq->arena);
	request_query_only(rq, NULL, 0, &problems);
	return problems.errors == 0 ? NULL : reply_invalid(rq, &problems);
}

struct answer *reply_not_found(struct request *rq)
{
	return answer_problem(rq, 404, "not_found", "there is nothing here for you",
	                      "此处没有您可查看的内容");
}

struct answer *reply_unknown_supplier(struct request *rq, struct problems *problems,
                                      const char *supplier)
{
	problem_add(problems, PROBLEM_ERROR, "unknown_supplier",
	            (struct place){.pointer = "/supplier"}, supplier, "there is no such supplier",
	            "没有这个供应商");
	return reply_invalid(rq, problems);
}

struct answer *reply_store_failed(struct request *rq, enum store_result result)
{
	switch (result) {
	case STORE_NOT_FOUND:
		return reply_not_found(rq);
	case STORE_CONFLICT:
		return answer_problem(rq, 409, "conflict", "it has changed, or is there already",
		                      "对象已变化或已存在");
	case STORE_FULL:
		return answer_problem(rq, 507, "disk_full",
		                      "the disk is full: nothing was stored, reading goes on",
		                      "磁盘已满：未保存任何内容，仍可查询");
	case STORE_BUSY:
		return answer_header(answer_problem(rq, 503, "busy",
		                                    "too many writes are waiting: try again",
		                                    "写入排队过多，请稍后重试"),
		                     "Retry-After", "1");
	case STORE_OK:
	case STORE_FAILED:
		break;
	}
	return answer_problem(rq, 500, "store_failed", "it could not be stored; the log says why",
	                      "未能保存，原因见日志");
}

static struct answer *version_changed(struct request *rq)
{
	return answer_problem(rq, 412, "version_changed",
	                      "it is not the version that you have seen: read it again",
	                      "版本已变化，请重新读取");
}

struct answer *reply_put_failed(struct request *rq, enum store_result result)
{
	return result == STORE_CONFLICT ? version_changed(rq) : reply_store_failed(rq, result);
}

struct store_actor reply_actor(const struct request *rq)
{
	return (struct store_actor){
	    .key_id = rq->caller.key_id,
	    .request_id = rq->id,
	    .now_us = rq->now_us,
	    .arrived_us = rq->arrived_us,
	};
}

json_t *reply_read_body(struct request *rq, struct json_reader *reader, struct problems *problems)
{
	problems_init(problems, rq->arena);
	*reader = (struct json_reader){.arena = rq->arena, .problems = problems};
	request_query_only(rq, NULL, 0, problems);
	if (problems->errors > 0)
		return NULL;
	return json_parse(reader, rq->body, rq->body_size);
}

void reply_version(const void *bytes, size_t size, char version[static VERSION_SIZE])
{
	char hex[SHA256_HEX_SIZE];

	sha256_hex(sha256_of(bytes, size), hex);
	memcpy(version, hex, VERSION_SIZE - 1);
	version[VERSION_SIZE - 1] = '\0';
}

static struct answer *tag(struct request *rq, struct answer *answer)
{
	char version[VERSION_SIZE];
	size_t size;
	const char *bytes = answer_body(answer, &size);

	reply_version(bytes, size, version);
	return answer_etag(rq, answer, version);
}

struct answer *reply_tagged(struct request *rq, int status, struct buf *body)
{
	return tag(rq, answer_json(rq, status, body));
}

struct answer *reply_tagged_bytes(struct request *rq, const char *type, struct buf *body)
{
	return tag(rq, answer_bytes(rq, 200, type, body));
}

/* Whether LIST, the value of If-Match, names VERSION (strong comparison, RFC 9110, 13.1.1). */
static bool match_names(const char *list, const char *version)
{
	size_t length = strlen(version);

	if (strcmp(list, "*") == 0)
		return true;
	for (const char *at = list; (at = strstr(at, version)) != NULL; at += length) {
		bool quoted = at > list && at[-1] == '"' && at[length] == '"';

		if (quoted && (at - list < 3 || at[-2] != '/'))
			return true;
	}
	return false;
}

struct answer *reply_precondition(struct request *rq, const char *current)
{
	const char *match = request_header(rq, "if-match");
	const char *none_match = request_header(rq, "if-none-match");
	bool wanted_new = none_match != NULL && strcmp(none_match, "*") == 0;

	if (current == NULL && match == NULL)
		return NULL;
	if (current != NULL && match == NULL && !wanted_new)
		return answer_problem(rq, 428, "if_match_wanted",
		                      "it exists: send If-Match with the ETag that you have seen",
		                      "对象已存在：请在 If-Match 中带上您读到的 ETag");
	if (current != NULL && !wanted_new && match_names(match, current))
		return NULL;
	return version_changed(rq);
}

/* ---- pages ---- */

/* Keys are kept apart from what clients may be tempted to build: a letter and hex digits. */
static const char *cursor_encode(struct arena *arena, const char *key)
{
	size_t length = strlen(key);
	char *cursor = arena_alloc(arena, 2 * length + 2);

	cursor[0] = 'c';
	for (size_t i = 0; i < length; i++) {
		cursor[1 + 2 * i] = "0123456789abcdef"[(unsigned char)key[i] >> 4];
		cursor[2 + 2 * i] = "0123456789abcdef"[(unsigned char)key[i] & 15];
	}
	return cursor;
}

static int hex_value(char digit)
{
	const char *at = digit == '\0' ? NULL : strchr("0123456789abcdef", digit);

	return at == NULL ? -1 : (int)(at - "0123456789abcdef");
}

static const char *cursor_decode(struct arena *arena, const char *cursor)
{
	size_t length = strlen(cursor);

	if (cursor[0] != 'c' || length < 3 || length % 2 == 0)
		return NULL;
	char *key = arena_alloc(arena, length / 2 + 1);

	for (size_t i = 0; i < length / 2; i++) {
		int high = hex_value(cursor[1 + 2 * i]);
		int low = hex_value(cursor[2 + 2 * i]);

		if (high < 0 || low < 0 || (high == 0 && low == 0))
			return NULL;
		key[i] = (char)(high * 16 + low);
	}
	return key;
}

/* TEXT as a positive number of at most 18 digits, or 0. */
static int64_t positive(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits > 0 && digits <= 18 && text[digits] == '\0' ? strtoll(text, NULL, 10) : 0;
}

int64_t reply_param_id(const struct request *rq)
{
	return positive(rq->params[0]);
}

static void read_cursor(struct request *rq, enum page_key key, struct page *page,
                        struct problems *problems)
{
	const char *cursor = request_query(rq, "cursor");

	if (cursor == NULL)
		return;
	page->after = cursor_decode(rq->arena, cursor);
	if (page->after != NULL && key == PAGE_KEY_NUMBER)
		page->after_id = positive(page->after);
	if (page->after == NULL || (key == PAGE_KEY_NUMBER && page->after_id == 0))
		problem_add(problems, PROBLEM_ERROR, "parameter_invalid",
		            (struct place){.pointer = "cursor"}, cursor,
		            "not a cursor of this list: use the address in \"next\"",
		            "不是本列表的 cursor：请使用 next 中的地址");
}

struct page page_read(struct request *rq, enum page_key key, const char *const *names, size_t count,
                      struct problems *problems)
{
	struct page page = {.limit = PAGE_DEFAULT};
	const char *limit = request_query(rq, "limit");
	const char *known[16] = {"cursor", "limit"};

	for (size_t i = 0; i < count && i < 14; i++)
		known[2 + i] = names[i];
	request_query_only(rq, known, 2 + count, problems);
	read_cursor(rq, key, &page, problems);
	if (limit == NULL)
		return page;
	int64_t wanted = positive(limit);

	if (wanted >= 1 && wanted <= PAGE_MOST)
		page.limit = (int)wanted;
	else
		problem_add(problems, PROBLEM_ERROR, "parameter_invalid",
		            (struct place){.pointer = "limit"}, limit, "between 1 and %d",
		            "应在 1 与 %d 之间", PAGE_MOST);
	return page;
}

bool page_takes(struct page_walk *walk, const char *key)
{
	if (walk->page.after != NULL && strcmp(key, walk->page.after) <= 0)
		return false;
	if (walk->written == walk->page.limit) {
		walk->more = true;
		return false;
	}
	walk->written++;
	walk->last = key;
	return true;
}

/* VALUE percent-encoded for a query (RFC 3986, unreserved characters stay). */
static void put_encoded(struct buf *out, const char *value)
{
	for (; *value != '\0'; value++) {
		unsigned char byte = (unsigned char)*value;
		bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
		             (byte >= 'A' && byte <= 'Z') || strchr("-._~", byte) != NULL;

		if (plain)
			buf_putc(out, *value);
		else
			buf_printf(out, "%%%02X", byte);
	}
}

const char *page_next(struct request *rq, const char *last)
{
	struct buf next = {0};

	if (last == NULL)
		return NULL;
	buf_printf(&next, "%s?", rq->path);
	for (int i = 0; i < rq->query_count; i++) {
		if (strcmp(rq->query[i].name, "cursor") == 0)
			continue;
		put_encoded(&next, rq->query[i].name);
		buf_putc(&next, '=');
		put_encoded(&next, rq->query[i].value);
		buf_putc(&next, '&');
	}
	buf_printf(&next, "cursor=%s", cursor_encode(rq->arena, last));
	const char *copy = arena_strdup(rq->arena, buf_text(&next));

	buf_finish(&next);
	return copy;
}

const char *page_next_id(struct request *rq, int64_t last)
{
	return last == 0 ? NULL : page_next(rq, arena_printf(rq->arena, "%" PRId64, last));
}

struct answer *page_answer(struct request *rq, struct json_write *out, const char *next)
{
	out_string(out, "next", next);
	out_end(out);
	struct answer *answer = reply_tagged(rq, 200, out->buf);

	if (next != NULL)
		answer_header(answer, "Link", arena_printf(rq->arena, "<%s>; rel=\"next\"", next));
	return answer;
}

const char *field_source(struct fields *in)
{
	const char *source = NULL;
	struct date date = DATE_NONE;
	char day[11];

	field_string(in, "source", FIELD_REQUIRED, &source);
	field_date(in, "date", FIELD_REQUIRED, &date);
	if (source == NULL || date_is_none(date))
		return NULL;
	if (*source == '\0' || strlen(source) > 1000) {
		field_problem(in, "source", "out_of_range", NULL,
		              "between 1 and 1000 bytes are wanted", "应为 1 至 1000 字节");
		return NULL;
	}
	date_format(date, day);
	return arena_printf(in->reader->arena, "%s (%s)", source, day);
}

void field_check_name(struct fields *in, const char *name)
{
	if (name != NULL && (*name == '\0' || strlen(name) > 200))
		field_problem(in, "name", "out_of_range", NULL,
		              "between 1 and 200 bytes are wanted", "应为 1 至 200 字节");
}

bool reply_check_id(const struct request *rq, const char *more, struct problems *problems)
{
	const char *id = rq->params[0];
	size_t length = strlen(id);
	bool good = length >= 2 && length <= 40 && id[0] != '.' && id[0] != '-';

	for (const char *at = id; *at != '\0'; at++)
		good = good && ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') ||
		                *at == '-' || strchr(more, *at) != NULL);
	if (!good)
		problem_add(problems, PROBLEM_ERROR, "bad_id", (struct place){.pointer = "{id}"},
		            id, "an id has 2 to 40 of the characters a-z 0-9 - %s",
		            "标识应为 2 至 40 个字符：a-z 0-9 - %s", more);
	return good;
}

struct catalogue *reply_catalogue(struct request *rq)
{
	return catalogue_slot_get(app_of(rq)->catalogue);
}

/* ---- small writers ---- */

void out_date(struct json_write *out, const char *key, struct date date)
{
	char text[11];

	if (date_is_none(date)) {
		out_null(out, key);
		return;
	}
	date_format(date, text);
	out_string(out, key, text);
}

void out_moment(struct json_write *out, const char *key, int64_t us)
{
	char text[21];

	if (us == 0) {
		out_null(out, key);
		return;
	}
	moment_format(us / 1000000, text);
	out_string(out, key, text);
}

void out_money(struct json_write *out, const char *key, struct money amount)
{
	char text[MONEY_TEXT_SIZE];

	money_format(amount, text);
	out_string(out, key, text);
}

void out_money_if(struct json_write *out, const char *key, bool known, struct money amount)
{
	if (known)
		out_money(out, key, amount);
	else
		out_null(out, key);
}

void out_known_number(struct json_write *out, const char *key, double value, int decimals)
{
	if (value > 0)
		out_number(out, key, value, decimals);
	else
		out_null(out, key);
}

void out_known_integer(struct json_write *out, const char *key, int64_t value)
{
	if (value > 0)
		out_integer(out, key, value);
	else
		out_null(out, key);
}

void out_known_string(struct json_write *out, const char *key, const char *text)
{
	out_string(out, key, text != NULL && *text != '\0' ? text : NULL);
}
