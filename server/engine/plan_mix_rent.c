/* plan_mix_rent.c - what a mix rents: the ways to order from an offer; see plan_mixing.h. */
#include "engine/plan_mixing.h"

#define STEPS_MAX 8   /* of the ladders of one offer's cards */
#define ROUNDED 50000 /* micro: lines of a bill may be rounded by so much in all */

/* How what is due for an order as a whole grows with the servers. */
enum growth {
	GROWS_EVENLY,  /* so much for each */
	GROWS_AND_SET, /* and something that the order costs by itself */
	GROWS_ANYHOW,
};

/* An offer by the quantities that its prices ask for. */
struct ladder {
	int most;             /* servers that the mix may rent */
	int64_t stock;        /* servers; INT64_MAX = no limit */
	int steps[STEPS_MAX]; /* from which on its cards cost something else, ascending; the first:
	                         1 */
	int count;
	enum growth growth;
	bool lumpy; /* what is rented together holds more than a server */
};

/* ---- What an offer asks for ---- */

/* So much for each server, however many they are. */
static bool is_even(const struct price *price, int server_cards)
{
	if (price->min_quantity > 1)
		return false;
	if (price->unit.per == PER_SERVER)
		return price->unit.per_count == 1;
	return price->unit.per == PER_CARD && server_cards % price->unit.per_count == 0;
}

static enum growth more_of(enum growth a, enum growth b)
{
	return a > b ? a : b;
}

/* Setup and deposit. */
static enum growth growth_of_once(const struct offer *offer, int server_cards)
{
	enum growth growth = GROWS_EVENLY;

	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];

		if ((price->item != ITEM_SETUP && price->item != ITEM_DEPOSIT) ||
		    is_even(price, server_cards))
			continue;
		growth = more_of(growth, price->min_quantity > 1 || price->unit.per != PER_NONE
		                             ? GROWS_ANYHOW
		                             : GROWS_AND_SET);
	}
	return growth;
}

static enum growth growth_of_service(const struct offer *offer, int server_cards)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_SERVICE &&
		    !is_even(&offer->prices[i], server_cards))
			return GROWS_ANYHOW;
	return GROWS_EVENLY;
}

/* Of who helps beside OFFER: evenly when it is the same one for each number of servers up to MOST.
 */
static enum growth growth_of_help(struct plan_work *work, const struct offer *offer, int most,
                                  int server_cards)
{
	int64_t first = helper_beside(work, offer, 1);

	for (int servers = 2; servers <= most; servers++)
		if (helper_beside(work, offer, servers) != first)
			return GROWS_ANYHOW;
	if (first < 0)
		return GROWS_EVENLY;
	return growth_of_service(work_offer(work, (size_t)first, &work->service), server_cards);
}

static void add_step(struct ladder *ladder, int step, bool *too_many)
{
	int at = ladder->count;

	for (int i = 0; i < ladder->count; i++)
		if (ladder->steps[i] == step)
			return;
	if (ladder->count == STEPS_MAX) {
		*too_many = true;
		return;
	}
	for (; at > 0 && ladder->steps[at - 1] > step; at--)
		ladder->steps[at] = ladder->steps[at - 1];
	ladder->steps[at] = step;
	ladder->count++;
}

static struct ladder ladder_of(struct plan_work *work, struct mixing *mixing, uint32_t position)
{
	const struct offer *offer = work_offer(work, position, &work->main);
	int server = class_server_cards(&mixing->demand->class);
	int lot = rent_lot_cards(offer);
	int64_t stock = work->source->stocks[position];
	struct ladder ladder = {.stock = stock < 0 ? INT64_MAX : stock,
	                        .steps = {1},
	                        .count = 1,
	                        .growth = growth_of_once(offer, server)};

	ladder.most = (int)least(ladder.stock, mixing->orders.levels);
	ladder.lumpy = lot > 0 && server % lot != 0;
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_COMPUTE && offer->prices[i].min_quantity > 1)
			add_step(&ladder, offer->prices[i].min_quantity, &mixing->gave_up);
	if (work->spec->service <= SERVICE_BARE)
		return ladder;
	ladder.growth = more_of(ladder.growth, growth_of_service(offer, server));
	ladder.growth = more_of(ladder.growth, growth_of_help(work, offer, ladder.most, server));
	return ladder;
}

/* ---- What its servers cost ---- */

/* An offer that is being weighed. */
struct weighing {
	struct plan_work *work;
	struct mixing *mixing;
	uint32_t position;
	struct ladder ladder;
	int row[STEPS_MAX]; /* of each step */
	int way_count;
};

