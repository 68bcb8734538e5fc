/*
 * offer_write.h - an offer as JSON: the form of price sheets in JSON, used by uploads, lists and
 * exports alike, so that what a supplier is shown is what a buyer sees.
 */
#ifndef API_OFFER_WRITE_H
#define API_OFFER_WRITE_H

#include "base/json_write.h"
#include "offer/offer.h"

struct catalogue;

/*
 * Writes what a row of a sheet says into the object that is open in OUT: sheet, row, kind, card ...
 * note, prices. What is not stated is null, never 0.
 */
void offer_write_members(struct json_write *out, const struct offer *offer);

/*
 * Who offers it and where it is from: id, sheet_id, supplier, supplier_name, origin, source,
 * observed_on.
 */
void offer_write_provenance(struct json_write *out, const struct offer *offer);

/* Where OFFER stands: offer (its id), sheet, sheet_name, row; into the object open in OUT. */
void offer_write_place(struct json_write *out, const struct offer *offer);

/* The same of one of its prices, whose row may be another, and its column. */
void offer_write_source(struct json_write *out, const struct offer *offer,
                        const struct price *price);

/*
 * Who asks this price and since when: supplier, supplier_name (as CATALOGUE has it, else as the
 * sheet wrote it), supplier_name_en (null where none is known), origin, reference, price_date; into
 * the object open in OUT.
 */
void offer_write_seller(struct json_write *out, const struct catalogue *catalogue,
                        const struct offer *offer);

/* "CNY/card-hour" of a price; "CNY" for a one-off sum. TEXT holds at least 32 bytes. */
void price_unit_text(const struct price *price, char text[static 32]);

/* AMOUNT with six decimals: "13.194444". */
void money_six(struct money amount, char text[static RATIO_DECIMAL_SIZE]);

#endif
