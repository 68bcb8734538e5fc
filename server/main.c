/*
 * main.c - the program `suanjia`: picks the subcommand.
 *
 * What each does stands in api/command_<name>.c.
 */
#include <stdio.h>
#include <string.h>

#include "api/command.h"
#include "api/version.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"serve", command_serve, "the HTTPS service"},
    {"demo", command_demo, "the service with a sample catalogue, showing itself"},
    {"import", command_import, "read a price sheet: show what was understood, or store it"},
    {"routes", command_routes, "the table of routes, as JSON"},
    {"key", command_key, "create, list and revoke API keys"},
    {"backup", command_backup, "copy the database to a file, also while it is in use"},
    {"restore", command_restore, "put a backup in the place of the database"},
    {"verify", command_verify, "check the database, the sheets' hashes and the audit log"},
    {"plan", command_plan, "plan a spec over a catalogue, without a server"},
    {"size", command_size, "size workloads: requests of POST /size as JSON lines on stdin"},
};

static void print_help(FILE *out)
{
	fputs("suanjia 算价 - sizes, prices and ranks GPU compute in Shenzhen, Dongguan and "
	      "Huizhou\n\n"
	      "usage: suanjia COMMAND [OPTION...]\n\n",
	      out);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	fputs("\nsuanjia COMMAND --help tells a command's options.\n", out);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("suanjia %s\n", suanjia_version);
		return 0;
	}
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "suanjia: there is no command \"%s\"; see suanjia --help\n", argv[1]);
	return 2;
}
