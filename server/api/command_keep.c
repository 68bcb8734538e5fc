/*
 * command_keep.c - `suanjia backup`, `restore` and `verify`: keeping what suppliers entrusted.
 */
#include "api/command.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/command_parts.h"
#include "api/service.h"

static const char backup_usage[] =
    "usage: suanjia backup [--data DIR] FILE\n"
    "copies the database to the new FILE; the service may be running\n";

static const char restore_usage[] =
    "usage: suanjia restore [--data DIR] FILE\n"
    "puts the backup FILE in the place of the database; the service must be stopped\n"
    "(DIR is made when missing)\n";

static const char verify_usage[] =
    "usage: suanjia verify [--data DIR]\n"
    "checks the database, the hashes of the sheets and the chain of the audit log\n";

/* --data DIR and, where WANTS_FILE, one FILE; nothing else. */
static bool read_arguments(int argc, char **argv, bool wants_file, const char **data,
                           const char **file)
{
	*data = COMMAND_DATA;
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

int command_backup(int argc, char **argv)
{
	const char *data, *file;
	struct command_work work;

	if (!read_arguments(argc, argv, true, &data, &file))
		return command_usage(backup_usage, command_asks_help(argc, argv));
	command_begin(&work);
	bool opened = command_open(&work, data, STORE_READ);
	enum store_result result = opened ? store_backup(work.store, file) : STORE_FAILED;

	if (opened && result == STORE_CONFLICT)
		fprintf(stderr,
		        "suanjia backup: %s exists; name a new file / 文件已存在，请换一个\n",
		        file);
	else if (opened && result != STORE_OK)
		fprintf(stderr, "suanjia backup: %s\n", store_result_names[result]);
	if (result == STORE_OK)
		printf("suanjia backup: %s\n", file);
	return command_end(&work, result == STORE_OK);
}

int command_restore(int argc, char **argv)
{
	const char *data, *file;
	struct command_work work;

	if (!read_arguments(argc, argv, true, &data, &file))
		return command_usage(restore_usage, command_asks_help(argc, argv));
	command_begin(&work);
	const char *path = service_database_path(data, work.arena);
	/* On a new machine there is no folder yet. What fails is said by the lock. */
	(void)mkdir(data, 0700);
	bool replaces = access(path, F_OK) == 0;
	bool done = store_restore(file, path, &work.problems);

	if (done)
		printf("suanjia restore: %s holds %s now\n", path, file);
	if (done && replaces)
		printf("what was there is kept as %s.replaced\n", path);
	return command_end(&work, done);
}

int command_verify(int argc, char **argv)
{
	const char *data, *file;
	struct command_work work;

	if (!read_arguments(argc, argv, false, &data, &file))
		return command_usage(verify_usage, command_asks_help(argc, argv));
	command_begin(&work);
	bool read = command_open(&work, data, STORE_READ) &&
	            store_verify(work.store, &work.problems) == STORE_OK;

	if (read && work.problems.errors == 0)
		puts("suanjia verify: ok");
	return command_end(&work, read);
}
