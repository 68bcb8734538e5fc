/* screen_checks.c - the requirements that an offer's facts may fail; see screen_checks.h. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "engine/screen_checks.h"

const char *const reason_names[REASON_COUNT] = {
    "not_asked",  "unknown_card", "other_card",   "does_not_fit",  "too_slow",   "no_price",
    "not_valid",  "city",         "city_unknown", "term",          "delivery",   "intra_link",
    "inter_link", "availability", "replacement",  "support",       "power_tier", "card_age",
    "not_new",    "licence",      "line",         "cabinet_power", "stock",      "no_partner",
    "not_costed", "budget",       "dearer"};
const char *const reason_gap_units[REASON_COUNT] = {
    [REASON_NOT_ASKED] = "",
    [REASON_NO_PRICE] = "",
    [REASON_UNKNOWN_CARD] = "",
    [REASON_OTHER_CARD] = "",
    [REASON_DOES_NOT_FIT] = "GiB",
    [REASON_TOO_SLOW] = "hours",
    [REASON_NOT_VALID] = "days",
    [REASON_CITY] = "",
    [REASON_CITY_UNKNOWN] = "",
    [REASON_TERM] = "",
    [REASON_DELIVERY] = "",
    [REASON_INTRA_LINK] = "",
    [REASON_INTER_LINK] = "",
    [REASON_AVAILABILITY] = "ppm",
    [REASON_REPLACEMENT] = "minutes",
    [REASON_SUPPORT] = "",
    [REASON_POWER_TIER] = "",
    [REASON_CARD_AGE] = "months",
    [REASON_NOT_NEW] = "",
    [REASON_LICENCE] = "",
    [REASON_LINE] = "",
    [REASON_CABINET_POWER] = "W",
    [REASON_STOCK] = "servers",
    [REASON_NO_PARTNER] = "",
    [REASON_NOT_COSTED] = "",
    [REASON_BUDGET] = "CNY/month",
    [REASON_DEARER] = "CNY",
};

#define KIND(kind) (1u << (kind))
#define PLACES (KIND(OFFER_RENTAL) | KIND(OFFER_COLOCATION))
#define CARDS (KIND(OFFER_RENTAL) | KIND(OFFER_PURCHASE))
#define EVERY_KIND ((1u << OFFER_KIND_COUNT) - 1)
#define UNKNOWN_GAP NAN

/* Each returns whether FACTS fail what ASK asks; GAP says by how much, NAN when that is unknown.
 */
typedef bool check(const struct screen_ask *ask, const struct offer_facts *facts, double *gap);

static bool outside_dates(const struct screen_ask *ask, const struct offer_facts *facts,
                          double *gap)
{
	if (!date_is_none(facts->valid_to) && facts->valid_to.days < ask->first.days) {
		*gap = ask->first.days - facts->valid_to.days;
		return true;
	}
	if (!date_is_none(facts->valid_from) && facts->valid_from.days > ask->last.days) {
		*gap = facts->valid_from.days - ask->last.days;
		return true;
	}
	return false;
}

static bool in_other_city(const struct screen_ask *ask, const struct offer_facts *facts,
                          double *gap)
{
	(void)gap;
	return facts->city != CITY_UNKNOWN && (ask->cities >> facts->city & 1) == 0;
}

static bool in_no_city(const struct screen_ask *ask, const struct offer_facts *facts, double *gap)
{
	(void)ask;
	(void)gap;
	return facts->city == CITY_UNKNOWN;
}

static bool without_terms(const struct screen_ask *ask, const struct offer_facts *facts,
                          double *gap)
{
	(void)gap;
	return (facts->terms & ask->terms) == 0;
}

static bool other_delivery(const struct screen_ask *ask, const struct offer_facts *facts,
                           double *gap)
{
	(void)gap;
	return facts->delivery != ask->require.delivery;
}

static bool other_intra_link(const struct screen_ask *ask, const struct offer_facts *facts,
                             double *gap)
{
	(void)gap;
	return facts->intra_link != ask->require.intra_link;
}

static bool other_inter_link(const struct screen_ask *ask, const struct offer_facts *facts,
                             double *gap)
{
	(void)gap;
	return facts->inter_link != ask->require.inter_link;
}

static bool too_often_down(const struct screen_ask *ask, const struct offer_facts *facts,
                           double *gap)
{
	if (facts->availability_ppm >= ask->require.availability_ppm)
		return false;
	if (facts->availability_ppm >= 0)
		*gap = ask->require.availability_ppm - facts->availability_ppm;
	return true;
}

static bool replaced_too_late(const struct screen_ask *ask, const struct offer_facts *facts,
                              double *gap)
{
	int32_t most = ask->require.replacement_minutes;

	if (facts->replacement_minutes >= 0 && facts->replacement_minutes <= most)
		return false;
	if (facts->replacement_minutes >= 0)
		*gap = facts->replacement_minutes - most;
	return true;
}

static bool without_support(const struct screen_ask *ask, const struct offer_facts *facts,
                            double *gap)
{
	(void)ask;
	(void)gap;
	return facts->support_24x7 != YES_NO_YES;
}

static bool other_power_tier(const struct screen_ask *ask, const struct offer_facts *facts,
                             double *gap)
{
	const char *wanted = ask->require.power_tier;

	(void)gap;
	return facts->power_tier == NULL || strcasecmp(facts->power_tier, wanted) != 0;
}

static bool too_old(const struct screen_ask *ask, const struct offer_facts *facts, double *gap)
{
	int most = ask->require.max_card_age_months;

	if (facts->card_age_months >= 0 && facts->card_age_months <= most)
		return false;
	if (facts->card_age_months < 0)
		return facts->new_cards != YES_NO_YES;
	*gap = facts->card_age_months - most;
	return true;
}

