/* command_parts.c - see command_parts.h. */
#include "api/command_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/service.h"
#include "base/arena.h"

int command_usage(const char *usage, bool asked)
{
	fputs(usage, asked ? stdout : stderr);
	return asked ? 0 : 2;
}

bool command_asks_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

bool command_read_file(const char *path, struct buf *bytes)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	char piece[65536];
	size_t size;

	if (file == NULL) {
		perror(path);
		return false;
	}
	while ((size = fread(piece, 1, sizeof piece, file)) > 0)
		buf_put(bytes, piece, size);
	bool whole = !ferror(file);

	if (!whole)
		perror(path);
	if (file != stdin)
		fclose(file);
	return whole;
}

int command_each_line(bool (*answer)(const void *context, const char *line, size_t length,
                                     struct buf *out),
                      const void *context)
{
	struct buf out = {0};
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	bool good = true;

	while ((length = getline(&line, &capacity, stdin)) > 0) {
		good &= answer(context, line, (size_t)length, &out);
		fwrite(out.bytes, 1, out.size, stdout);
		fflush(stdout);
		buf_clear(&out);
	}
	free(line);
	buf_finish(&out);
	return good && !ferror(stdout) ? 0 : 1;
}

/* ---- work on the database of a data folder ---- */

void command_print_problems(const struct problems *problems)
{
	for (size_t i = 0; i < problems->count; i++) {
		const struct problem *problem = &problems->items[i];
		const char *where =
		    problem->place.pointer != NULL ? problem->place.pointer : problem->place.sheet;

		fprintf(stderr, "suanjia: %s%s%s / %s\n", where == NULL ? "" : where,
		        where == NULL ? "" : ": ", problem->message.en, problem->message.zh);
	}
}

void command_begin(struct command_work *work)
{
	*work = (struct command_work){.arena = arena_create()};
	problems_init(&work->problems, work->arena);
}

bool command_open(struct command_work *work, const char *data, enum store_mode mode)
{
	work->store = store_open(service_database_path(data, work->arena), mode, &work->problems);
	return work->store != NULL;
}

int command_end(struct command_work *work, bool done)
{
	bool good = done && work->problems.errors == 0;

	command_print_problems(&work->problems);
	store_close(work->store);
	arena_destroy(work->arena);
	*work = (struct command_work){0};
	return good ? 0 : 1;
}

/* ---- serving ---- */

static bool start(struct service *service, const struct command_service *command,
                  struct config *config, struct problems *problems)
{
	command->configure(config);
	service_block_signals();
	return service_open(service, config, problems) &&
	       (command->prepare == NULL ||
	        command->prepare(service, command->context, problems)) &&
	       service_listen(service, problems);
}

int command_service(int argc, char **argv, const struct command_service *command)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct config config;
	struct service service = {0};
	bool help;

	problems_init(&problems, arena);
	bool configured = config_read(argc, argv, &problems, &config, &help);

	if (help) {
		config_print_help(command->name);
		arena_destroy(arena);
		return 0;
	}
	bool serving = configured && start(&service, command, &config, &problems);

	command_print_problems(&problems);
	if (serving) {
		command->announce(&service, command->context);
		service_run(&service);
	}
	service_close(&service);
	arena_destroy(arena);
	return serving ? 0 : configured ? 1 : 2;
}
