/* test_http.c - the HTTP room without a socket. */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "http/answer.h"
#include "http/certificate.h"
#include "http/connection.h"
#include "http/guard.h"
#include "http/limit.h"
#include "http/metrics.h"
#include "http/route.h"
#include "http/static_files.h"
#include "http/target.h"

/* ---- the framing guard ---- */

struct vector {
	const char *what;
	const char *method;
	const char *version;
	const char *headers[6][2];
	int status;
};

#define GET "GET", "HTTP/1.1"
#define POST "POST", "HTTP/1.1"
#define HOST                                                                                       \
	{                                                                                          \
		"Host", "a"                                                                        \
	}

static const struct vector vectors[] = {
    {"a plain request", GET, {HOST}, 0},
    {"HTTP/1.0 without Host", "GET", "HTTP/1.0", {{"Accept", "*"}}, 0},
    {"a body with its length", POST, {HOST, {"Content-Length", "12"}}, 0},
    {"a chunked body", POST, {HOST, {"Transfer-Encoding", "Chunked"}}, 0},
    {"Expect: 100-continue", POST, {HOST, {"Expect", "100-Continue"}, {"Content-Length", "1"}}, 0},
    {"a tab in a value", GET, {HOST, {"X-Note", "a\tb"}}, 0},
    {"UTF-8 in a value", GET, {HOST, {"X-Note", "\xE5\x8D\xA1"}}, 0},
    {"an IPv6 Host", GET, {{"Host", "[::1]:8443"}}, 0},
    {"HTTP/1.2", "GET", "HTTP/1.2", {HOST}, 505},
    {"HTTP/2.0", "GET", "HTTP/2.0", {HOST}, 505},
    {"no version", "GET", "", {HOST}, 505},
    {"a lower-case method", "get", "HTTP/1.1", {HOST}, 501},
    {"TRACE", "TRACE", "HTTP/1.1", {HOST}, 501},
    {"no Host", GET, {{"Accept", "*"}}, 400},
    {"two Hosts", GET, {HOST, {"host", "b"}}, 400},
    {"a Host with a path", GET, {{"Host", "a/b"}}, 400},
    {"a Host with user information", GET, {{"Host", "a@b"}}, 400},
    {"two lengths", POST, {HOST, {"Content-Length", "0"}, {"content-length", "35"}}, 400},
    {"two equal lengths", POST, {HOST, {"Content-Length", "5"}, {"Content-Length", "5"}}, 400},
    {"a list of lengths", POST, {HOST, {"Content-Length", "5, 5"}}, 400},
    {"a signed length", POST, {HOST, {"Content-Length", "+5"}}, 400},
    {"a negative length", POST, {HOST, {"Content-Length", "-5"}}, 400},
    {"a hexadecimal length", POST, {HOST, {"Content-Length", "0x5"}}, 400},
    {"an empty length", POST, {HOST, {"Content-Length", ""}}, 400},
    {"a length beside chunked",
     POST,
     {HOST, {"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}},
     400},
    {"chunked on HTTP/1.0", "POST", "HTTP/1.0", {HOST, {"Transfer-Encoding", "chunked"}}, 400},
    {"an unknown coding", POST, {HOST, {"Transfer-Encoding", "xchunked"}}, 501},
    {"two codings", POST, {HOST, {"Transfer-Encoding", "gzip, chunked"}}, 501},
    {"two coding headers",
     POST,
     {HOST, {"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
     501},
    {"a space before the colon", POST, {HOST, {"Content-Length ", "5"}}, 400},
    {"an empty name", GET, {HOST, {"", "x"}}, 400},
    {"a name with a slash", GET, {HOST, {"X/Note", "x"}}, 400},
    {"a carriage return in a value", GET, {HOST, {"X-Note", "a\rb"}}, 400},
    {"a line feed in a value", GET, {HOST, {"X-Note", "a\nb"}}, 400},
    {"DEL in a value", GET, {HOST, {"X-Note", "a\x7F"}}, 400},
    {"another expectation", POST, {HOST, {"Expect", "bogus"}}, 417},
    {"two expectations", POST, {HOST, {"Expect", "100-continue"}, {"Expect", "100-continue"}}, 417},
};

static size_t headers_of(const struct vector *vector, struct guard_header headers[static 6])
{
	size_t count = 0;

	for (; count < 6 && vector->headers[count][0] != NULL; count++)
		headers[count] = (struct guard_header){
		    .name = vector->headers[count][0],
		    .name_length = strlen(vector->headers[count][0]),
		    .value = vector->headers[count][1],
		    .value_length = strlen(vector->headers[count][1]),
		};
	return count;
}

static void guard_refuses_what_two_readers_could_read_differently(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		struct guard_header headers[6];
		size_t count = headers_of(&vectors[i], headers);
		struct guard_verdict verdict =
		    guard_request(vectors[i].method, vectors[i].version, headers, count);

		if (verdict.status != vectors[i].status)
			fail_msg("%s: %d instead of %d", vectors[i].what, verdict.status,
			         vectors[i].status);
		assert_int_equal(verdict.code == NULL, verdict.status == 0);
	}
}

static void guard_refuses_broken_and_too_many_headers(void **state)
{
	struct guard_header many[101];
	struct guard_header broken[2] = {
	    {.name = "Host", .name_length = 4, .value = "a"},
	    {.name = "X", .name_length = 1, .value = "", .broken_line = true}};

	(void)state;
	for (size_t i = 0; i < 101; i++)
		many[i] = (struct guard_header){.name = "X", .name_length = 1, .value = ""};
	many[0] = broken[0];
	broken[0].value_length = many[0].value_length = 1;
	assert_int_equal(guard_request("GET", "HTTP/1.1", many, 100).status, 0);
	assert_int_equal(guard_request("GET", "HTTP/1.1", many, 101).status, 431);
	assert_int_equal(guard_request("GET", "HTTP/1.1", broken, 2).status, 400);
}

static void a_body_is_known_by_its_headers(void **state)
{
	struct guard_header length = {.name = "content-LENGTH", .name_length = 14};
	struct guard_header chunked = {
	    .name = "transfer-encoding", .name_length = 17, .value = "chunked", .value_length = 7};

	(void)state;
	length.value = "70000";
	length.value_length = 5;
	assert_int_equal(guard_content_length(&length, 1), 70000);
	assert_true(guard_has_body(&length, 1));
	length.value = "0";
	length.value_length = 1;
	assert_false(guard_has_body(&length, 1));
	length.value = "99999999999999999999";
	length.value_length = 20;
	assert_true(guard_content_length(&length, 1) == INT64_MAX);
	assert_int_equal(guard_content_length(&chunked, 1), -1);
	assert_true(guard_has_body(&chunked, 1));
	assert_false(guard_has_body(NULL, 0));
}

/* ---- targets ---- */

static void a_target_is_decoded_once(void **state)
{
	struct arena *arena = arena_create();
	struct request rq = {.arena = arena};

	(void)state;
	assert_int_equal(target_read(&rq, "/a%20%E5%8D%A1/%2541?x=1+2&y=%26&&z&lang=zh"),
	                 TARGET_OK);
	assert_string_equal(rq.path, "/a 卡/%41");
	assert_int_equal(rq.query_count, 4);
	assert_string_equal(request_query(&rq, "x"), "1 2");
	assert_string_equal(request_query(&rq, "y"), "&");
	assert_string_equal(request_query(&rq, "z"), "");
	assert_null(request_query(&rq, "a"));
	assert_int_equal(target_read(&rq, "/"), TARGET_OK);
	assert_int_equal(rq.query_count, 0);
	assert_int_equal(target_read(&rq, "/a/"), TARGET_OK);
	assert_int_equal(target_read(&rq, "/..."), TARGET_OK);
	assert_int_equal(target_read(&rq, "/a?note=%0A%09"), TARGET_OK);
	arena_destroy(arena);
}

static void a_target_that_could_mean_two_things_is_refused(void **state)
{
	static const char *const malformed[] = {
	    "",      "a",      "*",        "http://a/b", "/a/../b",    "/a/%2e%2E/b",
	    "/./a",  "/..",    "//a",      "/a//b",      "/a%2Fb",     "/a%5cb",
	    "/a\\b", "/a%00b", "/a%0a",    "/a\x01",     "/a b",       "/a\x7F",
	    "/a%zz", "/a%4",   "/a%",      "/%ff",       "/%c0%af",    "/\xff",
	    "/a#b",  "/a?b#c", "/a?x=%00", "/a?x=%f",    "/a?x=%ff",   "/a?x=1&y&x=2",
	    "/a\"b", "/<a>",   "/a|b",     "/{id}",      "/%ed%a0%80", "/a?%zz=1",
	};
	struct arena *arena = arena_create();
	struct request rq = {.arena = arena};

	(void)state;
	for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
		if (target_read(&rq, malformed[i]) != TARGET_MALFORMED)
			fail_msg("taken: %s", malformed[i]);
		assert_string_equal(rq.path, "/");
	}
	arena_destroy(arena);
}

static void a_target_has_a_greatest_length_and_number_of_parameters(void **state)
{
	struct arena *arena = arena_create();
	struct request rq = {.arena = arena};
	struct buf long_one = {0};

	(void)state;
	buf_putc(&long_one, '/');
	for (int i = 1; i < TARGET_BYTES_MAX; i++)
		buf_putc(&long_one, 'a');
	assert_int_equal(target_read(&rq, buf_text(&long_one)), TARGET_OK);
	buf_putc(&long_one, 'a');
	assert_int_equal(target_read(&rq, buf_text(&long_one)), TARGET_TOO_LONG);
	buf_clear(&long_one);
	buf_puts(&long_one, "/?a");
	for (int i = 1; i < QUERY_PAIRS_MAX; i++)
		buf_printf(&long_one, "&a%d", i);
	assert_int_equal(target_read(&rq, buf_text(&long_one)), TARGET_OK);
	buf_puts(&long_one, "&a");
	assert_int_equal(target_read(&rq, buf_text(&long_one)), TARGET_MALFORMED);
	buf_finish(&long_one);
	arena_destroy(arena);
}

/* ---- routes ---- */

static const struct route table[] = {
    {.method = "GET", .pattern = "/sheets/template.csv"},
    {.method = "GET", .pattern = "/sheets/{id}"},
    {.method = "DELETE", .pattern = "/sheets/{id}"},
    {.method = "GET", .pattern = "/quotes/{id}.csv"},
    {.method = "GET", .pattern = "/quotes/{id}"},
    {.method = "POST", .pattern = "/suppliers/{id}/sheets"},
    {.method = "GET", .pattern = "/a/{b}/{c}/d"},
};

static const struct route *found(struct arena *arena, const char *method, const char *path,
                                 struct route_match *match)
{
	route_find(table, sizeof table / sizeof *table, method, path, arena, match);
	return match->route;
}

static void routes_are_tried_in_order_and_their_parameters_cut_out(void **state)
{
	struct arena *arena = arena_create();
	struct route_match match;

	(void)state;
	assert_ptr_equal(found(arena, "GET", "/sheets/template.csv", &match), &table[0]);
	assert_ptr_equal(found(arena, "GET", "/sheets/7", &match), &table[1]);
	assert_string_equal(match.params[0], "7");
	assert_ptr_equal(found(arena, "HEAD", "/sheets/7", &match), &table[1]);
	assert_ptr_equal(found(arena, "GET", "/quotes/q1.csv", &match), &table[3]);
	assert_string_equal(match.params[0], "q1");
	assert_ptr_equal(found(arena, "GET", "/quotes/.csv", &match), &table[4]);
	assert_ptr_equal(found(arena, "POST", "/suppliers/华南 云/sheets", &match), &table[5]);
	assert_string_equal(match.params[0], "华南 云");
	assert_ptr_equal(found(arena, "GET", "/a/1/2/d", &match), &table[6]);
	assert_string_equal(match.params[0], "1");
	assert_string_equal(match.params[1], "2");
	arena_destroy(arena);
}

static void a_path_without_the_method_says_which_it_takes(void **state)
{
	struct arena *arena = arena_create();
	struct route_match match;

	(void)state;
	assert_null(found(arena, "PUT", "/sheets/7", &match));
	assert_string_equal(match.allow, "GET, HEAD, DELETE, OPTIONS");
	assert_null(match.params[0]);
	assert_null(found(arena, "GET", "/suppliers/a/sheets", &match));
	assert_string_equal(match.allow, "POST, OPTIONS");
	static const char *const nowhere[] = {"/",           "/sheets", "/sheets/", "/sheets/7/",
	                                      "/sheets/7/x", "/a/1/2",  "/a/1/2/e", "/Sheets/7"};

	for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
		assert_null(found(arena, "GET", nowhere[i], &match));
		assert_null(match.allow);
	}
	arena_destroy(arena);
}

/* ---- requests and answers ---- */

static void media_types_are_compared_without_parameters(void **state)
{
	struct arena *arena = arena_create();
	struct request *rq = request_for_test(arena, "POST", "/echo", "{}");
	const struct request_pair headers[] = {{"content-type", "Application/JSON; charset=utf-8"},
	                                       {"accept", "text/*;q=0.5, text/csv;q=0.9,*/*"}};

	(void)state;
	assert_true(request_is(rq, "application/json"));
	rq->headers = headers;
	rq->header_count = 2;
	assert_true(request_is(rq, "application/json"));
	assert_false(request_is(rq, "application/jso"));
	assert_true(request_accepts(rq, "text/csv"));
	assert_false(request_accepts(rq, "text/html"));
	arena_destroy(arena);
}

static void unknown_parameters_are_named_with_the_nearest_known(void **state)
{
	struct arena *arena = arena_create();
	struct problems problems;
	static const char *const known[] = {"card", "city"};
	const struct request *rq =
	    request_for_test(arena, "GET", "/offers?card=1&ctiy=2&lang=en", NULL);

	(void)state;
	problems_init(&problems, arena);
	request_query_only(rq, known, 2, &problems);
	assert_int_equal(problems.count, 1);
	assert_string_equal(problems.items[0].code, "unknown_parameter");
	assert_string_equal(problems.items[0].place.pointer, "ctiy");
	assert_string_equal(problems.items[0].hint.en, "did you mean \"city\"?");
	arena_destroy(arena);
}

static void a_problem_answer_carries_everything_in_the_callers_language(void **state)
{
	struct arena *arena = arena_create();
	struct request *rq = request_for_test(arena, "POST", "/sheets?lang=en", "{}");
	struct problems problems;

	(void)state;
	problems_init(&problems, arena);
	struct place cell = {.sheet = "GPU", .row = 14, .column = 6};

	problem_add(&problems, PROBLEM_ERROR, "bad_number", cell, "12,,5", "not a number",
	            "不是数字")
	    ->hint = TEXT("write 12.5", "请写 12.5");
	problem_add(&problems, PROBLEM_WARNING, "old", (struct place){.pointer = "/a/0"}, NULL,
	            "old", "过期");
	struct answer *answer =
	    answer_problems(rq, 422, "sheet_refused", TEXT("2 problems", "2 个问题"), &problems);

	assert_int_equal(answer_status(answer), 422);
	assert_string_equal(answer_type(answer), "application/problem+json");
	assert_string_equal(answer_get_header(answer, "Content-Language"), "en");
	assert_string_equal(
	    answer_body(answer, NULL),
	    "{\"type\":\"about:blank\",\"title\":\"Unprocessable Content\",\"status\":422,"
	    "\"detail\":\"2 problems\",\"code\":\"sheet_refused\",\"request_id\":\"test\","
	    "\"problems\":[{\"severity\":\"error\",\"sheet\":\"GPU\",\"row\":14,\"column\":\"F\","
	    "\"cell\":\"F14\",\"code\":\"bad_number\",\"value\":\"12,,5\","
	    "\"message\":\"not a number\",\"hint\":\"write 12.5\"},"
	    "{\"severity\":\"warning\",\"pointer\":\"/a/"
	    "0\",\"code\":\"old\",\"message\":\"old\"}]}");
	rq->lang = LANG_ZH;
	answer = answer_problem(rq, 404, "no_offer", "no offer %s", "没有报价 %s", "x");
	assert_non_null(strstr(answer_body(answer, NULL), "\"detail\":\"没有报价 x\""));
	arena_destroy(arena);
}

static void an_etag_turns_into_304_only_for_the_same_version(void **state)
{
	static const struct {
		const char *list;
		int status;
	} cases[] = {{"\"v1\"", 304},         {"W/\"v1\"", 304}, {"*", 304},
	             {"\"a\", \"v1\" ", 304}, {"\"v1", 200},     {"v1", 200},
	             {"\"v2\"", 200},         {"\"v1\"x", 200},  {"", 200}};
	struct arena *arena = arena_create();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct request *rq = request_for_test(arena, "GET", "/", NULL);
		struct request_pair header = {"if-none-match", cases[i].list};
		struct buf body = {0};
		size_t size;

		rq->headers = &header;
		rq->header_count = 1;
		buf_puts(&body, "{}");
		struct answer *answer = answer_etag(rq, answer_json(rq, 200, &body), "v1");

		assert_int_equal(answer_status(answer), cases[i].status);
		assert_string_equal(answer_get_header(answer, "etag"), "\"v1\"");
		answer_body(answer, &size);
		assert_int_equal(size, cases[i].status == 304 ? 0 : 2);
	}
	arena_destroy(arena);
}

