/* plan.c - the planner; see plan.h for what and plan_work.h for the order of work. */
#include "engine/plan.h"

#include <string.h>

#include "engine/plan_work.h"

const char *const route_names[ROUTE_COUNT] = {"rent", "buy_and_host", "hybrid"};
const char *const sensitivity_names[SENSITIVITY_COUNT] = {
    "price",     "utilisation",          "kwh_price", "months",
    "bandwidth", "book_value_recovered", "life_years"};
const char *const scenario_names[SCENARIO_COUNT] = {"pretrain", "fine_tune", "serving",
                                                    "own",      "steady",    "mixed"};
const char *const acceptance_check_names[ACCEPTANCE_CHECK_COUNT] = {
    "card_and_driver", "topology", "nvlink",  "collectives",
    "scaling",         "latency",  "burn_in", "bandwidth"};

#define TOP_DEFAULT 10
#define MEMORY_BASE (4u << 20)
#define LIST_SPARE_MAX 256 /* candidates beyond those shown that a list is at most made for */

struct spec spec_defaults(void)
{
	return (struct spec){
	    .routes = 1u << ROUTE_RENT | 1u << ROUTE_BUY_AND_HOST | 1u << ROUTE_HYBRID,
	    .terms = TERMS_ALL_BUT_SPOT,
	    .network = {.public_mbps = ratio_of(0),
	                .mbps_95 = ratio_of(0),
	                .egress_gb = ratio_of(0),
	                .dataset_tb_in = ratio_of(0),
	                .storage_tb = ratio_of(0),
	                .dedicated_mbps = ratio_of(0)},
	    .require = {.start_by = DATE_NONE},
	    .top = TOP_DEFAULT,
	    .basis = cost_basis_default(),
	};
}

static int top_of(const struct spec *spec)
{
	return spec->top > 0 ? spec->top : TOP_DEFAULT;
}

size_t plan_memory_needed(const struct spec *spec, const struct plan_source *source)
{
	size_t options = (size_t)top_of(spec) * ROUTE_COUNT;
	size_t workloads = (size_t)spec->workload_count;
	size_t per_pick =
	    sizeof(struct order) +
	    BILL_LINES_MAX * (sizeof(struct cost_line) + sizeof(struct cost_line *)) +
	    2 * BILL_UNKNOWNS_MAX * sizeof(struct cost_unknown) +
	    (1 + ORDER_SIDES) * (sizeof(struct plan_item) + sizeof(struct offer) +
	                         (size_t)(source->max_prices + 1) * sizeof(struct price));

	return MEMORY_BASE +
	       (source->screen == NULL ? screen_size(source) + screen_scratch(source) : 0) +
	       source->group_count * (sizeof(struct judged_group) + 2 * sizeof(uint32_t)) +
	       options * workloads * 3 * per_pick + options * sizeof(struct plan_option) +
	       workloads * (CLASSES_MAX * sizeof(struct demand *) +
	                    (source->group_count + 1) * sizeof(struct demand));
}

/* ---- Setting up ---- */

static bool needs_once(const struct network_need *need)
{
	return needs_public(need) || needs_dedicated(need) || need->dataset_tb_in.num > 0 ||
	       need->storage_tb.num > 0;
}

static bool serves_users(const struct workload *workload)
{
	return workload->kind == WORKLOAD_INFERENCE && workload->serving.mode != MODE_OFFLINE;
}

/* Which workloads may carry what the project needs once. */
static void find_carriers(struct plan_work *work)
{
	const struct spec *spec = work->spec;
	bool some_serve = false;

	for (int w = 0; w < spec->workload_count; w++)
		some_serve = some_serve || serves_users(&spec->workloads[w]);
	for (int w = 0; w < spec->workload_count && needs_once(&spec->network); w++) {
		work->may_carry[w] = !some_serve || !needs_public(&spec->network) ||
		                     serves_users(&spec->workloads[w]);
		work->carrier_count += work->may_carry[w];
	}
}

