/* cost_fixture.h - small builders shared by the tests of the cost room. Figures are samples. */
#ifndef TESTS_UNIT_COST_FIXTURE_H
#define TESTS_UNIT_COST_FIXTURE_H

#include "engine/cost.h"

#define FIXTURE_PRICES 8

struct fixture {
	struct offer offer;
	struct price prices[FIXTURE_PRICES];
};

/* An 8-card bare-metal rental without prices, with everything else stated. */
static inline void fixture_start(struct fixture *fixture)
{
	fixture->offer = offer_blank();
	fixture->offer.kind = OFFER_RENTAL;
	fixture->offer.card = "h100-sxm";
	fixture->offer.cards_per_server = 8;
	fixture->offer.delivery = DELIVERY_BARE_METAL;
	fixture->offer.servers_available = 2000;
	fixture->offer.prices = fixture->prices;
}

static inline struct price *fixture_price(struct fixture *fixture, enum price_item item,
                                          enum price_term term, const char *amount,
                                          struct unit unit)
{
	struct price *price = &fixture->prices[fixture->offer.price_count++];

	assert_true(fixture->offer.price_count <= FIXTURE_PRICES);
	*price = (struct price){.item = item,
	                        .term = term,
	                        .unit = unit,
	                        .currency = "CNY",
	                        .tax = TAX_EXCLUDED,
	                        .tax_rate_bp = 600};
	assert_true(money_parse(amount, &price->amount));
	return price;
}

static inline void assert_money(struct money amount, const char *wanted)
{
	char text[MONEY_TEXT_SIZE];

	money_format(amount, text);
	assert_string_equal(text, wanted);
}

/* VALUE rounded to DECIMALS is WANTED. */
static inline void assert_ratio(struct ratio value, int decimals, const char *wanted)
{
	char text[RATIO_DECIMAL_SIZE];

	assert_true(ratio_format(value, decimals, text));
	assert_string_equal(text, wanted);
}

#define SERVER_MONTH ((struct unit){PER_SERVER, 1, PERIOD_MONTH, 1})
#define CARD_MONTH ((struct unit){PER_CARD, 1, PERIOD_MONTH, 1})
#define CARD_HOUR ((struct unit){PER_CARD, 1, PERIOD_HOUR, 1})
#define CABINET_MONTH ((struct unit){PER_CABINET, 1, PERIOD_MONTH, 1})
#define MBPS_MONTH ((struct unit){PER_MBPS, 1, PERIOD_MONTH, 1})
#define ONCE_EACH(per) ((struct unit){(per), 1, PERIOD_ONCE, 1})

#endif
