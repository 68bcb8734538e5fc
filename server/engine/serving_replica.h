/*
 * serving_replica.h - one replica of a model on its cards: bytes, rates and room, derived once.
 *
 * What serving_step.c needs for each of its many evaluations, so that a step costs a few dozen
 * multiplications.
 */
#ifndef ENGINE_SERVING_REPLICA_H
#define ENGINE_SERVING_REPLICA_H

#include "engine/serving.h"
#include "engine/serving_constants.h"

#define KV_PAGE_TOKENS 16 /* of a block in vLLM; others round alike */

struct replica {
	const struct serving *job;
	const struct cluster *on;
	const struct serving_constants *constants;
	enum serving_profile profile;
	struct serving_layout layout; /* every field >= 1 */
	enum weight_format weights;
	enum kv_format kv;
	struct serving_link link;

	/* Bytes that one card of each stage reads in a pass, summed over the stages. */
	double dense_bytes;  /* attention, dense FFN, shared experts */
	double expert_bytes; /* all routed experts */
	double expert_share; /* of the usual rate of their products */
	double head_bytes;

	/* FLOPs of one token on one card, summed over the stages. */
	double dense_flops;
	double expert_flops; /* the experts it is routed to */
	double head_flops;   /* of a token that is sampled */

	double bytes_per_ms;      /* memory bandwidth of the card */
	double flops_per_ms;      /* sheet peak at the precision of the layers */
	double half_flops_per_ms; /* at 16 bit */
	double attention_flops_per_ms;

	double kv_token_bytes; /* a token on one card, summed over the stages, every layer */
	double kv_full_bytes;  /* of it, layers that keep every token */
	double state_bytes;    /* a sequence: linear layers, on one card, summed over the stages */
	double pair_flops;     /* per pair of query and key, on one card, layers that see all */
	double windowed_flops; /* the same of layers with a window */
	double
	    mla_decode_flops; /* per cached token and decoded token; 0 without latent attention */
};

/* Fills *replica; LAYOUT has no zero, JOB a model, ON a card. */
void replica_make(const struct serving *job, const struct cluster *on,
                  const struct serving_layout *layout, struct replica *replica);

/* Bytes of KV that one sequence of TOKENS keeps on one card of the tensor-parallel group, summed
 * over the stages: windows limited, linear state included. */
double replica_sequence_bytes(const struct replica *replica, double tokens);

/* Bytes of KV that one decode step of a sequence with TOKENS behind it reads. */
double replica_read_bytes(const struct replica *replica, double tokens);

/* The share of memory that the engine may fill: as asked, else its default. */
double replica_memory_share(const struct replica *replica);

/* Memory of the fullest card and the room for KV there, bytes of all stages' share (one card). */
void replica_memory(const struct replica *replica, struct memory_size *memory, double *kv_room);

/* Most sequences that one decode step takes: max_num_seqs of the engine. */
double replica_max_sequences(const struct replica *replica);

/* Whether waiting prompts are computed before any sequence decodes on (SGLang). */
bool replica_prompts_first(const struct replica *replica);

/* Prompt tokens that one step takes. */
double replica_chunk(const struct replica *replica);

#endif
