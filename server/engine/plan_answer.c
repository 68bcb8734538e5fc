/* plan_answer.c - options with their items, lines and flags; see plan_work.h. */
#include <math.h>
#include <string.h>

#include "engine/plan_work.h"

#define SIDES 4

/* What a bill says of a price that may be that of a side offer: see flag_item(). */
#define MAY_BE_OF_A_SIDE                                                                           \
	(UINT64_C(1) << FLAG_TAX_UNKNOWN | UINT64_C(1) << FLAG_TERM_OVERRUN |                      \
	 UINT64_C(1) << FLAG_INCLUDED_ONCE | UINT64_C(1) << FLAG_PEAK_NOT_COVERED |                \
	 UINT64_C(1) << FLAG_SLOW_TRANSFER | UINT64_C(1) << FLAG_OWN_HOURS_NOT_PRICED)

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

/* ---- One item ---- */

/* Where an option is put together: the ends of its arrays, which grow in the plan's memory. */
struct assembly {
	struct plan_work *work;
	struct plan_option *option;
	struct plan_item *items;
	struct cost_line *lines;
	struct cost_unknown *unknowns;
};

static const struct offer *keep_offer(struct plan_work *work, const struct offer *offer)
{
	struct offer *kept = PLAN_TAKE(work->memory, struct offer, 1);
	struct price *prices = PLAN_TAKE(work->memory, struct price, offer->price_count + 1);

	if (kept == NULL || prices == NULL)
		return NULL;
	*kept = *offer;
	memcpy(prices, offer->prices, (size_t)offer->price_count * sizeof *prices);
	kept->prices = prices;
	return kept;
}

static enum price_term rented_term(const struct rent_mix *mix)
{
	if (mix->years > 0)
		return TERM_YEARLY;
	if (mix->quarters > 0)
		return TERM_QUARTERLY;
	if (mix->months > 0)
		return TERM_MONTHLY;
	return mix->spot ? TERM_SPOT : TERM_HOURLY;
}

static enum price_term first_term(const struct bill *bill, const struct offer *offer)
{
	for (int i = 0; i < bill->line_count; i++) {
		const struct cost_source *source = &bill->lines[i].source;

		if (source->kind == SOURCE_OFFER && source->offer == offer && source->price >= 0 &&
		    source->price < offer->price_count)
			return offer->prices[source->price].term;
	}
	return TERM_ONE_OFF;
}

/* Copies the lines of BILL that FROM's prices make, and to the main item what nobody's do. */
static void keep_lines(struct assembly *assembly, const struct bill *bill, const struct offer *from,
                       const struct offer *kept, struct plan_item *item)
{
	bool is_main = from == &assembly->work->main.offer;

	item->first_line = assembly->option->line_count;
	for (int i = 0; i < bill->line_count; i++) {
		bool offered = bill->lines[i].source.kind == SOURCE_OFFER;
		bool own = offered ? bill->lines[i].source.offer == from : is_main;

		if (!own)
			continue;
		struct cost_line *line = &assembly->lines[assembly->option->line_count++];

		*line = bill->lines[i];
		if (offered)
			line->source.offer = kept;
	}
	item->line_count = assembly->option->line_count - item->first_line;
}

/* Adds FLAGS as those of the item that was made last; the codes of NAMELESS tell of no item. */
static void flag_item(struct assembly *assembly, const struct cost_flags *flags, uint64_t nameless)
{
	for (int i = 0; i < flags->count; i++) {
		struct cost_flag flag = flags->items[i];

		if ((nameless >> flag.code & 1) == 0 &&
		    assembly->option->item_count <= PLAN_ITEMS_MAX)
			flag.items = UINT64_C(1) << (assembly->option->item_count - 1);
		cost_flag_add(&assembly->option->flags, flag);
	}
}

/* Whole servers for a few cards; what was never asked about the link between several. */
static void flag_rental(struct assembly *assembly, const struct demand *demand,
                        const struct pick *pick, const struct rent_mix *mix)
{
	const struct offer *offer = &assembly->work->main.offer;
	const struct workload *workload = &assembly->work->spec->workloads[demand->workload];
	struct cost_flags flags = {0};
	int rented = mix->lots * mix->lot_cards;

	if (pick->cards > 0 && rented >= 2 * pick->cards)
		cost_flag_add(&flags, (struct cost_flag){.code = FLAG_MORE_THAN_NEEDED,
		                                         .x = ratio_of(rented),
		                                         .y = ratio_of(pick->cards)});
	if (workload->kind == WORKLOAD_TRAINING && demand->unit > 1 &&
	    offer->inter_link == INTER_UNKNOWN)
		cost_flag_add(&flags, (struct cost_flag){.code = FLAG_FABRIC_NOT_STATED,
		                                         .x = ratio_of(demand->unit)});
	flag_item(assembly, &flags, 0);
}

static void describe_pick(struct assembly *assembly, const struct pick *pick,
                          const struct rent_mix *mix, const struct packing *packing,
                          struct plan_item *item)
{
	struct plan_work *work = assembly->work;
	const struct bill *bill = work->bill;
	struct ratio hours = ratio_of((int64_t)work->basis.months * work->basis.hours_per_month);

