/*
 * sheet_problems.h - the problems of a stored sheet: kept in both languages, shown in one.
 */
#ifndef API_SHEET_PROBLEMS_H
#define API_SHEET_PROBLEMS_H

#include "base/json_write.h"
#include "base/problem.h"

struct arena;
struct buf;

/* PROBLEMS as the JSON array that the store keeps, with the words of both languages; arena. */
const char *sheet_problems_keep(struct arena *arena, const struct problems *problems);

/* How many of PROBLEMS have this severity. */
int sheet_problems_count(const struct problems *problems, enum problem_severity severity);

/* Writes what sheet_problems_keep() made as a list of problems in LANG. */
void sheet_problems_write(struct json_write *out, const char *key, struct arena *arena,
                          const char *kept, enum lang lang);

/* The same as a table with BOM: severity, sheet, cell, row, column, code, value, message, hint. */
void sheet_problems_csv(struct buf *out, struct arena *arena, const char *kept, enum lang lang);

#endif
