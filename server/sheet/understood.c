/* understood.c - see understood.h. */
#include "sheet/understood.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/sheet.h"

static const struct text kinds[OFFER_KIND_COUNT] = {
    [OFFER_RENTAL] = {"rental", "租赁"},     [OFFER_COLOCATION] = {"colocation", "机柜托管"},
    [OFFER_PURCHASE] = {"purchase", "销售"}, [OFFER_NETWORK] = {"network", "网络"},
    [OFFER_STORAGE] = {"storage", "存储"},   [OFFER_SERVICE] = {"service", "服务"},
};

const struct text price_item_words[PRICE_ITEM_COUNT] = {
    [ITEM_COMPUTE] = {"compute", "算力"},   [ITEM_CABINET] = {"cabinet", "机柜费"},
    [ITEM_POWER] = {"electricity", "电费"}, [ITEM_BANDWIDTH] = {"bandwidth", "带宽"},
    [ITEM_TRAFFIC] = {"traffic", "流量"},   [ITEM_STORAGE] = {"storage", "存储"},
    [ITEM_IP] = {"IP address", "IP"},       [ITEM_SETUP] = {"setup", "一次性费用"},
    [ITEM_SERVICE] = {"service", "服务费"}, [ITEM_PURCHASE] = {"purchase", "售价"},
    [ITEM_DEPOSIT] = {"deposit", "押金"},   [ITEM_OVERAGE] = {"overage", "超用"},
};

const struct text price_term_words[PRICE_TERM_COUNT] = {
    [TERM_HOURLY] = {"hourly", "按时"},       [TERM_MONTHLY] = {"monthly", "包月"},
    [TERM_QUARTERLY] = {"quarterly", "包季"}, [TERM_YEARLY] = {"yearly", "包年"},
    [TERM_SPOT] = {"spot", "抢占"},           [TERM_ONE_OFF] = {"once", "一次性"},
    [TERM_METERED] = {"metered", "按量"},
};

const struct text normalised_unit_words[NORMALISED_UNIT_COUNT] = {
    [UNIT_CARD_HOUR] = {" per card-hour", "/卡/时"},
    [UNIT_CARD] = {" per card", "/卡"},
    [UNIT_SERVER] = {" per server", "/台"},
    [UNIT_SERVER_MONTH] = {" per server-month", "/台/月"},
    [UNIT_CABINET_MONTH] = {" per cabinet-month", "/柜/月"},
    [UNIT_KW_MONTH] = {" per kW-month", "/kW/月"},
    [UNIT_U_MONTH] = {" per U-month", "/U/月"},
    [UNIT_KWH] = {" per kWh", "/度"},
    [UNIT_MBPS_MONTH] = {" per Mbps-month", "/M/月"},
    [UNIT_GB] = {" per GB", "/GB"},
    [UNIT_TB_MONTH] = {" per TB-month", "/TB/月"},
    [UNIT_IP_MONTH] = {" per IP-month", "/IP/月"},
    [UNIT_TIME] = {" each time", "/次"},
    [UNIT_ONCE] = {" once", "（一次性）"},
};

static struct text tax_words(struct arena *arena, const struct price *price)
{
	const char *rate =
	    price->tax_rate_bp < 0 ? "" : arena_printf(arena, " %g%%", price->tax_rate_bp / 100.0);

	switch (price->tax) {
	case TAX_INCLUDED:
		return text_printf(arena, " (tax%s included)", "（含税%s）", rate);
	case TAX_EXCLUDED:
		return text_printf(arena, " (tax%s excluded)", "（不含税%s）", rate);
	case TAX_UNKNOWN:
		break;
	}
	return TEXT(" (tax not stated)", "（未写明是否含税）");
}

/* " (from 4 servers)", "（4 台起）" of a step of a ladder; else nothing. */
static struct text step_words(struct arena *arena, const struct price *price)
{
	struct text what = {"servers", "台"};

	if (price->min_quantity <= 0)
		return TEXT("", "");
	if (price->item == ITEM_CABINET)
		what = TEXT("cabinets", "柜");
	else if (price->item == ITEM_BANDWIDTH)
		what = TEXT("Mbps", "Mbps");
	else if (price->item == ITEM_STORAGE)
		what = TEXT("TB", "TB");
	else if (price->item == ITEM_TRAFFIC)
		what = TEXT("GB", "GB");
	else if (price->item == ITEM_IP)
		what = TEXT("addresses", "个");
	return (struct text){
	    .en = arena_printf(arena, " (from %d %s)", price->min_quantity, what.en),
	    .zh = arena_printf(arena, "（%d %s起）", price->min_quantity, what.zh)};
}

static struct text price_words(struct arena *arena, const struct price *price)
{
	char normalised[RATIO_DECIMAL_SIZE];
	struct text tax = tax_words(arena, price);
	struct text step = step_words(arena, price);
	bool yuan = price->currency[0] == 'C';
	const char *as_quoted = price->as_quoted == NULL ? "" : price->as_quoted;
	const char *unit = price->unit_text == NULL ? "" : price->unit_text;

