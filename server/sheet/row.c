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
		return skip(view, "hidden_row", view->row->cells[0].text,
		            TEXT("a hidden row is not read", "隐藏行不读取"));
	if (is_total(view))
		return skip(view, "total_row", view->row->cells[0].text,
		            TEXT("a row of totals", "合计行"));
	if (is_group(view))
		return skip(view, "group_row", view->row->cells[0].text,
		            TEXT("the city of the rows below", "以下各行的城市"));
	if (price_cells_empty(view) && is_note(view))
		return skip(view, "note_row", view->row->cells[0].text,
		            TEXT("a note, kept with the sheet but not read as an offer",
		                 "说明文字，保留但不作为报价读取"));
	return false;
}

/* ---- the card ---- */

struct named_card {
	struct card_match match;
	const struct column *column;
	const char *text;
};

static const char *form_hint(const struct row_view *view)
{
	return arena_printf(view->reader->arena, "%s %s %s", view_text(view, ROLE_CONFIG),
	                    view_text(view, ROLE_INTRA_LINK), view_text(view, ROLE_NOTE));
}

static struct card_match match_text(const struct row_view *view, const char *text)
{
	const char *memory = view_text(view, ROLE_MEMORY);
	/* A bare 141 in a column of memory is 141 GB. */
	bool bare = *memory != '\0' && strspn(memory, "0123456789") == strlen(memory);
	const char *spec = arena_printf(view->reader->arena, "%s %s%s",
	                                view_text(view, ROLE_FORM_FACTOR), memory, bare ? "g" : "");

	return card_match(view->reader->arena, view->reader->cards, text, spec, form_hint(view));
}

/* TEXT with its line breaks as signs between parts: "GPU：8*H100\nCPU：2*8468". */
static const char *lines_parted(struct arena *arena, const char *text)
{
	char *parted = arena_strdup(arena, text);

	for (char *c = parted; *c != '\0'; c++)
		if (*c == '\n' || *c == '\r')
			*c = ';';
	return parted;
}

/* A configuration lists parts: "8×H100 SXM 80G / 2×8480C / 2TB". */
static struct card_match match_parts(const struct row_view *view, const char *text)
{
	struct card_match whole = match_text(view, text);
	const char *norm = norm_text(view->reader->arena, lines_parted(view->reader->arena, text));

	for (const char *at = norm; whole.kind != CARD_FOUND && *at != '\0';) {
		size_t length = strcspn(at, "/,+;|");
		const char *part_text = arena_strndup(view->reader->arena, at, length);
		const char *label = strchr(part_text, ':');
		struct card_match part = match_text(view, label == NULL ? part_text : label + 1);

		if (part.kind == CARD_FOUND || (part.kind != CARD_NONE && whole.kind == CARD_NONE))
			whole = part;
		at += length + (at[length] != '\0');
	}
	return whole;
}

static bool better(const struct card_match *a, const struct card_match *b)
{
	static const int worth[] = {
	    [CARD_NONE] = 0, [CARD_OTHER_MEMORY] = 1, [CARD_AMBIGUOUS] = 2, [CARD_FOUND] = 3};

	return worth[a->kind] > worth[b->kind];
}

/* A worksheet for each card: its name is the card of all its rows. */
static struct named_card card_of_sheet(const struct row_view *view)
{
	const char *name = view->table->grid->name;
	struct named_card found = {.text = ""};

	if (name == NULL)
		return found;
	found.match = match_text(view, name);
	if (found.match.kind == CARD_FOUND || found.match.kind == CARD_AMBIGUOUS)
		found.text = name;
	return found;
}

static struct named_card find_card(const struct row_view *view)
{
	static const enum role roles[] = {ROLE_CARD, ROLE_PRODUCT, ROLE_CONFIG};
	struct named_card found = {.text = ""};

	for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
		/* The other columns only where no column is for the card. */
		if (r > 0 && table_column(view->table, ROLE_CARD) != NULL)
			break;
		for (int i = 0; i < view->table->column_count; i++) {
			const struct column *column = &view->table->columns[i];
			const struct cell *cell = column->role == roles[r] && !column->hidden
			                              ? view_cell(view, column)
			                              : NULL;

			if (cell == NULL)
				continue;
			struct card_match match = roles[r] == ROLE_CARD
			                              ? match_text(view, cell->text)
			                              : match_parts(view, cell->text);

			bool same = match.kind == CARD_FOUND && found.match.kind == CARD_FOUND &&
			            match.card == found.match.card;

			/* "RTX4090服务器" and "8*RTX4090 24G / …": the second says how many. */
			if (same && found.match.cards == 0)
				found.match.cards = match.cards;
			if (*found.text == '\0' || better(&match, &found.match))
				found = (struct named_card){match, column, cell->text};
		}
	}
	if (found.column == NULL)
		found.column = table_column(view->table, ROLE_CARD);
	return *found.text == '\0' && found.column == NULL ? card_of_sheet(view) : found;
}

