/* price.c - the price cells of a row: number, unit, term, tax, each with its place. */
#include <string.h>

#include "base/arena.h"
#include "sheet/cell_parts.h"
#include "sheet/norm.h"
#include "sheet/price_tax.h"
#include "sheet/price_unit.h"
#include "sheet/row.h"
#include "sheet/side_price.h"

struct prices {
	const struct row_view *view;
	struct offer *offer;
	size_t capacity;
	size_t split_capacity;
	struct split *splits;
	bool main_missing; /* what the row is about has no price: 面议, or faulty */
};

static void report(const struct row_view *view, enum problem_severity severity, const char *code,
                   const struct column *column, const char *value, struct text message,
                   struct text hint)
{
	reader_report(view->reader, severity, code, view_place(view, column), value, message, hint);
}

/* The severity of a warning that belongs to a price that was read. */
static void warn_number(const struct row_view *view, const struct column *column, const char *value,
                        const struct number_reading *number)
{
	if (number->is_range)
		report(
		    view, PROBLEM_WARNING, "range", column, value,
		    TEXT("a range: both ends are kept and the high end is used",
		         "价格区间：两端都保留，按高端计算"),
		    TEXT("write one price, or one row per quantity", "请写一个价格，或按数量分行"));
	if (number->approximate)
		report(
		    view, PROBLEM_WARNING, "approximate", column, value,
		    TEXT("an approximate price; it is used as it stands", "约价，按所写数字计算"),
		    TEXT("write the price you stand by", "请写确定的价格"));
	if (number->from)
		report(view, PROBLEM_WARNING, "from_price", column, value,
		       TEXT("a lowest price (\"from\"); it is used as it stands",
		            "起步价，按所写数字计算"),
		       TEXT("write the price you stand by", "请写确定的价格"));
	if (number->noted)
		report(view, PROBLEM_WARNING, "note_in_price", column, value,
		       TEXT("the words behind the price were not read", "价格后面的文字没有读取"),
		       TEXT("move them to the note column", "请移到备注列"));
}

/* ---- one price ---- */

static bool amounts(const struct number_reading *number, const struct price_unit *unit,
                    struct price *price)
{
	struct ratio value;
	struct ratio low;

	if (!ratio_multiply(number->value, unit->reading.scale, &value) ||
	    !money_from_ratio(value, &price->amount))
		return false;
	if (!number->is_range)
		return true;
	price->has_low = true;
	return ratio_multiply(number->low, unit->reading.scale, &low) &&
	       money_from_ratio(low, &price->low);
}

static bool is_side_item(enum price_item item)
{
	return item != ITEM_COMPUTE && item != ITEM_CABINET && item != ITEM_PURCHASE;
}

static bool check_sign(const struct row_view *view, const struct column *column, const char *value,
                       const struct number_reading *number, const struct price_unit *unit)
{
	int sign = ratio_compare(number->value, ratio_of(0));

	if (sign < 0) {
		report(view, PROBLEM_ERROR, "negative_price", column, value,
		       TEXT("a price below zero", "价格为负数"),
		       TEXT("write the price, or leave the cell empty", "请填写价格，或留空"));
		return false;
	}
	if (sign == 0 && !is_side_item(unit->item)) {
		report(view, PROBLEM_ERROR, "zero_price", column, value,
		       TEXT("a price of zero", "价格为零"),
		       TEXT("write the price; if there is none yet write 面议",
		            "请填写价格；暂无价格请写“面议”"));
		return false;
	}
	return true;
}

static void add_price(struct prices *list, const struct price *price, struct split split)
{
	struct arena *arena = list->view->reader->arena;
	size_t count = (size_t)list->offer->price_count;

	list->offer->prices =
	    arena_grow(arena, list->offer->prices, count, &list->capacity, sizeof *price);
	list->splits =
	    arena_grow(arena, list->splits, count, &list->split_capacity, sizeof *list->splits);
	list->offer->prices[count] = *price;
	list->offer->prices[count].row = split.cell_row;
	list->splits[count] = split;
	list->offer->price_count++;
}

