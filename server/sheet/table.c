/* table.c - see table.h. */
#include "sheet/table.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/limits.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"

#define HEADING_LOOKUPS_MAX 30000 /* cells of a worksheet without a number in their row */
#define HEADER_LINES_MAX 3
#define HEADER_TEXT_MAX 240 /* bytes of one heading */
#define AMOUNT_TEXT_MAX 60

struct finder {
	struct arena *arena;
	const struct words *words;
	const struct grid *grid;
	int *lookups; /* how many cells may still be looked up as headings */
};

/* What the texts of one row are. */
struct score {
	int texts;
	int names;      /* cells that name a column */
	int numbers;    /* 1 when a cell holds a number or a date */
	int prices;     /* cells that name a price */
	int cities;     /* cells that are a city and nothing else */
	bool thing;     /* one names what is priced */
	bool place;     /* one is 城市 or 机房 */
	bool statement; /* one says something by itself: "单位：元" */
};

/* "62,000元/台/月", "¥7600", "约7.6万": a number with its currency or scale, as data rows have. */
static bool is_amount(const struct finder *in, const char *cell)
{
	if (strlen(cell) > AMOUNT_TEXT_MAX || strpbrk(cell, "0123456789") == NULL)
		return false;
	const char *text = norm_text(in->arena, cell);
	const struct word *word = words_start(in->words, "approx", text);

	text += word == NULL ? 0 : word->length;
	word = words_start(in->words, "currency", text);
	text += word == NULL ? 0 : word->length;
	text += strspn(text, " ");
	size_t digits = strspn(text, "0123456789.,");
	const char *after = text + digits + strspn(text + digits, " ");

	if (digits == 0 || *text < '0' || *text > '9')
		return false;
	return word != NULL || words_start(in->words, "scale", after) != NULL ||
	       words_start(in->words, "currency", after) != NULL ||
	       (*after == '/' && (after[1] < '0' || after[1] > '9'));
}

static bool names_thing(enum role role)
{
	return role == ROLE_CARD || role == ROLE_PRODUCT || role == ROLE_CONFIG ||
	       role == ROLE_CITY || role == ROLE_SITE || role == ROLE_LINE ||
	       role == ROLE_CABINET_POWER || role == ROLE_TERM;
}

/* "Valid until 2026-12-31": a heading names no day. */
static bool names_day(const char *text)
{
	struct date first;
	struct date last;

	for (; (text = strstr(text, "20")) != NULL; text++)
		if (date_text_start(text, &first, &last) > 0 && first.days == last.days)
			return true;
	return false;
}

static struct score score_row(const struct finder *in, const struct grid_row *row)
{
	struct score score = {0};

	/* Data rows nearly always hold a number: no word of theirs is looked up. */
	for (int i = 0; i < row->count && score.numbers == 0; i++)
		score.numbers += row->cells[i].kind != CELL_TEXT ||
		                 norm_is_number(row->cells[i].text) ||
		                 is_amount(in, row->cells[i].text);
	if (score.numbers > 0 || *in->lookups <= 0)
		return score;
	*in->lookups -= row->count;
	for (int i = 0; i < row->count; i++) {
		const struct cell *cell = &row->cells[i];

		score.texts++;
		score.cities += is_city(in->words, norm_text(in->arena, cell->text));
		score.statement =
		    score.statement || names_day(cell->text) ||
		    words_start(in->words, "statement", norm_text(in->arena, cell->text)) != NULL;
		enum role role = heading_role(in->arena, in->words, cell->text);

		/* "坪山样例机房" ends like a heading but is a place. */
		if (role == ROLE_NONE ||
		    ((role == ROLE_SITE || role == ROLE_CITY) &&
		     words_find(in->words, "city", norm_text(in->arena, cell->text), NULL) != NULL))
			continue;
		score.names++;
		score.prices +=
		    role == ROLE_PRICE || role == ROLE_AMOUNT || role == ROLE_LIST_PRICE;
		score.thing = score.thing || names_thing(role);
		score.place = score.place || role == ROLE_CITY || role == ROLE_SITE;
	}
	/* 型号 | 深圳 | 东莞 heads a column of prices for each; 城市 | 深圳 | 东莞 is a row of
	 * cities. */
	if (score.cities >= 2 && !score.place) {
		score.names += score.cities;
		score.prices += score.cities;
	}
	return score;
}

static bool may_head(const struct score *score)
{
	return score->numbers == 0 && score->names >= 2 && score->names * 2 >= score->texts;
}

/* Whether some cell of ROW is merged over several columns but not over the whole row. */
static bool has_groups(const struct finder *in, const struct grid_row *row)
{
	for (int i = 0; i < row->count; i++) {
		const struct merge *merge = grid_merge(in->grid, row->number, row->cells[i].column);

		if (merge != NULL && merge->right > merge->left && row->count > 1)
			return true;
	}
	return false;
}

/* Whether every cell of ROW is a unit and nothing else, one of them with a currency: 张, 元/台/月.
 */
