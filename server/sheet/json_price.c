/* json_price.c - one price of a JSON sheet; see json_object.h. */
#include <string.h>

#include "base/arena.h"
#include "offer/facts.h"
#include "sheet/json_object.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"

static const char *const price_members[] = {
    "item",         "term",       "as_quoted",       "unit",   "tax", "tax_rate", "low", "currency",
    "min_quantity", "normalised", "normalised_unit", "column", "cell"};
#define PRICE_MEMBERS (sizeof price_members / sizeof *price_members)

static enum price_item default_item(const struct unit_reading *unit, const struct offer *offer,
                                    bool kind_given)
{
	if (kind_given)
		return offer_main_item(offer->kind);
	return unit->period_known ? ITEM_COMPUTE : ITEM_PURCHASE;
}

static enum price_term default_term(const struct price *price)
{
	if (price->item == ITEM_POWER || price->item == ITEM_TRAFFIC || price->item == ITEM_OVERAGE)
		return TERM_METERED;
	switch (price->unit.period) {
	case PERIOD_ONCE:
		return TERM_ONE_OFF;
	case PERIOD_HOUR:
		return TERM_HOURLY;
	case PERIOD_DAY:
		return price->unit.period_count >= 28 ? TERM_MONTHLY : TERM_HOURLY;
	case PERIOD_MONTH:
		return price->unit.period_count >= 12  ? TERM_YEARLY
		       : price->unit.period_count >= 3 ? TERM_QUARTERLY
		                                       : TERM_MONTHLY;
	case PERIOD_YEAR:
		return TERM_YEARLY;
	}
	return TERM_MONTHLY;
}

static void read_tax(const struct object *in, struct price *price)
{
	int tax = object_name(in, "tax", tax_basis_names, TAX_BASIS_COUNT);
	const char *rate = object_text(in, "tax_rate");
	int64_t points;

	price->tax = tax < 0 ? TAX_UNKNOWN : (enum tax_basis)tax;
	price->tax_rate_bp = -1;
	if (rate == NULL)
		return;
	if (text_scaled(rate, 4, 3000, &points))
		price->tax_rate_bp = (int32_t)points;
	else
		object_bad_value(in, "tax_rate", rate, TEXT("e.g. \"0.06\"", "例如 \"0.06\""));
}

/* The amount and the unit; false with a problem. */
static bool read_amount(const struct object *in, const struct offer *offer, bool kind_given,
                        struct price *price)
{
	struct reader *reader = in->reader;
	const char *quoted = object_text(in, "as_quoted");
	const char *unit_text = object_text(in, "unit");
	int item = object_name(in, "item", price_item_names, PRICE_ITEM_COUNT);
	struct number_reading number = number_text_read(reader->arena, reader->words, quoted);
	struct unit_reading unit = unit_nothing();

	if (quoted == NULL || number.kind == NUMBER_EMPTY || number.kind == NUMBER_BAD) {
		object_report(in, "as_quoted", "bad_number", quoted,
		              TEXT("this is not a number", "这不是数字"),
		              TEXT("write the price as text or number", "请填写价格"));
		return false;
	}
	if (number.kind == NUMBER_NONE) {
		reader_report(reader, PROBLEM_SKIPPED, "no_price", object_place(in, "as_quoted"),
		              quoted,
		              TEXT("no price: on request, or left open", "没有价格（面议或未填）"),
		              (struct text){0});
		return false;
	}
	const char *norm = norm_text(reader->arena, unit_text);

	if (unit_text_read(reader->words, norm, &unit) == 0)
		unit_text_read(reader->words, arena_printf(reader->arena, "/%s", norm), &unit);
	price->item = item >= 0 ? (enum price_item)item : default_item(&unit, offer, kind_given);
	if (unit.clash || !unit_resolve(&unit, price->item, 0, &price->unit)) {
		object_report(in, "unit", unit_text == NULL ? "unit_missing" : "ambiguous_unit",
		              unit_text,
		              TEXT("the unit does not say per what", "单位没有写明按什么计价"),
		              TEXT("e.g. 元/卡/时, CNY/server/month", "例如 元/卡/时、元/台/月"));
		return false;
	}
	const char *currency = object_text(in, "currency");
	const char *code = number.unit.currency[0] != '\0' ? number.unit.currency : unit.currency;

	if (currency != NULL && strlen(currency) == 3)
		code = currency;
	memcpy(price->currency, *code == '\0' ? "CNY" : code, 4);
	price->as_quoted = number.number_text;
	price->unit_text = unit_text == NULL ? "" : unit_text;
	struct ratio scale = number.scaled ? ratio_of(1) : unit.scale;
	struct ratio value = number.value;

	if (!ratio_multiply(value, scale, &value) || !money_from_ratio(value, &price->amount)) {
		object_report(
		    in, "as_quoted", "bad_number", quoted,
		    TEXT("the amount is too large or has too many digits", "金额过大或小数位过多"),
		    (struct text){0});
		return false;
	}
	price->has_low = number.is_range && ratio_multiply(number.low, scale, &value) &&
	                 money_from_ratio(value, &price->low);
	return true;
}

static bool check_amount(const struct object *in, const struct price *price)
{
	int sign = money_compare(price->amount, money_zero());
	bool main_item = price->item == ITEM_COMPUTE || price->item == ITEM_CABINET ||
	                 price->item == ITEM_PURCHASE;

	if (sign > 0 || (sign == 0 && !main_item))
		return true;
	object_report(in, "as_quoted", sign < 0 ? "negative_price" : "zero_price", price->as_quoted,
	              TEXT("a price must be above zero", "价格必须大于零"),
	              TEXT("leave the price out if there is none", "没有价格请不要填写"));
	return false;
}

bool json_price_read(const struct object *in, const struct offer *offer, bool kind_given,
                     struct price *price)
{
	const char *name;
	json_t *value;
	int term = object_name(in, "term", price_term_names, PRICE_TERM_COUNT);
	const char *quantity = object_text(in, "min_quantity");
	int64_t least;

	json_object_foreach((json_t *)(uintptr_t)in->json, name, value)
	{
		(void)value;
		bool known = false;

		for (size_t i = 0; i < PRICE_MEMBERS; i++)
			known = known || strcmp(price_members[i], name) == 0;
		if (!known)
			object_unknown(in, name, price_members, PRICE_MEMBERS);
	}
	read_tax(in, price);
	if (!read_amount(in, offer, kind_given, price) || !check_amount(in, price))
		return false;
	price->term = term >= 0 ? (enum price_term)term : default_term(price);
	if (quantity != NULL && text_scaled(quantity, 0, 1000000, &least))
		price->min_quantity = least > 1 ? (int32_t)least : 0;
	return true;
}
