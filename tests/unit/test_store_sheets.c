/* test_store_sheets.c - uploads and offers: whole or not at all, and every field exactly. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "tests/unit/same_offer.h"
#include "tests/unit/store_fixture.h"

/* --- Every field -------------------------------------------------------------------------- */

static struct price full_price(int seed)
{
	return (struct price){
	    .item = (enum price_item)(seed % PRICE_ITEM_COUNT),
	    .term = (enum price_term)(seed % PRICE_TERM_COUNT),
	    .amount = money_from_micro(INT64_MAX - seed),
	    .unit = {(enum per)(seed % PER_COUNT), 8 + seed, (enum period)(seed % PERIOD_COUNT),
	             30},
	    .currency = "USD",
	    .tax = (enum tax_basis)(seed % TAX_BASIS_COUNT),
	    .tax_rate_bp = 600 + seed,
	    .min_quantity = 2 + seed,
	    .has_low = seed % 2 == 0,
	    .low = seed % 2 == 0 ? money_from_micro(-1 - seed) : money_zero(),
	    .as_quoted = "7.60万",
	    .unit_text = "万元/8卡/月（含税）",
	    .column = 6 + seed,
	    .row = seed % 2 == 0 ? 0 : 9 + seed,
	    .normalised_unit = (enum normalised_unit)(seed % NORMALISED_UNIT_COUNT),
	    .normalised = money_from_micro(13194444 + seed),
	    .normalised_low = seed % 2 == 0 ? money_from_micro(9000000 + seed) : money_zero(),
	};
}

/* Each field another value, driven by SEED; -1 and NULL too. */
static struct offer full_offer(int seed, struct price *prices, int price_count)
{
	return (struct offer){.sheet_name = seed % 3 == 0 ? NULL : "GPU 报价",
	                      .row = 5 + seed,
	                      .kind = (enum offer_kind)(seed % OFFER_KIND_COUNT),
	                      .origin = (enum origin)(seed % ORIGIN_COUNT),
	                      .source = seed % 4 == 0 ? NULL : "https://example.com/价",
	                      .observed_on = {20787 + seed},
	                      .card = seed % 5 == 0 ? NULL : "h100-sxm",
	                      .title = "H100 \"SXM\" 8卡, 整机",
	                      .cards_per_server = 8 + seed,
	                      .servers_available = seed - 1,
	                      .city = (enum city)(seed % CITY_COUNT),
	                      .city_name = "东莞",
	                      .site = "松山湖",
	                      .delivery = (enum delivery)(seed % DELIVERY_COUNT),
	                      .intra_link = (enum intra_link)(seed % INTRA_LINK_COUNT),
	                      .inter_link = (enum inter_link)(seed % INTER_LINK_COUNT),
	                      .inter_gbps = 3200.1 + seed / 3.0,
	                      .cabinet_watts = 2640 + ((int64_t)1 << 40),
	                      .cabinet_u = 42 + seed,
	                      .power_billing = (enum power_billing)(seed % POWER_BILLING_COUNT),
	                      .line = "bgp",
	                      .mbps_included = seed - 1,
	                      .ips_included = seed + 1,
	                      .min_term_months = seed + 2,
	                      .availability_ppm = 999000 + seed,
	                      .replacement_minutes = 240 + seed,
	                      .support_24x7 = (enum yes_no)(seed % 3),
	                      .new_cards = (enum yes_no)((seed + 1) % 3),
	                      .card_age_months = seed - 1,
	                      .power_tier = "n+1",
	                      .service_tier = "managed",
	                      .licences = "IDC/ISP",
	                      .pue_milli = 1300 + seed,
	                      .valid_from = seed % 2 == 0 ? DATE_NONE : (struct date){20000 + seed},
	                      .valid_to = seed % 2 == 0 ? (struct date){21000 - seed} : DATE_NONE,
	                      .note = "多行\n备注",
	                      .prices = prices,
	                      .price_count = price_count};
}

#define FULL_COUNT 2500 /* more than the walk shows before it frees the texts of prices */

struct full {
	struct price prices[4];
	struct offer offers[FULL_COUNT];
	int seen;
};

