/*
 * query.h - a connection to the database, and one statement being run on it.
 *
 * A query is started with its SQL (a string literal: statements are prepared once per connection
 * and found again by its address), gets its values put in order, gives its columns in order, and
 * is ended:
 *
 *	struct query *q = query_start(c, "SELECT name FROM suppliers WHERE id = ?");
 *	query_put_text(q, id);
 *	if (query_next(q))
 *		name = query_text(q);
 *	return query_end_one(q);
 *
 * Errors stick: after one, puts do nothing, query_next() says false, columns give 0 and NULL, and
 * the end tells the result. So only the end needs a look. What went wrong is logged there.
 *
 * Texts and blobs that are put are borrowed until the query ends.
 */
#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include <pthread.h>

#include <sqlite3.h>

#include "store/store.h"

struct query;

struct connection {
	sqlite3 *db; /* NULL when it could not be opened: every query then fails */
	bool writes; /* the one connection that writes: used by its own thread only */
	pthread_t owner;
	struct query **queries; /* prepared, newest last */
	size_t query_count;
	size_t query_capacity;
	struct connection *next; /* in the pool */
};

struct query {
	const char *sql;
	sqlite3_stmt *statement;
	struct connection *connection;
	struct arena *arena; /* where texts and blobs are copied to; NULL = they are borrowed */
	int put;             /* values put so far */
	int taken;           /* columns taken of this row */
	int rows;            /* rows seen so far */
	int error;           /* SQLite's extended code, or SQLITE_OK */
	bool open;
};

/*
 * Opens PATH: for reading only, or as the one connection that writes (then for the calling thread
 * alone). On failure DB is NULL and the reason is logged. connection_close() in both cases.
 */
void connection_open(struct connection *c, const char *path, bool writes);

/* Frees the prepared statements and closes. */
void connection_close(struct connection *c);

/* Runs SQL without values or rows: BEGIN, COMMIT, a migration's text. */
MUST_CHECK enum store_result connection_run(struct connection *c, const char *sql);

/* What an SQLite code means to a caller; logs what is not the caller's doing. */
enum store_result connection_result(struct connection *c, int code, const char *sql);

/* Starts SQL on C. Never NULL. The same SQL must not be running on C already (asserted). */
struct query *query_start(struct connection *c, const char *sql);

/* The same; texts and blobs of its rows are copied to ARENA instead of borrowed. */
struct query *query_start_into(struct connection *c, const char *sql, struct arena *arena);

/* Each gives the next value of the statement. */
void query_put_integer(struct query *q, int64_t value);
void query_put_real(struct query *q, double value);
void query_put_text(struct query *q, const char *text); /* NULL = NULL */
void query_put_blob(struct query *q, const void *bytes, size_t size);
void query_put_money(struct query *q, struct money amount);
void query_put_money_if(struct query *q, bool known, struct money amount); /* else NULL */
void query_put_date(struct query *q, struct date date);                    /* DATE_NONE = NULL */
void query_put_hash(struct query *q, const struct sha256 *hash);
void query_put_null(struct query *q);

/* Goes to the next row; false at the end or after an error. */
MUST_CHECK bool query_next(struct query *q);

/*
 * The same for a list that holds COUNT of at most LIMIT entries, where LIMIT + 1 were asked for:
 * false, too, at the one too many, and MORE says whether there is one.
 */
MUST_CHECK bool query_next_in_page(struct query *q, size_t count, int64_t limit, bool *more);

/* Each takes the next column of the row. Borrowed ones hold until query_next() or the end. */
int64_t query_integer(struct query *q);
int query_int(struct query *q);             /* an error where it does not fit an int32 */
int query_enum(struct query *q, int count); /* an error where it is not in [0, count) */
double query_real(struct query *q);
const char *query_text(struct query *q);               /* NULL for NULL */
void query_code(struct query *q, char code[static 4]); /* a currency; an error where longer */
const void *query_blob(struct query *q, size_t *size);
struct money query_money(struct query *q);
struct date query_date(struct query *q);   /* DATE_NONE for NULL */
struct sha256 query_hash(struct query *q); /* an error where it is not 32 bytes */
bool query_is_null(const struct query *q); /* of the column that is next; takes nothing */
void query_skip(struct query *q);
void query_untake(struct query *q); /* back to the first column of the row */

/* Ends the query. STORE_OK unless something failed. */
MUST_CHECK enum store_result query_end(struct query *q);

/* Ends a query for one thing: STORE_NOT_FOUND when no row was seen. */
MUST_CHECK enum store_result query_end_one(struct query *q);

/* Runs a statement that gives no rows, to its end. */
MUST_CHECK enum store_result query_run(struct query *q);

/*
 * Hashes the current row, all its columns, each as "length:bytes" in text form ("-" for NULL), into
 * HEX: the before and after of the audit log.
 */
void query_row_hash(const struct query *q, char hex[static SHA256_HEX_SIZE]);

#endif
