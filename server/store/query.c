/* query.c - see query.h. */
#include "store/query.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"

#define BUSY_WAIT_MS 5000 /* for a reader of another process that recovers the WAL */

/*
 * Readers never write and never checkpoint, not even when they close. The writer commits with an
 * fsync of the WAL and checkpoints on its own thread after every 1,000 pages.
 */
#define SETTINGS                                                                                   \
	"PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"      \
	"PRAGMA temp_store = MEMORY;"
#define WRITER_SETTINGS                                                                            \
	SETTINGS "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"                           \
		 "PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -32768;"                   \
		 "PRAGMA journal_size_limit = 67108864;"
#define READER_SETTINGS                                                                            \
	SETTINGS "PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = "     \
		 "-8192;"

static void fail_open(struct connection *c, const char *path, int code)
{
	/* errno tells something only where the system refused, not where the file is no database.
	 */
	log_line(LOG_ERROR, "store: cannot open %s: %s%s%s", path,
	         c->db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(c->db),
	         code == SQLITE_CANTOPEN ? ": " : "",
	         code == SQLITE_CANTOPEN ? strerror(errno) : "");
	sqlite3_close(c->db);
	c->db = NULL;
}

void connection_open(struct connection *c, const char *path, bool writes)
{
	int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	int code;

	*c = (struct connection){.writes = writes, .owner = pthread_self()};
	code = sqlite3_open_v2(path, &c->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK) {
		fail_open(c, path, code);
		return;
	}
	sqlite3_extended_result_codes(c->db, 1);
	sqlite3_busy_timeout(c->db, BUSY_WAIT_MS);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writes ? 0 : 1, NULL);
	code = sqlite3_exec(c->db, writes ? WRITER_SETTINGS : READER_SETTINGS, NULL, NULL, NULL);
	if (code != SQLITE_OK)
		fail_open(c, path, code);
	assert(c->db == NULL || writes || sqlite3_db_readonly(c->db, "main") == 1);
}

void connection_close(struct connection *c)
{
	for (size_t i = 0; i < c->query_count; i++) {
		assert(!c->queries[i]->open);
		sqlite3_finalize(c->queries[i]->statement);
		free(c->queries[i]);
	}
	free(c->queries);
	sqlite3_close(c->db);
	*c = (struct connection){0};
}

static bool is_full_errno(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/*
 * A full disk shows as several codes, depending on which write met it: a quota or a limit on the
 * size of a file is an I/O error to SQLite, and which one only its files know.
 */
static bool disk_is_full(sqlite3 *db, int code)
{
	int database_errno = 0;
	int wal_errno = 0;
	sqlite3_file *wal = NULL;

	if ((code & 0xff) == SQLITE_FULL)
		return true;
	if ((code & 0xff) != SQLITE_IOERR)
		return false;
	sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &database_errno);
	sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
	if (wal != NULL && wal->pMethods != NULL)
		wal->pMethods->xFileControl(wal, SQLITE_FCNTL_LAST_ERRNO, &wal_errno);
	return is_full_errno(database_errno) || is_full_errno(wal_errno);
}

enum store_result connection_result(struct connection *c, int code, const char *sql)
{
	enum store_result result = STORE_FAILED;

	if (c->db == NULL)
		return result; /* connection_open() has said why */
	if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
		return STORE_OK;
	if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
		return STORE_NOT_FOUND;
	if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY)
		return STORE_CONFLICT;
	if ((code & 0xff) == SQLITE_BUSY)
		result = STORE_BUSY;
	else if (disk_is_full(c->db, code))
		result = STORE_FULL;
	log_line(LOG_ERROR, "store: %s: %s (code %d) in: %.60s", store_result_names[result],
	         sqlite3_errmsg(c->db), code, sql);
	return result;
}

