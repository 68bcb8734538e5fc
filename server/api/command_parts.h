/*
 * command_parts.h - what the subcommands share: usage, files, JSON lines, the database, serving.
 */
#ifndef API_COMMAND_PARTS_H
#define API_COMMAND_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/problem.h"
#include "store/store.h"

#define COMMAND_DATA "suanjia-data" /* the folder where --data is not given */

struct config;
struct service;

/* Prints USAGE, to stdout when it was ASKED for; returns the exit status, 0 if so, else 2. */
int command_usage(const char *usage, bool asked);

/* Whether --help or -h stands among the arguments. */
bool command_asks_help(int argc, char **argv);

/* Appends the file PATH ("-" = standard input) to BYTES; false after a line on stderr. */
bool command_read_file(const char *path, struct buf *bytes);

/*
 * Has ANSWER put what each line of standard input is answered by into OUT, and prints it before the
 * next is read. Exit status: 0, or 1 when ANSWER was ever false or the output failed.
 */
int command_each_line(bool (*answer)(const void *context, const char *line, size_t length,
                                     struct buf *out),
                      const void *context);

/* Prints PROBLEMS on standard error, in both languages, a line each. */
void command_print_problems(const struct problems *problems);

/* ---- work on the database of a data folder ---- */

struct command_work {
	struct arena *arena; /* owned, as all of this */
	struct problems problems;
	struct store *store; /* NULL until command_open() */
};

/* Without a database yet; command_end() must follow. */
void command_begin(struct command_work *work);

/* Opens the database in the folder DATA; false with a problem. */
bool command_open(struct command_work *work, const char *data, enum store_mode mode);

/* Prints the problems, frees; the exit status: 0 when it was DONE and nothing went wrong, else 1.
 */
int command_end(struct command_work *work, bool done);

/* ---- serving ---- */

/* A command that serves until it is told to stop. */
struct command_service {
	const char *name;
	/* Sets up the log, and what the command insists on; before anything starts. */
	void (*configure)(struct config *config);
	/* Between opening and listening; NULL = nothing. False with a problem. */
	bool (*prepare)(struct service *service, void *context, struct problems *problems);
	/* Once it listens. */
	void (*announce)(const struct service *service, const void *context);
	void *context;
};

/* Runs COMMAND with the settings in ARGV (config.h); returns the exit status. */
int command_service(int argc, char **argv, const struct command_service *command);

#endif
