/* json_sheet.c - see json_sheet.h. */
#include "sheet/json_sheet.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/finish.h"
#include "sheet/json_object.h"
#include "sheet/json_parts.h"
#include "sheet/limits.h"
#include "sheet/norm.h"

/* What a member is and where it goes. */
enum member_kind {
	MEMBER_TEXT,     /* const char * */
	MEMBER_COUNT,    /* int */
	MEMBER_DATE,     /* struct date */
	MEMBER_DOUBLE,   /* double */
	MEMBER_MILLI,    /* int32_t, value x 10^3 */
	MEMBER_PPM,      /* int32_t, value x 10^6 */
	MEMBER_WATTS,    /* int64_t, value x 10^3 */
	MEMBER_MINUTES,  /* int, value x 60 */
	MEMBER_YES_NO,   /* enum yes_no */
	MEMBER_NAME,     /* an enum, by NAMES */
	MEMBER_ELSEWHERE /* read by hand, or written by us and ignored */
};

struct member {
	const char *name;
	enum member_kind kind;
	size_t offset;
	const char *const *names;
	int count;
};

#define AT(member) offsetof(struct offer, member)

static const struct member offer_members[] = {
    {"kind", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"card", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"city", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"line", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"prices", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"sheet", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"city_name", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"row", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"understood", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"id", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"supplier", MEMBER_ELSEWHERE, 0, NULL, 0},
    {"title", MEMBER_TEXT, AT(title), NULL, 0},
    {"site", MEMBER_TEXT, AT(site), NULL, 0},
    {"power_tier", MEMBER_TEXT, AT(power_tier), NULL, 0},
    {"service_tier", MEMBER_TEXT, AT(service_tier), NULL, 0},
    {"licences", MEMBER_TEXT, AT(licences), NULL, 0},
    {"note", MEMBER_TEXT, AT(note), NULL, 0},
    {"cards_per_server", MEMBER_COUNT, AT(cards_per_server), NULL, 0},
    {"servers_available", MEMBER_COUNT, AT(servers_available), NULL, 0},
    {"cabinet_u", MEMBER_COUNT, AT(cabinet_u), NULL, 0},
    {"mbps_included", MEMBER_COUNT, AT(mbps_included), NULL, 0},
    {"ips_included", MEMBER_COUNT, AT(ips_included), NULL, 0},
    {"min_term_months", MEMBER_COUNT, AT(min_term_months), NULL, 0},
    {"card_age_months", MEMBER_COUNT, AT(card_age_months), NULL, 0},
    {"inter_gbps", MEMBER_DOUBLE, AT(inter_gbps), NULL, 0},
    {"cabinet_kw", MEMBER_WATTS, AT(cabinet_watts), NULL, 0},
    {"availability", MEMBER_PPM, AT(availability_ppm), NULL, 0},
    {"pue", MEMBER_MILLI, AT(pue_milli), NULL, 0},
    {"replacement_hours", MEMBER_MINUTES, AT(replacement_minutes), NULL, 0},
    {"support_24x7", MEMBER_YES_NO, AT(support_24x7), NULL, 0},
    {"new_cards", MEMBER_YES_NO, AT(new_cards), NULL, 0},
    {"valid_from", MEMBER_DATE, AT(valid_from), NULL, 0},
    {"valid_to", MEMBER_DATE, AT(valid_to), NULL, 0},
    {"observed_on", MEMBER_DATE, AT(observed_on), NULL, 0},
    {"delivery", MEMBER_NAME, AT(delivery), delivery_names, DELIVERY_COUNT},
    {"intra_link", MEMBER_NAME, AT(intra_link), intra_link_names, INTRA_LINK_COUNT},
    {"inter_link", MEMBER_NAME, AT(inter_link), inter_link_names, INTER_LINK_COUNT},
    {"power_billing", MEMBER_NAME, AT(power_billing), power_billing_names, POWER_BILLING_COUNT},
};
#define OFFER_MEMBERS (sizeof offer_members / sizeof *offer_members)

