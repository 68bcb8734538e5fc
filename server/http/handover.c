/*
 * handover.c - see handover.h.
 *
 * What libmicrohttpd 0.9.75 does and this file relies on: an answer queued in the first call of the
 * access handler closes the connection, so only refusals of requests with a body are queued there;
 * its methods, URLs and arguments are not used, only the raw target, which exchange.c reads itself.
 *
 * A connection whose answer is made elsewhere is suspended in the access handler and resumed by its
 * worker between two calls of MHD_run(), so suspending, resuming and the event loop never meet: all
 * three happen on one thread. Suspended, it is in neither of libmicrohttpd's lists of connections
 * nor in its epoll set; resumed, it counts as ready and the access handler is called again as for
 * the end of the request (transport.h keeps it from reading before). Stopping a daemon that has a
 * suspended connection aborts, so worker.c resumes all of them first.
 */
#include "http/handover.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "http/answer_parts.h"
#include "http/exchange.h"
#include "http/server_parts.h"

/* The pool holds request line and headers: longer ones get 431 (414 for the line). */
#define CONNECTION_MEMORY_BYTES ((size_t)32 * 1024)

/* Descriptors come out of the few that are not for connections. */
#define LINGERING_MAX 128

#define CONTENT_SECURITY_POLICY                                                                    \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "          \
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "              \
	"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "         \
	"trusted-types 'none'"

static const struct request_pair common_headers[] = {
    {"Content-Security-Policy", CONTENT_SECURITY_POLICY},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
    {"Strict-Transport-Security", "max-age=63072000"},
};

static void add_rate_headers(struct MHD_Response *response, const struct rate_left *rate)
{
	char text[64];

	if (rate->quota == 0)
		return;
	snprintf(text, sizeof text, "\"default\";q=%d;w=%d", rate->quota, RATE_WINDOW_S);
	MHD_add_response_header(response, "RateLimit-Policy", text);
	snprintf(text, sizeof text, "\"default\";r=%d;t=%d", rate->remaining, rate->reset_s);
	MHD_add_response_header(response, "RateLimit", text);
}

static void add_headers(struct MHD_Response *response, const struct exchange *x)
{
	const struct answer *answer = x->answer;
	bool cacheable = x->route != NULL && (x->route->flags & ROUTE_CACHEABLE) != 0;

	for (size_t i = 0; i < sizeof common_headers / sizeof *common_headers; i++) {
		/* An answer may tighten or loosen one for itself, a printable quote for example. */
		if (answer_get_header(answer, common_headers[i].name) == NULL)
			MHD_add_response_header(response, common_headers[i].name,
			                        common_headers[i].value);
	}
	if (answer->type != NULL && answer->status != 304)
		MHD_add_response_header(response, "Content-Type", answer->type);
	if (answer_get_header(answer, "cache-control") == NULL &&
	    (!cacheable || answer->status >= 400))
		MHD_add_response_header(response, "Cache-Control", "private, no-store");
	for (size_t i = 0; i < answer->header_count; i++)
		MHD_add_response_header(response, answer->headers[i].name,
		                        answer->headers[i].value);
	MHD_add_response_header(response, "Request-Id", x->rq.id);
	add_rate_headers(response, &x->rate);
	if (x->close || x->server->draining)
		MHD_add_response_header(response, "Connection", "close");
}

/*
 * A body that nobody will read makes the kernel reset the connection when it is closed, which can
 * destroy the answer on its way; the worker reads a duplicate of the socket empty instead.
 */
static void keep_for_lingering(struct exchange *x)
{
	if (!x->close || !x->has_body || x->connection->linger_fd >= 0 ||
	    x->server->lingering >= LINGERING_MAX)
		return;
	x->connection->linger_fd = dup(x->connection->fd);
	if (x->connection->linger_fd >= 0)
		x->server->lingering++;
}

static enum MHD_Result send_answer(struct exchange *x, struct MHD_Connection *handle)
{
	const struct answer *answer = x->answer;
	/* The bytes live in the exchange's arena, which outlives the response. */
	struct MHD_Response *response = MHD_create_response_from_buffer(
	    answer->size + answer->unsent_size, (void *)(uintptr_t)answer->body,
	    MHD_RESPMEM_PERSISTENT);

	if (response == NULL)
		return MHD_NO;
	add_headers(response, x);
	keep_for_lingering(x);
	connection_enter(x->connection, CONNECTION_ANSWER, clock_monotonic_us());
	enum MHD_Result result = MHD_queue_response(handle, (unsigned int)answer->status, response);

	MHD_destroy_response(response);
	x->sent = result == MHD_YES;
	return result;
}

struct header_list {
	struct arena *arena;
	struct guard_header *items;
	size_t count;
	size_t capacity;
	const char *expected; /* where the next line begins if all ended with CRLF */
};

