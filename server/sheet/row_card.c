/* row_card.c - which card a row is about, and how many of them a machine has; see row.h. */
#include "sheet/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

/* ---- the card ---- */

static const char *form_hint(const struct row_view *view)
{
	return arena_printf(view->reader->arena, "%s %s %s %s", view_text(view, ROLE_CONFIG),
	                    view_text(view, ROLE_INTRA_LINK), view_text(view, ROLE_INTER_LINK),
	                    view_text(view, ROLE_NOTE));
}

static struct card_match match_text(const struct row_view *view, const char *text)
{
	const char *memory = view_text(view, ROLE_MEMORY);
	/* A bare 141 in a column of memory is 141 GB. */
	bool bare = *memory != '\0' && strspn(memory, "0123456789") == strlen(memory);
	const char *spec = arena_printf(view->reader->arena, "%s %s%s",
	                                view_text(view, ROLE_FORM_FACTOR), memory, bare ? "g" : "");

	return card_match(view->reader->arena, view->reader->cards, text, spec, form_hint(view));
}

/* TEXT with its line breaks as signs between parts: "GPU：8*H100\nCPU：2*8468". */
static const char *lines_parted(struct arena *arena, const char *text)
{
	char *parted = arena_strdup(arena, text);

	for (char *c = parted; *c != '\0'; c++)
		if (*c == '\n' || *c == '\r')
			*c = ';';
	return parted;
}

/* A configuration lists parts: "8×H100 SXM 80G / 2×8480C / 2TB". */
static struct card_match match_parts(const struct row_view *view, const char *text)
{
	struct card_match whole = match_text(view, text);
	const char *norm = norm_text(view->reader->arena, lines_parted(view->reader->arena, text));

	for (const char *at = norm; whole.kind != CARD_FOUND && *at != '\0';) {
		size_t length = strcspn(at, "/,+;|()");
		const char *part_text = arena_strndup(view->reader->arena, at, length);
		const char *label = strchr(part_text, ':');
		struct card_match part = match_text(view, label == NULL ? part_text : label + 1);

		if (part.kind == CARD_FOUND || (part.kind != CARD_NONE && whole.kind == CARD_NONE))
			whole = part;
		at += length + (at[length] != '\0');
	}
	return whole;
}

/*
 * "Atlas 800T A2（8*昇腾910B）": a machine's own name with its cards in brackets. Where both name a
 * card ("4090（可替换A100）") neither is taken.
 */
static struct card_match match_machine(const struct row_view *view, const char *text)
{
	struct arena *arena = view->reader->arena;
	struct card_match whole = match_text(view, text);
	const char *norm = norm_text(arena, text);
	const char *open = strchr(norm, '(');

	if (whole.kind != CARD_NONE || open == NULL)
		return whole;
	struct card_match name =
	    match_text(view, arena_strndup(arena, norm, (size_t)(open - norm)));
	struct card_match inner =
	    match_text(view, arena_strndup(arena, open + 1, strcspn(open + 1, ")")));

	return name.kind == CARD_NONE && inner.kind != CARD_NONE ? inner : whole;
}

static bool better(const struct card_match *a, const struct card_match *b)
{
	static const int worth[] = {
	    [CARD_NONE] = 0, [CARD_OTHER_MEMORY] = 1, [CARD_AMBIGUOUS] = 2, [CARD_FOUND] = 3};

	return worth[a->kind] > worth[b->kind];
}

/* "RTX 4090 8卡整机租赁报价" above a table that names no card. */
static struct named_card card_of_titles(const struct row_view *view)
{
	const struct table *table = view->table;
	struct named_card found = {.text = ""};

	for (size_t i = table->above_end; i-- > table->above;) {
		const struct grid_row *row = &table->grid->rows[i];

		if (row->count != 1 || row->cells[0].kind != CELL_TEXT || row->hidden)
			continue;
		found.match = match_parts(view, row->cells[0].text);
		if (found.match.kind == CARD_FOUND || found.match.kind == CARD_AMBIGUOUS) {
			found.text = row->cells[0].text;
			return found;
		}
	}
	return (struct named_card){.text = ""};
}

/* A worksheet for each card: its name is the card of all its rows. */
static struct named_card card_of_sheet(const struct row_view *view)
{
	const char *name = view->table->grid->name;
	struct named_card found = card_of_titles(view);

	if (*found.text != '\0')
		return found;

	if (name == NULL)
		return found;
	found.match = match_text(view, name);
	if (found.match.kind == CARD_FOUND || found.match.kind == CARD_AMBIGUOUS)
		found.text = name;
	return found;
}

struct named_card row_card(const struct row_view *view)
{
	static const enum role roles[] = {ROLE_CARD, ROLE_PRODUCT, ROLE_CONFIG};
	struct named_card found = {.text = ""};