static bool compare_with_full(void *context, const struct offer *offer)
{
	struct full *full = context;

	assert_same_offer(offer, &full->offers[full->seen]);
	assert_string_equal(offer->supplier, "xinghai");
	assert_string_equal(offer->supplier_name, "示例供应商");
	assert_int_equal(offer->id, full->seen + 1);
	assert_int_equal(offer->sheet_id, 1);
	full->seen++;
	return true;
}

static void every_field_of_an_offer_and_its_prices_comes_back(void **state)
{
	struct fixture *f = *state;
	struct full *full = arena_new(f->arena, struct full);
	struct offer_query all = OFFER_QUERY_ANY;
	struct stored_offers page;
	struct stored_offer one;
	int64_t id;
	int64_t revision;

	for (int i = 0; i < 4; i++)
		full->prices[i] = full_price(i);
	for (int i = 0; i < FULL_COUNT; i++) /* 0 to 4 prices */
		full->offers[i] = full_offer(i, full->prices, i % 5);
	struct sheet_new sheet = sample_sheet("xinghai", full->offers, FULL_COUNT);

	add_supplier(f, "xinghai");
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	assert_int_equal(store_offers_each(f->store, &revision, compare_with_full, full), STORE_OK);
	assert_int_equal(full->seen, FULL_COUNT);
	assert_int_equal(revision, 2);
	full->seen = 0;
	assert_int_equal(store_sheet_offers_each(f->store, id, compare_with_full, full), STORE_OK);
	assert_int_equal(full->seen, FULL_COUNT);
	assert_int_equal(store_offers_list(f->store, f->arena, &all, &page), STORE_OK);
	assert_int_equal(page.count, 100);
	assert_true(page.more);
	for (int i = 0; i < 100; i++)
		assert_same_offer(&page.items[i].value, &full->offers[i]);
	assert_int_equal(store_offer_get(f->store, f->arena, 17, &one), STORE_OK);
	assert_same_offer(&one.value, &full->offers[16]);
	assert_string_equal(one.value.supplier_name, "示例供应商");
}

static void every_price_item_term_and_unit_comes_back(void **state)
{
	struct fixture *f = *state;
	struct price prices[60];
	struct offer offer = full_offer(1, prices, 60);
	struct sheet_new sheet = sample_sheet("xinghai", &offer, 1);
	struct stored_offer found;
	int64_t id;

	for (int i = 0; i < 60; i++)
		prices[i] = full_price(i);
	add_supplier(f, "xinghai");
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	assert_int_equal(store_offer_get(f->store, f->arena, 1, &found), STORE_OK);
	assert_same_offer(&found.value, &offer);
}

static void every_field_of_a_sheet_and_its_bytes_come_back(void **state)
{
	struct fixture *f = *state;
	static const char bytes[] = "a\0b\xff\xfe binary";
	struct sheet_new sheet = {.supplier = "xinghai",
	                          .filename = "../../报价.xlsx",
	                          .media_type = "application/x",
	                          .format = "xlsx",
	                          .bytes = bytes,
	                          .size = sizeof bytes,
	                          .problems_json = "[{\"row\":3}]",
	                          .tables_json = "[{\"header_row\":1}]",
	                          .errors = 1,
	                          .warnings = 2,
	                          .skipped = 3};
	struct stored_sheet found;
	const void *original;
	size_t size;
	const char *problems;
	const char *tables;
	int64_t id;

	add_supplier(f, "xinghai");
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	assert_int_equal(store_sheet_get(f->store, f->arena, id, &found), STORE_OK);
	assert_string_equal(found.supplier, "xinghai");
	assert_int_equal(found.revision, 1);
	assert_int_equal(found.status, SHEET_CURRENT);
	assert_string_equal(found.filename, sheet.filename);
	assert_string_equal(found.media_type, sheet.media_type);
	assert_string_equal(found.format, "xlsx");
	assert_null(found.encoding);
	assert_true(sha256_equal(found.hash, sha256_of(bytes, sizeof bytes)));
	assert_int_equal(found.size, sizeof bytes);
	assert_int_equal(found.errors, 1);
	assert_int_equal(found.warnings, 2);
	assert_int_equal(found.skipped, 3);
	assert_int_equal(found.offer_count, 0);
	assert_int_equal(found.uploaded_us, operator_actor.now_us);
	assert_string_equal(found.key_id, "cli");
	assert_int_equal(found.ended_us, 0);
	assert_int_equal(store_sheet_original(f->store, f->arena, id, &original, &size), STORE_OK);
	assert_int_equal(size, sizeof bytes);
	assert_memory_equal(original, bytes, size);
	assert_int_equal(store_sheet_reading(f->store, f->arena, id, &problems, &tables), STORE_OK);
	assert_string_equal(problems, sheet.problems_json);
	assert_string_equal(tables, sheet.tables_json);
}

