/* flag_words.c - red flags and reasons in words; see cost_words.h. */
#include "api/cost_words.h"

#include <string.h>

#include "base/arena.h"

/* Flags about what an offer says, or does not say, of itself. */
static struct text offer_flag(enum cost_flag_code code)
{
	switch (code) {
	case FLAG_PRICE_UNDATED:
		return TEXT("the price has no date", "价格没有日期");
	case FLAG_NO_REPLACEMENT_SLA:
		return TEXT("no time for replacing a failed machine is promised",
		            "未承诺故障更换时限");
	case FLAG_NO_AVAILABILITY:
		return TEXT("availability is not stated", "未说明可用性（SLA）");
	case FLAG_NO_24X7:
		return TEXT("no 24x7 support", "不含 7×24 支持");
	case FLAG_24X7_NOT_STATED:
		return TEXT("24x7 support is not stated", "未说明是否含 7×24 支持");
	case FLAG_BANDWIDTH_NOT_STATED:
		return TEXT("included bandwidth is not stated", "未说明含多少公网带宽");
	case FLAG_NO_PUBLIC_IP:
		return TEXT("no public address of its own", "不含独立公网 IP");
	case FLAG_IP_NOT_STATED:
		return TEXT("a public address is not stated", "未说明是否含独立公网 IP");
	case FLAG_REFURBISHED:
		return TEXT(
		    "used or refurbished cards: ask for serial numbers, remaining warranty, "
		    "ECC and retired pages",
		    "二手或翻新卡：请索取序列号、剩余质保、ECC 与坏页记录");
	case FLAG_CARDS_NEW_NOT_STATED:
		return TEXT("whether the cards are new is not stated", "未说明是否为全新卡");
	case FLAG_NATIONAL_PRICE:
		return TEXT("no city is stated: this is not a price of the city",
		            "未注明城市，不能当作本地价格");
	case FLAG_SAMPLE_PRICE:
		return TEXT("sample price, not for sale", "示例价格，并非真实报价");
	case FLAG_NO_PRICE:
		return TEXT("price on request: no figure to compare", "面议，无可比价格");
	case FLAG_STOCK_NOT_STATED:
		return TEXT("stock is not stated: no limit was assumed", "未说明库存，按不限量计");
	case FLAG_PREEMPTIBLE:
		return TEXT("preemptible: the machine can be taken back at any time",
		            "竞价实例，随时可能被收回");
	case FLAG_OWN_HOURS_NOT_PRICED:
		return TEXT("bare metal: your own operating hours are not in the total: state "
		            "how many there are and what one costs",
		            "裸金属：自有运维工时未计入总价，请给出工时数与每小时成本");
	case FLAG_POWER_BILLING_UNKNOWN:
		return TEXT("how electricity is billed is not stated", "未说明电费计费方式");
	case FLAG_TARIFF_OTHER_MONTH:
		return TEXT("the tariff table is of another month than the project's",
		            "电价表不是项目当月的电价");
	default:
		return TEXT(NULL, NULL);
	}
}

static struct text counted_flag(struct arena *arena, const struct cost_flag *flag)
{
	const char *x = ratio_grouped(arena, flag->x);
	const char *y = ratio_grouped(arena, flag->y);
	const char *z = ratio_grouped(arena, flag->z);

