/* test_sheet.c - whole sheets: templates, differences, JSON there and back, hostile sizes. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "offer/reference.h"
#include "sheet/sheet.h"

static struct arena *arena;
static struct reference reference;

static int set_up(void **state)
{
	struct problems problems;

	(void)state;
	arena = arena_create();
	problems_init(&problems, arena);
	assert_true(reference_baked(arena, &problems, &reference));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

static struct sheet read_bytes(const void *bytes, size_t size, int hours_per_month)
{
	struct sheet_options options = {.cards = &reference.cards,
	                                .hours_per_month = hours_per_month};
	struct sheet sheet;

	assert_true(date_from_ymd(2026, 11, 30, &options.today));
	sheet_read(arena, bytes, size, NULL, &options, &sheet);
	return sheet;
}

static struct sheet read_text(const char *text)
{
	return read_bytes(text, strlen(text), 720);
}

static bool has_problem(const struct sheet *sheet, const char *code)
{
	for (size_t i = 0; i < sheet->problems.count; i++)
		if (strcmp(sheet->problems.items[i].code, code) == 0)
			return true;
	return false;
}

static void check_template(enum lang lang)
{
	struct buf text = {0};

	sheet_template_csv(&text, lang);
	struct sheet sheet = read_bytes(buf_text(&text), text.size, 720);

	for (size_t i = 0; i < sheet.problems.count; i++)
		fail_msg("template: row %d column %d %s: %s", sheet.problems.items[i].place.row,
		         sheet.problems.items[i].place.column, sheet.problems.items[i].code,
		         sheet.problems.items[i].message.en);
	assert_true(sheet.accepted);
	assert_int_equal(sheet.offer_count, TEMPLATE_EXAMPLES);
	assert_string_equal(sheet.offers[0].card, "h100-sxm");
	assert_int_equal(sheet.offers[0].kind, OFFER_RENTAL);
	assert_int_equal(sheet.offers[0].servers_available, 4);
	assert_int_equal(sheet.offers[0].availability_ppm, 999000);
	assert_int_equal(sheet.offers[0].replacement_minutes, 240);
	assert_int_equal(sheet.offers[0].mbps_included, 100);
	assert_int_equal(money_to_micro(sheet.offers[0].prices[0].normalised), 13194444);
	assert_int_equal(sheet.offers[1].prices[0].term, TERM_HOURLY);
	assert_int_equal(sheet.offers[2].kind, OFFER_COLOCATION);
	assert_int_equal(sheet.offers[2].cabinet_watts, 12000);
	assert_int_equal(sheet.offers[2].prices[0].tax, TAX_EXCLUDED);
	assert_int_equal(sheet.offers[3].kind, OFFER_NETWORK);
	buf_finish(&text);
}

static void the_templates_read_back_without_a_problem(void **state)
{
	(void)state;
	check_template(LANG_ZH);
	check_template(LANG_EN);
}

static void a_month_has_the_hours_that_were_asked_for(void **state)
{
	static const char text[] = "型号,城市,卡数,包月（元/卡/月）\nRTX 4090,深圳,8,730\n";
	static const char noted[] =
	    "每月按730小时计\n型号,城市,卡数,包月（元/卡/月）\nRTX 4090,深圳,8,730\n";

	(void)state;
	struct sheet sheet = read_bytes(text, strlen(text), 730);

	assert_int_equal(money_to_micro(sheet.offers[0].prices[0].normalised), 1000000);
	sheet = read_text(text);
	assert_int_equal(money_to_micro(sheet.offers[0].prices[0].normalised), 1013889);
	sheet = read_text(noted);
	assert_int_equal(money_to_micro(sheet.offers[0].prices[0].normalised), 1000000);
}

static void a_problem_names_its_cell_in_both_languages(void **state)
{
	struct sheet sheet = read_text("型号,城市,卡数,价格（元/卡/时）\nH100,深圳,8,13.5\n");
	const struct problem *problem = &sheet.problems.items[0];

	(void)state;
	assert_false(sheet.accepted);
	assert_string_equal(problem->code, "ambiguous_card");
	assert_int_equal(problem->place.row, 2);
	assert_int_equal(problem->place.column, 1);
	assert_string_equal(problem->value, "H100");
	assert_non_null(strstr(problem->message.en, "h100-pcie"));
	assert_non_null(strstr(problem->message.zh, "h100-sxm"));
	assert_non_null(problem->hint.zh);
}

static void a_difference_does_not_see_the_order_of_rows(void **state)
{
	struct sheet before = read_text("型号,城市,卡数,价格（元/卡/时）\n"
	                                "RTX 4090,深圳,8,1.98\nL20,深圳,8,4\nL40S,东莞,8,4.98\n");
	struct sheet now = read_text("型号,城市,卡数,价格（元/卡/时）\n"
	                             "L40S,东莞,8,4.50\nT4,惠州,4,1.35\nRTX 4090,深圳,8,1.98\n");
	struct sheet_difference difference =
	    sheet_difference(arena, (struct offer_list){before.offers, before.offer_count},
	                     (struct offer_list){now.offers, now.offer_count}, &now.problems);

	(void)state;
	assert_int_equal(difference.added, 1);
	assert_int_equal(difference.changed, 1);
	assert_int_equal(difference.gone, 1);
	assert_int_equal(difference.unchanged, 1);
	assert_false(has_problem(&now, "price_jump"));
}

static struct sheet_difference difference_of(const char *before, const char *now)
{
	struct sheet old_sheet = read_text(before);
	struct sheet new_sheet = read_text(now);

	return sheet_difference(arena, (struct offer_list){old_sheet.offers, old_sheet.offer_count},
	                        (struct offer_list){new_sheet.offers, new_sheet.offer_count}, NULL);
}

#define SITE_HEAD "型号,城市,机房,卡数,价格（元/卡/时）\n"

static void a_site_that_is_renamed_is_no_other_offer(void **state)
{
	struct sheet_difference same =
	    difference_of(SITE_HEAD "RTX 4090,深圳,南山一号,8,1.98\nL20,深圳,南山一号,8,4\n",
	                  SITE_HEAD "RTX 4090,深圳,南山一期,8,1.98\nL20,深圳,南山一期,8,3.9\n");
	struct condition_change *conditions;
	struct price_change *prices;

	(void)state;
	assert_int_equal(same.changed, 2);
	assert_int_equal(same.added + same.gone + same.unchanged, 0);
	assert_int_equal(sheet_condition_changes(arena, &same.changes[0], &conditions), 1);
	assert_string_equal(conditions[0].field, "site");
	assert_string_equal(conditions[0].before, "南山一号");
	assert_string_equal(conditions[0].now, "南山一期");
	assert_int_equal(sheet_price_changes(arena, &same.changes[0], &prices), 0);
	assert_int_equal(sheet_price_changes(arena, &same.changes[1], &prices), 1);
	assert_string_equal(prices[0].before->as_quoted, "4");
	assert_string_equal(prices[0].now->as_quoted, "3.9");
}

/* Two sites of one city, one of them gone: which of the two the new name is, prices say. */
static void of_several_sites_the_one_with_the_same_price_is_the_renamed_one(void **state)
{
	struct sheet_difference found =
	    difference_of(SITE_HEAD "RTX 4090,深圳,甲,8,1.98\nRTX 4090,深圳,乙,8,2.05\n",
	                  SITE_HEAD "RTX 4090,深圳,丙,8,2.05\n");

	(void)state;
	assert_int_equal(found.changed, 1);
	assert_int_equal(found.gone, 1);
	assert_string_equal(found.changes[0].before->site, "乙");
	assert_string_equal(found.changes[1].before->site, "甲");
}

