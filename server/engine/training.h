/*
 * training.h - memory and speed of a training job on given cards, and the search for a layout.
 *
 * Formulas: Rajbhandari et al. 2020 (ZeRO, arXiv:1910.02054), Narayanan et al. 2021
 * (arXiv:2104.04473), Korthikanti et al. 2022 (arXiv:2205.05198), Dao 2023 (arXiv:2307.08691),
 * Dettmers et al. 2023 (arXiv:2305.14314). Constants with their sources:
 * engine/training_constants.c.
 */
#ifndef ENGINE_TRAINING_H
#define ENGINE_TRAINING_H

#include "engine/sizing.h"

struct training_speed {
	double tokens_per_s_per_card;
	double tflops_per_card; /* model FLOPs: recomputation is time, never FLOPs */
	double mfu;             /* of the card's dense peak at the job's precision */
	double step_s;
	double low; /* band of tokens_per_s_per_card */
	double high;
	enum sizing_limit limit;
};

/* A layout that a search did not choose: the best of its degrees and sharding. */
struct layout_lost {
	struct layout layout;
	double tokens_per_s_per_card; /* 0: it does not fit */
	double needed_gib;
	enum sizing_limit limit; /* what holds it back when it is only slower */
};

/* So many as fit, fastest first, and so many that do not, the nearest first. */
#define LAYOUTS_SLOWER 5
#define LAYOUTS_TOO_LARGE 3

struct training_size {
	bool fits;
	enum sizing_status status;
	struct layout layout; /* as given with what was assumed filled in, or the best found */
	struct memory_size memory;
	struct training_speed speed; /* zero when it does not fit */
	double power_w;              /* drawn per card while it runs */
	/* Of a search: layouts that lost to this one. */
	struct layout_lost lost[LAYOUTS_SLOWER + LAYOUTS_TOO_LARGE];
	int lost_count;
	struct notes assumed;
	struct notes warnings;
};

/*
 * Sizes JOB on ON in LAYOUT.
 *
 *   Given     job     model != NULL; its plan fields (tokens, deadline ...) are not read
 *             on      card != NULL, cards >= 1
 *             layout  tp x pp x cp x dp must equal on->cards where all are given; 0 = derive or
 *                     assume: recomputation and 16-bit states as the memory needs them
 *   Returned  *size   always filled; when it does not fit, memory is filled and speed is zero
 */
void training_size(const struct training *job, const struct cluster *on,
                   const struct layout *layout, struct training_size *size);

/*
 * The fastest layout of JOB on exactly ON->cards cards that fits; ties to the fewest parallel
 * dimensions. *size is that layout's, or, when none fits, that of the layout nearest to fitting
 * with fits = false and the reason in warnings; its lost names the next best of other degrees and
 * sharding. GLOBAL_BATCH in sequences, 0 = chosen.
 */
void training_best_layout(const struct training *job, const struct cluster *on, int global_batch,
                          struct training_size *size);

/* The best layout on so many cards, in short. */
struct training_tried {
	int cards;
	bool fits;
	double tokens_per_s_per_card;
};

/*
 * What searches for the smallest number of cards have found out about a job on a kind of cards. It
 * holds for every job that differs in tokens, deadline, runs and valley alone. All zero = nothing.
 */
#define TRAINING_TRIED_MAX 48 /* more are tried again each time */
struct training_known {
	unsigned changes; /* goes up when something is found out */
	struct training_tried tried[TRAINING_TRIED_MAX];
	int count;
	int sized;                 /* cards of SIZE; 0 = none */
	struct training_size size; /* the whole of the last best layout that was asked for */
};

/* How many cards a run takes. */
struct training_count {
	bool does; /* false: even the most that may be used do not do; this is about those */
	int cards;
	double hours; /* of one run */
};

/*
 * The smallest number of cards that runs JOB: whole servers above one server, powers of two below.
 *
 *   Given     job    tokens and deadline_hours: a run of TOKENS must end within DEADLINE_HOURS
 *                    (0 = any)
 *             on     cards = the most that may be used
 *             known  of JOB on ON; added to
 *   Returned  *size  of the count found; when none does, it tells why
 */
struct training_count training_smallest(const struct training *job, const struct cluster *on,
                                        struct training_known *known, struct training_size *size);

/*
 * Model FLOPs per token: 6 N + 6 L a d s (causal), N = matrix parameters with the head and without
 * the input embedding, active experts only; LoRA 4 N.
 */
double training_flops_per_token(const struct training *job);

#endif
