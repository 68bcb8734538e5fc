/* sheet.c - see sheet.h. */
#include "sheet/sheet.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/charset.h"
#include "sheet/delimited.h"
#include "sheet/finish.h"
#include "sheet/json_sheet.h"
#include "sheet/limits.h"
#include "sheet/row.h"
#include "sheet/turn.h"
#include "sheet/xlsx.h"

/* ---- what the bytes are ---- */

enum bytes_kind { BYTES_TEXT, BYTES_ZIP, BYTES_OLE, BYTES_OTHER };

static bool starts_with(const void *bytes, size_t size, const char *mark, size_t length)
{
	return size >= length && memcmp(bytes, mark, length) == 0;
}

static enum bytes_kind kind_of(const void *bytes, size_t size)
{
	static const struct {
		const char *mark;
		size_t length;
	} others[] = {{"%PDF", 4}, {"\x89PNG", 4},    {"\xff\xd8\xff", 3}, {"GIF8", 4},
	              {"Rar!", 4}, {"7z\xbc\xaf", 4}, {"\x1f\x8b", 2},     {"{\\rtf", 5}};

	if (starts_with(bytes, size, "PK\x03\x04", 4) || starts_with(bytes, size, "PK\x05\x06", 4))
		return BYTES_ZIP;
	if (starts_with(bytes, size, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8))
		return BYTES_OLE;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (starts_with(bytes, size, others[i].mark, others[i].length))
			return BYTES_OTHER;
	return BYTES_TEXT;
}

/* The streams of an encrypted package have UTF-16 names inside the OLE container. */
static bool holds_encryption(const char *bytes, size_t size)
{
	static const char name[] = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e";

	return memmem(bytes, size, name, sizeof name) != NULL;
}

static void refuse(struct reader *reader, const char *code, struct text message, struct text hint)
{
	reader_report(reader, PROBLEM_ERROR, code, (struct place){0}, NULL, message, hint);
}

static void refuse_ole(struct reader *reader, const char *bytes, size_t size)
{
	if (holds_encryption(bytes, size))
		refuse(reader, "unsupported",
		       TEXT("the workbook is protected by a password", "工作簿设有打开密码"),
		       TEXT("save it without a password", "请取消密码后重新保存"));
	else
		refuse(
		    reader, "unsupported",
		    TEXT("this is an old binary .xls (or .et, .doc) file, whatever its name says",
		         "这是旧版二进制 .xls（或 .et、.doc）文件，与扩展名无关"),
		    TEXT("open it and save it as .xlsx or .csv", "请打开后另存为 .xlsx 或 .csv"));
}

/* ---- a grid ---- */

static void report_hidden(struct reader *reader, const struct table *table)
{
	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (column->hidden && table->grid->turned)
			reader_report(
			    reader, PROBLEM_SKIPPED, "hidden_row",
			    (struct place){.sheet = table->grid->name, .row = column->column},
			    column->heading, TEXT("a hidden row is not read", "隐藏行不读取"),
			    (struct text){0});
		else if (column->hidden)
			reader_report(
			    reader, PROBLEM_SKIPPED, "hidden_column",
			    (struct place){.sheet = table->grid->name, .column = column->column},
			    column->heading, TEXT("a hidden column is not read", "隐藏列不读取"),
			    (struct text){0});
	}
}

static void show_table(struct reader *reader, const struct table *table)
{
	bool turned = table->grid->turned;
	struct sheet_table shown = {.sheet = table->grid->name,
	                            .turned = turned,
	                            .header_row =
	                                turned ? table->columns[0].column : table->header_row};

	shown.columns =
	    arena_array(reader->arena, struct sheet_column, (size_t)table->column_count + 1);
	for (int i = 0; i < table->column_count; i++)
		shown.columns[shown.column_count++] = (struct sheet_column){
		    .column = table->columns[i].column,
		    .heading = table->columns[i].heading,
		    .meaning = column_meaning(reader->arena, &table->columns[i])};
	reader_add_table(reader, &shown);
}

/* Under merged labels a row of offers may have two cells, too. */
static bool has_price(const struct table *table, const struct grid_row *row)
{
	for (int i = 0; i < table->column_count; i++)
		if (table->columns[i].role == ROLE_PRICE &&
		    row_cell(row, table->columns[i].column) != NULL &&
		    table->columns[i].column != row->cells[0].column)
			return true;
	return false;
}

