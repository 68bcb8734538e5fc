/* once.c - see once.h. */
#include "api/once.h"

#include <string.h>

#include "api/app.h"
#include "api/reply.h"
#include "base/arena.h"
#include "base/log.h"

#define KEY_LONGEST 200

/*
 * The key in the header: a structured-field string ("...", draft-ietf-httpapi-idempotency-key), or
 * the bare text that most clients send. NULL when it is neither.
 */
static const char *read_key(struct request *rq, const char *value)
{
	size_t length = strlen(value);

	if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
		value = arena_strndup(rq->arena, value + 1, length - 2);
		length -= 2;
	}
	if (length == 0 || length > KEY_LONGEST)
		return NULL;
	for (const char *at = value; *at != '\0'; at++)
		if (*at <= ' ' || *at > '~' || *at == '"' || *at == '\\')
			return NULL;
	return value;
}

/* Of method, path, query and body, each closed by a NUL so that none can pass for another. */
static struct sha256 request_hash(struct request *rq)
{
	struct buf all = {0};

	buf_puts(&all, rq->method);
	buf_putc(&all, '\0');
	buf_puts(&all, rq->path);
	buf_putc(&all, '\0');
	for (int i = 0; i < rq->query_count; i++) {
		buf_put(&all, rq->query[i].name, strlen(rq->query[i].name) + 1);
		buf_put(&all, rq->query[i].value, strlen(rq->query[i].value) + 1);
	}
	buf_put(&all, rq->body, rq->body_size);
	struct sha256 hash = sha256_of(all.bytes, all.size);

	buf_finish(&all);
	return hash;
}

/* "sheet/12" was made: "/sheets/12". */
static struct answer *locate(struct request *rq, struct answer *answer, const char *made)
{
	const char *slash = made == NULL ? NULL : strchr(made, '/');

	if (slash == NULL)
		return answer;
	return answer_header(answer, "Location",
	                     arena_printf(rq->arena, "/%.*ss%s", (int)(slash - made), made, slash));
}

static struct answer *replay(struct request *rq, const struct once_record *record)
{
	struct buf body = {0};

	buf_put(&body, record->body, record->body_size);
	return locate(rq, answer_json(rq, record->status, &body), record->made);
}

static struct answer *answer_record(struct request *rq, const struct once_record *record)
{
	switch (record->state) {
	case ONCE_NEW:
		return NULL;
	case ONCE_RUNNING:
		return answer_header(
		    answer_problem(rq, 409, "still_running",
		                   "the first request with this Idempotency-Key is still running",
		                   "使用该 Idempotency-Key 的首个请求仍在处理"),
		    "Retry-After", "1");
	case ONCE_DIFFERENT:
		return answer_problem(rq, 422, "idempotency_key_reused",
		                      "this Idempotency-Key was used for another request",
		                      "该 Idempotency-Key 已用于另一个请求");
	case ONCE_ANSWERED:
		return replay(rq, record);
	case ONCE_MADE:
		break;
	}
	/* An answer that is kept is kept a moment after what it tells of. */
	return locate(
	    rq,
	    answer_header(answer_problem(rq, 409, "made_already",
	                                 "done already; the first answer was not kept, or "
	                                 "is not there yet",
	                                 "此前已完成；首次应答未保留，或尚未写好"),
	                  "Retry-After", "1"),
	    record->made);
}

struct answer *once_begin(struct request *rq, struct store_actor *actor, struct once_use *once)
{
	const char *value = request_header(rq, "idempotency-key");
	struct once_record record = {0};

	*once = (struct once_use){0};
	if (value == NULL)
		return NULL;
	const char *key = read_key(rq, value);

	if (key == NULL)
		return answer_problem(rq, 400, "parameter_invalid",
		                      "Idempotency-Key must be 1 to %d visible characters",
		                      "Idempotency-Key 应为 1 至 %d 个可见字符", KEY_LONGEST);
	once->request = (struct once_request){
	    .key_id = rq->caller.key_id,
	    .key = key,
	    .request = request_hash(rq),
	    .now_us = rq->now_us,
	};
	enum store_result result =
	    store_once_begin(app_of(rq)->store, rq->arena, &once->request, &record);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	once->used = record.state == ONCE_NEW;
	actor->idempotency_key = key;
	return answer_record(rq, &record);
}

static void note_failure(const struct request *rq, enum store_result result)
{
	if (result != STORE_OK)
		log_line(LOG_WARN, "request %s: its Idempotency-Key could not be settled: %s",
		         rq->id, store_result_names[result]);
}

struct answer *once_end(struct request *rq, const struct once_use *once, struct answer *answer)
{
	struct once_record record = {.status = answer_status(answer)};

	if (!once->used)
		return answer;
	if (record.status >= 300) {
		note_failure(rq, store_once_abandon(app_of(rq)->store, &once->request));
		return answer;
	}
	record.body = answer_body(answer, &record.body_size);
	note_failure(rq, store_once_finish(app_of(rq)->store, &once->request, &record));
	return answer;
}

struct answer *once_end_secret(struct request *rq, const struct once_use *once,
                               struct answer *answer)
{
	if (once->used && answer_status(answer) < 300)
		return answer;
	return once_end(rq, once, answer);
}
