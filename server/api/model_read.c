/*
 * model_read.c - a model as the request gives it: an id, or its dimensions.
 *
 * With layers and hidden given, the rest follows the habits of current dense models (heads of 128,
 * a gated FFN of 8/3 x hidden); with params_b alone, the shape is that of the dense model of the
 * catalogue nearest in size. Whatever was filled in is said.
 */
#include "api/workload_read.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "engine/model_math.h"

#define SIZE_BELIEVED 4

/* The longest id that ID begins with: "Qwen2.5-14B-Instruct" is qwen2.5-14b tuned. */
static const char *model_near(const struct models *models, const char *id)
{
	const char *best = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < models->count; i++) {
		size_t length = strlen(models->items[i].id);

		if (length > longest && strncasecmp(models->items[i].id, id, length) == 0 &&
		    (id[length] == '-' || id[length] == '\0')) {
			best = models->items[i].id;
			longest = length;
		}
	}
	return best;
}

static bool by_id(struct fields *in, struct workload_reader *reader, const char *name,
                  const struct model **model)
{
	const char *id = NULL;

	if (!field_string(in, name, FIELD_REQUIRED, &id))
		return false;
	*model = model_find(reader->models, id);
	if (*model != NULL)
		return true;
	const char **ids = arena_array(in->reader->arena, const char *, reader->models->count);

	for (size_t i = 0; i < reader->models->count; i++)
		ids[i] = reader->models->items[i].id;
	const char *near = model_near(reader->models, id);

	if (near == NULL)
		near = nearest_name(id, ids, reader->models->count);
	struct problem *problem = field_problem(
	    in, name, "unknown_model", id,
	    "no model \"%s\" in the catalogue; see /models, or give its dimensions as an object",
	    "目录中没有模型“%s”，见 /models；也可用对象给出其结构参数", id);

	if (near != NULL)
		problem->hint =
		    text_printf(in->reader->arena, "did you mean \"%s\"?", "是否想写“%s”？", near);
	return false;
}

static void read_dimensions(struct fields *in, struct model *model)
{
	field_double(in, "params_b", FIELD_OPTIONAL, 0.001, 100000, &model->params_b);
	field_double(in, "active_params_b", FIELD_OPTIONAL, 0.001, 100000, &model->active_params_b);
	field_integer(in, "layers", FIELD_OPTIONAL, 1, 2000, &model->layers);
	field_integer(in, "hidden", FIELD_OPTIONAL, 8, 1000000, &model->hidden);
	field_integer(in, "heads", FIELD_OPTIONAL, 1, 4096, &model->heads);
	field_integer(in, "kv_heads", FIELD_OPTIONAL, 1, 4096, &model->kv_heads);
	field_integer(in, "head_dim", FIELD_OPTIONAL, 1, 4096, &model->head_dim);
	field_integer(in, "ffn_hidden", FIELD_OPTIONAL, 0, 10000000, &model->ffn_hidden);
	field_integer(in, "vocab", FIELD_OPTIONAL, 1, 10000000, &model->vocab);
	field_boolean(in, "tied_embeddings", FIELD_OPTIONAL, &model->tied_embeddings);
	field_integer(in, "max_positions", FIELD_OPTIONAL, 1, 100000000, &model->max_positions);
	model->gated_ffn = true;
	field_boolean(in, "gated_ffn", FIELD_OPTIONAL, &model->gated_ffn);
}

static void read_experts(struct fields *in, struct model *model)
{
	field_integer(in, "experts", FIELD_OPTIONAL, 0, 65536, &model->experts);
	field_integer(in, "experts_active", FIELD_OPTIONAL, 0, 65536, &model->experts_active);
	field_integer(in, "shared_experts", FIELD_OPTIONAL, 0, 1024, &model->shared_experts);
	field_integer(in, "moe_ffn_hidden", FIELD_OPTIONAL, 1, 10000000, &model->moe_ffn_hidden);
	field_integer(in, "dense_layers", FIELD_OPTIONAL, 0, 2000, &model->dense_layers);
	model->moe_every = model->experts > 0;
	field_integer(in, "moe_every", FIELD_OPTIONAL, 1, 2000, &model->moe_every);
}

static void need(struct fields *in, const char *name, int value)
{
	if (value == 0)
		field_problem(in, name, "missing_field", NULL,
		              "\"%s\" is needed for this attention", "该注意力结构需要“%s”", name);
}

