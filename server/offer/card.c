/* card.c - see card.h. */
#include "offer/card.h"

#include <stdlib.h>
#include <string.h>

static int compare_id(const void *key, const void *item)
{
	return strcmp(key, ((const struct card *)item)->id);
}

const struct card *card_find(const struct cards *cards, const char *id)
{
	if (cards->count == 0)
		return NULL;
	return bsearch(id, cards->items, cards->count, sizeof *cards->items, compare_id);
}

double card_server_kw(const struct card *card, int cards)
{
	if (card->host_power_kw > 0 && card->host_cards > 0)
		return card->host_power_kw * cards / card->host_cards;
	return cards * card->tdp_w / 1000 + 1.2;
}
