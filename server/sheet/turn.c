/* turn.c - see turn.h. */
#include "sheet/turn.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/limits.h"
#include "sheet/norm.h"

#define FORM_COLUMNS 2
#define FORM_NAMES 2

/* How many of the first cells below the header of TABLE are names of columns. */
static bool lists_names(struct arena *arena, const struct words *words, const struct table *table)
{
	int names = 0;
	int others = 0;

	for (size_t i = table->body; i < table->end; i++) {
		const struct cell *cell = row_cell(&table->grid->rows[i], table->columns[0].column);
		const char *text = cell == NULL ? "" : norm_tight(arena, cell->text);
		size_t length = strcspn(text, "(:");

		if (*text == '\0')
			continue;
		if (words_whole(words, "column", arena_strndup(arena, text, length)) != NULL)
			names++;
		else
			others++;
	}
	return names >= FORM_NAMES && names >= others;
}

bool may_be_turned(struct arena *arena, const struct words *words, const struct grid *grid,
                   const struct tables *found)
{
	if (grid->row_count > SHEET_COLUMNS_MAX)
		return false;
	return found->count == 0 ||
	       (found->count == 1 && found->items[0].column_count <= FORM_COLUMNS &&
	        lists_names(arena, words, &found->items[0]));
}

/* The rows that are turned, and the first and last column of their cells. */
struct block {
	size_t from, to;
	int left, right;
};

static bool find_block(const struct grid *grid, struct block *block)
{
	*block = (struct block){.from = grid->row_count, .left = SHEET_COLUMNS_MAX + 1};
	for (size_t i = 0; i < grid->row_count; i++) {
		const struct grid_row *row = &grid->rows[i];

		if (row->count < 2)
			continue;
		block->from = i < block->from ? i : block->from;
		block->to = i + 1;
		block->left =
		    row->cells[0].column < block->left ? row->cells[0].column : block->left;
		if (row->cells[row->count - 1].column > block->right)
			block->right = row->cells[row->count - 1].column;
	}
	return block->from + 1 < block->to && block->left < block->right &&
	       block->right <= SHEET_COLUMNS_MAX &&
	       grid->rows[block->to - 1].number <= SHEET_COLUMNS_MAX;
}

/* The single texts around the block, as rows of their own above it. */
static void add_titles(struct arena *arena, const struct grid *grid, const struct block *block,
                       struct grid *out)
{
	int number = -(int)grid->row_count;

	for (size_t i = 0; i < grid->row_count; i++) {
		const struct grid_row *row = &grid->rows[i];

		if ((i >= block->from && i < block->to) || row->count == 0)
			continue;
		struct grid_row *title = &out->rows[out->row_count++];

		*title = (struct grid_row){.number = number++, .hidden = row->hidden, .count = 1};
		title->cells = arena_new(arena, struct cell);
		title->cells[0] = row->cells[0];
		title->cells[0].column = 1;
	}
}

/* A label that is missing, unless it was merged away: the column must still be read. */
static void add_missing_label(const struct grid *grid, const struct grid_row *row, int left,
                              struct grid_row *labels)
{
	if (row_cell(row, left) != NULL || row->count == 0 ||
	    grid_merge(grid, row->number, left) != NULL)
		return;
	labels->cells[labels->count++] =
	    (struct cell){.column = (uint16_t)row->number, .kind = CELL_TEXT, .text = "?"};
}

static void add_column(struct arena *arena, const struct grid *grid, const struct block *block,
                       int column, struct grid *out)
{
	struct grid_row *turned = &out->rows[out->row_count];

	*turned = (struct grid_row){.number = column, .hidden = grid_column_hidden(grid, column)};
	turned->cells = arena_array(arena, struct cell, block->to - block->from);
	for (size_t i = block->from; i < block->to; i++) {
		const struct cell *cell = row_cell(&grid->rows[i], column);

		if (column == block->left)
			add_missing_label(grid, &grid->rows[i], column, turned);
		if (cell == NULL)
			continue;
		turned->cells[turned->count] = *cell;
		turned->cells[turned->count++].column = (uint16_t)grid->rows[i].number;
	}
	out->row_count += turned->count > 0;
}

