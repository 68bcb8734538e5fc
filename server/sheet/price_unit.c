/* price_unit.c - see price_unit.h. */
#include "sheet/price_unit.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

/* ---- where a unit may stand ---- */

#define SOURCES 4 /* cell, unit column, heading, lines around */

struct sources {
	struct unit_reading unit[SOURCES];
	const char *text[SOURCES];
	const struct column *column; /* the unit column */
	char currency[4];            /* of the currency column */
};

/* The unit column that belongs to a price column: the next one before another price begins. */
static const struct column *unit_column(const struct table *table, const struct column *price)
{
	const struct column *any = NULL;

	for (const struct column *c = price + 1; c < table->columns + table->column_count; c++) {
		if (c->role == ROLE_PRICE && !c->hidden)
			break;
		if (c->role == ROLE_UNIT && !c->hidden)
			return c;
	}
	for (int i = 0; i < table->column_count; i++) {
		if (table->columns[i].role != ROLE_UNIT || table->columns[i].hidden)
			continue;
		if (any != NULL)
			return NULL;
		any = &table->columns[i];
	}
	return any;
}

static struct sources collect(const struct row_view *view, const struct column *column,
                              const struct number_reading *number)
{
	struct arena *arena = view->reader->arena;
	struct sources from = {.column = unit_column(view->table, column)};

	for (int i = 0; i < SOURCES; i++) {
		from.unit[i] = unit_nothing();
		from.text[i] = "";
	}
	from.unit[0] = number->unit;
	from.text[0] = number->unit_text;
	if (from.column != NULL) {
		const struct cell *cell = view_cell(view, from.column);
		const char *text = norm_text(arena, cell == NULL ? "" : cell->text);

		unit_text_read(view->reader->words, text, &from.unit[1]);
		if (!from.unit[1].amount_known && !unit_says_what(&from.unit[1]))
			/* "卡/月", "GPU/hour": what is counted, without a currency */
			unit_text_read(view->reader->words, arena_printf(arena, "/%s", text),
			               &from.unit[1]);
		from.text[1] = cell == NULL ? "" : norm_trim(arena, cell->text);
	}
	from.unit[2] = column->price.unit;
	from.text[2] = column->price.unit_text;
	from.unit[3] = view->context->unit;
	from.text[3] = view->context->unit_text;
	const struct word *currency = words_start(view->reader->words, "currency",
	                                          norm_text(arena, view_text(view, ROLE_CURRENCY)));

	if (currency != NULL && strcmp(currency->meaning, "FEN") != 0)
		memcpy(from.currency, currency->meaning, 4);
	return from;
}

/* ---- merging ---- */

static bool same_thing(const struct unit_reading *a, const struct unit_reading *b)
{
	bool loose = a->counted == COUNTED_PIECE || b->counted == COUNTED_PIECE ||
	             a->counted == COUNTED_LINE || b->counted == COUNTED_LINE ||
	             a->counted == COUNTED_G || b->counted == COUNTED_G;
	/* 元/台 in the heading and 元/8卡整机 in the row are the same machine. */
	bool machine = (a->counted == COUNTED_SERVER && b->count > 1) ||
	               (b->counted == COUNTED_SERVER && a->count > 1);

	return loose || machine || (a->counted == b->counted && a->count == b->count);
}

static void merge_currency(const struct sources *from, struct price_unit *out)
{
	struct unit_reading *unit = &out->reading;

	memcpy(unit->currency, from->currency, 4);
	for (int i = 0; i < SOURCES; i++) {
		const char *said = from->unit[i].currency;

		if (said[0] == '\0')
			continue;
		if (unit->currency[0] == '\0')
			memcpy(unit->currency, said, 4);
		else if (i < SOURCES - 1 && strcmp(unit->currency, said) != 0)
			out->fault = UNIT_CURRENCY_CLASH;
	}
}

static void merge_scale(const struct sources *from, const struct number_reading *number,
                        struct price_unit *out)
{
	struct unit_reading *unit = &out->reading;

