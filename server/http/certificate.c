/* certificate.c - see certificate.h. */
#include "http/certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"

#define SECONDS_PER_DAY 86400
#define EXPIRY_WARNING_DAYS 14

static void file_problem(struct problems *problems, const char *code, const char *path,
                         const char *en, const char *zh)
{
	struct text message = {.en = arena_printf(problems->arena, "%s: %s", path, en),
	                       .zh = arena_printf(problems->arena, "%s：%s", path, zh)};

	problem_add_text(problems, PROBLEM_ERROR, code, (struct place){.pointer = path}, NULL,
	                 message);
}

/* Adds one X509v3 extension given in OpenSSL's own words ("CA:TRUE"). */
static bool add_extension(X509 *certificate, int nid, const char *value)
{
	X509V3_CTX context;

	X509V3_set_ctx_nodb(&context);
	X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
	bool added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;

	X509_EXTENSION_free(extension);
	return added;
}

/* "DNS:localhost,IP:127.0.0.1,IP:::1,DNS:HOST"; a host name that is not plain is left out. */
static void alternative_names(char names[static 160])
{
	char host[65] = "";
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";

	snprintf(names, 160, "DNS:localhost,IP:127.0.0.1,IP:::1");
	if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0' ||
	    strspn(host, plain) != strlen(host) || strcmp(host, "localhost") == 0)
		return;
	size_t used = strlen(names);

	snprintf(names + used, 160 - used, ",DNS:%s", host);
}

static bool set_serial(X509 *certificate)
{
	unsigned char bytes[16];

	if (RAND_bytes(bytes, sizeof bytes) != 1)
		return false;
	bytes[0] = (unsigned char)((bytes[0] & 0x3F) | 0x40); /* positive, 16 bytes long */
	BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
	bool set = number != NULL &&
	           BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;

	BN_free(number);
	return set;
}

/* Fills in everything and signs; the start lies a day back for clocks that run behind. */
static bool fill_certificate(X509 *certificate, EVP_PKEY *key, int days)
{
	char names[160];
	X509_NAME *name = X509_get_subject_name(certificate);

	alternative_names(names);
	return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
	       X509_gmtime_adj(X509_getm_notBefore(certificate), -SECONDS_PER_DAY) != NULL &&
	       X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, NULL) != NULL &&
	       X509_set_pubkey(certificate, key) == 1 &&
	       X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
	                                  (const unsigned char *)"Suanjia self-signed", -1, -1,
	                                  0) == 1 &&
	       X509_set_issuer_name(certificate, name) == 1 &&
	       add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
	       add_extension(certificate, NID_key_usage, "critical,digitalSignature,keyCertSign") &&
	       add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
	       add_extension(certificate, NID_subject_key_identifier, "hash") &&
	       add_extension(certificate, NID_subject_alt_name, names) &&
	       X509_sign(certificate, key, EVP_sha256()) > 0;
}

