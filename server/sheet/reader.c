/* reader.c - see reader.h. */
#include "sheet/reader.h"

#include "base/arena.h"
#include "sheet/limits.h"

void reader_report(struct reader *reader, enum problem_severity severity, const char *code,
                   struct place place, const char *value, struct text message, struct text hint)
{
	struct problems *problems = &reader->out->problems;

	if (problems->count >= SHEET_PROBLEMS_MAX) {
		reader->unlisted++;
		problems->errors += severity == PROBLEM_ERROR;
		reader->unlisted_error = reader->unlisted_error || severity == PROBLEM_ERROR;
		return;
	}
	problem_add_text(problems, severity, code, place, value, message)->hint = hint;
}

bool reader_lists(const struct reader *reader)
{
	return reader->out->problems.count < SHEET_PROBLEMS_MAX;
}

void reader_add_offer(struct reader *reader, const struct offer *offer, struct text understood)
{
	struct sheet *out = reader->out;
	size_t capacity = reader->offer_capacity;

	if (out->offer_count == SHEET_OFFERS_MAX) {
		if (!reader->offers_full)
			reader_report(reader, PROBLEM_ERROR, "too_large",
			              (struct place){.sheet = offer->sheet_name, .row = offer->row},
			              NULL,
			              text_printf(reader->arena, "a sheet may have %d offers",
			                          "一份报价单最多 %d 条报价", SHEET_OFFERS_MAX),
			              TEXT("split the sheet", "请拆分报价单"));
		reader->offers_full = true;
		return;
	}
	out->offers = arena_grow(reader->arena, out->offers, out->offer_count, &capacity,
	                         sizeof *out->offers);
	out->understood = arena_grow(reader->arena, out->understood, out->offer_count,
	                             &reader->offer_capacity, sizeof *out->understood);
	out->offers[out->offer_count] = *offer;
	out->understood[out->offer_count++] = understood;
}

void reader_add_table(struct reader *reader, const struct sheet_table *table)
{
	struct sheet *out = reader->out;

	out->tables = arena_grow(reader->arena, out->tables, out->table_count,
	                         &reader->table_capacity, sizeof *out->tables);
	out->tables[out->table_count++] = *table;
}

void reader_finish(struct reader *reader)
{
	if (reader->unlisted == 0)
		return;
	problem_add(&reader->out->problems,
	            reader->unlisted_error ? PROBLEM_ERROR : PROBLEM_WARNING, "too_many_problems",
	            (struct place){0}, NULL, "%zu more problems are not listed",
	            "另有 %zu 个问题未列出", reader->unlisted)
	    ->hint = TEXT("correct the listed ones first", "请先修正已列出的问题");
}
