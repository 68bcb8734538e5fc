/*
 * service.h - the running service: store, catalogue, HTTPS, signals. What `serve` and `demo` share.
 */
#ifndef API_SERVICE_H
#define API_SERVICE_H

#include "api/app.h"
#include "api/config.h"

struct server;

struct service {
	struct config config;
	struct app app;
	struct arena *arena; /* what lives as long as the service */
	struct server *server;
	const char *certificate_path;
	const char *key_path;
};

/*
 * Makes what is missing in the data folder (folder, certificate, database), migrates, loads the
 * catalogue. False with problems; then service_close() must still be called.
 */
bool service_open(struct service *service, const struct config *config, struct problems *problems);

/* Starts listening, on the socket that systemd hands over if there is one. */
bool service_listen(struct service *service, struct problems *problems);

/*
 * Waits for signals: SIGHUP reads the certificate again, SIGTERM and SIGINT drain and return. Tells
 * systemd that it is ready, alive and stopping.
 */
void service_run(struct service *service);

/* Stops listening, closes the store, frees. */
void service_close(struct service *service);

/* Blocks the signals that service_run() waits for; before any thread is made. */
void service_block_signals(void);

/* "DATA/suanjia.db" in ARENA. */
const char *service_database_path(const char *data, struct arena *arena);

#endif
