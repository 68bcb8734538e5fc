/* test_serving.c - memory, latency, throughput and fleets of inference, with worked numbers. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "engine/serving.h"
#include "engine/serving_constants.h"
#include "engine/serving_layout.h"
#include "offer/reference.h"

static struct arena *arena;
static struct reference reference;

static int read_reference(void **state)
{
	struct problems problems;

	(void)state;
	arena = arena_create();
	problems = (struct problems){.arena = arena};
	return reference_baked(arena, &problems, &reference) ? 0 : 1;
}

static int drop_reference(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

static const struct model *model_named(const char *id)
{
	const struct model *model = model_find(&reference.models, id);

	assert_non_null(model);
	return model;
}

static struct cluster cards_of(const char *id, int cards)
{
	struct cluster on = {.card = card_find(&reference.cards, id), .cards = cards};

	assert_non_null(on.card);
	return on;
}

static struct serving chat_with(const char *model)
{
	return (struct serving){
	    .model = model_named(model),
	    .input_tokens = 1000,
	    .output_tokens = 300,
	    .concurrency = 16,
	    .engine = ENGINE_VLLM,
	};
}

static struct serving_size sized(const struct serving *job, const char *card, int tp)
{
	struct cluster on = cards_of(card, tp);
	struct serving_layout layout = {.tp = tp, .pp = 1, .ep = 1, .dp = 1};
	struct serving_size size;

	serving_size(job, &on, &layout, &size);
	return size;
}

static bool has_note(const struct notes *notes, enum note_code code)
{
	for (int i = 0; i < notes->count; i++)
		if (notes->items[i].code == code)
			return true;
	return false;
}

static void check_near(double value, double wanted, double share)
{
	if (fabs(value - wanted) > share * fabs(wanted))
		fail_msg("%g is not within %g of %g", value, share, wanted);
}

static void a_token_of_cache_counts_every_layer_once(void **state)
{
	(void)state;
	/* 2 x 32 layers x 8 heads x 128 x 2 bytes */
	check_near(serving_kv_bytes_per_token(model_named("llama-3-8b"), KV_BF16, 1), 131072, 0);
	check_near(serving_kv_bytes_per_token(model_named("llama-3-8b"), KV_FP8, 1), 65536, 0);
	/* MHA: 2 x 32 x 32 x 128 x 2 */
	check_near(serving_kv_bytes_per_token(model_named("llama-2-7b"), KV_BF16, 1), 524288, 0);
	/* MQA: 2 x 18 layers x 1 head x 256 x 2 */
	check_near(serving_kv_bytes_per_token(model_named("gemma-2b"), KV_BF16, 1), 18432, 0);
}

static void latent_attention_keeps_one_vector_a_layer(void **state)
{
	const struct model *model = model_named("deepseek-v3-671b");

	(void)state;
	check_near(serving_kv_bytes_per_token(model, KV_BF16, 1), 61.0 * 576 * 2, 0);
	/* Every card of the group holds the whole vector. */
	check_near(serving_kv_bytes_per_token(model, KV_BF16, 8), 8 * 61.0 * 576 * 2, 0);
}

static void hybrids_cache_only_their_full_layers(void **state)
{
	(void)state;
	/* 12 of 48 layers, 2 heads of 256 */
	check_near(serving_kv_bytes_per_token(model_named("qwen3-next-80b-a3b"), KV_BF16, 1),
	           12.0 * 2 * 2 * 256 * 2, 0);
}

static void cached_heads_are_copied_beyond_their_number(void **state)
{
	const struct model *model = model_named("llama-3-8b");

	(void)state;
	check_near(serving_kv_bytes_per_token(model, KV_BF16, 8), 131072, 0);
	check_near(serving_kv_bytes_per_token(model, KV_BF16, 16), 262144, 0);
}

static void windows_let_long_requests_in(void **state)
{
	struct serving job = chat_with("gemma-3-27b");

	(void)state;
	job.input_tokens = 100000;
	job.output_tokens = 1000;
	job.concurrency = 1;
	struct serving_size size = sized(&job, "h100-sxm", 2);

	assert_true(size.fits);
	/* 10 full layers of 62: over three times what counting every layer would allow. */
	assert_true(size.speed.max_concurrency * 101000 > 3 * size.speed.kv_tokens);
}

