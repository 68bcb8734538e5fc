/* tariff.c - see tariff.h. */
#include "offer/tariff.h"

const char *const tariff_band_names[TARIFF_BAND_COUNT] = {"valley", "flat", "peak", "sharp"};

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
