/* power.c - see power.h. */
#include "engine/power.h"

#include "engine/cost_calc.h"
#include "engine/cost_terms.h"

const char *const schedule_kind_names[SCHEDULE_KIND_COUNT] = {"24x7", "valley", "hours"};

#define VALLEY_NEEDS_HOURS COST_NO_PRICE

static bool runs_at(const struct schedule *schedule, enum tariff_band band, int hour)
{
	switch (schedule->kind) {
	case SCHEDULE_ALWAYS:
		return true;
	case SCHEDULE_VALLEY:
		return band == BAND_VALLEY;
	case SCHEDULE_HOURS:
		return schedule->run[hour];
	}
	return false;
}

/* Hours of a day in MONTH in each band, running and idle. */
struct day {
	int running[TARIFF_BAND_COUNT];
	int idle[TARIFF_BAND_COUNT];
};

static struct day day_of(const struct schedule *schedule, const struct tariff_hours *hours,
                         int month)
{
	struct day day = {{0}, {0}};

	for (int hour = 0; hour < 24; hour++) {
		enum tariff_band band = tariff_band_at(hours, month, hour);

		if (runs_at(schedule, band, hour))
			day.running[band]++;
		else
			day.idle[band]++;
	}
	return day;
}

int schedule_hours_per_day(const struct schedule *schedule, const struct tariff_hours *hours)
{
	int count = 0;

	if (schedule->kind == SCHEDULE_VALLEY && hours == NULL)
		return 0;
	for (int hour = 0; hour < 24; hour++) {
		/* The valley is the same in every month: no sharp month is asked for. */
		enum tariff_band band = hours != NULL ? hours->bands[hour] : BAND_FLAT;

		count += runs_at(schedule, band, hour);
	}
	return count;
}

/* ---- Energy ---- */

/* kW at the meter, running and idle. */
static enum cost_status draw_of(const struct cost_basis *basis, const struct power_load *load,
                                struct bill *bill, struct energy *energy)
{
	struct calc calc = {false};
	struct ratio pue = load->pue_milli > 0 ? ratio_make(load->pue_milli, 1000)
	                                       : cost_assume(basis, ASSUME_PUE, bill);
	struct ratio at_meter = calc_multiply(&calc, load->kw, pue);

	energy->running_kw = calc_multiply(&calc, at_meter, cost_assume(basis, ASSUME_LOAD, bill));
	energy->idle_kw = ratio_of(0);
	if (load->schedule.kind != SCHEDULE_ALWAYS)
		energy->idle_kw =
		    calc_multiply(&calc, at_meter, cost_assume(basis, ASSUME_IDLE_DRAW, bill));
	if (ratio_less(energy->running_kw, energy->idle_kw))
		energy->idle_kw = energy->running_kw;
	return calc_status(&calc);
}

static struct ratio kwh_of(struct calc *calc, const struct energy *energy, struct ratio running,
                           struct ratio idle)
{
	return calc_add(calc, calc_multiply(calc, energy->running_kw, running),
	                calc_multiply(calc, energy->idle_kw, idle));
}

/* Days whose hours are alike: those of sharp-peak months, and all others. */
struct days {
	int month; /* one of theirs */
	int64_t count;
};

static void count_days(const struct tariff_hours *hours, struct date from, int days,
                       struct days alike[static 2])
{
	int year, month, day;

	date_to_ymd(from, &year, &month, &day);
	while (days > 0) {
		int left = days_in_month(year, month) - day + 1;
		struct days *kind = &alike[hours->sharp_months[month - 1]];

		kind->month = month;
		kind->count += left < days ? left : days;
		days -= left;
		day = 1;
		year += month == 12;
		month = month % 12 + 1;
	}
}

/* Adds the hours of DAYS. */
static void add_hours(const struct power_load *load, const struct tariff_hours *hours,
                      const struct days *days, int64_t running[static TARIFF_BAND_COUNT],
                      int64_t idle[static TARIFF_BAND_COUNT])
{
	if (days->count == 0)
		return;
	struct day day = day_of(&load->schedule, hours, days->month);

	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		running[band] += days->count * day.running[band];
		idle[band] += days->count * day.idle[band];
	}
}

