/* audit.c - GET /audit: who changed what, each row bound to the one before by its hash. */
#include "api/reply.h"
#include "api/resources.h"

static void write_row(struct json_write *out, const struct audit_row *row)
{
	char hash[SHA256_HEX_SIZE];

	sha256_hex(row->hash, hash);
	out_object(out, NULL);
	out_integer(out, "id", row->id);
	out_moment(out, "at", row->at_us);
	out_string(out, "key_id", row->key_id);
	out_string(out, "request_id", row->request_id);
	out_string(out, "action", row->action);
	out_string(out, "subject", row->subject);
	out_string(out, "before", row->before);
	out_string(out, "after", row->after);
	out_string(out, "hash", hash);
	out_end(out);
}

/* 200, 304, 400. */
struct answer *get_audit(struct request *rq)
{
	struct problems problems;
	struct audit_rows rows;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page page = page_read(rq, PAGE_KEY_NUMBER, NULL, 0, &problems);

	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result result =
	    store_audit_list(app_of(rq)->store, rq->arena, page.after_id, page.limit, &rows);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < rows.count; i++)
		write_row(&out, &rows.items[i]);
	out_end(&out);
	return page_answer(rq, &out,
	                   page_next_id(rq, rows.more ? rows.items[rows.count - 1].id : 0));
}
