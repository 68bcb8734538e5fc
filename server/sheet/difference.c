/* difference.c - the last sheet of a supplier beside the new one; see sheet.h. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/compare.h"
#include "sheet/conditions.h"
#include "sheet/sheet.h"
#include "sheet/understood.h"

/* ---- what is said of a pair ---- */

/* More than 40 % dearer or cheaper: over 7/5 of the old price, or under 3/5. */
static bool jumped(const struct price *before, const struct price *now)
{
	struct ratio old_price = money_to_ratio(before->normalised);
	struct ratio new_price = money_to_ratio(now->normalised);
	struct ratio highest;
	struct ratio lowest;

	if (ratio_compare(old_price, ratio_of(0)) <= 0 ||
	    strcmp(before->currency, now->currency) != 0 ||
	    !ratio_multiply(old_price, ratio_make(7, 5), &highest) ||
	    !ratio_multiply(old_price, ratio_make(3, 5), &lowest))
		return false;
	return ratio_compare(new_price, highest) > 0 || ratio_compare(new_price, lowest) < 0;
}

static struct text jump_words(struct arena *arena, const struct price *price, const char *was,
                              const char *is)
{
	struct text unit = normalised_unit_words[price->normalised_unit];
	bool yuan = strcmp(price->currency, "CNY") == 0;

	return (struct text){.en = arena_printf(arena, "the last sheet said %s, this one %s (%s%s)",
	                                        was, is, price->currency, unit.en),
	                     .zh = arena_printf(arena, "上一份报价单为 %s，本次为 %s（%s%s）", was,
	                                        is, yuan ? "元" : price->currency, unit.zh)};
}

static void report_jumps(const struct offer *before, const struct offer *now,
                         struct problems *problems)
{
	for (int i = 0; i < before->price_count; i++) {
		for (int j = 0; j < now->price_count; j++) {
			const struct price *old_price = &before->prices[i];
			const struct price *price = &now->prices[j];
			char was[MONEY_TEXT_SIZE];
			char is[MONEY_TEXT_SIZE];

			if (!price_same_purpose(old_price, price) || !jumped(old_price, price))
				continue;
			money_format(old_price->normalised, was);
			money_format(price->normalised, is);
			problem_add_text(
			    problems, PROBLEM_WARNING, "price_jump",
			    (struct place){
				.sheet = now->sheet_name, .row = now->row, .column = price->column},
			    price->as_quoted, jump_words(problems->arena, price, was, is))
			    ->hint =
			    TEXT("check that the unit has not changed", "请确认单位没有变化");
		}
	}
}

#define MANY_GONE 3 /* offers, and more than half of the old sheet */

static void report_gone(const struct sheet_difference *difference, size_t old_count,
                        struct problems *problems)
{
	if (problems == NULL || difference->gone < MANY_GONE || difference->gone * 2 <= old_count)
		return;
	problem_add(
	    problems, PROBLEM_WARNING, "many_gone", (struct place){0}, NULL,
	    "a new sheet takes the place of the old one: %zu old offers will no longer hold",
	    "新报价单取代旧的：%zu 条旧报价将不再有效", difference->gone)
	    ->hint = TEXT("put all offers into one workbook", "请把全部报价放在一个工作簿里");
}

/* ---- pairs ---- */

/* Offers of one side that are not paired yet. */
struct side {
	const struct offer **items;
	size_t count;
};

/* Both sides, and what was found. */
struct pairing {
	struct arena *arena;
	struct side before;
	struct side now;
	struct sheet_change *pairs;
	size_t count;
};

static struct side side_of(struct arena *arena, struct offer_list list)
{
	struct side side = {.items = arena_array(arena, const struct offer *, list.count + 1),
	                    .count = list.count};

	for (size_t i = 0; i < list.count; i++)
		side.items[i] = &list.items[i];
	return side;
}

typedef int compare_offers(const struct offer *a, const struct offer *b);

