/* table.c - see table.h. */
#include "api/table.h"

#include "api/reply.h"
#include "base/arena.h"

void table_begin(struct table *out, enum table_format format)
{
	*out = (struct table){.format = format};
	if (format == TABLE_CSV)
		out->csv = csv_write_to(&out->text);
	else
		out->book = xlsx_write_begin();
}

void table_text(struct table *out, const char *text)
{
	if (out->format == TABLE_CSV)
		csv_text(&out->csv, text);
	else
		xlsx_text(&out->book, text);
}

void table_number(struct table *out, const char *decimal)
{
	if (out->format == TABLE_CSV)
		csv_number(&out->csv, decimal);
	else
		xlsx_number(&out->book, decimal);
}

void table_empty(struct table *out)
{
	table_number(out, NULL);
}

void table_known(struct table *out, int64_t value)
{
	if (value <= 0)
		table_empty(out);
	else if (out->format == TABLE_CSV)
		csv_integer(&out->csv, value);
	else
		xlsx_integer(&out->book, value);
}

void table_date(struct table *out, struct date date)
{
	char text[11];

	if (date_is_none(date)) {
		table_empty(out);
		return;
	}
	date_format(date, text);
	table_text(out, text);
}

void table_end_row(struct table *out)
{
	if (out->format == TABLE_CSV)
		csv_end_row(&out->csv);
	else
		xlsx_end_row(&out->book);
}

struct answer *table_answer(struct request *rq, struct table *out, const char *name)
{
	bool workbook = out->format == TABLE_XLSX;
	struct buf file = {0};

	if (workbook && !xlsx_write_finish(&out->book, name, &file))
		return answer_problem(rq, 500, "workbook_failed",
		                      "the workbook could not be made; CSV has no limit of rows",
		                      "无法生成工作簿；CSV 不限行数");
	struct answer *answer = reply_tagged_bytes(
	    rq, workbook ? XLSX_TYPE : "text/csv; charset=utf-8", workbook ? &file : &out->text);

	return answer_header(answer, "Content-Disposition",
	                     arena_printf(rq->arena, "attachment; filename=\"%s.%s\"", name,
	                                  workbook ? "xlsx" : "csv"));
}
