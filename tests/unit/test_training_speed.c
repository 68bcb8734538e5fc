/* test_training_speed.c - what a training step is made of: each term against its cause. */
#include "tests/unit/training_fixture.h"

/* Seconds that one step of JOB takes on one H200. */
static double step_on_one(const struct training *job)
{
	struct cluster on = cluster_of("h200-sxm", 1);
	struct layout layout = {.dp = 1, .micro_batch = 4, .recompute = RECOMPUTE_FULL};
	struct training_size size = sized(job, &on, layout);

	assert_true(size.fits);
	return size.speed.step_s;
}

static void a_large_vocabulary_costs_the_traffic_of_its_loss(void **state)
{
	struct model small = *model_of("qwen2.5-0.5b");
	struct model large = small;
	struct training job = {.model = &small, .seq_len = 4096, .stack = STACK_MEGATRON};

	(void)state;
	small.vocab = 32000;
	large.vocab = 152000;
	double before = step_on_one(&job);

	job.model = &large;
	double more = step_on_one(&job) - before;
	double entries = 4 * 4096.0 * (152000 - 32000);
	/* Three products of the head at the peak at most, and 40 B an entry through 4.8 TB/s. */
	double products = 3 * 2 * entries * large.hidden / 989e12;

	assert_true(more > products + entries * 40 / 4.8e12);
	job.fused_loss = true;
	assert_true(step_on_one(&job) < before + more);
}

static void fused_kernels_spare_an_eager_trainer_its_traffic(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"),
	                       .method = METHOD_LORA,
	                       .seq_len = 4096,
	                       .stack = STACK_HF};
	double eager = step_on_one(&job);

	(void)state;
	job.chunked_loss = true;
	double fused = step_on_one(&job);

	assert_true(fused < 0.9 * eager && fused > 0.6 * eager);
	/* What is tuned has them fused already. */
	job.stack = STACK_TUNED;
	double chunked = step_on_one(&job);

	job.chunked_loss = false;
	assert_near(step_on_one(&job), chunked, 0.05);
}

/* FlashAttention-2 reaches 35 % of an H100 and no more of what came after it. */
static void attention_kernels_as_shipped_gain_little_from_a_newer_card(void **state)
{
	struct training job = {
	    .model = model_of("llama-3.2-1b"), .seq_len = 65536, .stack = STACK_FSDP};
	struct layout layout = {.dp = 8, .sharding = SHARDING_FSDP, .recompute = RECOMPUTE_FULL};
	double shipped = tokens(&job, cluster_of("b200-sxm", 8), layout) /
	                 tokens(&job, cluster_of("h200-sxm", 8), layout);

	(void)state;
	job.stack = STACK_TUNED;
	double tuned = tokens(&job, cluster_of("b200-sxm", 8), layout) /
	               tokens(&job, cluster_of("h200-sxm", 8), layout);

	assert_true(shipped < 1.3);
	assert_true(tuned > 1.8);
}

static void sides_that_no_tile_divides_cost_up_to_a_tenth(void **state)
{
	struct model even = *model_of("llama-2-7b");
	struct model odd = even;
	struct training job = {.model = &even, .seq_len = 4096, .stack = STACK_TUNED};

	(void)state;
	odd.ffn_hidden = even.ffn_hidden + 8;
	double before = step_on_one(&job);

	job.model = &odd;
	assert_true(step_on_one(&job) > 1.03 * before);
	assert_true(step_on_one(&job) < 1.11 * before);
}

static void every_micro_batch_waits_for_the_slowest_stage(void **state)
{
	struct model model = *model_of("llama-2-7b");
	struct training job = {.model = &model, .seq_len = 4096, .stack = STACK_MEGATRON};
	struct cluster on = cluster_of("h200-sxm", 8);
	struct layout layout = {.pp = 8,
	                        .vpp = 1,
	                        .dp = 1,
	                        .micro_batch = 1,
	                        .global_batch = 64,
	                        .recompute = RECOMPUTE_NONE};
	double narrow = tokens(&job, on, layout);

	(void)state;
	/* The head of 256,000 entries is as much as the four layers of a stage and a fifth. */
	model.vocab = 256000;
	assert_true(tokens(&job, on, layout) < 0.6 * narrow);
}

static void compiled_code_recomputes_only_what_it_has_no_room_for(void **state)
{
	struct training job = {
	    .model = model_of("llama-2-7b"), .seq_len = 4096, .stack = STACK_FSDP};
	struct cluster on = cluster_of("h200-sxm", 8);
	struct layout layout = {.dp = 8, .micro_batch = 1, .sharding = SHARDING_FSDP};

	(void)state;
	assert_int_equal(sized(&job, &on, layout).layout.recompute, RECOMPUTE_NONE);
	layout.micro_batch = 8;
	assert_int_equal(sized(&job, &on, layout).layout.recompute, RECOMPUTE_SELECTIVE);
	layout.micro_batch = 32;
	assert_int_equal(sized(&job, &on, layout).layout.recompute, RECOMPUTE_FULL);
}

/* The gradients of all parts but the last travel while other parts still compute. */
static void interleaved_stages_hide_their_gradients(void **state)
{
	struct training job = {
	    .model = model_of("gpt3-175b"), .seq_len = 2048, .stack = STACK_TUNED};
	struct cluster on = cluster_of("h200-sxm", 4096);
	struct layout layout = {.tp = 4, .pp = 8, .vpp = 1, .dp = 128, .global_batch = 2048};

	(void)state;
	on.inter_link = INTER_IB;
	on.inter_gbps = 800;
	double slow = tokens(&job, on, layout);

	on.inter_gbps = 3200;
	double plain = slow / tokens(&job, on, layout);

	layout.vpp = 6;
	double parted = tokens(&job, on, layout);

	on.inter_gbps = 800;
	assert_true(tokens(&job, on, layout) / parted > plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_large_vocabulary_costs_the_traffic_of_its_loss),
	    cmocka_unit_test(fused_kernels_spare_an_eager_trainer_its_traffic),
	    cmocka_unit_test(attention_kernels_as_shipped_gain_little_from_a_newer_card),
	    cmocka_unit_test(sides_that_no_tile_divides_cost_up_to_a_tenth),
	    cmocka_unit_test(every_micro_batch_waits_for_the_slowest_stage),
	    cmocka_unit_test(compiled_code_recomputes_only_what_it_has_no_room_for),
	    cmocka_unit_test(interleaved_stages_hide_their_gradients),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
