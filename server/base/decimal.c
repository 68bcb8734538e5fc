/* decimal.c - see decimal.h. */
#include "base/decimal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#define MANTISSA_BITS 53

size_t decimal_fixed(bool negative, uint64_t value, int decimals, char text[static DECIMAL_SIZE])
{
	char reversed[DECIMAL_SIZE];
	size_t length = 0;

	assert(decimals >= 0 && decimals <= DECIMAL_PLACES_MAX);
	for (int place = 0; value > 0 || place <= decimals; place++) {
		if (place == decimals && decimals > 0)
			reversed[length++] = '.';
		reversed[length++] = (char)('0' + value % 10);
		value /= 10;
	}
	if (negative)
		reversed[length++] = '-';
	for (size_t i = 0; i < length; i++)
		text[i] = reversed[length - 1 - i];
	text[length] = '\0';
	return length;
}

size_t decimal_trim(char *text, size_t length)
{
	if (memchr(text, '.', length) == NULL)
		return length;
	while (text[length - 1] == '0')
		length--;
	if (text[length - 1] == '.')
		length--;
	text[length] = '\0';
	return length;
}

bool decimal_scale(double value, int decimals, uint64_t *scaled)
{
	int exponent;
	double fraction = frexp(fabs(value), &exponent);
	int shift = MANTISSA_BITS - exponent; /* |value| = mantissa / 2^shift */

	if (!isfinite(value) || shift < 0 || decimals < 0 || decimals > DECIMAL_PLACES_MAX)
		return false;
	uint128 product = (uint128)ldexp(fraction, MANTISSA_BITS);

	for (int i = 0; i < decimals; i++)
		product *= 10; /* below 2^53 x 10^18 < 2^113 */
	if (shift > 120) {
		*scaled = 0;
		return true;
	}
	uint128 whole = product >> shift;
	uint128 twice_rest = (product - (whole << shift)) << 1;
	uint128 one = (uint128)1 << shift;

	whole += twice_rest > one || (twice_rest == one && (whole & 1) != 0);
	if (whole > UINT64_MAX)
		return false;
	*scaled = (uint64_t)whole;
	return true;
}
