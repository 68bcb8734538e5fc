/* context.c - see context.h. */
#include "sheet/context.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/norm.h"
#include "sheet/validity.h"

#define LINE_MAX 2000
#define KEY_MAX 60   /* bytes of a name and of its value in two cells */
#define TITLE_MAX 90 /* bytes; longer lines are no titles */

struct context context_nothing(void)
{
	return (struct context){.unit = unit_nothing(),
	                        .unit_text = "",
	                        .tax = {.basis = TAX_UNKNOWN, .rate_bp = -1},
	                        .observed_on = DATE_NONE,
	                        .valid_from = DATE_NONE,
	                        .valid_to = DATE_NONE};
}

static void read_observed(const struct words *words, const char *text, struct context *context)
{
	const char *at = words_behind(words, "line_observed_on", text);
	struct date first;
	struct date last;

	at = at == NULL ? text : date_text_near(at);
	if (at != NULL && date_is_none(context->observed_on) &&
	    date_text_start(at, &first, &last) > 0)
		context->observed_on = first;
}

/* "起租 1 个月", "最短租期3个月", "minimum term 12 months". */
static int min_term_in(struct arena *arena, const struct words *words, const char *text)
{
	const char *at = words_behind(words, "line_min_term", text);

	if (at == NULL)
		return 0;
	at += strspn(at, ": ");
	at += strncmp(at, "为", strlen("为")) == 0 ? strlen("为") : 0;
	at += strncmp(at, "of ", 3) == 0 ? 3 : 0;
	/* A bare number counts something else: "起租8卡". */
	const char *unit = at + strspn(at, "0123456789 ");

	return strncmp(unit, "个月", strlen("个月")) == 0 || strncmp(unit, "month", 5) == 0 ||
	               strncmp(unit, "年", strlen("年")) == 0 || strncmp(unit, "year", 4) == 0
	           ? months_text_read(arena, at)
	           : 0;
}

int cards_of_machine(const char *text)
{
	static const struct {
		const char *words;
		int cards;
	} numerals[] = {
	    {"十六卡", 16}, {"八卡", 8}, {"四卡", 4}, {"双卡", 2}, {"两卡", 2},
	};
	static const char *const before[] = {"整机", "每台", "单台", "每机", "单机", "均为"};
	static const char *const machines[] = {
	    "卡整机",      "卡服务器",  "卡机",         "卡节点",    "卡裸金属",   "卡一体机",
	    "卡主机",      "卡gpu",     "卡/台",        "卡/机",     "卡/节点",    "张/台",
	    "-gpu server", "-gpu node", "x gpu server", "gpus/node", "gpu/node",   "gpus/server",
	    "gpu/server",  "gpus per",  "gpu per node", "gpu/台",    "gpu server", "gpu node"};

	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		const char *found = strstr(text, machines[i]);
		int cards = 0;
		int scale = 1;

		found -= found != NULL && found > text && found[-1] == ' ';
		while (found != NULL && found > text && found[-1] >= '0' && found[-1] <= '9' &&
		       scale <= 1000) {
			found--;
			cards += scale * (*found - '0');
			scale *= 10;
		}
		if (cards > 0)
			return cards;
	}
	for (size_t i = 0; i < sizeof numerals / sizeof *numerals; i++)
		if (strstr(text, numerals[i].words) != NULL)
			return numerals[i].cards;
	/* "整机8卡", "每台 8 卡" */
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		const char *found = strstr(text, before[i]);
		const char *digits = found == NULL ? "" : found + strlen(before[i]);

		digits += strspn(digits, " :");
		size_t length = strspn(digits, "0123456789");
		const char *unit = digits + length + strspn(digits + length, " ");

		if (length > 0 && length <= 3 && strncmp(unit, "卡", strlen("卡")) == 0)
			return (int)strtol(digits, NULL, 10);
	}
	return 0;
}

static void read_kind(const struct words *words, const char *text, struct context *context)
{
	for (const char *rest = text; *rest != '\0';) {
		size_t at;
		const struct word *word = words_find(words, "kind", rest, &at);

		if (word == NULL)
			return;
		context->rent = context->rent || strcmp(word->meaning, "rental") == 0;
		context->sale = context->sale || strcmp(word->meaning, "purchase") == 0;
		context->colocation =
		    context->colocation || strcmp(word->meaning, "colocation") == 0;
		rest += at + word->length;
	}
}

static void read_unit(struct arena *arena, const struct words *words, const char *line,
                      struct context *context)
{
	const char *text = norm_text(arena, line);
	struct unit_reading unit;
	size_t at;
	size_t length;
	bool named = strstr(text, "单位") != NULL || strstr(text, "unit") != NULL ||
	             strstr(text, "currency") != NULL || strstr(text, "币种") != NULL ||
	             strstr(text, "货币") != NULL || strstr(text, "计价") != NULL ||
	             strstr(text, "prices in") != NULL;

