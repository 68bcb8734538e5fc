/* test_xlsx_write.c - workbooks that are given out: read back, repeatable, never a formula. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/arena.h"
#include "offer/reference.h"
#include "sheet/sheet.h"
#include "sheet/xlsx_write.h"

static void write_one(struct buf *file)
{
	static const char *const choices[] = {"深圳", "a,b", NULL};
	struct xlsx_write book = xlsx_write_begin();

	xlsx_text(&book, "<a & \"b\">");
	xlsx_check(&book, 1, "title", "note", choices);
	xlsx_end_row(&book);
	xlsx_text(&book, "=1+1");
	xlsx_text(&book, "bad \x01 and \xff bytes");
	xlsx_number(&book, "-5.25");
	xlsx_integer(&book, 7);
	xlsx_text(&book, NULL);
	xlsx_end_row(&book);
	assert_true(xlsx_write_finish(&book, "报价 & 'x'", file));
}

static void the_same_cells_give_the_same_bytes(void **state)
{
	struct buf one = {0};
	struct buf two = {0};

	(void)state;
	write_one(&one);
	write_one(&two);
	assert_int_equal(one.size, two.size);
	assert_memory_equal(one.bytes, two.bytes, one.size);
	assert_memory_equal(one.bytes, "PK\x03\x04", 4);
	buf_finish(&one);
	buf_finish(&two);
}

static void a_workbook_without_a_row_is_one(void **state)
{
	struct xlsx_write book = xlsx_write_begin();
	struct buf file = {0};

	(void)state;
	assert_true(xlsx_write_finish(&book, "x", &file));
	assert_true(file.size > 0);
	buf_finish(&file);
}

/* The template goes out and comes back through the reader of what suppliers send. */
static void the_template_reads_back_as_the_offers_it_shows(void **state)
{
	(void)state;
	for (int lang = LANG_ZH; lang <= LANG_EN; lang++) {
		struct arena *arena = arena_create();
		struct problems problems;
		struct reference reference;
		struct sheet sheet;
		struct buf file = {0};

		problems_init(&problems, arena);
		assert_true(reference_baked(arena, &problems, &reference));
		struct sheet_options options = {.cards = &reference.cards, .hours_per_month = 720};

		assert_true(date_parse("2026-12-01", &options.today));
		assert_true(sheet_template_xlsx(&file, (enum lang)lang));
		sheet_read(arena, file.bytes, file.size, "template.xlsx", &options, &sheet);
		assert_string_equal(sheet.format, "xlsx");
		assert_true(sheet.accepted);
		assert_int_equal(sheet.offer_count, TEMPLATE_EXAMPLES);
		assert_int_equal(sheet.problems.errors, 0);
		buf_finish(&file);
		arena_destroy(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_cells_give_the_same_bytes),
	    cmocka_unit_test(a_workbook_without_a_row_is_one),
	    cmocka_unit_test(the_template_reads_back_as_the_offers_it_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
