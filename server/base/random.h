/*
 * random.h - bytes nobody can guess, from libcrypto's generator.
 *
 * Without randomness no secret can be made, so a generator that fails aborts the program.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>

/* Fills SIZE bytes. */
void random_bytes(void *bytes, size_t size);

/*
 * A secret as text: LENGTH characters of base64url (A-Z a-z 0-9 - _), 6 bits each, and a NUL. 43
 * characters are 258 bits. TEXT holds LENGTH + 1.
 */
void random_secret(char *text, size_t length);

/*
 * A name that people read aloud: LENGTH of the 32 characters a-z 2-7, 5 bits each, and a NUL. 8
 * characters are 40 bits. TEXT holds LENGTH + 1.
 */
void random_name(char *text, size_t length);

#endif
