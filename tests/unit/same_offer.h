/* same_offer.h - two offers say the same, in every field: for what is stored and read back. */
#ifndef TESTS_SAME_OFFER_H
#define TESTS_SAME_OFFER_H

#include "tests/unit/unit.h"

#include "offer/offer.h"

/* A new field must be stored, kept by a snapshot and compared below; then its size changes here
 * too. */
_Static_assert(sizeof(struct price) == 112, "a field of struct price is new: is it stored?");
_Static_assert(sizeof(struct offer) == 264, "a field of struct offer is new: is it stored?");

static inline void assert_same_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static inline void assert_same_price(const struct price *a, const struct price *b)
{
	assert_int_equal(a->item, b->item);
	assert_int_equal(a->term, b->term);
	assert_int_equal(money_to_micro(a->amount), money_to_micro(b->amount));
	assert_int_equal(a->unit.per, b->unit.per);
	assert_int_equal(a->unit.per_count, b->unit.per_count);
	assert_int_equal(a->unit.period, b->unit.period);
	assert_int_equal(a->unit.period_count, b->unit.period_count);
	assert_string_equal(a->currency, b->currency);
	assert_int_equal(a->tax, b->tax);
	assert_int_equal(a->tax_rate_bp, b->tax_rate_bp);
	assert_int_equal(a->min_quantity, b->min_quantity);
	assert_int_equal(a->has_low, b->has_low);
	assert_int_equal(money_to_micro(a->low), money_to_micro(b->low));
	assert_same_text(a->as_quoted, b->as_quoted);
	assert_same_text(a->unit_text, b->unit_text);
	assert_int_equal(a->column, b->column);
	assert_int_equal(a->row, b->row);
	assert_int_equal(a->normalised_unit, b->normalised_unit);
	assert_int_equal(money_to_micro(a->normalised), money_to_micro(b->normalised));
	assert_int_equal(money_to_micro(a->normalised_low), money_to_micro(b->normalised_low));
}

static inline void assert_same_words(const struct offer *a, const struct offer *b)
{
	assert_same_text(a->sheet_name, b->sheet_name);
	assert_same_text(a->source, b->source);
	assert_same_text(a->card, b->card);
	assert_same_text(a->title, b->title);
	assert_same_text(a->city_name, b->city_name);
	assert_same_text(a->site, b->site);
	assert_same_text(a->line, b->line);
	assert_same_text(a->power_tier, b->power_tier);
	assert_same_text(a->service_tier, b->service_tier);
	assert_same_text(a->licences, b->licences);
	assert_same_text(a->note, b->note);
}

/* What the row says; its id, sheet and supplier are the caller's to compare. */
static inline void assert_same_offer(const struct offer *a, const struct offer *b)
{
	assert_same_words(a, b);
	assert_int_equal(a->row, b->row);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->origin, b->origin);
	assert_int_equal(a->observed_on.days, b->observed_on.days);
	assert_int_equal(a->cards_per_server, b->cards_per_server);
	assert_int_equal(a->servers_available, b->servers_available);
	assert_int_equal(a->city, b->city);
	assert_int_equal(a->delivery, b->delivery);
	assert_int_equal(a->intra_link, b->intra_link);
	assert_int_equal(a->inter_link, b->inter_link);
	assert_true(a->inter_gbps == b->inter_gbps);
	assert_true(a->cabinet_watts == b->cabinet_watts);
	assert_int_equal(a->cabinet_u, b->cabinet_u);
	assert_int_equal(a->power_billing, b->power_billing);
	assert_int_equal(a->mbps_included, b->mbps_included);
	assert_int_equal(a->ips_included, b->ips_included);
	assert_int_equal(a->min_term_months, b->min_term_months);
	assert_int_equal(a->availability_ppm, b->availability_ppm);
	assert_int_equal(a->replacement_minutes, b->replacement_minutes);
	assert_int_equal(a->support_24x7, b->support_24x7);
	assert_int_equal(a->new_cards, b->new_cards);
	assert_int_equal(a->card_age_months, b->card_age_months);
	assert_int_equal(a->pue_milli, b->pue_milli);
	assert_int_equal(a->valid_from.days, b->valid_from.days);
	assert_int_equal(a->valid_to.days, b->valid_to.days);
	assert_int_equal(a->price_count, b->price_count);
	for (int i = 0; i < a->price_count; i++)
		assert_same_price(&a->prices[i], &b->prices[i]);
}

#endif
