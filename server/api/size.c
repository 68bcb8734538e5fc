/* size.c - see size.h. */
#include "api/size.h"

#include "base/arena.h"

#include "api/reply.h"
#include "base/buf.h"

static void read_layout(struct workload_reader *reader, struct fields *in,
                        struct size_request *request)
{
	const json_t *json = field_object(in, "layout", FIELD_OPTIONAL);
	const char *pointer = field_pointer(in, "layout");

	request->layout_given = json != NULL;
	if (json == NULL)
		return;
	if (request->workload.kind == WORKLOAD_INFERENCE)
		serving_layout_read(&reader->json, json, pointer, &request->serving_layout);
	else
		layout_read(&reader->json, json, pointer, &request->layout);
}

/* A layout that is given whole must be that of the cards that are given. */
static void check_layout(struct fields *in, const struct size_request *request)
{
	const struct layout *layout = &request->layout;
	int product = layout->tp * layout->pp * layout->dp * (layout->cp == 0 ? 1 : layout->cp);

	if (request->workload.kind != WORKLOAD_TRAINING || product == 0 || request->on.cards == 0)
		return;
	if (product != request->on.cards)
		field_problem(in, "layout", "layout_mismatch", NULL,
		              "tp x pp x cp x dp is %d, but there are %d cards",
		              "tp×pp×cp×dp 为 %d，而卡数为 %d", product, request->on.cards);
}

static void check_kind(struct fields *in, const struct size_request *request)
{
	if (request->workload.kind == WORKLOAD_USAGE || request->workload.kind == WORKLOAD_HOSTING)
		field_problem(in, "workload", "kind_not_sized", NULL,
		              "only training and inference can be sized; the others are planned",
		              "只有 training 与 inference 可以算规模，其余请用 /plan");
}

bool size_read(struct workload_reader *reader, const json_t *json, struct size_request *request)
{
	size_t errors = reader->json.problems->errors;
	struct fields in;

	*request = (struct size_request){.assumed = {.arena = reader->json.arena}};
	reader->assumed = &request->assumed;
	reader->for_plan = false;
	if (!fields_begin(&in, &reader->json, json, ""))
		return false;
	request->id = field_any(&in, "id");
	if (request->id != NULL && !json_is_string(request->id) && !json_is_integer(request->id))
		field_problem(&in, "id", "wrong_type", NULL, "a string or an integer is wanted",
		              "应为字符串或整数");
	const json_t *workload = field_object(&in, "workload", FIELD_REQUIRED);
	const json_t *on = field_object(&in, "on", FIELD_REQUIRED);

	if (workload != NULL && workload_read(reader, workload, "/workload", &request->workload))
		check_kind(&in, request);
	if (on != NULL)
		cluster_read(reader, on, "/on", &request->on);
	read_layout(reader, &in, request);
	fields_end(&in);
	if (reader->json.problems->errors == errors)
		check_layout(&in, request);
	return reader->json.problems->errors == errors;
}

/* Cards for a training job: those given, else those of the layout, else one server. */
static struct cluster training_cluster(const struct size_request *request)
{
	struct cluster on = request->on;
	const struct layout *layout = &request->layout;
	int product = layout->tp * layout->pp * layout->dp * (layout->cp == 0 ? 1 : layout->cp);

	if (on.cards == 0)
		on.cards = product > 0               ? product
		           : on.cards_per_server > 0 ? on.cards_per_server
		           : on.card->host_cards > 0 ? on.card->host_cards
		                                     : 1;
	return on;
}

static bool parallelism_given(const struct layout *layout)
{
	return layout->tp > 0 || layout->pp > 0 || layout->cp > 0 || layout->ep > 0 ||
	       layout->dp > 0 || layout->micro_batch > 0;
}

void size_compute(const struct size_request *request, struct size_result *result)
{
	*result = (struct size_result){0};
	if (request->workload.kind == WORKLOAD_INFERENCE) {
		serving_size(&request->workload.serving, &request->on, &request->serving_layout,
		             &result->serving);
		return;
	}
	struct cluster on = training_cluster(request);

	if (request->layout_given && parallelism_given(&request->layout))
		training_size(&request->workload.training, &on, &request->layout,
		              &result->training);
	else
		training_best_layout(&request->workload.training, &on, request->layout.global_batch,
		                     &result->training);
}

