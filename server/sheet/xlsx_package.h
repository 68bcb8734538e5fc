/*
 * xlsx_package.h - the container of a workbook and its XML parts, for the files of the xlsx reader.
 */
#ifndef SHEET_XLSX_PACKAGE_H
#define SHEET_XLSX_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problem.h"

struct arena;

struct package {
	struct arena *arena;
	struct problems *problems;
	void *zip;            /* zip_t */
	size_t unpacked;      /* bytes so far */
	size_t unpacked_most; /* that a package of this size can honestly hold */
	size_t elements;      /* so far */
	size_t text_bytes;    /* of texts so far */
	size_t cells;         /* with a value so far */
	size_t cells_most;    /* that a package of this size can honestly hold */
	bool failed;          /* a problem was added; nothing more is read */
};

/* Opens SIZE BYTES (borrowed until package_close()) and checks every entry's name. */
bool package_open(struct package *package, const void *bytes, size_t size);
void package_close(struct package *package);

/* Whether there is a part of this name. */
bool package_has(const struct package *package, const char *name);

/* Refuses the workbook: adds an error, once. */
void package_refuse(struct package *package, const char *code, struct text message,
                    struct text hint);

/* A copy of TEXT, a string of the workbook, in its arena; too many of them refuse the workbook. */
const char *package_keep_text(struct package *package, const char *text, size_t length);

/* Called for one element; NAME has no prefix. ATTRIBUTES as expat gives them (with prefixes). */
struct xml_handler {
	void *context;
	void (*start)(void *context, const char *name, const char **attributes);
	void (*end)(void *context, const char *name);
	void (*text)(void *context, const char *text, int length); /* NULL = not wanted */
};

/*
 * Reads part NAME through HANDLER, in pieces. False when the workbook is refused: the part is
 * missing, damaged, has a DOCTYPE, is nested too deep or too large.
 */
bool package_read(struct package *package, const char *name, const struct xml_handler *handler);

/* The attribute with this local name, or NULL. "id" finds "r:id". */
const char *xml_attribute(const char **attributes, const char *name);

/* Whether an attribute is "1" or "true". */
bool xml_flag(const char **attributes, const char *name);

#endif
