/*
 * power.h - energy and its price, by hour of the tariff and month by month.
 *
 * Two calendars. With a tariff, the real days of the months from the project's first day are
 * counted (February has 28 or 29), in Asia/Shanghai. With one price per kWh, a month has
 * hours_per_month hours, so that 10.2 kW x 1.3 x 720 h x 0.65 = 6205.68 kWh.
 */
#ifndef ENGINE_POWER_H
#define ENGINE_POWER_H

#include "engine/cost.h"

enum schedule_kind {
	SCHEDULE_ALWAYS, /* 24 x 7 */
	SCHEDULE_VALLEY, /* only in the valley hours of the tariff; idle draw in the others */
	SCHEDULE_HOURS,  /* only in RUN's hours */
};
#define SCHEDULE_KIND_COUNT 3
extern const char *const schedule_kind_names[SCHEDULE_KIND_COUNT]; /* "24x7", "valley", "hours" */

struct schedule {
	enum schedule_kind kind;
	bool run[24]; /* SCHEDULE_HOURS: [h, h+1) in Asia/Shanghai */
};

/* Hours of a day in which SCHEDULE runs; valley needs HOURS, else it is 0. */
int schedule_hours_per_day(const struct schedule *schedule, const struct tariff_hours *hours);

struct power_load {
	struct ratio kw; /* maximum of all servers together, at their sockets */
	struct schedule schedule;
	int32_t pue_milli; /* of the site; 0 = not stated: ASSUME_PUE */
};

/* kWh at the meter by band. */
struct energy {
	struct ratio kwh[TARIFF_BAND_COUNT];
	struct ratio running_hours[TARIFF_BAND_COUNT];
	struct ratio idle_hours[TARIFF_BAND_COUNT];
	struct ratio running_kw; /* kw x load factor x PUE */
	struct ratio idle_kw;    /* kw x idle draw x PUE; at most running_kw */
};

/*
 * Energy from the first day FROM for DAYS days under HOURS.
 *   Returned  energy  exact
 *   1 kW x load 1 x PUE 1, one day in June: valley 8, flat 9, peak 7; in July: peak 4, sharp 3.
 */
enum cost_status power_energy(const struct cost_basis *basis, const struct power_load *load,
                              const struct tariff_hours *hours, struct date from, int days,
                              struct bill *bill, struct energy *energy);

/*
 * What LOAD costs in OFFER's site over basis->months, appended by the way it is billed:
 *   included  nothing, or overage where the offer prices it and the cabinets' kW are exceeded
 *   metered   the offer's price per kWh (or per ampere or kW and month); without one, TARIFF
 *   flat      the offer's price per kW-month, kWh or cabinet
 *   tou       TARIFF, one line per band
 *   unknown   the offer's power price, else TARIFF, flagged
 * A band without price, or no price at all, becomes unknown with its band and energy.
 *   Given  offer     NULL = no site: TARIFF only
 *          cabinets  for prices per cabinet and for overage
 *          tariff, hours  may be NULL
 */
enum cost_status cost_power(const struct cost_basis *basis, const struct offer *offer,
                            const struct power_load *load, int cabinets,
                            const struct tariff *tariff, const struct tariff_hours *hours,
                            struct bill *bill);

/*
 * Mean price of a kWh over a day of MONTH for a load that runs by SCHEDULE and draws nothing else,
 * by the tariff's ratios (flat = 1): 0.9975 all day, 1.050625 in a sharp month, 0.38 in the valley.
 */
enum cost_status tariff_mean_ratio(const struct tariff_hours *hours, int month,
                                   const struct schedule *schedule, struct ratio *mean);

/*
 * Seconds of the span [FROM, TO) of UTC moments in each band. 23:00 to 11:30 in August: flat 3 h,
 * valley 8 h, peak 1 h, sharp 0.5 h.
 */
void tariff_seconds(const struct tariff_hours *hours, int64_t from, int64_t to,
                    int64_t seconds[static TARIFF_BAND_COUNT]);

#endif
