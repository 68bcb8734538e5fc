/*
 * plan_work.h - what the files of the planner share while one plan is made; not for others.
 *
 * The order of work: what passes (screen.c), classes, demand per workload and class, which groups
 * are of use (plan_judge.c), candidates per workload and route (plan_rent.c, plan_buy.c,
 * plan_mix.c), combinations over the workloads (plan_combine.c), the answer (plan_answer.c,
 * plan_explain.c, plan_count.c).
 */
#ifndef ENGINE_PLAN_WORK_H
#define ENGINE_PLAN_WORK_H

#include "engine/plan.h"
#include "engine/screen_checks.h"

#define CLASSES_MAX 512
#define NO_REASON REASON_COUNT
#define USED_MARK UINT8_MAX /* of an offer in an option shown */
#define PICKS_MAX PLAN_ITEMS_MAX
/*
 * A bill's lines are rounded to fen each, so a bill may be this much (micro) below its exact value:
 * half a fen for each line that it can have.
 */
#define BOUND_SLACK (BILL_LINES_MAX * 5000)

/* What keeps a whole group out: its kind, or that no workload can use its class. */
struct judged_group {
	int class_index; /* of rentals and purchases; -1 = none */
	struct judged judged;
};

/* Parts of the screen, one after the other. */
struct parts {
	const struct screen_part *first;
	const struct screen_part *end;
};

enum pick_role { PICK_RENT, PICK_BUY, PICK_HOST };

/* A quantity of one offer. It has a bill of its own. */
struct pick {
	uint32_t position;
	enum pick_role role;
	bool carries_network; /* and storage: what the project needs once */
	int servers;
	int cards;
	int64_t milli_hours;          /* that each card runs in a month */
	struct rent_order_part order; /* of an offer that is rented for different hours */
	int64_t total;                /* micro; of its bill */
	bool incomplete;              /* the bill leaves something unknown */
};

/* One way to run one workload. */
struct candidate {
	int64_t total; /* micro: the sum of its picks */
	enum plan_route route;
	const struct demand *demand;
	const struct pick *picks;
	int pick_count;
	bool incomplete; /* one of the picks is */
};

/* What ranks before any total. */
enum standing {
	STANDS_COMPLETE,
	STANDS_INCOMPLETE,
	STANDS_OVER_BUDGET, /* on its own already */
};

/* The first candidates found, ascending by candidate_compare(). */
struct candidates {
	struct candidate *items;
	int count;
	int limit;
	bool by_total; /* whether something is unknown does not count for their order */
};

/* Offers that supply what others do not price, one of each kind and city; -1 = none. */
struct sides {
	int64_t network[CITY_COUNT];
	int64_t storage[CITY_COUNT];
	int64_t leased[CITY_COUNT];        /* of a leased line, which no other offer has */
	int64_t network_total[CITY_COUNT]; /* micro; of the whole need; 0 = no supplier */
	int64_t storage_total[CITY_COUNT];
	int64_t leased_total[CITY_COUNT];
	unsigned sells[CITY_COUNT]; /* what of the network somebody sells, as offer_supplies(): who
	                             * is cheapest beside an offer says beside_main() */
	bool helps[CITY_COUNT]; /* whether somebody sells help: who is cheapest for so many servers
	                         * says helper_beside() */
};

/* Who helps SERVERS of so many cards in a city for least; servers 0 = nothing is known here. */
struct helper {
	int64_t position; /* -1 = nobody */
	int servers;
	int cards;
	enum city city;
};
#define HELPERS 64 /* that are remembered */

/* Who sells what is sought of the network beside so much that is included, for least. */
struct seller {
	int64_t position; /* -1 = nobody */
	unsigned sought;  /* SUPPLIES_NETWORK (with _TRAFFIC: by the GB), _IPS; 0 = nothing known */
	int mbps;
	int ips;
	enum city city;
};
#define SELLERS 64

/* What the network beside an offer comes to: who sells it, and the bill of it alone. */
struct beside_offer {
	size_t next; /* the offer's position, and one; 0 = nothing is known here */
	int64_t seller;
	bool is_priced;
	enum cost_status status;
	int64_t total; /* micro */
	bool incomplete;
};
#define BESIDES 256

struct expanded {
	struct offer offer;
	struct price *prices;
	size_t position; /* whose it is; SIZE_MAX = nobody's, or changed */
};

