/* fx.h - what a unit of another currency costs, on a day. */
#ifndef OFFER_FX_H
#define OFFER_FX_H

#include "base/clock.h"
#include "offer/money.h"

struct fx_rate {
	char currency[4];      /* ISO 4217 of what is bought: "USD" */
	struct date on;        /* the day of the rate */
	struct money per_unit; /* CNY for one unit: 7.1234 */
	const char *source;    /* who published it */
};

#endif