	item->servers = pick->servers;
	item->cards = pick->cards;
	switch (pick->role) {
	case PICK_RENT:
		item->mix = *mix;
		item->term = rented_term(mix);
		item->months = mix->years * 12 + mix->quarters * 3 + mix->months;
		item->cards = mix->lots * mix->lot_cards;
		if (cost_sla(&work->basis, &work->main.offer, money_to_ratio(bill->total), hours,
		             pick->servers > 0 ? pick->servers : 1, NULL, &item->sla) != COST_OK)
			item->sla.known = false;
		return;
	case PICK_BUY:
		item->term = TERM_ONE_OFF;
		return;
	case PICK_HOST:
		item->packing = *packing;
		item->term = first_term(bill, &work->main.offer);
		item->months = work->basis.months;
		assembly->option->cabinets += packing->cabinets;
		return;
	}
}

static bool uses(const struct bill *bill, const struct offer *offer)
{
	for (int i = 0; i < bill->line_count; i++)
		if (bill->lines[i].source.kind == SOURCE_OFFER &&
		    bill->lines[i].source.offer == offer)
			return true;
	return false;
}

static bool uses_side(const struct plan_work *work)
{
	return uses(work->bill, &work->network.offer) || uses(work->bill, &work->storage.offer) ||
	       uses(work->bill, &work->service.offer) || uses(work->bill, &work->leased.offer);
}

static void add_flags(struct assembly *assembly, const struct offer *offer,
                      const struct cost_flags *flags)
{
	const struct spec *spec = assembly->work->spec;
	struct flag_limits limits = {
	    .bands = spec->bands,
	    .band_count = spec->band_count,
	    .max_card_age_months = spec->require.max_card_age_months,
	    .wants_network = spec->network.public_mbps.num > 0 || spec->network.ips > 0,
	};

	struct cost_flags own = {0};

	flag_item(assembly, flags, uses_side(assembly->work) ? MAY_BE_OF_A_SIDE : 0);
	cost_offer_flags(&assembly->work->basis, offer, &limits, &own);
	flag_item(assembly, &own, 0);
}

static struct plan_item *new_item(struct assembly *assembly, int workload,
                                  const struct offer *offer)
{
	struct plan_item *item = &assembly->items[assembly->option->item_count];
	const struct offer *kept = keep_offer(assembly->work, offer);

	if (kept == NULL)
		return NULL;
	assembly->option->item_count++;
	*item = (struct plan_item){.workload = workload, .offer = kept};
	return item;
}

/* Items for what BILL takes from others: network, storage, service, leased line. */
static bool add_sides(struct assembly *assembly, int workload)
{
	struct plan_work *work = assembly->work;
	struct offer *const sides[SIDES] = {&work->network.offer, &work->storage.offer,
	                                    &work->service.offer, &work->leased.offer};

	for (int i = 0; i < SIDES; i++) {
		if (!uses(work->bill, sides[i]))
			continue;
		struct plan_item *item = new_item(assembly, workload, sides[i]);

		if (item == NULL)
			return false;
		item->term = first_term(work->bill, sides[i]);
		item->months = work->basis.months;
		keep_lines(assembly, work->bill, sides[i], item->offer, item);
		struct cost_flags own = {0};

		cost_side_flags(&work->basis, item->offer, &own);
		flag_item(assembly, &own, 0);
	}
	return true;
}

/* ---- Sums ---- */

static void add_money(struct money *sum, struct money amount)
{
	if (!money_add(*sum, amount, sum))
		*sum = money_from_micro(INT64_MAX);
}

static void add_energy(struct plan_option *option, const struct bill *bill)
{
	for (int i = 0; i < bill->line_count; i++) {
		const struct cost_line *line = &bill->lines[i];

		if (line->what == COST_ENERGY && line->unit.per == PER_KWH &&
		    !ratio_add(option->energy_kwh, line->quantity, &option->energy_kwh))
			option->energy_kwh = ratio_of(0);
	}
}

static void add_bill(struct assembly *assembly, const struct bill *bill)
{
	struct plan_option *option = assembly->option;

	add_money(&option->total, bill->total);
	for (int account = 0; account < COST_ACCOUNT_COUNT; account++)
		add_money(&option->accounts[account], bill->accounts[account]);
	add_money(&option->upfront, bill->upfront);
	add_money(&option->deposit, bill->deposit);
	add_money(&option->paid_per_month, bill->paid_per_month);
	add_money(&option->vat, bill->vat);
	option->assumed |= bill->assumed;
	for (int i = 0; i < bill->unknown_count; i++)
		assembly->unknowns[option->unknown_count++] = bill->unknowns[i];
	add_energy(option, bill);
}