/* Runs of offers in the order of the lower bound of their next one. */
struct frontier_entry {
	int64_t bound; /* micro: no bill of the offer is below */
	const struct screened *run;
	const struct screened *next;
	const struct screened *end;
	const int32_t *most;   /* of each SCREEN_STRIDE of the run: screen_part */
	int32_t need;          /* servers; what has fewer is passed over */
	int64_t beside;        /* micro: in the bound, on top of the price */
	const int64_t *floors; /* by position: by which the run is sorted */
	double factor;         /* bound per floor price */
	const struct screen_part *part;
	uint32_t order; /* among equal bounds */
	int class_index;
};

struct frontier {
	struct frontier_entry *heap;
	size_t count;
	/* Of the parts that are added next: the servers that their offers must have, 0 = any; and
	 * what each code of the part costs at least beside its price, NULL = nothing. */
	int32_t need;
	const int64_t *beside;
	const int32_t *stocks; /* by position; may be NULL while nothing is needed */
};

/* What became of an offer that a search looked at. */
struct mark {
	uint32_t position;
	uint16_t search; /* the number of the last one that had it; 0 = none */
	uint8_t reason;  /* 1 + enum plan_reason, or USED_MARK; 0 = none */
	bool is_taken;   /* the entry is one */
};

/* A hash table by position: searches look at few offers. */
struct marks {
	struct mark *entries;
	uint32_t capacity; /* a power of two */
	uint32_t count;
};

#define ORDER_SIDES 4 /* network, storage, service, leased line */

/*
 * What one pick orders, from its supplier and from those that fill in what he leaves out: its bill
 * and its items. Options that have the same pick share it.
 */
struct order {
	const struct demand *demand;
	struct pick pick;
	struct order *next; /* in its bucket */
	struct plan_item items[1 + ORDER_SIDES];
	int item_count;
	struct cost_line *lines;
	int line_count;
	struct cost_unknown *unknowns;
	int unknown_count;
	struct cost_flags flags; /* their items are those of the order */
	struct money accounts[COST_ACCOUNT_COUNT];
	struct money total;
	struct money upfront;
	struct money deposit;
	struct money paid_later;
	struct money vat;
	uint64_t assumed;
	int cabinets;
	int64_t written_off; /* micro: more, when nothing of the book value is recovered */
};

/* One candidate per workload. */
struct combination {
	int64_t total;
	bool incomplete;
	enum plan_route route;
	int carrier; /* the workload that carries network and storage; -1 = none is needed */
	const struct candidate *of[PLAN_WORKLOADS_MAX];
};

struct plan_work {
	const struct spec *spec;
	const struct spec *asked; /* the same, but while one of its figures is varied */
	const struct plan_source *source;
	struct plan_memory *memory;
	struct cost_basis basis;
	struct demand_basis demand_basis;
	/* Network and storage are carried by one of these workloads; none = nothing is needed. */
	bool may_carry[PLAN_WORKLOADS_MAX];
	int carrier_count;
	int carrier;    /* in the search that is going on; -1 = another one, or none needed */
	int64_t budget; /* micro, of all months; INT64_MAX = none */

	const struct screen *screen;
	struct judged_group *groups;         /* by group */
	size_t kind_first[OFFER_KIND_COUNT]; /* where the groups of a kind begin ... */
	size_t kind_end[OFFER_KIND_COUNT];   /* ... and end */
	int64_t least_watts;      /* that a cabinet must feed; INT64_MAX = nothing is placed */
	struct frontier frontier; /* of the search that is going on */
	int64_t *beside;          /* room for a figure for each code of a part */
	struct marks marks;
	uint16_t search; /* its number */
	struct card_class *classes;
	int class_count;
	int *class_rented; /* the group of its rentals that is of use, by class; -1 = none */
	int *class_bought;
	bool *class_covered;    /* what has too few servers is too dear: several of its suppliers
	                         * together have enough for some workload, or all of them cost more
	                         * than what is shown */
	bool *covered_now;      /* the same for the workload that is being searched for */
	struct demand **demand; /* [workload * CLASSES_MAX + class]; NULL = not sized */
	int *alike;             /* [as demand]: see next_alike(); -1 = not possible */
	struct demand **own;    /* by workload: hosting that is about no class on offer */
	/* Of the search that is going on; after all of them: without network and storage, unless
	 * no other workload may carry them ... */
	int list_limit; /* of each of them */
	struct candidates lists[PLAN_WORKLOADS_MAX][ROUTE_COUNT];
	struct candidates carrying[PLAN_WORKLOADS_MAX][ROUTE_COUNT]; /* ... and with them */
	int64_t *bounds[PLAN_WORKLOADS_MAX][ROUTE_COUNT]; /* lower, by class; NULL = not searched */
	struct sides sides;
	bool power_known[CITY_COUNT]; /* electricity has a price there, whoever the landlord */
	bool has_megawatt[CITY_COUNT];
	int64_t megawatt[CITY_COUNT]; /* micro; see least_power() */
	/* The cheapest combination of a route that the budget excludes; has_over says so. */
	bool has_over[ROUTE_COUNT];
	struct combination over[ROUTE_COUNT];
	const struct combination *shown; /* of the options, in their order */
	struct order **orders;           /* made so far, in buckets; NULL = none */
	int item_count;                  /* of all of them */

