/*
 * understood.h - one offer as a sentence, for the supplier to say "yes, that is what I mean".
 */
#ifndef SHEET_UNDERSTOOD_H
#define SHEET_UNDERSTOOD_H

#include <stdbool.h>

#include "base/text.h"
#include "offer/offer.h"

struct arena;

/* The words for people: "compute", 算力; "monthly", 包月; " per card-hour", /卡/时 (behind 元). */
extern const struct text price_item_words[PRICE_ITEM_COUNT];
extern const struct text price_term_words[PRICE_TERM_COUNT];
extern const struct text normalised_unit_words[NORMALISED_UNIT_COUNT];

/*
 * 第5行：租赁 h100-sxm ×8 · 深圳；包月算力 7.6 万元/台/月（含税 6%） = 13.1944 元/卡/时（4
 * 台起）；可供 14； 起租 3 个月；有效期至 2027-03-31; arena. Prices must be normalised.
 * NAMES_SHEET: of a workbook with several worksheets, 工作表“GPU”第5行：….
 */
struct text understood(struct arena *arena, const struct offer *offer, bool names_sheet);

#endif
