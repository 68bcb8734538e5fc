/*
 * snapshot.h - the inside of a catalogue, for the files of this folder only.
 */
#ifndef MARKET_SNAPSHOT_H
#define MARKET_SNAPSHOT_H

#include <stdatomic.h>

#include "market/catalogue.h"
#include "market/pack.h"

struct catalogue {
	atomic_long references;
	int64_t revision;
	struct arena *arena; /* words, sheets, forms and the reference data */
	struct catalogue_reference reference;
	struct pack_tables tables;
	struct offer_block *blocks;
	size_t block_count;
	struct offer_group *groups;
	size_t group_count;
	size_t size;
	/* By position: in the order of the blocks, cheapest first. */
	int64_t *floors;
	int64_t *hourly_floors;
	uint32_t *by_floor; /* the positions of each group, by their floors */
	uint32_t *by_hour;  /* and by their hourly floors */
	uint32_t *block_of;
	int64_t *ids;
	int32_t *stocks;
	uint8_t *supplies;     /* offer_supplies() */
	uint64_t *starts;      /* of the packed offer in bytes */
	uint32_t *by_id;       /* positions in the order of ids */
	unsigned char *packed; /* all packed offers */
	size_t packed_size;
	int max_prices;
};

#endif
