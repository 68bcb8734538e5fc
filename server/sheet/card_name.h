/*
 * card_name.h - a supplier's words for a card taken apart: model, form factor, memory, count.
 *
 * Shared by card_name.c, which takes names apart, and card_match.c, which compares them.
 */
#ifndef SHEET_CARD_NAME_H
#define SHEET_CARD_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "offer/card.h"
#include "sheet/words.h"

struct arena;

#define TOKENS_MAX 12
#define TOKEN_SIZE 24

enum form { FORM_ANY, FORM_SXM, FORM_PCIE, FORM_NVL };

/* A name taken apart. */
struct parts {
	char tokens[TOKENS_MAX][TOKEN_SIZE]; /* the model: lower case, sorted, without noise */
	int count;
	enum form form;
	int memory_gb;           /* 0 = not said */
	const char *memory_type; /* "hbm3"; NULL = not said */
	int cards;               /* 0 = not said */
	bool overflow;
};

struct entry {
	const struct card *card;
	struct parts parts;
};

#define CARD_VOCABULARY_SLOTS 4096 /* a power of two, well above the tokens of all aliases */

struct card_index {
	const struct cards *cards;
	const struct words *words;
	struct entry *entries; /* every alias of every card */
	size_t count;
	const char *vocabulary[CARD_VOCABULARY_SLOTS]; /* hash set of the entries' tokens */
	size_t vocabulary_count;
};

/* Adds the tokens of PARTS, borrowed, to the vocabulary. */
void card_vocabulary_add(struct card_index *index, const struct parts *parts);

/*
 * Takes TEXT (as it stands; NULL = nothing) apart into PARTS, which keeps what it has. Tokens are
 * joined and cut only where the vocabulary of INDEX knows the result: "H 100", "RTX4090x8".
 */
void card_name_read(struct arena *arena, const struct card_index *index, const char *text,
                    struct parts *parts);

/* Adds FORM to PARTS: PCIe with an NVLink bridge stays PCIe. */
void card_name_set_form(struct parts *parts, enum form form);

#endif
