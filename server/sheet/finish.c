/* finish.c - see finish.h. */
#include "sheet/finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/compare.h"
#include "sheet/understood.h"

static struct place place_of(struct place place, const struct price *price)
{
	place.column = price->column;
	return place;
}

static void check_band(struct reader *reader, const struct offer *offer, const struct price *price,
                       struct place place)
{
	const struct band *band = band_for(reader->bands, price, offer->card);
	char low[MONEY_TEXT_SIZE];
	char high[MONEY_TEXT_SIZE];

	if (band == NULL || strcmp(price->currency, "CNY") != 0 || band_holds(band, price) ||
	    money_compare(price->normalised, money_zero()) == 0)
		return;
	money_format(band->low, low);
	money_format(band->high, high);
	reader_report(
	    reader, PROBLEM_WARNING, "out_of_band", place_of(place, price), price->as_quoted,
	    (struct text){
		.en = arena_printf(reader->arena, "outside what is usual for this: %s to %s CNY%s",
	                           low, high, normalised_unit_words[price->normalised_unit].en),
		.zh = arena_printf(reader->arena, "超出通常范围：%s 至 %s（元%s）", low, high,
	                           normalised_unit_words[price->normalised_unit].zh)},
	    TEXT("check 万, per card or per server, hour or month",
	         "请检查“万”、按卡或按台、按小时或按月是否写错"));
}

/* Both ends of PRICE on the common basis. */
static bool normalise(const struct offer *offer, int hours_per_month, struct price *price)
{
	struct ratio value;

	price->normalised_unit = price_basis(price->item, price->unit);
	/* A fee per server or cabinet is one sum each time it is due. */
	if (price->item == ITEM_SERVICE && price->unit.period == PERIOD_ONCE)
		price->normalised_unit = UNIT_TIME;
	if (!unit_normalise(money_to_ratio(price->amount), price->unit, offer->cards_per_server,
	                    hours_per_month, price->normalised_unit, &value) ||
	    !money_from_ratio(value, &price->normalised))
		return false;
	return !price->has_low ||
	       (unit_normalise(money_to_ratio(price->low), price->unit, offer->cards_per_server,
	                       hours_per_month, price->normalised_unit, &value) &&
	        money_from_ratio(value, &price->normalised_low));
}

/* Whether PRICE is out of its band, and inside it per month instead of per year or vice versa. */
static bool fits_other_period(const struct reader *reader, const struct offer *offer,
                              const struct price *price, int hours_per_month)
{
	const struct band *band = band_for(reader->bands, price, offer->card);
	struct price other = *price;

	if (band == NULL || (price->item != ITEM_COMPUTE && price->item != ITEM_CABINET) ||
	    strcmp(price->currency, "CNY") != 0 || price->unit.period == PERIOD_HOUR ||
	    band_holds(band, price))
		return false;
	bool month = price->unit.period == PERIOD_MONTH && price->unit.period_count == 1;

	other.unit.period = month ? PERIOD_YEAR : PERIOD_MONTH;
	other.unit.period_count = 1;
	return normalise(offer, hours_per_month, &other) && band_holds(band, &other);
}

static void report_period(struct reader *reader, const struct price *price, struct place place)
{
	reader_report(
	    reader, PROBLEM_ERROR, "ambiguous_unit", place_of(place, price), price->as_quoted,
	    TEXT("nothing says whether this is per month or per year", "没有写每月还是每年"),
	    TEXT("write 元/台/月 or 元/台/年", "请写 元/台/月 或 元/台/年"));
}

static struct text not_brought(struct arena *arena, const struct price *price)
{
	struct text item = price_item_words[price->item];
	struct text unit = normalised_unit_words[price->normalised_unit];

	return (struct text){
	    .en = arena_printf(arena, "a price for %s cannot be brought to CNY%s from this unit",
	                       item.en, unit.en),
	    .zh = arena_printf(arena, "%s的价格不能从这个单位换算为 元%s", item.zh, unit.zh)};
}

/* Normalises all; those that cannot be are reported and dropped. */
static void normalise_all(struct reader *reader, struct offer *offer, struct split *splits,
                          struct place place, int hours_per_month)
{
	int kept = 0;

	for (int i = 0; i < offer->price_count; i++) {
		struct price price = offer->prices[i];

		place.row = splits[i].cell_row > 0 ? splits[i].cell_row : place.row;
		if (!normalise(offer, hours_per_month, &price)) {
			/* A fee per person and month is clear, but compares with nothing. */
			bool clear = price.item == ITEM_SERVICE;

			reader_report(reader, clear ? PROBLEM_SKIPPED : PROBLEM_ERROR,
			              clear ? "not_compared" : "ambiguous_unit",
			              place_of(place, &price), price.unit_text,
			              not_brought(reader->arena, &price),
			              TEXT("write the unit in full, e.g. 元/卡/月",
			                   "请写全单位，例如 元/卡/月"));
			continue;
		}
		if (splits[i].period_of_term &&
		    fits_other_period(reader, offer, &price, hours_per_month)) {
			report_period(reader, &price, place);
			continue;
		}
		check_band(reader, offer, &price, place);
		splits[kept] = splits[i];
		offer->prices[kept++] = price;
	}
	offer->price_count = kept;
}

