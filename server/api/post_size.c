/* post_size.c - POST /size: see size.h. */
#include "api/reply.h"
#include "api/resources.h"
#include "api/size.h"
#include "base/buf.h"
#include "market/catalogue.h"

/* 200, 400, 422. */
struct answer *post_size(struct request *rq)
{
	struct json_reader reader;
	struct problems problems;
	struct size_request request;
	struct size_result result;
	struct buf body = {0};
	json_t *json = reply_read_body(rq, &reader, &problems);

	if (json == NULL)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);
	struct workload_reader workloads = {
	    .json = reader,
	    .cards = &reference->base.cards,
	    .models = &reference->base.models,
	};
	bool read = size_read(&workloads, json, &request);

	if (read) {
		struct json_write out = json_write_to(&body);

		size_compute(&request, &result);
		size_write(&out, &request, &result, rq->arena, rq->lang);
	}
	catalogue_release(catalogue);
	json_decref(json);
	return read ? answer_json(rq, 200, &body) : reply_invalid(rq, &problems);
}
