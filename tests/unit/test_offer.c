/* test_offer.c - money, units, tariffs and reference data: the golden arithmetic of suppliers. */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "offer/offer.h"
#include "offer/reference.h"
#include "offer/tariff.h"

static void check_money(const char *in, const char *out)
{
	struct money amount;
	char text[MONEY_TEXT_SIZE];

	assert_true(money_parse(in, &amount));
	money_format(amount, text);
	assert_string_equal(text, out);
}

static void money_is_written_as_it_is(void **state)
{
	struct money amount;

	(void)state;
	check_money("0", "0.00");
	check_money("76000", "76000.00");
	check_money("13.194444", "13.194444");
	check_money("-0.5", "-0.50");
	check_money("9223372036854.775807", "9223372036854.775807");
	assert_false(money_parse("9223372036854.775808", &amount));
	assert_false(money_parse("0.0000001", &amount));
	assert_false(money_parse("1,000", &amount));
}

static void money_says_when_it_overflows(void **state)
{
	struct money most = money_from_micro(INT64_MAX);
	struct money sum = money_from_micro(7);

	(void)state;
	assert_false(money_add(most, money_from_micro(1), &sum));
	assert_false(money_subtract(money_from_micro(INT64_MIN), money_from_micro(1), &sum));
	assert_int_equal(money_to_micro(sum), 7);
	assert_false(money_line(ratio_of(INT64_MAX), &sum));
}

/* AMOUNT x NUM / DEN, rounded to a line of a bill. */
static void check_line(const char *amount, int64_t num, int64_t den, const char *wanted)
{
	struct money quoted, line;
	struct ratio value;
	char text[MONEY_TEXT_SIZE];

	assert_true(money_parse(amount, &quoted));
	assert_true(ratio_multiply(money_to_ratio(quoted), ratio_make(num, den), &value));
	assert_true(money_line(value, &line));
	money_format(line, text);
	assert_string_equal(text, wanted);
}

static void taxes_round_once_per_line(void **state)
{
	(void)state;
	check_line("9050", 106, 100, "9593.00");
	check_line("3300000", 100, 113, "2920353.98");
	check_line("90000", 100, 106, "84905.66");
	check_line("900", 15 * 26, 30, "11700.00");
}

static void tax_in_and_out_again_is_the_same_fen(void **state)
{
	static const int64_t rates[] = {3, 6, 9, 13};

	(void)state;
	for (size_t r = 0; r < 4; r++)
		for (int64_t fen = 1; fen < 200000; fen += 7) {
			struct money net;
			struct money gross;
			struct ratio value;

			assert_true(money_from_ratio(ratio_make(fen, 100 + rates[r]), &net));
			assert_true(ratio_multiply(money_to_ratio(net),
			                           ratio_make(100 + rates[r], 100), &value));
			assert_true(money_line(value, &gross));
			assert_int_equal(money_to_micro(gross), fen * 10000);
		}
}

static void check_unit(const char *amount, struct unit unit, int cards, int month_hours,
                       enum normalised_unit wanted, const char *normalised)
{
	struct money quoted;
	struct ratio value;
	char text[RATIO_DECIMAL_SIZE];

	assert_true(money_parse(amount, &quoted));
	assert_true(
	    unit_normalise(money_to_ratio(quoted), unit, cards, month_hours, wanted, &value));
	assert_true(ratio_format(value, 6, text));
	assert_string_equal(text, normalised);
}

static void units_come_to_one_basis(void **state)
{
	struct unit cards8_month = {PER_CARD, 8, PERIOD_MONTH, 1};
	struct unit server_month = {PER_SERVER, 1, PERIOD_MONTH, 1};
	struct unit cards8_30days = {PER_CARD, 8, PERIOD_DAY, 30};
	struct unit card_month = {PER_CARD, 1, PERIOD_MONTH, 1};
	struct unit card_year = {PER_CARD, 1, PERIOD_YEAR, 1};
	struct unit server_hour = {PER_SERVER, 1, PERIOD_HOUR, 1};
	struct unit g_year = {PER_MBPS, 1000, PERIOD_YEAR, 1};
	struct unit ampere_month = {PER_AMPERE, 1, PERIOD_MONTH, 1};
	struct unit gb_month = {PER_GB, 1, PERIOD_MONTH, 1};

	(void)state;
	check_unit("76000", cards8_month, 8, 720, UNIT_CARD_HOUR, "13.194444");
	check_unit("76000", server_month, 8, 720, UNIT_CARD_HOUR, "13.194444");
	check_unit("8314.10", cards8_30days, 8, 720, UNIT_CARD_HOUR, "1.443420");
	check_unit("1052", card_month, 0, 720, UNIT_CARD_HOUR, "1.461111");
	check_unit("1052", card_month, 0, 730, UNIT_CARD_HOUR, "1.441096");
	check_unit("350000", card_year, 0, 720, UNIT_CARD_HOUR, "40.509259");
	check_unit("350000", card_year, 0, 730, UNIT_CARD_HOUR, "39.954338");
	check_unit("277.93", server_hour, 8, 720, UNIT_CARD_HOUR, "34.741250");
	check_unit("133408", server_month, 8, 720, UNIT_CARD_HOUR, "23.161111");
	check_unit("280000", g_year, 0, 720, UNIT_MBPS_MONTH, "23.333333");
	check_unit("230", ampere_month, 0, 720, UNIT_KW_MONTH, "1045.454545");
	check_unit("0.12", gb_month, 0, 720, UNIT_TB_MONTH, "120.000000");
}

