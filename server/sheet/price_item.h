/*
 * price_item.h - what a price is for: the machine, the cabinet, bandwidth, electricity, a fee.
 */
#ifndef SHEET_PRICE_ITEM_H
#define SHEET_PRICE_ITEM_H

#include "sheet/row.h"

/* What the row's column 计费方式 or 周期 says: 包月, or the bare 月. */
struct term_reading row_term(const struct row_view *view);

/*
 * What the price in COLUMN is for, from its heading, the row's words and UNIT, the merged reading
 * of its unit: per cabinet is a cabinet fee, per kWh electricity; per card without a time is a
 * purchase where the row or the table speaks of a sale.
 */
enum price_item price_item_of(const struct row_view *view, const struct column *column,
                              const struct unit_reading *unit);

#endif
