/* cost_words.c - see cost_words.h. */
#include "api/cost_words.h"

#include "api/offer_write.h"
#include "api/reply.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/problem.h"

const char *ratio_words(struct arena *arena, struct ratio value)
{
	char text[RATIO_DECIMAL_SIZE];

	return ratio_format_short(value, 6, text) ? arena_strdup(arena, text) : "…";
}

const char *ratio_grouped(struct arena *arena, struct ratio value)
{
	char text[DIGITS_GROUPED_SIZE];

	return arena_strdup(arena, digits_grouped(ratio_words(arena, value), text));
}

const char *ratio_yuan(struct arena *arena, struct ratio value)
{
	char text[RATIO_DECIMAL_SIZE];
	char grouped[DIGITS_GROUPED_SIZE];

	if (value.den == 1 || !ratio_format(value, 2, text))
		return ratio_grouped(arena, value);
	return arena_strdup(arena, digits_grouped(text, grouped));
}

const char *ratio_percent(struct arena *arena, struct ratio share)
{
	struct ratio percent;

	if (!ratio_multiply(share, ratio_of(100), &percent))
		return "…";
	return arena_printf(arena, "%s%%", ratio_grouped(arena, percent));
}

struct text cost_what_text(enum cost_what what)
{
	static const struct text words[COST_WHAT_COUNT] = {
	    [COST_RENT_HOURLY] = {"rent by the hour", "按时租金"},
	    [COST_RENT_SPOT] = {"rent by the hour, preemptible", "竞价租金"},
	    [COST_RENT_MONTHLY] = {"monthly rent", "包月租金"},
	    [COST_RENT_QUARTERLY] = {"quarterly rent", "包季租金"},
	    [COST_RENT_YEARLY] = {"yearly rent", "包年租金"},
	    [COST_BANDWIDTH] = {"bandwidth", "公网带宽"},
	    [COST_BANDWIDTH_95] = {"bandwidth, 95th percentile", "公网带宽（95 计费）"},
	    [COST_TRAFFIC] = {"traffic", "公网流量"},
	    [COST_DEDICATED] = {"leased line", "专线"},
	    [COST_IP] = {"public addresses", "公网 IP"},
	    [COST_STORAGE] = {"storage", "存储"},
	    [COST_SERVICE_MONTHLY] = {"service", "运维服务"},
	    [COST_SERVICE_CALL] = {"service per call", "单次服务"},
	    [COST_OWN_OPERATION] = {"own operating hours", "自有运维工时"},
	    [COST_MAINTENANCE] = {"maintenance contract", "维保"},
	    [COST_SLA_LOSS] = {"expected loss by outages", "故障预期损失"},
	    [COST_ENERGY] = {"electricity", "电费"},
	    [COST_POWER_KW] = {"electricity by kW", "按千瓦电费"},
	    [COST_POWER_OVERAGE] = {"power above the cabinet's", "超电费"},
	    [COST_CABINET_MONTHLY] = {"cabinets, monthly", "机柜月费"},
	    [COST_CABINET_QUARTERLY] = {"cabinets, quarterly", "机柜季费"},
	    [COST_CABINET_YEARLY] = {"cabinets, yearly", "机柜年费"},
	    [COST_PURCHASE_CASH] = {"purchase price (cash, not a cost)",
	                            "购置款（现金支出，不计成本）"},
	    [COST_DEPRECIATION] = {"depreciation", "折旧"},
	    [COST_WRITE_OFF] = {"book value written off", "账面净值核销"},
	    [COST_CAPITAL] = {"cost of capital", "资金成本"},
	    [COST_SPARES] = {"spare parts", "备件"},
	    [COST_VAT] = {"VAT that cannot be deducted", "不可抵扣增值税"},
	    [COST_SETUP] = {"setup", "一次性开通费"},
	    [COST_DEPOSIT] = {"deposit (comes back)", "押金（可退）"},
	    [COST_DEPOSIT_CAPITAL] = {"capital tied up in the deposit", "押金占用资金"},
	};
	return words[what];
}

