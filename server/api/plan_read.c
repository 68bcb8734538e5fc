/* plan_read.c - see plan_read.h. */
#include "api/plan_read.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"
#include "sheet/words.h"

#define LONGEST_TITLE 200
#define MOST_RATES 32

static struct ratio zero(void)
{
	return ratio_of(0);
}

/* "other": wherever it is not one of the three. A name of a city that is none of them is no city.
 */
static bool city_asked(const char *name, enum city *city)
{
	static const char *const others[] = {"other", "其他", "其它"};

	*city = city_from_name(name);
	if (*city != CITY_OTHER)
		return *city != CITY_UNKNOWN;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(name, others[i]) == 0)
			return true;
	return false;
}

/*
 * Cities by name, Chinese or English. What is not told apart is refused: one who asks for 广州 is
 * not shown what is overseas.
 */
static void read_cities(struct fields *in, struct spec *spec)
{
	const json_t *list = field_array(in, "cities", FIELD_OPTIONAL, 16);
	size_t index;
	json_t *element;

	json_array_foreach(list, index, element)
	{
		const char *name = json_string_value(element);
		enum city city;

		if (city_asked(name, &city))
			spec->cities |= 1u << city;
		else
			problem_add(in->reader->problems, PROBLEM_ERROR,
			            name == NULL ? "wrong_type" : "unknown_value",
			            (struct place){.pointer = field_element(in, "cities", index)},
			            name,
			            "cities are 深圳, 东莞, 惠州, and other for anywhere else",
			            "城市只有深圳、东莞、惠州，其余地方请写 other");
	}
}

/* A line may be called as in a price sheet: 电信 is "telecom", 多线 "bgp". */
static const char *line_meant(struct arena *arena, const char *line)
{
	const char *meaning =
	    line == NULL ? NULL : words_whole(words_baked(arena), "line", norm_text(arena, line));

	return meaning == NULL ? line : meaning;
}

static void read_network(struct fields *outer, struct spec *spec)
{
	const json_t *json = field_object(outer, "network", FIELD_OPTIONAL);
	struct network_need *need = &spec->network;
	struct fields in;

	if (json == NULL ||
	    !fields_begin(&in, outer->reader, json, field_pointer(outer, "network")))
		return;
	field_ratio(&in, "public_mbps", FIELD_OPTIONAL, zero(), ratio_of(10000000),
	            &need->public_mbps);
	field_ratio(&in, "mbps_95", FIELD_OPTIONAL, zero(), ratio_of(10000000), &need->mbps_95);
	field_ratio(&in, "dedicated_mbps", FIELD_OPTIONAL, zero(), ratio_of(10000000),
	            &need->dedicated_mbps);
	field_ratio(&in, "egress_gb_per_month", FIELD_OPTIONAL, zero(), ratio_of(1000000000),
	            &need->egress_gb);
	field_ratio(&in, "dataset_tb_in", FIELD_OPTIONAL, zero(), ratio_of(1000000),
	            &need->dataset_tb_in);
	field_integer(&in, "ips", FIELD_OPTIONAL, 0, 100000, &need->ips);
	field_string(&in, "line", FIELD_OPTIONAL, &spec->line);
	spec->line = line_meant(outer->reader->arena, spec->line);
	fields_end(&in);
}

static void read_licences(struct fields *in, struct requirement *require)
{
	const json_t *list = field_array(in, "licences", FIELD_OPTIONAL, 16);
	const char **words = arena_array(in->reader->arena, const char *, json_array_size(list));
	size_t index;
	json_t *element;

	json_array_foreach(list, index, element)
	{
		if (json_is_string(element))
			words[require->licence_count++] =
			    arena_strdup(in->reader->arena, json_string_value(element));
		else
			problem_add(in->reader->problems, PROBLEM_ERROR, "wrong_type",
			            (struct place){.pointer = field_element(in, "licences", index)},
			            NULL, "a string is wanted", "应为字符串");
	}
	require->licences = words;
}

/* VALUE x FACTOR as a whole number, rounded up: 4 hours are 240 minutes. */
static int scaled(struct ratio value, int64_t factor)
{
	struct ratio product;
	int64_t whole = 0;

	if (ratio_multiply(value, ratio_of(factor), &product) && ratio_ceil(product, &whole))
		return (int)whole;
	return 0;
}

static void read_links(struct fields *in, struct requirement *require)
{
	int index = 0;

	if (field_enum(in, "delivery", FIELD_OPTIONAL, delivery_names, DELIVERY_COUNT, &index))
		require->delivery = (enum delivery)index;
	if (field_enum(in, "intra_link", FIELD_OPTIONAL, intra_link_names, INTRA_LINK_COUNT,
	               &index))
		require->intra_link = (enum intra_link)index;
	if (field_enum(in, "inter_link", FIELD_OPTIONAL, inter_link_names, INTER_LINK_COUNT,
	               &index))
		require->inter_link = (enum inter_link)index;
}

