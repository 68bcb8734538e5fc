/* unit_text.c - see unit_text.h. */
#include "sheet/unit_text.h"

#include <string.h>

#include "base/arena.h"

static const char *const counted_names[] = {
    [COUNTED_NOTHING] = "",      [COUNTED_CARD] = "card",
    [COUNTED_SERVER] = "server", [COUNTED_CABINET] = "cabinet",
    [COUNTED_KW] = "kw",         [COUNTED_AMPERE] = "ampere",
    [COUNTED_U] = "u",           [COUNTED_KWH] = "kwh",
    [COUNTED_MBPS] = "mbps",     [COUNTED_GBPS] = "gbps",
    [COUNTED_G] = "g",           [COUNTED_GB] = "gb",
    [COUNTED_T] = "t",           [COUNTED_TB] = "tb",
    [COUNTED_IP] = "ip",         [COUNTED_LINE] = "line",
    [COUNTED_PIECE] = "piece",   [COUNTED_TIME] = "time",
    [COUNTED_LOT] = "lot",
};

struct unit_reading unit_nothing(void)
{
	return (struct unit_reading){.count = 1, .period_count = 1, .scale = {.num = 1, .den = 1}};
}

bool unit_says_what(const struct unit_reading *unit)
{
	return unit->counted != COUNTED_NOTHING || unit->period_known;
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static size_t skip(const char *text, const char *signs)
{
	return strspn(text, signs);
}

/* Scale and currency at the start: "万元", "元", "usd", "万/". Returns bytes, 0 = neither. */
static size_t read_amount(const struct words *words, const char *text, struct unit_reading *unit)
{
	const struct word *scale = words_start(words, "scale", text);
	size_t used = scale == NULL ? 0 : scale->length;

	used += used > 0 ? skip(text + used, " ") : 0;
	const struct word *currency = words_start(words, "currency", text + used);

	if (currency == NULL) {
		/* A scale alone is one only before "/", or in brackets: "万/台/月", "月租（万）".
		 */
		bool closed = scale != NULL && text[scale->length] == ')' && !is_letter(text[0]);

		if (scale == NULL || (text[scale->length] != '/' && !closed))
			return 0;
	} else {
		used += currency->length;
	}
	unit->amount_known = true;
	unit->scale = ratio_of(1);
	if (scale != NULL && !ratio_parse(scale->meaning, &unit->scale))
		return 0;
	if (currency != NULL && strcmp(currency->meaning, "FEN") == 0) {
		memcpy(unit->currency, "CNY", 4);
		return ratio_divide(unit->scale, ratio_of(100), &unit->scale) ? used : 0;
	}
	if (currency != NULL)
		memcpy(unit->currency, currency->meaning, 4);
	return used;
}

/* Digits at the start, at most seven; 1 and no byte when there are none. */
static size_t read_count(const char *text, int *count)
{
	size_t used = 0;

	*count = 1;
	if (text[0] < '1' || text[0] > '9')
		return 0;
	for (*count = 0; used < 7 && text[used] >= '0' && text[used] <= '9'; used++)
		*count = *count * 10 + (text[used] - '0');
	return used + skip(text + used, " ");
}

static void set_period(struct unit_reading *unit, const char *name, int count)
{
	static const struct {
		const char *name;
		enum period period;
		int count;
	} periods[] = {
	    {"hour", PERIOD_HOUR, 1},     {"day", PERIOD_DAY, 1},
	    {"week", PERIOD_DAY, 7},      {"month", PERIOD_MONTH, 1},
	    {"quarter", PERIOD_MONTH, 3}, {"half_year", PERIOD_MONTH, 6},
	    {"year", PERIOD_YEAR, 1},
	};

	for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
		if (strcmp(periods[i].name, name) != 0)
			continue;
		if (unit->period_known && unit->period != periods[i].period)
			unit->clash = true;
		unit->period = periods[i].period;
		unit->period_count = periods[i].count * count;
		unit->period_known = true;
	}
}

static bool is_part_of_cabinet(enum counted counted)
{
	return counted == COUNTED_KW || counted == COUNTED_AMPERE || counted == COUNTED_U;
}

