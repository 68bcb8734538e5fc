/* json_object.c - see json_object.h. */
#include "sheet/json_object.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/number_text.h"

struct place object_place(const struct object *in, const char *name)
{
	return (struct place){
	    .pointer = name == NULL ? in->pointer
	                            : arena_printf(in->reader->arena, "%s/%s", in->pointer, name),
	    .row = in->row};
}

void object_report(const struct object *in, const char *name, const char *code, const char *value,
                   struct text message, struct text hint)
{
	reader_report(in->reader, PROBLEM_ERROR, code, object_place(in, name), value, message,
	              hint);
}

void object_bad_value(const struct object *in, const char *name, const char *value,
                      struct text hint)
{
	object_report(in, name, "bad_value", value,
	              TEXT("this value cannot be read here", "此处的值无法识别"), hint);
}

void object_unknown(const struct object *in, const char *name, const char *const *known,
                    size_t count)
{
	const char *nearest = nearest_name(name, known, count);

	object_report(in, name, "unknown_field", name,
	              TEXT("there is no such field", "没有这个字段"),
	              nearest == NULL ? TEXT("remove it", "请删除")
	                              : text_printf(in->reader->arena, "did you mean \"%s\"?",
	                                            "是不是“%s”？", nearest));
}

/* The text of a string, or the shortest decimal of a number; NULL for anything else. */
static const char *scalar(const struct object *in, const json_t *json)
{
	struct arena *arena = in->reader->arena;

	if (json_is_string(json))
		return arena_strdup(arena, json_string_value(json));
	if (json_is_integer(json))
		return arena_printf(arena, "%lld", (long long)json_integer_value(json));
	return json_is_real(json) ? number_text_shortest(arena, json_real_value(json)) : NULL;
}

const char *object_text(const struct object *in, const char *name)
{
	const json_t *json = json_object_get(in->json, name);
	const char *text = json == NULL || json_is_null(json) ? NULL : scalar(in, json);

	if (text == NULL && json != NULL && !json_is_null(json))
		object_bad_value(in, name, NULL, TEXT("a string or a number", "应为字符串或数字"));
	return text;
}

bool text_scaled(const char *text, int decimals, int64_t most, int64_t *value)
{
	struct ratio ratio;

	return ratio_parse(text, &ratio) && ratio_round(ratio, decimals, value) && *value >= 0 &&
	       *value <= most;
}

int object_name(const struct object *in, const char *name, const char *const *names, int count)
{
	const char *text = object_text(in, name);
	int index = text == NULL ? -1 : name_index(text, names, count);

	if (text != NULL && index < 0)
		object_bad_value(in, name, text, TEXT("see the schema", "请参照接口说明"));
	return index;
}
