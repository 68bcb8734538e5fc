/*
 * plan_read.h - POST /plan from JSON to struct spec.
 */
#ifndef API_PLAN_READ_H
#define API_PLAN_READ_H

#include "api/workload_read.h"
#include "engine/plan.h"

/*
 * Reads JSON into SPEC (on top of spec_defaults(); what it points to lives in the arena). Rates and
 * tariffs of the catalogue are the caller's to set.
 *
 *   Given   reader  for_plan is set here; what the request left open is said in reader->assumed
 *           today   in Shenzhen: the first day of the project unless the request names one
 *   Result  false when a problem was added
 */
bool plan_read(struct workload_reader *reader, const json_t *json, struct date today,
               struct spec *spec);

/*
 * The member named as the assumption CODE, if it is there, into BASIS, within the bounds of the
 * row of cost_assumptions[]; GET /compare takes some of them too.
 */
void assumption_read(struct fields *in, enum cost_assumption code, struct cost_basis *basis);

/* Adds a problem when ID is not NULL and no table of TARIFFS has it: nothing is used in its place.
 */
void tariff_check(struct problems *problems, const struct tariffs *tariffs, const char *id);

#endif
