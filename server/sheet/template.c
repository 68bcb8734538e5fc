/* template.c - the form that suppliers fill in; see sheet.h. */
#include <string.h>

#include "base/buf.h"
#include "base/ratio.h"
#include "sheet/sheet.h"
#include "sheet/xlsx_write.h"

static const char *const yes_tax_zh[] = {"含税6%", "不含税", "含税13%", NULL};
static const char *const yes_tax_en[] = {"incl. VAT 6%", "excl. VAT", "incl. VAT 13%", NULL};
static const char *const cities_zh[] = {"深圳", "东莞", "惠州", NULL};
static const char *const cities_en[] = {"Shenzhen", "Dongguan", "Huizhou", NULL};
static const char *const terms_zh[] = {"按小时", "包月", "包季", "包年", "抢占", "一次性", NULL};
static const char *const terms_en[] = {"hourly", "monthly",  "quarterly", "yearly",
                                       "spot",   "one-time", NULL};
static const char *const units_zh[] = {"元/卡/时", "元/卡/月",   "元/台/月", "万元/台/月",
                                       "元/柜/月", "元/度",      "元/M/月",  "元/GB",
                                       "元/TB/月", "元/个IP/月", NULL};
static const char *const units_en[] = {
    "CNY/GPU/hour",   "CNY/GPU/month", "CNY/server/month", "CNY/rack/month", "CNY/kWh",
    "CNY/Mbps/month", "CNY/GB",        "CNY/TB/month",     "CNY/IP/month",   NULL};

/* Every example is fictitious; its prices only show the form. */
static const struct template_column columns[] = {
    {{"Item", "项目"},
     {"what is sold", "报价内容"},
     {{"GPU server", "GPU 整机"},
      {"GPU card", "GPU 单卡"},
      {"Cabinet", "机柜托管"},
      {"Bandwidth", "公网带宽"}},
     NULL,
     NULL},
    {{"GPU model", "GPU型号"},
     {"model, form factor, memory", "型号、形态、显存写全"},
     {{"H100 SXM 80G", "H100 SXM 80G"}, {"RTX 4090 24G", "RTX 4090 24G"}, {0}, {0}},
     NULL,
     NULL},
    {{"GPUs per server", "卡数"},
     {"cards in one machine", "每台机器的卡数"},
     {{"8", "8"}, {"8", "8"}, {0}, {0}},
     NULL,
     NULL},
    {{"City", "城市"},
     {"one city per row", "每行一个城市"},
     {{"Shenzhen", "深圳"}, {"Dongguan", "东莞"}, {"Huizhou", "惠州"}, {"Shenzhen", "深圳"}},
     cities_zh,
     cities_en},
    {{"Data center", "机房"},
     {"name of the site", "机房名称"},
     {{"Sample site A", "示例机房A"},
      {"Sample site B", "示例机房B"},
      {"Sample site C", "示例机房C"},
      {"Sample site A", "示例机房A"}},
     NULL,
     NULL},
    {{"Billing", "计费方式"},
     {"what the buyer commits to", "租期"},
     {{"monthly", "包月"}, {"hourly", "按小时"}, {"monthly", "包月"}, {"monthly", "包月"}},
     terms_zh,
     terms_en},
    {{"Price", "单价"},
     {"a plain number", "只写数字"},
     {{"76000", "76000"}, {"1.98", "1.98"}, {"8600", "8600"}, {"38", "38"}},
     NULL,
     NULL},
    {{"Unit", "单位"},
     {"currency, per what, per how long", "币种、按什么、按多久"},
     {{"CNY/server/month", "元/台/月"},
      {"CNY/GPU/hour", "元/卡/时"},
      {"CNY/rack/month", "元/柜/月"},
      {"CNY/Mbps/month", "元/M/月"}},
     units_zh,
     units_en},
    {{"Tax", "含税"},
     {"included or excluded, and the rate", "含税或不含税及税率"},
     {{"incl. VAT 6%", "含税6%"},
      {"incl. VAT 6%", "含税6%"},
      {"excl. VAT", "不含税"},
      {"incl. VAT 6%", "含税6%"}},
     yes_tax_zh,
     yes_tax_en},
    {{"Available", "可供（台）"},
     {"servers that can be delivered", "可交付台数"},
     {{"4", "4"}, {"20", "20"}, {0}, {0}},
     NULL,
     NULL},
    {{"Rated power (kW)", "额定功率（kW）"},
     {"of a cabinet", "机柜填写"},
     {{0}, {0}, {"12", "12"}, {0}},
     NULL,
     NULL},
    {{"Line", "线路"},
     {"BGP, telecom, unicom, mobile", "BGP、电信、联通、移动"},
     {{0}, {0}, {0}, {"BGP", "BGP"}},
     NULL,
     NULL},
    {{"Included bandwidth (M)", "含公网带宽（M）"},
     {"Mbit/s in the price", "价格内含的带宽"},
     {{"100", "100"}, {0}, {0}, {0}},
     NULL,
     NULL},
    {{"Minimum term", "起租期"},
     {"e.g. 1 month", "例如 1个月"},
     {{"1 month", "1个月"}, {0}, {"12 months", "12个月"}, {0}},
     NULL,
     NULL},
    {{"SLA", "SLA可用性"},
     {"availability promised", "承诺的可用性"},
     {{"99.9%", "99.9%"}, {0}, {0}, {0}},
     NULL,
     NULL},
    {{"Replacement time", "故障更换"},
     {"of a failed machine", "故障机器的更换时间"},
     {{"4 hours", "4小时"}, {"24 hours", "24小时"}, {0}, {0}},
     NULL,
     NULL},
    {{"Valid until", "有效期至"},
     {"last day, 2028-12-31", "最后一天，如 2028-12-31"},
     {{"2028-12-31", "2028-12-31"},
      {"2028-12-31", "2028-12-31"},
      {"2028-12-31", "2028-12-31"},
      {"2028-12-31", "2028-12-31"}},
     NULL,
     NULL},
    {{"Notes", "备注"},
     {"anything else", "其他说明"},
     {{"sample row, replace it", "示例行，请替换"},
      {"sample row, replace it", "示例行，请替换"},
      {"sample row, replace it", "示例行，请替换"},
      {"sample row, replace it", "示例行，请替换"}},
     NULL,
     NULL},
};

