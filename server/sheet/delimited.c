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

static bool too_large(struct problems *problems, int row)
{
	problem_add(problems, PROBLEM_ERROR, "too_large", (struct place){.row = row}, NULL,
	            "the file has more than %d rows, %d columns or %d cells",
	            "文件超过 %d 行、%d 列或 %d 个单元格", SHEET_TEXT_ROWS_MAX, SHEET_COLUMNS_MAX,
	            SHEET_TEXT_CELLS_MAX)
	    ->hint = TEXT("split the sheet into several uploads", "请把报价单拆成几份上传");
	return false;
}

static bool damaged(struct problems *problems, int row)
{
	problem_add(problems, PROBLEM_ERROR, "damaged", (struct place){.row = row}, NULL,
	            "from this row on the quotes do not match: a cell is opened by a "
	            "quote and not closed",
	            "从这一行起引号不成对：有单元格的引号没有闭合")
	    ->hint =
	    TEXT("save the file again from the spreadsheet program", "请用表格软件重新另存该文件");
	return false;
}

/* A text file being read. */
struct reading {
	struct csv_scan scan;
	size_t fields; /* so far, blank ones too */
	bool far;      /* a cell stands in a column that no sheet has */
};

/* The cells of the next line that are not blank; false when it is malformed. */
static bool read_row(struct arena *arena, struct reading *in, struct grid_row *row)
{
	struct cell cells[SHEET_COLUMNS_MAX];
	bool ends = false;

	for (unsigned column = 1; !ends; column++, in->fields++) {
		char *text = csv_scan_field(&in->scan, &ends);

		if (text == NULL)
			return false;
		if (*text == '\0' || norm_is_blank(text))
			continue;
		if (column > SHEET_COLUMNS_MAX) {
			in->far = true;
			continue;
		}
		if (strlen(text) > SHEET_TEXT_MAX)
			text[SHEET_TEXT_MAX] = '\0';
		cells[row->count++] =
		    (struct cell){.column = (uint16_t)column, .kind = CELL_TEXT, .text = text};
	}
	if (row->count == 0)
		return true;
	row->cells = arena_array(arena, struct cell, (size_t)row->count);
	memcpy(row->cells, cells, (size_t)row->count * sizeof *cells);
	return true;
}

bool delimited_read(struct arena *arena, char *text, size_t size, struct problems *problems,
                    struct workbook *workbook)
{
	struct reading in = {
	    .scan = {.at = text, .end = text + size, .separator = choose_separator(text, size)}};
	struct grid *grid = arena_new(arena, struct grid);
	size_t capacity = 0;
	size_t cells = 0;

	*workbook = (struct workbook){.grids = grid, .count = 1};
	for (int number = 1; in.scan.at < in.scan.end; number++) {
		struct grid_row row = {.number = number};

		if (!read_row(arena, &in, &row))
			return damaged(problems, number);
		cells += (size_t)row.count;
		if (grid->row_count == SHEET_TEXT_ROWS_MAX || cells > SHEET_TEXT_CELLS_MAX ||
		    in.fields > SHEET_TEXT_FIELDS_MAX || in.far)
			return too_large(problems, number);
		if (row.count == 0)
			continue;
		grid->rows = arena_grow(arena, grid->rows, grid->row_count, &capacity, sizeof row);
		grid->rows[grid->row_count++] = row;
	}
	return true;
}
