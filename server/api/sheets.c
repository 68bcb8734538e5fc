/*
 * sheets.c - uploads of price sheets, and what became of them.
 *
 * An upload is read against the current catalogue, compared with the supplier's current offers, and
 * stored whole or not at all (accept=partial: without the rows that are errors). It answers after
 * it is on disk and its offers are in the catalogue that the next request sees.
 */
#include <inttypes.h>
#include <string.h>

#include "api/auth.h"
#include "api/catalogue_load.h"
#include "api/once.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/sheet_keep.h"
#include "api/sheet_problems.h"
#include "api/sheet_write.h"
#include "api/table.h"
#include "api/upload_name.h"
#include "base/arena.h"
#include "market/catalogue.h"
#include "sheet/sheet.h"

struct upload {
	struct request *rq;
	const struct supplier *supplier;
	struct catalogue *catalogue; /* held until the answer is written */
	const char *filename;
	struct sheet_options options;
	bool dry_run;
	bool partial;
	struct sheet sheet;
	struct sheet_difference difference;
};

/* ---- reading the request ---- */

static void read_flag(struct upload *upload, const char *name, const char *off, const char *on,
                      bool *value, struct problems *problems)
{
	const char *given = request_query(upload->rq, name);

	if (given == NULL)
		return;
	*value = strcmp(given, on) == 0;
	if (!*value && strcmp(given, off) != 0)
		problem_add(problems, PROBLEM_ERROR, "parameter_invalid",
		            (struct place){.pointer = name}, given, "%s or %s is wanted",
		            "应为 %s 或 %s", on, off);
}

static void read_parameters(struct upload *upload, struct problems *problems)
{
	static const char *const names[] = {"dry_run", "accept", "filename", "hours_per_month"};
	bool long_month = false;

	request_query_only(upload->rq, names, 4, problems);
	read_flag(upload, "dry_run", "0", "1", &upload->dry_run, problems);
	read_flag(upload, "accept", "all", "partial", &upload->partial, problems);
	read_flag(upload, "hours_per_month", "720", "730", &long_month, problems);
	upload->filename = upload_name(upload->rq, problems);
	upload->options = (struct sheet_options){
	    .cards = &catalogue_reference_of(upload->catalogue)->base.cards,
	    .hours_per_month = long_month ? 730 : 720,
	    .today = date_in_shanghai(upload->rq->now_us / 1000000),
	};
}

static struct sheet_bytes bytes_of(const struct upload *upload)
{
	return (struct sheet_bytes){
	    .bytes = upload->rq->body,
	    .size = upload->rq->body_size,
	    .filename = upload->filename,
	    .media_type = request_header(upload->rq, "content-type"),
	};
}

static void read_sheet(struct upload *upload)
{
	struct request *rq = upload->rq;
	struct sheet_bytes bytes = bytes_of(upload);

	sheet_take(rq->arena, upload->supplier, &bytes, &upload->options, &upload->sheet);
	upload->difference =
	    sheet_compare(rq->arena, upload->catalogue, upload->supplier, &upload->sheet);
}

/* ---- answering ---- */

/* Not where a later upload of the supplier was kept before it. */
static bool is_current(struct request *rq, int64_t id)
{
	struct stored_sheet sheet;

	return id != 0 && store_sheet_get(app_of(rq)->store, rq->arena, id, &sheet) == STORE_OK &&
	       sheet.status == SHEET_CURRENT;
}

static struct answer *answer_upload(struct upload *upload, int64_t id)
{
	struct request *rq = upload->rq;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	struct sheet_bytes bytes = bytes_of(upload);

	sheet_write_upload(&out,
	                   &(struct sheet_upload){.id = id,
	                                          .current = is_current(rq, id),
	                                          .supplier = upload->supplier->id,
	                                          .bytes = &bytes,
	                                          .sheet = &upload->sheet,
	                                          .difference = &upload->difference},
	                   rq->lang);
	if (id == 0)
		return answer_json(rq, 200, &body);
	return answer_header(answer_json(rq, 201, &body), "Location",
	                     arena_printf(rq->arena, "/sheets/%" PRId64, id));
}

static struct answer *refuse(struct upload *upload)
{
	const struct problems *problems = &upload->sheet.problems;
	struct text detail =
	    problems->errors == 0
		? TEXT("nothing to sell was found in it; nothing was stored",
	               "未读到任何报价，未保存")
		: text_printf(upload->rq->arena,
	                      "nothing was stored: %zu thing(s) must be put right (or "
	                      "accept=partial leaves those rows out)",
	                      "未保存：有 %zu 处须改正（或用 accept=partial 略去这些行）",
	                      problems->errors);

	return answer_problems(upload->rq, 422, "sheet_refused", detail, problems);
}

static struct answer *store_upload(struct upload *upload)
{
	struct request *rq = upload->rq;
	struct store_actor actor = reply_actor(rq);
	struct once_use once;
	int64_t id = 0;
	struct answer *early = once_begin(rq, &actor, &once);

