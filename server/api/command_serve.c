/* command_serve.c - `suanjia serve`: the service, until SIGTERM or Ctrl-C. */
#include "api/command.h"

#include <string.h>

#include "api/command_parts.h"
#include "api/service.h"
#include "base/log.h"
#include "http/server.h"

static enum log_level level_named(const char *name)
{
	return strcmp(name, "debug") == 0   ? LOG_DEBUG
	       : strcmp(name, "warn") == 0  ? LOG_WARN
	       : strcmp(name, "error") == 0 ? LOG_ERROR
	                                    : LOG_INFO;
}

static void configure(struct config *config)
{
	bool text = strcmp(config->log_format, "text") == 0;

	log_setup(level_named(config->log_level), text ? LOG_FORMAT_TEXT : LOG_FORMAT_JSON);
}

static void announce(const struct service *service, const void *context)
{
	(void)context;
	log_line(LOG_INFO, "listening on https://%s:%d", service->config.host,
	         server_port(service->server));
}

int command_serve(int argc, char **argv)
{
	static const struct command_service serve = {
	    .name = "serve", .configure = configure, .announce = announce};

	return command_service(argc, argv, &serve);
}
