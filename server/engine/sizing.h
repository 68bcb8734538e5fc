/*
 * sizing.h - what both kinds of sizing answer: does it fit, how fast, how sure.
 *
 * Pure arithmetic over values: no allocation, clock, file or JSON. Memory is GiB per card, rates
 * are per card unless the name says otherwise.
 */
#ifndef ENGINE_SIZING_H
#define ENGINE_SIZING_H

#include <stdbool.h>

#include "engine/note.h"
#include "offer/workload.h"

/* How far a figure can be trusted. */
enum sizing_status {
	STATUS_MEASURED,  /* card and kind of job are among the published measurements */
	STATUS_ESTIMATED, /* the formulas apply, nothing like it was measured: wider band */
	STATUS_UNKNOWN,   /* no figure is given */
};
extern const char *const sizing_status_names[3];

enum sizing_limit {
	LIMIT_NONE,
	LIMIT_COMPUTE,
	LIMIT_MEMORY_BANDWIDTH,
	LIMIT_INTERCONNECT,
	LIMIT_PIPELINE
};
extern const char *const sizing_limit_names[5];

/* GiB on the fullest card. The parts add up to allocated_gib. */
struct memory_parts {
	double weights;
	double gradients;
	double optimizer;
	double activations;
	double logits;
	double kv_cache;
	double overhead;
};

struct memory_size {
	struct memory_parts parts;
	double allocated_gib; /* tensors */
	double reserved_gib;  /* what the caching allocator holds */
	double per_card_gib; /* what nvidia-smi shows: reserved + context + communication buffers */
	double needed_gib;   /* the least that a card must have: of per_card, what cannot be given
	                        back */
	double usable_gib;   /* of the card */
	double low_gib;      /* band of per_card_gib, at least 90 % of measurements inside */
	double high_gib;
};

/*
 * Memory of CARD that a process can use, GiB: what nvidia-smi prints as total less the reserve of
 * the driver. 81559 MiB on an H100 SXM is 79.65 GiB.
 */
double card_usable_gib(const struct card *card);

#endif
