/*
 * plan.h - planning over the wire: the same code behind POST /plan and `suanjia plan`.
 */
#ifndef API_PLAN_H
#define API_PLAN_H

#include <jansson.h>

#include "api/price_bands.h"
#include "base/clock.h"
#include "base/problem.h"
#include "base/text.h"

struct arena;
struct buf;
struct catalogue;

/* What a plan is made from, beside the request's JSON. */
struct plan_setting {
	struct catalogue *catalogue; /* held by the caller until the answer is written */
	struct planner *planner;     /* NULL = nothing is remembered between plans */
	struct date today;           /* in Shenzhen */
	const char *version;         /* of the program */
	struct price_bands bands;    /* usual prices, for red flags */
	enum lang lang;
	bool at_once; /* only if planning takes next to no time; needs a planner */
};

/*
 * Reads the request JSON, plans, and appends the answer to OUT. False with PROBLEMS, and nothing
 * written, when the request is not in order; without, when it was to be done at once and cannot be.
 */
bool plan_answer(const struct plan_setting *setting, const json_t *json, struct arena *arena,
                 struct problems *problems, struct buf *out);

#endif