static struct pick servers_of(const struct weighing *weighing, int servers, int64_t milli_hours)
{
	return (struct pick){
	    .position = weighing->position,
	    .role = PICK_RENT,
	    .servers = servers,
	    .cards = servers * class_server_cards(&weighing->mixing->demand->class),
	    .milli_hours = milli_hours,
	};
}

/* The bill of PICK; HYBRID_IMPOSSIBLE when there is none, or none as complete as is wanted. */
static int64_t bill_of(const struct weighing *weighing, struct pick pick)
{
	const struct mixing *mixing = weighing->mixing;

	if (price_total(weighing->work, mixing->demand, &pick) != COST_OK ||
	    (mixing->complete && pick.incomplete) || pick.total >= HYBRID_IMPOSSIBLE / 1024)
		return HYBRID_IMPOSSIBLE;
	return pick.total;
}

/* A row of what one server of ORDERED costs by level, which is all that it costs when ORDERED is 0.
 * False when there is no room. */
static bool price_row(struct weighing *weighing, int ordered, int *row)
{
	struct mixing *mixing = weighing->mixing;
	struct hybrid_orders *orders = &mixing->orders;

	if (orders->rows == HYBRID_ROWS_MAX)
		return false;
	int64_t *costs = orders->cost[orders->rows];

	for (int i = 0; i < orders->levels; i++) {
		struct pick one = servers_of(weighing, 1, mixing->hours[i]);

		if (ordered > 0)
			one.order = (struct rent_order_part){
			    .cards = ordered * one.cards, .servers = ordered, .is_rest = true};
		costs[i] = is_same_level(mixing, i) ? costs[i - 1] : bill_of(weighing, one);
	}
	*row = orders->rows++;
	return true;
}

/* What is due for an order of ORDERED servers of which SERVERS are needed. */
static int64_t due_once(const struct weighing *weighing, int ordered, int servers)
{
	struct pick all = servers_of(weighing, servers,
	                             weighing->mixing->hours[weighing->mixing->orders.levels - 1]);

	all.order.cards = ordered * (all.cards / servers);
	all.order.servers = servers;
	int64_t total = bill_of(weighing, all);

	all.order.is_rest = true;
	int64_t rest = bill_of(weighing, all);

	return total < HYBRID_IMPOSSIBLE && rest < HYBRID_IMPOSSIBLE ? total - rest
	                                                             : HYBRID_IMPOSSIBLE;
}

/* ---- The ways to order from it ---- */

static bool add_way(struct weighing *weighing, struct hybrid_way way)
{
	struct hybrid_orders *orders = &weighing->mixing->orders;
	int at = (orders->suppliers > 0 ? orders->way_end[orders->suppliers - 1] : 0) +
	         weighing->way_count;

	if (at == HYBRID_WAYS_MAX)
		return false;
	orders->ways[at] = way;
	weighing->way_count++;
	return true;
}

/* FIRST and what follows it, up to LAST, that costs as much more each time; where it ends. */
static int end_of_run(const struct weighing *weighing, int first, int last, int64_t *once,
                      int64_t *each)
{
	int end = first + 1;

	*once = due_once(weighing, first, first);
	*each = 0;
	if (*once >= HYBRID_IMPOSSIBLE || first == last)
		return end;
	if (weighing->ladder.growth != GROWS_ANYHOW) {
		int64_t of_last = due_once(weighing, last, last);

		*each = (of_last - *once) / (last - first);
		return of_last < HYBRID_IMPOSSIBLE ? last + 1 : end;
	}
	for (; end <= last; end++) {
		int64_t due = due_once(weighing, end, end);
		int64_t off = due - *once - *each * (end - first);

		if (end == first + 1 && due < HYBRID_IMPOSSIBLE)
			*each = due - *once;
		else if (off > ROUNDED || off < -ROUNDED)
			return end;
	}
	return end;
}

/* As many as serve, from that step on up to before the next one. */
static bool add_step_ways(struct weighing *weighing, int step)
{
	const struct ladder *ladder = &weighing->ladder;
	int next = step + 1 < ladder->count ? ladder->steps[step + 1] : ladder->most + 1;
	int last = next - 1 < ladder->most ? next - 1 : ladder->most;

	for (int first = ladder->steps[step], end; first <= last; first = end) {
		int64_t once, each;

		end = end_of_run(weighing, first, last, &once, &each);
		if (once < HYBRID_IMPOSSIBLE &&
		    !add_way(weighing, (struct hybrid_way){.least = first,
		                                           .most = end - 1,
		                                           .end = weighing->mixing->orders.levels,
		                                           .row = weighing->row[step],
		                                           .extra = each,
		                                           .fixed = once - each * first}))
			return false;
	}
	return true;
}

