/*
 * sample.h - the sample catalogue of `suanjia demo`: published prices with source and date, and a
 * few labelled samples (示例), as the sheets of schema/sample/.
 */
#ifndef API_SAMPLE_H
#define API_SAMPLE_H

#include "api/app.h"
#include "base/problem.h"

/*
 * Puts every supplier of schema/sample/suppliers.csv that the store does not have, with its sheet,
 * and brings the catalogue up to date. A supplier that has a sheet already is left alone, so that
 * what was uploaded since is not lost. False with problems.
 */
bool sample_load(struct app *app, struct problems *problems);

#endif