static void an_empty_upload_keeps_its_zero_bytes(void **state)
{
	struct fixture *f = *state;
	struct sheet_new sheet = sample_sheet("xinghai", NULL, 0);
	const void *original;
	size_t size = 7;
	int64_t id;

	sheet.bytes = NULL;
	sheet.size = 0;
	add_supplier(f, "xinghai");
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	assert_int_equal(store_sheet_original(f->store, f->arena, id, &original, &size), STORE_OK);
	assert_int_equal(size, 0);
}

/* --- Revisions of a sheet ----------------------------------------------------------------- */

static bool count_offer(void *context, const struct offer *offer)
{
	(void)offer;
	++*(int *)context;
	return true;
}

static int current_offers(struct fixture *f)
{
	int count = 0;
	int64_t revision;

	assert_int_equal(store_offers_each(f->store, &revision, count_offer, &count), STORE_OK);
	return count;
}

static void a_new_sheet_takes_the_place_of_the_suppliers_last_one(void **state)
{
	struct fixture *f = *state;
	struct stored_sheet sheet;

	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	int64_t other = add_sheet(f, "yunhe", 5);
	int64_t first = add_sheet(f, "xinghai", 3);
	int64_t second = add_sheet(f, "xinghai", 4);

	assert_int_equal(current_offers(f), 9);
	assert_int_equal(store_sheet_get(f->store, f->arena, first, &sheet), STORE_OK);
	assert_int_equal(sheet.status, SHEET_SUPERSEDED);
	assert_int_equal(sheet.ended_us, operator_actor.now_us);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &sheet), STORE_OK);
	assert_int_equal(sheet.id, second);
	assert_int_equal(sheet.revision, 2);
	assert_int_equal(store_sheet_current(f->store, f->arena, "yunhe", &sheet), STORE_OK);
	assert_int_equal(sheet.id, other);
}

static void a_withdrawn_sheet_leaves_and_nothing_comes_back(void **state)
{
	struct fixture *f = *state;
	struct stored_sheet sheet;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 3);
	int64_t second = add_sheet(f, "xinghai", 4);

	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, second), STORE_OK);
	assert_int_equal(current_offers(f), 0);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &sheet),
	                 STORE_NOT_FOUND);
	assert_int_equal(store_sheet_get(f->store, f->arena, second, &sheet), STORE_OK);
	assert_int_equal(sheet.status, SHEET_WITHDRAWN);
	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, second), STORE_CONFLICT);
	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, 999), STORE_NOT_FOUND);
	add_sheet(f, "xinghai", 1);
	assert_int_equal(current_offers(f), 1);
}

static void a_sheet_of_an_unknown_supplier_is_not_found(void **state)
{
	struct fixture *f = *state;
	struct sheet_new sheet = sample_sheet("nobody", NULL, 0);
	struct stored_sheet found;
	int64_t id;

	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_NOT_FOUND);
	assert_int_equal(store_sheet_get(f->store, f->arena, 1, &found), STORE_NOT_FOUND);
	assert_int_equal(revision_of(f), 0);
}

