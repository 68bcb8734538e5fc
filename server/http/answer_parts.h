/* answer_parts.h - what an answer is made of; only http/ looks inside. */
#ifndef HTTP_ANSWER_PARTS_H
#define HTTP_ANSWER_PARTS_H

#include <stddef.h>

#include "http/request.h"

struct arena;

struct answer {
	struct arena *arena;
	int status;
	const char *type; /* media type; NULL = no body */
	const char *body;
	size_t size;
	size_t unsent_size; /* of a 304: what the 200 would have, for Content-Length */
	struct request_pair *headers;
	size_t header_count;
	size_t header_capacity;
};

#endif
