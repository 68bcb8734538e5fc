/* plan_vary.c - where renting and buying meet; see plan_work.h. */
#include "engine/plan_work.h"

/* ---- Renting against buying ---- */

static struct ratio lines_total(const struct plan_option *option, enum cost_what what)
{
	struct ratio total = ratio_of(0);

	for (int i = 0; i < option->line_count; i++)
		if (option->lines[i]->what == what &&
		    !ratio_add(total, money_to_ratio(option->lines[i]->amount), &total))
			return ratio_of(0);
	return total;
}

static struct ratio account_total(const struct plan_option *option, enum cost_account account)
{
	return money_to_ratio(option->accounts[account]);
}

static int owned_cards(const struct plan_option *option)
{
	int cards = 0;

	for (int i = 0; i < option->item_count; i++)
		if (option->items[i].offer->kind == OFFER_PURCHASE)
			cards += option->items[i].cards;
	return cards;
}

static bool break_even_input(const struct plan_work *work, const struct plan_option *rent,
                             const struct plan_option *buy, struct break_even_input *input)
{
	struct ratio months = ratio_of(work->basis.months);
	struct ratio energy = account_total(buy, ACCOUNT_POWER);
	struct ratio worn, left = lines_total(buy, COST_WRITE_OFF);
	struct ratio capital = lines_total(buy, COST_CAPITAL);
	struct ratio tied_up = lines_total(buy, COST_DEPOSIT_CAPITAL);
	struct ratio fixed, cash;

	*input = (struct break_even_input){.cards = owned_cards(buy)};
	input->purchase = lines_total(buy, COST_PURCHASE_CASH);
	if (input->cards == 0 || !ratio_add(lines_total(buy, COST_DEPRECIATION), left, &worn))
		return false;
	/* Renting may need other cards: both are told by the hours of those that are bought. */
	return ratio_divide(money_to_ratio(rent->total), buy->card_hours, &input->rent_card_hour) &&
	       ratio_subtract(money_to_ratio(buy->total), energy, &fixed) &&
	       ratio_subtract(fixed, worn, &cash) && ratio_subtract(cash, capital, &cash) &&
	       ratio_subtract(cash, tied_up, &cash) &&
	       ratio_divide(fixed, months, &input->own_fixed_month) &&
	       ratio_divide(cash, months, &input->own_cash_month) &&
	       ratio_divide(energy, buy->card_hours, &input->own_hour);
}

/* Share of the project's hours in which the cards that are bought work. */
static struct ratio utilisation_of(const struct plan_work *work, const struct plan_option *buy)
{
	int64_t hours = (int64_t)work->basis.months * work->basis.hours_per_month;
	struct ratio share;

	if (!ratio_divide(buy->card_hours, ratio_of(owned_cards(buy) * hours), &share))
		return ratio_of(1);
	return share;
}

/* Above 1 is never, and workloads on different cards have no utilisation in common. */
static bool is_utilisation(const struct plan_work *work, const struct break_even *at)
{
	return at->has_utilisation && work->spec->workload_count == 1 &&
	       ratio_compare(at->utilisation, ratio_of(1)) <= 0;
}

/* The same with all of the price written off within the project. */
static void explain_written_off(struct plan_work *work, const struct plan_option *buy,
                                struct break_even_input *input, struct plan *plan)
{
	struct break_even at;
	struct ratio left, month;

	plan->has_utilisation_written_off = plan->break_even.has_utilisation;
	plan->utilisation_written_off = plan->break_even.utilisation;
	if (!buy->has_written_off)
		return;
	plan->has_utilisation_written_off =
	    ratio_subtract(money_to_ratio(buy->total_if_written_off), money_to_ratio(buy->total),
	                   &left) &&
	    ratio_divide(left, ratio_of(work->basis.months), &month) &&
	    ratio_add(input->own_fixed_month, month, &input->own_fixed_month) &&
	    break_even(&work->basis, input, utilisation_of(work, buy), work->bill, &at) ==
		COST_OK &&
	    is_utilisation(work, &at);
	if (plan->has_utilisation_written_off)
		plan->utilisation_written_off = at.utilisation;
}

void explain_break_even(struct plan_work *work, struct plan *plan)
{
	struct break_even_input input;

	plan->has_break_even = false;
	if (plan->best[ROUTE_RENT] < 0 || plan->best[ROUTE_BUY_AND_HOST] < 0)
		return;
	/* Servers that are owned already are not bought: there is nothing to break even on. */
	for (int w = 0; w < work->spec->workload_count; w++)
		if (work->spec->workloads[w].kind == WORKLOAD_HOSTING)
			return;
	const struct plan_option *rent = &plan->options[plan->best[ROUTE_RENT]];
	const struct plan_option *buy = &plan->options[plan->best[ROUTE_BUY_AND_HOST]];

	if (rent->unknown_count > 0 || buy->unknown_count > 0 ||
	    !break_even_input(work, rent, buy, &input))
		return;
	bill_start(work->bill);
	plan->has_break_even = break_even(&work->basis, &input, utilisation_of(work, buy),
	                                  work->bill, &plan->break_even) == COST_OK;
	plan->break_even.has_utilisation = is_utilisation(work, &plan->break_even);
	explain_written_off(work, buy, &input, plan);
}
