/*
 * xlsx.h - an Office Open XML workbook into grids, trusting nothing it says about itself.
 *
 * The container is opened with consistency checks; two entries of one name, a macro project, an
 * encrypted package, a DOCTYPE anywhere, or more of anything than limits.h allows refuse the whole
 * file. Parts are unpacked in pieces and never kept. Formulas are not looked at: a cell is its
 * cached value.
 */
#ifndef SHEET_XLSX_H
#define SHEET_XLSX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "sheet/workbook.h"

struct arena;

/* False with an error in PROBLEMS when the workbook is refused. */
bool xlsx_read(struct arena *arena, const void *bytes, size_t size, struct problems *problems,
               struct workbook *workbook);

#endif
