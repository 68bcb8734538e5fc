/* compare_write.c - the answer of GET /compare; see compare.h. */
#include "api/compare.h"

#include "api/cost_words.h"
#include "api/offer_write.h"
#include "api/reply.h"
#include "market/catalogue.h"

struct writing {
	struct json_write *out;
	const struct catalogue *catalogue;
	const struct compare_request *request;
	struct arena *arena;
	enum lang lang;
};

static void offer_write(struct writing *in, const char *key, const struct offer *offer)
{
	struct json_write *out = in->out;

	out_object(out, key);
	offer_write_place(out, offer);
	offer_write_seller(out, in->catalogue, offer);
	out_date(out, "valid_to", offer->valid_to);
	out_known_string(out, "city", offer->city_name);
	out_known_string(out, "site", offer->site);
	out_known_string(out, "title", offer->title);
	out_known_number(out, "cabinet_kw", (double)offer->cabinet_watts / 1000, 3);
	out_known_integer(out, "cabinet_u", offer->cabinet_u);
	out_known_string(out, "power_billing", power_billing_names[offer->power_billing]);
	out_known_string(out, "power_tier", offer->power_tier);
	out_known_number(out, "pue", (double)offer->pue_milli / 1000, 3);
	out_known_string(out, "line", offer->line);
	out_known_string(out, "note", offer->note);
	out_end(out);
}

static void bill_write(struct writing *in, const struct bill *bill)
{
	struct json_write *out = in->out;
	struct listener listener = {in->arena, in->lang};

	out_money(out, "total", bill->total);
	out_money(out, "per_month", bill->per_month);
	out_money(out, "upfront", bill->upfront);
	out_money(out, "paid_per_month", bill->paid_per_month);
	out_money(out, "vat", bill->vat);
	out_money_if(out, "per_card_hour", bill->has_per_card_hour, bill->per_card_hour);
	cost_accounts_write(out, bill->accounts);
	out_array(out, "lines");
	for (int i = 0; i < bill->line_count; i++)
		cost_line_write(out, &bill->lines[i], &listener);
	out_end(out);
	cost_unknowns_write(out, "unknown", bill->unknowns, bill->unknown_count, &listener);
	cost_flags_write(out, "warnings", &bill->flags, in->arena, in->lang);
	cost_assumed_write(out, "assumed", bill->assumed, in->lang);
}

static struct text status_text(enum cost_status status)
{
	switch (status) {
	case COST_OK:
		return TEXT("", "");
	case COST_NO_PRICE:
		return TEXT("no price for the cabinets", "没有机柜价格");
	case COST_NO_RATE:
		return TEXT("a foreign currency without a rate", "外币没有汇率");
	case COST_NO_SERVER_SIZE:
		return TEXT("cards per server unknown", "每台卡数未知");
	case COST_NO_STOCK:
		return TEXT("not enough available", "库存不足");
	case COST_NO_CABINET:
		return TEXT("the cabinet cannot feed one server, or its power is not stated",
		            "机柜电力带不动一台服务器，或未说明功率");
	case COST_WRONG_UNIT:
		return TEXT("the unit of the price does not suit", "价格单位无法折算");
	case COST_OVERFLOW:
		return TEXT("an amount is too large", "金额过大");
	case COST_TOO_MANY_LINES:
		return TEXT("too many lines", "明细过多");
	}
	return TEXT("", "");
}

static void column_write(struct writing *in, const struct compare_column *column)
{
	struct json_write *out = in->out;

	out_object(out, NULL);
	out_string(out, "term", price_term_names[column->term]);
	out_string(out, "status", cost_status_names[column->status]);
	out_known_string(out, "text", text_in(status_text(column->status), in->lang));
	if (column->status == COST_OK) {
		out_integer(out, "cabinets", column->packing.cabinets);
		out_integer(out, "servers_per_cabinet", column->packing.per_cabinet);
		out_string(out, "packed_by", packing_limit_names[column->packing.limit]);
		bill_write(in, &column->bill);
	}
	out_end(out);
}

static void colocation_write(struct writing *in, const struct compare_offer *priced,
                             const struct compare_deal *buy)
{
	struct json_write *out = in->out;

	out_object(out, NULL);
	offer_write(in, "offer", priced->offer);
	if (priced->side != NULL)
		offer_write(in, "side", priced->side);
	else
		out_null(out, "side");
	out_boolean(out, "usable", priced->priced->cheapest >= 0);
	if (priced->priced->cheapest >= 0)
		out_integer(out, "cheapest", priced->priced->cheapest);
	else
		out_null(out, "cheapest");
	out_array(out, "terms");
	for (int i = 0; i < priced->priced->count; i++)
		column_write(in, &priced->priced->columns[i]);
	out_end(out);
	compare_hours_write(out, in->request, priced, buy, in->arena);
	out_end(out);
}

/* 24 letters, one an hour of an ordinary and of a sharp day, and what each band costs. */
static void tariff_write(struct writing *in, const struct compare_city *city)
{
	static const char letters[] = "vfps";
	struct json_write *out = in->out;
	const struct tariff *tariff = city->tariff;
	char ordinary[25] = "";
	char sharp[25] = "";

	for (int hour = 0; city->hours != NULL && hour < 24; hour++) {
		ordinary[hour] = letters[city->hours->bands[hour]];
		sharp[hour] = letters[city->hours->sharp_bands[hour]];
	}
	out_object(out, "tariff");
	out_known_string(out, "id", tariff == NULL ? NULL : tariff->id);
	out_known_string(out, "name", tariff == NULL ? NULL : tariff->name);
	out_date(out, "valid_from", tariff == NULL ? DATE_NONE : tariff->valid_from);
	out_date(out, "valid_to", tariff == NULL ? DATE_NONE : tariff->valid_to);
	out_known_string(out, "source", tariff == NULL ? NULL : tariff->source);
	out_known_string(out, "hours", ordinary);
	out_known_string(out, "sharp_hours", sharp);
	out_object(out, "per_kwh");
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		if (tariff != NULL && tariff->known[band])
			out_money(out, tariff_band_names[band], tariff->per_kwh[band]);
		else
			out_null(out, tariff_band_names[band]);
	out_end(out);
	out_end(out);
}