	/* Scratch. */
	struct bill *bill;
	struct cost_flags flags;
	struct expanded main;
	struct expanded network;
	struct expanded storage;
	struct expanded service;
	struct expanded leased;
	struct offer nothing;  /* offers nothing at all */
	struct cover *cover;   /* of plan_rent.c; NULL = none yet */
	struct mixing *mixing; /* of plan_mix.c; NULL = none yet */
	bool mix_unsure;       /* a cheaper mix of one workload's servers may exist */
	int64_t helper;        /* beside the pick that is priced; -1 = nobody */
	struct helper helpers[HELPERS];
	int64_t seller; /* of network beside it; -1 = nobody */
	struct seller sellers[SELLERS];
	struct beside_offer besides[BESIDES];
	bool hosted; /* some cabinet could be priced */
	bool bought; /* some purchase could be priced */
};

static inline int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* SIZE bytes of the plan's memory, not cleared; NULL (and memory->too_small) when there are none.
 */
void *plan_take(struct plan_memory *memory, size_t count, size_t size);
#define PLAN_TAKE(memory, type, count) ((type *)plan_take((memory), (size_t)(count), sizeof(type)))

/* Spreads out the offer at POSITION into INTO, where it is not there yet; borrowed until the next
 * time. */
const struct offer *work_offer(struct plan_work *work, size_t position, struct expanded *into);

/* ---- plan_judge.c ---- */

/* Finds the classes that are asked for; false when memory is short. */
bool find_classes(struct plan_work *work);

/* With the demands known, judges every group. */
void judge_groups(struct plan_work *work);

/* The parts of GROUP; none of -1. */
struct parts parts_of_group(const struct plan_work *work, int group);

/* The parts of a kind that no class divides and every request may use: cabinets, network ... */
struct parts parts_of_kind(const struct plan_work *work, enum offer_kind kind);

/* Whether the cabinets of PART feed no server of the plan at all. */
static inline bool is_too_weak(const struct plan_work *work, const struct screen_part *part)
{
	return part->facts->kind == OFFER_COLOCATION && part->facts->cabinet_watts > 0 &&
	       work->least_watts != INT64_MAX && part->facts->cabinet_watts < work->least_watts;
}

/* The demand of WORKLOAD on CLASS when it is possible, else NULL. */
const struct demand *possible_demand(const struct plan_work *work, int workload, int class_index);

/*
 * Classes are alike for a workload when their servers do the same work for the same hours: of one
 * card, in servers of as many. Sheets state links or leave them out; where a workload does not feel
 * that, its servers may be taken from several such classes. The first that is alike CLASS_INDEX; -1
 * = it is not possible.
 */
int first_alike(const struct plan_work *work, int workload, int class_index);

/* The next one after CLASS_INDEX; -1 = none. So all of them are
 *     for (int c = first; c >= 0; c = next_alike(work, workload, c)) */
int next_alike(const struct plan_work *work, int workload, int class_index);

/* ---- plan_marks.c ---- */

/* An empty table; false when memory is short. */
bool marks_init(struct plan_work *work);

/* Marks the offer at POSITION as kept out by REASON; the later reason wins. */
void mark_offer(struct plan_work *work, uint32_t position, enum plan_reason reason);

/* Marks it as used in an option shown. */
void mark_used(struct plan_work *work, uint32_t position);

/* Its mark: 1 + enum plan_reason, or USED_MARK; 0 = none. */
uint8_t mark_of(const struct plan_work *work, uint32_t position);

/* Whether the search that is going on comes upon it for the first time. */
bool is_first_look(struct plan_work *work, uint32_t position);

/* ---- plan_price.c ---- */