static void read_require(struct fields *outer, struct date start, struct requirement *require)
{
	const json_t *json = field_object(outer, "require", FIELD_OPTIONAL);
	struct ratio value;
	struct fields in;

	if (json == NULL ||
	    !fields_begin(&in, outer->reader, json, field_pointer(outer, "require")))
		return;
	if (field_ratio(&in, "availability", FIELD_OPTIONAL, zero(), ratio_of(1), &value))
		require->availability_ppm = scaled(value, 1000000);
	if (field_ratio(&in, "replacement_hours", FIELD_OPTIONAL, ratio_make(1, 60),
	                ratio_of(10000), &value))
		require->replacement_minutes = scaled(value, 60);
	if (field_ratio(&in, "max_card_age_years", FIELD_OPTIONAL, ratio_make(1, 12), ratio_of(50),
	                &value))
		require->max_card_age_months = (int16_t)scaled(value, 12);
	field_boolean(&in, "support_24x7", FIELD_OPTIONAL, &require->support_24x7);
	field_boolean(&in, "new_cards", FIELD_OPTIONAL, &require->new_cards);
	field_string(&in, "power_tier", FIELD_OPTIONAL, &require->power_tier);
	if (field_date(&in, "start_by", FIELD_OPTIONAL, &require->start_by) &&
	    require->start_by.days < start.days)
		field_problem(&in, "start_by", "out_of_range", NULL,
		              "the project starts after the last day on which it may",
		              "开始日期晚于最迟开始日期");
	read_links(&in, require);
	read_licences(&in, require);
	fields_end(&in);
}

void assumption_read(struct fields *in, enum cost_assumption code, struct cost_basis *basis)
{
	const struct assumption *figure = &cost_assumptions[code];
	struct ratio value;

	if (field_ratio(in, figure->name, FIELD_OPTIONAL, ratio_make(figure->least_hundredths, 100),
	                ratio_make(figure->most_hundredths, 100), &value))
		cost_basis_give(basis, code, value);
}

static void assumptions_read(struct fields *outer, const char *name, struct cost_basis *basis)
{
	const json_t *json = field_object(outer, name, FIELD_OPTIONAL);
	struct fields in;

	if (json == NULL || !fields_begin(&in, outer->reader, json, field_pointer(outer, name)))
		return;
	for (int code = 0; code < ASSUMPTION_COUNT; code++)
		assumption_read(&in, (enum cost_assumption)code, basis);
	fields_end(&in);
}

static bool read_rate(struct fields *outer, const char *currency, const json_t *json,
                      struct fx_rate *rate)
{
	const char *source = NULL;
	struct fields in;

	if (!fields_begin(&in, outer->reader, json, field_pointer(outer, currency)))
		return false;
	bool whole = field_money(&in, "rate", FIELD_REQUIRED, &rate->per_unit);

	if (whole && money_compare(rate->per_unit, money_zero()) == 0)
		field_problem(&in, "rate", "out_of_range", NULL, "must be above 0", "应大于 0");
	whole &= field_date(&in, "date", FIELD_REQUIRED, &rate->on);
	field_string(&in, "source", FIELD_OPTIONAL, &source);
	fields_end(&in);
	rate->source = source == NULL ? "request" : source;
	return whole;
}

/* Three letters; CNY is what all rates are in. */
static bool is_foreign(const char *currency)
{
	return strlen(currency) == 3 && strspn(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 &&
	       strcmp(currency, "CNY") != 0;
}

static void fx_read(struct fields *outer, const char *name, struct cost_basis *basis)
{
	const json_t *json = field_object(outer, name, FIELD_OPTIONAL);
	struct fx_rate *rates = arena_array(outer->reader->arena, struct fx_rate, MOST_RATES);
	struct fields in;
	const char *currency;
	json_t *value;

	if (json == NULL || !fields_begin(&in, outer->reader, json, field_pointer(outer, name)))
		return;
	basis->fx = rates;
	json_object_foreach((json_t *)(uintptr_t)json, currency, value)
	{
		struct fx_rate *rate = &rates[basis->fx_count];

		if (!is_foreign(currency) || basis->fx_count == MOST_RATES) {
			field_problem(&in, currency, "unknown_field", NULL,
			              "a currency code such as \"USD\" is wanted",
			              "应为币种代码，例如 \"USD\"");
			continue;
		}
		memcpy(rate->currency, currency, 4);
		basis->fx_count += read_rate(&in, currency, value, rate);
	}
}

/* The answer tells workloads apart by name. */
static void check_name(struct fields *in, const struct workload *workloads, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(workloads[i].name, workloads[index].name) == 0) {
			field_problem(in, "workloads", "duplicate", workloads[index].name,
			              "two workloads have the name \"%s\"", "有两个任务都名为“%s”",
			              workloads[index].name);
			return;
		}
}

void tariff_check(struct problems *problems, const struct tariffs *tariffs, const char *id)
{
	if (id == NULL || tariff_find(tariffs, id) != NULL)
		return;
	problem_add(problems, PROBLEM_ERROR, "unknown_tariff", (struct place){.pointer = "/tariff"},
	            id, "there is no tariff \"%s\"; see /tariffs", "没有电价表“%s”，见 /tariffs",
	            id);
}

