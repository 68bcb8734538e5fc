/* facts.c - see facts.h. */
#include "offer/facts.h"

#include <string.h>

/* Facts are hashed and compared as bytes by the catalogue: there must be no padding. */
_Static_assert(sizeof(struct offer_facts) == 96, "struct offer_facts has padding");

#define MONTH_HOURS 720
#define HIGHEST_VAT_BP 1300

int service_rank(const char *tier)
{
	static const char *const tiers[] = {"", "bare", "image", "managed"};

	if (tier == NULL)
		return 0;
	int rank = name_index(tier, tiers, 4);

	return rank < 0 ? 0 : rank;
}

enum price_item offer_main_item(enum offer_kind kind)
{
	switch (kind) {
	case OFFER_RENTAL:
		return ITEM_COMPUTE;
	case OFFER_COLOCATION:
		return ITEM_CABINET;
	case OFFER_PURCHASE:
		return ITEM_PURCHASE;
	case OFFER_NETWORK:
		return ITEM_BANDWIDTH;
	case OFFER_STORAGE:
		return ITEM_STORAGE;
	case OFFER_SERVICE:
		return ITEM_SERVICE;
	}
	return ITEM_COMPUTE;
}

static unsigned item_supplies(enum price_item item)
{
	switch (item) {
	case ITEM_BANDWIDTH:
		return SUPPLIES_NETWORK;
	case ITEM_TRAFFIC:
		return SUPPLIES_NETWORK | SUPPLIES_TRAFFIC;
	case ITEM_IP:
		return SUPPLIES_IPS;
	case ITEM_STORAGE:
		return SUPPLIES_STORAGE;
	case ITEM_SERVICE:
		return SUPPLIES_SERVICE;
	case ITEM_POWER:
		return SUPPLIES_POWER;
	case ITEM_COMPUTE:
	case ITEM_CABINET:
	case ITEM_SETUP:
	case ITEM_PURCHASE:
	case ITEM_DEPOSIT:
	case ITEM_OVERAGE:
		return 0;
	}
	return 0;
}

uint8_t offer_supplies(const struct offer *offer)
{
	unsigned supplies = 0;

	if (offer->mbps_included > 0)
		supplies |= SUPPLIES_NETWORK;
	if (offer->ips_included > 0)
		supplies |= SUPPLIES_IPS;
	for (int i = 0; i < offer->price_count; i++)
		supplies |= item_supplies(offer->prices[i].item);
	return (uint8_t)supplies;
}

static const struct price *first_main_price(const struct offer *offer)
{
	enum price_item main = offer_main_item(offer->kind);

	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == main)
			return &offer->prices[i];
	return NULL;
}

static unsigned main_terms(const struct offer *offer)
{
	enum price_item main = offer_main_item(offer->kind);
	unsigned terms = 0;

	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == main)
			terms |= 1u << offer->prices[i].term;
	return terms;
}

void offer_facts_of(const struct offer *offer, struct offer_facts *facts)
{
	const struct price *main = first_main_price(offer);

	*facts = (struct offer_facts){
	    .card = offer->card,
	    .power_tier = offer->power_tier,
	    .licences = offer->licences,
	    .line = offer->line,
	    .inter_gbps = offer->inter_gbps,
	    .cabinet_watts = offer->cabinet_watts,
	    .valid_from = offer->valid_from,
	    .valid_to = offer->valid_to,
	    .availability_ppm = offer->availability_ppm,
	    .replacement_minutes = offer->replacement_minutes,
	    .cards_per_server = offer->cards_per_server,
	    .cabinet_u = offer->cabinet_u,
	    .min_term_months = offer->min_term_months,
	    .card_age_months = offer->card_age_months,
	    .terms = (uint8_t)main_terms(offer),
	    .kind = (uint8_t)offer->kind,
	    .origin = (uint8_t)offer->origin,
	    .city = (uint8_t)offer->city,
	    .delivery = (uint8_t)offer->delivery,
	    .intra_link = (uint8_t)offer->intra_link,
	    .inter_link = (uint8_t)offer->inter_link,
	    .power_billing = (uint8_t)offer->power_billing,
	    .support_24x7 = (uint8_t)offer->support_24x7,
	    .new_cards = (uint8_t)offer->new_cards,
	    .service = (uint8_t)service_rank(offer->service_tier),
	};
	if (main == NULL)
		return;
	memcpy(facts->currency, main->currency, sizeof facts->currency);
	facts->basis = (uint8_t)price_basis(main->item, main->unit);
}