/* A new file in place of PATH that only its owner can read when MODE is 0600; NULL on failure. */
static FILE *create_file(const char *path, mode_t mode)
{
	unlink(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

static bool close_file(FILE *file)
{
	bool flushed = fflush(file) == 0 && fsync(fileno(file)) == 0;

	return fclose(file) == 0 && flushed;
}

static bool write_key(const char *path, EVP_PKEY *key)
{
	FILE *file = create_file(path, 0600);

	if (file == NULL)
		return false;
	bool written = PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1;

	return close_file(file) && written;
}

static bool write_certificate(const char *path, X509 *certificate)
{
	FILE *file = create_file(path, 0644);

	if (file == NULL)
		return false;
	bool written = PEM_write_X509(file, certificate) == 1;

	return close_file(file) && written;
}

bool certificate_make(const char *certificate_path, const char *key_path, int days,
                      struct problems *problems)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = X509_new();
	bool made = false;

	if (key == NULL || certificate == NULL || !fill_certificate(certificate, key, days))
		file_problem(problems, "certificate_not_made", certificate_path,
		             "the certificate could not be made", "无法生成证书");
	else if (!write_key(key_path, key))
		file_problem(problems, "file_not_written", key_path, strerror(errno),
		             "无法写入私钥文件");
	else if (!write_certificate(certificate_path, certificate))
		file_problem(problems, "file_not_written", certificate_path, strerror(errno),
		             "无法写入证书文件");
	else
		made = true;
	X509_free(certificate);
	EVP_PKEY_free(key);
	return made;
}

static X509 *read_certificate(const char *path)
{
	FILE *file = fopen(path, "re");

	if (file == NULL)
		return NULL;
	X509 *certificate = PEM_read_X509(file, NULL, NULL, NULL);

	fclose(file);
	return certificate;
}

/* Refuses to ask for a passphrase on the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
	(void)buffer;
	(void)size;
	(void)writing;
	(void)context;
	return 0;
}

/*
 * The mode bits that a key at PATH must not have. systemd hands a credential to the service's user
 * by an access list, which stat() shows as a group bit; nobody else can enter that folder.
 */
static mode_t forbidden_bits(const char *path)
{
	const char *folder = getenv("CREDENTIALS_DIRECTORY");
	bool credential = folder != NULL && strncmp(path, folder, strlen(folder)) == 0 &&
	                  path[strlen(folder)] == '/';

	return credential ? S_IRWXO : S_IRWXG | S_IRWXO;
}

static EVP_PKEY *read_key(const char *path, struct problems *problems)
{
	struct stat status;
	FILE *file = fopen(path, "re");

	if (file == NULL || fstat(fileno(file), &status) != 0) {
		file_problem(problems, "key_unreadable", path, strerror(errno), "无法读取私钥");
		if (file != NULL)
			fclose(file);
		return NULL;
	}
	if ((status.st_mode & forbidden_bits(path)) != 0) {
		file_problem(problems, "key_readable_by_others", path,
		             "the private key may be read by others; chmod 600 it",
		             "私钥可被其他用户读取；请执行 chmod 600");
		fclose(file);
		return NULL;
	}
	EVP_PKEY *key = PEM_read_PrivateKey(file, NULL, no_passphrase, NULL);

	fclose(file);
	if (key == NULL)
		file_problem(problems, "key_unreadable", path, "not an unencrypted PEM private key",
		             "不是未加密的 PEM 私钥");
	return key;
}

static int64_t expiry_of(const X509 *certificate)
{
	struct tm end;

	if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1)
		return 0;
	return timegm(&end);
}

static bool check_expiry(const X509 *certificate, const char *path, struct problems *problems)
{
	int64_t left_s = expiry_of(certificate) - clock_now_us() / 1000000;

	if (left_s <= 0) {
		file_problem(problems, "certificate_expired", path, "the certificate has expired",
		             "证书已过期");
		return false;
	}
	if (left_s < EXPIRY_WARNING_DAYS * SECONDS_PER_DAY)
		problem_add(problems, PROBLEM_WARNING, "certificate_expires_soon",
		            (struct place){.pointer = path}, NULL,
		            "%s: the certificate expires in %d days", "%s：证书将在 %d 天后过期",
		            path, (int)(left_s / SECONDS_PER_DAY));
	return true;
}

bool certificate_check(const char *certificate_path, const char *key_path,
                       struct problems *problems)
{
	X509 *certificate = read_certificate(certificate_path);
	EVP_PKEY *key = read_key(key_path, problems);
	bool usable = certificate != NULL && key != NULL;

	if (certificate == NULL)
		file_problem(problems, "certificate_unreadable", certificate_path,
		             "not a PEM certificate that can be read", "不是可读取的 PEM 证书");
	else if (key != NULL && X509_check_private_key(certificate, key) != 1) {
		file_problem(problems, "key_mismatch", key_path,
		             "the key does not belong to the certificate", "私钥与证书不匹配");
		usable = false;
	}
	if (certificate != NULL && !check_expiry(certificate, certificate_path, problems))
		usable = false;
	X509_free(certificate);
	EVP_PKEY_free(key);
	return usable;
}

int64_t certificate_expiry(const char *certificate_path)
{
	X509 *certificate = read_certificate(certificate_path);
	int64_t expiry = certificate == NULL ? 0 : expiry_of(certificate);

	X509_free(certificate);
	return expiry;
}
