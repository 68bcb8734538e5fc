/* test_plan_bounds.c - the search passes over most offers by lower bounds of what they cost. Told
 * that every bound is 0 it prices all of them: the options must be the same. */
#include "tests/unit/unit.h"

#include "api/plan_source.h"
#include "tests/unit/plan_fixture.h"

#include "tests/bench/catalogue.c"

#define OFFERS 2000
#define SUPPLIERS 40
#define CASES 150

static struct catalogue *catalogue;
static int64_t zeros[OFFERS];

/* Some who sell bandwidth, storage or service take something to set it up. */
static void add_setup(struct offer *offer, struct price prices[static BENCH_PRICES_MAX], int i)
{
	bool is_side = offer->kind == OFFER_NETWORK || offer->kind == OFFER_STORAGE ||
	               offer->kind == OFFER_SERVICE;

	if (!is_side || i % 2 == 0 || offer->price_count == BENCH_PRICES_MAX)
		return;
	prices[offer->price_count++] = (struct price){
	    .item = ITEM_SETUP,
	    .term = TERM_ONE_OFF,
	    .amount = money_from_micro(INT64_C(1000000) * (i % 7) * 1000),
	    .unit = {PER_NONE, 1, PERIOD_ONCE, 1},
	    .currency = "CNY",
	    .tax = TAX_EXCLUDED,
	    .tax_rate_bp = -1,
	    .as_quoted = "1000",
	    .unit_text = "CNY",
	    .normalised_unit = UNIT_ONCE,
	    .normalised = money_from_micro(INT64_C(1000000) * (i % 7) * 1000),
	};
}

/* As the benchmark makes them, from suppliers of 50. */
static int fill_catalogue(void **state)
{
	static struct offer offers[OFFERS];
	static struct price prices[OFFERS][BENCH_PRICES_MAX];
	static struct bench_text texts[OFFERS];
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference reference = {.base = *fixture_reference()};

	(void)state;
	catalogue_builder_reference(builder, &reference);
	for (int i = 0; i < OFFERS; i++) {
		bench_offer(i % SUPPLIERS, (size_t)i / SUPPLIERS, &offers[i], prices[i], &texts[i]);
		add_setup(&offers[i], prices[i], i / SUPPLIERS + i % SUPPLIERS);
		offers[i].id = i + 1;
		offers[i].sheet_id = 1 + i % SUPPLIERS;
		offers[i].supplier = "bench";
		catalogue_builder_add(builder, &offers[i]);
	}
	catalogue = catalogue_builder_finish(builder);
	return 0;
}

static int drop_catalogue(void **state)
{
	(void)state;
	catalogue_release(catalogue);
	return 0;
}

/* ---- Questions ---- */

static unsigned dice;

static int roll(int sides)
{
	dice = dice * 1664525 + 1013904223;
	return (int)(dice >> 8) % sides;
}

static const struct card *some_card(void)
{
	static const char *const ids[] = {"h100-sxm", "a100-80-sxm", "l40s", "rtx-4090", "l20"};

	return card_find(&fixture_reference()->cards, ids[roll(5)]);
}

static struct workload some_usage(void)
{
	static const double hours[] = {300, 2000, 9000, 40000};

	return (struct workload){.name = "usage",
	                         .kind = WORKLOAD_USAGE,
	                         .usage = {.card = some_card(),
	                                   .gpu_hours = hours[roll(4)],
	                                   .days = 30,
	                                   .buffer_given = roll(2) == 0}};
}

static struct workload some_workload(void)
{
	struct workload workload = {.name = "job"};

	switch (roll(6)) {
	case 0:
		workload.kind = WORKLOAD_INFERENCE;
		workload.serving = fixture_serving_by_day();
		workload.serving.requests_per_s = 5 + roll(100);
		return workload;
	case 1:
		workload.kind = WORKLOAD_TRAINING;
		workload.training = (struct training){
		    .model = model_find(&fixture_reference()->models, "qwen2.5-7b"),
		    .method = METHOD_LORA,
		    .tokens = 1e8,
		    .runs_per_month = 1 + roll(20),
		    .deadline_hours = 12,
		    .valley_only = roll(4) == 0};
		return workload;
	case 2:
		workload.kind = WORKLOAD_HOSTING;
		workload.hosting = (struct hosting){
		    .card = some_card(), .cards_per_server = 8, .servers = 1 + roll(6)};
		return workload;
	default:
		return some_usage();
	}
}