enum cost_status power_energy(const struct cost_basis *basis, const struct power_load *load,
                              const struct tariff_hours *hours, struct date from, int days,
                              struct bill *bill, struct energy *energy)
{
	int64_t running[TARIFF_BAND_COUNT] = {0};
	int64_t idle[TARIFF_BAND_COUNT] = {0};
	struct days alike[2] = {{0}};
	struct calc calc = {false};
	enum cost_status status = draw_of(basis, load, bill, energy);

	if (status != COST_OK)
		return status;
	count_days(hours, from, days, alike);
	for (int i = 0; i < 2; i++)
		add_hours(load, hours, &alike[i], running, idle);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		energy->running_hours[band] = ratio_of(running[band]);
		energy->idle_hours[band] = ratio_of(idle[band]);
		energy->kwh[band] =
		    kwh_of(&calc, energy, energy->running_hours[band], energy->idle_hours[band]);
	}
	return calc_status(&calc);
}

/* ---- By the tariff ---- */

static struct price band_price(const struct tariff *tariff, int band)
{
	return (struct price){
	    .item = ITEM_POWER,
	    .term = TERM_METERED,
	    .amount = tariff->per_kwh[band],
	    .unit = {PER_KWH, 1, PERIOD_ONCE, 1},
	    .currency = "CNY",
	    .tax = tariff->tax,
	    .tax_rate_bp = -1,
	};
}

static enum cost_status add_band(const struct cost_basis *basis, const struct tariff *tariff,
                                 const struct energy *energy, int band, struct bill *bill)
{
	struct price price = band_price(tariff, band);
	struct basis_price on_basis;
	enum cost_status status = cost_price_on_basis(basis, &price, bill, &on_basis);

	if (status != COST_OK)
		return status;
	return bill_add(
	    bill,
	    (struct cost_line){
		.account = ACCOUNT_POWER,
		.what = COST_ENERGY,
		.timing = PAID_MONTHLY,
		.is_cost = true,
		.quantity = energy->kwh[band],
		.unit = price.unit,
		.unit_price = on_basis.net,
		.vat_rate = on_basis.vat_rate,
		.formula = FORMULA_ENERGY,
		.factors = {energy->running_kw, energy->running_hours[band], energy->idle_kw,
	                    energy->idle_hours[band], on_basis.net},
		.source = {.kind = SOURCE_TARIFF, .tariff = tariff, .band = (enum tariff_band)band},
	    });
}

static enum cost_status add_unknown_energy(struct bill *bill, struct ratio kwh, int band)
{
	return bill_add_unknown(
	    bill, (struct cost_unknown){COST_ENERGY, kwh, {PER_KWH, 1, PERIOD_ONCE, 1}, band});
}

static void flag_other_month(const struct cost_basis *basis, const struct tariff *tariff,
                             struct date last, struct bill *bill)
{
	bool before =
	    !date_is_none(tariff->valid_from) && basis->start.days < tariff->valid_from.days;
	bool after = !date_is_none(tariff->valid_to) && last.days > tariff->valid_to.days;

	if (before || after)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_TARIFF_OTHER_MONTH,
		                                               .word = tariff->id});
}

static enum cost_status cost_by_tariff(const struct cost_basis *basis,
                                       const struct power_load *load, const struct tariff *tariff,
                                       const struct tariff_hours *hours, struct bill *bill)
{
	struct energy energy;
	struct date end = date_add_months(basis->start, basis->months);
	enum cost_status status = power_energy(basis, load, hours, basis->start,
	                                       end.days - basis->start.days, bill, &energy);

	for (int band = 0; band < TARIFF_BAND_COUNT && status == COST_OK; band++) {
		if (ratio_is_zero(energy.kwh[band]))
			continue;
		status = tariff->known[band] ? add_band(basis, tariff, &energy, band, bill)
		                             : add_unknown_energy(bill, energy.kwh[band], band);
	}
	flag_other_month(basis, tariff, (struct date){.days = end.days - 1}, bill);
	return status;
}

/* ---- By one price ---- */

/* Energy of the project in months of hours_per_month, whatever the hour of the day. */
static enum cost_status flat_energy(const struct cost_basis *basis, const struct power_load *load,
                                    const struct tariff_hours *hours, struct bill *bill,
                                    struct energy *energy)
{
	struct calc calc = {false};
	int run = schedule_hours_per_day(&load->schedule, hours);
	struct ratio all = ratio_of((int64_t)basis->months * basis->hours_per_month);