	for (size_t r = 0; r < sizeof roles / sizeof *roles; r++) {
		/* The other columns only where no column is for the card. */
		if (r > 0 && table_column(view->table, ROLE_CARD) != NULL)
			break;
		for (int i = 0; i < view->table->column_count; i++) {
			const struct column *column = &view->table->columns[i];
			const struct cell *cell = column->role == roles[r] && !column->hidden
			                              ? view_cell(view, column)
			                              : NULL;

			if (cell == NULL)
				continue;
			struct card_match match = roles[r] == ROLE_CARD
			                              ? match_machine(view, cell->text)
			                              : match_parts(view, cell->text);

			bool same = match.kind == CARD_FOUND && found.match.kind == CARD_FOUND &&
			            match.card == found.match.card;

			/* "RTX4090服务器" and "8*RTX4090 24G / …": the second says how many. */
			if (same && found.match.cards == 0)
				found.match.cards = match.cards;
			if (*found.text == '\0' || better(&match, &found.match))
				found = (struct named_card){match, column, cell->text};
		}
	}
	if (found.column == NULL)
		found.column = table_column(view->table, ROLE_CARD);
	return *found.text == '\0' && found.column == NULL ? card_of_sheet(view) : found;
}

bool row_card_report(const struct row_view *view, const struct named_card *card)
{
	struct arena *arena = view->reader->arena;
	struct place place = view_place(view, card->column);
	struct text hint =
	    TEXT("write the exact model, e.g. H100 SXM 80G", "请写明完整型号，例如 H100 SXM 80G");
	const char *list = card_candidates(arena, &card->match);

	if (*card->text == '\0') {
		reader_report(
		    view->reader, PROBLEM_ERROR, "missing_card", place, NULL,
		    TEXT("the row has a price but names no card", "该行有价格但没有写卡的型号"),
		    hint);
		return false;
	}
	switch (card->match.kind) {
	case CARD_FOUND:
		return true;
	case CARD_AMBIGUOUS:
		reader_report(view->reader, PROBLEM_ERROR, "ambiguous_card", place, card->text,
		              text_printf(arena, "several cards have this name: %s",
		                          "这个名称可以指多种卡：%s", list),
		              TEXT("write form factor and memory, e.g. SXM 80G or PCIe 80G",
		                   "请写明形态和显存，例如 SXM 80G 或 PCIe 80G"));
		return false;
	case CARD_OTHER_MEMORY:
		reader_report(view->reader, PROBLEM_ERROR, "unknown_card", place, card->text,
		              TEXT("the model is known, but not with this memory or in this form",
		                   "型号已知，但目录里没有这种显存或形态"),
		              hint);
		return false;
	case CARD_NONE:
		reader_report(view->reader, PROBLEM_ERROR, "unknown_card", place, card->text,
		              TEXT("no card of the catalogue has this name", "目录里没有这种卡"),
		              hint);
		return false;
	}
	return false;
}

/* ---- how many ---- */

/* A configuration lists parts: the "8卡" of "8卡/2×8480+/2T"; 0 = none. */
static int cards_in_parts(const char *config)
{
	static const char *const units[] = {"卡", "张卡", "块卡", "张", "gpu"};

	for (const char *at = config; *at != '\0'; at += strcspn(at, "/,+;|") + 1) {
		size_t digits = strspn(at, "0123456789");
		const char *unit = at + digits;
		size_t length = strcspn(unit, "/,+;|");

		for (size_t i = 0; i < sizeof units / sizeof *units; i++)
			if (digits > 0 && digits <= 3 && length == strlen(units[i]) &&
			    strncmp(unit, units[i], length) == 0)
				return (int)strtol(at, NULL, 10);
		if (at[strcspn(at, "/,+;|")] == '\0')
			break;
	}
	return 0;
}

/* "型号(8卡)", "GPU服务器(8卡/台)" */
static int cards_of_heading(const char *heading)
{
	const char *open = strchr(heading, '(');
	const char *digits = open == NULL ? "" : open + 1;
	size_t length = strspn(digits, "0123456789");

	if (length > 0 && length <= 2 && strncmp(digits + length, "卡)", strlen("卡)")) == 0)
		return (int)strtol(digits, NULL, 10);
	return cards_of_machine(heading);
}

/* "GPU型号(8卡/台)" above the column of cards; 0 = no heading says it. */
static int cards_in_headings(const struct table *table)
{
	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		int cards = column->role == ROLE_CARD || column->role == ROLE_PRODUCT ||
		                    column->role == ROLE_CONFIG
		                ? cards_of_heading(column->norm)
		                : 0;

		if (cards > 0)
			return cards;
	}
	return 0;
}

int row_card_count(const struct row_view *view, const struct named_card *card, const char *title)
{
	struct arena *arena = view->reader->arena;
	const char *config = view_text(view, ROLE_CONFIG);
	int cards = card->match.cards;

	cards = cards > 0 ? cards : cards_of_machine(norm_text(arena, title));
	cards = cards > 0 ? cards : cards_in_parts(norm_tight(arena, lines_parted(arena, config)));
	if (cards == 0 && *config != '\0') {
		/* "H100" in its column, "8×H100 SXM5 80GB / IB 3.2T" in the configuration. */
		struct card_match match = match_parts(view, config);

		if (match.kind == CARD_FOUND && card->match.kind == CARD_FOUND &&
		    match.card == card->match.card)
			cards = match.cards;
	}
	cards = cards > 0 ? cards : cards_in_parts(norm_tight(arena, view_text(view, ROLE_NOTE)));
	cards = cards > 0 ? cards : cards_in_headings(view->table);
	cards = cards > 0 ? cards : cards_of_machine(norm_text(arena, form_hint(view)));
	return cards > 0 ? cards : view->context->cards;
}
