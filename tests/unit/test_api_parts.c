/* test_api_parts.c - the small parts that handlers share: cells, cursors, versions, file names. */
#include "tests/unit/unit.h"

#include <string.h>

#include "api/answers.h"
#include "api/csv_write.h"
#include "api/offer_write.h"
#include "api/reply.h"
#include "api/routes.h"
#include "api/sheet_problems.h"
#include "api/upload_name.h"
#include "base/arena.h"
#include "base/buf.h"
#include "http/jobs.h"

struct fixture {
	struct arena *arena;
	struct problems problems;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture.arena = arena_create();
	problems_init(&fixture.problems, fixture.arena);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	arena_destroy(fixture->arena);
	return 0;
}

static struct request *request_with(struct arena *arena, const char *target, const char *name,
                                    const char *value)
{
	struct request *rq = request_for_test(arena, "GET", target, NULL);
	struct request_pair *header = arena_new(arena, struct request_pair);

	*header = (struct request_pair){name, value};
	rq->headers = header;
	rq->header_count = name == NULL ? 0 : 1;
	return rq;
}

/* ---- CSV ---- */

static void a_cell_that_a_spreadsheet_would_run_is_guarded(void **state)
{
	static const char *const dangerous[] = {"=1+1",  "+1",    "-1",  "@SUM(A1)", "\tx", "\r=1",
	                                        " =1+1", "＝1+1", "＋1", "－1",      "＠x"};

	(void)state;
	for (size_t i = 0; i < sizeof dangerous / sizeof *dangerous; i++) {
		struct buf text = {0};
		struct csv_write out = csv_write_to(&text);

		csv_text(&out, dangerous[i]);
		const char *cell = buf_text(&text) + 3;

		assert_int_equal(cell[cell[0] == '"'], '\'');
		buf_finish(&text);
	}
}

static void strcat_piece(char *words, size_t size, const char *piece)
{
	strncat(words, piece, size - strlen(words) - 1);
}

/* The words of one cell as a reader of RFC 4180 gets them. */
static void unquote(const char *cell, char *words)
{
	bool quoted = *cell == '"';

	for (cell += quoted; *cell != '\0'; cell++) {
		if (quoted && cell[0] == '"' && cell[1] != '"')
			break;
		cell += quoted && cell[0] == '"';
		*words++ = *cell;
	}
	*words = '\0';
}

/* Any words come back as they were, but for the guard; and none begins like a formula. */
static void no_words_at_all_begin_like_a_formula(void **state)
{
	static const char *const pieces[] = {"=", "+", "-", "@", "\t", "\r", "\n", " ",  "\"",
	                                     "'", ",", ";", "a", "1",  "卡", "＝", "＋", "＠"};
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		char words[64] = "";
		char read[128];
		struct buf text = {0};
		struct csv_write out = csv_write_to(&text);

		for (int piece = 0; piece < 6; piece++) {
			seed = seed * 1664525 + 1013904223;
			strcat_piece(words, sizeof words, pieces[(seed >> 16) % 18]);
		}
		csv_text(&out, words);
		unquote(buf_text(&text) + 3, read);
		size_t blanks = strspn(read, " ");

		assert_null(strchr("=+-@\t\r\n", read[blanks] == '\0' ? 'x' : read[blanks]));
		assert_int_not_equal(strncmp(read + blanks, "＝", 3), 0);
		assert_string_equal(read[0] == '\'' && words[0] != '\'' ? read + 1 : read, words);
		buf_finish(&text);
	}
}

static void a_number_stays_a_number_and_quotes_are_doubled(void **state)
{
	struct buf text = {0};
	struct csv_write out = csv_write_to(&text);

	(void)state;
	csv_number(&out, "-5");
	csv_integer(&out, -7);
	csv_text(&out, "a\"b,c");
	csv_text(&out, NULL);
	csv_empty(&out);
	csv_text(&out, "卡");
	csv_end_row(&out);
	csv_text(&out, "x");
	csv_end_row(&out);
	assert_string_equal(buf_text(&text), "\xEF\xBB\xBF-5,-7,\"a\"\"b,c\",,,卡\r\nx\r\n");
	buf_finish(&text);
}

/* ---- versions ---- */

