/* row.c - see row.h. */
#include "sheet/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/finish.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/side_price.h"

/* ---- rows that are no offers ---- */

static bool skip(const struct row_view *view, const char *code, const char *value,
                 struct text message)
{
	reader_report(view->reader, PROBLEM_SKIPPED, code, view_place(view, NULL), value, message,
	              (struct text){0});
	return true;
}

static const char *first_text(const struct row_view *view)
{
	return view->row->count > 0 ? norm_text(view->reader->arena, view->row->cells[0].text) : "";
}

/* "合计", "小计：", "GPU 合计", "Total": in one of the leading cells. */
static bool is_total(const struct row_view *view)
{
	for (int i = 0; i < view->row->count && i < 3; i++) {
		const char *text = norm_tight(view->reader->arena, view->row->cells[i].text);
		const struct word *word = words_start(view->reader->words, "total", text);

		const char *after = word == NULL ? "" : text + word->length;

		if (word != NULL && (strlen(after) <= 12 || strchr(":(-", *after) != NULL))
			return true;
		size_t length = strlen(text);

		if (length >= 6 && length <= 30 && view->row->cells[i].kind == CELL_TEXT &&
		    (strcmp(text + length - 6, "合计") == 0 ||
		     strcmp(text + length - 6, "小计") == 0 ||
		     strcmp(text + length - 6, "总计") == 0))
			return true;
	}
	return false;
}

/* "2、按时计费…", "(3) ...", "4. ...": numbered sentences below a table. */
static bool is_numbered(const char *text)
{
	text += *text == '(';
	size_t digits = strspn(text, "0123456789");

	text += digits;
	return digits > 0 && digits <= 2 &&
	       (strncmp(text, "、", strlen("、")) == 0 || *text == ')' ||
	        (*text == '.' && !(text[1] >= '0' && text[1] <= '9')));
}

static bool is_note(const struct row_view *view)
{
	const char *text = first_text(view);
	const struct word *word = words_start(view->reader->words, "note", text);
	const char *after = word == NULL ? "" : text + word->length;

	if (view->row->cells[0].kind != CELL_TEXT)
		return false;
	if (word != NULL &&
	    (*after == ':' || *after == '\0' || is_numbered(after) || view->row->count == 1))
		return true;
	if (view->row->count == 1)
		return true;
	return view->row->count == 2 && is_numbered(text) && view->table->column_count > 3;
}

/* Whether TEXT is a label to be signed or filled in: "供方（盖章）：", "报价人：张三", "日期：". */
static bool is_signed(const struct row_view *view, const char *text)
{
	const struct word *word = words_start(view->reader->words, "sign_off", text);
	const char *after = word == NULL ? "" : text + word->length;

	return word != NULL && (*after == '\0' || *after == ':' || *after == '(');
}

/* The lines below a quotation where both sides sign: nothing in them is a price. */
static bool is_sign_off(const struct row_view *view)
{
	struct reader *reader = view->reader;

	if (view->row->cells[0].kind != CELL_TEXT || !is_signed(view, first_text(view)))
		return false;
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell =
		    column->role == ROLE_PRICE ? row_cell(view->row, column->column) : NULL;

		if (cell != NULL &&
		    number_text_read(reader->arena, reader->words, cell->text).kind == NUMBER_OK)
			return false;
	}
	return true;
}

/* "深圳机房：" alone in a row is the city of the rows below it. */
static bool is_group(const struct row_view *view)
{
	const char *text = first_text(view);
	const struct word *city = words_find(view->reader->words, "city", text, NULL);

	if (view->row->count != 1 || city == NULL || strlen(text) > city->length + 18 ||
	    strpbrk(text, "0123456789,;") != NULL || strstr(text, "。") != NULL)
		return false;
	view->carry->group_city = city->meaning;
	return true;
}

static bool price_cells_empty(const struct row_view *view)
{
	for (int i = 0; i < view->table->column_count; i++)
		if (view->table->columns[i].role == ROLE_PRICE && !view->table->columns[i].hidden &&
		    row_cell(view->row, view->table->columns[i].column) != NULL)
			return false;
	return true;
}

/* Beside another table: a row may have cells only for that one. */
static bool part_empty(const struct row_view *view)
{
	const struct table *table = view->table;

	for (int i = 0; i < table->column_count && table->beside; i++)
		if (row_cell(view->row, table->columns[i].column) != NULL)
			return false;
	return table->beside;
}