static void some_needs(struct spec *spec)
{
	static const int months[] = {1, 5, 12, 36};
	static const int64_t budgets[] = {50000, 300000, 2000000};

	spec->top = 1 + roll(8);
	spec->basis.months = months[roll(4)];
	spec->basis.start = (struct date){20787};
	spec->basis.tax = roll(2) == 0 ? TAX_INCLUDED : TAX_EXCLUDED;
	spec->routes = 1u + (unsigned)roll(7);
	if (roll(2) == 0)
		spec->network.public_mbps = ratio_of(10 + 90 * roll(2));
	if (roll(3) == 0)
		spec->network.ips = roll(4);
	if (roll(4) == 0)
		spec->network.dedicated_mbps = ratio_of(50 + 100 * roll(2));
	if (roll(4) == 0)
		spec->network.egress_gb = ratio_of(5000);
	if (roll(3) == 0)
		spec->network.storage_tb = ratio_of(20);
	if (roll(3) == 0)
		spec->service = (enum service_tier)(1 + roll(3));
	if (roll(3) == 0)
		spec->cities = 1u << CITY_SHENZHEN | 1u << CITY_DONGGUAN;
	if (roll(4) == 0)
		cost_basis_give(&spec->basis, ASSUME_VAT_DEDUCTIBLE, ratio_of(0));
	spec->has_budget = roll(4) == 0;
	spec->budget_per_month = money_from_micro(budgets[roll(3)] * 1000000);
}

/* ---- Two searches ---- */

struct made {
	struct plan plan;
	struct plan_memory memory;
};

static void make_plan(struct spec *spec, bool bounded, struct made *made)
{
	struct plan_source source = plan_source_of(catalogue, spec);

	if (!bounded)
		source.floors = source.hourly_floors = zeros;
	made->memory = (struct plan_memory){.size = plan_memory_needed(spec, &source)};
	made->memory.block = alloc_resize(NULL, made->memory.size);
	while (!plan_make(spec, &source, &made->memory, &made->plan)) {
		made->memory.size *= 2;
		made->memory.block = alloc_resize(made->memory.block, made->memory.size);
	}
}

/* What is ordered of whom, in whatever order: an order that is split stands as it was found. */
static int64_t order_of(const struct plan_option *option)
{
	int64_t order = 0;

	for (int i = 0; i < option->item_count; i++)
		order += option->items[i].offer->id * (100 + option->items[i].servers);
	return order;
}

static void assert_same_option(const struct plan_option *a, const struct plan_option *b)
{
	assert_int_equal(a->route, b->route);
	assert_int_equal(money_to_micro(a->total), money_to_micro(b->total));
	assert_int_equal(a->unknown_count, b->unknown_count);
	assert_int_equal(a->carrier, b->carrier);
	assert_int_equal(a->item_count, b->item_count);
	assert_int_equal(order_of(a), order_of(b));
}

static size_t counted(const struct plan *plan)
{
	size_t offers = plan->offers_used;

	for (int i = 0; i < plan->not_chosen_count; i++)
		offers += plan->not_chosen[i].offers;
	return offers;
}

static void what_is_passed_over_by_its_bound_would_not_have_been_shown(void **state)
{
	(void)state;
	int options = 0;

	for (unsigned seed = 1; seed <= CASES; seed++) {
		struct workload workloads[3];
		struct spec spec = spec_defaults();
		struct made bounded, whole;

		dice = seed * 7919;
		spec.workloads = workloads;
		spec.workload_count = 1 + roll(3);
		for (int w = 0; w < spec.workload_count; w++)
			workloads[w] = some_workload();
		some_needs(&spec);
		make_plan(&spec, true, &bounded);
		make_plan(&spec, false, &whole);
		assert_int_equal(bounded.plan.option_count, whole.plan.option_count);
		for (int i = 0; i < whole.plan.option_count; i++)
			assert_same_option(&bounded.plan.options[i], &whole.plan.options[i]);
		assert_int_equal(counted(&bounded.plan), OFFERS);
		assert_int_equal(counted(&whole.plan), OFFERS);
		options += whole.plan.option_count;
		free(bounded.memory.block);
		free(whole.memory.block);
	}
	assert_true(options > 5 * CASES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_passed_over_by_its_bound_would_not_have_been_shown),
	};

	return cmocka_run_group_tests(tests, fill_catalogue, drop_catalogue);
}
