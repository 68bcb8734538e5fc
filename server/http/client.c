/* client.c - see client.h. */
#include "http/client.h"

#include <gnutls/gnutls.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

#define TIMEOUT_S 60

static int connect_to(const char *host, int port)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char service[8];
	int fd = -1;

	snprintf(service, sizeof service, "%u", (unsigned)port % 65536);
	if (getaddrinfo(host, service, &hints, &found) != 0)
		return -1;
	for (struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
		struct timeval wait = {.tv_sec = TIMEOUT_S};

		fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
		if (connect(fd, at->ai_addr, at->ai_addrlen) == 0)
			continue;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}

static void write_request(const struct client_request *request, struct buf *text)
{
	size_t size = request->body == NULL ? 0 : strlen(request->body);

	buf_printf(text, "%s %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n", request->method,
	           request->path, request->host, request->port);
	if (request->key != NULL)
		buf_printf(text, "Authorization: Bearer %s\r\n", request->key);
	if (request->lang != NULL)
		buf_printf(text, "Accept-Language: %s\r\n", request->lang);
	if (request->body != NULL)
		buf_printf(text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", size);
	buf_puts(text, "\r\n");
	if (request->body != NULL)
		buf_put(text, request->body, size);
}

static bool send_all(gnutls_session_t session, const struct buf *text)
{
	for (size_t sent = 0; sent < text->size;) {
		ssize_t count = gnutls_record_send(session, text->bytes + sent, text->size - sent);

		if (count == GNUTLS_E_INTERRUPTED || count == GNUTLS_E_AGAIN)
			continue;
		if (count <= 0)
			return false;
		sent += (size_t)count;
	}
	return true;
}

static bool receive_all(gnutls_session_t session, struct buf *text)
{
	char piece[16384];

	for (;;) {
		ssize_t count = gnutls_record_recv(session, piece, sizeof piece);

		if (count == GNUTLS_E_INTERRUPTED || count == GNUTLS_E_AGAIN)
			continue;
		if (count <= 0)
			return count == 0 || count == GNUTLS_E_PREMATURE_TERMINATION;
		buf_put(text, piece, (size_t)count);
	}
}

/* "HTTP/1.1 200 OK" ... blank line, body. */
static bool split_answer(const struct buf *text, int *status, struct buf *body)
{
	const char *end = text->size == 0 ? NULL : strstr(text->bytes, "\r\n\r\n");

	if (end == NULL || strncmp(text->bytes, "HTTP/1.1 ", 9) != 0)
		return false;
	*status = (int)strtol(text->bytes + 9, NULL, 10);
	size_t head = (size_t)(end - text->bytes) + 4;

	buf_put(body, text->bytes + head, text->size - head);
	return true;
}

static bool exchange(gnutls_session_t session, const struct client_request *request, int *status,
                     struct buf *body)
{
	struct buf sent = {0};
	struct buf received = {0};

	write_request(request, &sent);
	bool done = send_all(session, &sent) && receive_all(session, &received) &&
	            split_answer(&received, status, body);

	buf_finish(&sent);
	buf_finish(&received);
	return done;
}

static int start_tls(gnutls_session_t session, gnutls_certificate_credentials_t trusted, int fd,
                     const char *host)
{
	int result = gnutls_set_default_priority(session);

	if (result == 0)
		result = gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, trusted);
	if (result != 0)
		return result;
	gnutls_session_set_verify_cert(session, host, 0);
	gnutls_transport_set_int(session, fd);
	do
		result = gnutls_handshake(session);
	while (result < 0 && gnutls_error_is_fatal(result) == 0);
	return result;
}

bool client_send(const struct client_request *request, int *status, struct buf *body)
{
	gnutls_certificate_credentials_t trusted = NULL;
	gnutls_session_t session = NULL;
	int fd = connect_to(request->host, request->port);
	bool done = false;
	int result = gnutls_certificate_allocate_credentials(&trusted);

	if (fd < 0) {
		log_line(LOG_ERROR, "cannot connect to %s:%d", request->host, request->port);
		goto out;
	}
	if (result == 0)
		result = gnutls_certificate_set_x509_trust_file(trusted, request->ca_path,
		                                                GNUTLS_X509_FMT_PEM);
	if (result >= 0)
		result = gnutls_init(&session, GNUTLS_CLIENT);
	if (result == 0)
		result = start_tls(session, trusted, fd, request->host);
	if (result != 0) {
		log_line(LOG_ERROR, "TLS with %s:%d: %s", request->host, request->port,
		         gnutls_strerror(result));
		goto out;
	}
	done = exchange(session, request, status, body);
	gnutls_bye(session, GNUTLS_SHUT_WR);
out:
	if (session != NULL)
		gnutls_deinit(session);
	gnutls_certificate_free_credentials(trusted);
	if (fd >= 0)
		close(fd);
	return done;
}