/* Notes below the table may say what nothing above it says. */
static void read_notes(struct reader *reader, const struct table *table, struct context *context)
{
	for (size_t i = table->body; i < table->end; i++) {
		const struct grid_row *row = &table->grid->rows[i];

		if (row->hidden || row->count > 2 || row->cells[0].kind != CELL_TEXT ||
		    has_price(table, row))
			continue;
		for (int c = 0; c < row->count; c++)
			if (row->cells[c].kind == CELL_TEXT)
				context_line(reader->arena, reader->words, row->cells[c].text,
				             context);
	}
}

/* The header printed again, as on the next page of a printout. */
static bool same_header(const struct table *a, const struct table *b)
{
	if (a->column_count != b->column_count)
		return false;
	for (int i = 0; i < a->column_count; i++)
		if (strcmp(a->columns[i].heading, b->columns[i].heading) != 0)
			return false;
	return true;
}

static void read_table(struct reader *reader, struct table *table, const struct context *general,
                       struct context *own)
{
	struct carry carry = {0};
	const char *corner = table_settle_names(reader, table);

	*own = context_of(reader->arena, reader->words, table, general);
	struct context whole = *own;

	if (corner != NULL)
		context_line(reader->arena, reader->words, corner, &whole);
	read_notes(reader, table, &whole);
	show_table(reader, table);
	report_hidden(reader, table);
	reader_rows_begin(reader);
	for (size_t i = table->body; i < table->end && !reader_gives_up(reader); i++) {
		struct row_view view = {.reader = reader,
		                        .table = table,
		                        .context = &whole,
		                        .row = &table->grid->rows[i],
		                        .carry = &carry};

		row_read(&view);
		reader_row_done(reader);
	}
	reader_rows_end(reader);
	rows_report(reader, &carry);
}

#define NOTES_MAX 20 /* rows of a worksheet without a table that are listed */

/* A sheet of notes: nothing in it is lost silently. */
static void report_notes(struct reader *reader, const struct grid *grid)
{
	for (size_t i = 0; i < grid->row_count && i < NOTES_MAX; i++)
		reader_report(reader, PROBLEM_SKIPPED, "note_row",
		              (struct place){.sheet = grid->name, .row = grid->rows[i].number},
		              grid->rows[i].cells[0].text,
		              TEXT("no table was found here", "这里没有找到表格"),
		              (struct text){0});
}

/* The tables of GRID, as they stand or, where that makes none, turned. */
static struct tables tables_of(struct reader *reader, const struct grid *grid)
{
	struct tables tables = tables_find(reader->arena, reader->words, grid);
	struct grid *turned = arena_new(reader->arena, struct grid);

	if (!may_be_turned(reader->arena, reader->words, grid, &tables) ||
	    !grid_turn(reader->arena, grid, turned))
		return tables;
	struct tables sideways = tables_find(reader->arena, reader->words, turned);

	return sideways.count > 0 ? sideways : tables;
}

static void report_many_tables(struct reader *reader, const struct grid *grid)
{
	reader_report(
	    reader, PROBLEM_ERROR, "too_large", (struct place){.sheet = grid->name}, NULL,
	    text_printf(reader->arena, "the file has more than %d tables", "文件里的表格超过 %d 个",
	                SHEET_TABLES_MAX),
	    TEXT("write one header, and the rows below it", "请只写一个表头，数据写在其下"));
}

static void read_grid(struct reader *reader, const struct grid *grid)
{
	if (grid->hidden) {
		reader_report(reader, PROBLEM_SKIPPED, "hidden_sheet",
		              (struct place){.sheet = grid->name}, grid->name,
		              TEXT("a hidden worksheet is not read", "隐藏工作表不读取"),
		              (struct text){0});
		return;
	}
	struct tables tables = tables_of(reader, grid);
	struct context general = context_nothing();

	if (reader->out->table_count + tables.count > SHEET_TABLES_MAX) {
		report_many_tables(reader, grid);
		return;
	}

	if (tables.count == 0)
		report_notes(reader, grid);
	for (size_t i = 0; i < tables.count; i++) {
		struct context own;
		bool again = i > 0 && same_header(&tables.items[i], &tables.items[i - 1]);

		if (again) {
			tables.items[i].again = tables.items[i].above;
			tables.items[i].again_end = tables.items[i].above_end;
			tables.items[i].above = tables.items[i - 1].above;
			tables.items[i].above_end = tables.items[i - 1].above_end;
		}
		read_table(reader, &tables.items[i], i == 0 ? NULL : &general, &own);
		if (i == 0)
			general = own;
	}
}