static bool store_number(const char *text, enum member_kind kind, void *at)
{
	struct ratio ratio;
	int64_t value = 0;
	int decimals = kind == MEMBER_PPM                             ? 6
	               : kind == MEMBER_MILLI || kind == MEMBER_WATTS ? 3
	                                                              : 0;

	if (kind == MEMBER_MINUTES) {
		if (!ratio_parse(text, &ratio) || !ratio_multiply(ratio, ratio_of(60), &ratio) ||
		    !ratio_round(ratio, 0, &value) || value < 0 || value > 1000000)
			return false;
		*(int *)at = (int)value;
		return true;
	}
	if (kind == MEMBER_DOUBLE) {
		if (!ratio_parse(text, &ratio) || ratio_compare(ratio, ratio_of(0)) < 0)
			return false;
		*(double *)at = ratio_to_double(ratio);
		return true;
	}
	if (!text_scaled(text, decimals, kind == MEMBER_PPM ? 1000000 : 1000000000, &value))
		return false;
	if (kind == MEMBER_WATTS)
		*(int64_t *)at = value;
	else
		*(int32_t *)at = (int32_t)value;
	return true;
}

static void read_yes_no(const struct object *in, const struct member *member, void *at)
{
	const json_t *json = json_object_get(in->json, member->name);

	if (json == NULL || json_is_null(json))
		return;
	if (json_is_boolean(json))
		*(enum yes_no *)at = json_is_true(json) ? YES_NO_YES : YES_NO_NO;
	else
		object_bad_value(in, member->name, NULL,
		                 TEXT("true or false", "应为 true 或 false"));
}

static void read_member(const struct object *in, const struct member *member, struct offer *offer)
{
	void *at = (char *)offer + member->offset;

	if (member->kind == MEMBER_ELSEWHERE)
		return;
	if (member->kind == MEMBER_YES_NO) {
		read_yes_no(in, member, at);
		return;
	}
	const char *text = object_text(in, member->name);

	if (text == NULL)
		return;
	if (member->kind == MEMBER_TEXT) {
		*(const char **)at = text;
		return;
	}
	if (member->kind == MEMBER_DATE) {
		if (!date_parse(text, at))
			object_bad_value(in, member->name, text,
			                 TEXT("write 2026-12-31", "请写成 2026-12-31"));
		return;
	}
	if (member->kind != MEMBER_NAME) {
		if (!store_number(text, member->kind, at))
			object_bad_value(in, member->name, text,
			                 TEXT("a plain number", "应为普通数字"));
		return;
	}
	int index = name_index(text, member->names, member->count);

	if (index < 0)
		object_bad_value(in, member->name, text, TEXT("see the schema", "请参照接口说明"));
	else
		*(unsigned *)at = (unsigned)index;
}

/* ---- an offer ---- */

static void read_card(const struct object *in, struct offer *offer)
{
	struct reader *reader = in->reader;
	const char *name = object_text(in, "card");

	if (name == NULL)
		return;
	struct card_match match = card_match(reader->arena, reader->cards, name, NULL, NULL);

	if (match.kind == CARD_FOUND) {
		offer->card = match.card->id;
		if (offer->cards_per_server == 0)
			offer->cards_per_server = match.cards;
		return;
	}
	object_report(
	    in, "card", match.kind == CARD_AMBIGUOUS ? "ambiguous_card" : "unknown_card", name,
	    match.kind == CARD_AMBIGUOUS
		? text_printf(reader->arena, "several cards have this name: %s",
	                      "这个名称可以指多种卡：%s", card_candidates(reader->arena, &match))
		: TEXT("no card of the catalogue has this name", "目录里没有这种卡"),
	    TEXT("write the id of a card, e.g. h100-sxm", "请写卡的 id，例如 h100-sxm"));
}

static void read_city(const struct object *in, struct offer *offer)
{
	const char *name = object_text(in, "city");
	const struct word *word =
	    name == NULL
		? NULL
		: words_find(in->reader->words, "city", norm_text(in->reader->arena, name), NULL);

	if (name == NULL)
		return;
	offer->city_name = word != NULL ? word->meaning : name;
	offer->city = city_from_name(offer->city_name);
}

/* "MPLS" and "专线" are leased lines here as in a table; words that nobody knows stay. */
static void read_line(const struct object *in, struct offer *offer)
{
	const char *name = object_text(in, "line");
	const struct word *word =
	    name == NULL
		? NULL
		: words_find(in->reader->words, "line", norm_text(in->reader->arena, name), NULL);

	offer->line = word != NULL ? word->meaning : name;
}

