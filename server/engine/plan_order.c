/* plan_order.c - what one pick orders, priced in full; see plan_work.h. */
#include <string.h>

#include "engine/plan_work.h"

/* What a bill says of a price that may be that of a side offer: see flag_item(). */
#define MAY_BE_OF_A_SIDE                                                                           \
	(UINT64_C(1) << FLAG_TAX_UNKNOWN | UINT64_C(1) << FLAG_TERM_OVERRUN |                      \
	 UINT64_C(1) << FLAG_INCLUDED_ONCE | UINT64_C(1) << FLAG_PEAK_NOT_COVERED |                \
	 UINT64_C(1) << FLAG_SLOW_TRANSFER | UINT64_C(1) << FLAG_OWN_HOURS_NOT_PRICED)

#define BUCKETS 64 /* of orders, by position: a power of two */

/* ---- Items ---- */

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

/* Begins the next item of ORDER; NULL when memory is short. */
static struct plan_item *new_item(struct plan_work *work, struct order *order,
                                  const struct offer *offer)
{
	struct plan_item *item = &order->items[order->item_count];
	const struct offer *kept = keep_offer(work, offer);

	if (kept == NULL)
		return NULL;
	order->item_count++;
	*item = (struct plan_item){
	    .workload = order->demand->workload, .number = work->item_count++, .offer = kept};
	return item;
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

/* Copies the lines that FROM's prices make, and to the main item what nobody's do. */
static void keep_lines(const struct plan_work *work, struct order *order, const struct offer *from,
                       struct plan_item *item)
{
	const struct bill *bill = work->bill;
	bool is_main = from == &work->main.offer;

	item->first_line = order->line_count;
	for (int i = 0; i < bill->line_count; i++) {
		bool offered = bill->lines[i].source.kind == SOURCE_OFFER;
		bool own = offered ? bill->lines[i].source.offer == from : is_main;

		if (!own)
			continue;
		struct cost_line *line = &order->lines[order->line_count++];

		*line = bill->lines[i];
		if (offered)
			line->source.offer = item->offer;
	}
	item->line_count = order->line_count - item->first_line;
}

static void describe_pick(const struct plan_work *work, struct order *order,
                          const struct rent_mix *mix, const struct packing *packing,
                          struct plan_item *item)
{
	const struct pick *pick = &order->pick;
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
		order->cabinets = packing->cabinets;
		return;
	}
}

/* ---- Flags ---- */

/* Adds FLAGS as those of the item that was made last; the codes of NAMELESS tell of no item. */
static void flag_item(struct order *order, const struct cost_flags *flags, uint64_t nameless)
{
	for (int i = 0; i < flags->count; i++) {
		struct cost_flag flag = flags->items[i];

		if ((nameless >> flag.code & 1) == 0)
			flag.items = UINT64_C(1) << (order->item_count - 1);
		cost_flag_add(&order->flags, flag);
	}
}

/* An empty list; borrowed until the next time. */
static struct cost_flags *no_flags(struct plan_work *work)
{
	work->flags.count = 0;
	return &work->flags;
}

