/*
 * json_read.h - JSON of a request into plain values, collecting every problem on the way.
 *
 * A decoder names each field it knows once, in a list; fields_end() then refuses what was not
 * named, with the nearest name that was. Nothing stops at the first problem: a field that cannot be
 * read leaves its target untouched and reading goes on.
 *
 *   struct fields in;
 *   if (fields_begin(&in, reader, json, "/workloads/0")) {
 *           field_string(&in, "model", FIELD_REQUIRED, &model);
 *           field_integer(&in, "seq_len", FIELD_OPTIONAL, 1, 10000000, &seq_len);
 *           fields_end(&in);
 *   }
 */
#ifndef API_JSON_READ_H
#define API_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/problem.h"
#include "offer/money.h"

struct json_reader {
	struct arena *arena;
	struct problems *problems;
};

enum field_need { FIELD_OPTIONAL, FIELD_REQUIRED };

#define FIELDS_MAX 64

/* One object being read. */
struct fields {
	struct json_reader *reader;
	const json_t *object;
	const char *pointer;
	const char *known[FIELDS_MAX];
	int known_count;
};

/*
 * Parses SIZE bytes of TEXT: UTF-8, no duplicate keys, at most 64 levels. New reference (the caller
 * decrefs), or NULL with a problem that names line and column.
 */
json_t *json_parse(struct json_reader *reader, const char *text, size_t size);

/* Starts on JSON, which must be an object; false with a problem otherwise. POINTER is copied. */
bool fields_begin(struct fields *in, struct json_reader *reader, const json_t *json,
                  const char *pointer);

/* Refuses every member that no field_...() call named. */
void fields_end(struct fields *in);

/* Whether member NAME is there and not null. Does not count as reading it. */
bool field_given(const struct fields *in, const char *name);

/*
 * Each reads member NAME into its last argument and returns whether a value was stored. A missing
 * or null member is a problem only when REQUIRED. Strings are copied into the arena. Numbers may
 * also be given as decimal strings.
 */
bool field_string(struct fields *in, const char *name, enum field_need need, const char **value);
bool field_integer(struct fields *in, const char *name, enum field_need need, int64_t least,
                   int64_t most, int *value);
bool field_double(struct fields *in, const char *name, enum field_need need, double least,
                  double most, double *value);
bool field_boolean(struct fields *in, const char *name, enum field_need need, bool *value);
bool field_date(struct fields *in, const char *name, enum field_need need, struct date *value);

/* A decimal string or number, exact: 0.1 given as a JSON number is the decimal 0.1. */
bool field_ratio(struct fields *in, const char *name, enum field_need need, struct ratio least,
                 struct ratio most, struct ratio *value);
bool field_money(struct fields *in, const char *name, enum field_need need, struct money *value);

/* One of NAMES (empty entries are never allowed); stores the index. */
bool field_enum(struct fields *in, const char *name, enum field_need need, const char *const *names,
                int count, int *value);

/* A list of NAMES as a bit mask, bit = index. */
bool field_enum_set(struct fields *in, const char *name, enum field_need need,
                    const char *const *names, int count, unsigned *mask);

/* The member as it is, borrowed; NULL when missing, null or of the wrong kind. */
const json_t *field_object(struct fields *in, const char *name, enum field_need need);
const json_t *field_array(struct fields *in, const char *name, enum field_need need, size_t most);
const json_t *field_any(struct fields *in, const char *name);

/* The JSON pointer of member NAME, or of element INDEX of array NAME; arena. */
const char *field_pointer(const struct fields *in, const char *name);
const char *field_element(const struct fields *in, const char *name, size_t index);

/* Adds an error about member NAME. */
struct problem *field_problem(struct fields *in, const char *name, const char *code,
                              const char *value, const char *en, const char *zh, ...)
    __attribute__((format(printf, 5, 7), format(printf, 6, 7)));

#endif
