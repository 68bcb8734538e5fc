/* test_words.c - nothing that the engine says is left without words, in either language. */
#include "tests/unit/unit.h"

#include <string.h>

#include "api/cost_words.h"
#include "api/remarks.h"
#include "base/arena.h"

/* Words are there in both languages, and the Chinese ones are not the English ones. */
static void check_words(struct text text, const char *name)
{
	if (text.en == NULL || *text.en == '\0' || text.zh == NULL || *text.zh == '\0' ||
	    strcmp(text.en, text.zh) == 0)
		fail_msg("no words for %s", name);
}

static void every_note_of_the_engine_has_words(void **state)
{
	struct arena *arena = arena_create();

	(void)state;
	for (int code = NOTE_NONE + 1; code < NOTE_COUNT; code++) {
		struct note note = {.code = (enum note_code)code, .x = 1, .y = 2, .word = "word"};

		check_words(note_remark(arena, &note).text, note_name(note.code));
	}
	arena_destroy(arena);
}

static void every_flag_has_words(void **state)
{
	struct arena *arena = arena_create();

	(void)state;
	for (int code = 0; code < COST_FLAG_COUNT; code++) {
		struct cost_flag flag = {.code = (enum cost_flag_code)code,
		                         .x = ratio_of(1),
		                         .y = ratio_of(2),
		                         .z = ratio_of(3),
		                         .word = "word"};

		check_words(cost_flag_text(arena, &flag), cost_flag_name(flag.code));
	}
	arena_destroy(arena);
}

static void every_line_account_and_reason_has_words(void **state)
{
	(void)state;
	for (int what = 0; what < COST_WHAT_COUNT; what++)
		check_words(cost_what_text((enum cost_what)what),
		            cost_what_name((enum cost_what)what));
	for (int account = 0; account < COST_ACCOUNT_COUNT; account++)
		check_words(cost_account_text((enum cost_account)account),
		            cost_account_names[account]);
	for (int reason = 0; reason < REASON_COUNT; reason++)
		check_words(plan_reason_text((enum plan_reason)reason), reason_names[reason]);
}

static void a_formula_can_be_worked_by_hand(void **state)
{
	struct arena *arena = arena_create();
	struct cost_line line = {
	    .unit = {PER_SERVER, 1, PERIOD_MONTH, 1},
	    .formula = FORMULA_PRICE,
	    .factors = {ratio_of(76000), ratio_make(100, 106), ratio_of(1), ratio_of(4),
	                ratio_of(12)},
	};

	(void)state;
	assert_string_equal(cost_formula_text(arena, &line).zh,
	                    "76000 ÷ 1.06 元/台·月 × 4 台 × 12 月");
	line.unit = (struct unit){PER_MBPS, 100, PERIOD_YEAR, 1};
	line.factors[3] = ratio_of(2);
	line.factors[4] = ratio_of(1);
	assert_string_equal(cost_formula_text(arena, &line).en,
	                    "76000 ÷ 1.06 per 100Mbps-year × 2 × 100Mbps × 1 year");
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_note_of_the_engine_has_words),
	    cmocka_unit_test(every_flag_has_words),
	    cmocka_unit_test(every_line_account_and_reason_has_words),
	    cmocka_unit_test(a_formula_can_be_worked_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
