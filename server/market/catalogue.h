/*
 * catalogue.h - everything a plan sees, frozen: the immutable snapshot of one revision.
 *
 * A snapshot is made by a builder, offer by offer, and never changes. It is counted: a request
 * takes one from the slot at its start and gives it back at its end, so it sees one revision
 * throughout; the store's thread puts a new one into the slot after each commit. Readers never wait
 * for a writer.
 *
 * Inside, an offer is a string of a few dozen bytes (numbers as varints, words as indices into one
 * table of distinct strings) plus two small columns; offers with equal facts (offer/facts.h) stand
 * together, cheapest first. catalogue_offer_at() spreads one out into a struct offer again.
 */
#ifndef MARKET_CATALOGUE_H
#define MARKET_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "offer/facts.h"
#include "offer/fx.h"
#include "offer/offer.h"
#include "offer/reference.h"
#include "offer/supplier.h"

struct arena;
struct catalogue;
struct catalogue_builder;
struct catalogue_slot;

/* What a snapshot holds beside its offers. Everything lives as long as the snapshot. */
struct catalogue_reference {
	struct reference base; /* cards, models, tariffs */
	const struct supplier *suppliers;
	size_t supplier_count;
	const struct site *sites;
	size_t site_count;
	const struct fx_rate *fx; /* at most one rate per currency: the newest */
	size_t fx_count;
};

/* ---- making one ---- */

/* An empty builder for revision REVISION; new. */
struct catalogue_builder *catalogue_builder_create(int64_t revision);

/* The arena that becomes the snapshot's: put the reference data there. Borrowed. */
struct arena *catalogue_builder_arena(struct catalogue_builder *builder);

/* Sets the reference data; the lists must live in the builder's arena or for ever. */
void catalogue_builder_reference(struct catalogue_builder *builder,
                                 const struct catalogue_reference *reference);

/* Adds a copy of OFFER with its prices and strings. Ids must be positive and distinct. */
void catalogue_builder_add(struct catalogue_builder *builder, const struct offer *offer);

/* The finished snapshot with one reference; steals BUILDER. */
struct catalogue *catalogue_builder_finish(struct catalogue_builder *builder);

/* Throws BUILDER away with all that it holds. NULL is fine. */
void catalogue_builder_destroy(struct catalogue_builder *builder);

/* ---- holding one ---- */

/* One more reference to CATALOGUE; returned for convenience. */
struct catalogue *catalogue_retain(struct catalogue *catalogue);

/* One reference less; the last one frees it. NULL is fine. */
void catalogue_release(struct catalogue *catalogue);

/* A slot that holds FIRST (steals the reference; NULL = none yet); new. */
struct catalogue_slot *catalogue_slot_create(struct catalogue *first);

/* Frees the slot and its reference. Nobody may be using it any more. */
void catalogue_slot_destroy(struct catalogue_slot *slot);

/*
 * The current snapshot with a reference of the caller's own (give it back with
 * catalogue_release()), or NULL when none was put yet. Waits for nobody.
 */
struct catalogue *catalogue_slot_get(struct catalogue_slot *slot);

/* Makes NEXT the current one (steals the reference). One thread at a time. */
void catalogue_slot_put(struct catalogue_slot *slot, struct catalogue *next);

/* ---- reading one ---- */

int64_t catalogue_revision(const struct catalogue *catalogue); /* the number it was made for */
size_t catalogue_size(const struct catalogue *catalogue);      /* how many offers it holds */
size_t catalogue_bytes(const struct catalogue *catalogue);     /* memory for the offers, in all */

/* Cards, models, tariffs, suppliers, sites, rates; borrowed. */
const struct catalogue_reference *catalogue_reference_of(const struct catalogue *catalogue);

/* The supplier with this id, or NULL; borrowed. */
const struct supplier *catalogue_supplier(const struct catalogue *catalogue, const char *id);

/* The rate of CURRENCY, or NULL; borrowed. CNY needs none. */
const struct fx_rate *catalogue_fx(const struct catalogue *catalogue, const char *currency);

/*
 * The offer with this id, spread out; false when there is none. Its prices live in ARENA, its
 * strings in the snapshot.
 */
bool catalogue_offer(const struct catalogue *catalogue, int64_t id, struct arena *arena,
                     struct offer *offer);

/* What GET /offers asks for. NULL, -1 or DATE_NONE: any. catalogue_filter_any() is the start. */
struct catalogue_filter {
	int kind;             /* enum offer_kind, or -1 */
	const char *card;     /* card id */
	int city;             /* enum city, or -1 */
	const char *supplier; /* supplier id: the wall between suppliers is this field */
	int origin;           /* enum origin, or -1 */
	int term;             /* enum price_term of the main price, or -1 */
	struct date valid_on; /* holds on that day */
	int64_t sheet_id;     /* 0 = any */
};

struct catalogue_page {
	struct offer *items; /* by id, ascending; they live in the arena */
	size_t count;
	int64_t next_after; /* give as AFTER for the next page; 0 = this was the last */
};

/* Everything, unfiltered. */
struct catalogue_filter catalogue_filter_any(void);

/*
 * At most LIMIT offers that pass FILTER with id > AFTER, by id. The cursor stays good across
 * revisions. Offers live in ARENA, their strings in the snapshot.
 */
void catalogue_list(const struct catalogue *catalogue, const struct catalogue_filter *filter,
                    int64_t after, size_t limit, struct arena *arena, struct catalogue_page *page);

/* How many offers pass FILTER. */
size_t catalogue_count(const struct catalogue *catalogue, const struct catalogue_filter *filter);

/* ---- searching one: what the planner walks ---- */

/* All blocks in the order of offer_facts_compare(); every offer is in exactly one. Borrowed. */
const struct offer_block *catalogue_blocks(const struct catalogue *catalogue, size_t *count);

/* All groups in that order; every block is in exactly one. Borrowed. */
const struct offer_group *catalogue_groups(const struct catalogue *catalogue, size_t *count);

/*
 * The columns by position, catalogue_size() long and borrowed: offer_floor_price() of commitments
 * (by which a block is sorted) and by the hour, id, servers, number of the block. by_floor and
 * by_hour: the positions of each group in the order of those floors, then ids.
 */
const int64_t *catalogue_floors(const struct catalogue *catalogue);
const int64_t *catalogue_hourly_floors(const struct catalogue *catalogue);
const uint32_t *catalogue_by_floor(const struct catalogue *catalogue);
const uint32_t *catalogue_by_hour(const struct catalogue *catalogue);
const uint32_t *catalogue_block_of(const struct catalogue *catalogue);
const int64_t *catalogue_ids(const struct catalogue *catalogue);
const int32_t *catalogue_stocks(const struct catalogue *catalogue);   /* servers_available */
const uint8_t *catalogue_supplies(const struct catalogue *catalogue); /* offer_supplies() */

/* The most prices that one offer of this snapshot has. */
int catalogue_max_prices(const struct catalogue *catalogue);

/*
 * The offer at POSITION, spread out into *OFFER with its prices in PRICES, which must have room for
 * catalogue_max_prices(). Strings are borrowed from the snapshot. About 0.2 us.
 */
void catalogue_offer_at(const struct catalogue *catalogue, size_t position, struct offer *offer,
                        struct price *prices);

#endif
