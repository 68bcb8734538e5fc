/*
 * upload_name.h - what a client calls its file: shown, never believed, never used as a path.
 */
#ifndef API_UPLOAD_NAME_H
#define API_UPLOAD_NAME_H

#include <stdint.h>

#include "http/request.h"

struct arena;

/*
 * The name in ?filename=, else in Content-Disposition (filename*=UTF-8''..., else filename="...",
 * RFC 6266), without folders in front; NULL when there is none. In the request's arena. One that is
 * too long or holds control characters is a problem.
 */
const char *upload_name(const struct request *rq, struct problems *problems);

/*
 * A Content-Disposition that saves a file as NAME, or as "sheet-ID.FORMAT" when there is none; with
 * filename* for other letters than ASCII.
 */
const char *upload_disposition(struct arena *arena, const char *name, int64_t id,
                               const char *format);

#endif
