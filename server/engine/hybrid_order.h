/*
 * hybrid_order.h - the cost-minimal mix of owned and rented servers where what a supplier charges
 * depends on how many are ordered: the steps of a ladder, and what is due once for an order.
 *
 * Each supplier has ways to order from it: so many servers, at prices of their own for each level
 * of hybrid.h, and so much for the order as a whole. One way at most is used of each supplier.
 * Solved exactly by branch and bound. A supplier whose way is open charges for each level what its
 * cheapest way does, and of what is due for the order the share of one server among the most that
 * the way allows: no way is cheaper for any set of levels. With that hybrid_solve() gives a bound,
 * and its assignment, charged as it really is, a mix. Where the two differ most, each of the
 * supplier's ways is tried, and then none of them (Land, Doig: Econometrica 28, 1960). Where no
 * price depends on the quantity they never differ. Where they do and few levels are unlike, dynamic
 * programming over the suppliers gives the mix at once (hybrid_alike.c). Left out from the start is
 * whoever is of no use beside another: see hybrid_is_needless().
 */
#ifndef ENGINE_HYBRID_ORDER_H
#define ENGINE_HYBRID_ORDER_H

#include "engine/hybrid.h"

#define HYBRID_ROWS_MAX (2 * HYBRID_SUPPLIERS_MAX)
#define HYBRID_WAYS_MAX (16 * HYBRID_SUPPLIERS_MAX)
#define HYBRID_COUNTS_MAX 512 /* of levels, by kind: see hybrid_alike() */
#define HYBRID_NONE (-2)      /* no supplier, and nothing that is owned */
#define HYBRID_OPEN (-3)      /* a supplier of which every way is still possible */

/* From LEAST to MOST servers of a supplier. */
struct hybrid_way {
	int least;
	int most;
	int first;     /* it serves no level below, ... */
	int end;       /* ... and at least one from FIRST to before END */
	int row;       /* serving a level costs what stands there ... */
	int64_t extra; /* ... and so much more */
	int64_t fixed; /* due for the order */
	int ordered;   /* servers; 0 = as many as serve */
};

struct hybrid_orders {
	int levels;
	int suppliers;
	int way_end[HYBRID_SUPPLIERS_MAX]; /* by supplier: behind its last way; the next one's first
	                                    */
	struct hybrid_way ways[HYBRID_WAYS_MAX];
	int rows;
	int64_t cost[HYBRID_ROWS_MAX][HYBRID_LEVELS_MAX];
	/* As in struct hybrid_problem: */
	int64_t owned[HYBRID_LEVELS_MAX + 1];
	int64_t owned_level[HYBRID_LEVELS_MAX];
};

/* What is asked, and what is known while it is answered. */
struct hybrid_search {
	/* Given: */
	const struct hybrid_orders *orders;
	int must; /* a supplier that serves at least one level; HYBRID_NONE = no matter which */
	int64_t
	    below; /* no mix is wanted that does not cost less; each one that is found lowers it */
	int64_t same;   /* totals that differ by no more are taken as equal: costs are rounded */
	int64_t effort; /* comparisons that may still be made; each search takes its own off */
	/* Returned: */
	bool gave_up;  /* the effort did not suffice: a cheaper mix may exist */
	int64_t bound; /* no mix costs less; HYBRID_IMPOSSIBLE when there is none */
	/* Scratch: */
	int64_t bonus;
	int forced_total;
	int64_t fixed;
	int16_t supplier_of[HYBRID_SUPPLIERS_MAX]; /* of each supplier of the problem below */
	bool forced[HYBRID_SUPPLIERS_MAX];         /* it must be used up */
	int16_t chosen[HYBRID_SUPPLIERS_MAX];      /* by supplier: its way; or open, or none */
	struct hybrid_problem problem;
	int64_t least[HYBRID_COUNTS_MAX];
	int64_t price[HYBRID_COUNTS_MAX];
	int16_t taken[HYBRID_SUPPLIERS_MAX][HYBRID_COUNTS_MAX];
};

/* A mix of suppliers of struct hybrid_orders, and how it orders from each; HYBRID_NONE = not. */
struct hybrid_choice {
	struct hybrid_mix mix;
	int16_t way[HYBRID_SUPPLIERS_MAX];
};

/*
 * The cheapest mix that costs less than search->below; *CHOICE is left alone when there is none. No
 * supplier is part of it whose levels cost the same (see search->same) with another of the mix.
 *   Result  whether one was found
 *
 *   Two levels that cost 5 each at A and 6 each at B, 10 being due for an order of A and 1 for one
 *   of B: both from B, 13.
 */
bool hybrid_order(struct hybrid_search *search, struct hybrid_choice *choice);

/*
 * The same where few levels are unlike, of the suppliers that search->chosen leaves open. By
 * dynamic programming: what so many levels of each kind cost at least from the first suppliers.
 *   Result  false when the ways to count levels by kind are more than HYBRID_COUNTS_MAX
 */
bool hybrid_alike(struct hybrid_search *search, struct hybrid_choice *choice);

/*
 * A bound only: the ceilings of hybrid.h, which hold for suppliers that cost as much or more
 * whatever is ordered, so far as the bound of the search that follows is concerned.
 *   Result  false when the levels cannot all be served; the ceilings are set all the same
 */
bool hybrid_order_bound(struct hybrid_search *search, struct hybrid_mix *mix);

/*
 * Whether no mix costs more without SUPPLIER because OTHER, who has enough for all levels, charges
 * as much or less for any order, and no more for orders joined than apart; of equal ones the first
 * is kept.
 */
bool hybrid_is_needless(const struct hybrid_orders *orders, int supplier, int other);

#endif
