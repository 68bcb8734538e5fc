/* metrics.c - see metrics.h. */
#include "http/metrics.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "http/route.h"

static const int statuses[] = {200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412,
                               413, 414, 415, 417, 422, 428, 429, 431, 500, 501, 503, 505, 507, 0};
#define STATUSES (sizeof statuses / sizeof *statuses) /* the last one stands for all others */

static const int64_t bounds_us[] = {500,   1000,   2500,   5000,   10000,   25000,
                                    50000, 100000, 250000, 500000, 1000000, 2500000};
#define BOUNDS (sizeof bounds_us / sizeof *bounds_us)

struct row {
	_Atomic uint64_t by_status[STATUSES];
	_Atomic uint64_t by_duration[BOUNDS + 1];
	_Atomic uint64_t duration_us;
};

struct metrics {
	const struct route *const *routes;
	size_t count;
	struct row *rows; /* one per route and one for requests without a route */
	_Atomic uint64_t events[METRICS_EVENTS];
	_Atomic int in_flight;
};

struct metrics *metrics_create(const struct route *const *routes, size_t count)
{
	struct metrics *metrics = alloc_zeroed(1, sizeof *metrics);

	metrics->routes = routes;
	metrics->count = count;
	metrics->rows = alloc_zeroed(count + 1, sizeof *metrics->rows);
	return metrics;
}

static struct row *row_of(struct metrics *metrics, const struct route *route)
{
	size_t i = 0;

	while (i < metrics->count && metrics->routes[i] != route)
		i++;
	return &metrics->rows[i];
}

void metrics_request(struct metrics *metrics, const struct route *route, int status,
                     int64_t duration_us)
{
	struct row *row = row_of(metrics, route);
	size_t s = 0;
	size_t b = 0;

	while (s < STATUSES - 1 && statuses[s] != status)
		s++;
	while (b < BOUNDS && duration_us > bounds_us[b])
		b++;
	row->by_status[s]++;
	row->by_duration[b]++;
	row->duration_us += (uint64_t)duration_us;
}

void metrics_count(struct metrics *metrics, enum metrics_event event)
{
	metrics->events[event]++;
}

void metrics_in_flight(struct metrics *metrics, int change)
{
	metrics->in_flight += change;
}

static void write_head(struct buf *text, const char *name, const char *type, const char *help)
{
	buf_printf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* method="GET",route="/offers/{id}" */
static void write_labels(struct buf *text, const struct metrics *metrics, size_t i)
{
	const struct route *route = i < metrics->count ? metrics->routes[i] : NULL;

	buf_printf(text, "method=\"%s\",route=\"%s\"", route == NULL ? "" : route->method,
	           route == NULL ? "none" : route->pattern);
}

static void write_requests(struct metrics *metrics, struct buf *text)
{
	write_head(text, "http_requests_total", "counter", "Requests answered.");
	for (size_t i = 0; i <= metrics->count; i++) {
		for (size_t s = 0; s < STATUSES; s++) {
			uint64_t value = metrics->rows[i].by_status[s];

			if (value == 0)
				continue;
			buf_puts(text, "http_requests_total{");
			write_labels(text, metrics, i);
			if (statuses[s] == 0)
				buf_puts(text, ",status=\"other\"");
			else
				buf_printf(text, ",status=\"%d\"", statuses[s]);
			buf_printf(text, "} %llu\n", (unsigned long long)value);
		}
	}
}

static void write_bucket(struct buf *text, const struct metrics *metrics, size_t i, size_t b,
                         uint64_t value)
{
	buf_puts(text, "http_request_duration_seconds_bucket{");
	write_labels(text, metrics, i);
	if (b == BOUNDS)
		buf_puts(text, ",le=\"+Inf\"");
	else
		buf_printf(text, ",le=\"%g\"", (double)bounds_us[b] / 1e6);
	buf_printf(text, "} %llu\n", (unsigned long long)value);
}

static void write_durations(struct metrics *metrics, struct buf *text)
{
	write_head(text, "http_request_duration_seconds", "histogram",
	           "From the request line to the last byte handed to the kernel.");
	for (size_t i = 0; i <= metrics->count; i++) {
		uint64_t buckets[BOUNDS + 1];
		uint64_t total = 0;

		for (size_t b = 0; b <= BOUNDS; b++)
			buckets[b] = total += metrics->rows[i].by_duration[b];
		if (total == 0)
			continue;
		for (size_t b = 0; b <= BOUNDS; b++)
			write_bucket(text, metrics, i, b, buckets[b]);
		buf_puts(text, "http_request_duration_seconds_sum{");
		write_labels(text, metrics, i);
		buf_printf(text, "} %.6f\n", (double)metrics->rows[i].duration_us / 1e6);
		buf_puts(text, "http_request_duration_seconds_count{");
		write_labels(text, metrics, i);
		buf_printf(text, "} %llu\n", (unsigned long long)total);
	}
}

static void write_event(struct metrics *metrics, struct buf *text, enum metrics_event event,
                        const char *sample)
{
	buf_printf(text, "%s %llu\n", sample, (unsigned long long)metrics->events[event]);
}

static void write_events(struct metrics *metrics, struct buf *text)
{
	write_head(text, "http_connections_accepted_total", "counter", "Connections taken.");
	write_event(metrics, text, METRICS_CONNECTION_ACCEPTED, "http_connections_accepted_total");
	write_head(text, "http_connections_refused_total", "counter", "Connections over a limit.");
	write_event(metrics, text, METRICS_CONNECTION_REFUSED_TOTAL,
	            "http_connections_refused_total{limit=\"all\"}");
	write_event(metrics, text, METRICS_CONNECTION_REFUSED_ADDRESS,
	            "http_connections_refused_total{limit=\"address\"}");
	write_head(text, "http_connections_reaped_total", "counter",
	           "Connections closed because a deadline passed.");
	write_event(metrics, text, METRICS_REAPED_HEADER,
	            "http_connections_reaped_total{phase=\"header\"}");
	write_event(metrics, text, METRICS_REAPED_BODY,
	            "http_connections_reaped_total{phase=\"body\"}");
	write_event(metrics, text, METRICS_REAPED_ANSWER,
	            "http_connections_reaped_total{phase=\"answer\"}");
	write_event(metrics, text, METRICS_REAPED_IDLE,
	            "http_connections_reaped_total{phase=\"idle\"}");
	write_head(text, "http_requests_malformed_total", "counter",
	           "Requests refused for their framing.");
	write_event(metrics, text, METRICS_REQUEST_MALFORMED, "http_requests_malformed_total");
	write_head(text, "http_requests_aborted_total", "counter",
	           "Requests whose client left before the answer was sent.");
	write_event(metrics, text, METRICS_REQUEST_ABORTED, "http_requests_aborted_total");
}

void metrics_write(struct metrics *metrics, struct buf *text)
{
	write_requests(metrics, text);
	write_durations(metrics, text);
	write_events(metrics, text);
	write_head(text, "http_requests_in_flight", "gauge", "Requests being worked on.");
	buf_printf(text, "http_requests_in_flight %d\n", (int)metrics->in_flight);
}

void metrics_destroy(struct metrics *metrics)
{
	if (metrics == NULL)
		return;
	free(metrics->rows);
	free(metrics);
}