/* Takes one more counted thing: 8卡整机 is eight cards, A/柜 is per ampere. */
static void set_counted(struct unit_reading *unit, enum counted counted, int count)
{
	enum counted before = unit->counted;

	/* "元/台/次": each time for each machine. */
	if (counted == COUNTED_TIME && before != COUNTED_NOTHING)
		return;
	if (before == COUNTED_NOTHING || before == counted) {
		unit->counted = counted;
		unit->count = count > unit->count ? count : unit->count;
	} else if (before == COUNTED_CARD && counted == COUNTED_SERVER && unit->count > 1) {
		unit->cards = unit->count;
	} else if (before == COUNTED_SERVER && counted == COUNTED_CARD && count > 1) {
		unit->cards = count;
	} else if (is_part_of_cabinet(before) && counted == COUNTED_CABINET) {
		return;
	} else if (before == COUNTED_CABINET && is_part_of_cabinet(counted)) {
		unit->counted = counted;
		unit->count = count;
	} else if (before == COUNTED_PIECE) {
		unit->counted = counted;
		unit->count = count;
	} else if (counted != COUNTED_PIECE) {
		unit->clash = true;
	}
}

/* A unit being read. */
struct unit_cursor {
	const struct words *words;
	const char *text;
	size_t at;
	int open;       /* brackets opened inside the unit */
	bool separated; /* a sign stands before the next part */
};

static bool take_bracket(struct unit_cursor *in)
{
	char sign = in->text[in->at];

	/* A bracket that closes what began before the unit ends the unit. */
	if (sign != '(' && (sign != ')' || in->open == 0))
		return false;
	in->open += sign == '(' ? 1 : -1;
	in->at++;
	return true;
}

/* "/", "每", "per ", "·" and brackets, as many as there are. */
static void take_signs(struct unit_cursor *in)
{
	static const char *const signs[] = {"每", "per ", "/", "·", "*", "-", "a ", "x"};
	bool again = true;

	in->separated = false;
	while (again) {
		in->at += skip(in->text + in->at, " ");
		again = take_bracket(in);
		for (size_t i = 0; i < sizeof signs / sizeof *signs && !again; i++) {
			again = strncmp(in->text + in->at, signs[i], strlen(signs[i])) == 0;
			in->at += again ? strlen(signs[i]) : 0;
		}
		in->separated = in->separated || again;
	}
}

/* One "/8卡", "每月", "·时"; false when there is none (the cursor may have moved). */
static bool take_part(struct unit_cursor *in, struct unit_reading *unit)
{
	size_t start = in->at;
	int count;

	take_signs(in);
	/* "per gpu hour" goes on after a space, "元/台/月 3个月" does not. */
	if (!in->separated && in->at > start && !is_letter(in->text[in->at]))
		return false;
	size_t digits = read_count(in->text + in->at, &count);

	if (digits > 0 && !in->separated)
		return false;
	const char *name = in->text + in->at + digits;
	const struct word *per = words_start(in->words, "per", name);
	const struct word *period = words_start(in->words, "period", name);

	if (period != NULL && (per == NULL || period->length >= per->length)) {
		set_period(unit, period->meaning, count);
		in->at += digits + period->length;
		return true;
	}
	if (per == NULL)
		return false;
	for (int i = COUNTED_CARD; i <= COUNTED_LOT; i++)
		if (strcmp(counted_names[i], per->meaning) == 0)
			set_counted(unit, (enum counted)i, count);
	in->at += digits + per->length;
	return true;
}

size_t unit_text_read(const struct words *words, const char *text, struct unit_reading *unit)
{
	struct unit_reading reading = unit_nothing();
	struct unit_cursor in = {.words = words, .text = text};
	size_t used = read_amount(words, text, &reading);

	in.at = used;
	while (take_part(&in, &reading))
		used = in.at;
	/* The currency may come last: "/gpu/hour (usd)". */
	if (used > 0 && !reading.amount_known) {
		size_t gap = skip(text + used, " (");
		size_t more = read_amount(words, text + used + gap, &reading);

		used += more > 0 ? gap + more : 0;
	}
	/* "元/台(8卡)" closes its own bracket. */
	if (used > 0 && text[used] == ')' && memchr(text, '(', used) != NULL)
		used++;
	*unit = used > 0 ? reading : unit_nothing();
	return used;
}

