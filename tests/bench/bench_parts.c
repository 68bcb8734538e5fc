/*
 * bench_parts.c OFFERS - what the parts cost by themselves, one line each, best of five.
 *
 * Sizing in loops; a snapshot of OFFERS offers built, and built again while two threads plan.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/planner.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/clock.h"
#include "market/catalogue.h"
#include "tests/bench/catalogue.h"
#include "tests/bench/measure.h"

#define TODAY 20787 /* 2026-11-30 */

static struct reference reference;

/* ---- Sizing ---- */

struct sizing {
	struct training training;
	struct serving serving;
	struct cluster on;
	struct layout layout;
	struct serving_layout serving_layout;
};

static void size_training(void *context)
{
	struct sizing *s = context;
	struct training_size size;

	training_size(&s->training, &s->on, &s->layout, &size);
}

static void size_serving(void *context)
{
	struct sizing *s = context;
	struct serving_size size;

	serving_size(&s->serving, &s->on, &s->serving_layout, &size);
}

static void search_training(void *context)
{
	struct sizing *s = context;
	struct training_size size;

	training_best_layout(&s->training, &s->on, 0, &size);
}

static void size_on_all_cards(const struct workload *workload)
{
	struct demand_basis basis = {.hours_per_month = 720};

	for (size_t i = 0; i < reference.cards.count; i++) {
		struct card_class class = {
		    .card = &reference.cards.items[i], .inter_link = INTER_IB, .inter_gbps = 3200};
		struct demand demand;

		demand_size(workload, &basis, &class, NULL, &demand);
	}
}

static void train_on_all_cards(void *context)
{
	const struct sizing *s = context;
	struct workload workload = {.kind = WORKLOAD_TRAINING, .training = s->training};

	workload.training.tokens = 2e8;
	workload.training.runs_per_month = 8;
	workload.training.deadline_hours = 12;
	size_on_all_cards(&workload);
}

static void serve_on_all_cards(void *context)
{
	const struct sizing *s = context;
	struct workload workload = {.kind = WORKLOAD_INFERENCE, .serving = s->serving};

	workload.serving.ttft_ms = 500;
	workload.serving.tpot_ms = 50;
	size_on_all_cards(&workload);
}

static void bench_sizing(void)
{
	const struct model *model = model_find(&reference.models, "qwen2.5-14b");
	struct sizing s = {
	    .training = {.model = model, .method = METHOD_LORA, .seq_len = 4096},
	    .serving = {.model = model,
	                .input_tokens = 1200,
	                .output_tokens = 300,
	                .requests_per_s = 20,
	                .engine = ENGINE_VLLM},
	    .on = {.card = card_find(&reference.cards, "h100-sxm"),
	           .cards = 8,
	           .cards_per_server = 8,
	           .intra_link = INTRA_NVLINK,
	           .inter_link = INTER_IB,
	           .inter_gbps = 3200},
	    .layout = {.tp = 1, .pp = 1, .cp = 1, .dp = 8, .micro_batch = 1, .global_batch = 64},
	    .serving_layout = {.tp = 1, .pp = 1, .dp = 1},
	};

	report("training, layout given", best_us(size_training, &s), "aim 20 us");
	report("serving, layout given", best_us(size_serving, &s), "aim 20 us");
	s.on.cards = 1024;
	s.training.method = METHOD_PRETRAIN;
	report("pretraining, best layout of 1024 cards", best_us(search_training, &s), "aim 20 ms");
	s.training.method = METHOD_LORA;
	report("fine-tuning with a deadline, all cards", best_us(train_on_all_cards, &s),
	       "aim 20 ms");
	report("serving with limits, all cards", best_us(serve_on_all_cards, &s), "aim 20 ms");
}

/* ---- The snapshot ---- */

static struct catalogue *build(size_t offers, double *finish_us)
{
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference all = {.base = reference};
	int suppliers = bench_suppliers(offers);

	catalogue_builder_reference(builder, &all);
	for (int64_t i = 0; i < (int64_t)offers; i++) {
		struct price prices[BENCH_PRICES_MAX];
		struct bench_text text;
		struct offer offer;
		int supplier = (int)(i % suppliers);
		char id[24];

		bench_offer(supplier, (size_t)(i / suppliers), &offer, prices, &text);
		snprintf(id, sizeof id, "bench-%03d", supplier);
		offer.id = i + 1;
		offer.sheet_id = supplier + 1;
		offer.supplier = id;
		offer.supplier_name = "示例供应商";
		catalogue_builder_add(builder, &offer);
	}
	int64_t began_us = clock_monotonic_us();
	struct catalogue *catalogue = catalogue_builder_finish(builder);

	*finish_us = (double)(clock_monotonic_us() - began_us);
	return catalogue;
}

struct readers {
	struct catalogue_slot *slot;
	struct planner *planner;
	_Atomic bool stop;
	_Atomic int64_t slowest_us;
	_Atomic int64_t plans;
	_Atomic int64_t spent_us;
};

static void plan_once(struct readers *readers)
{
	struct catalogue *catalogue = catalogue_slot_get(readers->slot);
	struct workload usage = {.kind = WORKLOAD_USAGE,
	                         .usage = {.card = card_find(&reference.cards, "h100-sxm"),
	                                   .gpu_hours = 40000,
	                                   .days = 90}};
	struct spec spec = spec_defaults();
	struct planned planned;
	int64_t began_us = clock_monotonic_us();

	spec.workloads = &usage;
	spec.workload_count = 1;
	spec.routes = 1u << ROUTE_RENT;
	spec.basis.today = (struct date){TODAY};
	planner_make(readers->planner, catalogue, &spec, &planned);
	planner_give_back(readers->planner, &planned);
	catalogue_release(catalogue);
	int64_t spent_us = clock_monotonic_us() - began_us;

	readers->plans++;
	readers->spent_us += spent_us;
	if (spent_us > readers->slowest_us)
		readers->slowest_us = spent_us;
}

static void *read_on(void *context)
{
	struct readers *readers = context;

	while (!readers->stop)
		plan_once(readers);
	return NULL;
}

static void bench_snapshot(size_t offers)
{
	pthread_t threads[2];
	double finish_us;
	int64_t began_us = clock_monotonic_us();
	struct readers readers = {.slot = catalogue_slot_create(build(offers, &finish_us)),
	                          .planner = planner_create()};

	report("snapshot built from offers in memory", (double)(clock_monotonic_us() - began_us),
	       "");
	report("  of it sorting and laying out", finish_us, "");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, read_on, &readers);
	began_us = clock_monotonic_us();
	catalogue_slot_put(readers.slot, build(offers, &finish_us));
	int64_t spent_us = clock_monotonic_us() - began_us;

	readers.stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	report("the same while two threads plan", (double)spent_us, "");
	report("  a plan meanwhile, mean", (double)readers.spent_us / (double)readers.plans, "");
	report("  a plan meanwhile, slowest", (double)readers.slowest_us, "");
	planner_destroy(readers.planner);
	catalogue_slot_destroy(readers.slot);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct problems problems;

	if (argc != 2) {
		fputs("usage: bench_parts OFFERS\n", stderr);
		return 2;
	}
	problems_init(&problems, arena);
	reference_baked(arena, &problems, &reference);
	bench_sizing();
	bench_snapshot((size_t)strtoul(argv[1], NULL, 10));
	arena_destroy(arena);
	return 0;
}
