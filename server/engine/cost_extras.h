/*
 * cost_extras.h - network, storage, service and SLA: the seeds' second and third account.
 */
#ifndef ENGINE_COST_EXTRAS_H
#define ENGINE_COST_EXTRAS_H

#include "engine/cost.h"

struct network_need {
	struct ratio public_mbps; /* port to the internet; 0 = none asked */
	struct ratio mbps_95;   /* expected 95th percentile where that is billed; 0 = public_mbps */
	struct ratio egress_gb; /* per month; 0 = none asked */
	struct ratio dataset_tb_in; /* copied in once; 0 = none */
	int ips;                    /* public addresses */
	struct ratio storage_tb;
	/* A leased line to one place, no way to the internet; none asked unless above 0: a need
	   whose initialiser leaves it out asks for none. */
	struct ratio dedicated_mbps;
};

/* Whether something of NEED leads to the internet: what users come in by. */
static inline bool needs_public(const struct network_need *need)
{
	return need->public_mbps.num > 0 || need->egress_gb.num > 0 || need->ips > 0;
}

/* Whether a leased line is asked for. */
static inline bool needs_dedicated(const struct network_need *need)
{
	return need->dedicated_mbps.num > 0;
}

/*
 * Appends bandwidth or traffic, addresses and storage for basis->months.
 *
 * OFFER is where the cards stand: what it includes (mbps_included, ips_included) is used first and
 * counted once per order, then its own side prices, then those of SIDE (a network or storage offer,
 * or NULL), whichever is cheapest: port by Mbps (whole price units: 元/100M is bought by the 100
 * M), 95th percentile (TERM_METERED per Mbps), or per GB or TB of egress. What SIDE takes once
 * (setup, deposit) comes with the first thing that is bought from it, and counts in that choice.
 * Ladders of bandwidth count Mbps, of storage TB, of addresses pieces. What nobody prices becomes
 * unknown. A data set that takes longer than a day is flagged: over the faster of the port and the
 * leased line, which is not bought here but by cost_dedicated().
 */
enum cost_status cost_network(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, const struct network_need *need,
                              struct bill *bill);

/*
 * Appends a leased line of MBPS for basis->months, its setup and its deposit.
 *
 *   Given   line  the network offer that sells it, one of line_is_dedicated(); NULL = nobody does
 *           mbps  once for the project; 0 or less = none is asked, nothing is appended
 *
 * Whole price units are bought (of lines of 100 Mbps two for 150), at the cheapest mix of terms,
 * with the ladder and the minimum term of LINE, or metered by the Mbps where that is cheaper.
 * Without a price it becomes unknown. 150 Mbps at 8000 a month for 100, 12 months: 192000.00.
 */
enum cost_status cost_dedicated(const struct cost_basis *basis, const struct offer *line,
                                struct ratio mbps, struct bill *bill);

/*
 * Seconds that TB x 10^12 bytes take over MBPS at EFFICIENCY: TB x 8e6 / (Mbps x efficiency).
 * 10 TB over 100 Mbps at 0.9: 888888.9 s = 10.3 days. False when MBPS is 0 or on overflow.
 */
MUST_CHECK bool transfer_seconds(struct ratio tb, struct ratio mbps, struct ratio efficiency,
                                 struct ratio *seconds);

/*
 * The sample that a monthly 95th percentile bills: of 5-minute samples sorted downwards, the top
 * 5 % (rounded down) are dropped and the next is billed: of 8640 the 433rd. SAMPLES is sorted in
 * place; COUNT > 0 (asserted).
 */
int64_t percentile_95(int64_t *samples, int count);

/* A part of a month of a fixed port: 900 Mbps x 15 CNY x 26/30 days = 11700.00. */
enum cost_status port_part_month(struct ratio mbps, struct ratio per_mbps_month, int days,
                                 int days_in_month, struct money *amount);

enum service_tier { SERVICE_UNSET, SERVICE_BARE, SERVICE_IMAGE, SERVICE_MANAGED };
#define SERVICE_TIER_COUNT 4
extern const char *const service_tier_names[SERVICE_TIER_COUNT]; /* "", "bare", ... */

/*
 * Appends the service account for SERVERS over basis->months: nothing where the offer's own tier
 * reaches WANTED, else the cheapest monthly service price of OFFER or SIDE (NULL = none) with what
 * SIDE takes once, else unknown. WANTED bare: the buyer's own hours (ASSUME_OWN_HOURS x
 * ASSUME_OWN_HOUR_COST per server and month), flagged when nobody gave them.
 */
enum cost_status cost_service(const struct cost_basis *basis, const struct offer *offer,
                              const struct offer *side, enum service_tier wanted, int servers,
                              struct bill *bill);

struct sla_loss {
	bool availability_known;
	struct ratio down_hours; /* (1 - availability) x hours of the project */
	struct ratio down_loss;  /* yuan: share of COST that is paid for nothing */
	bool replacement_known;
	struct ratio failures;      /* ASSUME_FAILURES x servers x months */
	struct ratio failure_hours; /* failures x replacement hours, of one server each */
	struct ratio failure_loss;  /* yuan: failure_hours x COST per server-hour */
	struct money expected; /* the larger of the two, to fen: they describe the same hours */
	bool known;            /* false: neither is stated, EXPECTED means nothing */
};

/*
 * Expected loss from what the offer promises, shown beside the bill and not in it.
 *   Given  cost     yuan paid over the project for SERVERS that could run all HOURS
 *          hours    of the project: months x hours_per_month
 *   down_loss    = cost x (1 - availability)
 *   failure_loss = failures x replacement hours x cost / (servers x hours)
 * 1,000,000 yuan, 99.9 %: 1000.00.
 */
enum cost_status cost_sla(const struct cost_basis *basis, const struct offer *offer,
                          struct ratio cost, struct ratio hours, int servers, struct bill *bill,
                          struct sla_loss *loss);

/* Appends LOSS as a line, for callers who want it in the total. */
enum cost_status cost_sla_line(const struct sla_loss *loss, struct bill *bill);

#endif