/* ---- the formats ---- */

static void read_workbook(struct reader *reader, const struct workbook *workbook)
{
	size_t shown = 0;

	for (size_t i = 0; i < workbook->count; i++)
		shown += !workbook->grids[i].hidden;
	reader->several_sheets = shown > 1;
	for (size_t i = 0; i < workbook->count && !reader_gives_up(reader); i++)
		read_grid(reader, &workbook->grids[i]);
	offers_settle(reader);
}

static bool looks_like_json(const struct charset_text *text)
{
	size_t at = 0;

	while (at < text->size && strchr(" \t\r\n", text->text[at]) != NULL)
		at++;
	return at < text->size && (text->text[at] == '{' || text->text[at] == '[');
}

static void read_text(struct reader *reader, const char *bytes, size_t size)
{
	struct charset_text text;
	struct workbook workbook;

	reader->out->format = "csv";
	if (!charset_decode(reader->arena, bytes, size, &text)) {
		reader->out->format = "unknown";
		refuse(
		    reader, "damaged",
		    text_printf(reader->arena,
		                "the bytes are no text in UTF-8, GB18030 or UTF-16 (at byte %zu)",
		                "文件不是 UTF-8、GB18030 或 UTF-16 文本（第 %zu 字节）",
		                text.bad_offset),
		    TEXT("save the sheet as .xlsx or as CSV in UTF-8",
		         "请另存为 .xlsx 或 UTF-8 编码的 CSV"));
		return;
	}
	reader->out->encoding = text.encoding;
	if (looks_like_json(&text)) {
		reader->out->format = "json";
		json_sheet_read(reader, text.text, text.size);
		offers_settle(reader);
		return;
	}
	if (delimited_read(reader->arena, text.text, text.size, &reader->out->problems, &workbook))
		read_workbook(reader, &workbook);
}

static void read_zip(struct reader *reader, const void *bytes, size_t size)
{
	struct workbook workbook;

	reader->out->format = "xlsx";
	if (xlsx_read(reader->arena, bytes, size, &reader->out->problems, &workbook))
		read_workbook(reader, &workbook);
}

static void read_bytes(struct reader *reader, const void *bytes, size_t size)
{
	if (size == 0) {
		refuse(reader, "empty", TEXT("the file is empty", "文件是空的"),
		       TEXT("choose the sheet again", "请重新选择文件"));
		return;
	}
	if (size > SHEET_BYTES_MAX) {
		refuse(reader, "too_large",
		       text_printf(reader->arena, "the file is larger than %zu MiB",
		                   "文件超过 %zu MiB", SHEET_BYTES_MAX >> 20),
		       TEXT("remove pictures, or split the sheet", "请删除图片或拆分报价单"));
		return;
	}
	switch (kind_of(bytes, size)) {
	case BYTES_TEXT:
		read_text(reader, bytes, size);
		return;
	case BYTES_ZIP:
		read_zip(reader, bytes, size);
		return;
	case BYTES_OLE:
		refuse_ole(reader, bytes, size);
		return;
	case BYTES_OTHER:
		refuse(reader, "unsupported",
		       TEXT("this is no spreadsheet: a picture, PDF or archive",
		            "这不是表格文件（图片、PDF 或压缩包）"),
		       TEXT("send .xlsx, .csv or JSON", "请上传 .xlsx、.csv 或 JSON"));
		return;
	}
}

void sheet_read(struct arena *arena, const void *bytes, size_t size, const char *filename,
                const struct sheet_options *options, struct sheet *out)
{
	const struct words *words = words_baked(arena);
	struct reader reader = {.arena = arena,
	                        .keep = arena,
	                        .words = words,
	                        .cards = card_index_new(arena, options->cards, words),
	                        .bands = bands_baked(arena),
	                        .options = options,
	                        .out = out};

	*out = (struct sheet){.format = "unknown"};
	problems_init(&out->problems, arena);
	read_bytes(&reader, bytes, size);
	if (out->offer_count == 0 && out->problems.errors == 0)
		reader_report(
		    &reader, PROBLEM_ERROR, "no_offers", (struct place){.sheet = filename}, NULL,
		    out->table_count == 0
			? TEXT("no table with a price column was found", "没有找到带价格列的表格")
			: TEXT("the tables hold no offer", "表格里没有报价"),
		    TEXT("start from the template", "请参考模板填写"));
	reader_finish(&reader);
	out->accepted = out->offer_count > 0 && out->problems.errors == 0;
}
