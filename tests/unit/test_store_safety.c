/* test_store_safety.c - the audit chain, verify, backup, restore, and a disk that is full. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "tests/unit/store_fixture.h"

static size_t faults(struct fixture *f, const char *code)
{
	problems_init(&f->problems, f->arena);
	assert_int_equal(store_verify(f->store, &f->problems), STORE_OK);
	assert_true(code == NULL || has_problem(f, code));
	return f->problems.count;
}

static void fill(struct fixture *f)
{
	add_supplier(f, "xinghai");
	for (size_t i = 1; i < 5; i++)
		add_sheet(f, "xinghai", i);
}

/* --- Audit -------------------------------------------------------------------------------- */

static void every_write_leaves_a_row_that_says_who_did_what(void **state)
{
	struct fixture *f = *state;
	struct sha256 bytes;
	struct audit_rows rows;
	char hex[SHA256_HEX_SIZE];

	fill(f);
	assert_int_equal(store_audit_list(f->store, f->arena, 0, 2, &rows), STORE_OK);
	assert_int_equal(rows.count, 2);
	assert_true(rows.more);
	assert_int_equal(rows.items[0].id, 5);
	assert_string_equal(rows.items[0].action, "sheet.add");
	assert_string_equal(rows.items[0].subject, "sheet/4");
	assert_string_equal(rows.items[0].key_id, "cli");
	assert_string_equal(rows.items[0].request_id, "r-1");
	assert_int_equal(rows.items[0].at_us, operator_actor.now_us);
	assert_null(rows.items[0].before);
	struct sheet_new sheet = sample_sheet("xinghai", NULL, 0);

	bytes = sha256_of(sheet.bytes, sheet.size);
	sha256_hex(bytes, hex);
	assert_string_equal(rows.items[0].after, hex);
	assert_int_equal(store_audit_list(f->store, f->arena, 2, 5, &rows), STORE_OK);
	assert_int_equal(rows.count, 1);
	assert_string_equal(rows.items[0].subject, "supplier/xinghai");
	assert_false(rows.more);
}

static void a_change_is_logged_with_what_was_there_before(void **state)
{
	struct fixture *f = *state;
	struct supplier supplier = {.id = "xinghai", .name = "new name"};
	struct audit_rows rows;
	int64_t version;

	add_supplier(f, "xinghai");
	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 1, &version),
	                 STORE_OK);
	assert_int_equal(store_audit_list(f->store, f->arena, 0, 5, &rows), STORE_OK);
	assert_int_equal(rows.count, 2);
	assert_null(rows.items[1].before);
	assert_string_equal(rows.items[0].before, rows.items[1].after);
	assert_string_not_equal(rows.items[0].before, rows.items[0].after);
}

/* Each as somebody with the file in his hands would do it, triggers out of the way. */
static void any_changed_dropped_or_reordered_audit_row_is_found(void **state)
{
	static const char *const changes[] = {
	    "UPDATE audit SET key_id = 'someone' WHERE id = 2",
	    "UPDATE audit SET at_us = at_us + 1 WHERE id = 2",
	    "UPDATE audit SET request_id = NULL WHERE id = 3",
	    "UPDATE audit SET action = 'sheet.withdraw' WHERE id = 3",
	    "UPDATE audit SET subject = 'sheet/9' WHERE id = 1",
	    "UPDATE audit SET before = after WHERE id = 4",
	    "UPDATE audit SET after = NULL WHERE id = 5",
	    "UPDATE audit SET hash = zeroblob(32) WHERE id = 5",
	    "UPDATE audit SET subject = subject || 'x', action = action || '' WHERE id = 2",
	    "DELETE FROM audit WHERE id = 1",
	    "DELETE FROM audit WHERE id = 3",
	    "DELETE FROM audit WHERE id = 5", /* the newest: the head knows */
	    "DELETE FROM audit",
	    "UPDATE audit SET id = 100 WHERE id = 2; UPDATE audit SET id = 2 WHERE id = 3;"
	    "UPDATE audit SET id = 3 WHERE id = 100",
	    "INSERT INTO audit SELECT 6, at_us, key_id, request_id, action, subject, before, after,"
	    " hash FROM audit WHERE id = 5",
	    "UPDATE meta SET audit_count = 4",
	    "UPDATE meta SET audit_hash = zeroblob(32)",
	};
	struct fixture *f = *state;
	char sql[512];

	fill(f);
	assert_int_equal(faults(f, NULL), 0);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		tamper(f, "CREATE TABLE kept AS SELECT * FROM audit;"
		          "CREATE TABLE kept_meta AS SELECT * FROM meta;"
		          "DROP TRIGGER audit_unchanged; DROP TRIGGER audit_kept");
		tamper(f, changes[i]);
		assert_non_null(open_store(f));
		assert_int_equal(faults(f, "audit_broken") > 0, true);
		snprintf(
		    sql, sizeof sql,
		    "DELETE FROM audit; INSERT INTO audit SELECT * FROM kept;"
		    "DELETE FROM meta; INSERT INTO meta SELECT * FROM kept_meta;"
		    "DROP TABLE kept; DROP TABLE kept_meta;"
		    "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT 1; END;"
		    "CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT 1; END");
		tamper(f, sql);
		assert_non_null(open_store(f));
		assert_int_equal(faults(f, NULL), 0);
	}
}

