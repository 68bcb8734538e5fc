/* plan_again.c - see plan_again.h. */
#include "engine/plan_again.h"

#define MEMO 64
/* A month has at least this share of a year's mean energy: sharp-peak months cost 5 % more. */
#define LEAST_ENERGY 0.9

/*
 * What is known of one option's total as the figure varies. No bill is below
 *   hours      its part by hours of the last that was priced: a bill is concave in them and not
 *              negative at none; with more hours, the last itself
 *   months     what is paid once and, each month, no less than over whole years, in which every
 *              term fits; with more months, the last
 *   bandwidth  all but the line itself
 */
struct outlook {
	double once;
	double per_month;
	double value; /* at which it was priced last ... */
	double total; /* ... micro */
};

struct again {
	struct plan_work *work;
	const struct plan *plan;
	const struct figure *figure;
	struct spec today;
	struct spec varied;
	struct outlook *outlooks; /* of each option */
	/* Totals of candidates at the value in question: options share them. */
	const struct candidate *known[MEMO];
	int64_t known_total[MEMO];
	int known_count;
};

/* ---- Pricing at a value ---- */

/* Sets the figure for the bills that follow. */
static void set_value(struct again *again, double value)
{
	struct plan_work *work = again->work;
	int64_t k = llround(value * again->figure->steps);
	struct ratio factor = ratio_make(k, llround(again->figure->steps));
	struct network_need *need = &again->varied.network;

	again->known_count = 0;
	if (again->figure->what == SENSITIVE_MONTHS)
		work->basis.months = (int)k;
	if (again->figure->what != SENSITIVE_BANDWIDTH)
		return;
	if (!ratio_multiply(again->today.network.public_mbps, factor, &need->public_mbps) ||
	    !ratio_multiply(again->today.network.mbps_95, factor, &need->mbps_95))
		*need = again->today.network;
}

/* The hours of PICK at utilisation VALUE; 0 = cards that are busy already cannot do more. */
static int64_t hours_at(const struct again *again, double value, const struct pick *pick)
{
	int64_t month = (int64_t)again->work->basis.hours_per_month * 1000;
	int64_t hours = llround((double)pick->milli_hours * value / again->figure->today);

	if (hours > month + month / 1000)
		return 0;
	return hours < 1 ? 1 : hours < month ? hours : month;
}

/* Varies PICK; false when its bill stays as it is. */
static bool vary_pick(const struct again *again, double value, struct pick *pick)
{
	if (again->figure->what == SENSITIVE_BANDWIDTH)
		return pick->carries_network;
	if (again->figure->what != SENSITIVE_UTILISATION)
		return true;
	pick->milli_hours = hours_at(again, value, pick);
	return pick->role != PICK_BUY;
}

static int64_t price_candidate(struct again *again, const struct candidate *candidate, double value)
{
	int64_t total = 0;

	for (int i = 0; i < candidate->pick_count; i++) {
		struct pick pick = candidate->picks[i];

		if (vary_pick(again, value, &pick) &&
		    (pick.milli_hours == 0 ||
		     price_total(again->work, candidate->demand, &pick) != COST_OK ||
		     pick.incomplete))
			return FIGURE_NEVER;
		total += pick.total;
	}
	return total;
}

static int64_t remember_candidate(struct again *again, const struct candidate *candidate,
                                  double value)
{
	for (int i = 0; i < again->known_count; i++)
		if (again->known[i] == candidate)
			return again->known_total[i];
	int64_t total = price_candidate(again, candidate, value);

	if (again->known_count < MEMO) {
		again->known[again->known_count] = candidate;
		again->known_total[again->known_count++] = total;
	}
	return total;
}

/* The total of OPTION at VALUE, which is set; FIGURE_NEVER when it cannot do it. */
static int64_t price_option(struct again *again, int option, double value)
{
	const struct combination *shown = &again->work->shown[option];
	int64_t total = 0;

	for (int w = 0; w < again->today.workload_count; w++) {
		int64_t part = remember_candidate(again, shown->of[w], value);

		if (part == FIGURE_NEVER)
			return FIGURE_NEVER;
		total += part;
	}
	return total;
}

/* ---- Bounds ---- */

static double micro(struct money amount)
{
	return (double)money_to_micro(amount);
}

static double lines_of(const struct plan_option *option, enum cost_what what)
{
	double total = 0;

	for (int i = 0; i < option->line_count; i++)
		if (option->lines[i]->what == what && option->lines[i]->is_cost)
			total += micro(option->lines[i]->amount);
	return total;
}

static int longest_minimum(const struct plan_option *option)
{
	int longest = 1;

	for (int i = 0; i < option->item_count; i++)
		if (option->items[i].offer->min_term_months > longest)
			longest = option->items[i].offer->min_term_months;
	return longest;
}

static void expect_months(struct again *again, int option, struct outlook *outlook)
{
	const struct plan_option *at = &again->plan->options[option];
	int months = (int)again->figure->today;
	int years = (months + 11) / 12 * 12;
	double energy = micro(at->accounts[ACCOUNT_POWER]) * years / months;
	double total = micro(at->total);

	if (longest_minimum(at) > years || lines_of(at, COST_WRITE_OFF) > 0)
		return;
	if (years != months) {
		set_value(again, years);
		int64_t priced = price_option(again, option, years);

		if (priced == FIGURE_NEVER)
			return;
		total = (double)priced;
	}
	outlook->once = lines_of(at, COST_SETUP);
	outlook->per_month = (total - outlook->once - energy * (1 - LEAST_ENERGY)) / years;
}

