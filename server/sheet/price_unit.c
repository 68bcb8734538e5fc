/* price_unit.c - see price_unit.h. */
#include "sheet/price_unit.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"
#include "sheet/price_item.h"

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

	/* A price in a column for other things says its unit itself. */
	if (price->role != ROLE_PRICE)
		return NULL;
	for (const struct column *c = table->columns; c < table->columns + table->column_count;
	     c++) {
		if (c->column <= price->column)
			continue;
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

/* "元/台/月，含税" in the row's note, where neither a column nor the heading says the unit. */
static void unit_of_note(const struct row_view *view, struct sources *from)
{
	const char *note = view_text(view, ROLE_NOTE);
	const char *text = norm_text(view->reader->arena, note);
	struct unit_reading unit;
	size_t used = unit_text_read(view->reader->words, text, &unit);

	if (used == 0 || !unit.amount_known || !unit_says_what(&unit))
		return;
	from->unit[1] = unit;
	from->text[1] = norm_as_written(view->reader->arena, note,
	                                arena_strndup(view->reader->arena, text, used));
}

/* "RTX 4090（元/卡/月）" over or beside prices of several terms or cities. */
static void unit_of_card(const struct row_view *view, struct sources *from)
{
	const char *name = view_text(view, ROLE_CARD);
	const char *text = norm_text(view->reader->arena, name);
	struct unit_reading unit;
	size_t at;
	size_t length;

	if (!unit_text_find(view->reader->words, text, &unit, &at, &length) ||
	    !unit_says_what(&unit))
		return;
	from->unit[1] = unit;
	from->text[1] = norm_as_written(view->reader->arena, name,
	                                arena_strndup(view->reader->arena, text + at, length));
}

/* "元/G/月" under 计费方式: a unit, in a column that is named for something else. */
static void unit_of_term(const struct row_view *view, struct sources *from)
{
	const char *term = view_text(view, ROLE_TERM);
	const char *text = norm_text(view->reader->arena, term);
	struct unit_reading unit;
	size_t used = unit_text_read(view->reader->words, text, &unit);

	if (used == 0 || text[used] != '\0' || !unit.amount_known || !unit_says_what(&unit))
		return;
	from->unit[1] = unit;
	from->text[1] = norm_trim(view->reader->arena, term);
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
	if (column->role != ROLE_PRICE)
		return from;
	if (from.column == NULL)
		unit_of_term(view, &from);
	if (from.column == NULL && !unit_says_what(&column->price.unit) &&
	    !unit_says_what(&from.unit[1]))
		unit_of_note(view, &from);
	if (from.column == NULL && !unit_says_what(&column->price.unit) &&
	    !unit_says_what(&from.unit[1]))
		unit_of_card(view, &from);
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

/* ---- what is sold ---- */

static bool is_rate(enum counted counted)
{
	return counted == COUNTED_MBPS || counted == COUNTED_GBPS || counted == COUNTED_LINE;
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
	else if (item == ITEM_BANDWIDTH && unit->period_known)
		unit->counted = COUNTED_LINE;
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

/* "95计费" in the heading, or in what the row says of its line. */
static bool bills_percentile(const struct row_view *view, const struct column *column)
{
	static const enum role roles[] = {ROLE_TERM,   ROLE_PRODUCT, ROLE_LINE,
	                                  ROLE_CONFIG, ROLE_MBPS,    ROLE_NOTE};
	const struct words *words = view->reader->words;
	const char *meaning = words_meaning(words, "port_billing", column->norm);

	for (size_t i = 0; i < sizeof roles / sizeof *roles && meaning == NULL; i++)
		meaning = words_meaning(words, "port_billing",
		                        norm_tight(view->reader->arena, view_text(view, roles[i])));
	return meaning != NULL && strcmp(meaning, "percentile") == 0;
}

static void set_term(const struct row_view *view, const struct column *column,
                     struct price_unit *out)
{
	struct term_reading term = column->price.term;
	enum price_item item = out->item;

	if (!term.known)
		term = row_term(view);
	if (item == ITEM_POWER || item == ITEM_TRAFFIC || item == ITEM_OVERAGE ||
	    (item == ITEM_BANDWIDTH && bills_percentile(view, column))) {
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

/* Under 实例规格 or 机型 each row is one machine, and so is what it costs. */
static bool heads_machines(const struct row_view *view)
{
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];

		if (column->role == ROLE_PRODUCT && !column->hidden &&
		    words_find(view->reader->words, "per_heading", column->norm, NULL) != NULL)
			return table_column(view->table, ROLE_CARD) != NULL;
	}
	return false;
}

/* "8xH100 SXM5 80GB NVLink node": a product that is a machine of several cards. */
static bool names_machine(const struct row_view *view, const struct offer *offer)
{
	const char *product = norm_text(view->reader->arena, view_text(view, ROLE_PRODUCT));

	return offer->cards_per_server > 1 &&
	       words_find(view->reader->words, "machine", product, NULL) != NULL;
}

/* "RTX 4090 整机" for 元/年: the product says what is counted where nothing else does. */
static void thing_from_product(const struct row_view *view, const struct offer *offer,
                               struct unit_reading *unit)
{
	struct arena *arena = view->reader->arena;
	const struct words *words = view->reader->words;
	const char *text =
	    norm_tight(arena, arena_printf(arena, "%s %s", view_text(view, ROLE_PRODUCT),
	                                   view_text(view, ROLE_CARD)));
	const char *config = norm_tight(arena, view_text(view, ROLE_CONFIG));
	const struct word *hint = words_find(words, "per_hint", text, NULL);
	const char *thing = hint != NULL ? hint->meaning : words_whole(words, "per_hint", config);

	if (unit->counted != COUNTED_NOTHING || (!unit->amount_known && !unit->period_known))
		return;
	if (thing != NULL)
		unit->counted = strcmp(thing, "card") == 0 ? COUNTED_CARD : COUNTED_SERVER;
	else if (unit->period_known && (heads_machines(view) || cards_of_machine(config) > 0 ||
	                                cards_of_machine(text) > 0 || names_machine(view, offer)))
		unit->counted = COUNTED_SERVER;
}

/* The rate of the row's line, for prices per line: 10G in the configuration, 100M under 带宽. */
static int line_rate(const struct row_view *view)
{
	static const enum role roles[] = {ROLE_CONFIG, ROLE_MBPS, ROLE_PRODUCT};
	int rate = 0;

	for (size_t i = 0; i < sizeof roles / sizeof *roles && rate <= 0; i++)
		rate = line_mbps_read(norm_text(view->reader->arena, view_text(view, roles[i])));
	return rate;
}

/* A cell that is 单卡 and no more, whatever its column is named. */
static bool cell_says_card(const struct row_view *view)
{
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell = column->hidden ? NULL : view_cell(view, column);
		const char *meaning =
		    cell == NULL ? NULL
				 : words_whole(view->reader->words, "per_hint",
		                               norm_tight(view->reader->arena, cell->text));

		if (meaning != NULL && strcmp(meaning, "card") == 0)
			return true;
	}
	return false;
}

/* "L20 48G 单卡" in a list of machines for 万元/台 is sold by the card. */
static bool sold_by_card(const struct row_view *view, const struct offer *offer)
{
	const char *product = norm_tight(view->reader->arena, view_text(view, ROLE_PRODUCT));
	const char *hint = words_meaning(view->reader->words, "per_hint", product);

	return offer->cards_per_server == 0 &&
	       ((hint != NULL && strcmp(hint, "card") == 0) || cell_says_card(view));
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

static bool paid_once(const struct column *column)
{
	return column->price.item_known &&
	       (column->price.item == ITEM_DEPOSIT || column->price.item == ITEM_SETUP);
}

struct price_unit price_unit_of(const struct row_view *view, const struct column *column,
                                const struct number_reading *number, const struct offer *offer)
{
	struct price_unit out = {.reading = unit_nothing()};
	struct sources from = collect(view, column, number);
	struct term_reading of_row = row_term(view);

	out.unit_column = from.column;
	merge_thing(&from, &out);
	merge_currency(&from, &out);
	merge_scale(&from, number, &out);
	bool timed = out.reading.period_known;

	/* 月付 over a deposit is when it is paid. */
	if (!paid_once(column))
		merge_term_period(&column->price.term, &out.reading);
	if (out.reading.counted != COUNTED_NOTHING && !is_rate(out.reading.counted))
		merge_term_period(&of_row, &out.reading);
	out.period_of_term =
	    !timed && out.reading.period_known &&
	    words_find(view->reader->words, "month_price", column->norm, NULL) == NULL;
	thing_from_product(view, offer, &out.reading);
	period_from_titles(view->context, &out.reading);
	out.item = price_item_of(view, column, &out.reading);
	imply_thing(out.item, row_item_word(view), &out.reading);
	if (out.item == ITEM_PURCHASE && out.reading.counted == COUNTED_SERVER &&
	    sold_by_card(view, offer))
		out.reading.counted = COUNTED_CARD;
	if (out.reading.counted == COUNTED_NOTHING && sells_machine(out.item, view->table, offer))
		out.reading.counted = COUNTED_SERVER;
	out.text = unit_words(view->reader->arena, &from, &out.reading);
	set_term(view, column, &out);
	if (out.fault != UNIT_FINE)
		return out;
	out.fault = fault_of(&out, offer);
	if (out.fault != UNIT_FINE)
		return out;
	if (!unit_resolve(&out.reading, out.item, line_rate(view), &out.unit))
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
