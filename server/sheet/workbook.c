/* workbook.c - see workbook.h. */
#include "sheet/workbook.h"

#include <stdlib.h>

#include "base/arena.h"
#include "sheet/limits.h"

const struct grid_row *grid_row(const struct grid *grid, int number)
{
	size_t low = 0;
	size_t high = grid->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (grid->rows[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < grid->row_count && grid->rows[low].number == number ? &grid->rows[low] : NULL;
}

const struct cell *row_cell(const struct grid_row *row, int column)
{
	for (int i = 0; row != NULL && i < row->count; i++)
		if (row->cells[i].column == column)
			return &row->cells[i];
	return NULL;
}

const char *row_text(const struct grid_row *row, int column)
{
	const struct cell *cell = row_cell(row, column);

	return cell == NULL ? "" : cell->text;
}

#define MERGED_COLUMNS_MAX 400000 /* of all ranges together */

static int by_top(const void *a, const void *b)
{
	const struct merge *left = a;
	const struct merge *right = b;

	return (left->top > right->top) - (left->top < right->top);
}

static int last_column(const struct merge *merge)
{
	return merge->right < SHEET_COLUMNS_MAX ? merge->right : SHEET_COLUMNS_MAX;
}

bool grid_lay_out_merges(struct arena *arena, struct grid *grid)
{
	size_t *from = arena_array(arena, size_t, SHEET_COLUMNS_MAX + 2);
	size_t next[SHEET_COLUMNS_MAX + 1];
	size_t total = 0;

	if (grid->merge_count == 0)
		return true;
	qsort(grid->merges, grid->merge_count, sizeof *grid->merges, by_top);
	for (size_t i = 0; i < grid->merge_count; i++)
		for (int c = grid->merges[i].left; c <= last_column(&grid->merges[i]); c++)
			from[c + 1]++;
	for (int c = 0; c <= SHEET_COLUMNS_MAX; c++) {
		total += from[c + 1];
		from[c + 1] = total;
		next[c] = from[c];
	}
	if (total > MERGED_COLUMNS_MAX)
		return false;
	grid->merge_at = arena_array(arena, const struct merge *, total + 1);
	grid->merge_from = from;
	for (size_t i = 0; i < grid->merge_count; i++)
		for (int c = grid->merges[i].left; c <= last_column(&grid->merges[i]); c++)
			grid->merge_at[next[c]++] = &grid->merges[i];
	return true;
}

const struct merge *grid_merge(const struct grid *grid, int row, int column)
{
	if (grid->merge_from == NULL || column < 0 || column > SHEET_COLUMNS_MAX)
		return NULL;
	size_t low = grid->merge_from[column];
	size_t high = grid->merge_from[column + 1];

	/* The last range that begins at or above the row. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (grid->merge_at[middle]->top <= row)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == grid->merge_from[column])
		return NULL;
	return row <= grid->merge_at[low - 1]->bottom ? grid->merge_at[low - 1] : NULL;
}

bool grid_column_hidden(const struct grid *grid, int column)
{
	return grid->hidden_columns != NULL && column <= SHEET_COLUMNS_MAX &&
	       grid->hidden_columns[column];
}
