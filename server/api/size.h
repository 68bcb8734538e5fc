/*
 * size.h - sizing over the wire: the same code behind POST /size and `suanjia size`.
 */
#ifndef API_SIZE_H
#define API_SIZE_H

#include "api/workload_read.h"
#include "base/json_write.h"
#include "engine/serving.h"
#include "engine/training.h"

struct arena;

/* A decoded /size request. */
struct size_request {
	const json_t *id; /* echoed; borrowed from the request's JSON, NULL = none */
	struct workload workload;
	struct cluster on;
	bool layout_given;
	struct layout layout;                 /* training */
	struct serving_layout serving_layout; /* inference */
	struct remarks assumed;
};

/* Its answer; which one is filled follows the workload. */
struct size_result {
	struct training_size training;
	struct serving_size serving;
};

/* Reads JSON; false when a problem was added. */
bool size_read(struct workload_reader *reader, const json_t *json, struct size_request *request);

/* Asks the engine. */
void size_compute(const struct size_request *request, struct size_result *result);

/* Writes the answer of POST /size as one object. */
void size_write(struct json_write *out, const struct size_request *request,
                const struct size_result *result, struct arena *arena, enum lang lang);

/* Pieces that /plan shows too. */
void memory_write(struct json_write *out, const char *key, const struct memory_size *memory);
void layout_write(struct json_write *out, const char *key, const struct layout *layout);
void serving_layout_write(struct json_write *out, const char *key,
                          const struct serving_layout *layout);
void training_speed_write(struct json_write *out, const char *key,
                          const struct training_speed *speed);
void serving_speed_write(struct json_write *out, const char *key,
                         const struct serving_speed *speed);

#endif
