/* test_training.c - parameters, memory and layouts of training: worked numbers and laws. */
#include "tests/unit/training_fixture.h"

#include <string.h>

#include "engine/model_math.h"

/* ---- parameters and FLOPs ----------------------------------------------------------------- */

static void every_model_of_the_catalogue_counts_to_its_stated_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < reference.models.count; i++) {
		const struct model *model = &reference.models.items[i];
		struct model_params params = model_params(model);
		if (model->params_b >= 1)
			assert_near(model_params_sum(&params) / 1e9, model->params_b, 0.004);
	}
}

static void experts_count_whole_for_memory_and_active_for_speed(void **state)
{
	const struct model *mixtral = model_of("mixtral-8x7b");
	struct model_params params = model_params(mixtral);
	struct training job = {.model = mixtral, .seq_len = 4096};

	(void)state;
	assert_near(model_params_sum(&params), 46.70e9, 0.001);
	assert_near(model_matrix_params(mixtral), 12.75e9, 0.001);
	/* 6 N + 6 L a d s: N with two of eight experts. */
	assert_near(training_flops_per_token(&job), 6 * 12.75e9 + 6.0 * 32 * 4096 * 4096, 0.001);
	assert_int_equal(model_moe_layers(model_of("deepseek-v3-671b")), 58);
	assert_int_equal(model_moe_layers(model_of("llama-4-maverick")), 24);
}

static void a_head_counts_in_flops_and_an_embedding_does_not(void **state)
{
	(void)state;
	assert_near(model_matrix_params(model_of("llama-2-7b")), 6.607e9, 0.001);
	/* Tied: the one table is counted once in memory and as the head in FLOPs. */
	struct model tied = *model_of("llama-2-7b");

	tied.tied_embeddings = true;
	struct model_params params = model_params(&tied);

	assert_near(model_params_sum(&params), 6.738e9 - 32000.0 * 4096, 0.001);
	assert_near(model_matrix_params(&tied), 6.607e9, 0.001);
}

static void attention_is_causal_and_windows_limit_it(void **state)
{
	struct model model = *model_of("llama-2-7b");

	(void)state;
	assert_near(model_attention_flops(&model, 4096), 2.0 * 32 * 4096 * 4096, 1e-9);
	model.sliding_window = 1024;
	model.window_layers = 32;
	assert_near(model_attention_flops(&model, 4096),
	            4.0 * 32 * 4096 * (1024 - 1024.0 * 1024 / 8192), 1e-9);
}