/* --- Verify ------------------------------------------------------------------------------- */

static void a_changed_upload_is_found(void **state)
{
	struct fixture *f = *state;

	fill(f);
	tamper(f, "DROP TRIGGER sheet_files_unchanged;"
	          "UPDATE sheet_files SET bytes = CAST(bytes || 'x' AS BLOB) WHERE sheet_id = 2");
	assert_non_null(open_store(f));
	assert_int_equal(faults(f, "sheet_changed"), 1);
	assert_string_equal(f->problems.items[0].value, "2");
}

static void a_changed_upload_with_a_matching_hash_is_found_by_the_log(void **state)
{
	struct fixture *f = *state;

	fill(f);
	/* ba78... is the SHA-256 of "abc". */
	tamper(f, "DROP TRIGGER sheet_files_unchanged; DROP TRIGGER sheets_unchanged;"
	          "UPDATE sheet_files SET bytes = CAST('abc' AS BLOB) WHERE sheet_id = 2;"
	          "UPDATE sheets SET sha256 ="
	          " x'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"
	          " WHERE id = 2");
	assert_non_null(open_store(f));
	assert_int_equal(faults(f, "sheet_changed"), 1);
}

static void missing_offers_are_found(void **state)
{
	struct fixture *f = *state;

	fill(f);
	tamper(f, "DROP TRIGGER offers_kept; DROP TRIGGER prices_kept;"
	          "DELETE FROM prices WHERE offer_id = 2; DELETE FROM offers WHERE id = 2");
	assert_non_null(open_store(f));
	assert_int_equal(faults(f, "sheet_incomplete"), 1);
}

static void a_broken_reference_is_found(void **state)
{
	struct fixture *f = *state;

	fill(f);
	tamper(f, "PRAGMA foreign_keys = OFF; DELETE FROM suppliers");
	assert_non_null(open_store(f));
	assert_true(faults(f, "reference_broken") >= 1);
}

static void a_damaged_page_is_found(void **state)
{
	struct fixture *f = *state;
	unsigned char junk[512];

	fill(f);
	for (size_t i = 1; i < 40; i++)
		add_sheet(f, "xinghai", 50);
	close_store(f);
	memset(junk, 0xa5, sizeof junk);
	int fd = open(f->path, O_RDWR);
	off_t size = lseek(fd, 0, SEEK_END);

	for (off_t at = size / 2 / 4096 * 4096; at < size; at += 4096) /* page headers */
		assert_int_equal(pwrite(fd, junk, sizeof junk, at), sizeof junk);
	close(fd);
	f->store = store_open(f->path, STORE_READ, &f->problems);
	if (f->store == NULL)
		return; /* found even earlier */
	problems_init(&f->problems, f->arena);
	enum store_result result = store_verify(f->store, &f->problems);

	assert_true(result != STORE_OK || has_problem(f, "database_damaged"));
}

/* --- Backup and restore ------------------------------------------------------------------- */

static void copy_path(const struct fixture *f, char path[static 96])
{
	snprintf(path, 96, "%s/copy", f->folder);
}

static void a_backup_is_one_private_file_with_everything_in_it(void **state)
{
	struct fixture *f = *state;
	char path[96];
	char side[112];
	struct stat status;
	struct stored_sheet sheet;

	fill(f);
	copy_path(f, path);
	assert_int_equal(store_backup(f->store, path), STORE_OK);
	assert_int_equal(store_backup(f->store, path), STORE_CONFLICT);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	snprintf(side, sizeof side, "%s-wal", path);
	assert_int_not_equal(access(side, F_OK), 0);
	snprintf(side, sizeof side, "%s.part", path);
	assert_int_not_equal(access(side, F_OK), 0);
	struct store *copy = store_open(path, STORE_READ, &f->problems);

	assert_non_null(copy);
	assert_int_equal(store_verify(copy, &f->problems), STORE_OK);
	assert_int_equal(f->problems.count, 0);
	assert_int_equal(store_sheet_current(copy, f->arena, "xinghai", &sheet), STORE_OK);
	assert_int_equal(sheet.revision, 4);
	store_close(copy);
}

struct busy_writer {
	struct fixture *f;
	atomic_bool stop;
};

static void *write_all_the_time(void *context)
{
	struct busy_writer *writer = context;

	while (!writer->stop) {
		struct sheet_new sheet = sample_sheet("xinghai", NULL, 0);
		int64_t id;

		if (store_sheet_add(writer->f->store, &operator_actor, &sheet, &id) != STORE_OK)
			abort();
	}
	return NULL;
}

