/* cost_sla.c - what an offer's promises are worth; see cost_extras.h. */
#include "engine/cost_calc.h"
#include "engine/cost_extras.h"

static void lose_by_availability(struct calc *calc, const struct offer *offer, struct ratio cost,
                                 struct ratio hours, struct sla_loss *loss)
{
	struct ratio down = ratio_make(1000000 - offer->availability_ppm, 1000000);

	loss->availability_known = true;
	loss->down_hours = calc_multiply(calc, hours, down);
	loss->down_loss = calc_multiply(calc, cost, down);
}

static void lose_by_failures(struct calc *calc, const struct cost_basis *basis,
                             const struct offer *offer, struct ratio server_hour, int servers,
                             struct bill *bill, struct sla_loss *loss)
{
	struct ratio server_months = ratio_of((int64_t)servers * basis->months);

	loss->replacement_known = true;
	loss->failures =
	    calc_multiply(calc, server_months, cost_assume(basis, ASSUME_FAILURES, bill));
	loss->failure_hours =
	    calc_multiply(calc, loss->failures, ratio_make(offer->replacement_minutes, 60));
	loss->failure_loss = calc_multiply(calc, loss->failure_hours, server_hour);
}

enum cost_status cost_sla(const struct cost_basis *basis, const struct offer *offer,
                          struct ratio cost, struct ratio hours, int servers, struct bill *bill,
                          struct sla_loss *loss)
{
	struct calc calc = {false};
	struct ratio zero = ratio_of(0);

	*loss = (struct sla_loss){
	    .down_hours = zero,
	    .down_loss = zero,
	    .failures = zero,
	    .failure_hours = zero,
	    .failure_loss = zero,
	    .expected = money_zero(),
	};
	if (offer->availability_ppm >= 0)
		lose_by_availability(&calc, offer, cost, hours, loss);
	if (offer->replacement_minutes >= 0 && servers > 0) {
		struct ratio server_hours = calc_multiply(&calc, hours, ratio_of(servers));

		lose_by_failures(&calc, basis, offer, calc_divide(&calc, cost, server_hours),
		                 servers, bill, loss);
	}
	loss->known = loss->availability_known || loss->replacement_known;
	if (calc.failed ||
	    !money_line(ratio_larger(loss->down_loss, loss->failure_loss), &loss->expected))
		return COST_OVERFLOW;
	return COST_OK;
}

enum cost_status cost_sla_line(const struct sla_loss *loss, struct bill *bill)
{
	struct ratio amount = ratio_larger(loss->down_loss, loss->failure_loss);

	if (!loss->known)
		return COST_OK;
	return bill_add(bill,
	                (struct cost_line){
			    .account = ACCOUNT_SERVICE,
			    .what = COST_SLA_LOSS,
			    .timing = NOT_PAID,
			    .is_cost = true,
			    .quantity = ratio_of(1),
			    .unit = {PER_NONE, 1, PERIOD_ONCE, 1},
			    .unit_price = amount,
			    .formula = FORMULA_FLAT,
			    .factors = {ratio_of(1), ratio_of(1), amount},
			    .source = {.kind = SOURCE_ASSUMPTION, .assumption = ASSUME_FAILURES},
			});
}