static void setting_a_header_again_replaces_it(void **state)
{
	struct arena *arena = arena_create();
	struct request *rq = request_for_test(arena, "GET", "/", NULL);
	struct answer *answer = answer_empty(rq, 204);

	(void)state;
	answer_header(answer_header(answer, "Location", "/a"), "location", "/b");
	assert_string_equal(answer_get_header(answer, "LOCATION"), "/b");
	assert_null(answer_get_header(answer, "link"));
	arena_destroy(arena);
}

static void a_baked_file_is_found_by_its_path_only(void **state)
{
	struct arena *arena = arena_create();
	struct static_files *files = static_files_create("schema/reference/");
	struct request *rq = request_for_test(arena, "GET", "/cards.csv", NULL);

	(void)state;
	struct answer *answer = static_files_answer(files, rq);

	assert_int_equal(answer_status(answer), 200);
	assert_string_equal(answer_type(answer), "text/csv; charset=utf-8");
	assert_int_equal(strlen(answer_get_header(answer, "etag")), 66);
	rq->path = "/cards";
	assert_null(static_files_answer(files, rq));
	rq->path = "/";
	assert_null(static_files_answer(files, rq));
	static_files_destroy(files);
	files = static_files_create(NULL);
	assert_null(static_files_answer(files, rq));
	static_files_destroy(files);
	arena_destroy(arena);
}

