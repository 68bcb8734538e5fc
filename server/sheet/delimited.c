/* delimited.c - see delimited.h. */
#include "sheet/delimited.h"

#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "sheet/limits.h"
#include "sheet/norm.h"

#define SAMPLE_ROWS 60

/* A "sep=;" line, as Excel writes and reads; it stays row 1 of the grid. */
static char declared_separator(const char *text, size_t size)
{
	return size >= 5 && strncmp(text, "sep=", 4) == 0 && strchr(",;\t", text[4]) != NULL
	           ? text[4]
	           : '\0';
}

/*
 * The separator under which the first rows have most cells; a tie goes to the comma. Separators
 * inside quotes do not count, and neither do thousands commas when tabs are there.
 */
static char choose_separator(const char *text, size_t size)
{
	static const char candidates[] = {'\t', ';', ','};
	size_t counts[3] = {0};
	size_t rows[3] = {0};
	char found = declared_separator(text, size);
	bool quoted = false;
	bool seen[3] = {false};
	int lines = 0;

	if (found != '\0')
		return found;
	for (size_t i = 0; i < size && lines < SAMPLE_ROWS; i++) {
		if (text[i] == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		for (int c = 0; c < 3; c++) {
			counts[c] += text[i] == candidates[c];
			seen[c] = seen[c] || text[i] == candidates[c];
		}
		if (text[i] != '\n' && text[i] != '\r')
			continue;
		lines++;
		for (int c = 0; c < 3; c++) {
			rows[c] += seen[c];
			seen[c] = false;
		}
	}
	int best = 2;

	/* Tabs and semicolons are rare in prose: found in as many rows as commas, they separate. */
	for (int c = 1; c >= 0; c--)
		if (counts[c] > 0 && (rows[c] > rows[best] ||
		                      (rows[c] == rows[best] && counts[c] * 2 > counts[best])))
			best = c;
	return candidates[best];
}

static bool report(struct problems *problems, const struct csv *csv)
{
	struct place place = {.row = (int)csv->error_row};
	bool large = strcmp(csv->error, "too large") == 0;

	struct problem *problem =
	    large ? problem_add(problems, PROBLEM_ERROR, "too_large", place, NULL,
	                        "the file has more than %d cells", "文件超过 %d 个单元格",
	                        SHEET_FIELDS_MAX)
		  : problem_add(problems, PROBLEM_ERROR, "damaged", place, NULL,
	                        "from this row on the quotes do not match: a cell is opened by a "
	                        "quote and not closed",
	                        "从这一行起引号不成对：有单元格的引号没有闭合");
	problem->hint = large
	                    ? TEXT("split the sheet into several uploads", "请把报价单拆成几份上传")
	                    : TEXT("save the file again from the spreadsheet program",
	                           "请用表格软件重新另存该文件");
	return false;
}

/* The cells of one line that are not blank. */
static void read_row(struct arena *arena, const struct csv_row *from, struct grid_row *to)
{
	to->cells = arena_array(arena, struct cell, (size_t)from->count);
	for (int i = 0; i < from->count && i < SHEET_COLUMNS_MAX; i++) {
		char *text = from->fields[i];

		if (*text == '\0' || *norm_trim(arena, text) == '\0')
			continue;
		if (strlen(text) > SHEET_TEXT_MAX)
			text[SHEET_TEXT_MAX] = '\0';
		to->cells[to->count++] =
		    (struct cell){.column = i + 1, .kind = CELL_TEXT, .text = text};
	}
}

bool delimited_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                    struct workbook *workbook)
{
	struct csv csv;
	struct grid *grid = arena_new(arena, struct grid);

	*workbook = (struct workbook){.grids = grid, .count = 1};
	if (!csv_read(arena, text, size, choose_separator(text, size), SHEET_FIELDS_MAX, &csv))
		return report(problems, &csv);
	grid->rows = arena_array(arena, struct grid_row, csv.count);
	for (size_t i = 0; i < csv.count; i++) {
		struct grid_row *row = &grid->rows[grid->row_count];

		row->number = (int)i + 1;
		read_row(arena, &csv.rows[i], row);
		grid->row_count += row->count > 0;
	}
	return true;
}
