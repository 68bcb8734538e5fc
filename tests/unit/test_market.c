/* test_market.c - the snapshot: what goes in comes out, lists, counts, swaps. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "market/catalogue.h"
#include "market/intern.h"

#include "tests/unit/same_offer.h"

static struct price a_price(int64_t yuan, enum price_term term)
{
	return (struct price){
	    .item = ITEM_COMPUTE,
	    .term = term,
	    .amount = money_from_yuan(yuan),
	    .unit = {PER_SERVER, 1, term == TERM_HOURLY ? PERIOD_HOUR : PERIOD_MONTH, 1},
	    .currency = "CNY",
	    .tax = TAX_EXCLUDED,
	    .tax_rate_bp = -1,
	    .as_quoted = "7.6",
	    .unit_text = "万元/台/月",
	    .column = 6,
	    .row = 14,
	    .normalised_unit = UNIT_CARD_HOUR,
	    .normalised = money_from_micro(13194444),
	};
}

static struct offer a_rental(int64_t id, struct price *prices, int count)
{
	struct offer offer = offer_blank();

	offer.id = id;
	offer.sheet_id = 7;
	offer.supplier = "pengcheng";
	offer.supplier_name = "鹏城示例";
	offer.row = (int)id + 1;
	offer.kind = OFFER_RENTAL;
	offer.card = "h100-sxm";
	offer.cards_per_server = 8;
	offer.city = CITY_SHENZHEN;
	offer.city_name = "深圳";
	offer.prices = prices;
	offer.price_count = count;
	return offer;
}

static void same_offer(const struct offer *a, const struct offer *b)
{
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->sheet_id, b->sheet_id);
	assert_same_text(a->supplier, b->supplier);
	assert_same_text(a->supplier_name, b->supplier_name);
	assert_same_offer(a, b);
}

static void every_field_comes_back_as_it_went_in(void **state)
{
	(void)state;
	struct price prices[] = {a_price(76000, TERM_MONTHLY), a_price(15, TERM_HOURLY),
	                         a_price(0, TERM_YEARLY), a_price(1, TERM_SPOT)};
	struct offer offer = a_rental(41, prices, 4);

	prices[0].has_low = true;
	prices[0].low = money_from_micro(70000123456);
	prices[0].normalised_low = money_from_micro(12345);
	prices[1].min_quantity = 16;
	prices[2].amount = money_from_micro(INT64_MAX);
	prices[3].amount = money_from_micro(-1234567);
	offer.sheet_name = "GPU";
	offer.origin = ORIGIN_PUBLISHED;
	offer.source = "https://example.org/prices";
	offer.observed_on = (struct date){20787};
	offer.title = "H100 整机";
	offer.servers_available = 4;
	offer.site = "qianhai-1";
	offer.delivery = DELIVERY_BARE_METAL;
	offer.intra_link = INTRA_NVLINK;
	offer.inter_link = INTER_IB;
	offer.inter_gbps = 0.1;
	offer.cabinet_watts = 2640;
	offer.cabinet_u = 42;
	offer.power_billing = POWER_TOU;
	offer.line = "bgp";
	offer.mbps_included = 100;
	offer.ips_included = 18;
	offer.min_term_months = 3;
	offer.availability_ppm = 999000;
	offer.replacement_minutes = 240;
	offer.support_24x7 = YES_NO_YES;
	offer.new_cards = YES_NO_NO;
	offer.card_age_months = 30;
	offer.power_tier = "2n";
	offer.service_tier = "image";
	offer.licences = "IDC ISP";
	offer.pue_milli = 1250;
	offer.valid_from = (struct date){20000};
	offer.valid_to = (struct date){21000};
	offer.note = "含税";

	struct catalogue_builder *builder = catalogue_builder_create(3);
	struct arena *arena = arena_create();
	struct offer back;

	catalogue_builder_add(builder, &offer);
	struct catalogue *catalogue = catalogue_builder_finish(builder);

	assert_int_equal(catalogue_revision(catalogue), 3);
	assert_true(catalogue_offer(catalogue, 41, arena, &back));
	same_offer(&offer, &back);
	assert_false(catalogue_offer(catalogue, 40, arena, &back));
	assert_false(catalogue_offer(catalogue, 42, arena, &back));
	catalogue_release(catalogue);
	arena_destroy(arena);
}

static void what_is_not_stated_stays_not_stated(void **state)
{
	(void)state;
	struct offer offer = offer_blank();
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct arena *arena = arena_create();
	struct offer back;

	offer.id = 1;
	catalogue_builder_add(builder, &offer);
	struct catalogue *catalogue = catalogue_builder_finish(builder);

	assert_true(catalogue_offer(catalogue, 1, arena, &back));
	same_offer(&offer, &back);
	catalogue_release(catalogue);
	arena_destroy(arena);
}

/* A small generator with the same numbers everywhere. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

#define MANY 3000

static struct catalogue *many_offers(void)
{
	struct catalogue_builder *builder = catalogue_builder_create(9);
	uint32_t seed = 5;

	for (int i = 0; i < MANY; i++) {
		struct price prices[] = {a_price(40000 + next_random(&seed) % 50000, TERM_MONTHLY),
		                         a_price(90 + next_random(&seed) % 80, TERM_HOURLY)};
		/* Ids in another order than that of adding. */
		struct offer offer = a_rental(1 + (i * 7919) % MANY, prices, 2);
		static const char *const cards[] = {"h100-sxm", "a100-80-sxm", "l40s"};
		static const char *const suppliers[] = {"a1", "b2", "c3", "d4"};

		offer.card = cards[next_random(&seed) % 3];
		offer.city = (enum city)(next_random(&seed) % CITY_COUNT);
		offer.supplier = suppliers[next_random(&seed) % 4];
		offer.servers_available = (int)(next_random(&seed) % 20);
		catalogue_builder_add(builder, &offer);
	}
	return catalogue_builder_finish(builder);
}

