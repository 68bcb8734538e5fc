/* plan_answer.c - options with their items, lines and flags; see plan_work.h. */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

/* ---- The order of options ---- */

static bool comes_before(const struct plan_work *work, const struct combination *a,
                         const struct combination *b)
{
	if (a->incomplete != b->incomplete)
		return b->incomplete;
	if (a->total == b->total && a->route != b->route)
		return a->route < b->route;
	return combination_order(work, a, b) < 0;
}

/* Insertion: there are a few dozen, already sorted by route. */
static void sort_combinations(const struct plan_work *work, struct combination *all, int count)
{
	for (int i = 1; i < count; i++) {
		struct combination moved = all[i];
		int at = i;

		for (; at > 0 && comes_before(work, &moved, &all[at - 1]); at--)
			all[at] = all[at - 1];
		all[at] = moved;
	}
}

/* ---- Sums ---- */

/* The orders of an option, and the ends of its arrays, which grow in the plan's memory. */
struct assembly {
	struct plan_option *option;
	const struct order **orders;
	int order_count;
	struct plan_item *items;
	const struct cost_line **lines;
	struct cost_unknown *unknowns;
	struct money paid_later; /* by all orders, over all months */
};

static void add_money(struct money *sum, struct money amount)
{
	if (!money_add(*sum, amount, sum))
		*sum = money_from_micro(INT64_MAX);
}

static void add_energy(struct plan_option *option, const struct cost_line *line)
{
	if (line->what == COST_ENERGY && line->unit.per == PER_KWH &&
	    !ratio_add(option->energy_kwh, line->quantity, &option->energy_kwh))
		option->energy_kwh = ratio_of(0);
}

static void add_lines(struct assembly *assembly, const struct order *order)
{
	struct plan_option *option = assembly->option;

	for (int i = 0; i < order->item_count; i++) {
		struct plan_item *item = &assembly->items[option->item_count++];

		*item = order->items[i];
		item->first_line += option->line_count;
	}
	for (int i = 0; i < order->line_count; i++) {
		assembly->lines[option->line_count++] = &order->lines[i];
		add_energy(option, &order->lines[i]);
	}
	for (int i = 0; i < order->unknown_count; i++)
		assembly->unknowns[option->unknown_count++] = order->unknowns[i];
}

/* The flags of ORDER, whose items stand after the first FIRST of the option. */
static void add_flags(struct plan_option *option, const struct order *order, int first)
{
	for (int i = 0; i < order->flags.count; i++) {
		struct cost_flag flag = order->flags.items[i];

		flag.items = first < PLAN_ITEMS_MAX ? flag.items << first : 0;
		cost_flag_add(&option->flags, flag);
	}
}

static void add_order(struct assembly *assembly, const struct order *order)
{
	struct plan_option *option = assembly->option;

	add_flags(option, order, option->item_count);
	add_lines(assembly, order);
	add_money(&option->total, order->total);
	for (int account = 0; account < COST_ACCOUNT_COUNT; account++)
		add_money(&option->accounts[account], order->accounts[account]);
	add_money(&option->upfront, order->upfront);
	add_money(&option->deposit, order->deposit);
	add_money(&assembly->paid_later, order->paid_later);
	add_money(&option->vat, order->vat);
	option->assumed |= order->assumed;
	option->cabinets += order->cabinets;
}

/* What the total is when what is bought is written off with the project. */
static void add_written_off(const struct assembly *assembly, struct plan_option *option)
{
	int64_t total = money_to_micro(option->total);

	for (int i = 0; i < assembly->order_count; i++)
		if (__builtin_add_overflow(total, assembly->orders[i]->written_off, &total))
			return;
	option->has_written_off = total > money_to_micro(option->total);
	option->total_if_written_off = money_from_micro(total);
}

/* ---- Figures per month, card-hour and token ---- */

static struct money per(struct ratio total, struct ratio by, int decimals, bool *known)
{
	struct ratio quotient;
	struct money result = money_zero();

