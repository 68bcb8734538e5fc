/*
 * delimited.h - comma, tab or semicolon separated text into a grid.
 */
#ifndef SHEET_DELIMITED_H
#define SHEET_DELIMITED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"
#include "sheet/workbook.h"

struct arena;

/*
 * Reads UTF-8 TEXT, ended by a NUL, into one grid whose cells are written over it and stand in it.
 * The separator is the one that the lines agree on most. False with
 * a problem when the text is damaged (a quote that never ends) or too large.
 */
bool delimited_read(struct arena *arena, char *text, size_t size, struct problems *problems,
                    struct workbook *workbook);

#endif
