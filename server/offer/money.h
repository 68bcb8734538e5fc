/*
 * money.h - an amount of money, exact.
 *
 * An integer of micro-yuan (10^-6 yuan; or of whatever currency stands beside it) in a struct of
 * one field, so that the compiler refuses a bare number. Only money.c touches the field; `make
 * check-source` holds that. Arithmetic that could overflow returns false and must be checked.
 *
 * Rounding: a line of a bill is rounded once, to fen, half away from zero. Totals are the exact sum
 * of the lines shown.
 */
#ifndef OFFER_MONEY_H
#define OFFER_MONEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ratio.h"

struct money {
	int64_t micro;
};

#define MONEY_TEXT_SIZE 32

/* In and out of the wrapper. */
struct money money_zero(void);
struct money money_from_micro(int64_t micro);
int64_t money_to_micro(struct money amount);
struct money money_from_yuan(int64_t yuan); /* |yuan| <= 9.2e12, asserted */

/* Negative, zero or positive as A is less than, equal to or greater than B. */
int money_compare(struct money a, struct money b);

/* False on overflow, RESULT untouched. */
MUST_CHECK bool money_add(struct money a, struct money b, struct money *result);
MUST_CHECK bool money_subtract(struct money a, struct money b, struct money *result);

/* The exact value in yuan: 13.5 yuan is 27/2. */
struct ratio money_to_ratio(struct money amount);

/* VALUE yuan rounded to micro-yuan, half away from zero. False when it does not fit. */
MUST_CHECK bool money_from_ratio(struct ratio value, struct money *result);

/*
 * VALUE yuan rounded to whole fen, half away from zero: the one rounding of a bill's line.
 * 90000/1.06 = 84905.660377... becomes 84905.66. False when it does not fit.
 */
MUST_CHECK bool money_line(struct ratio value, struct money *result);

/*
 * Text of a plain decimal with at most six digits after the point ("76000", "13.194444"); false for
 * anything else, also for more digits than can be kept.
 */
MUST_CHECK bool money_parse(const char *text, struct money *result);

/* At least two digits after the point, at most six: "76000.00", "13.194444". */
void money_format(struct money amount, char text[static MONEY_TEXT_SIZE]);

#endif
