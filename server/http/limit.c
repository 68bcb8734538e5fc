/* limit.c - see limit.h. */
#include "http/limit.h"

#include <assert.h>
#include <math.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BUCKETS 8192 /* a power of two, a multiple of WAYS */
#define WAYS 8

struct limit_address limit_address_of(const struct sockaddr *address)
{
	uint64_t bits = 1;

	if (address->sa_family == AF_INET) {
		const struct sockaddr_in *v4 = (const void *)address;

		bits = UINT64_C(0xFFFF00000000) | ntohl(v4->sin_addr.s_addr);
	} else if (address->sa_family == AF_INET6) {
		const struct in6_addr *v6 =
		    &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
		int from = IN6_IS_ADDR_V4MAPPED(v6) ? 8 : 0;

		bits = 0;
		for (int i = from; i < from + 8; i++)
			bits = bits << 8 | v6->s6_addr[i];
	}
	return (struct limit_address){bits == 0 ? 1 : bits};
}

/* A hash that a stranger cannot steer, since SEED is random (splitmix64's finaliser). */
static uint64_t mix(uint64_t value, uint64_t seed)
{
	value += seed;
	value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
	return value ^ (value >> 31);
}

static uint64_t random_seed(void)
{
	uint64_t seed = 0;

	if (RAND_bytes((unsigned char *)&seed, sizeof seed) != 1)
		alloc_fail(sizeof seed);
	return seed;
}

/* Open addressing with linear probing; a slot with bits == 0 is free. */
struct count {
	uint64_t bits;
	int open;
};

struct connection_counts {
	pthread_mutex_t lock;
	uint64_t seed;
	size_t mask;
	struct count *slots;
};

struct connection_counts *connection_counts_create(size_t limit)
{
	struct connection_counts *counts = alloc_zeroed(1, sizeof *counts);
	size_t size = 16;

	while (size < limit * 2)
		size *= 2;
	pthread_mutex_init(&counts->lock, NULL);
	counts->seed = random_seed();
	counts->mask = size - 1;
	counts->slots = alloc_zeroed(size, sizeof *counts->slots);
	return counts;
}

static size_t home_of(const struct connection_counts *counts, uint64_t bits)
{
	return mix(bits, counts->seed) & counts->mask;
}

/* The slot that holds BITS, or the free one where it would go. */
static size_t slot_of(const struct connection_counts *counts, uint64_t bits)
{
	size_t at = home_of(counts, bits);

	while (counts->slots[at].bits != 0 && counts->slots[at].bits != bits)
		at = (at + 1) & counts->mask;
	return at;
}

int connection_counts_add(struct connection_counts *counts, struct limit_address address)
{
	pthread_mutex_lock(&counts->lock);
	struct count *slot = &counts->slots[slot_of(counts, address.bits)];

	slot->bits = address.bits;
	int open = ++slot->open;

	pthread_mutex_unlock(&counts->lock);
	return open;
}

/* Frees slot HOLE and moves back what probing would no longer find behind it. */
static void free_slot(struct connection_counts *counts, size_t hole)
{
	size_t at = hole;

	counts->slots[hole] = (struct count){0};
	for (;;) {
		at = (at + 1) & counts->mask;
		if (counts->slots[at].bits == 0)
			return;
		size_t home = home_of(counts, counts->slots[at].bits);

		if (((at - home) & counts->mask) < ((at - hole) & counts->mask))
			continue;
		counts->slots[hole] = counts->slots[at];
		counts->slots[at] = (struct count){0};
		hole = at;
	}
}

void connection_counts_remove(struct connection_counts *counts, struct limit_address address)
{
	pthread_mutex_lock(&counts->lock);
	size_t at = slot_of(counts, address.bits);

	assert(counts->slots[at].open > 0);
	if (--counts->slots[at].open == 0)
		free_slot(counts, at);
	pthread_mutex_unlock(&counts->lock);
}

void connection_counts_destroy(struct connection_counts *counts)
{
	if (counts == NULL)
		return;
	pthread_mutex_destroy(&counts->lock);
	free(counts->slots);
	free(counts);
}

struct bucket {
	uint64_t caller; /* hash; 0 = free */
	double tokens;
	int64_t seen_us;
};

struct rate_limit {
	pthread_mutex_t lock;
	uint64_t seed;
	double per_s;
	struct bucket buckets[BUCKETS];
};

struct rate_limit *rate_limit_create(double per_s)
{
	struct rate_limit *limit = alloc_zeroed(1, sizeof *limit);

	assert(per_s > 0);
	pthread_mutex_init(&limit->lock, NULL);
	limit->seed = random_seed();
	limit->per_s = per_s;
	return limit;
}

static uint64_t hash_caller(const struct rate_limit *limit, const char *caller)
{
	uint64_t hash = limit->seed;

	for (; *caller != '\0'; caller++)
		hash = mix(hash ^ (unsigned char)*caller, limit->seed);
	return hash == 0 ? 1 : hash;
}

static double burst_of(const struct rate_limit *limit)
{
	double burst = floor(limit->per_s * RATE_WINDOW_S);

	return burst < 1 ? 1 : burst;
}

/* The bucket of CALLER, filled up to NOW_US; a new caller takes the one unused for longest. */
static struct bucket *bucket_of(struct rate_limit *limit, uint64_t caller, int64_t now_us)
{
	struct bucket *set = &limit->buckets[caller % (BUCKETS / WAYS) * WAYS];
	struct bucket *oldest = set;
	double burst = burst_of(limit);

	for (int i = 0; i < WAYS; i++) {
		if (set[i].caller == caller) {
			double earned = (double)(now_us - set[i].seen_us) / 1e6 * limit->per_s;

			set[i].tokens = fmin(burst, set[i].tokens + fmax(0, earned));
			set[i].seen_us = now_us;
			return &set[i];
		}
		if (set[i].seen_us < oldest->seen_us)
			oldest = &set[i];
	}
	*oldest = (struct bucket){caller, burst, now_us};
	return oldest;
}

struct rate_left rate_limit_take(struct rate_limit *limit, const char *caller, int64_t now_us)
{
	double burst = burst_of(limit);
	struct rate_left left = {.quota = (int)burst};

	pthread_mutex_lock(&limit->lock);
	struct bucket *bucket = bucket_of(limit, hash_caller(limit, caller), now_us);

	left.allowed = bucket->tokens >= 1;
	if (left.allowed)
		bucket->tokens -= 1;
	double tokens = bucket->tokens;

	pthread_mutex_unlock(&limit->lock);
	left.remaining = (int)tokens;
	left.reset_s = (int)ceil((burst - tokens) / limit->per_s);
	if (!left.allowed)
		left.retry_s = (int)fmax(1, ceil((1 - tokens) / limit->per_s));
	return left;
}

void rate_limit_destroy(struct rate_limit *limit)
{
	if (limit == NULL)
		return;
	pthread_mutex_destroy(&limit->lock);
	free(limit);
}
