/* test_store.c - opening, migrations, revisions, and the things that have versions. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/unit/store_fixture.h"

/* --- Opening ------------------------------------------------------------------------------ */

static void a_database_can_be_opened_again_and_keeps_what_it_held(void **state)
{
	struct fixture *f = *state;
	struct stored_supplier supplier;

	add_supplier(f, "xinghai");
	close_store(f);
	assert_non_null(open_store(f));
	assert_int_equal(store_supplier_get(f->store, f->arena, "xinghai", &supplier), STORE_OK);
	assert_string_equal(supplier.value.name, "示例供应商");
}

static void the_file_is_readable_by_its_owner_only(void **state)
{
	struct fixture *f = *state;
	struct stat status;

	assert_int_equal(stat(f->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
}

static void commits_are_synced_in_full_in_wal_mode(void **state)
{
	struct fixture *f = *state;

	close_store(f);
	assert_non_null(open_store(f));
	sqlite3 *db;
	sqlite3_stmt *statement;

	assert_int_equal(sqlite3_open_v2(f->path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &statement, NULL),
	                 SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(statement, 0), "wal");
	sqlite3_finalize(statement);
	sqlite3_close(db);
}

static void a_second_writer_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_null(store_open(f->path, STORE_WRITE, &f->problems));
	assert_true(has_problem(f, "database_locked"));
}

static void a_reader_beside_the_writer_reads_and_cannot_write(void **state)
{
	struct fixture *f = *state;
	struct store *reader = store_open(f->path, STORE_READ, &f->problems);
	struct supplier supplier = {.id = "other", .name = "other"};
	struct stored_supplier found;
	int64_t version;

	assert_non_null(reader);
	add_supplier(f, "xinghai");
	assert_int_equal(store_supplier_get(reader, f->arena, "xinghai", &found), STORE_OK);
	assert_int_equal(store_supplier_put(reader, &operator_actor, &supplier, -1, &version),
	                 STORE_FAILED);
	store_close(reader);
}

static void a_folder_that_is_not_there_is_a_problem_not_a_crash(void **state)
{
	struct fixture *f = *state;

	assert_null(store_open("/nonexistent/folder/db", STORE_WRITE, &f->problems));
	assert_null(store_open("/nonexistent/folder/db", STORE_READ, &f->problems));
	assert_int_equal(f->problems.errors, 2);
	assert_true(has_problem(f, "database_open"));
}

static void a_file_that_is_no_database_is_refused_and_left_alone(void **state)
{
	struct fixture *f = *state;
	char text[32] = "";

	close_store(f);
	unlink(f->path);
	int fd = open(f->path, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(write(fd, "these are not the bytes you want", 32), 32);
	close(fd);
	assert_null(open_store(f));
	fd = open(f->path, O_RDONLY);
	assert_int_equal(read(fd, text, 32), 32);
	close(fd);
	assert_memory_equal(text, "these are not the bytes you want", 32);
}

static void a_database_of_another_program_is_refused(void **state)
{
	struct fixture *f = *state;

	tamper(f, "PRAGMA application_id = 7");
	assert_null(open_store(f));
	assert_true(has_problem(f, "database_open"));
}

/* The process that ends here never closes: its commits are in the -wal only. */
static void what_a_crash_left_is_read_and_copied_without_a_writer(void **state)
{
	struct fixture *f = *state;
	struct stored_supplier found;
	char copy[96];
	int status;

	close_store(f);
	pid_t pid = fork();

	if (pid == 0) {
		struct supplier supplier = {.id = "xinghai", .name = "x"};
		int64_t version;

		_exit(open_store(f) != NULL &&
		              store_supplier_put(f->store, &operator_actor, &supplier, 0,
		                                 &version) == STORE_OK
		          ? 0
		          : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	f->store = store_open(f->path, STORE_READ, &f->problems);
	assert_non_null(f->store);
	assert_int_equal(store_supplier_get(f->store, f->arena, "xinghai", &found), STORE_OK);
	snprintf(copy, sizeof copy, "%s/copy", f->folder);
	assert_int_equal(store_backup(f->store, copy), STORE_OK);
	close_store(f);
	f->store = store_open(copy, STORE_READ, &f->problems);
	assert_non_null(f->store);
	assert_int_equal(store_supplier_get(f->store, f->arena, "xinghai", &found), STORE_OK);
}

static void without_descriptors_reads_fail_and_heal(void **state)
{
	struct fixture *f = *state;
	struct rlimit old;
	int64_t revision;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(
	    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 3, .rlim_max = old.rlim_max}), 0);
	assert_int_equal(store_revision(f->store, &revision), STORE_FAILED);
	assert_int_equal(store_ping(f->store), STORE_OK); /* its descriptors are open already */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(store_revision(f->store, &revision), STORE_OK);
}

static void ping_writes_durably(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(store_ping(f->store), STORE_OK);
	assert_int_equal(number_in_file(f, "SELECT pings FROM meta"), 1);
}

/* --- Migrations --------------------------------------------------------------------------- */

static void a_changed_migration_text_is_refused(void **state)
{
	struct fixture *f = *state;

	tamper(f, "UPDATE migrations SET sha256 = zeroblob(32) WHERE number = 2");
	assert_null(open_store(f));
	assert_true(has_problem(f, "migration_changed"));
}

static void a_database_of_a_newer_program_is_refused(void **state)
{
	struct fixture *f = *state;

	tamper(f, "INSERT INTO migrations VALUES (9999, '9999_future.sql', zeroblob(32), 0)");
	assert_null(open_store(f));
	assert_true(has_problem(f, "database_newer"));
	assert_null(store_open(f->path, STORE_READ, &f->problems));
}

static void a_gap_in_the_migrations_is_refused(void **state)
{
	struct fixture *f = *state;

	tamper(f, "DELETE FROM migrations WHERE number = 1");
	assert_null(open_store(f));
	assert_true(has_problem(f, "migration_changed"));
}

/* As before the migrations of quotes and of the rows of prices. */
#define WITHOUT_LAST_TWO                                                                           \
	"DROP TABLE quotes; ALTER TABLE prices DROP COLUMN row_number;"                            \
	" DELETE FROM migrations WHERE number >= 5"

static void an_older_database_is_migrated_by_the_writer_but_not_by_a_reader(void **state)
{
	struct fixture *f = *state;

	tamper(f, WITHOUT_LAST_TWO);
	assert_null(store_open(f->path, STORE_READ, &f->problems));
	assert_true(has_problem(f, "database_older"));
	assert_non_null(open_store(f));
	assert_int_equal(number_in_file(f, "SELECT count(*) FROM quotes"), 0);
}

static void a_migration_that_fails_leaves_nothing_behind(void **state)
{
	struct fixture *f = *state;

	/* Its second statement, the index, finds its name taken. */
	tamper(f, WITHOUT_LAST_TWO ";CREATE TABLE quotes_by_key (x)");
	assert_null(open_store(f));
	assert_int_equal(number_in_file(f, "SELECT count(*) FROM sqlite_schema"
	                                   " WHERE name = 'quotes'"),
	                 0);
	assert_int_equal(number_in_file(f, "SELECT count(*) FROM migrations"), 4);
}

/* --- Suppliers and sites ------------------------------------------------------------------ */

static void every_field_of_a_supplier_and_a_site_comes_back(void **state)
{
	struct fixture *f = *state;
	const struct supplier supplier = {.id = "xinghai",
	                                  .name = "星海算力（示例）",
	                                  .name_en = "Xinghai Compute (sample)",
	                                  .origin = ORIGIN_PUBLISHED,
	                                  .source = "where it says so",
	                                  .note = "备注 'quoted'"};
	const struct site site = {.id = "xinghai-dg1",
	                          .supplier = "xinghai",
	                          .name = "松山湖一号",
	                          .city = CITY_DONGGUAN,
	                          .city_name = "东莞",
	                          .pue_milli = 1290,
	                          .power_tier = "2n",
	                          .source = "the sheet"};
	struct stored_supplier s;
	struct stored_site t;
	int64_t version;

	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 0, &version),
	                 STORE_OK);
	assert_int_equal(version, 1);
	assert_int_equal(store_site_put(f->store, &operator_actor, &site, 0, &version), STORE_OK);
	assert_int_equal(store_supplier_get(f->store, f->arena, "xinghai", &s), STORE_OK);
	assert_string_equal(s.value.id, supplier.id);
	assert_string_equal(s.value.name, supplier.name);
	assert_string_equal(s.value.name_en, supplier.name_en);
	assert_int_equal(s.value.origin, supplier.origin);
	assert_string_equal(s.value.source, supplier.source);
	assert_string_equal(s.value.note, supplier.note);
	assert_int_equal(s.version, 1);
	assert_int_equal(s.updated_us, operator_actor.now_us);
	assert_int_equal(store_site_get(f->store, f->arena, "xinghai-dg1", &t), STORE_OK);
	assert_string_equal(t.value.id, site.id);
	assert_string_equal(t.value.supplier, site.supplier);
	assert_string_equal(t.value.name, site.name);
	assert_int_equal(t.value.city, site.city);
	assert_string_equal(t.value.city_name, site.city_name);
	assert_int_equal(t.value.pue_milli, site.pue_milli);
	assert_string_equal(t.value.power_tier, site.power_tier);
	assert_string_equal(t.value.source, site.source);
}

