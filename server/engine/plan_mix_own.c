/* plan_mix_own.c - what a mix owns, and where it stands; see plan_mixing.h. */
#include <string.h>

#include "engine/plan_mixing.h"

#define SAME 100000 /* micro: bills that differ by no more may differ by the rounding of lines */

/* SERVERS of the demand from level FIRST on, as a demand of its own. */
static struct demand servers_from(const struct mixing *mixing, int first, int servers)
{
	struct demand part = *mixing->demand;
	int64_t hours = 0;

	for (int i = first; i < first + servers; i++)
		hours += mixing->hours[i];
	part.servers = servers;
	part.milli_hours = (hours + servers - 1) / servers;
	return part;
}

struct demand mix_busiest(const struct mixing *mixing, int servers)
{
	return servers_from(mixing, mixing->orders.levels - servers, servers);
}

/* ---- What an hour costs at a place ---- */

/* What the servers of PLACE, of DEMAND, cost more when they work all hours than when they never
 * do. */
static int64_t cost_of_hours(struct plan_work *work, const struct demand *demand, struct pick place)
{
	place.milli_hours = 0;
	if (price_total(work, demand, &place) != COST_OK)
		return 0;
	int64_t idle = place.total;

	place.milli_hours = (int64_t)work->basis.hours_per_month * 1000;
	return price_total(work, demand, &place) == COST_OK ? place.total - idle : 0;
}

/*
 * The place of PAIR; NULL when there are too many. The first servers that are put there are the
 * most, so that their cost for all hours gives that of an hour to a fraction of a fen.
 */
static struct mix_place *place_of(struct plan_work *work, struct mixing *mixing,
                                  const struct candidate *pair, struct mix_places *places)
{
	const struct pick *host = &pair->picks[1];
	int levels = mixing->orders.levels;

	for (int i = 0; i < places->count; i++)
		if (places->items[i].position == host->position)
			return &places->items[i];
	if (places->count == MIX_PLACES_MAX) {
		mixing->gave_up = true;
		return NULL;
	}
	struct mix_place *place = &places->items[places->count++];
	int128 hours = (int128)host->servers * work->basis.hours_per_month * 1000;
	int128 cost = cost_of_hours(work, pair->demand, *host);

	place->position = host->position;
	place->owned[0] = HYBRID_IMPOSSIBLE; /* nothing stands there: no use */
	for (int i = 0; i < levels; i++) {
		place->owned_level[i] = (int64_t)(cost * mixing->hours[i] / hours);
		place->owned[i + 1] = HYBRID_IMPOSSIBLE;
	}
	return place;
}

/* ---- The places that are cheapest for some hours ---- */

/* Servers of the demand that may be owned. */
struct owning {
	struct plan_work *work;
	struct mixing *mixing;
	struct mix_places *places;
	int class_index;
	int servers;
};

/* What so many thousandths of hours of one server cost at PLACE. */
static int64_t cost_at(const struct owning *owning, const struct mix_place *place, int64_t hours)
{
	const struct mixing *mixing = owning->mixing;
	int busiest = mixing->orders.levels - 1;

	return (int64_t)((int128)place->owned_level[busiest] * hours / mixing->hours[busiest]);
}

/* What the servers cost at PLACE when each works MILLI_HOURS. */
static int64_t total_at(const struct owning *owning, const struct mix_place *place,
                        int64_t milli_hours)
{
	return place->owned[owning->servers] +
	       owning->servers * cost_at(owning, place, milli_hours);
}

/* Notes PAIR, which is for servers that work MILLI_HOURS each. */
static struct mix_place *own(const struct owning *owning, const struct candidate *pair,
                             int64_t milli_hours)
{
	struct mix_place *place = place_of(owning->work, owning->mixing, pair, owning->places);
	int servers = owning->servers;

	if (place == NULL || place->owned[servers] < HYBRID_IMPOSSIBLE)
		return place;
	place->machine[servers] = pair->picks[0].position;
	place->owned[servers] = pair->total - servers * cost_at(owning, place, milli_hours);
	return place;
}

static int owned_at(const struct mixing *mixing, const struct mix_place *place, int servers,
                    struct pick picks[2])
{
	int cards = servers * class_server_cards(&mixing->demand->class);

	picks[0] = (struct pick){.position = place->machine[servers],
	                         .role = PICK_BUY,
	                         .servers = servers,
	                         .cards = cards};
	picks[1] = picks[0];
	picks[1].position = place->position;
	picks[1].role = PICK_HOST;
	return 2;
}

/* A pair that is no other than KNOWN, or than nothing, unless it costs less than that. */
static struct candidate pair_to_beat(const struct owning *owning, int64_t milli_hours,
                                     const struct mix_place *known, struct pick picks[2])
{
	struct candidate pair = {.total = owning->places->worth[owning->servers],
	                         .route = ROUTE_BUY_AND_HOST,
	                         .demand = owning->mixing->demand,
	                         .picks = picks};

	if (known == NULL)
		return pair;
	pair.total = total_at(owning, known, milli_hours);
	pair.pick_count = owned_at(owning->mixing, known, owning->servers, picks);
	return pair;
}

