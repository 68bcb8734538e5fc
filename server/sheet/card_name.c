/* card_name.c - see card_name.h. */
#include "sheet/card_name.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

static bool is_token_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool all_digits(const char *text)
{
	return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

/* ---- taking a name apart ---- */

/* The slot that holds TOKEN, or the free one where it belongs (FNV-1a, linear probing). */
static size_t slot_of(const struct card_index *index, const char *token)
{
	uint32_t hash = 2166136261u;

	for (const char *c = token; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	size_t slot = hash % CARD_VOCABULARY_SLOTS;

	while (index->vocabulary[slot] != NULL && strcmp(index->vocabulary[slot], token) != 0)
		slot = (slot + 1) % CARD_VOCABULARY_SLOTS;
	return slot;
}

void card_vocabulary_add(struct card_index *index, const struct parts *parts)
{
	for (int i = 0; i < parts->count; i++) {
		size_t slot = slot_of(index, parts->tokens[i]);

		/* Never full: a free slot ends every search. */
		if (index->vocabulary[slot] == NULL &&
		    index->vocabulary_count < CARD_VOCABULARY_SLOTS / 2) {
			index->vocabulary[slot] = parts->tokens[i];
			index->vocabulary_count++;
		}
	}
}

static bool known_token(const struct card_index *index, const char *token)
{
	return index->vocabulary[slot_of(index, token)] != NULL;
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

void card_name_set_form(struct parts *parts, enum form form)
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
		card_name_set_form(parts, form);
	else if (memory > 0)
		parts->memory_gb = memory;
	else if (type != NULL)
		parts->memory_type = type;
	else if (!is_aside(token) && words_whole(index->words, "card_noise", token) == NULL)
		add_token(parts, token);
}

/* A model, a form or a memory. */
static bool is_piece(const struct card_index *index, const char *token)
{
	return known_token(index, token) || form_of(index, token) != FORM_ANY ||
	       memory_of(token) > 0;
}

/* "h100sxm5", "4090x8", "h10080g", "sxm5x8", "80gx8": a known piece and what is glued behind it. */
static bool take_halves(const struct card_index *index, struct parts *parts, const char *token)
{
	for (size_t cut = strlen(token) - 1; cut >= 2 && cut < TOKEN_SIZE; cut--) {
		const char *tail = token + cut;
		char head[TOKEN_SIZE];

		memcpy(head, token, cut);
		head[cut] = '\0';
		bool count = *tail == 'x' && all_digits(tail + 1) && strlen(tail) <= 4;

		if (!count && form_of(index, tail) == FORM_ANY && memory_of(tail) == 0)
			continue;
		if (is_piece(index, head))
			take_token(index, parts, head);
		else if (!count || !take_halves(index, parts, head)) /* "sxm80g" of "sxm80gx8" */
			continue;
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
	if (!is_piece(index, token) && take_halves(index, parts, token))
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

void card_name_read(struct arena *arena, const struct card_index *index, const char *text,
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