static bool has_item(const struct offer *offer, enum price_item item)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == item)
			return true;
	return false;
}

/* The main thing decides: a machine with bandwidth beside it is a rental. */
static enum offer_kind kind_of(const struct offer *offer)
{
	if (has_item(offer, ITEM_COMPUTE))
		return OFFER_RENTAL;
	if (has_item(offer, ITEM_PURCHASE))
		return OFFER_PURCHASE;
	if (has_item(offer, ITEM_CABINET) || has_item(offer, ITEM_POWER) ||
	    has_item(offer, ITEM_OVERAGE))
		return OFFER_COLOCATION;
	if (has_item(offer, ITEM_BANDWIDTH) || has_item(offer, ITEM_TRAFFIC) ||
	    has_item(offer, ITEM_IP))
		return OFFER_NETWORK;
	return has_item(offer, ITEM_STORAGE) ? OFFER_STORAGE : OFFER_SERVICE;
}

/* What a network or storage offer is about: the bandwidth, else the traffic, else the addresses. */
static enum price_item side_sold(const struct offer *offer)
{
	static const enum price_item items[] = {ITEM_BANDWIDTH, ITEM_TRAFFIC, ITEM_IP};

	for (size_t i = 0; i < sizeof items / sizeof *items && offer->kind == OFFER_NETWORK; i++)
		if (has_item(offer, items[i]))
			return items[i];
	return ITEM_STORAGE;
}

/* Leaves out what is sold alone for 0 or next to nothing; 免费 in words is meant so. */
static void refuse_zero(struct reader *reader, struct offer *offer, struct split *splits,
                        struct place place)
{
	enum price_item sold = side_sold(offer);
	int kept = 0;

	for (int i = 0; i < offer->price_count; i++) {
		struct price price = offer->prices[i];

		if (price.item != sold || money_compare(price.normalised, money_zero()) != 0 ||
		    strpbrk(price.as_quoted, "0123456789") == NULL) {
			splits[kept] = splits[i];
			offer->prices[kept++] = price;
			continue;
		}
		reader_report(
		    reader, PROBLEM_ERROR, "zero_price", place_of(place, &price), price.as_quoted,
		    TEXT("a price of zero", "价格为零"),
		    TEXT("write the price; if there is none yet write 面议, if it is free 免费",
		         "请填写价格；暂无价格请写“面议”，免费请写“免费”"));
	}
	offer->price_count = kept;
}

static void check_dates(struct reader *reader, const struct offer *offer, struct place place)
{
	char day[11];

	if (!date_is_none(offer->valid_from) && !date_is_none(offer->valid_to) &&
	    offer->valid_from.days > offer->valid_to.days) {
		date_format(offer->valid_from, day);
		reader_report(reader, PROBLEM_WARNING, "bad_validity", place, day,
		              TEXT("the price ends before it begins and is never ranked",
		                   "价格在生效之前就已到期，不参与排名"),
		              TEXT("check both dates", "请检查生效日期与有效期"));
		return;
	}
	if (date_is_none(offer->valid_to) || offer->valid_to.days >= reader->options->today.days)
		return;
	date_format(offer->valid_to, day);
	reader_report(reader, PROBLEM_WARNING, "expired", place, day,
	              text_printf(reader->arena, "the price held until %s and is never ranked",
	                          "价格有效期至 %s，已过期，不参与排名", day),
	              TEXT("write the new date", "请填写新的有效期"));
}

static bool same_split(struct split a, struct split b)
{
	return a.row == b.row && a.months == b.months && a.watts == b.watts &&
	       a.billing == b.billing &&
	       strcmp(a.city == NULL ? "" : a.city, b.city == NULL ? "" : b.city) == 0;
}

/* Of what an offer sells there is one price for each term, period, step and tax basis. */
static bool same_promise(const struct price *a, const struct price *b)
{
	return a->item == b->item && a->term == b->term && a->min_quantity == b->min_quantity &&
	       a->tax == b->tax && strcmp(a->currency, b->currency) == 0 &&
	       a->normalised_unit == b->normalised_unit && a->unit.period == b->unit.period &&
	       a->unit.period_count == b->unit.period_count;
}

/* Fees add up and electricity has its hours; a machine, a cabinet or a megabit costs one price. */
static bool has_one_price(enum price_item item)
{
	return item == ITEM_COMPUTE || item == ITEM_CABINET || item == ITEM_PURCHASE ||
	       item == ITEM_BANDWIDTH || item == ITEM_TRAFFIC || item == ITEM_STORAGE ||
	       item == ITEM_IP;
}

