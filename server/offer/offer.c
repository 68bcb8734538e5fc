/* offer.c - see offer.h. */
#include "offer/offer.h"

#include <string.h>
#include <strings.h>

const char *const offer_kind_names[OFFER_KIND_COUNT] = {"rental",  "colocation", "purchase",
                                                        "network", "storage",    "service"};
const char *const price_item_names[PRICE_ITEM_COUNT] = {
    "compute", "cabinet", "power",   "bandwidth", "traffic", "storage",
    "ip",      "setup",   "service", "purchase",  "deposit", "overage"};
const char *const price_term_names[PRICE_TERM_COUNT] = {"hourly", "monthly", "quarterly", "yearly",
                                                        "spot",   "one_off", "metered"};
const char *const tax_basis_names[TAX_BASIS_COUNT] = {"unknown", "included", "excluded"};
const char *const city_names_zh[CITY_COUNT] = {"", "深圳", "东莞", "惠州", "other"};
const char *const city_names_en[CITY_COUNT] = {"", "shenzhen", "dongguan", "huizhou", "other"};
const char *const delivery_names[DELIVERY_COUNT] = {"", "bare_metal", "vm", "container"};
const char *const intra_link_names[INTRA_LINK_COUNT] = {"", "nvlink", "pcie"};
const char *const inter_link_names[INTER_LINK_COUNT] = {"", "none", "ethernet", "roce", "ib"};
const char *const power_billing_names[POWER_BILLING_COUNT] = {"", "included", "metered", "flat",
                                                              "tou"};
const char *const origin_names[ORIGIN_COUNT] = {"sheet", "published", "sample"};

enum normalised_unit price_basis(enum price_item item, struct unit unit)
{
	switch (item) {
	case ITEM_COMPUTE:
		return UNIT_CARD_HOUR;
	case ITEM_CABINET:
		return unit.per == PER_KW || unit.per == PER_AMPERE ? UNIT_KW_MONTH
		       : unit.per == PER_U                          ? UNIT_U_MONTH
		       : unit.per == PER_SERVER                     ? UNIT_SERVER_MONTH
		                                                    : UNIT_CABINET_MONTH;
	case ITEM_POWER:
	case ITEM_OVERAGE:
		return unit.per == PER_KWH ? UNIT_KWH : UNIT_KW_MONTH;
	case ITEM_BANDWIDTH:
		return UNIT_MBPS_MONTH;
	case ITEM_TRAFFIC:
		return UNIT_GB;
	case ITEM_STORAGE:
		return UNIT_TB_MONTH;
	case ITEM_IP:
		return UNIT_IP_MONTH;
	case ITEM_SERVICE:
		return unit.period != PERIOD_ONCE ? UNIT_SERVER_MONTH : UNIT_TIME;
	case ITEM_PURCHASE:
		return unit.per == PER_CARD ? UNIT_CARD : UNIT_SERVER;
	case ITEM_SETUP:
	case ITEM_DEPOSIT:
		return UNIT_ONCE;
	}
	return UNIT_ONCE;
}

struct offer offer_blank(void)
{
	return (struct offer){
	    .observed_on = DATE_NONE,
	    .servers_available = -1,
	    .mbps_included = -1,
	    .ips_included = -1,
	    .availability_ppm = -1,
	    .replacement_minutes = -1,
	    .card_age_months = -1,
	    .valid_from = DATE_NONE,
	    .valid_to = DATE_NONE,
	};
}

bool offer_valid_on(const struct offer *offer, struct date day)
{
	bool begun = date_is_none(offer->valid_from) || offer->valid_from.days <= day.days;
	bool ended = !date_is_none(offer->valid_to) && offer->valid_to.days < day.days;

	return begun && !ended;
}

bool line_is_dedicated(const char *line)
{
	return line != NULL && strcasecmp(line, LINE_DEDICATED) == 0;
}

enum city city_from_name(const char *name)
{
	static const struct {
		const char *name;
		enum city city;
	} known[] = {
	    {"深圳", CITY_SHENZHEN},     {"深圳市", CITY_SHENZHEN}, {"shenzhen", CITY_SHENZHEN},
	    {"sz", CITY_SHENZHEN},       {"东莞", CITY_DONGGUAN},   {"东莞市", CITY_DONGGUAN},
	    {"dongguan", CITY_DONGGUAN}, {"dg", CITY_DONGGUAN},     {"惠州", CITY_HUIZHOU},
	    {"惠州市", CITY_HUIZHOU},    {"huizhou", CITY_HUIZHOU}, {"hz", CITY_HUIZHOU},
	    {"全国", CITY_UNKNOWN},      {"不限", CITY_UNKNOWN},    {"云", CITY_UNKNOWN},
	    {"national", CITY_UNKNOWN},  {"any", CITY_UNKNOWN},     {"nationwide", CITY_UNKNOWN},
	};

	if (name == NULL || *name == '\0')
		return CITY_UNKNOWN;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(name, known[i].name) == 0)
			return known[i].city;
	return CITY_OTHER;
}

int name_index(const char *name, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (names[i][0] != '\0' && strcmp(name, names[i]) == 0)
			return i;
	return -1;
}
