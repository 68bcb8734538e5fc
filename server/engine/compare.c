/* compare.c - see compare.h. */
#include "engine/compare.h"

#include "engine/cost_calc.h"

static bool has_cabinet_term(const struct offer *offer, enum price_term term)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_CABINET && offer->prices[i].term == term)
			return true;
	return false;
}

/* Hours in which the cards run, over all months. */
static struct ratio card_hours_of(const struct cost_basis *basis,
                                  const struct compare_question *question,
                                  const struct tariff_hours *hours)
{
	int run = schedule_hours_per_day(&question->host.schedule, hours);
	struct calc calc = {false};
	struct ratio all = ratio_of((int64_t)basis->months * basis->hours_per_month);
	struct ratio each = calc_multiply(&calc, all, ratio_make(run, 24));

	return calc_multiply(&calc, each, ratio_of(question->cards));
}

enum cost_status compare_beside(const struct cost_basis *basis,
                                const struct compare_question *question, const struct offer *offer,
                                const struct offer *side, struct bill *bill)
{
	enum cost_status status = cost_network(basis, offer, side, &question->network, bill);

	return status != COST_OK ? status
	                         : cost_service(basis, offer, side, question->service,
	                                        question->host.servers, bill);
}

static enum cost_status price_column(const struct cost_basis *basis,
                                     const struct compare_question *question,
                                     const struct offer *offer, const struct offer *side,
                                     const struct tariff *tariff, const struct tariff_hours *hours,
                                     struct compare_column *column)
{
	struct host_need host = question->host;
	struct bill *bill = &column->bill;

	host.terms = 1u << column->term;
	bill_start(bill);
	enum cost_status status =
	    cost_host(basis, offer, &host, tariff, hours, bill, &column->packing);

	if (status == COST_OK)
		status = compare_beside(basis, question, offer, side, bill);
	if (status == COST_OK)
		status =
		    cost_dedicated(basis, question->leased, question->network.dedicated_mbps, bill);
	if (status == COST_OK)
		status = bill_finish(basis, card_hours_of(basis, question, hours), bill);
	return status;
}

void compare_colocation(const struct cost_basis *basis, const struct compare_question *question,
                        const struct offer *offer, const struct offer *side,
                        const struct tariff *tariff, const struct tariff_hours *hours,
                        struct comparison *comparison)
{
	static const enum price_term terms[COMPARE_COLUMNS] = {TERM_MONTHLY, TERM_QUARTERLY,
	                                                       TERM_YEARLY};

	comparison->count = 0;
	comparison->cheapest = -1;
	for (int i = 0; i < COMPARE_COLUMNS; i++) {
		struct compare_column *column = &comparison->columns[comparison->count];
		int best = comparison->cheapest;

		if (!has_cabinet_term(offer, terms[i]))
			continue;
		column->term = terms[i];
		column->status = price_column(basis, question, offer, side, tariff, hours, column);
		if (column->status == COST_OK &&
		    (best < 0 ||
		     money_compare(column->bill.total, comparison->columns[best].bill.total) < 0))
			comparison->cheapest = comparison->count;
		comparison->count++;
	}
}