enum store_result connection_run(struct connection *c, const char *sql)
{
	assert(!c->writes || pthread_equal(c->owner, pthread_self()));
	if (c->db == NULL)
		return STORE_FAILED;
	return connection_result(c, sqlite3_exec(c->db, sql, NULL, NULL, NULL), sql);
}

static struct query *query_prepare(struct connection *c, const char *sql)
{
	struct query *q = alloc_zeroed(1, sizeof *q);

	if (c->query_count == c->query_capacity) {
		c->query_capacity = c->query_capacity == 0 ? 16 : 2 * c->query_capacity;
		c->queries = alloc_resize(c->queries, c->query_capacity * sizeof *c->queries);
	}
	c->queries[c->query_count++] = q;
	q->sql = sql;
	q->connection = c;
	return q;
}

static struct query *query_find(struct connection *c, const char *sql)
{
	for (size_t i = 0; i < c->query_count; i++)
		if (c->queries[i]->sql == sql)
			return c->queries[i];
	return query_prepare(c, sql);
}

struct query *query_start_into(struct connection *c, const char *sql, struct arena *arena)
{
	struct query *q = query_find(c, sql);

	/* The rule that keeps SQLite's WAL-reset fault away: one thread writes. */
	assert(!c->writes || pthread_equal(c->owner, pthread_self()));
	assert(!q->open);
	q->open = true;
	q->arena = arena;
	q->put = q->taken = q->rows = 0;
	q->error = c->db == NULL ? SQLITE_CANTOPEN : SQLITE_OK;
	if (q->error == SQLITE_OK && q->statement == NULL)
		q->error = sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
		                              &q->statement, NULL);
	return q;
}

struct query *query_start(struct connection *c, const char *sql)
{
	return query_start_into(c, sql, NULL);
}

/* Keeps the first error. */
static void note(struct query *q, int code)
{
	if (q->error == SQLITE_OK)
		q->error = code;
}

void query_put_integer(struct query *q, int64_t value)
{
	note(q, sqlite3_bind_int64(q->statement, ++q->put, value));
}

void query_put_real(struct query *q, double value)
{
	note(q, sqlite3_bind_double(q->statement, ++q->put, value));
}

void query_put_null(struct query *q)
{
	note(q, sqlite3_bind_null(q->statement, ++q->put));
}

void query_put_text(struct query *q, const char *text)
{
	note(q, sqlite3_bind_text(q->statement, ++q->put, text, -1, SQLITE_STATIC));
}

void query_put_blob(struct query *q, const void *bytes, size_t size)
{
	/* A NULL pointer would be NULL, not an empty blob. */
	note(q, sqlite3_bind_blob64(q->statement, ++q->put, size == 0 ? "" : bytes, size,
	                            SQLITE_STATIC));
}

void query_put_money(struct query *q, struct money amount)
{
	query_put_integer(q, money_to_micro(amount));
}

void query_put_money_if(struct query *q, bool known, struct money amount)
{
	if (known)
		query_put_money(q, amount);
	else
		query_put_null(q);
}

void query_put_date(struct query *q, struct date date)
{
	if (date_is_none(date))
		query_put_null(q);
	else
		query_put_integer(q, date.days);
}

void query_put_hash(struct query *q, const struct sha256 *hash)
{
	query_put_blob(q, hash->bytes, sizeof hash->bytes);
}

bool query_next(struct query *q)
{
	if (q->error != SQLITE_OK)
		return false;
	int code = sqlite3_step(q->statement);

	q->taken = 0;
	if (code == SQLITE_ROW) {
		q->rows++;
		return true;
	}
	if (code != SQLITE_DONE)
		note(q, code);
	return false;
}

bool query_next_in_page(struct query *q, size_t count, int64_t limit, bool *more)
{
	if (!query_next(q))
		return false;
	*more = count == (size_t)limit;
	return !*more;
}

int64_t query_integer(struct query *q)
{
	return sqlite3_column_int64(q->statement, q->taken++);
}

