/*
 * plan_sensitivity.c - from what value of one figure on another option shown wins; see plan.h.
 *
 * What only scales lines of a bill (a price, electricity, the life and the book value of equipment)
 * is read off the lines. Hours, months and bandwidth change which terms are cheapest: there the
 * options' own candidates are priced again, value by value away from today's, and only those that
 * bounds do not keep out. Everything else stays as the options have it: offers, cards, suppliers of
 * the network.
 */
#include <math.h>

#include "engine/cost_calc.h"
#include "engine/plan_again.h"

#define MONTHS_BEYOND 24
#define MONTHS_LEAST 36 /* to be searched at least */
#define MONTHS_MOST 120

/* ---- What scales with lines ---- */

static bool is_power(const struct cost_line *line)
{
	return line->account == ACCOUNT_POWER && line->is_cost;
}

/* Whether LINE of ITEM grows with the figure. */
static bool scales(const struct figure *figure, const struct plan_item *item,
                   const struct cost_line *line)
{
	switch (figure->what) {
	case SENSITIVE_PRICE:
		return line->is_cost && item->offer->id == figure->offer->id &&
		       (line->source.kind == SOURCE_OFFER || line->account == ACCOUNT_PURCHASE);
	case SENSITIVE_KWH:
		return is_power(line);
	case SENSITIVE_LIFE:
		return line->what == COST_DEPRECIATION;
	case SENSITIVE_BOOK_VALUE:
	case SENSITIVE_UTILISATION:
	case SENSITIVE_MONTHS:
	case SENSITIVE_BANDWIDTH:
		return false;
	}
	return false;
}

/* Micro-yuan by which the total of OPTION changes when what scales is FACTOR of today's. */
static int64_t scaled(const struct figure *figure, const struct plan_option *option,
                      struct ratio factor)
{
	int64_t change = 0;

	for (int i = 0; i < option->item_count; i++) {
		const struct plan_item *item = &option->items[i];

		for (int k = item->first_line; k < item->first_line + item->line_count; k++) {
			const struct cost_line *line = option->lines[k];
			struct calc calc = {false};
			struct money amount;

			if (!scales(figure, item, line))
				continue;
			struct ratio exact = calc_multiply(
			    &calc, calc_multiply(&calc, line->quantity, line->unit_price), factor);

			if (calc.failed || !money_line(exact, &amount))
				return FIGURE_NEVER;
			change += money_to_micro(amount) - money_to_micro(line->amount);
		}
	}
	return change;
}

/* Share of its price that equipment of LIFE months loses in MONTHS. */
static struct ratio worn(int64_t months, struct ratio life)
{
	struct ratio share;

	if (ratio_compare(ratio_of(months), life) >= 0 ||
	    !ratio_divide(ratio_of(months), life, &share))
		return ratio_of(1);
	return share;
}

/* By what the lines are multiplied at grid value K. */
static struct ratio factor_at(const struct plan_work *work, const struct figure *figure, int k)
{
	struct ratio value = ratio_make(k, (int64_t)figure->steps);
	struct ratio years, life, now, then, factor;

	if (figure->what != SENSITIVE_LIFE)
		return value;
	years = cost_assume(&work->basis, ASSUME_LIFE_YEARS, NULL);
	if (!ratio_multiply(years, ratio_of(12), &now) ||
	    !ratio_multiply(value, ratio_of(12), &life))
		return ratio_of(1);
	then = worn(work->basis.months, life);
	now = worn(work->basis.months, now);
	return ratio_divide(then, now, &factor) ? factor : ratio_of(1);
}

/* Book value at the end of the project that OPTION's total does not count at a share of 1. */
static int64_t book_value(const struct plan_work *work, const struct plan_option *option)
{
	double recovered = ratio_to_double(cost_assume(&work->basis, ASSUME_BOOK_VALUE, NULL));
	int64_t lost = 0;

	if (option->has_written_off)
		return llround((double)(money_to_micro(option->total_if_written_off) -
		                        money_to_micro(option->total)) /
		               recovered);
	for (int i = 0; i < option->line_count; i++)
		if (option->lines[i]->what == COST_WRITE_OFF)
			lost += money_to_micro(option->lines[i]->amount);
	return lost;
}

/* The total of OPTION at grid value K; FIGURE_NEVER when it cannot be said. */
static int64_t scaled_total(const struct plan_work *work, const struct figure *figure,
                            const struct plan_option *option, int k)
{
	int64_t total = money_to_micro(option->total);
	int64_t change;

	if (figure->what == SENSITIVE_BOOK_VALUE)
		change = llround((figure->today - figure_value(figure, k)) *
		                 (double)book_value(work, option));
	else
		change = scaled(figure, option, factor_at(work, figure, k));
	return change == FIGURE_NEVER ? FIGURE_NEVER : total + change;
}