struct text cost_account_text(enum cost_account account)
{
	static const struct text words[COST_ACCOUNT_COUNT] = {
	    [ACCOUNT_COMPUTE] = {"compute", "算力"},
	    [ACCOUNT_NETWORK_STORAGE] = {"network and storage", "网络与存储"},
	    [ACCOUNT_SERVICE] = {"service and operation", "服务与运维"},
	    [ACCOUNT_POWER] = {"electricity", "电费"},
	    [ACCOUNT_CABINET] = {"cabinets", "机柜"},
	    [ACCOUNT_PURCHASE] = {"equipment", "设备"},
	    [ACCOUNT_TAX] = {"tax", "税"},
	    [ACCOUNT_ONE_OFF] = {"one-off", "一次性费用"},
	};
	return words[account];
}

/* ---- units ---- */

static struct text thing_text(enum per per)
{
	static const struct text words[PER_COUNT] = {
	    [PER_NONE] = {"time", "次"},
	    [PER_CARD] = {"card", "卡"},
	    [PER_SERVER] = {"server", "台"},
	    [PER_CABINET] = {"cabinet", "柜"},
	    [PER_KW] = {"kW", "kW"},
	    [PER_AMPERE] = {"A", "A"},
	    [PER_U] = {"U", "U"},
	    [PER_KWH] = {"kWh", "度"},
	    [PER_MBPS] = {"Mbps", "M"},
	    [PER_GB] = {"GB", "GB"},
	    [PER_TB] = {"TB", "TB"},
	    [PER_IP] = {"IP", "个"},
	};
	return words[per];
}

static struct text period_text(enum period period)
{
	static const struct text words[PERIOD_COUNT] = {
	    [PERIOD_ONCE] = {"", ""},       [PERIOD_HOUR] = {"hour", "时"},
	    [PERIOD_DAY] = {"day", "天"},   [PERIOD_MONTH] = {"month", "月"},
	    [PERIOD_YEAR] = {"year", "年"},
	};
	return words[period];
}

static const char *counted(const struct listener *listener, int32_t count, struct text word)
{
	const char *thing = text_in(word, listener->lang);

	return count == 1 ? thing : say(listener, "%d-%s", "%d%s", count, thing);
}

/* A unit of price or quantity: "台·月" / "server-month", "8卡·月" / "8-card-month". */
static const char *unit_words(const struct listener *listener, struct unit unit)
{
	const char *thing = counted(listener, unit.per_count, thing_text(unit.per));

	if (unit.period == PERIOD_ONCE)
		return thing;
	return say(listener, "%s-%s", "%s·%s", thing,
	           counted(listener, unit.period_count, period_text(unit.period)));
}

/* ---- formulas ---- */

static bool is_one(struct ratio value)
{
	return value.num == 1 && value.den == 1;
}

/* " ÷ 1.06", " × 1.06", or "" for 1: whichever of the two is the short number. */
static const char *factor_words(struct arena *arena, struct ratio factor)
{
	struct ratio inverse;

	if (is_one(factor))
		return "";
	if (ratio_compare(factor, ratio_of(1)) < 0 && ratio_divide(ratio_of(1), factor, &inverse))
		return arena_printf(arena, " ÷ %s", ratio_grouped(arena, inverse));
	return arena_printf(arena, " × %s", ratio_grouped(arena, factor));
}

/* "4 台", or "4 × 8卡" where the price is for several at once; in English many take an s. */
static const char *times(const struct listener *listener, struct ratio count, int32_t each,
                         struct text word)
{
	const char *number = ratio_grouped(listener->arena, count);
	const char *thing = text_in(word, listener->lang);
	bool is_word = word.en[0] >= 'a' && word.en[0] <= 'z' && word.en[1] >= 'a';
	bool many = is_word && listener->lang == LANG_EN && !(is_one(count) && each == 1);

	if (each == 1)
		return arena_printf(listener->arena, "%s %s%s", number, thing, many ? "s" : "");
	return say(listener, "%s × %d %s%s", "%s × %d%s%s", number, each, thing, many ? "s" : "");
}

static const char *price_formula(const struct listener *listener, const struct cost_line *line)
{
	const struct ratio *f = line->factors;
	struct unit u = line->unit;
	const char *price = ratio_grouped(listener->arena, f[0]);
	const char *once = factor_words(listener->arena, f[1]);
	const char *again = factor_words(listener->arena, f[2]);
	const char *unit = unit_words(listener, u);
	const char *things = times(listener, f[3], u.per_count, thing_text(u.per));

	if (u.period == PERIOD_ONCE)
		return say(listener, "%s%s%s per %s × %s", "%s%s%s 元/%s × %s", price, once, again,
		           unit, things);
	return say(listener, "%s%s%s per %s × %s × %s", "%s%s%s 元/%s × %s × %s", price, once,
	           again, unit, things,
	           times(listener, f[4], u.period_count, period_text(u.period)));
}

