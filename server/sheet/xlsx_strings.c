/* xlsx_strings.c - the shared strings; see xlsx_sheet.h. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "sheet/limits.h"
#include "sheet/xlsx_sheet.h"

struct reading {
	struct package *package;
	struct strings *strings;
	size_t capacity;
	struct buf text;
	bool in_text;
	int phonetic; /* inside <rPh>: how to pronounce it, not what it says */
};

static void on_start(void *context, const char *name, const char **attributes)
{
	struct reading *in = context;

	(void)attributes;
	if (strcmp(name, "si") == 0)
		buf_clear(&in->text);
	else if (strcmp(name, "rPh") == 0)
		in->phonetic++;
	else if (strcmp(name, "t") == 0)
		in->in_text = in->phonetic == 0;
}

static void on_end(void *context, const char *name)
{
	struct reading *in = context;

	if (strcmp(name, "t") == 0)
		in->in_text = false;
	else if (strcmp(name, "rPh") == 0)
		in->phonetic--;
	if (strcmp(name, "si") != 0)
		return;
	if (in->strings->count == SHEET_STRINGS_MAX) {
		package_refuse(
		    in->package, "too_large",
		    TEXT("the workbook has too many texts", "工作簿文本过多"),
		    TEXT("copy the price tables into a new workbook", "请把价格表复制到新工作簿"));
		return;
	}
	in->strings->items = arena_grow(in->package->arena, in->strings->items, in->strings->count,
	                                &in->capacity, sizeof *in->strings->items);
	in->strings->items[in->strings->count++] =
	    package_keep_text(in->package, buf_text(&in->text), in->text.size);
}

static void on_text(void *context, const char *text, int length)
{
	struct reading *in = context;

	if (in->in_text && in->text.size + (size_t)length <= SHEET_TEXT_MAX)
		buf_put(&in->text, text, (size_t)length);
}

bool strings_read(struct package *package, const char *name, struct strings *strings)
{
	struct reading in = {.package = package, .strings = strings};
	struct xml_handler handler = {
	    .context = &in, .start = on_start, .end = on_end, .text = on_text};

	*strings = (struct strings){0};
	bool read = package_read(package, name, &handler);

	buf_finish(&in.text);
	return read;
}
