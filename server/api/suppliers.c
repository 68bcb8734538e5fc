/* suppliers.c - GET /suppliers, GET and PUT /suppliers/{id}: a supplier sees only its own entry. */
#include "api/auth.h"
#include "api/entries.h"
#include "api/resources.h"
#include "market/catalogue.h"

static void write_supplier(struct json_write *out, const void *entry)
{
	const struct supplier *supplier = entry;

	out_object(out, NULL);
	out_string(out, "id", supplier->id);
	out_string(out, "name", supplier->name);
	out_known_string(out, "name_en", supplier->name_en);
	out_string(out, "origin", origin_names[supplier->origin]);
	out_known_string(out, "source", supplier->source);
	out_known_string(out, "note", supplier->note);
	out_end(out);
}

static const void *all(const struct catalogue *catalogue, size_t *count)
{
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);

	*count = reference->supplier_count;
	return reference->suppliers;
}

static const char *owner(const void *entry)
{
	const struct supplier *supplier = entry;

	return supplier->id;
}

static const struct entry_kind kind = {
    .all = all, .size = sizeof(struct supplier), .owner = owner, .write = write_supplier};

/* 200, 304, 400. */
struct answer *get_suppliers(struct request *rq)
{
	return entries_list(rq, &kind);
}

/* 200, 304, 400, 404. */
struct answer *get_supplier(struct request *rq)
{
	return entry_get(rq, &kind);
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
		field_check_name(&in, supplier->name);
		fields_end(&in);
	}
	supplier->origin = (enum origin)origin;
	json_decref(json);
}

static struct answer *store_supplier(struct request *rq, const struct supplier *supplier,
                                     const struct stored_supplier *old)
{
	struct store_actor actor = reply_actor(rq);
	int64_t version;
	struct answer *refusal = entry_precondition(rq, &kind, old == NULL ? NULL : &old->value);

	if (refusal != NULL)
		return refusal;
	enum store_result result =
	    store_supplier_put(app_of(rq)->store, &actor, supplier,
	                       old == NULL ? STORE_NO_VERSION : old->version, &version);

	return entry_stored(rq, &kind, supplier, old != NULL, result);
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