/* Things x periods x amount each, or things x periods x hours x amount an hour. */
static const char *flat_formula(const struct listener *listener, const struct cost_line *line,
                                const char *const f[static COST_FACTORS])
{
	const char *things = times(listener, line->factors[0], 1, thing_text(line->unit.per));
	const char *periods = times(listener, line->factors[1], 1, period_text(line->unit.period));

	if (line->factors[3].num == 0)
		return say(listener, "%s × %s × %s", "%s × %s × %s 元", things, periods, f[2]);
	return say(listener, "%s × %s × %s h × %s", "%s × %s × %s 时 × %s 元", things, periods,
	           f[2], f[3]);
}

static const char *percent(const struct listener *listener, const struct cost_line *line,
                           int factor)
{
	return ratio_percent(listener->arena, line->factors[factor]);
}

const char *cost_formula_words(const struct listener *listener, const struct cost_line *line)
{
	const char *f[COST_FACTORS];

	if (line->formula == FORMULA_PRICE)
		return price_formula(listener, line);
	for (int i = 0; i < COST_FACTORS; i++)
		f[i] = ratio_grouped(listener->arena, line->factors[i]);
	switch (line->formula) {
	case FORMULA_PRICE:
		break;
	case FORMULA_ENERGY: /* kW at the meter: maximum x load factor x PUE */
		return say(listener,
		           "(%s kW at load and PUE × %s h running + %s kW × %s h idle) × %s per "
		           "kWh",
		           "（%s kW（已乘负载率与 PUE）× 运行 %s 时 + %s kW × 待机 %s 时）× %s "
		           "元/度",
		           f[0], f[1], f[2], f[3], f[4]);
	case FORMULA_DEPRECIATION:
		return say(listener, "%s × (1 − residual %s) ÷ %s months of life × %s months",
		           "%s ×（1 − 残值率 %s）÷ 寿命 %s 月 × %s 月", f[0],
		           percent(listener, line, 1), f[2], f[3]);
	case FORMULA_WRITE_OFF:
		return say(
		    listener,
		    "%s × (residual %s + (1 − residual) × %s ÷ %s months of life) × (1 − %s "
		    "recovered)",
		    "%s ×（残值率 %s +（1 − 残值率）× 剩余 %s ÷ 寿命 %s 月）×（1 − 回收率 %s）",
		    f[0], percent(listener, line, 1), f[2], f[3], percent(listener, line, 4));
	case FORMULA_CAPITAL:
		return say(listener, "%s × (1 + residual %s) ÷ 2 × %s a year × %s months ÷ 12",
		           "%s ×（1 + 残值率 %s）÷ 2 × 年率 %s × %s 月 ÷ 12", f[0],
		           percent(listener, line, 1), percent(listener, line, 2), f[3]);
	case FORMULA_SHARE:
		return say(listener, "%s × %s a year × %s months ÷ 12", "%s × 年率 %s × %s 月 ÷ 12",
		           f[0], percent(listener, line, 1), f[2]);
	case FORMULA_FLAT:
		return flat_formula(listener, line, f);
	case FORMULA_TAX:
		return say(listener, "%s × rate %s", "%s × 税率 %s", f[0],
		           percent(listener, line, 1));
	}
	return "";
}

/* ---- writing ---- */

static void offer_source_write(struct json_write *out, const struct cost_source *source)
{
	const struct offer *offer = source->offer;
	const struct price *price = &offer->prices[source->price];

	out_string(out, "kind", "offer");
	offer_write_source(out, offer, price);
	out_string(out, "supplier", offer->supplier);
	out_string(out, "origin", origin_names[offer->origin]);
	out_date(out, "price_date", offer->observed_on);
	out_string(out, "as_quoted", price->as_quoted);
	out_string(out, "quoted_unit", price->unit_text);
	out_string(out, "currency", price->currency);
	out_string(out, "tax", tax_basis_names[price->tax]);
}