/* By how much a server may cost less at a step than at the one before LIMIT servers. */
static int64_t most_saved(const struct weighing *weighing, int step, int servers)
{
	const struct hybrid_orders *orders = &weighing->mixing->orders;
	int64_t most = 0;
	int before = 0;

	while (before + 1 < weighing->ladder.count && weighing->ladder.steps[before + 1] <= servers)
		before++;
	for (int i = 0; i < orders->levels; i++) {
		int64_t saved =
		    orders->cost[weighing->row[before]][i] - orders->cost[weighing->row[step]][i];

		most = saved > most ? saved : most;
	}
	return most;
}

/* SERVERS, and more that are ordered to reach STEP: these cost what the idlest of them does, so
 * that SAVED by all must be more. */
static bool add_larger_order(struct weighing *weighing, int step, int servers, int128 saved)
{
	const struct hybrid_orders *orders = &weighing->mixing->orders;
	int spare = weighing->ladder.steps[step] - servers;
	const int64_t *costs = orders->cost[weighing->row[step]];
	int64_t once = due_once(weighing, servers + spare, servers);

	for (int first = 0, end; first < orders->levels && once < HYBRID_IMPOSSIBLE; first = end) {
		for (end = first + 1; end < orders->levels && costs[end] == costs[first];)
			end++;
		if ((int128)costs[first] * spare >= saved)
			break;
		if (!add_way(weighing, (struct hybrid_way){.least = servers,
		                                           .most = servers,
		                                           .first = first,
		                                           .end = end,
		                                           .row = weighing->row[step],
		                                           .fixed = once + spare * costs[first],
		                                           .ordered = servers + spare}))
			return false;
	}
	return true;
}

/* Orders that are larger than needed, so far as they may be cheaper. */
static bool add_larger_orders(struct weighing *weighing, int step)
{
	const struct ladder *ladder = &weighing->ladder;
	const struct hybrid_orders *orders = &weighing->mixing->orders;
	int ordered = ladder->steps[step];

	for (int servers = 1; servers < ordered && servers <= ladder->most; servers++) {
		int128 saved = (int128)most_saved(weighing, step, servers) * servers;
		int128 spent = (int128)orders->cost[weighing->row[step]][0] * (ordered - servers);

		if (ladder->growth == GROWS_ANYHOW)
			saved += due_once(weighing, servers, servers);
		if (saved > spent && !add_larger_order(weighing, step, servers, saved))
			return false;
	}
	return true;
}

/* The ways of an offer whose prices depend on the quantity. */
static bool add_ladder_ways(struct weighing *weighing)
{
	const struct ladder *ladder = &weighing->ladder;

	for (int step = 0; step < ladder->count && ladder->steps[step] <= ladder->stock; step++)
		if (!price_row(weighing, ladder->steps[step], &weighing->row[step]))
			return false;
	for (int step = 0; step < ladder->count && ladder->steps[step] <= ladder->stock; step++)
		if (!add_step_ways(weighing, step) || !add_larger_orders(weighing, step))
			return false;
	return true;
}

/* The way of an offer that charges the same for each server. */
static bool add_plain_way(struct weighing *weighing)
{
	int row;

	return price_row(weighing, 0, &row) &&
	       add_way(weighing, (struct hybrid_way){.least = 1,
	                                             .most = weighing->ladder.most,
	                                             .end = weighing->mixing->orders.levels,
	                                             .row = row});
}

/* What the network costs with it. */
static int64_t cost_beside(struct plan_work *work, const struct mixing *mixing, uint32_t position)
{
	int64_t total;
	bool incomplete;

	if (!mixing->carries || price_beside(work, position, &total, &incomplete) != COST_OK ||
	    (mixing->complete && incomplete) || total >= HYBRID_IMPOSSIBLE / 1024)
		return HYBRID_IMPOSSIBLE;
	return total;
}

int64_t mix_beside(struct plan_work *work, struct mixing *mixing, int supplier)
{
	if (!mixing->beside_known[supplier])
		mixing->beside[supplier] = cost_beside(work, mixing, mixing->positions[supplier]);
	mixing->beside_known[supplier] = true;
	return mixing->beside[supplier];
}

/* Whether no supplier so far is sure to carry the network for less than BOUND. */
static bool may_be_least_beside(const struct mixing *mixing, int64_t bound)
{
	for (int s = 0; s < mixing->orders.suppliers; s++)
		if (mixing->beside_known[s] && mixing->beside[s] <= bound)
			return false;
	return true;
}