static void blocks_hold_every_offer_once_cheapest_first(void **state)
{
	(void)state;
	struct catalogue *catalogue = many_offers();
	size_t count;
	const struct offer_block *blocks = catalogue_blocks(catalogue, &count);
	const int64_t *floors = catalogue_floors(catalogue);
	const uint32_t *block_of = catalogue_block_of(catalogue);
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(blocks[i].first, next);
		assert_true(blocks[i].count > 0);
		if (i > 0)
			assert_true(offer_facts_compare(&blocks[i - 1].facts, &blocks[i].facts) <
			            0);
		for (uint32_t k = 0; k < blocks[i].count; k++) {
			assert_int_equal(block_of[next + k], i);
			assert_true(k == 0 || floors[next + k - 1] <= floors[next + k]);
		}
		next += blocks[i].count;
	}
	assert_int_equal(next, MANY);
	catalogue_release(catalogue);
}

/* ORDER holds the positions of GROUP once each, by FLOORS, then ids. */
static void assert_ordered(const struct catalogue *catalogue, const struct offer_group *group,
                           const uint32_t *order, const int64_t *floors)
{
	const int64_t *ids = catalogue_ids(catalogue);
	size_t count;
	uint32_t first = catalogue_blocks(catalogue, &count)[group->first_block].first;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < group->offers; i++) {
		uint32_t position = order[first + i];
		uint32_t before = i == 0 ? position : order[first + i - 1];

		assert_true(position >= first && position < first + group->offers);
		assert_true(floors[before] < floors[position] ||
		            (floors[before] == floors[position] && ids[before] <= ids[position]));
		assert_true(i == 0 || before != position);
		sum += position - first;
	}
	assert_int_equal(sum, (uint64_t)group->offers * (group->offers - 1) / 2);
}

static void groups_list_their_offers_by_either_floor(void **state)
{
	(void)state;
	struct catalogue *catalogue = many_offers();
	size_t count;
	const struct offer_group *groups = catalogue_groups(catalogue, &count);

	assert_true(count > 1);
	for (size_t i = 0; i < count; i++) {
		assert_ordered(catalogue, &groups[i], catalogue_by_floor(catalogue),
		               catalogue_floors(catalogue));
		assert_ordered(catalogue, &groups[i], catalogue_by_hour(catalogue),
		               catalogue_hourly_floors(catalogue));
	}
	catalogue_release(catalogue);
}

static void pages_follow_each_other_without_gap_or_repeat(void **state)
{
	(void)state;
	struct catalogue *catalogue = many_offers();
	struct catalogue_filter filter = catalogue_filter_any();
	int64_t after = 0;
	size_t seen = 0;

	filter.card = "l40s";
	filter.supplier = "c3";
	for (;;) {
		struct arena *arena = arena_create();
		struct catalogue_page page;

		catalogue_list(catalogue, &filter, after, 17, arena, &page);
		for (size_t i = 0; i < page.count; i++) {
			assert_true(page.items[i].id > after);
			after = page.items[i].id;
			assert_string_equal(page.items[i].card, "l40s");
			assert_string_equal(page.items[i].supplier, "c3");
		}
		seen += page.count;
		int64_t next = page.next_after;

		assert_true(next == 0 || next == after);
		arena_destroy(arena);
		if (next == 0)
			break;
	}
	assert_int_equal(seen, catalogue_count(catalogue, &filter));
	assert_true(seen > 100);
	catalogue_release(catalogue);
}

static void filters_by_supplier_share_out_the_whole(void **state)
{
	(void)state;
	struct catalogue *catalogue = many_offers();
	static const char *const suppliers[] = {"a1", "b2", "c3", "d4", "pengcheng"};
	size_t sum = 0;

	for (int i = 0; i < 5; i++) {
		struct catalogue_filter filter = catalogue_filter_any();

		filter.supplier = suppliers[i];
		sum += catalogue_count(catalogue, &filter);
	}
	assert_int_equal(sum, MANY);
	catalogue_release(catalogue);
}

