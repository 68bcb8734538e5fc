/* pack.c - see pack.h. */
#include "market/pack.h"

#include <string.h>

/* Both are compared as bytes, so neither may have padding. */
struct pack_sheet {
	int64_t sheet_id;
	const char *supplier;
	const char *supplier_name;
	const char *sheet_name;
	const char *source;
	struct date observed_on;
	int32_t unused;
};
_Static_assert(sizeof(struct pack_sheet) == 48, "struct pack_sheet has padding");

struct pack_form {
	const char *unit_text;
	struct unit unit;
	int32_t tax_rate_bp;
	int32_t min_quantity;
	int32_t column;
	int32_t row;
	uint8_t item;
	uint8_t term;
	uint8_t tax;
	uint8_t has_low;
	char currency[4];
	uint8_t normalised_unit;
	uint8_t unused[7];
};
_Static_assert(sizeof(struct pack_form) == 56, "struct pack_form has padding");

#define MOST_ZEROS 15

void pack_tables_init(struct pack_tables *tables, struct arena *arena)
{
	intern_init(&tables->words, arena);
	intern_init(&tables->sheets, arena);
	intern_init(&tables->forms, arena);
}

void pack_tables_seal(struct pack_tables *tables)
{
	intern_seal(&tables->words);
	intern_seal(&tables->sheets);
	intern_seal(&tables->forms);
}

void pack_tables_finish(struct pack_tables *tables)
{
	intern_finish(&tables->words);
	intern_finish(&tables->sheets);
	intern_finish(&tables->forms);
}

static void put_number(struct buf *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		buf_putc(out, (char)(value | 0x80));
	buf_putc(out, (char)value);
}

