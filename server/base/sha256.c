/* sha256.c - see sha256.h. */
#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

struct sha256 sha256_of(const void *bytes, size_t size)
{
	struct sha256 hash;

	/* Fails only when libcrypto is broken or out of memory; no caller could go on. */
	if (EVP_Digest(size == 0 ? "" : bytes, size, hash.bytes, NULL, EVP_sha256(), NULL) != 1)
		abort();
	return hash;
}

struct sha256 sha256_of_text(const char *text)
{
	return sha256_of(text, strlen(text));
}

void sha256_hex(struct sha256 hash, char text[static SHA256_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < sizeof hash.bytes; i++) {
		text[2 * i] = digits[hash.bytes[i] >> 4];
		text[2 * i + 1] = digits[hash.bytes[i] & 15];
	}
	text[2 * sizeof hash.bytes] = '\0';
}

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

bool sha256_from_hex(const char *text, struct sha256 *hash)
{
	if (strlen(text) != 2 * sizeof hash->bytes)
		return false;
	for (size_t i = 0; i < sizeof hash->bytes; i++) {
		int high = hex_value(text[2 * i]);
		int low = hex_value(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		hash->bytes[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

bool sha256_equal(struct sha256 a, struct sha256 b)
{
	return CRYPTO_memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}
