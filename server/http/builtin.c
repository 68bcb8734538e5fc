/* builtin.c - see builtin.h. */
#include "http/builtin.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "http/exchange.h"
#include "http/jobs.h"
#include "http/server_parts.h"

#define CERTIFICATE_FLOOR_S (7 * 86400)

/* Built-in handlers run only inside an exchange, whose first member is the request. */
static struct server *server_of(struct request *rq)
{
	return ((struct exchange *)(void *)rq)->server;
}

static struct answer *healthz(struct request *rq)
{
	struct buf body = {0};

	buf_puts(&body, "{\"status\":\"ok\"}");
	return answer_json(rq, 200, &body);
}

/* Appends why the server should get no requests now; nothing when it is ready. */
static void reasons(struct server *server, struct request *rq, struct buf *why)
{
	if (server->draining)
		buf_puts(why, "the server is stopping");
	else if (tls_expiry(server->tls) - rq->now_us / 1000000 < CERTIFICATE_FLOOR_S)
		buf_puts(why, "the certificate expires within 7 days");
	else if (server->config.ready != NULL && !server->config.ready(server->config.app, why) &&
	         why->size == 0)
		buf_puts(why, "the program is not ready");
}

static struct answer *readyz(struct request *rq)
{
	struct buf why = {0};
	struct buf body = {0};

	reasons(server_of(rq), rq, &why);
	if (why.size > 0) {
		const char *text = arena_strdup(rq->arena, buf_text(&why));

		buf_finish(&why);
		return answer_header(
		    answer_problem(rq, 503, "not_ready", "not ready: %s", "尚未就绪：%s", text),
		    "retry-after", "5");
	}
	buf_puts(&body, "{\"status\":\"ready\"}");
	return answer_json(rq, 200, &body);
}

static bool is_loopback(const char *peer)
{
	return strncmp(peer, "127.", 4) == 0 || strcmp(peer, "::1") == 0;
}

static bool may_read_metrics(const struct server *server, const struct request *rq)
{
	if (server->config.metrics_roles != 0)
		return (rq->caller.role & server->config.metrics_roles) != 0;
	return is_loopback(rq->peer);
}

static struct answer *metrics(struct request *rq)
{
	struct server *server = server_of(rq);
	struct buf text = {0};

	if (!may_read_metrics(server, rq))
		return answer_problem(rq, 403, "role_not_allowed", "metrics are not shown to you",
		                      "无权查看指标");
	metrics_write(server->metrics, &text);
	buf_puts(&text, "# HELP http_connections Open connections.\n"
	                "# TYPE http_connections gauge\n");
	buf_printf(&text, "http_connections %d\n", (int)server->connections);
	buf_puts(&text, "# HELP http_jobs_waiting Requests that wait for a thread of their kind.\n"
	                "# TYPE http_jobs_waiting gauge\n");
	for (int kind = 0; kind < JOB_KINDS; kind++)
		buf_printf(&text, "http_jobs_waiting{kind=\"%s\"} %d\n", job_kind_names[kind],
		           jobs_waiting(server->jobs, (enum job_kind)kind));
	buf_puts(&text, "# HELP tls_certificate_not_after_seconds When the certificate expires.\n"
	                "# TYPE tls_certificate_not_after_seconds gauge\n");
	buf_printf(&text, "tls_certificate_not_after_seconds %lld\n",
	           (long long)tls_expiry(server->tls));
	buf_puts(&text, "# HELP process_start_time_seconds When the server started.\n"
	                "# TYPE process_start_time_seconds gauge\n");
	buf_printf(&text, "process_start_time_seconds %lld\n", (long long)server->started_s);
	if (server->config.metrics != NULL)
		server->config.metrics(server->config.app, &text);
	return answer_bytes(rq, 200, "text/plain; version=0.0.4; charset=utf-8", &text);
}

const struct route builtin_routes[] = {
    {"GET", "/healthz", healthz, 0, 0, ROUTE_PUBLIC},
    {"GET", "/readyz", readyz, 0, 0, ROUTE_PUBLIC | ROUTE_STORES},
    {"GET", "/metrics", metrics, 0, 0, ROUTE_PUBLIC},
};
const size_t builtin_route_count = sizeof builtin_routes / sizeof *builtin_routes;

bool builtin_is(const struct route *route)
{
	return route >= builtin_routes && route < builtin_routes + builtin_route_count;
}
