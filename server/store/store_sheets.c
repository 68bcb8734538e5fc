/* store_sheets.c - uploads: see store.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/clock.h"
#include "store/arrivals.h"
#include "store/offer_rows.h"

/* The numbers on disk are those of the enum. */
_Static_assert(SHEET_CURRENT == 0 && SHEET_SUPERSEDED == 1 && SHEET_WITHDRAWN == 2, "on disk");

const char *const sheet_status_names[SHEET_STATUS_COUNT] = {"current", "superseded", "withdrawn"};

#define SUBJECT_SIZE 32

static void format_subject(int64_t id, char subject[static SUBJECT_SIZE])
{
	snprintf(subject, SUBJECT_SIZE, "sheet/%" PRId64, id);
}

/* --- Adding ------------------------------------------------------------------------------- */

struct sheet_add {
	const struct sheet_new *sheet;
	struct sha256 hash;
	int64_t id;
	int64_t first_offer;
	int64_t revision; /* of the supplier */
	struct arrivals *arrivals;
	int64_t arrived_us;
	bool overtaken; /* by an upload that came in later */
};

/* Ids and revisions go on from the highest: rows are never deleted. */
static enum store_result choose_numbers(struct writing *w, struct sheet_add *add)
{
	struct query *q =
	    query_start(w->connection, "SELECT coalesce((SELECT max(id) FROM sheets), 0) + 1,"
	                               " coalesce((SELECT max(id) FROM offers), 0) + 1,"
	                               " coalesce((SELECT max(revision) FROM sheets"
	                               " WHERE supplier = ?), 0) + 1");

	query_put_text(q, add->sheet->supplier);
	if (query_next(q)) {
		add->id = query_integer(q);
		add->first_offer = query_integer(q);
		add->revision = query_integer(q);
	}
	return query_end_one(q);
}

static enum store_result supersede(struct writing *w, const char *supplier)
{
	struct query *q = query_start(w->connection, "UPDATE sheets SET status = 1, ended_us = ?"
	                                             " WHERE supplier = ? AND status = 0");

	query_put_integer(q, w->actor->now_us);
	query_put_text(q, supplier);
	return query_run(q);
}

static enum store_result insert_sheet(struct writing *w, const struct sheet_add *add)
{
	const struct sheet_new *sheet = add->sheet;
	struct query *q = query_start(
	    w->connection, "INSERT INTO sheets (id, supplier, revision, status, filename,"
			   " media_type, format, encoding, sha256, size, errors, warnings, skipped,"
			   " first_offer, offer_count, uploaded_us, key_id, ended_us)"
			   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	query_put_integer(q, add->id);
	query_put_text(q, sheet->supplier);
	query_put_integer(q, add->revision);
	query_put_integer(q, add->overtaken ? SHEET_SUPERSEDED : SHEET_CURRENT);
	query_put_text(q, sheet->filename);
	query_put_text(q, sheet->media_type);
	query_put_text(q, sheet->format);
	query_put_text(q, sheet->encoding);
	query_put_hash(q, &add->hash);
	query_put_integer(q, (int64_t)sheet->size);
	query_put_integer(q, sheet->errors);
	query_put_integer(q, sheet->warnings);
	query_put_integer(q, sheet->skipped);
	query_put_integer(q, add->first_offer);
	query_put_integer(q, (int64_t)sheet->offer_count);
	query_put_integer(q, w->actor->now_us);
	query_put_text(q, w->actor->key_id);
	query_put_integer(q, add->overtaken ? w->actor->now_us : 0);
	return query_run(q);
}

static enum store_result insert_file(struct writing *w, const struct sheet_add *add)
{
	struct query *q =
	    query_start(w->connection, "INSERT INTO sheet_files"
	                               " (sheet_id, bytes, problems_json, tables_json)"
	                               " VALUES (?, ?, ?, ?)");

	query_put_integer(q, add->id);
	query_put_blob(q, add->sheet->bytes, add->sheet->size);
	query_put_text(q, add->sheet->problems_json);
	query_put_text(q, add->sheet->tables_json);
	return query_run(q);
}

static enum store_result insert_offers(struct writing *w, const struct sheet_add *add)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; result == STORE_OK && i < add->sheet->offer_count; i++)
		result = offer_insert(w->connection, &add->sheet->offers[i], add->id,
		                      add->first_offer + (int64_t)i);
	return result;
}

static enum store_result log_sheet(struct writing *w, const char *action, int64_t id,
                                   const char *before, const char *after)
{
	char subject[SUBJECT_SIZE];

	format_subject(id, subject);
	enum store_result result = writing_log(
	    w, &(struct change){
		   .action = action, .subject = subject, .before = before, .after = after});

	return result == STORE_OK ? writing_raise_revision(w) : result;
}

static enum store_result add_sheet(struct writing *w, void *context)
{
	struct sheet_add *add = context;
	char after[SHA256_HEX_SIZE];
	enum store_result result = choose_numbers(w, add);

	sha256_hex(add->hash, after);
	add->overtaken = arrivals_late(add->arrivals, add->sheet->supplier, add->arrived_us);
	if (result == STORE_OK && !add->overtaken)
		result = supersede(w, add->sheet->supplier);
	if (result == STORE_OK)
		result = insert_sheet(w, add);
	if (result == STORE_OK)
		result = insert_file(w, add);
	if (result == STORE_OK)
		result = insert_offers(w, add);
	if (result == STORE_OK)
		result = log_sheet(w, "sheet.add", add->id, NULL, after);
	if (result == STORE_OK && !add->overtaken)
		arrivals_note(add->arrivals, add->sheet->supplier, add->arrived_us);
	return result;
}

