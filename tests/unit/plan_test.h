/* plan_test.h - one fixture for a file of tests: begun before each of them, ended after it. */
#ifndef TESTS_PLAN_TEST_H
#define TESTS_PLAN_TEST_H

#include "tests/unit/plan_fixture.h"

static struct fixture fixture;

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fixture);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fixture_end(&fixture);
	return 0;
}

static inline const struct card *h100(void)
{
	return fixture_card(&fixture, "h100-sxm");
}

static inline const struct plan_not_chosen *reason(enum plan_reason reason)
{
	for (int i = 0; i < fixture.plan.not_chosen_count; i++)
		if (fixture.plan.not_chosen[i].reason == reason)
			return &fixture.plan.not_chosen[i];
	return NULL;
}

static inline bool has_note(enum note_code code)
{
	for (int i = 0; i < fixture.plan.notes.count; i++)
		if (fixture.plan.notes.items[i].code == code)
			return true;
	return false;
}

static inline void price_bandwidth(struct offer *offer, const char *per_mbps)
{
	fixture_price(offer, ITEM_BANDWIDTH, TERM_MONTHLY, per_mbps,
	              (struct unit){PER_MBPS, 1, PERIOD_MONTH, 1});
}

#endif