static void a_city_written_otherwise_at_the_same_price_is_the_same_offer(void **state)
{
	static const char head[] = "型号,城市,卡数,价格（元/卡/时）\nL20,";
	char before[120];
	char now[120];
	char dearer[120];

	(void)state;
	snprintf(before, sizeof before, "%s广东某地,8,4\n", head);
	snprintf(now, sizeof now, "%s深圳,8,4\n", head);
	snprintf(dearer, sizeof dearer, "%s深圳,8,4.2\n", head);
	assert_int_equal(difference_of(before, now).changed, 1);
	/* At another price it may as well be another offer. */
	assert_int_equal(difference_of(before, dearer).added, 1);
	assert_int_equal(difference_of(before, dearer).gone, 1);
}

static bool jumps_from_four_to(const char *price)
{
	static const char head[] = "型号,城市,卡数,价格（元/卡/时）\nL20,深圳,8,";
	char text[sizeof head + 16];
	struct sheet before = read_text("型号,城市,卡数,价格（元/卡/时）\nL20,深圳,8,4\n");

	snprintf(text, sizeof text, "%s%s\n", head, price);
	struct sheet now = read_text(text);

	sheet_difference(arena, (struct offer_list){before.offers, before.offer_count},
	                 (struct offer_list){now.offers, now.offer_count}, &now.problems);
	return has_problem(&now, "price_jump");
}

