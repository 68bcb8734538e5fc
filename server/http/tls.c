/*
 * tls.c - see tls.h.
 *
 * A handshake uses the chain and the key after tls_retrieve() has returned, so a replaced identity
 * is kept until no handshake that saw it can be under way: the header deadline ends those within
 * seconds, and RETIRED_KEEP_US is far above it.
 */
#include "http/tls.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "http/certificate.h"

#define CHAIN_MAX 8
#define RETIRED_KEEP_US INT64_C(300000000)

struct identity {
	struct identity *next;
	gnutls_pcert_st chain[CHAIN_MAX];
	unsigned int chain_length;
	gnutls_privkey_t key;
	int64_t expiry_s;
	int64_t retired_us; /* of the monotonic clock */
};

struct tls {
	pthread_mutex_t lock;
	struct identity *current;
	struct identity *retired;
	gnutls_datum_t ticket_key;
};

static void identity_free(struct identity *identity)
{
	for (unsigned int i = 0; i < identity->chain_length; i++)
		gnutls_pcert_deinit(&identity->chain[i]);
	if (identity->key != NULL)
		gnutls_privkey_deinit(identity->key);
	free(identity);
}

static bool load_chain(struct identity *identity, const char *path)
{
	gnutls_datum_t file;
	unsigned int length = CHAIN_MAX;

	if (gnutls_load_file(path, &file) < 0)
		return false;
	int result =
	    gnutls_pcert_list_import_x509_raw(identity->chain, &length, &file, GNUTLS_X509_FMT_PEM,
	                                      GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);

	gnutls_free(file.data);
	identity->chain_length = result < 0 ? 0 : length;
	return result >= 0 && length > 0;
}

static bool load_key(struct identity *identity, const char *path)
{
	gnutls_datum_t file;

	if (gnutls_load_file(path, &file) < 0 || gnutls_privkey_init(&identity->key) < 0)
		return false;
	int result =
	    gnutls_privkey_import_x509_raw(identity->key, &file, GNUTLS_X509_FMT_PEM, NULL, 0);

	gnutls_memset(file.data, 0, file.size);
	gnutls_free(file.data);
	return result >= 0;
}

static struct identity *identity_load(const char *certificate_path, const char *key_path,
                                      struct problems *problems)
{
	if (!certificate_check(certificate_path, key_path, problems))
		return NULL;
	struct identity *identity = alloc_zeroed(1, sizeof *identity);

	if (!load_chain(identity, certificate_path) || !load_key(identity, key_path)) {
		problem_add(problems, PROBLEM_ERROR, "certificate_not_usable",
		            (struct place){.pointer = certificate_path}, NULL,
		            "%s: GnuTLS cannot use this certificate chain with its key",
		            "%s：GnuTLS 无法使用该证书链及私钥", certificate_path);
		identity_free(identity);
		return NULL;
	}
	identity->expiry_s = certificate_expiry(certificate_path);
	return identity;
}

struct tls *tls_create(const char *certificate_path, const char *key_path,
                       struct problems *problems)
{
	struct identity *identity = identity_load(certificate_path, key_path, problems);

	if (identity == NULL)
		return NULL;
	struct tls *tls = alloc_zeroed(1, sizeof *tls);

	pthread_mutex_init(&tls->lock, NULL);
	tls->current = identity;
	if (gnutls_session_ticket_key_generate(&tls->ticket_key) < 0)
		alloc_fail(0);
	return tls;
}

/* Frees what was retired long ago. */
static void drop_old(struct tls *tls, int64_t now_us)
{
	struct identity **link = &tls->retired;

	while (*link != NULL) {
		struct identity *identity = *link;

		if (now_us - identity->retired_us < RETIRED_KEEP_US) {
			link = &identity->next;
			continue;
		}
		*link = identity->next;
		identity_free(identity);
	}
}

bool tls_reload(struct tls *tls, const char *certificate_path, const char *key_path,
                struct problems *problems)
{
	struct identity *identity = identity_load(certificate_path, key_path, problems);
	int64_t now_us = clock_monotonic_us();

	if (identity == NULL)
		return false;
	pthread_mutex_lock(&tls->lock);
	struct identity *old = tls->current;

	tls->current = identity;
	old->retired_us = now_us;
	old->next = tls->retired;
	tls->retired = old;
	drop_old(tls, now_us);
	pthread_mutex_unlock(&tls->lock);
	return true;
}

int64_t tls_expiry(struct tls *tls)
{
	pthread_mutex_lock(&tls->lock);
	int64_t expiry_s = tls->current->expiry_s;

	pthread_mutex_unlock(&tls->lock);
	return expiry_s;
}

void tls_attach(struct tls *tls, gnutls_session_t session)
{
	/* libmicrohttpd reads this pointer only for pre-shared keys, which are not in use. */
	gnutls_session_set_ptr(session, tls);
	gnutls_session_ticket_enable_server(session, &tls->ticket_key);
}

int tls_retrieve(gnutls_session_t session, const struct gnutls_cert_retr_st *info,
                 gnutls_pcert_st **chain, unsigned int *chain_length, gnutls_ocsp_data_st **ocsp,
                 unsigned int *ocsp_length, gnutls_privkey_t *key, unsigned int *flags)
{
	struct tls *tls = gnutls_session_get_ptr(session);

	(void)info;
	pthread_mutex_lock(&tls->lock);
	*chain = tls->current->chain;
	*chain_length = tls->current->chain_length;
	*key = tls->current->key;
	pthread_mutex_unlock(&tls->lock);
	*ocsp = NULL;
	*ocsp_length = 0;
	*flags = 0;
	return 0;
}

void tls_destroy(struct tls *tls)
{
	if (tls == NULL)
		return;
	drop_old(tls, INT64_MAX);
	identity_free(tls->current);
	gnutls_memset(tls->ticket_key.data, 0, tls->ticket_key.size);
	gnutls_free(tls->ticket_key.data);
	pthread_mutex_destroy(&tls->lock);
	free(tls);
}
