/*
 * reference_row.h - cards and models over the wire: one table of members for reading and writing.
 *
 * An operator's row is kept as CSV, as in schema/reference/, and overlays what is baked in. The
 * table of a kind says, member by member, how it is called in JSON, which column of the CSV and
 * which place of the struct it is.
 */
#ifndef API_REFERENCE_ROW_H
#define API_REFERENCE_ROW_H

#include <stddef.h>

#include "api/entries.h"

enum member_kind { MEMBER_TEXT, MEMBER_NUMBER, MEMBER_INTEGER, MEMBER_BOOL };

struct member {
	const char *name;   /* in JSON */
	const char *column; /* in CSV */
	enum member_kind kind;
	size_t offset; /* in the struct; 0 of a number, NULL of a text = unknown = null */
	bool required; /* in a request */
};

#define MEMBER(type, member, column, kind, required)                                               \
	{                                                                                          \
#member, (column), (kind), offsetof(type, member), (required)                      \
	}

struct fields;
struct buf;

/* One kind of reference data. */
struct reference_resource {
	struct entry_kind entries;
	enum reference_kind kind;
	const struct member *members;
	size_t member_count;
	const char *source_column;
	/* Reads, beside the members, what the table cannot say: appends ",column" and ",value". */
	void (*read_more)(struct fields *in, struct buf *columns, struct buf *values);
	/* Parses a CSV as it is kept; NULL after a problem. */
	const void *(*parse)(struct arena *arena, const char *csv, struct problems *problems);
};

/* Writes the members of ITEM that MEMBERS name into the object open in OUT. */
void members_write(struct json_write *out, const void *item, const struct member *members,
                   size_t count);

/* Appends ",NAME" to COLUMNS and ",VALUE", quoted as CSV, to VALUES. */
void reference_cell(struct buf *columns, struct buf *values, const char *name, const char *value);

/* PUT of one: 200, 201, 400, 412, 422, 428, 500, 503, 507. */
struct answer *reference_put(struct request *rq, const struct reference_resource *resource);

#endif
