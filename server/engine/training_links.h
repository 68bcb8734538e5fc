/*
 * training_links.h - time on the links between cards: tensor, context, expert, pipeline and data
 * parallel traffic, all in seconds. Inside the training engine only.
 *
 * NOTES: Inside the fast domain a card has its own link; across it, its share of the server's
 * network. Volumes as in Narayanan et al. 2021 (arXiv:2104.04473, section 3) and Rajbhandari et al.
 * 2020 (arXiv:1910.02054, section 7).
 */
#ifndef ENGINE_TRAINING_LINKS_H
#define ENGINE_TRAINING_LINKS_H

struct training_run;

/*
 * Exposed seconds of one forward pass of one layer for tensor and context parallelism; ATTENTION:
 * seconds of its attention, under which the ring of keys and values hides.
 */
double training_split_links(const struct training_run *run, double attention);

/* Exposed seconds of dispatch and combine in one forward pass of one layer. */
double training_expert_links(const struct training_run *run);

/* Exposed seconds to hand one micro-batch to the next stage and its gradient back. */
double training_stage_links(const struct training_run *run);

/*
 * Seconds to move EACH bytes per parameter of a card's share (DENSE, EXPERTS) through the busiest
 * link of its data-parallel group: the server's network when the group spans servers.
 */
double training_parameter_time(const struct training_run *run, double dense, double experts,
                               double each);

/* training_parameter_time() when parameters are sharded inside the fast domain only. */
double training_hybrid_time(const struct training_run *run, double dense, double experts,
                            double each);

/*
 * Seconds for which PASSES over the parameters of a card wait for their rings to close: a hop for
 * each rank, most of them inside a server (NCCL's own model). A layer travels as one message, under
 * DeepSpeed's ZeRO-3 as its tensors: 4 matrices, 4 norms, 4 biases.
 */
double training_ring_time(const struct training_run *run, double passes);

#endif