/*
 * What the budget allows in all, micro; INT64_MAX without one. It is held against a month as shown,
 * to the fen: the most that still rounds down to it, half away from zero.
 */
static int64_t budget_of(const struct spec *spec)
{
	const int64_t fen = 10000;
	int64_t month = money_to_micro(spec->budget_per_month);
	int64_t all;

	if (!spec->has_budget ||
	    __builtin_mul_overflow(month / fen * fen + fen / 2, (int64_t)spec->basis.months, &all))
		return INT64_MAX;
	return all - 1;
}

static bool room_for(struct plan_work *work, struct expanded *expanded)
{
	expanded->position = SIZE_MAX;
	expanded->prices = PLAN_TAKE(work->memory, struct price, work->source->max_prices + 1);
	return expanded->prices != NULL;
}

/* What passes, and room for a search over all of it; false when memory is short. */
static bool set_screen(struct plan_work *work)
{
	struct screen_ask ask = screen_ask_of(work->spec);
	const struct plan_source *source = work->source;

	work->screen = source->screen != NULL
	                   ? source->screen
	                   : screen_make(&ask, source, work->memory, work->memory);
	if (work->screen == NULL)
		return false;
	work->frontier.stocks = source->stocks;
	work->frontier.heap =
	    PLAN_TAKE(work->memory, struct frontier_entry, work->screen->run_count + 1);
	work->beside = PLAN_TAKE(work->memory, int64_t, SCREEN_CODES);
	return work->frontier.heap != NULL && work->beside != NULL;
}

static bool set_up(struct plan_work *work, const struct spec *spec,
                   const struct plan_source *source, struct plan_memory *memory)
{
	size_t demands = (size_t)spec->workload_count * CLASSES_MAX;

	*work = (struct plan_work){.spec = spec, .asked = spec, .source = source, .memory = memory};
	work->basis = spec->basis;
	work->demand_basis.hours_per_month = spec->basis.hours_per_month;
	work->demand_basis.convert_usage = spec->convert_usage;
	find_carriers(work);
	work->budget = budget_of(spec);
	work->nothing = offer_blank();
	work->demand = PLAN_TAKE(memory, struct demand *, demands);
	work->alike = PLAN_TAKE(memory, int, demands);
	work->own = PLAN_TAKE(memory, struct demand *, PLAN_WORKLOADS_MAX);
	work->bill = PLAN_TAKE(memory, struct bill, 1);
	if (memory->too_small || !room_for(work, &work->main) || !room_for(work, &work->network) ||
	    !room_for(work, &work->storage) || !room_for(work, &work->service) ||
	    !room_for(work, &work->leased) || !marks_init(work) || !set_screen(work))
		return false;
	memset(work->demand, 0, demands * sizeof *work->demand);
	memset(work->own, 0, PLAN_WORKLOADS_MAX * sizeof *work->own);
	return true;
}

/* ---- Demands ---- */

static void size_one(struct plan_work *work, int workload, const struct card_class *class,
                     struct demand *demand)
{
	const struct plan_source *source = work->source;

	if (source->demand != NULL)
		source->demand(source->context, &work->spec->workloads[workload],
		               &work->demand_basis, class, demand);
	else
		demand_size(&work->spec->workloads[workload], &work->demand_basis, class, NULL,
		            demand);
	demand->workload = workload;
}

/* Demands stand one after the other, so that the answer can list them. */
static bool size_demands(struct plan_work *work, struct plan *plan)
{
	int most = work->spec->workload_count * (work->class_count + 1);
	struct demand *demands = PLAN_TAKE(work->memory, struct demand, most);
	int count = 0;

	if (demands == NULL)
		return false;
	for (int w = 0; w < work->spec->workload_count; w++) {
		const struct workload *workload = &work->spec->workloads[w];
		struct card_class own = {.card = workload->hosting.card,
		                         .cards_per_server = workload->hosting.cards_per_server};

		if (workload->kind == WORKLOAD_HOSTING) {
			size_one(work, w, &own, &demands[count]);
			work->own[w] = &demands[count++];
		}
		for (int i = 0; i < work->class_count; i++) {
			size_one(work, w, &work->classes[i], &demands[count]);
			work->demand[w * CLASSES_MAX + i] = &demands[count++];
		}
	}
	plan->demand = demands;
	plan->demand_count = count;
	return true;
}

