/*
 * arrivals.h - which upload of a supplier came in last, as long as the process lives.
 *
 * Uploads are read side by side, so an earlier one may be ready later. Only the writer's thread
 * calls these.
 */
#ifndef STORE_ARRIVALS_H
#define STORE_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

struct arrivals;

/* A new list; arrivals_destroy() it. */
struct arrivals *arrivals_create(void);

/* Frees it; NULL is fine. */
void arrivals_destroy(struct arrivals *arrivals);

/* Whether an upload of SUPPLIER that came in after ARRIVED_US is kept already. */
bool arrivals_late(const struct arrivals *arrivals, const char *supplier, int64_t arrived_us);

/* Notes that one that came in at ARRIVED_US is kept. */
void arrivals_note(struct arrivals *arrivals, const char *supplier, int64_t arrived_us);

#endif
