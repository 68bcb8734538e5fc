/* hybrid_alike.c - mixes where few levels are unlike; see hybrid_alike() in hybrid_order.h. */
#include "engine/hybrid_order.h"

#define KINDS_MAX 9 /* each at least doubles the counts */

/* Levels one after the other that cost the same wherever they are served. */
struct kind {
	int first; /* level */
	int size;
	int stride; /* of its count in the number of all counts */
};

struct kinds {
	const struct hybrid_orders *orders;
	struct kind items[KINDS_MAX];
	int count;
	int counts; /* how many combinations of levels by kind there are */
};

static int first_way(const struct hybrid_orders *orders, int supplier)
{
	return supplier == 0 ? 0 : orders->way_end[supplier - 1];
}

/* ---- Kinds of levels ---- */

static bool is_unlike_before(const struct hybrid_orders *orders, int level)
{
	int ways = orders->suppliers > 0 ? orders->way_end[orders->suppliers - 1] : 0;

	if (orders->owned_level[level] != orders->owned_level[level - 1])
		return true;
	for (int row = 0; row < orders->rows; row++)
		if (orders->cost[row][level] != orders->cost[row][level - 1])
			return true;
	for (int w = 0; w < ways; w++)
		if (orders->ways[w].first == level || orders->ways[w].end == level)
			return true;
	return false;
}

/* False when they are too many. */
static bool find_kinds(const struct hybrid_orders *orders, struct kinds *kinds)
{
	*kinds = (struct kinds){.orders = orders, .counts = 1};
	for (int level = 0; level < orders->levels; level++) {
		if (level > 0 && !is_unlike_before(orders, level)) {
			kinds->items[kinds->count - 1].size++;
			continue;
		}
		if (kinds->count == KINDS_MAX)
			return false;
		kinds->items[kinds->count++] = (struct kind){.first = level, .size = 1};
	}
	for (int i = 0; i < kinds->count; i++) {
		kinds->items[i].stride = kinds->counts;
		kinds->counts *= kinds->items[i].size + 1;
		if (kinds->counts > HYBRID_COUNTS_MAX)
			return false;
	}
	return true;
}

static int count_of(const struct kind *kind, int number)
{
	return number / kind->stride % (kind->size + 1);
}

/* ---- Prices ---- */

/* What so many levels of each kind cost by WAY. */
static int64_t price_by(const struct kinds *kinds, const struct hybrid_way *way, int number)
{
	int64_t price = way->fixed;
	int servers = 0;

	for (int i = 0; i < kinds->count; i++) {
		const struct kind *kind = &kinds->items[i];
		int count = count_of(kind, number);
		int64_t cost = kinds->orders->cost[way->row][kind->first];

		if (count == 0)
			continue;
		if (kind->first < way->first || cost >= HYBRID_IMPOSSIBLE ||
		    (servers == 0 && kind->first >= way->end))
			return HYBRID_IMPOSSIBLE;
		price += count * (cost + way->extra);
		servers += count;
	}
	return servers >= way->least && servers <= way->most ? price : HYBRID_IMPOSSIBLE;
}

/* The same by the cheapest way of SUPPLIER, in *BEST. */
static int64_t price_of(const struct kinds *kinds, int supplier, int number, int16_t *best)
{
	const struct hybrid_orders *orders = kinds->orders;
	int64_t least = HYBRID_IMPOSSIBLE;

	*best = HYBRID_NONE;
	for (int w = first_way(orders, supplier); w < orders->way_end[supplier]; w++) {
		int64_t price = price_by(kinds, &orders->ways[w], number);

		if (price >= least)
			continue;
		least = price;
		*best = (int16_t)w;
	}
	return least;
}

/* What is owned where NUMBER is rented. */
static int64_t price_of_owned(const struct kinds *kinds, int number)
{
	int64_t price = 0;
	int owned = 0;

	for (int i = 0; i < kinds->count; i++) {
		const struct kind *kind = &kinds->items[i];
		int count = kind->size - count_of(kind, number);

		owned += count;
		price += count * kinds->orders->owned_level[kind->first];
	}
	int64_t fixed = kinds->orders->owned[owned];

	return fixed >= HYBRID_IMPOSSIBLE ? HYBRID_IMPOSSIBLE : price + fixed;
}

/* ---- From one supplier after the other ---- */

