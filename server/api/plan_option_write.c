/* plan_option_write.c - the options of a plan; see plan_write.h. */
#include "api/cost_words.h"
#include "api/offer_write.h"
#include "api/plan_write.h"
#include "api/reply.h"
#include "base/arena.h"

void plan_offer_write(struct json_write *out, const struct plan_context *context,
                      const struct offer *offer)
{
	offer_write_place(out, offer);
	out_string(out, "offer_kind", offer_kind_names[offer->kind]);
	offer_write_seller(out, context->catalogue, offer);
	out_date(out, "valid_to", offer->valid_to);
	out_known_string(out, "city", offer->city_name);
	out_known_string(out, "site", offer->site);
	out_known_string(out, "card", offer->card);
	out_known_string(out, "title", offer->title);
}

static void mix_write(struct json_write *out, const struct rent_mix *mix)
{
	out_object(out, "mix");
	out_integer(out, "lots", mix->lots);
	out_integer(out, "lot_cards", mix->lot_cards);
	out_integer(out, "years", mix->years);
	out_integer(out, "quarters", mix->quarters);
	out_integer(out, "months", mix->months);
	out_integer(out, "hourly_months", mix->hourly_months);
	out_boolean(out, "spot", mix->spot);
	out_end(out);
}

/* The offers of OPTION that FLAG is about, each once: an offer may stand for two workloads. */
static void flagged_write(struct json_write *out, const struct plan_option *option,
                          const struct cost_flag *flag)
{
	int64_t told[PLAN_ITEMS_MAX];
	int count = 0;

	out_array(out, "offers");
	for (int i = 0; i < option->item_count && i < PLAN_ITEMS_MAX; i++) {
		int64_t id = option->items[i].offer->id;
		bool again = (flag->items >> i & 1) == 0;

		for (int j = 0; j < count && !again; j++)
			again = told[j] == id;
		if (again)
			continue;
		told[count++] = id;
		out_integer(out, NULL, id);
	}
	out_end(out);
}

static void flag_write(struct json_write *out, const struct plan_context *context,
                       const struct cost_flag *flag)
{
	struct json_piece *piece = said_of_flag(context->said, flag);

	if (out_piece(out, piece))
		return;
	cost_flag_write(out, flag, context->listener.arena, context->listener.lang);
	out_piece_end(out, piece);
}

static void warnings_write(struct json_write *out, const struct plan_context *context,
                           const struct plan_option *option)
{
	out_array(out, "warnings");
	for (int i = 0; i < option->flags.count; i++) {
		const struct cost_flag *flag = &option->flags.items[i];

		out_object(out, NULL);
		flag_write(out, context, flag);
		flagged_write(out, option, flag);
		out_end(out);
	}
	out_end(out);
}

/* The members of ITEM that are the same in every option that has it. */
static void item_members_write(struct json_write *out, const struct plan_context *context,
                               const struct plan_item *item)
{
	out_string(out, "workload", context->spec->workloads[item->workload].name);
	plan_offer_write(out, context, item->offer);
	out_integer(out, "servers", item->servers);
	out_integer(out, "cards", item->cards);
	out_string(out, "term", price_term_names[item->term]);
	out_integer(out, "months", item->months);
	if (item->offer->kind == OFFER_RENTAL) {
		mix_write(out, &item->mix);
		out_money_if(out, "sla_loss", item->sla.known, item->sla.expected);
	}
	if (item->offer->kind == OFFER_COLOCATION) {
		out_integer(out, "cabinets", item->packing.cabinets);
		out_integer(out, "servers_per_cabinet", item->packing.per_cabinet);
		out_string(out, "packed_by", packing_limit_names[item->packing.limit]);
	}
}

static void item_write(struct json_write *out, const struct plan_context *context,
                       const struct plan_item *item, struct json_piece *piece)
{
	out_object(out, NULL);
	if (!out_piece(out, piece)) {
		item_members_write(out, context, item);
		out_piece_end(out, piece);
	}
	out_integer(out, "first_line", item->first_line);
	out_integer(out, "line_count", item->line_count);
	out_end(out);
}