static void the_file_itself_refuses_to_change_what_was_uploaded(void **state)
{
	static const char *const attempts[] = {
	    "UPDATE offers SET row = 1",          "DELETE FROM offers",
	    "UPDATE prices SET item = 1",         "DELETE FROM prices",
	    "UPDATE sheets SET size = 1",         "DELETE FROM sheets",
	    "UPDATE sheet_files SET bytes = x''", "DELETE FROM sheet_files",
	    "UPDATE audit SET action = ''",       "DELETE FROM audit"};
	struct fixture *f = *state;
	sqlite3 *db;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 2);
	close_store(f);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++)
		assert_int_equal(sqlite3_exec(db, attempts[i], NULL, NULL, NULL),
		                 SQLITE_CONSTRAINT);
	sqlite3_close(db);
}

/* --- All or nothing ----------------------------------------------------------------------- */

/* Whatever statement fails, nothing of the upload is there and the last sheet stays current. */
static void an_upload_that_fails_anywhere_leaves_no_trace(void **state)
{
	static const char *const triggers[] = {"BEFORE UPDATE ON sheets",
	                                       "BEFORE INSERT ON sheets",
	                                       "BEFORE INSERT ON sheet_files",
	                                       "BEFORE INSERT ON offers WHEN NEW.row = 2",
	                                       "BEFORE INSERT ON offers WHEN NEW.row = 21",
	                                       "BEFORE INSERT ON prices WHEN NEW.offer_id = 23",
	                                       "BEFORE INSERT ON audit",
	                                       "BEFORE UPDATE OF revision ON meta",
	                                       "BEFORE UPDATE OF audit_count ON meta"};
	struct fixture *f = *state;
	struct price price = sample_price();
	struct offer *offers = sample_offers(f, 20, &price);
	struct sheet_new sheet = sample_sheet("xinghai", offers, 20);
	char sql[256];
	int64_t id;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 3);
	for (size_t i = 0; i < sizeof triggers / sizeof triggers[0]; i++) {
		snprintf(sql, sizeof sql,
		         "CREATE TRIGGER boom %s BEGIN SELECT RAISE(ABORT, 'boom'); END",
		         triggers[i]);
		tamper(f, sql);
		assert_non_null(open_store(f));
		assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id),
		                 STORE_FAILED);
		assert_int_equal(id, 0);
		assert_int_equal(current_offers(f), 3);
		assert_int_equal(revision_of(f), 2);
		assert_int_equal(number_in_file(f, "SELECT count(*) FROM sheets"), 1);
		assert_int_equal(number_in_file(f, "SELECT count(*) FROM sheet_files"), 1);
		assert_int_equal(number_in_file(f, "SELECT count(*) FROM prices"), 3);
		assert_int_equal(number_in_file(f, "SELECT count(*) FROM audit"), 2);
		tamper(f, "DROP TRIGGER boom");
		assert_non_null(open_store(f));
	}
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);
	assert_int_equal(current_offers(f), 20);
}

/* --- Lists and histories ------------------------------------------------------------------ */

static void offers_are_found_by_each_filter(void **state)
{
	struct fixture *f = *state;
	struct price price = sample_price();
	struct offer *offers = sample_offers(f, 6, &price);
	struct sheet_new sheet = sample_sheet("xinghai", offers, 6);
	struct stored_offers found;
	int64_t id;

	offers[1].card = "a100-80-sxm";
	offers[2].city = CITY_DONGGUAN;
	offers[3].kind = OFFER_PURCHASE;
	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	add_sheet(f, "xinghai", 2);
	add_sheet(f, "yunhe", 3);
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &id), STORE_OK);

	struct offer_query query = OFFER_QUERY_ANY;

#define COUNT_OF(expected)                                                                         \
	assert_int_equal(store_offers_list(f->store, f->arena, &query, &found), STORE_OK);         \
	assert_int_equal(found.count, expected);                                                   \
	query = OFFER_QUERY_ANY
	COUNT_OF(11);
	query.current_only = true;
	COUNT_OF(9);
	query.supplier = "yunhe";
	COUNT_OF(3);
	query.card = "a100-80-sxm";
	COUNT_OF(1);
	query.card = "h100-sxm";
	query.supplier = "xinghai";
	query.current_only = true;
	COUNT_OF(5);
	query.city = CITY_DONGGUAN;
	COUNT_OF(1);
	query.kind = OFFER_PURCHASE;
	COUNT_OF(1);
	query.kind = OFFER_RENTAL; /* which is 0 */
	COUNT_OF(10);
	query.sheet_id = id;
	COUNT_OF(6);
	query.after = 9;
	COUNT_OF(2);
