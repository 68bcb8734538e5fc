/* store_once.c - requests with an Idempotency-Key, done once: see store.h. */
#include "store/inside.h"

/*
 * A request cannot run this long: its record was left by one that could not even be abandoned, as
 * when the disk was full. Should it run all the same, its write still finds the record gone or
 * taken by another request, and makes nothing a second time.
 */
#define STALE_US ((int64_t)600 * 1000000)

struct once_begin {
	const struct once_request *request;
	struct arena *arena;
	struct once_record *record;
};

static enum store_result forget_old(struct writing *w, int64_t now_us)
{
	struct query *q =
	    query_start(w->connection, "DELETE FROM once WHERE created_us < ?"
	                               " OR (made IS NULL AND status IS NULL AND created_us < ?)");

	query_put_integer(q, now_us - (int64_t)STORE_IDEMPOTENCY_S * 1000000);
	query_put_integer(q, now_us - STALE_US);
	return query_run(q);
}

static enum store_result claim(struct writing *w, const struct once_request *request)
{
	struct query *q =
	    query_start(w->connection,
	                "INSERT INTO once (key_id, key, request, created_us) VALUES (?, ?, ?, ?)");

	query_put_text(q, request->key_id);
	query_put_text(q, request->key);
	query_put_hash(q, &request->request);
	query_put_integer(q, request->now_us);
	return query_run(q);
}

/* What became of the first use; ONCE_NEW when there was none. */
static void read_record(struct query *q, const struct once_request *request,
                        struct once_record *record)
{
	struct sha256 first = query_hash(q);

	record->made = query_text(q);
	bool answered = !query_is_null(q);

	record->status = query_int(q);
	record->body = query_blob(q, &record->body_size);
	if (!sha256_equal(first, request->request))
		*record = (struct once_record){.state = ONCE_DIFFERENT};
	else if (answered)
		record->state = ONCE_ANSWERED;
	else
		record->state = record->made != NULL ? ONCE_MADE : ONCE_RUNNING;
}

static enum store_result begin(struct writing *w, void *context)
{
	const struct once_begin *args = context;
	const struct once_request *request = args->request;
	enum store_result result = forget_old(w, request->now_us);

	if (result != STORE_OK)
		return result;
	struct query *q = query_start_into(w->connection,
	                                   "SELECT request, made, status, body FROM once"
	                                   " WHERE key_id = ? AND key = ?",
	                                   args->arena);

	*args->record = (struct once_record){.state = ONCE_NEW};
	query_put_text(q, request->key_id);
	query_put_text(q, request->key);
	if (query_next(q))
		read_record(q, request, args->record);
	result = query_end_one(q);
	return result == STORE_NOT_FOUND ? claim(w, request) : result;
}

enum store_result store_once_begin(struct store *store, struct arena *arena,
                                   const struct once_request *request, struct once_record *record)
{
	struct once_begin args = {.request = request, .arena = arena, .record = record};

	return store_write(store, NULL, begin, &args);
}

struct once_finish {
	const struct once_request *request;
	const struct once_record *answer;
};

static enum store_result finish(struct writing *w, void *context)
{
	const struct once_finish *args = context;
	struct query *q = query_start(
	    w->connection, "UPDATE once SET status = ?, body = ?"
			   " WHERE key_id = ? AND key = ? AND request = ? AND status IS NULL");

	query_put_integer(q, args->answer->status);
	query_put_blob(q, args->answer->body, args->answer->body_size);
	query_put_text(q, args->request->key_id);
	query_put_text(q, args->request->key);
	query_put_hash(q, &args->request->request);
	return query_run(q);
}

enum store_result store_once_finish(struct store *store, const struct once_request *request,
                                    const struct once_record *answer)
{
	struct once_finish args = {.request = request, .answer = answer};

	return store_write(store, NULL, finish, &args);
}

static enum store_result abandon(struct writing *w, void *context)
{
	const struct once_finish *args = context;
	struct query *q = query_start(w->connection, "DELETE FROM once WHERE key_id = ? AND key = ?"
	                                             " AND made IS NULL AND status IS NULL");

	query_put_text(q, args->request->key_id);
	query_put_text(q, args->request->key);
	return query_run(q);
}

enum store_result store_once_abandon(struct store *store, const struct once_request *request)
{
	struct once_finish args = {.request = request};

	return store_write(store, NULL, abandon, &args);
}
