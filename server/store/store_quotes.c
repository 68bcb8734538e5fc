/* store_quotes.c - plans kept for ever: see store.h. */
#include "base/arena.h"
#include "base/buf.h"
#include "store/inside.h"

static enum store_result insert_quote(struct writing *w, const struct quote *quote)
{
	struct query *q =
	    query_start(w->connection,
	                "INSERT INTO quotes (id, key_id, title, created_us, valid_to, basis_json,"
	                " request_json, answer_json, signature)"
	                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

	query_put_text(q, quote->id);
	query_put_text(q, w->actor->key_id);
	query_put_text(q, quote->title);
	query_put_integer(q, w->actor->now_us);
	query_put_date(q, quote->valid_to);
	query_put_text(q, quote->basis_json);
	query_put_text(q, quote->request_json);
	query_put_text(q, quote->answer_json);
	query_put_text(q, quote->signature);
	return query_run(q);
}

static enum store_result hash_quote(struct connection *c, const char *id,
                                    char hex[static SHA256_HEX_SIZE])
{
	struct query *q = query_start(c, "SELECT * FROM quotes WHERE id = ?");

	query_put_text(q, id);
	if (query_next(q))
		query_row_hash(q, hex);
	return query_end_one(q);
}

static enum store_result add_quote(struct writing *w, void *context)
{
	const struct quote *const *quote = context;
	const char *id = (*quote)->id;
	struct buf subject = {0};
	char after[SHA256_HEX_SIZE] = "";
	enum store_result result = insert_quote(w, *quote);

	if (result == STORE_OK)
		result = hash_quote(w->connection, id, after);
	buf_printf(&subject, "quote/%s", id);
	if (result == STORE_OK)
		result = writing_log(w, &(struct change){.action = "quote.add",
		                                         .subject = buf_text(&subject),
		                                         .after = after});
	buf_finish(&subject);
	return result;
}

enum store_result store_quote_add(struct store *store, const struct store_actor *actor,
                                  const struct quote *quote)
{
	return store_write(store, actor, add_quote, &quote);
}

static void read_head(struct query *q, struct quote *quote)
{
	quote->number = query_integer(q);
	quote->id = query_text(q);
	quote->key_id = query_text(q);
	quote->title = query_text(q);
	quote->created_us = query_integer(q);
	quote->valid_to = query_date(q);
}

#define HEAD "number, id, key_id, title, created_us, valid_to"

enum store_result store_quote_get(struct store *store, struct arena *arena, const char *id,
                                  struct quote *quote)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c,
	                     "SELECT " HEAD ", basis_json, request_json, answer_json, signature"
	                     " FROM quotes WHERE id = ?",
	                     arena);

	query_put_text(q, id);
	if (query_next(q)) {
		read_head(q, quote);
		quote->basis_json = query_text(q);
		quote->request_json = query_text(q);
		quote->answer_json = query_text(q);
		quote->signature = query_text(q);
	}
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_quotes_list(struct store *store, struct arena *arena,
                                    const struct quote_query *query, struct quotes *quotes)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(c,
	                                   "SELECT " HEAD " FROM quotes WHERE number < ?1"
	                                   " AND (?2 IS NULL OR key_id = ?2)"
	                                   " ORDER BY number DESC LIMIT ?3",
	                                   arena);
	int limit = store_limit(query->limit);
	size_t capacity = 0;

	*quotes = (struct quotes){0};
	query_put_integer(q, query->after == 0 ? INT64_MAX : query->after);
	query_put_text(q, query->key_id);
	query_put_integer(q, limit + 1);
	while (query_next_in_page(q, quotes->count, limit, &quotes->more)) {
		quotes->items = arena_grow(arena, quotes->items, quotes->count, &capacity,
		                           sizeof *quotes->items);
		read_head(q, &quotes->items[quotes->count++]);
	}
	return store_read_end(store, c, query_end(q));
}
