/* versioned.c - see versioned.h. */
#include "store/versioned.h"

#include "base/buf.h"

/* The version (0 = none) and the hash ("" = none) of the row as it is. */
static enum store_result look(struct connection *c, const struct versioned_change *change,
                              int64_t *version, char hex[static SHA256_HEX_SIZE])
{
	struct query *q = change->kind->row(c, change->value);

	*version = 0;
	hex[0] = '\0';
	if (query_next(q)) {
		query_row_hash(q, hex);
		*version = query_integer(q);
	}
	return query_end(q);
}

static enum store_result log_change(struct writing *w, const struct versioned_change *change,
                                    const char *verb, const char *before, const char *after)
{
	struct buf action = {0};
	struct buf subject = {0};

	buf_printf(&action, "%s.%s", change->noun, verb);
	buf_printf(&subject, "%s/%s", change->noun, change->id);
	enum store_result result = writing_log(w, &(struct change){.action = buf_text(&action),
	                                                           .subject = buf_text(&subject),
	                                                           .before = before,
	                                                           .after = after});
	buf_finish(&action);
	buf_finish(&subject);
	return result == STORE_OK ? writing_raise_revision(w) : result;
}

static bool is_expected(int64_t expected, int64_t version)
{
	return expected == STORE_ANY_VERSION || expected == version;
}

static enum store_result put(struct writing *w, void *context)
{
	struct versioned_change *change = context;
	char before[SHA256_HEX_SIZE];
	char after[SHA256_HEX_SIZE];
	int64_t version;
	enum store_result result = look(w->connection, change, &version, before);

	if (result != STORE_OK)
		return result;
	if (!is_expected(change->expected, version))
		return STORE_CONFLICT;
	result = change->kind->put(w, change->value, version + 1);
	if (result == STORE_OK)
		result = look(w->connection, change, &change->version, after);
	if (result == STORE_OK)
		result = log_change(w, change, "put", before, after);
	return result;
}

static enum store_result remove_row(struct writing *w, void *context)
{
	struct versioned_change *change = context;
	char before[SHA256_HEX_SIZE];
	int64_t version;
	enum store_result result = look(w->connection, change, &version, before);

	if (result != STORE_OK)
		return result;
	if (version == 0)
		return STORE_NOT_FOUND;
	if (!is_expected(change->expected, version))
		return STORE_CONFLICT;
	result = change->kind->remove(w, change->value);
	return result == STORE_OK ? log_change(w, change, "delete", before, NULL) : result;
}

enum store_result versioned_put(struct store *store, const struct store_actor *actor,
                                struct versioned_change *change)
{
	return store_write(store, actor, put, change);
}

enum store_result versioned_remove(struct store *store, const struct store_actor *actor,
                                   struct versioned_change *change)
{
	return store_write(store, actor, remove_row, change);
}