static void a_price_that_jumps_over_forty_percent_is_said(void **state)
{
	(void)state;
	assert_false(jumps_from_four_to("5.6"));
	assert_true(jumps_from_four_to("5.61"));
	assert_false(jumps_from_four_to("2.4"));
	assert_true(jumps_from_four_to("2.39"));
}

static void what_is_paid_once_says_so_once(void **state)
{
	struct sheet sheet = read_text("服务项目,单价,单位,计费方式\n上架费,800,元/柜,一次性\n");

	(void)state;
	assert_int_equal(sheet.offer_count, 1);
	assert_non_null(strstr(sheet.understood[0].zh, "；一次性费用 800 元/柜"));
	assert_non_null(strstr(sheet.understood[0].en, "; setup 800 元/柜"));
}

static void the_unit_is_kept_in_the_letters_of_the_sheet(void **state)
{
	struct sheet sheet = read_text("公网带宽报价（单位：元/M/月，含税）\n"
	                               "线路,城市,价格,IP（元/IP/月）\nBGP,深圳,38,50\n");

	(void)state;
	assert_int_equal(sheet.offer_count, 1);
	assert_string_equal(sheet.offers[0].prices[0].unit_text, "元/M/月");
	assert_string_equal(sheet.offers[0].prices[1].unit_text, "元/IP/月");
}

static void a_price_has_its_date_and_its_source(void **state)
{
	struct sheet sheet = read_text("型号,城市,卡数,价格（元/卡/时）,价格日期,数据来源\n"
	                               "RTX 4090,深圳,8,1.98,2026-11-20,示例行情网\n");
	char day[11];

	(void)state;
	assert_int_equal(sheet.offer_count, 1);
	date_format(sheet.offers[0].observed_on, day);
	assert_string_equal(day, "2026-11-20");
	assert_string_equal(sheet.offers[0].source, "示例行情网");
}

static void reading_twice_gives_the_same(void **state)
{
	static const char text[] =
	    "型号,城市,卡数,月租（元/台/月）,备注\nRTX 4090,深圳,8,7600,含100M带宽\n";
	struct sheet a = read_text(text);
	struct sheet b = read_text(text);
	struct sheet_difference difference =
	    sheet_difference(arena, (struct offer_list){a.offers, a.offer_count},
	                     (struct offer_list){b.offers, b.offer_count}, NULL);

	(void)state;
	assert_int_equal(difference.unchanged, 1);
	assert_int_equal(difference.added + difference.changed + difference.gone, 0);
	assert_string_equal(a.understood[0].zh, b.understood[0].zh);
}

/* What an answer shows is what an upload takes: as_quoted and unit mean the same again. */
static void quoted_words_mean_the_same_as_json(void **state)
{
	struct sheet table = read_text("单位：万元\n型号,城市,卡数,台月租,备注\n"
	                               "H100 SXM 80G,深圳,8,7.6,含税6%\n");
	const struct price *price = &table.offers[0].prices[0];
	char json[500];

	(void)state;
	assert_int_equal(table.offer_count, 1);
	snprintf(json, sizeof json,
	         "{\"offers\":[{\"kind\":\"rental\",\"card\":\"%s\",\"cards_per_server\":8,"
	         "\"city\":\"深圳\",\"prices\":[{\"item\":\"compute\",\"as_quoted\":\"%s\","
	         "\"unit\":\"%s\",\"tax\":\"included\",\"tax_rate\":\"0.06\"}]}]}",
	         table.offers[0].card, price->as_quoted, price->unit_text);
	struct sheet again = read_text(json);

	assert_true(again.accepted);
	assert_int_equal(money_to_micro(again.offers[0].prices[0].normalised),
	                 money_to_micro(price->normalised));
	assert_int_equal(again.offers[0].prices[0].term, TERM_MONTHLY);
}

