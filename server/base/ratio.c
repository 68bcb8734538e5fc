/* ratio.c - see ratio.h. */
#include "base/ratio.h"

#include <assert.h>
#include <string.h>

#include "base/decimal.h"

__extension__ typedef unsigned __int128 uint128;

static uint128 magnitude(int128 value)
{
	return value < 0 ? -(uint128)value : (uint128)value;
}

/*
 * Nearly every number fits 64 bits. One division brings the two to about the same size; from there
 * on halving and subtracting costs less than dividing again (binary algorithm: Knuth, The Art of
 * Computer Programming 2, 4.5.2 B).
 */
static uint64_t gcd_small(uint64_t a, uint64_t b)
{
	if (b == 0)
		return a;
	a %= b;
	if (a == 0)
		return b;
	int twos = __builtin_ctzll(a | b);

	a >>= __builtin_ctzll(a);
	b >>= __builtin_ctzll(b);
	while (a != b) {
		uint64_t rest = a > b ? a - b : b - a;

		b = a < b ? a : b;
		a = rest >> __builtin_ctzll(rest);
	}
	return a << twos;
}

static uint128 gcd(uint128 a, uint128 b)
{
	while (b > UINT64_MAX || (a > UINT64_MAX && b != 0)) {
		uint128 rest = a % b;

		a = b;
		b = rest;
	}
	return b == 0 ? a : gcd_small((uint64_t)a, (uint64_t)b);
}

static bool is_small(int128 value)
{
	return value == (int64_t)value;
}

/* Cross-reduces A/B so that products stay as small as they can be. Nearly always B is 1. */
static void reduce(int128 *a, int128 *b)
{
	if (*b == 1 || *a == 1)
		return;
	int128 common = (int128)gcd(magnitude(*a), magnitude(*b));

	if (common <= 1)
		return;
	if (is_small(*a) && is_small(*b) && is_small(common)) {
		*a = (int64_t)*a / (int64_t)common;
		*b = (int64_t)*b / (int64_t)common;
		return;
	}
	*a /= common;
	*b /= common;
}

struct ratio ratio_make(int64_t num, int64_t den)
{
	assert(den != 0);
	int128 n = den < 0 ? -(int128)num : num;
	int128 d = den < 0 ? -(int128)den : den;

	reduce(&n, &d);
	return (struct ratio){.num = n, .den = d};
}

bool ratio_multiply(struct ratio a, struct ratio b, struct ratio *result)
{
	struct ratio product;

	reduce(&a.num, &b.den);
	reduce(&b.num, &a.den);
	if (__builtin_mul_overflow(a.num, b.num, &product.num) ||
	    __builtin_mul_overflow(a.den, b.den, &product.den))
		return false;
	*result = product;
	return true;
}

bool ratio_divide(struct ratio a, struct ratio b, struct ratio *result)
{
	struct ratio inverse = {.num = b.num < 0 ? -b.den : b.den,
	                        .den = b.num < 0 ? -b.num : b.num};

	return b.num != 0 && ratio_multiply(a, inverse, result);
}

bool ratio_add(struct ratio a, struct ratio b, struct ratio *result)
{
	int128 common = a.den == b.den ? a.den : (int128)gcd(magnitude(a.den), magnitude(b.den));
	int128 left, right;
	struct ratio sum;

	if (__builtin_mul_overflow(a.num, b.den / common, &left) ||
	    __builtin_mul_overflow(b.num, a.den / common, &right) ||
	    __builtin_add_overflow(left, right, &sum.num) ||
	    __builtin_mul_overflow(a.den, b.den / common, &sum.den))
		return false;
	reduce(&sum.num, &sum.den);
	*result = sum;
	return true;
}

bool ratio_subtract(struct ratio a, struct ratio b, struct ratio *result)
{
	b.num = -b.num;
	return ratio_add(a, b, result);
}

static int compare_whole(int128 a, int128 b)
{
	return (a > b) - (a < b);
}

