/*
 * plan.h - the planner: a spec and the offers of one catalogue in, ranked and explained options
 * out.
 *
 * Exact and deterministic: the same spec and offers give the same bytes. Options whose bill is
 * complete come first, by their total over the project and nothing else; after them those with a
 * part that nobody prices (unknown_count > 0), by their totals, which are lower bounds: such an
 * option is never called cheaper than one whose whole price is known. Equal totals stand in the
 * order of their routes, then of their offers' ids, workload by workload. Where there are enough
 * complete ways to run a workload, incomplete ones are not searched for. Every offer of the source
 * is accounted for exactly once: it is used in an option that is shown, or it is counted in
 * not_chosen under the first reason (in the order of enum plan_reason) that keeps it out. That
 * nothing suits is an answer, not an error.
 *
 * An order is split over suppliers where stock is short and that saves at least a yuan: the exact
 * best cover of whole servers of one class, as one option of that class. Where none of the classes
 * that are alike for the workload has enough servers by itself, all of them together are tried:
 * classes of one card differ in what is stated of links, which a workload need not feel.
 *
 * A hybrid mixes ways: of one workload whose servers do not all work alike (serving by a profile; a
 * history of use, which fills one server after the other) the cheapest mix of owned servers and
 * rented ones, each for its own hours; of several workloads, some the one way and some the other.
 * Of each class of card, with those alike it, it is the one mix that costs least, a complete one
 * before any other; where
 * that is no mix (all owned, or one offer in the same terms throughout) there is none. What is
 * rented from one offer is one order, whatever the hours of its servers: all of them count for the
 * steps of its ladders, setup, deposit and help are charged once for it, and more may be ordered
 * than work where a step makes that cheaper; these cost what the idlest of the order does. What is
 * owned is of one machine at one place, those that are cheapest for so many servers and the hours
 * that they work. What the project needs once is bought with one of the servers and weighed with
 * them. The cheapest is found by branch and bound (hybrid_order.h) over all offers, exactly but
 * where NOTE_PLAN_MIX_UNSURE says that it may not be: the servers are more than HYBRID_LEVELS_MAX
 * (then there is no mix), more than HYBRID_SUPPLIERS_MAX offers would have to be weighed together,
 * an offer rents out no less than several servers at a time or has more price steps than can be
 * weighed, more places or parts of a mix would have to be kept than there is room for, or there are
 * so many ways to order that not all could be compared.
 *
 * Several workloads are planned one by one and added up; an option has one set of items for each.
 * Hardware is not shared between workloads (NOTE_PLAN_NOT_SHARED says so). What the project needs
 * once (public bandwidth, traffic, leased line, data set, storage) is bought, all of it, with one
 * workload. Where the users come in (bandwidth, traffic, addresses) it is one that serves them
 * online, if there is one: a line at another site does not reach its servers. Of those that may, it
 * is the one with which the option's total is least, whatever the order of the workloads. Every one
 * of them is weighed as the carrier, so that no cheaper assignment exists; of the same offers only
 * the cheapest assignment is an option, a complete one before any other. Where several cost the
 * same it is the first of the request.
 *
 * What an offer neither includes nor prices itself is bought from others in its city: of each kind
 * (network, storage, leased line, service) from the one that leaves least without a price and, of
 * these, costs least beside that very offer and so many servers.
 *
 * The engine allocates nothing: the caller hands in a block of memory, in which the plan then lies,
 * and a source that spreads out offers on demand.
 */
#ifndef ENGINE_PLAN_H
#define ENGINE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ratio.h"
#include "engine/cost.h"
#include "engine/cost_extras.h"
#include "engine/cost_flags.h"
#include "engine/cost_host.h"
#include "engine/cost_rent.h"
#include "engine/demand.h"
#include "engine/note.h"
#include "engine/screen.h"
#include "offer/facts.h"
#include "offer/offer.h"
#include "offer/tariff.h"
#include "offer/workload.h"

#define PLAN_WORKLOADS_MAX 16
#define PLAN_TOP_MAX 100

/* ---- the question ---- */

