/*
 * plan_table.h - the answer of /plan as a table for a terminal.
 */
#ifndef API_PLAN_TABLE_H
#define API_PLAN_TABLE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints the best options of the JSON answer (SIZE bytes) and the best of each route to OUT,
 * ranked, with what each orders; then why the other offers were not chosen. Says so when the answer
 * is not one.
 */
void plan_table_print(const char *answer, size_t size, FILE *out);

#endif
