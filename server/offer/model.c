/* model.c - see model.h. */
#include "offer/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const attention_names[ATTENTION_COUNT] = {"full", "mla", "hybrid"};

static int compare_id(const void *key, const void *item)
{
	return strcmp(key, ((const struct model *)item)->id);
}

const struct model *model_find(const struct models *models, const char *id)
{
	if (models->count == 0)
		return NULL;
	return bsearch(id, models->items, models->count, sizeof *models->items, compare_id);
}

static bool mixes_dense_layers(const struct model *model)
{
	return model->dense_layers > 0 || model->moe_every > 1;
}

static bool uneven_heads(const struct model *model)
{
	return model->attention != ATTENTION_MLA && model->heads > 0 && model->kv_heads > 0 &&
	       model->heads % model->kv_heads != 0;
}

static bool other_hybrid_layers(const struct model *model)
{
	return model->attention == ATTENTION_HYBRID && model->layers > 0 &&
	       (int64_t)model->full_layers + model->linear_layers != model->layers;
}

int model_faults(const struct model *model, struct model_fault faults[MODEL_FAULTS_MAX])
{
	const struct {
		bool wrong;
		struct model_fault fault;
	} checks[MODEL_FAULTS_MAX] = {
	    {model->active_params_b > 0 && model->params_b > 0 &&
	         model->active_params_b > model->params_b,
	     {"active_params_b", TEXT("more than all parameters", "不能多于总参数量")}},
	    {uneven_heads(model), {"kv_heads", TEXT("must divide \"heads\"", "应能整除“heads”")}},
	    {model->layers > 0 && model->dense_layers > model->layers,
	     {"dense_layers", TEXT("more than all layers", "不能多于总层数")}},
	    {model->layers > 0 && model->window_layers > model->layers,
	     {"window_layers", TEXT("more than all layers", "不能多于总层数")}},
	    {other_hybrid_layers(model),
	     {"linear_layers",
	      TEXT("\"full_layers\" and \"linear_layers\" must add up to \"layers\"",
	           "“full_layers”与“linear_layers”之和应等于“layers”")}},
	    {model->experts > 0 &&
	         (model->experts_active == 0 || model->experts_active > model->experts),
	     {"experts_active",
	      TEXT("must be between 1 and the number of experts", "应在 1 与专家总数之间")}},
	    {model->experts > 0 && model->moe_ffn_hidden == 0,
	     {"moe_ffn_hidden", TEXT("a model with experts needs \"moe_ffn_hidden\"",
	                             "混合专家模型需要“moe_ffn_hidden”")}},
	    {model->experts > 0 && mixes_dense_layers(model) && model->ffn_hidden == 0,
	     {"ffn_hidden",
	      TEXT("layers without experts need \"ffn_hidden\"", "不含专家的层需要“ffn_hidden”")}},
	};
	int count = 0;

	for (int i = 0; i < MODEL_FAULTS_MAX; i++)
		if (checks[i].wrong)
			faults[count++] = checks[i].fault;
	return count;
}