#undef COUNT_OF
}

static void pages_of_offers_cover_each_once(void **state)
{
	struct fixture *f = *state;
	struct offer_query query = OFFER_QUERY_ANY;
	struct stored_offers page;
	int seen = 0;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 25);
	query.limit = 10;
	do {
		assert_int_equal(store_offers_list(f->store, f->arena, &query, &page), STORE_OK);
		for (size_t i = 0; i < page.count; i++)
			assert_int_equal(page.items[i].value.id, ++seen);
		query.after = seen;
	} while (page.more);
	assert_int_equal(seen, 25);
}

static void sheets_are_listed_newest_first(void **state)
{
	struct fixture *f = *state;
	struct sheet_query query = {.supplier = "xinghai", .limit = 2};
	struct stored_sheets page;

	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	add_sheet(f, "xinghai", 1);
	add_sheet(f, "yunhe", 1);
	add_sheet(f, "xinghai", 1);
	add_sheet(f, "xinghai", 1);
	assert_int_equal(store_sheets_list(f->store, f->arena, &query, &page), STORE_OK);
	assert_int_equal(page.count, 2);
	assert_int_equal(page.items[0].id, 4);
	assert_int_equal(page.items[1].id, 3);
	assert_true(page.more);
	query.after = 3;
	assert_int_equal(store_sheets_list(f->store, f->arena, &query, &page), STORE_OK);
	assert_int_equal(page.count, 1);
	assert_int_equal(page.items[0].id, 1);
	assert_false(page.more);
}

static void an_offer_has_a_history_over_the_sheets_of_its_supplier(void **state)
{
	struct fixture *f = *state;
	struct stored_offers found;

	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	add_sheet(f, "xinghai", 1);                     /* offer 1 */
	int64_t withdrawn = add_sheet(f, "xinghai", 1); /* offer 2 */
	add_sheet(f, "yunhe", 1);                       /* offer 3: another supplier's */
	add_sheet(f, "xinghai", 1);                     /* offer 4 */
	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, withdrawn), STORE_OK);
	assert_int_equal(store_offer_history(f->store, f->arena, 4, 10, &found), STORE_OK);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.items[0].value.id, 4);
	assert_int_equal(found.items[0].status, SHEET_CURRENT);
	assert_int_equal(found.items[1].value.id, 1);
	assert_int_equal(found.items[1].value.price_count, 1);
	assert_int_equal(found.items[1].status, SHEET_SUPERSEDED);
}

static void the_prices_of_a_card_are_remembered_with_their_time(void **state)
{
	struct fixture *f = *state;
	struct price_query query = {.card = "h100-sxm", .limit = 100};
	struct price_points found;

	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	add_sheet(f, "xinghai", 1);
	add_sheet(f, "xinghai", 2);
	assert_int_equal(store_sheet_withdraw(f->store, &operator_actor, add_sheet(f, "yunhe", 1)),
	                 STORE_OK);
	assert_int_equal(store_price_history(f->store, f->arena, &query, &found), STORE_OK);
	assert_int_equal(found.count, 3);
	assert_int_equal(found.items[0].offer_id, 3);
	assert_int_equal(found.items[0].to_us, 0);
	assert_int_equal(found.items[2].offer_id, 1);
	assert_int_equal(found.items[2].to_us, operator_actor.now_us);
	assert_int_equal(found.items[2].item, ITEM_COMPUTE);
	assert_int_equal(found.items[2].term, TERM_MONTHLY);
	assert_int_equal(money_to_micro(found.items[2].amount), 13194444);
	assert_string_equal(found.items[2].currency, "CNY");
	query.since_us = operator_actor.now_us + 1;
	assert_int_equal(store_price_history(f->store, f->arena, &query, &found), STORE_OK);
	assert_int_equal(found.count, 2);
	query.supplier = "yunhe";
	assert_int_equal(store_price_history(f->store, f->arena, &query, &found), STORE_OK);
	assert_int_equal(found.count, 0);
}

