/* store_keys.c - API keys and browser sessions: see store.h. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "store/inside.h"

#define PREFIX "sk_"
#define ID_LENGTH ((size_t)KEY_ID_SIZE - 1)
#define SECRET_LENGTH ((size_t)43)
#define TOUCH_US ((int64_t)3600 * 1000000) /* how coarse last_used_us is */

_Static_assert(sizeof PREFIX - 1 + ID_LENGTH + 1 + SECRET_LENGTH + 1 == KEY_TEXT_SIZE, "key text");
_Static_assert(SECRET_LENGTH + 1 == SESSION_TEXT_SIZE, "session text");

/* --- Making and ending keys --------------------------------------------------------------- */

struct key_create {
	const struct api_key *key;
	const char *id;
	struct sha256 hash; /* of the secret */
};

static struct query *key_row(struct connection *c, const char *id)
{
	struct query *q = query_start(c, "SELECT * FROM keys WHERE id = ?");

	query_put_text(q, id);
	return q;
}

static enum store_result hash_key(struct connection *c, const char *id,
                                  char hex[static SHA256_HEX_SIZE])
{
	struct query *q = key_row(c, id);

	if (query_next(q))
		query_row_hash(q, hex);
	return query_end_one(q);
}

static enum store_result log_key(struct writing *w, const char *action, const char *id,
                                 const char *before, const char *after)
{
	char subject[sizeof "key/" + ID_LENGTH];

	snprintf(subject, sizeof subject, "key/%.8s", id);
	return writing_log(
	    w, &(struct change){
		   .action = action, .subject = subject, .before = before, .after = after});
}

static enum store_result insert_key(struct writing *w, void *context)
{
	const struct key_create *create = context;
	char after[SHA256_HEX_SIZE];
	struct query *q = query_start(
	    w->connection, "INSERT INTO keys (id, secret_sha256, role, supplier, label, created_us,"
			   " created_by, expires_us, revoked_us, last_used_us)"
			   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)");

	query_put_text(q, create->id);
	query_put_hash(q, &create->hash);
	query_put_text(q, create->key->role);
	query_put_text(q, create->key->supplier);
	query_put_text(q, create->key->label);
	query_put_integer(q, w->actor->now_us);
	query_put_text(q, w->actor->key_id);
	query_put_integer(q, create->key->expires_us);
	enum store_result result = query_run(q);

	if (result == STORE_OK)
		result = hash_key(w->connection, create->id, after);
	return result == STORE_OK ? log_key(w, "key.create", create->id, NULL, after) : result;
}

static bool role_fits(const struct api_key *key)
{
	if (strcmp(key->role, "supplier") == 0)
		return key->supplier != NULL;
	return key->supplier == NULL &&
	       (strcmp(key->role, "admin") == 0 || strcmp(key->role, "buyer") == 0 ||
	        strcmp(key->role, "viewer") == 0);
}

enum store_result store_key_create(struct store *store, const struct store_actor *actor,
                                   const struct api_key *key, char id[static KEY_ID_SIZE],
                                   char text[static KEY_TEXT_SIZE])
{
	char secret[SECRET_LENGTH + 1];

	if (!role_fits(key))
		return STORE_CONFLICT;
	random_name(id, ID_LENGTH);
	random_secret(secret, SECRET_LENGTH);
	struct key_create create = {.key = key, .id = id, .hash = sha256_of_text(secret)};

	snprintf(text, KEY_TEXT_SIZE, PREFIX "%.8s_%.43s", id, secret);
	explicit_bzero(secret, sizeof secret);
	return store_write(store, actor, insert_key, &create);
}

static enum store_result mark_revoked(struct writing *w, const char *id)
{
	struct query *q = query_start(w->connection, "UPDATE keys SET revoked_us = ? WHERE id = ?");

	query_put_integer(q, w->actor->now_us);
	query_put_text(q, id);
	enum store_result result = query_run(q);

	if (result != STORE_OK)
		return result;
	q = query_start(w->connection, "DELETE FROM sessions WHERE key_id = ?");
	query_put_text(q, id);
	return query_run(q);
}