/* The step of bandwidth that the row names in one of its columns: "100M-500M"; 0 = none. */
static int mbps_of_row(const struct row_view *view)
{
	static const enum role roles[] = {ROLE_MIN_QUANTITY, ROLE_MBPS, ROLE_CONFIG};

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
		const char *text = norm_tight(view->reader->arena, view_text(view, roles[i]));
		int step = mbps_step_read(text);

		if (step < 0 && roles[i] == ROLE_MIN_QUANTITY)
			step = line_mbps_read(text);
		if (step > 0 || mbps_step_read(text) == 0)
			return step;
	}
	return 0;
}

/* The step in TB that the row names, whatever its column is called; 0 = none. */
static int tb_of_row(const struct row_view *view)
{
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell = column->hidden ? NULL : view_cell(view, column);
		int step =
		    cell == NULL ? 0 : tb_step_read(norm_tight(view->reader->arena, cell->text));

		if (step > 0)
			return step;
	}
	return 0;
}

/* The least servers (or Mbit/s of bandwidth, TB of storage, GB of traffic) at which PRICE holds. */
static void set_quantity(const struct row_view *view, const struct column *column, int per_server,
                         struct price *price)
{
	int least = column->price.min_quantity;
	bool cards = column->price.min_quantity_is_cards;
	bool bandwidth = price->item == ITEM_BANDWIDTH;
	const char *text = norm_text(view->reader->arena, view_text(view, ROLE_MIN_QUANTITY));

	/* "10台起" under 数量 */
	if (*text == '\0' &&
	    words_find(view->reader->words, "least",
	               norm_text(view->reader->arena, view_text(view, ROLE_SERVERS)), NULL) != NULL)
		text = norm_text(view->reader->arena, view_text(view, ROLE_SERVERS));
	if (bandwidth && least == 0)
		least = mbps_of_row(view);
	if (price->item == ITEM_STORAGE && least == 0)
		least = tb_of_row(view);
	if (price->item == ITEM_TRAFFIC && least == 0)
		least = tb_of_row(view) * 1000;
	if (least == 0 && *text != '\0' && mbps_step_read(text) < 0) {
		least = quantity_text_read(text, &cards);
		if (least == 0 && !count_text_read(view->reader->arena, text, &least))
			least = 0;
	}
	if (cards && per_server > 0)
		least = (least + per_server - 1) / per_server;
	if (column->price.min_quantity_is_mbps && !bandwidth)
		least = 0;
	price->min_quantity = least > 1 ? least : 0;
}

/* Whether the row prices its cabinet twice: 含电价 and 不含电价. */
static bool priced_with_and_without_power(const struct table *table)
{
	bool with = false;
	bool without = false;

	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (column->role != ROLE_PRICE || column->hidden)
			continue;
		with = with || column->price.billing == POWER_INCLUDED;
		without = without || column->price.billing == POWER_METERED;
	}
	return with && without;
}

/* "4580元/月 包电" */
static void power_from_words(const struct row_view *view, const struct column *column,
                             const struct number_reading *number, struct offer *offer)
{
	bool twice = priced_with_and_without_power(view->table);

	if (offer->power_billing == POWER_UNKNOWN)
		offer->power_billing = power_billing_read(view->reader->words, number->rest);
	if (offer->power_billing == POWER_UNKNOWN)
		offer->power_billing = power_billing_read(view->reader->words, number->front);
	if (offer->power_billing == POWER_UNKNOWN && !twice)
		offer->power_billing = column->price.billing;
	if (column->price.by_hours && column->price.item_known &&
	    column->price.item == ITEM_POWER && offer->power_billing != POWER_INCLUDED)
		offer->power_billing = POWER_TOU;
}

