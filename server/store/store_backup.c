/* store_backup.c - copies of the database, and putting one back: see store.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "store/inside.h"
#include "store/migrate.h"
#include "store/verify.h"

/* --- Copying ------------------------------------------------------------------------------ */

static enum store_result result_of_errno(int error)
{
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return STORE_FULL;
	return error == EEXIST ? STORE_CONFLICT : STORE_FAILED;
}

/* Makes the file or the folder's entries durable. */
static bool sync_path(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool sync_folder_of(const char *path)
{
	char *copy = alloc_strdup(path);
	bool ok = sync_path(dirname(copy), O_RDONLY | O_DIRECTORY);

	free(copy);
	return ok;
}

/*
 * All pages in one step, so in one read transaction of FROM: the writer goes on beside it. The copy
 * leaves WAL mode, so that it is one file, and is checked.
 */
static enum store_result copy_pages(sqlite3 *from, const char *to)
{
	sqlite3 *db = NULL;
	int code = sqlite3_open_v2(to, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	struct connection copy = {.db = db};

	if (code == SQLITE_OK) {
		sqlite3_backup *backup = sqlite3_backup_init(db, "main", from, "main");

		if (backup != NULL)
			(void)sqlite3_backup_step(backup, -1);
		code = backup == NULL ? sqlite3_errcode(db) : sqlite3_backup_finish(backup);
	}
	enum store_result result = connection_result(&copy, code, "backup");

	if (result == STORE_OK)
		result = connection_run(&copy, "PRAGMA journal_mode = DELETE");
	connection_close(&copy);
	return result;
}

/* Whether the copy at PATH is whole. */
static enum store_result check_copy(const char *path)
{
	struct connection c;
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	connection_open(&c, path, false);
	enum store_result result = verify_file(&c, &problems);

	if (result == STORE_OK && problems.errors > 0) {
		log_line(LOG_ERROR, "store: a copy is damaged: %s", problems.items[0].value);
		result = STORE_FAILED;
	}
	connection_close(&c);
	arena_destroy(arena);
	return result;
}

static enum store_result fill_copy(struct connection *c, const char *part, const char *to)
{
	int fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return result_of_errno(errno);
	close(fd);
	enum store_result result = c->db == NULL ? STORE_FAILED : copy_pages(c->db, part);

	if (result == STORE_OK)
		result = check_copy(part);
	if (result == STORE_OK && !sync_path(part, O_RDWR))
		result = STORE_FAILED;
	/* A link, as rename() would replace what is there. */
	if (result == STORE_OK && link(part, to) != 0)
		result = result_of_errno(errno);
	return result;
}

/*
 * Copies the database behind C, as it is now, into the new file TO (mode 0600): whole, checked, on
 * disk and without a -wal, or not there at all. C must not be in a transaction.
 */
static enum store_result copy_database(struct connection *c, const char *to)
{
	struct buf part = {0};
	enum store_result result = STORE_CONFLICT;

	buf_printf(&part, "%s.part", to);
	if (access(to, F_OK) != 0) {
		result = fill_copy(c, buf_text(&part), to);
		unlink(buf_text(&part));
		if (result == STORE_OK && !sync_folder_of(to))
			result = STORE_FAILED;
	}
	buf_finish(&part);
	return result;
}

enum store_result store_backup(struct store *store, const char *to)
{
	struct connection c;

	connection_open(&c, store_path(store), false);
	enum store_result result = copy_database(&c, to);

	connection_close(&c);
	return result;
}

/* --- Putting one back --------------------------------------------------------------------- */

static bool refuse(struct problems *problems, const char *code, const char *value,
                   struct text message)
{
	problem_add_text(problems, PROBLEM_ERROR, code, (struct place){0}, value, message);
	return false;
}

/* Whether C holds a whole database of ours, of this version or an older one. */
static bool is_whole(struct connection *c, struct problems *problems)
{
	int applied;
	size_t before = problems->errors;

	return migrations_check(c, &applied, problems) && verify_file(c, problems) == STORE_OK &&
	       problems->errors == before;
}

/* Moves "PATH SUFFIX" to "PATH.replaced SUFFIX"; that there is none is fine. */
static bool set_aside(const char *path, const char *suffix)
{
	struct buf from = {0};
	struct buf to = {0};

	buf_printf(&from, "%s%s", path, suffix);
	buf_printf(&to, "%s.replaced%s", path, suffix);
	unlink(buf_text(&to));
	bool ok = rename(buf_text(&from), buf_text(&to)) == 0 || errno == ENOENT;

	buf_finish(&from);
	buf_finish(&to);
	return ok;
}

/*
 * The database goes first: its -wal without it is ignored by SQLite, while a new database beside
 * the old -wal would be corrupted by it.
 */
static bool swap_in(const char *copy, const char *path)
{
	return set_aside(path, "") && set_aside(path, "-wal") && set_aside(path, "-shm") &&
	       rename(copy, path) == 0 && sync_folder_of(path);
}

static bool restore_locked(const char *from, const char *path, struct problems *problems)
{
	struct connection c;
	struct buf copy = {0};

	buf_printf(&copy, "%s.restoring", path);
	unlink(buf_text(&copy)); /* of an attempt that was cut off */
	connection_open(&c, from, false);
	bool ok = is_whole(&c, problems);

	if (!ok)
		refuse(problems, "backup_damaged", from,
		       TEXT("the backup is not a whole database of suanjia",
		            "备份不是完整的 suanjia 数据库"));
	else if (copy_database(&c, buf_text(&copy)) != STORE_OK || !swap_in(buf_text(&copy), path))
		ok = refuse(problems, "restore_failed", path,
		            TEXT("the backup could not be put in place; the log says why",
		                 "无法恢复备份，原因见日志"));
	connection_close(&c);
	buf_finish(&copy);
	return ok;
}

bool store_restore(const char *from, const char *path, struct problems *problems)
{
	int lock = store_lock(path, problems);

	if (lock < 0)
		return false;
	bool ok = restore_locked(from, path, problems);

	close(lock);
	return ok;
}