/*
 * Two prices of PART that promise the same at different amounts, by day and by night or of October
 * and November: which of them holds is not ours to choose. True when it is asked: PART is no offer
 * then.
 */
static bool ask_which(struct reader *reader, const struct offer *part, struct place place)
{
	bool asked = false;

	for (int i = 1; i < part->price_count; i++) {
		const struct price *again = &part->prices[i];
		int first = 0;

		while (first < i && !same_promise(&part->prices[first], again))
			first++;
		if (first == i || !has_one_price(again->item) ||
		    money_compare(part->prices[first].normalised, again->normalised) == 0)
			continue;
		asked = true;
		reader_report(
		    reader, PROBLEM_ERROR, "two_prices", place_of(place, again), again->as_quoted,
		    text_printf(reader->arena, "the row has another price for the same thing: %s",
		                "同一行里同样的东西另有一个价格：%s",
		                part->prices[first].as_quoted),
		    TEXT("keep the one that holds, or say in the headings what sets them "
		         "apart: term, quantity, tax",
		         "请只留有效的一个，或在表头写明区别：租期、数量、含税与否"));
	}
	return asked;
}

/* The prices of OFFER that are set apart by WANTED, as an offer of their own. */
static void add_part(struct reader *reader, const struct offer *offer, const struct split *splits,
                     struct split wanted, struct place place)
{
	struct offer part = *offer;

	part.price_count = 0;
	part.prices = arena_array(reader->arena, struct price, (size_t)offer->price_count);
	for (int i = 0; i < offer->price_count; i++)
		if (same_split(splits[i], wanted) || (wanted.row > 0 && splits[i].row == 0))
			part.prices[part.price_count++] = offer->prices[i];
	if (wanted.row > 0)
		part.row = wanted.row;
	if (wanted.months > part.min_term_months)
		part.min_term_months = wanted.months;
	if (wanted.watts > 0)
		part.cabinet_watts = wanted.watts;
	if (wanted.billing != POWER_UNKNOWN)
		part.power_billing = wanted.billing;
	if (wanted.city != NULL) {
		part.city_name = wanted.city;
		part.city = city_from_name(wanted.city);
		part.servers_available = wanted.servers;
	}
	if (!ask_which(reader, &part, place))
		reader_add_offer(reader, &part,
		                 understood(reader->arena, &part, reader->several_sheets));
}

static bool any_row(const struct split *splits, int count)
{
	for (int i = 0; i < count; i++)
		if (splits[i].row > 0)
			return true;
	return false;
}

void offer_finish(struct reader *reader, struct offer *offer, const struct split *splits,
                  struct place place, int hours_per_month)
{
	struct split *own =
	    arena_array(reader->arena, struct split, (size_t)offer->price_count + 1);

	if (splits != NULL)
		memcpy(own, splits, sizeof *own * (size_t)offer->price_count);
	normalise_all(reader, offer, own, place, hours_per_month);
	if (offer->price_count == 0)
		return;
	offer->kind = kind_of(offer);
	if (offer->kind == OFFER_NETWORK || offer->kind == OFFER_STORAGE)
		refuse_zero(reader, offer, own, place);
	if (offer->price_count == 0)
		return;
	check_dates(reader, offer, place);
	for (int i = 0; i < offer->price_count; i++) {
		/* Beside prices that are offers of their own, what goes with each is none. */
		bool first = own[i].row > 0 || !any_row(own, offer->price_count);

		for (int j = 0; j < i && first; j++)
			first = !same_split(own[j], own[i]);
		if (first)
			add_part(reader, offer, own, own[i], place);
	}
}

/* ---- repetition ---- */

static int by_thing(const void *a, const void *b)
{
	const struct offer *const *left = a;
	const struct offer *const *right = b;
	int order = offer_compare_thing(*left, *right);

	if (order != 0)
		return order;
	return (*left)->row - (*right)->row;
}

#define RUN_MAX 16 /* offers of the same thing that are compared with one another */

enum pair { PAIR_APART, PAIR_SAME, PAIR_CONFLICT };

/* What AGAIN is beside FIRST, the same thing in an earlier row. */
static enum pair pair_of(const struct offer *first, const struct offer *again)
{
	const char *note = first->note == NULL ? "" : first->note;

	/* Other words in the note may be what tells two rows apart. */
	if (strcmp(note, again->note == NULL ? "" : again->note) != 0)
		return PAIR_APART;
	if (offers_same_prices(first, again))
		return PAIR_SAME;
	return offers_conflict(first, again) ? PAIR_CONFLICT : PAIR_APART;
}

