/*
 * command_import.c - `suanjia import`: a price sheet from a file.
 *
 * Standard output has the answer of the upload, standard error one line for people. Exit status 0
 * when the sheet is (or would be) stored, 1 when not, 2 wrong usage.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/catalogue_load.h"
#include "api/command.h"
#include "api/command_parts.h"
#include "api/service.h"
#include "api/sheet_keep.h"
#include "api/sheet_write.h"
#include "base/arena.h"
#include "base/buf.h"
#include "market/catalogue.h"
#include "offer/reference.h"

struct options {
	const char *file;
	const char *data;
	const char *supplier; /* NULL = only read */
	bool dry_run;
	bool partial;
	bool help;
	int hours_per_month;
	struct date today;
	enum lang lang;
};

static const char usage[] =
    "usage: suanjia import --dry-run [--today DATE] [--hours 720|730] [--lang zh|en] FILE\n"
    "       suanjia import --supplier ID [--data DIR] [--accept partial] [--hours 720|730]\n"
    "                      [--lang zh|en] FILE\n"
    "The second stores the sheet; the service must be stopped (a running one takes uploads:\n"
    "POST /suppliers/ID/sheets). FILE may be - for standard input.\n";

/* One of two words: true when VALUE is ON, and OK only when it is one of them. */
static bool is_on(const char *value, const char *off, const char *on, bool *ok)
{
	*ok = strcmp(value, on) == 0 || strcmp(value, off) == 0;
	return strcmp(value, on) == 0;
}

static bool read_option(int option, const char *value, struct options *options)
{
	bool ok = true;

	switch (option) {
	case 'n':
		options->dry_run = true;
		break;
	case '?':
		return false;
	case 'h':
		options->help = true;
		break;
	case 'd':
		options->data = value;
		break;
	case 's':
		options->supplier = value;
		break;
	case 'a':
		options->partial = is_on(value, "all", "partial", &ok);
		break;
	case 't':
		return date_parse(value, &options->today);
	case 'm':
		options->hours_per_month = is_on(value, "720", "730", &ok) ? 730 : 720;
		break;
	case 'l':
		options->lang = is_on(value, "zh", "en", &ok) ? LANG_EN : LANG_ZH;
		break;
	default:
		return false;
	}
	return ok;
}

static bool read_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"dry-run", no_argument, NULL, 'n'},
	                                      {"today", required_argument, NULL, 't'},
	                                      {"hours", required_argument, NULL, 'm'},
	                                      {"lang", required_argument, NULL, 'l'},
	                                      {"supplier", required_argument, NULL, 's'},
	                                      {"data", required_argument, NULL, 'd'},
	                                      {"accept", required_argument, NULL, 'a'},
	                                      {"help", no_argument, NULL, 'h'},
	                                      {NULL, 0, NULL, 0}};
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "nh", longs, NULL)) != -1)
		if (!read_option(option, optarg, options))
			return false;
	options->file = optind + 1 == argc ? argv[optind] : NULL;
	return options->help || (options->file != NULL && (options->dry_run || options->supplier));
}

static void print_sheet(const struct sheet *sheet, enum lang lang)
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
		print_sheet(&sheet, options->lang);
	}
	bool accepted = known && sheet.accepted;

	arena_destroy(arena);
	return accepted;
}

/* ---- storing ---- */

/* An import on its way: what is opened once, and what was read. */
struct importing {
	const struct options *options;
	struct sheet_bytes bytes;
	struct command_work work; /* its problems are those of the database, not of the sheet */
	struct catalogue *catalogue;
	const struct supplier *supplier;
	struct sheet sheet;
	struct sheet_difference difference;
};

static void fail(struct importing *in, struct text message)
{
	problem_add_text(&in->work.problems, PROBLEM_ERROR, "import_failed", (struct place){0},
	                 NULL, message);
}

