/*
 * json_object.h - one JSON object of a sheet: its members as text, and what is wrong with them.
 */
#ifndef SHEET_JSON_OBJECT_H
#define SHEET_JSON_OBJECT_H

#include <jansson.h>
#include <stdint.h>

#include "sheet/reader.h"

/* One object being read. */
struct object {
	struct reader *reader;
	const json_t *json;
	const char *pointer;
	int row;
};

/* The place of member NAME, or of the object itself for NULL. */
struct place object_place(const struct object *in, const char *name);

/* Adds an error about member NAME (NULL = the object). */
void object_report(const struct object *in, const char *name, const char *code, const char *value,
                   struct text message, struct text hint);

/* The error that VALUE cannot be read there. */
void object_bad_value(const struct object *in, const char *name, const char *value,
                      struct text hint);

/* The error that there is no field NAME, with the nearest of KNOWN. */
void object_unknown(const struct object *in, const char *name, const char *const *known,
                    size_t count);

/* A string, or a number's shortest decimal; NULL when absent, null, or of another kind (reported).
 */
const char *object_text(const struct object *in, const char *name);

/* The index in NAMES of an optional member; -1 = absent, or none of them (reported). */
int object_name(const struct object *in, const char *name, const char *const *names, int count);

/* TEXT x 10^DECIMALS as a whole number within 0..MOST; false when it is none. */
bool text_scaled(const char *text, int decimals, int64_t most, int64_t *value);

/*
 * Reads a price of OFFER from IN into PRICE; KIND_GIVEN: the offer says what kind it is. False with
 * a problem.
 */
bool json_price_read(const struct object *in, const struct offer *offer, bool kind_given,
                     struct price *price);

#endif
