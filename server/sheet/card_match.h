/*
 * card_match.h - which card of the catalogue a supplier means.
 *
 * A name is taken apart into model, form factor, memory and noise; only whole tokens match, so L2
 * is not L20, 4090 is not 4090 D, and "H100 80G" is a question (SXM or PCIe?) unless the catalogue
 * lists exactly that spelling as an alias of one card.
 */
#ifndef SHEET_CARD_MATCH_H
#define SHEET_CARD_MATCH_H

#include <stddef.h>

#include "offer/card.h"
#include "sheet/words.h"

struct arena;
struct card_index;

/* The catalogue prepared for matching; arena; CARDS and WORDS are borrowed. */
struct card_index *card_index_new(struct arena *arena, const struct cards *cards,
                                  const struct words *words);

enum card_match_kind {
	CARD_NONE,         /* no card has such a name */
	CARD_FOUND,        /* exactly one */
	CARD_AMBIGUOUS,    /* several: CANDIDATES names them */
	CARD_OTHER_MEMORY, /* the model is known, but with other memory or in another form */
};

#define CARD_CANDIDATES_MAX 8

struct card_match {
	enum card_match_kind kind;
	const struct card *card; /* when found */
	const struct card *candidates[CARD_CANDIDATES_MAX];
	int candidate_count;
	int cards; /* "8×H100", "4090 8卡": cards of the machine; 0 = not said */
};

/*
 * Matches NAME; SPEC (may be NULL) are further words of the row that may tell form factor and
 * memory (columns 形态, 显存), HINT (may be NULL) words that may tell the form factor only
 * (配置, 互联, 备注), tried when the rest leaves a choice.
 */
struct card_match card_match(struct arena *arena, const struct card_index *index, const char *name,
                             const char *spec, const char *hint);

/* "h100-sxm, h100-pcie, h100-nvl"; arena. */
const char *card_candidates(struct arena *arena, const struct card_match *match);

#endif
