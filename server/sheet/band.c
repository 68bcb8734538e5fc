/* band.c - see band.h. */
#include "sheet/band.h"

#include <string.h>

#include "base/arena.h"
#include "base/baked.h"
#include "base/csv.h"

#define MAX_FIELDS ((size_t)10000)

static bool read_band(const struct csv *csv, size_t row, struct band *band)
{
	int item = name_index(csv_field(csv, row, csv_column(csv, "item")), price_item_names,
	                      PRICE_ITEM_COUNT);
	int unit = name_index(csv_field(csv, row, csv_column(csv, "unit")), normalised_unit_names,
	                      NORMALISED_UNIT_COUNT);

	if (item < 0 || unit < 0)
		return false;
	band->item = (enum price_item)item;
	band->unit = (enum normalised_unit)unit;
	band->card = csv_field(csv, row, csv_column(csv, "card"));
	return money_parse(csv_field(csv, row, csv_column(csv, "low")), &band->low) &&
	       money_parse(csv_field(csv, row, csv_column(csv, "high")), &band->high);
}

const struct bands *bands_baked(struct arena *arena)
{
	const struct baked_file *file = baked_find("schema/reference/price_bands.csv");
	struct bands *bands = arena_new(arena, struct bands);
	struct csv csv;

	if (file == NULL ||
	    !csv_read(arena, (const char *)file->bytes, file->size, ',', MAX_FIELDS, &csv))
		return bands;
	bands->items = arena_array(arena, struct band, csv.count);
	for (size_t row = 1; row < csv.count; row++)
		bands->count += read_band(&csv, row, &bands->items[bands->count]);
	return bands;
}

const struct band *band_for(const struct bands *bands, const struct price *price, const char *card)
{
	const struct band *general = NULL;

	for (size_t i = 0; i < bands->count; i++) {
		const struct band *band = &bands->items[i];

		if (band->item != price->item || band->unit != price->normalised_unit)
			continue;
		if (card != NULL && strcmp(band->card, card) == 0)
			return band;
		if (*band->card == '\0')
			general = band;
	}
	return general;
}

bool band_holds(const struct band *band, const struct price *price)
{
	return money_compare(price->normalised, band->low) >= 0 &&
	       money_compare(price->normalised, band->high) <= 0 &&
	       (!price->has_low || money_compare(price->normalised_low, band->low) >= 0);
}
