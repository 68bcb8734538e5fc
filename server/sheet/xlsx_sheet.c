/* xlsx_sheet.c - see xlsx_sheet.h. */
#include "sheet/xlsx_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "sheet/date_text.h"
#include "sheet/limits.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"

struct reading {
	struct package *package;
	const struct shared *shared;
	struct grid *grid;
	size_t row_capacity;
	size_t cell_capacity;
	size_t merge_capacity;
	struct grid_row row; /* being read; its cells in SCRATCH */
	struct cell *scratch;
	int last_row;
	bool in_row;
	/* The cell being read. */
	int column;
	char type[12];
	long style;
	bool formula;
	bool has_value;
	bool in_value; /* inside <v>, or <t> of an inline string */
	int phonetic;
	struct buf text;
};

static void damaged(struct reading *in)
{
	package_refuse(in->package, "damaged",
	               TEXT("a worksheet is damaged: its rows or cells are out of order",
	                    "工作表已损坏：行或单元格顺序错乱"),
	               TEXT("open it in a spreadsheet program and save it again",
	                    "请用表格软件打开后重新保存"));
}

static void too_large(struct reading *in)
{
	package_refuse(
	    in->package, "too_large",
	    TEXT("the workbook has more rows, columns or cells than a price sheet can need",
	         "工作簿的行、列或单元格过多，不像报价单"),
	    TEXT("copy the price tables into a new workbook", "请把价格表复制到新工作簿"));
}

/* "AB12": column and row; false when TEXT is no reference. */
static bool read_reference(const char *text, int *column, int *row, const char **after)
{
	*column = 0;
	*row = 0;
	text += *text == '$';
	for (; *text >= 'A' && *text <= 'Z' && *column < 100000; text++)
		*column = *column * 26 + (*text - 'A' + 1);
	text += *text == '$';
	for (; *text >= '0' && *text <= '9' && *row < 100000000; text++)
		*row = *row * 10 + (*text - '0');
	*after = text;
	return *column > 0 && *row > 0;
}

/* ---- cells ---- */

static int significant_digits(const char *text)
{
	int digits = 0;

	text += strcspn(text, "123456789");
	for (; *text != '\0' && *text != 'e' && *text != 'E'; text++)
		digits += *text >= '0' && *text <= '9';
	return digits;
}

static bool is_whole(const char *text)
{
	return strpbrk(text, ".eE") == NULL;
}

static struct style style_of(const struct reading *in)
{
	const struct styles *styles = in->shared->styles;

	if (in->style >= 0 && (size_t)in->style < styles->count)
		return styles->items[in->style];
	return (struct style){.shown = SHOWN_NUMBER, .before = "", .after = ""};
}

/* Words that the format shows around the number belong to what people see: 7.6万元/台/月. */
static void show_number(struct reading *in, const struct style *style, struct cell *cell)
{
	struct arena *arena = in->package->arena;
	const char *before = norm_trim(arena, style->before);
	const char *after = norm_trim(arena, style->after);

	cell->kind = CELL_NUMBER;
	if (*before == '\0' && *after == '\0')
		return;
	cell->kind = CELL_TEXT;
	cell->text = *cell->text == '-'
	                 ? arena_printf(arena, "-%s%s%s", before, cell->text + 1, after)
	                 : arena_printf(arena, "%s%s%s", before, cell->text, after);
}

/* Whether TEXT is its own shortest decimal: "8", "4.98"; most numbers of sheets are. */
static bool is_short_decimal(const char *text)
{
	size_t whole = strspn(text, "0123456789");
	const char *point = text + whole;
	size_t part = *point == '.' ? strspn(point + 1, "0123456789") : 0;
	const char *end = point + (*point == '.') + part;

	return *end == '\0' && whole > 0 && whole + part <= 15 && (*text != '0' || whole == 1) &&
	       (*point == '\0' || (part > 0 && part < 6 && end[-1] != '0'));
}

