/*
 * command_plan.c - `suanjia plan`: the planner without a server.
 *
 * With --lines, standard input holds lines {"sheet": {"offers": [...]}, "spec": {...}, "today":
 * DATE}, each with a catalogue of its own; one answer a line. What the tests compare by.
 */
#include "api/command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/catalogue_load.h"
#include "api/command_parts.h"
#include "api/json_read.h"
#include "api/plan.h"
#include "api/service.h"
#include "api/version.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "http/answer.h"
#include "market/catalogue.h"
#include "offer/reference.h"
#include "sheet/sheet.h"
#include "store/store.h"

struct options {
	const char *data;
	const char *today;
	enum lang lang;
	bool lines;
};

static const char usage[] =
    "usage: suanjia plan [--data DIR] [--today DATE] [--lang zh|en] FILE\n"
    "       suanjia plan --lines <cases.jsonl >answers.jsonl\n"
    "The first plans FILE, a request of POST /plan (- for standard input), over the catalogue in\n"
    "DIR; the service may be running. Each line of the second brings a catalogue of its own.\n";

static struct date today_of(const struct options *options)
{
	struct date today = date_in_shanghai(clock_now_us() / 1000000);

	if (options->today != NULL && !date_parse(options->today, &today))
		return DATE_NONE;
	return today;
}

static struct plan_setting setting_over(struct catalogue *catalogue, struct date today,
                                        struct arena *arena, enum lang lang)
{
	return (struct plan_setting){
	    .catalogue = catalogue,
	    .today = today,
	    .version = suanjia_version,
	    .bands = price_bands_baked(arena),
	    .lang = lang,
	};
}

/* The catalogue of the database in the folder DATA; the service may be running. */
static struct catalogue *load_catalogue(const char *data, struct problems *problems)
{
	struct store *store =
	    store_open(service_database_path(data, problems->arena), STORE_READ, problems);
	struct catalogue *catalogue = store == NULL ? NULL : catalogue_load(store, problems);

	store_close(store);
	return catalogue;
}

static int plan_file(const struct options *options, const char *path)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct buf text = {0};
	struct buf answer = {0};
	json_t *json = NULL;
	struct catalogue *catalogue = NULL;
	bool planned = false;

	problems_init(&problems, arena);
	struct json_reader reader = {.arena = arena, .problems = &problems};

	if (command_read_file(path, &text))
		json = json_parse(&reader, buf_text(&text), text.size);
	if (json != NULL)
		catalogue = load_catalogue(options->data, &problems);
	if (catalogue != NULL) {
		struct plan_setting setting =
		    setting_over(catalogue, today_of(options), arena, options->lang);

		planned = plan_answer(&setting, json, arena, &problems, &answer);
		catalogue_release(catalogue);
	}
	if (planned)
		puts(buf_text(&answer));
	command_print_problems(&problems);
	json_decref(json);
	buf_finish(&text);
	buf_finish(&answer);
	arena_destroy(arena);
	return planned ? 0 : 1;
}

/* A catalogue of the baked reference and the offers of one JSON sheet. */
static struct catalogue *catalogue_of_sheet(const json_t *sheet_json, struct date today,
                                            struct problems *problems)
{
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct arena *arena = catalogue_builder_arena(builder);
	struct catalogue_reference reference = {0};
	struct sheet sheet;
	char *text = json_dumps(sheet_json, JSON_COMPACT);

	reference_baked(arena, problems, &reference.base);
	struct sheet_options options = {
	    .cards = &reference.base.cards, .hours_per_month = 720, .today = today};

	sheet_read(arena, text, strlen(text), NULL, &options, &sheet);
	free(text);
	for (size_t i = 0; i < sheet.problems.count; i++)
		if (sheet.problems.items[i].severity == PROBLEM_ERROR)
			problem_add_text(problems, PROBLEM_ERROR, sheet.problems.items[i].code,
			                 sheet.problems.items[i].place,
			                 sheet.problems.items[i].value,
			                 sheet.problems.items[i].message);
	for (size_t i = 0; i < sheet.offer_count; i++) {
		sheet.offers[i].id = (int64_t)i + 1;
		sheet.offers[i].sheet_id = 1;
		sheet.offers[i].supplier = "lines";
		catalogue_builder_add(builder, &sheet.offers[i]);
	}
	catalogue_builder_reference(builder, &reference);
	return catalogue_builder_finish(builder);
}

static void write_line_problems(const struct problems *problems, struct buf *answer)
{
	struct json_write out = json_write_to(answer);

	out_object(&out, NULL);
	out_array(&out, "problems");
	for (size_t i = 0; i < problems->count; i++)
		problem_write(&out, NULL, &problems->items[i], LANG_EN);
	out_end(&out);
	out_end(&out);
}

/* Always true: an answer that is a list of problems is one. */
static bool plan_line(const void *context, const char *line, size_t length, struct buf *answer)
{
	const struct options *options = context;
	struct arena *arena = arena_create();
	struct date today = DATE_NONE;
	struct problems problems;
	struct catalogue *catalogue = NULL;
	struct fields in;
	bool planned = false;

	problems_init(&problems, arena);
	struct json_reader reader = {.arena = arena, .problems = &problems};
	json_t *json = json_parse(&reader, line, length);

	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		const json_t *sheet = field_object(&in, "sheet", FIELD_REQUIRED);
		const json_t *spec = field_object(&in, "spec", FIELD_REQUIRED);

		field_date(&in, "today", FIELD_REQUIRED, &today);
		fields_end(&in);
		if (problems.errors == 0)
			catalogue = catalogue_of_sheet(sheet, today, &problems);
		if (problems.errors == 0) {
			struct plan_setting setting =
			    setting_over(catalogue, today, arena, options->lang);

			planned = plan_answer(&setting, spec, arena, &problems, answer);
		}
	}
	if (!planned)
		write_line_problems(&problems, answer);
	/* The words of the sheet's problems lie in it. */
	catalogue_release(catalogue);
	buf_putc(answer, '\n');
	json_decref(json);
	arena_destroy(arena);
	return true;
}

int command_plan(int argc, char **argv)
{
	static const struct option long_options[] = {
	    {"data", required_argument, NULL, 'd'}, {"today", required_argument, NULL, 't'},
	    {"lang", required_argument, NULL, 'l'}, {"lines", no_argument, NULL, 'n'},
	    {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
	};
	struct options options = {.data = COMMAND_DATA, .lang = lang_from_accept(getenv("LANG"))};
	int choice;

	while ((choice = getopt_long(argc, argv, "d:t:l:h", long_options, NULL)) != -1)
		switch (choice) {
		case 'd':
			options.data = optarg;
			break;
		case 't':
			options.today = optarg;
			break;
		case 'l':
			options.lang = strcmp(optarg, "en") == 0 ? LANG_EN : LANG_ZH;
			break;
		case 'n':
			options.lines = true;
			break;
		default:
			return command_usage(usage, choice == 'h');
		}
	if (date_is_none(today_of(&options))) {
		fprintf(stderr, "suanjia plan: --today %s is not a date\n", options.today);
		return 2;
	}
	if (options.lines)
		return command_each_line(plan_line, &options);
	if (optind + 1 != argc) {
		fputs("suanjia plan: one file is wanted (- for standard input)\n", stderr);
		return 2;
	}
	return plan_file(&options, argv[optind]);
}