static int compare_words(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* What makes servers the same to a workload: kind, card, cards per server, links. */
static int compare_class(const struct offer_facts *a, const struct offer_facts *b)
{
	int order = compare_numbers(a->kind, b->kind);

	if (order == 0)
		order = compare_words(a->card, b->card);
	if (order == 0)
		order = compare_numbers(a->cards_per_server, b->cards_per_server);
	if (order == 0)
		order = compare_numbers(a->intra_link, b->intra_link);
	if (order == 0)
		order = compare_numbers(a->inter_link, b->inter_link);
	if (order == 0)
		order = (a->inter_gbps > b->inter_gbps) - (a->inter_gbps < b->inter_gbps);
	return order;
}

bool offer_facts_same_class(const struct offer_facts *a, const struct offer_facts *b)
{
	return compare_class(a, b) == 0;
}

static int compare_rest(const struct offer_facts *a, const struct offer_facts *b)
{
	const int64_t pairs[][2] = {
	    {a->city, b->city},
	    {a->cabinet_watts, b->cabinet_watts},
	    {a->cabinet_u, b->cabinet_u},
	    {a->valid_from.days, b->valid_from.days},
	    {a->valid_to.days, b->valid_to.days},
	    {a->availability_ppm, b->availability_ppm},
	    {a->replacement_minutes, b->replacement_minutes},
	    {a->min_term_months, b->min_term_months},
	    {a->card_age_months, b->card_age_months},
	    {a->terms, b->terms},
	    {a->basis, b->basis},
	    {a->origin, b->origin},
	    {a->delivery, b->delivery},
	    {a->power_billing, b->power_billing},
	    {a->support_24x7, b->support_24x7},
	    {a->new_cards, b->new_cards},
	    {a->service, b->service},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		int order = compare_numbers(pairs[i][0], pairs[i][1]);

		if (order != 0)
			return order;
	}
	return memcmp(a->currency, b->currency, sizeof a->currency);
}

int offer_facts_compare(const struct offer_facts *a, const struct offer_facts *b)
{
	int order = compare_class(a, b);

	if (order == 0)
		order = compare_rest(a, b);
	if (order == 0)
		order = compare_words(a->power_tier, b->power_tier);
	if (order == 0)
		order = compare_words(a->licences, b->licences);
	if (order == 0)
		order = compare_words(a->line, b->line);
	return order;
}

/* PRICE in BASIS without tax, in micro and rounded down; 0 when it cannot be brought there. */
static int64_t floor_of(const struct offer *offer, const struct price *price,
                        enum normalised_unit basis)
{
	struct ratio net;
	int32_t stated = price->tax_rate_bp >= 0 ? price->tax_rate_bp : HIGHEST_VAT_BP;
	int32_t rate = price->tax == TAX_INCLUDED ? stated : 0;

	if (!unit_normalise(money_to_ratio(price->amount), price->unit, offer->cards_per_server,
	                    MONTH_HOURS, basis, &net) ||
	    !ratio_multiply(net, ratio_make(10000, 10000 + rate), &net) ||
	    !ratio_multiply(net, ratio_of(1000000), &net))
		return 0;
	int128 whole = net.num / net.den;

	return whole < 0 ? 0 : whole > INT64_MAX ? INT64_MAX : (int64_t)whole;
}

static bool is_hourly(const struct price *price)
{
	return price->term == TERM_HOURLY || price->term == TERM_SPOT;
}

int64_t offer_floor_price(const struct offer *offer, bool hourly)
{
	const struct price *main = first_main_price(offer);
	int64_t lowest = INT64_MAX;

	if (main == NULL)
		return INT64_MAX;
	enum normalised_unit basis = price_basis(main->item, main->unit);

	for (int i = 0; i < offer->price_count; i++) {
		const struct price *price = &offer->prices[i];

		if (price->item != main->item || is_hourly(price) != hourly)
			continue;
		bool same = strcmp(price->currency, main->currency) == 0;
		int64_t floor = same ? floor_of(offer, price, basis) : 0;

		lowest = floor < lowest ? floor : lowest;
	}
	return lowest;
}
