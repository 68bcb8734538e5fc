/*
 * packing.h - how many cabinets servers need, by power and by height.
 *
 * Planning uses the servers' maximum power: a 10.2 kW server fits no 10 kW cabinet, one fits in
 * 12 kW, one (not two) in 20 kW, three in 31 kW.
 */
#ifndef ENGINE_PACKING_H
#define ENGINE_PACKING_H

#include <stdbool.h>
#include <stdint.h>

enum packing_limit { PACKED_BY_POWER, PACKED_BY_HEIGHT };
extern const char *const packing_limit_names[2]; /* "power", "height" */

struct packing {
	int per_cabinet;          /* servers; 0 = none fits */
	int cabinets;             /* 0 when none fits */
	enum packing_limit limit; /* what stops one more server */
	int64_t watts_unused;     /* rated power that stays unused, over all cabinets */
};

/*
 *   Given  server_watts, server_u    of one server, > 0
 *          servers                   > 0
 *          cabinet_watts, cabinet_u  of one cabinet, usable, > 0
 */
struct packing packing_of(int64_t server_watts, int server_u, int servers, int64_t cabinet_watts,
                          int cabinet_u);

/* Cabinets for a load of WATTS that can be spread at will (a figure of kW, no servers named). */
int cabinets_for_watts(int64_t watts, int64_t cabinet_watts);

#endif