static bool skipped(const struct row_view *view)
{
	if (view->row->count == 0 || part_empty(view))
		return true;
	if (view->row->hidden)
		return view->table->grid->turned
		           ? skip(view, "hidden_column", view->row->cells[0].text,
		                  TEXT("a hidden column is not read", "隐藏列不读取"))
		           : skip(view, "hidden_row", view->row->cells[0].text,
		                  TEXT("a hidden row is not read", "隐藏行不读取"));
	if (is_total(view))
		return skip(view, "total_row", view->row->cells[0].text,
		            TEXT("a row of totals", "合计行"));
	if (is_group(view))
		return skip(view, "group_row", view->row->cells[0].text,
		            TEXT("the city of the rows below", "以下各行的城市"));
	if (is_sign_off(view) || (price_cells_empty(view) && is_note(view)))
		return skip(view, "note_row", view->row->cells[0].text,
		            TEXT("a note, kept with the sheet but not read as an offer",
		                 "说明文字，保留但不作为报价读取"));
	return false;
}

/* ---- the offer ---- */

/* The texts of all columns for products: 类别 and 项目. */
static const char *products_of(const struct row_view *view)
{
	struct arena *arena = view->reader->arena;
	const char *all = "";

	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell = column->role == ROLE_PRODUCT && !column->hidden
		                              ? view_cell(view, column)
		                              : NULL;

		if (cell != NULL && strstr(all, cell->text) == NULL)
			all = arena_printf(arena, "%s%s%s", all, *all != '\0' ? " " : "",
			                   norm_trim(arena, cell->text));
	}
	return all;
}

/* What has to be known before prices: the words for the row, and how many cards a machine has. */
static void name_offer(const struct row_view *view, const struct named_card *card,
                       struct offer *offer)
{
	struct arena *arena = view->reader->arena;
	const char *product = products_of(view);
	const char *config = view_text(view, ROLE_CONFIG);
	const char *step = view_text(view, ROLE_MIN_QUANTITY);
	int count;
	const char *parts[] = {
	    product, *card->text != '\0' && strstr(product, card->text) == NULL ? card->text : "",
	    card->text != config ? config : "", count_text_read(arena, step, &count) ? "" : step};
	const char *title = "";

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (*parts[i] != '\0')
			title = arena_printf(arena, "%s%s%s", title, *title != '\0' ? " " : "",
			                     norm_trim(arena, parts[i]));
	/* A line has no other name than its bandwidth. */
	if (*title == '\0')
		title = norm_trim(arena, view_text(view, ROLE_MBPS));
	offer->title = *title == '\0' ? NULL : title;
	if (offer->cards_per_server == 0)
		offer->cards_per_server = row_card_count(view, card, title);
}

/* 万元/8卡/月 says how many cards the machine has, too. */
static void cards_from_unit(struct offer *offer)
{
	for (int i = 0; i < offer->price_count && offer->cards_per_server == 0; i++)
		if (offer->prices[i].item == ITEM_COMPUTE &&
		    offer->prices[i].unit.per == PER_CARD && offer->prices[i].unit.per_count > 1)
			offer->cards_per_server = offer->prices[i].unit.per_count;
}

static bool sells(const struct offer *offer, enum price_item item)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == item)
			return true;
	return false;
}

/* Where machines are sold or housed no lines are counted: opening a port is paid once. */
static void lines_of_machines(struct offer *offer)
{
	bool counts_lines = sells(offer, ITEM_BANDWIDTH) && !sells(offer, ITEM_CABINET) &&
	                    !sells(offer, ITEM_COMPUTE) && !sells(offer, ITEM_PURCHASE);

	for (int i = 0; i < offer->price_count && !counts_lines; i++)
		if (offer->prices[i].item == ITEM_SETUP && offer->prices[i].unit.per == PER_MBPS)
			offer->prices[i].unit = (struct unit){PER_NONE, 1, PERIOD_ONCE, 1};
}

/* A cabinet, not hosting by the machine or by U. */
static bool sells_cabinet(const struct offer *offer)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_CABINET &&
		    (offer->prices[i].unit.per == PER_CABINET ||
		     offer->prices[i].unit.per == PER_KW))
			return true;
	return false;
}

