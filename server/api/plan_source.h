/*
 * plan_source.h - lets the planner walk a snapshot of the catalogue: engine/ and market/ do not
 * know each other.
 */
#ifndef API_PLAN_SOURCE_H
#define API_PLAN_SOURCE_H

#include "engine/plan.h"
#include "market/catalogue.h"

/*
 * A source over CATALOGUE, which must be held until the plan made from it is no longer read. Also
 * sets SPEC's rates and tariffs from the snapshot where it has none.
 */
struct plan_source plan_source_of(const struct catalogue *catalogue, struct spec *spec);

#endif
