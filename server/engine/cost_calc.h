/*
 * cost_calc.h - exact arithmetic that is checked once, at the end of a formula.
 *
 * Inside the cost room only. An operation that overflows (or divides by zero) sets FAILED and
 * yields 0; the formula reads like the formula, and its last line asks calc_status().
 */
#ifndef ENGINE_COST_CALC_H
#define ENGINE_COST_CALC_H

#include "engine/cost.h"

struct calc {
	bool failed;
};

static inline struct ratio calc_keep(struct calc *calc, bool fits, struct ratio result)
{
	calc->failed = calc->failed || !fits;
	return fits ? result : ratio_of(0);
}

static inline struct ratio calc_add(struct calc *calc, struct ratio a, struct ratio b)
{
	struct ratio result = ratio_of(0);
	bool fits = ratio_add(a, b, &result);

	return calc_keep(calc, fits, result);
}

static inline struct ratio calc_subtract(struct calc *calc, struct ratio a, struct ratio b)
{
	struct ratio result = ratio_of(0);
	bool fits = ratio_subtract(a, b, &result);

	return calc_keep(calc, fits, result);
}

static inline struct ratio calc_multiply(struct calc *calc, struct ratio a, struct ratio b)
{
	struct ratio result = ratio_of(0);
	bool fits = ratio_multiply(a, b, &result);

	return calc_keep(calc, fits, result);
}

static inline struct ratio calc_divide(struct calc *calc, struct ratio a, struct ratio b)
{
	struct ratio result = ratio_of(0);
	bool fits = ratio_divide(a, b, &result);

	return calc_keep(calc, fits, result);
}

static inline bool ratio_is_zero(struct ratio value)
{
	return value.num == 0;
}

static inline bool ratio_less(struct ratio a, struct ratio b)
{
	return ratio_compare(a, b) < 0;
}

static inline struct ratio ratio_larger(struct ratio a, struct ratio b)
{
	return ratio_less(a, b) ? b : a;
}

static inline enum cost_status calc_status(const struct calc *calc)
{
	return calc->failed ? COST_OVERFLOW : COST_OK;
}

#endif
