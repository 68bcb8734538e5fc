/* test_store_access.c - keys, sessions, requests done once, quotes. */
#include "tests/unit/unit.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/random.h"
#include "tests/unit/store_fixture.h"

#define HOUR_US ((int64_t)3600 * 1000000)

static const int64_t now_us = 1796000000000000;

/* --- Hashes and randomness of base/ ------------------------------------------------------- */

static void sha256_gives_the_published_values(void **state)
{
	char hex[SHA256_HEX_SIZE];
	struct sha256 back;

	(void)state;
	sha256_hex(sha256_of_text("abc"), hex);
	assert_string_equal(hex,
	                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sha256_hex(sha256_of(NULL, 0), hex);
	assert_string_equal(hex,
	                    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_true(sha256_from_hex(hex, &back));
	assert_true(sha256_equal(back, sha256_of(NULL, 0)));
	back.bytes[31] ^= 1;
	assert_false(sha256_equal(back, sha256_of(NULL, 0)));
	hex[3] = 'A';
	assert_false(sha256_from_hex(hex, &back));
	hex[3] = '\0';
	assert_false(sha256_from_hex(hex, &back));
}

static void secrets_use_their_whole_alphabet_and_do_not_repeat(void **state)
{
	bool seen[128] = {false};
	char text[44], last[44] = "";
	int letters = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		random_secret(text, 43);
		assert_int_equal(strlen(text), 43);
		assert_string_not_equal(text, last);
		memcpy(last, text, sizeof text);
		for (const char *c = text; *c != '\0'; c++)
			seen[(unsigned char)*c] = true;
	}
	for (int i = 0; i < 128; i++) {
		letters += seen[i];
		assert_true(!seen[i] || isalnum(i) || i == '-' || i == '_');
	}
	assert_int_equal(letters, 64);
}

/* --- Keys --------------------------------------------------------------------------------- */

static void make_key(struct fixture *f, const char *role, char id[static KEY_ID_SIZE],
                     char text[static KEY_TEXT_SIZE])
{
	struct api_key key = {.role = role, .label = "for tests"};

	if (strcmp(role, "supplier") == 0)
		key.supplier = "xinghai";
	assert_int_equal(store_key_create(f->store, &operator_actor, &key, id, text), STORE_OK);
}

static void a_key_is_found_by_its_text_and_by_no_other(void **state)
{
	struct fixture *f = *state;
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE];
	struct api_key key;

	add_supplier(f, "xinghai");
	make_key(f, "supplier", id, text);
	assert_int_equal(strlen(text), 55);
	assert_memory_equal(text, "sk_", 3);
	assert_memory_equal(text + 3, id, 8);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us, &key), STORE_OK);
	assert_string_equal(key.id, id);
	assert_string_equal(key.role, "supplier");
	assert_string_equal(key.supplier, "xinghai");
	assert_string_equal(key.label, "for tests");
	assert_string_equal(key.created_by, "cli");
	assert_int_equal(key.created_us, operator_actor.now_us);
	for (size_t i = 0; i < 55; i++) { /* any one character changed */
		char other[KEY_TEXT_SIZE];

		memcpy(other, text, sizeof other);
		other[i] = other[i] == 'x' ? 'y' : 'x';
		assert_int_equal(store_key_find(f->store, f->arena, other, now_us, &key),
		                 STORE_NOT_FOUND);
	}
	text[54] = '\0';
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us, &key), STORE_NOT_FOUND);
	assert_int_equal(store_key_find(f->store, f->arena, "", now_us, &key), STORE_NOT_FOUND);
}

static void a_revoked_key_opens_nothing_from_the_next_call_on(void **state)
{
	struct fixture *f = *state;
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE], token[SESSION_TEXT_SIZE];
	struct api_key key;

	make_key(f, "buyer", id, text);
	assert_int_equal(
	    store_session_create(f->store, &operator_actor, id, now_us + HOUR_US, token), STORE_OK);
	assert_int_equal(store_key_revoke(f->store, &operator_actor, id), STORE_OK);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us, &key), STORE_NOT_FOUND);
	assert_int_equal(store_session_find(f->store, f->arena, token, now_us, &key),
	                 STORE_NOT_FOUND);
	assert_int_equal(store_key_revoke(f->store, &operator_actor, id), STORE_CONFLICT);
	assert_int_equal(store_key_revoke(f->store, &operator_actor, "aaaaaaaa"), STORE_NOT_FOUND);
	assert_int_equal(store_key_revoke(f->store, &operator_actor, "a"), STORE_NOT_FOUND);
	assert_int_equal(store_key_get(f->store, f->arena, id, &key), STORE_OK);
	assert_int_equal(key.revoked_us, operator_actor.now_us);
	assert_int_equal(store_session_create(f->store, &operator_actor, id, now_us + 1, token),
	                 STORE_NOT_FOUND);
}