static int status_of(struct answer *answer)
{
	return answer == NULL ? 0 : answer_status(answer);
}

static void a_write_goes_on_only_for_who_has_seen_the_version(void **state)
{
	struct fixture *fixture = *state;
	struct arena *arena = fixture->arena;
	static const struct {
		const char *name, *value, *current;
		int status;
	} cases[] = {
	    {NULL, NULL, NULL, 0},
	    {NULL, NULL, "abc", 428},
	    {"if-match", "\"abc\"", "abc", 0},
	    {"if-match", "\"x\", \"abc\"", "abc", 0},
	    {"if-match", "*", "abc", 0},
	    {"if-match", "\"abcd\"", "abc", 412},
	    {"if-match", "\"xabc\"", "abc", 412},
	    {"if-match", "abc", "abc", 412},
	    {"if-match", "W/\"abc\"", "abc", 412},
	    {"if-match", "\"abc\"", NULL, 412},
	    {"if-none-match", "*", NULL, 0},
	    {"if-none-match", "*", "abc", 412},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct request *rq = request_with(arena, "/cards/x", cases[i].name, cases[i].value);

		assert_int_equal(status_of(reply_precondition(rq, cases[i].current)),
		                 cases[i].status);
	}
}

static void a_version_depends_on_every_byte(void **state)
{
	char one[VERSION_SIZE];
	char two[VERSION_SIZE];

	(void)state;
	reply_version("abc", 3, one);
	reply_version("abd", 3, two);
	assert_string_equal(one, "ba7816bf8f01cfea414140de5dae2223");
	assert_string_not_equal(one, two);
}

/* ---- pages ---- */

/* Walks the keys a, b, c ... in pages of LIMIT by the addresses that each page gives. */
static void every_entry_is_on_exactly_one_page(void **state)
{
	static const char *const keys[] = {"a", "b", "c-1", "d.2", "卡"};
	struct fixture *fixture = *state;
	const char *target = "/cards?limit=2&lang=en";
	char seen[64] = "";
	int pages = 0;

	while (target != NULL && pages < 10) {
		struct request *rq = request_for_test(fixture->arena, "GET", target, NULL);
		struct page_walk walk = {
		    .page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &fixture->problems)};

		for (size_t i = 0; i < 5; i++)
			if (page_takes(&walk, keys[i]))
				strncat(seen, keys[i], sizeof seen - strlen(seen) - 1);
		target = walk.more ? page_next(rq, walk.last) : NULL;
		pages++;
	}
	assert_int_equal(fixture->problems.count, 0);
	assert_string_equal(seen, "abc-1d.2卡");
	assert_int_equal(pages, 3);
}

static void a_cursor_that_is_none_is_refused(void **state)
{
	struct fixture *fixture = *state;
	static const char *const targets[] = {"/x?cursor=",
	                                      "/x?cursor=c",
	                                      "/x?cursor=c6",
	                                      "/x?cursor=cZZ",
	                                      "/x?cursor=c00",
	                                      "/x?cursor=c61",
	                                      "/x?cursor=c2d31",
	                                      "/x?limit=0",
	                                      "/x?limit=501",
	                                      "/x?limit=-1",
	                                      "/x?limit=1e2",
	                                      "/x?limit=",
	                                      "/x?limit=99999999999999999999",
	                                      "/x?page=2"};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct request *rq = request_for_test(fixture->arena, "GET", targets[i], NULL);

		page_read(rq, PAGE_KEY_NUMBER, NULL, 0, &fixture->problems);
		assert_int_equal(fixture->problems.count, i + 1);
	}
}

static void the_next_page_keeps_the_filters(void **state)
{
	struct fixture *fixture = *state;
	struct request *rq = request_for_test(fixture->arena, "GET",
	                                      "/offers?city=%E4%B8%9C&cursor=c31&limit=2", NULL);

	assert_string_equal(page_next_id(rq, 7), "/offers?city=%E4%B8%9C&limit=2&cursor=c37");
	assert_null(page_next_id(rq, 0));
}

/* ---- names of files ---- */

