/*
 * turn.h - tables that stand on their side: what is priced in the top row, items and terms down
 * the first column.
 *
 * Such a table is read by turning its grid, so that everything else reads it as any other. Rows of
 * the turned grid are columns of the sheet, numbers included; where a place is reported they are
 * swapped back (grid.turned).
 */
#ifndef SHEET_TURN_H
#define SHEET_TURN_H

#include <stdbool.h>

#include "sheet/reader.h"
#include "sheet/table.h"

/*
 * Whether the tables found in GRID are none, or a form of two columns whose first one lists names
 * of columns: then GRID may stand on its side.
 */
bool may_be_turned(struct arena *arena, const struct words *words, const struct grid *grid,
                   const struct tables *found);

/*
 * GRID turned into OUT (arena): the rows from the first to the last with more than one cell. The
 * single texts above and below come first, as titles with numbers below 1. False when there is no
 * such block or it is larger than a table can be.
 */
bool grid_turn(struct arena *arena, const struct grid *grid, struct grid *out);

/*
 * Takes the column of TABLE whose cells name cards, cities or lines for that, whatever its heading:
 * in a turned table the corner often has none, or 项目; in any it may hold the unit of all prices.
 * Returned is its heading in that case ("线路（元/M/月）"), else NULL.
 */
const char *table_settle_names(struct reader *reader, struct table *table);

#endif