static void read_workloads(struct workload_reader *reader, struct fields *in, struct spec *spec)
{
	const json_t *list = field_array(in, "workloads", FIELD_REQUIRED, PLAN_WORKLOADS_MAX);
	size_t count = json_array_size(list);
	struct workload *workloads = arena_array(reader->json.arena, struct workload, count);
	size_t index;
	json_t *element;

	if (list != NULL && count == 0)
		field_problem(in, "workloads", "missing_field", NULL,
		              "at least one workload is needed", "至少需要一个任务");
	json_array_foreach(list, index, element)
	{
		workload_read(reader, element, field_element(in, "workloads", index),
		              &workloads[index]);
		if (workloads[index].name == NULL)
			workloads[index].name = arena_printf(reader->json.arena, "%zu", index + 1);
		check_name(in, workloads, index);
	}
	spec->workloads = workloads;
	spec->workload_count = (int)count;
}

static void read_basis(struct fields *in, struct date today, struct spec *spec)
{
	static const char *const tax_names[] = {"", "included", "excluded"};
	struct cost_basis *basis = &spec->basis;
	int tax = 0;

	basis->today = today;
	basis->start = today;
	field_integer(in, "months", FIELD_OPTIONAL, 1, 120, &basis->months);
	if (field_integer(in, "hours_per_month", FIELD_OPTIONAL, 720, 730,
	                  &basis->hours_per_month) &&
	    basis->hours_per_month != 720 && basis->hours_per_month != 730)
		field_problem(in, "hours_per_month", "unknown_value", NULL, "must be 720 or 730",
		              "应为 720 或 730");
	if (field_date(in, "start", FIELD_OPTIONAL, &basis->start) &&
	    basis->start.days < today.days)
		field_problem(in, "start", "out_of_range", NULL,
		              "the project cannot start in the past", "开始日期不能早于今天");
	if (field_enum(in, "tax", FIELD_OPTIONAL, tax_names, 3, &tax))
		basis->tax = (enum tax_basis)tax;
	fx_read(in, "fx", basis);
	assumptions_read(in, "assumptions", basis);
}

static void read_choice(struct fields *in, struct spec *spec)
{
	static const char *const sensitivity_scopes[] = {"lines", "full"};
	int service = 0;
	int scope = 0;
	unsigned terms = 0;

	read_cities(in, spec);
	field_boolean(in, "any_city", FIELD_OPTIONAL, &spec->any_city);
	field_enum_set(in, "routes", FIELD_OPTIONAL, route_names, ROUTE_COUNT, &spec->routes);
	if (field_enum_set(in, "terms", FIELD_OPTIONAL, price_term_names, TERM_SPOT + 1, &terms))
		spec->terms = terms;
	if (field_enum(in, "service", FIELD_OPTIONAL, service_tier_names, SERVICE_TIER_COUNT,
	               &service))
		spec->service = (enum service_tier)service;
	spec->has_budget =
	    field_money(in, "budget_per_month", FIELD_OPTIONAL, &spec->budget_per_month);
	field_integer(in, "top", FIELD_OPTIONAL, 1, PLAN_TOP_MAX, &spec->top);
	field_boolean(in, "convert_usage", FIELD_OPTIONAL, &spec->convert_usage);
	if (field_enum(in, "sensitivity", FIELD_OPTIONAL, sensitivity_scopes, 2, &scope))
		spec->full_sensitivity = scope == 1;
	if (spec->routes == 0)
		field_problem(in, "routes", "missing_field", NULL, "at least one route is needed",
		              "至少需要一条路径");
	if (spec->terms == 0)
		field_problem(in, "terms", "missing_field", NULL, "at least one term is needed",
		              "至少需要一种租期");
}

bool plan_read(struct workload_reader *reader, const json_t *json, struct date today,
               struct spec *spec)
{
	size_t errors = reader->json.problems->errors;
	struct fields in;

	*spec = spec_defaults();
	reader->for_plan = true;
	if (!fields_begin(&in, &reader->json, json, ""))
		return false;
	if (field_string(&in, "title", FIELD_OPTIONAL, &spec->title) &&
	    strlen(spec->title) > LONGEST_TITLE * 4)
		field_problem(&in, "title", "too_long", NULL, "at most %d characters",
		              "最多 %d 个字", LONGEST_TITLE);
	read_workloads(reader, &in, spec);
	read_basis(&in, today, spec);
	read_choice(&in, spec);
	read_network(&in, spec);
	field_ratio(&in, "storage_tb", FIELD_OPTIONAL, zero(), ratio_of(1000000),
	            &spec->network.storage_tb);
	read_require(&in, spec->basis.start, &spec->require);
	field_string(&in, "tariff", FIELD_OPTIONAL, &spec->tariff_id);
	spec->has_kwh_price = field_money(&in, "kwh_price", FIELD_OPTIONAL, &spec->kwh_price);
	fields_end(&in);
	return reader->json.problems->errors == errors;
}
