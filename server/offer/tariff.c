/* tariff.c - see tariff.h. */
#include "offer/tariff.h"

#include <string.h>

const char *const tariff_band_names[TARIFF_BAND_COUNT] = {"valley", "flat", "peak", "sharp"};

const struct tariff *tariff_find(const struct tariffs *tariffs, const char *id)
{
	for (size_t i = 0; id != NULL && i < tariffs->count; i++)
		if (strcmp(tariffs->items[i].id, id) == 0)
			return &tariffs->items[i];
	return NULL;
}

const struct tariff_hours *tariff_hours_find(const struct tariffs *tariffs, const char *id)
{
	for (size_t i = 0; id != NULL && i < tariffs->hours_count; i++)
		if (strcmp(tariffs->hours[i].id, id) == 0)
			return &tariffs->hours[i];
	return NULL;
}

bool tariff_has_price(const struct tariff *tariff)
{
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		if (tariff->known[band])
			return true;
	return false;
}

/* Whether A is to be used rather than B; see tariff_for_city(). */
static bool better(const struct tariff *a, const struct tariff *b, struct date start)
{
	bool a_begun = a->valid_from.days <= start.days;
	bool b_begun = b->valid_from.days <= start.days;

	if (tariff_has_price(a) != tariff_has_price(b))
		return tariff_has_price(a);
	return a_begun != b_begun ? a_begun : a->valid_from.days > b->valid_from.days;
}

const struct tariff *tariff_for_city(const struct tariffs *tariffs, enum city city,
                                     struct date start)
{
	const struct tariff *best = NULL;

	for (size_t i = 0; i < tariffs->count; i++) {
		const struct tariff *tariff = &tariffs->items[i];

		if (tariff->city == city && (best == NULL || better(tariff, best, start)))
			best = tariff;
	}
	return best;
}

enum tariff_band tariff_band_at(const struct tariff_hours *hours, int month, int hour)
{
	return hours->sharp_months[month - 1] ? hours->sharp_bands[hour] : hours->bands[hour];
}

void tariff_hours_of_day(const struct tariff_hours *hours, int month,
                         int counts[static TARIFF_BAND_COUNT])
{
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		counts[band] = 0;
	for (int hour = 0; hour < 24; hour++)
		counts[tariff_band_at(hours, month, hour)]++;
}