/* What sets the price apart from the others of its row. */
static struct split split_of(const struct row_view *view, const struct column *column,
                             const struct price_unit *unit)
{
	struct split split = {.months = unit->months,
	                      .watts = unit->item == ITEM_CABINET ? column->price.watts : 0,
	                      .period_of_term = unit->period_of_term,
	                      .servers = -1};

	if (view->table->grid->turned) {
		split.cell_row = column->column;
		split.row = is_side_item(unit->item) ? 0 : column->column;
	}
	if (unit->item == ITEM_CABINET && priced_with_and_without_power(view->table))
		split.billing = column->price.billing;

	if (column->city == NULL || table_column(view->table, ROLE_CITY) != NULL)
		return split;
	split.city = column->city;
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *other = &view->table->columns[i];
		const struct cell *cell = other->role == ROLE_SERVERS && other->city != NULL &&
		                                  strcmp(other->city, column->city) == 0
		                              ? view_cell(view, other)
		                              : NULL;

		if (cell != NULL &&
		    !count_text_read(view->reader->arena, cell->text, &split.servers))
			split.servers = -1;
	}
	return split;
}

static void read_price(struct prices *list, const struct column *column, const char *value,
                       const struct number_reading *number)
{
	const struct row_view *view = list->view;
	struct price_unit unit = price_unit_of(view, column, number, list->offer);
	struct tax_reading tax = price_tax_of(view, column, number);
	struct price price = {.item = unit.item,
	                      .term = unit.term,
	                      .tax = tax.basis,
	                      .tax_rate_bp = tax.rate_bp,
	                      .as_quoted = number->number_text,
	                      .unit_text = unit.text,
	                      .column = view_place(view, column).column};

	/* A cross connect, a fee of the month: clear to people, but it compares with nothing. */
	if (unit.item == ITEM_SERVICE && unit.reading.counted == COUNTED_NOTHING) {
		report(view, PROBLEM_SKIPPED, "not_compared", column, value,
		       TEXT("a fee for a service that counts nothing is not compared",
		            "没有计量单位的服务费不参与比价"),
		       TEXT("write per what: 元/台/月", "请写明按什么计费，例如 元/台/月"));
		return;
	}
	if (unit.fault != UNIT_FINE) {
		list->main_missing = list->main_missing || !is_side_item(unit.item);
		report(view, PROBLEM_ERROR, unit_fault_code(unit.fault), column, value,
		       unit_fault_message(unit.fault), unit_fault_hint(unit.fault, unit.item));
		return;
	}
	if (!check_sign(view, column, value, number, &unit))
		return;
	if (tax.clash) {
		report(view, PROBLEM_ERROR, "tax_clash", column, value,
		       TEXT("one place says tax included and another says excluded",
		            "一处写含税，另一处写不含税"),
		       TEXT("leave only the right one", "请只保留正确的写法"));
		return;
	}
	price.unit = unit.unit;
	memcpy(price.currency, unit.reading.currency, sizeof price.currency);
	set_quantity(view, column, list->offer->cards_per_server, &price);
	if (!amounts(number, &unit, &price)) {
		report(
		    view, PROBLEM_ERROR, "bad_number", column, value,
		    TEXT("the amount is too large or has too many digits", "金额过大或小数位过多"),
		    number_fault_hint(NUMBER_NOT_ONE));
		return;
	}
	warn_number(view, column, value, number);
	power_from_words(view, column, number, list->offer);
	if (unit.currency_assumed)
		rows_add(&view->carry->no_currency, view, column, value);
	if (unit.scale_twice)
		report(view, PROBLEM_WARNING, "scale_twice", column, value,
		       TEXT("万 stands in the cell and in the unit; it was taken once",
		            "单元格和单位都写了“万”，按一次计算"),
		       TEXT("write it once", "请只写一次"));
	add_price(list, &price, split_of(view, column, &unit));
}

/* "月付 76000" under 价格: what the cell says of the term counts more than its heading. */
static void read_number(struct prices *list, const struct column *column, const char *value,
                        const struct number_reading *number)
{
	struct column own = *column;
	struct term_reading term = term_text_read(list->view->reader->words, number->front);

	if (term.known)
		own.price.term = term;
	read_price(list, &own, value, number);
}

/* 免 under a setup fee is a true zero; under a rent it is no price. */
static void read_free(struct prices *list, const struct column *column, const char *value)
{
	const struct row_view *view = list->view;
	struct number_reading number = {.kind = NUMBER_OK,
	                                .value = ratio_of(0),
	                                .number_text = norm_trim(view->reader->arena, value),
	                                .unit_text = "",
	                                .front = "",
	                                .rest = "",
	                                .unit = unit_nothing()};
	struct price_unit unit = price_unit_of(view, column, &number, list->offer);

	if (unit.fault == UNIT_FINE && is_side_item(unit.item)) {
		read_price(list, column, value, &number);
		return;
	}
	report(view, PROBLEM_SKIPPED, "no_price", column, value,
	       TEXT("\"free\" is not taken for a price here", "此处的“免费”不作为价格"),
	       TEXT("write the price", "请填写价格"));
}

