/* side_price.c - see side_price.h. */
#include "sheet/side_price.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/price_item.h"

static bool item_of_role(enum role role, enum price_item *item)
{
	switch (role) {
	case ROLE_POWER_BILLING:
		*item = ITEM_POWER;
		return true;
	case ROLE_MBPS:
	case ROLE_LINE:
		*item = ITEM_BANDWIDTH;
		return true;
	case ROLE_IPS:
		*item = ITEM_IP;
		return true;
	case ROLE_SUPPORT:
	case ROLE_SERVICE_TIER:
		*item = ITEM_SERVICE;
		return true;
	default:
		return false;
	}
}

/* "38元/M", "3万/G/月"; not "100M". */
static bool is_amount(const struct number_reading *number)
{
	const struct unit_reading *unit = &number->unit;

	return unit->currency[0] != '\0' || unit->amount_known ||
	       (number->scaled && unit->counted != COUNTED_NOTHING && unit->period_known);
}

/* 0.68 under 电费 can only be yuan per kWh; 300 there may be anything. */
static bool is_rate_of_power(const struct row_view *view, const struct column *column,
                             const struct number_reading *number)
{
	return column->role == ROLE_POWER_BILLING &&
	       words_start(view->reader->words, "bare_price", column->norm) != NULL &&
	       ratio_compare(number->value, ratio_of(0)) > 0;
}

static struct unit_reading unit_of_side(const struct column *column, enum price_item item,
                                        const struct number_reading *number)
{
	const struct unit_reading *said = &number->unit;
	struct unit_reading unit = unit_nothing();
	bool silent = said->counted == COUNTED_NOTHING && !said->period_known;

	if (item == ITEM_POWER && silent && ratio_compare(number->value, ratio_of(5)) < 0)
		unit.counted = COUNTED_KWH;
	if (item == ITEM_BANDWIDTH && said->counted == COUNTED_NOTHING)
		unit.counted = column->unit.counted;
	bool counts = unit.counted != COUNTED_NOTHING || said->counted != COUNTED_NOTHING;

	if (item == ITEM_BANDWIDTH && counts && !said->period_known) {
		unit.period = PERIOD_MONTH;
		unit.period_count = 1;
		unit.period_known = true;
	}
	return unit;
}

bool side_price(const struct row_view *view, const struct column *column, const struct cell *cell,
                struct column *priced)
{
	enum price_item item;

	if (!item_of_role(column->role, &item) ||
	    (cell->kind != CELL_TEXT && cell->kind != CELL_NUMBER))
		return false;
	struct number_reading number =
	    number_text_read(view->reader->arena, view->reader->words, cell->text);

	if (number.kind != NUMBER_OK ||
	    (!is_amount(&number) && !is_rate_of_power(view, column, &number)))
		return false;
	*priced = *column;
	priced->city = NULL;
	priced->price = (struct price_heading){.item_known = true,
	                                       .item = item,
	                                       .unit = unit_of_side(column, item, &number),
	                                       .unit_text = "",
	                                       .tax = {.basis = TAX_UNKNOWN, .rate_bp = -1}};
	return true;
}

/* ---- cells that gave nothing ---- */

static bool is_count(const struct row_view *view, const char *text)
{
	int count;

	return count_text_read(view->reader->arena, text, &count);
}

static bool has_word(const struct row_view *view, const char *group, const char *norm)
{
	return words_find(view->reader->words, group, norm, NULL) != NULL;
}

static bool is_unit(const struct row_view *view, const char *norm)
{
	struct unit_reading unit;
	const char *per = arena_printf(view->reader->arena, "/%s", norm);

	return unit_text_read(view->reader->words, norm, &unit) > 0 ||
	       unit_text_read(view->reader->words, per, &unit) > 0;
}

static bool is_tax(const struct row_view *view, const char *norm)
{
	struct tax_reading tax = tax_text_read(view->reader->words, norm, true);
	struct ratio rate;

	return tax.basis != TAX_UNKNOWN || tax.rate_bp >= 0 || tax.clash ||
	       number_text_first(norm, &rate, NULL);
}

