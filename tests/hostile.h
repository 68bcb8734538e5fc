/*
 * hostile.h - files made to cost a reader of price sheets time or memory, for tests and the bench.
 *
 * Each is well formed up to the one thing that is wrong with it, so that a reader gets that far.
 */
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/alloc.h"
#include "base/buf.h"

#define HOSTILE_MIB ((size_t)1 << 20)

/* PART again and again, up to SIZE bytes. */
static inline void hostile_repeat(struct buf *out, const char *part, size_t size)
{
	size_t length = strlen(part);

	for (size_t done = 0; done + length <= size; done += length)
		buf_put(out, part, length);
}

/* The parts of a workbook; NULL for the usual ones. */
struct hostile_book {
	const struct buf *sheet;   /* of the worksheet, between <worksheet> and </worksheet> */
	const struct buf *strings; /* of the shared strings, between <sst> and </sst> */
	const char *prolog;        /* before the root of the worksheet: a DOCTYPE */
	int entries;               /* further parts of no meaning */
	bool stored;               /* not compressed */
};

static inline void hostile_part(zip_t *zip, const char *name, struct buf *content, bool stored)
{
	void *bytes = alloc_zeroed(1, content->size + 1);

	memcpy(bytes, buf_text(content), content->size);
	zip_source_t *source = zip_source_buffer(zip, bytes, content->size, 1);
	zip_int64_t index = zip_file_add(zip, name, source, 0);

	if (index < 0 || zip_set_file_compression(zip, (zip_uint64_t)index,
	                                          stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 1) != 0)
		abort();
	buf_finish(content);
}

static inline void hostile_text_part(zip_t *zip, const char *name, const char *text)
{
	struct buf content = {0};

	buf_puts(&content, text);
	hostile_part(zip, name, &content, false);
}

static inline void hostile_parts(zip_t *zip, const struct hostile_book *book)
{
	static const char types[] = "http://schemas.openxmlformats.org/officeDocument/2006/"
				    "relationships";
	struct buf text = {0};

	buf_printf(&text,
	           "<Relationships><Relationship Id=\"r1\" Type=\"%s/officeDocument\" "
	           "Target=\"xl/workbook.xml\"/></Relationships>",
	           types);
	hostile_part(zip, "_rels/.rels", &text, false);
	text = (struct buf){0};
	buf_printf(&text,
	           "<Relationships><Relationship Id=\"r1\" Type=\"%s/worksheet\" "
	           "Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" "
	           "Type=\"%s/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>",
	           types, types);
	hostile_part(zip, "xl/_rels/workbook.xml.rels", &text, false);
	hostile_text_part(zip, "xl/workbook.xml",
	                  "<workbook xmlns:r=\"r\"><sheets><sheet name=\"GPU\" r:id=\"r1\"/>"
	                  "</sheets></workbook>");
	text = (struct buf){0};
	buf_printf(&text, "%s<worksheet>", book->prolog == NULL ? "" : book->prolog);
	buf_put(&text, book->sheet->bytes, book->sheet->size);
	buf_puts(&text, "</worksheet>");
	hostile_part(zip, "xl/worksheets/sheet1.xml", &text, book->stored);
	text = (struct buf){0};
	buf_puts(&text, "<sst>");
	if (book->strings != NULL)
		buf_put(&text, book->strings->bytes, book->strings->size);
	buf_puts(&text, "</sst>");
	hostile_part(zip, "xl/sharedStrings.xml", &text, book->stored);
	for (int i = 0; i < book->entries; i++) {
		text = (struct buf){0};
		buf_printf(&text, "xl/media/%d.xml", i);
		hostile_text_part(zip, buf_text(&text), "<x/>");
		buf_finish(&text);
	}
}

