/* xlsx_package.c - see xlsx_package.h. */
#include "sheet/xlsx_package.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zip.h>

#include "base/arena.h"
#include "sheet/limits.h"

#define PIECE 16384

void package_refuse(struct package *package, const char *code, struct text message,
                    struct text hint)
{
	if (package->failed)
		return;
	package->failed = true;
	problem_add_text(package->problems, PROBLEM_ERROR, code, (struct place){0}, NULL, message)
	    ->hint = hint;
}

static void refuse_damaged(struct package *package)
{
	package_refuse(
	    package, "damaged",
	    TEXT("the workbook is damaged and cannot be opened", "工作簿已损坏，无法打开"),
	    TEXT("open it in a spreadsheet program and save it again",
	         "请用表格软件打开后重新保存"));
}

static void refuse_large(struct package *package)
{
	package_refuse(
	    package, "too_large",
	    TEXT("the workbook unpacks to more than a price sheet can need",
	         "工作簿解压后过大，不像报价单"),
	    TEXT("copy the price tables into a new workbook", "请把价格表复制到新工作簿"));
}

/* ---- the container ---- */

static int by_name(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_unsafe(const char *name)
{
	return *name == '\0' || *name == '/' || strchr(name, '\\') != NULL ||
	       strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL;
}

static bool is_macro(const char *name)
{
	size_t length = strlen(name);
	static const char project[] = "vbaproject.bin";

	return length >= sizeof project - 1 &&
	       strcasecmp(name + length - (sizeof project - 1), project) == 0;
}

static void refuse_macro(struct package *package)
{
	package_refuse(package, "macro",
	               TEXT("the workbook holds macros and is not read", "工作簿含有宏，不予读取"),
	               TEXT("save it as .xlsx without macros", "请另存为不含宏的 .xlsx"));
}

/* Two parts of one name: readers disagree which one counts. */
static void check_doubles(struct package *package, const char **names, size_t count)
{
	qsort(names, count, sizeof *names, by_name);
	for (size_t i = 1; i < count; i++)
		if (strcasecmp(names[i - 1], names[i]) == 0)
			package_refuse(package, "hostile",
			               text_printf(package->arena,
			                           "the container holds two parts named %s",
			                           "压缩包内有两个同名部件 %s", names[i]),
			               TEXT("save the workbook again", "请用表格软件重新保存"));
}

static void check_entry(struct package *package, zip_uint64_t index)
{
	zip_stat_t stat;

	if (zip_stat_index(package->zip, index, 0, &stat) != 0) {
		refuse_damaged(package);
		return;
	}
	/* Refused by what it claims; what it really unpacks to is counted again while reading. */
	if ((stat.valid & ZIP_STAT_SIZE) != 0 && stat.size > SHEET_UNPACKED_MAX)
		refuse_large(package);
	if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
		package_refuse(package, "unsupported",
		               TEXT("the workbook is encrypted", "工作簿已加密"),
		               TEXT("save it without a password", "请取消密码后重新保存"));
	if ((stat.valid & ZIP_STAT_COMP_METHOD) != 0 && stat.comp_method != ZIP_CM_STORE &&
	    stat.comp_method != ZIP_CM_DEFLATE)
		package_refuse(
		    package, "unsupported",
		    TEXT("the workbook is packed in an unusual way", "工作簿压缩方式不受支持"),
		    TEXT("save the workbook again", "请用表格软件重新保存"));
}

static void check_entries(struct package *package)
{
	zip_int64_t count = zip_get_num_entries(package->zip, 0);

	if (count <= 0 || count > SHEET_PARTS_MAX) {
		if (count > 0)
			refuse_large(package);
		else
			refuse_damaged(package);
		return;
	}
	const char **names = arena_array(package->arena, const char *, (size_t)count);

	for (zip_int64_t i = 0; i < count; i++) {
		const char *name = zip_get_name(package->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);

		names[i] = arena_strdup(package->arena, name == NULL ? "" : name);
		check_entry(package, (zip_uint64_t)i);
		if (is_unsafe(names[i]))
			package_refuse(package, "hostile",
			               TEXT("the container holds a part with an unsafe name",
			                    "压缩包内有不安全的部件名"),
			               TEXT("save the workbook again", "请用表格软件重新保存"));
		if (is_macro(names[i]))
			refuse_macro(package);
	}
	check_doubles(package, names, (size_t)count);
}

/* A small file with many cells is made to cost time: it is refused before it has cost much. */
static size_t cells_most(size_t size)
{
	size_t most = SHEET_CELLS_FREE + size * SHEET_CELLS_PER_BYTE;

	return most < SHEET_CELLS_MAX ? most : SHEET_CELLS_MAX;
}

static size_t unpacked_most(size_t size)
{
	size_t most = SHEET_UNPACKED_FREE + size * SHEET_UNPACKED_PER_BYTE;

	return most < SHEET_UNPACKED_MAX ? most : SHEET_UNPACKED_MAX;
}

#define END_SIZE 22       /* of the record that ends a container, without its comment */
#define COMMENT_MAX 65535 /* bytes of it */

/* How many entries the container says it has, for they cost time to list; 0 = says nothing. */
static unsigned entries_claimed(const unsigned char *bytes, size_t size)
{
	for (size_t back = END_SIZE; back <= size && back <= END_SIZE + COMMENT_MAX; back++) {
		const unsigned char *end = bytes + size - back;

		if (memcmp(end, "PK\x05\x06", 4) == 0)
			return end[10] + 256u * end[11];
	}
	return 0;
}

static void open_zip(struct package *package, const void *bytes, size_t size)
{
	zip_error_t error;

	zip_error_init(&error);
	zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);

	if (source != NULL)
		package->zip = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
	if (source != NULL && package->zip == NULL)
		zip_source_free(source);
	zip_error_fini(&error);
	if (package->zip == NULL)
		refuse_damaged(package);
}