	if (early != NULL)
		return early;
	struct sheet_bytes bytes = bytes_of(upload);
	enum store_result result = sheet_keep(app_of(rq)->store, &actor, upload->supplier, &bytes,
	                                      &upload->sheet, rq->arena, &id);

	if (result != STORE_OK)
		return once_end(rq, &once, reply_store_failed(rq, result));
	catalogue_reload(app_of(rq));
	return once_end(rq, &once, answer_upload(upload, id));
}

/* A file wrapped in a form is not unwrapped: the bytes are the sheet. */
static struct answer *refuse_form(struct request *rq)
{
	return answer_problem(
	    rq, 415, "unsupported_media_type",
	    "the file came wrapped in a form (multipart); send its bytes as they are, e.g. "
	    "curl --data-binary @prices.xlsx, not curl -F file=@prices.xlsx",
	    "文件被包在表单（multipart）里；请直接发送文件内容，例如 "
	    "curl --data-binary @报价单.xlsx，而不是 curl -F file=@报价单.xlsx");
}

static struct answer *take(struct upload *upload)
{
	struct problems problems;

	problems_init(&problems, upload->rq->arena);
	upload->supplier = caller_owns(upload->rq, upload->rq->params[0])
	                       ? catalogue_supplier(upload->catalogue, upload->rq->params[0])
	                       : NULL;
	if (upload->supplier == NULL)
		return reply_not_found(upload->rq);
	read_parameters(upload, &problems);
	if (problems.errors > 0)
		return reply_invalid(upload->rq, &problems);
	if (request_is(upload->rq, "multipart/form-data"))
		return refuse_form(upload->rq);
	read_sheet(upload);
	if (upload->dry_run)
		return answer_upload(upload, 0);
	if (upload->sheet.accepted || (upload->partial && upload->sheet.offer_count > 0))
		return store_upload(upload);
	return refuse(upload);
}

/* 200 for a dry run, 201, 400, 404, 409, 415, 422. */
struct answer *post_sheet(struct request *rq)
{
	struct upload upload = {.rq = rq, .catalogue = reply_catalogue(rq)};
	struct answer *answer = take(&upload);

	catalogue_release(upload.catalogue);
	return answer;
}

/* ---- what is kept ---- */

static void write_members(struct json_write *out, const struct stored_sheet *sheet)
{
	char hash[SHA256_HEX_SIZE];

	sha256_hex(sheet->hash, hash);
	out_integer(out, "id", sheet->id);
	out_string(out, "supplier", sheet->supplier);
	out_integer(out, "revision", sheet->revision);
	out_string(out, "status", sheet_status_names[sheet->status]);
	out_string(out, "filename", sheet->filename);
	out_string(out, "sha256", hash);
	out_integer(out, "bytes", sheet->size);
	out_string(out, "format", sheet->format);
	out_string(out, "encoding", sheet->encoding);
	out_integer(out, "offer_count", sheet->offer_count);
	out_integer(out, "errors", sheet->errors);
	out_integer(out, "warnings", sheet->warnings);
	out_integer(out, "skipped", sheet->skipped);
	out_moment(out, "uploaded", sheet->uploaded_us);
	out_string(out, "uploaded_by", sheet->key_id);
	out_moment(out, "ended", sheet->ended_us);
}

/* 200, 304, 400, 404. */
struct answer *get_sheets(struct request *rq)
{
	struct problems problems;
	struct stored_sheets sheets;
	struct stored_supplier supplier;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);

	problems_init(&problems, rq->arena);
	struct page page = page_read(rq, PAGE_KEY_NUMBER, NULL, 0, &problems);
	struct sheet_query query = {
	    .supplier = rq->params[0], .after = page.after_id, .limit = page.limit};

	if (!caller_owns(rq, rq->params[0]))
		return reply_not_found(rq);
	if (problems.errors > 0)
		return reply_invalid(rq, &problems);
	enum store_result result =
	    store_supplier_get(app_of(rq)->store, rq->arena, query.supplier, &supplier);

	if (result == STORE_OK)
		result = store_sheets_list(app_of(rq)->store, rq->arena, &query, &sheets);
	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	out_array(&out, "items");
	for (size_t i = 0; i < sheets.count; i++) {
		out_object(&out, NULL);
		write_members(&out, &sheets.items[i]);
		out_end(&out);
	}
	out_end(&out);
	return page_answer(rq, &out,
	                   page_next_id(rq, sheets.more ? sheets.items[sheets.count - 1].id : 0));
}

/* The sheet in the path, if the caller may see it; NULL with the ANSWER to give otherwise. */
static const struct stored_sheet *find_sheet(struct request *rq, struct answer **answer)
{
	struct stored_sheet *sheet = arena_new(rq->arena, struct stored_sheet);
	enum store_result result =
	    store_sheet_get(app_of(rq)->store, rq->arena, reply_param_id(rq), sheet);

	if (result == STORE_OK && !caller_owns(rq, sheet->supplier))
		result = STORE_NOT_FOUND;
	*answer = result == STORE_OK ? reply_unwanted_query(rq) : reply_store_failed(rq, result);
	return *answer == NULL ? sheet : NULL;
}

