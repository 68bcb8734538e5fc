/* card_match.c - see card_match.h. */
#include "sheet/card_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

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

struct card_index {
	const struct cards *cards;
	const struct words *words;
	struct entry *entries; /* every alias of every card */
	size_t count;
};

static bool is_token_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool all_digits(const char *text)
{
	return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

/* ---- taking a name apart ---- */

static bool known_token(const struct card_index *index, const char *token)
{
	for (size_t i = 0; i < index->count; i++)
		for (int t = 0; t < index->entries[i].parts.count; t++)
			if (strcmp(index->entries[i].parts.tokens[t], token) == 0)
				return true;
	return false;
}

static enum form form_of(const struct card_index *index, const char *token)
{
	const char *meaning = words_whole(index->words, "form", token);

	if (meaning == NULL)
		return FORM_ANY;
	return strcmp(meaning, "SXM") == 0   ? FORM_SXM
	       : strcmp(meaning, "NVL") == 0 ? FORM_NVL
	                                     : FORM_PCIE;
}

/* "80g", "80gb", "80gib", "640g": gigabytes; 0 when TOKEN is none. */
static int memory_of(const char *token)
{
	char *end;
	long value = token[0] >= '1' && token[0] <= '9' ? strtol(token, &end, 10) : 0;

	if (value <= 0 || value > 100000)
		return 0;
	return strcmp(end, "g") == 0 || strcmp(end, "gb") == 0 || strcmp(end, "gib") == 0
	           ? (int)value
	           : 0;
}

static const char *memory_type_of(const char *token)
{
	static const char *const types[] = {"hbm2",  "hbm2e",  "hbm3", "hbm3e",
	                                    "gddr6", "gddr6x", "gddr7"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i], token) == 0)
			return types[i];
	return NULL;
}

static void add_token(struct parts *parts, const char *token)
{
	for (int i = 0; i < parts->count; i++)
		if (strcmp(parts->tokens[i], token) == 0)
			return;
	if (parts->count == TOKENS_MAX) {
		parts->overflow = true;
		return;
	}
	int at = parts->count++;

	for (; at > 0 && strcmp(parts->tokens[at - 1], token) > 0; at--)
		memcpy(parts->tokens[at], parts->tokens[at - 1], TOKEN_SIZE);
	memcpy(parts->tokens[at], token, strlen(token) + 1);
}

static void set_form(struct parts *parts, enum form form)
{
	/* "PCIe with NVLink bridge" is PCIe; NVL says more than the NVLink it also has. */
	if (form == FORM_ANY || parts->form == FORM_NVL)
		return;
	if (parts->form != FORM_PCIE || form == FORM_NVL)
		parts->form = form;
}

/* "700w", and the digits of "PCIe 4.0". */
static bool is_aside(const char *token)
{
	size_t digits = strspn(token, "0123456789");

	return (digits > 0 && strcmp(token + digits, "w") == 0) || token[1] == '\0';
}

static void take_token(const struct card_index *index, struct parts *parts, const char *token)
{
	enum form form = form_of(index, token);
	int memory = memory_of(token);
	const char *type = memory_type_of(token);

	if (form != FORM_ANY)
		set_form(parts, form);
	else if (memory > 0)
		parts->memory_gb = memory;
	else if (type != NULL)
		parts->memory_type = type;
	else if (!is_aside(token) && words_whole(index->words, "card_noise", token) == NULL)
		add_token(parts, token);
}

/* "h100sxm5", "4090x8", "h10080g": a known model and what is glued behind it. */
static bool take_halves(const struct card_index *index, struct parts *parts, const char *token)
{
	for (size_t cut = strlen(token) - 1; cut >= 2 && cut < TOKEN_SIZE; cut--) {
		const char *tail = token + cut;
		char head[TOKEN_SIZE];

		memcpy(head, token, cut);
		head[cut] = '\0';
		if (!known_token(index, head))
			continue;
		bool count = *tail == 'x' && all_digits(tail + 1) && strlen(tail) <= 4;

		if (!count && form_of(index, tail) == FORM_ANY && memory_of(tail) == 0)
			continue;
		take_token(index, parts, head);
		if (count)
			parts->cards = (int)strtol(tail + 1, NULL, 10);
		else
			take_token(index, parts, tail);
		return true;
	}
	return false;
}

