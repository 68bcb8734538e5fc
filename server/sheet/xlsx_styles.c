/* xlsx_styles.c - see xlsx_styles.h. */
#include "sheet/xlsx_styles.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define FORMATS_MAX 5000
#define CODE_MAX 1000

struct format {
	long id;
	struct style style;
};

struct reading {
	struct package *package;
	struct styles *styles;
	size_t style_capacity;
	struct format *formats;
	size_t format_count;
	size_t format_capacity;
	bool in_cell_formats;
};

/* What a walk over one section of a format code finds. */
struct walk {
	struct buf before;
	struct buf after;
	bool digits; /* a digit placeholder was seen */
	bool date;
	bool percent;
};

static void literal(struct walk *walk, const char *text, size_t length)
{
	buf_put(walk->digits ? &walk->after : &walk->before, text, length);
}

/* "[$¥-804]" shows ¥; "[Red]", "[>100]", "[h]" show nothing. Returns the bytes it takes. */
static size_t bracket(struct walk *walk, const char *code)
{
	size_t length = strcspn(code, "]");

	if (code[1] == '$')
		literal(walk, code + 2, strcspn(code + 2, "-]"));
	else if (length >= 2 && strchr("hmsHMS", code[1]) != NULL &&
	         strspn(code + 1, "hmsHMS") == length - 1)
		walk->date = true;
	return length + (code[length] == ']');
}

/* One element of a format code; returns the bytes it takes. */
static size_t step(struct walk *walk, const char *code)
{
	size_t length;

	switch (*code) {
	case '"':
		length = strcspn(code + 1, "\"");
		literal(walk, code + 1, length);
		return length + 1 + (code[length + 1] == '"');
	case '\\':
		if (code[1] == '\0')
			return 1;
		for (length = 2; ((unsigned char)code[length] & 0xc0) == 0x80;)
			length++;
		literal(walk, code + 1, length - 1);
		return length;
	case '_':
	case '*':
		return code[1] == '\0' ? 1 : 2;
	case '[':
		return bracket(walk, code);
	case '0':
	case '#':
	case '?':
		walk->digits = true;
		return 1;
	case '%':
		walk->percent = true;
		return 1;
	case 'y':
	case 'Y':
	case 'd':
	case 'D':
	case 'm':
	case 'M':
	case 'h':
	case 'H':
	case 's':
	case 'S':
		walk->date = true;
		return 1;
	case 'G': /* General */
		walk->digits = true;
		return strncmp(code, "General", 7) == 0 ? 7 : 1;
	case '$':
		literal(walk, code, 1);
		return 1;
	default:
		/* Signs such as ¥ and 元 need no quotes. */
		if ((unsigned char)*code < 0x80)
			return 1;
		for (length = 1; ((unsigned char)code[length] & 0xc0) == 0x80;)
			length++;
		literal(walk, code, length);
		return length;
	}
}

struct style style_of_format(struct arena *arena, const char *code)
{
	struct walk walk = {0};
	struct style style = {.shown = SHOWN_NUMBER, .before = "", .after = ""};

	if (strlen(code) > CODE_MAX)
		return style;
	for (const char *at = code; *at != '\0' && *at != ';';)
		at += step(&walk, at);
	if (walk.percent) {
		style.shown = SHOWN_PERCENT;
	} else if (walk.date && !walk.digits) {
		style.shown = SHOWN_DATE;
	} else if (walk.digits) {
		style.before = arena_strdup(arena, buf_text(&walk.before));
		style.after = arena_strdup(arena, buf_text(&walk.after));
	}
	buf_finish(&walk.before);
	buf_finish(&walk.after);
	return style;
}

/* The built-in formats (18.8.30), with the East Asian ones. */
static struct style built_in(long id)
{
	struct style style = {.shown = SHOWN_NUMBER, .before = "", .after = ""};

	if (id == 9 || id == 10)
		style.shown = SHOWN_PERCENT;
	else if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
	         (id >= 50 && id <= 58))
		style.shown = SHOWN_DATE;
	return style;
}

static struct style find_format(const struct reading *in, long id)
{
	for (size_t i = 0; i < in->format_count; i++)
		if (in->formats[i].id == id)
			return in->formats[i].style;
	return built_in(id);
}

static void on_start(void *context, const char *name, const char **attributes)
{
	struct reading *in = context;
	struct arena *arena = in->package->arena;
	const char *id = xml_attribute(attributes, "numFmtId");
	long number = id == NULL ? 0 : strtol(id, NULL, 10);

	if (strcmp(name, "cellXfs") == 0)
		in->in_cell_formats = true;
	if (strcmp(name, "numFmt") == 0 && in->format_count < FORMATS_MAX) {
		const char *code = xml_attribute(attributes, "formatCode");

		in->formats = arena_grow(arena, in->formats, in->format_count, &in->format_capacity,
		                         sizeof *in->formats);
		in->formats[in->format_count++] = (struct format){
		    .id = number, .style = style_of_format(arena, code == NULL ? "" : code)};
	}
	if (!in->in_cell_formats || strcmp(name, "xf") != 0 || in->styles->count >= 65536)
		return;
	in->styles->items = arena_grow(arena, in->styles->items, in->styles->count,
	                               &in->style_capacity, sizeof *in->styles->items);
	in->styles->items[in->styles->count++] = find_format(in, number);
}

static void on_end(void *context, const char *name)
{
	struct reading *in = context;

	if (strcmp(name, "cellXfs") == 0)
		in->in_cell_formats = false;
}

bool styles_read(struct package *package, const char *name, struct styles *styles)
{
	struct reading in = {.package = package, .styles = styles};
	struct xml_handler handler = {.context = &in, .start = on_start, .end = on_end};

	*styles = (struct styles){0};
	return package_read(package, name, &handler);
}