static enum store_result is_revoked(struct connection *c, const char *id, bool *revoked)
{
	struct query *q = query_start(c, "SELECT revoked_us <> 0 FROM keys WHERE id = ?");

	query_put_text(q, id);
	if (query_next(q))
		*revoked = query_integer(q) != 0;
	return query_end_one(q);
}

static enum store_result revoke(struct writing *w, void *context)
{
	const char *id = context;
	char before[SHA256_HEX_SIZE];
	char after[SHA256_HEX_SIZE];
	bool revoked = false;
	enum store_result result = is_revoked(w->connection, id, &revoked);

	if (result == STORE_OK && revoked)
		return STORE_CONFLICT;
	if (result == STORE_OK)
		result = hash_key(w->connection, id, before);
	if (result == STORE_OK)
		result = mark_revoked(w, id);
	if (result == STORE_OK)
		result = hash_key(w->connection, id, after);
	return result == STORE_OK ? log_key(w, "key.revoke", id, before, after) : result;
}

enum store_result store_key_revoke(struct store *store, const struct store_actor *actor,
                                   const char *id)
{
	char copy[KEY_ID_SIZE];

	if (strlen(id) != ID_LENGTH)
		return STORE_NOT_FOUND;
	memcpy(copy, id, sizeof copy);
	return store_write(store, actor, revoke, copy);
}

/* --- Finding keys ------------------------------------------------------------------------- */

#define KEY_COLUMNS                                                                                \
	"k.id, k.role, k.supplier, k.label, k.created_us, k.created_by, k.expires_us,"             \
	" k.revoked_us, k.last_used_us"

static void read_key(struct query *q, struct api_key *key)
{
	key->id = query_text(q);
	key->role = query_text(q);
	key->supplier = query_text(q);
	key->label = query_text(q);
	key->created_us = query_integer(q);
	key->created_by = query_text(q);
	key->expires_us = query_integer(q);
	key->revoked_us = query_integer(q);
	key->last_used_us = query_integer(q);
}

/* Splits "sk_ID_SECRET"; false when TEXT is not of that form. */
static bool split_key(const char *text, char id[static KEY_ID_SIZE], const char **secret)
{
	const size_t prefix = sizeof PREFIX - 1;

	if (strlen(text) != KEY_TEXT_SIZE - 1 || strncmp(text, PREFIX, prefix) != 0 ||
	    text[prefix + ID_LENGTH] != '_')
		return false;
	memcpy(id, text + prefix, ID_LENGTH);
	id[ID_LENGTH] = '\0';
	*secret = text + prefix + ID_LENGTH + 1;
	return true;
}

static bool is_live(const struct api_key *key, int64_t now_us)
{
	return key->revoked_us == 0 && (key->expires_us == 0 || now_us < key->expires_us);
}

enum store_result store_key_find(struct store *store, struct arena *arena, const char *text,
                                 int64_t now_us, struct api_key *key)
{
	char id[KEY_ID_SIZE];
	const char *secret;
	struct sha256 kept = {0}; /* for an unknown id: what no secret hashes to */

	if (!split_key(text, id, &secret))
		return STORE_NOT_FOUND;
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT k.secret_sha256, " KEY_COLUMNS " FROM keys AS k WHERE k.id = ?", arena);

	query_put_text(q, id);
	if (query_next(q)) {
		kept = query_hash(q);
		read_key(q, key);
	}
	enum store_result result = store_read_end(store, c, query_end_one(q));
	bool right = sha256_equal(kept, sha256_of_text(secret));

	if (result != STORE_OK)
		return result;
	if (!right || !is_live(key, now_us))
		return STORE_NOT_FOUND;
	if (now_us - key->last_used_us >= TOUCH_US)
		store_touch_key(store, id, now_us);
	return STORE_OK;
}

