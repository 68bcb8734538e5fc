/* catalogue.c - see catalogue.h. */
#include "tests/bench/catalogue.h"

#include <stdio.h>

#define SUPPLIERS_MAX 200
#define OFFERS_PER_SUPPLIER 50
#define TODAY 20787 /* 2026-11-30 */
#define SEED 20261130u

/* A card, the level of its prices and the server it comes in. */
static const struct {
	const char *id;
	int32_t fen_per_hour;
	int32_t yuan;
	int cards_per_server;
	enum intra_link link;
} cards[] = {
    {"h100-sxm", 1350, 230000, 8, INTRA_NVLINK},
    {"h200-sxm", 1600, 260000, 8, INTRA_NVLINK},
    {"h800-sxm", 1200, 220000, 8, INTRA_NVLINK},
    {"h20-96", 650, 110000, 8, INTRA_NVLINK},
    {"h20-141", 750, 130000, 8, INTRA_NVLINK},
    {"h100-pcie", 1000, 200000, 8, INTRA_PCIE},
    {"a100-80-sxm", 600, 110000, 8, INTRA_NVLINK},
    {"a100-80-pcie", 520, 95000, 8, INTRA_PCIE},
    {"a100-40-sxm", 450, 60000, 8, INTRA_NVLINK},
    {"a800-80-sxm", 580, 105000, 8, INTRA_NVLINK},
    {"l40s", 380, 55000, 8, INTRA_PCIE},
    {"l20", 250, 28000, 8, INTRA_PCIE},
    {"l4", 140, 18000, 4, INTRA_PCIE},
    {"a30", 160, 22000, 4, INTRA_PCIE},
    {"a10", 130, 17000, 4, INTRA_PCIE},
    {"rtx-4090", 200, 17500, 8, INTRA_PCIE},
    {"rtx-4090-d", 180, 15500, 8, INTRA_PCIE},
    {"rtx-5090", 320, 24000, 8, INTRA_PCIE},
    {"rtx-a6000", 240, 30000, 4, INTRA_PCIE},
    {"rtx-3090", 110, 7000, 8, INTRA_PCIE},
    {"v100-sxm2-32", 180, 12000, 8, INTRA_NVLINK},
    {"t4", 80, 6000, 4, INTRA_PCIE},
    {"ascend-910b", 480, 90000, 8, INTRA_UNKNOWN},
    {"b200-sxm", 2600, 400000, 8, INTRA_NVLINK},
};
#define CARDS ((unsigned)(sizeof cards / sizeof *cards))

int bench_suppliers(size_t offers)
{
	size_t suppliers = (offers + OFFERS_PER_SUPPLIER - 1) / OFFERS_PER_SUPPLIER;

	return suppliers < SUPPLIERS_MAX ? (int)suppliers : SUPPLIERS_MAX;
}

/* Sebastiano Vigna's splitmix64. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int below(uint64_t *state, unsigned limit)
{
	return (int)(next(state) % limit);
}

/* Within a third of LEVEL. */
static int64_t around(uint64_t *state, int64_t level)
{
	return level * (670 + below(state, 660)) / 1000;
}

struct row {
	struct offer *offer;
	struct price *prices;
	struct bench_text *text;
	enum tax_basis tax;
	int terms; /* 0 by the hour, 1 by the month, 2 both, 3 and by the year */
};

static void add_price(struct row *row, struct price price, int64_t fen)
{
	int at = row->offer->price_count++;

	snprintf(row->text->as_quoted[at], sizeof row->text->as_quoted[at], "%lld.%02d",
	         (long long)(fen / 100), (int)(fen % 100));
	price.amount = money_from_micro(fen * 10000);
	price.as_quoted = row->text->as_quoted[at];
	price.tax = row->tax;
	price.tax_rate_bp = row->tax == TAX_INCLUDED ? 600 : -1;
	price.column = at + 5;
	price.normalised_unit = price_basis(price.item, price.unit);
	row->prices[at] = price;
}

static void of_supplier(int supplier, struct row *row)
{
	static const int promised[] = {-1, 990000, 995000, 999000, 999500};
	static const int replaced[] = {-1, 240, 480, 1440};
	uint64_t state = SEED + (uint64_t)supplier * 1000003u;
	struct offer *offer = row->offer;

	offer->observed_on = (struct date){TODAY - below(&state, 40)};
	offer->valid_from = offer->observed_on;
	offer->valid_to = (struct date){TODAY - 5 + 30 * below(&state, 6)};
	offer->availability_ppm = promised[below(&state, 5)];
	offer->replacement_minutes = replaced[below(&state, 4)];
	offer->support_24x7 = (enum yes_no)below(&state, 3);
	offer->new_cards = (enum yes_no)below(&state, 3);
	offer->delivery = (enum delivery)(1 + below(&state, 3));
	row->terms = below(&state, 4);
	row->tax = below(&state, 2) == 0 ? TAX_INCLUDED : TAX_EXCLUDED;
}

static void of_place(uint64_t *state, struct offer *offer)
{
	static const char *const names[] = {"深圳", "深圳", "东莞", "惠州", "广州"};
	static const enum city cities[] = {CITY_SHENZHEN, CITY_SHENZHEN, CITY_DONGGUAN,
	                                   CITY_HUIZHOU, CITY_OTHER};
	int city = below(state, 5);

	offer->city = cities[city];
	offer->city_name = names[city];
}

