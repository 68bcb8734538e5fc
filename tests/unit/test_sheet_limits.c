/* test_sheet_limits.c - how large a sheet may be, and what it costs to find that one is larger. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "offer/reference.h"
#include "sheet/limits.h"
#include "sheet/sheet.h"
#include "tests/hostile.h"

#define MIB ((size_t)1 << 20)

static struct arena *arena; /* of the sheet being read */
static struct arena *kept;
static struct reference reference;

static int set_up(void **state)
{
	struct problems problems;

	(void)state;
	kept = arena_create();
	problems_init(&problems, kept);
	assert_true(reference_baked(kept, &problems, &reference));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_destroy(kept);
	return 0;
}

static int begin(void **state)
{
	(void)state;
	arena = arena_create();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

/* Reads TEXT and frees it. */
static struct sheet read_all(struct buf *text)
{
	struct sheet_options options = {
	    .cards = &reference.cards, .hours_per_month = 720, .today = {.days = 20787}};
	struct sheet sheet;

	sheet_read(arena, buf_text(text), text->size, NULL, &options, &sheet);
	buf_finish(text);
	return sheet;
}

static void repeat(struct buf *text, const char *part, size_t size)
{
	while (text->size < size)
		buf_puts(text, part);
}

static void assert_refused(const struct sheet *sheet, const char *code, size_t arena_most)
{
	assert_int_equal(sheet->offer_count, 0);
	assert_int_equal(sheet->problems.errors, 1);
	assert_string_equal(sheet->problems.items[sheet->problems.count - 1].code, code);
	assert_true(arena_size(arena) <= arena_most);
}

static void a_sheet_of_a_hundred_thousand_rows_and_sixteen_columns_is_read(void **state)
{
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "型号,城市,机房,卡数,库存（台）,小时价（元/卡/时）,包月（元/台/月）,"
	                "交付方式,SLA,更换（小时）,组网,起租期,有效期至,带宽,全新,备注\n");
	for (int i = 0; i < SHEET_OFFERS_MAX; i++)
		buf_printf(&text,
		           "L40S,深圳,示例%d,8,4,4.98,%d,裸金属,99.9%%,4,IB,1个月,2027-12-31,100M,"
		           "是,示例\n",
		           i, 20000 + i % 5000);
	struct sheet sheet = read_all(&text);

	assert_true(sheet.accepted);
	assert_int_equal(sheet.offer_count, SHEET_OFFERS_MAX);
	assert_int_equal(sheet.offers[SHEET_OFFERS_MAX - 1].row, SHEET_OFFERS_MAX + 1);
}

static void more_cells_than_a_sheet_may_have_are_refused(void **state)
{
	struct buf text = {0};

	(void)state;
	repeat(&text, "1,2,3,4,5,6,7,8\n", 16 * MIB - 32);
	struct sheet sheet = read_all(&text);

	assert_refused(&sheet, "too_large", 64 * MIB);
}

static void more_rows_than_a_sheet_may_have_are_refused(void **state)
{
	struct buf text = {0};

	(void)state;
	repeat(&text, "1\n", 16 * MIB - 32);
	struct sheet sheet = read_all(&text);

	assert_refused(&sheet, "too_large", 64 * MIB);
}

static void empty_cells_cost_no_memory(void **state)
{
	struct buf text = {0};

	(void)state;
	repeat(&text, ",,,,,,,,,,,,,,,,,,,,,,,,\n", 16 * MIB - 32);
	struct sheet sheet = read_all(&text);

	assert_refused(&sheet, "too_large", 24 * MIB);
}

/* Whatever they cost to make, reading them costs little and gives nothing. */
static void hostile_files_are_refused_in_little_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTILE_KINDS; i++) {
		struct buf file = {0};

		hostile_kinds[i].make(&file);
		arena = arena_create();
		struct sheet sheet = read_all(&file);

		if (sheet.accepted != hostile_kinds[i].harmless || arena_size(arena) > 56 * MIB)
			fail_msg("%s: %zu offers in %zu MiB", hostile_kinds[i].name,
			         sheet.offer_count, arena_size(arena) / MIB);
		arena_destroy(arena);
	}
}

/* A sheet with more wrong than right in it is not read to its end, and not stored in part. */
static void nothing_is_left_of_a_sheet_that_is_given_up(void **state)
{
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "型号,城市,卡数,价格（元/卡/时）\nRTX 4090,深圳,8,1.98\n");
	for (int i = 0; i < 2 * SHEET_ERRORS_MAX; i++)
		buf_puts(&text, "RTX 4090,深圳,8,12OOO\n");
	struct sheet sheet = read_all(&text);

	assert_int_equal(sheet.offer_count, 0);
	assert_true(sheet.problems.errors < SHEET_ERRORS_MAX + 10);
	assert_true(sheet.problems.errors > SHEET_ERRORS_MAX);
	assert_string_equal(sheet.problems.items[sheet.problems.count - 1].code,
	                    "too_many_problems");
}

/* Where most is right, every row is read, so that accept=partial leaves out only what is wrong. */
static void a_long_sheet_with_many_errors_is_read_to_its_end(void **state)
{
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "型号,城市,机房,卡数,价格（元/卡/时）\n");
	for (int i = 0; i < 3 * SHEET_ERRORS_MAX; i++)
		buf_printf(&text, "RTX 4090,深圳,示例%d,8,%s\n", i, i % 3 == 2 ? "12OOO" : "1.98");
	struct sheet sheet = read_all(&text);

	assert_int_equal(sheet.offer_count, 2 * SHEET_ERRORS_MAX);
}

static void json_that_ends_too_soon_gives_no_offers(void **state)
{
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "{\"offers\":[{\"card\":\"rtx4090\",\"cards_per_server\":8,\"prices\":"
	                "[{\"as_quoted\":\"1.98\",\"unit\":\"元/卡/时\"}]},\n{\"card\":");
	struct sheet sheet = read_all(&text);

	assert_refused(&sheet, "damaged", MIB);
	assert_int_equal(sheet.problems.items[0].place.row, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_sheet_of_a_hundred_thousand_rows_and_sixteen_columns_is_read, begin, end),
	    cmocka_unit_test_setup_teardown(more_cells_than_a_sheet_may_have_are_refused, begin,
	                                    end),
	    cmocka_unit_test_setup_teardown(more_rows_than_a_sheet_may_have_are_refused, begin,
	                                    end),
	    cmocka_unit_test_setup_teardown(empty_cells_cost_no_memory, begin, end),
	    cmocka_unit_test(hostile_files_are_refused_in_little_memory),
	    cmocka_unit_test_setup_teardown(nothing_is_left_of_a_sheet_that_is_given_up, begin,
	                                    end),
	    cmocka_unit_test_setup_teardown(a_long_sheet_with_many_errors_is_read_to_its_end, begin,
	                                    end),
	    cmocka_unit_test_setup_teardown(json_that_ends_too_soon_gives_no_offers, begin, end),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