static void what_is_not_there_is_not_found(void **state)
{
	struct fixture *f = *state;
	struct site site = {.id = "s", .supplier = "nobody", .name = "s"};
	struct stored_supplier s;
	struct stored_site t;
	int64_t version;

	assert_int_equal(store_supplier_get(f->store, f->arena, "nobody", &s), STORE_NOT_FOUND);
	assert_int_equal(store_site_get(f->store, f->arena, "s", &t), STORE_NOT_FOUND);
	assert_int_equal(store_site_put(f->store, &operator_actor, &site, 0, &version),
	                 STORE_NOT_FOUND);
}

static void a_change_on_top_of_an_unseen_change_is_a_conflict(void **state)
{
	struct fixture *f = *state;
	struct supplier supplier = {.id = "xinghai", .name = "one"};
	struct stored_supplier found;
	int64_t version;

	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 0, &version),
	                 STORE_OK);
	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 0, &version),
	                 STORE_CONFLICT);
	supplier.name = "two";
	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 1, &version),
	                 STORE_OK);
	assert_int_equal(version, 2);
	supplier.name = "three";
	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 1, &version),
	                 STORE_CONFLICT);
	assert_int_equal(store_supplier_get(f->store, f->arena, "xinghai", &found), STORE_OK);
	assert_string_equal(found.value.name, "two");
}

