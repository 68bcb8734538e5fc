/*
 * screens.h - the screens (see engine/screen.h) that were made of the current snapshot, remembered.
 *
 * Most requests ask the same of every offer: a few cities, today's date, the usual terms. Making a
 * screen walks the whole catalogue; finding one again costs nothing. Shared by all threads.
 */
#ifndef API_SCREENS_H
#define API_SCREENS_H

#include "engine/plan.h"
#include "market/catalogue.h"

struct screens;
struct screen_kept;

/* Nothing remembered yet; new. */
struct screens *screens_create(void);

/* Forgets all; every screen must have been given back. NULL is fine. */
void screens_destroy(struct screens *screens);

/*
 * The screen of ASK over SOURCE, which is spread over CATALOGUE: remembered, or made now with the
 * help of SCRATCH, which grows when it is too small. Good until screens_give_back() *KEPT and as
 * long as the caller holds CATALOGUE. SCREENS NULL: it is made, and forgotten when given back.
 */
const struct screen *screens_take(struct screens *screens, struct catalogue *catalogue,
                                  const struct plan_source *source, const struct screen_ask *ask,
                                  struct plan_memory *scratch, struct screen_kept **kept);

/* Whether the screen of ASK over CATALOGUE is remembered. */
bool screens_have(struct screens *screens, struct catalogue *catalogue,
                  const struct screen_ask *ask);

/*
 * Makes those that were used last over SOURCE, which is spread over CATALOGUE: it is going to be
 * the current snapshot, and the first who plan over it do not have to make them.
 */
void screens_prepare(struct screens *screens, struct catalogue *catalogue,
                     const struct plan_source *source);

/* Forgets all that is not of CATALOGUE, unless that is newer; takes what was prepared of it. */
void screens_turn_to(struct screens *screens, struct catalogue *catalogue);

/* Gives KEPT back; it may be forgotten from now on. */
void screens_give_back(struct screens *screens, struct screen_kept *kept);

#endif