static void lora_needs_four_flops_a_parameter_and_training_six(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"), .seq_len = 4096};
	double attention = 3 * model_attention_flops(job.model, 4096);

	(void)state;
	assert_near(training_flops_per_token(&job), 6 * 6.607e9 + attention, 0.001);
	job.method = METHOD_LORA;
	assert_near(training_flops_per_token(&job), 4 * 6.607e9 + attention, 0.001);
	job.method = METHOD_QLORA;
	assert_near(training_flops_per_token(&job), 4 * 6.607e9 + attention, 0.001);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void the_seeds_eight_bytes_are_shown_beside_the_real_ones(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"), .method = METHOD_FULL};
	struct cluster on = cluster_of("h100-sxm", 8);
	struct training_size size = sized(&job, &on, (struct layout){.dp = 8});
	const struct note *note = note_of(&size.warnings, NOTE_SEED_MEMORY_8B);

	(void)state;
	assert_non_null(note);
	assert_near(note->x, 56, 0.05); /* the seeds say about 56 GB for "7B" */
	assert_near(note->y, 16 * 6.738, 0.001);
	job.model = model_of("llama-2-13b");
	job.stack = STACK_MEGATRON;
	size = sized(&job, &on, (struct layout){.tp = 8});
	note = note_of(&size.warnings, NOTE_SEED_MEMORY_8B);
	assert_non_null(note);
	assert_near(note->x, 104, 0.01);
	assert_near(note->y, 18 * 13.016, 0.001);
}

/* Figure 1 of Rajbhandari et al. 2020: 7.5B parameters on 64 cards, 16 bytes each. */
static void check_zero(enum sharding sharding, double gigabytes)
{
	struct model model = {.id = "zero",
	                      .layers = 48,
	                      .hidden = 3456,
	                      .heads = 27,
	                      .kv_heads = 27,
	                      .head_dim = 128,
	                      .ffn_hidden = 4 * 3456,
	                      .vocab = 50304};
	struct model_params params = model_params(&model);
	struct training job = {.model = &model, .method = METHOD_FULL, .stack = STACK_HF};
	struct cluster on = cluster_of("h100-sxm", 64);
	struct training_size size =
	    sized(&job, &on, (struct layout){.dp = 64, .sharding = sharding});
	const struct memory_parts *parts = &size.memory.parts;
	double bytes = (parts->weights + parts->gradients + parts->optimizer) * 1024 * 1024 * 1024;

	assert_near(bytes / model_params_sum(&params) * 7.5, gigabytes, 0.01);
}

static void zero_stages_divide_what_the_paper_says(void **state)
{
	(void)state;
	check_zero(SHARDING_ZERO1, 31.4);
	check_zero(SHARDING_ZERO2, 16.6);
	check_zero(SHARDING_ZERO3, 1.88);
}

/* Bytes that Megatron-LM's own functional tests log (golden values, mem-max-allocated-bytes). */
static void megatron_golden_runs_are_met_within_three_percent(void **state)
{
	struct training job = {
	    .seq_len = 8192, .precision = PRECISION_BF16, .stack = STACK_MEGATRON};
	struct cluster on = cluster_of("a100-80-sxm", 8);

	(void)state;
	job.model = model_of("mcore-gpt3_7b_tp1_pp4_memory_speed");
	struct training_size size = sized(&job, &on,
	                                  (struct layout){.tp = 1,
	                                                  .pp = 4,
	                                                  .vpp = 8,
	                                                  .dp = 2,
	                                                  .sharding = SHARDING_ZERO1,
	                                                  .micro_batch = 1,
	                                                  .global_batch = 8,
	                                                  .recompute = RECOMPUTE_NONE});

	assert_near(size.memory.allocated_gib, 56.3348, 0.03);
	job.model = model_of("mcore-gpt3_7b_tp4_pp1_memory_speed");
	size = sized(&job, &on,
	             (struct layout){.tp = 4,
	                             .pp = 1,
	                             .dp = 2,
	                             .sharding = SHARDING_ZERO1,
	                             .micro_batch = 2,
	                             .global_batch = 8,
	                             .recompute = RECOMPUTE_NONE});
	assert_near(size.memory.allocated_gib, 54.1919, 0.03);
}

/* fms-acceleration measured 67.46 GiB: weights, gradients, moments and the step's copy, 10 B. */
static void pure_sixteen_bit_training_peaks_at_ten_bytes_a_parameter(void **state)
{
	struct training job = {.model = model_of("mistral-7b-v0.1"),
	                       .method = METHOD_FULL,
	                       .seq_len = 4096,
	                       .optimizer = OPTIMIZER_ADAMW_BF16,
	                       .stack = STACK_HF};
	struct cluster on = cluster_of("a100-80-sxm", 1);
	struct training_size size = sized(&job, &on,
	                                  (struct layout){.dp = 1,
	                                                  .sharding = SHARDING_NONE,
	                                                  .micro_batch = 4,
	                                                  .global_batch = 4,
	                                                  .recompute = RECOMPUTE_FULL});

	(void)state;
	assert_near(size.memory.allocated_gib, 67.46, 0.005);
	assert_true(size.memory.per_card_gib > size.memory.allocated_gib);
}

static void an_uneven_pipeline_is_sized_by_its_fullest_stage(void **state)
{
	struct model ten = *model_of("llama-2-7b");
	struct model twelve = ten;
	struct training job = {.seq_len = 4096, .stack = STACK_MEGATRON};
	struct cluster on = cluster_of("h100-sxm", 4);
	struct layout layout = {
	    .pp = 4, .vpp = 1, .micro_batch = 1, .global_batch = 16, .recompute = RECOMPUTE_NONE};

	(void)state;
	ten.layers = 10; /* 3 + 3 + 3 + 1 */
	twelve.layers = 12;
	job.model = &ten;
	struct training_size uneven = sized(&job, &on, layout);

	job.model = &twelve;
	struct training_size even = sized(&job, &on, layout);

	assert_near(uneven.memory.parts.weights, even.memory.parts.weights, 0.0001);
	assert_near(uneven.memory.allocated_gib, even.memory.allocated_gib, 0.001);
}

static void experts_are_divided_by_expert_parallelism_and_the_rest_by_tensor(void **state)
{
	struct training job = {.model = model_of("mixtral-8x7b"), .stack = STACK_TUNED};
	struct cluster on = cluster_of("h100-sxm", 8);
	struct layout layout = {
	    .tp = 1, .ep = 8, .dp = 8, .sharding = SHARDING_ZERO1, .recompute = RECOMPUTE_FULL};
	struct training_size size = sized(&job, &on, layout);
	struct model_params all = model_params(job.model);
	double here = all.routed_experts / 8 + model_params_sum(&all) - all.routed_experts;

	(void)state;
	assert_near(size.memory.parts.weights * 1024 * 1024 * 1024, 2 * here, 0.001);
	/* One copy of the experts in all: their optimizer has nobody to be shared with. */
	double optimizer =
	    12 * (all.routed_experts / 8 + (model_params_sum(&all) - all.routed_experts) / 8);

	assert_near(size.memory.parts.optimizer * 1024 * 1024 * 1024, optimizer, 0.001);
}

static void a_frozen_base_in_four_bits_keeps_its_tables_wide(void **state)
{
	struct training job = {.model = model_of("llama-3-8b"),
	                       .method = METHOD_QLORA,
	                       .seq_len = 2048,
	                       .stack = STACK_HF};
	struct cluster on = cluster_of("rtx-4090", 1);
	struct layout layout = {.dp = 1, .sharding = SHARDING_NONE, .recompute = RECOMPUTE_FULL};
	double four = sized(&job, &on, layout).memory.parts.weights;
	double tables = 2 * 128256.0 * 4096;
	double linear = 8.03e9 - tables;

	(void)state;
	assert_near(four * 1024 * 1024 * 1024, linear * 0.53125 + tables * 4 + 4 * 41.9e6, 0.02);
	job.method = METHOD_LORA;
	assert_near(sized(&job, &on, layout).memory.parts.weights, 15.1, 0.01);
}

/*
 * PEFT widens norms and tables, so what a quantised base keeps between its layers is fp32: 4.3 GiB
 * more of checkpoints in the fms-acceleration runs of Mistral (19.2 GiB with PEFT as shipped).
 */
static void a_quantised_base_keeps_its_stream_wide(void **state)
{
	struct training job = {.model = model_of("mistral-7b-v0.1"),
	                       .method = METHOD_QLORA,
	                       .seq_len = 4096,
	                       .stack = STACK_HF};
	struct cluster on = cluster_of("a100-80-sxm", 1);
	struct layout layout = {
	    .dp = 1, .sharding = SHARDING_NONE, .micro_batch = 4, .recompute = RECOMPUTE_FULL};
	struct training_size plain = sized(&job, &on, layout);

	(void)state;
	assert_near(plain.memory.allocated_gib, 19.2, 0.08);
	job.fused_loss = true;
	assert_near(sized(&job, &on, layout).memory.allocated_gib, 12.2, 0.08);
}

/* Qwen's table: 43.5 GB (40.5 GiB) whether a sequence has 256 tokens or 2048. */
static void full_precision_states_peak_while_the_optimizer_runs(void **state)
{
	struct training job = {
	    .model = model_of("qwen-1.8b"), .method = METHOD_FULL, .stack = STACK_HF};
	struct cluster on = cluster_of("a100-80-sxm", 1);
	struct layout layout = {.dp = 1, .sharding = SHARDING_NONE, .recompute = RECOMPUTE_FULL};

	(void)state;
	job.seq_len = 256;
	double few = sized(&job, &on, layout).memory.per_card_gib;

	job.seq_len = 2048;
	assert_near(sized(&job, &on, layout).memory.per_card_gib, few, 1e-9);
	/* 4 + 4 + 8 bytes, and 4 of what AdamW computes with. */
	struct model_params params = model_params(job.model);

	assert_near((few - 0.8) * 1024 * 1024 * 1024, 20 * model_params_sum(&params), 0.01);
}

static void vocabulary_is_paid_for_on_the_last_stage(void **state)
{
	struct model model = *model_of("llama-2-7b");
	struct training job = {
	    .model = &model, .seq_len = 4096, .stack = STACK_HF, .method = METHOD_LORA};
	struct cluster on = cluster_of("h100-sxm", 1);
	struct layout layout = {.dp = 1, .micro_batch = 4, .recompute = RECOMPUTE_FULL};

	(void)state;
	model.vocab = 152064;
	double wide = sized(&job, &on, layout).memory.parts.logits;

	/* The logits in 16 and in 32 bit, and their gradient in 32. */
	assert_near(wide * 1024 * 1024 * 1024, 4 * 4096.0 * 152064 * 10, 0.001);
	job.chunked_loss = true;
	assert_true(sized(&job, &on, layout).memory.parts.logits < wide / 5);
}

/* ---- laws over many layouts --------------------------------------------------------------- */

static void check_parts(const struct training_size *size)
{
	const struct memory_parts *parts = &size->memory.parts;
	double sum = parts->weights + parts->gradients + parts->optimizer + parts->activations +
	             parts->logits + parts->kv_cache + parts->overhead;

	assert_near(sum, size->memory.allocated_gib, 1e-9);
	assert_true(parts->weights > 0 && parts->gradients >= 0 && parts->optimizer >= 0);
	assert_true(parts->activations >= -1e-9 && parts->logits >= 0 && parts->overhead >= -1e-9);
	assert_true(size->memory.reserved_gib >= size->memory.allocated_gib);
	assert_true(size->memory.low_gib < size->memory.per_card_gib);
	assert_true(size->memory.high_gib > size->memory.per_card_gib);
}

static void check_size(const struct training_size *size)
{
	check_parts(size);
	if (!size->fits) {
		assert_non_null(note_of(&size->warnings, NOTE_DOES_NOT_FIT));
		assert_true(size->speed.tokens_per_s_per_card == 0);
		return;
	}
	assert_true(size->speed.mfu > 0 && size->speed.mfu < 0.8);
	assert_true(size->speed.low < size->speed.tokens_per_s_per_card);
	assert_true(size->speed.high > size->speed.tokens_per_s_per_card);
	assert_true(size->power_w > 0);
}

static void the_parts_add_up_in_every_layout(void **state)
{
	static const char *const models[] = {"llama-2-7b", "llama-3-70b", "mixtral-8x7b",
	                                     "deepseek-v3-671b", "qwen3-next-80b-a3b"};
	struct cluster on = cluster_of("h200-sxm", 64);
	struct layout layout = {0};

	(void)state;
	for (int i = 0; i < 5 * 4 * 7 * 4; i++) {
		struct training job = {.model = model_of(models[i % 5]),
		                       .method = (enum train_method)(i / 5 % 4)};
		layout.sharding = (enum sharding)(i / 20 % 7);
		layout.recompute = (enum recompute)(i / 140 % 4);
		for (int tp = 1; tp <= 4; tp *= 2) {
			layout.tp = tp;
			layout.pp = tp == 2 ? 4 : 1;
			struct training_size size = sized(&job, &on, layout);
			check_size(&size);
		}
	}
}

static void more_tensor_parallelism_never_needs_more_weights(void **state)
{
	struct training job = {.model = model_of("llama-3-70b"), .stack = STACK_TUNED};
	struct cluster on = cluster_of("h100-sxm", 64);
	double before = INFINITY;

	(void)state;
	for (int tp = 1; tp <= 8; tp *= 2) {
		struct training_size size =
		    sized(&job, &on, (struct layout){.tp = tp, .sharding = SHARDING_ZERO1});
		assert_true(size.memory.parts.weights < before);
		before = size.memory.parts.weights;
	}
}

static void longer_sequences_need_more_memory_and_bigger_batches_too(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"), .stack = STACK_TUNED};
	struct cluster on = cluster_of("h200-sxm", 8);
	double before = 0;

	(void)state;
	for (int seq_len = 1024; seq_len <= 65536; seq_len *= 2) {
		job.seq_len = seq_len;
		struct training_size size =
		    sized(&job, &on, (struct layout){.dp = 8, .recompute = RECOMPUTE_FULL});
		assert_true(size.memory.needed_gib > before);
		before = size.memory.needed_gib;
	}
	job.seq_len = 4096;
	before = 0;
	for (int micro = 1; micro <= 16; micro *= 2) {
		struct training_size size = sized(
		    &job, &on,
		    (struct layout){.dp = 8, .micro_batch = micro, .recompute = RECOMPUTE_NONE});
		assert_true(size.memory.needed_gib > before);
		before = size.memory.needed_gib;
	}
}

static void recomputation_trades_memory_for_time(void **state)
{
	struct training job = {
	    .model = model_of("llama-2-7b"), .seq_len = 4096, .stack = STACK_FSDP};
	struct cluster on = cluster_of("h200-sxm", 8);
	struct layout layout = {.dp = 8, .micro_batch = 2, .recompute = RECOMPUTE_NONE};
	struct training_size none = sized(&job, &on, layout);

	(void)state;
	layout.recompute = RECOMPUTE_SELECTIVE;
	struct training_size some = sized(&job, &on, layout);

	layout.recompute = RECOMPUTE_FULL;
	struct training_size full = sized(&job, &on, layout);

	assert_true(none.memory.allocated_gib > some.memory.allocated_gib);
	assert_true(some.memory.allocated_gib > full.memory.allocated_gib);
	assert_true(none.speed.step_s < some.speed.step_s);
	assert_true(some.speed.step_s < full.speed.step_s);
	/* Time, never FLOPs: a token costs the same model FLOPs. */
	assert_near(full.speed.tflops_per_card / full.speed.tokens_per_s_per_card,
	            none.speed.tflops_per_card / none.speed.tokens_per_s_per_card, 1e-9);
}

/* ---- links -------------------------------------------------------------------------------- */

static void nvlink_and_infiniband_show_against_pcie_and_ethernet(void **state)
{
	struct training job = {
	    .model = model_of("llama-2-7b"), .seq_len = 4096, .stack = STACK_TUNED};
	struct cluster on = cluster_of("h100-sxm", 8);
	struct layout split = {.tp = 8, .micro_batch = 1, .global_batch = 8};

	(void)state;
	on.intra_link = INTRA_NVLINK;
	double nvlink = tokens(&job, on, split);

	on.intra_link = INTRA_PCIE;
	assert_true(tokens(&job, on, split) < 0.7 * nvlink);
	on = cluster_of("h100-sxm", 64);
	on.inter_link = INTER_IB;
	on.inter_gbps = 3200;
	struct layout wide = {.dp = 64, .sharding = SHARDING_ZERO1, .global_batch = 64};
	double fast = tokens(&job, on, wide);

	on.inter_link = INTER_ETHERNET;
	on.inter_gbps = 100;
	assert_true(tokens(&job, on, wide) < 0.5 * fast);
}

static void an_unstated_network_is_assumed_by_the_kind_of_card(void **state)
{
	static const struct {
		const char *card;
		const char *link;
		double gbps;
	} cases[] = {{"rtx-4090", "ethernet", 25}, {"h100-sxm", "ib", 400}};
	struct training job = {.model = model_of("llama-2-7b"), .seq_len = 4096};
	struct layout layout = {.sharding = SHARDING_FSDP, .micro_batch = 1};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct cluster on = cluster_of(cases[i].card, 8);
		on.cards_per_server = 1;
		struct training_size size = sized(&job, &on, layout);
		bool named = false;

		for (int n = 0; n < size.assumed.count; n++) {
			const struct note *note = &size.assumed.items[n];
			if (note->code != NOTE_ASSUMED_INTER_LINK)
				continue;
			named = true;
			assert_string_equal(note->word, cases[i].link);
			assert_near(note->x, cases[i].gbps, 1e-9);
		}
		assert_true(named);
	}
}