static void report_duplicate(struct reader *reader, const struct offer *first,
                             const struct offer *again)
{
	struct place place = {.sheet = again->sheet_name, .row = again->row};

	if (!reader_lists(reader))
		reader->unlisted++;
	else
		reader_report(reader, PROBLEM_WARNING, "duplicate", place, NULL,
		              text_printf(reader->arena, "the same as row %d; kept once",
		                          "与第 %d 行相同，只保留一条", first->row),
		              TEXT("delete one of the two", "请删除其中一行"));
}

#define CLASH_ROWS_LISTED 20

/* Offers of one thing at several prices, told of once however many they are. */
struct clash {
	const struct offer *first;
	const struct offer *again; /* the second; NULL = no clash */
	size_t count;              /* without the first */
	const char *rows;          /* of all but the first, "7, 9" */
};

static void clash_add(struct reader *reader, struct clash *clash, const struct offer *first,
                      const struct offer *again)
{
	if (clash->count++ == 0)
		*clash =
		    (struct clash){first, again, 1, arena_printf(reader->arena, "%d", again->row)};
	else if (clash->count <= CLASH_ROWS_LISTED)
		clash->rows = arena_printf(reader->arena, "%s, %d", clash->rows, again->row);
	else if (clash->count == CLASH_ROWS_LISTED + 1)
		clash->rows = arena_printf(reader->arena, "%s, …", clash->rows);
}

/* Says what CLASH has gathered, and empties it. */
static void clash_report(struct reader *reader, struct clash *clash)
{
	struct text message;

	if (clash->count == 0)
		return;
	if (clash->count == 1)
		message =
		    text_printf(reader->arena, "row %d offers the same thing at another price",
		                "与第 %d 行是同一报价，价格却不同", clash->first->row);
	else
		message = text_printf(reader->arena,
		                      "the same thing as in row %d at other prices in %zu rows: %s",
		                      "与第 %d 行是同一报价，价格却不同，共 %zu 行：%s",
		                      clash->first->row, clash->count, clash->rows);
	reader_report(reader, PROBLEM_WARNING, "conflicting_price",
	              (struct place){.sheet = clash->again->sheet_name, .row = clash->again->row},
	              NULL, message,
	              TEXT("delete what is out of date, or write what sets the rows apart: site, "
	                   "line, minimum term",
	                   "请删除过时的行，或写明各行的区别：机房、线路、起租期"));
	*clash = (struct clash){0};
}

static bool same_row(const struct offer *a, const struct offer *b)
{
	return a->row == b->row && a->sheet_name == b->sheet_name;
}

/* What settling goes over, in the order of things. */
struct settling {
	struct reader *reader;
	const struct offer **sorted;
	bool *dropped; /* by the offer's place in the sheet */
	struct clash clash;
};

/* Looks at the rows before SORTED[I] that sell the same thing; true when it repeats one. */
static bool settle_one(struct settling *in, size_t i)
{
	struct reader *reader = in->reader;
	const struct offer **sorted = in->sorted;
	const bool *dropped = in->dropped;
	const struct offer *offers = reader->out->offers;
	const struct offer *other = NULL;

	for (size_t j = i; j-- > 0 && i - j <= RUN_MAX;) {
		if (offer_compare_thing(sorted[j], sorted[i]) != 0)
			break;
		if (dropped[sorted[j] - offers] || same_row(sorted[j], sorted[i]))
			continue;
		enum pair pair = pair_of(sorted[j], sorted[i]);

		if (pair == PAIR_SAME) {
			report_duplicate(reader, sorted[j], sorted[i]);
			return true;
		}
		other = pair == PAIR_CONFLICT ? sorted[j] : other;
	}
	if (other != NULL)
		clash_add(reader, &in->clash, other, sorted[i]);
	return false;
}

static void drop(struct sheet *out, const bool *dropped)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->offer_count; i++) {
		if (dropped[i])
			continue;
		out->offers[kept] = out->offers[i];
		out->understood[kept++] = out->understood[i];
	}
	out->offer_count = kept;
}

void offers_settle(struct reader *reader)
{
	struct sheet *out = reader->out;
	size_t count = out->offer_count;
	const struct offer **sorted = arena_array(reader->arena, const struct offer *, count + 1);
	bool *dropped = arena_array(reader->arena, bool, count + 1);

	for (size_t i = 0; i < count; i++)
		sorted[i] = &out->offers[i];
	qsort(sorted, count, sizeof *sorted, by_thing);
	struct settling in = {.reader = reader, .sorted = sorted, .dropped = dropped};

	for (size_t i = 1; i < count; i++) {
		if (offer_compare_thing(sorted[i - 1], sorted[i]) != 0)
			clash_report(reader, &in.clash);
		dropped[sorted[i] - out->offers] = settle_one(&in, i);
	}
	clash_report(reader, &in.clash);
	drop(out, dropped);
}
