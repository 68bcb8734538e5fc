/* test_api_read.c - requests into values: every problem at once, with its place and a hint. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "api/compare.h"
#include "api/plan_read.h"
#include "api/size.h"
#include "base/arena.h"
#include "offer/reference.h"

struct world {
	struct arena *arena;
	struct problems problems;
	struct reference reference;
	struct remarks assumed;
	struct workload_reader reader;
};

static int setup(void **state)
{
	struct arena *arena = arena_create();
	struct world *world = arena_new(arena, struct world);

	world->arena = arena;
	problems_init(&world->problems, arena);
	if (!reference_baked(arena, &world->problems, &world->reference))
		return -1;
	world->assumed = (struct remarks){.arena = arena};
	world->reader = (struct workload_reader){
	    .json = {.arena = arena, .problems = &world->problems},
	    .cards = &world->reference.cards,
	    .models = &world->reference.models,
	    .assumed = &world->assumed,
	};
	*state = world;
	return 0;
}

static int teardown(void **state)
{
	arena_destroy(((struct world *)*state)->arena);
	return 0;
}

static bool has_problem(const struct world *world, const char *code, const char *pointer)
{
	for (size_t i = 0; i < world->problems.count; i++)
		if (strcmp(world->problems.items[i].code, code) == 0 &&
		    strcmp(world->problems.items[i].place.pointer, pointer) == 0)
			return true;
	return false;
}

static const char *hint_at(const struct world *world, const char *pointer)
{
	for (size_t i = 0; i < world->problems.count; i++)
		if (strcmp(world->problems.items[i].place.pointer, pointer) == 0)
			return world->problems.items[i].hint.en;
	return NULL;
}

static bool read_size(struct world *world, const char *text, struct size_request *request)
{
	json_t *json = json_parse(&world->reader.json, text, strlen(text));
	bool read = json != NULL && size_read(&world->reader, json, request);

	json_decref(json);
	return read;
}

static bool read_plan(struct world *world, const char *text, struct spec *spec)
{
	struct date today;
	json_t *json = json_parse(&world->reader.json, text, strlen(text));

	assert_true(date_parse("2026-11-30", &today));
	bool read = json != NULL && plan_read(&world->reader, json, today, spec);

	json_decref(json);
	return read;
}

static void every_problem_of_a_request_is_told_at_once(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_false(read_size(world,
	                       "{\"workload\":{\"kind\":\"training\",\"method\":\"lora\","
	                       "\"model\":\"qwen2.5-14\",\"seq_length\":1,\"lora_rank\":0},"
	                       "\"on\":{\"card\":\"h100\",\"cards\":\"eight\"},\"layuot\":{}}",
	                       &request));
	assert_true(has_problem(world, "unknown_model", "/workload/model"));
	assert_true(has_problem(world, "unknown_field", "/workload/seq_length"));
	assert_true(has_problem(world, "out_of_range", "/workload/lora_rank"));
	assert_true(has_problem(world, "unknown_card", "/on/card"));
	assert_true(has_problem(world, "wrong_type", "/on/cards"));
	assert_true(has_problem(world, "unknown_field", "/layuot"));
	assert_int_equal(world->problems.errors, 6);
	assert_string_equal(hint_at(world, "/layuot"), "did you mean \"layout\"?");
	assert_string_equal(hint_at(world, "/workload/model"), "did you mean \"qwen2.5-14b\"?");
	assert_non_null(strstr(hint_at(world, "/on/card"), "h100-pcie"));
}

/* 99.9 once came back as 99.900000000000006, which nobody had typed. */
static void a_number_that_is_refused_stands_there_as_it_was_typed(void **state)
{
	struct world *world = *state;
	struct spec spec;

	assert_false(read_plan(world,
	                       "{\"workloads\":[{\"kind\":\"usage\",\"card\":\"h100-sxm\","
	                       "\"gpu_hours\":1,\"days\":1}],\"months\":1,"
	                       "\"require\":{\"availability\":99.9}}",
	                       &spec));
	assert_true(has_problem(world, "out_of_range", "/require/availability"));
	assert_string_equal(world->problems.items[0].value, "99.9");
}