static bool starts_unit(const struct words *words, const char *text, size_t at)
{
	unsigned char before = at == 0 ? ' ' : (unsigned char)text[at - 1];

	struct unit_reading amount = unit_nothing();
	bool each = text[at] == '/' || strncmp(text + at, "每", strlen("每")) == 0 ||
	            strncmp(text + at, "per ", 4) == 0;

	if (before >= '0' && before <= '9')
		return false;
	/* "海外节点美元": a thing right before a currency is no unit. */
	if (!each && read_amount(words, text + at, &amount) == 0)
		return false;
	/* Latin words must not begin inside another: "scny". */
	return !((before >= 'a' && before <= 'z') && text[at] >= 'a' && text[at] <= 'z');
}

/* A unit with a currency is better than one without, one that says more better than less. */
static int worth(const struct unit_reading *unit)
{
	return (unit->counted != COUNTED_NOTHING ? 2 : 0) + (unit->period_known ? 1 : 0) +
	       (unit->amount_known ? 1 : 0);
}

bool unit_text_find(const struct words *words, const char *text, struct unit_reading *unit,
                    size_t *at, size_t *length)
{
	int best = 0;

	*unit = unit_nothing();
	for (size_t i = 0; text[i] != '\0'; i++) {
		struct unit_reading reading;

		if (((unsigned char)text[i] & 0xc0) == 0x80 || !starts_unit(words, text, i) ||
		    strchr(" ()", text[i]) != NULL)
			continue;
		size_t used = unit_text_read(words, text + i, &reading);

		if (used == 0 || !reading.amount_known || worth(&reading) <= best)
			continue;
		best = worth(&reading);
		*unit = reading;
		if (at != NULL)
			*at = i;
		if (length != NULL)
			*length = used;
	}
	return best > 0;
}

bool unit_text_is_whole(struct arena *arena, const struct words *words, const char *text)
{
	struct unit_reading unit;

	return unit_text_read(words, arena_printf(arena, "/%s", text), &unit) == strlen(text) + 1 &&
	       unit.counted != COUNTED_NOTHING && unit.period_known && !unit.clash;
}

void unit_text_in_brackets(struct arena *arena, const struct words *words, const char *text,
                           struct unit_reading *unit)
{
	const char *open = strchr(text, '(');
	size_t length = open == NULL ? 0 : strcspn(open + 1, ")");
	const char *inner = open == NULL ? "" : arena_printf(arena, "/%.*s", (int)length, open + 1);
	struct unit_reading thing;

	if (length == 0 || unit_text_read(words, inner, &thing) != length + 1 || thing.clash)
		return;
	if (thing.counted != COUNTED_CARD && thing.counted != COUNTED_SERVER &&
	    thing.counted != COUNTED_CABINET)
		return;
	unit->counted = thing.counted;
	unit->count = thing.count;
}

static bool set(struct unit *unit, enum per per, int count)
{
	unit->per = per;
	unit->per_count = count;
	return true;
}

static bool resolve_letter(const struct unit_reading *reading, enum price_item item,
                           struct unit *unit)
{
	bool giga = reading->counted == COUNTED_G;

	if (item == ITEM_BANDWIDTH && giga && reading->count <= 1000000)
		return set(unit, PER_MBPS, reading->count * 1000);
	if (item == ITEM_TRAFFIC || item == ITEM_STORAGE)
		return set(unit, giga ? PER_GB : PER_TB, reading->count);
	return false;
}

static bool resolve_piece(const struct unit_reading *reading, enum price_item item,
                          struct unit *unit)
{
	if (item == ITEM_IP)
		return set(unit, PER_IP, reading->count);
	return (item == ITEM_SETUP || item == ITEM_DEPOSIT || item == ITEM_SERVICE) &&
	       set(unit, PER_NONE, 1);
}

bool unit_resolve(const struct unit_reading *reading, enum price_item item, int mbps,
                  struct unit *unit)
{
	int count = reading->count;

