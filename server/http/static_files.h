/*
 * static_files.h - the page: baked files with their media types and strong ETags. Where the build
 * baked a file with gzip beside it ("app.css.gz" after "app.css"), clients that take it get that.
 */
#ifndef HTTP_STATIC_FILES_H
#define HTTP_STATIC_FILES_H

#include <stddef.h>

#include "http/answer.h"

struct static_files;

/* The baked files below PREFIX ("static/"; NULL = none), each hashed once with SHA-256. */
struct static_files *static_files_create(const char *prefix);

/*
 * The file at the path of RQ ("/" is /index.html) with ETag, revalidated on each use; NULL when
 * there is none.
 */
struct answer *static_files_answer(const struct static_files *files, struct request *rq);

/* NULL is fine. */
void static_files_destroy(struct static_files *files);

#endif