static void number_cell(struct reading *in, const char *text, struct cell *cell)
{
	struct arena *arena = in->package->arena;
	struct style style = style_of(in);
	char *end;

	if (style.shown == SHOWN_NUMBER && is_short_decimal(text)) {
		cell->text = arena_strdup(arena, text);
		show_number(in, &style, cell);
		return;
	}
	double value = strtod(text, &end);
	char day[11];

	if (end == text || *end != '\0' || !isfinite(value)) {
		cell->kind = CELL_ERROR;
		cell->text = arena_strdup(arena, text);
		return;
	}
	cell->text = number_text_shortest(arena, value);
	cell->long_number = is_whole(text) && significant_digits(text) > 15;
	if (style.shown == SHOWN_PERCENT) {
		cell->kind = CELL_PERCENT;
	} else if (style.shown == SHOWN_DATE &&
	           date_from_serial(value, in->shared->date1904, &cell->date)) {
		cell->kind = CELL_DATE;
		date_format(cell->date, day);
		cell->text = arena_strdup(arena, day);
	} else {
		show_number(in, &style, cell);
	}
}

static void shared_cell(struct reading *in, const char *text, struct cell *cell)
{
	char *end;
	long index = strtol(text, &end, 10);

	cell->kind = CELL_TEXT;
	if (end == text || *end != '\0' || index < 0 || (size_t)index >= in->shared->strings->count)
		damaged(in);
	else
		cell->text = in->shared->strings->items[index];
}

static void iso_date_cell(struct reading *in, const char *text, struct cell *cell)
{
	struct date_reading day = date_text_read(in->package->arena, text);

	cell->kind = day.kind == DATE_TEXT_DAY ? CELL_DATE : CELL_TEXT;
	cell->date = day.from;
	cell->text = arena_strdup(in->package->arena, text);
}

static void typed_cell(struct reading *in, struct cell *cell)
{
	const char *text = buf_text(&in->text);

	/* Programs that do not compute write <v/> or nothing. */
	bool valueless = !in->has_value || (in->text.size == 0 && in->type[0] == '\0');

	if (in->formula && valueless) {
		cell->kind = CELL_NO_VALUE;
	} else if (strcmp(in->type, "s") == 0) {
		shared_cell(in, text, cell);
	} else if (strcmp(in->type, "d") == 0) {
		iso_date_cell(in, text, cell);
	} else if (strcmp(in->type, "e") == 0 || strcmp(in->type, "b") == 0) {
		cell->kind = in->type[0] == 'e' ? CELL_ERROR : CELL_BOOL;
		cell->text = arena_strdup(in->package->arena, text);
	} else if (strcmp(in->type, "str") == 0 || strcmp(in->type, "inlineStr") == 0) {
		cell->kind = CELL_TEXT;
		cell->text = package_keep_text(in->package, text, in->text.size);
	} else if (in->text.size > 0) {
		number_cell(in, text, cell);
	}
}

static void end_cell(struct reading *in)
{
	struct cell cell = {
	    .column = (uint16_t)in->column, .kind = CELL_TEXT, .date = DATE_NONE, .text = ""};

	if (!in->has_value && !in->formula)
		return;
	typed_cell(in, &cell);
	if (cell.kind == CELL_TEXT && *norm_trim(in->package->arena, cell.text) == '\0')
		return;
	if (in->column > SHEET_COLUMNS_MAX || ++in->package->cells > in->package->cells_most) {
		too_large(in);
		return;
	}
	in->scratch = arena_grow(in->package->arena, in->scratch, (size_t)in->row.count,
	                         &in->cell_capacity, sizeof cell);
	in->scratch[in->row.count++] = cell;
}

static void start_cell(struct reading *in, const char **attributes)
{
	const char *reference = xml_attribute(attributes, "r");
	const char *type = xml_attribute(attributes, "t");
	const char *style = xml_attribute(attributes, "s");
	const char *after;
	int column = in->column + 1;
	int row;

	if (reference != NULL && (!read_reference(reference, &column, &row, &after) ||
	                          *after != '\0' || row != in->row.number))
		damaged(in);
	if (column <= in->column)
		damaged(in);
	in->column = column;
	in->type[0] = '\0';
	if (type != NULL && strlen(type) < sizeof in->type)
		memcpy(in->type, type, strlen(type) + 1);
	in->style = style == NULL ? -1 : strtol(style, NULL, 10);
	in->formula = in->has_value = in->in_value = false;
	buf_clear(&in->text);
}

/* ---- rows, columns, merged ranges ---- */

static void start_row(struct reading *in, const char **attributes)
{
	const char *number = xml_attribute(attributes, "r");
	const char *height = xml_attribute(attributes, "ht");
	long row = number == NULL ? in->last_row + 1 : strtol(number, NULL, 10);

	if (row <= in->last_row || row > SHEET_ROWS_MAX) {
		damaged(in);
		return;
	}
	in->row = (struct grid_row){.number = (int)row};
	in->row.hidden =
	    xml_flag(attributes, "hidden") || (height != NULL && strtod(height, NULL) <= 0);
	in->last_row = (int)row;
	in->column = 0;
	in->in_row = true;
}