/* The next number after TAKEN of those that are within NUMBER kind by kind; 0 after the last. */
static int next_within(const struct kinds *kinds, int number, int taken)
{
	for (int i = 0; i < kinds->count; i++) {
		const struct kind *kind = &kinds->items[i];

		if (count_of(kind, taken) < count_of(kind, number))
			return taken + kind->stride;
		taken -= count_of(kind, taken) * kind->stride;
	}
	return 0;
}

/* Lets SUPPLIER serve levels too, or some in any case where it MUST. */
static void add_supplier(struct hybrid_search *search, const struct kinds *kinds, int supplier,
                         bool must)
{
	int16_t way;

	for (int number = 1; number < kinds->counts; number++)
		search->price[number] = price_of(kinds, supplier, number, &way);
	/* Downwards: what is built upon is still without this supplier. */
	for (int number = kinds->counts - 1; number >= 0; number--) {
		int64_t least = must ? HYBRID_IMPOSSIBLE : search->least[number];
		int best = 0;

		for (int taken = next_within(kinds, number, 0); taken != 0;
		     taken = next_within(kinds, number, taken)) {
			int64_t before = search->least[number - taken];
			int64_t price = search->price[taken];

			search->effort--;
			if (before >= HYBRID_IMPOSSIBLE || price >= HYBRID_IMPOSSIBLE ||
			    before + price >= least)
				continue;
			least = before + price;
			best = taken;
		}
		search->least[number] = least;
		search->taken[supplier][number] = (int16_t)best;
	}
}

static void add_all(struct hybrid_search *search, const struct kinds *kinds)
{
	for (int number = 0; number < kinds->counts; number++)
		search->least[number] = number == 0 ? 0 : HYBRID_IMPOSSIBLE;
	for (int s = 0; s < kinds->orders->suppliers; s++) {
		if (search->chosen[s] == HYBRID_OPEN) {
			add_supplier(search, kinds, s, s == search->must);
			continue;
		}
		for (int number = 0; number < kinds->counts; number++)
			search->taken[s][number] = 0;
	}
}

/* ---- The mix ---- */

/* What is rented in the cheapest mix; its total in *TOTAL. */
static int cheapest(const struct hybrid_search *search, const struct kinds *kinds, int64_t *total)
{
	int best = 0;

	*total = HYBRID_IMPOSSIBLE;
	for (int number = 0; number < kinds->counts; number++) {
		int64_t owned = price_of_owned(kinds, number);

		if (search->least[number] >= HYBRID_IMPOSSIBLE || owned >= HYBRID_IMPOSSIBLE ||
		    search->least[number] + owned >= *total)
			continue;
		*total = search->least[number] + owned;
		best = number;
	}
	return best;
}

/* SUPPLIER serves TAKEN: of each kind those from *NEXT on. */
static void give(const struct kinds *kinds, int supplier, int taken, int next[KINDS_MAX],
                 struct hybrid_choice *choice)
{
	price_of(kinds, supplier, taken, &choice->way[supplier]);
	for (int i = 0; i < kinds->count; i++)
		for (int n = count_of(&kinds->items[i], taken); n > 0; n--)
			choice->mix.supplier_of[next[i]++] = (int16_t)supplier;
}

static void fill(const struct hybrid_search *search, const struct kinds *kinds, int number,
                 struct hybrid_choice *choice)
{
	const struct hybrid_orders *orders = kinds->orders;
	int next[KINDS_MAX];

	for (int i = 0; i < kinds->count; i++)
		next[i] = kinds->items[i].first;
	for (int level = 0; level < orders->levels; level++)
		choice->mix.supplier_of[level] = HYBRID_OWNED;
	choice->mix.owned = orders->levels;
	for (int i = 0; i < kinds->count; i++)
		choice->mix.owned -= count_of(&kinds->items[i], number);
	for (int s = orders->suppliers - 1; s >= 0; s--) {
		int taken = search->taken[s][number];

		choice->way[s] = HYBRID_NONE;
		if (taken > 0)
			give(kinds, s, taken, next, choice);
		number -= taken;
	}
}

bool hybrid_alike(struct hybrid_search *search, struct hybrid_choice *choice)
{
	struct kinds kinds;
	int64_t total;

	if (!find_kinds(search->orders, &kinds))
		return false;
	add_all(search, &kinds);
	int number = cheapest(search, &kinds, &total);

	if (total >= search->below)
		return true;
	search->below = total;
	fill(search, &kinds, number, choice);
	choice->mix.total = total;
	return true;
}
