/* csv.c - see csv.h. */
#include "base/csv.h"

#include <string.h>

#include "base/arena.h"

static bool row_ends_at(const struct csv_scan *in)
{
	return in->at == in->end || *in->at == '\n' || *in->at == '\r';
}

/* Ends the field of LENGTH bytes at FIELD and steps over what separates it from the next. */
static char *finish_field(struct csv_scan *in, char *field, size_t length, bool *row_ends)
{
	*row_ends = row_ends_at(in);
	if (in->end - in->at >= 2 && in->at[0] == '\r' && in->at[1] == '\n')
		in->at++;
	if (in->at < in->end)
		in->at++;
	field[length] = '\0';
	return field;
}

static char *scan_quoted(struct csv_scan *in, bool *row_ends)
{
	char *field = ++in->at;
	size_t length = 0;

	for (; in->at < in->end; in->at++) {
		if (*in->at == '"') {
			if (in->at + 1 == in->end || in->at[1] != '"')
				break;
			in->at++;
		}
		field[length++] = *in->at;
	}
	if (in->at == in->end) {
		in->error = "unterminated quote";
		return NULL;
	}
	in->at++;
	if (!row_ends_at(in) && *in->at != in->separator) {
		in->error = "text after quote";
		return NULL;
	}
	return finish_field(in, field, length, row_ends);
}

char *csv_scan_field(struct csv_scan *in, bool *row_ends)
{
	if (in->at < in->end && *in->at == '"')
		return scan_quoted(in, row_ends);
	char *field = in->at;

	while (!row_ends_at(in) && *in->at != in->separator)
		in->at++;
	return finish_field(in, field, (size_t)(in->at - field), row_ends);
}

/* A row in the making. */
struct reader {
	struct arena *arena;
	struct csv_scan scan;
	size_t fields_left;
	const char *error;
};

static bool read_row(struct reader *in, struct csv_row *row)
{
	size_t capacity = 0;
	bool ends = false;

	while (!ends) {
		char *field = csv_scan_field(&in->scan, &ends);

		in->error = in->scan.error;
		if (field != NULL && in->fields_left-- == 0)
			in->error = "too large";
		if (in->error != NULL)
			return false;
		row->fields = arena_grow(in->arena, row->fields, (size_t)row->count, &capacity,
		                         sizeof *row->fields);
		row->fields[row->count++] = field;
	}
	return true;
}

bool csv_read(struct arena *arena, const char *text, size_t size, char separator, size_t max_fields,
              struct csv *csv)
{
	size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	char *copy = arena_strndup(arena, text + mark, size - mark);
	struct reader in = {
	    .arena = arena,
	    .scan = {.at = copy, .end = copy + size - mark, .separator = separator},
	    .fields_left = max_fields,
	};
	size_t capacity = 0;

	*csv = (struct csv){0};
	while (in.scan.at < in.scan.end) {
		struct csv_row row = {0};

		if (!read_row(&in, &row)) {
			csv->error_row = csv->count + 1;
			csv->error = in.error;
			return false;
		}
		csv->rows = arena_grow(arena, csv->rows, csv->count, &capacity, sizeof row);
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
