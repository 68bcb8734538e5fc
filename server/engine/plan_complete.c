/* plan_complete.c - whose bill can be complete, before it is made; see plan_work.h. */
#include "engine/plan_work.h"

void find_power(struct plan_work *work)
{
	for (int city = 0; city < CITY_COUNT; city++) {
		const struct tariff_hours *hours;
		const struct tariff *tariff = work_tariff(work, (enum city)city, &hours);

		work->power_known[city] = work->spec->has_kwh_price || tariff != NULL;
	}
}

/* Network and storage, which one pick of the project carries. */
static bool may_carry(const struct plan_work *work, unsigned supplies, int city)
{
	const struct network_need *need = &work->spec->network;
	bool network = work->sides.network[city] >= 0;

	if ((need->public_mbps.num > 0 || need->egress_gb.num > 0) && !network &&
	    (supplies & SUPPLIES_NETWORK) == 0)
		return false;
	if (need->ips > 0 && !network && (supplies & SUPPLIES_IPS) == 0)
		return false;
	return need->storage_tb.num == 0 || work->sides.storage[city] >= 0 ||
	       (supplies & SUPPLIES_STORAGE) != 0;
}

static bool may_serve(const struct plan_work *work, unsigned supplies,
                      const struct offer_facts *facts)
{
	enum service_tier wanted = work->spec->service;

	return wanted <= SERVICE_BARE || facts->service >= (int)wanted ||
	       work->sides.service[facts->city] >= 0 || (supplies & SUPPLIES_SERVICE) != 0;
}

bool may_be_complete(const struct plan_work *work, uint32_t position,
                     const struct offer_facts *facts, enum pick_role role, bool carries)
{
	unsigned supplies = work->source->supplies[position];

	if (role == PICK_BUY)
		return true;
	if (role == PICK_HOST && facts->power_billing != POWER_INCLUDED &&
	    !work->power_known[facts->city] && (supplies & SUPPLIES_POWER) == 0)
		return false;
	return may_serve(work, supplies, facts) &&
	       (!carries || may_carry(work, supplies, facts->city));
}

int64_t bound_with_sides(const struct plan_work *work, uint32_t position,
                         const struct offer_facts *facts, bool carries, int64_t bound)
{
	const unsigned network = SUPPLIES_NETWORK | SUPPLIES_IPS | SUPPLIES_TRAFFIC;
	unsigned supplies = work->source->supplies[position];
	int64_t beside = 0;
	int64_t total;

	if (!carries)
		return bound;
	if ((supplies & network) == 0)
		beside += work->sides.network_total[facts->city];
	if ((supplies & SUPPLIES_STORAGE) == 0)
		beside += work->sides.storage_total[facts->city];
	if (beside <= BOUND_SLACK || __builtin_add_overflow(bound, beside - BOUND_SLACK, &total))
		return bound;
	return total;
}

bool some_may_be_complete(const struct plan_work *work, struct good_range range,
                          enum pick_role role, bool carries)
{
	for (size_t i = range.first; i < range.end; i++) {
		const struct offer_block *block = good_block(work, i);

		for (uint32_t k = block->first; k < block->first + block->count; k++)
			if (may_be_complete(work, k, &block->facts, role, carries))
				return true;
	}
	return false;
}
