/*
 * command_keep.c - `suanjia backup`, `restore` and `verify`: keeping what suppliers entrusted.
 */
#include "api/command.h"

#include <stdio.h>
#include <string.h>

#include "api/service.h"
#include "base/arena.h"
#include "store/store.h"

/* --data DIR, or SUANJIA's default; what is left of ARGV is one FILE where WANTED. */
static bool read_arguments(int argc, char **argv, bool wants_file, const char **data,
                           const char **file)
{
	*data = "suanjia-data";
	*file = NULL;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--data") == 0 && i + 1 < argc)
			*data = argv[++i];
		else if (*file == NULL && wants_file && argv[i][0] != '-')
			*file = argv[i];
		else
			return false;
	return !wants_file || *file != NULL;
}

static int finish(struct store *store, struct arena *arena, const struct problems *problems,
                  bool done)
{
	service_print_problems(problems);
	store_close(store);
	arena_destroy(arena);
	return done && problems->errors == 0 ? 0 : 1;
}

int command_backup(int argc, char **argv)
{
	const char *data, *file;

	if (!read_arguments(argc, argv, true, &data, &file)) {
		fputs("usage: suanjia backup [--data DIR] FILE\n"
		      "copies the database to the new FILE; the service may be running\n",
		      stderr);
		return 2;
	}
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	struct store *store = store_open(service_database_path(data, arena), STORE_READ, &problems);
	enum store_result result = store == NULL ? STORE_FAILED : store_backup(store, file);

	if (store != NULL && result != STORE_OK)
		fprintf(stderr, "suanjia backup: %s\n", store_result_names[result]);
	return finish(store, arena, &problems, result == STORE_OK);
}

int command_restore(int argc, char **argv)
{
	const char *data, *file;

	if (!read_arguments(argc, argv, true, &data, &file)) {
		fputs("usage: suanjia restore [--data DIR] FILE\n"
		      "puts the backup FILE in the place of the database; the service must be "
		      "stopped\n",
		      stderr);
		return 2;
	}
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	bool done = store_restore(file, service_database_path(data, arena), &problems);

	return finish(NULL, arena, &problems, done);
}

int command_verify(int argc, char **argv)
{
	const char *data, *file;

	if (!read_arguments(argc, argv, false, &data, &file)) {
		fputs("usage: suanjia verify [--data DIR]\n"
		      "checks the database, the hashes of the sheets and the chain of the audit "
		      "log\n",
		      stderr);
		return 2;
	}
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	struct store *store = store_open(service_database_path(data, arena), STORE_READ, &problems);
	bool read = store != NULL && store_verify(store, &problems) == STORE_OK;

	if (read && problems.errors == 0)
		puts("suanjia verify: ok");
	return finish(store, arena, &problems, read);
}
