/*
 * command_import.c - `suanjia import`: a price sheet from a file.
 *
 *   suanjia import --dry-run [--today DATE] [--hours 720|730] [--lang zh|en] FILE
 *           prints what would be read: the answer of POST /suppliers/{id}/sheets?dry_run=1
 *
 * Exit status 0 when the sheet would be stored whole, 1 when something in it is an error.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/command.h"
#include "api/sheet_write.h"
#include "base/arena.h"
#include "base/buf.h"
#include "offer/reference.h"

struct options {
	const char *file;
	bool dry_run;
	int hours_per_month;
	struct date today;
	enum lang lang;
};

static int usage(const char *name)
{
	fprintf(
	    stderr,
	    "usage: suanjia %s --dry-run [--today DATE] [--hours 720|730] [--lang zh|en] FILE\n",
	    name);
	return 2;
}

static bool read_option(int option, const char *value, struct options *options)
{
	switch (option) {
	case 'n':
		options->dry_run = true;
		return true;
	case 't':
		return date_parse(value, &options->today);
	case 'h':
		options->hours_per_month = strcmp(value, "730") == 0 ? 730 : 720;
		return strcmp(value, "730") == 0 || strcmp(value, "720") == 0;
	case 'l':
		options->lang = strcmp(value, "en") == 0 ? LANG_EN : LANG_ZH;
		return strcmp(value, "en") == 0 || strcmp(value, "zh") == 0;
	default:
		return false;
	}
}

static bool read_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"dry-run", no_argument, NULL, 'n'},
	                                      {"today", required_argument, NULL, 't'},
	                                      {"hours", required_argument, NULL, 'h'},
	                                      {"lang", required_argument, NULL, 'l'},
	                                      {NULL, 0, NULL, 0}};
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "n", longs, NULL)) != -1)
		if (!read_option(option, optarg, options))
			return false;
	options->file = optind + 1 == argc ? argv[optind] : NULL;
	return options->file != NULL && options->dry_run;
}

/* FILE ("-" = standard input) into BYTES; false with a message. */
static bool read_file(const char *path, struct buf *bytes)
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

static void print(const struct sheet *sheet, enum lang lang)
{
	struct sheet_difference difference = {.added = sheet->offer_count};
	struct buf text = {0};
	struct json_write out = json_write_to(&text);

	out_object(&out, NULL);
	sheet_write_members(&out, sheet, &difference, lang);
	out_end(&out);
	puts(buf_text(&text));
	buf_finish(&text);
}

static bool dry_run(const struct options *options, const struct buf *bytes)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct reference reference;
	struct sheet sheet;

	problems_init(&problems, arena);
	bool known = reference_baked(arena, &problems, &reference);

	if (known) {
		struct sheet_options reading = {.cards = &reference.cards,
		                                .hours_per_month = options->hours_per_month,
		                                .today = options->today};

		sheet_read(arena, buf_text(bytes), bytes->size, options->file, &reading, &sheet);
		print(&sheet, options->lang);
	}
	bool accepted = known && sheet.accepted;

	arena_destroy(arena);
	return accepted;
}

int command_import(int argc, char **argv)
{
	struct options options = {.hours_per_month = 720,
	                          .today = date_in_shanghai(clock_now_us() / 1000000),
	                          .lang = LANG_ZH};
	struct buf bytes = {0};

	if (!read_options(argc, argv, &options))
		return usage(argv[0]);
	if (!read_file(options.file, &bytes))
		return 1;
	bool accepted = dry_run(&options, &bytes);

	buf_finish(&bytes);
	return accepted ? 0 : 1;
}
