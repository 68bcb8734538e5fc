/* sheet_write.c - see sheet_write.h. */
#include "api/sheet_write.h"

#include <stdio.h>

#include "api/difference_write.h"
#include "api/offer_write.h"
#include "api/reply.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "http/answer.h"

static void write_tables(struct json_write *out, const struct sheet *sheet, enum lang lang)
{
	out_array(out, "tables");
	for (size_t i = 0; i < sheet->table_count; i++) {
		const struct sheet_table *table = &sheet->tables[i];

		out_object(out, NULL);
		out_string(out, "sheet", table->sheet);
		out_integer(out, "header_row", table->header_row);
		out_object(out, "columns");
		for (int c = 0; c < table->column_count; c++) {
			char name[12];

			if (table->turned)
				snprintf(name, sizeof name, "%d", table->columns[c].column);
			else
				column_name(table->columns[c].column, name);
			out_string(out, name, text_in(table->columns[c].meaning, lang));
		}
		out_end(out);
		out_end(out);
	}
	out_end(out);
}

static void write_offer(struct json_write *out, const char *key, const struct offer *offer,
                        struct text understood, enum lang lang)
{
	out_object(out, key);
	offer_write_members(out, offer);
	out_string(out, "understood", text_in(understood, lang));
	out_end(out);
}

void sheet_write_members(struct json_write *out, const struct sheet *sheet,
                         const struct sheet_difference *difference, enum lang lang)
{
	out_boolean(out, "accepted", sheet->accepted);
	out_string(out, "format", sheet->format);
	out_string(out, "encoding", sheet->encoding);
	write_tables(out, sheet, lang);
	out_array(out, "offers");
	for (size_t i = 0; i < sheet->offer_count; i++)
		write_offer(out, NULL, &sheet->offers[i], sheet->understood[i], lang);
	out_end(out);
	out_array(out, "problems");
	for (size_t i = 0; i < sheet->problems.count; i++)
		problem_write(out, NULL, &sheet->problems.items[i], lang);
	out_end(out);
	if (difference != NULL)
		difference_write(out, difference, lang);
}

void sheet_write_upload(struct json_write *out, const struct sheet_upload *upload, enum lang lang)
{
	const struct sheet_bytes *bytes = upload->bytes;
	char hash[SHA256_HEX_SIZE];

	sha256_hex(sha256_of(bytes->bytes, bytes->size), hash);
	out_object(out, NULL);
	out_known_integer(out, "id", upload->id);
	out_string(out, "supplier", upload->supplier);
	out_boolean(out, "stored", upload->id != 0);
	out_boolean(out, "current", upload->current);
	out_string(out, "filename", bytes->filename);
	out_string(out, "sha256", hash);
	out_integer(out, "bytes", (int64_t)bytes->size);
	sheet_write_members(out, upload->sheet, upload->difference, lang);
	out_end(out);
}
