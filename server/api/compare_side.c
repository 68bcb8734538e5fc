/* compare_side.c - see compare_side.h. */
#include "api/compare_side.h"

#include "base/arena.h"

enum side_need { NEED_PORT, NEED_ADDRESSES, NEED_STORAGE, NEED_SERVICE };

/* What a need costs from one seller, micro; or why it cannot be said. */
#define NOT_SOLD INT64_MAX      /* counts as unknown where the other does not sell it either */
#define REFUSED (INT64_MAX - 1) /* a currency or an amount that cannot be used */

/* What all network offers ask for one need of which a cabinet offer leaves so much open. */
struct side_prices {
	int given; /* included Mbps, addresses; cards per server */
	int64_t *totals;
	struct side_prices *next;
};

/* Less is better: parts without a price first. */
struct worth {
	bool fails;
	int unknowns;
	int64_t total;
};

static bool is_sold(int64_t total)
{
	return total < REFUSED;
}

static bool is_better(const struct worth *a, const struct worth *b)
{
	if (a->fails || b->fails)
		return b->fails && !a->fails;
	return a->unknowns != b->unknowns ? a->unknowns < b->unknowns : a->total < b->total;
}

/* Of QUESTION, the one NEED alone. */
static struct compare_question only(const struct compare_question *question, enum side_need need)
{
	struct compare_question one = *question;

	if (need != NEED_PORT)
		one.network.public_mbps = ratio_of(0);
	if (need != NEED_ADDRESSES)
		one.network.ips = 0;
	if (need != NEED_STORAGE)
		one.network.storage_tb = ratio_of(0);
	if (need != NEED_SERVICE)
		one.service = SERVICE_UNSET;
	return one;
}

static struct worth worth_of(struct compare_sides *sides, const struct compare_question *question,
                             const struct offer *offer, const struct offer *side)
{
	struct bill *bill = sides->bill;

	sides->bills++;
	bill_start(bill);
	bill->sums_only = true;
	bool good = compare_beside(sides->basis, question, offer, side, bill) == COST_OK &&
	            bill_finish(sides->basis, ratio_of(0), bill) == COST_OK;

	if (!good)
		return (struct worth){.fails = true};
	return (struct worth){.unknowns = bill->unknown_count,
	                      .total = money_to_micro(bill->total)};
}

static int64_t price_of(struct compare_sides *sides, const struct compare_question *question,
                        const struct offer *offer, const struct offer *side)
{
	struct worth worth = worth_of(sides, question, offer, side);

	return worth.fails ? REFUSED : worth.unknowns > 0 ? NOT_SOLD : worth.total;
}

/* What of OFFER decides how much of NEED is missing. */
static int given_of(const struct offer *offer, enum side_need need)
{
	switch (need) {
	case NEED_PORT:
		return offer->mbps_included > 0 ? offer->mbps_included : 0;
	case NEED_ADDRESSES:
		return offer->ips_included > 0 ? offer->ips_included : 0;
	case NEED_STORAGE:
		return 0;
	case NEED_SERVICE:
		return offer->cards_per_server;
	}
	return 0;
}

/* What SELLER takes each month alone: what it takes once comes on top, once for all needs. */
static struct offer without_once(const struct offer *seller, struct arena *arena)
{
	struct offer plain = *seller;

	plain.prices = arena_array(arena, struct price, (size_t)seller->price_count + 1);
	plain.price_count = 0;
	for (int i = 0; i < seller->price_count; i++)
		if (seller->prices[i].item != ITEM_SETUP && seller->prices[i].item != ITEM_DEPOSIT)
			plain.prices[plain.price_count++] = seller->prices[i];
	return plain;
}

/* The prices of NEED where OFFER leaves some of it open, made when they are first asked for. */
static const int64_t *prices_beside(struct compare_sides *sides, const struct offer *offer,
                                    enum side_need need)
{
	struct side_prices *known = sides->known[need];
	int given = given_of(offer, need);

	while (known != NULL && known->given != given)
		known = known->next;
	if (known != NULL)
		return known->totals;
	struct compare_question one = only(&sides->question, need);
	struct offer bare = offer_blank();

	bare.mbps_included = offer->mbps_included;
	bare.ips_included = offer->ips_included;
	bare.cards_per_server = offer->cards_per_server;
	known = arena_new(sides->arena, struct side_prices);
	*known = (struct side_prices){.given = given, .next = sides->known[need]};
	known->totals = arena_array(sides->arena, int64_t, sides->count + 1);
	for (size_t i = 0; i < sides->count; i++)
		known->totals[i] = price_of(sides, &one, &bare, &sides->plain[i]);
	sides->known[need] = known;
	return known->totals;
}