enum store_result store_sheet_add(struct store *store, const struct store_actor *actor,
                                  const struct sheet_new *sheet, int64_t *id)
{
	/* Hashed here, so that the thread which everybody waits for need not. */
	struct sheet_add add = {.sheet = sheet,
	                        .hash = sha256_of(sheet->bytes, sheet->size),
	                        .arrivals = store_arrivals(store),
	                        .arrived_us = actor->arrived_us > 0 ? actor->arrived_us
	                                                            : clock_monotonic_us()};
	enum store_result result = store_write(store, actor, add_sheet, &add);

	*id = result == STORE_OK ? add.id : 0;
	return result;
}

/* --- Withdrawing -------------------------------------------------------------------------- */

static enum store_result mark_withdrawn(struct writing *w, int64_t id)
{
	/* A superseded sheet keeps the time at which it ceased to be current. */
	struct query *q =
	    query_start(w->connection, "UPDATE sheets SET status = 2,"
	                               " ended_us = iif(status = 0, ?, ended_us) WHERE id = ?");

	query_put_integer(q, w->actor->now_us);
	query_put_integer(q, id);
	return query_run(q);
}

static enum store_result withdraw(struct writing *w, void *context)
{
	const int64_t *id = context;
	struct query *q =
	    query_start(w->connection, "SELECT status, sha256 FROM sheets WHERE id = ?");
	enum sheet_status status = SHEET_WITHDRAWN;
	char before[SHA256_HEX_SIZE] = "";

	query_put_integer(q, *id);
	if (query_next(q)) {
		status = (enum sheet_status)query_enum(q, SHEET_STATUS_COUNT);
		sha256_hex(query_hash(q), before);
	}
	enum store_result result = query_end_one(q);

	if (result == STORE_OK && status == SHEET_WITHDRAWN)
		return STORE_CONFLICT;
	if (result == STORE_OK)
		result = mark_withdrawn(w, *id);
	return result == STORE_OK ? log_sheet(w, "sheet.withdraw", *id, before, NULL) : result;
}

enum store_result store_sheet_withdraw(struct store *store, const struct store_actor *actor,
                                       int64_t id)
{
	return store_write(store, actor, withdraw, &id);
}

/* --- Reading ------------------------------------------------------------------------------ */

#define COLUMNS                                                                                    \
	"id, supplier, revision, status, filename, media_type, format, encoding, sha256, size,"    \
	" errors, warnings, skipped, offer_count, uploaded_us, key_id, ended_us"

static void read_sheet(struct query *q, struct stored_sheet *sheet)
{
	sheet->id = query_integer(q);
	sheet->supplier = query_text(q);
	sheet->revision = query_int(q);
	sheet->status = (enum sheet_status)query_enum(q, SHEET_STATUS_COUNT);
	sheet->filename = query_text(q);
	sheet->media_type = query_text(q);
	sheet->format = query_text(q);
	sheet->encoding = query_text(q);
	sheet->hash = query_hash(q);
	sheet->size = query_integer(q);
	sheet->errors = query_int(q);
	sheet->warnings = query_int(q);
	sheet->skipped = query_int(q);
	sheet->offer_count = query_integer(q);
	sheet->uploaded_us = query_integer(q);
	sheet->key_id = query_text(q);
	sheet->ended_us = query_integer(q);
}

enum store_result store_sheet_get(struct store *store, struct arena *arena, int64_t id,
                                  struct stored_sheet *sheet)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(c, "SELECT " COLUMNS " FROM sheets WHERE id = ?", arena);

	query_put_integer(q, id);
	if (query_next(q))
		read_sheet(q, sheet);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_sheet_current(struct store *store, struct arena *arena,
                                      const char *supplier, struct stored_sheet *sheet)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT " COLUMNS " FROM sheets WHERE supplier = ? AND status = 0", arena);

	query_put_text(q, supplier);
	if (query_next(q))
		read_sheet(q, sheet);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_sheet_original(struct store *store, struct arena *arena, int64_t id,
                                       const void **bytes, size_t *size)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c, "SELECT bytes FROM sheet_files WHERE sheet_id = ?", arena);

	query_put_integer(q, id);
	if (query_next(q))
		*bytes = query_blob(q, size);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_sheet_reading(struct store *store, struct arena *arena, int64_t id,
                                      const char **problems, const char **tables)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT problems_json, tables_json FROM sheet_files WHERE sheet_id = ?", arena);

	query_put_integer(q, id);
	if (query_next(q)) {
		*problems = query_text(q);
		*tables = query_text(q);
	}
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_sheets_list(struct store *store, struct arena *arena,
                                    const struct sheet_query *query, struct stored_sheets *sheets)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(c,
	                                   "SELECT " COLUMNS " FROM sheets WHERE id < ?1"
	                                   " AND (?2 IS NULL OR supplier = ?2)"
	                                   " ORDER BY id DESC LIMIT ?3",
	                                   arena);
	int limit = store_limit(query->limit);
	size_t capacity = 0;

	*sheets = (struct stored_sheets){0};
	query_put_integer(q, query->after == 0 ? INT64_MAX : query->after);
	query_put_text(q, query->supplier);
	query_put_integer(q, limit + 1);
	while (query_next_in_page(q, sheets->count, limit, &sheets->more)) {
		sheets->items = arena_grow(arena, sheets->items, sheets->count, &capacity,
		                           sizeof *sheets->items);
		read_sheet(q, &sheets->items[sheets->count++]);
	}
	return store_read_end(store, c, query_end(q));
}
