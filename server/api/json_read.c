/* json_read.c - see json_read.h. */
#include "api/json_read.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ratio.h"
#include "offer/offer.h"

#define DEEPEST 64

/* jansson has no limit of its own on nesting that we may set, so brackets are counted first. */
static bool too_deep(const char *text, size_t size)
{
	int depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		if (in_string) {
			in_string = text[i] != '"';
			i += text[i] == '\\'; /* what is escaped ends nothing */
			continue;
		}
		if (text[i] == '"')
			in_string = true;
		else if (text[i] == '{' || text[i] == '[')
			depth++;
		else if (text[i] == '}' || text[i] == ']')
			depth--;
		if (depth > DEEPEST)
			return true;
	}
	return false;
}

json_t *json_parse(struct json_reader *reader, const char *text, size_t size)
{
	json_error_t error;
	struct place place = {.pointer = ""};

	if (too_deep(text, size)) {
		problem_add(reader->problems, PROBLEM_ERROR, "json_too_deep", place, NULL,
		            "more than %d levels of nesting", "嵌套超过 %d 层", DEEPEST);
		return NULL;
	}
	json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

	if (json == NULL)
		problem_add(reader->problems, PROBLEM_ERROR, "json_invalid", place, NULL,
		            "not valid JSON at line %d, column %d: %s",
		            "第 %d 行第 %d 列不是合法的 JSON（多了或少了逗号、引号、括号？）：%s",
		            error.line, error.column, error.text);
	return json;
}

/* "/a/b" + "c~d" = "/a/b/c~0d" (RFC 6901). */
static const char *pointer_add(struct arena *arena, const char *base, const char *name)
{
	size_t base_length = strlen(base);
	char *pointer = arena_alloc(arena, base_length + 2 * strlen(name) + 2);
	char *at = pointer + base_length;

	memcpy(pointer, base, base_length);
	*at++ = '/';
	for (; *name != '\0'; name++) {
		if (*name == '~' || *name == '/') {
			*at++ = '~';
			*at++ = *name == '~' ? '0' : '1';
		} else {
			*at++ = *name;
		}
	}
	return pointer;
}

const char *field_pointer(const struct fields *in, const char *name)
{
	return pointer_add(in->reader->arena, in->pointer, name);
}

const char *field_element(const struct fields *in, const char *name, size_t index)
{
	return arena_printf(in->reader->arena, "%s/%zu", field_pointer(in, name), index);
}

/*
 * What JSON is, for messages; long values are cut. 15 digits bring back what was typed: 99.9 is not
 * 99.900000000000006.
 */
static const char *value_text(struct arena *arena, const json_t *json)
{
	char *dumped = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
	char *copy = arena_strndup(arena, dumped == NULL ? "" : dumped,
	                           dumped == NULL ? 0 : strnlen(dumped, 120));

	free(dumped);
	return copy;
}

bool fields_begin(struct fields *in, struct json_reader *reader, const json_t *json,
                  const char *pointer)
{
	*in = (struct fields){
	    .reader = reader, .object = json, .pointer = arena_strdup(reader->arena, pointer)};
	if (json_is_object(json))
		return true;
	problem_add(reader->problems, PROBLEM_ERROR, "not_an_object",
	            (struct place){.pointer = pointer}, value_text(reader->arena, json),
	            "an object is wanted here", "此处应为一个对象");
	return false;
}

void fields_end(struct fields *in)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)in->object, name, value)
	{
		bool known = false;

		for (int i = 0; i < in->known_count && !known; i++)
			known = strcmp(in->known[i], name) == 0;
		if (known)
			continue;
		const char *near = nearest_name(name, in->known, (size_t)in->known_count);
		struct problem *problem =
		    problem_add(in->reader->problems, PROBLEM_ERROR, "unknown_field",
		                (struct place){.pointer = field_pointer(in, name)}, NULL,
		                "there is no field \"%s\" here", "此处没有名为“%s”的字段", name);

		if (near != NULL)
			problem->hint = text_printf(in->reader->arena, "did you mean \"%s\"?",
			                            "是否想写“%s”？", near);
	}
}

bool field_given(const struct fields *in, const char *name)
{
	const json_t *value = json_object_get(in->object, name);

	return value != NULL && !json_is_null(value);
}

struct problem *field_problem(struct fields *in, const char *name, const char *code,
                              const char *value, const char *en, const char *zh, ...)
{
	va_list args;

	va_start(args, zh);
	struct text message = text_vprintf(in->reader->arena, en, zh, args);
	va_end(args);
	return problem_add_text(in->reader->problems, PROBLEM_ERROR, code,
	                        (struct place){.pointer = field_pointer(in, name)}, value, message);
}