static void the_page_travels_zipped_to_those_who_take_it_only(void **state)
{
	static const char *const refusing[] = {"identity", "gzip;q=0", "br"};
	struct arena *arena = arena_create();
	struct static_files *files = static_files_create("static/");
	struct request *rq = request_for_test(arena, "GET", "/app.css", NULL);
	struct request_pair header = {"accept-encoding", "br, gzip"};

	(void)state;
	rq->headers = &header;
	rq->header_count = 1;
	struct answer *answer = static_files_answer(files, rq);

	assert_string_equal(answer_get_header(answer, "content-encoding"), "gzip");
	assert_string_equal(answer_get_header(answer, "vary"), "Accept-Encoding");
	assert_string_equal(answer_type(answer), "text/css; charset=utf-8");
	for (size_t i = 0; i < sizeof refusing / sizeof *refusing; i++) {
		header.value = refusing[i];
		assert_null(answer_get_header(static_files_answer(files, rq), "content-encoding"));
	}
	rq->path = "/app.css.gz";
	assert_null(static_files_answer(files, rq));
	static_files_destroy(files);
	arena_destroy(arena);
}

/* ---- limits and deadlines ---- */

static struct limit_address address(const char *text)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		return limit_address_of((const struct sockaddr *)&v4);
	assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
	return limit_address_of((const struct sockaddr *)&v6);
}