void memory_write(struct json_write *out, const char *key, const struct memory_size *memory)
{
	const struct memory_parts *parts = &memory->parts;

	out_object(out, key);
	out_number(out, "per_card_gib", memory->per_card_gib, 3);
	out_number(out, "reserved_gib", memory->reserved_gib, 3);
	out_number(out, "allocated_gib", memory->allocated_gib, 3);
	out_number(out, "usable_gib", memory->usable_gib, 3);
	out_object(out, "parts");
	out_number(out, "weights", parts->weights, 3);
	out_number(out, "gradients", parts->gradients, 3);
	out_number(out, "optimizer", parts->optimizer, 3);
	out_number(out, "activations", parts->activations, 3);
	out_number(out, "logits", parts->logits, 3);
	out_number(out, "kv_cache", parts->kv_cache, 3);
	out_number(out, "overhead", parts->overhead, 3);
	out_end(out);
	out_number(out, "low_gib", memory->low_gib, 3);
	out_number(out, "high_gib", memory->high_gib, 3);
	out_end(out);
}

void layout_write(struct json_write *out, const char *key, const struct layout *layout)
{
	out_object(out, key);
	out_integer(out, "tp", layout->tp);
	out_integer(out, "pp", layout->pp);
	out_integer(out, "vpp", layout->vpp);
	out_integer(out, "cp", layout->cp);
	out_integer(out, "ep", layout->ep);
	out_integer(out, "dp", layout->dp);
	out_known_string(out, "sharding", sharding_names[layout->sharding]);
	out_integer(out, "micro_batch", layout->micro_batch);
	out_integer(out, "global_batch", layout->global_batch);
	out_known_string(out, "recompute", recompute_names[layout->recompute]);
	out_end(out);
}

void serving_layout_write(struct json_write *out, const char *key,
                          const struct serving_layout *layout)
{
	out_object(out, key);
	out_integer(out, "tp", layout->tp);
	out_integer(out, "pp", layout->pp);
	out_integer(out, "ep", layout->ep);
	out_integer(out, "dp", layout->dp);
	out_end(out);
}

void training_speed_write(struct json_write *out, const char *key,
                          const struct training_speed *speed)
{
	out_object(out, key);
	out_number(out, "tokens_per_s_per_card", speed->tokens_per_s_per_card, 3);
	out_number(out, "tflops_per_card", speed->tflops_per_card, 3);
	out_number(out, "mfu", speed->mfu, 4);
	out_number(out, "step_s", speed->step_s, 6);
	out_number(out, "low", speed->low, 3);
	out_number(out, "high", speed->high, 3);
	out_string(out, "limit", sizing_limit_names[speed->limit]);
	out_end(out);
}

static void percentiles_write(struct json_write *out, const char *key,
                              const struct serving_percentiles *at)
{
	out_object(out, key);
	out_number(out, "p50", at->p50, 3);
	out_number(out, "p90", at->p90, 3);
	out_number(out, "p95", at->p95, 3);
	out_number(out, "p99", at->p99, 3);
	out_end(out);
}

static void capacity_write(struct json_write *out, const struct serving_speed *speed)
{
	out_number(out, "requests_per_s", speed->requests_per_s, 4);
	out_number(out, "max_requests_per_s", speed->max_requests_per_s, 4);
	out_number(out, "concurrency", speed->concurrency, 2);
	out_number(out, "utilisation", speed->utilisation, 4);
	out_number(out, "prefill_share", speed->prefill_share, 4);
	out_boolean(out, "saturated", speed->saturated);
	out_number(out, "max_concurrency", speed->max_concurrency, 2);
	out_number(out, "kv_tokens", speed->kv_tokens, 0);
	out_number(out, "kv_bytes_per_token", speed->kv_bytes_per_token, 1);
	out_number(out, "max_context", speed->max_context, 0);
}

void serving_speed_write(struct json_write *out, const char *key, const struct serving_speed *speed)
{
	out_object(out, key);
	out_number(out, "ttft_ms", speed->ttft_ms, 3);
	out_number(out, "tpot_ms", speed->tpot_ms, 4);
	out_number(out, "output_tokens_per_s", speed->output_tokens_per_s, 3);
	out_number(out, "output_tokens_per_s_per_card", speed->output_tokens_per_s_per_card, 3);
	out_number(out, "input_tokens_per_s", speed->input_tokens_per_s, 3);
	capacity_write(out, speed);
	percentiles_write(out, "ttft_percentiles_ms", &speed->ttft);
	percentiles_write(out, "tpot_percentiles_ms", &speed->tpot);
	out_number(out, "ttft_low_ms", speed->ttft_low, 3);
	out_number(out, "ttft_high_ms", speed->ttft_high, 3);
	out_number(out, "tpot_low_ms", speed->tpot_low, 4);
	out_number(out, "tpot_high_ms", speed->tpot_high, 4);
	out_number(out, "low", speed->low, 3);
	out_number(out, "high", speed->high, 3);
	out_string(out, "limit", sizing_limit_names[speed->limit]);
	out_end(out);
}

