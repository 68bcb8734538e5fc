/* connection.c - see connection.h. */
#include "http/connection.h"

#include <linux/tcp.h>
#include <stddef.h>

bool connection_is_late(const struct connection *connection, const struct deadlines *deadlines,
                        uint64_t moved_bytes, int64_t now_us)
{
	int64_t elapsed_us = now_us - connection->since_us;

	switch (connection->phase) {
	case CONNECTION_HEADER:
		return elapsed_us > deadlines->header_us;
	case CONNECTION_IDLE:
		return elapsed_us > deadlines->idle_us;
	case CONNECTION_WORK:
		return false;
	case CONNECTION_BODY:
	case CONNECTION_ANSWER:
		return elapsed_us > deadlines->header_us &&
		       (double)moved_bytes <
		           (double)deadlines->bytes_per_s * (double)elapsed_us / 1e6;
	}
	return false;
}

enum metrics_event connection_reaped_event(enum connection_phase phase)
{
	switch (phase) {
	case CONNECTION_HEADER:
		return METRICS_REAPED_HEADER;
	case CONNECTION_BODY:
		return METRICS_REAPED_BODY;
	case CONNECTION_ANSWER:
		return METRICS_REAPED_ANSWER;
	case CONNECTION_IDLE:
	case CONNECTION_WORK: /* never */
		return METRICS_REAPED_IDLE;
	}
	return METRICS_REAPED_IDLE;
}

void connection_enter(struct connection *connection, enum connection_phase phase, int64_t now_us)
{
	connection->phase = phase;
	connection->since_us = now_us;
	connection->body_bytes = 0;
	connection->mark_bytes = 0;
	connection->acked_known = false;
}

uint64_t connection_acked_bytes(const struct connection *connection)
{
	struct tcp_info info = {0};
	socklen_t length = sizeof info;

	if (getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
	    length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked)
		return 0;
	return info.tcpi_bytes_acked;
}

bool connection_has_input(const struct connection *connection)
{
	char byte;

	return recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}
