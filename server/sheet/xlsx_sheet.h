/*
 * xlsx_sheet.h - one worksheet part into a grid, and the table of shared strings.
 */
#ifndef SHEET_XLSX_SHEET_H
#define SHEET_XLSX_SHEET_H

#include <stdbool.h>

#include "sheet/workbook.h"
#include "sheet/xlsx_package.h"
#include "sheet/xlsx_styles.h"

struct strings {
	const char **items;
	size_t count;
};

/* Reads part NAME. False when the workbook is refused. */
bool strings_read(struct package *package, const char *name, struct strings *strings);

/* What a worksheet refers to. */
struct shared {
	const struct strings *strings;
	const struct styles *styles;
	bool date1904;
};

/* Reads part NAME into GRID (its name and state are the caller's). False as above. */
bool worksheet_read(struct package *package, const char *name, const struct shared *shared,
                    struct grid *grid);

#endif
