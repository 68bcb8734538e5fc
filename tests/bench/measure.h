/* measure.h - how long a call takes, printed one line each. */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"

#define BATCH_US 100000
#define BATCHES 5

/* Microseconds of one call of WORK(CONTEXT), the mean of the best batch. */
static inline double best_us(void (*work)(void *context), void *context)
{
	double best = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		int64_t began_us = clock_monotonic_us();
		int64_t spent_us = 0;
		int calls = 0;

		for (; spent_us < BATCH_US; calls++) {
			work(context);
			spent_us = clock_monotonic_us() - began_us;
		}
		double mean = (double)spent_us / calls;

		if (batch == 0 || mean < best)
			best = mean;
	}
	return best;
}

static inline void report(const char *name, double us, const char *aim)
{
	if (us < 1000)
		printf("%-44s %9.2f us  %s\n", name, us, aim);
	else
		printf("%-44s %9.2f ms  %s\n", name, us / 1000, aim);
	fflush(stdout);
}

#endif