static void put_signed(struct buf *out, int64_t value)
{
	put_number(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static uint64_t get_number(const unsigned char **at)
{
	uint64_t value = 0;

	for (int shift = 0;; shift += 7) {
		unsigned char byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

static int64_t get_signed(const unsigned char **at)
{
	uint64_t value = get_number(at);

	return (int64_t)(value >> 1 ^ -(value & 1));
}

static int32_t get_int(const unsigned char **at)
{
	return (int32_t)get_signed(at);
}

/* How many zeros MICRO ends with, and the digits without them. */
static void put_money(struct buf *out, struct money amount)
{
	int64_t digits = money_to_micro(amount);
	unsigned zeros = 0;

	while (digits != 0 && digits % 10 == 0 && zeros < MOST_ZEROS) {
		digits /= 10;
		zeros++;
	}
	/* Long numbers would not leave room for the zeros' four bits: they have none. */
	if (digits > INT64_MAX / 32 || digits < INT64_MIN / 32) {
		put_number(out, MOST_ZEROS);
		put_signed(out, money_to_micro(amount));
		return;
	}
	if (zeros == MOST_ZEROS) {
		zeros--;
		digits *= 10;
	}
	put_number(out, ((uint64_t)digits << 1 ^ (uint64_t)(digits >> 63)) << 4 | zeros);
}

static struct money get_money(const unsigned char **at)
{
	static const int64_t tens[MOST_ZEROS] = {
	    1,           10,           100,           1000,           10000,
	    100000,      1000000,      10000000,      100000000,      1000000000,
	    10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000};
	uint64_t value = get_number(at);
	unsigned zeros = value & 15;

	if (zeros == MOST_ZEROS)
		return money_from_micro(get_signed(at));
	value >>= 4;
	return money_from_micro((int64_t)(value >> 1 ^ -(value & 1)) * tens[zeros]);
}

static const char *get_word(const struct pack_tables *tables, const unsigned char **at)
{
	return tables->words.items[get_number(at)];
}

static void put_word(struct pack_tables *tables, struct buf *out, const char *text)
{
	put_number(out, intern_text(&tables->words, text));
}

static void put_sheet(struct pack_tables *tables, const struct offer *offer, struct buf *out)
{
	struct pack_sheet sheet = {
	    .sheet_id = offer->sheet_id,
	    .supplier = intern_word(&tables->words, offer->supplier),
	    .supplier_name = intern_word(&tables->words, offer->supplier_name),
	    .sheet_name = intern_word(&tables->words, offer->sheet_name),
	    .source = intern_word(&tables->words, offer->source),
	    .observed_on = offer->observed_on,
	};

	put_number(out, intern_bytes(&tables->sheets, &sheet, sizeof sheet));
}

static void put_price(struct pack_tables *tables, const struct price *price, struct buf *out)
{
	struct pack_form form = {
	    .unit_text = intern_word(&tables->words, price->unit_text),
	    .unit = price->unit,
	    .tax_rate_bp = price->tax_rate_bp,
	    .min_quantity = price->min_quantity,
	    .column = price->column,
	    .row = price->row,
	    .item = (uint8_t)price->item,
	    .term = (uint8_t)price->term,
	    .tax = (uint8_t)price->tax,
	    .has_low = price->has_low,
	    .normalised_unit = (uint8_t)price->normalised_unit,
	};

	memcpy(form.currency, price->currency, sizeof form.currency);
	put_number(out, intern_bytes(&tables->forms, &form, sizeof form));
	put_money(out, price->amount);
	put_word(tables, out, price->as_quoted);
	put_money(out, price->normalised);
	if (!price->has_low)
		return;
	put_money(out, price->low);
	put_money(out, price->normalised_low);
}

void pack_offer(struct pack_tables *tables, const struct offer *offer, struct buf *out)
{
	put_sheet(tables, offer, out);
	put_signed(out, offer->row);
	put_word(tables, out, offer->title);
	put_word(tables, out, offer->city_name);
	put_word(tables, out, offer->site);
	put_signed(out, offer->mbps_included);
	put_signed(out, offer->ips_included);
	put_word(tables, out, offer->service_tier);
	put_signed(out, offer->pue_milli);
	put_word(tables, out, offer->note);
	put_signed(out, offer->price_count);
	for (int i = 0; i < offer->price_count; i++)
		put_price(tables, &offer->prices[i], out);
}

static const struct pack_sheet *get_sheet(const struct pack_tables *tables,
                                          const unsigned char **at)
{
	return tables->sheets.items[get_number(at)];
}

static struct price get_price(const struct pack_tables *tables, const unsigned char **at)
{
	const struct pack_form *form = tables->forms.items[get_number(at)];
	struct price price = {
	    .item = form->item,
	    .term = form->term,
	    .unit = form->unit,
	    .tax = form->tax,
	    .tax_rate_bp = form->tax_rate_bp,
	    .min_quantity = form->min_quantity,
	    .has_low = form->has_low,
	    .unit_text = form->unit_text,
	    .column = form->column,
	    .row = form->row,
	    .normalised_unit = form->normalised_unit,
	};

	memcpy(price.currency, form->currency, sizeof price.currency);
	price.amount = get_money(at);
	price.as_quoted = get_word(tables, at);
	price.normalised = get_money(at);
	if (price.has_low) {
		price.low = get_money(at);
		price.normalised_low = get_money(at);
	}
	return price;
}

static struct offer offer_from_facts(const struct offer_facts *facts)
{
	return (struct offer){
	    .kind = facts->kind,
	    .origin = facts->origin,
	    .card = facts->card,
	    .cards_per_server = facts->cards_per_server,
	    .city = facts->city,
	    .delivery = facts->delivery,
	    .intra_link = facts->intra_link,
	    .inter_link = facts->inter_link,
	    .inter_gbps = facts->inter_gbps,
	    .cabinet_watts = facts->cabinet_watts,
	    .cabinet_u = facts->cabinet_u,
	    .power_billing = facts->power_billing,
	    .line = facts->line,
	    .min_term_months = facts->min_term_months,
	    .availability_ppm = facts->availability_ppm,
	    .replacement_minutes = facts->replacement_minutes,
	    .support_24x7 = facts->support_24x7,
	    .new_cards = facts->new_cards,
	    .card_age_months = facts->card_age_months,
	    .power_tier = facts->power_tier,
	    .licences = facts->licences,
	    .valid_from = facts->valid_from,
	    .valid_to = facts->valid_to,
	};
}

void unpack_offer(const struct pack_tables *tables, const struct offer_facts *facts, int64_t id,
                  const unsigned char *bytes, struct offer *offer, struct price *prices)
{
	const struct pack_sheet *sheet = get_sheet(tables, &bytes);

	*offer = offer_from_facts(facts);
	offer->id = id;
	offer->sheet_id = sheet->sheet_id;
	offer->supplier = sheet->supplier;
	offer->supplier_name = sheet->supplier_name;
	offer->sheet_name = sheet->sheet_name;
	offer->source = sheet->source;
	offer->observed_on = sheet->observed_on;
	offer->row = get_int(&bytes);
	offer->title = get_word(tables, &bytes);
	offer->city_name = get_word(tables, &bytes);
	offer->site = get_word(tables, &bytes);
	offer->mbps_included = get_int(&bytes);
	offer->ips_included = get_int(&bytes);
	offer->service_tier = get_word(tables, &bytes);
	offer->pue_milli = get_int(&bytes);
	offer->note = get_word(tables, &bytes);
	offer->price_count = get_int(&bytes);
	offer->prices = prices;
	for (int i = 0; i < offer->price_count; i++)
		prices[i] = get_price(tables, &bytes);
}

int64_t unpack_sheet_id(const struct pack_tables *tables, const unsigned char *bytes)
{
	return get_sheet(tables, &bytes)->sheet_id;
}

const char *unpack_supplier(const struct pack_tables *tables, const unsigned char *bytes)
{
	return get_sheet(tables, &bytes)->supplier;
}