	if (load->schedule.kind == SCHEDULE_VALLEY && hours == NULL)
		return VALLEY_NEEDS_HOURS;
	enum cost_status status = draw_of(basis, load, bill, energy);

	if (status != COST_OK)
		return status;
	energy->running_hours[BAND_FLAT] = calc_multiply(&calc, all, ratio_make(run, 24));
	energy->idle_hours[BAND_FLAT] = calc_multiply(&calc, all, ratio_make(24 - run, 24));
	energy->kwh[BAND_FLAT] =
	    kwh_of(&calc, energy, energy->running_hours[BAND_FLAT], energy->idle_hours[BAND_FLAT]);
	return calc_status(&calc);
}

static enum cost_status cost_by_kwh(const struct cost_basis *basis, const struct offer *offer,
                                    int index, const struct power_load *load,
                                    const struct tariff_hours *hours, struct bill *bill)
{
	struct energy energy;
	enum cost_status status = flat_energy(basis, load, hours, bill, &energy);

	if (status == COST_OK)
		status = bill_add_price(basis, offer, index, COST_ENERGY, energy.kwh[BAND_FLAT],
		                        ratio_of(1), bill);
	if (status != COST_OK)
		return status;
	struct cost_line *line = &bill->lines[bill->line_count - 1];

	line->formula = FORMULA_ENERGY;
	line->factors[0] = energy.running_kw;
	line->factors[1] = energy.running_hours[BAND_FLAT];
	line->factors[2] = energy.idle_kw;
	line->factors[3] = energy.idle_hours[BAND_FLAT];
	line->factors[4] = line->unit_price;
	return COST_OK;
}

static struct counts power_counts(struct calc *calc, struct ratio kw, int cabinets)
{
	struct counts counts = counts_none();

	counts_set(&counts, PER_KW, kw);
	counts_set(&counts, PER_AMPERE, calc_divide(calc, kw, ratio_make(22, 100)));
	if (cabinets > 0)
		counts_set(&counts, PER_CABINET, ratio_of(cabinets));
	return counts;
}

/* A price per kW, ampere or cabinet and month, for the whole project. */
static enum cost_status cost_by_month(const struct cost_basis *basis, const struct offer *offer,
                                      int index, enum cost_what what, struct ratio kw, int cabinets,
                                      struct bill *bill)
{
	const struct price *price = &offer->prices[index];
	struct calc calc = {false};
	struct counts counts = power_counts(&calc, kw, cabinets);
	int64_t one = period_hours(price->unit.period, 1, basis->hours_per_month);
	struct ratio things;

	if (one == 0 || !counts_things(&counts, price->unit, &things))
		return COST_WRONG_UNIT;
	struct ratio periods = ratio_make((int64_t)basis->months * basis->hours_per_month, one);

	return calc.failed ? COST_OVERFLOW
	                   : bill_add_price(basis, offer, index, what, things, periods, bill);
}

/* The first price of ITEM, by kWh or by the month as asked; -1 = none. */
static int find_power_price(const struct offer *offer, enum price_item item, bool by_kwh)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == item &&
		    (offer->prices[i].unit.per == PER_KWH) == by_kwh)
			return i;
	return -1;
}

/* The offer's own price in the preferred form, else in the other. True when one was used. */
static bool cost_by_offer(const struct cost_basis *basis, const struct offer *offer,
                          const struct power_load *load, int cabinets,
                          const struct tariff_hours *hours, struct bill *bill,
                          enum cost_status *status)
{
	bool prefer_kwh = offer->power_billing != POWER_FLAT;
	int by_kwh = find_power_price(offer, ITEM_POWER, true);
	int by_month = find_power_price(offer, ITEM_POWER, false);

	if (by_kwh < 0 && by_month < 0)
		return false;
	if (by_kwh >= 0 && (prefer_kwh || by_month < 0))
		*status = cost_by_kwh(basis, offer, by_kwh, load, hours, bill);
	else
		*status =
		    cost_by_month(basis, offer, by_month, COST_POWER_KW, load->kw, cabinets, bill);
	return true;
}