static bool all_units(const struct finder *in, const struct grid_row *row)
{
	bool currency = false;

	for (int i = 0; i < row->count; i++) {
		const char *text = norm_text(in->arena, row->cells[i].text);
		struct unit_reading unit;
		bool whole = unit_text_read(in->words, text, &unit) == strlen(text);

		currency = currency || (whole && unit.amount_known);
		text = arena_printf(in->arena, "/%s", text);
		if (!whole && unit_text_read(in->words, text, &unit) != strlen(text))
			return false;
	}
	return currency;
}

/* Whether LOWER, the row right below UPPER, is one more line of the same header. */
static bool continues(const struct finder *in, const struct grid_row *upper,
                      const struct grid_row *lower)
{
	struct score score = score_row(in, lower);
	int below_gap = 0;

	if (lower->number != upper->number + 1 || score.numbers > 0)
		return false;
	if (all_units(in, lower))
		return true;
	if (score.names == 0)
		return false;
	for (int i = 0; i < lower->count; i++) {
		int column = lower->cells[i].column;
		const struct merge *merge = grid_merge(in->grid, upper->number, column);

		below_gap += row_cell(upper, column) == NULL ||
		             (merge != NULL && merge->right > merge->left);
	}
	/* Data under a complete header has a text for nearly every heading. */
	bool all_names = score.names == score.texts;

	/* A line of units below the names: "元/卡/月". */
	if (all_names && score.prices == score.texts && score.texts < upper->count)
		return true;
	return all_names && (below_gap > 0 || has_groups(in, upper)) && score.texts < 40;
}

/* How many lines a header that begins at row I has; 0 = none begins there. */
static size_t header_lines(const struct finder *in, size_t i)
{
	const struct grid *grid = in->grid;
	struct score score = score_row(in, &grid->rows[i]);
	bool head = may_head(&score);
	bool price = score.prices > 0;
	bool thing = score.thing;
	size_t lines = 1;

	if (grid->rows[i].hidden || score.numbers > 0 || score.texts == 0 || score.statement)
		return 0;
	/* A line of group titles above the real names. */
	if (!head && (score.texts < 2 || !has_groups(in, &grid->rows[i])))
		return 0;
	while (lines < HEADER_LINES_MAX && i + lines < grid->row_count &&
	       continues(in, &grid->rows[i + lines - 1], &grid->rows[i + lines])) {
		struct score next = score_row(in, &grid->rows[i + lines]);

		head = head || may_head(&next);
		price = price || next.prices > 0;
		thing = thing || next.thing;
		lines++;
	}
	return head && price && (thing || grid->turned) ? lines : 0;
}

/* The text that stands over COLUMN in one header line: its own, or that of its merged range. */
static const char *heading_at(const struct finder *in, const struct grid_row *row, int column)
{
	const struct merge *merge = grid_merge(in->grid, row->number, column);

	if (merge != NULL)
		return row_text(grid_row(in->grid, merge->top), merge->left);
	return row_text(row, column);
}

/* A group title whose merge was lost stands to the left, over columns without one. */
static const char *group_left_of(const struct grid_row *row, const struct grid_row *below,
                                 int column)
{
	const char *found = "";
	int from = 0;

	for (int i = 0; i < row->count && row->cells[i].column < column; i++) {
		found = row->cells[i].text;
		from = row->cells[i].column;
	}
	/* Its own column and all between must have a line below it, too. */
	for (int c = from; from > 0 && c <= column; c++)
		if (*row_text(below, c) == '\0')
			return "";
	return found;
}

static void read_column(const struct finder *in, const struct table *table, int number,
                        struct column *column)
{
	const struct grid_row *rows = &in->grid->rows[table->header];
	size_t lines = table->body - table->header;
	const char *parts[HEADER_LINES_MAX];
	size_t count = 0;

	for (size_t line = 0; line < lines && line < HEADER_LINES_MAX; line++) {
		const char *text = heading_at(in, &rows[line], number);

		if (*text == '\0' && line + 1 < lines && *row_text(&rows[line + 1], number) != '\0')
			text = group_left_of(&rows[line], &rows[line + 1], number);
		if (*text == '\0' || strlen(text) > HEADER_TEXT_MAX ||
		    (count > 0 && strcmp(parts[count - 1], text) == 0))
			continue;
		parts[count++] = text;
	}
	column->column = number;
	column->hidden = grid_column_hidden(in->grid, number);
	column->heading = column->norm = "";
	if (count == 0)
		return;
	const char *group = "";

	for (size_t i = 0; i + 1 < count; i++)
		group = arena_printf(in->arena, "%s%s%s", group, i > 0 ? " " : "", parts[i]);
	header_read(in->arena, in->words, group, parts[count - 1], column);
}

static bool is_price(const struct column *column)
{
	return column->role == ROLE_PRICE && !column->hidden;
}

