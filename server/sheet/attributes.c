/* attributes.c - the cells of a row that are no prices. */
#include "sheet/row.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/date_text.h"
#include "sheet/norm.h"
#include "sheet/number_text.h"
#include "sheet/validity.h"

static struct arena *arena_of(const struct row_view *view)
{
	return view->reader->arena;
}

/* Whether the row names a city of its own, other than the row above: no site there is its site. */
static bool other_city(const struct row_view *view)
{
	const struct column *column = table_column(view->table, ROLE_CITY);
	const struct cell *own = column == NULL ? NULL : row_cell(view->row, column->column);
	const struct cell *above =
	    own == NULL ? NULL : row_cell(view->carry->above, column->column);

	return own != NULL && (above == NULL || strcmp(own->text, above->text) != 0);
}

/* Text files cannot say that cells were merged: an empty place takes the place above. */
static bool lost_merge(const struct row_view *view, enum role role)
{
	if (view->table->grid->knows_merges || view->carry->above == NULL)
		return false;
	return view->filled || role == ROLE_CITY || (role == ROLE_SITE && !other_city(view));
}

const struct cell *view_cell(const struct row_view *view, const struct column *column)
{
	const struct cell *cell = row_cell(view->row, column->column);

	if (cell != NULL || column->role == ROLE_PRICE)
		return cell;
	const struct merge *merge =
	    grid_merge(view->table->grid, view->row->number, column->column);

	if (merge != NULL)
		return row_cell(grid_row(view->table->grid, merge->top), merge->left);
	return lost_merge(view, column->role) ? row_cell(view->carry->above, column->column) : NULL;
}

const char *view_text(const struct row_view *view, enum role role)
{
	const struct table *table = view->table;

	for (int i = 0; i < table->column_count; i++) {
		const struct cell *cell =
		    table->columns[i].role == role && !table->columns[i].hidden
			? view_cell(view, &table->columns[i])
			: NULL;

		if (cell != NULL)
			return cell->text;
	}
	return "";
}

struct place view_place(const struct row_view *view, const struct column *column)
{
	const struct grid *grid = view->table->grid;

	if (grid->turned)
		return (struct place){.sheet = grid->name,
		                      .row = column == NULL ? 0 : column->column,
		                      .column = view->row->number};
	return (struct place){.sheet = grid->name,
	                      .row = view->row->number,
	                      .column = column == NULL ? 0 : column->column};
}

static const char *norm_of(const struct row_view *view, enum role role)
{
	return norm_text(arena_of(view), view_text(view, role));
}

static int enum_of(const struct row_view *view, const char *group, enum role role,
                   const char *const *names, int count)
{
	const struct word *word = words_find(view->reader->words, group, norm_of(view, role), NULL);
	int index = word == NULL ? -1 : name_index(word->meaning, names, count);

	return index < 0 ? 0 : index;
}

/* ---- numbers ---- */

static int count_of(const struct row_view *view, enum role role, int otherwise)
{
	const char *text = view_text(view, role);
	int count;

	return *text != '\0' && count_text_read(arena_of(view), text, &count) ? count : otherwise;
}

static void read_servers(const struct row_view *view, struct offer *offer)
{
	const struct column *column = table_column(view->table, ROLE_SERVERS);
	const char *text = norm_of(view, ROLE_SERVERS);
	int count = count_of(view, ROLE_SERVERS, -1);

	if (column == NULL || count < 0 ||
	    words_find(view->reader->words, "least", text, NULL) != NULL)
		return;
	bool cards = column->unit.counted == COUNTED_CARD || strstr(text, "卡") != NULL ||
	             strstr(text, "张") != NULL;

	if (column->unit.counted == COUNTED_CABINET)
		return;
	if (!cards)
		offer->servers_available = count;
	else if (offer->cards_per_server > 0)
		offer->servers_available = count / offer->cards_per_server;
}

/* "100M", "1G", "保底200M", 100 under "（M）": Mbit/s; -1 = none. */
static int mbps_in(const char *text, const struct unit_reading *column_unit)
{
	struct ratio value;
	const char *after;
	int64_t mbps;

	if (!number_text_first(text, &value, &after))
		return -1;
	after += strspn(after, " ");
	bool giga = *after == 'g' ||
	            (*after == '\0' && column_unit != NULL &&
	             (column_unit->counted == COUNTED_G || column_unit->counted == COUNTED_GBPS));
	bool mega = *after == 'm' || strncmp(after, "兆", strlen("兆")) == 0;

	if (!giga && !mega && (column_unit == NULL || *after != '\0'))
		return -1;
	if (giga && !ratio_multiply(value, ratio_of(1000), &value))
		return -1;
	return ratio_round(value, 0, &mbps) && mbps >= 0 && mbps <= 10000000 ? (int)mbps : -1;
}