/* What memory alone decides: known for a card without rates too. */
static void room_write(struct json_write *out, const char *key, const struct serving_speed *speed)
{
	out_object(out, key);
	out_number(out, "kv_tokens", speed->kv_tokens, 0);
	out_number(out, "kv_bytes_per_token", speed->kv_bytes_per_token, 1);
	out_number(out, "max_concurrency", speed->max_concurrency, 2);
	out_number(out, "max_context", speed->max_context, 0);
	out_end(out);
}

static void id_write(struct json_write *out, const json_t *id)
{
	if (id == NULL)
		out_null(out, "id");
	else if (json_is_string(id))
		out_string_n(out, "id", json_string_value(id), json_string_length(id));
	else
		out_integer(out, "id", json_integer_value(id));
}

static struct text lost_text(struct arena *arena, const struct layout_lost *lost,
                             const struct training_size *size)
{
	static const struct text held[] = {
	    TEXT("nothing in particular", "无突出瓶颈"), TEXT("arithmetic", "算力"),
	    TEXT("memory bandwidth", "显存带宽"),        TEXT("links between cards", "卡间互联"),
	    TEXT("idle pipeline stages", "流水线空闲"),
	};
	double chosen = size->speed.tokens_per_s_per_card;

	if (lost->tokens_per_s_per_card <= 0)
		return text_printf(arena,
		                   "does not fit: %.1f GiB a card are needed, %.1f GiB are there",
		                   "放不下：每卡需 %.1f GiB，可用 %.1f GiB", lost->needed_gib,
		                   size->memory.usable_gib);
	double behind = chosen > 0 ? 100 * (1 - lost->tokens_per_s_per_card / chosen) : 0;

	return (struct text){
	    .en = arena_printf(arena, "%.1f %% slower, held back by %s", behind,
	                       held[lost->limit].en),
	    .zh = arena_printf(arena, "慢 %.1f%%，主要受限于%s", behind, held[lost->limit].zh),
	};
}

static void lost_write(struct json_write *out, const struct training_size *size,
                       struct arena *arena, enum lang lang)
{
	out_array(out, "not_chosen");
	for (int i = 0; i < size->lost_count; i++) {
		const struct layout_lost *lost = &size->lost[i];
		bool fits = lost->tokens_per_s_per_card > 0;

		out_object(out, NULL);
		layout_write(out, "layout", &lost->layout);
		out_string(out, "code", fits ? "slower" : "does_not_fit");
		out_string(out, "text", text_in(lost_text(arena, lost, size), lang));
		out_known_number(out, "tokens_per_s_per_card", lost->tokens_per_s_per_card, 3);
		out_number(out, "needed_gib", lost->needed_gib, 3);
		out_end(out);
	}
	out_end(out);
}

static void training_write(struct json_write *out, const struct size_request *request,
                           const struct training_size *size, struct arena *arena, enum lang lang)
{
	out_boolean(out, "fits", size->fits);
	memory_write(out, "memory", &size->memory);
	if (size->fits && size->status != STATUS_UNKNOWN)
		training_speed_write(out, "speed", &size->speed);
	else
		out_null(out, "speed");
	layout_write(out, "layout", &size->layout);
	lost_write(out, size, arena, lang);
	out_number(out, "power_w", size->power_w, 1);
	remarks_write(out, "assumed", &request->assumed, &size->assumed, arena, lang);
	remarks_write(out, "warnings", NULL, &size->warnings, arena, lang);
	out_string(out, "status", sizing_status_names[size->status]);
}

static void serving_write(struct json_write *out, const struct size_request *request,
                          const struct serving_size *size, struct arena *arena, enum lang lang)
{
	out_boolean(out, "fits", size->fits);
	memory_write(out, "memory", &size->memory);
	if (size->fits && size->status != STATUS_UNKNOWN)
		serving_speed_write(out, "speed", &size->speed);
	else
		out_null(out, "speed");
	if (size->fits)
		room_write(out, "capacity", &size->speed);
	else
		out_null(out, "capacity");
	serving_layout_write(out, "layout", &size->layout);
	out_integer(out, "cards", size->cards);
	out_number(out, "power_w", size->power_w, 1);
	remarks_write(out, "assumed", &request->assumed, &size->assumed, arena, lang);
	remarks_write(out, "warnings", NULL, &size->warnings, arena, lang);
	out_string(out, "status", sizing_status_names[size->status]);
}

void size_write(struct json_write *out, const struct size_request *request,
                const struct size_result *result, struct arena *arena, enum lang lang)
{
	out_object(out, NULL);
	id_write(out, request->id);
	if (request->workload.kind == WORKLOAD_INFERENCE)
		serving_write(out, request, &result->serving, arena, lang);
	else
		training_write(out, request, &result->training, arena, lang);
	out_end(out);
}