static void an_offer_takes_at_most_160_bytes(void **state)
{
	(void)state;
	struct catalogue *catalogue = many_offers();

	assert_true(catalogue_bytes(catalogue) / MANY <= 160);
	catalogue_release(catalogue);
}

static void an_empty_catalogue_can_be_read(void **state)
{
	(void)state;
	struct catalogue *catalogue = catalogue_builder_finish(catalogue_builder_create(1));
	struct catalogue_filter filter = catalogue_filter_any();
	struct arena *arena = arena_create();
	struct catalogue_page page;
	size_t count;

	catalogue_blocks(catalogue, &count);
	assert_int_equal(count, 0);
	catalogue_list(catalogue, &filter, 0, 10, arena, &page);
	assert_int_equal(page.count, 0);
	assert_int_equal(page.next_after, 0);
	arena_destroy(arena);
	catalogue_release(catalogue);
	catalogue_builder_destroy(catalogue_builder_create(1));
}

static void a_floor_is_below_every_price_on_every_basis(void **state)
{
	(void)state;
	struct price prices[] = {a_price(76000, TERM_MONTHLY), a_price(200, TERM_HOURLY)};
	struct offer offer = a_rental(1, prices, 2);

	/* 76000 / 8 / 720, without tax. */
	assert_int_equal(offer_floor_price(&offer, false), 13194444);
	assert_int_equal(offer_floor_price(&offer, true), 25000000);
	prices[0].tax = TAX_INCLUDED;
	assert_int_equal(offer_floor_price(&offer, false), 11676499);
	prices[0].tax_rate_bp = 600;
	assert_int_equal(offer_floor_price(&offer, false), 12447589);
	offer.price_count = 0;
	assert_true(offer_floor_price(&offer, false) == INT64_MAX);
}

struct swapping {
	struct catalogue_slot *slot;
	atomic_bool stop;
	atomic_long torn;
};

static void *read_revisions(void *context)
{
	struct swapping *swapping = context;
	int64_t last = 0;

	while (!atomic_load(&swapping->stop)) {
		struct catalogue *catalogue = catalogue_slot_get(swapping->slot);

		/* One offer per snapshot, its id the revision: both must agree and never go back.
		 */
		if (catalogue_ids(catalogue)[0] != catalogue_revision(catalogue) ||
		    catalogue_revision(catalogue) < last)
			atomic_fetch_add(&swapping->torn, 1);
		last = catalogue_revision(catalogue);
		catalogue_release(catalogue);
	}
	return NULL;
}

static struct catalogue *with_one_offer(int64_t revision)
{
	struct catalogue_builder *builder = catalogue_builder_create(revision);
	struct offer offer = a_rental(revision, NULL, 0);

	catalogue_builder_add(builder, &offer);
	return catalogue_builder_finish(builder);
}

static void readers_see_whole_revisions_in_order_while_it_is_swapped(void **state)
{
	(void)state;
	struct swapping swapping = {.slot = catalogue_slot_create(with_one_offer(1))};
	pthread_t readers[3];

	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_revisions, &swapping), 0);
	for (int revision = 2; revision < 2000; revision++)
		catalogue_slot_put(swapping.slot, with_one_offer(revision));
	atomic_store(&swapping.stop, true);
	for (int i = 0; i < 3; i++)
		pthread_join(readers[i], NULL);
	assert_int_equal(atomic_load(&swapping.torn), 0);
	catalogue_slot_destroy(swapping.slot);
}

/* The table moves as it grows; a word that makes it grow must still be its own. */
static void every_word_is_itself_while_the_table_grows(void **state)
{
	struct arena *arena = arena_create();
	struct intern table;

	(void)state;
	intern_init(&table, arena);
	for (int i = 0; i < 5000; i++) {
		const char *word = arena_printf(arena, "word %d", i);

		assert_string_equal(intern_word(&table, word), word);
	}
	intern_finish(&table);
	arena_destroy(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_word_is_itself_while_the_table_grows),
	    cmocka_unit_test(every_field_comes_back_as_it_went_in),
	    cmocka_unit_test(what_is_not_stated_stays_not_stated),
	    cmocka_unit_test(blocks_hold_every_offer_once_cheapest_first),
	    cmocka_unit_test(groups_list_their_offers_by_either_floor),
	    cmocka_unit_test(pages_follow_each_other_without_gap_or_repeat),
	    cmocka_unit_test(filters_by_supplier_share_out_the_whole),
	    cmocka_unit_test(an_offer_takes_at_most_160_bytes),
	    cmocka_unit_test(an_empty_catalogue_can_be_read),
	    cmocka_unit_test(a_floor_is_below_every_price_on_every_basis),
	    cmocka_unit_test(readers_see_whole_revisions_in_order_while_it_is_swapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