/* Packs BOOK into OUT. */
static inline void hostile_pack(const struct hostile_book *book, struct buf *out)
{
	zip_error_t error;
	zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, &error);
	zip_t *zip = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error);

	if (zip == NULL)
		abort();
	zip_source_keep(target);
	hostile_parts(zip, book);
	if (zip_close(zip) != 0 || zip_source_open(target) != 0)
		abort();
	char piece[16384];
	zip_int64_t size;

	while ((size = zip_source_read(target, piece, sizeof piece)) > 0)
		buf_put(out, piece, (size_t)size);
	zip_source_close(target);
	zip_source_free(target);
}

/* A workbook whose worksheet is HEAD, then PART again and again up to SIZE bytes, then TAIL. */
static inline void hostile_sheet(const char *head, const char *part, size_t size, const char *tail,
                                 struct buf *out)
{
	struct buf sheet = {0};

	buf_puts(&sheet, head);
	hostile_repeat(&sheet, part, size);
	buf_puts(&sheet, tail);
	hostile_pack(&(struct hostile_book){.sheet = &sheet}, out);
	buf_finish(&sheet);
}

/* The same with shared strings instead. */
static inline void hostile_strings(const char *head, const char *part, size_t size,
                                   const char *tail, struct buf *out)
{
	struct buf strings = {0};
	struct buf sheet = {0};

	buf_puts(&sheet, "<sheetData/>");
	buf_puts(&strings, head);
	hostile_repeat(&strings, part, size);
	buf_puts(&strings, tail);
	hostile_pack(&(struct hostile_book){.sheet = &sheet, .strings = &strings}, out);
	buf_finish(&strings);
	buf_finish(&sheet);
}

/* ---- the kinds ---- */

static inline void hostile_spaces(struct buf *out)
{
	hostile_sheet("<sheetData>", "                ", 100 * HOSTILE_MIB, "</sheetData>", out);
}

static inline void hostile_cells(struct buf *out)
{
	hostile_sheet("<sheetData>", "<row><c><v>1</v></c><c><v>2</v></c></row>", 90 * HOSTILE_MIB,
	              "</sheetData>", out);
}

static inline void hostile_empty_cells(struct buf *out)
{
	hostile_sheet("<sheetData><row>", "<c/>", 90 * HOSTILE_MIB, "</row></sheetData>", out);
}

static inline void hostile_long_strings(struct buf *out)
{
	hostile_strings("<si><t>", "abcdefghijklmnopqrstuvwxyz012345", 30 * HOSTILE_MIB,
	                "</t></si>", out);
}

static inline void hostile_many_strings(struct buf *out)
{
	hostile_strings("", "<si><t>a</t></si>", 90 * HOSTILE_MIB, "", out);
}

/* Of a container that is not suspiciously small: half of each string is random. */
static inline void hostile_large_strings(struct buf *out)
{
	struct buf strings = {0};
	struct buf sheet = {0};
	unsigned random = 1;

	buf_puts(&sheet, "<sheetData/>");
	while (strings.size < 60 * HOSTILE_MIB) {
		buf_puts(&strings, "<si><t>");
		for (int i = 0; i < 40; i++) {
			random = random * 1664525 + 1013904223;
			buf_printf(&strings, "%c", 'a' + (int)(random >> 28));
		}
		hostile_repeat(&strings, "abcdefghijklmnop", 960);
		buf_puts(&strings, "</t></si>");
	}
	hostile_pack(&(struct hostile_book){.sheet = &sheet, .strings = &strings}, out);
	buf_finish(&strings);
	buf_finish(&sheet);
}

static inline void hostile_long_tag(struct buf *out)
{
	hostile_sheet("<sheetData a=\"", "abcdefghijklmnop", 90 * HOSTILE_MIB, "\"/>", out);
}

static inline void hostile_deep(struct buf *out)
{
	hostile_sheet("<sheetData>", "<a>", 8 * HOSTILE_MIB, "", out);
}

static inline void hostile_laughs(struct buf *out)
{
	struct buf sheet = {0};

	buf_puts(&sheet, "<sheetData>&c;</sheetData>");
	hostile_pack(&(struct hostile_book){.sheet = &sheet,
	                                    .prolog = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">"
	                                              "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
	                                              "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;\">]>"},
	             out);
	buf_finish(&sheet);
}

