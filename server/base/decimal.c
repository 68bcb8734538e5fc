/* decimal.c - see decimal.h. */
#include "base/decimal.h"

#include <assert.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#define MANTISSA_BITS 53

/* The two digits of each number below 100. */
static const char pairs[201] = "0001020304050607080910111213141516171819"
			       "2021222324252627282930313233343536373839"
			       "4041424344454647484950515253545556575859"
			       "6061626364656667686970717273747576777879"
			       "8081828384858687888990919293949596979899";

/* Writes VALUE so that it ends before END, with at least WIDTH digits; where it begins. */
static char *write_digits(uint64_t value, int width, char *end)
{
	char *at = end;

	for (; value >= 100; value /= 100) {
		at -= 2;
		memcpy(at, &pairs[value % 100 * 2], 2);
	}
	if (value >= 10) {
		at -= 2;
		memcpy(at, &pairs[value * 2], 2);
	} else if (value > 0) {
		*--at = (char)('0' + value);
	}
	while (end - at < width)
		*--at = '0';
	return at;
}

static const uint64_t powers_of_ten[DECIMAL_PLACES_MAX + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
};

size_t decimal_fixed(bool negative, uint64_t value, int decimals, char text[static DECIMAL_SIZE])
{
	char digits[DECIMAL_SIZE];
	char *end = digits + sizeof digits;
	char *at = end;

	assert(decimals >= 0 && decimals <= DECIMAL_PLACES_MAX);
	if (decimals > 0) {
		at = write_digits(value % powers_of_ten[decimals], decimals, at);
		*--at = '.';
	}
	at = write_digits(value / powers_of_ten[decimals], 1, at);
	if (negative)
		*--at = '-';
	size_t length = (size_t)(end - at);

	memcpy(text, at, length);
	text[length] = '\0';
	return length;
}

size_t decimal_short(bool negative, uint64_t value, int decimals, char text[static DECIMAL_SIZE])
{
	while (decimals > 0 && value % 10 == 0) {
		value /= 10;
		decimals--;
	}
	return decimal_fixed(negative, value, decimals, text);
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

/* VALUE = mantissa / 2^shift, without its sign; false when it is not finite or has no fraction. */
static bool take_apart(double value, uint64_t *mantissa, int *shift)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	int exponent = (int)(bits >> (MANTISSA_BITS - 1) & 0x7ff);

	*mantissa = bits & ((UINT64_C(1) << (MANTISSA_BITS - 1)) - 1);
	if (exponent > 0)
		*mantissa |= UINT64_C(1) << (MANTISSA_BITS - 1);
	*shift = 1022 + MANTISSA_BITS - (exponent > 0 ? exponent : 1);
	return exponent < 0x7ff && *shift >= 0;
}

bool decimal_scale(double value, int decimals, uint64_t *scaled)
{
	uint64_t mantissa;
	int shift;

	if (decimals < 0 || decimals > DECIMAL_PLACES_MAX || !take_apart(value, &mantissa, &shift))
		return false;
	/* Below 2^53 x 10^18 < 2^113. */
	uint128 product = (uint128)mantissa * powers_of_ten[decimals];

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
