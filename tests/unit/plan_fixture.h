/* plan_fixture.h - a small catalogue and a plan over it, for the planner's tests. */
#ifndef TESTS_PLAN_FIXTURE_H
#define TESTS_PLAN_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "api/plan_source.h"
#include "base/alloc.h"
#include "base/arena.h"

#define FIXTURE_OFFERS 128
#define FIXTURE_PRICES 8

struct fixture {
	struct offer offers[FIXTURE_OFFERS];
	struct price prices[FIXTURE_OFFERS][FIXTURE_PRICES];
	int count;
	struct workload workloads[PLAN_WORKLOADS_MAX];
	struct spec spec;
	struct catalogue *catalogue;
	struct plan_memory memory;
	struct plan plan;
};

/* A copy that lives as long as the program: callers print amounts into arrays of their own. */
static inline const char *fixture_words(const char *text)
{
	static struct arena *words;

	if (words == NULL)
		words = arena_create();
	return arena_strdup(words, text);
}

static inline struct price *fixture_price(struct offer *offer, enum price_item item,
                                          enum price_term term, const char *amount,
                                          struct unit unit)
{
	struct price *price = &offer->prices[offer->price_count++];
	bool good;

	*price = (struct price){.item = item,
	                        .term = term,
	                        .unit = unit,
	                        .currency = "CNY",
	                        .tax = TAX_EXCLUDED,
	                        .tax_rate_bp = -1,
	                        .as_quoted = fixture_words(amount),
	                        .unit_text = ""};
	good = money_parse(amount, &price->amount);
	if (!good)
		abort();
	return price;
}

static inline struct offer *fixture_offer(struct fixture *fixture, enum offer_kind kind)
{
	struct offer *offer = &fixture->offers[fixture->count];

	*offer = offer_blank();
	offer->prices = fixture->prices[fixture->count];
	offer->id = ++fixture->count;
	offer->sheet_id = 1;
	offer->supplier = "example";
	offer->supplier_name = "示例";
	offer->row = fixture->count + 1;
	offer->kind = kind;
	offer->city = CITY_SHENZHEN;
	return offer;
}

/* A whole H100 server by the month. */
static inline struct offer *fixture_rental(struct fixture *fixture, const char *per_month)
{
	struct offer *offer = fixture_offer(fixture, OFFER_RENTAL);

	offer->card = "h100-sxm";
	offer->cards_per_server = 8;
	offer->delivery = DELIVERY_BARE_METAL;
	fixture_price(offer, ITEM_COMPUTE, TERM_MONTHLY, per_month,
	              (struct unit){PER_SERVER, 1, PERIOD_MONTH, 1});
	return offer;
}

static inline struct offer *fixture_cabinet(struct fixture *fixture, const char *per_month,
                                            int watts)
{
	struct offer *offer = fixture_offer(fixture, OFFER_COLOCATION);

	offer->cabinet_watts = watts;
	offer->cabinet_u = 42;
	offer->power_billing = POWER_INCLUDED;
	fixture_price(offer, ITEM_CABINET, TERM_MONTHLY, per_month,
	              (struct unit){PER_CABINET, 1, PERIOD_MONTH, 1});
	return offer;
}

static inline struct offer *fixture_purchase(struct fixture *fixture, const char *per_server)
{
	struct offer *offer = fixture_offer(fixture, OFFER_PURCHASE);

	offer->card = "h100-sxm";
	offer->cards_per_server = 8;
	fixture_price(offer, ITEM_PURCHASE, TERM_ONE_OFF, per_server,
	              (struct unit){PER_SERVER, 1, PERIOD_ONCE, 1});
	return offer;
}

static inline void fixture_begin(struct fixture *fixture)
{
	memset(fixture, 0, sizeof *fixture);
	fixture->spec = spec_defaults();
	fixture->spec.workloads = fixture->workloads;
	fixture->spec.routes = 1u << ROUTE_RENT;
}

static inline const struct card *fixture_card(struct fixture *fixture, const char *id);

/* GPU-hours that keep SERVERS servers of 8 busy all month, without buffer. */
static inline struct workload *fixture_usage(struct fixture *fixture, const struct card *card,
                                             double gpu_hours, double days)
{
	struct workload *workload = &fixture->workloads[fixture->spec.workload_count++];

	workload->name = "usage";
	workload->kind = WORKLOAD_USAGE;
	workload->usage = (struct usage){
	    .card = card, .gpu_hours = gpu_hours, .days = days, .buffer = 0, .buffer_given = true};
	return workload;
}

static inline struct workload *fixture_hosting(struct fixture *fixture, const struct card *card,
                                               int servers)
{
	struct workload *workload = &fixture->workloads[fixture->spec.workload_count++];

	workload->name = "hosting";
	workload->kind = WORKLOAD_HOSTING;
	workload->hosting =
	    (struct hosting){.card = card, .cards_per_server = 8, .servers = servers};
	return workload;
}

/* The card table that is baked in; it lives as long as the process. */
static inline const struct reference *fixture_reference(void)
{
	static struct reference reference;
	static struct arena *arena;
	struct problems problems;

	if (arena != NULL)
		return &reference;
	arena = arena_create();
	problems_init(&problems, arena);
	if (!reference_baked(arena, &problems, &reference))
		abort();
	return &reference;
}

/* 200 requests a second from 9 to 18, a tenth of it at other hours. */
static inline struct serving fixture_serving_by_day(void)
{
	struct serving serving = {.model = model_find(&fixture_reference()->models, "qwen2.5-14b"),
	                          .weights = WEIGHTS_INT8,
	                          .input_tokens = 1200,
	                          .output_tokens = 300,
	                          .requests_per_s = 200,
	                          .ttft_ms = 1000,
	                          .tpot_ms = 60,
	                          .spare_replicas = 1,
	                          .profile_hours = 24};

	for (int hour = 0; hour < 24; hour++)
		serving.profile[hour] = hour >= 9 && hour < 18 ? 1 : 0.1;
	return serving;
}

static inline const struct card *fixture_card(struct fixture *fixture, const char *id)
{
	(void)fixture;
	return card_find(&fixture_reference()->cards, id);
}

static inline void fixture_drop(struct fixture *fixture)
{
	if (fixture->catalogue == NULL)
		return;
	free(fixture->memory.block);
	catalogue_release(fixture->catalogue);
	fixture->spec.tariffs = NULL; /* they were the catalogue's */
	fixture->memory.block = NULL;
	fixture->catalogue = NULL;
}

/* Also again, when the request or the offers have changed. */
static inline void fixture_plan(struct fixture *fixture)
{
	fixture_drop(fixture);
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference reference = {.base = *fixture_reference()};

	catalogue_builder_reference(builder, &reference);
	for (int i = 0; i < fixture->count; i++)
		catalogue_builder_add(builder, &fixture->offers[i]);
	fixture->catalogue = catalogue_builder_finish(builder);
	struct plan_source source = plan_source_of(fixture->catalogue, &fixture->spec);

	fixture->memory.size = plan_memory_needed(&fixture->spec, &source);
	fixture->memory.block = alloc_resize(NULL, fixture->memory.size);
	if (!plan_make(&fixture->spec, &source, &fixture->memory, &fixture->plan))
		abort();
}

static inline void fixture_end(struct fixture *fixture)
{
	fixture_drop(fixture);
}

#endif