static void expect(struct again *again, int option)
{
	const struct plan_option *at = &again->plan->options[option];
	struct outlook *outlook = &again->outlooks[option];

	*outlook = (struct outlook){.value = again->figure->today, .total = micro(at->total)};
	if (again->figure->what == SENSITIVE_MONTHS)
		expect_months(again, option, outlook);
	if (again->figure->what == SENSITIVE_BANDWIDTH)
		outlook->once = micro(at->total) - lines_of(at, COST_BANDWIDTH) -
		                lines_of(at, COST_BANDWIDTH_95) - lines_of(at, COST_TRAFFIC);
}

/* No bill of the option is below; STEP is away from today. */
static double least_at(const struct again *again, int option, double value, int step)
{
	const struct outlook *outlook = &again->outlooks[option];

	if (again->figure->what == SENSITIVE_BANDWIDTH)
		return outlook->once;
	if (again->figure->what == SENSITIVE_UTILISATION)
		return step > 0 ? outlook->total : outlook->total * value / outlook->value;
	double months = outlook->once + outlook->per_month * value;

	return step > 0 ? fmax(months, outlook->total) : months;
}

/* ---- What the first costs at most ---- */

/* Nothing longer than a month is sold: the bill grows by the same every month. */
static bool is_by_month(const struct plan_option *option)
{
	const unsigned longer = 1u << TERM_QUARTERLY | 1u << TERM_YEARLY;

	for (int i = 0; i < option->item_count; i++) {
		const struct offer *offer = option->items[i].offer;

		if (offer->kind == OFFER_PURCHASE || offer->kind == OFFER_COLOCATION ||
		    offer->min_term_months > 1)
			return false;
		for (int k = 0; k < offer->price_count; k++)
			if ((longer >> offer->prices[k].term & 1) != 0)
				return false;
	}
	return true;
}

/* Per unit of the figure, from today on away by STEP, the first gains or loses no less than. */
static double slope_of_first(struct again *again, int step)
{
	const struct figure *figure = again->figure;
	const struct plan_option *first = &again->plan->options[0];
	int other_side = step > 0 ? figure_below(figure) : figure_above(figure);
	double value = figure_value(figure, other_side);

	if (figure->what == SENSITIVE_MONTHS)
		return (micro(first->total) - lines_of(first, COST_SETUP)) / figure->today;
	if (other_side < figure->least || other_side > figure->most)
		return step > 0 ? INFINITY : 0;
	set_value(again, value);
	int64_t total = price_option(again, 0, value);

	if (total == FIGURE_NEVER)
		return step > 0 ? INFINITY : 0;
	return ((double)total - micro(first->total)) / (value - figure->today);
}

/* Whether the first's bill lies below the line through today's with that slope. */
static bool has_slope(const struct again *again)
{
	return again->figure->what == SENSITIVE_UTILISATION ||
	       (again->figure->what == SENSITIVE_MONTHS && is_by_month(&again->plan->options[0]));
}

/* ---- The search ---- */

/* Prices what may win at grid value K; the winner, or -1. STOP: the first cannot do it. */
static int winner_at(struct again *again, int k, int step, double ceiling, bool *stop)
{
	double value = figure_value(again->figure, k);
	double first = ceiling;
	bool priced = false;
	int64_t best = 0;
	int winner = -1;

	for (int i = 1; i < again->plan->option_count; i++) {
		if (!figure_takes_part(&again->plan->options[i]) ||
		    least_at(again, i, value, step) + FIGURE_WIN > first)
			continue;
		if (!priced) {
			set_value(again, value);
			int64_t total = price_option(again, 0, value);

			priced = true;
			*stop = total == FIGURE_NEVER;
			if (*stop)
				return -1;
			first = (double)total;
			if (least_at(again, i, value, step) + FIGURE_WIN > first)
				continue;
		}
		int64_t total = price_option(again, i, value);

		if (total == FIGURE_NEVER)
			continue;
		again->outlooks[i].value = value;
		again->outlooks[i].total = (double)total;
		if ((double)total + FIGURE_WIN <= first && (winner < 0 || total < best)) {
			winner = i;
			best = total;
		}
	}
	return winner;
}

static void walk(struct again *again, int step, struct sensitivity_turn *turn)
{
	const struct figure *figure = again->figure;
	double today = micro(again->plan->options[0].total);
	bool sloped = has_slope(again);
	double slope = sloped ? slope_of_first(again, step) : 0;
	bool stop = false;

	for (int i = 1; i < again->plan->option_count; i++)
		if (figure_takes_part(&again->plan->options[i]))
			expect(again, i);
	for (int k = step > 0 ? figure_above(figure) : figure_below(figure);
	     k >= figure->least && k <= figure->most && !stop; k += step) {
		double away = figure_value(figure, k) - figure->today;
		double ceiling = sloped ? today + slope * away : INFINITY;
		int winner = winner_at(again, k, step, ceiling, &stop);

		if (winner >= 0) {
			figure_turn(turn, figure, k, winner);
			return;
		}
	}
}

void price_again(struct plan_work *work, const struct plan *plan, const struct figure *figure,
                 struct plan_sensitivity *found)
{
	struct again again = {.work = work,
	                      .plan = plan,
	                      .figure = figure,
	                      .today = *work->spec,
	                      .varied = *work->spec};
	const struct spec *spec = work->spec;
	int months = work->basis.months;

	again.outlooks = PLAN_TAKE(work->memory, struct outlook, plan->option_count);
	if (again.outlooks == NULL)
		return;
	work->spec = &again.varied;
	walk(&again, -1, &found->below);
	walk(&again, 1, &found->above);
	work->spec = spec;
	work->basis.months = months;
}
