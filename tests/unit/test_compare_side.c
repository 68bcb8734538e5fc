/* test_compare_side.c - the network offer beside a cabinet: the same as by trying all, for less. */
#include "tests/unit/unit.h"

#include <string.h>

#include "api/compare.h"
#include "api/compare_side.h"
#include "base/arena.h"

#define MANY 5000
#define FEW 24
#define PRICES 6

struct stock {
	struct offer offer;
	struct price prices[PRICES];
};

static struct arena *arena;
static struct cost_basis basis;
static struct compare_question question;
static uint64_t seed;

/* 0 .. LIMIT - 1, the same in every run (SplitMix64). */
static int some(int limit)
{
	uint64_t value = seed += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (int)((value ^ (value >> 31)) % (uint64_t)limit);
}

static struct price *add_price(struct stock *stock, enum price_item item, enum price_term term,
                               int64_t micro, struct unit unit)
{
	struct price *price = &stock->prices[stock->offer.price_count++];

	*price = (struct price){.item = item,
	                        .term = term,
	                        .unit = unit,
	                        .amount = money_from_micro(micro),
	                        .currency = "CNY",
	                        .tax = TAX_EXCLUDED,
	                        .tax_rate_bp = -1,
	                        .as_quoted = "",
	                        .unit_text = ""};
	return price;
}

static void stock_begin(struct stock *stock, enum offer_kind kind, int id)
{
	stock->offer = offer_blank();
	stock->offer.prices = stock->prices;
	stock->offer.kind = kind;
	stock->offer.id = id;
}

/* Prices of what stands beside a cabinet; some in dollars, for which there is no rate. */
static void sell_some(struct stock *stock)
{
	static const struct unit per_mbps = {PER_MBPS, 1, PERIOD_MONTH, 1};
	static const struct unit per_ip = {PER_IP, 1, PERIOD_MONTH, 1};
	static const struct unit per_tb = {PER_TB, 1, PERIOD_MONTH, 1};
	static const struct unit per_server = {PER_SERVER, 1, PERIOD_MONTH, 1};
	static const struct unit once = {PER_NONE, 1, PERIOD_ONCE, 1};

	if (some(3) > 0)
		add_price(stock, ITEM_BANDWIDTH, some(4) > 0 ? TERM_MONTHLY : TERM_YEARLY,
		          20000000 + 1111 * some(9), per_mbps);
	if (some(4) == 0)
		add_price(stock, ITEM_BANDWIDTH, TERM_METERED, 20000000 + 3333 * some(9), per_mbps);
	if (some(2) > 0)
		add_price(stock, ITEM_IP, TERM_MONTHLY, 50000000 + 7777 * some(5), per_ip);
	if (some(3) == 0)
		add_price(stock, ITEM_STORAGE, TERM_MONTHLY, 90000000 + 10000 * some(3), per_tb);
	if (some(4) == 0)
		add_price(stock, ITEM_SERVICE, TERM_MONTHLY, 500000000 + 9999 * some(5),
		          per_server);
	if (some(4) == 0)
		add_price(stock, ITEM_SETUP, TERM_ONE_OFF, INT64_C(300000000) * some(5), once);
	if (stock->offer.price_count > 0 && some(6) == 0)
		memcpy(stock->prices[some(stock->offer.price_count)].currency, "USD", 4);
}

static void make_cabinet(struct stock *stock, int id)
{
	static const char *const tiers[] = {NULL, "bare", "managed"};

	stock_begin(stock, OFFER_COLOCATION, id);
	stock->offer.mbps_included = 10 * some(12) - 10;
	stock->offer.ips_included = some(6) - 1;
	stock->offer.service_tier = tiers[some(3)];
	if (some(3) == 0)
		sell_some(stock);
}

/* What is left to try where the cabinet fee itself plays no part. */
static bool price_pair(const struct offer *offer, const struct offer *side, struct bill *bill)
{
	bill_start(bill);
	return compare_beside(&basis, &question, offer, side, bill) == COST_OK &&
	       bill_finish(&basis, ratio_of(0), bill) == COST_OK;
}