static void read_attention(struct fields *in, struct model *model)
{
	static const char *const names[] = {"mha", "gqa", "mqa", "full", "mla", "hybrid"};
	static const enum attention kinds[] = {ATTENTION_FULL, ATTENTION_FULL, ATTENTION_FULL,
	                                       ATTENTION_FULL, ATTENTION_MLA,  ATTENTION_HYBRID};
	int index = 3;

	field_enum(in, "attention", FIELD_OPTIONAL, names, 6, &index);
	model->attention = kinds[index];
	if (index == 2)
		model->kv_heads = 1;
	field_integer(in, "q_lora_rank", FIELD_OPTIONAL, 0, 1000000, &model->mla_q_lora);
	field_integer(in, "kv_lora_rank", FIELD_OPTIONAL, 1, 1000000, &model->mla_kv_lora);
	field_integer(in, "rope_head_dim", FIELD_OPTIONAL, 1, 4096, &model->mla_rope);
	field_integer(in, "nope_head_dim", FIELD_OPTIONAL, 1, 4096, &model->mla_nope);
	field_integer(in, "v_head_dim", FIELD_OPTIONAL, 1, 4096, &model->mla_v);
	field_integer(in, "sliding_window", FIELD_OPTIONAL, 1, 100000000, &model->sliding_window);
	model->window_layers = model->sliding_window > 0 ? model->layers : 0;
	field_integer(in, "window_layers", FIELD_OPTIONAL, 0, 2000, &model->window_layers);
	field_integer(in, "sparse_topk", FIELD_OPTIONAL, 0, 100000000, &model->sparse_topk);
	field_integer(in, "full_layers", FIELD_OPTIONAL, 1, 2000, &model->full_layers);
	field_integer(in, "linear_layers", FIELD_OPTIONAL, 1, 2000, &model->linear_layers);
	field_integer(in, "linear_key_heads", FIELD_OPTIONAL, 1, 4096, &model->linear_key_heads);
	field_integer(in, "linear_key_dim", FIELD_OPTIONAL, 1, 4096, &model->linear_key_dim);
	field_integer(in, "linear_value_heads", FIELD_OPTIONAL, 1, 4096,
	              &model->linear_value_heads);
	field_integer(in, "linear_value_dim", FIELD_OPTIONAL, 1, 4096, &model->linear_value_dim);
	if (model->attention == ATTENTION_MLA) {
		need(in, "kv_lora_rank", model->mla_kv_lora);
		need(in, "rope_head_dim", model->mla_rope);
		model->mla_nope = model->mla_nope == 0 ? 128 : model->mla_nope;
		model->mla_v = model->mla_v == 0 ? model->mla_nope : model->mla_v;
	}
	if (model->attention == ATTENTION_HYBRID) {
		need(in, "full_layers", model->full_layers);
		need(in, "linear_layers", model->linear_layers);
		need(in, "linear_value_heads", model->linear_value_heads);
	}
}

/* The dense, plain model of the catalogue whose size is nearest to PARAMS_B by ratio. */
static const struct model *nearest_shape(const struct models *models, double params_b)
{
	const struct model *best = NULL;
	double best_distance = INFINITY;

	for (size_t i = 0; i < models->count; i++) {
		const struct model *model = &models->items[i];
		double distance = fabs(log(model->params_b / params_b));

		if (model->experts == 0 && model->attention == ATTENTION_FULL && model->gated_ffn &&
		    model->max_positions > 0 && distance < best_distance) {
			best = model;
			best_distance = distance;
		}
	}
	return best;
}

static void take_shape(struct workload_reader *reader, struct model *model)
{
	const struct model *shape = nearest_shape(reader->models, model->params_b);
	double params_b = model->params_b;

	*model = *shape;
	model->id = "custom";
	model->params_b = params_b;
	model->active_params_b = params_b;
	remark_add(reader->assumed, "assumed_model_shape",
	           "only the size of the model is given: layers and widths are those of %s",
	           "只给了参数量：层数与宽度取自 %s", shape->id);
}

static int fill(struct workload_reader *reader, struct text name, int value, int wanted)
{
	if (value > 0)
		return value;
	char text[DIGITS_GROUPED_SIZE];
	const char *number =
	    digits_grouped(arena_printf(reader->assumed->arena, "%d", wanted), text);

	/* %.0s passes over the name in the other language */
	remark_add(reader->assumed, "assumed_model_dimension", "assumed of the model, %s%.0s: %s",
	           "假定模型的%.0s%s：%s", name.en, name.zh, number);
	return wanted;
}

/* Parameters of the routed experts that a token does not meet, 10^9. */
static double idle_experts_b(const struct model *model, double routed)
{
	return model->experts == 0
	           ? 0
	           : routed * (model->experts - model->experts_active) / model->experts / 1e9;
}