static inline void hostile_entries(struct buf *out)
{
	struct buf sheet = {0};

	buf_puts(&sheet, "<sheetData/>");
	hostile_pack(&(struct hostile_book){.sheet = &sheet, .entries = 60000}, out);
	buf_finish(&sheet);
}

/* A table of 5,000 columns. */
static inline void hostile_columns(struct buf *out)
{
	struct buf sheet = {0};

	buf_puts(&sheet, "<sheetData>");
	for (int row = 0; row < 10; row++) {
		buf_puts(&sheet, "<row>");
		hostile_repeat(&sheet, "<c t=\"str\"><v>价格（元/卡/时）</v></c>", 5000 * 42);
		buf_puts(&sheet, "</row>");
	}
	buf_puts(&sheet, "</sheetData>");
	hostile_pack(&(struct hostile_book){.sheet = &sheet}, out);
	buf_finish(&sheet);
}

/* Every empty cell of an honest table is looked for in every merged range. */
static inline void hostile_merges(struct buf *out)
{
	struct buf sheet = {0};

	buf_puts(&sheet, "<sheetData><row><c t=\"str\"><v>型号</v></c><c t=\"str\"><v>城市</v></c>"
	                 "<c t=\"str\"><v>卡数</v></c><c t=\"str\"><v>备注</v></c>"
	                 "<c t=\"str\"><v>价格（元/卡/时）</v></c></row>");
	for (int row = 0; row < 18000; row++)
		buf_puts(&sheet, "<row><c t=\"str\"><v>L40S</v></c>"
		                 "<c/><c/><c/><c><v>4.98</v></c></row>");
	buf_puts(&sheet, "</sheetData><mergeCells>");
	for (int i = 0; i < 20000; i++)
		buf_printf(&sheet, "<mergeCell ref=\"H%d:I%d\"/>", i + 1, i + 1);
	buf_puts(&sheet, "</mergeCells>");
	hostile_pack(&(struct hostile_book){.sheet = &sheet, .stored = true}, out);
	buf_finish(&sheet);
}

static inline void hostile_formulas(struct buf *out)
{
	hostile_sheet("<sheetData><row><c t=\"str\"><v>型号</v></c>"
	              "<c t=\"str\"><v>价格（元/卡/时）</v></c></row>",
	              "<row><c t=\"str\"><v>=cmd|' /C calc'!A0</v></c>"
	              "<c t=\"str\"><v>=HYPERLINK(\"http://x\")</v></c></row>",
	              4 * HOSTILE_MIB, "</sheetData>", out);
}

/* Both directories of the container say that the worksheet, 30 MiB, is 10 bytes. */
static inline void hostile_lying_size(struct buf *out)
{
	hostile_sheet("<sheetData>", "                ", 30 * HOSTILE_MIB, "</sheetData>", out);
	unsigned char *bytes = (unsigned char *)out->bytes;

	for (size_t i = 0; i + 60 < out->size; i++) {
		bool local = memcmp(bytes + i, "PK\x03\x04", 4) == 0;
		bool central = memcmp(bytes + i, "PK\x01\x02", 4) == 0;
		size_t name = i + (local ? 30 : 46);

		if ((local || central) && name + 24 <= out->size &&
		    memcmp(bytes + name, "xl/worksheets/sheet1.xml", 24) == 0)
			memcpy(bytes + i + (local ? 22 : 24), "\x0a\0\0\0", 4);
	}
}

static inline void hostile_truncated(struct buf *out)
{
	hostile_cells(out);
	out->size /= 2;
}

static inline void hostile_csv_cells(struct buf *out)
{
	hostile_repeat(out, "1,2,3,4,5,6,7,8\n", 16 * HOSTILE_MIB - 64);
}

static inline void hostile_csv_rows(struct buf *out)
{
	hostile_repeat(out, "1\n", 16 * HOSTILE_MIB - 64);
}