static bool sells_cards(const struct offer *offer)
{
	return sells(offer, ITEM_COMPUTE) || sells(offer, ITEM_PURCHASE);
}

/* "标准柜 42U": the units of a whole cabinet; 0 = none are named. */
static int height_in(const char *words)
{
	for (const char *at = strchr(words, 'u'); at != NULL; at = strchr(at + 1, 'u')) {
		const char *digits = at;

		while (digits > words && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		long units = digits < at ? strtol(digits, NULL, 10) : 0;

		if (units >= 10 && units <= 60)
			return (int)units;
	}
	return 0;
}

/* Where no column has the power and height of a cabinet, the words for it may: "标准柜 42U 20A". */
static void cabinet_from_words(const struct row_view *view, struct offer *offer)
{
	struct arena *arena = view->reader->arena;
	const char *words = norm_text(arena, offer->title);

	if (offer->cabinet_watts == 0)
		offer->cabinet_watts = watts_text_read(words);
	if (offer->cabinet_u == 0)
		offer->cabinet_u = height_in(words);
	if (offer->power_billing == POWER_UNKNOWN)
		offer->power_billing =
		    power_billing_read(view->reader->words, norm_text(arena, offer->note));
	if (offer->power_billing == POWER_UNKNOWN)
		offer->power_billing = view->context->power_billing;
}

/* A text file that lost its merges: every label is empty and there was a row above. */
static bool labels_empty(const struct row_view *view)
{
	static const enum role labels[] = {ROLE_CARD, ROLE_CITY, ROLE_SITE, ROLE_CARDS,
	                                   ROLE_PRODUCT};
	bool any = false;

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		const struct column *column = table_column(view->table, labels[i]);

		any = any || column != NULL;
		if (column != NULL && row_cell(view->row, column->column) != NULL)
			return false;
	}
	return any && view->carry->above != NULL && !view->table->grid->knows_merges;
}

void row_read(const struct row_view *given)
{
	struct row_view view = *given;
	struct offer offer = offer_blank();
	struct split *splits = NULL;

	if (skipped(&view))
		return;
	view.filled = labels_empty(&view) && !price_cells_empty(&view);
	if (view.filled)
		reader_report(
		    view.reader, PROBLEM_WARNING, "filled_down", view_place(&view, NULL), NULL,
		    TEXT("the row names nothing; it was taken to go on with the row above",
		         "该行没有名称，按上一行的延续读取"),
		    TEXT("fill in every cell: text files cannot keep merged cells",
		         "请填满每个单元格：文本文件保存不了合并单元格"));
	struct named_card card = row_card(&view);

	row_attributes(&view, &offer);
	name_offer(&view, &card, &offer);
	size_t before = view.reader->out->problems.count;

	row_prices(&view, &offer, &splits);
	bool said = view.reader->out->problems.count > before;

	if (!view.filled)
		view.carry->above = view.row;
	if (offer.price_count == 0) {
		/* A card nobody knows is worth saying even where its price is missing. */
		if (*card.text != '\0' && card.match.kind != CARD_FOUND &&
		    table_column(view.table, ROLE_CARD) != NULL && said &&
		    !price_cells_empty(&view))
			row_card_report(&view, &card);
		else if (!said)
			skip(&view, "no_price", view.row->cells[0].text,
			     TEXT("the row has no price", "该行没有价格"));
		return;
	}
	if (sells_cards(&offer) && !row_card_report(&view, &card))
		return;
	/* 1200 under 数量 beside a price per Mbit/s are no servers. */
	if (!sells_cards(&offer))
		offer.servers_available = -1;
	if (offer.line == NULL && sells(&offer, ITEM_BANDWIDTH) && !sells_cards(&offer))
		offer.line = words_meaning(view.reader->words, "line",
		                           norm_text(view.reader->arena, offer.title));
	row_cells_left(&view, &offer);
	cards_from_unit(&offer);
	lines_of_machines(&offer);
	if (sells_cabinet(&offer))
		cabinet_from_words(&view, &offer);
	if (card.match.kind == CARD_FOUND && sells_cards(&offer))
		offer.card = card.match.card->id;
	offer_finish(view.reader, &offer, splits, view_place(&view, NULL),
	             view.context->hours_per_month > 0 ? view.context->hours_per_month
	                                               : view.reader->options->hours_per_month);
}
