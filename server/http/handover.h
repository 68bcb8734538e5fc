/*
 * handover.h - between libmicrohttpd and the exchange: its callbacks, and sending an answer.
 */
#ifndef HTTP_HANDOVER_H
#define HTTP_HANDOVER_H

#include <microhttpd.h>

struct server;

/*
 * A daemon without a listening socket and without threads of its own, for at most LIMIT connections
 * of SERVER. A connection's socket context is its struct connection, set by NOTIFY with CLS. NULL
 * on failure.
 */
struct MHD_Daemon *handover_start(struct server *server, int limit,
                                  MHD_NotifyConnectionCallback notify, void *cls);

#endif
