/* supplier.h - who sells, and where. */
#ifndef OFFER_SUPPLIER_H
#define OFFER_SUPPLIER_H

#include <stdint.h>

#include "offer/offer.h"

struct supplier {
	const char *id; /* [a-z0-9-]{2,40} */
	const char *name;
	const char *name_en;
	enum origin origin; /* what its prices are: uploaded, published, sample */
	const char *source; /* where the facts about it come from; NULL */
	const char *note;
};

struct site {
	const char *id;
	const char *supplier; /* supplier id */
	const char *name;
	enum city city;
	const char *city_name;
	int32_t pue_milli; /* 1300 = 1.3; 0 = unknown */
	const char *power_tier;
	const char *source;
};

#endif