static bool scaled_wins(const struct plan_work *work, const struct plan *plan,
                        const struct figure *figure, int other, int k)
{
	int64_t first = scaled_total(work, figure, &plan->options[0], k);
	int64_t total = scaled_total(work, figure, &plan->options[other], k);

	return first != FIGURE_NEVER && total != FIGURE_NEVER && total + FIGURE_WIN <= first;
}

/* ---- The nearest value, by lines ---- */

/* Two totals as lines over the factor, for finding where they cross; exact totals decide. */
struct crossing {
	double gap;   /* micro, of the other above the first today */
	double slope; /* by which it grows with the factor */
	double today; /* the factor */
};

/* Micro-yuan of OPTION's total that the factor multiplies. */
static double weight(const struct plan_work *work, const struct figure *figure,
                     const struct plan_option *option)
{
	double weight = 0;

	if (figure->what == SENSITIVE_BOOK_VALUE)
		return -(double)book_value(work, option);
	for (int i = 0; i < option->item_count; i++) {
		const struct plan_item *item = &option->items[i];

		for (int k = item->first_line; k < item->first_line + item->line_count; k++)
			if (scales(figure, item, option->lines[k]))
				weight += (double)money_to_micro(option->lines[k]->amount);
	}
	return weight;
}

static bool crosses_before(const struct plan_work *work, const struct figure *figure,
                           const struct crossing *crossing, int k)
{
	double factor = ratio_to_double(factor_at(work, figure, k));

	return crossing->gap + crossing->slope * (factor - crossing->today) <= -FIGURE_WIN;
}

/*
 * The value nearest to NEAR, up to FAR, at which OTHER wins; false when there is none. The
 * difference is linear in the factor, which rises or falls with the value throughout: it is won
 * from some value on or never.
 */
static bool first_won(const struct plan_work *work, const struct plan *plan,
                      const struct figure *figure, const struct crossing *crossing, int other,
                      int near, int far, int *won)
{
	int step = far >= near ? 1 : -1;
	int end = far;

	if (!crosses_before(work, figure, crossing, far))
		return false;
	*won = near;
	while (*won != far) {
		int middle = *won + (far - *won) / 2;

		if (crosses_before(work, figure, crossing, middle))
			far = middle;
		else
			*won = middle + step;
	}
	/* The lines' own rounding may move it. */
	while (*won != near && scaled_wins(work, plan, figure, other, *won - step))
		*won -= step;
	while (!scaled_wins(work, plan, figure, other, *won)) {
		if (*won == end)
			return false;
		*won += step;
	}
	return true;
}

static void vary_lines(const struct plan_work *work, const struct plan *plan,
                       const struct figure *figure, struct plan_sensitivity *found)
{
	double of_first = weight(work, figure, &plan->options[0]);
	int near[2] = {figure_below(figure), figure_above(figure)};
	int far[2] = {figure->least, figure->most};
	struct sensitivity_turn *turns[2] = {&found->below, &found->above};

	for (int other = 1; other < plan->option_count; other++) {
		const struct plan_option *option = &plan->options[other];
		struct crossing crossing = {
		    .gap = (double)(money_to_micro(option->total) -
		                    money_to_micro(plan->options[0].total)),
		    .slope = weight(work, figure, option) - of_first,
		    .today = figure->what == SENSITIVE_BOOK_VALUE ? figure->today : 1,
		};

		for (int side = 0; side < 2 && figure_takes_part(option); side++) {
			int step = side == 0 ? -1 : 1;
			int won;

			/* Only what is nearer than the nearest so far is of interest. */
			if ((far[side] - near[side]) * step < 0 ||
			    !first_won(work, plan, figure, &crossing, other, near[side], far[side],
			               &won))
				continue;
			far[side] = won - step;
			figure_turn(turns[side], figure, won, other);
		}
	}
}

/* ---- The figures ---- */

/* What the first option pays most for: its offer's price is the one that varies. */
static const struct offer *dearest_offer(const struct plan_option *option)
{
	const struct offer *dearest = NULL;
	int64_t most = 0;

	for (int i = 0; i < option->item_count; i++) {
		struct figure figure = {.what = SENSITIVE_PRICE, .offer = option->items[i].offer};
		int64_t rest = scaled(&figure, option, ratio_of(0));

		if (rest != FIGURE_NEVER && -rest > most) {
			most = -rest;
			dearest = option->items[i].offer;
		}
	}
	return dearest;
}

static bool some_have(const struct plan *plan, bool (*has)(const struct cost_line *line))
{
	for (int i = 0; i < plan->option_count; i++)
		for (int k = 0; k < plan->options[i].line_count; k++)
			if (figure_takes_part(&plan->options[i]) && has(plan->options[i].lines[k]))
				return true;
	return false;
}

static bool is_purchase(const struct cost_line *line)
{
	return line->what == COST_PURCHASE_CASH;
}

static bool is_written_off(const struct cost_line *line)
{
	return line->what == COST_WRITE_OFF;
}