	if (!context->unit.amount_known && unit_text_find(words, text, &unit, &at, &length) &&
	    (named || unit_says_what(&unit))) {
		context->unit = unit;
		context->unit_text =
		    norm_as_written(arena, line, arena_strndup(arena, text + at, length));
	}
	const struct word *hint = words_find(words, "per_hint", text, NULL);

	if (context->unit.counted == COUNTED_NOTHING && hint != NULL && strstr(text, "/") == NULL)
		context->unit.counted =
		    strcmp(hint->meaning, "card") == 0 ? COUNTED_CARD : COUNTED_SERVER;
}

static void read_city(struct arena *arena, const struct words *words, const char *text,
                      struct context *context)
{
	const char *at = words_behind(words, "line_city", text);
	const struct word *city =
	    at == NULL
		? NULL
		: words_find(words, "city", arena_strndup(arena, at, strcspn(at, ";。")), NULL);

	if (city != NULL && context->city == NULL)
		context->city = city->meaning;
}

/*
 * The one city that a part of TEXT is and nothing else: "深圳机房", "GPU租赁报价（深圳）",
 * "单位：元/卡/月，深圳"; of a company or an address only a part holds one. NULL = none, or
 * several.
 */
static const char *city_alone(struct arena *arena, const struct words *words, const char *text)
{
	static const char *const stops[] = {"、", "。"};
	char *parted = arena_strdup(arena, text);
	const char *found = NULL;

	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
		for (char *at = parted; (at = strstr(at, stops[i])) != NULL;)
			memset(at, ',', strlen(stops[i]));
	for (const char *at = parted; *at != '\0'; at += *at != '\0') {
		size_t length = strcspn(at, " ,;:()/|-");
		const char *part = arena_strndup(arena, at, length);
		const char *city =
		    is_city(words, part) ? words_start(words, "city", part)->meaning : NULL;

		at += length;
		if (city != NULL && found != NULL && strcmp(found, city) != 0)
			return NULL;
		found = city != NULL ? city : found;
	}
	return found;
}

/* "一、GPU租赁", "（二）机柜", "3、带宽": the title of one part of a sheet. */
static bool is_section(const char *text)
{
	static const char *const numerals[] = {"一", "二", "三", "四", "五",
	                                       "六", "七", "八", "九", "十"};

	text += *text == '(';
	for (size_t i = 0; i < sizeof numerals / sizeof *numerals; i++)
		if (strncmp(text, numerals[i], strlen(numerals[i])) == 0)
			return strncmp(text + strlen(numerals[i]), "、", strlen("、")) == 0 ||
			       text[strlen(numerals[i])] == ')' || text[strlen(numerals[i])] == '.';
	size_t digits = strspn(text, "0123456789");

	return digits > 0 && digits <= 2 && strncmp(text + digits, "、", strlen("、")) == 0;
}

/* A time in a title counts only when no title names another. */
static void read_period(const struct words *words, const char *text, struct context *context)
{
	struct term_reading term = term_text_read(words, text);

	if (!term.period_known)
		return;
	if (context->period_known && context->period != term.period)
		context->periods_differ = true;
	context->period_known = true;
	context->period = term.period;
	context->period_count = term.period_count;
}

/* "以上价格均为8卡整机月租，…": what one clause says of all prices may be their time. */
static void read_period_of_all(struct arena *arena, const struct words *words, const char *line,
                               struct context *context)
{
	const char *text = norm_tight(arena, line);
	size_t at;
	const struct word *word = words_find(words, "all_prices", text, &at);

	if (word != NULL)
		read_period(words, arena_strndup(arena, text + at, strcspn(text + at, ",;:.")),
		            context);
}

void context_line(struct arena *arena, const struct words *words, const char *line,
                  struct context *context)
{
	const char *text = norm_text(arena, line);

	if (strlen(text) > LINE_MAX)
		return;
	read_unit(arena, words, line, context);
	struct tax_reading tax = tax_text_read(words, text, false);

	if (context->tax.basis == TAX_UNKNOWN && !context->tax.clash) {
		context->tax = tax;
		context->tax_of_section = is_section(text);
	}
	validity_read(arena, words, text, context);
	read_observed(words, text, context);
	read_kind(words, text, context);
	read_period_of_all(arena, words, line, context);
	read_city(arena, words, text, context);
	if (context->power_billing == POWER_UNKNOWN)
		context->power_billing = power_billing_read(words, text);
	if (context->min_term_months == 0)
		context->min_term_months = min_term_in(arena, words, text);
	if (context->cards == 0)
		context->cards = cards_of_machine(text);
	if (strstr(text, "730") != NULL &&
	    (strstr(text, "小时") != NULL || strstr(text, "hour") != NULL))
		context->hours_per_month = 730;
	const struct word *delivery = words_find(words, "delivery", text, NULL);
	int named =
	    delivery == NULL ? -1 : name_index(delivery->meaning, delivery_names, DELIVERY_COUNT);

