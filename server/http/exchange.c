/* exchange.c - see exchange.h. Nothing here knows libmicrohttpd. */
#include "http/exchange.h"

#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/log.h"
#include "http/answer_parts.h"
#include "http/builtin.h"
#include "http/jobs.h"
#include "http/server_parts.h"

/* What is read beyond the body limit so that the client can read its 413 in peace. */
#define OVERRUN_BYTES ((size_t)1 << 20)
#define REQUEST_ID_MAX 64
/* Who calls is asked again when a request takes longer than this to be whole and have its turn. */
#define ASK_AGAIN_US 100000

static const struct route static_route = {
    .method = "GET", .pattern = "static", .flags = ROUTE_PUBLIC | ROUTE_CACHEABLE};

struct exchange *exchange_begin(struct server *server, struct connection *connection,
                                const char *raw)
{
	struct exchange *x = alloc_zeroed(1, sizeof *x);

	x->server = server;
	x->connection = connection;
	x->raw = raw;
	x->raw_length = strlen(raw);
	x->began_us = clock_monotonic_us();
	x->rq.arena = arena_create();
	x->rq.method = "";
	x->rq.body = "";
	x->rq.lang = LANG_ZH;
	x->rq.arrived_us = x->began_us;
	x->rq.now_us = clock_now_us();
	x->rq.peer = connection->peer;
	x->rq.app = server->config.app;
	x->fault = target_read(&x->rq, raw);
	metrics_in_flight(server->metrics, 1);
	return x;
}

static void copy_headers(struct request *rq, const struct guard_header *headers, size_t count)
{
	struct request_pair *pairs = arena_array(rq->arena, struct request_pair, count + 1);

	for (size_t i = 0; i < count; i++) {
		char *name = arena_strndup(rq->arena, headers[i].name, headers[i].name_length);

		for (char *at = name; *at != '\0'; at++) {
			if (*at >= 'A' && *at <= 'Z')
				*at = (char)(*at + ('a' - 'A'));
		}
		pairs[i].name = name;
		pairs[i].value =
		    arena_strndup(rq->arena, headers[i].value, headers[i].value_length);
	}
	rq->headers = pairs;
	rq->header_count = (int)count;
}

static bool is_request_id(const char *text)
{
	static const char allowed[] =
	    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.";
	size_t length = strlen(text);

	return length > 0 && length <= REQUEST_ID_MAX && strspn(text, allowed) == length;
}

static const char *request_id(const struct request *rq)
{
	const char *given = request_header(rq, "request-id");
	unsigned char random[12];
	char *id = arena_alloc(rq->arena, 2 * sizeof random + 1);

	if (given != NULL && is_request_id(given))
		return given;
	if (RAND_bytes(random, sizeof random) != 1)
		alloc_fail(sizeof random);
	for (size_t i = 0; i < sizeof random; i++) {
		id[2 * i] = "0123456789abcdef"[random[i] >> 4];
		id[2 * i + 1] = "0123456789abcdef"[random[i] & 15];
	}
	return id;
}

static enum lang language(const struct request *rq)
{
	const char *lang = request_query(rq, "lang");

	if (lang != NULL && strcmp(lang, "en") == 0)
		return LANG_EN;
	if (lang != NULL && strcmp(lang, "zh") == 0)
		return LANG_ZH;
	return lang_from_accept(request_header(rq, "accept-language"));
}

static struct answer *refuse_framing(struct exchange *x, struct guard_verdict verdict)
{
	x->close = true;
	metrics_count(x->server->metrics, METRICS_REQUEST_MALFORMED);
	return answer_problem(&x->rq, verdict.status, verdict.code,
	                      "the request is not well-formed HTTP: %s", "请求不是合规的 HTTP：%s",
	                      verdict.code);
}

static struct answer *refuse_target(struct exchange *x)
{
	x->close = true;
	metrics_count(x->server->metrics, METRICS_REQUEST_MALFORMED);
	if (x->fault == TARGET_TOO_LONG)
		return answer_problem(&x->rq, 414, "target_too_long",
		                      "the address is longer than %d bytes", "请求地址超过 %d 字节",
		                      TARGET_BYTES_MAX);
	return answer_problem(&x->rq, 400, "malformed_target",
	                      "the path or query of the request is malformed, or a parameter is "
	                      "given twice",
	                      "请求路径或查询串格式不正确，或有参数重复");
}

