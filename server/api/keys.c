/* keys.c - POST and GET /keys, GET and DELETE /keys/{id}: API keys; their secret is shown once. */
#include <string.h>

#include "api/auth.h"
#include "api/once.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"

#define LABEL_LONGEST 80

/* The last microsecond of DAY in Shenzhen (UTC+8). */
static int64_t end_of_day_us(struct date day)
{
	return (((int64_t)day.days + 1) * 86400 - 8 * 3600) * 1000000;
}

static void write_members(struct json_write *out, const struct api_key *key)
{
	out_string(out, "id", key->id);
	out_string(out, "role", key->role);
	out_string(out, "supplier", key->supplier);
	out_known_string(out, "label", key->label);
	out_moment(out, "created", key->created_us);
	out_string(out, "created_by", key->created_by);
	out_moment(out, "expires", key->expires_us);
	out_moment(out, "last_used", key->last_used_us);
	out_moment(out, "revoked", key->revoked_us);
}

static void read_fields(struct fields *in, const struct request *rq, struct api_key *key)
{
	struct date expires = DATE_NONE;

	field_string(in, "role", FIELD_REQUIRED, &key->role);
	field_string(in, "supplier", FIELD_OPTIONAL, &key->supplier);
	field_string(in, "label", FIELD_OPTIONAL, &key->label);
	field_date(in, "expires", FIELD_OPTIONAL, &expires);
	fields_end(in);
	unsigned role = key->role == NULL ? 0 : role_from_name(key->role);

	if (key->role != NULL && role == 0)
		field_problem(in, "role", "unknown_value", key->role, "must be one of: %s",
		              "应为以下之一：%s", "admin, buyer, supplier, viewer");
	if (role != 0 && (role == ROLE_SUPPLIER) != (key->supplier != NULL))
		field_problem(in, "supplier", "supplier_clash", key->supplier,
		              "wanted with the role supplier, and only there",
		              "仅供应商角色需要，且必须填写");
	if (key->label != NULL && strlen(key->label) > LABEL_LONGEST)
		field_problem(in, "label", "out_of_range", NULL, "at most %d bytes", "最多 %d 字节",
		              LABEL_LONGEST);
	if (!date_is_none(expires))
		key->expires_us = end_of_day_us(expires);
	if (key->expires_us != 0 && key->expires_us <= rq->now_us)
		field_problem(in, "expires", "out_of_range", NULL, "that day is over",
		              "该日期已过");
}

static struct answer *created(struct request *rq, const char *id, const char *text)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	struct api_key key;
	enum store_result result = store_key_get(app_of(rq)->store, rq->arena, id, &key);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	write_members(&out, &key);
	out_string(&out, "key", text);
	out_end(&out);
	return answer_header(answer_json(rq, 201, &body), "Location",
	                     arena_printf(rq->arena, "/keys/%s", id));
}

/* 201, 400, 409, 422. */
struct answer *post_keys(struct request *rq)
{
	struct api_key key = {0};
	struct json_reader reader;
	struct problems problems;
	struct fields in;
	struct once_use once;
	struct store_actor actor = reply_actor(rq);
	char id[KEY_ID_SIZE];
	char text[KEY_TEXT_SIZE];
	json_t *json = reply_read_body(rq, &reader, &problems);

	if (json != NULL && fields_begin(&in, &reader, json, ""))
		read_fields(&in, rq, &key);
	json_decref(json);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct answer *early = once_begin(rq, &actor, &once);

	if (early != NULL)
		return early;
	enum store_result result = store_key_create(app_of(rq)->store, &actor, &key, id, text);
	struct answer *answer = result == STORE_OK ? created(rq, id, text)
	                        : result == STORE_NOT_FOUND
	                            ? reply_unknown_supplier(rq, &problems, key.supplier)
	                            : reply_store_failed(rq, result);

	return once_end_secret(rq, &once, answer);
}

/* 200, 304, 400. */
struct answer *get_keys(struct request *rq)
{
	struct problems problems;
	struct api_keys keys;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems);

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result result =
	    store_keys_list(app_of(rq)->store, rq->arena, page.after, page.limit, &keys);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < keys.count; i++) {
		out_object(&out, NULL);
		write_members(&out, &keys.items[i]);
		out_end(&out);
	}
	out_end(&out);
	return page_answer(rq, &out,
	                   page_next(rq, keys.more ? keys.items[keys.count - 1].id : NULL));
}

/* 200, 304, 400, 404. */
struct answer *get_key(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);
	struct api_key key;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	if (refusal != NULL)
		return refusal;
	enum store_result result = store_key_get(app_of(rq)->store, rq->arena, rq->params[0], &key);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	write_members(&out, &key);
	out_end(&out);
	return reply_tagged(rq, 200, &body);
}

/* 204, 400, 404, 409 when it is revoked already. */
struct answer *delete_key(struct request *rq)
{
	struct store_actor actor = reply_actor(rq);
	struct answer *refusal = reply_unwanted_query(rq);

	if (refusal != NULL)
		return refusal;
	enum store_result result = store_key_revoke(app_of(rq)->store, &actor, rq->params[0]);

	return result == STORE_OK ? answer_empty(rq, 204) : reply_store_failed(rq, result);
}