	unit->scale = ratio_of(1);
	for (int i = 0; i < SOURCES; i++) {
		if (!from->unit[i].amount_known)
			continue;
		unit->scale = from->unit[i].scale;
		unit->amount_known = true;
		break;
	}
	if (!number->scaled)
		return;
	out->scale_twice =
	    ratio_compare(unit->scale, ratio_of(1)) > 0 && !(from->unit[0].amount_known);
	unit->scale = ratio_of(1);
	unit->amount_known = true;
}

static void merge_thing(const struct sources *from, struct price_unit *out)
{
	struct unit_reading *unit = &out->reading;

	for (int i = 0; i < SOURCES; i++) {
		const struct unit_reading *said = &from->unit[i];

		if (i < SOURCES - 1 && said->clash)
			out->fault = UNIT_CLASH;
		if (said->counted == COUNTED_NOTHING)
			continue;
		if (unit->counted == COUNTED_NOTHING || unit->counted == COUNTED_PIECE) {
			unit->counted = said->counted;
			unit->count = said->count;
			unit->cards = said->cards;
		} else if (i < SOURCES - 1 && !same_thing(unit, said)) {
			out->fault = UNIT_CLASH;
		}
	}
	for (int i = 0; i < SOURCES; i++) {
		const struct unit_reading *said = &from->unit[i];

		if (!said->period_known)
			continue;
		if (!unit->period_known) {
			unit->period = said->period;
			unit->period_count = said->period_count;
			unit->period_known = true;
		} else if (i < SOURCES - 1 && unit->period != said->period) {
			out->fault = UNIT_CLASH;
		}
	}
}

static void merge_term_period(const struct term_reading *term, struct unit_reading *unit)
{
	if (unit->period_known || !term->period_known)
		return;
	unit->period_known = true;
	unit->period = term->period;
	unit->period_count = term->period_count;
}

/* What the column 计费方式 or 周期 says: 包月, or the bare 月. */
static struct term_reading term_of_row(const struct row_view *view)
{
	const char *text = norm_tight(view->reader->arena, view_text(view, ROLE_TERM));
	struct term_reading term = term_text_read(view->reader->words, text);

	return term.known ? term : term_of_period_word(view->reader->words, text);
}

/* ---- what is sold ---- */

static bool is_rate(enum counted counted)
{
	return counted == COUNTED_MBPS || counted == COUNTED_GBPS || counted == COUNTED_LINE;
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
	struct term_reading row_term = term_of_row(view);

	if (says_kind(view, column->norm, "purchase") || says_kind(view, product, "purchase"))
		return true;
	if (says_kind(view, column->norm, "rental") || says_kind(view, product, "rental"))
		return false;
	if (column->price.term.known)
		return column->price.term.term == TERM_ONE_OFF;
	if (row_term.known)
		return row_term.term == TERM_ONE_OFF;
	return view->context->sale && !view->context->rent;
}

static enum price_item item_of_machine(const struct row_view *view, const struct column *column,
                                       const struct price_unit *out, const char *word)
{
	bool has_column = table_column(view->table, ROLE_CARD) != NULL;
	bool names_card = *view_text(view, ROLE_CARD) != '\0';
	enum price_item item;

	if (!names_card && named_item(word, &item) && item != ITEM_BANDWIDTH &&
	    item != ITEM_STORAGE)
		return item;
	if (!has_column && view->context->colocation && !view->context->rent)
		return ITEM_CABINET;
	if (out->reading.period_known)
		return ITEM_COMPUTE;
	return is_sale(view, column) ? ITEM_PURCHASE : ITEM_COMPUTE;
}

/* "1U服务器托管": hosting by the machine. */
static bool hosts_servers(const char *word, const struct price_unit *out)
{
	enum counted counted = out->reading.counted;

	return word != NULL && strcmp(word, "server_hosting") == 0 &&
	       (counted == COUNTED_NOTHING || counted == COUNTED_SERVER ||
	        counted == COUNTED_PIECE);
}