static void addresses_are_counted_by_ipv4_or_by_a_customers_network(void **state)
{
	(void)state;
	assert_true(address("192.0.2.1").bits == address("::ffff:192.0.2.1").bits);
	assert_true(address("192.0.2.1").bits != address("192.0.2.2").bits);
	assert_true(address("2001:db8::1").bits == address("2001:db8::2").bits);
	assert_true(address("2001:db8::1").bits != address("2001:db8:0:1::1").bits);
	assert_true(address("::1").bits != 0);
}

/* Against a plain array, with so many collisions that slots move. */
static void connections_are_counted_exactly_while_they_come_and_go(void **state)
{
	enum { ADDRESSES = 60, LIMIT = 64, STEPS = 20000 };
	struct connection_counts *counts = connection_counts_create(LIMIT);
	int expected[ADDRESSES] = {0};
	int open = 0;
	unsigned seed = 1;

	(void)state;
	for (int step = 0; step < STEPS; step++) {
		seed = seed * 1103515245u + 12345u;
		int who = (int)(seed >> 16) % ADDRESSES;
		struct limit_address at = {(uint64_t)who + 1};

		if ((seed >> 8) % 2 == 0 && open < LIMIT) {
			assert_int_equal(connection_counts_add(counts, at), ++expected[who]);
			open++;
		} else if (expected[who] > 0) {
			connection_counts_remove(counts, at);
			expected[who]--;
			open--;
		}
	}
	for (int who = 0; who < ADDRESSES; who++) {
		struct limit_address at = {(uint64_t)who + 1};

		if (open == LIMIT && expected[who] > 0) {
			connection_counts_remove(counts, at);
			expected[who]--;
			open--;
		}
		assert_int_equal(connection_counts_add(counts, at), expected[who] + 1);
		connection_counts_remove(counts, at);
	}
	connection_counts_destroy(counts);
}