static void derive(struct workload_reader *reader, struct model *model)
{
	int width = model->head_dim > 0 ? model->head_dim : 128;

	model->heads = fill(reader, TEXT("attention heads", "注意力头数"), model->heads,
	                    model->hidden / width > 0 ? model->hidden / width : 1);
	model->kv_heads =
	    fill(reader, TEXT("key-value heads", "KV 头数"), model->kv_heads, model->heads);
	if (model->head_dim == 0)
		model->head_dim =
		    model->hidden / model->heads > 0 ? model->hidden / model->heads : 1;
	if (model->experts == 0)
		model->ffn_hidden =
		    fill(reader, TEXT("width of the feed-forward layers", "前馈层宽度"),
		         model->ffn_hidden,
		         model->gated_ffn ? model->hidden * 8 / 3 : model->hidden * 4);
	model->vocab = fill(reader, TEXT("vocabulary", "词表大小"), model->vocab, 128256);
	struct model_params params = model_params(model);
	double counted = model_params_sum(&params) / 1e9;

	if (model->params_b == 0)
		model->params_b = counted;
	if (model->active_params_b == 0)
		model->active_params_b =
		    model->params_b - idle_experts_b(model, params.routed_experts);
	if (fabs(model->params_b / counted - 1) > 0.05)
		remark_add(
		    reader->assumed, "model_size_differs",
		    "the dimensions make %.2f billion parameters, %.2f are stated: the stated "
		    "figure is used for memory",
		    "按结构参数计为 %.2f B，声明为 %.2f B：显存按声明值计", counted,
		    model->params_b);
}

static void check_dimensions(struct fields *in, const struct model *model)
{
	struct model_fault faults[MODEL_FAULTS_MAX];
	int count = model_faults(model, faults);

	for (int i = 0; i < count; i++)
		problem_add_text(in->reader->problems, PROBLEM_ERROR, "contradiction",
		                 (struct place){.pointer = field_pointer(in, faults[i].member)},
		                 NULL, faults[i].text);
}

/* Without layers and hidden a shape is taken from elsewhere: what else was given would be lost. */
static void check_size_alone(struct fields *in, const struct model *model)
{
	static const char *const alone[] = {"id", "params_b"};
	size_t known = 0;

	for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
		known += json_object_get(in->object, alone[i]) != NULL;
	if (model->params_b > 0 && known == json_object_size(in->object))
		return;
	if (model->layers == 0)
		field_problem(in, "layers", "missing_field", NULL,
		              "give \"params_b\" alone, or \"layers\" and \"hidden\"",
		              "请只给“params_b”，或给出“layers”与“hidden”");
	if (model->hidden == 0)
		field_problem(in, "hidden", "missing_field", NULL,
		              "give \"params_b\" alone, or \"layers\" and \"hidden\"",
		              "请只给“params_b”，或给出“layers”与“hidden”");
}

/*
 * A stated size is taken at its word within a factor of SIZE_BELIEVED of what the dimensions make;
 * beyond it, weights and layers would contradict each other.
 */
static void check_size(struct fields *in, const struct model *model, bool shaped)
{
	struct model_params params = model_params(model);
	double counted = model_params_sum(&params) / 1e9;

	if (model->params_b <= counted * SIZE_BELIEVED &&
	    model->params_b >= counted / SIZE_BELIEVED)
		return;
	if (shaped)
		field_problem(in, "params_b", "contradiction", NULL,
		              "the dimensions make %.3g billion parameters",
		              "按结构参数计为 %.3g B", counted);
	else
		field_problem(in, "layers", "missing_field", NULL,
		              "no known model is near this size: give \"layers\" and \"hidden\"",
		              "没有规模相近的已知模型，请给出“layers”与“hidden”");
}

static bool by_dimensions(struct fields *in, struct workload_reader *reader, const char *name,
                          const struct model **model)
{
	const json_t *json = field_object(in, name, FIELD_REQUIRED);
	size_t errors = reader->json.problems->errors;
	struct model *made = arena_new(reader->json.arena, struct model);
	struct fields dimensions;

	if (json == NULL ||
	    !fields_begin(&dimensions, &reader->json, json, field_pointer(in, name)))
		return false;
	made->id = "custom";
	field_string(&dimensions, "id", FIELD_OPTIONAL, &made->id);
	read_dimensions(&dimensions, made);
	read_experts(&dimensions, made);
	read_attention(&dimensions, made);
	fields_end(&dimensions);
	check_dimensions(&dimensions, made);
	bool shaped = made->layers > 0 && made->hidden > 0;

	if (!shaped)
		check_size_alone(&dimensions, made);
	if (reader->json.problems->errors != errors)
		return false;
	if (shaped)
		derive(reader, made);
	else
		take_shape(reader, made);
	check_size(&dimensions, made, shaped);
	*model = made;
	return reader->json.problems->errors == errors;
}

bool field_model(struct fields *in, struct workload_reader *reader, const char *name,
                 const struct model **model)
{
	if (json_is_object(json_object_get(in->object, name)))
		return by_dimensions(in, reader, name, model);
	return by_id(in, reader, name, model);
}