static void weights_follow_the_format_of_each_tensor(void **state)
{
	const struct model *seventy = model_named("llama-2-70b");
	const double gib = 1.073741824;

	(void)state;
	check_near(serving_weights_gib(seventy, WEIGHTS_BF16) * gib, 138, 0.01);
	check_near(serving_weights_gib(model_named("llama-2-7b"), WEIGHTS_INT8) * gib, 7.0, 0.02);
	/* The engine's log: 18.142 GiB for an AWQ checkpoint, embeddings at 16 bit. */
	check_near(serving_weights_gib(model_named("qwen2.5-32b"), WEIGHTS_AWQ), 18.142, 0.01);
	check_near(serving_weights_gib(model_named("qwen3-30b-a3b"), WEIGHTS_BF16), 56.934, 0.005);
}

static void experts_are_stored_in_full(void **state)
{
	struct serving job = chat_with("mixtral-8x7b");

	(void)state;
	/* 46.7 x 10^9 parameters, not the 12.9 that a token uses. */
	check_near(serving_weights_gib(job.model, WEIGHTS_BF16) * 1.073741824, 93.4, 0.01);
	assert_false(sized(&job, "h100-sxm", 1).fits);
	assert_true(sized(&job, "h100-sxm", 2).fits);
}

static void what_does_not_fit_has_a_reason_and_no_speed(void **state)
{
	struct serving job = chat_with("llama-2-70b");
	struct serving_size size = sized(&job, "h100-sxm", 1);

	(void)state;
	assert_false(size.fits);
	assert_true(has_note(&size.warnings, NOTE_DOES_NOT_FIT));
	assert_true(size.speed.tpot_ms == 0 && size.speed.output_tokens_per_s == 0);
	assert_true(size.memory.per_card_gib > size.memory.usable_gib);
}

static void the_figures_of_a_cache_divide(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	struct serving_size size = sized(&job, "h100-sxm", 1);
	double room = size.memory.parts.kv_cache * 1073741824;

	(void)state;
	check_near(size.speed.kv_tokens * size.speed.kv_bytes_per_token, room, 0.001);
	check_near(size.speed.max_concurrency * 1312, size.speed.kv_tokens, 0.001);
}

static void parts_add_up_to_what_is_allocated(void **state)
{
	struct serving job = chat_with("qwen3-32b");
	struct memory_size memory = sized(&job, "h100-sxm", 4).memory;
	const struct memory_parts *p = &memory.parts;

	(void)state;
	check_near(p->weights + p->activations + p->logits + p->kv_cache + p->overhead,
	           memory.allocated_gib, 1e-9);
	assert_true(memory.per_card_gib <= memory.usable_gib);
}

static void an_engine_log_is_met(void **state)
{
	struct serving job = chat_with("qwen3-32b");
	struct serving_size size;

	(void)state;
	/* vLLM 0.10.0, 8 x H100, fp8 cache: 3,650,960 tokens. */
	job.kv_cache = KV_FP8;
	job.engine_version = "0.10.0";
	job.max_model_len = 32768;
	size = sized(&job, "h100-sxm", 8);
	check_near(size.speed.kv_tokens, 3650960, 0.03);
}

static void longer_prompts_wait_longer(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	double before = 0;

	(void)state;
	for (double input = 100; input < 7000; input *= 2) {
		job.input_tokens = input;
		double ttft = sized(&job, "h100-sxm", 1).speed.ttft_ms;

		assert_true(ttft > before);
		before = ttft;
	}
}

static void more_requests_are_each_slower_and_together_faster(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	struct serving_speed before = {0};

	(void)state;
	for (double concurrency = 1; concurrency <= 128; concurrency *= 2) {
		job.concurrency = concurrency;
		struct serving_speed speed = sized(&job, "h100-sxm", 1).speed;

		assert_true(speed.tpot_ms > before.tpot_ms);
		assert_true(speed.output_tokens_per_s > before.output_tokens_per_s);
		before = speed;
	}
}