/* The connection was over a limit and is answered once, to say so. */
static struct answer *refuse_connection(struct exchange *x)
{
	x->close = true;
	struct answer *answer =
	    x->connection->refuse_status == 429
		? answer_problem(&x->rq, 429, "too_many_connections",
	                         "too many connections from this address", "来自该地址的连接过多")
		: answer_problem(&x->rq, 503, "overloaded",
	                         "the server has as many connections as it can serve",
	                         "服务器连接数已满，请稍后再试");

	return answer_header(answer, "retry-after", "5");
}

static struct answer *answer_options(struct exchange *x, const char *allow)
{
	return answer_header(answer_empty(&x->rq, 204), "allow", allow);
}

/* No row takes this method on this path: OPTIONS, the page, 405 or 404. */
static struct answer *answer_unrouted(struct exchange *x, const char *allow)
{
	bool get = strcmp(x->rq.method, "GET") == 0;
	struct answer *page = allow == NULL ? static_files_answer(x->server->files, &x->rq) : NULL;

	if (page != NULL) {
		x->route = x->rq.route = &static_route;
		allow = "GET, HEAD, OPTIONS";
		if (get)
			return page;
	}
	if (allow == NULL)
		return answer_problem(&x->rq, 404, "no_such_path", "there is nothing at %s",
		                      "没有这个地址：%s", x->rq.path);
	if (strcmp(x->rq.method, "OPTIONS") == 0)
		return answer_options(x, allow);
	struct answer *answer = answer_problem(
	    &x->rq, 405, "method_not_allowed", "%s is not possible here; possible: %s",
	    "此地址不支持 %s；可用方法：%s", x->rq.method, allow);

	return answer_header(answer, "allow", allow);
}

static struct answer *find_route(struct exchange *x)
{
	const struct server_config *config = &x->server->config;
	struct route_match match;

	route_find(builtin_routes, builtin_route_count, x->rq.method, x->rq.path, x->rq.arena,
	           &match);
	if (match.route == NULL && match.allow == NULL)
		route_find(config->routes, config->route_count, x->rq.method, x->rq.path,
		           x->rq.arena, &match);
	if (match.route == NULL)
		return answer_unrouted(x, match.allow);
	x->route = x->rq.route = match.route;
	memcpy(x->rq.params, match.params, sizeof match.params);
	return NULL;
}

static struct answer *unauthorized(struct exchange *x, const char *code, const char *challenge,
                                   const char *en, const char *zh)
{
	struct text detail = {en, zh};

	return answer_header(answer_problems(&x->rq, 401, code, detail, NULL), "www-authenticate",
	                     challenge);
}

static struct answer *check_rate(struct exchange *x)
{
	const char *caller = x->rq.caller.key_id;
	char network[24];
	char seconds[16];

	if (x->server->rate == NULL || builtin_is(x->route))
		return NULL;
	/* By network, not by address: an IPv6 customer has 2^64 of those. */
	snprintf(network, sizeof network, "%016llx",
	         (unsigned long long)x->connection->address.bits);
	x->rate = rate_limit_take(x->server->rate, caller != NULL ? caller : network, x->began_us);
	if (x->rate.allowed)
		return NULL;
	snprintf(seconds, sizeof seconds, "%d", x->rate.retry_s);
	struct answer *answer =
	    answer_problem(&x->rq, 429, "too_many_requests", "too many requests; try again in %d s",
	                   "请求过于频繁；请在 %d 秒后重试", x->rate.retry_s);

	return answer_header(answer, "retry-after", seconds);
}

/* Who calls; false when the key or session is no good. */
static bool identify(struct exchange *x)
{
	server_authenticate authenticate = x->server->config.authenticate;
	bool known = authenticate == NULL || authenticate(&x->rq, &x->rq.caller);

	if (!known)
		x->rq.caller = (struct principal){0};
	return known;
}

static struct answer *check_role(struct exchange *x, bool known)
{
	const struct route *route = x->route;
	bool open = (route->flags & ROUTE_PUBLIC) != 0;