/* Whether another supplier is as good, with the network too. */
static bool is_needless(struct plan_work *work, struct mixing *mixing, int supplier)
{
	for (int other = 0; other < mixing->orders.suppliers; other++) {
		if (!hybrid_is_needless(&mixing->orders, supplier, other))
			continue;
		if (mix_beside(work, mixing, other) <= mixing->beside[supplier] ||
		    mixing->beside[other] <= mix_beside(work, mixing, supplier))
			return true;
	}
	return false;
}

void mix_add_offer(struct plan_work *work, struct mixing *mixing, uint32_t position, int64_t beside)
{
	struct hybrid_orders *orders = &mixing->orders;
	struct weighing weighing = {work, mixing, position, ladder_of(work, mixing, position),
	                            {0},  0};
	const struct ladder *ladder = &weighing.ladder;
	int rows = orders->rows;
	bool plain = (ladder->count == 1 && ladder->growth == GROWS_EVENLY) || ladder->lumpy;

	if (ladder->most == 0)
		return;
	if (!(plain ? add_plain_way(&weighing) : add_ladder_ways(&weighing))) {
		orders->rows = rows;
		mixing->gave_up = true;
		return;
	}
	/* Nothing says what servers cost that share what is rented. */
	mixing->gave_up = mixing->gave_up || (ladder->lumpy && ladder->most > 1);
	orders->way_end[orders->suppliers] =
	    (orders->suppliers > 0 ? orders->way_end[orders->suppliers - 1] : 0) +
	    weighing.way_count;
	int added = orders->suppliers++;

	mixing->positions[added] = position;
	mixing->beside[added] = beside;
	mixing->beside_known[added] = beside >= HYBRID_IMPOSSIBLE;
	if (is_needless(work, mixing, added)) {
		orders->suppliers--;
		orders->rows = rows;
	} else if (may_be_least_beside(mixing, beside)) {
		mix_beside(work, mixing, added);
	}
}

/* ---- Picks ---- */

/* The picks of SUPPLIER, the idlest first; their number in all, -1 when they are too many. */
static int parts_of_order(const struct mixing *mixing, int supplier, struct pick *picks, int count)
{
	int server = class_server_cards(&mixing->demand->class);
	int first = count;

	for (int i = 0; i < mixing->orders.levels; i++) {
		if (mixing->choice.mix.supplier_of[i] != supplier)
			continue;
		if (count == first || picks[count - 1].milli_hours != mixing->hours[i]) {
			if (count == PICKS_MAX)
				return -1;
			picks[count++] = (struct pick){.position = mixing->positions[supplier],
			                               .role = PICK_RENT,
			                               .milli_hours = mixing->hours[i]};
		}
		picks[count - 1].servers++;
		picks[count - 1].cards += server;
	}
	return count;
}

/* Makes the picks from FIRST to before END one order, of so many servers. */
static void join(struct plan_work *work, struct pick *picks, int first, int end, int ordered)
{
	int lot = rent_lot_cards(work_offer(work, picks[first].position, &work->main));
	struct rent_order_part order = {0};

	for (int i = first; i < end; i++) {
		order.cards += (picks[i].cards + lot - 1) / lot * lot;
		order.servers += picks[i].servers;
	}
	int spare = ordered > order.servers
	                ? (ordered - order.servers) * (picks[first].cards / picks[first].servers)
	                : 0;

	order.cards += spare;
	for (int i = first; i < end; i++) {
		picks[i].order = order;
		picks[i].order.spare = i == first ? spare : 0;
		picks[i].order.is_rest = i > first;
	}
}

int mix_rented_picks(struct plan_work *work, const struct mixing *mixing, struct pick *picks,
                     int count)
{
	bool done[HYBRID_SUPPLIERS_MAX] = {false};

	/* In the order of the idlest of their servers. */
	for (int i = 0; i < mixing->orders.levels; i++) {
		int supplier = mixing->choice.mix.supplier_of[i];
		int first = count;

		if (supplier == HYBRID_OWNED || done[supplier])
			continue;
		done[supplier] = true;
		count = parts_of_order(mixing, supplier, picks, count);
		if (count < 0)
			return -1;
		/* What all works alike is an order as any other. */
		if (count - first > 1)
			join(work, picks, first, count,
			     mixing->orders.ways[mixing->choice.way[supplier]].ordered);
		picks[first].carries_network = mixing->carrier == supplier;
	}
	return count;
}
