/* models.c - GET /models, GET and PUT /models/{id}: dimensions of language models, with sources. */
#include <string.h>

#include "api/reference_row.h"
#include "api/reply.h"
#include "api/resources.h"
#include "market/catalogue.h"

#define NAMED(name_, member_, column_, required_)                                                  \
	{                                                                                          \
		(name_), (column_), MEMBER_INTEGER, offsetof(struct model, member_), (required_)   \
	}

/* Named as in a request that gives the dimensions itself (model_read.c). */
static const struct member members[] = {
    MEMBER(struct model, params_b, "params_total_b", MEMBER_NUMBER, true),
    MEMBER(struct model, active_params_b, "params_active_b", MEMBER_NUMBER, true),
    MEMBER(struct model, layers, "layers", MEMBER_INTEGER, true),
    MEMBER(struct model, hidden, "hidden", MEMBER_INTEGER, true),
    MEMBER(struct model, heads, "heads", MEMBER_INTEGER, true),
    MEMBER(struct model, kv_heads, "kv_heads", MEMBER_INTEGER, true),
    MEMBER(struct model, head_dim, "head_dim", MEMBER_INTEGER, true),
    MEMBER(struct model, ffn_hidden, "ffn_hidden", MEMBER_INTEGER, false),
    MEMBER(struct model, gated_ffn, "gated_ffn", MEMBER_BOOL, false),
    MEMBER(struct model, experts, "experts", MEMBER_INTEGER, false),
    MEMBER(struct model, experts_active, "experts_active", MEMBER_INTEGER, false),
    MEMBER(struct model, shared_experts, "shared_experts", MEMBER_INTEGER, false),
    MEMBER(struct model, moe_ffn_hidden, "moe_ffn_hidden", MEMBER_INTEGER, false),
    MEMBER(struct model, dense_layers, "dense_layers", MEMBER_INTEGER, false),
    MEMBER(struct model, moe_every, "moe_every", MEMBER_INTEGER, false),
    MEMBER(struct model, vocab, "vocab", MEMBER_INTEGER, true),
    MEMBER(struct model, tied_embeddings, "tied_embeddings", MEMBER_BOOL, false),
    MEMBER(struct model, max_positions, "max_positions", MEMBER_INTEGER, false),
    NAMED("q_lora_rank", mla_q_lora, "mla_q_lora", false),
    NAMED("kv_lora_rank", mla_kv_lora, "mla_kv_lora", false),
    NAMED("nope_head_dim", mla_nope, "mla_nope", false),
    NAMED("rope_head_dim", mla_rope, "mla_rope", false),
    NAMED("v_head_dim", mla_v, "mla_v", false),
    MEMBER(struct model, sliding_window, "sliding_window", MEMBER_INTEGER, false),
    MEMBER(struct model, window_layers, "window_layers", MEMBER_INTEGER, false),
    MEMBER(struct model, full_layers, "full_layers", MEMBER_INTEGER, false),
    MEMBER(struct model, linear_layers, "linear_layers", MEMBER_INTEGER, false),
    MEMBER(struct model, linear_key_heads, "linear_key_heads", MEMBER_INTEGER, false),
    MEMBER(struct model, linear_key_dim, "linear_key_dim", MEMBER_INTEGER, false),
    MEMBER(struct model, linear_value_heads, "linear_value_heads", MEMBER_INTEGER, false),
    MEMBER(struct model, linear_value_dim, "linear_value_dim", MEMBER_INTEGER, false),
    MEMBER(struct model, sparse_topk, "sparse_topk", MEMBER_INTEGER, false),
};
#define MEMBER_COUNT (sizeof members / sizeof *members)

static void read_attention(struct fields *in, struct buf *columns, struct buf *values)
{
	int attention = ATTENTION_FULL;

	field_enum(in, "attention", FIELD_OPTIONAL, attention_names, ATTENTION_COUNT, &attention);
	reference_cell(columns, values, "attention", attention_names[attention]);
}

static const void *all(const struct catalogue *catalogue, size_t *count)
{
	const struct models *models = &catalogue_reference_of(catalogue)->base.models;

	*count = models->count;
	return models->items;
}

static const void *parse(struct arena *arena, const char *csv, struct problems *problems)
{
	struct models models;

	return models_read(arena, csv, strlen(csv), problems, &models) && models.count == 1
	           ? models.items
	           : NULL;
}

static void write_model(struct json_write *out, const void *item)
{
	const struct model *model = item;

	out_object(out, NULL);
	out_string(out, "id", model->id);
	members_write(out, model, members, MEMBER_COUNT);
	out_string(out, "attention", attention_names[model->attention]);
	out_known_string(out, "source", model->source);
	out_end(out);
}

static const struct reference_resource resource = {
    .entries = {.all = all, .size = sizeof(struct model), .write = write_model},
    .kind = REFERENCE_MODEL,
    .members = members,
    .member_count = MEMBER_COUNT,
    .source_column = "source",
    .read_more = read_attention,
    .parse = parse,
};

/* 200, 304, 400. */
struct answer *get_models(struct request *rq)
{
	return entries_list(rq, &resource.entries);
}

/* 200, 304, 400, 404. */
struct answer *get_model(struct request *rq)
{
	return entry_get(rq, &resource.entries);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_model(struct request *rq)
{
	return reference_put(rq, &resource);
}
