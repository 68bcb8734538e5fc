/* test_training_search.c - which layout, how many cards, and what lost. */
#include "tests/unit/training_fixture.h"

#include <string.h>

static void the_best_layout_is_no_slower_than_any_tried_by_hand(void **state)
{
	struct training job = {
	    .model = model_of("llama-3-70b"), .seq_len = 8192, .stack = STACK_TUNED};
	struct cluster on = cluster_of("h100-sxm", 64);
	struct training_size best;

	(void)state;
	training_best_layout(&job, &on, 256, &best);
	assert_true(best.fits);
	assert_int_equal(best.layout.tp * best.layout.pp * best.layout.cp * best.layout.dp, 64);
	for (int tp = 1; tp <= 8; tp *= 2)
		for (int pp = 1; pp <= 8; pp *= 2) {
			struct training_size size =
			    sized(&job, &on,
			          (struct layout){.tp = tp,
			                          .pp = pp,
			                          .global_batch = 256,
			                          .sharding = SHARDING_ZERO1});
			assert_true(size.speed.tokens_per_s_per_card <=
			            best.speed.tokens_per_s_per_card * 1.003);
		}
}

static void the_answer_of_a_search_can_be_asked_again(void **state)
{
	struct training job = {.model = model_of("qwen2.5-14b"),
	                       .method = METHOD_LORA,
	                       .seq_len = 4096,
	                       .stack = STACK_HF};
	struct cluster on = cluster_of("rtx-4090", 8);
	struct training_size best;

	(void)state;
	training_best_layout(&job, &on, 0, &best);
	assert_true(best.fits);
	struct training_size again = sized(&job, &on, best.layout);

	assert_true(again.fits);
	assert_near(again.speed.step_s, best.speed.step_s, 1e-9);
	assert_near(again.memory.needed_gib, best.memory.needed_gib, 1e-9);
}

static void what_fits_nowhere_says_by_how_much(void **state)
{
	struct training job = {.model = model_of("llama-3-70b"), .method = METHOD_FULL};
	struct cluster on = cluster_of("rtx-4090", 8);
	struct training_size size;

	(void)state;
	training_best_layout(&job, &on, 0, &size);
	assert_false(size.fits);
	const struct note *note = note_of(&size.warnings, NOTE_DOES_NOT_FIT);

	assert_non_null(note);
	assert_true(note->x > note->y);
}

static void the_smallest_number_of_cards_is_whole_servers_and_in_time(void **state)
{
	struct training job = {.model = model_of("llama-2-13b"),
	                       .seq_len = 4096,
	                       .tokens = 1e11,
	                       .deadline_hours = 240};
	struct cluster on = cluster_of("h100-sxm", 512);
	struct training_size size;
	struct training_known known = {0};

	(void)state;
	struct training_count count = training_smallest(&job, &on, &known, &size);

	assert_true(count.does && size.fits);
	assert_true(count.hours <= 240 && count.hours > 0);
	assert_int_equal(count.cards % 8, 0);
	assert_near(count.hours, 1e11 / (size.speed.tokens_per_s_per_card * count.cards) / 3600,
	            1e-9);
	/* One server less, and it is late. */
	struct cluster fewer = on;
	struct training_size less;

	fewer.cards = count.cards - 8;
	training_best_layout(&job, &fewer, 0, &less);
	assert_true(!less.fits ||
	            1e11 / (less.speed.tokens_per_s_per_card * fewer.cards) / 3600 > 240);
	job.deadline_hours = 0.001;
	assert_false(training_smallest(&job, &on, &known, &size).does);
}

static void a_seven_b_lora_needs_one_large_card(void **state)
{
	struct training job = {
	    .model = model_of("qwen2.5-7b"), .method = METHOD_LORA, .seq_len = 2048};
	struct cluster on = cluster_of("rtx-6000-ada", 8);
	struct training_size size;
	struct training_known known = {0};

	(void)state;
	/* The seeds: 24 GB barely, 48 GB comfortably. */
	struct training_count count = training_smallest(&job, &on, &known, &size);

	assert_true(count.does);
	assert_int_equal(count.cards, 1);
	assert_null(note_of(&size.warnings, NOTE_TIGHT_MEMORY));
}

/* What lost is named with its reason, fastest first, and none of it twice or the winner again. */
static void a_search_says_which_layouts_lost_and_why(void **state)
{
	struct training job = {
	    .model = model_of("llama-3-70b"), .seq_len = 8192, .stack = STACK_TUNED};
	struct cluster on = cluster_of("h100-sxm", 64);
	struct training_size size;
	double before = 1e9;
	int too_large = 0;

	(void)state;
	training_best_layout(&job, &on, 0, &size);
	assert_true(size.fits);
	assert_true(size.lost_count > LAYOUTS_TOO_LARGE);
	for (int i = 0; i < size.lost_count; i++) {
		const struct layout_lost *lost = &size.lost[i];
		struct training_size again = sized(&job, &on, lost->layout);

		/* Asked for by itself it is what the list says of it. */
		assert_int_equal(again.fits, lost->tokens_per_s_per_card > 0);
		assert_near(again.memory.needed_gib, lost->needed_gib, 1e-9);
		assert_near(again.speed.tokens_per_s_per_card, lost->tokens_per_s_per_card, 1e-9);
		assert_true(lost->tokens_per_s_per_card <= before);
		/* Less than noise between them goes to the simpler layout. */
		assert_true(lost->tokens_per_s_per_card <=
		            size.speed.tokens_per_s_per_card * 1.002);
		before = lost->tokens_per_s_per_card;
		too_large += lost->tokens_per_s_per_card <= 0;
		for (int k = 0; k < i; k++)
			assert_true(
			    memcmp(&lost->layout, &size.lost[k].layout, sizeof lost->layout) != 0);
		assert_true(memcmp(&lost->layout, &size.layout, sizeof lost->layout) != 0);
	}
	assert_int_equal(too_large, LAYOUTS_TOO_LARGE);
	/* A layout that was given has nothing to lose to. */
	assert_int_equal(sized(&job, &on, size.layout).lost_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_best_layout_is_no_slower_than_any_tried_by_hand),
	    cmocka_unit_test(the_answer_of_a_search_can_be_asked_again),
	    cmocka_unit_test(what_fits_nowhere_says_by_how_much),
	    cmocka_unit_test(the_smallest_number_of_cards_is_whole_servers_and_in_time),
	    cmocka_unit_test(a_seven_b_lora_needs_one_large_card),
	    cmocka_unit_test(a_search_says_which_layouts_lost_and_why),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