/* Bought as bandwidth to the internet, an MPLS circuit of a JSON sheet was the cheapest. */
static void a_line_is_called_in_json_as_in_a_table(void **state)
{
	static const char *const lines[][2] = {
	    {"MPLS", "dedicated"}, {"专线", "dedicated"}, {"BGP 多线", "bgp"},
	    {"电信", "telecom"},   {"自有", "自有"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char json[300];

		snprintf(json, sizeof json,
		         "{\"offers\":[{\"kind\":\"network\",\"city\":\"深圳\",\"line\":\"%s\","
		         "\"prices\":[{\"item\":\"bandwidth\",\"as_quoted\":\"40\","
		         "\"unit\":\"元/M/月\"}]}]}",
		         lines[i][0]);
		struct sheet sheet = read_text(json);

		assert_int_equal(sheet.offer_count, 1);
		assert_string_equal(sheet.offers[0].line, lines[i][1]);
	}
}

/* Five thousand rows of fifteen things gave two thousand warnings, and no one reads those. */
static void one_thing_at_many_prices_is_told_of_once(void **state)
{
	struct sheet sheet =
	    read_text("型号,城市,卡数,价格（元/卡/时）\nL20,深圳,8,4\nL20,深圳,8,4.1\n"
	              "L20,深圳,8,4.2\nL20,深圳,8,4.3\nRTX 4090,深圳,8,2\nRTX 4090,深圳,8,2.1\n");

	(void)state;
	assert_int_equal(sheet.offer_count, 6);
	assert_int_equal(sheet.problems.count, 2);
	assert_string_equal(sheet.problems.items[0].code, "conflicting_price");
	assert_int_equal(sheet.problems.items[0].place.row, 3);
	assert_non_null(strstr(sheet.problems.items[0].message.en, "3 rows: 3, 4, 5"));
	assert_int_equal(sheet.problems.items[1].place.row, 7);
}

static void nothing_read_is_an_error(void **state)
{
	struct sheet empty = read_text("");
	struct sheet prose = read_text("hello\nworld\n");
	struct sheet header = read_text("型号,城市,价格（元/卡/时）\n");

	(void)state;
	assert_true(has_problem(&empty, "empty"));
	assert_true(has_problem(&prose, "no_offers"));
	assert_true(has_problem(&header, "no_offers"));
	assert_false(empty.accepted || prose.accepted || header.accepted);
}

/* Memory stays within a small multiple of the upload, whatever is in it. */
static void many_bad_rows_do_not_grow_without_bound(void **state)
{
	struct arena *own = arena_create();
	struct sheet_options options = {.cards = &reference.cards, .hours_per_month = 720};
	struct sheet sheet;
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "型号,城市,卡数,价格（元/卡/时）\n");
	for (int i = 0; i < 20000; i++)
		buf_puts(&text, "H100,深圳,8,12OOO\n");
	sheet_read(own, buf_text(&text), text.size, NULL, &options, &sheet);
	assert_int_equal(sheet.offer_count, 0);
	assert_true(sheet.problems.count < 2100);
	assert_true(has_problem(&sheet, "too_many_problems"));
	assert_true(arena_size(own) < ((size_t)200 << 20));
	buf_finish(&text);
	arena_destroy(own);
}

static void an_upload_above_the_limit_is_refused_unread(void **state)
{
	struct buf text = {0};

	(void)state;
	buf_reserve(&text, (size_t)17 << 20);
	while (text.size < (size_t)17 << 20)
		buf_puts(&text, "RTX 4090,深圳,8,1.98\n");
	struct sheet sheet = read_bytes(buf_text(&text), text.size, 720);

	assert_true(has_problem(&sheet, "too_large"));
	buf_finish(&text);
}

static void a_hint_names_a_unit_of_what_is_sold(void **state)
{
	struct sheet sheet = read_text("机房,城市,机柜功率,价格\n示例A,深圳,6kW,4200\n");

	(void)state;
	assert_int_equal(sheet.problems.errors, 1);
	assert_non_null(strstr(sheet.problems.items[0].hint.zh, "元/柜/月"));
	assert_null(strstr(sheet.problems.items[0].hint.zh, "元/卡/月"));
}

