/*
 * cost_host.h - own servers: buying them, giving them a place, and when that beats renting.
 */
#ifndef ENGINE_COST_HOST_H
#define ENGINE_COST_HOST_H

#include "engine/cost.h"
#include "engine/cost_rent.h"
#include "engine/packing.h"
#include "engine/power.h"

struct host_need {
	int servers;          /* 0 = WATTS is a load without named servers */
	int64_t server_watts; /* maximum of one server; of the whole load when servers is 0 */
	int server_u;         /* 0 = ASSUME_SERVER_U */
	struct schedule schedule;
	unsigned terms; /* set of enum price_term, for the cabinets */
};

/*
 * Appends what the cabinets of a colocation OFFER cost for basis->months: cabinet fee in the
 * cheapest mix of terms (per cabinet, per kW: whole cabinets' rated kW or, where that is not
 * stated, the servers' maximum; per U; per server), setup, deposit, and power (cost_power()).
 * Network and service are cost_network() and cost_service().
 *   Given     tariff, hours  may be NULL
 *   Returned  packing        may be NULL
 *   Result    COST_NO_CABINET when no server fits or the cabinet's kW is needed and not stated
 */
enum cost_status cost_host(const struct cost_basis *basis, const struct offer *offer,
                           const struct host_need *need, const struct tariff *tariff,
                           const struct tariff_hours *hours, struct bill *bill,
                           struct packing *packing);

/*
 * Appends what owning SERVERS bought from a purchase OFFER costs over basis->months, as two views
 * in one bill: the price as cash (paid upfront, not a cost) and as costs of the months:
 *   depreciation  price x (1 - residual) x months / (12 x life)       (months capped at the life)
 *   write-off     book value at the end x (1 - ASSUME_BOOK_VALUE): what neither another use nor a
 *                 sale brings back; none by default
 *                 book value = price x (residual + (1 - residual) x (life - months) / life)
 *   capital       price x (1 + residual) / 2 x rate x months / 12     (mean of what is tied up)
 *   spares        price x share x months / 12
 *   maintenance   per server and year
 * Formulas: GPU Price Index methodology 1.1 (depreciation + rate/2), with a residual added.
 * Net of VAT on the excluded basis: 3,300,000 with 13 % is 2,920,353.98.
 */
enum cost_status cost_buy(const struct cost_basis *basis, const struct offer *offer, int servers,
                          struct bill *bill);

struct break_even_input {
	struct ratio purchase; /* cash, yuan */
	struct ratio
	    own_fixed_month; /* costs of the month whether they run or not, with depreciation */
	struct ratio own_cash_month; /* of them paid each month: cabinet, maintenance, ... */
	struct ratio own_hour;       /* per card-hour that runs: energy above idle */
	int cards;
	struct ratio rent_card_hour; /* rent of one card-hour that runs */
};

struct break_even {
	bool has_utilisation;     /* false: renting is cheaper at any utilisation */
	struct ratio utilisation; /* share of hours above which buying is cheaper; may exceed 1 */
	bool below_seed_rule;     /* <= 70 % */
	struct ratio seed_rule;
	bool has_month;     /* false: never within the life, at the utilisation given */
	struct ratio month; /* cash spent on buying = rent paid */
};

/*
 * Where buying and renting meet; both linear, so exact.
 *   utilisation = own_fixed_month / (cards x hours_per_month x (rent_card_hour - own_hour))
 *   month       = purchase / (rent of a month - cash of a month), both at UTILISATION
 * GPU Price Index, 730 h: eight H200 at 1,500,000 (25000 depreciation + 5000 capital + 10000
 * operation), 10000 for the cabinet, 10.2 kW x PUE 1.3 x 0.65 CNY with 35 % of it when idle,
 * against 15.6 CNY per card-hour: 59.99 %. Eight H100 at 2,300,000 against 13.2: above 100 %.
 */
enum cost_status break_even(const struct cost_basis *basis, const struct break_even_input *input,
                            struct ratio utilisation, struct bill *bill, struct break_even *result);

#endif