/* Floor division, so that the remainder is never negative. */
static int128 floor_divide(int128 num, int128 den)
{
	int128 whole = num / den;

	return whole - (num % den < 0);
}

int ratio_compare(struct ratio a, struct ratio b)
{
	if (is_small(a.num) && is_small(a.den) && is_small(b.num) && is_small(b.den))
		return compare_whole(a.num * b.den, b.num * a.den);
	/* Continued fractions: compare whole parts, then the inverted remainders the other way
	 * round. */
	for (int sign = 1;; sign = -sign) {
		int128 a_whole = floor_divide(a.num, a.den);
		int128 b_whole = floor_divide(b.num, b.den);

		if (a_whole != b_whole)
			return sign * compare_whole(a_whole, b_whole);
		int128 a_rest = a.num - a_whole * a.den;
		int128 b_rest = b.num - b_whole * b.den;

		if (a_rest == 0 || b_rest == 0)
			return sign * compare_whole(a_rest != 0, b_rest != 0);
		a = (struct ratio){.num = a.den, .den = a_rest};
		b = (struct ratio){.num = b.den, .den = b_rest};
	}
}

bool ratio_round(struct ratio value, int decimals, int64_t *result)
{
	struct ratio scaled;
	int64_t power = 1;

	assert(decimals >= 0 && decimals <= 18);
	for (int i = 0; i < decimals; i++)
		power *= 10;
	if (!ratio_multiply(value, ratio_of(power), &scaled))
		return false;
	uint128 size = magnitude(scaled.num);
	uint128 den = (uint128)scaled.den;
	uint128 whole;

	if (size <= UINT64_MAX && den <= UINT64_MAX) {
		uint64_t rest = (uint64_t)size % (uint64_t)den;

		whole = (uint64_t)size / (uint64_t)den + (rest >= (uint64_t)den - rest);
	} else {
		uint128 rest = size % den;

		whole = size / den + (rest >= den - rest);
	}
	if (whole > (uint128)INT64_MAX)
		return false;
	*result = scaled.num < 0 ? -(int64_t)whole : (int64_t)whole;
	return true;
}

bool ratio_ceil(struct ratio value, int64_t *result)
{
	int128 ceiling = -floor_divide(-value.num, value.den);

	if (ceiling > INT64_MAX || ceiling < INT64_MIN)
		return false;
	*result = (int64_t)ceiling;
	return true;
}

bool ratio_parse(const char *text, struct ratio *result)
{
	bool negative = *text == '-';
	struct ratio value = {.num = 0, .den = 1};
	int count = 0;
	bool after_point = false;

	if (*text == '-' || *text == '+')
		text++;
	for (; *text != '\0'; text++) {
		if (*text == '.' && !after_point && count > 0) {
			after_point = true;
			if (text[1] == '\0')
				return false;
			continue;
		}
		if (*text < '0' || *text > '9' || ++count > 30)
			return false;
		value.num = value.num * 10 + (*text - '0');
		if (after_point)
			value.den *= 10;
	}
	if (count == 0)
		return false;
	if (negative)
		value.num = -value.num;
	reduce(&value.num, &value.den);
	*result = value;
	return true;
}

bool ratio_format(struct ratio value, int decimals, char text[static RATIO_DECIMAL_SIZE])
{
	int64_t scaled;

	if (!ratio_round(value, decimals, &scaled))
		return false;
	decimal_fixed(scaled < 0, scaled < 0 ? -(uint64_t)scaled : (uint64_t)scaled, decimals,
	              text);
	return true;
}

bool ratio_format_short(struct ratio value, int decimals, char text[static RATIO_DECIMAL_SIZE])
{
	int64_t scaled;

	if (!ratio_round(value, decimals, &scaled))
		return false;
	decimal_short(scaled < 0, scaled < 0 ? -(uint64_t)scaled : (uint64_t)scaled, decimals,
	              text);
	return true;
}

double ratio_to_double(struct ratio value)
{
	return (double)value.num / (double)value.den;
}
