/* test_plan_demand.c - what a workload needs: cards, whole servers, hours, and the staircase. */
#include "tests/unit/unit.h"

#include "engine/demand.h"
#include "tests/unit/plan_fixture.h"

static const struct card *card(const char *id)
{
	return card_find(&fixture_reference()->cards, id);
}

static struct card_class class_of(const char *id)
{
	return (struct card_class){card(id), 8, INTRA_NVLINK, INTER_IB, 3200};
}

static const struct demand_basis basis = {.hours_per_month = 720};
static struct demand demand;

static void size(const struct workload *workload, const char *id)
{
	struct card_class class = class_of(id);

	demand_size(workload, &basis, &class, NULL, &demand);
}

static void usage_is_rounded_to_whole_cards_and_servers(void **state)
{
	(void)state;
	struct workload workload = {.kind = WORKLOAD_USAGE,
	                            .usage = {card("h100-sxm"), 40000, 90, 1, 0.3, true}};

	size(&workload, "h100-sxm");
	assert_int_equal(demand.verdict, DEMAND_OK);
	assert_int_equal(demand.cards, 25);
	assert_int_equal(demand.servers, 4);
	/* 40000/2160 x 1.3 x 720 card-hours a month, rounded up to thousandths. */
	assert_int_equal(demand.milli_card_hours, 17333334);
}

static void the_seeds_buffer_holds_unless_another_is_given(void **state)
{
	(void)state;
	struct workload workload = {
	    .kind = WORKLOAD_USAGE,
	    .usage = {.card = card("h100-sxm"), .gpu_hours = 7200, .days = 30}};

	size(&workload, "h100-sxm");
	assert_int_equal(demand.cards, 13);
	workload.usage.buffer_given = true;
	size(&workload, "h100-sxm");
	assert_int_equal(demand.cards, 10);
	workload.usage.utilisation = 0.5;
	size(&workload, "h100-sxm");
	assert_int_equal(demand.cards, 20);
}

static void more_rented_cards_run_for_fewer_hours(void **state)
{
	(void)state;
	struct workload workload = {.kind = WORKLOAD_USAGE,
	                            .usage = {card("h100-sxm"), 3600, 30, 1, 0, true}};

	size(&workload, "h100-sxm");
	assert_int_equal(demand.cards, 5);
	assert_int_equal(ratio_compare(demand_hours(&demand, 5), ratio_of(720)), 0);
	assert_int_equal(ratio_compare(demand_hours(&demand, 8), ratio_of(450)), 0);
}

static void hosting_keeps_the_servers_that_are_there(void **state)
{
	(void)state;
	struct workload workload = {
	    .kind = WORKLOAD_HOSTING,
	    .hosting = {.card = card("h100-sxm"), .cards_per_server = 8, .servers = 4}};

	size(&workload, "h100-sxm");
	assert_int_equal(demand.servers, 4);
	assert_int_equal(demand.milli_hours, 720000);
	assert_int_equal(demand.server_watts, 10200);
	size(&workload, "a100-80-sxm");
	assert_int_equal(demand.verdict, DEMAND_OTHER_CARD);
	workload.hosting.server_kw = 6.5;
	size(&workload, "h100-sxm");
	assert_int_equal(demand.server_watts, 6500);
}

static struct workload fine_tuning(void)
{
	struct workload workload = {.kind = WORKLOAD_TRAINING};

	workload.training =
	    (struct training){.model = model_find(&fixture_reference()->models, "qwen2.5-14b"),
	                      .method = METHOD_LORA,
	                      .seq_len = 4096,
	                      .tokens = 2e8,
	                      .runs_per_month = 8,
	                      .deadline_hours = 12};
	return workload;
}