/* A cabinet offer's own prices of what it leaves open, and those of all network offers. */
struct pairing {
	int count;
	int64_t own[SIDE_NEEDS];
	const int64_t *beside[SIDE_NEEDS];
};

static bool is_asked(const struct compare_question *question, enum side_need need)
{
	switch (need) {
	case NEED_PORT:
		return question->network.public_mbps.num > 0;
	case NEED_ADDRESSES:
		return question->network.ips > 0;
	case NEED_STORAGE:
		return question->network.storage_tb.num > 0;
	case NEED_SERVICE:
		return question->service != SERVICE_UNSET;
	}
	return false;
}

static void pair(struct compare_sides *sides, const struct offer *offer, struct pairing *pairing)
{
	pairing->count = 0;
	for (int need = 0; need < SIDE_NEEDS; need++) {
		if (!is_asked(&sides->question, (enum side_need)need))
			continue;
		struct compare_question one = only(&sides->question, (enum side_need)need);
		int64_t own = price_of(sides, &one, offer, NULL);

		if (own == 0)
			continue; /* it is included */
		pairing->own[pairing->count] = own;
		pairing->beside[pairing->count++] =
		    prices_beside(sides, offer, (enum side_need)need);
	}
}

/*
 * What the pairing costs at least with the network offer SIDE (-1 = none): each need at the lower
 * of both totals. The bill takes the one that is lower before its lines are rounded, which may be a
 * few fen more.
 */
static struct worth least_of(const struct pairing *pairing, ptrdiff_t side)
{
	struct worth worth = {0};

	for (int i = 0; i < pairing->count; i++) {
		int64_t own = pairing->own[i];
		int64_t other = side < 0 ? NOT_SOLD : pairing->beside[i][side];
		int64_t less = own < other ? own : other;

		if (less == NOT_SOLD)
			worth.unknowns++;
		else if (!is_sold(less) || __builtin_add_overflow(worth.total, less, &worth.total))
			return (struct worth){.fails = true};
	}
	return worth;
}

/* The network offer after LAST in the order of what the pairing costs at least; -1 = none. */
static ptrdiff_t next_of(const struct pairing *pairing, size_t count, ptrdiff_t last,
                         struct worth *least)
{
	struct worth before = *least;
	ptrdiff_t found = -1;

	for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
		struct worth worth = least_of(pairing, i);
		bool had = last >= 0 && (is_better(&worth, &before) ||
		                         (i <= last && !is_better(&before, &worth)));

		if (worth.fails || had || (found >= 0 && !is_better(&worth, least)))
			continue;
		found = i;
		*least = worth;
	}
	return found;
}

const struct offer *compare_sides_best(struct compare_sides *sides, const struct offer *offer)
{
	struct pairing pairing;
	struct worth least = {.fails = true};
	ptrdiff_t best = -1;
	ptrdiff_t at = -1;

	pair(sides, offer, &pairing);
	struct worth worth = least_of(&pairing, -1);

	while ((at = next_of(&pairing, sides->count, at, &least)) >= 0) {
		/* Those that follow cost no less; of the same cost the first counts. */
		if (is_better(&worth, &least) || (!is_better(&least, &worth) && best < at))
			break;
		struct worth whole = worth_of(sides, &sides->question, offer, &sides->items[at]);

		if (!is_better(&whole, &worth) && (is_better(&worth, &whole) || best < at))
			continue;
		worth = whole;
		best = at;
	}
	return best < 0 ? NULL : &sides->items[best];
}

struct compare_sides compare_sides_of(const struct cost_basis *basis,
                                      const struct compare_question *question,
                                      const struct offer *items, size_t count, struct arena *arena)
{
	struct compare_sides sides = {.basis = basis,
	                              .question = *question,
	                              .items = items,
	                              .count = count,
	                              .arena = arena,
	                              .bill = arena_new(arena, struct bill)};

	sides.plain = arena_array(arena, struct offer, count + 1);
	for (size_t i = 0; i < count; i++)
		sides.plain[i] = without_once(&items[i], arena);
	/* The buyer's own hours are nobody's to sell. */
	if (question->service == SERVICE_BARE)
		sides.question.service = SERVICE_UNSET;
	return sides;
}
