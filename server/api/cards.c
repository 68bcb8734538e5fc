/* cards.c - GET /cards, GET and PUT /cards/{id}: the kinds of GPU and NPU, each with its sources.
 */
#include <string.h>

#include "api/reference_row.h"
#include "api/reply.h"
#include "api/resources.h"
#include "market/catalogue.h"

static const char *const link_names[] = {"pcie", "nvlink", "bridge", "hccs", "xgmi"};

static const struct member members[] = {
    MEMBER(struct card, name, "name", MEMBER_TEXT, true),
    MEMBER(struct card, vendor, "vendor", MEMBER_TEXT, true),
    MEMBER(struct card, architecture, "architecture", MEMBER_TEXT, false),
    MEMBER(struct card, launch_year, "launch_year", MEMBER_INTEGER, false),
    MEMBER(struct card, form_factor, "form_factor", MEMBER_TEXT, false),
    MEMBER(struct card, memory_gb, "memory_gb", MEMBER_NUMBER, true),
    MEMBER(struct card, smi_memory_mib, "smi_memory_mib", MEMBER_NUMBER, false),
    MEMBER(struct card, bandwidth_gbs, "memory_bandwidth_gbs", MEMBER_NUMBER, true),
    MEMBER(struct card, fp32_tflops, "fp32_tflops", MEMBER_NUMBER, false),
    MEMBER(struct card, tf32_tflops, "tf32_tflops_dense", MEMBER_NUMBER, false),
    MEMBER(struct card, fp16_tflops, "fp16_tflops_dense", MEMBER_NUMBER, true),
    MEMBER(struct card, bf16_native, "bf16_native", MEMBER_BOOL, false),
    MEMBER(struct card, fp8_tflops, "fp8_tflops_dense", MEMBER_NUMBER, false),
    MEMBER(struct card, fp4_tflops, "fp4_tflops_dense", MEMBER_NUMBER, false),
    MEMBER(struct card, int8_tops, "int8_tops_dense", MEMBER_NUMBER, false),
    MEMBER(struct card, link_name, "link_type", MEMBER_TEXT, false),
    MEMBER(struct card, link_gbs_bidir, "link_gbs_total_bidir", MEMBER_NUMBER, false),
    MEMBER(struct card, pcie_gen, "pcie_gen", MEMBER_INTEGER, false),
    MEMBER(struct card, pcie_lanes, "pcie_lanes", MEMBER_INTEGER, false),
    MEMBER(struct card, tdp_w, "tdp_w", MEMBER_NUMBER, true),
    MEMBER(struct card, ecc, "ecc", MEMBER_BOOL, false),
    MEMBER(struct card, host_form, "host_form", MEMBER_TEXT, false),
    MEMBER(struct card, host_cards, "host_gpus", MEMBER_INTEGER, false),
    MEMBER(struct card, host_power_kw, "host_power_kw", MEMBER_NUMBER, false),
    MEMBER(struct card, host_power_kind, "host_power_kind", MEMBER_TEXT, false),
    MEMBER(struct card, note, "note", MEMBER_TEXT, false),
};
#define MEMBER_COUNT (sizeof members / sizeof *members)

/* "aliases": a list of names, kept with "|" between them. */
static void read_aliases(struct fields *in, struct buf *columns, struct buf *values)
{
	const json_t *list = field_array(in, "aliases", FIELD_OPTIONAL, 50);
	struct buf joined = {0};
	size_t index;
	json_t *alias;

	if (list == NULL)
		return;
	json_array_foreach(list, index, alias)
	{
		const char *text = json_string_value(alias);

		if (text == NULL || *text == '\0' || strpbrk(text, "|\"\r\n") != NULL) {
			problem_add(in->reader->problems, PROBLEM_ERROR, "wrong_type",
			            (struct place){.pointer = field_element(in, "aliases", index)},
			            text, "a name without | or quotes is wanted",
			            "应为不含 | 与引号的名称");
			continue;
		}
		buf_printf(&joined, "%s%s", joined.size == 0 ? "" : "|", text);
	}
	reference_cell(columns, values, "aliases", buf_text(&joined));
	buf_finish(&joined);
}

static const void *all(const struct catalogue *catalogue, size_t *count)
{
	const struct cards *cards = &catalogue_reference_of(catalogue)->base.cards;

	*count = cards->count;
	return cards->items;
}

static const void *parse(struct arena *arena, const char *csv, struct problems *problems)
{
	struct cards cards;

	return cards_read(arena, csv, strlen(csv), problems, &cards) && cards.count == 1
	           ? cards.items
	           : NULL;
}

static void write_card(struct json_write *out, const void *item)
{
	const struct card *card = item;

	out_object(out, NULL);
	out_string(out, "id", card->id);
	members_write(out, card, members, MEMBER_COUNT);
	out_array(out, "aliases");
	for (int i = 0; i < card->alias_count; i++)
		out_string(out, NULL, card->aliases[i]);
	out_end(out);
	out_string(out, "link_kind", link_names[card->link_kind]);
	out_known_string(out, "seed_figures", card->seed_figures);
	out_known_string(out, "unverified_fields", card->unverified_fields);
	out_known_string(out, "source", card->sources);
	out_end(out);
}

static const struct reference_resource resource = {
    .entries = {.all = all, .size = sizeof(struct card), .write = write_card},
    .kind = REFERENCE_CARD,
    .members = members,
    .member_count = MEMBER_COUNT,
    .source_column = "sources",
    .read_more = read_aliases,
    .parse = parse,
};

/* 200, 304, 400. */
struct answer *get_cards(struct request *rq)
{
	return entries_list(rq, &resource.entries);
}

/* 200, 304, 400, 404. */
struct answer *get_card(struct request *rq)
{
	return entry_get(rq, &resource.entries);
}

/* 200, 201, 400, 412, 422, 428. */
struct answer *put_card(struct request *rq)
{
	return reference_put(rq, &resource);
}
