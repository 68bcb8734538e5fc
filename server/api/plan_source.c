/* plan_source.c - see plan_source.h. */
#include "api/plan_source.h"

static const struct card *source_card(const void *context, const char *id)
{
	return card_find(&catalogue_reference_of(context)->base.cards, id);
}

static void source_offer(const void *context, size_t position, struct offer *offer,
                         struct price *prices)
{
	catalogue_offer_at(context, position, offer, prices);
}

struct plan_source plan_source_of(const struct catalogue *catalogue, struct spec *spec)
{
	const struct catalogue_reference *reference = catalogue_reference_of(catalogue);
	struct plan_source source = {
	    .context = catalogue,
	    .offer_count = catalogue_size(catalogue),
	    .max_prices = catalogue_max_prices(catalogue),
	    .floors = catalogue_floors(catalogue),
	    .hourly_floors = catalogue_hourly_floors(catalogue),
	    .by_floor = catalogue_by_floor(catalogue),
	    .by_hour = catalogue_by_hour(catalogue),
	    .block_of = catalogue_block_of(catalogue),
	    .ids = catalogue_ids(catalogue),
	    .stocks = catalogue_stocks(catalogue),
	    .supplies = catalogue_supplies(catalogue),
	    .card = source_card,
	    .offer = source_offer,
	};

	source.blocks = catalogue_blocks(catalogue, &source.block_count);
	source.groups = catalogue_groups(catalogue, &source.group_count);
	if (spec->tariffs == NULL)
		spec->tariffs = &reference->base.tariffs;
	if (spec->basis.fx == NULL) {
		spec->basis.fx = reference->fx;
		spec->basis.fx_count = (int)reference->fx_count;
	}
	return source;
}
