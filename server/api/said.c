/* said.c - see said.h. */
#include "api/said.h"

#include <string.h>

/* What decides the words. Cleared as a whole before it is filled, as it is compared as bytes. */
struct said_key {
	bool is_flag;
	int code;
	double x;
	double y;
	struct ratio numbers[3];
	const char *word;
};

struct said_entry {
	struct said_entry *next;
	struct said_key key;
	struct json_piece piece;
};

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static size_t bucket_of(const struct said_key *key)
{
	uint64_t hash = (uint64_t)key->code + bits_of(key->x) * 31 + bits_of(key->y) * 961 +
	                (uint64_t)key->numbers[0].num;

	return (hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SAID_BUCKETS;
}

static struct json_piece *find(struct said *said, const struct said_key *key)
{
	struct said_entry **first = &said->buckets[bucket_of(key)];

	for (struct said_entry *entry = *first; entry != NULL; entry = entry->next)
		if (memcmp(&entry->key, key, sizeof *key) == 0)
			return &entry->piece;
	struct said_entry *entry = arena_alloc(said->arena, sizeof *entry);

	memcpy(&entry->key, key, sizeof *key);
	entry->next = *first;
	*first = entry;
	return &entry->piece;
}

struct json_piece *said_of_note(struct said *said, const struct note *note)
{
	struct said_key key;

	memset(&key, 0, sizeof key);
	key.code = (int)note->code;
	key.x = note->x;
	key.y = note->y;
	key.word = note->word;
	return find(said, &key);
}

struct json_piece *said_of_flag(struct said *said, const struct cost_flag *flag)
{
	struct said_key key;

	memset(&key, 0, sizeof key);
	key.is_flag = true;
	key.code = (int)flag->code;
	key.numbers[0] = flag->x;
	key.numbers[1] = flag->y;
	key.numbers[2] = flag->z;
	key.word = flag->word;
	return find(said, &key);
}
