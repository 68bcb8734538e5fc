/* entries.c - see entries.h. */
#include "api/entries.h"

#include <string.h>

#include "api/auth.h"
#include "api/catalogue_load.h"
#include "market/catalogue.h"

static const char *id_of(const void *entry)
{
	return *(const char *const *)entry;
}

static bool is_visible(const struct request *rq, const struct entry_kind *kind, const void *entry)
{
	return kind->owner == NULL || caller_owns(rq, kind->owner(entry));
}

const void *entry_find(const struct entry_kind *kind, const struct catalogue *catalogue,
                       const char *id)
{
	size_t count;
	const char *entry = kind->all(catalogue, &count);

	for (size_t i = 0; i < count; i++, entry += kind->size)
		if (strcmp(id_of(entry), id) == 0)
			return entry;
	return NULL;
}

struct answer *entries_page(struct request *rq, const struct entry_kind *kind,
                            struct page_walk *walk, const void *entries, size_t count)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	const char *entry = entries;

	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < count; i++, entry += kind->size)
		if (is_visible(rq, kind, entry) && page_takes(walk, id_of(entry)))
			kind->write(&out, entry);
	out_end(&out);
	return page_answer(rq, &out, walk->more ? page_next(rq, walk->last) : NULL);
}

struct answer *entries_list(struct request *rq, const struct entry_kind *kind)
{
	struct problems problems;
	size_t count;

	problems_init(&problems, rq->arena);
	struct page_walk walk = {.page = page_read(rq, PAGE_KEY_TEXT, NULL, 0, &problems)};

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	struct catalogue *catalogue = reply_catalogue(rq);
	const void *entries = kind->all(catalogue, &count);
	struct answer *answer = entries_page(rq, kind, &walk, entries, count);

	catalogue_release(catalogue);
	return answer;
}

struct answer *entry_answer(struct request *rq, const struct entry_kind *kind, int status,
                            const void *entry)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	kind->write(&out, entry);
	return reply_tagged(rq, status, &body);
}

struct answer *entry_get(struct request *rq, const struct entry_kind *kind)
{
	struct answer *refusal = reply_unwanted_query(rq);

	if (refusal != NULL)
		return refusal;
	struct catalogue *catalogue = reply_catalogue(rq);
	const void *entry = entry_find(kind, catalogue, rq->params[0]);
	bool seen = entry != NULL && is_visible(rq, kind, entry);
	struct answer *answer = seen ? entry_answer(rq, kind, 200, entry) : reply_not_found(rq);

	catalogue_release(catalogue);
	return answer;
}

struct answer *entry_precondition(struct request *rq, const struct entry_kind *kind,
                                  const void *current)
{
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	char version[VERSION_SIZE];

	if (current == NULL)
		return reply_precondition(rq, NULL);
	kind->write(&out, current);
	reply_version(body.bytes, body.size, version);
	buf_finish(&body);
	return reply_precondition(rq, version);
}

struct answer *entry_stored(struct request *rq, const struct entry_kind *kind, const void *entry,
                            bool existed, enum store_result result)
{
	if (result != STORE_OK)
		return reply_put_failed(rq, result);
	catalogue_reload(app_of(rq));
	return entry_answer(rq, kind, existed ? 200 : 201, entry);
}
