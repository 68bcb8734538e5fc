/* money.c - see money.h. */
#include "offer/money.h"

#include <assert.h>

#include "base/decimal.h"

#define MICRO 1000000

struct money money_zero(void)
{
	return (struct money){.micro = 0};
}

struct money money_from_micro(int64_t micro)
{
	return (struct money){.micro = micro};
}

int64_t money_to_micro(struct money amount)
{
	return amount.micro;
}

struct money money_from_yuan(int64_t yuan)
{
	struct money result;
	bool fits = !__builtin_mul_overflow(yuan, (int64_t)MICRO, &result.micro);

	assert(fits);
	return result;
}

int money_compare(struct money a, struct money b)
{
	return (a.micro > b.micro) - (a.micro < b.micro);
}

bool money_add(struct money a, struct money b, struct money *result)
{
	int64_t sum;

	if (__builtin_add_overflow(a.micro, b.micro, &sum))
		return false;
	result->micro = sum;
	return true;
}

bool money_subtract(struct money a, struct money b, struct money *result)
{
	int64_t difference;

	if (__builtin_sub_overflow(a.micro, b.micro, &difference))
		return false;
	result->micro = difference;
	return true;
}

struct ratio money_to_ratio(struct money amount)
{
	return ratio_make(amount.micro, MICRO);
}

bool money_from_ratio(struct ratio value, struct money *result)
{
	return ratio_round(value, 6, &result->micro);
}

bool money_line(struct ratio value, struct money *result)
{
	int64_t fen;
	int64_t micro;

	if (!ratio_round(value, 2, &fen) || __builtin_mul_overflow(fen, (int64_t)10000, &micro))
		return false;
	result->micro = micro;
	return true;
}

bool money_parse(const char *text, struct money *result)
{
	struct ratio value;
	struct money rounded;

	if (!ratio_parse(text, &value) || !money_from_ratio(value, &rounded))
		return false;
	if (ratio_compare(money_to_ratio(rounded), value) != 0)
		return false;
	*result = rounded;
	return true;
}

void money_format(struct money amount, char text[static MONEY_TEXT_SIZE])
{
	uint64_t size = amount.micro < 0 ? -(uint64_t)amount.micro : (uint64_t)amount.micro;
	size_t length = decimal_fixed(amount.micro < 0, size, 6, text);

	for (int cut = 0; cut < 4 && text[length - 1] == '0'; cut++)
		text[--length] = '\0';
}
