/* command_serve.c - `suanjia serve`: the service, until SIGTERM or Ctrl-C. */
#include "api/command.h"

#include <stdio.h>
#include <string.h>

#include "api/service.h"
#include "base/arena.h"
#include "base/log.h"
#include "http/server.h"

static enum log_level level_named(const char *name)
{
	return strcmp(name, "debug") == 0   ? LOG_DEBUG
	       : strcmp(name, "warn") == 0  ? LOG_WARN
	       : strcmp(name, "error") == 0 ? LOG_ERROR
	                                    : LOG_INFO;
}

int command_serve(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct config config;
	struct service service = {0};
	bool help;

	problems_init(&problems, arena);
	bool configured = config_read(argc, argv, &problems, &config, &help);

	if (help) {
		config_print_help("serve");
		arena_destroy(arena);
		return 0;
	}
	bool serving = configured;

	if (configured) {
		log_setup(level_named(config.log_level), strcmp(config.log_format, "text") == 0
		                                             ? LOG_FORMAT_TEXT
		                                             : LOG_FORMAT_JSON);
		service_block_signals();
		serving = service_open(&service, &config, &problems) &&
		          service_listen(&service, &problems);
	}
	service_print_problems(&problems);
	if (serving) {
		log_line(LOG_INFO, "listening on https://%s:%d", config.host,
		         server_port(service.server));
		service_run(&service);
	}
	service_close(&service);
	arena_destroy(arena);
	return serving ? 0 : configured ? 1 : 2;
}