enum plan_route { ROUTE_RENT, ROUTE_BUY_AND_HOST, ROUTE_HYBRID };
#define ROUTE_COUNT 3
extern const char *const route_names[ROUTE_COUNT]; /* "rent", "buy_and_host", "hybrid" */

/* POST /plan, decoded. spec_defaults() is the state to start from. */
struct spec {
	const char *title; /* NULL */
	const struct workload *workloads;
	int workload_count;          /* 1 .. PLAN_WORKLOADS_MAX */
	unsigned cities;             /* bits 1u << enum city; 0 = anywhere */
	bool any_city;               /* offers of unknown or nation-wide place may be used although
	                              * cities are named */
	unsigned routes;             /* bits 1u << enum plan_route */
	unsigned terms;              /* bits 1u << enum price_term a rental may use */
	struct network_need network; /* and storage; of the project as a whole */
	const char *line;            /* "bgp", ...: a hard requirement; NULL = any */
	enum service_tier service;   /* what is wanted; unset = not asked */
	struct requirement require;
	bool has_budget;
	struct money budget_per_month; /* an option meets it whose per_month is no more, as shown */
	int top;                       /* options shown, 1 .. PLAN_TOP_MAX; 0 = 10 */
	bool convert_usage;            /* usage may move to other cards by speed ratio */
	/* Also for utilisation, months and bandwidth, for which options are priced again: that may
	 * take longer than the plan itself. Else what the lines of the bills tell. */
	bool full_sensitivity;

	/*
	 * The basis: tax, hours per month, today, start, months (1 .. 120), rates, and what the
	 * request gives of the assumptions (life of equipment, PUE, load, own hours ...).
	 */
	struct cost_basis basis;
	const struct price_band *bands; /* usual prices of cards, for red flags */
	int band_count;
	const struct tariffs *tariffs;
	const char *tariff_id;  /* the power table to use everywhere; NULL = by city */
	bool has_kwh_price;     /* a price given in the request goes before any table */
	struct money kwh_price; /* CNY per kWh, on the request's tax basis */
};

/* 12 months, rent and buy_and_host and hybrid, hourly to yearly, tax excluded, top 10, 720 h. */
struct spec spec_defaults(void);

/* ---- the offers ---- */

/* Where offers come from. Blocks stand in the order of offer_facts_compare(). */
struct plan_source {
	const void *context;
	const struct offer_group *groups;
	size_t group_count;
	const struct offer_block *blocks;
	size_t block_count;
	size_t offer_count;
	int max_prices; /* the most prices that one offer has */
	/* offer_floor_price() by position: of commitments (by which blocks are sorted), by the hour
	 */
	const int64_t *floors;
	const int64_t *hourly_floors;
	const uint32_t *by_floor; /* the positions of each group, by floor, then id */
	const uint32_t *by_hour;  /* the same by hourly floor */
	const uint32_t *block_of; /* by position */
	const int64_t *ids;       /* by position */
	const int32_t *stocks;    /* servers_available by position */
	const uint8_t *supplies;  /* offer_supplies() by position */
	const struct card *(*card)(const void *context, const char *id); /* NULL: unknown card */
	void (*offer)(const void *context, size_t position, struct offer *offer,
	              struct price *prices);
	/* What of the offers passes ASK; NULL = screen_make(). A caller may remember. */
	const struct screen *screen;
	/* What a workload needs on a class of card; NULL = demand_size(). A caller may remember. */
	void (*demand)(const void *context, const struct workload *workload,
	               const struct demand_basis *basis, const struct card_class *class,
	               struct demand *demand);
};

/* ---- the answer ---- */

struct plan_not_chosen {
	enum plan_reason reason;
	size_t offers;
	size_t alone;                /* of these, kept out by this reason alone */
	const struct offer *nearest; /* the one that misses by least; cheapest of them */
	bool has_gap;
	bool gap_in_ms; /* a latency is missed, not a deadline */
	double gap;     /* else in reason_gap_units */
};

