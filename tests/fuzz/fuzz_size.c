/* fuzz_size.c - any JSON as a request of /size: refused with reasons, or answered with numbers. */
#include "api/size.h"
#include "tests/fuzz/fuzz_json.h"

/* Below zero is no memory and no speed; null would be a NaN or an infinity. */
static void hold_numbers(json_t *part)
{
	const char *key;
	json_t *value;

	json_object_foreach(part, key, value)
		hold(!json_is_null(value) && !(json_number_value(value) < 0));
}

static void hold_answer(const struct buf *text)
{
	struct buf copy = *text;
	json_t *answer = answer_of(&copy);
	json_t *speed = json_object_get(answer, "speed");

	if (json_is_true(json_object_get(answer, "fits"))) {
		hold(json_is_object(speed));
		hold_numbers(speed);
		hold_numbers(json_object_get(answer, "memory"));
	}
	json_decref(answer);
}

static void size(struct workload_reader *reader, const json_t *json)
{
	struct size_request request;
	struct size_result result;
	struct buf text = {0};
	struct json_write out = json_write_to(&text);

	if (!size_read(reader, json, &request)) {
		hold(reader->json.problems->errors > 0);
		return;
	}
	size_compute(&request, &result);
	size_write(&out, &request, &result, reader->json.arena, LANG_EN);
	hold_answer(&text);
	buf_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	struct workload_reader reader = {
	    .json = {.arena = arena, .problems = &problems},
	    .cards = &fuzz_reference()->cards,
	    .models = &fuzz_reference()->models,
	};
	json_t *json = json_parse(&reader.json, (const char *)data, length);

	if (json != NULL)
		size(&reader, json);
	json_decref(json);
	arena_destroy(arena);
	return 0;
}