/* The cheapest place for servers that work MILLI_HOURS each: KNOWN when none is cheaper; NULL when
 * that is NULL and none is of use. */
static struct mix_place *cheapest_at(const struct owning *owning, int64_t milli_hours,
                                     struct mix_place *known)
{
	const struct mixing *mixing = owning->mixing;
	struct plan_work *work = owning->work;
	struct demand part = mix_busiest(mixing, owning->servers);
	struct candidates pairs;
	struct pick picks[2];
	struct candidate to_beat = pair_to_beat(owning, milli_hours, known, picks);

	part.milli_hours = milli_hours;
	if (!candidates_init(work, &pairs, 1))
		return known;
	pairs.by_total = !mixing->complete;
	candidates_add(work, &pairs, &to_beat);
	for (int c = owning->class_index; c >= 0; c = next_alike(work, mixing->workload, c))
		search_pairs(work, &part, c, &pairs);
	const struct candidate *best = &pairs.items[0];

	if (best->pick_count == 0 || (mixing->complete && best->incomplete) ||
	    (known != NULL && best->total + SAME > to_beat.total))
		return known;
	return own(owning, best, milli_hours);
}

/* A place that is cheapest for servers that work so many thousandths of hours each. */
struct cheapest {
	int64_t milli_hours;
	struct mix_place *place;
};

/* For how many hours two places cost the same; 0 = for none, or it does not matter. */
static int64_t crossing(const struct owning *owning, struct cheapest low, struct cheapest high)
{
	const struct mixing *mixing = owning->mixing;
	int busiest = mixing->orders.levels - 1;
	int servers = owning->servers;
	int64_t steeper = low.place->owned_level[busiest] - high.place->owned_level[busiest];
	int64_t apart = high.place->owned[servers] - low.place->owned[servers];

	if (steeper <= 0 || apart <= 0)
		return 0;
	return (int64_t)((int128)apart * mixing->hours[busiest] / ((int128)steeper * servers));
}

/* Finds what is cheapest for some hours between those of LOW and HIGH. */
static void find_between(const struct owning *owning, struct cheapest low, struct cheapest high)
{
	int64_t hours = crossing(owning, low, high);

	if (low.place == high.place || hours <= low.milli_hours || hours >= high.milli_hours)
		return;
	struct cheapest middle = {hours, cheapest_at(owning, hours, low.place)};

	if (middle.place == NULL || middle.place == low.place || middle.place == high.place)
		return;
	find_between(owning, low, middle);
	find_between(owning, middle, high);
}

static void find_for(const struct owning *owning)
{
	const struct mixing *mixing = owning->mixing;
	int first = mixing->orders.levels - owning->servers;
	struct cheapest low = {servers_from(mixing, 0, owning->servers).milli_hours, NULL};
	struct cheapest high = {servers_from(mixing, first, owning->servers).milli_hours, NULL};

	low.place = cheapest_at(owning, low.milli_hours, NULL);
	if (low.place == NULL)
		return;
	owning->places->least[owning->servers] = total_at(owning, low.place, low.milli_hours);
	/* Where hours cost nothing, no other place becomes cheaper by them. */
	if (low.milli_hours == high.milli_hours ||
	    low.place->owned_level[mixing->orders.levels - 1] == 0)
		return;
	high.place = cheapest_at(owning, high.milli_hours, low.place);
	if (high.place != NULL)
		find_between(owning, low, high);
}

int64_t mix_least_purchase(const struct plan_work *work, const struct mixing *mixing,
                           const struct demand *demand, int class_index)
{
	int64_t lowest = INT64_MAX;

	for (int c = class_index; c >= 0; c = next_alike(work, mixing->workload, c))
		lowest = least(lowest, least_purchase(work, demand, c));
	return lowest;
}

void mix_find_places(struct plan_work *work, struct mixing *mixing, int class_index,
                     struct mix_places *places)
{
	struct owning owning = {.work = work,
	                        .mixing = mixing,
	                        .places = places,
	                        .class_index = class_index,
	                        .servers = mixing->orders.levels};
	int carrier = work->carrier;

	places->count = 0;
	work->carrier = places->carrying ? mixing->workload : -1;
	for (; owning.servers > 0; owning.servers--) {
		struct demand part = mix_busiest(mixing, owning.servers);
		int64_t bound = mix_least_purchase(work, mixing, &part, class_index);

		places->least[owning.servers] = least(bound, places->worth[owning.servers]);
		if (bound >= places->worth[owning.servers])
			continue;
		places->least[owning.servers] = places->worth[owning.servers];
		find_for(&owning);
	}
	work->carrier = carrier;
}

int mix_owned_picks(const struct mixing *mixing, struct pick *picks)
{
	int servers = mixing->choice.mix.owned;
	int64_t hours = 0;

	owned_at(mixing, mixing->place, servers, picks);
	for (int i = 0; i < mixing->orders.levels; i++)
		if (mixing->choice.mix.supplier_of[i] == HYBRID_OWNED)
			hours += mixing->hours[i];
	for (int i = 0; i < 2; i++)
		picks[i].milli_hours = (hours + servers - 1) / servers;
	picks[1].carries_network = mixing->carrier == HYBRID_OWNED;
	return 2;
}
