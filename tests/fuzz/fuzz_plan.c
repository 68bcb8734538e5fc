/*
 * fuzz_plan.c - any JSON as a request of /plan over the sample catalogue: refused with reasons, or
 * answered so that the lines add up and every offer is accounted for.
 */
#include "api/plan.h"
#include "base/baked.h"
#include "market/catalogue.h"
#include "tests/fuzz/fuzz_json.h"

#define TODAY ((struct date){.days = 20787})

/* The sample sheets, all from one supplier. */
static struct catalogue *sample(void)
{
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct arena *arena = catalogue_builder_arena(builder);
	struct catalogue_reference reference = {.base = *fuzz_reference()};
	struct sheet_options options = {
	    .cards = &reference.base.cards, .hours_per_month = 720, .today = TODAY};
	size_t count;
	const struct baked_file *file = baked_below("schema/sample/", &count);
	int64_t id = 0;

	for (size_t i = 0; i < count; i++) {
		struct sheet sheet;

		sheet_read(arena, file[i].bytes, file[i].size, file[i].path, &options, &sheet);
		for (size_t row = 0; row < sheet.offer_count; row++) {
			sheet.offers[row].id = ++id;
			sheet.offers[row].sheet_id = (int64_t)i + 1;
			sheet.offers[row].supplier = "sample";
			catalogue_builder_add(builder, &sheet.offers[row]);
		}
	}
	hold(id > 100);
	catalogue_builder_reference(builder, &reference);
	return catalogue_builder_finish(builder);
}

/* "12.34" or "-0.05" in fen; other money in answers has more digits and no place in a sum. */
static int64_t fen(const json_t *amount)
{
	const char *text = json_string_value(amount);
	const char *point = text == NULL ? NULL : strchr(text, '.');

	hold(point != NULL && strlen(point) == 3);
	int64_t whole = strtoll(text, NULL, 10) * 100;
	int64_t part = strtoll(point + 1, NULL, 10);

	return text[0] == '-' ? whole - part : whole + part;
}

static void hold_total(const json_t *option)
{
	int64_t sum = 0;
	size_t i;
	json_t *line;

	json_array_foreach(json_object_get(option, "lines"), i, line) {
		if (json_is_true(json_object_get(line, "is_cost")))
			sum += fen(json_object_get(line, "amount"));
	}
	hold(sum == fen(json_object_get(option, "total")));
}

static json_int_t integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void hold_answer(struct buf *text)
{
	json_t *answer = answer_of(text);
	const json_t *offers = json_object_get(answer, "offers");
	json_int_t counted = integer(offers, "used");
	size_t i;
	json_t *one;

	json_array_foreach(json_object_get(answer, "options"), i, one)
		hold_total(one);
	json_array_foreach(json_object_get(answer, "not_chosen"), i, one)
		counted += integer(one, "offers");
	hold(counted == integer(offers, "in_catalogue"));
	json_decref(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct plan_setting setting = {.today = TODAY, .version = "fuzz", .lang = LANG_ZH};
	struct arena *arena = arena_create();
	struct problems problems;
	struct buf text = {0};

	if (setting.catalogue == NULL)
		setting.catalogue = sample();
	problems_init(&problems, arena);
	struct json_reader reader = {.arena = arena, .problems = &problems};
	json_t *json = json_parse(&reader, (const char *)data, length);

	if (json != NULL && plan_answer(&setting, json, arena, &problems, &text))
		hold_answer(&text);
	else
		hold(problems.errors > 0);
	buf_finish(&text);
	json_decref(json);
	arena_destroy(arena);
	return 0;
}