static void rent_write(struct writing *in, const char *key, const struct compare_deal *rent)
{
	struct json_write *out = in->out;

	if (!rent->found) {
		out_null(out, key);
		return;
	}
	out_object(out, key);
	offer_write(in, "offer", &rent->offer);
	out_integer(out, "years", rent->mix.years);
	out_integer(out, "quarters", rent->mix.quarters);
	out_integer(out, "months", rent->mix.months);
	out_integer(out, "hourly_months", rent->mix.hourly_months);
	bill_write(in, rent->bill);
	out_end(out);
}

static void buy_write(struct writing *in, const struct compare_deal *buy)
{
	if (!buy->found) {
		out_null(in->out, "buy");
		return;
	}
	out_object(in->out, "buy");
	offer_write(in, "offer", &buy->offer);
	bill_write(in, buy->bill);
	out_end(in->out);
}

static void ratio_write(struct writing *in, const char *key, bool known, struct ratio value)
{
	out_string(in->out, key, known ? ratio_words(in->arena, value) : NULL);
}

static void meeting_write(struct writing *in, const struct compare_city *city)
{
	const struct compare_meeting *at = &city->meeting;

	if (!city->has_meeting) {
		out_null(in->out, "break_even");
		return;
	}
	out_object(in->out, "break_even");
	ratio_write(in, "utilisation", at->has_utilisation, at->utilisation);
	ratio_write(in, "month", at->has_month, at->month);
	ratio_write(in, "seed_rule", true, at->seed_rule);
	ratio_write(in, "purchase", true, at->own.purchase);
	ratio_write(in, "own_fixed_month", true, at->own.own_fixed_month);
	ratio_write(in, "own_cash_month", true, at->own.own_cash_month);
	ratio_write(in, "own_card_hour", true, at->own.own_hour);
	ratio_write(in, "rent_card_hour", at->has_rent_hour, at->rent_hour);
	ratio_write(in, "rent_month", true, at->rent_month);
	ratio_write(in, "life_months", true, at->life_months);
	out_end(in->out);
}

static void city_write(struct writing *in, const struct compare_city *city,
                       const struct compare_deal *buy)
{
	struct json_write *out = in->out;

	out_object(out, NULL);
	out_string(out, "city", city_names_en[city->city]);
	out_string(out, "name",
	           in->lang == LANG_ZH ? city_names_zh[city->city] : city_names_en[city->city]);
	out_integer(out, "usable", (int64_t)city->usable);
	out_integer(out, "left_out", (int64_t)city->left_out);
	tariff_write(in, city);
	out_array(out, "offers");
	for (size_t i = 0; i < city->count; i++)
		colocation_write(in, &city->offers[i], buy);
	out_end(out);
	rent_write(in, "rent", &city->rent);
	meeting_write(in, city);
	out_end(out);
}

static void question_write(struct writing *in)
{
	const struct compare_request *request = in->request;
	const struct host_need *host = &request->question.host;
	struct json_write *out = in->out;

	out_object(out, "question");
	out_known_string(out, "card", request->card == NULL ? NULL : request->card->id);
	out_known_integer(out, "cards_per_server", request->cards_per_server);
	out_known_integer(out, "servers", host->servers);
	out_known_integer(out, "cards", request->question.cards);
	out_number(
	    out, "kw",
	    (double)(host->servers > 0 ? host->server_watts * host->servers : host->server_watts) /
		1000,
	    3);
	if (host->servers > 0)
		out_number(out, "server_kw", (double)host->server_watts / 1000, 3);
	else
		out_null(out, "server_kw");
	out_string(out, "schedule", schedule_kind_names[host->schedule.kind]);
	out_string(out, "mbps", ratio_words(in->arena, request->question.network.public_mbps));
	out_string(out, "dedicated_mbps",
	           ratio_words(in->arena, request->question.network.dedicated_mbps));
	out_end(out);
}

void compare_write(struct json_write *out, const struct catalogue *catalogue,
                   const struct compare_request *request, const struct compare_result *result,
                   struct arena *arena, enum lang lang)
{
	struct writing in = {out, catalogue, request, arena, lang};

	out_object(out, NULL);
	out_object(out, "basis");
	out_integer(out, "catalogue_revision", catalogue_revision(catalogue));
	out_string(out, "currency", "CNY");
	out_string(out, "tax", tax_basis_names[request->basis.tax]);
	out_integer(out, "hours_per_month", request->basis.hours_per_month);
	out_date(out, "today", request->basis.today);
	out_date(out, "start", request->basis.start);
	out_integer(out, "months", request->basis.months);
	out_end(out);
	question_write(&in);
	out_array(out, "cities");
	for (int i = 0; i < result->city_count; i++)
		city_write(&in, &result->cities[i], &result->buy);
	out_end(out);
	rent_write(&in, "national_rent", &result->national_rent);
	buy_write(&in, &result->buy);
	out_end(out);
}