/* Whole servers for a few cards; what was never asked about the link between several. */
static void flag_rental(struct plan_work *work, struct order *order, const struct rent_mix *mix)
{
	const struct offer *offer = &work->main.offer;
	const struct demand *demand = order->demand;
	const struct workload *workload = &work->spec->workloads[demand->workload];
	struct cost_flags *flags = no_flags(work);
	int cards = order->pick.cards;
	int rented = mix->lots * mix->lot_cards;

	if (cards > 0 && rented >= 2 * cards)
		cost_flag_add(flags, (struct cost_flag){.code = FLAG_MORE_THAN_NEEDED,
		                                        .x = ratio_of(rented),
		                                        .y = ratio_of(cards)});
	if (workload->kind == WORKLOAD_TRAINING && demand->unit > 1 &&
	    offer->inter_link == INTER_UNKNOWN)
		cost_flag_add(flags, (struct cost_flag){.code = FLAG_FABRIC_NOT_STATED,
		                                        .x = ratio_of(demand->unit)});
	flag_item(order, flags, 0);
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

static void add_flags(struct plan_work *work, struct order *order, const struct offer *offer)
{
	const struct spec *spec = work->spec;
	struct flag_limits limits = {
	    .bands = spec->bands,
	    .band_count = spec->band_count,
	    .max_card_age_months = spec->require.max_card_age_months,
	    .wants_network = spec->network.public_mbps.num > 0 || spec->network.ips > 0,
	};
	struct cost_flags *own = no_flags(work);

	flag_item(order, &work->bill->flags, uses_side(work) ? MAY_BE_OF_A_SIDE : 0);
	cost_offer_flags(&work->basis, offer, &limits, own);
	flag_item(order, own, 0);
}

/* ---- Sides ---- */

/* Items for what the bill takes from others: network, storage, service, leased line. */
static bool add_sides(struct plan_work *work, struct order *order)
{
	const struct expanded *sides[ORDER_SIDES] = {&work->network, &work->storage, &work->service,
	                                             &work->leased};

	for (int i = 0; i < ORDER_SIDES; i++) {
		if (!uses(work->bill, &sides[i]->offer))
			continue;
		struct plan_item *item = new_item(work, order, &sides[i]->offer);
		struct cost_flags *own = no_flags(work);

		if (item == NULL)
			return false;
		item->term = first_term(work->bill, &sides[i]->offer);
		item->months = work->basis.months;
		keep_lines(work, order, &sides[i]->offer, item);
		cost_side_flags(&work->basis, item->offer, own);
		flag_item(order, own, 0);
		/* A side has no pick. */
		mark_used(work, (uint32_t)sides[i]->position);
	}
	return true;
}

/* ---- The bill ---- */

static bool keep_bill(struct plan_work *work, struct order *order)
{
	const struct bill *bill = work->bill;

	order->lines = PLAN_TAKE(work->memory, struct cost_line, bill->line_count);
	order->unknowns = PLAN_TAKE(work->memory, struct cost_unknown, bill->unknown_count);
	if (order->lines == NULL || order->unknowns == NULL)
		return false;
	memcpy(order->accounts, bill->accounts, sizeof order->accounts);
	memcpy(order->unknowns, bill->unknowns,
	       (size_t)bill->unknown_count * sizeof *bill->unknowns);
	order->unknown_count = bill->unknown_count;
	order->total = bill->total;
	order->upfront = bill->upfront;
	order->deposit = bill->deposit;
	order->paid_later = bill->paid_later;
	order->vat = bill->vat;
	order->assumed = bill->assumed;
	return true;
}

/* What a purchase costs more when nothing of its book value is recovered; micro. */
static int64_t written_off(struct plan_work *work, const struct order *order)
{
	struct cost_basis basis = work->basis;
	struct pick pick = order->pick;
	enum cost_status status;

	if (pick.role != PICK_BUY)
		return 0;
	cost_basis_give(&work->basis, ASSUME_BOOK_VALUE, ratio_of(0));
	status = price_total(work, order->demand, &pick);
	work->basis = basis;
	return status == COST_OK ? pick.total - order->pick.total : INT64_MAX;
}

static bool make_order(struct plan_work *work, struct order *order)
{
	struct rent_mix mix = {0};
	struct packing packing = {0};

	if (price_pick(work, order->demand, &order->pick, &mix, &packing) != COST_OK)
		return true; /* cannot be: it was priced before */
	struct plan_item *item = new_item(work, order, &work->main.offer);

	if (item == NULL || !keep_bill(work, order))
		return false;
	describe_pick(work, order, &mix, &packing, item);
	if (order->pick.role == PICK_RENT)
		flag_rental(work, order, &mix);
	keep_lines(work, order, &work->main.offer, item);
	add_flags(work, order, item->offer);
	if (!add_sides(work, order))
		return false;
	mark_used(work, order->pick.position);
	order->written_off = written_off(work, order);
	return true;
}

/* ---- The orders of a plan ---- */

static bool same_part(const struct rent_order_part *a, const struct rent_order_part *b)
{
	return a->cards == b->cards && a->servers == b->servers && a->spare == b->spare &&
	       a->is_rest == b->is_rest;
}

static bool is_of(const struct order *order, const struct demand *demand, const struct pick *pick)
{
	const struct pick *own = &order->pick;

	return order->demand == demand && own->position == pick->position &&
	       own->role == pick->role && own->carries_network == pick->carries_network &&
	       own->servers == pick->servers && own->cards == pick->cards &&
	       own->milli_hours == pick->milli_hours && same_part(&own->order, &pick->order);
}

const struct order *order_of(struct plan_work *work, const struct demand *demand,
                             const struct pick *pick)
{
	if (work->orders == NULL) {
		work->orders = PLAN_TAKE(work->memory, struct order *, BUCKETS);
		if (work->orders == NULL)
			return NULL;
		memset(work->orders, 0, BUCKETS * sizeof *work->orders);
	}
	struct order **first = &work->orders[pick->position % BUCKETS];

	for (const struct order *order = *first; order != NULL; order = order->next)
		if (is_of(order, demand, pick))
			return order;
	struct order *order = PLAN_TAKE(work->memory, struct order, 1);

	if (order == NULL)
		return NULL;
	*order = (struct order){.demand = demand, .pick = *pick, .next = *first};
	if (!make_order(work, order))
		return NULL;
	*first = order;
	return order;
}