static void a_pipeline_idles_less_with_more_micro_batches(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"), .stack = STACK_MEGATRON};
	struct cluster on = cluster_of("h100-sxm", 8);
	struct layout layout = {.pp = 8, .vpp = 1, .micro_batch = 1, .global_batch = 8};
	double few = tokens(&job, on, layout);

	(void)state;
	layout.global_batch = 128;
	double many = tokens(&job, on, layout);

	/* (m + p - 1) / m: 15/8 against 135/128. */
	assert_near(many / few, (15.0 / 8) / (135.0 / 128), 0.08);
}

/* ---- refusals, search --------------------------------------------------------------------- */

/* The V100's tensor cores do no FP32: long sequences once ran attention at their FP16 rate. */
static void in_full_precision_no_card_is_faster_than_its_peak(void **state)
{
	struct training job = {.method = METHOD_PRETRAIN,
	                       .model = model_of("mpt-125m"),
	                       .precision = PRECISION_FP32,
	                       .seq_len = 131072};
	struct cluster on = cluster_of("v100-sxm2-32", 1024);
	struct training_size size;

	(void)state;
	training_best_layout(&job, &on, 0, &size);
	assert_true(size.speed.tokens_per_s_per_card > 0 && size.speed.mfu < 1);
}

static void what_a_card_cannot_do_is_refused_by_name(void **state)
{
	struct training job = {.model = model_of("llama-2-7b"), .precision = PRECISION_FP8};
	struct cluster on = cluster_of("a100-80-sxm", 8);
	struct training_size size = sized(&job, &on, (struct layout){.dp = 8});

	(void)state;
	assert_int_equal(size.status, STATUS_UNKNOWN);
	assert_false(size.fits);
	assert_non_null(note_of(&size.warnings, NOTE_NO_PRECISION));
	job.precision = PRECISION_BF16;
	size = sized(&job, &on, (struct layout){.tp = 3, .dp = 2});
	assert_int_equal(size.status, STATUS_UNKNOWN);
	assert_non_null(note_of(&size.warnings, NOTE_NO_LEGAL_LAYOUT));
}