	if (!ratio_format_short(money_to_ratio(price->normalised), 4, normalised))
		normalised[0] = '\0';
	/* "一次性费用" and "售价" say by themselves that they are paid once. */
	struct text term = price->term == TERM_ONE_OFF && price->item != ITEM_SERVICE
	                       ? (struct text){"", ""}
	                   : price->term == TERM_METERED && price->item == ITEM_BANDWIDTH
	                       ? TEXT("95th percentile", "95计费")
	                       : price_term_words[price->term];
	const char *en = arena_printf(arena, "%s%s%s %s %s%s = %s %s%s%s",
	                              price_item_words[price->item].en, *term.en == '\0' ? "" : " ",
	                              term.en, as_quoted, unit, tax.en, normalised, price->currency,
	                              normalised_unit_words[price->normalised_unit].en, step.en);
	const char *zh = arena_printf(arena, "%s%s %s %s%s = %s %s%s%s", term.zh,
	                              price_item_words[price->item].zh, as_quoted, unit, tax.zh,
	                              normalised, yuan ? "元" : price->currency,
	                              normalised_unit_words[price->normalised_unit].zh, step.zh);

	return (struct text){.en = en, .zh = zh};
}

/* "h100-sxm ×8", "12 kW", or what the row calls it. */
static const char *thing(struct arena *arena, const struct offer *offer)
{
	char kilowatt[RATIO_DECIMAL_SIZE];

	if (offer->card != NULL && offer->cards_per_server > 0)
		return arena_printf(arena, " %s ×%d", offer->card, offer->cards_per_server);
	if (offer->card != NULL)
		return arena_printf(arena, " %s", offer->card);
	if (offer->cabinet_watts > 0 &&
	    ratio_format_short(ratio_make(offer->cabinet_watts, 1000), 3, kilowatt))
		return arena_printf(arena, " %s kW", kilowatt);
	return offer->title == NULL ? "" : arena_printf(arena, " %s", offer->title);
}

struct text offer_name(struct arena *arena, const struct offer *offer)
{
	const char *what = thing(arena, offer);
	const char *city =
	    offer->city_name == NULL ? "" : arena_printf(arena, " · %s", offer->city_name);
	const char *site = offer->site == NULL ? "" : arena_printf(arena, " · %s", offer->site);
	/* A card or a cabinet may have a title beside it, which tells two of them apart. */
	const char *title = offer->title == NULL || strstr(what, offer->title) != NULL
	                        ? ""
	                        : arena_printf(arena, " · %s", offer->title);

	return (struct text){
	    .en = arena_printf(arena, "%s%s%s%s%s", kinds[offer->kind].en, what, city, site, title),
	    .zh =
		arena_printf(arena, "%s%s%s%s%s", kinds[offer->kind].zh, what, city, site, title)};
}

static void add(struct arena *arena, struct text *words, struct text more)
{
	words->en = arena_printf(arena, "%s; %s", words->en, more.en);
	words->zh = arena_printf(arena, "%s；%s", words->zh, more.zh);
}

static void add_validity(struct arena *arena, const struct offer *offer, struct text *words)
{
	bool begins = !date_is_none(offer->valid_from);
	bool ends = !date_is_none(offer->valid_to);
	char from[11] = "";
	char to[11] = "";

	if (begins)
		date_format(offer->valid_from, from);
	if (ends)
		date_format(offer->valid_to, to);
	if (begins && ends)
		add(arena, words,
		    text_printf(arena, "valid from %s to %s", "有效期 %s 至 %s", from, to));
	else if (ends)
		add(arena, words, text_printf(arena, "valid to %s", "有效期至 %s", to));
	else if (begins)
		add(arena, words, text_printf(arena, "valid from %s", "自 %s 起有效", from));
}

/* What else changes who may buy and when, so that a wrong reading is seen. */
static void add_conditions(struct arena *arena, const struct offer *offer, struct text *words)
{
	if (offer->servers_available >= 0)
		add(arena, words,
		    text_printf(arena, "%d available", "可供 %d", offer->servers_available));
	if (offer->min_term_months > 0)
		add(arena, words,
		    text_printf(arena,
		                offer->min_term_months == 1 ? "at least %d month"
		                                            : "at least %d months",
		                "起租 %d 个月", offer->min_term_months));
	if (offer->mbps_included > 0 && offer->kind != OFFER_NETWORK)
		add(arena, words,
		    text_printf(arena, "%d Mbps included", "含带宽 %d Mbps", offer->mbps_included));
	add_validity(arena, offer, words);
}

struct text understood(struct arena *arena, const struct offer *offer, bool names_sheet)
{
	const char *what = thing(arena, offer);
	const char *where =
	    offer->city_name == NULL ? "" : arena_printf(arena, " · %s", offer->city_name);
	struct text sheet = names_sheet && offer->sheet_name != NULL
	                        ? text_printf(arena, "sheet %s, ", "工作表“%s”", offer->sheet_name)
	                        : TEXT("", "");
	const char *en = arena_printf(arena, "%srow %d: %s%s%s", sheet.en, offer->row,
	                              kinds[offer->kind].en, what, where);
	const char *zh = arena_printf(arena, "%s第%d行：%s%s%s", sheet.zh, offer->row,
	                              kinds[offer->kind].zh, what, where);

	struct text words = {.en = en, .zh = zh};

	for (int i = 0; i < offer->price_count; i++)
		add(arena, &words, price_words(arena, &offer->prices[i]));
	add_conditions(arena, offer, &words);
	return words;
}
