/* test_words.c - nothing that the engine says is left without words, in either language. */
#include "tests/unit/unit.h"

#include <string.h>

#include "api/cost_words.h"
#include "api/remarks.h"
#include "api/said.h"
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

/* Names of the interface, such as "ttft_ms", are no words. */
static void check_no_names(struct text text)
{
	if (strchr(text.en, '_') != NULL || strchr(text.zh, '_') != NULL)
		fail_msg("a name of the interface in \"%s\", \"%s\"", text.en, text.zh);
}

static void notes_say_no_name_of_the_interface(void **state)
{
	static const struct note named[] = {
	    {.code = NOTE_ASSUMED_OPTIMIZER, .word = "adamw_bf16"},
	    {.code = NOTE_ASSUMED_OPTIMIZER, .word = "adamw_8bit"},
	    {.code = NOTE_LIMIT_MISSED, .word = "ttft_ms"},
	    {.code = NOTE_LIMIT_MISSED, .word = "tpot_ms"},
	};
	struct arena *arena = arena_create();

	(void)state;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		check_no_names(note_remark(arena, &named[i]).text);
	for (int code = NOTE_NONE + 1; code < NOTE_COUNT; code++) {
		struct note note = {.code = (enum note_code)code};

		check_no_names(note_remark(arena, &note).text);
	}
	struct note batch = {.code = NOTE_ASSUMED_CONTEXT, .x = 131072};
	struct note none = {.code = NOTE_ASSUMED_RECOMPUTE, .word = "none"};

	assert_string_equal(note_remark(arena, &batch).text.zh, "假定上下文上限：131,072 token");
	assert_string_equal(note_remark(arena, &none).text.zh, "假定重计算：无");
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
		check_no_names(cost_flag_text(arena, &flag));
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
	assert_string_equal(cost_formula_words(&(struct listener){arena, LANG_ZH}, &line),
	                    "76,000 ÷ 1.06 元/台·月 × 4 台 × 12 月");
	assert_string_equal(cost_formula_words(&(struct listener){arena, LANG_EN}, &line),
	                    "76,000 ÷ 1.06 per server-month × 4 servers × 12 months");
	line.unit = (struct unit){PER_MBPS, 100, PERIOD_YEAR, 1};
	line.factors[3] = ratio_of(2);
	line.factors[4] = ratio_of(1);
	assert_string_equal(cost_formula_words(&(struct listener){arena, LANG_EN}, &line),
	                    "76,000 ÷ 1.06 per 100-Mbps-year × 2 × 100 Mbps × 1 year");
	arena_destroy(arena);
}

static bool holds_an_id(const char *text)
{
	const char *id = strstr(text, "id ");

	return id != NULL && id[3] >= '0' && id[3] <= '9';
}

static void where_an_assumption_comes_from_is_said_in_words(void **state)
{
	(void)state;
	for (int code = 0; code < ASSUMPTION_COUNT; code++) {
		const struct assumption *assumption = &cost_assumptions[code];

		check_words(assumption->source, assumption->name);
		assert_false(holds_an_id(assumption->source.en));
		assert_false(holds_an_id(assumption->source.zh));
	}
}

static void amounts_within_sentences_are_grouped(void **state)
{
	struct arena *arena = arena_create();
	struct cost_flag flag = {.code = FLAG_EQUIPMENT_OUTLIVES,
	                         .x = ratio_of(48),
	                         .y = ratio_of(2718584),
	                         .z = ratio_of(0)};
	struct cost_line line = {.formula = FORMULA_CAPITAL,
	                         .factors = {ratio_of(3398230), ratio_of(0), ratio_make(8, 100),
	                                     ratio_of(12), ratio_of(1)}};

	(void)state;
	assert_non_null(strstr(cost_flag_text(arena, &flag).en, "CNY 2,718,584 of its price"));
	assert_non_null(strstr(cost_flag_text(arena, &flag).zh, "2,718,584 元"));
	flag.z = ratio_make(2398823, 10);
	assert_non_null(strstr(cost_flag_text(arena, &flag).zh, "总价为 239,882.30 元"));
	assert_string_equal(cost_formula_words(&(struct listener){arena, LANG_ZH}, &line),
	                    "3,398,230 ×（1 + 残值率 0%）÷ 2 × 年率 8% × 12 月 ÷ 12");
	arena_destroy(arena);
}

/* A note counts as said when its code, both figures and its word are those of one said before. */
static void only_the_same_words_are_copied(void **state)
{
	static const struct note notes[] = {
	    {NOTE_TIGHT_MEMORY, 70.5, 74, NULL},   {NOTE_TIGHT_MEMORY, 70.5, 74.5, NULL},
	    {NOTE_TIGHT_MEMORY, 71, 74, NULL},     {NOTE_ASSUMED_ENGINE, 0, 0, "vllm"},
	    {NOTE_ASSUMED_ENGINE, 0, 0, "sglang"},
	};
	const int count = sizeof notes / sizeof *notes;
	struct arena *arena = arena_create();
	struct said said = {.arena = arena};
	struct cost_flag flag = {.code = FLAG_EQUIPMENT_OUTLIVES, .x = ratio_of(48)};
	struct json_piece *pieces[sizeof notes / sizeof *notes + 3];
	int made = 0;

	(void)state;
	for (int i = 0; i < count; i++)
		pieces[made++] = said_of_note(&said, &notes[i]);
	for (int i = 0; i < 3; i++) {
		flag.z = ratio_of(i);
		pieces[made++] = said_of_flag(&said, &flag);
	}
	for (int i = 0; i < made; i++)
		for (int k = 0; k < i; k++)
			assert_ptr_not_equal(pieces[i], pieces[k]);
	for (int i = 0; i < count; i++)
		assert_ptr_equal(pieces[i], said_of_note(&said, &notes[i]));
	assert_ptr_equal(pieces[made - 1], said_of_flag(&said, &flag));
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_note_of_the_engine_has_words),
	    cmocka_unit_test(notes_say_no_name_of_the_interface),
	    cmocka_unit_test(every_flag_has_words),
	    cmocka_unit_test(every_line_account_and_reason_has_words),
	    cmocka_unit_test(a_formula_can_be_worked_by_hand),
	    cmocka_unit_test(where_an_assumption_comes_from_is_said_in_words),
	    cmocka_unit_test(amounts_within_sentences_are_grouped),
	    cmocka_unit_test(only_the_same_words_are_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
