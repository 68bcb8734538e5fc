/* fuzz_xlsx.c - workbooks whose container is sound and whose worksheet is anything. */
#include <zip.h>

#include "tests/fuzz/fuzz_sheet.h"

static const char relations[] =
    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
    "<Relationship Id=\"r1\" Type=\"a/officeDocument\" Target=\"xl/workbook.xml\"/>"
    "</Relationships>";
static const char book_relations[] =
    "<Relationships><Relationship Id=\"r1\" Type=\"a/worksheet\" Target=\"sheet.xml\"/>"
    "<Relationship Id=\"r2\" Type=\"a/sharedStrings\" Target=\"strings.xml\"/>"
    "<Relationship Id=\"r3\" Type=\"a/styles\" Target=\"styles.xml\"/></Relationships>";
static const char book[] = "<workbook xmlns:r=\"r\"><sheets>"
			   "<sheet name=\"s\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>";

static void add(zip_t *zip, const char *name, const void *bytes, size_t size)
{
	zip_source_t *source = zip_source_buffer(zip, bytes, size, 0);

	hold(source != NULL && zip_file_add(zip, name, source, 0) >= 0);
}

/* The input is three parts with a line "----" between: worksheet, strings, styles. */
static void add_parts(zip_t *zip, const uint8_t *data, size_t size)
{
	static const char *const names[] = {"xl/sheet.xml", "xl/strings.xml", "xl/styles.xml"};

	for (size_t i = 0; i < 3; i++) {
		const uint8_t *end = i == 2 ? NULL : memmem(data, size, "\n----\n", 6);
		size_t length = end == NULL ? size : (size_t)(end - data);

		if (length > 0)
			add(zip, names[i], data, length);
		data += length + (end != NULL ? 6 : 0);
		size -= length + (end != NULL ? 6 : 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	zip_error_t error;
	zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, &error);
	zip_t *zip = zip_open_from_source(target, ZIP_TRUNCATE, &error);
	zip_stat_t stat;

	hold(zip != NULL);
	zip_source_keep(target);
	add(zip, "_rels/.rels", relations, sizeof relations - 1);
	add(zip, "xl/_rels/workbook.xml.rels", book_relations, sizeof book_relations - 1);
	add(zip, "xl/workbook.xml", book, sizeof book - 1);
	add_parts(zip, data, size);
	hold(zip_close(zip) == 0);
	hold(zip_source_open(target) == 0 && zip_source_stat(target, &stat) == 0);
	void *bytes = malloc(stat.size);

	hold(zip_source_read(target, bytes, stat.size) == (zip_int64_t)stat.size);
	zip_source_close(target);
	zip_source_free(target);
	fuzz_sheet(bytes, stat.size);
	free(bytes);
	return 0;
}
