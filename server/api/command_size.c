/*
 * command_size.c - `suanjia size`: requests of POST /size on standard input, one per line; answers
 * in the same order on standard output, one per line. A request that cannot be read gets
 * {"id", "problems": [...]} in its place.
 */
#include "api/command.h"

#include <stdlib.h>
#include <string.h>

#include "api/command_parts.h"
#include "api/size.h"
#include "base/arena.h"
#include "base/buf.h"
#include "http/answer.h"
#include "offer/reference.h"

static void write_problems(struct json_write *out, const json_t *json,
                           const struct problems *problems, enum lang lang)
{
	const json_t *id = json_object_get(json, "id");

	out_object(out, NULL);
	out_string(out, "id", json_string_value(id));
	out_array(out, "problems");
	for (size_t i = 0; i < problems->count; i++)
		problem_write(out, NULL, &problems->items[i], lang);
	out_end(out);
	out_end(out);
}

/* What every line is answered by. */
struct setting {
	struct reference reference;
	enum lang lang;
};

/* False when the request in LINE had problems; a blank line is none. */
static bool answer_line(const void *context, const char *line, size_t length, struct buf *answer)
{
	const struct setting *setting = context;

	if (strspn(line, " \t\r\n") == length)
		return true;
	struct arena *arena = arena_create();
	struct json_write out = json_write_to(answer);
	struct problems problems;
	struct size_request request;
	struct size_result result;

	problems_init(&problems, arena);
	struct workload_reader reader = {
	    .json = {.arena = arena, .problems = &problems},
	    .cards = &setting->reference.cards,
	    .models = &setting->reference.models,
	};
	json_t *json = json_parse(&reader.json, line, length);
	bool read = json != NULL && size_read(&reader, json, &request);

	if (read) {
		size_compute(&request, &result);
		size_write(&out, &request, &result, arena, setting->lang);
	} else {
		write_problems(&out, json, &problems, setting->lang);
	}
	buf_putc(answer, '\n');
	json_decref(json);
	arena_destroy(arena);
	return read;
}

int command_size(int argc, char **argv)
{
	static const char usage[] =
	    "usage: suanjia size <requests.jsonl >answers.jsonl\n"
	    "answers each request of POST /size on a line of standard input with a line\n";
	struct setting setting = {.lang = lang_from_accept(getenv("LANG"))};
	struct problems problems;

	if (argc > 1)
		return command_usage(usage, command_asks_help(argc, argv));
	struct arena *arena = arena_create();

	problems_init(&problems, arena);
	int status = reference_baked(arena, &problems, &setting.reference)
	                 ? command_each_line(answer_line, &setting)
	                 : 1;

	arena_destroy(arena);
	return status;
}
