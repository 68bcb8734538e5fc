/* header.c - see header.h. */
#include "sheet/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/understood.h"

#define HEADING_MAX 200 /* bytes; longer texts are notes */

static const struct {
	const char *name; /* the meaning in words.csv */
	struct text words;
} roles[ROLE_COUNT] = {
    [ROLE_NONE] = {"", {"not read", "未读取"}},
    [ROLE_CARD] = {"card", {"card", "卡型号"}},
    [ROLE_FORM_FACTOR] = {"form_factor", {"form factor", "形态"}},
    [ROLE_MEMORY] = {"memory", {"memory of a card", "显存"}},
    [ROLE_CARDS] = {"cards", {"cards per server", "每台卡数"}},
    [ROLE_SERVERS] = {"servers", {"available", "可供数量"}},
    [ROLE_CITY] = {"city", {"city", "城市"}},
    [ROLE_SITE] = {"site", {"site", "机房"}},
    [ROLE_PRODUCT] = {"product", {"product", "产品"}},
    [ROLE_CONFIG] = {"config", {"configuration", "配置"}},
    [ROLE_PRICE] = {"price", {"price", "价格"}},
    [ROLE_UNIT] = {"unit", {"unit of the price", "计价单位"}},
    [ROLE_TERM] = {"term", {"term", "计费方式"}},
    [ROLE_CURRENCY] = {"currency", {"currency", "币种"}},
    [ROLE_TAX] = {"tax", {"tax", "含税情况"}},
    [ROLE_TAX_RATE] = {"tax_rate", {"tax rate", "税率"}},
    [ROLE_LINE] = {"line", {"line", "线路"}},
    [ROLE_INTER_LINK] = {"inter_link", {"network between servers", "组网"}},
    [ROLE_INTER_GBPS] = {"inter_gbps", {"network speed", "组网带宽"}},
    [ROLE_INTRA_LINK] = {"intra_link", {"link between cards", "卡间互联"}},
    [ROLE_MBPS] = {"mbps", {"bandwidth included, or its price", "含带宽或带宽价格"}},
    [ROLE_IPS] = {"ips", {"IP addresses included, or their price", "含 IP 数或 IP 价格"}},
    [ROLE_AVAILABILITY] = {"availability", {"availability", "可用性"}},
    [ROLE_REPLACEMENT] = {"replacement", {"replacement time", "故障更换时间"}},
    [ROLE_SUPPORT] = {"support", {"support", "服务时间"}},
    [ROLE_VALID_TO] = {"valid_to", {"valid to", "有效期至"}},
    [ROLE_VALID_FROM] = {"valid_from", {"valid from", "生效日期"}},
    [ROLE_OBSERVED_ON] = {"observed_on", {"date of the price", "报价日期"}},
    [ROLE_MIN_TERM] = {"min_term", {"minimum term", "起租期"}},
    [ROLE_MIN_QUANTITY] = {"min_quantity", {"minimum quantity", "起订量"}},
    [ROLE_NOTE] = {"note", {"note", "备注"}},
    [ROLE_INDEX] = {"index", {"number of the row", "序号"}},
    [ROLE_DISCOUNT] = {"discount", {"discount, not read", "折扣，未读取"}},
    [ROLE_LIST_PRICE] = {"list_price", {"list price, not read", "原价，未读取"}},
    [ROLE_COST] = {"cost", {"cost, not read", "成本，未读取"}},
    [ROLE_AMOUNT] = {"amount", {"amount, not read", "金额，未读取"}},
    [ROLE_CABINET_POWER] = {"cabinet_power", {"power of a cabinet", "机柜功率"}},
    [ROLE_CABINET_U] = {"cabinet_u", {"usable units", "可用 U 数"}},
    [ROLE_POWER_BILLING] = {"power_billing",
                            {"billing of electricity, or its price", "用电方式或电价"}},
    [ROLE_POWER_TIER] = {"power_tier", {"power tier", "供电等级"}},
    [ROLE_DELIVERY] = {"delivery", {"delivery", "交付方式"}},
    [ROLE_SERVICE_TIER] = {"service_tier", {"service level", "服务级别"}},
    [ROLE_NEW_CARDS] = {"new_cards", {"new or used", "成色"}},
    [ROLE_CARD_AGE] = {"card_age", {"age of the cards", "卡龄"}},
    [ROLE_PUE] = {"pue", {"PUE", "PUE"}},
    [ROLE_WARRANTY] = {"warranty", {"warranty or delivery time, not read", "质保或货期，未读取"}},
    [ROLE_LICENCES] = {"licences", {"licences", "资质"}},
    [ROLE_PROVIDER] = {"provider", {"provider, not read", "供应商，未读取"}},
    [ROLE_SOURCE] = {"source", {"source", "来源"}},
    [ROLE_CONVERTED] = {"converted", {"converted price, not read", "折合价，未读取"}},
    [ROLE_IGNORE] = {"ignore", {"not read", "未读取"}},
};