static void percentiles_and_bands_are_in_order(void **state)
{
	struct serving job = chat_with("qwen3-14b");

	(void)state;
	job.concurrency = 0;
	job.requests_per_s = 4;
	struct serving_speed s = sized(&job, "h100-sxm", 1).speed;

	assert_true(s.ttft.p50 <= s.ttft.p90 && s.ttft.p90 <= s.ttft.p95);
	assert_true(s.ttft.p95 <= s.ttft.p99 && s.tpot.p50 <= s.tpot.p90);
	assert_true(s.tpot.p90 <= s.tpot.p95 && s.tpot.p95 <= s.tpot.p99);
	assert_true(s.ttft_low < s.ttft_ms && s.ttft_ms < s.ttft_high);
	assert_true(s.tpot_low < s.tpot_ms && s.tpot_ms < s.tpot_high);
	assert_true(s.low < s.output_tokens_per_s && s.output_tokens_per_s < s.high);
}

static void too_high_a_rate_is_called_saturated(void **state)
{
	struct serving job = chat_with("llama-3-8b");

	(void)state;
	job.concurrency = 0;
	job.requests_per_s = 0.1;
	struct serving_size calm = sized(&job, "l4", 1);

	assert_false(calm.speed.saturated);
	job.requests_per_s = calm.speed.max_requests_per_s * 1.1;
	struct serving_size busy = sized(&job, "l4", 1);

	assert_true(busy.speed.saturated);
	assert_true(has_note(&busy.warnings, NOTE_SATURATED));
	check_near(busy.speed.requests_per_s, calm.speed.max_requests_per_s, 1e-6);
}

static void waits_grow_towards_saturation(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	double before = 0;

	(void)state;
	job.concurrency = 0;
	job.requests_per_s = 1;
	double most = sized(&job, "h100-sxm", 1).speed.max_requests_per_s;

	for (int tenth = 1; tenth <= 9; tenth += 2) {
		job.requests_per_s = most * tenth / 10;
		struct serving_speed speed = sized(&job, "h100-sxm", 1).speed;

		assert_true(speed.ttft.p95 > before);
		check_near(speed.requests_per_s, job.requests_per_s, 1e-9);
		before = speed.ttft.p95;
	}
}

/* The point at which a rate is served is found for each rate, not only near those looked at. */
static void each_higher_rate_has_more_in_flight(void **state)
{
	static const char *const cards[] = {"l4", "h100-sxm"};
	struct serving job = chat_with("llama-3-8b");

	(void)state;
	job.concurrency = 0;
	for (int i = 0; i < 2; i++) {
		job.requests_per_s = 1;
		double most = sized(&job, cards[i], 1).speed.max_requests_per_s;

		job.requests_per_s = most / 2000;
		struct serving_speed before = sized(&job, cards[i], 1).speed;

		for (int step = 1; step <= 970; step++) {
			job.requests_per_s = most * step / 1000;
			struct serving_speed speed = sized(&job, cards[i], 1).speed;

			assert_true(speed.concurrency > before.concurrency);
			assert_true(speed.tpot_ms >= before.tpot_ms * (1 - 1e-6));
			before = speed;
		}
	}
}

static void pcie_slows_a_group_down(void **state)
{
	struct serving job = chat_with("llama-2-70b");
	struct cluster on = cards_of("a100-80-sxm", 4);
	struct serving_layout layout = {.tp = 4, .pp = 1, .ep = 1, .dp = 1};
	struct serving_size fast, slow;

	(void)state;
	serving_size(&job, &on, &layout, &fast);
	on.intra_link = INTRA_PCIE;
	serving_size(&job, &on, &layout, &slow);
	assert_true(slow.speed.tpot_ms > 1.1 * fast.speed.tpot_ms);
	assert_true(slow.speed.ttft_ms > 1.5 * fast.speed.ttft_ms);
	assert_true(has_note(&slow.warnings, NOTE_PCIE_SLOW));
	assert_false(has_note(&fast.warnings, NOTE_PCIE_SLOW));
}

static void cached_prefixes_and_speculation_save_time(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	struct serving_speed plain = sized(&job, "h100-sxm", 1).speed;

	(void)state;
	job.prefix_cache_hit = 0.8;
	assert_true(sized(&job, "h100-sxm", 1).speed.ttft_ms < plain.ttft_ms);
	job.prefix_cache_hit = 0;
	job.speculative_accept = 1.5;
	assert_true(sized(&job, "h100-sxm", 1).speed.tpot_ms < 0.8 * plain.tpot_ms);
}