static void a_key_ends_at_its_hour(void **state)
{
	struct fixture *f = *state;
	struct api_key wanted = {.role = "viewer", .expires_us = now_us + HOUR_US};
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE];
	struct api_key key;

	assert_int_equal(store_key_create(f->store, &operator_actor, &wanted, id, text), STORE_OK);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us + HOUR_US - 1, &key),
	                 STORE_OK);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us + HOUR_US, &key),
	                 STORE_NOT_FOUND);
}

static void a_role_and_its_supplier_belong_together(void **state)
{
	static const struct {
		const char *role, *supplier;
		enum store_result result;
	} cases[] = {{"root", NULL, STORE_CONFLICT},
	             {"supplier", NULL, STORE_CONFLICT},
	             {"admin", "xinghai", STORE_CONFLICT},
	             {"supplier", "nobody", STORE_NOT_FOUND},
	             {"supplier", "xinghai", STORE_OK},
	             {"admin", NULL, STORE_OK},
	             {"buyer", NULL, STORE_OK},
	             {"viewer", NULL, STORE_OK}};
	struct fixture *f = *state;
	struct api_keys keys;

	add_supplier(f, "xinghai");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct api_key key = {.role = cases[i].role, .supplier = cases[i].supplier};
		char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE];

		assert_int_equal(store_key_create(f->store, &operator_actor, &key, id, text),
		                 cases[i].result);
	}
	assert_int_equal(store_keys_list(f->store, f->arena, NULL, 3, &keys), STORE_OK);
	assert_int_equal(keys.count, 3);
	assert_true(keys.more);
	assert_int_equal(store_keys_list(f->store, f->arena, keys.items[2].id, 3, &keys), STORE_OK);
	assert_int_equal(keys.count, 1);
}

static bool file_contains(const char *folder, const char *name, const char *needle)
{
	char path[128];
	struct buf content = {0};
	char block[65536];
	size_t got;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");

	if (file == NULL)
		return false;
	while ((got = fread(block, 1, sizeof block, file)) > 0)
		buf_put(&content, block, got);
	fclose(file);
	bool found =
	    content.size > 0 && memmem(content.bytes, content.size, needle, strlen(needle)) != NULL;

	buf_finish(&content);
	return found;
}

static void no_secret_is_in_any_file(void **state)
{
	static const char *const names[] = {"db", "db-wal", "db-shm", "copy"};
	struct fixture *f = *state;
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE], token[SESSION_TEXT_SIZE], copy[96];
	struct api_key key;

	make_key(f, "admin", id, text);
	assert_int_equal(
	    store_session_create(f->store, &operator_actor, id, now_us + HOUR_US, token), STORE_OK);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us, &key), STORE_OK);
	snprintf(copy, sizeof copy, "%s/copy", f->folder);
	assert_int_equal(store_backup(f->store, copy), STORE_OK);
	for (int closed = 0; closed < 2; closed++) {
		bool id_seen = false;

		for (size_t i = 0; i < 4; i++) {
			assert_false(file_contains(f->folder, names[i], text + 12));
			assert_false(file_contains(f->folder, names[i], token));
			id_seen = id_seen || file_contains(f->folder, names[i], id);
		}
		assert_true(id_seen); /* else the search proves nothing */
		close_store(f);
	}
}

static void the_use_of_a_key_is_noted_hourly(void **state)
{
	struct fixture *f = *state;
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE];
	struct api_key key;

	make_key(f, "buyer", id, text);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us, &key), STORE_OK);
	close_store(f); /* finishes what waits */
	assert_non_null(open_store(f));
	assert_int_equal(store_key_get(f->store, f->arena, id, &key), STORE_OK);
	assert_int_equal(key.last_used_us, now_us);
	assert_int_equal(store_key_find(f->store, f->arena, text, now_us + HOUR_US - 1, &key),
	                 STORE_OK);
	close_store(f);
	assert_non_null(open_store(f));
	assert_int_equal(store_key_get(f->store, f->arena, id, &key), STORE_OK);
	assert_int_equal(key.last_used_us, now_us);
}

/* --- Sessions ----------------------------------------------------------------------------- */

