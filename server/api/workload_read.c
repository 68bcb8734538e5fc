/* workload_read.c - see workload_read.h. */
#include "api/workload_read.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

#define USUAL_CARDS 8 /* in a server of which only the power is said */

/* Bounds that no real request reaches; they keep arithmetic far from overflow. */
#define MOST_TOKENS 1e15
#define MOST_CARDS 131072
#define LONGEST_NAME 480
#define MOST_SEQUENCE 16777216
#define MOST_PARALLEL 4096

/* Whether WORD stands in ID as one or more of the parts between its hyphens. */
static bool is_part(const char *id, const char *word)
{
	size_t length = strlen(word);

	if (length == 0) /* stands everywhere, and beyond the end */
		return false;
	for (const char *at = strcasestr(id, word); at != NULL; at = strcasestr(at + 1, word)) {
		bool begins = at == id || at[-1] == '-';
		bool ends = at[length] == '\0' || at[length] == '-';

		if (begins && ends)
			return true;
	}
	return false;
}

/* "H100" and "4090" stand for several: name them all; else the id nearest to a slip of the pen. */
static struct text card_hint(struct arena *arena, const struct cards *cards, const char *id)
{
	const char **ids = arena_array(arena, const char *, cards->count);
	const char *list = "";

	for (size_t i = 0; i < cards->count; i++) {
		ids[i] = cards->items[i].id;
		if (is_part(ids[i], id))
			list =
			    arena_printf(arena, "%s%s%s", list, *list == '\0' ? "" : ", ", ids[i]);
	}
	if (*list != '\0')
		return text_printf(arena, "which one: %s?", "是哪一款：%s？", list);
	const char *near = nearest_name(id, ids, cards->count);

	return near == NULL ? TEXT(NULL, NULL)
	                    : text_printf(arena, "did you mean \"%s\"?", "是否想写“%s”？", near);
}

bool field_card(struct fields *in, const struct cards *cards, const char *name,
                enum field_need need, const struct card **card)
{
	const char *id = NULL;

	if (!field_string(in, name, need, &id))
		return false;
	*card = card_find(cards, id);
	if (*card != NULL)
		return true;
	struct problem *problem = field_problem(in, name, "unknown_card", id,
	                                        "no card \"%s\" in the catalogue; see /cards",
	                                        "目录中没有“%s”这款卡，见 /cards", id);

	problem->hint = card_hint(in->reader->arena, cards, id);
	return false;
}

/* Stores an index read as int into an enum member of the same size. */
#define FIELD_ENUM(in, name, need, names, count, target)                                           \
	do {                                                                                       \
		int index_ = 0;                                                                    \
		if (field_enum((in), (name), (need), (names), (count), &index_))                   \
			(target) = (__typeof__(target))index_;                                     \
	} while (0)

static void read_training(struct workload_reader *reader, struct fields *in,
                          struct training *training)
{
	FIELD_ENUM(in, "method", FIELD_REQUIRED, train_method_names, TRAIN_METHOD_COUNT,
	           training->method);
	field_model(in, reader, "model", &training->model);
	field_integer(in, "seq_len", FIELD_OPTIONAL, 1, MOST_SEQUENCE, &training->seq_len);
	FIELD_ENUM(in, "precision", FIELD_OPTIONAL, precision_names, PRECISION_COUNT,
	           training->precision);
	FIELD_ENUM(in, "optimizer", FIELD_OPTIONAL, optimizer_names, OPTIMIZER_COUNT,
	           training->optimizer);
	field_integer(in, "lora_rank", FIELD_OPTIONAL, 1, 4096, &training->lora_rank);
	field_integer(in, "quant_bits", FIELD_OPTIONAL, 4, 16, &training->quant_bits);
	FIELD_ENUM(in, "stack", FIELD_OPTIONAL, stack_names, STACK_COUNT, training->stack);
	field_boolean(in, "fused_loss", FIELD_OPTIONAL, &training->fused_loss);
	field_boolean(in, "chunked_loss", FIELD_OPTIONAL, &training->chunked_loss);
	if (!reader->for_plan)
		return;
	training->runs_per_month = 1;
	field_double(in, "tokens", FIELD_REQUIRED, 1, MOST_TOKENS, &training->tokens);
	field_double(in, "runs_per_month", FIELD_OPTIONAL, 0.01, 10000, &training->runs_per_month);
	field_double(in, "deadline_hours", FIELD_OPTIONAL, 0.01, 100000, &training->deadline_hours);
	field_boolean(in, "valley_only", FIELD_OPTIONAL, &training->valley_only);
}