static void a_run_counts_its_hours_not_the_month(void **state)
{
	(void)state;
	struct workload workload = fine_tuning();

	size(&workload, "h100-sxm");
	assert_int_equal(demand.verdict, DEMAND_OK);
	assert_true(demand.run_hours > 0 && demand.run_hours <= 12);
	/* Eight runs, rounded up once. */
	double hours = (double)demand.milli_hours / 1000;

	assert_true(hours >= demand.run_hours * 8 && hours < demand.run_hours * 8 + 0.001);
	assert_true(demand.tokens_per_month > 1.59e9 && demand.tokens_per_month < 1.61e9);
}

static bool warns(enum note_code code)
{
	const struct notes *notes = &demand.size.training.warnings;

	for (int i = 0; i < notes->count; i++)
		if (notes->items[i].code == code)
			return true;
	return false;
}

/* Runs of 8, 12 and 16 hours end 8, 28 and 32 hours after the valley began in which they did. */
static void a_run_in_the_valley_rests_by_day_and_keeps_its_deadline(void **state)
{
	(void)state;
	struct workload workload = fine_tuning();

	workload.training.deadline_hours = 0;
	size(&workload, "l40s");
	double one = demand.run_hours;
	int fewest = demand.cards;

	/* As many tokens as take the fewest cards 12 hours. */
	workload.training.tokens *= 12 / one;
	workload.training.valley_only = true;
	workload.training.runs_per_month = 1;
	workload.training.deadline_hours = 28.1;
	size(&workload, "l40s");
	assert_int_equal(demand.cards, fewest);
	assert_true(demand.run_hours > 11.9 && demand.run_hours < 12.1);
	workload.training.deadline_hours = 27.5;
	size(&workload, "l40s");
	assert_int_equal(demand.verdict, DEMAND_OK);
	assert_true(demand.cards > fewest);
	assert_true(demand.run_hours <= 11.5);
	workload.training.deadline_hours = 0.01;
	size(&workload, "l40s");
	double hours = 0.01 + demand.gap;

	assert_int_equal(demand.verdict, DEMAND_TOO_SLOW);
	assert_false(warns(NOTE_VALLEY_DEADLINE));
	/* Tokens that take the most cards 12 hours: in time by day and night, never by night. */
	workload.training.tokens *= 12 / hours;
	workload.training.deadline_hours = 14;
	size(&workload, "l40s");
	assert_int_equal(demand.verdict, DEMAND_TOO_SLOW);
	assert_true(demand.gap > 13.8 && demand.gap < 14.2);
	assert_true(warns(NOTE_VALLEY_DEADLINE));
	workload.training.valley_only = false;
	size(&workload, "l40s");
	assert_int_equal(demand.verdict, DEMAND_OK);
}

static void runs_that_fill_more_than_a_month_run_side_by_side(void **state)
{
	(void)state;
	struct workload workload = fine_tuning();

	size(&workload, "h100-sxm");
	double one = demand.run_hours;
	int servers = demand.servers;

	workload.training.runs_per_month = 2.5 * 720 / one;
	size(&workload, "h100-sxm");
	assert_int_equal(demand.servers, 3 * (servers > demand.unit ? servers : demand.unit));
	assert_true(demand.milli_hours <= 720000);
}

static void the_staircase_adds_up_to_the_hours_and_never_rises(void **state)
{
	(void)state;
	struct workload workload = {.kind = WORKLOAD_INFERENCE};

	workload.serving = fixture_serving_by_day();
	size(&workload, "l40s");
	assert_int_equal(demand.verdict, DEMAND_OK);
	assert_true(demand.servers > 1);
	int64_t sum = 0;
	int64_t before = demand_level(&demand, &workload, 720, 0);

	assert_int_equal(before, 720000);
	for (int rank = 0; rank < demand.servers; rank++) {
		int64_t level = demand_level(&demand, &workload, 720, rank);

		assert_true(level <= before);
		before = level;
		sum += level;
	}
	assert_true(before < 720000);
	assert_int_equal(demand_level(&demand, &workload, 720, demand.servers), 0);
	assert_int_equal((sum + demand.servers - 1) / demand.servers, demand.milli_hours);
}

