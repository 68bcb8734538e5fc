/* screen_checks.h - what keeps an offer out by its facts; for the files of the screen. */
#ifndef ENGINE_SCREEN_CHECKS_H
#define ENGINE_SCREEN_CHECKS_H

#include "engine/screen.h"

/* What keeps offers out. */
struct judged {
	uint32_t failed; /* bits 1u << enum plan_reason; 0 = nothing does */
	bool has_gap;    /* of the first bit of failed */
	bool in_ms;      /* the gap is a latency's */
	double gap;
};

/* Adds REASON to what JUDGED fails; GAP of the first counts, NAN = not known. */
void judged_fail(struct judged *judged, enum plan_reason reason, double gap);

/* The checks that ASK asks for, as bits 1u << enum plan_reason. */
unsigned asked_checks(const struct screen_ask *ask);

/* What of ASK the FACTS fail; ASKED from asked_checks(). */
struct judged judge_facts(const struct screen_ask *ask, unsigned asked,
                          const struct offer_facts *facts);

#endif