/* ---- The whole ---- */

/* All routes of WORKLOAD, into work->lists; CARRIER as in plan_work. */
static bool search_as(struct plan_work *work, int workload, int carrier)
{
	const struct spec *spec = work->spec;
	bool mixes = route_asked(spec, ROUTE_HYBRID);

	work->carrier = carrier;
	for (int route = 0; route < ROUTE_COUNT; route++)
		if (!candidates_init(work, &work->lists[workload][route], work->list_limit))
			return false;
	if (route_asked(spec, ROUTE_RENT) || mixes)
		search_rent(work, workload);
	if (route_asked(spec, ROUTE_BUY_AND_HOST) || mixes)
		search_buy(work, workload);
	if (mixes)
		search_mix(work, workload);
	return true;
}

/* With network and storage where WORKLOAD may carry them, and without where another one may. */
static bool search_workload(struct plan_work *work, int workload)
{
	bool carries = work->may_carry[workload];

	if (carries) {
		if (!search_as(work, workload, workload))
			return false;
		memcpy(work->carrying[workload], work->lists[workload],
		       sizeof work->lists[workload]);
	}
	return (carries && work->carrier_count == 1) || search_as(work, workload, -1);
}

/* Fills ALL by lists of work->list_limit; false when memory is short. */
static bool find_options(struct plan_work *work, struct combination *all, int *count,
                         unsigned *doubt)
{
	int top = top_of(work->spec);

	for (int w = 0; w < work->spec->workload_count; w++)
		if (!search_workload(work, w))
			return false;
	*count = 0;
	*doubt = NO_DOUBT;
	for (int route = 0; route < ROUTE_COUNT; route++) {
		int found;

		*doubt |= combine(work, (enum plan_route)route, &all[*count], top, &found);
		*count += found;
	}
	return !work->memory->too_small;
}

/*
 * One candidate more than is shown, to say what the next one costs, is enough unless workloads
 * compete for the same stock: then longer lists are made until it is sure that nothing is missing.
 */
static bool search(struct plan_work *work, struct combination *all, int *count, unsigned *doubt)
{
	int top = top_of(work->spec);
	int rivals = 4 * work->spec->workload_count + 16;
	int spare = 1;

	find_sides(work);
	find_power(work);
	for (;;) {
		work->list_limit = top + spare;
		if (!find_options(work, all, count, doubt))
			return false;
		if ((*doubt & LISTS_TOO_SHORT) == 0 || spare >= LIST_SPARE_MAX)
			return true;
		spare = spare < rivals ? rivals : LIST_SPARE_MAX;
	}
}

static bool answer(struct plan_work *work, struct plan *plan)
{
	struct combination *all =
	    PLAN_TAKE(work->memory, struct combination, ROUTE_COUNT * top_of(work->spec) + 1);
	unsigned doubt;
	int count;

	if (all == NULL || !search(work, all, &count, &doubt))
		return false;
	if (doubt != NO_DOUBT)
		note_add(&plan->notes, NOTE_PLAN_LIST_SHORT, 0, 0, NULL);
	if (work->mix_unsure)
		note_add(&plan->notes, NOTE_PLAN_MIX_UNSURE, 0, 0, NULL);
	return answer_options(work, all, count, plan) && answer_explain(work, plan);
}

bool plan_make(const struct spec *spec, const struct plan_source *source,
               struct plan_memory *memory, struct plan *plan)
{
	struct plan_work work;

	memory->used = 0;
	memory->too_small = false;
	*plan = (struct plan){0};
	if (!set_up(&work, spec, source, memory) || !find_classes(&work) ||
	    !size_demands(&work, plan))
		return false;
	judge_groups(&work);
	return answer(&work, plan) && !memory->too_small;
}
