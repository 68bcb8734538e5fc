/*
 * store_fixture.h - what the tests of the store share: a database in a folder of its own, things to
 * put into it, and a back door to the file.
 */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/log.h"
#include "store/store.h"

struct fixture {
	char folder[64];
	char path[96];
	struct arena *arena;
	struct problems problems;
	struct store *store;
};

static const struct store_actor operator_actor = {
    .key_id = "cli", .request_id = "r-1", .now_us = 1796000000000000};

static inline struct store *open_store(struct fixture *f)
{
	f->store = store_open(f->path, STORE_WRITE, &f->problems);
	return f->store;
}

static inline int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	log_setup(LOG_ERROR + 1, LOG_FORMAT_TEXT); /* failures are provoked here on purpose */
	snprintf(f->folder, sizeof f->folder, "/tmp/suanjia-test-XXXXXX");
	if (mkdtemp(f->folder) == NULL)
		return -1;
	snprintf(f->path, sizeof f->path, "%s/db", f->folder);
	f->arena = arena_create();
	problems_init(&f->problems, f->arena);
	*state = f;
	return open_store(f) == NULL ? -1 : 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	store_close(f->store);
	DIR *folder = opendir(f->folder);

	for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
		unlinkat(dirfd(folder), entry->d_name, 0);
	closedir(folder);
	rmdir(f->folder);
	arena_destroy(f->arena);
	free(f);
	return 0;
}

static inline void close_store(struct fixture *f)
{
	store_close(f->store);
	f->store = NULL;
}

/* Closes the store and runs SQL on the file behind its back. */
static inline void tamper(struct fixture *f, const char *sql)
{
	sqlite3 *db;

	close_store(f);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The single number that SQL gives, read beside the running store. */
static inline int64_t number_in_file(const struct fixture *f, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *statement;

	assert_int_equal(sqlite3_open_v2(f->path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	int64_t number = sqlite3_column_int64(statement, 0);

	sqlite3_finalize(statement);
	sqlite3_close(db);
	return number;
}

static inline bool has_problem(const struct fixture *f, const char *code)
{
	for (size_t i = 0; i < f->problems.count; i++)
		if (strcmp(f->problems.items[i].code, code) == 0)
			return true;
	return false;
}

/* The fictitious supplier "xinghai". */
static inline void add_supplier(struct fixture *f, const char *id)
{
	struct supplier supplier = {.id = id, .name = "示例供应商", .origin = ORIGIN_SAMPLE};
	int64_t version;

	assert_int_equal(
	    store_supplier_put(f->store, &operator_actor, &supplier, STORE_ANY_VERSION, &version),
	    STORE_OK);
}

static inline struct price sample_price(void)
{
	return (struct price){.item = ITEM_COMPUTE,
	                      .term = TERM_MONTHLY,
	                      .amount = money_from_yuan(76000),
	                      .unit = {PER_CARD, 8, PERIOD_MONTH, 1},
	                      .currency = "CNY",
	                      .tax = TAX_INCLUDED,
	                      .tax_rate_bp = 600,
	                      .as_quoted = "7.6",
	                      .unit_text = "万元/8卡/月",
	                      .column = 6,
	                      .normalised_unit = UNIT_CARD_HOUR,
	                      .normalised = money_from_micro(13194444)};
}

/* COUNT offers of a card, each with PRICE; in the fixture's arena. */
static inline struct offer *sample_offers(struct fixture *f, size_t count, struct price *price)
{
	struct offer *offers = arena_array(f->arena, struct offer, count);

	for (size_t i = 0; i < count; i++) {
		offers[i] = offer_blank();
		offers[i].row = (int)i + 2;
		offers[i].kind = OFFER_RENTAL;
		offers[i].card = "h100-sxm";
		offers[i].title = "H100 SXM 8卡整机";
		offers[i].cards_per_server = 8;
		offers[i].city = CITY_SHENZHEN;
		offers[i].city_name = "深圳";
		offers[i].prices = price;
		offers[i].price_count = 1;
	}
	return offers;
}

/* A sheet of SUPPLIER with these offers. */
static inline struct sheet_new sample_sheet(const char *supplier, const struct offer *offers,
                                            size_t count)
{
	static const char bytes[] = "型号,价格\nH100,7.6万元/8卡/月\n";

	return (struct sheet_new){.supplier = supplier,
	                          .filename = "报价 2026.csv",
	                          .media_type = "text/csv",
	                          .format = "csv",
	                          .encoding = "gb18030",
	                          .bytes = bytes,
	                          .size = sizeof bytes - 1,
	                          .problems_json = "[]",
	                          .offers = offers,
	                          .offer_count = count};
}

/* Uploads COUNT like offers for SUPPLIER; answers the sheet's id. */
static inline int64_t add_sheet(struct fixture *f, const char *supplier, size_t count)
{
	struct price price = sample_price();
	struct offer *offers = sample_offers(f, count, &price);
	struct sheet_new sheet = sample_sheet(supplier, offers, count);
	int64_t id;

	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	return id;
}

static inline int64_t revision_of(struct fixture *f)
{
	int64_t revision = -1;

	assert_int_equal(store_revision(f->store, &revision), STORE_OK);
	return revision;
}

#endif