static void read_prices(const struct object *in, bool kind_given, struct offer *offer)
{
	const json_t *list = json_object_get(in->json, "prices");
	size_t count = json_is_array(list) ? json_array_size(list) : 0;

	if (count == 0) {
		object_report(in, "prices", "missing", NULL,
		              TEXT("an offer needs prices", "报价需要 prices"),
		              TEXT("a list of objects with as_quoted and unit",
		                   "由 as_quoted 和 unit 组成的列表"));
		return;
	}
	offer->prices = arena_array(in->reader->arena, struct price, count);
	for (size_t i = 0; i < count; i++) {
		struct object price = {
		    .reader = in->reader,
		    .json = json_array_get(list, i),
		    .row = in->row,
		    .pointer = arena_printf(in->reader->arena, "%s/prices/%zu", in->pointer, i)};

		if (!json_is_object(price.json))
			object_bad_value(&price, NULL, NULL, TEXT("an object", "应为对象"));
		else if (json_price_read(&price, offer, kind_given,
		                         &offer->prices[offer->price_count]))
			offer->price_count++;
	}
}

static void check_members(const struct object *in)
{
	const char *names[OFFER_MEMBERS];
	const char *name;
	json_t *value;

	for (size_t i = 0; i < OFFER_MEMBERS; i++)
		names[i] = offer_members[i].name;
	json_object_foreach((json_t *)(uintptr_t)in->json, name, value)
	{
		(void)value;
		bool known = false;

		for (size_t i = 0; i < OFFER_MEMBERS; i++)
			known = known || strcmp(names[i], name) == 0;
		if (!known)
			object_unknown(in, name, names, OFFER_MEMBERS);
	}
}

static bool needs_card(const struct offer *offer)
{
	for (int i = 0; i < offer->price_count; i++)
		if (offer->prices[i].item == ITEM_COMPUTE || offer->prices[i].item == ITEM_PURCHASE)
			return true;
	return false;
}

static void read_offer(const struct object *in)
{
	struct offer offer = offer_blank();
	size_t errors = in->reader->out->problems.errors;
	int kind;

	if (!json_is_object(in->json)) {
		object_bad_value(in, NULL, NULL, TEXT("an object", "应为对象"));
		return;
	}
	check_members(in);
	kind = object_name(in, "kind", offer_kind_names, OFFER_KIND_COUNT);
	if (kind >= 0)
		offer.kind = (enum offer_kind)kind;
	offer.row = in->row;
	for (size_t i = 0; i < OFFER_MEMBERS; i++)
		read_member(in, &offer_members[i], &offer);
	read_card(in, &offer);
	read_city(in, &offer);
	read_line(in, &offer);
	read_prices(in, kind >= 0, &offer);
	if (needs_card(&offer) && offer.card == NULL && json_object_get(in->json, "card") == NULL)
		object_report(in, "card", "missing_card", NULL,
		              TEXT("the offer names no card", "没有写卡的型号"),
		              TEXT("e.g. \"card\": \"h100-sxm\"", "例如 \"card\": \"h100-sxm\""));
	/* A faulty offer is left out; the others are still read. */
	if (in->reader->out->problems.errors == errors)
		offer_finish(in->reader, &offer, NULL, object_place(in, NULL),
		             in->reader->options->hours_per_month);
}

/* ---- the document ---- */

/* A document that is read offer by offer. */
struct document {
	struct reader *reader;
	struct json_part whole;
	const char *counted; /* up to here lines are counted */
	int line;            /* there, from 1 */
	bool damaged;
};

/* The line of AT, which is never before an earlier one. */
static int line_of(struct document *in, const char *at)
{
	for (; in->counted < at; in->counted++)
		in->line += *in->counted == '\n';
	return in->line;
}

static int column_of(const struct document *in, const char *at)
{
	const char *start = at;

	while (start > in->whole.at && start[-1] != '\n')
		start--;
	return (int)(at - start) + 1;
}

static void report_damaged(struct document *in, int line, int column, const char *what)
{
	if (!in->damaged)
		reader_report(
		    in->reader, PROBLEM_ERROR, "damaged", (struct place){.row = line}, NULL,
		    text_printf(in->reader->arena, "no valid JSON: line %d, column %d: %s",
		                "JSON 有误：第 %d 行第 %d 列：%s", line, column, what),
		    TEXT("send {\"offers\": [ ... ]}", "请发送 {\"offers\": [ ... ]}"));
	in->damaged = true;
	/* What came before is no whole sheet. */
	in->reader->out->offer_count = 0;
}