/*
 * libmicrohttpd 0.9.75 also takes a bare LF as the end of a line, cuts a value at a NUL, and
 * appends a continuation line to the *name* of its header ("Content-Length:" and " 5" become the
 * name "Content-Length5", elsewhere in memory). It never moves or shortens a plain line in its
 * buffer, so each name must lie exactly two bytes behind the value before it.
 */
static bool lies_elsewhere(const struct header_list *list, const char *name, const char *value)
{
#if MHD_VERSION < 0x01000000
	return (uintptr_t)name != (uintptr_t)list->expected || (uintptr_t)value <= (uintptr_t)name;
#else
	(void)list, (void)name, (void)value; /* its parser refuses all of these itself */
	return false;
#endif
}

static enum MHD_Result collect_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                      size_t name_length, const char *value, size_t value_length)
{
	struct header_list *list = cls;

	(void)kind;
	list->items =
	    arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
	list->items[list->count++] = (struct guard_header){
	    .name = name,
	    .name_length = name_length,
	    .value = value == NULL ? "" : value,
	    .value_length = value_length,
	    .broken_line = value == NULL || lies_elsewhere(list, name, value),
	};
	list->expected = value == NULL ? NULL : value + value_length + 2;
	return MHD_YES;
}

static enum MHD_Result take_headers(struct exchange *x, struct MHD_Connection *handle,
                                    const char *method, const char *version)
{
	struct header_list list = {.arena = x->rq.arena, .expected = version + strlen(version) + 2};

	MHD_get_connection_values_n(handle, MHD_HEADER_KIND, collect_header, &list);
	connection_enter(x->connection, CONNECTION_BODY, clock_monotonic_us());
	exchange_headers(x, method, version, list.items, list.count);
	return x->answer != NULL && x->close ? send_answer(x, handle) : MHD_YES;
}

static enum MHD_Result access_handler(void *cls, struct MHD_Connection *handle, const char *url,
                                      const char *method, const char *version,
                                      const char *upload_data, size_t *upload_data_size,
                                      void **context)
{
	struct exchange *x = *context;

	(void)cls;
	(void)url;
	if (!x->headers_seen)
		return take_headers(x, handle, method, version);
	if (x->sent)
		return MHD_YES;
	if (*upload_data_size > 0) {
		size_t size = *upload_data_size;

		*upload_data_size = 0;
		*x->connection->moved_bytes += size;
		return exchange_body(x, upload_data, size) ? MHD_YES : MHD_NO;
	}
	if (exchange_end(x))
		return send_answer(x, handle);
	/* The answer may be there already, but its connection is resumed only after this call. */
	connection_enter(x->connection, CONNECTION_WORK, clock_monotonic_us());
	MHD_suspend_connection(handle);
	return MHD_YES;
}

static struct connection *connection_of(struct MHD_Connection *handle)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info->socket_context;
}

/* The first sign of a request: its line, with the target as it came. */
static void *uri_received(void *cls, const char *uri, struct MHD_Connection *handle)
{
	struct connection *connection = connection_of(handle);

	connection->had_request = true;
	(*connection->moved_bytes)++;
	if (connection->phase != CONNECTION_HEADER)
		connection_enter(connection, CONNECTION_HEADER, clock_monotonic_us());
	return exchange_begin(cls, connection, uri);
}

static void request_completed(void *cls, struct MHD_Connection *handle, void **context,
                              enum MHD_RequestTerminationCode code)
{
	struct exchange *x = *context;

	(void)cls;
	if (x == NULL)
		return;
	*context = NULL;
	connection_enter(connection_of(handle), CONNECTION_IDLE, clock_monotonic_us());
	exchange_finish(x, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

/* Targets are decoded in target.c; decoding them twice would be a hole. */
static size_t leave_escaped(void *cls, struct MHD_Connection *handle, char *text)
{
	(void)cls;
	(void)handle;
	return strlen(text);
}

struct MHD_Daemon *handover_start(struct server *server, int limit,
                                  MHD_NotifyConnectionCallback notify, void *cls)
{
	unsigned int flags =
	    MHD_USE_EPOLL | MHD_USE_TLS | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;

	/* clang-format off */
	return MHD_start_daemon(flags, 0, NULL, NULL, access_handler, server,
	    MHD_OPTION_HTTPS_PRIORITIES, TLS_PRIORITIES,
	    MHD_OPTION_HTTPS_CERT_CALLBACK2, tls_retrieve,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned int)limit,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY_BYTES,
	    MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	    MHD_OPTION_URI_LOG_CALLBACK, uri_received, server,
	    MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
	    MHD_OPTION_NOTIFY_COMPLETED, request_completed, server,
	    MHD_OPTION_NOTIFY_CONNECTION, notify, cls,
	    MHD_OPTION_END);
	/* clang-format on */
}