static enum price_item item_of(const struct row_view *view, const struct column *column,
                               const struct price_unit *out)
{
	const struct unit_reading *unit = &out->reading;
	const struct word *heading =
	    words_find(view->reader->words, "row_item", column->norm, NULL);
	/* "公网IP（元/个/月）": the heading speaks for its column, the row for the others. */
	const char *word = heading != NULL ? heading->meaning : row_item_word(view);
	enum price_item item = ITEM_COMPUTE;
	bool named = named_item(word, &item);

	if (column->price.item_known)
		return column->price.item;
	if (hosts_servers(word, out))
		return ITEM_CABINET;
	switch (unit->counted) {
	case COUNTED_CARD:
	case COUNTED_SERVER:
		return item_of_machine(view, column, out, word);
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
		if (!unit->period_known && term_of_row(view).term == TERM_ONE_OFF)
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
	return table_column(view->table, ROLE_CARD) == NULL && view->context->colocation &&
	               !view->context->rent
	           ? ITEM_CABINET
	           : ITEM_COMPUTE;
}

/* "8*H100 80G" sold for one price is one machine. */
static bool sells_machine(enum price_item item, const struct table *table,
                          const struct offer *offer)
{
	return item == ITEM_PURCHASE && offer->cards_per_server > 1 &&
	       table_column(table, ROLE_CARDS) == NULL;
}

/* A cabinet fee is per cabinet, an IP fee per address, without saying so. */
static void imply_thing(enum price_item item, const char *word, struct unit_reading *unit)
{
	if (unit->counted == COUNTED_PIECE && item == ITEM_CABINET)
		unit->counted = COUNTED_NOTHING;
	if (unit->counted != COUNTED_NOTHING)
		return;
	if (item == ITEM_CABINET && word != NULL && strcmp(word, "server_hosting") == 0)
		unit->counted = COUNTED_SERVER;
	else if (item == ITEM_CABINET)
		unit->counted = COUNTED_CABINET;
	else if (item == ITEM_IP)
		unit->counted = COUNTED_IP;
}

static enum price_term term_of_period(const struct unit_reading *unit, int *months)
{
	int count = unit->period_count;

	if (!unit->period_known)
		return TERM_ONE_OFF;
	if (unit->period == PERIOD_YEAR) {
		*months = count > 1 ? count * 12 : 0;
		return TERM_YEARLY;
	}
	if (unit->period == PERIOD_MONTH) {
		*months = count == 1 || count == 3 || count == 12 ? 0 : count;
		return count >= 12 ? TERM_YEARLY : count >= 3 ? TERM_QUARTERLY : TERM_MONTHLY;
	}
	if (unit->period == PERIOD_DAY)
		return count >= 360 ? TERM_YEARLY : count >= 28 ? TERM_MONTHLY : TERM_HOURLY;
	return TERM_HOURLY;
}

static void set_term(const struct row_view *view, const struct column *column,
                     struct price_unit *out)
{
	struct term_reading term = column->price.term;
	enum price_item item = out->item;

	if (!term.known)
		term = term_of_row(view);
	if (item == ITEM_POWER || item == ITEM_TRAFFIC || item == ITEM_OVERAGE) {
		out->term = TERM_METERED;
		return;
	}
	if (item == ITEM_SETUP || item == ITEM_DEPOSIT || item == ITEM_PURCHASE) {
		out->term = TERM_ONE_OFF;
		return;
	}
	bool fits = term.known && term.term != TERM_ONE_OFF &&
	            (item == ITEM_COMPUTE || (term.term != TERM_HOURLY && term.term != TERM_SPOT));

	out->term = fits ? term.term : term_of_period(&out->reading, &out->months);
	if (fits)
		out->months = term.months;
}

static enum unit_fault fault_of(const struct price_unit *out, const struct offer *offer)
{
	const struct unit_reading *unit = &out->reading;
	bool timeless = out->item == ITEM_PURCHASE || out->item == ITEM_SETUP ||
	                out->item == ITEM_DEPOSIT || out->item == ITEM_TRAFFIC ||
	                out->item == ITEM_SERVICE ||
	                (out->item == ITEM_POWER && unit->counted == COUNTED_KWH);
	int cards = offer->cards_per_server > 0 ? offer->cards_per_server : unit->cards;

	if (unit->counted == COUNTED_NOTHING && !unit->period_known && !timeless)
		return UNIT_MISSING;
	if (unit->counted == COUNTED_NOTHING && out->item != ITEM_SETUP &&
	    out->item != ITEM_DEPOSIT)
		return UNIT_NO_THING;
	if (!unit->period_known && !timeless)
		return UNIT_NO_PERIOD;
	if (unit->counted == COUNTED_SERVER && out->item == ITEM_COMPUTE && cards == 0)
		return UNIT_NO_CARDS;
	return UNIT_FINE;
}

/* The unit as it stands where one place says all of it, else spelled from its parts. */
static const char *unit_words(struct arena *arena, const struct sources *from,
                              const struct unit_reading *merged)
{
	for (int i = 0; i < SOURCES; i++) {
		const struct unit_reading *said = &from->unit[i];
		bool thing = said->counted == merged->counted && said->count == merged->count;
		bool period = said->period_known == merged->period_known;
		bool amount = said->amount_known || said->currency[0] != '\0' || i == 0;

		if (*from->text[i] != '\0' && thing && period && amount)
			return arena_strdup(arena, from->text[i]);
	}
	return unit_says_what(merged) || merged->amount_known ? unit_spell(arena, merged) : "";
}

/* "RTX 4090 整机" for 元/年: the product says what is counted where nothing else does. */
static void thing_from_product(const struct row_view *view, struct unit_reading *unit)
{
	struct arena *arena = view->reader->arena;
	const char *text =
	    norm_tight(arena, arena_printf(arena, "%s %s", view_text(view, ROLE_PRODUCT),
	                                   view_text(view, ROLE_CARD)));
	const struct word *hint = words_find(view->reader->words, "per_hint", text, NULL);

	if (unit->counted == COUNTED_NOTHING && unit->amount_known && hint != NULL)
		unit->counted = strcmp(hint->meaning, "card") == 0 ? COUNTED_CARD : COUNTED_SERVER;
}

static void period_from_titles(const struct context *context, struct unit_reading *unit)
{
	bool machine = unit->counted == COUNTED_CARD || unit->counted == COUNTED_SERVER;

	if (unit->period_known || !machine || !context->period_known || context->periods_differ ||
	    context->sale)
		return;
	unit->period_known = true;
	unit->period = context->period;
	unit->period_count = context->period_count;
}

struct price_unit price_unit_of(const struct row_view *view, const struct column *column,
                                const struct number_reading *number, const struct offer *offer)
{
	struct price_unit out = {.reading = unit_nothing()};
	struct sources from = collect(view, column, number);
	struct term_reading row_term = term_of_row(view);

	out.unit_column = from.column;
	merge_thing(&from, &out);
	merge_currency(&from, &out);
	merge_scale(&from, number, &out);
	merge_term_period(&column->price.term, &out.reading);
	if (out.reading.counted != COUNTED_NOTHING && !is_rate(out.reading.counted))
		merge_term_period(&row_term, &out.reading);
	thing_from_product(view, &out.reading);
	period_from_titles(view->context, &out.reading);
	out.item = item_of(view, column, &out);
	imply_thing(out.item, row_item_word(view), &out.reading);
	if (out.reading.counted == COUNTED_NOTHING && sells_machine(out.item, view->table, offer))
		out.reading.counted = COUNTED_SERVER;
	out.text = unit_words(view->reader->arena, &from, &out.reading);
	set_term(view, column, &out);
	if (out.fault != UNIT_FINE)
		return out;
	out.fault = fault_of(&out, offer);
	if (out.fault != UNIT_FINE)
		return out;
	if (!unit_resolve(
		&out.reading, out.item,
		line_mbps_read(norm_text(view->reader->arena, view_text(view, ROLE_CONFIG))),
		&out.unit))
		out.fault = out.reading.counted == COUNTED_LINE ? UNIT_NO_RATE : UNIT_NOT_OF_ITEM;
	if (out.fault == UNIT_FINE && out.reading.currency[0] == '\0') {
		/* A Chinese heading without 元 means 元; an English one says nothing. */
		out.currency_assumed = norm_has_han(column->norm) || norm_has_han(from.text[0]) ||
		                       norm_has_han(from.text[1]);
		out.fault = out.currency_assumed ? UNIT_FINE : UNIT_NO_CURRENCY;
		memcpy(out.reading.currency, "CNY", 4);
	}
	return out;
}
