/* openapi.c - GET /openapi.json: the contract that the tests hold every answer against. */
#include "api/reply.h"
#include "api/resources.h"
#include "base/baked.h"

/* 200, 304, 400. */
struct answer *get_openapi(struct request *rq)
{
	const struct baked_file *file = baked_find("schema/openapi.json");
	struct answer *refusal = reply_unwanted_query(rq);
	char version[VERSION_SIZE];

	if (refusal != NULL)
		return refusal;
	if (file == NULL)
		return reply_not_found(rq);
	reply_version(file->bytes, file->size, version);
	return answer_etag(
	    rq, answer_constant(rq, 200, "application/json", file->bytes, file->size), version);
}