static void lines_write(struct json_write *out, const struct plan_context *context,
                        const struct plan_option *option, const struct plan_item *item,
                        struct json_piece *piece)
{
	if (out_piece(out, piece))
		return;
	for (int i = 0; i < item->line_count; i++)
		cost_line_write(out, option->lines[item->first_line + i], &context->listener);
	out_piece_end(out, piece);
}

/* What options have in common is put into words once: pieces by the number of an item. */
struct shared {
	struct json_piece *items;
	struct json_piece *lines;
	struct json_piece assumed[ROUTE_COUNT]; /* of the option written last */
	uint64_t assumed_of[ROUTE_COUNT];
};

static void assumed_write(struct json_write *out, const struct plan_context *context,
                          const struct plan_option *option, struct shared *shared)
{
	struct json_piece *piece = &shared->assumed[option->route];

	if (shared->assumed_of[option->route] != option->assumed)
		piece->size = 0;
	if (out_piece(out, piece))
		return;
	cost_assumed_write(out, "assumed", option->assumed, context->listener.lang);
	out_piece_end(out, piece);
	shared->assumed_of[option->route] = option->assumed;
}

static void totals_write(struct json_write *out, const struct plan_option *option)
{
	out_money(out, "total", option->total);
	out_money(out, "per_month", option->per_month);
	out_money_if(out, "total_if_written_off", option->has_written_off,
	             option->total_if_written_off);
	out_money(out, "upfront", option->upfront);
	out_money(out, "deposit", option->deposit);
	out_money(out, "paid_per_month", option->paid_per_month);
	out_money(out, "vat", option->vat);
	out_money_if(out, "per_card_hour", option->has_per_card_hour, option->per_card_hour);
	out_money_if(out, "per_million_tokens", option->has_per_million_tokens,
	             option->per_million_tokens);
	out_money_if(out, "per_million_input_tokens", option->has_per_million_split,
	             option->per_million_input_tokens);
	out_money_if(out, "per_million_output_tokens", option->has_per_million_split,
	             option->per_million_output_tokens);
	cost_accounts_write(out, option->accounts);
}

static void option_write(struct json_write *out, const struct plan_context *context,
                         const struct plan_option *option, struct shared *shared)
{
	out_object(out, NULL);
	out_integer(out, "rank", option->rank);
	out_string(out, "route", route_names[option->route]);
	totals_write(out, option);
	out_array(out, "items");
	for (int i = 0; i < option->item_count; i++)
		item_write(out, context, &option->items[i],
		           &shared->items[option->items[i].number]);
	out_end(out);
	out_array(out, "lines");
	for (int i = 0; i < option->item_count; i++)
		lines_write(out, context, option, &option->items[i],
		            &shared->lines[option->items[i].number]);
	out_end(out);
	cost_unknowns_write(out, "unknown", option->unknowns, option->unknown_count,
	                    &context->listener);
	out_string(out, "network_at",
	           option->carrier < 0 ? NULL : context->spec->workloads[option->carrier].name);
	out_boolean(out, "meets", true);
	out_boolean(out, "ties", option->ties);
	warnings_write(out, context, option);
	assumed_write(out, context, option, shared);
	out_string(out, "energy_kwh", ratio_words(context->listener.arena, option->energy_kwh));
	out_integer(out, "cabinets", option->cabinets);
	out_end(out);
}

void plan_options_write(struct json_write *out, const struct plan_context *context)
{
	const struct plan *plan = context->plan;
	size_t pieces = (size_t)plan->item_count * sizeof(struct json_piece);
	struct shared shared = {.items = arena_alloc(context->listener.arena, pieces),
	                        .lines = arena_alloc(context->listener.arena, pieces)};

	out_array(out, "options");
	for (int i = 0; i < plan->option_count; i++)
		option_write(out, context, &plan->options[i], &shared);
	out_end(out);
}
