/* card_match.c - see card_match.h. */
#include "sheet/card_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/card_name.h"

/* ---- the catalogue ---- */

static enum form card_form(const struct card *card)
{
	if (card->form_factor == NULL)
		return FORM_ANY;
	if (strstr(card->id, "-nvl") != NULL)
		return FORM_NVL;
	if (strncmp(card->form_factor, "SXM", 3) == 0 || strncmp(card->form_factor, "OAM", 3) == 0)
		return FORM_SXM;
	return strncmp(card->form_factor, "PCIe", 4) == 0 ? FORM_PCIE : FORM_ANY;
}

struct card_index *card_index_new(struct arena *arena, const struct cards *cards,
                                  const struct words *words)
{
	struct card_index *index = arena_new(arena, struct card_index);
	size_t total = 0;

	for (size_t i = 0; i < cards->count; i++)
		total += (size_t)cards->items[i].alias_count + 1;
	index->cards = cards;
	index->words = words;
	index->entries = arena_array(arena, struct entry, total);
	for (size_t i = 0; i < cards->count; i++) {
		const struct card *card = &cards->items[i];

		for (int a = -1; a < card->alias_count; a++) {
			struct entry *entry = &index->entries[index->count];

			entry->card = card;
			card_name_read(arena, index, a < 0 ? card->id : card->aliases[a],
			               &entry->parts);
			/* The id "h20-96" spells its memory without a unit. */
			if (a < 0)
				entry->parts.count = 0;
			card_vocabulary_add(index, &entry->parts);
			index->count++;
		}
	}
	return index;
}

static bool same_model(const struct parts *a, const struct parts *b)
{
	if (a->count != b->count || a->count == 0)
		return false;
	for (int i = 0; i < a->count; i++)
		if (strcmp(a->tokens[i], b->tokens[i]) != 0)
			return false;
	return true;
}

/* Whether every token of PART is one of WHOLE and WHOLE has more. */
static bool part_of_model(const struct parts *part, const struct parts *whole)
{
	if (part->count == 0 || part->count >= whole->count)
		return false;
	for (int i = 0; i < part->count; i++) {
		bool found = false;

		for (int j = 0; j < whole->count; j++)
			found = found || strcmp(part->tokens[i], whole->tokens[j]) == 0;
		if (!found)
			return false;
	}
	return true;
}

static bool same_alias(const struct parts *a, const struct parts *b)
{
	bool same_type = a->memory_type == b->memory_type;

	return same_model(a, b) && a->form == b->form && a->memory_gb == b->memory_gb && same_type;
}

static void add_candidate(struct card_match *match, const struct card *card)
{
	for (int i = 0; i < match->candidate_count; i++)
		if (match->candidates[i] == card)
			return;
	if (match->candidate_count < CARD_CANDIDATES_MAX)
		match->candidates[match->candidate_count++] = card;
}

static bool memory_fits(const struct card_index *index, const struct card *card,
                        const struct parts *parts)
{
	int memory = parts->memory_gb;
	int nominal = (int)card->memory_gb;

	if (memory == 0 || memory == nominal)
		return true;
	/* The whole machine's memory: 640 GB of 8 cards. */
	int cards = parts->cards > 0 ? parts->cards : card->host_cards;

	if (cards > 1 && memory == nominal * cards)
		return true;
	for (size_t i = 0; i < index->count; i++)
		if (index->entries[i].card == card && index->entries[i].parts.memory_gb == memory)
			return true;
	return false;
}

static bool form_fits(const struct card *card, enum form form)
{
	enum form has = card_form(card);

	return form == FORM_ANY || has == FORM_ANY || has == form;
}

/* All cards of this model that fit form and memory. */
static void collect(const struct card_index *index, const struct parts *parts,
                    struct card_match *match)
{
	match->candidate_count = 0;
	for (size_t i = 0; i < index->count; i++) {
		const struct entry *entry = &index->entries[i];

		if (same_model(parts, &entry->parts) && memory_fits(index, entry->card, parts) &&
		    form_fits(entry->card, parts->form))
			add_candidate(match, entry->card);
	}
}

