/*
 * prices.c - GET /prices/{card}: what a card has cost, low, median and high by month and term.
 *
 * A price counts in every month (Asia/Shanghai) at whose end its sheet was current, in this month
 * when it is now: who sends five sheets in a day has one voice. A published price counts in the
 * month of its publication only. All figures are CNY without VAT: the rate that the sheet
 * states, else 6 % on services and 13 % on goods. A sheet that does not say whether VAT is in its
 * prices is taken as it stands and counted in tax_not_stated. Other currencies are taken at the
 * newest rate.
 */
#include <stdlib.h>
#include <string.h>

#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"
#include "market/catalogue.h"

#define POINTS_MOST 200000
#define MONTHS_DEFAULT 24
#define MONTHS_MOST 120
/* Fewer suppliers than this behind a figure, and a viewer could tell whose price it is. */
#define VIEWER_SUPPLIERS 3

/* One price in one month. */
struct entry {
	int month; /* year x 12 + month - 1 */
	enum price_item item;
	enum price_term term;
	enum normalised_unit unit;
	struct money amount;
	const char *supplier;
	bool tax_known;
};

struct history {
	struct request *rq;
	const struct catalogue *catalogue;
	struct entry *entries;
	size_t count;
	size_t capacity;
	int first_month;
	int this_month;
	int left_out; /* prices in a currency without a rate */
};

static int month_of_date(struct date date)
{
	int year;
	int month;
	int day;

	date_to_ymd(date, &year, &month, &day);
	return year * 12 + month - 1;
}

static int month_of(int64_t us)
{
	return month_of_date(date_in_shanghai(us / 1000000));
}

/* When MONTH begins in Shenzhen (UTC+8). */
static int64_t month_start_us(int month)
{
	struct date first;

	if (!date_from_ymd(month / 12, month % 12 + 1, 1, &first))
		return 0;
	return ((int64_t)first.days * 86400 - 8 * 3600) * 1000000;
}

/* POINT in yuan without VAT; false where there is no rate for its currency. */
static bool in_yuan(const struct history *history, const struct price_point *point,
                    struct money *amount)
{
	struct ratio value = money_to_ratio(point->amount);
	int usual_bp = point->item == ITEM_PURCHASE ? 1300 : 600;
	int rate_bp = point->tax_rate_bp >= 0 ? point->tax_rate_bp : usual_bp;

	if (strcmp(point->currency, "CNY") != 0) {
		const struct fx_rate *rate = catalogue_fx(history->catalogue, point->currency);

		if (rate == NULL || !ratio_multiply(value, money_to_ratio(rate->per_unit), &value))
			return false;
	}
	if (point->tax == TAX_INCLUDED &&
	    !ratio_multiply(value, ratio_make(10000, 10000 + rate_bp), &value))
		return false;
	return money_from_ratio(value, amount);
}

static void add_entry(struct history *history, const struct price_point *point, int month,
                      struct money amount)
{
	history->entries = arena_grow(history->rq->arena, history->entries, history->count,
	                              &history->capacity, sizeof *history->entries);
	history->entries[history->count++] = (struct entry){
	    .month = month,
	    .item = point->item,
	    .term = point->term,
	    .unit = point->unit,
	    .amount = amount,
	    .supplier = point->supplier,
	    .tax_known = point->tax != TAX_UNKNOWN,
	};
}

static void add_point(struct history *history, const struct price_point *point)
{
	bool published = point->origin == ORIGIN_PUBLISHED && !date_is_none(point->observed_on);
	int first = published ? month_of_date(point->observed_on) : month_of(point->from_us);
	int last = published           ? first
	           : point->to_us == 0 ? history->this_month
	                               : month_of(point->to_us) - 1;
	struct money amount;

	if (!in_yuan(history, point, &amount)) {
		history->left_out++;
		return;
	}
	if (first < history->first_month)
		first = history->first_month;
	for (int month = first; month <= last && month <= history->this_month; month++)
		if (!published || month >= history->first_month)
			add_entry(history, point, month, amount);
}

