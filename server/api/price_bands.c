/* price_bands.c - see price_bands.h. */
#include "api/price_bands.h"

#include "base/arena.h"
#include "sheet/band.h"

struct price_bands price_bands_baked(struct arena *arena)
{
	const struct bands *bands = bands_baked(arena);
	struct price_band *items = arena_array(arena, struct price_band, bands->count);
	int count = 0;

	for (size_t i = 0; i < bands->count; i++) {
		const struct band *band = &bands->items[i];

		if (band->item != ITEM_COMPUTE || *band->card == '\0')
			continue;
		items[count++] = (struct price_band){
		    .card = band->card,
		    .low = money_to_ratio(band->low),
		    .high = money_to_ratio(band->high),
		    .source = "schema/reference/price_bands.csv",
		    .date = DATE_NONE,
		};
	}
	return (struct price_bands){.items = items, .count = count};
}
