/*
 * unit_text.h - the words of a unit: "万元/8卡/月", "CNY per GPU-hour", "元/A/柜/月", "28W 元/年".
 *
 * A reading keeps apart what was said and what was not, because the parts of a unit often stand in
 * different places: the currency in the heading, the thing counted in a note above the table.
 */
#ifndef SHEET_UNIT_TEXT_H
#define SHEET_UNIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ratio.h"
#include "offer/offer.h"
#include "sheet/words.h"

struct arena;

/* What is counted, as written; letters that mean two things stay letters. */
enum counted {
	COUNTED_NOTHING, /* not said */
	COUNTED_CARD,
	COUNTED_SERVER,
	COUNTED_CABINET,
	COUNTED_KW,
	COUNTED_AMPERE,
	COUNTED_U,
	COUNTED_KWH,
	COUNTED_MBPS,
	COUNTED_GBPS,
	COUNTED_G, /* Gbps for bandwidth, GB for traffic and storage */
	COUNTED_GB,
	COUNTED_T,
	COUNTED_TB,
	COUNTED_IP,
	COUNTED_LINE,  /* a line or port whose rate stands elsewhere in the row */
	COUNTED_PIECE, /* 个, each */
	COUNTED_TIME,  /* 次 */
	COUNTED_LOT,
};

struct unit_reading {
	enum counted counted;
	int count; /* 8 in 元/8卡/月; >= 1 */
	int cards; /* of the server, where the unit says it: 元/台(8卡)/月; 0 = no */
	enum period period;
	int period_count;
	bool period_known;
	char currency[4];   /* "" = not said */
	bool amount_known;  /* a currency or a scale was said: SCALE holds */
	struct ratio scale; /* 10000 for 万元 */
	bool clash;         /* counts two things at once */
};

/* Nothing said. */
struct unit_reading unit_nothing(void);

/*
 * Reads a unit at the very start of TEXT (normal form); returns how many bytes belong to it, 0 when
 * there is none. "元/台/30天" is {SERVER x 1, DAY x 30, CNY, scale 1}.
 */
size_t unit_text_read(const struct words *words, const char *text, struct unit_reading *unit);

/*
 * The first unit with a currency or scale anywhere in TEXT (normal form) that does not follow a
 * digit (that would be a price); false when there is none. AT and LENGTH (may be NULL) receive
 * where.
 */
bool unit_text_find(const struct words *words, const char *text, struct unit_reading *unit,
                    size_t *at, size_t *length);

/*
 * UNIT in the usual words, "万元/8卡/月", for a unit that no single place spells out; arena. What
 * is not said is left out.
 */
const char *unit_spell(struct arena *arena, const struct unit_reading *unit);

/* Whether at least one of thing counted and period is said. */
bool unit_says_what(const struct unit_reading *unit);

/*
 * The unit for a price of ITEM. MBPS is the rate of the line that the row offers, 0 = not said.
 * False when what is counted is not known, or is nothing that ITEM can be counted in.
 */
bool unit_resolve(const struct unit_reading *reading, enum price_item item, int mbps,
                  struct unit *unit);

/* Whether TEXT (normal form) is a thing and a time and nothing else: "台/月", "卡/时". */
bool unit_text_is_whole(struct arena *arena, const struct words *words, const char *text);

/* "月租（台）": sets in UNIT what stands in brackets, alone, as what is counted. */
void unit_text_in_brackets(struct arena *arena, const struct words *words, const char *text,
                           struct unit_reading *unit);

#endif