	switch (flag->code) {
	case FLAG_SHEET_EXPIRED:
		return text_printf(arena, "the price sheet expired %s days ago",
		                   "报价单已过期 %s 天", x);
	case FLAG_SHEET_NOT_YET:
		return text_printf(arena, "the price holds only in %s days", "报价 %s 天后才生效",
		                   x);
	case FLAG_SHEET_OLD:
		return text_printf(arena, "the price is %s days old (limit %s)",
		                   "价格已有 %s 天（上限 %s 天）", x, y);
	case FLAG_CARDS_OLD:
		return text_printf(arena, "the cards are %s months old (limit %s)",
		                   "卡龄 %s 个月（上限 %s 个月）", x, y);
	case FLAG_MORE_THAN_NEEDED:
		return text_printf(arena,
		                   "%s cards are rented where %s would do: the next step of the "
		                   "price is cheaper, or the smallest that is sold",
		                   "租 %s 卡（所需 %s 卡）：下一档价格更便宜，或为最小起订量", x,
		                   y);
	case FLAG_EQUIPMENT_OUTLIVES:
		return text_printf(
		    arena,
		    "the equipment lasts %s months longer than the project: CNY %s of its price "
		    "are not in the total; if it has neither another use nor a buyer then, the "
		    "total is CNY %s",
		    "设备寿命比项目长 %s 个月：购置价中有 %s "
		    "元未计入总价；若项目后无其他用途也卖不掉，"
		    "总价为 %s 元",
		    x, y, ratio_yuan(arena, flag->z));
	case FLAG_FABRIC_NOT_STATED:
		return text_printf(
		    arena,
		    "%s servers work on one run, and the offer does not state the link "
		    "between them: the usual one is assumed, ask for it",
		    "一次训练跨 %s 台服务器，报价未写明机间互联：按常见配置估算，请向供应商确认",
		    x);
	case FLAG_SAME_MACHINES:
		return text_printf(
		    arena,
		    "%s servers are ordered of rows of one price sheet that state %s at most: if "
		    "these are the same machines at other terms, there are too few; ask",
		    "同一报价单的几行合计订购 %s 台，单行库存最多 %s 台：若各行是同一批机器的不同"
		    "租期，则库存不足，请向供应商核实",
		    x, y);
	case FLAG_TERM_OVERRUN:
		return text_printf(arena,
		                   "%s months are paid where %s are needed: a longer term is "
		                   "cheaper, or the shortest that is sold",
		                   "付 %s 个月（所需 %s 个月）：更长租期更便宜，或为最短租期", x,
		                   y);
	case FLAG_INCLUDED_ONCE:
		return text_printf(arena,
		                   "the bandwidth included (%s Mbps) is counted once per order",
		                   "包含的带宽（%s Mbps）每个订单只计一次", x);
	case FLAG_SLOW_TRANSFER:
		return text_printf(arena, "copying %2$s TB over %3$s Mbps takes %1$.1f days",
		                   "%2$s TB 数据经 %3$s Mbps 传输需 %1$.1f 天",
		                   ratio_to_double(flag->x) / 86400, y, z);
	case FLAG_PEAK_NOT_COVERED:
		return text_printf(
		    arena,
		    "the bandwidth follows from mean traffic (%s Mbps); the peak is not "
		    "known",
		    "带宽按平均流量折算（%s Mbps），峰值未知", x);
	case FLAG_PUE_NOT_STATED:
		return text_printf(arena, "PUE is not stated: %s was taken", "未说明 PUE，按 %s 计",
		                   x);
	case FLAG_PUE_ODD:
		return text_printf(arena, "PUE %s is outside the usual 1.2-1.6",
		                   "PUE %s 超出常见的 1.2–1.6", x);
	default:
		return offer_flag(flag->code);
	}
}

/* The rate is known where the price went into a bill. */
static struct text tax_unknown(struct arena *arena, const struct cost_flag *flag)
{
	if (flag->x.num == 0)
		return TEXT("whether tax is included is not stated: taken as excluded",
		            "未说明是否含税，按不含税计");
	return text_printf(arena,
	                   "whether tax is included is not stated: taken as excluded (rate %s)",
	                   "未说明是否含税，按不含税计（税率 %s）", ratio_percent(arena, flag->x));
}

static struct text price_range(struct arena *arena, const char *low, const char *high,
                               const char *currency)
{
	return (struct text){
	    .en = arena_printf(arena, "a range of %s %s to %s is quoted: the high end is used",
	                       currency, low, high),
	    .zh = arena_printf(arena, "报价为区间 %s 至 %s %s，按高端计", low, high,
	                       strcmp(currency, "CNY") == 0 ? "元" : currency)};
}

struct text cost_flag_text(struct arena *arena, const struct cost_flag *flag)
{
	const char *x = ratio_grouped(arena, flag->x);
	const char *y = ratio_grouped(arena, flag->y);
	const char *word = flag->word == NULL ? "" : flag->word;

