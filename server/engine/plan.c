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

struct spec spec_defaults(void)
{
	return (struct spec){
	    .routes = 1u << ROUTE_RENT | 1u << ROUTE_BUY_AND_HOST | 1u << ROUTE_HYBRID,
	    .terms = TERMS_ALL_BUT_SPOT,
	    .network = {.public_mbps = ratio_of(0),
	                .mbps_95 = ratio_of(0),
	                .egress_gb = ratio_of(0),
	                .dataset_tb_in = ratio_of(0),
	                .storage_tb = ratio_of(0)},
	    .require = {.start_by = DATE_NONE},
	    .top = TOP_DEFAULT,
	    .basis = cost_basis_default(),
	};
}

static int top_of(const struct spec *spec)
{
	return spec->top > 0 ? spec->top : TOP_DEFAULT;
}

/*
 * Candidates kept per workload: one more than is shown, to say what the next one costs. Several
 * workloads may compete for the same stock: each pick of the others may rule out one more.
 */
static int list_limit(const struct spec *spec)
{
	int rivals = spec->workload_count > 1 ? 4 * spec->workload_count + 16 : 0;

	return top_of(spec) + 1 + rivals;
}

size_t plan_memory_needed(const struct spec *spec, const struct plan_source *source)
{
	size_t options = (size_t)top_of(spec) * ROUTE_COUNT;
	size_t workloads = (size_t)spec->workload_count;
	size_t per_pick = BILL_LINES_MAX * sizeof(struct cost_line) +
	                  BILL_UNKNOWNS_MAX * sizeof(struct cost_unknown) +
	                  4 * (sizeof(struct plan_item) + sizeof(struct offer) +
	                       (size_t)(source->max_prices + 1) * sizeof(struct price));

	return MEMORY_BASE +
	       (source->screen == NULL ? screen_size(source) + screen_scratch(source) : 0) +
	       source->group_count * sizeof(struct judged_group) +
	       options * workloads * 3 * per_pick + options * sizeof(struct plan_option) +
	       workloads * (CLASSES_MAX * sizeof(struct demand *) +
	                    (source->group_count + 1) * sizeof(struct demand));
}

/* ---- Setting up ---- */

static bool needs_once(const struct network_need *need)
{
	return need->public_mbps.num > 0 || need->egress_gb.num > 0 ||
	       need->dataset_tb_in.num > 0 || need->storage_tb.num > 0 || need->ips > 0;
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
	work->frontier.heap =
	    PLAN_TAKE(work->memory, struct frontier_entry, 2 * work->screen->part_count + 1);
	return work->frontier.heap != NULL;
}

static bool set_up(struct plan_work *work, const struct spec *spec,
                   const struct plan_source *source, struct plan_memory *memory)
{
	size_t demands = (size_t)spec->workload_count * CLASSES_MAX;

	*work = (struct plan_work){.spec = spec, .source = source, .memory = memory};
	work->basis = spec->basis;
	work->demand_basis.hours_per_month = spec->basis.hours_per_month;
	work->demand_basis.convert_usage = spec->convert_usage;
	work->needs_once = needs_once(&spec->network);
	work->budget = budget_of(spec);
	work->nothing = offer_blank();
	work->demand = PLAN_TAKE(memory, struct demand *, demands);
	work->own = PLAN_TAKE(memory, struct demand *, PLAN_WORKLOADS_MAX);
	work->bill = PLAN_TAKE(memory, struct bill, 1);
	if (memory->too_small || !room_for(work, &work->main) || !room_for(work, &work->network) ||
	    !room_for(work, &work->storage) || !room_for(work, &work->service) ||
	    !marks_init(work) || !set_screen(work))
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
		demand_size(&work->spec->workloads[workload], &work->demand_basis, class, demand);
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
		if (!candidates_init(work, &work->lists[workload][route], list_limit(spec)))
			return false;
	if (route_asked(spec, ROUTE_RENT) || mixes)
		search_rent(work, workload);
	if (route_asked(spec, ROUTE_BUY_AND_HOST) || mixes)
		search_buy(work, workload);
	if (mixes)
		search_mix(work, workload);
	return true;
}

/* With network and storage, and where another workload may carry them, without. */
static bool search(struct plan_work *work)
{
	int workloads = work->spec->workload_count;

	find_sides(work);
	find_power(work);
	for (int w = 0; w < workloads; w++) {
		if (work->needs_once) {
			if (!search_as(work, w, w))
				return false;
			memcpy(work->carrying[w], work->lists[w], sizeof work->lists[w]);
		}
		if ((workloads > 1 || !work->needs_once) && !search_as(work, w, -1))
			return false;
	}
	return true;
}

static bool answer(struct plan_work *work, struct plan *plan)
{
	int top = top_of(work->spec);
	struct combination *all =
	    PLAN_TAKE(work->memory, struct combination, ROUTE_COUNT * top + 1);
	bool exhausted = true;
	int count = 0;

	if (all == NULL)
		return false;
	for (int route = 0; route < ROUTE_COUNT; route++) {
		count += combine(work, (enum plan_route)route, &all[count], top, &exhausted);
	}
	if (!exhausted)
		note_add(&plan->notes, NOTE_PLAN_LIST_SHORT, 0, 0, NULL);
	return !work->memory->too_small && answer_options(work, all, count, plan) &&
	       answer_explain(work, plan);
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
	return search(&work) && answer(&work, plan) && !memory->too_small;
}
