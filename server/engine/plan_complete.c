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

/* Network, leased line and storage, which one pick of the project carries. */
static bool may_carry(const struct plan_work *work, unsigned supplies, enum city city)
{
	const struct network_need *need = &work->spec->network;
	unsigned sold = supplies | work->sides.sells[city];

	if ((need->public_mbps.num > 0 || need->egress_gb.num > 0) &&
	    (sold & SUPPLIES_NETWORK) == 0)
		return false;
	if (need->ips > 0 && (sold & SUPPLIES_IPS) == 0)
		return false;
	if (needs_dedicated(need) && work->sides.leased[city] < 0)
		return false;
	return need->storage_tb.num == 0 || work->sides.storage[city] >= 0 ||
	       (supplies & SUPPLIES_STORAGE) != 0;
}

static bool may_serve(const struct plan_work *work, uint32_t code)
{
	enum service_tier wanted = work->spec->service;

	return wanted <= SERVICE_BARE || code_service(code) >= (int)wanted ||
	       work->sides.helps[code_city(code)] || (code_supplies(code) & SUPPLIES_SERVICE) != 0;
}

bool may_be_complete(const struct plan_work *work, uint32_t code, enum pick_role role, bool carries)
{
	unsigned supplies = code_supplies(code);

	if (role == PICK_BUY)
		return true;
	if (role == PICK_HOST && code_power(code) != POWER_INCLUDED &&
	    !work->power_known[code_city(code)] && (supplies & SUPPLIES_POWER) == 0)
		return false;
	return may_serve(work, code) && (!carries || may_carry(work, supplies, code_city(code)));
}

int64_t bound_with_sides(const struct plan_work *work, uint32_t code, bool carries, int64_t bound)
{
	const unsigned network = SUPPLIES_NETWORK | SUPPLIES_IPS | SUPPLIES_TRAFFIC;
	unsigned supplies = code_supplies(code);
	int64_t beside;
	int64_t total;

	if (!carries)
		return bound;
	beside = work->sides.leased_total[code_city(code)];
	if ((supplies & network) == 0)
		beside += work->sides.network_total[code_city(code)];
	if ((supplies & SUPPLIES_STORAGE) == 0)
		beside += work->sides.storage_total[code_city(code)];
	if (beside <= BOUND_SLACK || __builtin_add_overflow(bound, beside - BOUND_SLACK, &total))
		return bound;
	return total;
}

bool some_may_be_complete(const struct plan_work *work, struct parts parts, enum pick_role role,
                          bool carries)
{
	for (const struct screen_part *part = parts.first; part < parts.end; part++) {
		if (is_too_weak(work, part))
			continue;
		for (uint32_t i = 0; i < part->code_count; i++)
			if (may_be_complete(work, part->codes[i], role, carries))
				return true;
	}
	return false;
}
