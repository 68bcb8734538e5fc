/*
 * difference_write.h - what a sheet changes of the supplier's offers, as JSON.
 */
#ifndef API_DIFFERENCE_WRITE_H
#define API_DIFFERENCE_WRITE_H

#include "base/json_write.h"
#include "base/text.h"
#include "sheet/sheet.h"

#define DIFFERENCE_LISTED 500 /* offers; the counts are of all */

/*
 * Writes member "difference" into the object that is open in OUT: new, changed, gone, unchanged,
 * and offers, each with what became of it, its name in LANG, its place and what changed.
 */
void difference_write(struct json_write *out, const struct sheet_difference *difference,
                      enum lang lang);

#endif