/* Member NAME, or NULL after saying what is wrong. Remembers NAME as known. */
static const json_t *take(struct fields *in, const char *name, enum field_need need)
{
	assert(in->known_count < FIELDS_MAX);
	in->known[in->known_count++] = name;
	if (field_given(in, name))
		return json_object_get(in->object, name);
	if (need == FIELD_REQUIRED)
		field_problem(in, name, "missing_field", NULL, "\"%s\" is needed", "缺少“%s”",
		              name);
	return NULL;
}

static bool wrong(struct fields *in, const char *name, const json_t *json, struct text message)
{
	problem_add_text(in->reader->problems, PROBLEM_ERROR, "wrong_type",
	                 (struct place){.pointer = field_pointer(in, name)},
	                 value_text(in->reader->arena, json), message);
	return false;
}

bool field_string(struct fields *in, const char *name, enum field_need need, const char **value)
{
	const json_t *json = take(in, name, need);

	if (json == NULL)
		return false;
	if (!json_is_string(json))
		return wrong(in, name, json, TEXT("a string is wanted", "应为字符串"));
	if (strlen(json_string_value(json)) != json_string_length(json))
		return wrong(in, name, json, TEXT("the string holds a NUL", "字符串含有空字符"));
	*value = arena_strdup(in->reader->arena, json_string_value(json));
	return true;
}

/* The decimal a JSON number or string stands for: the shortest one that reads back the same. */
static bool decimal_of(struct fields *in, const json_t *json, struct ratio *value)
{
	if (json_is_integer(json)) {
		*value = ratio_of(json_integer_value(json));
		return true;
	}
	if (json_is_string(json))
		return ratio_parse(json_string_value(json), value);
	if (!json_is_real(json) || fabs(json_real_value(json)) >= 1e18)
		return false;
	double number = json_real_value(json);

	for (int decimals = 0; decimals <= 17; decimals++) {
		char *text = arena_printf(in->reader->arena, "%.*f", decimals, number);

		if (strtod(text, NULL) == number)
			return ratio_parse(text, value);
	}
	return false;
}

static const char *ratio_text(struct arena *arena, struct ratio value)
{
	char text[RATIO_DECIMAL_SIZE];

	return ratio_format_short(value, 6, text) ? arena_strdup(arena, text) : "…";
}

bool field_ratio(struct fields *in, const char *name, enum field_need need, struct ratio least,
                 struct ratio most, struct ratio *value)
{
	const json_t *json = take(in, name, need);
	struct arena *arena = in->reader->arena;
	struct ratio read;

	if (json == NULL)
		return false;
	if (!decimal_of(in, json, &read))
		return wrong(in, name, json,
		             TEXT("a plain decimal number is wanted", "应为十进制数"));
	if (ratio_compare(read, least) >= 0 && ratio_compare(read, most) <= 0) {
		*value = read;
		return true;
	}
	field_problem(in, name, "out_of_range", value_text(arena, json),
	              "must be between %s and %s", "应在 %s 与 %s 之间", ratio_text(arena, least),
	              ratio_text(arena, most));
	return false;
}

bool field_integer(struct fields *in, const char *name, enum field_need need, int64_t least,
                   int64_t most, int *value)
{
	struct ratio read;

	if (!field_ratio(in, name, need, ratio_of(least), ratio_of(most), &read))
		return false;
	if (read.den != 1)
		return wrong(in, name, json_object_get(in->object, name),
		             TEXT("a whole number is wanted", "应为整数"));
	*value = (int)read.num;
	return true;
}

/* A bound as people write it: 0.000001, 10000000. */
static const char *bound_text(struct arena *arena, double bound)
{
	char *text = arena_printf(arena, "%.6f", bound);
	size_t length = strlen(text);

	while (text[length - 1] == '0')
		text[--length] = '\0';
	if (text[length - 1] == '.')
		text[length - 1] = '\0';
	return text;
}

bool field_double(struct fields *in, const char *name, enum field_need need, double least,
                  double most, double *value)
{
	const json_t *json = take(in, name, need);
	struct ratio read;

	if (json == NULL)
		return false;
	double number = json_number_value(json);

	if (json_is_string(json) && ratio_parse(json_string_value(json), &read))
		number = ratio_to_double(read);
	else if (!json_is_number(json) || !isfinite(number))
		return wrong(in, name, json, TEXT("a number is wanted", "应为数字"));
	if (number < least || number > most) {
		struct arena *arena = in->reader->arena;

		field_problem(in, name, "out_of_range", value_text(arena, json),
		              "must be between %s and %s", "应在 %s 与 %s 之间",
		              bound_text(arena, least), bound_text(arena, most));
		return false;
	}
	*value = number;
	return true;
}