enum store_result store_key_get(struct store *store, struct arena *arena, const char *id,
                                struct api_key *key)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c, "SELECT " KEY_COLUMNS " FROM keys AS k WHERE k.id = ?", arena);

	query_put_text(q, id);
	if (query_next(q))
		read_key(q, key);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result store_keys_list(struct store *store, struct arena *arena, const char *after,
                                  int limit, struct api_keys *keys)
{
	struct connection *c = store_read(store);
	struct query *q = query_start_into(
	    c, "SELECT " KEY_COLUMNS " FROM keys AS k WHERE k.id > ? ORDER BY k.id LIMIT ?", arena);
	size_t capacity = 0;

	*keys = (struct api_keys){0};
	limit = store_limit(limit);
	query_put_text(q, after == NULL ? "" : after);
	query_put_integer(q, limit + 1);
	while (query_next_in_page(q, keys->count, limit, &keys->more)) {
		keys->items =
		    arena_grow(arena, keys->items, keys->count, &capacity, sizeof *keys->items);
		read_key(q, &keys->items[keys->count++]);
	}
	return store_read_end(store, c, query_end(q));
}

/* --- Sessions ----------------------------------------------------------------------------- */

struct session_create {
	const char *key_id;
	int64_t expires_us;
	struct sha256 hash; /* of the token */
};

static enum store_result purge_sessions(struct writing *w)
{
	struct query *q = query_start(w->connection, "DELETE FROM sessions WHERE expires_us <= ?");

	query_put_integer(q, w->actor->now_us);
	return query_run(q);
}

static enum store_result insert_session(struct writing *w, const struct session_create *create)
{
	/* Nothing is selected, and so nothing inserted, when the key has ended. */
	struct query *q = query_start(
	    w->connection, "INSERT INTO sessions (token_sha256, key_id, created_us, expires_us)"
			   " SELECT ?1, k.id, ?2, ?3 FROM keys AS k WHERE k.id = ?4"
			   " AND k.revoked_us = 0 AND (k.expires_us = 0 OR k.expires_us > ?2)"
			   " RETURNING 1");

	query_put_hash(q, &create->hash);
	query_put_integer(q, w->actor->now_us);
	query_put_integer(q, create->expires_us);
	query_put_text(q, create->key_id);
	if (query_next(q))
		return query_run(q);
	return query_end_one(q);
}

static enum store_result create_session(struct writing *w, void *context)
{
	const struct session_create *create = context;
	enum store_result result = purge_sessions(w);

	if (result == STORE_OK)
		result = insert_session(w, create);
	return result == STORE_OK ? log_key(w, "session.create", create->key_id, NULL, NULL)
	                          : result;
}

enum store_result store_session_create(struct store *store, const struct store_actor *actor,
                                       const char *key_id, int64_t expires_us,
                                       char token[static SESSION_TEXT_SIZE])
{
	random_secret(token, SESSION_TEXT_SIZE - 1);
	struct session_create create = {
	    .key_id = key_id, .expires_us = expires_us, .hash = sha256_of_text(token)};

	return store_write(store, actor, create_session, &create);
}

enum store_result store_session_find(struct store *store, struct arena *arena, const char *token,
                                     int64_t now_us, struct api_key *key)
{
	struct sha256 hash = sha256_of_text(token);
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c,
	                     "SELECT " KEY_COLUMNS " FROM sessions AS s JOIN keys AS k"
	                     " ON k.id = s.key_id WHERE s.token_sha256 = ? AND s.expires_us > ?",
	                     arena);

	query_put_hash(q, &hash);
	query_put_integer(q, now_us);
	if (query_next(q))
		read_key(q, key);
	enum store_result result = store_read_end(store, c, query_end_one(q));

	if (result == STORE_OK && !is_live(key, now_us))
		return STORE_NOT_FOUND;
	return result;
}

static enum store_result delete_session(struct writing *w, void *context)
{
	const struct sha256 *hash = context;
	char key_id[KEY_ID_SIZE] = "";
	struct query *q = query_start(
	    w->connection, "DELETE FROM sessions WHERE token_sha256 = ? RETURNING key_id");

	query_put_hash(q, hash);
	if (query_next(q))
		snprintf(key_id, sizeof key_id, "%s", query_text(q));
	enum store_result result = query_end(q);

	if (result != STORE_OK || key_id[0] == '\0')
		return result;
	return log_key(w, "session.delete", key_id, NULL, NULL);
}

enum store_result store_session_delete(struct store *store, const struct store_actor *actor,
                                       const char *token)
{
	struct sha256 hash = sha256_of_text(token);

	return store_write(store, actor, delete_session, &hash);
}