static void lists_come_in_pages_in_order_and_end(void **state)
{
	struct fixture *f = *state;
	struct stored_suppliers page;
	const char *after = NULL;
	char id[16];
	int seen = 0;

	for (int i = 9; i >= 0; i--) {
		snprintf(id, sizeof id, "s%d", i);
		add_supplier(f, id);
	}
	do {
		assert_int_equal(store_suppliers_list(f->store, f->arena, after, 3, &page),
		                 STORE_OK);
		for (size_t i = 0; i < page.count; i++) {
			snprintf(id, sizeof id, "s%d", seen++);
			assert_string_equal(page.items[i].value.id, id);
		}
		after = page.count > 0 ? page.items[page.count - 1].value.id : after;
	} while (page.more);
	assert_int_equal(seen, 10);
	assert_int_equal(store_suppliers_list(f->store, f->arena, after, 3, &page), STORE_OK);
	assert_int_equal(page.count, 0);
}

/* --- Reference, tariffs, rates ------------------------------------------------------------ */

static void an_operators_card_comes_back_as_it_was_put_and_can_be_taken_away(void **state)
{
	struct fixture *f = *state;
	struct reference_row row = {
	    .kind = REFERENCE_CARD, .id = "x1", .csv = "id,name\nx1,卡一\n"};
	struct reference_rows rows;
	struct reference_row found;
	int64_t version;

	assert_int_equal(store_reference_put(f->store, &operator_actor, &row, 0, &version),
	                 STORE_OK);
	assert_int_equal(store_reference_get(f->store, f->arena, REFERENCE_CARD, "x1", &found),
	                 STORE_OK);
	assert_string_equal(found.csv, row.csv);
	assert_int_equal(found.version, 1);
	assert_int_equal(store_reference_list(f->store, f->arena, REFERENCE_CARD, &rows), STORE_OK);
	assert_int_equal(rows.count, 1);
	assert_int_equal(store_reference_list(f->store, f->arena, REFERENCE_MODEL, &rows),
	                 STORE_OK);
	assert_int_equal(rows.count, 0);
	assert_int_equal(
	    store_reference_delete(f->store, &operator_actor, REFERENCE_MODEL, "x1", -1),
	    STORE_NOT_FOUND);
	assert_int_equal(store_reference_delete(f->store, &operator_actor, REFERENCE_CARD, "x1", 7),
	                 STORE_CONFLICT);
	assert_int_equal(store_reference_delete(f->store, &operator_actor, REFERENCE_CARD, "x1", 1),
	                 STORE_OK);
	assert_int_equal(store_reference_get(f->store, f->arena, REFERENCE_CARD, "x1", &found),
	                 STORE_NOT_FOUND);
}

