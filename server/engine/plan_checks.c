/* plan_checks.c - the requirements that an offer's facts may fail; see plan_work.h. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "engine/plan_work.h"

#define KIND(kind) (1u << (kind))
#define PLACES (KIND(OFFER_RENTAL) | KIND(OFFER_COLOCATION))
#define CARDS (KIND(OFFER_RENTAL) | KIND(OFFER_PURCHASE))
#define EVERY_KIND ((1u << OFFER_KIND_COUNT) - 1)
#define UNKNOWN_GAP NAN

/* Each returns whether FACTS fail what SPEC asks; GAP says by how much, NAN when that is unknown.
 */
typedef bool check(const struct spec *spec, const struct offer_facts *facts, double *gap);

static bool outside_dates(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	struct date first = date_is_none(spec->basis.start) ? spec->basis.today : spec->basis.start;
	struct date last = date_is_none(spec->require.start_by) ? first : spec->require.start_by;

	if (!date_is_none(facts->valid_to) && facts->valid_to.days < first.days) {
		*gap = first.days - facts->valid_to.days;
		return true;
	}
	if (!date_is_none(facts->valid_from) && facts->valid_from.days > last.days) {
		*gap = facts->valid_from.days - last.days;
		return true;
	}
	return false;
}

static bool in_other_city(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return facts->city != CITY_UNKNOWN && (spec->cities >> facts->city & 1) == 0;
}

static bool in_no_city(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)spec;
	(void)gap;
	return facts->city == CITY_UNKNOWN;
}

static bool without_terms(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return (facts->terms & spec->terms) == 0;
}

static bool other_delivery(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return facts->delivery != spec->require.delivery;
}

static bool other_intra_link(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return facts->intra_link != spec->require.intra_link;
}

static bool other_inter_link(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return facts->inter_link != spec->require.inter_link;
}

static bool too_often_down(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	if (facts->availability_ppm >= spec->require.availability_ppm)
		return false;
	if (facts->availability_ppm >= 0)
		*gap = spec->require.availability_ppm - facts->availability_ppm;
	return true;
}

static bool replaced_too_late(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	int32_t most = spec->require.replacement_minutes;

	if (facts->replacement_minutes >= 0 && facts->replacement_minutes <= most)
		return false;
	if (facts->replacement_minutes >= 0)
		*gap = facts->replacement_minutes - most;
	return true;
}

static bool without_support(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)spec;
	(void)gap;
	return facts->support_24x7 != YES_NO_YES;
}

static bool other_power_tier(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	const char *wanted = spec->require.power_tier;

	(void)gap;
	return facts->power_tier == NULL || strcasecmp(facts->power_tier, wanted) != 0;
}

static bool too_old(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	int most = spec->require.max_card_age_months;

	if (facts->card_age_months >= 0 && facts->card_age_months <= most)
		return false;
	if (facts->card_age_months < 0)
		return facts->new_cards != YES_NO_YES;
	*gap = facts->card_age_months - most;
	return true;
}

static bool not_new(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)spec;
	(void)gap;
	return facts->new_cards != YES_NO_YES;
}

static bool without_licence(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	for (int i = 0; i < spec->require.licence_count; i++)
		if (facts->licences == NULL ||
		    strcasestr(facts->licences, spec->require.licences[i]) == NULL)
			return true;
	return false;
}

static bool other_line(const struct spec *spec, const struct offer_facts *facts, double *gap)
{
	(void)gap;
	return facts->line == NULL || strcasecmp(facts->line, spec->line) != 0;
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

/* The checks that SPEC asks for, as bits 1u << enum plan_reason. */
unsigned asked_checks(const struct spec *spec)
{
	const struct requirement *require = &spec->require;
	const struct {
		enum plan_reason reason;
		bool asked;
	} rows[] = {
	    {REASON_NOT_VALID,
	     !date_is_none(spec->basis.start) || !date_is_none(spec->basis.today)},
	    {REASON_CITY, spec->cities != 0},
	    {REASON_CITY_UNKNOWN, spec->cities != 0 && !spec->any_city},
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
	    {REASON_LINE, spec->line != NULL},
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

void run_checks(const struct spec *spec, unsigned asked, const struct offer_facts *facts,
                struct judged *judged)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		double gap = UNKNOWN_GAP;

		if ((asked >> checks[i].reason & 1) != 0 &&
		    (checks[i].kinds >> facts->kind & 1) != 0 && checks[i].fails(spec, facts, &gap))
			judged_fail(judged, checks[i].reason, gap);
	}
}
