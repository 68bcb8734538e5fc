/* reader.c - see reader.h. */
#include "sheet/reader.h"

#include "base/arena.h"
#include "sheet/limits.h"

#define ARENA_MOST ((size_t)1 << 20) /* bytes of rows that are done */

void reader_rows_begin(struct reader *reader)
{
	reader->arena = arena_create();
}

void reader_row_done(struct reader *reader)
{
	if (arena_size(reader->arena) < ARENA_MOST)
		return;
	arena_destroy(reader->arena);
	reader->arena = arena_create();
}

void reader_rows_end(struct reader *reader)
{
	arena_destroy(reader->arena);
	reader->arena = reader->keep;
}

static const char *kept(const struct reader *reader, const char *text)
{
	return reader->arena == reader->keep ? text : arena_strdup(reader->keep, text);
}

static struct text kept_text(const struct reader *reader, struct text text)
{
	return (struct text){.en = kept(reader, text.en), .zh = kept(reader, text.zh)};
}

/* What of OFFER was read from the row; the rest are words of the catalogue. */
static void keep_offer(const struct reader *reader, struct offer *offer)
{
	size_t count = (size_t)offer->price_count;
	struct price *prices = arena_array(reader->keep, struct price, count);

	offer->source = kept(reader, offer->source);
	offer->title = kept(reader, offer->title);
	offer->city_name = kept(reader, offer->city_name);
	offer->site = kept(reader, offer->site);
	offer->line = kept(reader, offer->line);
	offer->power_tier = kept(reader, offer->power_tier);
	offer->service_tier = kept(reader, offer->service_tier);
	offer->licences = kept(reader, offer->licences);
	offer->note = kept(reader, offer->note);
	for (size_t i = 0; i < count; i++) {
		prices[i] = offer->prices[i];
		prices[i].as_quoted = kept(reader, prices[i].as_quoted);
		prices[i].unit_text = kept(reader, prices[i].unit_text);
	}
	offer->prices = prices;
}

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
	problem_add_text(problems, severity, code, place, value, kept_text(reader, message))->hint =
	    kept_text(reader, hint);
}

bool reader_lists(const struct reader *reader)
{
	return reader->out->problems.count < SHEET_PROBLEMS_MAX;
}

bool reader_gives_up(const struct reader *reader)
{
	size_t errors = reader->out->problems.errors;

	return errors > SHEET_ERRORS_MAX && errors > reader->out->offer_count;
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
	out->offers =
	    arena_grow(reader->keep, out->offers, out->offer_count, &capacity, sizeof *out->offers);
	out->understood = arena_grow(reader->keep, out->understood, out->offer_count,
	                             &reader->offer_capacity, sizeof *out->understood);
	out->offers[out->offer_count] = *offer;
	keep_offer(reader, &out->offers[out->offer_count]);
	out->understood[out->offer_count++] = kept_text(reader, understood);
}

void reader_add_table(struct reader *reader, const struct sheet_table *table)
{
	struct sheet *out = reader->out;

	out->tables = arena_grow(reader->keep, out->tables, out->table_count,
	                         &reader->table_capacity, sizeof *out->tables);
	out->tables[out->table_count++] = *table;
}

static void report_given_up(struct reader *reader)
{
	reader->out->offer_count = 0;
	problem_add(&reader->out->problems, PROBLEM_ERROR, "too_many_problems", (struct place){0},
	            NULL, "reading stopped after %d errors; the rest of the sheet was not read",
	            "错误超过 %d 处，已停止读取，其余部分未读", SHEET_ERRORS_MAX)
	    ->hint = TEXT("correct what the first ones have in common, e.g. the heading",
	                  "请先修正这些错误的共同原因，例如表头的单位");
}

void reader_finish(struct reader *reader)
{
	if (reader_gives_up(reader)) {
		report_given_up(reader);
		return;
	}
	if (reader->unlisted == 0)
		return;
	problem_add(&reader->out->problems,
	            reader->unlisted_error ? PROBLEM_ERROR : PROBLEM_WARNING, "too_many_problems",
	            (struct place){0}, NULL, "%zu more problems are not listed",
	            "另有 %zu 个问题未列出", reader->unlisted)
	    ->hint = TEXT("correct the listed ones first", "请先修正已列出的问题");
}