static bool report_card(const struct row_view *view, const struct named_card *card)
{
	struct arena *arena = view->reader->arena;
	struct place place = view_place(view, card->column);
	struct text hint =
	    TEXT("write the exact model, e.g. H100 SXM 80G", "请写明完整型号，例如 H100 SXM 80G");
	const char *list = card_candidates(arena, &card->match);

	if (*card->text == '\0') {
		reader_report(
		    view->reader, PROBLEM_ERROR, "missing_card", place, NULL,
		    TEXT("the row has a price but names no card", "该行有价格但没有写卡的型号"),
		    hint);
		return false;
	}
	switch (card->match.kind) {
	case CARD_FOUND:
		return true;
	case CARD_AMBIGUOUS:
		reader_report(view->reader, PROBLEM_ERROR, "ambiguous_card", place, card->text,
		              text_printf(arena, "several cards have this name: %s",
		                          "这个名称可以指多种卡：%s", list),
		              TEXT("write form factor and memory, e.g. SXM 80G or PCIe 80G",
		                   "请写明形态和显存，例如 SXM 80G 或 PCIe 80G"));
		return false;
	case CARD_OTHER_MEMORY:
		reader_report(view->reader, PROBLEM_ERROR, "unknown_card", place, card->text,
		              TEXT("the model is known, but not with this memory or in this form",
		                   "型号已知，但目录里没有这种显存或形态"),
		              hint);
		return false;
	case CARD_NONE:
		reader_report(view->reader, PROBLEM_ERROR, "unknown_card", place, card->text,
		              TEXT("no card of the catalogue has this name", "目录里没有这种卡"),
		              hint);
		return false;
	}
	return false;
}

/* ---- the offer ---- */

/* A configuration lists parts: the "8卡" of "8卡/2×8480+/2T"; 0 = none. */
static int cards_in_parts(const char *config)
{
	static const char *const units[] = {"卡", "张卡", "块卡", "张", "gpu"};

	for (const char *at = config; *at != '\0'; at += strcspn(at, "/,+;|") + 1) {
		size_t digits = strspn(at, "0123456789");
		const char *unit = at + digits;
		size_t length = strcspn(unit, "/,+;|");

		for (size_t i = 0; i < sizeof units / sizeof *units; i++)
			if (digits > 0 && digits <= 3 && length == strlen(units[i]) &&
			    strncmp(unit, units[i], length) == 0)
				return (int)strtol(at, NULL, 10);
		if (at[strcspn(at, "/,+;|")] == '\0')
			break;
	}
	return 0;
}

/* How many cards a machine of the row has, where no column says it; 0 = nothing does. */
static int cards_of_row(const struct row_view *view, const struct named_card *card,
                        const char *title)
{
	struct arena *arena = view->reader->arena;
	const char *config = view_text(view, ROLE_CONFIG);
	int cards = card->match.cards;

	cards = cards > 0 ? cards : cards_of_machine(norm_text(arena, title));
	cards = cards > 0 ? cards : cards_in_parts(norm_tight(arena, lines_parted(arena, config)));
	if (cards == 0 && *config != '\0') {
		/* "H100" in its column, "8×H100 SXM5 80GB / IB 3.2T" in the configuration. */
		struct card_match match = match_parts(view, config);

		if (match.kind == CARD_FOUND && card->match.kind == CARD_FOUND &&
		    match.card == card->match.card)
			cards = match.cards;
	}
	cards = cards > 0 ? cards : cards_in_parts(norm_tight(arena, view_text(view, ROLE_NOTE)));
	cards = cards > 0 ? cards : cards_of_machine(norm_text(arena, form_hint(view)));
	return cards > 0 ? cards : view->context->cards;
}

/* What has to be known before prices: the words for the row, and how many cards a machine has. */
static void name_offer(const struct row_view *view, const struct named_card *card,
                       struct offer *offer)
{
	struct arena *arena = view->reader->arena;
	const char *product = view_text(view, ROLE_PRODUCT);
	const char *config = view_text(view, ROLE_CONFIG);
	const char *step = view_text(view, ROLE_MIN_QUANTITY);
	int count;
	const char *parts[] = {
	    product, *card->text != '\0' && card->text != product ? card->text : "",
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
		offer->cards_per_server = cards_of_row(view, card, title);
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
	struct named_card card = find_card(&view);

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
			report_card(&view, &card);
		else if (!said)
			skip(&view, "no_price", view.row->cells[0].text,
			     TEXT("the row has no price", "该行没有价格"));
		return;
	}
	if (sells_cards(&offer) && !report_card(&view, &card))
		return;
	/* 1200 under 数量 beside a price per Mbit/s are no servers. */
	if (!sells_cards(&offer))
		offer.servers_available = -1;
	row_cells_left(&view, &offer);
	cards_from_unit(&offer);
	if (sells_cabinet(&offer))
		cabinet_from_words(&view, &offer);
	if (card.match.kind == CARD_FOUND && sells_cards(&offer))
		offer.card = card.match.card->id;
	offer_finish(view.reader, &offer, splits, view_place(&view, NULL),
	             view.context->hours_per_month > 0 ? view.context->hours_per_month
	                                               : view.reader->options->hours_per_month);
}