static void report_large(struct document *in, const char *at)
{
	reader_report(in->reader, PROBLEM_ERROR, "too_large",
	              (struct place){.row = line_of(in, at)}, NULL,
	              text_printf(in->reader->arena, "one value is larger than %zu KiB",
	                          "单个值超过 %zu KiB", SHEET_JSON_OFFER_MAX >> 10),
	              TEXT("shorten it", "请缩短"));
}

/* The tree of PART, or NULL with a problem. */
static json_t *load_part(struct document *in, struct json_part part)
{
	json_error_t error;

	if (part.size > SHEET_JSON_OFFER_MAX) {
		report_large(in, part.at);
		return NULL;
	}
	json_t *json =
	    json_loadb(part.at, part.size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

	if (json == NULL)
		report_damaged(in, line_of(in, part.at) + error.line - 1,
		               error.line > 1 ? error.column
		                              : column_of(in, part.at) + error.column - 1,
		               error.text);
	return json;
}

static void report_place(struct document *in, const struct json_parts *parts)
{
	report_damaged(in, line_of(in, parts->at), column_of(in, parts->at),
	               parts->at == parts->end ? "premature end of input" : "unexpected token");
}

static void read_offers(struct document *in, struct json_part list)
{
	struct json_parts parts = json_parts_of(list);

	for (int row = 1; json_parts_next(&parts) && !in->damaged; row++) {
		struct object offer = {.reader = in->reader,
		                       .row = row,
		                       .pointer =
		                           arena_printf(in->reader->arena, "/offers/%d", row - 1)};
		json_t *json = load_part(in, parts.value);

		offer.json = json;
		if (json != NULL)
			read_offer(&offer);
		json_decref(json);
		reader_row_done(in->reader);
		if (reader_gives_up(in->reader))
			return;
	}
	if (parts.failed)
		report_place(in, &parts);
}

static size_t count_parts(struct json_part list)
{
	struct json_parts parts = json_parts_of(list);
	size_t count = 0;

	while (json_parts_next(&parts))
		count++;
	return count;
}

static void report_offers(struct document *in, const char *code, struct text message,
                          struct text hint)
{
	reader_report(in->reader, PROBLEM_ERROR, code, (struct place){.pointer = "/offers"}, NULL,
	              message, hint);
}

/* LIST is the value of "offers", empty where there is none. */
static void read_list(struct document *in, struct json_part list)
{
	if (list.size == 0 || *list.at != '[') {
		report_offers(in, "unsupported",
		              TEXT("this JSON is no price sheet: it has no list \"offers\"",
		                   "这个 JSON 不是报价单：没有 offers 列表"),
		              TEXT("send {\"offers\": [ ... ]}", "请发送 {\"offers\": [ ... ]}"));
	} else if (count_parts(list) > SHEET_OFFERS_MAX) {
		report_offers(in, "too_large",
		              text_printf(in->reader->arena, "more than %d offers",
		                          "报价超过 %d 条", SHEET_OFFERS_MAX),
		              TEXT("split it", "请拆分"));
	} else {
		reader_rows_begin(in->reader);
		read_offers(in, list);
		reader_rows_end(in->reader);
	}
}

static bool is_named(const struct json_parts *parts, const char *name)
{
	return parts->name.size == strlen(name) &&
	       memcmp(parts->name.at, name, parts->name.size) == 0;
}

void json_sheet_read(struct reader *reader, const char *text, size_t size)
{
	struct document in = {.reader = reader, .whole = {text, size}, .counted = text, .line = 1};
	struct json_parts parts = json_parts_of(in.whole);
	struct json_part list = {0};

	while (parts.closing == '}' && !in.damaged && json_parts_next(&parts)) {
		if (!is_named(&parts, "\"offers\"")) {
			/* Whatever else a document says is not read. */
			if (parts.value.size <= SHEET_JSON_OFFER_MAX)
				json_decref(load_part(&in, parts.value));
			continue;
		}
		if (list.size > 0)
			report_damaged(&in, line_of(&in, parts.name.at),
			               column_of(&in, parts.name.at), "duplicate object key");
		list = parts.value;
	}
	if (parts.closing == ']')
		read_list(&in, (struct json_part){0});
	else if (!in.damaged && !json_parts_last(&parts))
		report_place(&in, &parts);
	else if (!in.damaged)
		read_list(
		    &(struct document){
			.reader = reader, .whole = in.whole, .counted = text, .line = 1},
		    list);
}
