/*
 * conditions.h - what an offer says beside its prices: where, how many, until when, on what terms.
 */
#ifndef SHEET_CONDITIONS_H
#define SHEET_CONDITIONS_H

#include <stdbool.h>

#include "offer/offer.h"

/* Whether A and B say the same of everything that sheet_condition_changes() compares. */
bool offers_same_conditions(const struct offer *a, const struct offer *b);

#endif
