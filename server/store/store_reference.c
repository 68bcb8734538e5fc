/* store_reference.c - the operator's own cards, models and tariff hours: see store.h. */
#include "base/arena.h"
#include "store/catalogue.h"
#include "store/versioned.h"

/* The numbers on disk are those of the enum. */
_Static_assert(REFERENCE_CARD == 0 && REFERENCE_MODEL == 1 && REFERENCE_TARIFF_HOURS == 2,
               "on disk");

static const char *const reference_kind_names[REFERENCE_KIND_COUNT] = {"card", "model",
                                                                       "tariff_hours"};

#define COLUMNS "kind, id, csv, version, updated_us"

static void read_reference(struct query *q, struct reference_row *row)
{
	row->kind = (enum reference_kind)query_enum(q, REFERENCE_KIND_COUNT);
	row->id = query_text(q);
	row->csv = query_text(q);
	row->version = query_integer(q);
	row->updated_us = query_integer(q);
}

static struct query *reference_row(struct connection *c, const void *value)
{
	const struct reference_row *row = value;
	struct query *q =
	    query_start(c, "SELECT version, " COLUMNS " FROM reference WHERE kind = ? AND id = ?");

	query_put_integer(q, row->kind);
	query_put_text(q, row->id);
	return q;
}

static enum store_result put_reference(struct writing *w, const void *value, int64_t version)
{
	const struct reference_row *row = value;
	struct query *q = query_start(
	    w->connection, "INSERT INTO reference (" COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5)"
			   " ON CONFLICT (kind, id) DO UPDATE SET csv = ?3, version = ?4,"
			   " updated_us = ?5");

	query_put_integer(q, row->kind);
	query_put_text(q, row->id);
	query_put_text(q, row->csv);
	query_put_integer(q, version);
	query_put_integer(q, w->actor->now_us);
	return query_run(q);
}

static enum store_result remove_reference(struct writing *w, const void *value)
{
	const struct reference_row *row = value;
	struct query *q =
	    query_start(w->connection, "DELETE FROM reference WHERE kind = ? AND id = ?");

	query_put_integer(q, row->kind);
	query_put_text(q, row->id);
	return query_run(q);
}

static const struct versioned reference_kind = {
    .row = reference_row, .put = put_reference, .remove = remove_reference};

enum store_result store_reference_put(struct store *store, const struct store_actor *actor,
                                      const struct reference_row *row, int64_t expected,
                                      int64_t *version)
{
	struct versioned_change change = {.kind = &reference_kind,
	                                  .noun = reference_kind_names[row->kind],
	                                  .id = row->id,
	                                  .value = row,
	                                  .expected = expected};
	enum store_result result = versioned_put(store, actor, &change);

	*version = change.version;
	return result;
}

enum store_result store_reference_delete(struct store *store, const struct store_actor *actor,
                                         enum reference_kind kind, const char *id, int64_t expected)
{
	struct reference_row row = {.kind = kind, .id = id};
	struct versioned_change change = {.kind = &reference_kind,
	                                  .noun = reference_kind_names[kind],
	                                  .id = id,
	                                  .value = &row,
	                                  .expected = expected};

	return versioned_remove(store, actor, &change);
}

enum store_result store_reference_get(struct store *store, struct arena *arena,
                                      enum reference_kind kind, const char *id,
                                      struct reference_row *row)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT " COLUMNS " FROM reference WHERE kind = ? AND id = ?", arena);

	query_put_integer(q, kind);
	query_put_text(q, id);
	if (query_next(q))
		read_reference(q, row);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result reference_list(struct connection *c, struct arena *arena,
                                 enum reference_kind kind, struct reference_rows *rows)
{
	struct query *q = query_start_into(
	    c, "SELECT " COLUMNS " FROM reference WHERE kind = ? ORDER BY id", arena);
	size_t capacity = 0;

	*rows = (struct reference_rows){0};
	query_put_integer(q, kind);
	while (query_next(q)) {
		rows->items =
		    arena_grow(arena, rows->items, rows->count, &capacity, sizeof *rows->items);
		read_reference(q, &rows->items[rows->count++]);
	}
	return query_end(q);
}

enum store_result store_reference_list(struct store *store, struct arena *arena,
                                       enum reference_kind kind, struct reference_rows *rows)
{
	struct connection *c = store_read(store);

	return store_read_end(store, c, reference_list(c, arena, kind, rows));
}