static void words_for_people_are_of_one_language(void **state)
{
	struct sheet sheet = read_text("型号,城市,卡数,包月（元/台）\nRTX 4090,深圳,8,9999999\n");

	(void)state;
	assert_string_equal(sheet.tables[0].columns[3].meaning.zh, "价格，包月，元/台");
	assert_string_equal(sheet.tables[0].columns[3].meaning.en, "price, monthly, 元/台");
	assert_true(has_problem(&sheet, "out_of_band"));
	for (size_t i = 0; i < sheet.problems.count; i++)
		assert_null(strstr(sheet.problems.items[i].message.zh, "card"));
}

static void a_sheet_that_takes_the_place_of_most_offers_is_warned_of(void **state)
{
	struct sheet before = read_text("型号,城市,卡数,价格（元/卡/时）\nRTX 4090,深圳,8,1.98\n"
	                                "L20,深圳,8,4\nL40S,东莞,8,4.98\nT4,惠州,4,1.35\n");
	struct sheet now = read_text("型号,城市,卡数,价格（元/卡/时）\nT4,惠州,4,1.35\n");

	(void)state;
	sheet_difference(arena, (struct offer_list){before.offers, before.offer_count},
	                 (struct offer_list){now.offers, now.offer_count}, &now.problems);
	assert_true(has_problem(&now, "many_gone"));
	sheet_difference(arena, (struct offer_list){before.offers, 2},
	                 (struct offer_list){now.offers, now.offer_count}, &before.problems);
	assert_false(has_problem(&before, "many_gone"));
}

/* A line is laid for so much each; a port in a list of cabinets is opened once. */
static void what_laying_a_line_costs_is_counted_by_the_line(void **state)
{
	(void)state;
	struct sheet lines = read_text("城市,线路类型,带宽,月租(元/条/月),初装费(元/条)\n"
	                               "深圳,点对点专线,100M,8000,2000\n");
	struct sheet cabinets = read_text("城市,额定功率,含带宽,机柜费(元/柜/月),开通费(元/条)\n"
	                                  "深圳,4kW,100M,5000,600\n");

	assert_int_equal(lines.offer_count, 1);
	assert_int_equal(lines.offers[0].price_count, 2);
	assert_int_equal(lines.offers[0].prices[1].item, ITEM_SETUP);
	assert_int_equal(lines.offers[0].prices[1].unit.per, PER_MBPS);
	assert_int_equal(lines.offers[0].prices[1].unit.per_count, 100);
	assert_int_equal(cabinets.offer_count, 1);
	assert_int_equal(cabinets.offers[0].price_count, 2);
	assert_int_equal(cabinets.offers[0].prices[1].item, ITEM_SETUP);
	assert_int_equal(cabinets.offers[0].prices[1].unit.per, PER_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_templates_read_back_without_a_problem),
	    cmocka_unit_test(a_month_has_the_hours_that_were_asked_for),
	    cmocka_unit_test(a_problem_names_its_cell_in_both_languages),
	    cmocka_unit_test(a_difference_does_not_see_the_order_of_rows),
	    cmocka_unit_test(a_site_that_is_renamed_is_no_other_offer),
	    cmocka_unit_test(of_several_sites_the_one_with_the_same_price_is_the_renamed_one),
	    cmocka_unit_test(a_city_written_otherwise_at_the_same_price_is_the_same_offer),
	    cmocka_unit_test(a_price_that_jumps_over_forty_percent_is_said),
	    cmocka_unit_test(what_is_paid_once_says_so_once),
	    cmocka_unit_test(the_unit_is_kept_in_the_letters_of_the_sheet),
	    cmocka_unit_test(a_price_has_its_date_and_its_source),
	    cmocka_unit_test(reading_twice_gives_the_same),
	    cmocka_unit_test(quoted_words_mean_the_same_as_json),
	    cmocka_unit_test(a_line_is_called_in_json_as_in_a_table),
	    cmocka_unit_test(a_hint_names_a_unit_of_what_is_sold),
	    cmocka_unit_test(words_for_people_are_of_one_language),
	    cmocka_unit_test(a_sheet_that_takes_the_place_of_most_offers_is_warned_of),
	    cmocka_unit_test(one_thing_at_many_prices_is_told_of_once),
	    cmocka_unit_test(nothing_read_is_an_error),
	    cmocka_unit_test(many_bad_rows_do_not_grow_without_bound),
	    cmocka_unit_test(what_laying_a_line_costs_is_counted_by_the_line),
	    cmocka_unit_test(an_upload_above_the_limit_is_refused_unread),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
