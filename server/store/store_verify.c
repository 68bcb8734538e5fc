/* store_verify.c - looks for damage: see store.h and verify.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store/audit.h"
#include "store/verify.h"

static void report(struct problems *problems, const char *code, const char *value,
                   struct text message)
{
	problem_add_text(problems, PROBLEM_ERROR, code, (struct place){0}, value, message);
}

static enum store_result verify_integrity(struct connection *c, struct problems *problems)
{
	struct query *q = query_start(c, "PRAGMA integrity_check");

	while (query_next(q)) {
		const char *line = query_text(q);

		if (strcmp(line, "ok") != 0)
			report(problems, "database_damaged", line,
			       TEXT("the database file is damaged", "数据库文件已损坏"));
	}
	return query_end(q);
}

static enum store_result verify_references(struct connection *c, struct problems *problems)
{
	struct query *q = query_start(
	    c, "SELECT \"table\" || ' ' || coalesce(rowid, '') FROM pragma_foreign_key_check");

	while (query_next(q))
		report(problems, "reference_broken", query_text(q),
		       TEXT("a row refers to something that is not there", "某行引用的内容不存在"));
	return query_end(q);
}

enum store_result verify_file(struct connection *c, struct problems *problems)
{
	enum store_result result = verify_integrity(c, problems);

	return result == STORE_OK ? verify_references(c, problems) : result;
}

/* A sheet's bytes against its hash, and that against the audit log. */
static enum store_result verify_sheets(struct connection *c, struct problems *problems)
{
	struct query *q =
	    query_start(c, "SELECT h.id, h.sha256, f.bytes, EXISTS (SELECT 1 FROM audit AS a"
	                   " WHERE a.subject = 'sheet/' || h.id AND a.action = 'sheet.add'"
	                   " AND a.after = lower(hex(h.sha256)))"
	                   " FROM sheets AS h LEFT JOIN sheet_files AS f ON f.sheet_id = h.id");

	while (query_next(q)) {
		char id[24];
		size_t size;

		snprintf(id, sizeof id, "%" PRId64, query_integer(q));
		struct sha256 hash = query_hash(q);
		const void *bytes = query_blob(q, &size);
		bool logged = query_integer(q) != 0;

		if (!logged || !sha256_equal(hash, sha256_of(bytes, size)))
			report(problems, "sheet_changed", id,
			       TEXT("an uploaded sheet differs from what was uploaded",
			            "报价单原件与上传时不一致"));
	}
	return query_end(q);
}

static enum store_result verify_offers(struct connection *c, struct problems *problems)
{
	struct query *q = query_start(
	    c, "SELECT h.id FROM sheets AS h LEFT JOIN (SELECT sheet_id, count(*) AS found,"
	       " min(id) AS first, max(id) AS last FROM offers GROUP BY sheet_id) AS o"
	       " ON o.sheet_id = h.id WHERE coalesce(o.found, 0) <> h.offer_count"
	       " OR (h.offer_count > 0 AND (o.first <> h.first_offer"
	       " OR o.last <> h.first_offer + h.offer_count - 1))");

	while (query_next(q))
		report(problems, "sheet_incomplete", query_text(q),
		       TEXT("offers of a sheet are missing", "报价单缺少报价行"));
	return query_end(q);
}

static enum store_result verify_all(struct connection *c, struct problems *problems)
{
	enum store_result result = verify_file(c, problems);

	if (result == STORE_OK)
		result = audit_verify(c, problems);
	if (result == STORE_OK)
		result = verify_sheets(c, problems);
	return result == STORE_OK ? verify_offers(c, problems) : result;
}

enum store_result store_verify(struct store *store, struct problems *problems)
{
	struct connection *c = store_read(store);

	return store_read_end(store, c, verify_all(c, problems));
}
