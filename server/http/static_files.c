/* static_files.c - see static_files.h. */
#include "http/static_files.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/baked.h"

#define HEX_SHA256 65

struct static_file {
	const struct baked_file *baked;
	const char *path; /* below the prefix: "app.css" */
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

struct static_files *static_files_create(const char *prefix)
{
	size_t count = 0;
	const struct baked_file *first = prefix == NULL ? NULL : baked_below(prefix, &count);
	struct static_files *files =
	    alloc_zeroed(1, sizeof *files + count * sizeof(struct static_file));

	files->count = count;
	for (size_t i = 0; i < count; i++) {
		struct static_file *file = &files->items[i];

		file->baked = &first[i];
		file->path = first[i].path + strlen(prefix);
		file->type = type_of(file->path);
		hash(file->baked, file->version);
	}
	return files;
}

struct answer *static_files_answer(const struct static_files *files, struct request *rq)
{
	const char *path = strcmp(rq->path, "/") == 0 ? "index.html" : rq->path + 1;

	for (size_t i = 0; i < files->count; i++) {
		const struct static_file *file = &files->items[i];

		if (strcmp(file->path, path) != 0)
			continue;
		struct answer *answer =
		    answer_constant(rq, 200, file->type, file->baked->bytes, file->baked->size);

		answer_header(answer, "cache-control", "no-cache");
		return answer_etag(rq, answer, file->version);
	}
	return NULL;
}

void static_files_destroy(struct static_files *files)
{
	free(files);
}