/* The named profiles: the share of the peak in each hour of the week, Monday 0:00 first. */
static double profile_at(int profile, int hour_of_week)
{
	int day = hour_of_week / 24;
	int hour = hour_of_week % 24;
	bool office = day < 5 && hour >= 9 && hour < 18;
	bool waking = hour >= 9 && hour < 23;

	return profile == 0 || (profile == 1 && office) || (profile == 2 && waking) ? 1.0 : 0.2;
}

static void read_named_profile(struct workload_reader *reader, struct fields *in,
                               struct serving *serving)
{
	static const char *const names[] = {"flat", "office_hours", "waking_hours"};
	int profile = 0;

	if (!field_enum(in, "profile", FIELD_OPTIONAL, names, 3, &profile))
		return;
	serving->profile_hours = 168;
	for (int hour = 0; hour < 168; hour++)
		serving->profile[hour] = profile_at(profile, hour);
	if (profile == 1)
		remark_add(
		    reader->assumed, "profile_office_hours",
		    "office hours: the peak from 9:00 to 18:00, Monday to Friday, "
		    "one fifth of it at other times",
		    "流量以工作时间为主：周一至周五 9–18 点为峰值，其余时间为峰值的五分之一");
	if (profile == 2)
		remark_add(reader->assumed, "profile_waking_hours",
		           "waking hours: the peak from 9:00 to 23:00 every day, one fifth "
		           "of it at other times",
		           "流量从白天到夜里：每天 9–23 点为峰值，其余时间为峰值的五分之一");
}

static void read_profile(struct workload_reader *reader, struct fields *in, struct serving *serving)
{
	const json_t *member = json_object_get(in->object, "profile");
	size_t index;
	json_t *value;

	if (!json_is_array(member)) {
		read_named_profile(reader, in, serving);
		return;
	}
	const json_t *list = field_array(in, "profile", FIELD_OPTIONAL, 168);

	if (list == NULL)
		return;
	if (json_array_size(list) != 24 && json_array_size(list) != 168) {
		field_problem(in, "profile", "wrong_length", NULL,
		              "24 or 168 hourly values are wanted", "应为 24 或 168 个小时值");
		return;
	}
	double highest = 0;

	serving->profile_hours = (int)json_array_size(list);
	json_array_foreach(list, index, value)
	{
		double share = json_number_value(value);

		if (!json_is_number(value) || share < 0 || share > 1)
			field_problem(in, "profile", "out_of_range", NULL,
			              "hour %zu is not a number between 0 and 1",
			              "第 %zu 小时不是 0 到 1 之间的数", index);
		serving->profile[index] = share;
		highest = fmax(highest, share);
	}
	if (highest <= 0)
		field_problem(in, "profile", "out_of_range", NULL,
		              "at least one hour must be above 0", "至少一个小时应大于 0");
}

static void read_serving_plan(struct workload_reader *reader, struct fields *in,
                              struct serving *serving)
{
	static const int64_t allowed[] = {50, 90, 95, 99};
	bool known = false;

	read_profile(reader, in, serving);
	field_double(in, "ttft_ms", FIELD_OPTIONAL, 1, 1e7, &serving->ttft_ms);
	field_double(in, "tpot_ms", FIELD_OPTIONAL, 0.1, 1e6, &serving->tpot_ms);
	field_integer(in, "spare_replicas", FIELD_OPTIONAL, 0, 1000, &serving->spare_replicas);
	if (!field_integer(in, "percentile", FIELD_OPTIONAL, 1, 99, &serving->percentile))
		return;
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		known |= allowed[i] == serving->percentile;
	if (!known)
		field_problem(in, "percentile", "unknown_value", NULL, "must be 50, 90, 95 or 99",
		              "应为 50、90、95 或 99");
}

