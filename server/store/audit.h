/* audit.h - the hash-chained log: appending, and checking the chain. */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

#include "store/writer.h"

/* Appends a row to the log, within the transaction of the change it tells of. */
MUST_CHECK enum store_result audit_append(struct connection *c, const struct store_actor *actor,
                                          const struct change *change);

/* Walks the chain from its first row; adds the problem "audit_broken" at the first fault. */
MUST_CHECK enum store_result audit_verify(struct connection *c, struct problems *problems);

#endif
