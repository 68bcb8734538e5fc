/*
 * transport.h - moves bytes between GnuTLS and the socket of a connection, and sees them move.
 *
 * What a client sends while its answer is being made is left in the kernel: libmicrohttpd reads a
 * resumed connection before it asks for the answer, and would close one whose client has ended its
 * side, though it still waits for the answer.
 *
 * Three things need to be seen. libmicrohttpd 0.9.75 keeps a connection whose handshake waits for
 * the client in its ready list and asks to be called again at once: a worker that obeys burns a
 * core for a round trip per handshake, so it must know when a round moved nothing. A kept-alive
 * client that drips its next request shows itself here first. And Linux delays the acknowledgement
 * of the client's Finished by 40 ms, for which a client with Nagle's algorithm waits.
 */
#ifndef HTTP_TRANSPORT_H
#define HTTP_TRANSPORT_H

#include <gnutls/gnutls.h>

struct connection;

/* Lets SESSION read and write through CONNECTION, which must outlive it. */
void transport_attach(struct connection *connection, gnutls_session_t session);

#endif
