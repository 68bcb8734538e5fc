/*
 * serving.h - memory, latency and throughput of an inference deployment, and the fleet for a load.
 *
 * Constants with their sources: engine/serving_constants.c. TPOT is the mean time per output token
 * after the first; TTFT runs from arrival to the first token, waiting included; per card or in all
 * is in the name.
 */
#ifndef ENGINE_SERVING_H
#define ENGINE_SERVING_H

#include "engine/sizing.h"

struct serving_percentiles {
	double p50, p90, p95, p99; /* ms */
};

struct serving_speed {
	double ttft_ms;  /* mean at the given load */
	double first_ms; /* of it, without waiting for others */
	double tpot_ms;  /* mean */
	struct serving_percentiles ttft;
	struct serving_percentiles tpot;
	double output_tokens_per_s; /* of the whole deployment (one replica unless dp says more) */
	double output_tokens_per_s_per_card;
	double input_tokens_per_s;  /* of the whole deployment */
	double requests_per_s;      /* served */
	double max_requests_per_s;  /* sustainable */
	double concurrency;         /* requests in flight at this load */
	double utilisation;         /* 0..1 of max_requests_per_s */
	double prefill_share;       /* 0..1 of a replica's time at this load; the rest decodes */
	double max_concurrency;     /* kv_tokens / tokens of one request */
	double kv_tokens;           /* room of one replica */
	double kv_bytes_per_token;  /* of one replica, all its cards together */
	double max_context;         /* the longest request that fits, tokens */
	double ttft_low, ttft_high; /* bands, ms */
	double tpot_low, tpot_high; /* ms */
	double low, high;           /* band of output_tokens_per_s */
	bool saturated;             /* the offered rate is above what can be served */
	enum sizing_limit limit;
};

struct serving_size {
	bool fits;
	enum sizing_status status;
	struct serving_layout layout; /* of one replica */
	int cards;                    /* of one replica */
	struct memory_size memory;
	struct serving_speed speed; /* zero when it does not fit */
	double power_w;             /* per card at this load */
	struct notes assumed;
	struct notes warnings;
};

/* What one replica in a layout bears. */
struct serving_capacity {
	double rate;     /* requests a second within the job's limits; 0 = never, or unfit */
	double requests; /* in flight then */
};

/*
 * What is known of the layouts that a fleet may have, in the order in which they are tried. It
 * holds for every job that differs in the rate of requests, the profile and the spares alone. All
 * zero = nothing.
 */
#define SERVING_LAYOUTS_MAX 64
struct serving_layout_known {
	bool tried;
	struct serving_capacity capacity;
	double below; /* without a capacity: it is below so much, if any; 0 = there is none */
};
struct serving_known {
	unsigned changes; /* goes up when something is found out */
	struct serving_layout_known layouts[SERVING_LAYOUTS_MAX];
};

/* What a fleet for a load needs. */
struct serving_fleet {
	bool possible;
	struct serving_size replica; /* at its share of the peak */
	int replicas;                /* for the peak, without spares */
	int spares;
	int cards;                 /* (replicas + spares) x cards of one */
	int replicas_by_hour[168]; /* needed in each hour of the week, without spares */
	double cost_basis_output_tokens_per_hour; /* at the peak, all replicas */
	double cost_basis_input_tokens_per_hour;
	double output_tokens_per_week; /* over the profile */
	double input_tokens_per_week;
	double knee_requests_per_s; /* of one replica: the most that keeps the latency limits */
	double
	    missed_ms; /* not possible: by how much the best replica misses a limit; 0 = unknown */
};

/*
 * One replica of JOB on ON in LAYOUT at JOB's concurrency or request rate.
 *
 *   Given     job     model != NULL; concurrency or requests_per_s > 0 (else concurrency 1)
 *             on      card != NULL; cards = cards of the replica (0 = tp x pp x dp of LAYOUT)
 *             layout  0 = derive; all zero = the best that fits
 *   Returned  *size   always filled; when it does not fit: memory, the reason in warnings, no speed
 */
void serving_size(const struct serving *job, const struct cluster *on,
                  const struct serving_layout *layout, struct serving_size *size);

/*
 * The fewest cards of ON's kind that serve JOB's peak within its latency limits at its percentile.
 *
 *   Given     job    requests_per_s > 0 at the peak (or concurrency), profile, limits, spares
 *             on     cards = the most that may be used for one replica (0 = one server)
 *             known  of JOB on ON; added to
 *   Returned  *fleet; possible = false with the reason in fleet->replica.warnings
 */
void serving_fleet(const struct serving *job, const struct cluster *on, struct serving_known *known,
                   struct serving_fleet *fleet);

/* GiB of WEIGHTS of MODEL in all, embeddings and head at 16 bit where the format leaves them. */
double serving_weights_gib(const struct model *model, enum weight_format weights);

/* Bytes of KV cache per token of a whole replica at tensor parallel degree TP (replicated heads).
 */
double serving_kv_bytes_per_token(const struct model *model, enum kv_format kv, int tp);

#endif
