/*
 * limit.h - how many connections an address holds, and how many requests a caller makes.
 *
 * Both tables have a fixed size, so no flood of addresses makes them grow. IPv6 callers are counted
 * by /64, the least that one customer is given.
 */
#ifndef HTTP_LIMIT_H
#define HTTP_LIMIT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* An IPv4 address, or the first 64 bits of an IPv6 one; IPv4-mapped ones count as IPv4. */
struct limit_address {
	uint64_t bits; /* never 0 */
};

/* The address by which a caller is counted. */
struct limit_address limit_address_of(const struct sockaddr *address);

/* Counts what is open, per address. */
struct connection_counts;

/* Room for LIMIT connections at once. */
struct connection_counts *connection_counts_create(size_t limit);

/* Counts one more for ADDRESS and returns how many it has now. At most LIMIT may be counted. */
int connection_counts_add(struct connection_counts *counts, struct limit_address address);

/* Takes one back that was added. */
void connection_counts_remove(struct connection_counts *counts, struct limit_address address);

/* NULL is fine. */
void connection_counts_destroy(struct connection_counts *counts);

/*
 * Token buckets: each caller may make PER_S requests a second on average, and those of WINDOW_S
 * seconds at once.
 */
#define RATE_WINDOW_S 10

struct rate_limit;

/* What a caller has left. */
struct rate_left {
	bool allowed;
	int quota;     /* requests per RATE_WINDOW_S */
	int remaining; /* whole requests that could be made now */
	int reset_s;   /* until the bucket is full again */
	int retry_s;   /* until the next request is allowed; 0 when it was */
};

/* PER_S > 0. */
struct rate_limit *rate_limit_create(double per_s);

/*
 * Takes one request from the bucket of CALLER (a key id or an address) at NOW_US of the monotonic
 * clock. Buckets that were not used for longest make room for new callers.
 */
struct rate_left rate_limit_take(struct rate_limit *limit, const char *caller, int64_t now_us);

/* NULL is fine. */
void rate_limit_destroy(struct rate_limit *limit);

#endif