int query_int(struct query *q)
{
	int64_t value = query_integer(q);

	if (value < INT32_MIN || value > INT32_MAX) {
		note(q, SQLITE_CORRUPT);
		return 0;
	}
	return (int)value;
}

int query_enum(struct query *q, int count)
{
	int64_t value = query_integer(q);

	if (value < 0 || value >= count) {
		note(q, SQLITE_CORRUPT);
		return 0;
	}
	return (int)value;
}

double query_real(struct query *q)
{
	return sqlite3_column_double(q->statement, q->taken++);
}

const char *query_text(struct query *q)
{
	const char *text = (const char *)sqlite3_column_text(q->statement, q->taken++);

	return q->arena == NULL ? text : arena_strdup(q->arena, text);
}

void query_code(struct query *q, char code[static 4])
{
	const char *text = (const char *)sqlite3_column_text(q->statement, q->taken);
	int length = sqlite3_column_bytes(q->statement, q->taken++);

	memset(code, 0, 4);
	if (text != NULL && length < 4)
		memcpy(code, text, (size_t)length);
	else
		note(q, SQLITE_CORRUPT);
}

const void *query_blob(struct query *q, size_t *size)
{
	const void *bytes = sqlite3_column_blob(q->statement, q->taken);

	*size = (size_t)sqlite3_column_bytes(q->statement, q->taken++);
	if (*size == 0)
		return "";
	return q->arena == NULL ? bytes : arena_strndup(q->arena, bytes, *size);
}

struct money query_money(struct query *q)
{
	return money_from_micro(query_integer(q));
}

struct date query_date(struct query *q)
{
	if (query_is_null(q)) {
		query_skip(q);
		return DATE_NONE;
	}
	return (struct date){.days = query_int(q)};
}

struct sha256 query_hash(struct query *q)
{
	struct sha256 hash = {0};
	size_t size;
	const void *bytes = sqlite3_column_blob(q->statement, q->taken);

	size = (size_t)sqlite3_column_bytes(q->statement, q->taken++);
	if (size == sizeof hash.bytes)
		memcpy(hash.bytes, bytes, size);
	else
		note(q, SQLITE_CORRUPT);
	return hash;
}

bool query_is_null(const struct query *q)
{
	return sqlite3_column_type(q->statement, q->taken) == SQLITE_NULL;
}

void query_skip(struct query *q)
{
	q->taken++;
}

void query_untake(struct query *q)
{
	q->taken = 0;
}

enum store_result query_end(struct query *q)
{
	enum store_result result = connection_result(q->connection, q->error, q->sql);

	assert(q->open);
	assert(q->error != SQLITE_OK || q->put == sqlite3_bind_parameter_count(q->statement));
	/* Repeats the error of the last step, which is dealt with. */
	(void)sqlite3_reset(q->statement);
	if (q->statement != NULL)
		(void)sqlite3_clear_bindings(q->statement);
	q->open = false;
	return result;
}

enum store_result query_end_one(struct query *q)
{
	bool found = q->rows > 0;
	enum store_result result = query_end(q);

	return result == STORE_OK && !found ? STORE_NOT_FOUND : result;
}

enum store_result query_run(struct query *q)
{
	while (query_next(q))
		continue;
	return query_end(q);
}

void query_row_hash(const struct query *q, char hex[static SHA256_HEX_SIZE])
{
	struct buf row = {0};

	for (int i = 0; i < sqlite3_column_count(q->statement); i++) {
		const void *bytes = sqlite3_column_blob(q->statement, i);
		int size = sqlite3_column_bytes(q->statement, i);

		if (sqlite3_column_type(q->statement, i) == SQLITE_NULL) {
			buf_putc(&row, '-');
			continue;
		}
		buf_printf(&row, "%d:", size);
		if (size > 0)
			buf_put(&row, bytes, (size_t)size);
	}
	sha256_hex(sha256_of(row.bytes, row.size), hex);
	buf_finish(&row);
}
