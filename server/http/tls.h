/*
 * tls.h - the certificate that libmicrohttpd's GnuTLS shows, swapped while connections are open.
 */
#ifndef HTTP_TLS_H
#define HTTP_TLS_H

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>

#include "base/problem.h"

/* TLS 1.2 and 1.3, AEAD, ECDHE, the server's order: Mozilla's "intermediate". */
#define TLS_PRIORITIES                                                                             \
	"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-256-GCM:+AES-128-GCM:"        \
	"+CHACHA20-POLY1305:-MAC-ALL:+AEAD:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-GROUP-ALL:"            \
	"+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%SERVER_PRECEDENCE"

struct tls;

/* Reads the chain and the key (checked by certificate_check()). NULL with problems. */
struct tls *tls_create(const char *certificate_path, const char *key_path,
                       struct problems *problems);

/* Reads both files again; from then on new handshakes use them. False: the old ones stay. */
bool tls_reload(struct tls *tls, const char *certificate_path, const char *key_path,
                struct problems *problems);

/* When the certificate in use expires, in seconds since 1970. */
int64_t tls_expiry(struct tls *tls);

/* Prepares a new SESSION: tickets on, and TLS as what tls_retrieve() will find. */
void tls_attach(struct tls *tls, gnutls_session_t session);

/* For MHD_OPTION_HTTPS_CERT_CALLBACK2: hands out the current chain and key. */
int tls_retrieve(gnutls_session_t session, const struct gnutls_cert_retr_st *info,
                 gnutls_pcert_st **chain, unsigned int *chain_length, gnutls_ocsp_data_st **ocsp,
                 unsigned int *ocsp_length, gnutls_privkey_t *key, unsigned int *flags);

/* No handshake may be under way. NULL is fine. */
void tls_destroy(struct tls *tls);

#endif
