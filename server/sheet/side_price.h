/*
 * side_price.h - prices in columns that hold other things: 0.68 under 电费, 38元/M under 带宽.
 */
#ifndef SHEET_SIDE_PRICE_H
#define SHEET_SIDE_PRICE_H

#include "sheet/row.h"

/*
 * Whether CELL of COLUMN, which is no column of prices, holds one: a number with a currency, or a
 * bare number under 电费. PRICED receives the column as one of prices of that item; its unit is
 * what such a price always counts (per kWh, per month) where the cell does not say it.
 */
bool side_price(const struct row_view *view, const struct column *column, const struct cell *cell,
                struct column *priced);

/* Warns of every cell of the row in a known column that gave OFFER nothing. */
void row_cells_left(const struct row_view *view, const struct offer *offer);

#endif
