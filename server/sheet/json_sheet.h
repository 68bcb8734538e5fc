/*
 * json_sheet.h - a sheet sent as JSON: {"offers":[…]} in the form in which offers are answered.
 */
#ifndef SHEET_JSON_SHEET_H
#define SHEET_JSON_SHEET_H

#include <stddef.h>

#include "sheet/reader.h"

/* Reads SIZE bytes of TEXT; problems carry JSON pointers, offers their index + 1 as row. */
void json_sheet_read(struct reader *reader, const char *text, size_t size);

#endif
