/*
 * plan_lines.c - plans one case per line of standard input, for the brute force to compare with.
 *
 * A case is one JSON object; enums are numbers, money and dates are strings (see brute_force.py,
 * which writes them). The answer is one JSON object per line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/plan_source.h"
#include "base/alloc.h"
#include "base/arena.h"

static json_int_t integer(const json_t *json, const char *name, json_int_t missing)
{
	const json_t *value = json_object_get(json, name);

	return json_is_integer(value) ? json_integer_value(value) : missing;
}

static const char *string(const json_t *json, const char *name)
{
	return json_string_value(json_object_get(json, name));
}

static double number(const json_t *json, const char *name)
{
	return json_number_value(json_object_get(json, name));
}

static struct money money(const json_t *json, const char *name)
{
	struct money amount;

	if (string(json, name) == NULL || !money_parse(string(json, name), &amount)) {
		fprintf(stderr, "%s is no money\n", name);
		exit(1);
	}
	return amount;
}

static struct date date(const json_t *json, const char *name)
{
	struct date day;

	return string(json, name) != NULL && date_parse(string(json, name), &day) ? day : DATE_NONE;
}

static struct price read_price(const json_t *json)
{
	struct price price = {
	    .item = (enum price_item)integer(json, "item", 0),
	    .term = (enum price_term)integer(json, "term", 0),
	    .amount = money(json, "amount"),
	    .unit = {(enum per)integer(json, "per", 0), (int32_t)integer(json, "per_count", 1),
	             (enum period)integer(json, "period", 0),
	             (int32_t)integer(json, "period_count", 1)},
	    .currency = "CNY",
	    .tax = (enum tax_basis)integer(json, "tax", 0),
	    .tax_rate_bp = (int32_t)integer(json, "rate", -1),
	    .min_quantity = (int32_t)integer(json, "min_quantity", 0),
	};

	return price;
}

static struct offer read_offer(struct arena *arena, const json_t *json)
{
	struct offer offer = offer_blank();
	const json_t *prices = json_object_get(json, "prices");

	offer.id = integer(json, "id", 0);
	offer.supplier = "s";
	offer.kind = (enum offer_kind)integer(json, "kind", 0);
	offer.card = string(json, "card");
	offer.cards_per_server = (int)integer(json, "cards_per_server", 0);
	offer.servers_available = (int)integer(json, "stock", -1);
	offer.city = (enum city)integer(json, "city", 0);
	offer.delivery = (enum delivery)integer(json, "delivery", 0);
	offer.min_term_months = (int)integer(json, "min_term", 0);
	offer.cabinet_watts = integer(json, "watts", 0);
	offer.cabinet_u = (int)integer(json, "u", 0);
	offer.power_billing = (enum power_billing)integer(json, "power", 0);
	offer.availability_ppm = (int32_t)integer(json, "availability", -1);
	offer.support_24x7 = (enum yes_no)integer(json, "support", 0);
	offer.valid_to = date(json, "valid_to");
	offer.price_count = (int)json_array_size(prices);
	offer.prices = arena_array(arena, struct price, (size_t)offer.price_count + 1);
	for (int i = 0; i < offer.price_count; i++)
		offer.prices[i] = read_price(json_array_get(prices, (size_t)i));
	return offer;
}

static struct workload read_workload(const struct cards *cards, const json_t *json)
{
	const struct card *card = card_find(cards, string(json, "card"));
	struct workload workload = {.name = "w",
	                            .kind = (enum workload_kind)integer(json, "kind", 0)};

	workload.usage = (struct usage){.card = card,
	                                .gpu_hours = number(json, "gpu_hours"),
	                                .days = number(json, "days"),
	                                .utilisation = number(json, "utilisation"),
	                                .buffer = number(json, "buffer"),
	                                .buffer_given = true};
	workload.hosting =
	    (struct hosting){.card = card,
	                     .cards_per_server = (int)integer(json, "cards_per_server", 0),
	                     .servers = (int)integer(json, "servers", 0)};
	return workload;
}

static struct spec read_spec(struct arena *arena, const struct cards *cards, const json_t *json)
{
	struct spec spec = spec_defaults();
	const json_t *list = json_object_get(json, "workloads");
	struct workload *workloads;

	spec.workload_count = (int)json_array_size(list);
	workloads = arena_array(arena, struct workload, (size_t)spec.workload_count + 1);
	for (int i = 0; i < spec.workload_count; i++)
		workloads[i] = read_workload(cards, json_array_get(list, (size_t)i));
	spec.workloads = workloads;
	spec.routes = (unsigned)integer(json, "routes", 7);
	spec.terms = (unsigned)integer(json, "terms", 15);
	spec.cities = (unsigned)integer(json, "cities", 0);
	spec.any_city = json_is_true(json_object_get(json, "any_city"));
	spec.top = (int)integer(json, "top", 10);
	spec.basis.months = (int)integer(json, "months", 12);
	spec.basis.hours_per_month = (int)integer(json, "hours", 720);
	spec.basis.tax = (enum tax_basis)integer(json, "tax", TAX_EXCLUDED);
	spec.basis.start = date(json, "start");
	spec.require.availability_ppm = (int32_t)integer(json, "availability", 0);
	spec.require.support_24x7 = json_is_true(json_object_get(json, "support"));
	spec.network.public_mbps = ratio_of(integer(json, "mbps", 0));
	spec.has_budget = string(json, "budget") != NULL;
	if (spec.has_budget)
		spec.budget_per_month = money(json, "budget");
	return spec;
}

static json_t *option_json(const struct plan_option *option)
{
	char total[MONEY_TEXT_SIZE];
	json_t *items = json_array();

	money_format(option->total, total);
	for (int i = 0; i < option->item_count; i++)
		json_array_append_new(items, json_pack("[i,I,i]", option->items[i].workload,
		                                       (json_int_t)option->items[i].offer->id,
		                                       option->items[i].servers));
	return json_pack("{s:s,s:s,s:i,s:o}", "route", route_names[option->route], "total", total,
	                 "unknown", option->unknown_count, "items", items);
}

static json_t *demand_json(const struct demand *demand)
{
	return json_pack("{s:i,s:s,s:i,s:s,s:i,s:i,s:I,s:I,s:I}", "workload", demand->workload,
	                 "card", demand->class.card == NULL ? "" : demand->class.card->id,
	                 "cards_per_server", demand->class.cards_per_server, "verdict",
	                 demand_verdict_names[demand->verdict], "cards", demand->cards, "servers",
	                 demand->servers, "milli_hours", (json_int_t)demand->milli_hours,
	                 "milli_card_hours", (json_int_t)demand->milli_card_hours, "server_watts",
	                 (json_int_t)demand->server_watts);
}

static void print_plan(const struct plan *plan)
{
	json_t *options = json_array();
	json_t *demands = json_array();
	json_t *reasons = json_object();

	for (int i = 0; i < plan->option_count; i++)
		json_array_append_new(options, option_json(&plan->options[i]));
	for (int i = 0; i < plan->demand_count; i++)
		json_array_append_new(demands, demand_json(&plan->demand[i]));
	for (int i = 0; i < plan->not_chosen_count; i++)
		json_object_set_new(reasons, reason_names[plan->not_chosen[i].reason],
		                    json_integer((json_int_t)plan->not_chosen[i].offers));
	json_t *answer = json_pack("{s:o,s:o,s:o,s:I}", "options", options, "demand", demands,
	                           "reasons", reasons, "used", (json_int_t)plan->offers_used);

	json_dumpf(answer, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(answer);
}

static void plan_line(const struct reference *reference, const char *line)
{
	json_error_t error;
	json_t *json = json_loads(line, 0, &error);
	struct arena *arena = arena_create();
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference data = {.base = *reference};

	if (json == NULL) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const json_t *offers = json_object_get(json, "offers");

	catalogue_builder_reference(builder, &data);
	for (size_t i = 0; i < json_array_size(offers); i++) {
		struct offer offer = read_offer(arena, json_array_get(offers, i));

		catalogue_builder_add(builder, &offer);
	}
	struct catalogue *catalogue = catalogue_builder_finish(builder);
	struct spec spec = read_spec(arena, &reference->cards, json);
	struct plan_source source = plan_source_of(catalogue, &spec);
	struct plan_memory memory = {.size = plan_memory_needed(&spec, &source)};
	struct plan plan;

	memory.block = alloc_resize(NULL, memory.size);
	if (!plan_make(&spec, &source, &memory, &plan)) {
		fprintf(stderr, "too little memory\n");
		exit(1);
	}
	print_plan(&plan);
	free(memory.block);
	catalogue_release(catalogue);
	arena_destroy(arena);
	json_decref(json);
}

int main(void)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct reference reference;
	char *line = NULL;
	size_t size = 0;

	problems_init(&problems, arena);
	if (!reference_baked(arena, &problems, &reference))
		return 1;
	while (getline(&line, &size, stdin) > 0)
		plan_line(&reference, line);
	free(line);
	arena_destroy(arena);
	return 0;
}
