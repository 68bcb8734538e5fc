/*
 * once.h - Idempotency-Key: a POST that stores has one effect, however often it is sent.
 *
 *   struct once_use once;
 *   struct store_actor actor = reply_actor(rq);
 *   struct answer *early = once_begin(rq, &actor, &once);
 *
 *   if (early != NULL)
 *           return early;
 *   ... the write, with ACTOR ...
 *   return once_end(rq, &once, answer);
 */
#ifndef API_ONCE_H
#define API_ONCE_H

#include <stdbool.h>

#include "http/answer.h"
#include "store/store.h"

struct once_use {
	bool used; /* the request has the header */
	struct once_request request;
};

/*
 * Claims the request's Idempotency-Key, if it has one, and notes it in ACTOR. NULL = go on. An
 * answer = send it: what the first request got, 409 while that is running, 422 when the key
 * was used for another request, 400 for a key that is none. Where the first answer was not kept
 * (it showed a secret, or the process died), the answer is 409 "made_already" with the Location of
 * what was made.
 */
struct answer *once_begin(struct request *rq, struct store_actor *actor, struct once_use *once);

/* Keeps ANSWER for repeats when it is a success, else frees the key. Returns ANSWER. */
struct answer *once_end(struct request *rq, const struct once_use *once, struct answer *answer);

/* The same for an answer that shows a secret: a success is not kept. */
struct answer *once_end_secret(struct request *rq, const struct once_use *once,
                               struct answer *answer);

#endif
