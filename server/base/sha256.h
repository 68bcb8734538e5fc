/*
 * sha256.h - SHA-256 (FIPS 180-4), by libcrypto: hashes of sheets, keys and the audit chain.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#define SHA256_HEX_SIZE 65 /* 64 digits and a NUL */

struct sha256 {
	unsigned char bytes[32];
};

/* The hash of SIZE bytes. BYTES may be NULL when SIZE is 0: e3b0c442..., the hash of nothing. */
struct sha256 sha256_of(const void *bytes, size_t size);

/* The hash of a string, without its NUL: "abc" is ba7816bf... */
struct sha256 sha256_of_text(const char *text);

/* 64 lower-case hexadecimal digits. */
void sha256_hex(struct sha256 hash, char text[static SHA256_HEX_SIZE]);

/* Exactly 64 lower-case hexadecimal digits; false for anything else. */
bool sha256_from_hex(const char *text, struct sha256 *hash);

/* Whether A and B are equal, in a time that does not depend on where they differ. */
bool sha256_equal(struct sha256 a, struct sha256 b);

#endif
