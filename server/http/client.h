/*
 * client.h - one HTTPS request to a server on this machine: for the demo that shows itself.
 */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include <stdbool.h>

struct buf;

struct client_request {
	const char *host; /* address to connect to; also the name the certificate must carry */
	int port;
	const char *ca_path; /* PEM file of the authority to trust */
	const char *method;
	const char *path;
	const char *key;  /* for Authorization: Bearer; NULL = none */
	const char *lang; /* for Accept-Language; NULL = none */
	const char *body; /* JSON; NULL = none */
};

/*
 * Sends REQUEST over TLS and reads the whole answer (Connection: close).
 *
 *   Returned  status  of HTTP
 *             body    appended
 *   Result    false when no answer came: connection, certificate or TLS; the reason is logged
 */
bool client_send(const struct client_request *request, int *status, struct buf *body);

#endif