static void report_cell(const struct row_view *view, const struct column *column,
                        const struct cell *cell)
{
	if (cell->kind == CELL_NO_VALUE)
		report(view, PROBLEM_ERROR, "formula_no_value", column, NULL,
		       TEXT("this formula was saved without its result", "公式没有保存计算结果"),
		       TEXT("open the file in a spreadsheet program and save it again",
		            "请在 Excel 中打开并另存"));
	else if (cell->kind == CELL_ERROR)
		report(view, PROBLEM_ERROR, "bad_number", column, cell->text,
		       TEXT("this cell shows an error", "该单元格是错误值"),
		       TEXT("correct the formula", "请修正公式"));
	else
		report(view, PROBLEM_ERROR, "bad_number", column, cell->text,
		       TEXT("a date or percentage stands where a price should be",
		            "应为价格的位置是日期或百分比"),
		       TEXT("write the price as a plain number", "请把价格写成普通数字"));
}

/* Whether COLUMN prices the thing itself: the machine, the cabinet. */
static bool is_main(const struct prices *list, const struct column *column)
{
	const struct reader *reader = list->view->reader;
	struct number_reading number = number_text_read(reader->arena, reader->words, NULL);

	return !is_side_item(price_unit_of(list->view, column, &number, list->offer).item);
}

/* An IP address beside a machine "on request" is no offer of its own. */
static bool only_sides_left(const struct prices *list)
{
	for (int i = 0; i < list->offer->price_count; i++)
		if (!is_side_item(list->offer->prices[i].item))
			return false;
	return list->main_missing;
}

/* 含电, 已含 or 按实际电量 where a price per kWh should be: how electricity is billed. */
static bool says_power_billing(struct prices *list, const struct column *column, const char *text)
{
	const struct reader *reader = list->view->reader;
	const char *norm = norm_text(reader->arena, text);
	const char *meaning = words_meaning(reader->words, "billing", norm);
	int index =
	    meaning == NULL ? -1 : name_index(meaning, power_billing_names, POWER_BILLING_COUNT);

	bool power = column->price.item_known ? column->price.item == ITEM_POWER
	                                      : column->price.unit.counted == COUNTED_KWH;

	if (!power || index <= 0 || strpbrk(norm, "0123456789") != NULL)
		return false;
	list->offer->power_billing = (enum power_billing)index;
	return true;
}

/* ---- several prices in one cell ---- */

/*
 * "13.2元/卡时 / 7.6万元/台月": each part of TEXT is a price of its own. False, with nothing read,
 * where that is not clear.
 */
static bool read_parts(struct prices *list, const struct column *column, const char *text)
{
	const struct reader *reader = list->view->reader;
	struct cell_part parts[CELL_PARTS_MAX];
	int count = cell_parts(reader->arena, reader->words, text, parts);

	for (int i = 0; i < count; i++)
		read_number(list, column, parts[i].text, &parts[i].number);
	return count > 0;
}

/* A list price with a discount beside it: what is really asked stands nowhere. */
static bool asks_discount(const struct row_view *view, const struct column *column,
                          const struct cell *cell)
{
	const char *discount = column->listed ? view_text(view, ROLE_DISCOUNT) : "";

	if (strpbrk(norm_text(view->reader->arena, discount), "0123456789") == NULL)
		return false;
	report(view, PROBLEM_ERROR, "list_price", column, cell->text,
	       text_printf(view->reader->arena,
	                   "this is the list price; the discount beside it, %s, is not computed",
	                   "这是折前价，旁边的折扣 %s 不会计入", discount),
	       TEXT("write the price after the discount, e.g. in a column 折后价",
	            "请写折后的价格，例如另设“折后价”一列"));
	return true;
}