	if (named > 0 && context->delivery == DELIVERY_UNKNOWN)
		context->delivery = (enum delivery)named;
}

/* The last title counts: it is the nearest one above the table. */
static void read_title_city(struct arena *arena, const struct words *words, const char *text,
                            struct context *context)
{
	const char *city = city_alone(arena, words, text);

	if (city == NULL)
		return;
	context->city = city;
	context->city_of_section = is_section(text) || is_city(words, text);
}

/* Titles, not notes: a note "包月按自然月结算" gives no price its time. */
static void title_rows(struct arena *arena, const struct words *words, const struct grid *grid,
                       size_t from, size_t to, struct context *context)
{
	for (size_t i = from; i < to; i++) {
		const struct grid_row *row = &grid->rows[i];

		if (row->count != 1 || row->cells[0].kind != CELL_TEXT || row->hidden ||
		    strlen(row->cells[0].text) >= TITLE_MAX)
			continue;
		read_period(words, norm_tight(arena, row->cells[0].text), context);
		read_title_city(arena, words, norm_text(arena, row->cells[0].text), context);
	}
}

/* "有效期" and, in the cell beside it, "2026-12-01 至 2026-12-31": one line. */
static void context_pair(struct arena *arena, const struct words *words, const struct cell *key,
                         const struct cell *value, struct context *context)
{
	const char *name = norm_trim(arena, key->text);
	size_t length = strcspn(name, ":");

	if (length > KEY_MAX || strpbrk(name, "0123456789") != NULL ||
	    strlen(value->text) > KEY_MAX)
		return;
	context_line(arena, words, arena_printf(arena, "%.*s:%s", (int)length, name, value->text),
	             context);
}

static void context_rows(struct arena *arena, const struct words *words, const struct grid *grid,
                         size_t from, size_t to, struct context *context)
{
	for (size_t i = from; i < to; i++) {
		const struct grid_row *row = &grid->rows[i];

		for (int c = 0; c < row->count && !row->hidden; c++) {
			if (row->cells[c].kind != CELL_TEXT)
				continue;
			context_line(arena, words, row->cells[c].text, context);
			if (c + 1 < row->count)
				context_pair(arena, words, &row->cells[c], &row->cells[c + 1],
				             context);
		}
	}
}

static void inherit(const struct context *general, struct context *context)
{
	if (date_is_none(context->observed_on))
		context->observed_on = general->observed_on;
	if (date_is_none(context->valid_from))
		context->valid_from = general->valid_from;
	if (date_is_none(context->valid_to))
		context->valid_to = general->valid_to;
	if (context->valid_days == 0 && context->valid_months == 0) {
		context->valid_days = general->valid_days;
		context->valid_months = general->valid_months;
	}
	if (context->hours_per_month == 0)
		context->hours_per_month = general->hours_per_month;
	if (context->min_term_months == 0)
		context->min_term_months = general->min_term_months;
	if (context->city == NULL && !general->city_of_section)
		context->city = general->city;
	if (context->tax.basis == TAX_UNKNOWN && !general->tax_of_section)
		context->tax = general->tax;
}

struct context context_of(struct arena *arena, const struct words *words, const struct table *table,
                          const struct context *general)
{
	struct context context = context_nothing();
	const char *name = table->grid->name == NULL ? "" : norm_text(arena, table->grid->name);

	context_rows(arena, words, table->grid, table->above, table->above_end, &context);
	title_rows(arena, words, table->grid, table->above, table->above_end, &context);
	title_rows(arena, words, table->grid, table->again, table->again_end, &context);
	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (column->role == ROLE_PRICE)
			read_kind(words, column->norm, &context);
		context.sale = context.sale || column->role == ROLE_WARRANTY;
		context.colocation = context.colocation || column->role == ROLE_CABINET_POWER ||
		                     column->role == ROLE_POWER_BILLING;
	}
	read_kind(words, name, &context);
	read_period(words, name, &context);
	if (table->grid->name != NULL)
		read_unit(arena, words, table->grid->name, &context);
	const struct word *city = words_find(words, "city", name, NULL);

	if (context.city == NULL && city != NULL)
		context.city = city->meaning;
	const struct word *hint = words_find(words, "per_hint", name, NULL);

	if (context.unit.counted == COUNTED_NOTHING && hint != NULL)
		context.unit.counted =
		    strcmp(hint->meaning, "card") == 0 ? COUNTED_CARD : COUNTED_SERVER;
	if (general != NULL)
		inherit(general, &context);
	return context;
}