static void source_write(struct json_write *out, const struct cost_source *source, enum lang lang)
{
	out_object(out, "source");
	switch (source->kind) {
	case SOURCE_OFFER:
		offer_source_write(out, source);
		break;
	case SOURCE_TARIFF:
		out_string(out, "kind", "tariff");
		out_string(out, "tariff", source->tariff->id);
		out_string(out, "tariff_name", source->tariff->name);
		out_string(out, "band", tariff_band_names[source->band]);
		out_date(out, "valid_from", source->tariff->valid_from);
		out_string(out, "reference", source->tariff->source);
		break;
	case SOURCE_ASSUMPTION:
		out_string(out, "kind", "assumption");
		out_string(out, "name", cost_assumptions[source->assumption].name);
		out_string(out, "date", cost_assumptions[source->assumption].date);
		out_string(out, "reference",
		           text_in(cost_assumptions[source->assumption].source, lang));
		break;
	case SOURCE_BILL:
		out_string(out, "kind", "bill");
		break;
	}
	out_end(out);
}

void cost_accounts_write(struct json_write *out, const struct money accounts[COST_ACCOUNT_COUNT])
{
	out_object(out, "accounts");
	for (int account = 0; account < COST_ACCOUNT_COUNT; account++)
		out_money(out, cost_account_names[account], accounts[account]);
	out_end(out);
}

void cost_line_write(struct json_write *out, const struct cost_line *line,
                     const struct listener *listener)
{
	out_object(out, NULL);
	out_string(out, "account", cost_account_names[line->account]);
	out_string(out, "what", cost_what_name(line->what));
	out_string(out, "text", text_in(cost_what_text(line->what), listener->lang));
	out_boolean(out, "is_cost", line->is_cost);
	out_string(out, "quantity", ratio_words(listener->arena, line->quantity));
	out_string(out, "unit", unit_words(listener, line->unit));
	out_money(out, "unit_price", line->unit_price_shown);
	out_money(out, "amount", line->amount);
	out_string(out, "formula", cost_formula_words(listener, line));
	source_write(out, &line->source, listener->lang);
	out_end(out);
}

void cost_unknowns_write(struct json_write *out, const char *key,
                         const struct cost_unknown *unknowns, int count,
                         const struct listener *listener)
{
	out_array(out, key);
	for (int i = 0; i < count; i++) {
		const struct cost_unknown *unknown = &unknowns[i];

		out_object(out, NULL);
		out_string(out, "what", cost_what_name(unknown->what));
		out_string(out, "text", text_in(cost_what_text(unknown->what), listener->lang));
		out_string(out, "quantity", ratio_words(listener->arena, unknown->quantity));
		out_string(out, "unit", unit_words(listener, unknown->unit));
		out_string(out, "band",
		           unknown->band < 0 ? NULL : tariff_band_names[unknown->band]);
		out_end(out);
	}
	out_end(out);
}

void cost_flag_write(struct json_write *out, const struct cost_flag *flag, struct arena *arena,
                     enum lang lang)
{
	out_string(out, "code", cost_flag_name(flag->code));
	out_string(out, "text", text_in(cost_flag_text(arena, flag), lang));
}

void cost_flags_write(struct json_write *out, const char *key, const struct cost_flags *flags,
                      struct arena *arena, enum lang lang)
{
	out_array(out, key);
	for (int i = 0; i < flags->count; i++) {
		out_object(out, NULL);
		cost_flag_write(out, &flags->items[i], arena, lang);
		out_end(out);
	}
	out_end(out);
}

void cost_assumed_write(struct json_write *out, const char *key, uint64_t assumed, enum lang lang)
{
	out_array(out, key);
	for (int code = 0; code < ASSUMPTION_COUNT; code++) {
		const struct assumption *assumption = &cost_assumptions[code];
		char value[RATIO_DECIMAL_SIZE];

		if ((assumed >> code & 1) == 0)
			continue;
		out_object(out, NULL);
		out_string(out, "name", assumption->name);
		out_string(out, "value",
		           ratio_format_short(assumption->value, 6, value) ? value : NULL);
		out_string(out, "unit", assumption->unit);
		out_string(out, "date", assumption->date);
		out_string(out, "source", text_in(assumption->source, lang));
		out_end(out);
	}
	out_end(out);
}
