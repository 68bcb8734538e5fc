/*
 * finish.h - the last step of every offer, from a table or from JSON: normalise, check, say it.
 */
#ifndef SHEET_FINISH_H
#define SHEET_FINISH_H

#include "sheet/reader.h"

/*
 * Normalises the prices of OFFER, warns of prices out of their band and of validity that is over,
 * sets its kind unless KIND_KNOWN, and adds it with its sentence. Prices with a commitment that no
 * term expresses (MONTHS: 6, 24, 36; NULL = none) become offers of their own with that minimum
 * term. A price that cannot be normalised is an error and is left out.
 */
void offer_finish(struct reader *reader, struct offer *offer, const int *months, struct place place,
                  int hours_per_month);

/* Drops offers that repeat an earlier one and warns; warns of the same thing at two prices. */
void offers_settle(struct reader *reader);

#endif
