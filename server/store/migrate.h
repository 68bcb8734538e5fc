/*
 * migrate.h - brings the schema up to date.
 *
 * migrations/NNNN_name.sql are baked into the program and applied in order, each in a transaction
 * that also records its number and the SHA-256 of its text. They are append-only: a database that
 * was made by another text, or knows more than this program, is refused and left as it is.
 */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include "store/query.h"

#define STORE_APPLICATION_ID 0x53754a61 /* "SuJa" in the file's header: a database of ours */

/*
 * Checks what was applied to C's database and, on the connection that writes, applies the rest.
 * False after adding a problem; one of them is that C could not be opened.
 */
bool migrate(struct connection *c, struct problems *problems);

/*
 * The same check alone: that this is a database of ours, made by a prefix of our migrations.
 * APPLIED receives how many.
 */
bool migrations_check(struct connection *c, int *applied, struct problems *problems);

#endif