static enum role role_named(const char *name)
{
	for (int i = 1; i < ROLE_COUNT; i++)
		if (strcmp(roles[i].name, name) == 0)
			return (enum role)i;
	return ROLE_NONE;
}

/* TEXT without what stands in brackets and without sign words around it. */
static const char *without_brackets(struct arena *arena, const char *text)
{
	char *out = arena_strdup(arena, text);
	size_t length = 0;
	int depth = 0;

	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '(')
			depth++;
		else if (*c == ')')
			depth -= depth > 0;
		else if (depth == 0)
			out[length++] = *c;
	}
	while (length > 0 && strchr(" :*#", out[length - 1]) != NULL)
		length--;
	out[length] = '\0';
	return out + strspn(out, " *");
}

/* Chinese headings are matched without spaces ("型 号"), Latin ones need theirs. */
static const char *heading_norm(struct arena *arena, const char *heading)
{
	const char *norm = norm_text(arena, heading);

	return norm_has_han(norm) ? norm_tight(arena, heading) : norm;
}

/* Roles that a currency in the heading does not turn into a price. */
static bool never_a_price(enum role role)
{
	switch (role) {
	case ROLE_DISCOUNT:
	case ROLE_LIST_PRICE:
	case ROLE_CONVERTED:
	case ROLE_SOURCE:
	case ROLE_COST:
	case ROLE_AMOUNT:
	case ROLE_INDEX:
	case ROLE_CURRENCY:
	case ROLE_UNIT:
	case ROLE_TAX_RATE:
	case ROLE_OBSERVED_ON:
	case ROLE_VALID_TO:
	case ROLE_VALID_FROM:
	case ROLE_MIN_TERM:
	case ROLE_NOTE:
		return true;
	default:
		return false;
	}
}

/* The longest column word in TEXT, and how long it is. */
static enum role longest_role(const struct words *words, const char *text, size_t *length)
{
	const char *whole = words_whole(words, "column", text);
	const struct word *word = words_find(words, "column", text, NULL);

	*length = whole != NULL ? strlen(text) : word == NULL ? 0 : word->length;
	return whole != NULL  ? role_named(whole)
	       : word == NULL ? ROLE_NONE
	                      : role_named(word->meaning);
}

/* TEXT without "per GPU-hour": that GPU is no column of cards. */
static const char *without_per(struct arena *arena, const struct words *words, const char *text)
{
	const char *per = strstr(text, "per ");
	struct unit_reading unit;

	if (per == NULL || (per > text && per[-1] != ' ' && per[-1] != '('))
		return text;
	size_t used = unit_text_read(words, per, &unit);

	return used == 0 ? text
	                 : arena_printf(arena, "%.*s%s", (int)(per - text), text, per + used);
}

struct heading {
	const char *text;  /* normal form */
	const char *outer; /* without brackets */
	enum role role;    /* by its column word */
	size_t role_length;
	bool has_unit; /* a unit with a currency */
	bool is_unit;  /* "台/月" */
	bool names_place; /* "线路（元/M/月）": names below it, and the unit of what is beside them
	                   */
	const struct word *item;
	bool per_what; /* "Per-GPU", "Per-Hour", and nothing else */
	bool has_price_word;
	bool has_term;
	bool has_outer_term; /* outside brackets */
};

static struct heading look(struct arena *arena, const struct words *words, const char *text)
{
	struct heading heading = {.text = heading_norm(arena, text)};
	struct unit_reading unit;

	heading.outer = without_brackets(arena, heading.text);
	if (*heading.outer == '\0')
		heading.outer = heading.text;
	const char *named = without_per(arena, words, heading.outer);

