/*
 * json_parts.h - a long JSON document piece by piece, so that only one piece is a tree in memory.
 *
 * What a piece is made of is not looked at here: whoever parses it finds what is wrong in it.
 */
#ifndef SHEET_JSON_PARTS_H
#define SHEET_JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the document, borrowed. */
struct json_part {
	const char *at;
	size_t size;
};

/* The values of an object or list, in order. */
struct json_parts {
	struct json_part name;  /* of the value, with its quotes; of an object only */
	struct json_part value; /* the last one read */
	const char *at;
	const char *end;
	char closing; /* '}' or ']' */
	bool begun;
	bool failed; /* at AT something else stands than there must */
};

/* Of WHOLE, which begins with '{' or '[', possibly behind white space; else it has failed. */
struct json_parts json_parts_of(struct json_part whole);

/* Reads the next value; false at the end of PARTS, or when it has failed. */
bool json_parts_next(struct json_parts *parts);

/* Whether nothing but white space follows PARTS, which were read to their end. */
bool json_parts_last(const struct json_parts *parts);

#endif