static void a_session_stands_for_its_key_until_it_ends(void **state)
{
	struct fixture *f = *state;
	char id[KEY_ID_SIZE], text[KEY_TEXT_SIZE], token[SESSION_TEXT_SIZE];
	struct api_key key;

	make_key(f, "buyer", id, text);
	assert_int_equal(
	    store_session_create(f->store, &operator_actor, id, now_us + HOUR_US, token), STORE_OK);
	assert_int_equal(store_session_find(f->store, f->arena, token, now_us, &key), STORE_OK);
	assert_string_equal(key.id, id);
	assert_int_equal(store_session_find(f->store, f->arena, token, now_us + HOUR_US, &key),
	                 STORE_NOT_FOUND);
	assert_int_equal(store_session_find(f->store, f->arena, text, now_us, &key),
	                 STORE_NOT_FOUND);
	assert_int_equal(store_session_delete(f->store, &operator_actor, token), STORE_OK);
	assert_int_equal(store_session_find(f->store, f->arena, token, now_us, &key),
	                 STORE_NOT_FOUND);
	assert_int_equal(store_session_delete(f->store, &operator_actor, token), STORE_OK);
}

/* --- Once --------------------------------------------------------------------------------- */

static struct once_request request_of(const char *body)
{
	return (struct once_request){
	    .key_id = "cli", .key = "\"abc\"", .request = sha256_of_text(body), .now_us = now_us};
}

static enum once begin(struct fixture *f, const struct once_request *request,
                       struct once_record *record)
{
	assert_int_equal(store_once_begin(f->store, f->arena, request, record), STORE_OK);
	return record->state;
}

static void a_repeated_request_gets_the_first_answer(void **state)
{
	struct fixture *f = *state;
	struct once_request request = request_of("a");
	struct once_request other = request_of("b");
	struct once_request another_key = request;
	struct once_record answer = {.status = 201, .body = "{\"id\":1}", .body_size = 8};
	struct once_record record;

	another_key.key_id = "aaaaaaaa";
	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	assert_int_equal(begin(f, &request, &record), ONCE_RUNNING);
	assert_int_equal(begin(f, &other, &record), ONCE_DIFFERENT);
	assert_int_equal(store_once_finish(f->store, &request, &answer), STORE_OK);
	assert_int_equal(begin(f, &request, &record), ONCE_ANSWERED);
	assert_int_equal(record.status, 201);
	assert_int_equal(record.body_size, 8);
	assert_memory_equal(record.body, "{\"id\":1}", 8);
	assert_int_equal(begin(f, &other, &record), ONCE_DIFFERENT);
	assert_int_equal(begin(f, &another_key, &record), ONCE_NEW);
}

static void an_answer_can_be_had_again_for_a_day(void **state)
{
	struct fixture *f = *state;
	struct once_request request = request_of("a");
	struct once_record answer = {.status = 201, .body = "", .body_size = 0};
	struct once_record record;

	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	assert_int_equal(store_once_finish(f->store, &request, &answer), STORE_OK);
	request.now_us += 24 * HOUR_US;
	assert_int_equal(begin(f, &request, &record), ONCE_ANSWERED);
	request.now_us++;
	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
}

static void a_refused_request_frees_its_key(void **state)
{
	struct fixture *f = *state;
	struct once_request request = request_of("a");
	struct once_request corrected = request_of("b");
	struct once_record record;

	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	assert_int_equal(store_once_abandon(f->store, &request), STORE_OK);
	assert_int_equal(begin(f, &corrected, &record), ONCE_NEW);
}

static void a_record_that_could_not_be_settled_blocks_for_ten_minutes_only(void **state)
{
	struct fixture *f = *state;
	struct once_request request = request_of("a");
	struct store_actor actor = operator_actor;
	struct sheet_new sheet = sample_sheet("xinghai", NULL, 0);
	struct once_record record;
	int64_t id;

	actor.idempotency_key = request.key;
	add_supplier(f, "xinghai");
	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	request.now_us += HOUR_US / 6;
	assert_int_equal(begin(f, &request, &record), ONCE_RUNNING);
	request.now_us++;
	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	assert_int_equal(store_sheet_add(f->store, &actor, &sheet, &id), STORE_OK);
	request.now_us += HOUR_US; /* what was made stays known */
	assert_int_equal(begin(f, &request, &record), ONCE_MADE);
	/* The first one, should it have been running all the time: */
	assert_int_equal(store_sheet_add(f->store, &actor, &sheet, &id), STORE_CONFLICT);
}

