/* static_files.c - see static_files.h. */
#include "http/static_files.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/baked.h"

#define HEX_SHA256 65
#define ZIPPED_SUFFIX ".gz"

struct static_file {
	const struct baked_file *baked;
	const struct baked_file *zipped; /* the same with gzip, baked beside it; NULL = none */
	const char *path;                /* below the prefix: "app.css" */
	const char *type;
	char version[HEX_SHA256];
};

struct static_files {
	size_t count;
	struct static_file items[];
};

static const struct {
	const char *suffix;
	const char *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/vnd.microsoft.icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
};

static const char *type_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++) {
		if (strcmp(dot, types[i].suffix) == 0)
			return types[i].type;
	}
	return "application/octet-stream";
}

static void hash(const struct baked_file *file, char hex[static HEX_SHA256])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[EVP_MAX_MD_SIZE];
	unsigned int length = 0;

	if (EVP_Digest(file->bytes, file->size, sum, &length, EVP_sha256(), NULL) != 1)
		alloc_fail(0);
	for (unsigned int i = 0; i < length; i++) {
		hex[2 * i] = digits[sum[i] >> 4];
		hex[2 * i + 1] = digits[sum[i] & 15];
	}
	hex[2 * length] = '\0';
}

/* Whether B is A with gzip: baked files are in order, so it comes right after it. */
static bool is_zipped_form(const struct baked_file *a, const struct baked_file *b)
{
	size_t length = strlen(a->path);

	return strncmp(a->path, b->path, length) == 0 &&
	       strcmp(b->path + length, ZIPPED_SUFFIX) == 0;
}

struct static_files *static_files_create(const char *prefix)
{
	size_t count = 0;
	const struct baked_file *first = prefix == NULL ? NULL : baked_below(prefix, &count);
	struct static_files *files =
	    alloc_zeroed(1, sizeof *files + count * sizeof(struct static_file));

	for (size_t i = 0; i < count; i++) {
		struct static_file *file = &files->items[files->count++];

		file->baked = &first[i];
		file->path = first[i].path + strlen(prefix);
		file->type = type_of(file->path);
		hash(file->baked, file->version);
		if (i + 1 < count && is_zipped_form(&first[i], &first[i + 1]))
			file->zipped = &first[++i];
	}
	return files;
}

static bool takes_gzip(const struct request *rq)
{
	const char *accepted = request_header(rq, "accept-encoding");
	const char *gzip = accepted == NULL ? NULL : strstr(accepted, "gzip");

	return gzip != NULL && strncmp(gzip, "gzip;q=0", 8) != 0;
}

/* FILE in the form that the client takes. */
static struct answer *answer_file(const struct static_file *file, struct request *rq)
{
	bool zipped = file->zipped != NULL && takes_gzip(rq);
	const struct baked_file *form = zipped ? file->zipped : file->baked;
	struct answer *answer = answer_constant(rq, 200, file->type, form->bytes, form->size);

	answer_header(answer, "cache-control", "no-cache");
	if (file->zipped != NULL)
		answer_header(answer, "Vary", "Accept-Encoding");
	if (!zipped)
		return answer_etag(rq, answer, file->version);
	answer_header(answer, "Content-Encoding", "gzip");
	return answer_etag(rq, answer, arena_printf(rq->arena, "%s-gzip", file->version));
}

struct answer *static_files_answer(const struct static_files *files, struct request *rq)
{
	const char *path = strcmp(rq->path, "/") == 0 ? "index.html" : rq->path + 1;

	for (size_t i = 0; i < files->count; i++) {
		const struct static_file *file = &files->items[i];

		if (strcmp(file->path, path) == 0)
			return answer_file(file, rq);
	}
	return NULL;
}

void static_files_destroy(struct static_files *files)
{
	free(files);
}