static void a_bucket_holds_ten_seconds_and_fills_at_its_rate(void **state)
{
	struct rate_limit *limit = rate_limit_create(2);
	struct rate_left left = {0};
	int64_t now_us = 1000000;

	(void)state;
	for (int i = 0; i < 20; i++) {
		left = rate_limit_take(limit, "key1", now_us);
		assert_true(left.allowed);
		assert_int_equal(left.remaining, 19 - i);
	}
	assert_int_equal(left.quota, 20);
	assert_int_equal(left.reset_s, 10);
	left = rate_limit_take(limit, "key1", now_us);
	assert_false(left.allowed);
	assert_int_equal(left.retry_s, 1);
	assert_true(rate_limit_take(limit, "key2", now_us).allowed);
	assert_true(rate_limit_take(limit, "key1", now_us + 500000).allowed);
	assert_false(rate_limit_take(limit, "key1", now_us + 500000).allowed);
	left = rate_limit_take(limit, "key1", now_us + 3600000000);
	assert_int_equal(left.remaining, 19);
	rate_limit_destroy(limit);
}

static void a_slow_rate_still_lets_single_requests_through(void **state)
{
	struct rate_limit *limit = rate_limit_create(0.05);

	(void)state;
	assert_true(rate_limit_take(limit, "key1", 1).allowed);
	struct rate_left left = rate_limit_take(limit, "key1", 1);

	assert_false(left.allowed);
	assert_int_equal(left.retry_s, 20);
	rate_limit_destroy(limit);
}

