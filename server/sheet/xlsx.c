/* xlsx.c - see xlsx.h. */
#include "sheet/xlsx.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/limits.h"
#include "sheet/xlsx_package.h"
#include "sheet/xlsx_sheet.h"
#include "sheet/xlsx_styles.h"

#define RELATIONS_MAX 1000

/* "rId3" is worksheet "xl/worksheets/sheet3.xml". */
struct relation {
	const char *id;
	const char *type; /* last word of the type's address: "worksheet" */
	const char *part;
};

struct relations {
	struct package *package;
	const char *folder; /* of the part that relates: "xl/" */
	struct relation items[RELATIONS_MAX];
	size_t count;
};

struct book {
	struct package *package;
	const struct relations *relations;
	struct workbook *workbook;
	const char **parts; /* one per grid */
	size_t grid_capacity;
	size_t part_capacity;
	bool date1904;
};

static void no_end(void *context, const char *name)
{
	(void)context;
	(void)name;
}

/* ---- relations ---- */

static const char *last_word(const char *address)
{
	const char *slash = strrchr(address, '/');

	return slash == NULL ? address : slash + 1;
}

/* TARGET relative to FOLDER, or from the root when it begins with "/". */
static const char *resolve(struct arena *arena, const char *folder, const char *target)
{
	if (*target == '/')
		return arena_strdup(arena, target + 1);
	while (strncmp(target, "./", 2) == 0)
		target += 2;
	if (strncmp(target, "../", 3) == 0)
		return arena_strdup(arena, target + 3);
	return arena_printf(arena, "%s%s", folder, target);
}

static void on_relation(void *context, const char *name, const char **attributes)
{
	struct relations *in = context;
	struct arena *arena = in->package->arena;
	const char *id = xml_attribute(attributes, "Id");
	const char *type = xml_attribute(attributes, "Type");
	const char *target = xml_attribute(attributes, "Target");
	const char *mode = xml_attribute(attributes, "TargetMode");

	if (strcmp(name, "Relationship") != 0 || id == NULL || type == NULL || target == NULL ||
	    in->count == RELATIONS_MAX || (mode != NULL && strcmp(mode, "External") == 0))
		return;
	in->items[in->count++] = (struct relation){.id = arena_strdup(arena, id),
	                                           .type = arena_strdup(arena, last_word(type)),
	                                           .part = resolve(arena, in->folder, target)};
}

static struct relations *read_relations(struct package *package, const char *folder,
                                        const char *part)
{
	struct relations *relations = arena_new(package->arena, struct relations);
	struct xml_handler handler = {.context = relations, .start = on_relation, .end = no_end};

	relations->package = package;
	relations->folder = folder;
	package_read(package, part, &handler);
	return relations;
}

static const char *part_of_type(const struct relations *relations, const char *type)
{
	for (size_t i = 0; i < relations->count; i++)
		if (strcmp(relations->items[i].type, type) == 0)
			return relations->items[i].part;
	return NULL;
}

static const char *worksheet_part(const struct relations *relations, const char *id)
{
	for (size_t i = 0; i < relations->count; i++)
		if (strcmp(relations->items[i].id, id) == 0 &&
		    strcmp(relations->items[i].type, "worksheet") == 0)
			return relations->items[i].part;
	return NULL;
}

/* ---- the workbook part ---- */

static void add_sheet(struct book *in, const char **attributes)
{
	struct arena *arena = in->package->arena;
	const char *name = xml_attribute(attributes, "name");
	const char *state = xml_attribute(attributes, "state");
	const char *id = xml_attribute(attributes, "id");
	const char *part = id == NULL ? NULL : worksheet_part(in->relations, id);
	size_t count = in->workbook->count;

	if (part == NULL) /* a sheet that is only a chart */
		return;
	if (count == SHEET_GRIDS_MAX) {
		package_refuse(in->package, "too_large",
		               TEXT("the workbook has too many worksheets", "工作表过多"),
		               TEXT("split the workbook", "请拆分工作簿"));
		return;
	}
	in->workbook->grids =
	    arena_grow(arena, in->workbook->grids, count, &in->grid_capacity, sizeof(struct grid));
	in->parts = arena_grow(arena, in->parts, count, &in->part_capacity, sizeof *in->parts);
	in->parts[count] = part;
	in->workbook->grids[count] =
	    (struct grid){.name = arena_strdup(arena, name == NULL ? "" : name),
	                  .hidden = state != NULL && strcmp(state, "visible") != 0};
	in->workbook->count++;
}

static void on_workbook(void *context, const char *name, const char **attributes)
{
	struct book *in = context;

	if (strcmp(name, "workbookPr") == 0)
		in->date1904 = xml_flag(attributes, "date1904");
	else if (strcmp(name, "sheet") == 0)
		add_sheet(in, attributes);
}

/* ---- all parts ---- */

static void read_sheets(struct book *in)
{
	struct package *package = in->package;
	const char *strings_part = part_of_type(in->relations, "sharedStrings");
	const char *styles_part = part_of_type(in->relations, "styles");
	struct strings strings = {0};
	struct styles styles = {0};
	struct shared shared = {.strings = &strings, .styles = &styles, .date1904 = in->date1904};

	if (strings_part != NULL && package_has(package, strings_part))
		strings_read(package, strings_part, &strings);
	if (styles_part != NULL && package_has(package, styles_part))
		styles_read(package, styles_part, &styles);
	for (size_t i = 0; i < in->workbook->count && !package->failed; i++)
		if (!in->workbook->grids[i].hidden)
			worksheet_read(package, in->parts[i], &shared, &in->workbook->grids[i]);
}

/* The folder of PART with its slash, and where its relations stand. */
static const char *folder_of(struct arena *arena, const char *part)
{
	return arena_strndup(arena, part, (size_t)(last_word(part) - part));
}

static void read_book(struct package *package, struct workbook *workbook)
{
	struct arena *arena = package->arena;

	if (!package_has(package, "_rels/.rels")) {
		package_refuse(
		    package, "unsupported",
		    TEXT("this archive is no Excel workbook", "这个压缩包不是 Excel 工作簿"),
		    TEXT("send .xlsx, .csv or JSON", "请上传 .xlsx、.csv 或 JSON"));
		return;
	}
	const char *part =
	    part_of_type(read_relations(package, "", "_rels/.rels"), "officeDocument");

	if (part == NULL || !package_has(package, part) || strstr(part, "workbook") == NULL) {
		package_refuse(package, "unsupported",
		               TEXT("this is no Excel workbook", "这不是 Excel 工作簿（.xlsx）"),
		               TEXT("save it as .xlsx", "请另存为 .xlsx"));
		return;
	}
	const char *folder = folder_of(arena, part);
	struct book book = {.package = package, .workbook = workbook};
	struct xml_handler handler = {.context = &book, .start = on_workbook, .end = no_end};

	book.relations = read_relations(
	    package, folder, arena_printf(arena, "%s_rels/%s.rels", folder, last_word(part)));
	if (package_read(package, part, &handler))
		read_sheets(&book);
}

bool xlsx_read(struct arena *arena, const void *bytes, size_t size, struct problems *problems,
               struct workbook *workbook)
{
	struct package package = {.arena = arena, .problems = problems};

	*workbook = (struct workbook){0};
	if (package_open(&package, bytes, size))
		read_book(&package, workbook);
	package_close(&package);
	return !package.failed;
}