void table_settle_columns(struct table *table)
{
	bool has_price = false;
	bool has_other = false;
	bool has_sum = false;

	for (int i = 0; i < table->column_count; i++) {
		has_price = has_price || is_price(&table->columns[i]);
		has_sum = has_sum || table->columns[i].role == ROLE_LIST_PRICE ||
		          table->columns[i].role == ROLE_AMOUNT;
		has_other =
		    has_other || (is_price(&table->columns[i]) && !table->columns[i].only_city);
	}
	for (int i = 0; i < table->column_count; i++) {
		struct column *column = &table->columns[i];

		if (has_other && column->only_city)
			column->role = ROLE_NONE;
		if (!has_other && column->role == ROLE_NONE && column->only_city)
			column->role = ROLE_PRICE;
		if (!has_price && (column->role == ROLE_LIST_PRICE || column->role == ROLE_AMOUNT ||
		                   (column->role == ROLE_CONVERTED && !has_sum))) {
			column->listed = column->role == ROLE_LIST_PRICE;
			column->role = ROLE_PRICE;
		}
	}
}

static void read_columns(const struct finder *in, struct table *table)
{
	const struct grid_row *rows = &in->grid->rows[table->header];
	size_t lines = table->body - table->header;
	int last = 0;

	for (size_t line = 0; line < lines; line++) {
		const struct grid_row *row = &rows[line];
		const struct cell *cell = row->count > 0 ? &row->cells[row->count - 1] : NULL;
		const struct merge *merge =
		    cell == NULL ? NULL : grid_merge(in->grid, row->number, cell->column);
		int right = cell == NULL ? 0 : merge == NULL ? cell->column : merge->right;

		last = right > last ? right : last;
	}
	last = last > SHEET_COLUMNS_MAX ? SHEET_COLUMNS_MAX : last;
	table->columns = arena_array(in->arena, struct column, (size_t)last);
	for (int number = 1; number <= last; number++) {
		struct column *column = &table->columns[table->column_count];

		read_column(in, table, number, column);
		table->column_count += *column->heading != '\0';
	}
}

static bool is_single_text(const struct grid_row *row)
{
	return row->count == 1 && row->cells[0].kind == CELL_TEXT;
}

/* The titles right above a later header belong to it: single texts without a gap. */
static size_t title_start(const struct finder *in, size_t header, size_t least)
{
	size_t start = header;

	while (start > least && is_single_text(&in->grid->rows[start - 1]) &&
	       in->grid->rows[start - 1].number + 1 == in->grid->rows[start].number &&
	       words_start(in->words, "note",
	                   norm_text(in->arena, in->grid->rows[start - 1].cells[0].text)) == NULL)
		start--;
	return start;
}

/* Where the columns from FIRST on begin a table of their own: behind a gap, priced again. */
static int second_table(const struct table *table, int first)
{
	bool before = false;

	for (int i = first; i + 1 < table->column_count; i++) {
		bool after = false;

		before = before || table->columns[i].role == ROLE_PRICE;
		if (table->columns[i + 1].column == table->columns[i].column + 1)
			continue;
		for (int j = i + 1; j < table->column_count; j++)
			after = after || table->columns[j].role == ROLE_PRICE;
		if (before && after && names_thing(table->columns[i + 1].role))
			return i + 1;
	}
	return table->column_count;
}

/* Two tables side by side share their rows; each gets its own columns. */
static void add_tables(const struct finder *in, struct tables *tables, size_t *capacity,
                       const struct table *table)
{
	for (int first = 0; first < table->column_count;) {
		int end = second_table(table, first);
		struct table part = *table;

		part.columns += first;
		part.column_count = end - first;
		part.beside = part.column_count < table->column_count;
		table_settle_columns(&part);
		tables->items = arena_grow(in->arena, tables->items, tables->count, capacity,
		                           sizeof *tables->items);
		tables->items[tables->count++] = part;
		first = end;
	}
}

struct tables tables_find(struct arena *arena, const struct words *words, const struct grid *grid)
{
	int lookups = HEADING_LOOKUPS_MAX;
	struct finder in = {.arena = arena, .words = words, .grid = grid, .lookups = &lookups};
	struct tables tables = {0};
	size_t capacity = 0;

	for (size_t i = 0; i < grid->row_count && tables.count <= SHEET_TABLES_MAX; i++) {
		size_t lines = header_lines(&in, i);

		if (lines == 0)
			continue;
		struct table table = {.grid = grid,
		                      .above_end = i,
		                      .header = i,
		                      .body = i + lines,
		                      .end = grid->row_count,
		                      .header_row = grid->rows[i + lines - 1].number};

		if (tables.count > 0)
			table.above = title_start(&in, i, tables.items[tables.count - 1].body);
		for (size_t t = tables.count; t > 0 && tables.items[t - 1].end > table.above; t--)
			tables.items[t - 1].end = table.above;
		read_columns(&in, &table);
		add_tables(&in, &tables, &capacity, &table);
		i += lines - 1;
	}
	return tables;
}

const struct column *table_column(const struct table *table, enum role role)
{
	for (int i = 0; i < table->column_count; i++)
		if (table->columns[i].role == role && !table->columns[i].hidden)
			return &table->columns[i];
	return NULL;
}
