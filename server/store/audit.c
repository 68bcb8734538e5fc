/* audit.c - see audit.h and struct audit_row in store.h. */
#include "store/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "store/inside.h"

static void put_field(struct buf *buf, const char *text)
{
	if (text == NULL)
		buf_putc(buf, '-');
	else
		buf_printf(buf, "%zu:%s", strlen(text), text);
}

static void put_number(struct buf *buf, int64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRId64, number);
	put_field(buf, text);
}

/* The hash of ROW, which follows on one with the hash PREVIOUS. */
static struct sha256 chain(struct sha256 previous, const struct audit_row *row)
{
	struct buf text = {0};

	buf_put(&text, previous.bytes, sizeof previous.bytes);
	put_number(&text, row->id);
	put_number(&text, row->at_us);
	put_field(&text, row->key_id);
	put_field(&text, row->request_id);
	put_field(&text, row->action);
	put_field(&text, row->subject);
	put_field(&text, row->before);
	put_field(&text, row->after);
	struct sha256 hash = sha256_of(text.bytes, text.size);

	buf_finish(&text);
	return hash;
}

/* Which row is the newest, and its hash. */
static enum store_result read_head(struct connection *c, int64_t *count, struct sha256 *hash)
{
	struct query *q = query_start(c, "SELECT audit_count, audit_hash FROM meta");

	if (query_next(q)) {
		*count = query_integer(q);
		*hash = query_hash(q);
	}
	return query_end_one(q);
}

static enum store_result write_head(struct connection *c, const struct audit_row *row)
{
	struct query *q = query_start(c, "UPDATE meta SET audit_count = ?, audit_hash = ?");

	query_put_integer(q, row->id);
	query_put_hash(q, &row->hash);
	return query_run(q);
}

static enum store_result insert(struct connection *c, const struct audit_row *row)
{
	struct query *q =
	    query_start(c, "INSERT INTO audit (id, at_us, key_id, request_id, action, subject,"
	                   " before, after, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

	query_put_integer(q, row->id);
	query_put_integer(q, row->at_us);
	query_put_text(q, row->key_id);
	query_put_text(q, row->request_id);
	query_put_text(q, row->action);
	query_put_text(q, row->subject);
	query_put_text(q, row->before);
	query_put_text(q, row->after);
	query_put_hash(q, &row->hash);
	return query_run(q);
}

/* "" and NULL both mean that there was nothing. */
static const char *hash_or_null(const char *hex)
{
	return hex == NULL || hex[0] == '\0' ? NULL : hex;
}

enum store_result audit_append(struct connection *c, const struct store_actor *actor,
                               const struct change *change)
{
	struct audit_row row = {.at_us = actor->now_us,
	                        .key_id = actor->key_id,
	                        .request_id = actor->request_id,
	                        .action = change->action,
	                        .subject = change->subject,
	                        .before = hash_or_null(change->before),
	                        .after = hash_or_null(change->after)};
	struct sha256 previous;
	enum store_result result = read_head(c, &row.id, &previous);

	if (result != STORE_OK)
		return result;
	row.id++;
	row.hash = chain(previous, &row);
	result = insert(c, &row);
	return result == STORE_OK ? write_head(c, &row) : result;
}

static void read_row(struct query *q, struct audit_row *row)
{
	row->id = query_integer(q);
	row->at_us = query_integer(q);
	row->key_id = query_text(q);
	row->request_id = query_text(q);
	row->action = query_text(q);
	row->subject = query_text(q);
	row->before = query_text(q);
	row->after = query_text(q);
	row->hash = query_hash(q);
}

#define COLUMNS "id, at_us, key_id, request_id, action, subject, before, after, hash"

enum store_result store_audit_list(struct store *store, struct arena *arena, int64_t after,
                                   int limit, struct audit_rows *rows)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT " COLUMNS " FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?", arena);
	size_t capacity = 0;

	*rows = (struct audit_rows){0};
	limit = store_limit(limit);
	query_put_integer(q, after == 0 ? INT64_MAX : after);
	query_put_integer(q, limit + 1);
	while (query_next_in_page(q, rows->count, limit, &rows->more)) {
		rows->items =
		    arena_grow(arena, rows->items, rows->count, &capacity, sizeof *rows->items);
		read_row(q, &rows->items[rows->count++]);
	}
	return store_read_end(store, c, query_end(q));
}

static void report_break(struct problems *problems, int64_t id)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRId64, id);
	problem_add(problems, PROBLEM_ERROR, "audit_broken", (struct place){0}, number,
	            "the audit log does not hold together at row %s", "审计日志在第 %s 行处断开",
	            number);
}

enum store_result audit_verify(struct connection *c, struct problems *problems)
{
	struct sha256 previous = {0};
	struct sha256 head = {0};
	int64_t head_id = 0;
	int64_t seen = 0;
	bool broken = false;
	enum store_result result = read_head(c, &head_id, &head);

	if (result != STORE_OK)
		return result;
	struct query *q = query_start(c, "SELECT " COLUMNS " FROM audit ORDER BY id");

	while (!broken && query_next(q)) {
		struct audit_row row;

		read_row(q, &row);
		previous = chain(previous, &row);
		broken = row.id != ++seen || !sha256_equal(previous, row.hash);
	}
	result = query_end(q);
	/* The newest rows may have been cut off: the head knows how many there were. */
	if (!broken && (seen != head_id || !sha256_equal(previous, head))) {
		broken = true;
		seen++;
	}
	if (broken)
		report_break(problems, seen);
	return result;
}