/* Whether the cell of ROLE with TEXT, NORM in normal form, gave OFFER what its column is for. */
static bool was_read(const struct row_view *view, const struct offer *offer, enum role role,
                     const char *text, const char *norm)
{
	struct arena *arena = view->reader->arena;
	bool cards;

	switch (role) {
	case ROLE_CARDS:
	case ROLE_SERVERS:
	case ROLE_CABINET_U:
	case ROLE_IPS:
		return is_count(view, text);
	case ROLE_MBPS:
		return offer->mbps_included >= 0 || line_mbps_read(norm) > 0 ||
		       mbps_step_read(norm) >= 0;
	case ROLE_MIN_QUANTITY:
		/* A step that counts no machines, "0-10TB", stands in the title. */
		return strpbrk(norm, "0123456789") != NULL || quantity_text_read(norm, &cards) > 0;
	case ROLE_MIN_TERM:
	case ROLE_CARD_AGE:
		return months_text_read(arena, text) > 0;
	case ROLE_TERM:
		return row_term(view).known || months_text_read(arena, text) > 0 ||
		       has_word(view, "port_billing", norm) || is_unit(view, norm);
	case ROLE_UNIT:
		return is_unit(view, norm);
	case ROLE_CURRENCY:
		return has_word(view, "currency", norm);
	case ROLE_TAX:
	case ROLE_TAX_RATE:
		return is_tax(view, norm);
	case ROLE_AVAILABILITY:
		return offer->availability_ppm > 0;
	case ROLE_REPLACEMENT:
		return offer->replacement_minutes >= 0;
	case ROLE_CABINET_POWER:
		return offer->cabinet_watts > 0 || offer->power_billing != POWER_UNKNOWN;
	case ROLE_POWER_BILLING:
		return has_word(view, "billing", norm);
	case ROLE_PUE:
		return offer->pue_milli > 0;
	case ROLE_NEW_CARDS:
		return offer->new_cards != YES_NO_UNKNOWN;
	case ROLE_SERVICE_TIER:
		return offer->service_tier != NULL;
	case ROLE_INTER_GBPS:
		return offer->inter_gbps > 0;
	default:
		return true;
	}
}

/* 无, 否, 充足: an answer, though no number. */
static bool is_answer(const struct row_view *view, const char *norm)
{
	static const char *const groups[] = {"no_price", "free", "yes", "no"};

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (words_whole(view->reader->words, groups[i], norm) != NULL)
			return true;
	return words_start(view->reader->words, "answer", norm) != NULL;
}

static void report_left(const struct row_view *view, const struct column *column,
                        const struct cell *cell)
{
	struct arena *arena = view->reader->arena;
	struct text meaning = column_meaning(arena, column);
	struct text message = {
	    .en = arena_printf(arena, "this was not understood as \"%s\" and is left out",
	                       meaning.en),
	    .zh = arena_printf(arena, "该单元格无法读作“%s”，未采用", meaning.zh)};

	reader_report(view->reader, PROBLEM_WARNING, "not_understood", view_place(view, column),
	              cell->kind == CELL_NO_VALUE ? NULL : cell->text, message,
	              TEXT("write it as the template does, or under a heading of its own",
	                   "请按模板的写法填写，或另设一列写明表头"));
}

void row_cells_left(const struct row_view *view, const struct offer *offer)
{
	for (int i = 0; i < view->table->column_count; i++) {
		const struct column *column = &view->table->columns[i];
		const struct cell *cell =
		    column->hidden ? NULL : row_cell(view->row, column->column);
		struct column priced;

		if (cell == NULL || column->role == ROLE_PRICE)
			continue;
		const char *norm = norm_text(view->reader->arena, cell->text);

		if (cell->kind != CELL_NO_VALUE &&
		    (was_read(view, offer, column->role, cell->text, norm) ||
		     is_answer(view, norm) || side_price(view, column, cell, &priced)))
			continue;
		if (cell->kind == CELL_NO_VALUE && was_read(view, offer, column->role, "", ""))
			continue;
		report_left(view, column, cell);
	}
}