static void units_that_do_not_fit_are_refused(void **state)
{
	struct unit server_month = {PER_SERVER, 1, PERIOD_MONTH, 1};
	struct unit cabinet_month = {PER_CABINET, 1, PERIOD_MONTH, 1};
	struct unit server = {PER_SERVER, 1, PERIOD_ONCE, 1};
	struct ratio value;

	(void)state;
	assert_false(unit_normalise(ratio_of(1), server_month, 0, 720, UNIT_CARD_HOUR, &value));
	assert_false(unit_normalise(ratio_of(1), cabinet_month, 8, 720, UNIT_CARD_HOUR, &value));
	assert_false(unit_normalise(ratio_of(1), server, 8, 720, UNIT_CARD_HOUR, &value));
}

static void the_month_ratio_of_a_public_cloud_is_two_thirds(void **state)
{
	struct unit server_month = {PER_SERVER, 1, PERIOD_MONTH, 1};
	struct ratio month, share;
	char text[RATIO_DECIMAL_SIZE];

	(void)state;
	assert_true(unit_normalise(ratio_of(133408), server_month, 8, 720, UNIT_CARD_HOUR, &month));
	assert_true(ratio_divide(month, ratio_make(27793, 800), &share));
	assert_true(ratio_format(share, 4, text));
	assert_string_equal(text, "0.6667");
}

struct loaded {
	struct arena *arena; /* holds all of it */
	struct reference reference;
};

static const struct reference *load(void **state)
{
	return &((struct loaded *)*state)->reference;
}

static int drop_reference(void **state)
{
	arena_destroy(((struct loaded *)*state)->arena);
	return 0;
}

static int load_reference(void **state)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct loaded *loaded = arena_new(arena, struct loaded);

	problems_init(&problems, arena);
	bool read = reference_baked(arena, &problems, &loaded->reference);

	for (size_t i = 0; i < problems.count; i++)
		print_message("%s row %d: %s\n", problems.items[i].place.sheet,
		              problems.items[i].place.row, problems.items[i].message.en);
	loaded->arena = arena;
	*state = loaded;
	return read ? 0 : -1;
}

static void reference_data_is_all_there(void **state)
{
	const struct reference *reference = load(state);
	const struct card *card = card_find(&reference->cards, "h100-sxm");

	assert_true(reference->cards.count >= 43);
	assert_non_null(card);
	assert_true(card->fp16_tflops == 989.4 && card->smi_memory_mib == 81559);
	assert_true(card->link_kind == CARD_LINK_NVLINK && card->link_gbs_bidir == 900);
	assert_true(card_server_kw(card, 8) == 10.2);
	assert_null(card_find(&reference->cards, "h100"));
	for (size_t i = 0; i < reference->cards.count; i++)
		assert_non_null(reference->cards.items[i].sources);

	const struct model *model = model_find(&reference->models, "deepseek-v3-671b");

	assert_non_null(model);
	assert_int_equal(model->attention, ATTENTION_MLA);
	assert_int_equal(model->mla_kv_lora, 512);
	for (size_t i = 0; i < reference->models.count; i++)
		assert_non_null(reference->models.items[i].source);
}

static void a_flat_load_meets_the_tariff_as_guangdong_wrote_it(void **state)
{
	const struct reference *reference = load(state);
	const struct tariff_hours *hours = &reference->tariffs.hours[0];
	int counts[TARIFF_BAND_COUNT];

	for (int month = 1; month <= 12; month++) {
		bool sharp = month >= 7 && month <= 9;
		struct ratio sum = ratio_of(0);
		char text[RATIO_DECIMAL_SIZE];

		tariff_hours_of_day(hours, month, counts);
		assert_int_equal(counts[BAND_VALLEY], 8);
		assert_int_equal(counts[BAND_FLAT], 9);
		assert_int_equal(counts[BAND_PEAK], sharp ? 4 : 7);
		assert_int_equal(counts[BAND_SHARP], sharp ? 3 : 0);
		for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
			struct ratio part;

			assert_true(ratio_multiply(hours->ratios[band],
			                           ratio_make(counts[band], 24), &part));
			assert_true(ratio_add(sum, part, &sum));
		}
		assert_true(ratio_format_short(sum, 6, text));
		assert_string_equal(text, sharp ? "1.050625" : "0.9975");
	}
	assert_int_equal(tariff_band_at(hours, 8, 11), BAND_SHARP);
	assert_int_equal(tariff_band_at(hours, 8, 10), BAND_PEAK);
	assert_int_equal(tariff_band_at(hours, 1, 11), BAND_PEAK);
	assert_int_equal(tariff_band_at(hours, 1, 8), BAND_FLAT);
}