/* The process ended after the commit and before the answer was kept, or before the commit. */
static void a_crash_between_commit_and_answer_makes_nothing_twice(void **state)
{
	struct fixture *f = *state;
	struct once_request request = request_of("a");
	struct store_actor actor = operator_actor;
	struct sheet_new sheet = sample_sheet("xinghai", NULL, 0);
	struct once_record record;
	int64_t id;

	actor.idempotency_key = request.key;
	add_supplier(f, "xinghai");
	assert_int_equal(begin(f, &request, &record), ONCE_NEW);
	close_store(f);
	assert_non_null(open_store(f));
	assert_int_equal(begin(f, &request, &record), ONCE_NEW); /* nothing was made: again */
	assert_int_equal(store_sheet_add(f->store, &actor, &sheet, &id), STORE_OK);
	close_store(f);
	assert_non_null(open_store(f));
	assert_int_equal(begin(f, &request, &record), ONCE_MADE);
	assert_string_equal(record.made, "sheet/1");
	/* And should a handler go on all the same: */
	assert_int_equal(store_sheet_add(f->store, &actor, &sheet, &id), STORE_CONFLICT);
	assert_int_equal(number_in_file(f, "SELECT count(*) FROM sheets"), 1);
	assert_int_equal(store_once_abandon(f->store, &request), STORE_OK);
	assert_int_equal(begin(f, &request, &record), ONCE_MADE);
}

/* --- Quotes ------------------------------------------------------------------------------- */

static void a_quote_comes_back_byte_for_byte_and_cannot_be_replaced(void **state)
{
	struct fixture *f = *state;
	struct quote quote = {.id = "q_abc",
	                      .title = "客服大模型",
	                      .basis_json = "{\"revision\":7}",
	                      .request_json = "{ \"months\" : 12 }",
	                      .answer_json = "{\"options\":[\"算\"]}",
	                      .signature = "c2lnbmVk",
	                      .valid_to = {20800}};
	struct quote found;

	assert_int_equal(store_quote_add(f->store, &operator_actor, &quote), STORE_OK);
	assert_int_equal(store_quote_add(f->store, &operator_actor, &quote), STORE_CONFLICT);
	assert_int_equal(store_quote_get(f->store, f->arena, "q_abc", &found), STORE_OK);
	assert_string_equal(found.title, quote.title);
	assert_string_equal(found.key_id, "cli");
	assert_string_equal(found.basis_json, quote.basis_json);
	assert_string_equal(found.request_json, quote.request_json);
	assert_string_equal(found.answer_json, quote.answer_json);
	assert_string_equal(found.signature, quote.signature);
	assert_int_equal(found.created_us, operator_actor.now_us);
	assert_int_equal(found.valid_to.days, 20800);
	assert_int_equal(store_quote_get(f->store, f->arena, "q_xyz", &found), STORE_NOT_FOUND);
}

static void quotes_are_listed_newest_first_for_their_key_only(void **state)
{
	struct fixture *f = *state;
	struct store_actor other = {.key_id = "bbbbbbbb", .now_us = now_us};
	struct quote_query query = {.key_id = "cli", .limit = 2};
	struct quotes page;
	char id[8];

	for (int i = 0; i < 5; i++) {
		struct quote quote = {.id = id,
		                      .basis_json = "{}",
		                      .request_json = "{}",
		                      .answer_json = "{}",
		                      .signature = "",
		                      .valid_to = DATE_NONE};

		snprintf(id, sizeof id, "q%d", i);
		assert_int_equal(
		    store_quote_add(f->store, i == 3 ? &other : &operator_actor, &quote), STORE_OK);
	}
	assert_int_equal(store_quotes_list(f->store, f->arena, &query, &page), STORE_OK);
	assert_int_equal(page.count, 2);
	assert_true(page.more);
	assert_string_equal(page.items[0].id, "q4");
	assert_string_equal(page.items[1].id, "q2");
	assert_null(page.items[0].answer_json);
	assert_true(date_is_none(page.items[0].valid_to));
	query.after = page.items[1].number;
	assert_int_equal(store_quotes_list(f->store, f->arena, &query, &page), STORE_OK);
	assert_int_equal(page.count, 2);
	assert_false(page.more);
	assert_string_equal(page.items[1].id, "q0");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sha256_gives_the_published_values),
	    cmocka_unit_test(secrets_use_their_whole_alphabet_and_do_not_repeat),
	    TEST(a_key_is_found_by_its_text_and_by_no_other),
	    TEST(a_revoked_key_opens_nothing_from_the_next_call_on),
	    TEST(a_key_ends_at_its_hour),
	    TEST(a_role_and_its_supplier_belong_together),
	    TEST(no_secret_is_in_any_file),
	    TEST(the_use_of_a_key_is_noted_hourly),
	    TEST(a_session_stands_for_its_key_until_it_ends),
	    TEST(a_repeated_request_gets_the_first_answer),
	    TEST(an_answer_can_be_had_again_for_a_day),
	    TEST(a_refused_request_frees_its_key),
	    TEST(a_record_that_could_not_be_settled_blocks_for_ten_minutes_only),
	    TEST(a_crash_between_commit_and_answer_makes_nothing_twice),
	    TEST(a_quote_comes_back_byte_for_byte_and_cannot_be_replaced),
	    TEST(quotes_are_listed_newest_first_for_their_key_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
