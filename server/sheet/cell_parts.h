/*
 * cell_parts.h - a cell that holds more than one text: "13.2元/卡时 / 7.6万元/台月".
 */
#ifndef SHEET_CELL_PARTS_H
#define SHEET_CELL_PARTS_H

struct arena;

#define CELL_PARTS_MAX 4

/*
 * The parts of TEXT that are not blank, between line breaks, semicolons, slashes between spaces or
 * 或; their number, 0 when there are more than CELL_PARTS_MAX. Strings live in ARENA.
 */
int cell_parts(struct arena *arena, const char *text, const char *parts[CELL_PARTS_MAX]);

#endif