/* Appends FIGURE's entry, still without turns. */
static struct plan_sensitivity *add_entry(struct plan *plan, const struct figure *figure)
{
	struct plan_sensitivity *entry = &plan->sensitivity[plan->sensitivity_count++];

	*entry = (struct plan_sensitivity){
	    .what = figure->what,
	    .from = figure->today,
	    .least = fmin(figure_value(figure, figure->least), figure->today),
	    .most = fmax(figure_value(figure, figure->most), figure->today),
	    .offer = figure->offer,
	};
	return entry;
}

static void by_lines(const struct plan_work *work, struct plan *plan, struct figure figure)
{
	vary_lines(work, plan, &figure, add_entry(plan, &figure));
}

static void again(struct plan_work *work, struct plan *plan, struct figure figure)
{
	price_again(work, plan, &figure, add_entry(plan, &figure));
}

static double years_of_life(const struct plan_work *work)
{
	return ratio_to_double(cost_assume(&work->basis, ASSUME_LIFE_YEARS, NULL));
}

/* How many months are searched; equipment that is bought is not asked beyond its life. */
static int most_months(const struct plan_work *work, const struct plan *plan)
{
	int most = work->basis.months + MONTHS_BEYOND;
	int life = (int)(years_of_life(work) * 12);

	most = most < MONTHS_LEAST ? MONTHS_LEAST : most > MONTHS_MOST ? MONTHS_MOST : most;
	if (some_have(plan, is_purchase) && most > life)
		most = life;
	return most > work->basis.months ? most : work->basis.months;
}

/* Share of the month in which the first option's cards work; 0 = not one share. */
static double utilisation_today(const struct plan_work *work)
{
	const struct combination *first = &work->shown[0];
	double month = work->basis.hours_per_month;
	double hours = 0;
	double cards = 0;

	if (work->spec->workload_count > 1 || work->spec->workloads[0].kind == WORKLOAD_HOSTING)
		return 0;
	for (int i = 0; i < first->of[0]->pick_count; i++) {
		const struct pick *pick = &first->of[0]->picks[i];

		if (pick->role == PICK_BUY)
			continue;
		hours += (double)pick->milli_hours / 1000 * pick->servers;
		cards += pick->servers;
	}
	return cards > 0 ? hours / cards / month : 0;
}

/* Hundredths up to which the first option's cards can do more; some may be busy already. */
static int most_utilisation(const struct plan_work *work, double today)
{
	const struct candidate *first = work->shown[0].of[0];
	int64_t busiest = 1;

	for (int i = 0; i < first->pick_count; i++)
		if (first->picks[i].role != PICK_BUY && first->picks[i].milli_hours > busiest)
			busiest = first->picks[i].milli_hours;
	double most = today * work->basis.hours_per_month * 1000 / (double)busiest;

	return (int)floor(fmin(most, 1) * 100 + 1e-6);
}

/* What a lower bound would lose against, nobody knows. */
static bool has_rival(const struct plan *plan)
{
	int complete = 0;

	for (int i = 0; i < plan->option_count; i++)
		complete += figure_takes_part(&plan->options[i]) ? 1 : 0;
	return complete > 1 && figure_takes_part(&plan->options[0]);
}

void explain_sensitivity(struct plan_work *work, struct plan *plan)
{
	const struct plan_option *first = &plan->options[0];
	bool full = work->spec->full_sensitivity;
	double utilisation;

	plan->sensitivity_count = 0;
	if (!has_rival(plan))
		return;
	utilisation = utilisation_today(work);
	if (dearest_offer(first) != NULL)
		by_lines(
		    work, plan,
		    (struct figure){SENSITIVE_PRICE, 1000, 1, 100, 10000, dearest_offer(first)});
	if (utilisation > 0 && full)
		again(work, plan,
		      (struct figure){SENSITIVE_UTILISATION, 100, utilisation, 1,
		                      most_utilisation(work, utilisation), NULL});
	if (some_have(plan, is_power))
		by_lines(work, plan, (struct figure){SENSITIVE_KWH, 1000, 1, 0, 10000, NULL});
	if (full)
		again(work, plan,
		      (struct figure){SENSITIVE_MONTHS, 1, work->basis.months, 1,
		                      most_months(work, plan), NULL});
	if (work->spec->network.public_mbps.num > 0 && full)
		again(work, plan, (struct figure){SENSITIVE_BANDWIDTH, 10, 1, 0, 30, NULL});
	if (!some_have(plan, is_purchase))
		return;
	double recovered = ratio_to_double(cost_assume(&work->basis, ASSUME_BOOK_VALUE, NULL));

	by_lines(work, plan, (struct figure){SENSITIVE_BOOK_VALUE, 100, recovered, 0, 100, NULL});
	if (!some_have(plan, is_written_off))
		by_lines(work, plan,
		         (struct figure){SENSITIVE_LIFE, 10, years_of_life(work), 10, 100, NULL});
}
