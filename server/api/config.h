/*
 * config.h - settings of the service: options go before the environment, that before the file.
 *
 * Each setting has one name: "tls-cert" is --tls-cert VALUE, SUANJIA_TLS_CERT=VALUE, and the line
 * "tls-cert = VALUE" of the configuration file. SUANJIA_TLS_KEY_FILE and its like name a file that
 * holds the value (credentials of systemd, secrets of a container).
 */
#ifndef API_CONFIG_H
#define API_CONFIG_H

#include <stdbool.h>

#include "base/problem.h"

struct config {
	const char *listen;   /* "127.0.0.1:8443", "[::1]:8443", ":8443" */
	const char *data;     /* folder of the database and of generated certificates */
	const char *tls_cert; /* NULL = DATA/tls/cert.pem, made when missing */
	const char *tls_key;
	bool compare_public;    /* GET /compare answers callers without a key */
	const char *log_format; /* "json" or "text" */
	const char *log_level;  /* "debug", "info", "warn", "error" */
	double requests_per_s;  /* per key or address; 0 = no limit */
	int workers;            /* 0 = by the number of cores */
	int connections;        /* in all, and from one address */
	int connections_per_address;
	const char *host; /* from LISTEN */
	int port;
};

/*
 * Reads the settings from ARGV (argv[0] is the subcommand), the environment and the file named by
 * --config or SUANJIA_CONFIG (default /etc/suanjia/suanjia.conf, which may be missing).
 *
 *   Returned  config  strings live in the problems' arena or in ARGV
 *   Result    false with every problem found; "help" is set when --help was given
 */
bool config_read(int argc, char **argv, struct problems *problems, struct config *config,
                 bool *help);

/* The list of settings with their defaults and meanings, for --help. */
void config_print_help(const char *command);

#endif
