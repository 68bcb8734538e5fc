/*
 * reader.h - what every step of reading one sheet shares.
 */
#ifndef SHEET_READER_H
#define SHEET_READER_H

#include "sheet/band.h"
#include "sheet/card_match.h"
#include "sheet/sheet.h"
#include "sheet/words.h"

struct arena;

struct reader {
	struct arena *arena; /* of what is being read: dies with it, see reader_rows_begin() */
	struct arena *keep;  /* of OUT and all that lasts */
	const struct words *words;
	const struct card_index *cards;
	const struct bands *bands;
	const struct sheet_options *options;
	struct sheet *out;
	bool several_sheets; /* sentences name theirs */
	size_t offer_capacity;
	size_t table_capacity;
	size_t unlisted;     /* problems beyond the limit */
	bool offers_full;    /* said that there are too many offers */
	bool unlisted_error; /* one of them is an error */
};

/*
 * Rows are read in an arena of their own, so that the memory of a long sheet is that of its offers.
 * Between these two calls ARENA is that one; what outlives a row is copied to KEEP by the functions
 * below. reader_row_done() after each row empties it now and then.
 */
void reader_rows_begin(struct reader *reader);
void reader_row_done(struct reader *reader);
void reader_rows_end(struct reader *reader);

/*
 * Adds a problem unless too many are listed already (errors are always counted). HINT may be no
 * text.
 */
void reader_report(struct reader *reader, enum problem_severity severity, const char *code,
                   struct place place, const char *value, struct text message, struct text hint);

/* Whether a further problem would be listed; if not, its words need not be made. */
bool reader_lists(const struct reader *reader);

/*
 * Whether there are too many errors to go on: more than SHEET_ERRORS_MAX, and more than offers.
 * reader_finish() then says so and drops the offers, for what follows them was not read.
 */
bool reader_gives_up(const struct reader *reader);

/* Adds OFFER (copied) with its sentence; too many are an error, once. */
void reader_add_offer(struct reader *reader, const struct offer *offer, struct text understood);

/* Adds TABLE (copied). */
void reader_add_table(struct reader *reader, const struct sheet_table *table);

/* Says at the end how many problems were not listed, or that reading was given up. */
void reader_finish(struct reader *reader);

#endif