static void a_file_name_is_taken_from_where_it_stands_without_its_folders(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *target, *header, *name;
	} cases[] = {
	    {"/x?filename=a.csv", "attachment; filename=\"b.csv\"", "a.csv"},
	    {"/x", "attachment; filename=\"b c.csv\"", "b c.csv"},
	    {"/x", "attachment; filename=b.csv; x=y", "b.csv"},
	    {"/x", "attachment; filename=\"b.csv\"; filename*=UTF-8''%E6%8A%A5.csv", "报.csv"},
	    {"/x?filename=..%2F..%2Fetc%2Fpasswd", NULL, "passwd"},
	    {"/x?filename=C%3A%5Cq.xlsx", NULL, "q.xlsx"},
	    {"/x?filename=dir%2F", NULL, NULL},
	    {"/x", "attachment; filename*=UTF-8''%zz", NULL},
	    {"/x", "attachment", NULL},
	    {"/x", NULL, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct request *rq = request_with(
		    fixture->arena, cases[i].target,
		    cases[i].header == NULL ? NULL : "content-disposition", cases[i].header);
		const char *name = upload_name(rq, &fixture->problems);

		if (cases[i].name == NULL)
			assert_null(name);
		else
			assert_string_equal(name, cases[i].name);
	}
	assert_int_equal(fixture->problems.count, 0);
}

static void a_file_name_that_cannot_be_shown_is_refused(void **state)
{
	struct fixture *fixture = *state;
	char target[400] = "/x?filename=";

	memset(target + strlen(target), 'x', 300);
	assert_null(
	    upload_name(request_for_test(fixture->arena, "GET", target, NULL), &fixture->problems));
	assert_null(upload_name(request_for_test(fixture->arena, "GET", "/x?filename=a%0Ab", NULL),
	                        &fixture->problems));
	assert_int_equal(fixture->problems.count, 2);
}

static void a_kept_name_cannot_break_out_of_its_header(void **state)
{
	struct fixture *fixture = *state;

	assert_string_equal(upload_disposition(fixture->arena, "报\"\r\nX: y.csv", 7, "csv"),
	                    "attachment; filename=\"sheet-7.csv\"; "
	                    "filename*=UTF-8''%E6%8A%A5%22%0D%0AX%3A%20y.csv");
	assert_string_equal(upload_disposition(fixture->arena, NULL, 7, "xlsx"),
	                    "attachment; filename=\"sheet-7.xlsx\"");
}

/* ---- problems of a sheet ---- */

static void kept_problems_come_back_in_either_language(void **state)
{
	struct fixture *fixture = *state;
	struct buf csv = {0};
	struct place place = {.sheet = "GPU", .row = 14, .column = 6};
	struct problem *problem = problem_add(&fixture->problems, PROBLEM_ERROR, "bad_number",
	                                      place, "=1+1", "not a number", "不是数字");

	problem->hint = TEXT("write a number", "请填数字");
	const char *kept = sheet_problems_keep(fixture->arena, &fixture->problems);

	sheet_problems_csv(&csv, fixture->arena, kept, LANG_EN);
	assert_non_null(strstr(buf_text(&csv), "error,GPU,F14,14,F,bad_number,'=1+1,not a number,"
	                                       "write a number\r\n"));
	buf_clear(&csv);
	sheet_problems_csv(&csv, fixture->arena, kept, LANG_ZH);
	assert_non_null(strstr(buf_text(&csv), "不是数字,请填数字"));
	buf_finish(&csv);
}

/* ---- answers ---- */

static bool finds(struct answers *answers, const struct answer_key *key, const char *answer)
{
	struct buf out = {0};
	bool is_found = answers_find(answers, key, &out);

	if (is_found)
		assert_string_equal(buf_text(&out), answer);
	buf_finish(&out);
	return is_found;
}

static void keep(struct answers *answers, const struct answer_key *key, const char *text)
{
	struct buf answer = {0};

	buf_puts(&answer, text);
	answers_keep(answers, key, &answer);
	buf_finish(&answer);
}

static void an_answer_is_kept_when_its_request_comes_again(void **state)
{
	struct answers *answers = answers_create(1000);
	struct answer_key key = {.revision = 1, .lang = LANG_ZH, .body = "{}", .size = 2};
	struct answer_key other = key;

	(void)state;
	keep(answers, &key, "first");
	assert_false(finds(answers, &key, ""));
	keep(answers, &key, "first");
	assert_true(finds(answers, &key, "first"));
	other.lang = LANG_EN;
	assert_false(finds(answers, &other, ""));
	other = key;
	other.body = "[]";
	assert_false(finds(answers, &other, ""));
	/* What a newer catalogue answers takes the place of all before it. */
	other = key;
	other.revision = 2;
	keep(answers, &other, "second");
	assert_true(finds(answers, &other, "second"));
	assert_false(finds(answers, &key, ""));
	answers_destroy(answers);
}