	*known =
	    by.num > 0 && ratio_divide(total, by, &quotient) &&
	    (decimals == 2 ? money_line(quotient, &result) : money_from_ratio(quotient, &result));
	return result;
}

/* What a million of TOKENS a month costs when they bear SHARE (0..1) of TOTAL. */
static struct money per_million(const struct plan_work *work, struct ratio total, double share,
                                double tokens, bool *known)
{
	const int64_t parts = 1000000;
	double all = tokens * work->basis.months;
	struct ratio borne;

	*known = all >= 1 && all <= 9e18 &&
	         ratio_multiply(total, ratio_make(llround(share * (double)parts), parts), &borne);
	return *known ? per(borne, ratio_make(llround(all), parts), 6, known) : money_zero();
}

static void add_token_prices(const struct plan_work *work, const struct demand *demand,
                             struct plan_option *option)
{
	struct ratio total = money_to_ratio(option->total);
	double share = demand->size.serving.replica.speed.prefill_share;
	bool input, output;

	option->per_million_tokens =
	    per_million(work, total, 1, demand->tokens_per_month, &option->has_per_million_tokens);
	if (work->spec->workloads[demand->workload].kind != WORKLOAD_INFERENCE)
		return;
	option->per_million_input_tokens =
	    per_million(work, total, share, demand->input_tokens_per_month, &input);
	option->per_million_output_tokens =
	    per_million(work, total, 1 - share, demand->tokens_per_month, &output);
	option->has_per_million_split = input && output;
}

static void add_figures(const struct plan_work *work, const struct combination *combination,
                        struct plan_option *option)
{
	struct ratio total = money_to_ratio(option->total);
	struct ratio months = ratio_of(work->basis.months);
	struct ratio hours = ratio_of(0);
	bool known;

	option->per_month = per(total, months, 2, &known);
	for (int w = 0; w < work->spec->workload_count; w++) {
		struct ratio part = ratio_make(combination->of[w]->demand->milli_card_hours, 1000);

		if (!ratio_add(hours, part, &hours))
			return;
	}
	if (!ratio_multiply(hours, months, &hours))
		return;
	option->card_hours = hours;
	option->per_card_hour = per(total, hours, 6, &option->has_per_card_hour);
	if (work->spec->workload_count == 1)
		add_token_prices(work, combination->of[0]->demand, option);
}

/* ---- One option ---- */

/* Makes the orders of COMBINATION, and room for what they add to the option. */
static bool begin(struct assembly *assembly, struct plan_work *work,
                  const struct combination *combination)
{
	int picks = 0, items = 0, lines = 0, unknowns = 0;

	for (int w = 0; w < work->spec->workload_count; w++)
		picks += combination->of[w]->pick_count;
	assembly->orders = PLAN_TAKE(work->memory, const struct order *, picks);
	for (int w = 0; w < work->spec->workload_count && assembly->orders != NULL; w++)
		for (int i = 0; i < combination->of[w]->pick_count; i++) {
			const struct candidate *candidate = combination->of[w];
			const struct order *order =
			    order_of(work, candidate->demand, &candidate->picks[i]);

			if (order == NULL)
				return false;
			assembly->orders[assembly->order_count++] = order;
			items += order->item_count;
			lines += order->line_count;
			unknowns += order->unknown_count;
		}
	assembly->items = PLAN_TAKE(work->memory, struct plan_item, items);
	assembly->unknowns = PLAN_TAKE(work->memory, struct cost_unknown, unknowns);
	assembly->lines = PLAN_TAKE(work->memory, const struct cost_line *, lines);
	return !work->memory->too_small;
}