static void read_serving(struct workload_reader *reader, struct fields *in, struct serving *serving)
{
	field_model(in, reader, "model", &serving->model);
	FIELD_ENUM(in, "weights", FIELD_OPTIONAL, weight_format_names, WEIGHT_FORMAT_COUNT,
	           serving->weights);
	FIELD_ENUM(in, "kv_cache", FIELD_OPTIONAL, kv_format_names, KV_FORMAT_COUNT,
	           serving->kv_cache);
	field_double(in, "input_tokens", FIELD_REQUIRED, 1, MOST_SEQUENCE, &serving->input_tokens);
	field_double(in, "output_tokens", FIELD_REQUIRED, 1, MOST_SEQUENCE,
	             &serving->output_tokens);
	bool load = field_double(in, "concurrency", FIELD_OPTIONAL, 1, 1e6, &serving->concurrency);

	load |=
	    field_double(in, "requests_per_s", FIELD_OPTIONAL, 1e-6, 1e7, &serving->requests_per_s);
	if (!reader->for_plan) {
		field_double(in, "requests", FIELD_OPTIONAL, 1, 1e9, &serving->requests);
		field_double(in, "output_spread", FIELD_OPTIONAL, 0, 3, &serving->output_spread);
	}
	FIELD_ENUM(in, "engine", FIELD_OPTIONAL, engine_names, ENGINE_COUNT, serving->engine);
	field_string(in, "engine_version", FIELD_OPTIONAL, &serving->engine_version);
	FIELD_ENUM(in, "mode", FIELD_OPTIONAL, serving_mode_names, SERVING_MODE_COUNT,
	           serving->mode);
	field_integer(in, "max_model_len", FIELD_OPTIONAL, 1, MOST_SEQUENCE,
	              &serving->max_model_len);
	field_double(in, "gpu_memory_utilization", FIELD_OPTIONAL, 0.05, 1,
	             &serving->gpu_memory_utilization);
	field_double(in, "prefix_cache_hit", FIELD_OPTIONAL, 0, 1, &serving->prefix_cache_hit);
	field_double(in, "speculative_accept", FIELD_OPTIONAL, 0, 16, &serving->speculative_accept);
	if (!load && !reader->for_plan && serving->mode != MODE_OFFLINE && serving->requests <= 0) {
		serving->concurrency = 1;
		remark_add(reader->assumed, "assumed_concurrency", "one request at a time assumed",
		           "假定一次只有一个请求");
	}
	if (!reader->for_plan)
		return;
	if (!load)
		field_problem(in, "requests_per_s", "missing_field", NULL,
		              "\"requests_per_s\" or \"concurrency\" is needed",
		              "缺少“requests_per_s”或“concurrency”");
	read_serving_plan(reader, in, serving);
}

static void read_usage(struct workload_reader *reader, struct fields *in, struct usage *usage)
{
	field_card(in, reader->cards, "card", FIELD_REQUIRED, &usage->card);
	field_double(in, "gpu_hours", FIELD_REQUIRED, 0.01, 1e10, &usage->gpu_hours);
	field_double(in, "days", FIELD_REQUIRED, 1, 3660, &usage->days);
	field_double(in, "utilisation", FIELD_OPTIONAL, 0.01, 1, &usage->utilisation);
	usage->buffer_given = field_double(in, "buffer", FIELD_OPTIONAL, 0, 10, &usage->buffer);
	if (usage->buffer_given)
		return;
	usage->buffer = 0.30;
	remark_add(reader->assumed, "assumed_buffer", "a buffer of 30 %% over past use assumed",
	           "假定在历史用量上预留 30%% 缓冲");
}

static void read_hosting(struct workload_reader *reader, struct fields *in, struct hosting *hosting)
{
	bool by_card = field_card(in, reader->cards, "card", FIELD_OPTIONAL, &hosting->card);

	field_integer(in, "cards_per_server", FIELD_OPTIONAL, 1, 128, &hosting->cards_per_server);
	field_integer(in, "servers", FIELD_REQUIRED, 1, 100000, &hosting->servers);
	field_integer(in, "server_u", FIELD_OPTIONAL, 1, 60, &hosting->server_u);
	bool by_kw = field_double(in, "server_kw", FIELD_OPTIONAL, 0.01, 500, &hosting->server_kw);

	if (!by_card && !by_kw && !field_given(in, "card"))
		field_problem(in, "server_kw", "missing_field", NULL,
		              "\"card\" or \"server_kw\" is needed to know the power of a server",
		              "缺少“card”或“server_kw”，无法得知服务器功率");
	if (hosting->cards_per_server > 0)
		return;
	if (by_card && hosting->card->host_cards > 0) {
		hosting->cards_per_server = hosting->card->host_cards;
		return;
	}
	hosting->cards_per_server = USUAL_CARDS;
	remark_add(reader->assumed, "assumed_cards_per_server",
	           "%d cards in each of the own servers assumed", "假定自有服务器每台 %d 卡",
	           USUAL_CARDS);
}