static void a_history_fills_one_server_after_the_other(void **state)
{
	(void)state;
	struct workload workload = {.kind = WORKLOAD_USAGE,
	                            .usage = {card("h100-sxm"), 40000, 90, 1, 0.3, true}};
	int64_t sum = 0;

	size(&workload, "h100-sxm");
	/* 17333.334 card-hours are 2166.667 of a server: three of four are busy all month. */
	for (int rank = 0; rank < 3; rank++)
		assert_int_equal(demand_level(&demand, &workload, 720, rank), 720000);
	assert_int_equal(demand_level(&demand, &workload, 720, 3), 6667);
	for (int rank = 0; rank < demand.servers; rank++)
		sum += demand_level(&demand, &workload, 720, rank);
	assert_true(sum * 8 >= demand.milli_card_hours && sum * 8 < demand.milli_card_hours + 8);
}

static void what_does_not_fit_says_by_how_much(void **state)
{
	(void)state;
	struct workload workload = fine_tuning();
	struct card_class class = {card("l4"), 1, INTRA_PCIE, INTER_NONE, 0};

	workload.training.method = METHOD_FULL;
	demand_size(&workload, &basis, &class, NULL, &demand);
	assert_int_equal(demand.verdict, DEMAND_DOES_NOT_FIT);
	assert_true(demand.gap > 1);
}

/* Each count is too large for an int: none may wrap to a small or negative fleet. */
static void what_is_beyond_all_bounds_is_too_many_and_never_wraps(void **state)
{
	(void)state;
	struct workload runs = fine_tuning();
	struct workload requests = {.kind = WORKLOAD_INFERENCE};

	runs.training.deadline_hours = 0;
	runs.training.tokens = 1e15;
	runs.training.runs_per_month = 10000;
	size(&runs, "h100-sxm");
	assert_int_equal(demand.verdict, DEMAND_TOO_MANY);
	assert_true(demand.gap > 1e6);
	requests.serving = (struct serving){.model = runs.training.model,
	                                    .input_tokens = 30000,
	                                    .output_tokens = 8000,
	                                    .requests_per_s = 1e9};
	size(&requests, "h100-sxm");
	assert_int_equal(demand.verdict, DEMAND_TOO_MANY);
	assert_true(demand.gap > 1000 && demand.cards > 0);
	requests.serving.requests_per_s = 0;
	requests.serving.concurrency = 1e13;
	size(&requests, "h100-sxm");
	assert_int_equal(demand.verdict, DEMAND_TOO_MANY);
	assert_true(demand.gap > 1000 && demand.cards > 0);
}

/* ---- What is known of a job whatever its amounts ---- */

static const struct model *model(const char *id)
{
	return model_find(&fixture_reference()->models, id);
}

static const char *const kinds_of_card[] = {"h100-sxm", "l40s", "rtx-4090", "l4", "a100-80-sxm"};

/* The demand of WORKLOAD is the same whether or not something is known, and *known learns of it. */
static void same_with(const struct workload *workload, union demand_known known[5])
{
	for (size_t i = 0; i < 5; i++) {
		struct card_class class = class_of(kinds_of_card[i]);
		struct demand fresh, from_known;

		demand_size(workload, &basis, &class, NULL, &fresh);
		demand_size(workload, &basis, &class, &known[i], &from_known);
		assert_int_equal(from_known.verdict, fresh.verdict);
		assert_true(from_known.gap == fresh.gap);
		assert_int_equal(from_known.cards, fresh.cards);
		assert_int_equal(from_known.milli_card_hours, fresh.milli_card_hours);
		assert_true(from_known.run_hours == fresh.run_hours);
		assert_true(from_known.power_w == fresh.power_w);
		if (workload->kind == WORKLOAD_TRAINING)
			assert_memory_equal(&from_known.size.training.layout,
			                    &fresh.size.training.layout, sizeof(struct layout));
		else
			assert_memory_equal(&from_known.size.serving.replica.layout,
			                    &fresh.size.serving.replica.layout,
			                    sizeof(struct serving_layout));
	}
}