static void an_unknown_tariff_band_stays_unknown(void **state)
{
	struct fixture *f = *state;
	struct tariff tariff = {.id = "dg-2026-11",
	                        .city = CITY_DONGGUAN,
	                        .name = "1-10千伏",
	                        .hours_id = "guangdong-2021",
	                        .known = {true, true, true, false},
	                        .tax = TAX_INCLUDED,
	                        .valid_to = DATE_NONE,
	                        .origin = ORIGIN_PUBLISHED,
	                        .source = "somewhere"};
	struct stored_tariff found;
	struct stored_tariffs all;
	int64_t version;

	tariff.per_kwh[BAND_VALLEY] = money_from_micro(279900);
	tariff.per_kwh[BAND_FLAT] = money_from_micro(758400);
	tariff.per_kwh[BAND_PEAK] = money_from_micro(1437600);
	assert_true(date_parse("2026-11-01", &tariff.valid_from));
	assert_int_equal(store_tariff_put(f->store, &operator_actor, &tariff, 0, &version),
	                 STORE_OK);
	assert_int_equal(store_tariff_get(f->store, f->arena, "dg-2026-11", &found), STORE_OK);
	assert_int_equal(found.value.city, CITY_DONGGUAN);
	assert_string_equal(found.value.name, tariff.name);
	assert_string_equal(found.value.hours_id, tariff.hours_id);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		assert_int_equal(found.value.known[band], tariff.known[band]);
		assert_int_equal(money_compare(found.value.per_kwh[band], tariff.per_kwh[band]), 0);
	}
	assert_int_equal(found.value.tax, TAX_INCLUDED);
	assert_int_equal(found.value.valid_from.days, tariff.valid_from.days);
	assert_true(date_is_none(found.value.valid_to));
	assert_int_equal(found.value.origin, ORIGIN_PUBLISHED);
	assert_string_equal(found.value.source, "somewhere");
	assert_int_equal(store_tariff_delete(f->store, &operator_actor, "dg-2026-11", 1), STORE_OK);
	assert_int_equal(store_tariffs_list(f->store, f->arena, &all), STORE_OK);
	assert_int_equal(all.count, 0);
}