static void answers_keep_to_their_room(void **state)
{
	struct answers *answers = answers_create(100);
	struct answer_key key = {.revision = 1, .size = 1};
	static const char *const bodies[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};

	(void)state;
	for (int i = 0; i < 11; i++) {
		key.body = bodies[i];
		keep(answers, &key, "123456789");
		keep(answers, &key, "123456789");
	}
	assert_true(finds(answers, &key, "123456789"));
	key.body = "a"; /* eleven of ten bytes are too many for 100: the oldest went */
	assert_false(finds(answers, &key, ""));
	key.body = "b";
	assert_true(finds(answers, &key, "123456789"));
	keep(answers, &key, "longer than an eighth of the room");
	answers_destroy(answers);
}

/* ---- offers ---- */

/* 76000 yuan per 8-card machine and month is 13.194444 yuan per card-hour. */
static void what_an_offer_does_not_state_is_null_and_never_zero(void **state)
{
	struct buf text = {0};
	struct json_write out = json_write_to(&text);
	struct offer offer = offer_blank();
	struct price price = {
	    .term = TERM_MONTHLY,
	    .currency = "CNY",
	    .tax = TAX_INCLUDED,
	    .tax_rate_bp = 600,
	    .as_quoted = "7.6",
	    .unit_text = "万元/8卡/月",
	    .normalised = money_from_micro(13194444),
	};

	(void)state;
	offer.prices = &price;
	offer.price_count = 1;
	offer.availability_ppm = 999000;
	offer.replacement_minutes = 90;
	out_object(&out, NULL);
	offer_write_members(&out, &offer);
	out_end(&out);
	const char *json = buf_text(&text);

	assert_non_null(strstr(json, "\"servers_available\":null"));
	assert_non_null(strstr(json, "\"cabinet_kw\":null"));
	assert_non_null(strstr(json, "\"support_24x7\":null"));
	assert_non_null(strstr(json, "\"availability\":\"0.999\""));
	assert_non_null(strstr(json, "\"replacement_hours\":1.5"));
	assert_non_null(strstr(json, "\"normalised\":\"13.194444\""));
	assert_non_null(strstr(json, "\"normalised_unit\":\"CNY/card-hour\""));
	assert_non_null(strstr(json, "\"tax_rate\":\"0.06\",\"low\":null"));
	buf_finish(&text);
}

/* Other connections of the worker would wait for the disk. */
static void a_route_that_writes_never_runs_on_a_worker(void **state)
{
	size_t count;
	const struct route *table = routes(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		bool pure =
		    strcmp(table[i].method, "GET") == 0 || strcmp(table[i].pattern, "/size") == 0;

		if (!pure && job_kind_of(&table[i]) < 0)
			fail_msg("%s %s runs on a worker", table[i].method, table[i].pattern);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_kept_when_its_request_comes_again),
	    cmocka_unit_test(answers_keep_to_their_room),
	    TEST(a_cell_that_a_spreadsheet_would_run_is_guarded),
	    TEST(no_words_at_all_begin_like_a_formula),
	    TEST(a_number_stays_a_number_and_quotes_are_doubled),
	    TEST(a_write_goes_on_only_for_who_has_seen_the_version),
	    TEST(a_version_depends_on_every_byte),
	    TEST(every_entry_is_on_exactly_one_page),
	    TEST(a_cursor_that_is_none_is_refused),
	    TEST(the_next_page_keeps_the_filters),
	    TEST(a_file_name_is_taken_from_where_it_stands_without_its_folders),
	    TEST(a_file_name_that_cannot_be_shown_is_refused),
	    TEST(a_kept_name_cannot_break_out_of_its_header),
	    TEST(kept_problems_come_back_in_either_language),
	    TEST(what_an_offer_does_not_state_is_null_and_never_zero),
	    TEST(a_route_that_writes_never_runs_on_a_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