static int compare_group(const struct entry *a, const struct entry *b)
{
	if (a->month != b->month)
		return a->month > b->month ? -1 : 1;
	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	if (a->term != b->term)
		return a->term < b->term ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static int by_group_and_amount(const void *a, const void *b)
{
	const struct entry *left = a;
	const struct entry *right = b;
	int group = compare_group(left, right);

	return group != 0 ? group : money_compare(left->amount, right->amount);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int count_suppliers(struct arena *arena, const struct entry *entries, size_t count)
{
	const char **names = arena_array(arena, const char *, count);
	int distinct = 1;

	for (size_t i = 0; i < count; i++)
		names[i] = entries[i].supplier;
	qsort(names, count, sizeof *names, by_text);
	for (size_t i = 1; i < count; i++)
		distinct += strcmp(names[i], names[i - 1]) != 0;
	return distinct;
}

/* The middle one, or the mean of the two in the middle, of amounts in order. */
static struct money median(const struct entry *entries, size_t count)
{
	struct ratio low = money_to_ratio(entries[(count - 1) / 2].amount);
	struct ratio high = money_to_ratio(entries[count / 2].amount);
	struct money middle = entries[count / 2].amount;

	if (!ratio_add(low, high, &low) || !ratio_multiply(low, ratio_make(1, 2), &low) ||
	    !money_from_ratio(low, &middle))
		return entries[count / 2].amount;
	return middle;
}

static void write_group(struct json_write *out, const struct history *history,
                        const struct entry *entries, size_t count)
{
	struct arena *arena = history->rq->arena;
	int suppliers = count_suppliers(arena, entries, count);
	int unstated = 0;

	if (history->rq->caller.role == ROLE_VIEWER && suppliers < VIEWER_SUPPLIERS)
		return;
	for (size_t i = 0; i < count; i++)
		unstated += !entries[i].tax_known;
	out_object(out, NULL);
	out_string(out, "month",
	           arena_printf(arena, "%04d-%02d", entries->month / 12, entries->month % 12 + 1));
	out_string(out, "item", price_item_names[entries->item]);
	out_string(out, "term", price_term_names[entries->term]);
	out_string(out, "unit",
	           arena_printf(arena, "CNY/%s", normalised_unit_names[entries->unit]));
	out_integer(out, "prices", (int64_t)count);
	out_integer(out, "suppliers", suppliers);
	out_integer(out, "tax_not_stated", unstated);
	out_money(out, "low", entries[0].amount);
	out_money(out, "median", median(entries, count));
	out_money(out, "high", entries[count - 1].amount);
	out_end(out);
}

static void write_groups(struct json_write *out, struct history *history)
{
	if (history->count > 0)
		qsort(history->entries, history->count, sizeof *history->entries,
		      by_group_and_amount);
	for (size_t start = 0; start < history->count;) {
		size_t end = start + 1;

		while (end < history->count &&
		       compare_group(&history->entries[start], &history->entries[end]) == 0)
			end++;
		write_group(out, history, &history->entries[start], end - start);
		start = end;
	}
}

static int read_months(const struct request *rq, struct problems *problems)
{
	const char *value = request_query(rq, "months");
	struct ratio months;

	if (value == NULL)
		return MONTHS_DEFAULT;
	if (ratio_parse(value, &months) && months.den == 1 && months.num >= 1 &&
	    months.num <= MONTHS_MOST)
		return (int)months.num;
	problem_add(problems, PROBLEM_ERROR, "parameter_invalid",
	            (struct place){.pointer = "months"}, value, "between 1 and %d",
	            "应在 1 与 %d 之间", MONTHS_MOST);
	return MONTHS_DEFAULT;
}

static struct answer *answer_history(struct history *history)
{
	struct request *rq = history->rq;
	struct price_points points = {0};
	struct price_query query = {
	    .card = rq->params[0],
	    .since_us = month_start_us(history->first_month),
	    .limit = POINTS_MOST,
	};
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	enum store_result result =
	    store_price_history(app_of(rq)->store, rq->arena, &query, &points);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	for (size_t i = 0; i < points.count; i++)
		add_point(history, &points.items[i]);
	out_object(&out, NULL);
	out_string(&out, "card", rq->params[0]);
	out_string(&out, "tax", "excluded");
	out_array(&out, "items");
	write_groups(&out, history);
	out_end(&out);
	out_boolean(&out, "complete", !points.more);
	out_integer(&out, "left_out", rq->caller.role == ROLE_VIEWER ? 0 : history->left_out);
	out_end(&out);
	return reply_tagged(rq, 200, &body);
}

/* 200, 304, 400, 404 for a card that is not in the catalogue. */
struct answer *get_prices(struct request *rq)
{
	static const char *const names[] = {"months"};
	struct problems problems;

	problems_init(&problems, rq->arena);
	request_query_only(rq, names, 1, &problems);
	int months = read_months(rq, &problems);

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	struct history history = {
	    .rq = rq,
	    .catalogue = catalogue,
	    .this_month = month_of(rq->now_us),
	};

	history.first_month = history.this_month - months + 1;
	struct answer *answer =
	    card_find(&catalogue_reference_of(catalogue)->base.cards, rq->params[0]) == NULL
		? reply_not_found(rq)
		: answer_history(&history);

	catalogue_release(catalogue);
	return answer;
}
