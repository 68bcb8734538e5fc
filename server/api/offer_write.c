/* offer_write.c - see offer_write.h. */
#include "api/offer_write.h"

#include <stdio.h>

#include "api/reply.h"
#include "market/catalogue.h"

/* VALUE, or null where it is negative: "not stated". */
static void out_stated(struct json_write *out, const char *key, int value)
{
	if (value >= 0)
		out_integer(out, key, value);
	else
		out_null(out, key);
}

static void out_yes_no(struct json_write *out, const char *key, enum yes_no value)
{
	switch (value) {
	case YES_NO_UNKNOWN:
		out_null(out, key);
		return;
	case YES_NO_YES:
	case YES_NO_NO:
		out_boolean(out, key, value == YES_NO_YES);
		return;
	}
}

/* NUM / DEN as a decimal string without trailing zeros; null where NUM is negative. */
static void out_share(struct json_write *out, const char *key, int64_t num, int64_t den)
{
	char text[RATIO_DECIMAL_SIZE];

	if (num >= 0 && ratio_format_short(ratio_make(num, den), 6, text))
		out_string(out, key, text);
	else
		out_null(out, key);
}

void money_six(struct money amount, char text[static RATIO_DECIMAL_SIZE])
{
	if (!ratio_format(money_to_ratio(amount), 6, text))
		text[0] = '\0';
}

void price_unit_text(const struct price *price, char text[static 32])
{
	const char *unit = normalised_unit_names[price->normalised_unit];

	snprintf(text, 32, "%s%s%s", price->currency, *unit == '\0' ? "" : "/", unit);
}

static int row_of(const struct offer *offer, const struct price *price)
{
	return price->row > 0 ? price->row : offer->row;
}

/* "F14"; null where the price stands in no cell. */
static void write_cell(struct json_write *out, const struct offer *offer, const struct price *price)
{
	char column[8];
	char cell[24];

	if (price->column <= 0) {
		out_null(out, "cell");
		return;
	}
	column_name(price->column, column);
	snprintf(cell, sizeof cell, "%s%d", column, row_of(offer, price));
	out_string(out, "cell", cell);
}

static void write_price(struct json_write *out, const struct offer *offer,
                        const struct price *price)
{
	char amount[RATIO_DECIMAL_SIZE];
	char unit[32];

	money_six(price->normalised, amount);
	price_unit_text(price, unit);
	out_object(out, NULL);
	out_string(out, "item", price_item_names[price->item]);
	out_string(out, "term", price_term_names[price->term]);
	out_string(out, "as_quoted", price->as_quoted);
	out_string(out, "unit", price->unit_text);
	out_string(out, "normalised", amount);
	out_string(out, "normalised_unit", unit);
	out_string(out, "tax", tax_basis_names[price->tax]);
	out_share(out, "tax_rate", price->tax_rate_bp, 10000);
	money_six(price->normalised_low, amount);
	out_string(out, "low", price->has_low ? amount : NULL);
	if (price->min_quantity > 0)
		out_integer(out, "min_quantity", price->min_quantity);
	write_cell(out, offer, price);
	out_end(out);
}

static void write_machine(struct json_write *out, const struct offer *offer)
{
	out_known_string(out, "card", offer->card);
	out_known_string(out, "title", offer->title);
	out_known_integer(out, "cards_per_server", offer->cards_per_server);
	out_stated(out, "servers_available", offer->servers_available);
	out_known_string(out, "city", city_names_zh[offer->city]);
	out_known_string(out, "city_name", offer->city_name);
	out_known_string(out, "site", offer->site);
	out_known_string(out, "delivery", delivery_names[offer->delivery]);
	out_known_string(out, "intra_link", intra_link_names[offer->intra_link]);
	out_known_string(out, "inter_link", inter_link_names[offer->inter_link]);
	out_known_number(out, "inter_gbps", offer->inter_gbps, 3);
	out_known_number(out, "cabinet_kw", (double)offer->cabinet_watts / 1000.0, 3);
	out_known_integer(out, "cabinet_u", offer->cabinet_u);
	out_known_string(out, "power_billing", power_billing_names[offer->power_billing]);
	out_known_string(out, "line", offer->line);
	out_stated(out, "mbps_included", offer->mbps_included);
	out_stated(out, "ips_included", offer->ips_included);
}

static void write_terms(struct json_write *out, const struct offer *offer)
{
	out_known_integer(out, "min_term_months", offer->min_term_months);
	out_share(out, "availability", offer->availability_ppm, 1000000);
	if (offer->replacement_minutes >= 0)
		out_number(out, "replacement_hours", offer->replacement_minutes / 60.0, 3);
	else
		out_null(out, "replacement_hours");
	out_yes_no(out, "support_24x7", offer->support_24x7);
	out_yes_no(out, "new_cards", offer->new_cards);
	out_stated(out, "card_age_months", offer->card_age_months);
	out_known_string(out, "power_tier", offer->power_tier);
	out_known_string(out, "service_tier", offer->service_tier);
	out_known_string(out, "licences", offer->licences);
	out_known_number(out, "pue", offer->pue_milli / 1000.0, 3);
	out_date(out, "valid_from", offer->valid_from);
	out_date(out, "valid_to", offer->valid_to);
	out_known_string(out, "note", offer->note);
}

void offer_write_members(struct json_write *out, const struct offer *offer)
{
	out_known_string(out, "sheet", offer->sheet_name);
	out_known_integer(out, "row", offer->row);
	out_string(out, "kind", offer_kind_names[offer->kind]);
	write_machine(out, offer);
	write_terms(out, offer);
	out_array(out, "prices");
	for (int i = 0; i < offer->price_count; i++)
		write_price(out, offer, &offer->prices[i]);
	out_end(out);
}

void offer_write_provenance(struct json_write *out, const struct offer *offer)
{
	out_integer(out, "id", offer->id);
	out_integer(out, "sheet_id", offer->sheet_id);
	out_string(out, "supplier", offer->supplier);
	out_known_string(out, "supplier_name", offer->supplier_name);
	out_string(out, "origin", origin_names[offer->origin]);
	out_known_string(out, "source", offer->source);
	out_date(out, "observed_on", offer->observed_on);
}

void offer_write_place(struct json_write *out, const struct offer *offer)
{
	out_integer(out, "offer", offer->id);
	out_integer(out, "sheet", offer->sheet_id);
	out_string(out, "sheet_name", offer->sheet_name);
	out_integer(out, "row", offer->row);
}

void offer_write_source(struct json_write *out, const struct offer *offer,
                        const struct price *price)
{
	char column[8];

	column_name(price->column, column);
	out_integer(out, "offer", offer->id);
	out_integer(out, "sheet", offer->sheet_id);
	out_string(out, "sheet_name", offer->sheet_name);
	out_integer(out, "row", row_of(offer, price));
	out_known_string(out, "column", column);
}

void offer_write_seller(struct json_write *out, const struct catalogue *catalogue,
                        const struct offer *offer)
{
	const struct supplier *supplier =
	    offer->supplier == NULL ? NULL : catalogue_supplier(catalogue, offer->supplier);

	out_string(out, "supplier", offer->supplier);
	out_string(out, "supplier_name", supplier == NULL ? offer->supplier_name : supplier->name);
	out_known_string(out, "supplier_name_en", supplier == NULL ? NULL : supplier->name_en);
	out_string(out, "origin", origin_names[offer->origin]);
	out_string(out, "reference", offer->source);
	out_date(out, "price_date", offer->observed_on);
}