struct plan_item {
	int workload; /* index */
	int number;   /* from 0, of plan->item_count: the same in all options that order the same */
	const struct offer *offer; /* with everything it says; strings borrowed */
	int servers;
	int cards;
	enum price_term term;   /* of the main item, the one that pays for most */
	int months;             /* paid for; 0 = by the hour or once */
	struct rent_mix mix;    /* rented: how much of each term */
	struct packing packing; /* colocation: servers per cabinet, cabinets */
	struct sla_loss sla;    /* rented: expected loss, beside the bill */
	int first_line;         /* its part of the option's lines */
	int line_count;
};

#define PLAN_ITEMS_MAX 64 /* per option; more suppliers than that are never combined */

struct plan_option {
	int rank; /* from 1, over all routes: complete ones first, then by total */
	enum plan_route route;
	struct money total; /* over all months: the sum of the lines that are costs */
	struct money accounts[COST_ACCOUNT_COUNT]; /* they add up to total */
	struct money per_month;                    /* total / months, rounded to fen */
	struct money upfront; /* to be paid before the first day, deposit and purchase too */
	struct money deposit; /* of it; comes back */
	/*
	 * Bought: the total when the equipment has neither another use nor a buyer after the
	 * project, so that all of its price is a cost of it (ASSUME_BOOK_VALUE 0).
	 */
	bool has_written_off; /* false: nothing is bought, or the total counts all of it */
	struct money total_if_written_off;
	struct money paid_per_month; /* leaves the till each month after that */
	struct money vat;            /* contained (tax included) or on top of it (excluded) */
	struct ratio card_hours;     /* needed over all months */
	bool has_per_card_hour;
	struct money per_card_hour; /* total / card-hours needed, six decimals */
	bool has_per_million_tokens;
	struct money per_million_tokens; /* trained or output tokens, six decimals */
	/*
	 * Serving: the total divided by the time that prompts and answers take of a replica at its
	 * share of the peak, idle hours alike; six decimals. Together they are the total again.
	 */
	bool has_per_million_split;
	struct money per_million_input_tokens;
	struct money per_million_output_tokens;
	const struct plan_item *items;
	int item_count;
	const struct cost_line *const *lines; /* those of equal items are the same */
	int line_count;
	const struct cost_unknown *unknowns; /* no price: the total is a lower bound */
	int unknown_count;
	uint64_t assumed;        /* bits 1 << enum cost_assumption */
	struct cost_flags flags; /* red flags of its offers, each once, with the first's figures */
	struct ratio energy_kwh; /* over all months; 0 when included in the rent */
	int cabinets;
	bool ties;   /* with the option before or after it */
	int carrier; /* the workload with which network and storage are bought; -1 = none needed */
};

enum sensitivity_what {
	SENSITIVE_PRICE, /* of the offer that the first option pays most for: factor of today's */
	SENSITIVE_UTILISATION, /* of the first option's cards, which are kept: share of the month */
	SENSITIVE_KWH,         /* factor of the electricity price, wherever it is metered */
	SENSITIVE_MONTHS,      /* of the project */
	SENSITIVE_BANDWIDTH,   /* factor of the Mbps asked for */
	SENSITIVE_BOOK_VALUE,  /* share of it that is recovered after the project */
	SENSITIVE_LIFE,        /* of equipment that is bought, years */
};
#define SENSITIVITY_COUNT 7
extern const char *const sensitivity_names[SENSITIVITY_COUNT];

/* The value nearest to today's at which another option wins. */
struct sensitivity_turn {
	bool found; /* false: nowhere in the range searched */
	double at;
	int winner; /* index of an option shown, of any route: the cheapest there */
};

/*
 * How the first option fares as one figure varies and everything else stays: the offers and cards
 * of each option, and who supplies the network. Every value from LEAST to MOST counts (factors in
 * thousandths of prices and tenths of bandwidth, shares in hundredths, whole months, tenths of
 * years); an option wins when it is a yuan cheaper than the first one. Options with unknown parts
 * take no part.
 */
struct plan_sensitivity {
	enum sensitivity_what what;
	double from;        /* today */
	double least, most; /* the range searched */
	struct sensitivity_turn below;
	struct sensitivity_turn above;
	const struct offer *offer; /* whose price it is; else NULL */
};

