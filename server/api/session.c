/* session.c - GET, POST and DELETE /session: a browser signs in with a key, once, and gets a
 * cookie. */
#include "api/auth.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"

static struct answer *write_session(struct request *rq, const struct principal *caller,
                                    int64_t expires_us)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	out_object(&out, NULL);
	out_string(&out, "key_id", caller->key_id);
	out_string(&out, "role", role_name(caller->role));
	out_string(&out, "supplier", caller->subject);
	out_moment(&out, "expires", expires_us);
	out_end(&out);
	return answer_json(rq, 200, &body);
}

/* 200, 400. */
struct answer *get_session(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);

	return refusal != NULL ? refusal : write_session(rq, &rq->caller, 0);
}

static struct answer *set_cookie(struct request *rq, struct answer *answer, const char *token,
                                 int seconds)
{
	return answer_header(
	    answer, "Set-Cookie",
	    arena_printf(rq->arena, "%s=%s; Path=/; Max-Age=%d; Secure; HttpOnly; SameSite=Strict",
	                 SESSION_COOKIE, token, seconds));
}

static struct answer *start(struct request *rq, const struct api_key *key)
{
	struct store_actor actor = reply_actor(rq);
	struct principal caller = {
	    .key_id = key->id,
	    .role = role_from_name(key->role),
	    .subject = key->supplier,
	};
	int64_t expires_us = rq->now_us + SESSION_HOURS * INT64_C(3600000000);
	char token[SESSION_TEXT_SIZE];

	if (key->expires_us != 0 && key->expires_us < expires_us)
		expires_us = key->expires_us;
	actor.key_id = key->id;
	enum store_result result =
	    store_session_create(app_of(rq)->store, &actor, key->id, expires_us, token);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	return set_cookie(rq, write_session(rq, &caller, expires_us), token,
	                  (int)((expires_us - rq->now_us) / 1000000));
}

/* 200, 400, 401 for a key that is none, 422. */
struct answer *post_session(struct request *rq)
{
	struct json_reader reader;
	struct problems problems;
	struct fields in;
	struct api_key key;
	const char *text = NULL;
	json_t *json = reply_read_body(rq, &reader, &problems);

	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		field_string(&in, "key", FIELD_REQUIRED, &text);
		fields_end(&in);
	}
	json_decref(json);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result found =
	    store_key_find(app_of(rq)->store, rq->arena, text, rq->now_us, &key);

	if (found != STORE_OK && found != STORE_NOT_FOUND)
		return reply_store_failed(rq, found);
	if (found == STORE_NOT_FOUND)
		return answer_problem(rq, 401, "key_invalid",
		                      "no key that is taken: unknown, expired or revoked",
		                      "密钥无效：未知、已过期或已吊销");
	return start(rq, &key);
}

/* 204, 400; also when there was no session. */
struct answer *delete_session(struct request *rq)
{
	const char *token = auth_session_token(rq);
	struct store_actor actor = reply_actor(rq);
	struct answer *refusal = reply_unwanted_query(rq);

	if (refusal != NULL)
		return refusal;
	if (actor.key_id == NULL)
		actor.key_id = "anonymous";
	enum store_result result =
	    token == NULL ? STORE_OK : store_session_delete(app_of(rq)->store, &actor, token);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	return set_cookie(rq, answer_empty(rq, 204), "", 0);
}