	/* "GPUs per server" is a name of its own; of "price per GPU" only the price is one. */
	if (words_whole(words, "column", heading.outer) != NULL)
		named = heading.outer;
	heading.role = longest_role(words, named, &heading.role_length);
	heading.has_unit = unit_text_find(words, heading.text, &unit, NULL, NULL) &&
	                   (unit_says_what(&unit) || strcmp(heading.outer, heading.text) != 0);
	heading.item = words_find(words, "item", heading.text, NULL);
	heading.names_place =
	    strcmp(heading.outer, heading.text) != 0 &&
	    heading.role_length == strlen(heading.outer) &&
	    (heading.role == ROLE_LINE || heading.role == ROLE_CITY || heading.role == ROLE_SITE);
	heading.is_unit = unit_text_is_whole(arena, words, heading.text);
	heading.per_what = strncmp(heading.outer, "per", 3) == 0 &&
	                   (words_whole(words, "per_hint", heading.outer) != NULL ||
	                    words_whole(words, "term", heading.outer) != NULL);
	heading.has_price_word =
	    strstr(heading.text, "价") != NULL || strstr(heading.text, "租金") != NULL ||
	    strstr(heading.text, "price") != NULL || strstr(heading.text, "费用") != NULL ||
	    strstr(heading.text, "费率") != NULL;
	/* 月, 季, 年 alone stand below 价格. */
	heading.has_term =
	    words_find(words, "term", heading.text, NULL) != NULL ||
	    (norm_has_han(heading.text) && words_whole(words, "period", heading.text) != NULL);
	heading.has_outer_term = words_find(words, "term", heading.outer, NULL) != NULL;
	return heading;
}

/* "4kW", "20A", "100M-500M": a step of a ladder of cabinets or of bandwidth, and nothing else. */
static bool is_step(const char *text)
{
	struct ratio value;
	const char *after;

	if (mbps_step_read(text) >= 0)
		return true;
	if (*text < '0' || *text > '9' || !number_text_first(text, &value, &after))
		return false;
	after += strspn(after, " ");
	return strcmp(after, "kw") == 0 || strcmp(after, "kva") == 0 || strcmp(after, "a") == 0;
}

/* "最低数量", "minimum qty": what one must take, not what there is. */
static bool says_least(const char *text)
{
	static const char *const least[] = {"最低", "最少", "最小",    "至少", "起订",
	                                    "起租", "起购", "minimum", "moq"};

	for (size_t i = 0; i < sizeof least / sizeof *least; i++)
		if (strstr(text, least[i]) != NULL)
			return true;
	return strncmp(text, "min ", 4) == 0 || strncmp(text, "min.", 4) == 0;
}

/* What a heading is: what can be no price, what must be one, what its word says, what is left. */
static enum role decide(const struct heading *heading)
{
	/* 半年起租, 一年起: the commitment that a price is for, not a column of commitments. */
	if (heading->role == ROLE_MIN_TERM && heading->has_outer_term)
		return ROLE_PRICE;
	/* "Per-GPU", "Per-Hour" are prices; "GPUs per server" and "per" are not. */
	if (heading->per_what)
		return ROLE_PRICE;
	if (never_a_price(heading->role) || heading->names_place)
		return heading->role;
	if (heading->has_unit || heading->is_unit)
		return ROLE_PRICE;
	if (heading->item != NULL && heading->item->length >= heading->role_length)
		return ROLE_PRICE;
	if (heading->role == ROLE_TAX && (heading->has_price_word || heading->has_outer_term) &&
	    strlen(heading->outer) > heading->role_length)
		return ROLE_PRICE;
	if (heading->role == ROLE_SERVERS && says_least(heading->text))
		return ROLE_MIN_QUANTITY;
	if (heading->role != ROLE_NONE)
		return heading->role;
	/* "10-49台" above prices is a step of a ladder. */
	bool cards;

	if (quantity_text_read(heading->text, &cards) > 0 || is_step(heading->outer))
		return ROLE_PRICE;
	return heading->has_price_word || heading->has_term ? ROLE_PRICE : ROLE_NONE;
}

enum role heading_role(struct arena *arena, const struct words *words, const char *heading)
{
	if (strlen(heading) > HEADING_MAX || strchr("=@", *heading) != NULL)
		return ROLE_NONE;
	struct heading looked = look(arena, words, heading);

	return decide(&looked);
}

/* The N of "N卡" in a heading without a unit for it; 0 = none. */
static int cards_named(const char *text)
{
	static const char *const names[] = {"卡", "张卡", "x gpu", "-gpu", "gpu", "gpus"};

	for (const char *at = text + strcspn(text, "0123456789"); *at != '\0';
	     at += strcspn(at, "0123456789")) {
		char *end;
		long count = strtol(at, &end, 10);

		at = end;
		at += strspn(at, " ");
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (strncmp(at, names[i], strlen(names[i])) == 0 && count >= 1 &&
			    count <= 1024)
				return (int)count;
	}
	return 0;
}