static void read_included(const struct row_view *view, struct offer *offer)
{
	static const char *const with[] = {"含", "赠", "incl"};
	const struct column *column = table_column(view->table, ROLE_MBPS);
	const char *note = norm_of(view, ROLE_NOTE);
	const char *bandwidth = strstr(note, "带宽");

	if (column != NULL)
		offer->mbps_included = mbps_in(norm_of(view, ROLE_MBPS), &column->unit);
	offer->ips_included = count_of(view, ROLE_IPS, -1);
	for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
		const char *start = strstr(note, with[i]);

		if (start == NULL || (start - note >= 3 && strncmp(start - 3, "不", 3) == 0))
			continue;
		const char *digits = start + strcspn(start, "0123456789");

		if (offer->mbps_included < 0 && bandwidth != NULL && digits < bandwidth)
			offer->mbps_included = mbps_in(digits, NULL);
		const char *ip = strstr(start, "个ip");
		const char *first = ip;

		while (first != NULL && first > start && first[-1] >= '0' && first[-1] <= '9')
			first--;
		if (offer->ips_included < 0 && first != NULL && first < ip)
			count_text_read(arena_of(view),
			                arena_strndup(arena_of(view), first, (size_t)(ip - first)),
			                &offer->ips_included);
	}
}

/* "99.9%", 0.999, 99.95: parts per million; -1 = not understood. */
static int32_t availability_of(const char *text)
{
	const char *after;
	struct ratio value;
	int64_t ppm;

	if (!number_text_first(text, &value, &after))
		return -1;
	bool percent = *after == '%' || ratio_compare(value, ratio_of(1)) > 0;

	if (!ratio_round(value, percent ? 4 : 6, &ppm))
		return -1;
	return ppm >= 500000 && ppm <= 1000000 ? (int32_t)ppm : -1;
}

static void read_cabinet(const struct row_view *view, struct offer *offer)
{
	const struct column *column = table_column(view->table, ROLE_CABINET_POWER);
	const char *text = norm_of(view, ROLE_CABINET_POWER);
	struct ratio value;
	const char *after;
	int64_t watts;

	offer->cabinet_u = count_of(view, ROLE_CABINET_U, 0);
	if (column == NULL || !number_text_first(text, &value, &after))
		return;
	after += strspn(after, " ");
	bool kilowatt = strncmp(after, "kw", 2) == 0 || strncmp(after, "kva", 3) == 0 ||
	                strncmp(after, "千瓦", strlen("千瓦")) == 0;
	bool ampere = !kilowatt && (*after == 'a' || strncmp(after, "安", strlen("安")) == 0);

	if (!kilowatt && !ampere && *after == '\0') {
		ampere = column->unit.counted == COUNTED_AMPERE;
		kilowatt = !ampere;
	}
	if ((!kilowatt && !ampere) || !ratio_multiply(value, ratio_of(ampere ? 220 : 1000), &value))
		return;
	if (ratio_round(value, 0, &watts) && watts > 0 && watts <= 1000000)
		offer->cabinet_watts = watts;
}

/* "IB 8×400G": 3200 Gbit/s; 0 = not said. */
static double inter_gbps(const char *text)
{
	struct ratio first;
	struct ratio second;
	const char *after;

	if (!number_text_first(text, &first, &after))
		return 0;
	after += strspn(after, " ");
	/* "3.2T IB" */
	if (*after == 't' && ratio_multiply(first, ratio_of(1000), &first))
		return ratio_to_double(first);
	if ((*after == 'x' || *after == '*') && number_text_first(after, &second, &after))
		return *after == 'g' ? ratio_to_double(first) * ratio_to_double(second) : 0;
	return *after == 'g' ? ratio_to_double(first) : 0;
}