static void what_is_known_of_serving_changes_no_demand(void **state)
{
	(void)state;
	static const double rates[] = {900, 3, 40, 41, 0.5, 7000, 40};
	static union demand_known known[5];
	struct workload workload = {.kind = WORKLOAD_INFERENCE,
	                            .serving = {.model = model("qwen2.5-14b"),
	                                        .input_tokens = 1200,
	                                        .output_tokens = 300,
	                                        .ttft_ms = 800,
	                                        .tpot_ms = 50}};

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		workload.serving.requests_per_s = rates[i];
		workload.serving.spare_replicas = (int)i % 3;
		same_with(&workload, known);
	}
}

static void what_is_known_of_training_changes_no_demand(void **state)
{
	(void)state;
	static const double deadlines[] = {12, 300, 3, 40, 0, 0.01, 12};
	static union demand_known known[5];
	struct workload workload = {.kind = WORKLOAD_TRAINING,
	                            .training = {.model = model("qwen2.5-14b"),
	                                         .method = METHOD_FULL,
	                                         .seq_len = 4096,
	                                         .runs_per_month = 2}};

	for (size_t i = 0; i < sizeof deadlines / sizeof *deadlines; i++) {
		workload.training.deadline_hours = deadlines[i];
		workload.training.tokens = i % 2 == 0 ? 2e9 : 3e8;
		workload.training.valley_only = i == 3;
		same_with(&workload, known);
	}
}

static void the_subject_of_a_job_has_no_amounts(void **state)
{
	(void)state;
	struct workload a = {.kind = WORKLOAD_INFERENCE,
	                     .serving = {.model = model("qwen2.5-14b"),
	                                 .requests_per_s = 20,
	                                 .profile = {0.5, 1},
	                                 .profile_hours = 24,
	                                 .spare_replicas = 2,
	                                 .ttft_ms = 500}};
	struct workload b = a;

	b.serving.requests_per_s = 7;
	b.serving.profile[0] = 0.1;
	b.serving.spare_replicas = 0;
	struct workload of_a = demand_subject(&a);
	struct workload of_b = demand_subject(&b);

	assert_memory_equal(&of_a, &of_b, sizeof of_a);
	/* Limits decide what a card bears, and a rate is not a number in flight. */
	b.serving.ttft_ms = 400;
	of_b = demand_subject(&b);
	assert_memory_not_equal(&of_a, &of_b, sizeof of_a);
	a.serving.requests_per_s = 0;
	a.serving.concurrency = 20;
	assert_true(demand_subject(&a).serving.requests_per_s == 0);
	assert_true(demand_subject(&a).serving.concurrency == 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(usage_is_rounded_to_whole_cards_and_servers),
	    cmocka_unit_test(the_seeds_buffer_holds_unless_another_is_given),
	    cmocka_unit_test(more_rented_cards_run_for_fewer_hours),
	    cmocka_unit_test(hosting_keeps_the_servers_that_are_there),
	    cmocka_unit_test(a_run_counts_its_hours_not_the_month),
	    cmocka_unit_test(a_run_in_the_valley_rests_by_day_and_keeps_its_deadline),
	    cmocka_unit_test(runs_that_fill_more_than_a_month_run_side_by_side),
	    cmocka_unit_test(the_staircase_adds_up_to_the_hours_and_never_rises),
	    cmocka_unit_test(a_history_fills_one_server_after_the_other),
	    cmocka_unit_test(what_does_not_fit_says_by_how_much),
	    cmocka_unit_test(what_is_beyond_all_bounds_is_too_many_and_never_wraps),
	    cmocka_unit_test(what_is_known_of_serving_changes_no_demand),
	    cmocka_unit_test(what_is_known_of_training_changes_no_demand),
	    cmocka_unit_test(the_subject_of_a_job_has_no_amounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