static int compare_rows(const struct offer *a, const struct offer *b)
{
	return (a->row > b->row) - (a->row < b->row);
}

static int in_order(const void *a, const void *b, void *compare)
{
	const struct offer *const *left = a;
	const struct offer *const *right = b;
	compare_offers *const *thing = compare;
	int order = (*thing)(*left, *right);

	/* Repeats of one thing pair up in the order of their rows. */
	return order != 0 ? order : compare_rows(*left, *right);
}

/* The end of the run of offers that are the same for COMPARE, from FROM on. */
static size_t run_end(const struct side *side, size_t from, compare_offers *compare)
{
	size_t end = from;

	while (end < side->count && compare(side->items[from], side->items[end]) == 0)
		end++;
	return end;
}

static void pair(struct pairing *in, size_t i, size_t j)
{
	in->pairs[in->count++] =
	    (struct sheet_change){.before = in->before.items[i], .now = in->now.items[j]};
	in->before.items[i] = NULL;
	in->now.items[j] = NULL;
}

/* A run of each side, offers from FROM to TO that are the same thing. */
struct runs {
	size_t before, before_end;
	size_t now, now_end;
};

#define RUN_MAX 200 /* offers of one thing that are compared with one another */

static void pair_same_prices(struct pairing *in, struct runs run)
{
	for (size_t i = run.before; i < run.before_end && i - run.before < RUN_MAX; i++)
		for (size_t j = run.now; j < run.now_end && j - run.now < RUN_MAX; j++)
			if (in->before.items[i] != NULL && in->now.items[j] != NULL &&
			    offers_same_prices(in->before.items[i], in->now.items[j]))
				pair(in, i, j);
}

/* Moves the offers of a run that are left to its start; their number. */
static size_t left_in_run(const struct side *side, size_t from, size_t end)
{
	size_t left = 0;

	for (size_t i = from; i < end; i++) {
		const struct offer *offer = side->items[i];

		side->items[i] = NULL;
		if (offer != NULL)
			side->items[from + left++] = offer;
	}
	return left;
}

static void pair_in_order(struct pairing *in, struct runs run, bool only_as_many)
{
	size_t before = left_in_run(&in->before, run.before, run.before_end);
	size_t now = left_in_run(&in->now, run.now, run.now_end);

	if (only_as_many && before != now)
		return;
	for (size_t i = 0; i < before && i < now; i++)
		pair(in, run.before + i, run.now + i);
}

/* How far a round goes where prices are not equal. */
enum round { ROUND_ALL, ROUND_AS_MANY, ROUND_SAME_PRICES };

static void pair_runs(struct pairing *in, struct runs run, enum round round)
{
	if (round != ROUND_ALL)
		pair_same_prices(in, run);
	if (round != ROUND_SAME_PRICES)
		pair_in_order(in, run, round == ROUND_AS_MANY);
}

static void drop_paired(struct side *side)
{
	size_t kept = 0;

	for (size_t i = 0; i < side->count; i++)
		if (side->items[i] != NULL)
			side->items[kept++] = side->items[i];
	side->count = kept;
}

static void pair_by(struct pairing *in, compare_offers *compare, enum round round)
{
	struct side *before = &in->before;
	struct side *now = &in->now;
	struct runs run = {0};

	qsort_r(before->items, before->count, sizeof *before->items, in_order, &compare);
	qsort_r(now->items, now->count, sizeof *now->items, in_order, &compare);
	while (run.before < before->count && run.now < now->count) {
		int order = compare(before->items[run.before], now->items[run.now]);

		run.before_end = run_end(before, run.before, compare);
		run.now_end = run_end(now, run.now, compare);
		if (order == 0)
			pair_runs(in, run, round);
		run.before = order <= 0 ? run.before_end : run.before;
		run.now = order >= 0 ? run.now_end : run.now;
	}
	drop_paired(before);
	drop_paired(now);
}