	if (!known)
		return unauthorized(x, "invalid_key",
		                    "Bearer realm=\"suanjia\", error=\"invalid_token\"",
		                    "the key or session is not valid", "密钥或会话无效");
	if (x->rq.caller.role == 0 && !open)
		return unauthorized(x, "key_missing", "Bearer realm=\"suanjia\"",
		                    "a key is needed: Authorization: Bearer sk_…",
		                    "需要密钥：Authorization: Bearer sk_…");
	if (x->rq.caller.role != 0 && (x->rq.caller.role & route->roles) == 0 &&
	    !(open && route->roles == 0))
		return answer_problem(&x->rq, 403, "role_not_allowed", "this key may not do that",
		                      "该密钥无权执行此操作");
	return NULL;
}

/* Who calls, how often, and whether they may. A wrong key costs its address a request. */
static struct answer *check_caller(struct exchange *x)
{
	bool known = identify(x);
	struct answer *refusal = check_rate(x);

	return refusal != NULL ? refusal : check_role(x, known);
}

/*
 * A body that comes slowly, or a long queue, would let a key act long after it was revoked. What is
 * sent at once is not asked twice: it could have come just before the revocation.
 */
static struct answer *check_caller_again(struct exchange *x)
{
	if (clock_monotonic_us() - x->began_us < ASK_AGAIN_US)
		return NULL;
	x->rq.now_us = clock_now_us();
	return check_role(x, identify(x));
}

static struct answer *too_large(struct exchange *x)
{
	return answer_problem(&x->rq, 413, "body_too_large",
	                      "the body may have at most %zu bytes here", "此处请求体最多 %zu 字节",
	                      x->route->body_limit);
}

static struct answer *check_body(struct exchange *x, long long length)
{
	const struct route *route = x->route;

	if (!x->has_body)
		return NULL;
	if (route->body_limit == 0 || (length > 0 && (size_t)length > route->body_limit))
		return too_large(x);
	if ((route->flags & ROUTE_ANY_BODY) == 0 && !request_is(&x->rq, "application/json"))
		return answer_header(answer_problem(&x->rq, 415, "unsupported_media_type",
		                                    "the body must be application/json",
		                                    "请求体必须是 application/json"),
		                     "accept", "application/json");
	return NULL;
}

static struct answer *refuse_busy(struct exchange *x)
{
	return answer_header(answer_problem(&x->rq, 503, "busy",
	                                    "too many requests like this one wait already",
	                                    "此类请求排队已满，请稍后再试"),
	                     "retry-after", "5");
}

/* Before a body is sent, rather than after it. */
static struct answer *check_queue(struct exchange *x)
{
	int kind = job_kind_of(x->route);

	return kind >= 0 && jobs_full(x->server->jobs, (enum job_kind)kind) ? refuse_busy(x) : NULL;
}

static struct answer *admit(struct exchange *x, struct guard_verdict verdict, long long length)
{
	struct answer *refusal;

	if (verdict.status != 0)
		return refuse_framing(x, verdict);
	if (x->fault != TARGET_OK)
		return refuse_target(x);
	if (x->connection->refuse_status != 0)
		return refuse_connection(x);
	refusal = find_route(x);
	if (refusal == NULL)
		refusal = check_caller(x);
	if (refusal == NULL)
		refusal = check_body(x, length);
	if (refusal == NULL)
		refusal = check_queue(x);
	return refusal;
}

/*
 * A NUL in the request line cuts the target short in libmicrohttpd. The version stands behind the
 * target in the same buffer, so a gap between them shows what was cut.
 */
static bool target_was_cut(const struct exchange *x, const char *version)
{
	uintptr_t end = (uintptr_t)x->raw + x->raw_length;

	return (uintptr_t)version != end + 1;
}