static void collect_similar(const struct card_index *index, const struct parts *parts,
                            struct card_match *match)
{
	for (size_t i = 0; i < index->count; i++)
		if (part_of_model(parts, &index->entries[i].parts) &&
		    memory_fits(index, index->entries[i].card, parts))
			add_candidate(match, index->entries[i].card);
}

static struct card_match found(struct card_match match, const struct card *card)
{
	match.kind = CARD_FOUND;
	match.card = card;
	return match;
}

/* The card whose alias is spelled exactly so, if one fits what the row says beside it. */
static const struct card *exact_alias(const struct card_index *index, const struct parts *name,
                                      const struct card_match *match)
{
	for (size_t i = 0; i < index->count; i++) {
		if (!same_alias(name, &index->entries[i].parts))
			continue;
		for (int c = 0; c < match->candidate_count; c++)
			if (match->candidates[c] == index->entries[i].card)
				return index->entries[i].card;
	}
	return NULL;
}

static bool model_known(const struct card_index *index, const struct parts *parts)
{
	for (size_t i = 0; i < index->count; i++)
		if (same_model(parts, &index->entries[i].parts))
			return true;
	return false;
}

static bool holds_model(const struct parts *whole, const struct parts *model)
{
	return same_model(whole, model) || part_of_model(model, whole);
}

/*
 * Further words may choose a form among what is left, and a memory where they name the model, too;
 * the model itself they never change.
 */
static void narrow_by_hint(struct arena *arena, const struct card_index *index, struct parts *parts,
                           const char *hint, struct card_match *match)
{
	struct parts hinted = {0};
	struct parts narrower = *parts;
	struct card_match again = *match;

	card_name_read(arena, index, hint, &hinted);
	if (narrower.form == FORM_ANY)
		narrower.form = hinted.form;
	if (narrower.memory_gb == 0 && holds_model(&hinted, parts))
		narrower.memory_gb = hinted.memory_gb;
	collect(index, &narrower, &again);
	if (again.candidate_count == 0)
		return;
	*match = again;
	*parts = narrower;
}

struct card_match card_match(struct arena *arena, const struct card_index *index, const char *name,
                             const char *spec, const char *hint)
{
	struct card_match match = {.kind = CARD_NONE};
	struct parts alone = {0};
	struct parts all = {0};
	const struct card *by_id = name == NULL ? NULL : card_find(index->cards, name);

	if (by_id != NULL)
		return found(match, by_id);
	card_name_read(arena, index, name, &alone);
	card_name_read(arena, index, name, &all);
	if (spec != NULL) {
		struct parts more = {0};

		card_name_read(arena, index, spec, &more);
		card_name_set_form(&all, more.form);
		all.memory_gb = all.memory_gb == 0 ? more.memory_gb : all.memory_gb;
	}
	match.cards = all.cards;
	if (all.count == 0 || all.overflow)
		return match;
	collect(index, &all, &match);
	if (match.candidate_count > 1)
		narrow_by_hint(arena, index, &all, hint, &match);
	if (match.candidate_count == 1)
		return found(match, match.candidates[0]);
	const struct card *exact = exact_alias(index, &all, &match);

	if (exact == NULL)
		exact = exact_alias(index, &alone, &match);
	if (exact != NULL && match.candidate_count > 1)
		return found(match, exact);
	if (match.candidate_count == 0 && model_known(index, &all)) {
		match.kind = CARD_OTHER_MEMORY;
		return match;
	}
	if (match.candidate_count == 0)
		collect_similar(index, &all, &match);
	match.kind = match.candidate_count > 0 ? CARD_AMBIGUOUS : CARD_NONE;
	return match;
}

const char *card_candidates(struct arena *arena, const struct card_match *match)
{
	const char *list = "";

	for (int i = 0; i < match->candidate_count; i++)
		list = arena_printf(arena, "%s%s%s", list, i > 0 ? ", " : "",
		                    match->candidates[i]->id);
	return list;
}
