/*
 * command_size.c - `suanjia size`: requests of POST /size on standard input, one per line; answers
 * in the same order on standard output, one per line. A request that cannot be read gets
 * {"id", "problems": [...]} in its place.
 */
#include "api/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Answers one line into ANSWER; false when it had problems. */
static bool answer_line(const struct reference *reference, const char *line, size_t length,
                        enum lang lang, struct buf *answer)
{
	struct arena *arena = arena_create();
	struct json_write out = json_write_to(answer);
	struct problems problems;
	struct size_request request;
	struct size_result result;

	problems_init(&problems, arena);
	struct workload_reader reader = {
	    .json = {.arena = arena, .problems = &problems},
	    .cards = &reference->cards,
	    .models = &reference->models,
	};
	json_t *json = json_parse(&reader.json, line, length);
	bool read = json != NULL && size_read(&reader, json, &request);

	if (read) {
		size_compute(&request, &result);
		size_write(&out, &request, &result, arena, lang);
	} else {
		write_problems(&out, json, &problems, lang);
	}
	buf_putc(answer, '\n');
	json_decref(json);
	arena_destroy(arena);
	return read;
}

int command_size(int argc, char **argv)
{
	enum lang lang = lang_from_accept(getenv("LANG"));
	struct arena *arena = arena_create();
	struct reference reference;
	struct problems problems;
	struct buf answer = {0};
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	int status = 0;

	if (argc > 1) {
		fprintf(stderr, "usage: suanjia size <requests.jsonl >answers.jsonl (%s?)\n",
		        argv[1]);
		return 2;
	}
	problems_init(&problems, arena);
	if (!reference_baked(arena, &problems, &reference))
		return 1;
	while ((length = getline(&line, &capacity, stdin)) > 0) {
		if (strspn(line, " \t\r\n") == (size_t)length)
			continue;
		if (!answer_line(&reference, line, (size_t)length, lang, &answer))
			status = 1;
		fwrite(answer.bytes, 1, answer.size, stdout);
		buf_clear(&answer);
	}
	free(line);
	buf_finish(&answer);
	arena_destroy(arena);
	return fflush(stdout) == 0 ? status : 1;
}