/* "卡时单价", "整机月租", "GPU-hour price": a thing and a time side by side. */
static void bare_unit(const struct words *words, const char *text, struct unit_reading *unit)
{
	for (size_t i = 0; text[i] != '\0'; i++) {
		struct unit_reading bare;
		unsigned char before = i == 0 ? ' ' : (unsigned char)text[i - 1];
		bool inside = (before >= '0' && before <= '9') || (before >= 'a' && before <= 'z');

		if (((unsigned char)text[i] & 0xc0) == 0x80 || inside ||
		    strchr("/(- ", text[i]) != NULL ||
		    unit_text_read(words, text + i, &bare) == 0 ||
		    bare.counted == COUNTED_NOTHING || !bare.period_known || bare.clash)
			continue;
		unit->counted = bare.counted;
		unit->count = bare.count;
		unit->period = bare.period;
		unit->period_count = bare.period_count;
		unit->period_known = true;
		return;
	}
}

static void read_price(struct arena *arena, const struct words *words, const char *leaf,
                       const char *joined, struct price_heading *price)
{
	size_t at = 0;
	size_t length = 0;
	const struct word *item = words_find(words, "item", joined, NULL);
	int index =
	    item == NULL ? -1 : name_index(item->meaning, price_item_names, PRICE_ITEM_COUNT);

	price->item_known = index >= 0;
	if (index >= 0)
		price->item = (enum price_item)index;
	if (unit_text_find(words, joined, &price->unit, &at, &length)) {
		price->unit_text = arena_strndup(arena, joined + at, length);
	} else {
		price->unit = unit_nothing();
		price->unit_text = "";
		/* "price per GPU hour", "单卡小时价": what is counted without a currency. */
		const char *per = strstr(joined, "per ");

		per = per == NULL ? strstr(joined, "per-") : per;
		per = per == NULL ? strstr(joined, "/") : per;
		per = per == NULL ? strstr(joined, "每") : per;
		if (unit_text_is_whole(arena, words, joined))
			per = arena_printf(arena, "/%s", joined);
		length = per == NULL ? 0 : unit_text_read(words, per, &price->unit);
		price->unit_text = length > 0 ? arena_strndup(arena, per, length) : "";
	}
	bool spelled = price->unit.counted != COUNTED_NOTHING;

	if (!spelled)
		unit_text_in_brackets(arena, words, joined, &price->unit);
	if (price->unit.counted == COUNTED_NOTHING && !price->unit.period_known)
		bare_unit(words, joined, &price->unit);
	/* "8卡月租（万元）" is the price of eight cards. */
	bool of_cards;
	int step = quantity_text_read(joined, &of_cards);
	int cards = step > 0 ? 0 : cards_named(joined);

	if (cards > 0 && price->unit.counted == COUNTED_NOTHING) {
		price->unit.counted = COUNTED_CARD;
		price->unit.count = cards;
	}
	/* "整机月租(8卡)" */
	if (cards > 1 && price->unit.counted == COUNTED_SERVER && price->unit.cards == 0)
		price->unit.cards = cards;
	const struct word *hint = words_find(words, "per_hint", joined, NULL);

	if (price->unit.counted == COUNTED_NOTHING && hint != NULL)
		price->unit.counted =
		    strcmp(hint->meaning, "card") == 0 ? COUNTED_CARD : COUNTED_SERVER;
	/* What was put together from several words is spelled anew when it is shown. */
	if (price->unit.counted != COUNTED_NOTHING && !spelled)
		price->unit_text = "";
	price->term = term_text_read(words, leaf);
	if (!price->term.known)
		price->term = term_of_period_word(words, leaf);
	if (!price->term.known) {
		price->term = term_text_read(words, joined);
	} else if (!price->term.period_known) {
		struct term_reading whole = term_text_read(words, joined);

		price->term.period_known = whole.period_known;
		price->term.period = whole.period;
		price->term.period_count = whole.period_count;
	}
	/* 月租 is per month, whatever one commits to. */
	if (words_find(words, "month_price", joined, NULL) != NULL) {
		price->term.period_known = true;
		price->term.period = PERIOD_MONTH;
		price->term.period_count = 1;
	}
	price->tax = tax_text_read(words, joined, false);
	price->min_quantity = step;
	price->min_quantity_is_cards = of_cards;
	price->min_quantity_is_mbps = price->min_quantity == 0 && mbps_step_read(leaf) > 0;
	if (price->min_quantity_is_mbps)
		price->min_quantity = mbps_step_read(leaf);
	price->watts = watts_text_read(joined);
	price->billing = power_billing_read(words, joined);
	price->by_hours = words_find(words, "billing_hours", joined, NULL) != NULL;
	price->one_off = strstr(joined, "一次性") != NULL || strstr(joined, "one-time") != NULL;
}