/* "rtx4090" is 4090, "h100sxm5" is h100 in SXM form: known pieces glued together. */
static void take_glued(const struct card_index *index, struct parts *parts, const char *token)
{
	static const char *const makers[] = {"nvidia", "geforce", "rtx", "gtx", "ascend", "tesla"};
	size_t length = strlen(token);

	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
		size_t maker = strlen(makers[i]);

		if (length > maker && strncmp(token, makers[i], maker) == 0) {
			take_glued(index, parts, token + maker);
			return;
		}
	}
	if (!known_token(index, token) && take_halves(index, parts, token))
		return;
	take_token(index, parts, token);
}

/* A count before or behind: "8x", "8卡", "x8", "8 gpus". Returns bytes used, 0 = none. */
static size_t take_count(const char *text, bool at_start, struct parts *parts)
{
	static const char *const after[] = {"卡", "张", "颗", "片", "块", "gpu", "x", "*", "路"};
	size_t sign = strspn(text, "x*");
	char *end;
	long value;

	if (sign > 1 || text[sign] < '1' || text[sign] > '9' || !at_start)
		return 0;
	value = strtol(text + sign, &end, 10);
	if (value > 1024)
		return 0;
	size_t used = (size_t)(end - text);

	if (sign == 1 && !is_token_char(text[used])) {
		parts->cards = (int)value;
		return used;
	}
	used += strspn(text + used, " ");
	for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
		size_t length = strlen(after[i]);

		if (strncmp(text + used, after[i], length) != 0)
			continue;
		/* "8x h100", "8xh100", but not "4090xt". */
		if (*after[i] == 'x' && value > 64)
			return 0;
		if (strcmp(after[i], "gpu") == 0 && text[used + length] == 's')
			length++;
		parts->cards = (int)value;
		return used + length;
	}
	return 0;
}

/* One token of Latin letters and digits; returns the bytes it takes. */
static size_t read_token(const char *text, char token[TOKEN_SIZE])
{
	size_t length = 0;

	while (is_token_char(text[length]))
		length++;
	size_t kept = length < TOKEN_SIZE - 1 ? length : TOKEN_SIZE - 1;

	memcpy(token, text, kept);
	token[kept] = '\0';
	return length;
}

/* "h 100", "4090 d", "h20-3e", "pci-e": two tokens that are one known token together. */
static size_t read_joined(const struct card_index *index, const char *text, char token[TOKEN_SIZE])
{
	size_t used = read_token(text, token);
	char next[TOKEN_SIZE];
	size_t gap = strspn(text + used, " -");

	if (gap == 0 || gap > 2)
		return used;
	size_t more = read_token(text + used + gap, next);

	if (more == 0 || strlen(token) + strlen(next) >= TOKEN_SIZE)
		return used;
	/* "80 GB" */
	if (all_digits(token) && (strcmp(next, "gb") == 0 || strcmp(next, "g") == 0)) {
		memcpy(token + strlen(token), next, strlen(next) + 1);
		return used + gap + more;
	}
	if (strcmp(token, "pci") == 0 && strcmp(next, "e") == 0)
		return used + gap + more;
	bool one_letter =
	    (strlen(token) == 1 && !all_digits(token)) || (strlen(next) == 1 && !all_digits(next));
	char joined[2 * TOKEN_SIZE];

	memcpy(joined, token, strlen(token));
	memcpy(joined + strlen(token), next, strlen(next) + 1);
	if (!one_letter || !known_token(index, joined))
		return used;
	memcpy(token, joined, strlen(joined) + 1);
	return used + gap + more;
}

static void take_apart(struct arena *arena, const struct card_index *index, const char *text,
                       struct parts *parts)
{
	const char *at = text == NULL ? "" : norm_text(arena, text);
	bool start = true;

	while (*at != '\0') {
		size_t used = take_count(at, start, parts);

		if (used == 0 && is_token_char(*at)) {
			char token[TOKEN_SIZE];

			used = read_joined(index, at, token);
			take_glued(index, parts, token);
		}
		start = used > 0 ? true : !is_token_char(*at);
		at += used > 0 ? used : 1;
	}
}

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
			take_apart(arena, index, a < 0 ? card->id : card->aliases[a],
			           &entry->parts);
			/* The id "h20-96" spells its memory without a unit. */
			if (a < 0)
				entry->parts.count = 0;
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

	take_apart(arena, index, hint, &hinted);
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
	take_apart(arena, index, name, &alone);
	take_apart(arena, index, name, &all);
	if (spec != NULL) {
		struct parts more = {0};

		take_apart(arena, index, spec, &more);
		set_form(&all, more.form);
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
