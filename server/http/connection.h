/*
 * connection.h - a client's connection as the server keeps it, and when it has been too slow.
 */
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "http/limit.h"
#include "http/metrics.h"

struct MHD_Connection;
struct worker;

/* What the client owes or is owed. */
enum connection_phase {
	CONNECTION_HEADER, /* it connected, or began a request: the headers are due */
	CONNECTION_BODY,   /* the headers were complete: the body is due */
	CONNECTION_WORK,   /* its answer is being made: it is owed, and owes nothing */
	CONNECTION_ANSWER, /* an answer is being sent: it must read */
	CONNECTION_IDLE,   /* between two requests */
};

struct connection {
	struct connection *next; /* of its worker's list */
	struct connection *previous;
	struct connection *next_resumed; /* of those whose answer was made elsewhere */
	struct worker *worker;
	struct MHD_Connection *handle; /* libmicrohttpd's own */
	uint64_t *moved_bytes;         /* of its worker: grows whenever a connection gets on */
	int fd;
	int linger_fd;     /* a duplicate to be read empty after closing, or -1 */
	int refuse_status; /* 503 or 429 when it was over a limit, else 0 */
	enum connection_phase phase;
	bool had_request;    /* its first request line has come, so the handshake is over */
	bool acked_known;    /* CONNECTION_ANSWER: the mark is a count of acknowledged bytes */
	int64_t since_us;    /* when the phase (or the window that is measured) began, monotonic */
	uint64_t body_bytes; /* received in CONNECTION_BODY */
	uint64_t mark_bytes; /* what had moved at since_us */
	struct limit_address address;
	struct sockaddr_storage peer_address;
	socklen_t peer_length;
	char peer[INET6_ADDRSTRLEN];
};

struct deadlines {
	int64_t header_us;   /* for the headers; also the window in which rates are measured */
	int64_t idle_us;     /* between two requests */
	int64_t bytes_per_s; /* least rate of bodies and of reading */
};

/*
 * Whether CONNECTION is late at NOW_US. MOVED_BYTES is what has come (BODY) or was acknowledged
 * (ANSWER) in the window since since_us. With 5 s and 1024 B/s a window of 6 s in which 6,000 bytes
 * of body came is late, one with 6,200 is not.
 */
bool connection_is_late(const struct connection *connection, const struct deadlines *deadlines,
                        uint64_t moved_bytes, int64_t now_us);

/* The counter for one reaped in PHASE. */
enum metrics_event connection_reaped_event(enum connection_phase phase);

/* Begins PHASE at NOW_US. */
void connection_enter(struct connection *connection, enum connection_phase phase, int64_t now_us);

/* Bytes that the client has acknowledged since it connected (TCP_INFO); 0 when unknown. */
uint64_t connection_acked_bytes(const struct connection *connection);

/* Whether bytes lie in the kernel that nobody has read yet. */
bool connection_has_input(const struct connection *connection);

#endif