bool package_open(struct package *package, const void *bytes, size_t size)
{
	package->cells_most = cells_most(size);
	package->unpacked_most = unpacked_most(size);
	if (entries_claimed(bytes, size) > SHEET_PARTS_MAX)
		refuse_large(package);
	else
		open_zip(package, bytes, size);
	if (package->zip != NULL)
		check_entries(package);
	return !package->failed;
}

void package_close(struct package *package)
{
	if (package->zip != NULL)
		zip_discard(package->zip);
	package->zip = NULL;
}

bool package_has(const struct package *package, const char *name)
{
	return zip_name_locate(package->zip, name, 0) >= 0;
}

const char *package_keep_text(struct package *package, const char *text, size_t length)
{
	package->text_bytes += length;
	if (package->text_bytes > SHEET_STRING_BYTES_MAX) {
		refuse_large(package);
		return "";
	}
	return arena_strndup(package->arena, text, length);
}

/* ---- XML ---- */

struct parsing {
	struct package *package;
	const struct xml_handler *handler;
	XML_Parser parser;
	size_t fed; /* bytes */
	int depth;
};

static const char *local_name(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon == NULL ? name : colon + 1;
}

static void stop(struct parsing *in)
{
	XML_StopParser(in->parser, XML_FALSE);
}

static void on_start(void *data, const char *name, const char **attributes)
{
	struct parsing *in = data;

	if (++in->depth > SHEET_XML_DEPTH_MAX)
		package_refuse(
		    in->package, "hostile",
		    TEXT("the workbook's XML is nested too deep", "工作簿的 XML 嵌套过深"),
		    (struct text){0});
	else
		in->handler->start(in->handler->context, local_name(name), attributes);
	if (++in->package->elements > SHEET_ELEMENTS_MAX)
		refuse_large(in->package);
	if (in->package->failed)
		stop(in);
}

static void on_end(void *data, const char *name)
{
	struct parsing *in = data;

	in->depth--;
	in->handler->end(in->handler->context, local_name(name));
	if (in->package->failed)
		stop(in);
}

static void on_text(void *data, const char *text, int length)
{
	struct parsing *in = data;

	if (in->handler->text != NULL)
		in->handler->text(in->handler->context, text, length);
}

static void on_doctype(void *data, const char *name, const char *system, const char *public_id,
                       int internal)
{
	struct parsing *in = data;

	(void)name;
	(void)system;
	(void)public_id;
	(void)internal;
	package_refuse(
	    in->package, "hostile",
	    TEXT("a part of the workbook declares a DOCTYPE, which no spreadsheet program "
	         "writes",
	         "工作簿部件中有 DOCTYPE 声明，正常的表格软件不会这样写"),
	    TEXT("save the workbook again", "请用表格软件重新保存"));
	stop(in);
}

/* Whether the parser still waits for the end of a tag that no spreadsheet program writes. */
static bool holds_back(const struct parsing *in)
{
	XML_Index parsed = XML_GetCurrentByteIndex(in->parser);

	return in->fed > SHEET_TOKEN_MAX + (parsed < 0 ? 0 : (size_t)parsed);
}

static bool parse(struct parsing *in, zip_file_t *file)
{
	struct package *package = in->package;

	for (;;) {
		void *piece = XML_GetBuffer(in->parser, PIECE);
		zip_int64_t size = piece == NULL ? -1 : zip_fread(file, piece, PIECE);

		if (size < 0) {
			refuse_damaged(package);
			return false;
		}
		package->unpacked += (size_t)size;
		in->fed += (size_t)size;
		if (package->unpacked > package->unpacked_most) {
			refuse_large(package);
			return false;
		}
		enum XML_Status status = XML_ParseBuffer(in->parser, (int)size, size == 0);

		if (status != XML_STATUS_OK) {
			refuse_damaged(package);
			return false;
		}
		if (holds_back(in)) {
			refuse_large(package);
			return false;
		}
		if (size == 0)
			return !package->failed;
	}
}

bool package_read(struct package *package, const char *name, const struct xml_handler *handler)
{
	struct parsing in = {.package = package, .handler = handler};
	zip_file_t *file = package->failed ? NULL : zip_fopen(package->zip, name, 0);

	if (file == NULL) {
		refuse_damaged(package);
		return false;
	}
	in.parser = XML_ParserCreate(NULL);
	if (in.parser == NULL)
		abort(); /* out of memory, as everywhere */
	XML_SetUserData(in.parser, &in);
	XML_SetElementHandler(in.parser, on_start, on_end);
	XML_SetCharacterDataHandler(in.parser, on_text);
	XML_SetStartDoctypeDeclHandler(in.parser, on_doctype);
	bool read = parse(&in, file);

	XML_ParserFree(in.parser);
	zip_fclose(file);
	return read;
}

const char *xml_attribute(const char **attributes, const char *name)
{
	for (; *attributes != NULL; attributes += 2)
		if (strcmp(local_name(attributes[0]), name) == 0)
			return attributes[1];
	return NULL;
}

bool xml_flag(const char **attributes, const char *name)
{
	const char *value = xml_attribute(attributes, name);

	return value != NULL && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
}