/* Sheets have consecutive ids, so a whole prefix is one where the count equals the highest. */
static void backups_under_load_are_each_a_whole_prefix(void **state)
{
	struct fixture *f = *state;
	struct busy_writer writer = {.f = f};
	pthread_t thread;
	char path[96];
	int64_t last = 0;

	add_supplier(f, "xinghai");
	copy_path(f, path);
	assert_int_equal(pthread_create(&thread, NULL, write_all_the_time, &writer), 0);
	for (int i = 0; i < 20; i++) {
		struct fixture copy = {.arena = f->arena};

		assert_int_equal(store_backup(f->store, path), STORE_OK);
		snprintf(copy.path, sizeof copy.path, "%s", path);
		int64_t count = number_in_file(&copy, "SELECT count(*) FROM sheets");

		assert_true(count >= last);
		assert_int_equal(count,
		                 number_in_file(&copy, "SELECT coalesce(max(id), 0) FROM sheets"));
		assert_int_equal(count + 1, number_in_file(&copy, "SELECT revision FROM meta"));
		last = count;
		unlink(path);
	}
	writer.stop = true;
	pthread_join(thread, NULL);
	assert_true(last > 0);
}

static void a_running_database_is_not_replaced(void **state)
{
	struct fixture *f = *state;
	char path[96];

	fill(f);
	copy_path(f, path);
	assert_int_equal(store_backup(f->store, path), STORE_OK);
	assert_false(store_restore(path, f->path, &f->problems));
	assert_true(has_problem(f, "database_locked"));
	assert_int_equal(faults(f, NULL), 0);
}

static void a_restored_database_is_the_backup_and_the_old_one_is_kept(void **state)
{
	struct fixture *f = *state;
	char path[96];
	char side[112];
	struct stored_sheet sheet;

	fill(f);
	copy_path(f, path);
	assert_int_equal(store_backup(f->store, path), STORE_OK);
	add_sheet(f, "xinghai", 1); /* revision 5: not in the backup */
	close_store(f);
	/* What a crash would have left: stale, and fatal beside another database. */
	snprintf(side, sizeof side, "%s-wal", f->path);
	int fd = open(side, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(write(fd, "stale", 5), 5);
	close(fd);
	assert_true(store_restore(path, f->path, &f->problems));
	assert_int_not_equal(access(side, F_OK), 0);
	assert_non_null(open_store(f));
	assert_int_equal(faults(f, NULL), 0);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &sheet), STORE_OK);
	assert_int_equal(sheet.revision, 4);
	add_sheet(f, "xinghai", 1);
	snprintf(side, sizeof side, "%s.replaced", f->path);
	struct store *old = store_open(side, STORE_READ, &f->problems);

	assert_non_null(old);
	assert_int_equal(store_sheet_current(old, f->arena, "xinghai", &sheet), STORE_OK);
	assert_int_equal(sheet.revision, 5);
	store_close(old);
}

static void what_is_no_backup_replaces_nothing(void **state)
{
	struct fixture *f = *state;
	char path[96];

	fill(f);
	close_store(f);
	copy_path(f, path);
	assert_false(store_restore(path, f->path, &f->problems)); /* not there */
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(write(fd, "SQLite format 3 it is not", 25), 25);
	close(fd);
	assert_false(store_restore(path, f->path, &f->problems));
	assert_true(has_problem(f, "backup_damaged"));
	assert_non_null(open_store(f));
	assert_int_equal(faults(f, NULL), 0);
	assert_int_equal(number_in_file(f, "SELECT count(*) FROM sheets"), 4);
}

/* --- A full disk -------------------------------------------------------------------------- */

/* RLIMIT_FSIZE stands for it: the write beyond it fails just so, with another errno. */
static void a_full_disk_is_told_reads_go_on_and_it_heals(void **state)
{
	struct fixture *f = *state;
	struct rlimit old;
	struct stored_sheet sheet;
	struct price price = sample_price();
	struct offer *offers = sample_offers(f, 20000, &price);
	struct sheet_new big = sample_sheet("xinghai", offers, 20000);
	int64_t id;

	fill(f);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE,
	                           &(struct rlimit){.rlim_cur = 1 << 20, .rlim_max = old.rlim_max}),
	                 0);
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &big, &id), STORE_FULL);
	assert_int_equal(id, 0);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &sheet), STORE_OK);
	assert_int_equal(sheet.revision, 4);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &big, &id), STORE_OK);
	assert_int_equal(id, 5);
	assert_int_equal(faults(f, NULL), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(every_write_leaves_a_row_that_says_who_did_what),
	    TEST(a_change_is_logged_with_what_was_there_before),
	    TEST(any_changed_dropped_or_reordered_audit_row_is_found),
	    TEST(a_changed_upload_is_found),
	    TEST(a_changed_upload_with_a_matching_hash_is_found_by_the_log),
	    TEST(missing_offers_are_found),
	    TEST(a_broken_reference_is_found),
	    TEST(a_damaged_page_is_found),
	    TEST(a_backup_is_one_private_file_with_everything_in_it),
	    TEST(backups_under_load_are_each_a_whole_prefix),
	    TEST(a_running_database_is_not_replaced),
	    TEST(a_restored_database_is_the_backup_and_the_old_one_is_kept),
	    TEST(what_is_no_backup_replaces_nothing),
	    TEST(a_full_disk_is_told_reads_go_on_and_it_heals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
