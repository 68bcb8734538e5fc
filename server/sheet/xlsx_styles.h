/*
 * xlsx_styles.h - what a cell's style says of its number: a date, a percentage, words around it.
 */
#ifndef SHEET_XLSX_STYLES_H
#define SHEET_XLSX_STYLES_H

#include <stdbool.h>
#include <stddef.h>

#include "sheet/xlsx_package.h"

enum shown_as { SHOWN_NUMBER, SHOWN_DATE, SHOWN_PERCENT };

struct style {
	enum shown_as shown;
	const char *before; /* literal words of the number format: "¥", "US$"; "" */
	const char *after;  /* "万元/台/月"; "" */
};

struct styles {
	struct style *items; /* by the s attribute of a cell */
	size_t count;
};

/* Reads part NAME. False when the workbook is refused. */
bool styles_read(struct package *package, const char *name, struct styles *styles);

/* The style that a number format (FormatCode of ECMA-376, 18.8.31) gives; arena. */
struct style style_of_format(struct arena *arena, const char *code);

#endif