/*
 * The finished bill of PICK for DEMAND in work->bill; PACKING, MIX may be NULL. The pick's offer is
 * in work->main and the bill's lines borrow from it and from work->network, storage, service and
 * leased.
 */
enum cost_status price_pick(struct plan_work *work, const struct demand *demand,
                            const struct pick *pick, struct rent_mix *mix, struct packing *packing);

/* The same for its total only; fills pick->total. */
enum cost_status price_total(struct plan_work *work, const struct demand *demand,
                             struct pick *pick);

/* What the offer at POSITION adds to a bill when it carries the network: its total, micro, and
 * whether something of it has no price. VAT that is a cost is rounded over a whole bill: with that
 * it is about so much. */
enum cost_status price_beside(struct plan_work *work, uint32_t position, int64_t *total,
                              bool *incomplete);

/* Micro-yuan that DEMAND's servers, bought or owned, cost at least in electricity in CITY where the
 * city's tariff is billed: at a PUE of 1. 0 = nothing is sure. */
int64_t least_power(struct plan_work *work, const struct demand *demand, enum city city);

/* The tariff for a site in CITY and its hours; either may be NULL. */
const struct tariff *work_tariff(const struct plan_work *work, enum city city,
                                 const struct tariff_hours **hours);

/* ---- plan_sides.c ---- */

/* NEED without storage, or its storage only. */
struct network_need network_part(const struct network_need *need);
struct network_need storage_part(const struct network_need *need);

/* Finds the cheapest supplier of network, storage and leased line in each city. */
void find_sides(struct plan_work *work);

/*
 * Who sells the network beside the offer in work->main: the position of the one with which it
 * leaves least without a price and costs least, in its city; -1 = nobody, or it includes all that
 * is needed. As the request asks for it, whatever is varied. Uses work->bill and work->network.
 */
struct beside_offer *beside_main(struct plan_work *work);

/*
 * The position of the offer that helps SERVERS beside OFFER, in its city, for least: by ladder and
 * with what is taken once another for eight than for one. -1 = nobody, or OFFER's own tier reaches
 * what is wanted. Uses work->bill and work->service.
 */
int64_t helper_beside(struct plan_work *work, const struct offer *offer, int servers);

/* ---- plan_complete.c ---- */

/* Finds where electricity has a price. */
void find_power(struct plan_work *work);

/*
 * Whether the bill of an offer with CODE (see screen.h) can be complete; true in doubt. What the
 * project needs once counts when the pick CARRIES it.
 */
bool may_be_complete(const struct plan_work *work, uint32_t code, enum pick_role role,
                     bool carries);

/*
 * BOUND of an offer with CODE with the network and storage that it leaves to others added, when the
 * pick CARRIES them. Those are bought from the city's suppliers, line by line as in their own
 * bills, so no bill of the offer is below the result.
 */
int64_t bound_with_sides(const struct plan_work *work, uint32_t code, bool carries, int64_t bound);

/* Whether some offer of PARTS can be complete. */
bool some_may_be_complete(const struct plan_work *work, struct parts parts, enum pick_role role,
                          bool carries);

/* ---- plan_list.c ---- */

/* An empty list of at most LIMIT; false when memory is short. */
bool candidates_init(struct plan_work *work, struct candidates *list, int limit);

/* By total, then fewer picks, then ids in order. */
int candidate_order(const struct plan_work *work, const struct candidate *a,
                    const struct candidate *b);

/* By standing, then candidate_order(). */
int candidate_compare(const struct plan_work *work, const struct candidate *a,
                      const struct candidate *b);

/* Keeps a copy of CANDIDATE (and of its picks) when it is among the cheapest. */
void candidates_add(struct plan_work *work, struct candidates *list,
                    const struct candidate *candidate);

/* Whether a bill of at least BOUND may still be added; COMPLETE: it may be complete. */
bool candidates_may_take(const struct plan_work *work, const struct candidates *list, int64_t bound,
                         bool complete);

/*
 * Micro-yuan that no bill is below which is at least FACTOR times the FLOOR price; the slack for
 * rounded lines is taken off.
 */
int64_t bound_of(double factor, int64_t floor);

/*
 * Adds the offers of PART, of CLASS (-1 = none), that have frontier->need servers; their bounds are
 * their floors times FACTOR (yuan per yuan; 0 when nothing is known). The lowest bound, also of
 * those that have fewer; INT64_MAX when there are none.
 */