static void a_line_is_called_as_in_a_price_sheet(void **state)
{
	static const struct {
		const char *asked;
		const char *line;
	} cases[] = {{"电信", "telecom"},
	             {"多线", "bgp"},
	             {"BGP", "bgp"},
	             {"Telecom", "telecom"},
	             {"something of its own", "something of its own"}};
	struct world *world = *state;
	struct spec spec;
	char text[200];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text,
		         "{\"workloads\":[{\"kind\":\"usage\",\"card\":\"h100-sxm\","
		         "\"gpu_hours\":1,\"days\":1}],\"months\":1,"
		         "\"network\":{\"public_mbps\":10,\"line\":\"%s\"}}",
		         cases[i].asked);
		assert_true(read_plan(world, text, &spec));
		assert_string_equal(spec.line, cases[i].line);
	}
}

/* 广州, and 深 圳 with a space, once meant every place that is none of the three: overseas, too. */
static void a_city_that_is_not_told_apart_is_refused(void **state)
{
	struct world *world = *state;
	struct spec spec;

	assert_false(read_plan(world,
	                       "{\"workloads\":[{\"kind\":\"usage\",\"card\":\"h100-sxm\","
	                       "\"gpu_hours\":1,\"days\":1}],\"months\":1,\"cities\":[\"广州\","
	                       "\"Dongguan\",\"深 圳\",7,\"any\",\"other\",\"惠州市\"]}",
	                       &spec));
	assert_true(has_problem(world, "unknown_value", "/cities/0"));
	assert_true(has_problem(world, "unknown_value", "/cities/2"));
	assert_true(has_problem(world, "wrong_type", "/cities/3"));
	assert_true(has_problem(world, "unknown_value", "/cities/4"));
	assert_int_equal(world->problems.errors, 4);
	assert_int_equal(spec.cities, 1u << CITY_DONGGUAN | 1u << CITY_OTHER | 1u << CITY_HUIZHOU);
}

/* The search for a likely name once ran past the end of each id: the service died of it. */
static void a_card_without_a_name_is_an_unknown_card(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_false(read_size(world,
	                       "{\"workload\":{\"kind\":\"training\",\"method\":\"lora\","
	                       "\"model\":\"qwen2.5-14b\"},\"on\":{\"card\":\"\"}}",
	                       &request));
	assert_true(has_problem(world, "unknown_card", "/on/card"));
	assert_int_equal(world->problems.errors, 1);
}

#define CUSTOM(model)                                                                              \
	"{\"workload\":{\"kind\":\"training\",\"method\":\"lora\",\"model\":{" model               \
	"}},\"on\":{\"card\":\"h100-sxm\"}}"

/* Each once gave negative weights, a speed that is not a number, or lost what was given. */
static void a_model_that_contradicts_itself_is_refused(void **state)
{
	static const struct {
		const char *body;
		const char *code;
		const char *pointer;
	} cases[] = {
	    {CUSTOM("\"layers\":4,\"hidden\":4096,\"heads\":32,\"kv_heads\":5"), "contradiction",
	     "/workload/model/kv_heads"},
	    {CUSTOM("\"layers\":4,\"hidden\":4096,\"experts\":8,\"experts_active\":2,"
	            "\"moe_ffn_hidden\":1408,\"ffn_hidden\":8,\"dense_layers\":5"),
	     "contradiction", "/workload/model/dense_layers"},
	    {CUSTOM("\"layers\":4,\"hidden\":4096,\"experts\":8,\"experts_active\":2,"
	            "\"moe_ffn_hidden\":1408,\"moe_every\":2"),
	     "contradiction", "/workload/model/ffn_hidden"},
	    {CUSTOM("\"layers\":4,\"hidden\":4096,\"experts\":8,\"experts_active\":9,"
	            "\"moe_ffn_hidden\":1408"),
	     "contradiction", "/workload/model/experts_active"},
	    {CUSTOM("\"layers\":32,\"hidden\":4096,\"params_b\":0.01"), "contradiction",
	     "/workload/model/params_b"},
	    {CUSTOM("\"layers\":32,\"hidden\":4096,\"sliding_window\":4096,\"window_layers\":33"),
	     "contradiction", "/workload/model/window_layers"},
	    {CUSTOM("\"params_b\":671,\"active_params_b\":37"), "missing_field",
	     "/workload/model/layers"},
	    {CUSTOM("\"params_b\":100000"), "missing_field", "/workload/model/layers"},
	};
	struct world *world = *state;
	struct size_request request;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		world->problems.count = 0;
		world->problems.errors = 0;
		assert_false(read_size(world, cases[i].body, &request));
		assert_true(has_problem(world, cases[i].code, cases[i].pointer));
	}
	world->problems.errors = 0;
	assert_true(read_size(world, CUSTOM("\"params_b\":7"), &request));
}