	switch (flag->code) {
	case FLAG_PRICE_LOW:
		return text_printf(arena,
		                   "%3$s at CNY %1$s a card-hour is below the usual band (from "
		                   "CNY %2$s)",
		                   "%3$s 每卡时 %1$s 元，低于常见区间（%2$s 元起）", x, y, word);
	case FLAG_PRICE_HIGH:
		return text_printf(arena,
		                   "%3$s at CNY %1$s a card-hour is above the usual band (up to "
		                   "CNY %2$s)",
		                   "%3$s 每卡时 %1$s 元，高于常见区间（至 %2$s 元）", x, y, word);
	case FLAG_MONTH_BELOW_HALF:
		return text_printf(
		    arena,
		    "by the month a card-hour costs CNY %s, less than half of the hourly "
		    "price (CNY %s): check it",
		    "包月折合每卡时 %s 元，不到按时价（每卡时 %s 元）的一半，请核实", x, y);
	case FLAG_TAX_UNKNOWN:
		return tax_unknown(arena, flag);
	case FLAG_PRICE_RANGE:
		return price_range(arena, x, y, word);
	default:
		return counted_flag(arena, flag);
	}
}

struct text plan_reason_text(enum plan_reason reason)
{
	static const struct text words[REASON_COUNT] = {
	    [REASON_NOT_ASKED] = {"of a kind that this request does not use", "不是本次需要的种类"},
	    [REASON_NO_PRICE] = {"no usable price, or a currency without a rate",
	                         "没有可用价格，或外币没有汇率"},
	    [REASON_UNKNOWN_CARD] =
		{"card or cards per server unknown, or too many kinds of servers",
	         "卡型号或每台卡数未知，或服务器种类过多"},
	    [REASON_OTHER_CARD] = {"another card than the one asked for", "不是指定的卡"},
	    [REASON_DOES_NOT_FIT] = {"the workload does not fit the card's memory", "显存放不下"},
	    [REASON_TOO_SLOW] = {"too slow for the deadline or latency", "达不到时限或时延要求"},
	    [REASON_NOT_VALID] = {"not valid on the first day", "开始日不在有效期内"},
	    [REASON_CITY] = {"in another city", "不在所选城市"},
	    [REASON_CITY_UNKNOWN] = {"no city stated, or a nation-wide price",
	                             "未注明城市，或为全国价"},
	    [REASON_TERM] = {"none of the terms asked for", "没有所选租期"},
	    [REASON_DELIVERY] = {"another form of delivery", "交付方式不符"},
	    [REASON_INTRA_LINK] = {"another link inside the server", "机内互联不符"},
	    [REASON_INTER_LINK] = {"another link between servers", "机间互联不符"},
	    [REASON_AVAILABILITY] = {"availability too low or not stated", "可用性不足或未说明"},
	    [REASON_REPLACEMENT] = {"replacement too slow or not stated", "故障更换过慢或未说明"},
	    [REASON_SUPPORT] = {"no 24x7 support stated", "未说明含 7×24 支持"},
	    [REASON_POWER_TIER] = {"another power tier or not stated", "电力等级不符或未说明"},
	    [REASON_CARD_AGE] = {"cards too old or age not stated", "卡龄过长或未说明"},
	    [REASON_NOT_NEW] = {"not stated to be new", "未说明为全新卡"},
	    [REASON_LICENCE] = {"a licence is not stated", "缺少所需牌照说明"},
	    [REASON_LINE] = {"not the line asked for: a leased one gives no public access",
	                     "线路不符（专线不能当公网带宽用）"},
	    [REASON_CABINET_POWER] = {"the cabinet cannot feed the server", "机柜电力带不动服务器"},
	    [REASON_STOCK] = {"too few servers available", "库存不足"},
	    [REASON_NO_PARTNER] = {"equipment without a place, or a place without equipment",
	                           "有设备无机房，或有机房无设备"},
	    [REASON_NOT_COSTED] = {"a price that cannot be brought to the bill",
	                           "价格无法折算入账"},
	    [REASON_BUDGET] = {"above the budget", "超出预算"},
	    [REASON_DEARER] =
		{"suits, but dearer than the options shown, or with a part that has no price",
	         "可行，但比所列方案贵，或报价有缺项"},
	};
	return words[reason];
}