/* What was bought and is left when the project ends is worth a word. */
static void flag_left_over(const struct plan_work *work, struct plan_option *option)
{
	int64_t life =
	    llround(ratio_to_double(cost_assume(&work->basis, ASSUME_LIFE_YEARS, NULL)) * 12);
	int64_t left = 0;

	for (int i = 0; i < option->line_count; i++) {
		const struct cost_line *line = option->lines[i];

		if (line->what == COST_PURCHASE_CASH)
			left += money_to_micro(line->amount);
		if (line->what == COST_DEPRECIATION || line->what == COST_WRITE_OFF)
			left -= money_to_micro(line->amount);
	}
	if (life <= work->basis.months || left <= 0)
		return;
	/* Whole yuan: it is an order of magnitude to plan for. */
	cost_flag_add(&option->flags,
	              (struct cost_flag){.code = FLAG_EQUIPMENT_OUTLIVES,
	                                 .x = ratio_of(life - work->basis.months),
	                                 .y = ratio_of(left / 1000000),
	                                 .z = money_to_ratio(option->total_if_written_off)});
}

/* Whether B may be about the machines of A: another row of the same sheet, for the same card at the
 * same site, as a price list that has a row for each term. */
static bool maybe_same_machines(const struct offer *a, const struct offer *b)
{
	return a->kind == OFFER_RENTAL && b->kind == OFFER_RENTAL && a->sheet_id == b->sheet_id &&
	       a->servers_available > 0 && b->servers_available > 0 && a->card != NULL &&
	       b->card != NULL && strcmp(a->card, b->card) == 0 && a->city == b->city &&
	       strcmp(a->site == NULL ? "" : a->site, b->site == NULL ? "" : b->site) == 0;
}

/* More servers are ordered of such rows than the one with the most states. */
static void flag_same_machines(struct plan_option *option)
{
	for (int i = 0; i < option->item_count; i++) {
		const struct offer *first = option->items[i].offer;
		int64_t ordered = 0, most = 0;
		uint64_t about = 0;

		for (int k = 0; k < option->item_count; k++) {
			const struct plan_item *item = &option->items[k];

			if (!maybe_same_machines(first, item->offer))
				continue;
			ordered += item->servers;
			if (item->offer->servers_available > most)
				most = item->offer->servers_available;
			about |= k < PLAN_ITEMS_MAX ? UINT64_C(1) << k : 0;
		}
		if (ordered > most)
			cost_flag_add(&option->flags, (struct cost_flag){.code = FLAG_SAME_MACHINES,
			                                                 .x = ratio_of(ordered),
			                                                 .y = ratio_of(most),
			                                                 .items = about});
	}
}

static bool make_option(struct plan_work *work, const struct combination *combination,
                        struct plan_option *option)
{
	struct assembly assembly = {.option = option, .paid_later = money_zero()};
	bool known;

	*option = (struct plan_option){.route = combination->route,
	                               .carrier = combination->carrier,
	                               .energy_kwh = ratio_of(0),
	                               .card_hours = ratio_of(0)};
	if (!begin(&assembly, work, combination))
		return false;
	for (int i = 0; i < assembly.order_count; i++)
		add_order(&assembly, assembly.orders[i]);
	option->items = assembly.items;
	option->lines = assembly.lines;
	option->unknowns = assembly.unknowns;
	add_written_off(&assembly, option);
	flag_left_over(work, option);
	flag_same_machines(option);
	add_figures(work, combination, option);
	option->paid_per_month =
	    per(money_to_ratio(assembly.paid_later), ratio_of(work->basis.months), 2, &known);
	return true;
}

bool answer_options(struct plan_work *work, struct combination *all, int count, struct plan *plan)
{
	struct plan_option *options = PLAN_TAKE(work->memory, struct plan_option, count + 1);

	if (options == NULL)
		return false;
	sort_combinations(work, all, count);
	for (int route = 0; route < ROUTE_COUNT; route++)
		plan->best[route] = -1;
	for (int i = 0; i < count; i++) {
		if (!make_option(work, &all[i], &options[i]))
			return false;
		options[i].rank = i + 1;
		if (plan->best[all[i].route] < 0)
			plan->best[all[i].route] = i;
		if (i > 0 && all[i].total == all[i - 1].total &&
		    all[i].incomplete == all[i - 1].incomplete)
			options[i].ties = options[i - 1].ties = true;
	}
	work->shown = all;
	plan->options = options;
	plan->option_count = count;
	plan->item_count = work->item_count;
	return true;
}