static void rental(uint64_t *state, struct row *row)
{
	struct offer *offer = row->offer;
	int card = below(state, CARDS);
	int64_t fen = around(state, cards[card].fen_per_hour);
	int terms = below(state, 4) > 0 ? row->terms : below(state, 4);
	struct price price = {.item = ITEM_COMPUTE, .currency = "CNY"};

	offer->card = cards[card].id;
	offer->title = cards[card].id;
	offer->cards_per_server = cards[card].cards_per_server;
	offer->intra_link = cards[card].link;
	offer->inter_link = offer->intra_link == INTRA_NVLINK ? INTER_IB : INTER_ETHERNET;
	offer->inter_gbps = offer->intra_link == INTRA_NVLINK ? 3200 : 25;
	offer->servers_available = below(state, 3) == 0 ? -1 : below(state, 40);
	of_place(state, offer);
	if (terms != 1) {
		price.term = TERM_HOURLY;
		price.unit = (struct unit){PER_CARD, 1, PERIOD_HOUR, 1};
		price.unit_text = "元/卡/时";
		add_price(row, price, fen);
	}
	if (terms == 0)
		return;
	bool whole = offer->delivery == DELIVERY_BARE_METAL;
	int cards_priced = whole ? offer->cards_per_server : 1;

	price.unit = (struct unit){whole ? PER_SERVER : PER_CARD, 1, PERIOD_MONTH, 1};
	price.term = TERM_MONTHLY;
	price.unit_text = whole ? "元/台/月" : "元/卡/月";
	add_price(row, price, fen * 720 * cards_priced * 8 / 10);
	if (terms < 3)
		return;
	price.unit.period = PERIOD_YEAR;
	price.term = TERM_YEARLY;
	price.unit_text = whole ? "元/台/年" : "元/卡/年";
	add_price(row, price, fen * 8640 * cards_priced * 65 / 100);
}

static void colocation(uint64_t *state, struct row *row)
{
	static const int64_t watts[] = {4400, 6600, 8000, 12000, 16000, 20000};
	struct offer *offer = row->offer;
	int size = below(state, 6);
	struct price price = {.item = ITEM_CABINET,
	                      .term = TERM_MONTHLY,
	                      .unit = {PER_CABINET, 1, PERIOD_MONTH, 1},
	                      .unit_text = "元/柜/月",
	                      .currency = "CNY"};

	offer->title = "机柜";
	offer->cabinet_watts = watts[size];
	offer->cabinet_u = 42;
	offer->power_tier = below(state, 2) == 0 ? "2n" : "n+1";
	offer->power_billing = below(state, 2) == 0 ? POWER_INCLUDED : POWER_METERED;
	of_place(state, offer);
	add_price(row, price, around(state, watts[size] * 80));
}

static void purchase(uint64_t *state, struct row *row)
{
	struct offer *offer = row->offer;
	int card = below(state, CARDS);
	struct price price = {.item = ITEM_PURCHASE,
	                      .term = TERM_ONE_OFF,
	                      .unit = {PER_SERVER, 1, PERIOD_ONCE, 1},
	                      .unit_text = "元/台",
	                      .currency = "CNY"};

	offer->card = cards[card].id;
	offer->title = cards[card].id;
	offer->cards_per_server = cards[card].cards_per_server;
	offer->intra_link = cards[card].link;
	offer->servers_available = below(state, 20);
	add_price(row, price,
	          around(state, (int64_t)cards[card].yuan * offer->cards_per_server * 110));
}

static void side(uint64_t *state, struct row *row, enum offer_kind kind)
{
	struct price price = {.term = TERM_MONTHLY, .currency = "CNY"};

	of_place(state, row->offer);
	row->offer->title = kind == OFFER_NETWORK ? "BGP 带宽" : "存储";
	if (kind == OFFER_NETWORK) {
		row->offer->line = "bgp";
		price.item = ITEM_BANDWIDTH;
		price.unit = (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1};
		price.unit_text = "元/M/月";
		add_price(row, price, around(state, 6000));
		return;
	}
	price.item = ITEM_STORAGE;
	price.unit = (struct unit){PER_TB, 1, PERIOD_MONTH, 1};
	price.unit_text = "元/TB/月";
	add_price(row, price, around(state, 20000));
}

void bench_offer(int supplier, size_t number, struct offer *offer,
                 struct price prices[static BENCH_PRICES_MAX], struct bench_text *text)
{
	uint64_t state = SEED + ((uint64_t)supplier << 32 | number);
	struct row row = {offer, prices, text, TAX_UNKNOWN, 0};
	int kind = below(&state, 100);

	*offer = offer_blank();
	offer->prices = prices;
	offer->row = (int)number + 4;
	offer->kind = kind < 70   ? OFFER_RENTAL
	              : kind < 84 ? OFFER_COLOCATION
	              : kind < 94 ? OFFER_PURCHASE
	              : kind < 98 ? OFFER_NETWORK
	                          : OFFER_STORAGE;
	of_supplier(supplier, &row);
	switch (offer->kind) {
	case OFFER_RENTAL:
		rental(&state, &row);
		return;
	case OFFER_COLOCATION:
		colocation(&state, &row);
		return;
	case OFFER_PURCHASE:
		purchase(&state, &row);
		return;
	case OFFER_NETWORK:
	case OFFER_STORAGE:
	case OFFER_SERVICE:
		side(&state, &row, offer->kind);
		return;
	}
}
