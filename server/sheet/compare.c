/* compare.c - see compare.h and sheet_difference() in sheet.h. */
#include "sheet/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "sheet/sheet.h"
#include "sheet/understood.h"

static int compare_text(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int compare_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int offer_compare_thing(const struct offer *a, const struct offer *b)
{
	int order = compare_number(a->kind, b->kind);

	order = order != 0 ? order : compare_text(a->card, b->card);
	order = order != 0 ? order : compare_number(a->cards_per_server, b->cards_per_server);
	order = order != 0 ? order : compare_text(a->city_name, b->city_name);
	order = order != 0 ? order : compare_text(a->site, b->site);
	order = order != 0 ? order : compare_number(a->cabinet_watts, b->cabinet_watts);
	order = order != 0 ? order : compare_text(a->line, b->line);
	order = order != 0 ? order : compare_text(a->title, b->title);
	return order != 0 ? order : compare_number(a->min_term_months, b->min_term_months);
}

static bool same_purpose(const struct price *a, const struct price *b)
{
	return a->item == b->item && a->term == b->term && a->min_quantity == b->min_quantity &&
	       a->normalised_unit == b->normalised_unit;
}

static bool same_price(const struct price *a, const struct price *b)
{
	return same_purpose(a, b) && strcmp(a->currency, b->currency) == 0 && a->tax == b->tax &&
	       a->tax_rate_bp == b->tax_rate_bp && a->has_low == b->has_low &&
	       money_compare(a->normalised, b->normalised) == 0 &&
	       (!a->has_low || money_compare(a->normalised_low, b->normalised_low) == 0);
}

bool offers_same_prices(const struct offer *a, const struct offer *b)
{
	if (a->price_count != b->price_count)
		return false;
	for (int i = 0; i < a->price_count; i++) {
		bool found = false;

		for (int j = 0; j < b->price_count && !found; j++)
			found = same_price(&a->prices[i], &b->prices[j]);
		if (!found)
			return false;
	}
	return true;
}

bool offers_conflict(const struct offer *a, const struct offer *b)
{
	for (int i = 0; i < a->price_count; i++)
		for (int j = 0; j < b->price_count; j++)
			if (same_purpose(&a->prices[i], &b->prices[j]) &&
			    !same_price(&a->prices[i], &b->prices[j]))
				return true;
	return false;
}

/* ---- the last sheet beside the new one ---- */

static int by_thing(const void *a, const void *b)
{
	const struct offer *const *left = a;
	const struct offer *const *right = b;
	int order = offer_compare_thing(*left, *right);

	/* Repeats of one thing pair up in the order of their rows. */
	return order != 0 ? order : compare_number((*left)->row, (*right)->row);
}

static const struct offer **sorted(const struct offer *offers, size_t count)
{
	const struct offer **list = alloc_zeroed(count + 1, sizeof *list);

	for (size_t i = 0; i < count; i++)
		list[i] = &offers[i];
	qsort(list, count, sizeof *list, by_thing);
	return list;
}

static bool same_conditions(const struct offer *a, const struct offer *b)
{
	return a->servers_available == b->servers_available &&
	       a->valid_from.days == b->valid_from.days && a->valid_to.days == b->valid_to.days &&
	       a->mbps_included == b->mbps_included && a->availability_ppm == b->availability_ppm &&
	       a->replacement_minutes == b->replacement_minutes &&
	       a->power_billing == b->power_billing && a->delivery == b->delivery &&
	       a->support_24x7 == b->support_24x7;
}

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

			if (!same_purpose(old_price, price) || !jumped(old_price, price))
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

struct sheet_difference sheet_difference(const struct offer *old_offers, size_t old_count,
                                         const struct offer *new_offers, size_t new_count,
                                         struct problems *problems)
{
	const struct offer **before = sorted(old_offers, old_count);
	const struct offer **now = sorted(new_offers, new_count);
	struct sheet_difference difference = {0};
	size_t i = 0;
	size_t j = 0;

	while (i < old_count || j < new_count) {
		int order = i == old_count   ? 1
		            : j == new_count ? -1
		                             : offer_compare_thing(before[i], now[j]);

		if (order < 0) {
			difference.gone++;
			i++;
		} else if (order > 0) {
			difference.added++;
			j++;
		} else {
			bool same = offers_same_prices(before[i], now[j]) &&
			            same_conditions(before[i], now[j]);

			difference.unchanged += same;
			difference.changed += !same;
			if (!same && problems != NULL)
				report_jumps(before[i], now[j], problems);
			i++;
			j++;
		}
	}
	report_gone(&difference, old_count, problems);
	free((void *)before);
	free((void *)now);
	return difference;
}