static void read_links(const struct row_view *view, struct offer *offer)
{
	const char *network = norm_of(view, ROLE_INTER_LINK);

	/* "BGP 1G" under 网络 is a way to the internet, not between servers. */
	if (words_find(view->reader->words, "line", network, NULL) != NULL)
		network = "";
	offer->intra_link = (enum intra_link)enum_of(view, "intra", ROLE_INTRA_LINK,
	                                             intra_link_names, INTRA_LINK_COUNT);
	offer->inter_link = (enum inter_link)enum_of(view, "inter", ROLE_INTER_LINK,
	                                             inter_link_names, INTER_LINK_COUNT);
	offer->inter_gbps = inter_gbps(network);
	if (offer->inter_gbps <= 0) {
		struct ratio speed;

		if (number_text_first(norm_of(view, ROLE_INTER_GBPS), &speed, NULL) &&
		    ratio_compare(speed, ratio_of(100000)) < 0)
			offer->inter_gbps = ratio_to_double(speed);
	}
	if (offer->inter_gbps <= 0 && strstr(network, "万兆") != NULL)
		offer->inter_gbps = 10;
	const struct word *line =
	    words_find(view->reader->words, "line", norm_of(view, ROLE_LINE), NULL);

	if (line != NULL)
		offer->line = line->meaning;
}

/* ---- dates ---- */

/* In the 1900 system, for days from 2010 to 2099; a workbook of the 1904 system formats its days.
 */
static bool serial_day(const char *text, struct date *date)
{
	int days = 0;
	const char *digits = text + strspn(text, "0123456789");

	if (*digits != '\0' || digits - text != 5)
		return false;
	for (; *text != '\0'; text++)
		days = days * 10 + (*text - '0');
	return days >= 40179 && days < 73051 && date_from_serial(days, false, date);
}

static struct date_reading date_in(const struct row_view *view, enum role role)
{
	const struct column *column = table_column(view->table, role);
	const struct cell *cell = column == NULL ? NULL : view_cell(view, column);
	struct date_reading reading = {.from = DATE_NONE, .to = DATE_NONE};

	if (cell == NULL)
		return reading;
	if (cell->kind == CELL_DATE) {
		reading.kind = DATE_TEXT_DAY;
		reading.from = reading.to = cell->date;
		return reading;
	}
	/* 46327 without a date's format: the serial number of a day. */
	if (cell->kind == CELL_NUMBER && serial_day(cell->text, &reading.from)) {
		reading.kind = DATE_TEXT_DAY;
		reading.to = reading.from;
		return reading;
	}
	reading = date_text_read(arena_of(view), cell->text);
	if (reading.kind == DATE_TEXT_BAD)
		reader_report(
		    view->reader, PROBLEM_WARNING, "bad_date", view_place(view, column), cell->text,
		    TEXT("this is not a date that can only be read one way", "无法确定这是哪一天"),
		    TEXT("write 2026-12-31", "请写成 2026-12-31 的形式"));
	return reading;
}

static void read_dates(const struct row_view *view, struct offer *offer)
{
	struct date_reading to = date_in(view, ROLE_VALID_TO);
	struct date_reading from = date_in(view, ROLE_VALID_FROM);
	struct date_reading seen = date_in(view, ROLE_OBSERVED_ON);

	offer->valid_from = from.kind == DATE_TEXT_DAY ? from.from : view->context->valid_from;
	offer->valid_to = view->context->valid_to;
	if (to.kind == DATE_TEXT_DAY || to.kind == DATE_TEXT_RANGE)
		offer->valid_to = to.to;
	else if (to.kind == DATE_TEXT_ENDLESS)
		offer->valid_to = DATE_NONE;
	if (to.kind == DATE_TEXT_RANGE)
		offer->valid_from = to.from;
	offer->observed_on = seen.kind == DATE_TEXT_DAY ? seen.from : view->context->observed_on;
	if (date_is_none(offer->valid_to) && to.kind == DATE_TEXT_EMPTY)
		offer->valid_to = validity_end(view->context, date_is_none(offer->valid_from)
		                                                  ? offer->observed_on
		                                                  : offer->valid_from);
}

/* ---- the rest ---- */

/* "4小时", or 4 under "故障更换（小时）"; -1 = not understood: "次日" is no number of hours. */
static int replacement_of(const struct row_view *view)
{
	const struct column *column = table_column(view->table, ROLE_REPLACEMENT);
	const char *text = view_text(view, ROLE_REPLACEMENT);
	int minutes = minutes_text_read(arena_of(view), text);
	int count;

	if (minutes >= 0 || column == NULL || !column->unit.period_known ||
	    !count_text_read(arena_of(view), text, &count) || count > 10000)
		return minutes;
	return column->unit.period == PERIOD_HOUR  ? count * 60
	       : column->unit.period == PERIOD_DAY ? count * 1440
	                                           : -1;
}