/* The entry of the seeds' decision list. */
enum scenario {
	SCENARIO_PRETRAIN,  /* beyond 10^10 parameters, months: H or A series, fabric, monthly */
	SCENARIO_FINE_TUNE, /* open models: 4090, L40S; by the hour */
	SCENARIO_SERVING,   /* online: L20, L4; engine, elastic */
	SCENARIO_OWN,       /* own machines: a cabinet that can feed them */
	SCENARIO_STEADY,    /* use known from history: buy above the break-even, rent below */
	SCENARIO_MIXED,     /* training and serving: plan apart */
};
#define SCENARIO_COUNT 6
extern const char *const scenario_names[SCENARIO_COUNT];

/* What to check on delivery; bits of plan.acceptance. */
enum acceptance_check {
	CHECK_CARD_AND_DRIVER, /* nvidia-smi: card, memory, driver, persistence */
	CHECK_TOPOLOGY,        /* nvidia-smi topo -m */
	CHECK_NVLINK,          /* nvidia-smi nvlink --status */
	CHECK_COLLECTIVES,     /* nccl-tests all_reduce */
	CHECK_SCALING,         /* at least 80 % of linear */
	CHECK_LATENCY,         /* vLLM bench: TTFT, TPOT */
	CHECK_BURN_IN,         /* 10 hours: temperature, power, throughput */
	CHECK_BANDWIDTH,       /* the line that was bought */
};
#define ACCEPTANCE_CHECK_COUNT 8
extern const char *const acceptance_check_names[ACCEPTANCE_CHECK_COUNT];

/* What the offers of a class cost for a workload: why a card lost. */
struct class_cost {
	/* Without what the project needs once, unless no other workload may carry it. */
	bool has_best; /* it is among the cheapest that were looked at */
	bool best_complete;
	struct money best; /* total of the workload by the class's first way, any route */
	bool has_least;    /* else: every way costs more than those, and at least this */
	struct money least;
	bool is_kept_out; /* else: this keeps most of its offers out */
	enum plan_reason kept_out_by;
};

struct plan {
	const struct demand *demand;          /* per workload x class on offer, in that order */
	const struct class_cost *class_costs; /* of each demand */
	int demand_count;
	const struct plan_option *options; /* all routes, by rank; at most spec.top of each route */
	int option_count;
	int item_count;        /* different ones of all options */
	int best[ROUTE_COUNT]; /* index of the first option of a route; -1 = none */
	bool has_break_even;   /* renting against buying, both at their best and both complete */
	struct break_even break_even;
	/* The utilisation above which buying is cheaper even when all of the price is written off
	 * within the project; as break_even.utilisation. */
	bool has_utilisation_written_off;
	struct ratio utilisation_written_off;
	const struct plan_not_chosen *not_chosen; /* in the order of enum plan_reason */
	int not_chosen_count;
	size_t offers;      /* of the source */
	size_t offers_used; /* in options shown; with not_chosen they add up to offers */
	struct plan_sensitivity sensitivity[SENSITIVITY_COUNT];
	int sensitivity_count;
	unsigned acceptance; /* bits 1u << enum acceptance_check */
	enum scenario scenario;
	struct notes notes; /* of the plan as a whole */
};

/* A block of memory that a plan is made in, from its start on; never freed piecewise. */
struct plan_memory {
	void *block; /* aligned for any type; need not be zeroed */
	size_t size;
	size_t used;    /* by the plan that lies in it */
	bool too_small; /* set when something did not fit */
};

/*
 * Bytes that are enough for SPEC over SOURCE unless options have very many lines; when plan_make()
 * finds them too few, give twice as many.
 */
size_t plan_memory_needed(const struct spec *spec, const struct plan_source *source);

/*
 * Plans SPEC over SOURCE.
 *
 *   Given     spec    valid: counts in range, cards and models set
 *             source  outlives *plan (its strings are borrowed)
 *             memory  *plan lies in it
 *   Returned  *plan
 *   Result    false only when MEMORY is too small; nothing of *plan is valid then
 *
 *   One server of 8 cards for 12 months at 76000 CNY a server-month, tax excluded, is one option
 *   with total 912000.00.
 */
bool plan_make(const struct spec *spec, const struct plan_source *source,
               struct plan_memory *memory, struct plan *plan);

#endif