static void clients_are_late_by_phase(void **state)
{
	const struct deadlines deadlines = {
	    .header_us = 5000000, .idle_us = 75000000, .bytes_per_s = 1024};
	struct connection connection = {0};

	(void)state;
	connection_enter(&connection, CONNECTION_HEADER, 0);
	assert_false(connection_is_late(&connection, &deadlines, 0, 5000000));
	assert_true(connection_is_late(&connection, &deadlines, 0, 5000001));
	connection_enter(&connection, CONNECTION_IDLE, 0);
	assert_false(connection_is_late(&connection, &deadlines, 0, 75000000));
	assert_true(connection_is_late(&connection, &deadlines, 0, 75000001));
	connection_enter(&connection, CONNECTION_BODY, 0);
	assert_false(connection_is_late(&connection, &deadlines, 0, 5000000));
	assert_true(connection_is_late(&connection, &deadlines, 6000, 6000000));
	assert_false(connection_is_late(&connection, &deadlines, 6200, 6000000));
	connection_enter(&connection, CONNECTION_ANSWER, 0);
	assert_true(connection_is_late(&connection, &deadlines, 6000, 6000000));
	assert_false(connection_is_late(&connection, &deadlines, 6200, 6000000));
}

/* ---- metrics ---- */

static void metrics_are_counted_by_route_status_and_duration(void **state)
{
	const struct route *const routes[] = {&table[0], &table[1]};
	struct metrics *metrics = metrics_create(routes, 2);
	struct buf text = {0};

	(void)state;
	metrics_request(metrics, &table[1], 200, 400);
	metrics_request(metrics, &table[1], 200, 700);
	metrics_request(metrics, &table[1], 418, 5000000);
	metrics_request(metrics, NULL, 404, 10);
	metrics_count(metrics, METRICS_REAPED_BODY);
	metrics_in_flight(metrics, 1);
	metrics_write(metrics, &text);
	static const char *const lines[] = {
	    "http_requests_total{method=\"GET\",route=\"/sheets/{id}\",status=\"200\"} 2\n",
	    "http_requests_total{method=\"GET\",route=\"/sheets/{id}\",status=\"other\"} 1\n",
	    "http_requests_total{method=\"\",route=\"none\",status=\"404\"} 1\n",
	    "_bucket{method=\"GET\",route=\"/sheets/{id}\",le=\"0.0005\"} 1\n",
	    "_bucket{method=\"GET\",route=\"/sheets/{id}\",le=\"0.001\"} 2\n",
	    "_bucket{method=\"GET\",route=\"/sheets/{id}\",le=\"2.5\"} 2\n",
	    "_bucket{method=\"GET\",route=\"/sheets/{id}\",le=\"+Inf\"} 3\n",
	    "_sum{method=\"GET\",route=\"/sheets/{id}\"} 5.001100\n",
	    "_count{method=\"GET\",route=\"/sheets/{id}\"} 3\n",
	    "http_connections_reaped_total{phase=\"body\"} 1\n",
	    "http_requests_in_flight 1\n",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (strstr(buf_text(&text), lines[i]) == NULL)
			fail_msg("missing: %s in\n%s", lines[i], buf_text(&text));
	}
	assert_null(strstr(buf_text(&text), "template.csv"));
	buf_finish(&text);
	metrics_destroy(metrics);
}