static inline void hostile_csv_commas(struct buf *out)
{
	hostile_repeat(out, ",,,,,,,,,,,,,,,\n", 16 * HOSTILE_MIB - 64);
}

static inline void hostile_csv_columns(struct buf *out)
{
	for (int row = 0; row < 130; row++) {
		hostile_repeat(out, "价格（元/卡/时）,", 5000 * 24);
		buf_puts(out, "\n");
	}
}

static inline void hostile_csv_quote(struct buf *out)
{
	buf_puts(out, "型号,价格\n\"");
	hostile_repeat(out, "abcdefg,\"\"\n", 16 * HOSTILE_MIB - 64);
}

static inline void hostile_csv_headers(struct buf *out)
{
	hostile_repeat(out, "型号,价格（元/卡/时）\n", (size_t)199000 * 31);
}

static inline void hostile_csv_words(struct buf *out)
{
	hostile_repeat(out, "深圳市某某机房的一段说明文字,而且没有数字\n", (size_t)199000 * 62);
}

static inline void hostile_csv_formulas(struct buf *out)
{
	buf_puts(out, "型号,城市,卡数,价格（元/卡/时）\n");
	hostile_repeat(out, "\"=cmd|' /C calc'!A0\",@SUM(1),+1+1,\"=HYPERLINK(\"\"x\"\")\"\n",
	               (size_t)199000 * 53);
}

static inline void hostile_json_numbers(struct buf *out)
{
	buf_puts(out, "{\"offers\":[1");
	hostile_repeat(out, ",1", 16 * HOSTILE_MIB - 64);
	buf_puts(out, "]}");
}

static inline void hostile_json_objects(struct buf *out)
{
	buf_puts(out, "{\"offers\":[{}");
	hostile_repeat(out, ",{\"a\":{}}", 16 * HOSTILE_MIB - 64);
	buf_puts(out, "]}");
}

static inline void hostile_json_deep(struct buf *out)
{
	buf_puts(out, "{\"offers\":");
	hostile_repeat(out, "[", 16 * HOSTILE_MIB - 64);
}

static const struct hostile {
	const char *name;
	void (*make)(struct buf *out);
	bool harmless; /* it must not cost much, but nothing is wrong with it */
} hostile_kinds[] = {
    {"100 MiB of spaces in a worksheet", hostile_spaces, false},
    {"90 MiB of cells in a small workbook", hostile_cells, false},
    {"90 MiB of empty cells", hostile_empty_cells, false},
    {"one shared string of 30 MiB", hostile_long_strings, false},
    {"five million shared strings", hostile_many_strings, false},
    {"60 MiB of strings in a larger workbook", hostile_large_strings, false},
    {"one tag of 90 MiB", hostile_long_tag, false},
    {"elements nested two million deep", hostile_deep, false},
    {"DOCTYPE with entities of entities", hostile_laughs, false},
    {"60,000 parts", hostile_entries, false},
    {"5,000 columns", hostile_columns, false},
    {"20,000 merged ranges over 18,000 rows", hostile_merges, true},
    {"texts of formulas", hostile_formulas, false},
    {"a size that lies", hostile_lying_size, false},
    {"truncated", hostile_truncated, false},
    {"CSV: eight million cells", hostile_csv_cells, false},
    {"CSV: eight million rows", hostile_csv_rows, false},
    {"CSV: sixteen million commas", hostile_csv_commas, false},
    {"CSV: 5,000 columns", hostile_csv_columns, false},
    {"CSV: a quote of 16 MiB that never ends", hostile_csv_quote, false},
    {"CSV: nothing but headers", hostile_csv_headers, false},
    {"CSV: nothing but words", hostile_csv_words, false},
    {"CSV: texts of formulas", hostile_csv_formulas, false},
    {"JSON: eight million numbers", hostile_json_numbers, false},
    {"JSON: two million objects", hostile_json_objects, false},
    {"JSON: lists nested sixteen million deep", hostile_json_deep, false},
};
#define HOSTILE_KINDS (sizeof hostile_kinds / sizeof *hostile_kinds)

#endif