static struct serving run_of(double requests, double spread)
{
	struct serving job = chat_with("llama-3-8b");

	job.concurrency = requests;
	job.requests = requests;
	job.output_spread = spread;
	return job;
}

/* 64 requests at once on an H100: pre-fill of 64 x 1000 tokens and 4 ms each at the front end. */
static void requests_at_once_wait_for_half_of_the_ramp(void **state)
{
	struct serving alone = chat_with("llama-3-8b");
	struct serving job = run_of(64, 0);

	(void)state;
	alone.concurrency = 64;
	struct serving_speed steady = sized(&alone, "h100-sxm", 1).speed;
	struct serving_speed run = sized(&job, "h100-sxm", 1).speed;

	/* 16 GFLOP a token at 0.6 of 989 TFLOP/s, attention and host beside: 28 us a token. */
	check_near(run.ttft_ms - steady.ttft_ms, (64 * 1000 * 0.028 + 64 * 4) / 2, 0.25);
	assert_true(run.output_tokens_per_s < steady.output_tokens_per_s);
}

static void answers_of_many_lengths_drain_slowly(void **state)
{
	struct serving alike = run_of(256, 0);
	struct serving varied = run_of(256, 1);
	struct serving_speed a = sized(&alike, "h100-sxm", 1).speed;
	struct serving_speed v = sized(&varied, "h100-sxm", 1).speed;

	(void)state;
	assert_true(v.output_tokens_per_s < 0.85 * a.output_tokens_per_s);
	/* Short answers bear the pre-fill of others over few tokens: the mean is above the median.
	 */
	assert_true(v.tpot_ms > 1.1 * v.tpot.p50);
	check_near(a.tpot_ms, a.tpot.p50, 1e-9);
}

static void a_long_run_nears_the_steady_rate(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	double steady = sized(&job, "h100-sxm", 1).speed.output_tokens_per_s;

	(void)state;
	job.requests = 16;
	double once = sized(&job, "h100-sxm", 1).speed.output_tokens_per_s;
	job.requests = 16000;
	double long_run = sized(&job, "h100-sxm", 1).speed.output_tokens_per_s;

	assert_true(once < long_run);
	check_near(long_run, steady, 0.1);
}

static void above_capacity_the_wait_grows_with_the_run(void **state)
{
	struct serving job = chat_with("llama-3-8b");

	(void)state;
	job.concurrency = 0;
	job.requests_per_s = 1000;
	job.requests = 2000;
	double shorter = sized(&job, "h100-sxm", 1).speed.ttft_ms;
	job.requests = 8000;
	struct serving_speed longer = sized(&job, "h100-sxm", 1).speed;

	assert_true(longer.saturated);
	assert_true(longer.ttft_ms > 3 * shorter);
}

/* The tensor cores of an A100 know no FP8: its weights are unpacked, at 0.65 of the 16-bit rate. */
static void weights_unpacked_to_16_bit_cost_time_in_prompts(void **state)
{
	struct serving job = chat_with("llama-2-70b");

	(void)state;
	job.concurrency = 1;
	job.input_tokens = 4000;
	double plain = sized(&job, "a100-80-sxm", 4).speed.ttft_ms;
	job.weights = WEIGHTS_FP8;
	double unpacked = sized(&job, "a100-80-sxm", 4).speed.ttft_ms;

	assert_true(unpacked > 1.3 * plain);
	assert_true(unpacked < 1.6 * plain);
}

static void untuned_expert_kernels_of_old_releases_read_slowly(void **state)
{
	struct serving job = chat_with("qwen3-235b-a22b");

	(void)state;
	job.weights = WEIGHTS_FP8;
	job.engine_version = "0.11.0";
	double old = sized(&job, "h200-sxm", 4).speed.tpot_ms;
	job.engine_version = "0.17.0";
	assert_true(old > 1.2 * sized(&job, "h200-sxm", 4).speed.tpot_ms);
}

static void vllm_v0_pays_for_each_page_of_cache(void **state)
{
	(void)state;
	assert_true(serving_constants_table[PROFILE_VLLM_V0].page_us > 0);
	assert_true(serving_constants_table[PROFILE_VLLM].page_us == 0);
}

