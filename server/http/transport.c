/* transport.c - see transport.h. */
#include "http/transport.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "http/connection.h"

/* Sends the acknowledgement that the kernel holds back. */
static void acknowledge(const struct connection *connection)
{
	int on = 1;

	setsockopt(connection->fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

static ssize_t pull(gnutls_transport_ptr_t pointer, void *bytes, size_t size)
{
	struct connection *connection = pointer;

	if (connection->phase == CONNECTION_WORK) {
		errno = EAGAIN;
		return -1;
	}
	ssize_t got = recv(connection->fd, bytes, size, 0);

	if (got > 0) {
		*connection->moved_bytes += (uint64_t)got;
		if (connection->phase == CONNECTION_IDLE)
			connection_enter(connection, CONNECTION_HEADER, clock_monotonic_us());
	} else if (got < 0 && errno == EAGAIN && !connection->had_request) {
		acknowledge(connection);
		errno = EAGAIN;
	}
	return got;
}

static ssize_t push(gnutls_transport_ptr_t pointer, const giovec_t *pieces, int count)
{
	struct connection *connection = pointer;
	struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)pieces,
	                         .msg_iovlen = (size_t)count};
	ssize_t sent = sendmsg(connection->fd, &message, MSG_NOSIGNAL);

	if (sent > 0)
		*connection->moved_bytes += (uint64_t)sent;
	return sent;
}

void transport_attach(struct connection *connection, gnutls_session_t session)
{
	gnutls_transport_set_ptr(session, connection);
	gnutls_transport_set_pull_function(session, pull);
	gnutls_transport_set_vec_push_function(session, push);
}