/* Power is in the cabinet's price up to its rated kW; what is above is overage. */
static enum cost_status cost_overage(const struct cost_basis *basis, const struct offer *offer,
                                     const struct power_load *load, int cabinets, struct bill *bill)
{
	struct calc calc = {false};
	struct ratio rated = ratio_make(offer->cabinet_watts, 1000);
	struct ratio above =
	    calc_subtract(&calc, load->kw, calc_multiply(&calc, rated, ratio_of(cabinets)));
	int index = find_power_price(offer, ITEM_OVERAGE, false);

	if (calc.failed)
		return COST_OVERFLOW;
	if (offer->cabinet_watts == 0 || cabinets == 0 || ratio_compare(above, ratio_of(0)) <= 0)
		return COST_OK;
	if (index < 0)
		return bill_add_unknown(
		    bill, (struct cost_unknown){
			      COST_POWER_OVERAGE, above, {PER_KW, 1, PERIOD_MONTH, 1}, -1});
	return cost_by_month(basis, offer, index, COST_POWER_OVERAGE, above, cabinets, bill);
}

/* No price at all: how much energy it is. */
static enum cost_status leave_unknown(const struct cost_basis *basis, const struct power_load *load,
                                      const struct tariff_hours *hours, struct bill *bill)
{
	struct energy energy = {.kwh[BAND_FLAT] = ratio_of(0)};
	enum cost_status status = flat_energy(basis, load, hours, bill, &energy);

	if (status == VALLEY_NEEDS_HOURS)
		energy.kwh[BAND_FLAT] = ratio_of(0);
	else if (status != COST_OK)
		return status;
	return add_unknown_energy(bill, energy.kwh[BAND_FLAT], -1);
}

static void flag_pue(const struct cost_basis *basis, const struct power_load *load,
                     struct bill *bill)
{
	struct cost_flag flag = {.code = FLAG_PUE_ODD, .x = ratio_make(load->pue_milli, 1000)};

	if (load->pue_milli == 0) {
		flag.code = FLAG_PUE_NOT_STATED;
		flag.x = cost_assume(basis, ASSUME_PUE, bill);
	}
	if (load->pue_milli < 1200 || load->pue_milli > 1600)
		cost_flag_add(&bill->flags, flag);
}

enum cost_status cost_power(const struct cost_basis *basis, const struct offer *offer,
                            const struct power_load *load, int cabinets,
                            const struct tariff *tariff, const struct tariff_hours *hours,
                            struct bill *bill)
{
	enum power_billing billing = offer != NULL ? offer->power_billing : POWER_TOU;
	bool has_tariff = tariff != NULL && hours != NULL && !date_is_none(basis->start);
	enum cost_status status;

	if (billing == POWER_INCLUDED)
		return cost_overage(basis, offer, load, cabinets, bill);
	if (billing == POWER_UNKNOWN)
		cost_flag_add(&bill->flags, (struct cost_flag){.code = FLAG_POWER_BILLING_UNKNOWN});
	if (billing != POWER_FLAT)
		flag_pue(basis, load, bill);
	if (billing == POWER_TOU && has_tariff)
		return cost_by_tariff(basis, load, tariff, hours, bill);
	if (offer != NULL && cost_by_offer(basis, offer, load, cabinets, hours, bill, &status))
		return status;
	if (has_tariff && billing != POWER_FLAT)
		return cost_by_tariff(basis, load, tariff, hours, bill);
	return leave_unknown(basis, load, hours, bill);
}

/* ---- The tariff's own figures ---- */

enum cost_status tariff_mean_ratio(const struct tariff_hours *hours, int month,
                                   const struct schedule *schedule, struct ratio *mean)
{
	struct calc calc = {false};
	struct day day = day_of(schedule, hours, month);
	struct ratio sum = ratio_of(0);
	int count = 0;

	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		sum = calc_add(
		    &calc, sum,
		    calc_multiply(&calc, hours->ratios[band], ratio_of(day.running[band])));
		count += day.running[band];
	}
	*mean = calc_divide(&calc, sum, ratio_of(count));
	return calc_status(&calc);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void tariff_seconds(const struct tariff_hours *hours, int64_t from, int64_t to,
                    int64_t seconds[static TARIFF_BAND_COUNT])
{
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		seconds[band] = 0;
	while (from < to) {
		struct date day = date_in_shanghai(from);
		int64_t of_day = from + 8 * 3600 - (int64_t)day.days * 86400;
		int hour = (int)(of_day / 3600);
		int64_t until = earlier(to, from + (hour + 1) * 3600 - of_day);
		int year, month, day_of_month;

		date_to_ymd(day, &year, &month, &day_of_month);
		seconds[tariff_band_at(hours, month, hour)] += until - from;
		from = until;
	}
}
