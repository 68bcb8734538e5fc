/* difference_write.c - see difference_write.h. */
#include "api/difference_write.h"

#include "api/offer_write.h"
#include "api/reply.h"
#include "base/arena.h"

static const char *kind_of(const struct sheet_change *change)
{
	return change->before == NULL ? "new" : change->now == NULL ? "gone" : "changed";
}

static void write_amount(struct json_write *out, const char *key, const struct price *price)
{
	char text[RATIO_DECIMAL_SIZE];

	if (price == NULL) {
		out_null(out, key);
		return;
	}
	money_six(price->normalised, text);
	out_string(out, key, text);
}

static void write_unit(struct json_write *out, const char *key, const struct price *price)
{
	char unit[32];

	if (price == NULL) {
		out_null(out, key);
		return;
	}
	price_unit_text(price, unit);
	out_string(out, key, unit);
}

/* What is bought and for how long: of PRICE, whichever side it stands on. */
static void write_purpose(struct json_write *out, const struct price *price)
{
	out_string(out, "item", price_item_names[price->item]);
	out_string(out, "term", price_term_names[price->term]);
	out_known_integer(out, "min_quantity", price->min_quantity);
}

static void write_price(struct json_write *out, const struct price_change *change)
{
	out_object(out, NULL);
	write_purpose(out, change->now == NULL ? change->before : change->now);
	write_amount(out, "before", change->before);
	write_unit(out, "unit_before", change->before);
	out_string(out, "tax_before",
	           change->before == NULL ? NULL : tax_basis_names[change->before->tax]);
	write_amount(out, "now", change->now);
	write_unit(out, "unit_now", change->now);
	out_string(out, "tax_now", change->now == NULL ? NULL : tax_basis_names[change->now->tax]);
	out_end(out);
}

static void write_condition(struct json_write *out, const struct condition_change *change,
                            enum lang lang)
{
	out_object(out, NULL);
	out_string(out, "field", change->field);
	out_string(out, "label", text_in(change->label, lang));
	out_string(out, "before", change->before);
	out_string(out, "now", change->now);
	out_end(out);
}

/* The prices of an offer that is new or gone: each on one side only. */
static void write_one_side(struct json_write *out, const struct sheet_change *change)
{
	const struct offer *offer = change->now == NULL ? change->before : change->now;

	out_array(out, "prices");
	for (int i = 0; i < offer->price_count; i++) {
		struct price_change price = {0};

		if (change->now == NULL)
			price.before = &offer->prices[i];
		else
			price.now = &offer->prices[i];
		write_price(out, &price);
	}
	out_end(out);
	out_array(out, "conditions");
	out_end(out);
}

static void write_both_sides(struct json_write *out, struct arena *arena,
                             const struct sheet_change *change, enum lang lang)
{
	struct price_change *prices;
	struct condition_change *conditions;
	size_t count = sheet_price_changes(arena, change, &prices);

	out_array(out, "prices");
	for (size_t i = 0; i < count; i++)
		write_price(out, &prices[i]);
	out_end(out);
	count = sheet_condition_changes(arena, change, &conditions);
	out_array(out, "conditions");
	for (size_t i = 0; i < count; i++)
		write_condition(out, &conditions[i], lang);
	out_end(out);
}

static void write_change(struct json_write *out, struct arena *arena,
                         const struct sheet_change *change, enum lang lang)
{
	const struct offer *offer = change->now == NULL ? change->before : change->now;

	out_object(out, NULL);
	out_string(out, "change", kind_of(change));
	out_string(out, "name", text_in(offer_name(arena, offer), lang));
	out_string(out, "sheet", offer->sheet_name);
	out_integer(out, "row", offer->row);
	if (change->before != NULL && change->now != NULL)
		write_both_sides(out, arena, change, lang);
	else
		write_one_side(out, change);
	out_end(out);
}

void difference_write(struct json_write *out, const struct sheet_difference *difference,
                      enum lang lang)
{
	struct arena *arena = arena_create();

	out_object(out, "difference");
	out_integer(out, "new", (int64_t)difference->added);
	out_integer(out, "changed", (int64_t)difference->changed);
	out_integer(out, "gone", (int64_t)difference->gone);
	out_integer(out, "unchanged", (int64_t)difference->unchanged);
	out_array(out, "offers");
	for (size_t i = 0; i < difference->change_count && i < DIFFERENCE_LISTED; i++)
		write_change(out, arena, &difference->changes[i], lang);
	out_end(out);
	out_end(out);
	arena_destroy(arena);
}