static void status_says_whether_the_like_was_measured(void **state)
{
	struct training job = {.model = model_of("llama-2-7b")};
	struct cluster on = cluster_of("h100-sxm", 8);
	struct layout layout = {.tp = 2, .dp = 4};
	struct training_size size = sized(&job, &on, layout);

	(void)state;
	assert_int_equal(size.status, STATUS_MEASURED);
	on = cluster_of("l20", 8);
	size = sized(&job, &on, layout);
	assert_int_equal(size.status, STATUS_ESTIMATED);
	assert_non_null(note_of(&size.warnings, NOTE_CARD_NOT_MEASURED));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_model_of_the_catalogue_counts_to_its_stated_size),
	    cmocka_unit_test(experts_count_whole_for_memory_and_active_for_speed),
	    cmocka_unit_test(a_head_counts_in_flops_and_an_embedding_does_not),
	    cmocka_unit_test(attention_is_causal_and_windows_limit_it),
	    cmocka_unit_test(lora_needs_four_flops_a_parameter_and_training_six),
	    cmocka_unit_test(the_seeds_eight_bytes_are_shown_beside_the_real_ones),
	    cmocka_unit_test(zero_stages_divide_what_the_paper_says),
	    cmocka_unit_test(megatron_golden_runs_are_met_within_three_percent),
	    cmocka_unit_test(pure_sixteen_bit_training_peaks_at_ten_bytes_a_parameter),
	    cmocka_unit_test(an_uneven_pipeline_is_sized_by_its_fullest_stage),
	    cmocka_unit_test(experts_are_divided_by_expert_parallelism_and_the_rest_by_tensor),
	    cmocka_unit_test(a_frozen_base_in_four_bits_keeps_its_tables_wide),
	    cmocka_unit_test(a_quantised_base_keeps_its_stream_wide),
	    cmocka_unit_test(full_precision_states_peak_while_the_optimizer_runs),
	    cmocka_unit_test(vocabulary_is_paid_for_on_the_last_stage),
	    cmocka_unit_test(the_parts_add_up_in_every_layout),
	    cmocka_unit_test(more_tensor_parallelism_never_needs_more_weights),
	    cmocka_unit_test(longer_sequences_need_more_memory_and_bigger_batches_too),
	    cmocka_unit_test(recomputation_trades_memory_for_time),
	    cmocka_unit_test(nvlink_and_infiniband_show_against_pcie_and_ethernet),
	    cmocka_unit_test(an_unstated_network_is_assumed_by_the_kind_of_card),
	    cmocka_unit_test(a_pipeline_idles_less_with_more_micro_batches),
	    cmocka_unit_test(in_full_precision_no_card_is_faster_than_its_peak),
	    cmocka_unit_test(what_a_card_cannot_do_is_refused_by_name),
	    cmocka_unit_test(status_says_whether_the_like_was_measured),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
