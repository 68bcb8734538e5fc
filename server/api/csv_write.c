/* csv_write.c - see csv_write.h. */
#include "api/csv_write.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

struct csv_write csv_write_to(struct buf *buf)
{
	buf_puts(buf, "\xEF\xBB\xBF");
	return (struct csv_write){.buf = buf};
}

static void separate(struct csv_write *out)
{
	if (out->row_begun)
		buf_putc(out->buf, ',');
	out->row_begun = true;
}

/* Whether a spreadsheet program would take TEXT for a formula. */
static bool runs(const char *text)
{
	static const char *const starts[] = {"=",  "+",  "-",  "@",  "\t", "\r",
	                                     "\n", "＝", "＋", "－", "＠"};

	while (*text == ' ')
		text++;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (strncmp(text, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

void csv_text(struct csv_write *out, const char *text)
{
	separate(out);
	if (text == NULL)
		return;
	bool quoted = strpbrk(text, ",;\t\r\n\"") != NULL;

	if (quoted)
		buf_putc(out->buf, '"');
	if (runs(text))
		buf_putc(out->buf, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			buf_putc(out->buf, '"');
		buf_putc(out->buf, *text);
	}
	if (quoted)
		buf_putc(out->buf, '"');
}

void csv_number(struct csv_write *out, const char *number)
{
	separate(out);
	if (number != NULL)
		buf_puts(out->buf, number);
}

void csv_integer(struct csv_write *out, int64_t value)
{
	separate(out);
	buf_printf(out->buf, "%" PRId64, value);
}

void csv_empty(struct csv_write *out)
{
	separate(out);
}

void csv_end_row(struct csv_write *out)
{
	buf_puts(out->buf, "\r\n");
	out->row_begun = false;
}