bool grid_turn(struct arena *arena, const struct grid *grid, struct grid *out)
{
	struct block block;

	if (!find_block(grid, &block))
		return false;
	*out = *grid;
	out->turned = true;
	out->row_count = 0;
	out->rows = arena_array(arena, struct grid_row,
	                        grid->row_count + (size_t)(block.right - block.left) + 1);
	add_titles(arena, grid, &block, out);
	for (int column = block.left; column <= block.right; column++)
		add_column(arena, grid, &block, column, out);
	out->hidden_columns = arena_array(arena, bool, SHEET_COLUMNS_MAX + 1);
	for (size_t i = block.from; i < block.to; i++)
		out->hidden_columns[grid->rows[i].number] = grid->rows[i].hidden;
	out->merges = arena_array(arena, struct merge, grid->merge_count + 1);
	for (size_t i = 0; i < grid->merge_count; i++)
		out->merges[i] = (struct merge){.top = grid->merges[i].left,
		                                .left = grid->merges[i].top,
		                                .bottom = grid->merges[i].right,
		                                .right = grid->merges[i].bottom};
	return grid_lay_out_merges(arena, out);
}

/* ---- what the first column of names holds ---- */

static enum role role_of_name(const struct reader *reader, const char *text)
{
	const char *norm = norm_text(reader->arena, text);
	struct card_match match = card_match(reader->arena, reader->cards, text, "", "");
	const struct word *city = words_find(reader->words, "city", norm, NULL);

	if (match.kind != CARD_NONE)
		return ROLE_CARD;
	if (city != NULL)
		return is_city(reader->words, norm) ? ROLE_CITY : ROLE_SITE;
	return words_find(reader->words, "line", norm, NULL) != NULL ? ROLE_LINE : ROLE_NONE;
}

#define CELLS_LOOKED_AT 64 /* of a column, to know what its cells are */

/* The role that most of the first cells of COLUMN have as names; ROLE_NONE where most have none. */
static enum role role_of_cells(const struct reader *reader, const struct table *table,
                               const struct column *column)
{
	static const enum role roles[] = {ROLE_CARD, ROLE_CITY, ROLE_SITE, ROLE_LINE};
	int counts[sizeof roles / sizeof *roles] = {0};
	int cells = 0;

	for (size_t i = table->body; i < table->end && cells < CELLS_LOOKED_AT; i++) {
		const struct cell *cell = row_cell(&table->grid->rows[i], column->column);
		/* 4000 in a text file is a price before it is a card. */
		enum role role =
		    cell == NULL || cell->kind != CELL_TEXT || norm_is_number(cell->text)
			? ROLE_NONE
			: role_of_name(reader, cell->text);

		cells += cell != NULL;
		for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
			counts[r] += roles[r] == role;
	}
	for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
		if (counts[r] * 2 > cells)
			return roles[r];
	return ROLE_NONE;
}

static bool is_place(enum role role)
{
	return role == ROLE_LINE || role == ROLE_CITY || role == ROLE_SITE;
}

static bool holds_unit(const struct reader *reader, const struct column *column)
{
	struct unit_reading unit;

	return unit_text_find(reader->words, column->norm, &unit, NULL, NULL) &&
	       unit_says_what(&unit);
}

const char *table_settle_names(struct reader *reader, struct table *table)
{
	const char *unit = NULL;

	for (int i = 0; i < table->column_count; i++) {
		struct column *column = &table->columns[i];
		enum role role = ROLE_NONE;

		if (is_place(column->role) && holds_unit(reader, column))
			unit = column->heading;
		if (!table->grid->turned && column->role != ROLE_PRICE)
			continue;
		if (column->role == ROLE_NONE || column->role == ROLE_PRODUCT ||
		    column->role == ROLE_CONFIG || column->role == ROLE_TERM ||
		    column->role == ROLE_MIN_QUANTITY || column->role == ROLE_PRICE)
			role = role_of_cells(reader, table, column);
		if (role == ROLE_NONE || table_column(table, role) != NULL)
			continue;
		if (column->role == ROLE_PRICE)
			unit = column->heading;
		column->role = role;
	}
	if (unit != NULL)
		table_settle_columns(table);
	return unit;
}
