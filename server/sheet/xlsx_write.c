/* xlsx_write.c - see xlsx_write.h. */
#include "sheet/xlsx_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/problem.h"
#include "base/utf8.h"

#define MOST_ROWS 1048576
#define LONGEST_LIST 255
#define LONGEST_TITLE 32
#define LONGEST_NOTE 255
/* 1980-01-03, near the oldest time that a ZIP can hold: the file does not say when it was made. */
#define NO_TIME 315705600

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define MAIN "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
#define RELATIONS "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define PACKAGE "http://schemas.openxmlformats.org/package/2006/"

struct xlsx_write xlsx_write_begin(void)
{
	return (struct xlsx_write){.row = 1, .column = 1};
}

/* At most LONGEST characters of TEXT as the content of an element or an attribute. */
static void put_xml(struct buf *out, const char *text, size_t longest)
{
	size_t length = strlen(text);

	for (size_t at = 0, count = 0; at < length && count < longest; count++) {
		size_t width = utf8_width(text + at, length - at);
		unsigned char byte = (unsigned char)text[at];

		if (byte == '&')
			buf_puts(out, "&amp;");
		else if (byte == '<')
			buf_puts(out, "&lt;");
		else if (byte == '>')
			buf_puts(out, "&gt;");
		else if (byte == '"')
			buf_puts(out, "&quot;");
		else if (byte == '\t' || byte == '\n')
			buf_printf(out, "&#%d;", byte);
		else if (byte < ' ' || width == 0)
			buf_puts(out, "\xEF\xBF\xBD");
		else
			buf_put(out, text + at, width);
		at += width == 0 ? 1 : width;
	}
}

static void put_reference(struct xlsx_write *out)
{
	char column[8];

	if (out->column == 1)
		buf_printf(&out->cells, "<row r=\"%d\">", out->row);
	column_name(out->column, column);
	buf_printf(&out->cells, "<c r=\"%s%d\"%s", column, out->row,
	           out->row == 1 ? " s=\"1\"" : "");
	out->column++;
}

void xlsx_text(struct xlsx_write *out, const char *text)
{
	if (text == NULL || *text == '\0') {
		xlsx_empty(out);
		return;
	}
	put_reference(out);
	buf_puts(&out->cells, " t=\"inlineStr\"><is><t xml:space=\"preserve\">");
	put_xml(&out->cells, text, 32767);
	buf_puts(&out->cells, "</t></is></c>");
}

void xlsx_number(struct xlsx_write *out, const char *decimal)
{
	if (decimal == NULL) {
		xlsx_empty(out);
		return;
	}
	put_reference(out);
	buf_printf(&out->cells, "><v>%s</v></c>", decimal);
}

void xlsx_integer(struct xlsx_write *out, int64_t value)
{
	put_reference(out);
	buf_printf(&out->cells, "><v>%" PRId64 "</v></c>", value);
}

void xlsx_empty(struct xlsx_write *out)
{
	put_reference(out);
	buf_puts(&out->cells, "/>");
}

void xlsx_end_row(struct xlsx_write *out)
{
	if (out->column > 1)
		buf_puts(&out->cells, "</row>");
	out->row++;
	out->column = 1;
}

/* The choices as the literal list of a drop-down: "a,b,c"; false when it does not fit. */
static bool join_choices(const char *const *choices, struct buf *list)
{
	for (size_t i = 0; choices != NULL && choices[i] != NULL; i++) {
		if (strpbrk(choices[i], ",\"") != NULL)
			return false;
		buf_printf(list, "%s%s", i == 0 ? "" : ",", choices[i]);
	}
	return list->size > 0 && list->size <= LONGEST_LIST;
}

void xlsx_check(struct xlsx_write *out, int column, const char *title, const char *note,
                const char *const *choices)
{
	struct buf list = {0};
	bool listed = join_choices(choices, &list);
	char letters[8];

	column_name(column, letters);
	if (listed || note != NULL) {
		buf_printf(&out->checks,
		           "<dataValidation type=\"%s\" allowBlank=\"1\" showInputMessage=\"1\" "
		           "sqref=\"%s2:%s2000\"",
		           listed ? "list" : "none", letters, letters);
		if (note != NULL) {
			buf_puts(&out->checks, " promptTitle=\"");
			put_xml(&out->checks, title, LONGEST_TITLE);
			buf_puts(&out->checks, "\" prompt=\"");
			put_xml(&out->checks, note, LONGEST_NOTE);
			buf_puts(&out->checks, "\"");
		}
		buf_puts(&out->checks, ">");
		if (listed) {
			buf_puts(&out->checks, "<formula1>&quot;");
			put_xml(&out->checks, buf_text(&list), LONGEST_LIST);
			buf_puts(&out->checks, "&quot;</formula1>");
		}
		buf_puts(&out->checks, "</dataValidation>");
		out->check_count++;
	}
	buf_finish(&list);
}

static void put_worksheet(const struct xlsx_write *out, struct buf *xml)
{
	buf_puts(xml, XML "<worksheet xmlns=\"" MAIN "\"><sheetViews><sheetView "
	                  "workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
	                  "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
	                  "<sheetFormatPr defaultRowHeight=\"15\"/><cols><col min=\"1\" "
	                  "max=\"40\" width=\"16\" customWidth=\"1\"/></cols><sheetData>");
	buf_put(xml, out->cells.bytes, out->cells.size);
	buf_puts(xml, "</sheetData>");
	if (out->check_count > 0) {
		buf_printf(xml, "<dataValidations count=\"%d\">", out->check_count);
		buf_put(xml, out->checks.bytes, out->checks.size);
		buf_puts(xml, "</dataValidations>");
	}
	buf_puts(xml, "</worksheet>");
}