static bool open_database(struct importing *in)
{
	const char *path = service_database_path(in->options->data, in->work.arena);

	/* Opening to write would make an empty one where the folder was mistyped. */
	if (access(path, F_OK) != 0) {
		fail(in, text_printf(in->work.arena, "there is no database %s; see --data",
		                     "没有数据库 %s；请检查 --data", path));
		return false;
	}
	if (!command_open(&in->work, in->options->data, STORE_WRITE))
		return false;
	in->catalogue = catalogue_load(in->work.store, &in->work.problems);
	if (in->catalogue == NULL)
		return false;
	in->supplier = catalogue_supplier(in->catalogue, in->options->supplier);
	if (in->supplier == NULL)
		fail(in, text_printf(in->work.arena, "there is no supplier \"%s\"",
		                     "没有供应商“%s”", in->options->supplier));
	return in->supplier != NULL;
}

static void read_sheet(struct importing *in)
{
	struct sheet_options reading = {
	    .cards = &catalogue_reference_of(in->catalogue)->base.cards,
	    .hours_per_month = in->options->hours_per_month,
	    .today = in->options->today,
	};

	sheet_take(in->work.arena, in->supplier, &in->bytes, &reading, &in->sheet);
	in->difference = sheet_compare(in->work.arena, in->catalogue, in->supplier, &in->sheet);
}

/* Stores what was read, if it may be; the id of the sheet, or 0 with a problem. */
static int64_t keep_sheet(struct importing *in)
{
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};
	bool wanted = in->sheet.accepted || (in->options->partial && in->sheet.offer_count > 0);
	int64_t id = 0;

	if (!wanted)
		return 0;
	enum store_result result = sheet_keep(in->work.store, &actor, in->supplier, &in->bytes,
	                                      &in->sheet, in->work.arena, &id);

	if (result != STORE_OK) {
		fail(in, text_printf(in->work.arena, "the database could not be written: %s",
		                     "无法写入数据库：%s", store_result_names[result]));
		return 0;
	}
	return id;
}

static struct text outcome(const struct importing *in, int64_t id)
{
	size_t errors = in->sheet.problems.errors;

	if (id != 0)
		return text_printf(in->work.arena, "stored as sheet %" PRId64 ": %zu offer(s)",
		                   "已保存为报价单 %" PRId64 "：%zu 条报价", id,
		                   in->sheet.offer_count);
	if (errors == 0)
		return TEXT("nothing to sell was found in it; nothing was stored",
		            "未读到任何报价，未保存");
	return text_printf(in->work.arena,
	                   "nothing was stored: %zu thing(s) must be put right (or --accept "
	                   "partial leaves those rows out)",
	                   "未保存：有 %zu 处须改正（或用 --accept partial 略去这些行）", errors);
}

static void print_upload(const struct importing *in, int64_t id)
{
	enum lang lang = in->options->lang;
	struct buf text = {0};
	struct json_write out = json_write_to(&text);

	sheet_write_upload(&out,
	                   &(struct sheet_upload){.id = id,
	                                          .supplier = in->supplier->id,
	                                          .bytes = &in->bytes,
	                                          .sheet = &in->sheet,
	                                          .difference = &in->difference,
	                                          .current = id != 0},
	                   lang);
	puts(buf_text(&text));
	buf_finish(&text);
	fprintf(stderr, "suanjia import: %s\n", text_in(outcome(in, id), lang));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0)
		return NULL;
	return slash == NULL ? path : slash + 1;
}

static bool store_sheet(const struct options *options, const struct buf *bytes)
{
	struct importing in = {
	    .options = options,
	    .bytes = {.bytes = buf_text(bytes),
	              .size = bytes->size,
	              .filename = base_name(options->file)},
	};
	int64_t id = 0;

	command_begin(&in.work);
	if (open_database(&in)) {
		read_sheet(&in);
		id = keep_sheet(&in);
		if (in.work.problems.errors == 0)
			print_upload(&in, id);
	}
	catalogue_release(in.catalogue);
	return command_end(&in.work, id != 0) == 0;
}

int command_import(int argc, char **argv)
{
	struct options options = {.data = COMMAND_DATA,
	                          .hours_per_month = 720,
	                          .today = date_in_shanghai(clock_now_us() / 1000000),
	                          .lang = LANG_ZH};
	struct buf bytes = {0};

	if (!read_options(argc, argv, &options) || options.help)
		return command_usage(usage, options.help);
	if (!command_read_file(options.file, &bytes))
		return 1;
	bool done = options.dry_run ? dry_run(&options, &bytes) : store_sheet(&options, &bytes);

	buf_finish(&bytes);
	return done ? 0 : 1;
}
