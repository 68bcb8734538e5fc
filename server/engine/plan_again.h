/*
 * plan_again.h - one figure of the request varied, and the options shown priced again; for
 * plan_sensitivity.c.
 */
#ifndef ENGINE_PLAN_AGAIN_H
#define ENGINE_PLAN_AGAIN_H

#include <math.h>

#include "engine/plan_work.h"

#define FIGURE_WIN 1000000 /* micro: one yuan; less may come from the rounding of lines */
#define FIGURE_NEVER INT64_MAX

/* One figure that takes the values k / steps, k from least to most. */
struct figure {
	enum sensitivity_what what;
	double steps;
	double today;
	int least;
	int most;
	const struct offer *offer; /* whose price varies; NULL = not about one */
};

static inline double figure_value(const struct figure *figure, int k)
{
	return k / figure->steps;
}

/* The nearest values below and above today's. */
static inline int figure_below(const struct figure *figure)
{
	return (int)ceil(figure->today * figure->steps - 1e-9) - 1;
}

static inline int figure_above(const struct figure *figure)
{
	return (int)floor(figure->today * figure->steps + 1e-9) + 1;
}

/* What a lower bound would cost at another value, nobody knows. */
static inline bool figure_takes_part(const struct plan_option *option)
{
	return option->unknown_count == 0;
}

static inline void figure_turn(struct sensitivity_turn *turn, const struct figure *figure, int k,
                               int winner)
{
	*turn = (struct sensitivity_turn){true, figure_value(figure, k), winner};
}

/*
 * Fills FOUND's turns for hours, months or bandwidth: the options' own candidates are priced at
 * one value after the other, away from today's, until another one than the first is cheaper by
 * FIGURE_WIN; the cheapest there wins. Only those are priced that a lower bound does not keep out.
 */
void price_again(struct plan_work *work, const struct plan *plan, const struct figure *figure,
                 struct plan_sensitivity *found);

#endif