bool workload_read(struct workload_reader *reader, const json_t *json, const char *pointer,
                   struct workload *workload)
{
	size_t errors = reader->json.problems->errors;
	struct fields in;

	*workload = (struct workload){0};
	if (!fields_begin(&in, &reader->json, json, pointer))
		return false;
	if (field_string(&in, "name", FIELD_OPTIONAL, &workload->name) &&
	    strlen(workload->name) > LONGEST_NAME)
		field_problem(&in, "name", "too_long", NULL, "at most %d bytes", "最多 %d 字节",
		              LONGEST_NAME);
	int kind = -1;

	if (!field_enum(&in, "kind", FIELD_REQUIRED, workload_kind_names, WORKLOAD_KIND_COUNT,
	                &kind))
		return false;
	workload->kind = (enum workload_kind)kind;
	switch (workload->kind) {
	case WORKLOAD_TRAINING:
		read_training(reader, &in, &workload->training);
		break;
	case WORKLOAD_INFERENCE:
		read_serving(reader, &in, &workload->serving);
		break;
	case WORKLOAD_USAGE:
		read_usage(reader, &in, &workload->usage);
		break;
	case WORKLOAD_HOSTING:
		read_hosting(reader, &in, &workload->hosting);
		break;
	}
	fields_end(&in);
	return reader->json.problems->errors == errors;
}

void layout_read(struct json_reader *reader, const json_t *json, const char *pointer,
                 struct layout *layout)
{
	struct fields in;

	if (!fields_begin(&in, reader, json, pointer))
		return;
	field_integer(&in, "tp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->tp);
	field_integer(&in, "pp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->pp);
	field_integer(&in, "vpp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->vpp);
	field_integer(&in, "cp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->cp);
	field_integer(&in, "ep", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->ep);
	field_integer(&in, "dp", FIELD_OPTIONAL, 1, MOST_CARDS, &layout->dp);
	FIELD_ENUM(&in, "sharding", FIELD_OPTIONAL, sharding_names, SHARDING_COUNT,
	           layout->sharding);
	field_integer(&in, "micro_batch", FIELD_OPTIONAL, 1, 65536, &layout->micro_batch);
	field_integer(&in, "global_batch", FIELD_OPTIONAL, 1, 16777216, &layout->global_batch);
	FIELD_ENUM(&in, "recompute", FIELD_OPTIONAL, recompute_names, RECOMPUTE_COUNT,
	           layout->recompute);
	fields_end(&in);
}

void serving_layout_read(struct json_reader *reader, const json_t *json, const char *pointer,
                         struct serving_layout *layout)
{
	struct fields in;

	if (!fields_begin(&in, reader, json, pointer))
		return;
	field_integer(&in, "tp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->tp);
	field_integer(&in, "pp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->pp);
	field_integer(&in, "ep", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->ep);
	field_integer(&in, "dp", FIELD_OPTIONAL, 1, MOST_PARALLEL, &layout->dp);
	fields_end(&in);
}

void cluster_read(struct workload_reader *reader, const json_t *json, const char *pointer,
                  struct cluster *cluster)
{
	struct fields in;

	if (!fields_begin(&in, &reader->json, json, pointer))
		return;
	field_card(&in, reader->cards, "card", FIELD_REQUIRED, &cluster->card);
	field_integer(&in, "cards", FIELD_OPTIONAL, 1, MOST_CARDS, &cluster->cards);
	field_integer(&in, "cards_per_server", FIELD_OPTIONAL, 1, 128, &cluster->cards_per_server);
	FIELD_ENUM(&in, "intra_link", FIELD_OPTIONAL, intra_link_names, INTRA_LINK_COUNT,
	           cluster->intra_link);
	FIELD_ENUM(&in, "inter_link", FIELD_OPTIONAL, inter_link_names, INTER_LINK_COUNT,
	           cluster->inter_link);
	field_double(&in, "inter_gbps", FIELD_OPTIONAL, 0, 1e6, &cluster->inter_gbps);
	fields_end(&in);
}