static void engines_that_split_by_layer_use_one_card_at_a_time(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	struct cluster on = cards_of("rtx-4090", 2);
	struct serving_size two;

	(void)state;
	job.engine = ENGINE_LLAMACPP;
	job.concurrency = 1;
	serving_size(&job, &on, NULL, &two);
	assert_int_equal(two.layout.tp, 1);
	assert_int_equal(two.layout.pp, 2);
	check_near(two.speed.tpot_ms, sized(&job, "rtx-4090", 1).speed.tpot_ms, 0.05);
}

/* 61 layers x 512 x 128 heads x (128 + 128) x 2 bytes = 1.91 GiB, on each rank with its own
 * attention. */
static void latent_attention_keeps_its_up_projections_twice(void **state)
{
	struct serving job = chat_with("deepseek-r1-671b");
	struct cluster on = cards_of("h200-sxm", 8);
	struct serving_layout shared = {.tp = 8, .pp = 1, .ep = 1, .dp = 1};
	struct serving_layout ranks = {.tp = 1, .pp = 1, .ep = 8, .dp = 8};
	struct serving_size together, apart;

	(void)state;
	job.weights = WEIGHTS_FP8;
	serving_size(&job, &on, &shared, &together);
	serving_size(&job, &on, &ranks, &apart);
	double attention = 61 * 187.1e6 / 1073741824.0; /* 187 M parameters a layer, FP8 */
	double embedding = 129280.0 * 7168 * 2 / 1073741824.0;
	double both = 7.0 / 8 * (attention + 2 * embedding + 1.91);

	/* Shared experts and the dense layers differ too. */
	check_near(apart.memory.parts.weights - together.memory.parts.weights, both, 0.25);
	check_near(together.memory.parts.weights,
	           serving_weights_gib(job.model, WEIGHTS_FP8) / 8 + 1.91 / 8 + 0.05, 0.002);
}

static void bands_widen_where_the_state_of_a_server_is_not_known(void **state)
{
	struct serving steady = chat_with("llama-3-8b");
	struct serving run = run_of(16, 0);
	struct serving_speed s = sized(&steady, "h100-sxm", 1).speed;
	struct serving_speed r = sized(&run, "h100-sxm", 1).speed;

	(void)state;
	assert_true(r.tpot_high / r.tpot_ms > 1.5 * s.tpot_high / s.tpot_ms);
	assert_true(r.high / r.output_tokens_per_s > 1.2 * s.high / s.output_tokens_per_s);
}

/* Where requests wait, the range starts at a first token that did not. */
static void near_saturation_the_first_token_is_a_range(void **state)
{
	struct serving job = chat_with("llama-2-70b");

	(void)state;
	job.concurrency = 2000;
	struct serving_speed speed = sized(&job, "h100-sxm", 4).speed;

	assert_true(speed.saturated);
	assert_true(speed.ttft_low < speed.first_ms);
	assert_true(speed.first_ms < speed.ttft_ms / 3);
	assert_true(speed.ttft_high > 3 * speed.ttft_ms);
}

/* A pass of every stage is scheduled over all requests: at large batches eight stages of one card
 * serve less than eight times a stage's rate. */
static void many_stages_pay_for_scheduling_each_pass(void **state)
{
	struct serving job = chat_with("llama-2-70b");
	struct cluster on = cards_of("rtx-pro-6000-server", 8);
	struct serving_layout two = {.tp = 1, .pp = 2, .ep = 1, .dp = 1};
	struct serving_layout eight = {.tp = 1, .pp = 8, .ep = 1, .dp = 1};
	struct serving_size a, b;

	(void)state;
	job.engine = ENGINE_TRTLLM;
	job.weights = WEIGHTS_NVFP4;
	job.input_tokens = 128;
	job.output_tokens = 2048;
	job.concurrency = 1800;
	on.cards = 2;
	serving_size(&job, &on, &two, &a);
	on.cards = 8;
	serving_size(&job, &on, &eight, &b);
	assert_true(b.speed.output_tokens_per_s_per_card <
	            0.8 * a.speed.output_tokens_per_s_per_card);
}

