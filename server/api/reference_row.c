/* reference_row.c - see reference_row.h. */
#include "api/reference_row.h"

#include <string.h>

#include "base/arena.h"
#include "market/catalogue.h"

#define SMALLEST 1e-6
#define LARGEST 1e9

static void member_write(struct json_write *out, const struct member *member, const void *place)
{
	switch (member->kind) {
	case MEMBER_TEXT:
		out_known_string(out, member->name, *(const char *const *)place);
		return;
	case MEMBER_NUMBER:
		out_known_number(out, member->name, *(const double *)place, 6);
		return;
	case MEMBER_INTEGER:
		out_known_integer(out, member->name, *(const int *)place);
		return;
	case MEMBER_BOOL:
		out_boolean(out, member->name, *(const bool *)place);
		return;
	}
}

void members_write(struct json_write *out, const void *item, const struct member *members,
                   size_t count)
{
	for (size_t i = 0; i < count; i++)
		member_write(out, &members[i], (const char *)item + members[i].offset);
}

void reference_cell(struct buf *columns, struct buf *values, const char *name, const char *value)
{
	buf_printf(columns, ",%s", name);
	buf_puts(values, ",\"");
	for (; *value != '\0'; value++) {
		if (*value == '"')
			buf_putc(values, '"');
		buf_putc(values, *value);
	}
	buf_putc(values, '"');
}

/* The member's value as the text of a CSV field, or NULL. */
static const char *member_read(struct fields *in, const struct member *member)
{
	enum field_need need = member->required ? FIELD_REQUIRED : FIELD_OPTIONAL;
	struct arena *arena = in->reader->arena;
	const char *text = NULL;
	double number;
	int integer;
	bool boolean;

	switch (member->kind) {
	case MEMBER_TEXT:
		field_string(in, member->name, need, &text);
		return text;
	case MEMBER_NUMBER:
		/* What is wanted is known, and 0 would mean "unknown". */
		if (field_double(in, member->name, need, member->required ? SMALLEST : 0, LARGEST,
		                 &number))
			text = arena_printf(arena, "%.17g", number);
		return text;
	case MEMBER_INTEGER:
		if (field_integer(in, member->name, need, member->required, (int)LARGEST, &integer))
			text = arena_printf(arena, "%d", integer);
		return text;
	case MEMBER_BOOL:
		if (field_boolean(in, member->name, need, &boolean))
			text = boolean ? "yes" : "no";
		return text;
	}
	return text;
}

/* The body as two lines of CSV; NULL after a problem. */
static const char *read_row(struct request *rq, const struct reference_resource *resource,
                            struct problems *problems)
{
	struct json_reader reader;
	struct buf columns = {0};
	struct buf values = {0};
	struct fields in;
	json_t *json = reply_read_body(rq, &reader, problems);

	reply_check_id(rq, ".", problems);
	buf_puts(&columns, "id");
	buf_puts(&values, rq->params[0]);
	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		for (size_t i = 0; i < resource->member_count; i++) {
			const char *value = member_read(&in, &resource->members[i]);

			if (value != NULL)
				reference_cell(&columns, &values, resource->members[i].column,
				               value);
		}
		resource->read_more(&in, &columns, &values);
		const char *source = field_source(&in);

		if (source != NULL)
			reference_cell(&columns, &values, resource->source_column, source);
		fields_end(&in);
	}
	json_decref(json);
	const char *csv =
	    arena_printf(rq->arena, "%s\n%s\n", buf_text(&columns), buf_text(&values));

	buf_finish(&columns);
	buf_finish(&values);
	return problems->errors == 0 ? csv : NULL;
}

/* What GET shows now: the operator's row if there is one (its version in EXPECTED), else the baked
 * one. */
static const void *current_item(struct request *rq, const struct reference_resource *resource,
                                struct catalogue *catalogue, int64_t *expected)
{
	struct reference_row row;
	struct problems ignored;

	problems_init(&ignored, rq->arena);
	*expected = STORE_NO_VERSION;
	if (store_reference_get(app_of(rq)->store, rq->arena, resource->kind, rq->params[0],
	                        &row) != STORE_OK)
		return entry_find(&resource->entries, catalogue, rq->params[0]);
	*expected = row.version;
	return resource->parse(rq->arena, row.csv, &ignored);
}

/* The answer that If-Match or If-None-Match asks for, or NULL: go on with EXPECTED. */
static struct answer *check_version(struct request *rq, const struct reference_resource *resource,
                                    int64_t *expected, bool *exists)
{
	struct catalogue *catalogue = reply_catalogue(rq);
	const void *item = current_item(rq, resource, catalogue, expected);
	struct answer *refusal = entry_precondition(rq, &resource->entries, item);

	*exists = item != NULL;
	catalogue_release(catalogue);
	return refusal;
}

struct answer *reference_put(struct request *rq, const struct reference_resource *resource)
{
	struct store_actor actor = reply_actor(rq);
	struct problems problems;
	const char *csv = read_row(rq, resource, &problems);
	const void *item = csv == NULL ? NULL : resource->parse(rq->arena, csv, &problems);
	struct reference_row row = {.kind = resource->kind, .id = rq->params[0], .csv = csv};
	int64_t expected;
	int64_t version;
	bool exists;

	if (item == NULL)
		return reply_invalid(rq, &problems);
	struct answer *refusal = check_version(rq, resource, &expected, &exists);

	if (refusal != NULL)
		return refusal;
	enum store_result result =
	    store_reference_put(app_of(rq)->store, &actor, &row, expected, &version);

	return entry_stored(rq, &resource->entries, item, exists, result);
}
