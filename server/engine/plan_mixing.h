/*
 * plan_mixing.h - what the files of plan_mix share: one workload on one class of card, whose
 * servers are owned and rented for the hours that each of them works. Not for others.
 */
#ifndef ENGINE_PLAN_MIXING_H
#define ENGINE_PLAN_MIXING_H

#include "engine/hybrid_order.h"
#include "engine/plan_work.h"

#define MIX_PLACES_MAX 16

/* What is owned at one place. */
struct mix_place {
	uint32_t position;
	uint32_t machine[HYBRID_LEVELS_MAX + 1]; /* for each number of servers */
	int64_t owned[HYBRID_LEVELS_MAX + 1];    /* that never work; HYBRID_IMPOSSIBLE = no use */
	int64_t owned_level[HYBRID_LEVELS_MAX];  /* and more for each level that one serves */
};

struct mix_places {
	struct mix_place items[MIX_PLACES_MAX];
	int count;
	bool carrying; /* with network and storage */
	/* So many servers are of no use that cost as much or more, for whatever hours, ... */
	int64_t worth[HYBRID_LEVELS_MAX + 1];
	/* ... and cost this at least. */
	int64_t least[HYBRID_LEVELS_MAX + 1];
};

struct mixing {
	int workload;
	const struct demand *demand;
	int64_t hours[HYBRID_LEVELS_MAX]; /* thousandths, by level, ascending */
	bool complete;                    /* nothing that leaves something unknown is weighed */
	bool carries; /* network and storage are bought with one of its servers */
	bool gave_up; /* a cheaper mix may exist */
	/* Rented: */
	struct hybrid_orders orders;
	uint32_t positions[HYBRID_SUPPLIERS_MAX];
	/* Network and storage with each: no less than that; HYBRID_IMPOSSIBLE = cannot be. Those
	 * for which it is known exactly have the least of all. */
	int64_t beside[HYBRID_SUPPLIERS_MAX];
	bool beside_known[HYBRID_SUPPLIERS_MAX];
	/* Owned: */
	struct mix_places plain;
	struct mix_places carrying;
	/* The cheapest mix so far: */
	bool found;
	int64_t total;
	struct hybrid_choice choice;
	const struct mix_place *place;        /* of what is owned; NULL = nothing is */
	int carrier;                          /* supplier, or HYBRID_OWNED */
	int64_t ceiling[HYBRID_LEVELS_MAX];   /* see hybrid.h */
	int64_t least[HYBRID_LEVELS_MAX + 1]; /* see there; for nothing that owning costs */
	int64_t bound;       /* no mix of what is weighed costs less, without the network ... */
	int64_t bound_owned; /* ... or with the network at the place of what is owned */
	struct hybrid_search search;
	int64_t effort; /* left for the classes to come; see hybrid_order.h */
};

/* Levels that work alike as the one below. */
static inline bool is_same_level(const struct mixing *mixing, int level)
{
	return level > 0 && mixing->hours[level] == mixing->hours[level - 1];
}

/* ---- plan_mix_rent.c ---- */

/* Weighs the offer at POSITION too, unless it has nothing to rent or no price. The network with it
 * costs BESIDE at least. */
void mix_add_offer(struct plan_work *work, struct mixing *mixing, uint32_t position,
                   int64_t beside);

/* What the network costs with SUPPLIER, exactly. */
int64_t mix_beside(struct plan_work *work, struct mixing *mixing, int supplier);

/*
 * The picks of what the mix rents, from COUNT on: one for each supplier and number of hours, those
 * of a supplier being one order. Their number in all; -1 when they are too many.
 */
int mix_rented_picks(struct plan_work *work, const struct mixing *mixing, struct pick *picks,
                     int count);

/* ---- plan_mix_own.c ---- */

/*
 * The places at which some number of servers is cheapest for some of the hours that they may work,
 * with the machine that is cheapest for so many. Power is linear in the hours, so that of two
 * places one is cheaper up to some hours and the other one beyond.
 */
void mix_find_places(struct plan_work *work, struct mixing *mixing, int class_index,
                     struct mix_places *places);

/* No purchase of DEMAND's servers, of CLASS_INDEX or a class alike it, costs less. */
int64_t mix_least_purchase(const struct plan_work *work, const struct mixing *mixing,
                           const struct demand *demand, int class_index);

/* The picks of what the mix owns; their number. */
int mix_owned_picks(const struct mixing *mixing, struct pick *picks);

/* The busiest SERVERS of the demand. */
struct demand mix_busiest(const struct mixing *mixing, int servers);

#endif