static void end_row(struct reading *in)
{
	in->in_row = false;
	if (in->row.count == 0)
		return;
	in->row.cells = arena_array(in->package->arena, struct cell, (size_t)in->row.count);
	memcpy(in->row.cells, in->scratch, sizeof *in->scratch * (size_t)in->row.count);
	in->grid->rows = arena_grow(in->package->arena, in->grid->rows, in->grid->row_count,
	                            &in->row_capacity, sizeof in->row);
	in->grid->rows[in->grid->row_count++] = in->row;
}

static void read_columns(struct reading *in, const char **attributes)
{
	const char *min = xml_attribute(attributes, "min");
	const char *max = xml_attribute(attributes, "max");
	const char *width = xml_attribute(attributes, "width");
	long from = min == NULL ? 0 : strtol(min, NULL, 10);
	long to = max == NULL ? 0 : strtol(max, NULL, 10);

	if (!xml_flag(attributes, "hidden") && (width == NULL || strtod(width, NULL) > 0))
		return;
	if (in->grid->hidden_columns == NULL)
		in->grid->hidden_columns =
		    arena_array(in->package->arena, bool, SHEET_COLUMNS_MAX + 1);
	for (long c = from < 1 ? 1 : from; c <= to && c <= SHEET_COLUMNS_MAX; c++)
		in->grid->hidden_columns[c] = true;
}

static void read_merge(struct reading *in, const char **attributes)
{
	const char *reference = xml_attribute(attributes, "ref");
	struct merge merge;
	const char *after;

	if (reference == NULL || !read_reference(reference, &merge.left, &merge.top, &after) ||
	    *after != ':' || !read_reference(after + 1, &merge.right, &merge.bottom, &after) ||
	    merge.right < merge.left || merge.bottom < merge.top)
		return;
	if (in->grid->merge_count == SHEET_MERGES_MAX) {
		too_large(in);
		return;
	}
	in->grid->merges = arena_grow(in->package->arena, in->grid->merges, in->grid->merge_count,
	                              &in->merge_capacity, sizeof merge);
	in->grid->merges[in->grid->merge_count++] = merge;
}

/* ---- the part ---- */

static void on_start(void *context, const char *name, const char **attributes)
{
	struct reading *in = context;

	if (strcmp(name, "row") == 0)
		start_row(in, attributes);
	else if (strcmp(name, "c") == 0 && in->in_row)
		start_cell(in, attributes);
	else if (strcmp(name, "f") == 0)
		in->formula = true;
	else if (strcmp(name, "rPh") == 0)
		in->phonetic++;
	else if (strcmp(name, "v") == 0 || (strcmp(name, "t") == 0 && in->phonetic == 0))
		in->in_value = in->has_value = true;
	else if (strcmp(name, "col") == 0)
		read_columns(in, attributes);
	else if (strcmp(name, "mergeCell") == 0)
		read_merge(in, attributes);
}

static void on_end(void *context, const char *name)
{
	struct reading *in = context;

	if (strcmp(name, "v") == 0 || strcmp(name, "t") == 0)
		in->in_value = false;
	else if (strcmp(name, "rPh") == 0)
		in->phonetic--;
	else if (strcmp(name, "c") == 0 && in->in_row)
		end_cell(in);
	else if (strcmp(name, "row") == 0 && in->in_row)
		end_row(in);
}

static void on_text(void *context, const char *text, int length)
{
	struct reading *in = context;

	if (in->in_value && in->in_row && in->text.size + (size_t)length <= SHEET_TEXT_MAX)
		buf_put(&in->text, text, (size_t)length);
}

bool worksheet_read(struct package *package, const char *name, const struct shared *shared,
                    struct grid *grid)
{
	struct reading in = {.package = package, .shared = shared, .grid = grid};
	struct xml_handler handler = {
	    .context = &in, .start = on_start, .end = on_end, .text = on_text};

	grid->knows_merges = true;
	bool read = package_read(package, name, &handler);

	buf_finish(&in.text);
	if (read && !grid_lay_out_merges(package->arena, grid))
		too_large(&in);
	return read && !package->failed;
}
