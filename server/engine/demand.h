/*
 * demand.h - what one workload needs on one class of card: how many, and for how many hours.
 *
 * Hours are exact from here on: thousandths of an hour, rounded up once from the sizing's doubles.
 */
#ifndef ENGINE_DEMAND_H
#define ENGINE_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/note.h"
#include "engine/serving.h"
#include "engine/training.h"
#include "offer/workload.h"

/* Servers that are the same to a workload. */
struct card_class {
	const struct card *card;
	int cards_per_server;
	enum intra_link intra_link;
	enum inter_link inter_link;
	double inter_gbps; /* of a server; 0 = not stated */
};

/* What of the request decides a demand beside the workload itself. */
struct demand_basis {
	int hours_per_month; /* 720 or 730 */
	bool convert_usage;  /* usage may move to another card by speed ratio */
	int max_servers;     /* 0 = the two bounds below */
};

#define DEMAND_SERVERS_MAX 1024         /* of one workload */
#define DEMAND_TRAINING_SERVERS_MAX 128 /* of one run */

enum demand_verdict {
	DEMAND_OK,
	DEMAND_OTHER_CARD,   /* the workload names another card */
	DEMAND_DOES_NOT_FIT, /* memory: gap_gib short per card */
	DEMAND_TOO_SLOW,     /* even on the most servers: deadline or latency missed */
	DEMAND_TOO_MANY,     /* more servers than DEMAND_SERVERS_MAX */
};
#define DEMAND_VERDICT_COUNT 5
extern const char *const demand_verdict_names[DEMAND_VERDICT_COUNT];

struct demand {
	int workload; /* index, set by the planner */
	struct card_class class;
	enum demand_verdict verdict;
	double gap;  /* GiB per card, hours of a run or ms over, by verdict; 0 = not known */
	int cards;   /* that work */
	int servers; /* whole machines that hold them */
	int unit;    /* servers that must stand together, of one offer: those of a run or replica */
	bool elastic;             /* the same card-hours may be spread over more cards (usage) */
	int64_t milli_hours;      /* that each server must run in a month, mean over the servers */
	int64_t milli_card_hours; /* of all cards that work, in a month */
	double run_hours;         /* training: of one run */
	double tokens_per_month;  /* training: trained; inference: put out; else 0 */
	double input_tokens_per_month; /* inference: read; else 0 */
	int64_t server_watts;          /* maximum of one server: what a cabinet must feed */
	int server_u;                  /* 0 = not known */
	/* For showing: */
	double card_hours_per_month;
	double utilisation; /* share of the month's hours in which the servers work */
	double power_w;     /* of one card while it works; 0 = not known */
	double server_kw;
	union { /* by the workload's kind */
		struct training_size training;
		struct serving_fleet serving;
	} size;
	double mean_cards; /* usage: in use on average over the days of the history, of this card */
	double wanted_cards; /* usage: the same with the buffer, at the utilisation asked for */
	struct notes notes;
};

/*
 * What was found out about a job on a class of card whatever its amounts: it holds for every
 * workload of which demand_subject() is the same. All zero = nothing yet.
 */
union demand_known {
	unsigned changes; /* of either, which begin with it */
	struct training_known training;
	struct serving_known serving;
};

/*
 * WORKLOAD without its amounts: how many tokens or requests, until when, how often, with how many
 * spares. They decide how many cards it takes, not what a card can do for it.
 */
struct workload demand_subject(const struct workload *workload);

/*
 * The demand of WORKLOAD on CLASS. CLASS->card may be NULL only for hosting that gives its kW.
 *
 *   Given     known  of demand_subject(WORKLOAD) on CLASS; added to. NULL = nothing is
 *
 *   Usage: 40000 GPU-hours in 90 days at utilisation 1 with 30 % buffer are 40000/2160 x 1.3 =
 *   24.07, so 25 cards, so 4 servers of 8. Training: a 12-hour run 8 times a month on 8 cards is
 *   96 hours of one server; runs that do not fit into a month one after the other run side by side.
 *   In valley hours alone a run rests 16 hours of a day: its 12 hours take 28 from beginning to
 *   end, and these must keep to the deadline.
 *   Inference: the fleet for the peak and its spares; hours by the profile. Hosting: the servers
 *   named, all hours.
 */
void demand_size(const struct workload *workload, const struct demand_basis *basis,
                 const struct card_class *class, union demand_known *known, struct demand *demand);

/* Cards in a server of CLASS: stated, else the card's usual server, else 8. */
int class_server_cards(const struct card_class *class);

/*
 * Hours a month, in thousandths, that each of CARDS rented cards runs: DEMAND's hours, or where it
 * is elastic its card-hours spread over them.
 */
struct ratio demand_hours(const struct demand *demand, int cards);

/*
 * Thousandths of hours a month in which at least RANK + 1 of DEMAND's servers are needed (of a
 * history of use: when each server is filled before the next one); not
 * increasing in RANK, 0 beyond its servers. Added up over the servers: their hours in all.
 */
int64_t demand_level(const struct demand *demand, const struct workload *workload,
                     int hours_per_month, int rank);

#endif
