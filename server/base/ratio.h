/*
 * ratio.h - exact rational numbers, for units, prices and quantities before they are rounded.
 *
 * 76000 yuan per 8-card machine and month is 76000/5760 yuan per card-hour and stays that until a
 * line of a bill is rounded, once. Numerator and denominator are 128-bit, kept in lowest terms with
 * a positive denominator; every operation that could overflow says so and must be checked.
 */
#ifndef BASE_RATIO_H
#define BASE_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))

__extension__ typedef __int128 int128;

struct ratio {
	int128 num;
	int128 den; /* > 0 */
};

#define RATIO_DECIMAL_SIZE 64

static inline struct ratio ratio_of(int64_t value)
{
	return (struct ratio){.num = value, .den = 1};
}

/* NUM / DEN in lowest terms; DEN must not be 0 (asserted). */
struct ratio ratio_make(int64_t num, int64_t den);

/* Each false on overflow (RESULT untouched); ratio_divide() also when B is zero. */
MUST_CHECK bool ratio_add(struct ratio a, struct ratio b, struct ratio *result);
MUST_CHECK bool ratio_subtract(struct ratio a, struct ratio b, struct ratio *result);
MUST_CHECK bool ratio_multiply(struct ratio a, struct ratio b, struct ratio *result);
MUST_CHECK bool ratio_divide(struct ratio a, struct ratio b, struct ratio *result);

/* Negative, zero or positive as A is less than, equal to or greater than B. Exact, never fails. */
int ratio_compare(struct ratio a, struct ratio b);

/*
 * VALUE x 10^DECIMALS rounded half away from zero: ratio 76000/5760 with 6 decimals is 13194444.
 * False when the result does not fit.
 */
MUST_CHECK bool ratio_round(struct ratio value, int decimals, int64_t *result);

/* The smallest integer >= VALUE. False when it does not fit. */
MUST_CHECK bool ratio_ceil(struct ratio value, int64_t *result);

/*
 * A plain decimal: optional sign, digits, optional point and digits, nothing else; at most 30
 * digits. "7.6" is 38/5.
 */
MUST_CHECK bool ratio_parse(const char *text, struct ratio *result);

/* Rounded to DECIMALS digits after the point, all of them written: "13.194444". */
MUST_CHECK bool ratio_format(struct ratio value, int decimals,
                             char text[static RATIO_DECIMAL_SIZE]);

/* The same with trailing zeros (and a bare point) cut: "7.6". */
MUST_CHECK bool ratio_format_short(struct ratio value, int decimals,
                                   char text[static RATIO_DECIMAL_SIZE]);

/* For display and search bounds only, never for money that is billed. */
double ratio_to_double(struct ratio value);

#endif
