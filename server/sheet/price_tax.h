/*
 * price_tax.h - whether the tax is in a price, and which, from all places that say it.
 *
 * From the strongest: the cell, the row, the heading, the row's note, the lines around the table.
 * Two of the first three that disagree are a clash.
 */
#ifndef SHEET_PRICE_TAX_H
#define SHEET_PRICE_TAX_H

#include "sheet/number_text.h"
#include "sheet/row.h"

/* Of the price in COLUMN, whose cell reads as NUMBER. */
struct tax_reading price_tax_of(const struct row_view *view, const struct column *column,
                                const struct number_reading *number);

#endif
