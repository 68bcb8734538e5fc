/*
 * finish.h - the last step of every offer, from a table or from JSON: normalise, check, say it.
 */
#ifndef SHEET_FINISH_H
#define SHEET_FINISH_H

#include "sheet/reader.h"

/* What sets a price apart from the others of its row: it becomes an offer of its own. */
struct split {
	int row;          /* of a main price of a turned table, an offer of its own; 0 = none */
	int cell_row;     /* of any price of a turned table; 0 = the offer's */
	int months;       /* of a commitment that no term expresses: 6, 24, 36; 0 */
	int64_t watts;    /* of the cabinet that the heading names: "10kW高密柜"; 0 */
	const char *city; /* that the heading names: a price column per city; NULL */
	enum power_billing billing; /* of a cabinet priced with and without electricity */
	bool period_of_term;        /* 包年 gave the period: the unit says none */
	int servers;                /* available there; only with a city, -1 = not stated */
};

/*
 * Normalises the prices of OFFER, warns of prices out of their band and of validity that is over,
 * sets its kind, and adds it with its sentence. SPLITS (one per price, same order; NULL = none)
 * makes several offers of one row. A price that cannot be normalised is an error and is left out.
 */
void offer_finish(struct reader *reader, struct offer *offer, const struct split *splits,
                  struct place place, int hours_per_month);

/* Drops offers that repeat an earlier one and warns; warns of the same thing at two prices. */
void offers_settle(struct reader *reader);

#endif
