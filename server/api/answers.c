/* answers.c - see answers.h. */
#include "api/answers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ANSWERS_MAX 256
#define ASKED_ONCE 1024

struct kept {
	uint64_t hash;
	struct answer_key key; /* its body is this one's own ... */
	char *bytes;           /* ... and stands here, with the answer after it */
	size_t answer_size;
	uint64_t used; /* the higher, the later */
};

struct answers {
	pthread_mutex_t lock;
	struct kept kept[ANSWERS_MAX];
	int count;
	size_t room;
	size_t bytes;
	uint64_t uses;
	int64_t newest;             /* revision that was seen */
	uint64_t asked[ASKED_ONCE]; /* hashes of requests of late, by hash; 0 = none */
};

struct answers *answers_create(size_t bytes)
{
	struct answers *answers = alloc_zeroed(1, sizeof *answers);

	pthread_mutex_init(&answers->lock, NULL);
	answers->room = bytes;
	return answers;
}

static size_t bytes_of(const struct kept *kept)
{
	return kept->key.size + kept->answer_size;
}

static void forget(struct answers *answers, int at)
{
	answers->bytes -= bytes_of(&answers->kept[at]);
	free(answers->kept[at].bytes);
	answers->kept[at] = answers->kept[--answers->count];
}

void answers_destroy(struct answers *answers)
{
	if (answers == NULL)
		return;
	while (answers->count > 0)
		forget(answers, 0);
	pthread_mutex_destroy(&answers->lock);
	free(answers);
}

/* Of the request's bytes (FNV-1a): it only saves comparisons. */
static uint64_t hash_of(const struct answer_key *key)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < key->size; i++)
		hash = (hash ^ (unsigned char)key->body[i]) * 1099511628211u;
	return hash;
}

static bool is_same(const struct answer_key *a, const struct answer_key *b)
{
	return a->revision == b->revision && a->today.days == b->today.days && a->lang == b->lang &&
	       a->size == b->size && memcmp(a->body, b->body, a->size) == 0;
}

static struct kept *find(struct answers *answers, const struct answer_key *key, uint64_t hash)
{
	for (int i = 0; i < answers->count; i++)
		if (answers->kept[i].hash == hash && is_same(&answers->kept[i].key, key))
			return &answers->kept[i];
	return NULL;
}

bool answers_find(struct answers *answers, const struct answer_key *key, struct buf *out)
{
	if (answers == NULL)
		return false;
	uint64_t hash = hash_of(key);

	pthread_mutex_lock(&answers->lock);
	struct kept *kept = find(answers, key, hash);

	if (kept != NULL) {
		kept->used = ++answers->uses;
		buf_put(out, kept->bytes + kept->key.size, kept->answer_size);
	}
	pthread_mutex_unlock(&answers->lock);
	return kept != NULL;
}

static int oldest(const struct answers *answers)
{
	int at = 0;

	for (int i = 1; i < answers->count; i++)
		if (answers->kept[i].used < answers->kept[at].used)
			at = i;
	return at;
}

/* Forgets what older revisions left, and the oldest until there is room for BYTES more. */
static void make_room(struct answers *answers, int64_t revision, size_t bytes)
{
	if (revision > answers->newest)
		while (answers->count > 0)
			forget(answers, 0);
	if (revision > answers->newest)
		answers->newest = revision;
	while (answers->count == ANSWERS_MAX ||
	       (answers->count > 0 && answers->bytes + bytes > answers->room))
		forget(answers, oldest(answers));
}

/* Whether a request with HASH was answered of late; from now on it was. */
static bool was_asked(struct answers *answers, uint64_t hash)
{
	uint64_t *at = &answers->asked[hash % ASKED_ONCE];

	pthread_mutex_lock(&answers->lock);
	bool was = *at == hash;

	*at = hash;
	pthread_mutex_unlock(&answers->lock);
	return was;
}

void answers_keep(struct answers *answers, const struct answer_key *key, const struct buf *answer)
{
	size_t bytes = key->size + answer->size;

	if (answers == NULL || bytes > answers->room / 8)
		return;
	struct kept kept = {.hash = hash_of(key), .key = *key, .answer_size = answer->size};

	if (!was_asked(answers, kept.hash))
		return;
	kept.bytes = alloc_resize(NULL, bytes + 1);
	memcpy(kept.bytes, key->body, key->size);
	memcpy(kept.bytes + key->size, answer->bytes, answer->size);
	kept.key.body = kept.bytes;
	pthread_mutex_lock(&answers->lock);
	bool is_wanted = key->revision >= answers->newest && find(answers, key, kept.hash) == NULL;

	if (is_wanted) {
		make_room(answers, key->revision, bytes);
		kept.used = ++answers->uses;
		answers->kept[answers->count++] = kept;
		answers->bytes += bytes;
	}
	pthread_mutex_unlock(&answers->lock);
	if (!is_wanted)
		free(kept.bytes);
}