static void the_catalogue_is_read_whole_at_one_revision(void **state)
{
	struct fixture *f = *state;
	struct store_catalogue catalogue;
	int count = 0;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 7);
	assert_int_equal(store_catalogue_load(f->store, f->arena, &catalogue, count_offer, &count),
	                 STORE_OK);
	assert_int_equal(catalogue.revision, 2);
	assert_int_equal(catalogue.suppliers.count, 1);
	assert_int_equal(catalogue.offer_count, 7);
	assert_int_equal(count, 7);
}

static bool stop_at_third(void *context, const struct offer *offer)
{
	(void)offer;
	return ++*(int *)context < 3;
}

static void a_walk_ends_where_the_visitor_says_so(void **state)
{
	struct fixture *f = *state;
	int64_t revision;
	int seen = 0;

	add_supplier(f, "xinghai");
	add_supplier(f, "yunhe");
	add_sheet(f, "xinghai", 2);
	add_sheet(f, "yunhe", 5);
	assert_int_equal(store_offers_each(f->store, &revision, stop_at_third, &seen), STORE_OK);
	assert_int_equal(seen, 3);
	assert_int_equal(store_sheet_offers_each(f->store, 99, stop_at_third, &seen),
	                 STORE_NOT_FOUND);
	/* The connection is as good as before. */
	assert_int_equal(current_offers(f), 7);
}

static void a_value_that_no_enum_has_is_refused_not_believed(void **state)
{
	struct fixture *f = *state;
	struct stored_offer offer;
	int64_t revision;
	int seen = 0;

	add_supplier(f, "xinghai");
	add_sheet(f, "xinghai", 2);
	tamper(f, "DROP TRIGGER offers_unchanged; UPDATE offers SET kind = 99 WHERE id = 2");
	assert_non_null(open_store(f));
	assert_int_equal(store_offers_each(f->store, &revision, count_offer, &seen), STORE_FAILED);
	assert_int_equal(seen, 1);
	assert_int_equal(store_offer_get(f->store, f->arena, 2, &offer), STORE_FAILED);
	assert_int_equal(store_offer_get(f->store, f->arena, 1, &offer), STORE_OK);
}

/* --- Many at once ------------------------------------------------------------------------- */

/* Every sheet of "busy" has as many offers as its revision: a torn read would show another. */
struct crowd {
	struct fixture *f;
	atomic_bool stop;
	atomic_int reads;
};

static void *read_all_the_time(void *context)
{
	struct crowd *crowd = context;
	struct arena *arena = arena_create();

	while (!crowd->stop) {
		struct store_catalogue catalogue;
		int count = 0;

		if (store_catalogue_load(crowd->f->store, arena, &catalogue, count_offer, &count) !=
		        STORE_OK ||
		    count != catalogue.offer_count ||
		    (count > 0 && catalogue.revision != count + 1))
			abort();
		crowd->reads++;
	}
	arena_destroy(arena);
	return NULL;
}

static void readers_see_whole_revisions_while_one_writes(void **state)
{
	struct fixture *f = *state;
	struct crowd crowd = {.f = f};
	pthread_t readers[6];

	add_supplier(f, "busy");
	for (int i = 0; i < 6; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_all_the_time, &crowd), 0);
	for (size_t i = 1; i <= 60; i++)
		add_sheet(f, "busy", i);
	while (crowd.reads < 6)
		usleep(1000);
	crowd.stop = true;
	for (int i = 0; i < 6; i++)
		pthread_join(readers[i], NULL);
	assert_int_equal(current_offers(f), 60);
}

static void *upload_ten(void *context)
{
	struct fixture *f = context;
	struct sheet_new sheet = sample_sheet("busy", NULL, 0);

	for (int i = 0; i < 10; i++) {
		int64_t id;

		if (store_sheet_add(f->store, &operator_actor, &sheet, &id) != STORE_OK)
			abort();
	}
	return NULL;
}

