/* random.c - see random.h. Both alphabets are powers of two, so a mask picks evenly. */
#include "base/random.h"

#include <limits.h>
#include <stdlib.h>

#include <openssl/rand.h>

void random_bytes(void *bytes, size_t size)
{
	if (size > INT_MAX || RAND_bytes(bytes, (int)size) != 1)
		abort();
}

static void random_text(char *text, size_t length, const char *alphabet, unsigned mask)
{
	random_bytes(text, length);
	for (size_t i = 0; i < length; i++)
		text[i] = alphabet[(unsigned char)text[i] & mask];
	text[length] = '\0';
}

void random_secret(char *text, size_t length)
{
	random_text(text, length,
	            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 63);
}

void random_name(char *text, size_t length)
{
	random_text(text, length, "abcdefghijklmnopqrstuvwxyz234567", 31);
}