int64_t frontier_add(const struct plan_work *work, struct frontier *frontier,
                     const struct screen_part *part, int class_index, double factor);

/* The same for what its offers charge by the hour. An offer then comes up twice: at its lower
 * bound first. */
int64_t frontier_add_hourly(const struct plan_work *work, struct frontier *frontier,
                            const struct screen_part *part, int class_index, double factor);

/* Takes off the offer with the lowest bound; false when there is none. */
bool frontier_pop(struct frontier *frontier, struct screened *offer, int64_t *bound);

/* Where it stands and its bound; NULL when there is none. */
static inline const struct frontier_entry *frontier_first(const struct frontier *frontier)
{
	return frontier->count == 0 ? NULL : &frontier->heap[0];
}

/* Share of an hourly floor that is sure: floors take a month as 720 hours; with 730 what is quoted
 * by the month is so much cheaper an hour. */
double floor_month(const struct plan_work *work);

/* ---- plan_rent.c, plan_buy.c, plan_mix.c ---- */

/* Each fills lists[workload] of its route with the cheapest candidates. */
void search_rent(struct plan_work *work, int workload);
void search_buy(struct plan_work *work, int workload);
void search_mix(struct plan_work *work, int workload);

/* The class, not yet done, with the lowest bound; -1 when all others' are INT64_MAX. */
int next_class(const int64_t *bounds, int count, const bool *done);

/* What buying DEMAND's servers of a class costs at least; INT64_MAX when nobody sells them. */
int64_t least_purchase(const struct plan_work *work, const struct demand *demand, int class_index);

/* The cheapest ways to own DEMAND's servers of a class, bought and placed, into LIST. */
void search_pairs(struct plan_work *work, const struct demand *demand, int class_index,
                  struct candidates *list);

/* The reason of a cost status. */
enum plan_reason reason_of_status(enum cost_status status);

/* Whether ROUTE is asked for. */
bool route_asked(const struct spec *spec, enum plan_route route);

/* ---- plan_combine.c, plan_answer.c, plan_explain.c, plan_vary.c, plan_sensitivity.c ---- */

/* Why the combinations found may not be the first there are; bits. */
enum doubt {
	NO_DOUBT = 0,
	LISTS_TOO_SHORT = 1, /* longer lists may hold better ones */
	TOO_MANY_SUMS = 2,   /* more were possible than can be looked at */
};

/*
 * At most LIMIT combinations for ROUTE within the budget, the complete ones first, each kind in
 * combination_order(); their number in *COUNT. Each workload that may carry network and storage is
 * weighed; of the same offers in the same amounts the cheapest carrier counts. Also sets work->over
 * and has_over of the route. The result: enum doubt.
 */
unsigned combine(struct plan_work *work, enum plan_route route, struct combination *out, int limit,
                 int *count);

/* ---- plan_sure.c ---- */

/* How a search for sums of candidates ended. */
struct search_end {
	int wanted;      /* that it was to find */
	bool complete;   /* those that leave nothing open */
	int passed_over; /* sums, with those that share what is short in them, for want of stock */
	int64_t dearest; /* no sum above this was wanted */
};

/* Whether no entry that the lists of ROUTE lack can belong to a sum that was wanted. */
bool lists_suffice(const struct plan_work *work, enum plan_route route,
                   const struct search_end *end);

/*
 * By total; equal totals by the offers, workload by workload (fewer first, then their ids), then by
 * the carrier, in the order of the request.
 */
int combination_order(const struct plan_work *work, const struct combination *a,
                      const struct combination *b);

/* ---- plan_order.c ---- */

/* What PICK of DEMAND orders, made when it is asked for first, and its offers marked as used; NULL
 * when memory is short. */
const struct order *order_of(struct plan_work *work, const struct demand *demand,
                             const struct pick *pick);

/* Fills plan->options, best, offers_used from COUNT combinations; false when memory is short. */
bool answer_options(struct plan_work *work, struct combination *all, int count, struct plan *plan);

/* Fills break_even, sensitivity. */
void explain_break_even(struct plan_work *work, struct plan *plan);
void explain_sensitivity(struct plan_work *work, struct plan *plan);

/* Accounts for every offer: fills not_chosen, offers, offers_used; false when memory is short. */
bool explain_not_chosen(struct plan_work *work, struct plan *plan);

/* Fills not_chosen, break_even, sensitivity, scenario, acceptance, notes. */
bool answer_explain(struct plan_work *work, struct plan *plan);

#endif