static void many_uploads_at_once_all_get_their_own_revision(void **state)
{
	struct fixture *f = *state;
	struct stored_sheet sheet;
	pthread_t writers[8];

	add_supplier(f, "busy");
	for (int i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&writers[i], NULL, upload_ten, f), 0);
	for (int i = 0; i < 8; i++)
		pthread_join(writers[i], NULL);
	assert_int_equal(store_sheet_current(f->store, f->arena, "busy", &sheet), STORE_OK);
	assert_int_equal(sheet.revision, 80);
	assert_int_equal(sheet.id, 80);
	assert_int_equal(revision_of(f), 81);
	assert_int_equal(store_verify(f->store, &f->problems), STORE_OK);
	assert_int_equal(f->problems.count, 0);
}

/* Read side by side, an earlier upload may be ready after a later one. */
static void an_upload_that_was_overtaken_is_kept_but_does_not_hold(void **state)
{
	struct fixture *f = *state;
	struct store_actor early = operator_actor;
	struct store_actor late = operator_actor;
	struct price price = sample_price();
	struct offer *offers = sample_offers(f, 2, &price);
	struct sheet_new sheet = sample_sheet("xinghai", offers, 2);
	struct stored_sheet kept;
	int64_t late_id;
	int64_t early_id;

	early.arrived_us = 1000;
	late.arrived_us = 2000;
	add_supplier(f, "xinghai");
	assert_int_equal(store_sheet_add(f->store, &late, &sheet, &late_id), STORE_OK);
	assert_int_equal(store_sheet_add(f->store, &early, &sheet, &early_id), STORE_OK);
	assert_int_equal(store_sheet_get(f->store, f->arena, early_id, &kept), STORE_OK);
	assert_int_equal(kept.status, SHEET_SUPERSEDED);
	assert_true(kept.ended_us > 0);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &kept), STORE_OK);
	assert_int_equal(kept.id, late_id);
	/* Another supplier's uploads are its own, and what comes in now is the last. */
	add_supplier(f, "yunling");
	sheet.supplier = "yunling";
	assert_int_equal(store_sheet_add(f->store, &early, &sheet, &early_id), STORE_OK);
	assert_int_equal(store_sheet_current(f->store, f->arena, "yunling", &kept), STORE_OK);
	sheet.supplier = "xinghai";
	assert_int_equal(store_sheet_add(f->store, &operator_actor, &sheet, &early_id), STORE_OK);
	assert_int_equal(store_sheet_current(f->store, f->arena, "xinghai", &kept), STORE_OK);
	assert_int_equal(kept.id, early_id);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(an_upload_that_was_overtaken_is_kept_but_does_not_hold),
	    TEST(every_field_of_an_offer_and_its_prices_comes_back),
	    TEST(every_price_item_term_and_unit_comes_back),
	    TEST(every_field_of_a_sheet_and_its_bytes_come_back),
	    TEST(an_empty_upload_keeps_its_zero_bytes),
	    TEST(a_new_sheet_takes_the_place_of_the_suppliers_last_one),
	    TEST(a_withdrawn_sheet_leaves_and_nothing_comes_back),
	    TEST(a_sheet_of_an_unknown_supplier_is_not_found),
	    TEST(the_file_itself_refuses_to_change_what_was_uploaded),
	    TEST(an_upload_that_fails_anywhere_leaves_no_trace),
	    TEST(offers_are_found_by_each_filter),
	    TEST(pages_of_offers_cover_each_once),
	    TEST(sheets_are_listed_newest_first),
	    TEST(an_offer_has_a_history_over_the_sheets_of_its_supplier),
	    TEST(the_prices_of_a_card_are_remembered_with_their_time),
	    TEST(the_catalogue_is_read_whole_at_one_revision),
	    TEST(a_walk_ends_where_the_visitor_says_so),
	    TEST(a_value_that_no_enum_has_is_refused_not_believed),
	    TEST(readers_see_whole_revisions_while_one_writes),
	    TEST(many_uploads_at_once_all_get_their_own_revision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
