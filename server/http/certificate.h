/*
 * certificate.h - certificates as files: making a self-signed one, checking what is there.
 *
 * With libcrypto; TLS itself is GnuTLS inside libmicrohttpd (tls.h).
 */
#ifndef HTTP_CERTIFICATE_H
#define HTTP_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

/*
 * Writes a new P-256 key (mode 0600) and a certificate signed with it that is valid for DAYS from
 * now, for localhost, 127.0.0.1, ::1 and this machine's name. It is its own authority: `curl
 * --cacert CERTIFICATE_PATH` trusts it. Existing files are replaced. False with a problem that
 * names the file.
 */
bool certificate_make(const char *certificate_path, const char *key_path, int days,
                      struct problems *problems);

/*
 * Checks that both files can be read, that nobody but the owner can read the key, that the key
 * belongs to the (first) certificate and that it has not expired. False with problems; expiry
 * within 14 days is a warning only.
 */
bool certificate_check(const char *certificate_path, const char *key_path,
                       struct problems *problems);

/* When the first certificate in the file expires, in seconds since 1970; 0 when unreadable. */
int64_t certificate_expiry(const char *certificate_path);

#endif
