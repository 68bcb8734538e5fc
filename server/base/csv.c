/* csv.c - see csv.h. */
#include "base/csv.h"

#include <string.h>

#include "base/arena.h"

struct reader {
	struct arena *arena;
	const char *at;
	const char *end;
	char separator;
	size_t fields_left;
	size_t row_capacity;
	size_t field_capacity; /* of the row being read */
	const char *error;
};

static bool row_ends(const struct reader *in)
{
	return in->at == in->end || *in->at == '\n' || *in->at == '\r';
}

static char *read_quoted(struct reader *in)
{
	const char *start = ++in->at;
	size_t quotes = 0;

	for (; in->at < in->end; in->at++) {
		if (*in->at != '"')
			continue;
		if (in->at + 1 == in->end || in->at[1] != '"')
			break;
		quotes++;
		in->at++;
	}
	if (in->at == in->end) {
		in->error = "unterminated quote";
		return NULL;
	}
	char *field = arena_alloc(in->arena, (size_t)(in->at - start) - quotes + 1);
	size_t length = 0;

	for (const char *c = start; c < in->at; c++) {
		field[length++] = *c;
		if (*c == '"')
			c++;
	}
	in->at++;
	if (!row_ends(in) && *in->at != in->separator) {
		in->error = "text after quote";
		return NULL;
	}
	return field;
}

static char *read_field(struct reader *in)
{
	if (in->at < in->end && *in->at == '"')
		return read_quoted(in);
	const char *start = in->at;

	while (!row_ends(in) && *in->at != in->separator)
		in->at++;
	return arena_strndup(in->arena, start, (size_t)(in->at - start));
}

static bool read_row(struct reader *in, struct csv_row *row)
{
	in->field_capacity = 0;
	for (;;) {
		char *field = read_field(in);

		if (field != NULL && in->fields_left-- == 0)
			in->error = "too large";
		if (in->error != NULL)
			return false;
		row->fields = arena_grow(in->arena, row->fields, (size_t)row->count,
		                         &in->field_capacity, sizeof *row->fields);
		row->fields[row->count++] = field;
		if (row_ends(in))
			break;
		in->at++;
	}
	if (in->end - in->at >= 2 && in->at[0] == '\r' && in->at[1] == '\n')
		in->at++;
	if (in->at < in->end)
		in->at++;
	return true;
}

bool csv_read(struct arena *arena, const char *text, size_t size, char separator, size_t max_fields,
              struct csv *csv)
{
	bool bom = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
	struct reader in = {
	    .arena = arena,
	    .at = bom ? text + 3 : text,
	    .end = text + size,
	    .separator = separator,
	    .fields_left = max_fields,
	};

	*csv = (struct csv){0};
	while (in.at < in.end) {
		struct csv_row row = {0};

		if (!read_row(&in, &row)) {
			csv->error_row = csv->count + 1;
			csv->error = in.error;
			return false;
		}
		csv->rows = arena_grow(arena, csv->rows, csv->count, &in.row_capacity, sizeof row);
		csv->rows[csv->count++] = row;
	}
	return true;
}

int csv_column(const struct csv *csv, const char *name)
{
	for (int i = 0; csv->count > 0 && i < csv->rows[0].count; i++)
		if (strcmp(csv->rows[0].fields[i], name) == 0)
			return i;
	return -1;
}

const char *csv_field(const struct csv *csv, size_t row, int column)
{
	return column < 0 || column >= csv->rows[row].count ? "" : csv->rows[row].fields[column];
}
