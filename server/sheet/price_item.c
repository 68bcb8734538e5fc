/* price_item.c - see price_item.h. */
#include "sheet/price_item.h"

#include <string.h>

#include "sheet/norm.h"

/* What the column 计费方式 or 周期 says: 包月, or the bare 月. */
struct term_reading row_term(const struct row_view *view)
{
	const char *cell = view_text(view, ROLE_TERM);
	const char *norm = norm_text(view->reader->arena, cell);
	/* Chinese is typed with and without spaces; "1 year" needs its own. */
	const char *text = norm_has_han(norm) ? norm_tight(view->reader->arena, cell) : norm;
	struct term_reading term = term_text_read(view->reader->words, text);
	struct term_reading bare = term_of_period_word(view->reader->words, text);

	return term.known && (term.period_known || !bare.known) ? term : bare;
}

static bool named_item(const char *name, enum price_item *item)
{
	int index = name == NULL ? -1 : name_index(name, price_item_names, PRICE_ITEM_COUNT);

	if (index < 0)
		return false;
	*item = (enum price_item)index;
	return true;
}

/* Machines and cards are rented, sold, or hosted. */
static bool says_kind(const struct row_view *view, const char *text, const char *kind)
{
	const struct word *word = words_find(view->reader->words, "kind", text, NULL);

	return word != NULL && strcmp(word->meaning, kind) == 0;
}

/* Whether the column, the row or the lines around say that machines are sold, not rented. */
static bool is_sale(const struct row_view *view, const struct column *column)
{
	struct arena *arena = view->reader->arena;
	const char *product = norm_tight(arena, view_text(view, ROLE_PRODUCT));
	struct term_reading term = row_term(view);

	if (says_kind(view, column->norm, "purchase") || says_kind(view, product, "purchase"))
		return true;
	if (says_kind(view, column->norm, "rental") || says_kind(view, product, "rental"))
		return false;
	if (column->price.term.known)
		return column->price.term.term == TERM_ONE_OFF;
	if (term.known)
		return term.term == TERM_ONE_OFF;
	return view->context->sale && !view->context->rent;
}

static enum price_item item_of_machine(const struct row_view *view, const struct column *column,
                                       const struct unit_reading *unit, const char *word)
{
	bool has_column = table_column(view->table, ROLE_CARD) != NULL;
	bool names_card = *view_text(view, ROLE_CARD) != '\0';
	enum price_item item;

	if (!names_card && named_item(word, &item) && item != ITEM_BANDWIDTH &&
	    item != ITEM_STORAGE)
		return item;
	if (!has_column && view->context->colocation && !view->context->rent)
		return ITEM_CABINET;
	if (unit->period_known)
		return ITEM_COMPUTE;
	return is_sale(view, column) ? ITEM_PURCHASE : ITEM_COMPUTE;
}

/* "1U服务器托管": hosting by the machine. */
static bool hosts_servers(const char *word, const struct unit_reading *unit)
{
	enum counted counted = unit->counted;

	return word != NULL && strcmp(word, "server_hosting") == 0 &&
	       (counted == COUNTED_NOTHING || counted == COUNTED_SERVER ||
	        counted == COUNTED_PIECE);
}

/* "水费（元/月）" beside the rent of a cabinet is a fee for something else, 月费 is the rent. */
static bool names_fee(const struct words *words, const char *heading)
{
	return (strstr(heading, "费") != NULL ||
	        words_find(words, "named_fee", heading, NULL) != NULL) &&
	       words_find(words, "plain_fee", heading, NULL) == NULL;
}

/* What a table sells that no word names: cards, lines of some bandwidth, cabinets. */
static enum price_item item_of_table(const struct row_view *view)
{
	const struct table *table = view->table;

	if (table_column(table, ROLE_CARD) != NULL)
		return ITEM_COMPUTE;
	if (table_column(table, ROLE_LINE) != NULL && table_column(table, ROLE_MBPS) != NULL)
		return ITEM_BANDWIDTH;
	return view->context->colocation && !view->context->rent ? ITEM_CABINET : ITEM_COMPUTE;
}

enum price_item price_item_of(const struct row_view *view, const struct column *column,
                              const struct unit_reading *unit)
{
	const struct word *heading =
	    words_find(view->reader->words, "row_item", column->norm, NULL);
	/* "公网IP（元/个/月）": the heading speaks for its column, the row for the others. */
	const char *word = heading != NULL ? heading->meaning : row_item_word(view);
	enum price_item item = ITEM_COMPUTE;
	bool named = named_item(word, &item);

	/* 按实际电量 0.78元/度 under 超电: what is drawn, not what is above. */
	if (column->price.item_known && column->price.item == ITEM_OVERAGE &&
	    unit->counted == COUNTED_KWH)
		return ITEM_POWER;
	if (column->price.item_known)
		return column->price.item;
	if (hosts_servers(word, unit))
		return ITEM_CABINET;
	switch (unit->counted) {
	case COUNTED_CARD:
	case COUNTED_SERVER:
		return item_of_machine(view, column, unit, word);
	case COUNTED_CABINET:
		return column->price.one_off                                ? ITEM_SETUP
		       : named && item == ITEM_SETUP && !unit->period_known ? ITEM_SETUP
		                                                            : ITEM_CABINET;
	case COUNTED_KW:
	case COUNTED_U:
		return ITEM_CABINET;
	case COUNTED_AMPERE:
	case COUNTED_KWH:
		return ITEM_POWER;
	case COUNTED_LINE:
		if (!unit->period_known && row_term(view).term == TERM_ONE_OFF)
			return ITEM_SETUP;
		return ITEM_BANDWIDTH;
	case COUNTED_MBPS:
	case COUNTED_GBPS:
		return ITEM_BANDWIDTH;
	case COUNTED_G:
		if (named &&
		    (item == ITEM_TRAFFIC || item == ITEM_STORAGE || item == ITEM_BANDWIDTH))
			return item;
		return unit->period_known ? ITEM_BANDWIDTH : ITEM_TRAFFIC;
	case COUNTED_GB:
	case COUNTED_T:
	case COUNTED_TB:
		return unit->period_known ? ITEM_STORAGE : ITEM_TRAFFIC;
	case COUNTED_IP:
		return ITEM_IP;
	case COUNTED_TIME:
		return named ? item : ITEM_SERVICE;
	case COUNTED_NOTHING:
	case COUNTED_PIECE:
	case COUNTED_LOT:
		break;
	}
	if (named)
		return item;
	if (column->price.one_off)
		return ITEM_SETUP;
	if (unit->amount_known && !unit->period_known && is_sale(view, column))
		return ITEM_PURCHASE;
	return names_fee(view->reader->words, column->norm) ? ITEM_SERVICE : item_of_table(view);
}