void exchange_headers(struct exchange *x, const char *method, const char *version,
                      const struct guard_header *headers, size_t count)
{
	struct guard_verdict verdict = guard_request(method, version, headers, count);

	x->headers_seen = true;
	x->head_only = strcmp(method, "HEAD") == 0;
	x->rq.method = x->head_only ? "GET" : arena_strdup(x->rq.arena, method);
	if (target_was_cut(x, version))
		x->fault = TARGET_MALFORMED;
	copy_headers(&x->rq, headers, verdict.status == 0 ? count : 0);
	x->rq.id = request_id(&x->rq);
	x->rq.lang = language(&x->rq);
	x->has_body = verdict.status != 0 || guard_has_body(headers, count);
	long long length = verdict.status != 0 ? -1 : guard_content_length(headers, count);

	x->answer = admit(x, verdict, length);
	if (x->answer != NULL && x->has_body)
		x->close = true;
	else if (length > 0)
		buf_reserve(&x->body, (size_t)length + 1);
}

bool exchange_body(struct exchange *x, const char *bytes, size_t size)
{
	size_t limit = x->route == NULL ? 0 : x->route->body_limit;

	x->connection->body_bytes += size;
	if (x->answer == NULL && x->body.size + size > limit) {
		x->answer = too_large(x);
		x->close = true;
		buf_finish(&x->body);
	}
	if (x->answer == NULL)
		buf_put(&x->body, bytes, size);
	return x->connection->body_bytes <= limit + OVERRUN_BYTES;
}

/* Whether the handler answered on the worker. */
static bool answer_at_once(struct exchange *x)
{
	if ((x->route->flags & ROUTE_AT_ONCE) == 0)
		return false;
	x->answer = check_caller_again(x);
	x->rq.at_once = true;
	if (x->answer == NULL)
		x->answer = x->route->handler(&x->rq);
	x->rq.at_once = false;
	return x->answer != NULL;
}

bool exchange_end(struct exchange *x)
{
	if (x->answer != NULL)
		return true;
	int kind = job_kind_of(x->route);

	x->rq.body = buf_text(&x->body);
	x->rq.body_size = x->body.size;
	if (kind < 0)
		exchange_run(x);
	else if (answer_at_once(x))
		return true;
	else if (jobs_add(x->server->jobs, (enum job_kind)kind, x))
		return false;
	else
		x->answer = refuse_busy(x);
	return true;
}

void exchange_run(struct exchange *x)
{
	x->answer = check_caller_again(x);
	if (x->answer == NULL)
		x->answer = x->route->handler(&x->rq);
	if (x->answer != NULL)
		return;
	log_line(LOG_ERROR, "request %s: no answer from %s", x->rq.id, x->route->pattern);
	x->answer = answer_problem(&x->rq, 500, "internal_error", "an error inside the server",
	                           "服务器内部错误");
}

struct outcome {
	const struct exchange *exchange;
	int64_t duration_us;
	bool completed;
};

static void write_outcome(struct json_write *out, const void *context)
{
	const struct outcome *outcome = context;
	const struct exchange *x = outcome->exchange;
	size_t size = 0;

	if (x->answer != NULL)
		answer_body(x->answer, &size);
	out_string(out, "request_id", x->rq.id);
	out_string(out, "method", x->head_only ? "HEAD" : x->rq.method);
	out_string(out, "route", x->route == NULL ? NULL : x->route->pattern);
	out_integer(out, "status", x->answer == NULL ? 0 : answer_status(x->answer));
	out_integer(out, "bytes", x->head_only ? 0 : (int64_t)size);
	out_number(out, "duration_s", (double)outcome->duration_us / 1e6, 6);
	out_string(out, "key", x->rq.caller.key_id);
	out_string(out, "peer", x->rq.peer);
	if (!outcome->completed)
		out_boolean(out, "aborted", true);
}

void exchange_finish(struct exchange *x, bool completed)
{
	struct metrics *metrics = x->server->metrics;
	struct outcome outcome = {x, clock_monotonic_us() - x->began_us, completed};

	if (x->answer != NULL && x->sent)
		metrics_request(metrics, x->route, answer_status(x->answer), outcome.duration_us);
	else if (!x->headers_seen)
		metrics_count(metrics, METRICS_REQUEST_MALFORMED);
	if (!completed)
		metrics_count(metrics, METRICS_REQUEST_ABORTED);
	metrics_in_flight(metrics, -1);
	log_event(builtin_is(x->route) ? LOG_DEBUG : LOG_INFO, "request", write_outcome, &outcome);
	buf_finish(&x->body);
	arena_destroy(x->rq.arena);
	free(x);
}
