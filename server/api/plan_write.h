/*
 * plan_write.h - a plan as the answer of POST /plan.
 */
#ifndef API_PLAN_WRITE_H
#define API_PLAN_WRITE_H

#include "api/remarks.h"
#include "api/said.h"
#include "base/json_write.h"
#include "engine/plan.h"

struct catalogue;

/* What the answer shows beside the plan itself. */
struct plan_context {
	const struct spec *spec;
	const struct plan *plan;
	const struct catalogue *catalogue;
	const struct remarks *assumed; /* by the decoder */
	const char *version;           /* of the program */
	struct said *said;             /* empty; of this answer alone */
	struct listener listener;
};

/* Writes the whole answer as one object. Money is text, exact; lines of an option add up to it. */
void plan_write(struct json_write *out, const struct plan_context *context);

/* ---- plan_option_write.c ---- */

/* "options": [Option in schema/openapi.json, ...] */
void plan_options_write(struct json_write *out, const struct plan_context *context);

/* The members of an offer as a reference in an object that is open: enough to find it and to know
 * what kind of price it is. */
void plan_offer_write(struct json_write *out, const struct plan_context *context,
                      const struct offer *offer);

#endif