static void put_workbook(const char *sheet_name, struct buf *xml)
{
	buf_puts(xml, XML "<workbook xmlns=\"" MAIN "\" xmlns:r=\"" RELATIONS
	                  "\"><sheets><sheet name=\"");
	put_xml(xml, sheet_name, 31);
	buf_puts(xml, "\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>");
}

static const struct {
	const char *path;
	const char *xml;
} fixed_parts[] = {
    {"[Content_Types].xml",
     XML "<Types xmlns=\"" PACKAGE "content-types\"><Default Extension=\"rels\" "
         "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
         "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
         "<Override PartName=\"/xl/workbook.xml\" ContentType=\"application/"
         "vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>"
         "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"application/"
         "vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>"
         "<Override PartName=\"/xl/styles.xml\" ContentType=\"application/"
         "vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/></Types>"},
    {"_rels/.rels", XML "<Relationships xmlns=\"" PACKAGE "relationships\"><Relationship "
                        "Id=\"rId1\" Type=\"" RELATIONS "/officeDocument\" "
                        "Target=\"xl/workbook.xml\"/></Relationships>"},
    {"xl/_rels/workbook.xml.rels",
     XML "<Relationships xmlns=\"" PACKAGE "relationships\"><Relationship Id=\"rId1\" "
         "Type=\"" RELATIONS "/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
         "<Relationship Id=\"rId2\" Type=\"" RELATIONS "/styles\" "
         "Target=\"styles.xml\"/></Relationships>"},
    {"xl/styles.xml",
     XML "<styleSheet xmlns=\"" MAIN "\"><fonts count=\"2\"><font><sz val=\"11\"/><name "
         "val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font>"
         "</fonts><fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill>"
         "<patternFill patternType=\"gray125\"/></fill></fills><borders count=\"1\"><border>"
         "<left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs "
         "count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
         "</cellStyleXfs><cellXfs count=\"2\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" "
         "borderId=\"0\" xfId=\"0\"/><xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" "
         "borderId=\"0\" xfId=\"0\" applyFont=\"1\"/></cellXfs></styleSheet>"},
};

/* Adds a part that lives until the archive is closed. */
static bool add_part(zip_t *archive, const char *path, const void *bytes, size_t size)
{
	zip_source_t *source = zip_source_buffer(archive, bytes, size, 0);

	if (source == NULL)
		return false;
	zip_int64_t index = zip_file_add(archive, path, source, ZIP_FL_ENC_UTF_8);

	if (index < 0) {
		zip_source_free(source);
		return false;
	}
	return zip_file_set_mtime(archive, (zip_uint64_t)index, NO_TIME, 0) == 0;
}

static bool add_parts(zip_t *archive, const struct buf *workbook, const struct buf *worksheet)
{
	for (size_t i = 0; i < sizeof fixed_parts / sizeof *fixed_parts; i++)
		if (!add_part(archive, fixed_parts[i].path, fixed_parts[i].xml,
		              strlen(fixed_parts[i].xml)))
			return false;
	return add_part(archive, "xl/workbook.xml", workbook->bytes, workbook->size) &&
	       add_part(archive, "xl/worksheets/sheet1.xml", worksheet->bytes, worksheet->size);
}

/* The bytes that libzip has written into SOURCE. */
static bool read_back(zip_source_t *source, struct buf *file)
{
	zip_stat_t stat;

	if (zip_source_stat(source, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0 ||
	    zip_source_open(source) != 0)
		return false;
	char *bytes = malloc(stat.size);
	bool whole =
	    bytes != NULL && zip_source_read(source, bytes, stat.size) == (zip_int64_t)stat.size;

	if (whole)
		buf_put(file, bytes, stat.size);
	free(bytes);
	zip_source_close(source);
	return whole;
}

static bool pack(const struct buf *workbook, const struct buf *worksheet, struct buf *file)
{
	zip_error_t error;

	zip_error_init(&error);
	zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
	zip_t *archive = source == NULL ? NULL : zip_open_from_source(source, ZIP_TRUNCATE, &error);
	bool packed = false;

	if (archive != NULL) {
		zip_source_keep(source);
		if (!add_parts(archive, workbook, worksheet) || zip_close(archive) != 0)
			zip_discard(archive);
		else
			packed = read_back(source, file);
	}
	zip_source_free(source);
	zip_error_fini(&error);
	return packed;
}

bool xlsx_write_finish(struct xlsx_write *out, const char *sheet_name, struct buf *file)
{
	struct buf workbook = {0};
	struct buf worksheet = {0};
	bool packed = false;

	if (out->row <= MOST_ROWS) {
		put_workbook(sheet_name, &workbook);
		put_worksheet(out, &worksheet);
		packed = pack(&workbook, &worksheet, file);
	}
	buf_finish(&workbook);
	buf_finish(&worksheet);
	buf_finish(&out->cells);
	buf_finish(&out->checks);
	return packed;
}