static void an_engine_s_version_selects_its_constants(void **state)
{
	(void)state;
	assert_int_equal(serving_profile_of(ENGINE_VLLM, "0.6.3"), PROFILE_VLLM_V0);
	assert_int_equal(serving_profile_of(ENGINE_VLLM, "v0.11.0rc1"), PROFILE_VLLM);
	assert_int_equal(serving_profile_of(ENGINE_VLLM, NULL), PROFILE_VLLM);
	assert_int_equal(serving_profile_of(ENGINE_TRTLLM, "0.12.0"), PROFILE_TRTLLM_CPP);
	assert_int_equal(serving_profile_of(ENGINE_TRTLLM, "v1.0"), PROFILE_TRTLLM);
	assert_int_equal(serving_profile_of(ENGINE_UNSET, NULL), PROFILE_VLLM);
}

static void a_layout_is_searched_when_none_is_given(void **state)
{
	struct serving job = chat_with("llama-2-70b");
	struct cluster on = cards_of("h100-sxm", 0);
	struct serving_size size;

	(void)state;
	serving_size(&job, &on, NULL, &size);
	assert_true(size.fits);
	assert_true(size.cards >= 2 && size.cards <= 8);
	assert_true(has_note(&size.assumed, NOTE_ASSUMED_LAYOUT));
	on.cards = 8;
	serving_size(&job, &on, NULL, &size);
	assert_int_equal(size.cards, 8);
}

static void a_card_without_rates_has_memory_but_no_speed(void **state)
{
	struct serving job = chat_with("llama-3-8b");
	struct serving_size size = sized(&job, "ascend-910c", 1);

	(void)state;
	assert_int_equal(size.status, STATUS_UNKNOWN);
	assert_true(size.fits && size.speed.kv_tokens > 0);
	assert_true(size.speed.tpot_ms == 0);
}

static struct serving office(void)
{
	struct serving job = chat_with("qwen2.5-14b");

	job.concurrency = 0;
	job.requests_per_s = 40;
	job.ttft_ms = 1000;
	job.tpot_ms = 50;
	job.percentile = 95;
	job.spare_replicas = 1;
	return job;
}

static void a_fleet_holds_its_limits_at_the_peak(void **state)
{
	struct serving job = office();
	struct cluster on = cards_of("h100-sxm", 0);
	struct serving_known known = {0};
	struct serving_fleet fleet;

	(void)state;
	serving_fleet(&job, &on, &known, &fleet);
	assert_true(fleet.possible);
	assert_true(fleet.replicas * fleet.knee_requests_per_s >= 40);
	assert_true((fleet.replicas - 1) * fleet.knee_requests_per_s < 40);
	assert_int_equal(fleet.cards, (fleet.replicas + 1) * fleet.replica.cards);
	assert_true(fleet.replica.speed.ttft.p95 <= 1000);
	assert_true(fleet.replica.speed.tpot.p95 <= 50);
	assert_false(fleet.replica.speed.saturated);
	check_near(fleet.cost_basis_output_tokens_per_hour, 40.0 * 300 * 3600, 1e-9);
	check_near(fleet.output_tokens_per_week, 40.0 * 300 * 3600 * 168, 1e-9);
}

static void quiet_hours_need_fewer_replicas(void **state)
{
	struct serving job = office();
	struct cluster on = cards_of("l40s", 0);
	struct serving_known known = {0};
	struct serving_fleet fleet;

	(void)state;
	job.profile_hours = 24;
	for (int hour = 0; hour < 24; hour++)
		job.profile[hour] = hour >= 9 && hour < 18 ? 1 : 0.1;
	serving_fleet(&job, &on, &known, &fleet);
	assert_true(fleet.possible);
	assert_int_equal(fleet.replicas_by_hour[12], fleet.replicas);
	assert_int_equal(fleet.replicas_by_hour[24 + 12], fleet.replicas);
	assert_true(fleet.replicas_by_hour[3] < fleet.replicas);
	assert_true(fleet.replicas_by_hour[3] >= 1);
	/* 9 hours at 1, 15 at 0.1 */
	check_near(fleet.output_tokens_per_week, 40.0 * 300 * 3600 * 7 * 10.5, 1e-9);
}

static void a_limit_that_no_layout_keeps_is_named(void **state)
{
	struct serving job = office();
	struct cluster on = cards_of("l4", 0);
	struct serving_known known = {0};
	struct serving_fleet fleet;

	(void)state;
	job.tpot_ms = 1;
	serving_fleet(&job, &on, &known, &fleet);
	assert_false(fleet.possible);
	assert_true(has_note(&fleet.replica.warnings, NOTE_LIMIT_MISSED));
}

