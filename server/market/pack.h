/*
 * pack.h - an offer as a string of bytes: what its facts do not say already.
 *
 * Numbers are varints (7 bits a byte, low first; signed ones zigzag); words and repeated groups of
 * fields are numbers in the tables. An amount of money is digits and a power of ten: 76000 yuan is
 * two bytes.
 */
#ifndef MARKET_PACK_H
#define MARKET_PACK_H

#include "base/buf.h"
#include "market/intern.h"
#include "offer/facts.h"
#include "offer/offer.h"

struct pack_tables {
	struct intern words;
	struct intern sheets; /* struct pack_sheet: what the offers of one sheet share */
	struct intern forms;  /* struct pack_form: what prices of one column share */
};

/* Empty tables whose bytes live in ARENA. */
void pack_tables_init(struct pack_tables *tables, struct arena *arena);
void pack_tables_seal(struct pack_tables *tables);
void pack_tables_finish(struct pack_tables *tables);

/* Appends OFFER, without its id, its stock and what its facts hold, to OUT. */
void pack_offer(struct pack_tables *tables, const struct offer *offer, struct buf *out);

/*
 * The offer packed at BYTES, with ID and FACTS, into *OFFER and PRICES (room for all of them).
 * Strings are borrowed from the tables and from FACTS; the stock is left to the caller.
 */
void unpack_offer(const struct pack_tables *tables, const struct offer_facts *facts, int64_t id,
                  const unsigned char *bytes, struct offer *offer, struct price *prices);

/* The sheet of the offer packed at BYTES, and its supplier's id, without unpacking the rest. */
int64_t unpack_sheet_id(const struct pack_tables *tables, const unsigned char *bytes);
const char *unpack_supplier(const struct pack_tables *tables, const unsigned char *bytes);

#endif