const struct template_column *sheet_template(size_t *count)
{
	*count = sizeof columns / sizeof *columns;
	return columns;
}

static void put_cell(struct buf *out, const char *text, bool first)
{
	if (!first)
		buf_putc(out, ',');
	if (text == NULL)
		return;
	if (strpbrk(text, ",\"\r\n") == NULL) {
		buf_puts(out, text);
		return;
	}
	buf_putc(out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			buf_putc(out, '"');
		buf_putc(out, *text);
	}
	buf_putc(out, '"');
}

void sheet_template_csv(struct buf *out, enum lang lang)
{
	size_t count;
	const struct template_column *column = sheet_template(&count);

	buf_puts(out, "\xef\xbb\xbf");
	for (int row = -1; row < TEMPLATE_EXAMPLES; row++) {
		for (size_t i = 0; i < count; i++)
			put_cell(
			    out,
			    text_in(row < 0 ? column[i].heading : column[i].examples[row], lang),
			    i == 0);
		buf_puts(out, "\r\n");
	}
}

/* An example as a spreadsheet would hold it: 76000 is a number, "2026-12-31" stays words. */
static void put_example(struct xlsx_write *out, const char *text)
{
	struct ratio number;

	if (text != NULL && ratio_parse(text, &number))
		xlsx_number(out, text);
	else
		xlsx_text(out, text);
}

bool sheet_template_xlsx(struct buf *out, enum lang lang)
{
	struct xlsx_write book = xlsx_write_begin();
	size_t count;
	const struct template_column *column = sheet_template(&count);

	for (size_t i = 0; i < count; i++) {
		const char *heading = text_in(column[i].heading, lang);

		xlsx_text(&book, heading);
		xlsx_check(&book, (int)i + 1, heading, text_in(column[i].note, lang),
		           lang == LANG_EN ? column[i].choices_en : column[i].choices_zh);
	}
	xlsx_end_row(&book);
	for (int row = 0; row < TEMPLATE_EXAMPLES; row++) {
		for (size_t i = 0; i < count; i++)
			put_example(&book, text_in(column[i].examples[row], lang));
		xlsx_end_row(&book);
	}
	return xlsx_write_finish(&book, lang == LANG_EN ? "prices" : "报价", out);
}
