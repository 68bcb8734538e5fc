/* verify.h - the checks of store_verify(), on one connection. */
#ifndef STORE_VERIFY_H
#define STORE_VERIFY_H

#include "store/inside.h"

/* The file and its references alone: also for a database of an older schema. */
MUST_CHECK enum store_result verify_file(struct connection *c, struct problems *problems);

#endif
