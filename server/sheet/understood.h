/*
 * understood.h - one offer as a sentence, for the supplier to say "yes, that is what I mean".
 */
#ifndef SHEET_UNDERSTOOD_H
#define SHEET_UNDERSTOOD_H

#include "base/text.h"
#include "offer/offer.h"

struct arena;

/*
 * 第5行：h100-sxm ×8 整机 · 深圳，包月 7.6 万元/台/月（含税 6%）= 13.1944 元/卡/时; arena. Prices
 * must be normalised.
 */
struct text understood(struct arena *arena, const struct offer *offer);

#endif