static bool add_pick(struct assembly *assembly, const struct demand *demand,
                     const struct pick *pick)
{
	struct plan_work *work = assembly->work;
	struct rent_mix mix = {0};
	struct packing packing = {0};

	if (price_pick(work, demand, pick, &mix, &packing) != COST_OK)
		return true; /* cannot be: it was priced before */
	struct plan_item *item = new_item(assembly, demand->workload, &work->main.offer);

	if (item == NULL)
		return false;
	describe_pick(assembly, pick, &mix, &packing, item);
	if (pick->role == PICK_RENT)
		flag_rental(assembly, demand, pick, &mix);
	keep_lines(assembly, work->bill, &work->main.offer, item->offer, item);
	add_bill(assembly, work->bill);
	add_flags(assembly, item->offer, &work->bill->flags);
	return add_sides(assembly, demand->workload);
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

static void add_figures(struct assembly *assembly, const struct combination *combination)
{
	struct plan_work *work = assembly->work;
	struct plan_option *option = assembly->option;
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

/* Room for the most that the option may need. */
static bool begin(struct assembly *assembly, const struct combination *combination)
{
	struct plan_memory *memory = assembly->work->memory;
	int picks = 0;

	for (int w = 0; w < assembly->work->spec->workload_count; w++)
		picks += combination->of[w]->pick_count;
	assembly->items = PLAN_TAKE(memory, struct plan_item, picks * (1 + SIDES));
	assembly->unknowns = PLAN_TAKE(memory, struct cost_unknown, picks * BILL_UNKNOWNS_MAX);
	assembly->lines = PLAN_TAKE(memory, struct cost_line, picks * BILL_LINES_MAX);
	return !memory->too_small;
}

static void count_used(struct plan_work *work, const struct combination *combination)
{
	for (int w = 0; w < work->spec->workload_count; w++)
		for (int i = 0; i < combination->of[w]->pick_count; i++)
			mark_used(work, combination->of[w]->picks[i].position);
}

/* What was bought and is left when the project ends is worth a word. */
static void flag_left_over(const struct plan_work *work, struct plan_option *option,
                           const struct cost_line *lines)
{
	int64_t life =
	    llround(ratio_to_double(cost_assume(&work->basis, ASSUME_LIFE_YEARS, NULL)) * 12);
	int64_t left = 0;

	for (int i = 0; i < option->line_count; i++) {
		if (lines[i].what == COST_PURCHASE_CASH)
			left += money_to_micro(lines[i].amount);
		if (lines[i].what == COST_DEPRECIATION || lines[i].what == COST_WRITE_OFF)
			left -= money_to_micro(lines[i].amount);
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

/* The bill of PICK when nothing of its book value is recovered; micro. */
static int64_t written_off(struct plan_work *work, const struct demand *demand, struct pick pick)
{
	struct cost_basis basis = work->basis;
	enum cost_status status;

	cost_basis_give(&work->basis, ASSUME_BOOK_VALUE, ratio_of(0));
	status = price_total(work, demand, &pick);
	work->basis = basis;
	return status == COST_OK ? pick.total : INT64_MAX;
}

static void add_written_off(struct plan_work *work, const struct combination *combination,
                            struct plan_option *option)
{
	int64_t total = money_to_micro(option->total);

	for (int w = 0; w < work->spec->workload_count; w++)
		for (int i = 0; i < combination->of[w]->pick_count; i++) {
			const struct candidate *candidate = combination->of[w];
			const struct pick *pick = &candidate->picks[i];

			if (pick->role != PICK_BUY)
				continue;
			int64_t all = written_off(work, candidate->demand, *pick);

			if (__builtin_add_overflow(total, all - pick->total, &total))
				return;
		}
	option->has_written_off = total > money_to_micro(option->total);
	option->total_if_written_off = money_from_micro(total);
}

static bool make_option(struct plan_work *work, const struct combination *combination,
                        struct plan_option *option)
{
	struct assembly assembly = {.work = work, .option = option};

	*option = (struct plan_option){.route = combination->route,
	                               .carrier = combination->carrier,
	                               .energy_kwh = ratio_of(0),
	                               .card_hours = ratio_of(0)};
	if (!begin(&assembly, combination))
		return false;
	for (int w = 0; w < work->spec->workload_count; w++) {
		const struct candidate *candidate = combination->of[w];

		for (int i = 0; i < candidate->pick_count; i++)
			if (!add_pick(&assembly, candidate->demand, &candidate->picks[i]))
				return false;
	}
	option->items = assembly.items;
	option->lines = assembly.lines;
	option->unknowns = assembly.unknowns;
	add_written_off(work, combination, option);
	flag_left_over(work, option, assembly.lines);
	add_figures(&assembly, combination);
	count_used(work, combination);
	return true;
}

/* Sides have no pick: they are marked by their ids. */
static void mark_sides(struct plan_work *work, const struct plan_option *option)
{
	int64_t *const sides[SIDES] = {work->sides.network, work->sides.storage,
	                               work->sides.service, work->sides.leased};

	for (int i = 0; i < option->item_count; i++)
		for (int kind = 0; kind < SIDES; kind++)
			for (int city = 0; city < CITY_COUNT; city++) {
				int64_t position = sides[kind][city];

				if (position >= 0 &&
				    work->source->ids[position] == option->items[i].offer->id)
					mark_used(work, (uint32_t)position);
			}
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
		mark_sides(work, &options[i]);
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
	return true;
}