static void broken_json_names_its_line(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_false(read_size(world, "{\n \"a\": 1,\n \"a\": 2}", &request));
	assert_string_equal(world->problems.items[0].code, "json_invalid");
	assert_non_null(strstr(world->problems.items[0].message.en, "line 3"));
}

static void nesting_is_bounded_before_it_is_parsed(void **state)
{
	struct world *world = *state;
	struct size_request request;
	char text[4001];

	memset(text, '[', 2000);
	memset(text + 2000, ']', 2000);
	text[4000] = '\0';
	assert_false(read_size(world, text, &request));
	assert_string_equal(world->problems.items[0].code, "json_too_deep");
	world->problems.count = 0;
	assert_false(read_size(world,
	                       "\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	                       "[[[[[[[[\\\"[[[[[[\"",
	                       &request));
	assert_string_equal(world->problems.items[0].code, "not_an_object");
}

static void an_escaped_quote_does_not_end_its_string(void **state)
{
	struct world *world = *state;
	struct size_request request;
	char deep[512] = "{\"a\": \"\\\"\", \"b\": ";
	char flat[512] = "\"\\\"";

	memset(deep + strlen(deep), '[', 100);
	assert_false(read_size(world, deep, &request));
	assert_string_equal(world->problems.items[0].code, "json_too_deep");
	world->problems.count = 0;
	memset(flat + strlen(flat), '[', 100);
	strcat(flat, "\"");
	assert_false(read_size(world, flat, &request));
	assert_string_equal(world->problems.items[0].code, "not_an_object");
}

static void money_in_a_request_is_exact(void **state)
{
	struct world *world = *state;
	struct spec spec;
	char text[MONEY_TEXT_SIZE];

	assert_true(read_plan(world,
	                      "{\"workloads\":[{\"kind\":\"hosting\",\"server_kw\":10.2,"
	                      "\"servers\":4}],\"budget_per_month\":0.1,\"kwh_price\":\"0.65\"}",
	                      &spec));
	money_format(spec.budget_per_month, text);
	assert_string_equal(text, "0.10");
	money_format(spec.kwh_price, text);
	assert_string_equal(text, "0.65");
	assert_true(spec.has_budget && spec.has_kwh_price);
	/* What a card-hour costs rests on how many cards the servers have: it is said. */
	assert_int_equal(spec.workloads[0].hosting.cards_per_server, 8);
	assert_string_equal(world->assumed.items[0].code, "assumed_cards_per_server");
	assert_false(read_plan(world,
	                       "{\"workloads\":[{\"kind\":\"hosting\",\"server_kw\":1,"
	                       "\"servers\":1}],\"budget_per_month\":\"-1\"}",
	                       &spec));
	assert_true(has_problem(world, "wrong_type", "/budget_per_month"));
}

#define HOSTING "\"workloads\":[{\"kind\":\"hosting\",\"server_kw\":1,\"servers\":1}]"

/* Each would divide by nothing, or give a bill that nature or arithmetic forbids. */
static void figures_of_the_request_stay_within_what_can_be(void **state)
{
	static const char *const bodies[][2] = {
	    {"{" HOSTING ",\"assumptions\":{\"life_years\":0}}", "/assumptions/life_years"},
	    {"{" HOSTING ",\"assumptions\":{\"pue\":0.9}}", "/assumptions/pue"},
	    {"{" HOSTING ",\"start\":\"2027-06-10\",\"require\":{\"start_by\":\"2027-01-15\"}}",
	     "/require/start_by"},
	    {"{" HOSTING ",\"assumptions\":{\"residual_share\":1.5}}",
	     "/assumptions/residual_share"},
	    {"{" HOSTING ",\"assumptions\":{\"load_factor\":2}}", "/assumptions/load_factor"},
	    {"{" HOSTING ",\"assumptions\":{\"transfer_efficiency\":0}}",
	     "/assumptions/transfer_efficiency"},
	    {"{" HOSTING ",\"fx\":{\"USD\":{\"rate\":0,\"date\":\"2026-11-01\"}}}", "/fx/USD/rate"},
	    {"{" HOSTING ",\"fx\":{\"CNY\":{\"rate\":2,\"date\":\"2026-11-01\"}}}", "/fx/CNY"},
	    {"{" HOSTING ",\"fx\":{\"元\":{\"rate\":2,\"date\":\"2026-11-01\"}}}", "/fx/元"},
	    {"{\"workloads\":[{\"kind\":\"inference\",\"model\":\"qwen2.5-14b\",\"input_tokens\":9,"
	     "\"output_tokens\":9,\"concurrency\":1,\"profile\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	     "0,"
	     "0,0,0,0,0,0]}]}",
	     "/workloads/0/profile"},
	};
	struct world *world = *state;
	struct spec spec;

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		world->problems.count = 0;
		world->problems.errors = 0;
		assert_false(read_plan(world, bodies[i][0], &spec));
		assert_int_equal(world->problems.errors, 1);
		assert_string_equal(world->problems.items[0].place.pointer, bodies[i][1]);
	}
}

static void two_workloads_of_one_name_are_refused(void **state)
{
	struct world *world = *state;
	struct spec spec;

	assert_false(read_plan(
	    world,
	    "{\"workloads\":[{\"name\":\"2\",\"kind\":\"hosting\",\"server_kw\":1,\"servers\":1},"
	    "{\"kind\":\"hosting\",\"server_kw\":1,\"servers\":1}]}",
	    &spec));
	assert_true(has_problem(world, "duplicate", "/workloads"));
}

static bool read_compare(struct world *world, const char *text)
{
	struct compare_request request;
	struct date today;
	json_t *json = json_parse(&world->reader.json, text, strlen(text));

	assert_true(date_parse("2026-11-30", &today));
	world->problems.errors = 0;
	bool read = compare_read(&world->reader.json, world->reader.cards, json, today, &request);

	json_decref(json);
	return read;
}

static void a_comparison_runs_for_some_hours_in_some_city(void **state)
{
	static const char *const wrong[] = {
	    "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\"\"}",
	    "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\"9-9\"}",
	    "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\"9-25\"}",
	    "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\" 9-+18\"}",
	    "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\"9-18,\"}",
	    "{\"kw\":10,\"cities\":\"\"}",
	    "{\"kw\":10,\"pue\":0.5}",
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(read_compare(world, wrong[i]));
	assert_true(read_compare(
	    world, "{\"kw\":10,\"schedule\":\"hours\",\"hours\":\"0-8,22-24\",\"cities\":\"sz\"}"));
}

static void the_example_of_the_interface_is_read_whole(void **state)
{
	struct world *world = *state;
	struct spec spec;

	assert_true(read_plan(
	    world,
	    "{\"title\":\"客服大模型微调与上线\",\"workloads\":["
	    "{\"name\":\"微调\",\"kind\":\"training\",\"method\":\"lora\",\"model\":\"qwen2.5-"
	    "14b\","
	    "\"tokens\":2e8,\"seq_len\":4096,\"runs_per_month\":8,\"deadline_hours\":12},"
	    "{\"name\":\"上线\",\"kind\":\"inference\",\"model\":\"qwen2.5-14b\",\"weights\":"
	    "\"int8\","
	    "\"input_tokens\":1200,\"output_tokens\":300,\"requests_per_s\":20,"
	    "\"profile\":\"office_hours\",\"ttft_ms\":500,\"tpot_ms\":50,\"percentile\":95,"
	    "\"spare_replicas\":1},"
	    "{\"name\":\"历史用量\",\"kind\":\"usage\",\"card\":\"a100-80-sxm\",\"gpu_hours\":"
	    "40000,"
	    "\"days\":90,\"buffer\":0.30},"
	    "{\"name\":\"自有\",\"kind\":\"hosting\",\"card\":\"h100-sxm\",\"cards_per_server\":8,"
	    "\"servers\":4}],\"months\":12,\"cities\":[\"深圳\",\"东莞\",\"惠州\"],"
	    "\"routes\":[\"rent\",\"buy_and_host\",\"hybrid\"],"
	    "\"terms\":[\"hourly\",\"monthly\",\"yearly\"],"
	    "\"network\":{\"public_mbps\":100,\"line\":\"bgp\",\"egress_gb_per_month\":5000,"
	    "\"dataset_tb_in\":10},\"storage_tb\":20,\"service\":\"bare\","
	    "\"require\":{\"availability\":0.999,\"replacement_hours\":4,\"support_24x7\":true,"
	    "\"power_tier\":\"2n\",\"delivery\":\"bare_metal\",\"max_card_age_years\":3,"
	    "\"new_cards\":true,\"licences\":[\"IDC\"],\"start_by\":\"2027-01-15\"},"
	    "\"budget_per_month\":\"200000\",\"tax\":\"excluded\",\"top\":10}",
	    &spec));
	assert_int_equal(spec.workload_count, 4);
	assert_int_equal(spec.require.availability_ppm, 999000);
	assert_int_equal(spec.require.replacement_minutes, 240);
	assert_int_equal(spec.require.max_card_age_months, 36);
	assert_int_equal(spec.cities,
	                 1u << CITY_SHENZHEN | 1u << CITY_DONGGUAN | 1u << CITY_HUIZHOU);
	assert_int_equal(spec.terms, 1u << TERM_HOURLY | 1u << TERM_MONTHLY | 1u << TERM_YEARLY);
	assert_string_equal(spec.line, "bgp");
	assert_int_equal(spec.workloads[1].serving.profile_hours, 168);
	assert_true(spec.workloads[1].serving.profile[9] == 1.0);
	assert_true(spec.workloads[1].serving.profile[8] < 1.0);
}

static void a_layout_must_be_that_of_the_cards(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_false(
	    read_size(world,
	              "{\"workload\":{\"kind\":\"training\",\"method\":\"full\","
	              "\"model\":\"llama-2-7b\"},\"on\":{\"card\":\"h100-sxm\",\"cards\":64},"
	              "\"layout\":{\"tp\":2,\"pp\":2,\"dp\":8}}",
	              &request));
	assert_true(has_problem(world, "layout_mismatch", "/layout"));
}

static void a_model_of_known_size_gets_the_shape_of_a_real_one(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_true(read_size(world,
	                      "{\"workload\":{\"kind\":\"training\",\"method\":\"full\","
	                      "\"model\":{\"params_b\":7}},\"on\":{\"card\":\"h100-sxm\"}}",
	                      &request));
	const struct model *model = request.workload.training.model;

	assert_true(model->params_b == 7 && model->layers >= 24 && model->hidden >= 3584);
	assert_string_equal(request.assumed.items[0].code, "assumed_model_shape");
}

static void a_model_by_its_dimensions_counts_its_parameters(void **state)
{
	struct world *world = *state;
	struct size_request request;

	assert_true(
	    read_size(world,
	              "{\"workload\":{\"kind\":\"training\",\"method\":\"full\",\"model\":"
	              "{\"layers\":32,\"hidden\":4096,\"heads\":32,\"kv_heads\":32,"
	              "\"ffn_hidden\":11008,\"vocab\":32000}},\"on\":{\"card\":\"h100-sxm\"}}",
	              &request));
	double params_b = request.workload.training.model->params_b;

	assert_true(params_b > 6.73 && params_b < 6.75); /* LLaMA-2 7B: 6.738 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(every_problem_of_a_request_is_told_at_once, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(a_number_that_is_refused_stands_there_as_it_was_typed,
	                                    setup, teardown),
	    cmocka_unit_test_setup_teardown(a_line_is_called_as_in_a_price_sheet, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_city_that_is_not_told_apart_is_refused, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(a_card_without_a_name_is_an_unknown_card, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(a_model_that_contradicts_itself_is_refused, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(broken_json_names_its_line, setup, teardown),
	    cmocka_unit_test_setup_teardown(an_escaped_quote_does_not_end_its_string, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(nesting_is_bounded_before_it_is_parsed, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(figures_of_the_request_stay_within_what_can_be, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(a_comparison_runs_for_some_hours_in_some_city, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(two_workloads_of_one_name_are_refused, setup, teardown),
	    cmocka_unit_test_setup_teardown(money_in_a_request_is_exact, setup, teardown),
	    cmocka_unit_test_setup_teardown(the_example_of_the_interface_is_read_whole, setup,
	                                    teardown),
	    cmocka_unit_test_setup_teardown(a_layout_must_be_that_of_the_cards, setup, teardown),
	    cmocka_unit_test_setup_teardown(a_model_of_known_size_gets_the_shape_of_a_real_one,
	                                    setup, teardown),
	    cmocka_unit_test_setup_teardown(a_model_by_its_dimensions_counts_its_parameters, setup,
	                                    teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
