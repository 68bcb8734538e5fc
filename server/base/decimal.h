/*
 * decimal.h - numbers as decimal text, without printf: an answer holds thousands of them.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_SIZE 24 /* a sign, 20 digits, a point, NUL */
#define DECIMAL_PLACES_MAX 18

/*
 * VALUE / 10^DECIMALS with all its decimals: (false, 13194444, 6) is "13.194444". Returns the
 * length.
 *   Given  decimals  0 .. DECIMAL_PLACES_MAX
 */
size_t decimal_fixed(bool negative, uint64_t value, int decimals, char text[static DECIMAL_SIZE]);

/* The same without zeros at the end of its decimals: (false, 13500000, 6) is "13.5". */
size_t decimal_short(bool negative, uint64_t value, int decimals, char text[static DECIMAL_SIZE]);

/* TEXT of LENGTH with the trailing zeros after its point, and a bare point, cut; the new length. */
size_t decimal_trim(char *text, size_t length);

/*
 * VALUE x 10^DECIMALS to the nearest integer, ties to even: what printf("%.*f") writes, exactly.
 * The sign is left out. False when VALUE is not finite, is 2^53 or more, or the result does not
 * fit.
 */
bool decimal_scale(double value, int decimals, uint64_t *scaled);

#endif
