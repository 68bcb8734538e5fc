/* sheet_problems.c - see sheet_problems.h. */
#include "api/sheet_problems.h"

#include <jansson.h>
#include <stdio.h>

#include "api/csv_write.h"
#include "base/arena.h"
#include "base/buf.h"
#include "http/answer.h"
#include "offer/offer.h"

static void keep_text(struct json_write *out, const char *en, const char *zh, struct text text)
{
	out_string(out, en, text.en);
	out_string(out, zh, text.zh);
}

const char *sheet_problems_keep(struct arena *arena, const struct problems *problems)
{
	struct buf kept = {0};
	struct json_write out = json_write_to(&kept);

	out_array(&out, NULL);
	for (size_t i = 0; i < problems->count; i++) {
		const struct problem *problem = &problems->items[i];

		out_object(&out, NULL);
		out_string(&out, "severity", problem_severity_name(problem->severity));
		out_string(&out, "sheet", problem->place.sheet);
		out_integer(&out, "row", problem->place.row);
		out_integer(&out, "column", problem->place.column);
		out_string(&out, "code", problem->code);
		out_string(&out, "value", problem->value);
		keep_text(&out, "en", "zh", problem->message);
		keep_text(&out, "hint_en", "hint_zh", problem->hint);
		out_end(&out);
	}
	out_end(&out);
	const char *copy = arena_strdup(arena, buf_text(&kept));

	buf_finish(&kept);
	return copy;
}

int sheet_problems_count(const struct problems *problems, enum problem_severity severity)
{
	int count = 0;

	for (size_t i = 0; i < problems->count; i++)
		count += problems->items[i].severity == severity;
	return count;
}

static const char *member(struct arena *arena, const json_t *object, const char *name)
{
	return arena_strdup(arena, json_string_value(json_object_get(object, name)));
}

static struct problem read_problem(struct arena *arena, const json_t *object)
{
	static const char *const severities[] = {"error", "warning", "skipped"};
	const char *severity = member(arena, object, "severity");
	int index = severity == NULL ? -1 : name_index(severity, severities, 3);

	return (struct problem){
	    .severity = index < 0 ? PROBLEM_ERROR : (enum problem_severity)index,
	    .code = member(arena, object, "code"),
	    .place = {.sheet = member(arena, object, "sheet"),
	              .row = (int)json_integer_value(json_object_get(object, "row")),
	              .column = (int)json_integer_value(json_object_get(object, "column"))},
	    .value = member(arena, object, "value"),
	    .message = {.en = member(arena, object, "en"), .zh = member(arena, object, "zh")},
	    .hint = {.en = member(arena, object, "hint_en"),
	             .zh = member(arena, object, "hint_zh")},
	};
}

void sheet_problems_write(struct json_write *out, const char *key, struct arena *arena,
                          const char *kept, enum lang lang)
{
	json_t *list = json_loads(kept, 0, NULL);
	size_t index;
	json_t *object;

	out_array(out, key);
	json_array_foreach(list, index, object)
	{
		struct problem problem = read_problem(arena, object);

		problem_write(out, NULL, &problem, lang);
	}
	out_end(out);
	json_decref(list);
}

static void csv_problem(struct csv_write *out, const struct problem *problem, enum lang lang)
{
	char column[8];
	char cell[24] = "";

	column_name(problem->place.column, column);
	if (problem->place.row > 0 && problem->place.column > 0)
		snprintf(cell, sizeof cell, "%s%d", column, problem->place.row);
	csv_text(out, problem_severity_name(problem->severity));
	csv_text(out, problem->place.sheet);
	csv_text(out, cell);
	csv_integer(out, problem->place.row);
	csv_text(out, column);
	csv_text(out, problem->code);
	csv_text(out, problem->value);
	csv_text(out, text_in(problem->message, lang));
	csv_text(out, text_in(problem->hint, lang));
	csv_end_row(out);
}

void sheet_problems_csv(struct buf *out, struct arena *arena, const char *kept, enum lang lang)
{
	static const struct text columns[] = {
	    {"severity", "级别"}, {"sheet", "工作表"}, {"cell", "单元格"},
	    {"row", "行"},        {"column", "列"},    {"code", "代码"},
	    {"value", "原值"},    {"message", "问题"}, {"hint", "建议"},
	};
	struct csv_write csv = csv_write_to(out);
	json_t *list = json_loads(kept, 0, NULL);
	size_t index;
	json_t *object;

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		csv_text(&csv, text_in(columns[i], lang));
	csv_end_row(&csv);
	json_array_foreach(list, index, object)
	{
		struct problem problem = read_problem(arena, object);

		csv_problem(&csv, &problem, lang);
	}
	json_decref(list);
}
