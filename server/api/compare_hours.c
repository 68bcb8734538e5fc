/* compare_hours.c - running around the clock against valley hours only; see compare.h. */
#include "api/compare.h"

#include "api/cost_words.h"
#include "api/reply.h"
#include "base/arena.h"
#include "base/json_write.h"

static bool kwh_of(const struct bill *bill, struct ratio *kwh)
{
	*kwh = ratio_of(0);
	for (int i = 0; i < bill->line_count; i++)
		if (bill->lines[i].what == COST_ENERGY &&
		    !ratio_add(*kwh, bill->lines[i].quantity, kwh))
			return false;
	return true;
}

/* The same term of the same offers under SCHEDULE. */
static bool run_by(const struct compare_request *request, const struct compare_city *city,
                   const struct compare_offer *priced, enum schedule_kind schedule,
                   struct comparison *trial, struct compare_running *running)
{
	struct compare_question question = request->question;
	int column = priced->priced->cheapest;

	question.host.schedule.kind = schedule;
	compare_colocation(&request->basis, &question, priced->offer, priced->side, city->tariff,
	                   city->hours, trial);
	if (trial->columns[column].status != COST_OK)
		return false;
	const struct bill *bill = &trial->columns[column].bill;
	int hours = schedule_hours_per_day(&question.host.schedule, city->hours);

	running->is_whole = bill->unknown_count == 0;
	running->total = bill->total;
	running->per_month = bill->per_month;
	running->power = bill->accounts[ACCOUNT_POWER];
	running->hours = ratio_make((int64_t)request->basis.hours_per_month * hours, 24);
	return hours > 0 && kwh_of(bill, &running->kwh);
}

void compare_hours(const struct compare_request *request, const struct compare_city *city,
                   struct arena *arena, struct compare_offer *priced)
{
	static const enum schedule_kind kinds[COMPARE_RUNNINGS] = {SCHEDULE_ALWAYS,
	                                                           SCHEDULE_VALLEY};

	if (priced->priced->cheapest < 0 || city->hours == NULL)
		return;
	struct comparison *trial = arena_new(arena, struct comparison);

	priced->has_running = true;
	for (int i = 0; i < COMPARE_RUNNINGS; i++)
		priced->has_running &=
		    run_by(request, city, priced, kinds[i], trial, &priced->running[i]);
}

/* TOTAL over all months for each hour in which the load runs, six decimals. */
static bool per_hour(const struct compare_request *request, const struct compare_running *running,
                     struct money total, struct money *result)
{
	struct ratio hours, each;

	return ratio_multiply(running->hours, ratio_of(request->basis.months), &hours) &&
	       ratio_divide(money_to_ratio(total), hours, &each) && money_from_ratio(each, result);
}

static bool owned_per_hour(const struct compare_request *request,
                           const struct compare_running *running, const struct compare_deal *buy,
                           struct money *result)
{
	struct money total;

	return buy->found && buy->bill->unknown_count == 0 &&
	       money_add(running->total, buy->bill->total, &total) &&
	       per_hour(request, running, total, result);
}

static void running_write(struct json_write *out, const char *key,
                          const struct compare_request *request,
                          const struct compare_running *running, const struct compare_deal *buy,
                          struct arena *arena)
{
	struct ratio months = ratio_of(request->basis.months);
	struct ratio power, kwh;
	struct money power_month = money_zero(), hour = money_zero(), owned = money_zero();
	bool known = ratio_divide(money_to_ratio(running->power), months, &power) &&
	             money_line(power, &power_month) && ratio_divide(running->kwh, months, &kwh);

	out_object(out, key);
	out_boolean(out, "complete", running->is_whole);
	out_string(out, "hours_per_month", ratio_words(arena, running->hours));
	out_money(out, "per_month", running->per_month);
	out_money_if(out, "power_per_month", known, power_month);
	out_string(out, "kwh_per_month", known ? ratio_words(arena, kwh) : NULL);
	known = per_hour(request, running, running->total, &hour);
	out_money_if(out, "per_hour", known, hour);
	known = owned_per_hour(request, running, buy, &owned);
	out_money_if(out, "owned_per_hour", known, owned);
	out_end(out);
}

void compare_hours_write(struct json_write *out, const struct compare_request *request,
                         const struct compare_offer *priced, const struct compare_deal *buy,
                         struct arena *arena)
{
	if (!priced->has_running) {
		out_null(out, "running");
		return;
	}
	out_object(out, "running");
	running_write(out, "whole_day", request, &priced->running[0], buy, arena);
	running_write(out, "valley", request, &priced->running[1], buy, arena);
	out_end(out);
}