/* ---- the whole ---- */

static int by_row_now(const void *a, const void *b)
{
	const struct sheet_change *left = a;
	const struct sheet_change *right = b;

	return compare_rows(left->now, right->now);
}

static int by_row(const void *a, const void *b)
{
	return compare_rows(*(const struct offer *const *)a, *(const struct offer *const *)b);
}

static void count_pairs(struct pairing *in, struct sheet_difference *out, struct problems *problems)
{
	qsort(in->pairs, in->count, sizeof *in->pairs, by_row_now);
	for (size_t i = 0; i < in->count; i++) {
		const struct sheet_change *one = &in->pairs[i];

		if (offers_same_prices(one->before, one->now) &&
		    offers_same_conditions(one->before, one->now)) {
			out->unchanged++;
			continue;
		}
		out->changes[out->change_count++] = *one;
		if (problems != NULL)
			report_jumps(one->before, one->now, problems);
	}
	out->changed = out->change_count;
}

static void add_rest(struct pairing *in, struct sheet_difference *out)
{
	qsort(in->before.items, in->before.count, sizeof *in->before.items, by_row);
	qsort(in->now.items, in->now.count, sizeof *in->now.items, by_row);
	for (size_t i = 0; i < in->now.count; i++)
		out->changes[out->change_count++] = (struct sheet_change){.now = in->now.items[i]};
	for (size_t i = 0; i < in->before.count; i++)
		out->changes[out->change_count++] =
		    (struct sheet_change){.before = in->before.items[i]};
	out->added = in->now.count;
	out->gone = in->before.count;
}

struct sheet_difference sheet_difference(struct arena *arena, struct offer_list before,
                                         struct offer_list now, struct problems *problems)
{
	struct sheet_difference out = {
	    .changes = arena_array(arena, struct sheet_change, before.count + now.count + 1)};
	struct pairing in = {.arena = arena,
	                     .before = side_of(arena, before),
	                     .now = side_of(arena, now),
	                     .pairs = arena_array(arena, struct sheet_change, now.count + 1)};

	pair_by(&in, offer_compare_thing, ROUND_ALL);
	pair_by(&in, offer_compare_unnamed, ROUND_AS_MANY);
	pair_by(&in, offer_compare_unplaced, ROUND_SAME_PRICES);
	count_pairs(&in, &out, problems);
	add_rest(&in, &out);
	report_gone(&out, before.count, problems);
	return out;
}

/* The first price of OFFER for the same as PRICE that TAKEN does not mark; NULL = none. */
static const struct price *counterpart(const struct price *price, const struct offer *offer,
                                       bool *taken)
{
	for (int exact = 1; exact >= 0; exact--)
		for (int i = 0; i < offer->price_count; i++) {
			const struct price *other = &offer->prices[i];

			if (taken[i] || !price_same_purpose(price, other) ||
			    (exact && (price->tax != other->tax ||
			               strcmp(price->currency, other->currency) != 0)))
				continue;
			taken[i] = true;
			return other;
		}
	return NULL;
}

size_t sheet_price_changes(struct arena *arena, const struct sheet_change *change,
                           struct price_change **prices)
{
	const struct offer *before = change->before;
	const struct offer *now = change->now;
	bool *taken = arena_array(arena, bool, (size_t)now->price_count + 1);
	size_t count = 0;

	*prices = arena_array(arena, struct price_change,
	                      (size_t)(before->price_count + now->price_count) + 1);
	for (int i = 0; i < before->price_count; i++) {
		const struct price *same = counterpart(&before->prices[i], now, taken);

		if (same == NULL || !price_same(&before->prices[i], same))
			(*prices)[count++] = (struct price_change){&before->prices[i], same};
	}
	for (int i = 0; i < now->price_count; i++)
		if (!taken[i])
			(*prices)[count++] = (struct price_change){NULL, &now->prices[i]};
	return count;
}