/* What bare numbers of the column count: kW or A, M or G, 台 or 卡. */
static struct unit_reading counted_in(struct arena *arena, const struct words *words,
                                      const char *text)
{
	const char *open = strchr(text, '(');
	struct unit_reading unit = unit_nothing();
	const char *inner = open == NULL ? NULL : open + 1 + strspn(open + 1, " /");

	if (inner != NULL)
		unit_text_read(words, arena_printf(arena, "/%s", inner), &unit);
	else if (strstr(text, "电流") != NULL)
		unit.counted = COUNTED_AMPERE;
	return unit;
}

bool is_city(const struct words *words, const char *text)
{
	const struct word *city = words_start(words, "city", text);
	const char *after = city == NULL ? "" : text + city->length;

	return city != NULL && (*after == '\0' || words_whole(words, "city_word", after) != NULL);
}

/* A price, or one where no other column is: see table_settle_columns(). */
static bool may_price(enum role role)
{
	return role == ROLE_PRICE || role == ROLE_LIST_PRICE || role == ROLE_AMOUNT ||
	       role == ROLE_CONVERTED;
}

void header_read(struct arena *arena, const struct words *words, const char *group,
                 const char *leaf, struct column *column)
{
	struct heading by_leaf = look(arena, words, leaf);
	enum role role = decide(&by_leaf);
	bool grouped = group != NULL && *group != '\0' && strcmp(group, leaf) != 0;

	column->heading =
	    norm_trim(arena, grouped ? arena_printf(arena, "%s %s", group, leaf) : leaf);
	struct heading joined = look(arena, words, column->heading);

	column->norm = joined.text;
	const struct word *city = words_find(words, "city", joined.text, NULL);

	column->city = city == NULL ? NULL : city->meaning;
	column->only_city = !grouped && is_city(words, joined.text);
	/* A leaf like 1个月 or 8卡 says nothing alone; under 价格 it is a price. */
	if (role == ROLE_NONE || (grouped && role == ROLE_TERM))
		role = decide(&joined);
	if (role == ROLE_NONE && column->only_city)
		role = ROLE_PRICE;
	column->role = role;
	if (may_price(role)) {
		read_price(arena, words, by_leaf.text, joined.text, &column->price);
		column->price.unit_text =
		    norm_as_written(arena, column->heading, column->price.unit_text);
	}
	if (role == ROLE_PRICE)
		return;
	column->unit = counted_in(arena, words, joined.text);
	/* "机柜规格（U）", "规格（kW）": what is counted says what the product column holds. */
	if (role != ROLE_PRODUCT && role != ROLE_CONFIG)
		return;
	if (column->unit.counted == COUNTED_U)
		column->role = ROLE_CABINET_U;
	else if (column->unit.counted == COUNTED_KW || column->unit.counted == COUNTED_AMPERE)
		column->role = ROLE_CABINET_POWER;
}

struct text column_meaning(struct arena *arena, const struct column *column)
{
	const struct price_heading *price = &column->price;
	struct text role = roles[column->role].words;

	if (column->hidden)
		return TEXT("hidden, not read", "隐藏列，未读取");
	if (column->role != ROLE_PRICE)
		return role;
	struct text none = {"", ""};
	struct text item = price->item_known ? price_item_words[price->item] : none;
	struct text term = price->term.known ? price_term_words[price->term.term] : none;
	const char *unit = price->unit_text;

	return (struct text){
	    .en = arena_printf(arena, "%s%s%s%s%s%s%s", role.en, *item.en ? ", " : "", item.en,
	                       *term.en ? ", " : "", term.en, *unit ? ", " : "", unit),
	    .zh = arena_printf(arena, "%s%s%s%s%s%s%s", role.zh, *item.zh ? "，" : "", item.zh,
	                       *term.zh ? "，" : "", term.zh, *unit ? "，" : "", unit)};
}