	*unit = (struct unit){.per_count = 1,
	                      .period = reading->period_known ? reading->period : PERIOD_ONCE,
	                      .period_count = reading->period_count};
	switch (reading->counted) {
	case COUNTED_NOTHING:
		return (item == ITEM_SETUP || item == ITEM_DEPOSIT) && set(unit, PER_NONE, 1);
	case COUNTED_CARD:
		/* 万元/8卡整机 of a sale is one machine. */
		return item == ITEM_PURCHASE && count > 1 ? set(unit, PER_SERVER, 1)
		                                          : set(unit, PER_CARD, count);
	case COUNTED_SERVER:
		/* 元/台(8卡)/月 and 元/8卡整机/月 are the price of that many cards. */
		return reading->cards > 0 && item != ITEM_PURCHASE
		           ? set(unit, PER_CARD, reading->cards)
		           : set(unit, PER_SERVER, count);
	case COUNTED_CABINET:
		return set(unit, PER_CABINET, count);
	case COUNTED_KW:
		return set(unit, PER_KW, count);
	case COUNTED_AMPERE:
		return set(unit, PER_AMPERE, count);
	case COUNTED_U:
		return set(unit, PER_U, count);
	case COUNTED_KWH:
		return set(unit, PER_KWH, count);
	case COUNTED_MBPS:
		return set(unit, PER_MBPS, count);
	case COUNTED_GBPS:
		return count <= 1000000 && set(unit, PER_MBPS, count * 1000);
	case COUNTED_G:
	case COUNTED_T:
		return resolve_letter(reading, item, unit);
	case COUNTED_GB:
		return set(unit, PER_GB, count);
	case COUNTED_TB:
		return set(unit, PER_TB, count);
	case COUNTED_IP:
		return set(unit, PER_IP, count);
	case COUNTED_LINE:
		if (item == ITEM_SETUP && mbps <= 0)
			return set(unit, PER_NONE, 1);
		if (item == ITEM_SETUP)
			return set(unit, PER_MBPS, mbps);
		return item == ITEM_BANDWIDTH && mbps > 0 && set(unit, PER_MBPS, mbps);
	case COUNTED_PIECE:
		return resolve_piece(reading, item, unit);
	case COUNTED_TIME:
	case COUNTED_LOT:
		return set(unit, PER_NONE, 1);
	}
	return false;
}

/* ---- back into words ---- */

static const char *scale_words(struct ratio scale)
{
	static const struct {
		int64_t value;
		const char *words;
	} scales[] = {{1000, "千"}, {10000, "万"}, {1000000, "百万"}, {100000000, "亿"}};

	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (ratio_compare(scale, ratio_of(scales[i].value)) == 0)
			return scales[i].words;
	return "";
}

static const char *amount_words(struct arena *arena, const struct unit_reading *unit)
{
	bool yuan = unit->currency[0] == '\0' || strcmp(unit->currency, "CNY") == 0;
	const char *currency = yuan                                 ? "元"
	                       : strcmp(unit->currency, "USD") == 0 ? "美元"
	                                                            : unit->currency;

	if (yuan && ratio_compare(unit->scale, ratio_make(1, 100)) == 0)
		return "分";
	return arena_printf(arena, "%s%s", scale_words(unit->scale), currency);
}

static const char *period_words(const struct unit_reading *unit)
{
	switch (unit->period) {
	case PERIOD_ONCE:
		return "";
	case PERIOD_HOUR:
		return "时";
	case PERIOD_DAY:
		return "天";
	case PERIOD_MONTH:
		return unit->period_count == 1 ? "月" : "个月";
	case PERIOD_YEAR:
		return "年";
	}
	return "";
}

static const char *counted_words(enum counted counted)
{
	static const char *const words[] = {
	    [COUNTED_NOTHING] = "",   [COUNTED_CARD] = "卡",  [COUNTED_SERVER] = "台",
	    [COUNTED_CABINET] = "柜", [COUNTED_KW] = "kW",    [COUNTED_AMPERE] = "A",
	    [COUNTED_U] = "U",        [COUNTED_KWH] = "度",   [COUNTED_MBPS] = "M",
	    [COUNTED_GBPS] = "Gbps",  [COUNTED_G] = "G",      [COUNTED_GB] = "GB",
	    [COUNTED_T] = "T",        [COUNTED_TB] = "TB",    [COUNTED_IP] = "IP",
	    [COUNTED_LINE] = "条",    [COUNTED_PIECE] = "个", [COUNTED_TIME] = "次",
	    [COUNTED_LOT] = "批",
	};

	return words[counted];
}

const char *unit_spell(struct arena *arena, const struct unit_reading *unit)
{
	const char *thing = counted_words(unit->counted);
	const char *what = *thing == '\0'     ? ""
	                   : unit->count == 1 ? arena_printf(arena, "/%s", thing)
	                                      : arena_printf(arena, "/%d%s", unit->count, thing);
	const char *when =
	    !unit->period_known ? ""
	    : unit->period_count == 1
		? arena_printf(arena, "/%s", period_words(unit))
		: arena_printf(arena, "/%d%s", unit->period_count, period_words(unit));

	return arena_printf(arena, "%s%s%s", amount_words(arena, unit), what, when);
}