static struct answer *write_sheet(struct request *rq, const struct stored_sheet *sheet)
{
	const char *problems;
	const char *tables;
	struct buf body = {0};
	struct json_write out = json_write_to(&body);
	enum store_result result =
	    store_sheet_reading(app_of(rq)->store, rq->arena, sheet->id, &problems, &tables);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	out_object(&out, NULL);
	write_members(&out, sheet);
	sheet_problems_write(&out, "problems", rq->arena, problems, rq->lang);
	out_end(&out);
	return reply_tagged(rq, 200, &body);
}

/* 200, 304, 400, 404. */
struct answer *get_sheet(struct request *rq)
{
	struct answer *answer;
	const struct stored_sheet *sheet = find_sheet(rq, &answer);

	return sheet == NULL ? answer : write_sheet(rq, sheet);
}

/* 200, 304, 400, 404. The bytes are served as bytes, whatever their sender called them. */
struct answer *get_original(struct request *rq)
{
	struct answer *answer;
	const void *bytes;
	size_t size;
	char version[SHA256_HEX_SIZE];
	const struct stored_sheet *sheet = find_sheet(rq, &answer);

	if (sheet == NULL)
		return answer;
	enum store_result result =
	    store_sheet_original(app_of(rq)->store, rq->arena, sheet->id, &bytes, &size);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	sha256_hex(sheet->hash, version);
	answer = answer_constant(rq, 200, "application/octet-stream", bytes, size);
	answer_header(answer, "Content-Disposition",
	              upload_disposition(rq->arena, sheet->filename, sheet->id, sheet->format));
	return answer_etag(rq, answer, version);
}

/* 200, 304, 400, 404. */
struct answer *get_problems(struct request *rq)
{
	struct answer *answer;
	const char *problems;
	const char *tables;
	struct buf body = {0};
	const struct stored_sheet *sheet = find_sheet(rq, &answer);

	if (sheet == NULL)
		return answer;
	enum store_result result =
	    store_sheet_reading(app_of(rq)->store, rq->arena, sheet->id, &problems, &tables);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	sheet_problems_csv(&body, rq->arena, problems, rq->lang);
	answer = reply_tagged_bytes(rq, "text/csv; charset=utf-8", &body);
	return answer_header(answer, "Content-Disposition",
	                     "attachment; filename=\"problems.csv\"");
}

/* Whether If-Match, where given, names the sheet as it is; a sheet changes only by ending. */
static struct answer *check_version(struct request *rq, const struct stored_sheet *sheet)
{
	if (request_header(rq, "if-match") == NULL)
		return NULL;
	struct answer *shown = write_sheet(rq, sheet);
	size_t size;
	const char *bytes = answer_body(shown, &size);
	char version[VERSION_SIZE];

	if (answer_status(shown) != 200)
		return shown;
	reply_version(bytes, size, version);
	return reply_precondition(rq, version);
}

/* 204, 400, 404, 409 when it is withdrawn already, 412. */
struct answer *delete_sheet(struct request *rq)
{
	struct store_actor actor = reply_actor(rq);
	struct answer *answer;
	const struct stored_sheet *sheet = find_sheet(rq, &answer);

	if (sheet == NULL)
		return answer;
	answer = check_version(rq, sheet);
	if (answer != NULL)
		return answer;
	enum store_result result = store_sheet_withdraw(app_of(rq)->store, &actor, sheet->id);

	if (result != STORE_OK)
		return reply_store_failed(rq, result);
	catalogue_reload(app_of(rq));
	return answer_empty(rq, 204);
}

static struct answer *answer_template(struct request *rq, bool workbook)
{
	struct answer *refusal = reply_unwanted_query(rq);
	struct buf body = {0};

	if (refusal != NULL)
		return refusal;
	if (!workbook)
		sheet_template_csv(&body, rq->lang);
	else if (!sheet_template_xlsx(&body, rq->lang))
		return answer_problem(rq, 500, "workbook_failed",
		                      "the workbook could not be made; there is a CSV too",
		                      "无法生成工作簿；可改用 CSV 模板");
	struct answer *answer =
	    reply_tagged_bytes(rq, workbook ? XLSX_TYPE : "text/csv; charset=utf-8", &body);

	return answer_header(answer, "Content-Disposition",
	                     workbook ? "attachment; filename=\"suanjia-template.xlsx\""
	                              : "attachment; filename=\"suanjia-template.csv\"");
}

/* 200, 304, 400. */
struct answer *get_template_csv(struct request *rq)
{
	return answer_template(rq, false);
}

/* 200, 304, 400. */
struct answer *get_template_xlsx(struct request *rq)
{
	return answer_template(rq, true);
}