static void a_fleet_for_requests_in_flight_holds_them_all(void **state)
{
	struct serving job = office();
	struct cluster on = cards_of("h100-sxm", 0);
	struct serving_known known = {0};
	struct serving_fleet fleet;

	(void)state;
	job.requests_per_s = 0;
	job.concurrency = 2000;
	serving_fleet(&job, &on, &known, &fleet);
	assert_true(fleet.possible);
	assert_true(fleet.replicas > 1);
	check_near(fleet.replica.speed.concurrency * fleet.replicas, 2000, 0.25);
}

static void a_chat_below_saturation_gets_the_layout_with_the_shortest_requests(void **state)
{
	struct serving job = chat_with("qwen2.5-14b");
	struct cluster on = cards_of("h100-sxm", 8);
	struct serving_size size;

	(void)state;
	job.concurrency = 0;
	job.requests_per_s = 5;
	serving_size(&job, &on, NULL, &size);
	assert_true(size.fits && !size.speed.saturated);
	assert_true(size.layout.tp == 8 && size.layout.pp == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_token_of_cache_counts_every_layer_once),
	    cmocka_unit_test(latent_attention_keeps_one_vector_a_layer),
	    cmocka_unit_test(hybrids_cache_only_their_full_layers),
	    cmocka_unit_test(cached_heads_are_copied_beyond_their_number),
	    cmocka_unit_test(windows_let_long_requests_in),
	    cmocka_unit_test(weights_follow_the_format_of_each_tensor),
	    cmocka_unit_test(experts_are_stored_in_full),
	    cmocka_unit_test(what_does_not_fit_has_a_reason_and_no_speed),
	    cmocka_unit_test(the_figures_of_a_cache_divide),
	    cmocka_unit_test(parts_add_up_to_what_is_allocated),
	    cmocka_unit_test(an_engine_log_is_met),
	    cmocka_unit_test(longer_prompts_wait_longer),
	    cmocka_unit_test(more_requests_are_each_slower_and_together_faster),
	    cmocka_unit_test(percentiles_and_bands_are_in_order),
	    cmocka_unit_test(too_high_a_rate_is_called_saturated),
	    cmocka_unit_test(waits_grow_towards_saturation),
	    cmocka_unit_test(each_higher_rate_has_more_in_flight),
	    cmocka_unit_test(pcie_slows_a_group_down),
	    cmocka_unit_test(cached_prefixes_and_speculation_save_time),
	    cmocka_unit_test(an_engine_s_version_selects_its_constants),
	    cmocka_unit_test(a_layout_is_searched_when_none_is_given),
	    cmocka_unit_test(a_chat_below_saturation_gets_the_layout_with_the_shortest_requests),
	    cmocka_unit_test(latent_attention_keeps_its_up_projections_twice),
	    cmocka_unit_test(bands_widen_where_the_state_of_a_server_is_not_known),
	    cmocka_unit_test(near_saturation_the_first_token_is_a_range),
	    cmocka_unit_test(many_stages_pay_for_scheduling_each_pass),
	    cmocka_unit_test(requests_at_once_wait_for_half_of_the_ramp),
	    cmocka_unit_test(answers_of_many_lengths_drain_slowly),
	    cmocka_unit_test(a_long_run_nears_the_steady_rate),
	    cmocka_unit_test(above_capacity_the_wait_grows_with_the_run),
	    cmocka_unit_test(weights_unpacked_to_16_bit_cost_time_in_prompts),
	    cmocka_unit_test(untuned_expert_kernels_of_old_releases_read_slowly),
	    cmocka_unit_test(vllm_v0_pays_for_each_page_of_cache),
	    cmocka_unit_test(engines_that_split_by_layer_use_one_card_at_a_time),
	    cmocka_unit_test(a_card_without_rates_has_memory_but_no_speed),
	    cmocka_unit_test(a_fleet_holds_its_limits_at_the_peak),
	    cmocka_unit_test(quiet_hours_need_fewer_replicas),
	    cmocka_unit_test(a_limit_that_no_layout_keeps_is_named),
	    cmocka_unit_test(a_fleet_for_requests_in_flight_holds_them_all),
	};

	return cmocka_run_group_tests(tests, read_reference, drop_reference);
}
