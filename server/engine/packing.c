/* packing.c - see packing.h. */
#include "engine/packing.h"

#include <assert.h>

const char *const packing_limit_names[2] = {"power", "height"};

struct packing packing_of(int64_t server_watts, int server_u, int servers, int64_t cabinet_watts,
                          int cabinet_u)
{
	assert(server_watts > 0 && server_u > 0 && servers > 0);
	int64_t by_power = cabinet_watts / server_watts;
	int64_t by_height = cabinet_u / server_u;
	int64_t fit = by_power <= by_height ? by_power : by_height;
	struct packing packing = {.limit =
	                              by_power <= by_height ? PACKED_BY_POWER : PACKED_BY_HEIGHT};

	if (fit <= 0)
		return packing;
	packing.per_cabinet = fit < servers ? (int)fit : servers;
	packing.cabinets = (int)((servers + fit - 1) / fit);
	packing.watts_unused = packing.cabinets * cabinet_watts - servers * server_watts;
	return packing;
}

int cabinets_for_watts(int64_t watts, int64_t cabinet_watts)
{
	assert(watts >= 0 && cabinet_watts > 0);
	return (int)((watts + cabinet_watts - 1) / cabinet_watts);
}