static void read_cell(struct prices *list, const struct column *column, const struct cell *cell)
{
	const struct row_view *view = list->view;

	if (cell->kind != CELL_TEXT && cell->kind != CELL_NUMBER) {
		report_cell(view, column, cell);
		return;
	}
	struct number_reading number =
	    number_text_read(view->reader->arena, view->reader->words, cell->text);

	if (number.kind != NUMBER_OK && says_power_billing(list, column, cell->text))
		return;
	if (cell->long_number && number.kind == NUMBER_OK) {
		number.kind = NUMBER_BAD;
		number.fault = NUMBER_TOO_LONG;
	}
	if (number.kind == NUMBER_NONE || number.kind == NUMBER_BAD)
		list->main_missing = list->main_missing || is_main(list, column);
	switch (number.kind) {
	case NUMBER_EMPTY:
		return;
	case NUMBER_NONE:
		report(view, PROBLEM_SKIPPED, "no_price", column, cell->text,
		       TEXT("no price: on request, or left open", "没有价格（面议或未填）"),
		       TEXT("write a price to be compared", "填写价格后才会参与比价"));
		return;
	case NUMBER_FREE:
		read_free(list, column, cell->text);
		return;
	case NUMBER_BAD:
		/* "押二付一", "1个月租金": a deposit in words is clear to people, and no fault. */
		if (column->price.item_known && column->price.item == ITEM_DEPOSIT) {
			report(
			    view, PROBLEM_SKIPPED, "not_compared", column, cell->text,
			    TEXT("a deposit in words is not read", "文字写明的押金不作为价格读取"),
			    (struct text){0});
			return;
		}
		if (!read_parts(list, column, cell->text))
			report(view, PROBLEM_ERROR, "bad_number", column, cell->text,
			       number_fault_message(number.fault), number_fault_hint(number.fault));
		return;
	case NUMBER_OK:
		if (!asks_discount(view, column, cell))
			read_number(list, column, cell->text, &number);
		return;
	}
}

/* A turned table of nothing but bandwidth or services: each price is an offer of its own. */
static void each_its_row(struct prices *list)
{
	for (int i = 0; i < list->offer->price_count; i++)
		if (list->splits[i].row > 0)
			return;
	for (int i = 0; i < list->offer->price_count; i++)
		list->splits[i].row = list->splits[i].cell_row;
}

void row_prices(const struct row_view *view, struct offer *offer, struct split **splits)
{
	struct prices list = {.view = view, .offer = offer};

	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell =
		    column->hidden ? NULL : row_cell(view->row, column->column);
		struct column priced;

		if (cell == NULL)
			continue;
		if (column->role == ROLE_PRICE)
			read_cell(&list, column, cell);
		else if (side_price(view, column, cell, &priced))
			read_cell(&list, &priced, cell);
	}
	if (only_sides_left(&list))
		offer->price_count = 0;
	each_its_row(&list);
	*splits = list.splits;
}

/* The word for what TEXT sells: "互联网专线(固定IP)" is a line, with its brackets beside the point.
 */
static const struct word *item_word(const struct reader *reader, const char *text)
{
	char *outside = arena_strdup(reader->arena, text);
	size_t length = 0;
	int depth = 0;

	for (const char *c = text; *c != '\0'; c++) {
		depth += *c == '(';
		if (depth == 0)
			outside[length++] = *c;
		depth -= *c == ')' && depth > 0;
	}
	outside[length] = '\0';
	const struct word *word = words_find(reader->words, "row_item", outside, NULL);

	return word != NULL ? word : words_find(reader->words, "row_item", text, NULL);
}

const char *row_item_word(const struct row_view *view)
{
	static const enum role roles[] = {ROLE_PRODUCT, ROLE_LINE, ROLE_CONFIG, ROLE_TERM,
	                                  ROLE_CARD};

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
		const char *text = norm_tight(view->reader->arena, view_text(view, roles[i]));
		const char *kind = words_whole(view->reader->words, "kind_item", text);
		const struct word *word = item_word(view->reader, text);

		if (kind != NULL)
			return kind;

		if (word != NULL)
			return word->meaning;
	}
	return NULL;
}
