/* rows_said.c - what many rows have in common is said once; see row.h. */
#include "sheet/row.h"

#include "base/arena.h"

#define NUMBERS_MAX 20 /* rows that are listed */

void rows_add(struct rows_said *rows, const struct row_view *view, const struct column *column,
              const char *value)
{
	struct arena *arena = view->reader->keep;

	/* Of a turned table the rows are columns: the first is told of. */
	if (rows->last == view->row->number || (view->table->grid->turned && rows->count > 0))
		return;
	rows->last = view->row->number;
	if (rows->count++ == 0) {
		rows->first = view_place(view, column);
		rows->value = value;
		rows->numbers = arena_printf(arena, "%d", view->row->number);
	} else if (rows->count <= NUMBERS_MAX) {
		rows->numbers = arena_printf(arena, "%s, %d", rows->numbers, view->row->number);
	}
}

static void say_rows(struct reader *reader, const char *code, const struct rows_said *rows,
                     struct text what, struct text hint)
{
	const char *more = rows->count > NUMBERS_MAX ? ", …" : "";
	struct text message = what;

	if (rows->count == 0)
		return;
	if (rows->count > 1) {
		message.en = arena_printf(reader->arena, "%s (%zu rows: %s%s)", what.en,
		                          rows->count, rows->numbers, more);
		message.zh = arena_printf(reader->arena, "%s（共 %zu 行：%s%s）", what.zh,
		                          rows->count, rows->numbers, more);
	}
	reader_report(reader, PROBLEM_WARNING, code, rows->first, rows->value, message, hint);
}

void rows_report(struct reader *reader, const struct carry *carry)
{
	say_rows(reader, "unknown_city", &carry->cityless, TEXT("no city is named", "没有写城市"),
	         TEXT("fill in the city", "请填写城市"));
	say_rows(reader, "currency_assumed", &carry->no_currency,
	         TEXT("no currency is named; it was taken for CNY", "没有写币种，按人民币读取"),
	         TEXT("write 元 in the unit", "请在单位中写明“元”"));
}