static bool says_24x7(const char *text)
{
	static const char *const words[] = {"7x24", "24x7", "24/7", "7*24", "24*7", "24小时"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(text, words[i]) != NULL)
			return true;
	return false;
}

/* "7x24", or a yes under "7x24支持". */
static enum yes_no support_of(const struct row_view *view, const char *text)
{
	const struct column *column = table_column(view->table, ROLE_SUPPORT);
	const char *answer = words_whole(view->reader->words, "yes", text);

	if (says_24x7(text))
		return YES_NO_YES;
	if (answer == NULL)
		return YES_NO_NO;
	return column != NULL && says_24x7(column->norm) ? YES_NO_YES : YES_NO_UNKNOWN;
}

/* "二手", or a yes or no under "全新". */
static enum yes_no newness_of(const struct words *words, const char *text)
{
	const struct word *condition = words_find(words, "new", text, NULL);

	if (condition != NULL)
		return strcmp(condition->meaning, "yes") == 0 ? YES_NO_YES : YES_NO_NO;
	if (words_whole(words, "yes", text) != NULL)
		return YES_NO_YES;
	return words_whole(words, "no", text) != NULL ? YES_NO_NO : YES_NO_UNKNOWN;
}

static void read_service(const struct row_view *view, struct offer *offer)
{
	const struct words *words = view->reader->words;
	const char *support = norm_of(view, ROLE_SUPPORT);
	const char *availability = norm_of(view, ROLE_AVAILABILITY);
	const struct word *tier =
	    words_find(words, "service", norm_of(view, ROLE_SERVICE_TIER), NULL);

	if (*availability != '\0')
		offer->availability_ppm = availability_of(availability);
	offer->replacement_minutes = replacement_of(view);
	if (*support != '\0')
		offer->support_24x7 = support_of(view, support);
	if (tier != NULL)
		offer->service_tier = tier->meaning;
	offer->new_cards = newness_of(words, norm_of(view, ROLE_NEW_CARDS));
	if (*view_text(view, ROLE_CARD_AGE) != '\0') {
		int months = months_text_read(arena_of(view), view_text(view, ROLE_CARD_AGE));

		offer->card_age_months = months > 0 ? months : -1;
	}
}

static const char *kept(const struct row_view *view, enum role role)
{
	const char *text = view_text(view, role);

	return *text == '\0' ? NULL : norm_trim(arena_of(view), text);
}

void row_attributes(const struct row_view *view, struct offer *offer)
{
	struct ratio pue;
	int64_t milli;

	offer->sheet_name = view->table->grid->name;
	offer->row = view->table->grid->turned ? view->table->columns[0].column : view->row->number;
	offer->site = kept(view, ROLE_SITE);
	offer->note = kept(view, ROLE_NOTE);
	offer->source = kept(view, ROLE_SOURCE);
	offer->licences = kept(view, ROLE_LICENCES);
	offer->power_tier = kept(view, ROLE_POWER_TIER);
	offer->cards_per_server = count_of(view, ROLE_CARDS, 0);
	offer->min_term_months = months_text_read(arena_of(view), view_text(view, ROLE_MIN_TERM));
	if (offer->min_term_months == 0)
		offer->min_term_months = view->context->min_term_months;
	offer->power_billing = (enum power_billing)enum_of(
	    view, "billing", ROLE_POWER_BILLING, power_billing_names, POWER_BILLING_COUNT);
	offer->delivery =
	    (enum delivery)enum_of(view, "delivery", ROLE_DELIVERY, delivery_names, DELIVERY_COUNT);
	if (offer->power_billing == POWER_UNKNOWN &&
	    strstr(norm_of(view, ROLE_CABINET_POWER), "电") != NULL)
		offer->power_billing = (enum power_billing)enum_of(
		    view, "billing", ROLE_CABINET_POWER, power_billing_names, POWER_BILLING_COUNT);
	if (offer->delivery == DELIVERY_UNKNOWN)
		offer->delivery = view->context->delivery;
	if (number_text_first(norm_of(view, ROLE_PUE), &pue, NULL) && ratio_round(pue, 3, &milli) &&
	    milli >= 1000 && milli <= 3000)
		offer->pue_milli = (int32_t)milli;
	row_city(view, offer);
	read_servers(view, offer);
	read_included(view, offer);
	read_cabinet(view, offer);
	read_links(view, offer);
	read_dates(view, offer);
	read_service(view, offer);
}
