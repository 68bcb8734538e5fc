/* unit.c - see unit.h. */
#include "offer/unit.h"

const char *const normalised_unit_names[NORMALISED_UNIT_COUNT] = {
    "card-hour", "card",       "server", "server-month", "cabinet-month", "kW-month", "U-month",
    "kWh",       "Mbps-month", "GB",     "TB-month",     "IP-month",      "time",     "",
};

int64_t period_hours(enum period period, int32_t count, int hours_per_month)
{
	switch (period) {
	case PERIOD_ONCE:
		return 0;
	case PERIOD_HOUR:
		return count;
	case PERIOD_DAY:
		return (int64_t)count * 24;
	case PERIOD_MONTH:
		return (int64_t)count * hours_per_month;
	case PERIOD_YEAR:
		return (int64_t)count * 12 * hours_per_month;
	}
	return 0;
}

/* What one WANTED counts, and for how long. */
struct basis {
	enum per per;
	enum period period;
};

static struct basis basis_of(enum normalised_unit wanted)
{
	static const struct basis bases[NORMALISED_UNIT_COUNT] = {
	    [UNIT_CARD_HOUR] = {PER_CARD, PERIOD_HOUR},
	    [UNIT_CARD] = {PER_CARD, PERIOD_ONCE},
	    [UNIT_SERVER] = {PER_SERVER, PERIOD_ONCE},
	    [UNIT_SERVER_MONTH] = {PER_SERVER, PERIOD_MONTH},
	    [UNIT_CABINET_MONTH] = {PER_CABINET, PERIOD_MONTH},
	    [UNIT_KW_MONTH] = {PER_KW, PERIOD_MONTH},
	    [UNIT_U_MONTH] = {PER_U, PERIOD_MONTH},
	    [UNIT_KWH] = {PER_KWH, PERIOD_ONCE},
	    [UNIT_MBPS_MONTH] = {PER_MBPS, PERIOD_MONTH},
	    [UNIT_GB] = {PER_GB, PERIOD_ONCE},
	    [UNIT_TB_MONTH] = {PER_TB, PERIOD_MONTH},
	    [UNIT_IP_MONTH] = {PER_IP, PERIOD_MONTH},
	    [UNIT_TIME] = {PER_NONE, PERIOD_ONCE},
	    [UNIT_ONCE] = {PER_NONE, PERIOD_ONCE},
	};
	return bases[wanted];
}

/* How many WANTED things one counted thing of UNIT is: 8 cards to a server, 0.22 kW to an ampere.
 */
static bool things(struct unit unit, int cards_per_server, enum per wanted, struct ratio *count)
{
	*count = ratio_of(unit.per_count);
	if (unit.per == wanted)
		return true;
	if (unit.per == PER_SERVER && wanted == PER_CARD && cards_per_server > 0)
		return ratio_multiply(*count, ratio_of(cards_per_server), count);
	if (unit.per == PER_CARD && wanted == PER_SERVER && cards_per_server > 0)
		return ratio_divide(*count, ratio_of(cards_per_server), count);
	if (unit.per == PER_AMPERE && wanted == PER_KW)
		return ratio_multiply(*count, ratio_make(22, 100), count);
	if (unit.per == PER_GB && wanted == PER_TB)
		return ratio_divide(*count, ratio_of(1000), count);
	if (unit.per == PER_TB && wanted == PER_GB)
		return ratio_multiply(*count, ratio_of(1000), count);
	/* What is paid for laying a line is for all of its Mbps. */
	if (unit.per == PER_MBPS && wanted == PER_NONE)
		*count = ratio_of(1);
	return wanted == PER_NONE; /* a sum per server or cabinet, counted by the caller */
}

bool unit_normalise(struct ratio amount, struct unit unit, int cards_per_server,
                    int hours_per_month, enum normalised_unit wanted, struct ratio *normalised)
{
	struct basis basis = basis_of(wanted);
	int64_t wanted_hours = period_hours(basis.period, 1, hours_per_month);
	int64_t unit_hours = period_hours(unit.period, unit.period_count, hours_per_month);
	struct ratio count;
	struct ratio per_thing;

	if ((wanted_hours == 0) != (unit_hours == 0))
		return false;
	if (!things(unit, cards_per_server, basis.per, &count) ||
	    !ratio_divide(amount, count, &per_thing))
		return false;
	if (wanted_hours == 0) {
		*normalised = per_thing;
		return true;
	}
	return ratio_multiply(per_thing, ratio_make(wanted_hours, unit_hours), normalised);
}
