/* compare.c - see compare.h. */
#include "sheet/compare.h"

#include <string.h>

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

/* What is sold, whatever it and its place are called. */
static int compare_kind(const struct offer *a, const struct offer *b)
{
	int order = compare_number(a->kind, b->kind);

	order = order != 0 ? order : compare_text(a->card, b->card);
	order = order != 0 ? order : compare_number(a->cards_per_server, b->cards_per_server);
	order = order != 0 ? order : compare_number(a->cabinet_watts, b->cabinet_watts);
	order = order != 0 ? order : compare_text(a->line, b->line);
	return order != 0 ? order : compare_number(a->min_term_months, b->min_term_months);
}

int offer_compare_unnamed(const struct offer *a, const struct offer *b)
{
	int order = compare_kind(a, b);

	return order != 0 ? order : compare_text(a->city_name, b->city_name);
}

int offer_compare_unplaced(const struct offer *a, const struct offer *b)
{
	return compare_kind(a, b);
}

bool price_same_purpose(const struct price *a, const struct price *b)
{
	return a->item == b->item && a->term == b->term && a->min_quantity == b->min_quantity &&
	       a->normalised_unit == b->normalised_unit;
}

bool price_same(const struct price *a, const struct price *b)
{
	return price_same_purpose(a, b) && strcmp(a->currency, b->currency) == 0 &&
	       a->tax == b->tax && a->tax_rate_bp == b->tax_rate_bp && a->has_low == b->has_low &&
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
			found = price_same(&a->prices[i], &b->prices[j]);
		if (!found)
			return false;
	}
	return true;
}

bool offers_conflict(const struct offer *a, const struct offer *b)
{
	for (int i = 0; i < a->price_count; i++)
		for (int j = 0; j < b->price_count; j++)
			if (price_same_purpose(&a->prices[i], &b->prices[j]) &&
			    !price_same(&a->prices[i], &b->prices[j]))
				return true;
	return false;
}