static bool not_new(const struct screen_ask *ask, const struct offer_facts *facts, double *gap)
{
	(void)ask;
	(void)gap;
	return facts->new_cards != YES_NO_YES;
}

static bool without_licence(const struct screen_ask *ask, const struct offer_facts *facts,
                            double *gap)
{
	(void)gap;
	for (int i = 0; i < ask->require.licence_count; i++)
		if (facts->licences == NULL ||
		    strcasestr(facts->licences, ask->require.licences[i]) == NULL)
			return true;
	return false;
}

static bool other_line(const struct screen_ask *ask, const struct offer_facts *facts, double *gap)
{
	bool sells_bandwidth = facts->kind == OFFER_NETWORK;

	(void)gap;
	/* A leased line between two places is the cheaper for not leading to the internet. */
	if (sells_bandwidth && line_is_dedicated(facts->line))
		return !ask->leased;
	if (sells_bandwidth && ask->no_public)
		return true;
	return ask->line != NULL &&
	       (facts->line == NULL || strcasecmp(facts->line, ask->line) != 0);
}

/* In the order of enum plan_reason. */
static const struct {
	enum plan_reason reason;
	unsigned kinds;
	check *fails;
} checks[] = {
    {REASON_NOT_VALID, EVERY_KIND, outside_dates},
    {REASON_CITY, EVERY_KIND & ~KIND(OFFER_PURCHASE), in_other_city},
    {REASON_CITY_UNKNOWN, EVERY_KIND & ~KIND(OFFER_PURCHASE), in_no_city},
    {REASON_TERM, KIND(OFFER_RENTAL), without_terms},
    {REASON_DELIVERY, KIND(OFFER_RENTAL), other_delivery},
    {REASON_INTRA_LINK, CARDS, other_intra_link},
    {REASON_INTER_LINK, CARDS, other_inter_link},
    {REASON_AVAILABILITY, PLACES, too_often_down},
    {REASON_REPLACEMENT, KIND(OFFER_RENTAL), replaced_too_late},
    {REASON_SUPPORT, PLACES, without_support},
    {REASON_POWER_TIER, PLACES, other_power_tier},
    {REASON_CARD_AGE, CARDS, too_old},
    {REASON_NOT_NEW, CARDS, not_new},
    {REASON_LICENCE, PLACES, without_licence},
    {REASON_LINE, PLACES | KIND(OFFER_NETWORK), other_line},
};

/* The checks that ASK asks for, as bits 1u << enum plan_reason. */
unsigned asked_checks(const struct screen_ask *ask)
{
	const struct requirement *require = &ask->require;
	const struct {
		enum plan_reason reason;
		bool asked;
	} rows[] = {
	    {REASON_NOT_VALID, !date_is_none(ask->first)},
	    {REASON_CITY, ask->cities != 0},
	    {REASON_CITY_UNKNOWN, ask->cities != 0 && !ask->any_city},
	    {REASON_TERM, true},
	    {REASON_DELIVERY, require->delivery != DELIVERY_UNKNOWN},
	    {REASON_INTRA_LINK, require->intra_link != INTRA_UNKNOWN},
	    {REASON_INTER_LINK, require->inter_link != INTER_UNKNOWN},
	    {REASON_AVAILABILITY, require->availability_ppm > 0},
	    {REASON_REPLACEMENT, require->replacement_minutes > 0},
	    {REASON_SUPPORT, require->support_24x7},
	    {REASON_POWER_TIER, require->power_tier != NULL},
	    {REASON_CARD_AGE, require->max_card_age_months > 0},
	    {REASON_NOT_NEW, require->new_cards},
	    {REASON_LICENCE, require->licence_count > 0},
	    {REASON_LINE, true},
	};
	unsigned asked = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].asked)
			asked |= 1u << rows[i].reason;
	return asked;
}

void judged_fail(struct judged *judged, enum plan_reason reason, double gap)
{
	if (judged->failed == 0) {
		judged->has_gap = !isnan(gap);
		judged->gap = judged->has_gap ? gap : 0;
	}
	judged->failed |= 1u << reason;
}

/* What every request asks: help of the wanted tier, a price, a cabinet of known power. */
static void check_use(const struct screen_ask *ask, const struct offer_facts *facts,
                      struct judged *judged)
{
	/* Help of a lower tier than the one that is wanted is none. */
	if (facts->kind == OFFER_SERVICE && facts->service > 0 &&
	    facts->service < (int)ask->service)
		judged_fail(judged, REASON_NOT_ASKED, UNKNOWN_GAP);
	if (facts->terms == 0 || screen_rate(ask, facts->currency) <= 0)
		judged_fail(judged, REASON_NO_PRICE, UNKNOWN_GAP);
}

struct judged judge_facts(const struct screen_ask *ask, unsigned asked,
                          const struct offer_facts *facts)
{
	struct judged judged = {0};

	check_use(ask, facts, &judged);
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		double gap = UNKNOWN_GAP;

		if ((asked >> checks[i].reason & 1) != 0 &&
		    (checks[i].kinds >> facts->kind & 1) != 0 && checks[i].fails(ask, facts, &gap))
			judged_fail(&judged, checks[i].reason, gap);
	}
	if (facts->kind == OFFER_COLOCATION && facts->basis == UNIT_CABINET_MONTH &&
	    facts->cabinet_watts <= 0)
		judged_fail(&judged, REASON_CABINET_POWER, UNKNOWN_GAP);
	return judged;
}
