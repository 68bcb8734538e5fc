/*
 * workload_read.h - the workload of a /size or /plan request, from JSON to struct workload.
 */
#ifndef API_WORKLOAD_READ_H
#define API_WORKLOAD_READ_H

#include "api/json_read.h"
#include "api/remarks.h"
#include "offer/workload.h"

/* What the decoders look things up in, and where they say what they assumed. */
struct workload_reader {
	struct json_reader json;
	const struct cards *cards;
	const struct models *models;
	struct remarks *assumed;
	bool for_plan; /* also the fields that only a plan has: tokens, deadline, profile ... */
};

/*
 * Reads JSON at POINTER into WORKLOAD. Models given as an object live in the arena. False when a
 * problem was added.
 */
bool workload_read(struct workload_reader *reader, const json_t *json, const char *pointer,
                   struct workload *workload);

/* Member NAME as the id of a card of the catalogue; an unknown one is a problem with a hint. */
bool field_card(struct fields *in, const struct cards *cards, const char *name,
                enum field_need need, const struct card **card);

/*
 * Member NAME as a model: an id of the catalogue or an object of dimensions; what the object leaves
 * out is derived and said in reader->assumed.
 */
bool field_model(struct fields *in, struct workload_reader *reader, const char *name,
                 const struct model **model);

/* {tp, pp, vpp, cp, ep, dp, sharding, micro_batch, global_batch, recompute}; 0 = not said. */
void layout_read(struct json_reader *reader, const json_t *json, const char *pointer,
                 struct layout *layout);

/* {tp, pp, ep, dp} of one replica. */
void serving_layout_read(struct json_reader *reader, const json_t *json, const char *pointer,
                         struct serving_layout *layout);

/* {card, cards, cards_per_server, intra_link, inter_link, inter_gbps}. */
void cluster_read(struct workload_reader *reader, const json_t *json, const char *pointer,
                  struct cluster *cluster);

#endif
