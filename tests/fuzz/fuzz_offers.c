/*
 * fuzz_offers.c - a sheet in JSON made of words: each byte picks a member, a value or a turn, so
 * that what is read is valid JSON with every value where every other may stand.
 */
#include "tests/fuzz/fuzz_sheet.h"

#include <stdio.h>

static const char *const offer_members[] = {
    "kind",
    "card",
    "cards_per_server",
    "servers_available",
    "city",
    "line",
    "title",
    "cabinet_kw",
    "power_billing",
    "pue",
    "valid_from",
    "valid_to",
    "site",
    "mbps_included",
    "min_term_months",
    "availability",
    "replacement_hours",
};

static const char *const price_members[] = {"item", "term",     "as_quoted", "unit",
                                            "tax",  "tax_rate", "currency",  "min_quantity"};

static const char *const values[] = {
    "\"免费\"",
    "\"赠送\"",
    "\"免\"",
    "\"面议\"",
    "\"约7.6万\"",
    "\"12-15\"",
    "\"-0\"",
    "\"0.0000001\"",
    "\"1e308\"",
    "1e308",
    "0",
    "-1",
    "8",
    "0.06",
    "\"7.6\"",
    "\"38\"",
    "\"9223372036854\"",
    "\"\"",
    "null",
    "true",
    "[]",
    "{}",
    "\"rental\"",
    "\"colocation\"",
    "\"purchase\"",
    "\"network\"",
    "\"storage\"",
    "\"service\"",
    "\"compute\"",
    "\"cabinet\"",
    "\"power\"",
    "\"overage\"",
    "\"bandwidth\"",
    "\"traffic\"",
    "\"ip\"",
    "\"setup\"",
    "\"deposit\"",
    "\"h100-sxm\"",
    "\"l20\"",
    "\"4090\"",
    "\"深圳\"",
    "\"included\"",
    "\"excluded\"",
    "\"unknown\"",
    "\"hourly\"",
    "\"monthly\"",
    "\"yearly\"",
    "\"metered\"",
    "\"one_off\"",
    "\"元/卡/时\"",
    "\"元/台/月\"",
    "\"万元/8卡/月\"",
    "\"元/柜/月\"",
    "\"元/A/月\"",
    "\"元/度\"",
    "\"元/M/月\"",
    "\"元/100M/月\"",
    "\"元/GB\"",
    "\"元/TB/月\"",
    "\"元/台\"",
    "\"元/条\"",
    "\"元/个/月\"",
    "\"USD\"",
    "\"CNY\"",
    "\"tou\"",
    "\"2026-12-31\"",
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define TEXT_MOST ((size_t)60000)

struct writer {
	char text[TEXT_MOST + 200];
	size_t length;
	const uint8_t *data;
	size_t left;
};

static size_t pick(struct writer *out, size_t count)
{
	if (out->left == 0)
		return 0;
	out->left--;
	return *out->data++ % count;
}

static void put(struct writer *out, const char *text)
{
	if (out->length < TEXT_MOST)
		out->length += (size_t)sprintf(out->text + out->length, "%s", text);
}

/* Members of NAMES with any values, each at most once. */
static void put_members(struct writer *out, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (pick(out, 2) == 0)
			continue;
		put(out, "\"");
		put(out, names[i]);
		put(out, "\":");
		put(out, values[pick(out, COUNT(values))]);
		put(out, ",");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct writer out;

	out.length = 0;
	out.data = data;
	out.left = size;
	put(&out, "{\"offers\":[");
	do {
		put(&out, "{");
		put_members(&out, offer_members, COUNT(offer_members));
		put(&out, "\"prices\":[");
		do {
			put(&out, "{");
			put_members(&out, price_members, COUNT(price_members));
			if (out.text[out.length - 1] == ',')
				out.text[--out.length] = '\0';
			put(&out, pick(&out, 3) > 0 && out.left > 0 ? "}," : "}]");
		} while (out.text[out.length - 1] == ',' && out.length < TEXT_MOST);
		put(&out, pick(&out, 4) > 0 && out.left > 0 ? "}," : "}]");
	} while (out.text[out.length - 1] == ',' && out.length < TEXT_MOST);
	put(&out, "}");
	fuzz_sheet(out.text, out.length);
	return 0;
}
