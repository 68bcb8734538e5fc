/*
 * serving_layout.h - the legal layouts of a replica, and one layout sized.
 */
#ifndef ENGINE_SERVING_LAYOUT_H
#define ENGINE_SERVING_LAYOUT_H

#include "engine/serving.h"

#define SERVING_REPLICAS_MAX 1000000 /* counts stop here, far beyond what can be planned */

/*
 * The layouts of one replica of JOB's model on ON, fewest cards first: tensor parallel degrees that
 * divide the attention heads inside a server, pipeline stages beyond, and for mixtures of experts
 * data-parallel attention. An engine that splits by layer has stages only.
 *
 *   Given     job->model != NULL
 *             on->cards  exactly so many cards; 0 = any count up to one server
 *   Returned  their number; LAYOUTS has room for SERVING_LAYOUTS_MAX
 */
int serving_layouts(const struct serving *job, const struct cluster *on,
                    struct serving_layout *layouts);

/* Whether ENGINE gives each card whole layers, one after another (llama.cpp, transformers). */
bool serving_splits_by_layer(enum engine engine);

/* serving_size() of a layout without zeros. */
void serving_size_layout(const struct serving *job, const struct cluster *on,
                         const struct serving_layout *layout, struct serving_size *size);

/* The capacity of one replica of JOB in LAYOUT; 0 as well when it is sure to be below LEAST
 * requests a second. */
struct serving_capacity serving_layout_capacity(const struct serving *job, const struct cluster *on,
                                                const struct serving_layout *layout, double least);

/* Cards of the server that ON says or its card usually has. */
int serving_server_cards(const struct cluster *on);

#endif