/* By trying all, in their order. */
static const struct offer *best_of_all(const struct offer *offer, const struct offer *sides,
                                       size_t count)
{
	static struct bill kept, bill;
	bool known = price_pair(offer, NULL, &kept);
	const struct offer *best = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!price_pair(offer, &sides[i], &bill) ||
		    (known && compare_bills(&bill, &kept) >= 0))
			continue;
		kept = bill;
		known = true;
		best = &sides[i];
	}
	return best;
}

static int begin(void **state)
{
	(void)state;
	arena = arena_create();
	basis = cost_basis_default();
	question = (struct compare_question){
	    .host = {.servers = 3, .server_watts = 1000},
	    .network = {.public_mbps = ratio_of(70),
	                .mbps_95 = ratio_of(0),
	                .egress_gb = ratio_of(0),
	                .dataset_tb_in = ratio_of(0),
	                .storage_tb = ratio_of(0)},
	};
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

/* What is asked for in round NUMBER. */
static void ask(int number)
{
	question.network.public_mbps = number % 5 == 4 ? ratio_of(0) : ratio_make(140 + number, 2);
	question.network.ips = number % 3 * 2;
	question.network.storage_tb = ratio_of(number % 4 == 1 ? 7 : 0);
	question.service = (enum service_tier)(number % SERVICE_TIER_COUNT);
}

static void the_best_network_is_the_one_that_trying_all_finds(void **state)
{
	struct stock *stocks = arena_array(arena, struct stock, FEW);
	struct offer *sides = arena_array(arena, struct offer, FEW);
	int found = 0;

	(void)state;
	for (int round = 0; round < 240; round++) {
		ask(round);
		for (int i = 0; i < FEW; i++) {
			stock_begin(&stocks[i], OFFER_NETWORK, i + 1);
			sell_some(&stocks[i]);
			sides[i] = stocks[i].offer;
		}
		struct compare_sides all = compare_sides_of(&basis, &question, sides, FEW, arena);

		for (int i = 0; i < 20; i++) {
			struct stock cabinet;

			make_cabinet(&cabinet, FEW + i + 1);
			const struct offer *best = compare_sides_best(&all, &cabinet.offer);

			assert_ptr_equal(best, best_of_all(&cabinet.offer, sides, FEW));
			found += best != NULL;
		}
	}
	assert_true(found > 2000);
}

/* A price list of cabinets beside one of networks: their sum is work, their product is not done. */
static void five_thousand_cabinets_are_not_priced_with_each_of_as_many_networks(void **state)
{
	static const struct unit per_mbps = {PER_MBPS, 1, PERIOD_MONTH, 1};
	struct stock *stocks = arena_array(arena, struct stock, MANY);
	struct offer *items = arena_array(arena, struct offer, MANY);

	(void)state;
	for (int i = 0; i < MANY; i++) {
		stock_begin(&stocks[i], OFFER_NETWORK, i + 1);
		add_price(&stocks[i], ITEM_BANDWIDTH, TERM_MONTHLY, 90000000 - 1000 * i, per_mbps);
		items[i] = stocks[i].offer;
	}
	struct compare_sides sides = compare_sides_of(&basis, &question, items, MANY, arena);

	for (int i = 0; i < MANY; i++) {
		struct stock cabinet;

		stock_begin(&cabinet, OFFER_COLOCATION, MANY + i + 1);
		cabinet.offer.mbps_included = 10 * (i % 4);
		if (i % 2 == 0)
			add_price(&cabinet, ITEM_BANDWIDTH, TERM_MONTHLY, 85500000 + i, per_mbps);
		assert_ptr_equal(compare_sides_best(&sides, &cabinet.offer), &items[MANY - 1]);
	}
	/* Each network for each of four amounts that are missing, and two bills a cabinet. */
	assert_int_equal(sides.bills, 4 * MANY + 2 * MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_best_network_is_the_one_that_trying_all_finds,
	                                    begin, end),
	    cmocka_unit_test_setup_teardown(
		five_thousand_cabinets_are_not_priced_with_each_of_as_many_networks, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