/* ---- certificates ---- */

struct pair {
	char folder[64];
	char certificate[96];
	char key[96];
};

static void make_folder(struct pair *pair)
{
	snprintf(pair->folder, sizeof pair->folder, "/tmp/suanjia-test-XXXXXX");
	assert_non_null(mkdtemp(pair->folder));
	snprintf(pair->certificate, sizeof pair->certificate, "%s/tls.crt", pair->folder);
	snprintf(pair->key, sizeof pair->key, "%s/tls.key", pair->folder);
}

static void remove_folder(const struct pair *pair)
{
	unlink(pair->certificate);
	unlink(pair->key);
	rmdir(pair->folder);
}

/* The code of the first problem of a check, or "" when it passed without one. */
static const char *check(struct arena *arena, const char *certificate, const char *key)
{
	struct problems problems;

	problems_init(&problems, arena);
	bool usable = certificate_check(certificate, key, &problems);

	assert_int_equal(usable, problems.errors == 0);
	return problems.count == 0 ? "" : problems.items[0].code;
}

static void a_certificate_is_made_with_a_key_that_only_its_owner_reads(void **state)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct pair pair;
	struct stat status;

	(void)state;
	make_folder(&pair);
	problems_init(&problems, arena);
	assert_true(certificate_make(pair.certificate, pair.key, 365, &problems));
	assert_int_equal(stat(pair.key, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_string_equal(check(arena, pair.certificate, pair.key), "");
	int64_t left_s = certificate_expiry(pair.certificate) - clock_now_us() / 1000000;

	assert_in_range(left_s, 365 * 86400 - 60, 365 * 86400);
	assert_true(certificate_make(pair.certificate, pair.key, 365, &problems));
	remove_folder(&pair);
	arena_destroy(arena);
}

static void a_key_that_others_can_read_or_that_does_not_fit_is_refused(void **state)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct pair one;
	struct pair two;

	(void)state;
	make_folder(&one);
	make_folder(&two);
	problems_init(&problems, arena);
	assert_true(certificate_make(one.certificate, one.key, 10, &problems));
	assert_true(certificate_make(two.certificate, two.key, -1, &problems));
	assert_string_equal(check(arena, one.certificate, one.key), "certificate_expires_soon");
	assert_string_equal(check(arena, two.certificate, two.key), "certificate_expired");
	assert_string_equal(check(arena, one.certificate, two.key), "key_mismatch");
	assert_string_equal(check(arena, one.key, one.key), "certificate_unreadable");
	assert_string_equal(check(arena, one.certificate, one.certificate),
	                    "key_readable_by_others");
	assert_string_equal(check(arena, one.certificate, "/nowhere"), "key_unreadable");
	chmod(one.key, 0640);
	assert_string_equal(check(arena, one.certificate, one.key), "key_readable_by_others");
	assert_true(certificate_expiry("/nowhere") == 0);
	/* systemd gives a service its credential by an access list, seen as a group bit. */
	setenv("CREDENTIALS_DIRECTORY", one.folder, 1);
	assert_string_equal(check(arena, one.certificate, one.key), "certificate_expires_soon");
	chmod(one.key, 0644);
	assert_string_equal(check(arena, one.certificate, one.key), "key_readable_by_others");
	unsetenv("CREDENTIALS_DIRECTORY");
	remove_folder(&one);
	remove_folder(&two);
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(guard_refuses_what_two_readers_could_read_differently),
	    cmocka_unit_test(guard_refuses_broken_and_too_many_headers),
	    cmocka_unit_test(a_body_is_known_by_its_headers),
	    cmocka_unit_test(a_target_is_decoded_once),
	    cmocka_unit_test(a_target_that_could_mean_two_things_is_refused),
	    cmocka_unit_test(a_target_has_a_greatest_length_and_number_of_parameters),
	    cmocka_unit_test(routes_are_tried_in_order_and_their_parameters_cut_out),
	    cmocka_unit_test(a_path_without_the_method_says_which_it_takes),
	    cmocka_unit_test(media_types_are_compared_without_parameters),
	    cmocka_unit_test(unknown_parameters_are_named_with_the_nearest_known),
	    cmocka_unit_test(a_problem_answer_carries_everything_in_the_callers_language),
	    cmocka_unit_test(an_etag_turns_into_304_only_for_the_same_version),
	    cmocka_unit_test(setting_a_header_again_replaces_it),
	    cmocka_unit_test(a_baked_file_is_found_by_its_path_only),
	    cmocka_unit_test(the_page_travels_zipped_to_those_who_take_it_only),
	    cmocka_unit_test(addresses_are_counted_by_ipv4_or_by_a_customers_network),
	    cmocka_unit_test(connections_are_counted_exactly_while_they_come_and_go),
	    cmocka_unit_test(a_bucket_holds_ten_seconds_and_fills_at_its_rate),
	    cmocka_unit_test(a_slow_rate_still_lets_single_requests_through),
	    cmocka_unit_test(clients_are_late_by_phase),
	    cmocka_unit_test(metrics_are_counted_by_route_status_and_duration),
	    cmocka_unit_test(a_certificate_is_made_with_a_key_that_only_its_owner_reads),
	    cmocka_unit_test(a_key_that_others_can_read_or_that_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
