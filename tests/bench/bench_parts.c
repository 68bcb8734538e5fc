/*
 * bench_parts.c FOLDER OFFERS - what the parts cost by themselves, one line each, best of five.
 *
 * Sizing in loops; a price sheet read as XLSX and as CSV (left in FOLDER for other readers to be
 * timed on); a snapshot of OFFERS offers built, and built again while two threads plan.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/planner.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "market/catalogue.h"
#include "sheet/sheet.h"
#include "sheet/xlsx_write.h"
#include "tests/bench/catalogue.h"

#define BATCH_US 100000
#define BATCHES 5
#define TODAY 20787 /* 2026-11-30 */

static struct reference reference;

/* Microseconds of one call of WORK(CONTEXT), the mean of the best batch. */
static double best_us(void (*work)(void *context), void *context)
{
	double best = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		int64_t began_us = clock_monotonic_us();
		int64_t spent_us = 0;
		int calls = 0;

		for (; spent_us < BATCH_US; calls++) {
			work(context);
			spent_us = clock_monotonic_us() - began_us;
		}
		double mean = (double)spent_us / calls;

		if (batch == 0 || mean < best)
			best = mean;
	}
	return best;
}

static void report(const char *name, double us, const char *aim)
{
	if (us < 1000)
		printf("%-44s %9.2f us  %s\n", name, us, aim);
	else
		printf("%-44s %9.2f ms  %s\n", name, us / 1000, aim);
	fflush(stdout);
}

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

		demand_size(workload, &basis, &class, &demand);
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

/* ---- Sheets ---- */

static const char *const headings[] = {"型号",     "城市",       "机房",
                                       "卡数",     "库存（台）", "包月（元/台/月，含税6%）",
                                       "交付方式", "SLA",        "更换（小时）"};
#define COLUMNS (sizeof headings / sizeof *headings)

/* Row ROW of a sheet that could be a supplier's. */
static void sheet_row(int row, const char *cells[COLUMNS], char price[24], char stock[24])
{
	static const char *const cards[] = {"H100 SXM", "A100 80G", "L40S", "RTX 4090", "H20 96G"};
	static const char *const prices[] = {"7", "4", "2", "1", "5"};
	static const char *const cities[] = {"深圳", "东莞", "惠州"};

	snprintf(price, 24, "%s%04d", prices[row % 5], row % 7919);
	snprintf(stock, 24, "%d", row % 40);
	const char *all[COLUMNS] = {cards[row % 5], cities[row % 3], "示例机房", "8", stock,
	                            price,          "裸金属",        "99.9%",    "4"};

	for (size_t i = 0; i < COLUMNS; i++)
		cells[i] = all[i];
}

static void make_csv(int rows, struct buf *file)
{
	const char *cells[COLUMNS];
	char price[24], stock[24];

	for (int row = -1; row < rows; row++) {
		if (row >= 0)
			sheet_row(row, cells, price, stock);
		for (size_t i = 0; i < COLUMNS; i++) {
			buf_puts(file, row < 0 ? headings[i] : cells[i]);
			buf_putc(file, i + 1 < COLUMNS ? ',' : '\n');
		}
	}
}

static bool make_xlsx(int rows, struct buf *file)
{
	struct xlsx_write out = xlsx_write_begin();
	const char *cells[COLUMNS];
	char price[24], stock[24];

	for (size_t i = 0; i < COLUMNS; i++)
		xlsx_text(&out, headings[i]);
	xlsx_end_row(&out);
	for (int row = 0; row < rows; row++) {
		sheet_row(row, cells, price, stock);
		for (size_t i = 0; i < COLUMNS; i++)
			if (i >= 3 && i <= 5)
				xlsx_number(&out, cells[i]);
			else
				xlsx_text(&out, cells[i]);
		xlsx_end_row(&out);
	}
	return xlsx_write_finish(&out, "报价", file);
}

static void read_sheet(void *context)
{
	const struct buf *file = context;
	struct arena *arena = arena_create();
	struct sheet_options options = {
	    .cards = &reference.cards, .hours_per_month = 720, .today = {TODAY}};
	struct sheet sheet;

	sheet_read(arena, file->bytes, file->size, NULL, &options, &sheet);
	if (!sheet.accepted)
		printf("the sheet was not accepted\n");
	arena_destroy(arena);
}

static void bench_sheet(const char *folder, const char *name, const char *what, struct buf *file)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *kept = fopen(path, "wb");

	if (kept == NULL || fwrite(file->bytes, 1, file->size, kept) != file->size)
		perror(path);
	if (kept != NULL)
		fclose(kept);
	report(what, best_us(read_sheet, file), "");
	buf_finish(file);
}

static void bench_sheets(const char *folder)
{
	struct buf file = {0};

	if (make_xlsx(5000, &file))
		bench_sheet(folder, "prices.xlsx", "XLSX of 5000 rows", &file);
	make_csv(40000, &file);
	bench_sheet(folder, "prices.csv", "CSV of 40000 rows", &file);
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

	if (argc != 3) {
		fputs("usage: bench_parts FOLDER OFFERS\n", stderr);
		return 2;
	}
	problems_init(&problems, arena);
	reference_baked(arena, &problems, &reference);
	bench_sizing();
	bench_sheets(argv[1]);
	bench_snapshot((size_t)strtoul(argv[2], NULL, 10));
	arena_destroy(arena);
	return 0;
}