static void a_rate_is_exact_and_a_second_for_the_day_replaces_the_first(void **state)
{
	struct fixture *f = *state;
	struct fx_rate rate = {.currency = "USD", .on = {20787}, .source = "a bank"};
	struct fx_rates rates;

	rate.per_unit = money_from_micro(7123400);
	assert_int_equal(store_fx_put(f->store, &operator_actor, &rate), STORE_OK);
	rate.per_unit = money_from_micro(7123456);
	assert_int_equal(store_fx_put(f->store, &operator_actor, &rate), STORE_OK);
	rate.on.days--;
	assert_int_equal(store_fx_put(f->store, &operator_actor, &rate), STORE_OK);
	assert_int_equal(store_fx_list(f->store, f->arena, &rates), STORE_OK);
	assert_int_equal(rates.count, 2);
	assert_int_equal(rates.items[0].on.days, 20786);
	assert_string_equal(rates.items[1].currency, "USD");
	assert_int_equal(money_to_micro(rates.items[1].per_unit), 7123456);
	assert_string_equal(rates.items[1].source, "a bank");
}

/* --- Revision ----------------------------------------------------------------------------- */

static void the_revision_rises_with_what_a_plan_can_see_and_with_nothing_else(void **state)
{
	struct fixture *f = *state;
	struct fx_rate rate = {.currency = "USD", .on = {20787}};
	struct api_key key = {.role = "buyer"};
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE];
	struct supplier supplier = {.id = "xinghai", .name = "x"};
	int64_t version;
	int64_t sheet;

	assert_int_equal(revision_of(f), 0);
	add_supplier(f, "xinghai");
	assert_int_equal(revision_of(f), 1);
	sheet = add_sheet(f, "xinghai", 1);
	assert_int_equal(revision_of(f), 2);
	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, sheet), STORE_OK);
	assert_int_equal(revision_of(f), 3);
	rate.per_unit = money_from_yuan(7);
	assert_int_equal(store_fx_put(f->store, &operator_actor, &rate), STORE_OK);
	assert_int_equal(revision_of(f), 4);
	/* Not these: */
	assert_int_equal(store_key_create(f->store, &operator_actor, &key, id, text), STORE_OK);
	assert_int_equal(store_ping(f->store), STORE_OK);
	assert_int_equal(store_supplier_put(f->store, &operator_actor, &supplier, 0, &version),
	                 STORE_CONFLICT);
	assert_int_equal(revision_of(f), 4);
	close_store(f);
	assert_non_null(open_store(f));
	assert_int_equal(revision_of(f), 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_database_can_be_opened_again_and_keeps_what_it_held),
	    TEST(the_file_is_readable_by_its_owner_only),
	    TEST(commits_are_synced_in_full_in_wal_mode),
	    TEST(a_second_writer_is_refused),
	    TEST(a_reader_beside_the_writer_reads_and_cannot_write),
	    TEST(a_folder_that_is_not_there_is_a_problem_not_a_crash),
	    TEST(a_file_that_is_no_database_is_refused_and_left_alone),
	    TEST(a_database_of_another_program_is_refused),
	    TEST(what_a_crash_left_is_read_and_copied_without_a_writer),
	    TEST(without_descriptors_reads_fail_and_heal),
	    TEST(ping_writes_durably),
	    TEST(a_changed_migration_text_is_refused),
	    TEST(a_database_of_a_newer_program_is_refused),
	    TEST(a_gap_in_the_migrations_is_refused),
	    TEST(an_older_database_is_migrated_by_the_writer_but_not_by_a_reader),
	    TEST(a_migration_that_fails_leaves_nothing_behind),
	    TEST(every_field_of_a_supplier_and_a_site_comes_back),
	    TEST(what_is_not_there_is_not_found),
	    TEST(a_change_on_top_of_an_unseen_change_is_a_conflict),
	    TEST(lists_come_in_pages_in_order_and_end),
	    TEST(an_operators_card_comes_back_as_it_was_put_and_can_be_taken_away),
	    TEST(an_unknown_tariff_band_stays_unknown),
	    TEST(a_rate_is_exact_and_a_second_for_the_day_replaces_the_first),
	    TEST(the_revision_rises_with_what_a_plan_can_see_and_with_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
