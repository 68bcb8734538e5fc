/* migrate.c - see migrate.h. */
#include "store/migrate.h"

#include <stdio.h>
#include <string.h>

#include "base/baked.h"
#include "base/clock.h"

#define FOLDER "migrations/"

static bool refuse(struct problems *problems, const char *code, const char *value,
                   struct text message)
{
	problem_add_text(problems, PROBLEM_ERROR, code, (struct place){0}, value, message);
	return false;
}

static bool refuse_unreadable(struct problems *problems)
{
	return refuse(problems, "database_open", NULL,
	              TEXT("the database cannot be opened or read; the log says why",
	                   "数据库无法打开或读取，原因见日志"));
}

/* False also when C is not open. */
static bool read_number(struct connection *c, const char *sql, int64_t *number)
{
	struct query *q = query_start(c, sql);

	if (query_next(q))
		*number = query_integer(q);
	return query_end_one(q) == STORE_OK;
}

/* Compares the recorded migrations with the baked ones; APPLIED counts those that match. */
static bool compare(struct connection *c, int *applied, struct problems *problems)
{
	struct query *q =
	    query_start(c, "SELECT number, name, sha256 FROM migrations ORDER BY number");
	size_t count;
	const struct baked_file *files = baked_below(FOLDER, &count);
	bool ok = true;

	*applied = 0;
	while (ok && query_next(q)) {
		int64_t number = query_integer(q);
		const char *name = query_text(q);
		struct sha256 hash = query_hash(q);
		const struct baked_file *file = files + *applied;

		if ((size_t)*applied >= count)
			ok = refuse(
			    problems, "database_newer", name,
			    TEXT("the database was written by a newer version of this program",
			         "数据库由更新版本的程序写入"));
		else if (number != *applied + 1 ||
		         !sha256_equal(hash, sha256_of(file->bytes, file->size)))
			ok = refuse(
			    problems, "migration_changed", name,
			    TEXT("the text of a migration differs from the one that was applied",
			         "迁移脚本的内容与已执行的不一致"));
		else
			++*applied;
	}
	if (query_end(q) != STORE_OK)
		return refuse_unreadable(problems);
	return ok;
}

bool migrations_check(struct connection *c, int *applied, struct problems *problems)
{
	int64_t application_id = 0;

	*applied = 0;
	if (!read_number(c, "SELECT application_id FROM pragma_application_id", &application_id))
		return refuse_unreadable(problems);
	if (application_id != STORE_APPLICATION_ID)
		return refuse(problems, "database_open", NULL,
		              TEXT("this is not a database of suanjia", "这不是 suanjia 的数据库"));
	return compare(c, applied, problems);
}

/* A new file becomes a database of ours; one with other tables in it does not. */
static bool start_empty(struct connection *c, struct problems *problems)
{
	int64_t tables = 0;

	if (!read_number(c, "SELECT count(*) FROM sqlite_schema", &tables))
		return refuse_unreadable(problems);
	if (tables > 0)
		return true;
	if (connection_run(c, "BEGIN IMMEDIATE;"
	                      "PRAGMA application_id = 1400195681;"
	                      "CREATE TABLE migrations (number INTEGER PRIMARY KEY,"
	                      " name TEXT NOT NULL, sha256 BLOB NOT NULL,"
	                      " applied_us INTEGER NOT NULL) STRICT;"
	                      "COMMIT") != STORE_OK)
		return refuse_unreadable(problems);
	return true;
}

static enum store_result record(struct connection *c, int number, const struct baked_file *file)
{
	struct sha256 hash = sha256_of(file->bytes, file->size);
	struct query *q = query_start(c, "INSERT INTO migrations (number, name, sha256, applied_us)"
	                                 " VALUES (?, ?, ?, ?)");

	query_put_integer(q, number);
	query_put_text(q, file->path + strlen(FOLDER));
	query_put_hash(q, &hash);
	query_put_integer(q, clock_now_us());
	return query_run(q);
}

/* Baked files are followed by a NUL. */
static bool apply(struct connection *c, int number, const struct baked_file *file)
{
	enum store_result result = connection_run(c, "BEGIN IMMEDIATE");

	if (result == STORE_OK)
		result = connection_run(c, (const char *)file->bytes);
	if (result == STORE_OK)
		result = record(c, number, file);
	if (result == STORE_OK)
		result = connection_run(c, "COMMIT");
	if (result != STORE_OK && c->db != NULL && !sqlite3_get_autocommit(c->db))
		result = connection_run(c, "ROLLBACK") == STORE_OK ? result : STORE_FAILED;
	return result == STORE_OK;
}

bool migrate(struct connection *c, struct problems *problems)
{
	size_t count;
	const struct baked_file *files = baked_below(FOLDER, &count);
	int applied;

	if (c->writes && !start_empty(c, problems))
		return false;
	if (!migrations_check(c, &applied, problems))
		return false;
	if (!c->writes && (size_t)applied < count)
		return refuse(problems, "database_older", NULL,
		              TEXT("the database is older than this program: start the server once",
		                   "数据库版本较旧：请先启动一次服务完成升级"));
	for (size_t i = (size_t)applied; i < count; i++)
		if (!apply(c, (int)i + 1, &files[i]))
			return refuse(
			    problems, "database_open", files[i].path,
			    TEXT("a migration failed; nothing of it was kept; the log says why",
			         "迁移失败，未保留任何改动，原因见日志"));
	return true;
}
