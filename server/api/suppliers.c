/* suppliers.c - GET /suppliers, GET and PUT /suppliers/{id}: a supplier sees only its own entry. */
#include <string.h>

#include "api/auth.h"
#include "api/catalogue_load.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/arena.h"
#include "market/catalogue.h"

static void write_supplier(struct json_write *out, const struct supplier *supplier)
{
	out_object(out, NULL);
	out_string(out, "id", supplier->id);
	out_string(out, "name", supplier->name);
	out_known_string(out, "name_en", supplier->name_en);
	out_string(out, "origin", origin_names[supplier->origin]);
	out_known_string(out, "source", supplier->source);
	out_known_string(out, "note", supplier->note);
	out_end(out);
}

/* 200, 304, 400. */
struct answer *get_suppliers(struct request *rq)
{
	struct problems problems;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page_walk walk = {.page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems)};

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);

	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < reference->supplier_count; i++) {
		const struct supplier *supplier = &reference->suppliers[i];

		if (caller_owns(rq, supplier->id) && page_takes(&walk, supplier->id))
			write_supplier(&out, supplier);
	}
	out_end(&out);
	const char *next = walk.more ? page_next(rq, walk.last) : NULL;

	catalogue_release(catalogue);
	return page_answer(rq, &out, next);
}

/* 200, 304, 400, 404. */
struct answer *get_supplier(struct request *rq)
{
	struct answer *refusal = reply_unwanted_query(rq);
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	if (refusal != NULL)
		return refusal;
	struct catalogue *catalogue = reply_catalogue(rq);
	const struct supplier *supplier = catalogue_supplier(catalogue, rq->params[0]);
	bool seen = supplier != NULL && caller_owns(rq, supplier->id);

	if (seen)
		write_supplier(&out, supplier);
	catalogue_release(catalogue);
	return seen ? reply_tagged(rq, 200, &body) : reply_not_found(rq);
}

/* What the body says; ORIGIN is the operator's to say, so a supplier's entry keeps its OLD one. */
static void read_supplier(struct request *rq, const struct supplier *old, struct supplier *supplier,
                          struct problems *problems)
{
	struct json_reader reader;
	struct fields in;
	json_t *json = reply_read_body(rq, &reader, problems);
	int origin = old == NULL ? ORIGIN_SHEET : (int)old->origin;

	reply_check_id(rq, "", problems);
	*supplier = (struct supplier){.id = rq->params[0]};
	if (json != NULL && fields_begin(&in, &reader, json, "")) {
		field_string(&in, "name", FIELD_REQUIRED, &supplier->name);
		field_string(&in, "name_en", FIELD_OPTIONAL, &supplier->name_en);
		if (rq->caller.role == ROLE_ADMIN)
			field_enum(&in, "origin", FIELD_OPTIONAL, origin_names, ORIGIN_COUNT,
			           &origin);
		field_string(&in, "note", FIELD_OPTIONAL, &supplier->note);
		supplier->source = field_source(&in);
		if (supplier->name != NULL &&
		    (*supplier->name == '\0' || strlen(supplier->name) > 200))
			field_problem(&in, "name", "out_of_range", NULL,
			              "between 1 and 200 bytes are wanted", "应为 1 至 200 字节");
		fields_end(&in);
	}
	supplier->origin = (enum origin)origin;
	json_decref(json);
}

static struct answer *store_supplier(struct request *rq, const struct supplier *supplier,
                                     const struct stored_supplier *old)
{
	struct store_actor actor = reply_actor(rq);
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	char seen[VERSION_SIZE];
	int64_t version;

	if (old != NULL) {
		write_supplier(&out, &old->value);
		reply_version(body.bytes, body.size, seen);
		buf_finish(&body);
	}
	struct answer *refusal = reply_precondition(rq, old == NULL ? NULL : seen);

	if (refusal != NULL)
		return refusal;
	enum store_result result =
	    store_supplier_put(app_of(rq)->store, &actor, supplier,
	                       old == NULL ? STORE_NO_VERSION : old->version, &version);

	if (result != STORE_OK)
		return reply_put_failed(rq, result);
	catalogue_reload(app_of(rq));
	out = json_write_to(&body);
	write_supplier(&out, supplier);
	return reply_tagged(rq, old == NULL ? 201 : 200, &body);
}

/* 200, 201, 400, 404 for another supplier's entry, 412, 422, 428. */
struct answer *put_supplier(struct request *rq)
{
	struct stored_supplier old;
	struct supplier supplier;
	struct problems problems;

	if (!caller_owns(rq, rq->params[0]))
		return reply_not_found(rq);
	enum store_result found =
	    store_supplier_get(app_of(rq)->store, rq->arena, rq->params[0], &old);

	if (found != STORE_OK && found != STORE_NOT_FOUND)
		return reply_store_failed(rq, found);
	read_supplier(rq, found == STORE_OK ? &old.value : NULL, &supplier, &problems);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	return store_supplier(rq, &supplier, found == STORE_OK ? &old : NULL);
}