bool field_boolean(struct fields *in, const char *name, enum field_need need, bool *value)
{
	const json_t *json = take(in, name, need);

	if (json == NULL)
		return false;
	if (!json_is_boolean(json))
		return wrong(in, name, json, TEXT("true or false is wanted", "应为 true 或 false"));
	*value = json_is_true(json);
	return true;
}

bool field_date(struct fields *in, const char *name, enum field_need need, struct date *value)
{
	const json_t *json = take(in, name, need);

	if (json == NULL)
		return false;
	if (!json_is_string(json) || !date_parse(json_string_value(json), value))
		return wrong(in, name, json,
		             TEXT("a date such as \"2027-01-15\" is wanted",
		                  "应为日期，例如 \"2027-01-15\""));
	return true;
}

bool field_money(struct fields *in, const char *name, enum field_need need, struct money *value)
{
	const json_t *json = take(in, name, need);
	struct ratio read;
	struct money rounded;

	if (json == NULL)
		return false;
	if (!decimal_of(in, json, &read) || !money_from_ratio(read, &rounded) ||
	    ratio_compare(money_to_ratio(rounded), read) != 0 ||
	    money_compare(rounded, money_zero()) < 0)
		return wrong(in, name, json,
		             TEXT("an amount of money is wanted, at most six decimals",
		                  "应为金额，最多六位小数"));
	*value = rounded;
	return true;
}

/* The allowed words, for messages: "a, b, c". */
static const char *list_names(struct arena *arena, const char *const *names, int count)
{
	const char *list = "";

	for (int i = 0; i < count; i++)
		if (names[i][0] != '\0')
			list = arena_printf(arena, "%s%s%s", list, *list == '\0' ? "" : ", ",
			                    names[i]);
	return list;
}

static bool enum_value(struct fields *in, const char *pointer, const json_t *json,
                       const char *const *names, int count, int *value)
{
	struct arena *arena = in->reader->arena;
	int index = json_is_string(json) ? name_index(json_string_value(json), names, count) : -1;

	if (index >= 0) {
		*value = index;
		return true;
	}
	struct problem *problem =
	    problem_add(in->reader->problems, PROBLEM_ERROR, "unknown_value",
	                (struct place){.pointer = pointer}, value_text(arena, json),
	                "must be one of: %s", "应为以下之一：%s", list_names(arena, names, count));
	const char *near = json_is_string(json)
	                       ? nearest_name(json_string_value(json), names, (size_t)count)
	                       : NULL;

	if (near != NULL && *near != '\0')
		problem->hint = text_printf(arena, "did you mean \"%s\"?", "是否想写“%s”？", near);
	return false;
}

bool field_enum(struct fields *in, const char *name, enum field_need need, const char *const *names,
                int count, int *value)
{
	const json_t *json = take(in, name, need);

	return json != NULL && enum_value(in, field_pointer(in, name), json, names, count, value);
}

bool field_enum_set(struct fields *in, const char *name, enum field_need need,
                    const char *const *names, int count, unsigned *mask)
{
	const json_t *list = field_array(in, name, need, (size_t)count);
	unsigned found = 0;
	bool all = true;
	size_t index;
	json_t *element;

	if (list == NULL)
		return false;
	json_array_foreach(list, index, element)
	{
		int value = 0;

		if (enum_value(in, field_element(in, name, index), element, names, count, &value))
			found |= 1u << value;
		else
			all = false;
	}
	if (all)
		*mask = found;
	return all;
}

const json_t *field_object(struct fields *in, const char *name, enum field_need need)
{
	const json_t *json = take(in, name, need);

	if (json != NULL && !json_is_object(json)) {
		wrong(in, name, json, TEXT("an object is wanted", "应为对象"));
		return NULL;
	}
	return json;
}

const json_t *field_array(struct fields *in, const char *name, enum field_need need, size_t most)
{
	const json_t *json = take(in, name, need);

	if (json == NULL)
		return NULL;
	if (!json_is_array(json)) {
		wrong(in, name, json, TEXT("a list is wanted", "应为列表"));
		return NULL;
	}
	if (json_array_size(json) > most) {
		field_problem(in, name, "too_many", NULL, "at most %zu entries", "最多 %zu 项",
		              most);
		return NULL;
	}
	return json;
}

const json_t *field_any(struct fields *in, const char *name)
{
	return take(in, name, FIELD_OPTIONAL);
}
