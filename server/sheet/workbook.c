/* workbook.c - see workbook.h. */
#include "sheet/workbook.h"

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

const struct merge *grid_merge(const struct grid *grid, int row, int column)
{
	for (size_t i = 0; i < grid->merge_count; i++) {
		const struct merge *merge = &grid->merges[i];

		if (row >= merge->top && row <= merge->bottom && column >= merge->left &&
		    column <= merge->right)
			return merge;
	}
	return NULL;
}

bool grid_column_hidden(const struct grid *grid, int column)
{
	return grid->hidden_columns != NULL && column <= SHEET_COLUMNS_MAX &&
	       grid->hidden_columns[column];
}