static void an_unknown_price_is_not_zero(void **state)
{
	const struct tariffs *tariffs = &load(state)->tariffs;
	int unknown = 0;

	for (size_t i = 0; i < tariffs->count; i++)
		for (int band = 0; band < TARIFF_BAND_COUNT; band++)
			if (!tariffs->items[i].known[band])
				unknown++;
			else
				assert_true(money_to_micro(tariffs->items[i].per_kwh[band]) > 0);
	assert_int_equal(unknown, 9);
}

static struct tariff table_from(const char *id, const char *from, bool priced)
{
	struct tariff tariff = {.id = id, .city = CITY_DONGGUAN, .known = {priced}};

	assert_true(date_parse(from, &tariff.valid_from));
	return tariff;
}

static void a_tariff_that_has_not_begun_waits_for_its_day(void **state)
{
	struct tariff items[] = {
	    table_from("older", "2026-01-01", true), table_from("newer", "2026-11-01", true),
	    table_from("coming", "2027-06-01", true), table_from("empty", "2026-12-01", false)};
	struct tariffs tariffs = {.items = items, .count = 4};
	struct date start;

	(void)state;
	assert_true(date_parse("2026-12-01", &start));
	assert_string_equal(tariff_for_city(&tariffs, CITY_DONGGUAN, start)->id, "newer");
	assert_true(date_parse("2027-06-01", &start));
	assert_string_equal(tariff_for_city(&tariffs, CITY_DONGGUAN, start)->id, "coming");
	assert_true(date_parse("2025-06-01", &start));
	assert_string_equal(tariff_for_city(&tariffs, CITY_DONGGUAN, start)->id, "coming");
	assert_null(tariff_for_city(&tariffs, CITY_HUIZHOU, start));
	assert_string_equal(tariff_find(&tariffs, "older")->id, "older");
	assert_null(tariff_find(&tariffs, NULL));
}

static void cities_are_known_by_their_names(void **state)
{
	(void)state;
	assert_int_equal(city_from_name("深圳市"), CITY_SHENZHEN);
	assert_int_equal(city_from_name("Dongguan"), CITY_DONGGUAN);
	assert_int_equal(city_from_name("惠州"), CITY_HUIZHOU);
	assert_int_equal(city_from_name("北京"), CITY_OTHER);
	assert_int_equal(city_from_name(""), CITY_UNKNOWN);
	assert_int_equal(city_from_name(NULL), CITY_UNKNOWN);
}

static void an_offer_holds_from_its_first_to_its_last_day(void **state)
{
	struct offer offer = offer_blank();
	struct date day;

	(void)state;
	assert_true(date_parse("2026-11-30", &day));
	assert_true(offer_valid_on(&offer, day));
	offer.valid_from = day;
	offer.valid_to = day;
	assert_true(offer_valid_on(&offer, day));
	assert_false(offer_valid_on(&offer, (struct date){day.days - 1}));
	assert_false(offer_valid_on(&offer, (struct date){day.days + 1}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(money_is_written_as_it_is),
	    cmocka_unit_test(money_says_when_it_overflows),
	    cmocka_unit_test(taxes_round_once_per_line),
	    cmocka_unit_test(tax_in_and_out_again_is_the_same_fen),
	    cmocka_unit_test(units_come_to_one_basis),
	    cmocka_unit_test(units_that_do_not_fit_are_refused),
	    cmocka_unit_test(the_month_ratio_of_a_public_cloud_is_two_thirds),
	    cmocka_unit_test_setup_teardown(reference_data_is_all_there, load_reference,
	                                    drop_reference),
	    cmocka_unit_test_setup_teardown(a_flat_load_meets_the_tariff_as_guangdong_wrote_it,
	                                    load_reference, drop_reference),
	    cmocka_unit_test_setup_teardown(an_unknown_price_is_not_zero, load_reference,
	                                    drop_reference),
	    cmocka_unit_test(a_tariff_that_has_not_begun_waits_for_its_day),
	    cmocka_unit_test(cities_are_known_by_their_names),
	    cmocka_unit_test(an_offer_holds_from_its_first_to_its_last_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
