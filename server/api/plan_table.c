/* plan_table.c - see plan_table.h. */
#include "api/plan_table.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* Options printed whatever their route; beside them, the best of each route. */
#define SHOWN 3

/* Columns that TEXT takes in a terminal: East Asian characters take two. */
static int width_of(const char *text)
{
	size_t length = strlen(text);
	int columns = 0;

	for (size_t i = 0; i < length;) {
		size_t width;
		uint32_t code = utf8_decode(text + i, length - i, &width);

		columns += code >= 0x1100 ? 2 : 1;
		i += width;
	}
	return columns;
}

static void cell(FILE *out, const char *text, int columns)
{
	int width = width_of(text);

	fputs(text, out);
	fprintf(out, "%*s", width < columns ? columns - width : 1, "");
}

static void cell_right(FILE *out, const char *text, int columns)
{
	int width = width_of(text);

	fprintf(out, "%*s%s", width < columns ? columns - width : 0, "", text);
}

static const char *string_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text == NULL ? "" : text;
}

static int integer_of(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

/* The interface's words as a reader of the table knows them. */
static const char *chinese(const char *word)
{
	static const char *const words[][2] = {
	    {"rent", "租用"},    {"buy_and_host", "自购托管"},
	    {"hybrid", "混合"},  {"hourly", "按时"},
	    {"monthly", "包月"}, {"quarterly", "包季"},
	    {"yearly", "包年"},  {"spot", "竞价"},
	    {"one_off", "购置"}, {"metered", "按量"},
	    {"sheet", "报价单"}, {"published", "公开价格"},
	    {"sample", "示例"},  {"colocation", "机柜托管"},
	    {"network", "网络"}, {"storage", "存储"},
	    {"service", "服务"},
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i][0]) == 0)
			return words[i][1];
	return word;
}

static void print_item(const json_t *item, FILE *out)
{
	char amount[64] = "";
	int servers = integer_of(item, "servers");
	int cabinets = integer_of(item, "cabinets");

	if (cabinets > 0)
		snprintf(amount, sizeof amount, "%d 柜", cabinets);
	else if (servers > 0)
		snprintf(amount, sizeof amount, "%d 台（%d 卡）", servers,
		         integer_of(item, "cards"));
	fputs("      ", out);
	cell(out, string_of(item, "workload"), 12);
	cell(out, string_of(item, "supplier_name"), 32);
	cell(out, string_of(item, "city"), 6);
	cell(out,
	     *string_of(item, "card") == '\0' ? chinese(string_of(item, "offer_kind"))
	                                      : string_of(item, "card"),
	     14);
	cell(out, amount, 16);
	cell(out, chinese(string_of(item, "term")), 6);
	fprintf(out, "[%s] 报价单 %d 第 %d 行\n", chinese(string_of(item, "origin")),
	        integer_of(item, "sheet"), integer_of(item, "row"));
}

static void print_option(const json_t *option, FILE *out)
{
	const json_t *items = json_object_get(option, "items");
	char rank[16];
	char text[DIGITS_GROUPED_SIZE];
	size_t index;
	json_t *item;

	snprintf(rank, sizeof rank, "%d", integer_of(option, "rank"));
	cell_right(out, rank, 4);
	fputs("  ", out);
	cell(out, chinese(string_of(option, "route")), 10);
	cell_right(out, digits_grouped(string_of(option, "total"), text), 16);
	cell_right(out, digits_grouped(string_of(option, "per_month"), text), 16);
	cell_right(out, digits_grouped(string_of(option, "upfront"), text), 16);
	fprintf(out, "  %s\n",
	        json_array_size(json_object_get(option, "unknown")) > 0 ? "（有未知价，为下限）"
	                                                                : "");
	json_array_foreach(items, index, item) print_item(item, out);
}

/* Whether OPTION is the cheapest of its route. */
static bool is_best(const json_t *answer, const json_t *option)
{
	const json_t *routes = json_object_get(answer, "routes");

	return integer_of(routes, string_of(option, "route")) == integer_of(option, "rank");
}

static void print_not_chosen(const json_t *answer, FILE *out)
{
	const json_t *groups = json_object_get(answer, "not_chosen");
	const json_t *offers = json_object_get(answer, "offers");
	size_t index;
	json_t *group;

	fprintf(out, "\n目录共 %d 条报价，上列方案用到 %d 条；其余：\n",
	        integer_of(offers, "in_catalogue"), integer_of(offers, "used"));
	json_array_foreach(groups, index, group)
	    fprintf(out, "  %5d  %s\n", integer_of(group, "offers"), string_of(group, "text"));
}

void plan_table_print(const char *answer, size_t size, FILE *out)
{
	json_error_t error;
	json_t *json = json_loadb(answer, size, 0, &error);
	const json_t *options = json_object_get(json, "options");
	const json_t *basis = json_object_get(json, "basis");
	size_t index;
	json_t *option;

	if (options == NULL) {
		fprintf(out, "not a plan: %s\n", error.text);
		json_decref(json);
		return;
	}
	fprintf(out, "%s  （%d 个月，%s，元；目录版本 %d）\n", string_of(json, "title"),
	        integer_of(basis, "months"),
	        strcmp(string_of(basis, "tax"), "included") == 0 ? "含税" : "不含税",
	        integer_of(basis, "catalogue_revision"));
	cell_right(out, "#", 4);
	fputs("  ", out);
	cell(out, "路径", 10);
	cell_right(out, "总价", 16);
	cell_right(out, "每月", 16);
	cell_right(out, "首付", 16);
	fputs("\n", out);
	json_array_foreach(options, index, option) if (index < SHOWN || is_best(json, option))
	    print_option(option, out);
	if (json_array_size(options) == 0)
		fputs("  没有满足全部硬性要求的方案；原因见下。\n", out);
	print_not_chosen(json, out);
	json_decref(json);
}
