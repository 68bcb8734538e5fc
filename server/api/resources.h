/*
 * resources.h - the handlers of the route table (routes.c), one file per resource.
 *
 * Each comment in the .c files lists the statuses that its handler answers with; those that http/
 * gives before a handler runs (401, 403, 404, 405, 413, 415, 429) are in http/route.h. Status 500,
 * 503 and 507 can come from every write.
 */
#ifndef API_RESOURCES_H
#define API_RESOURCES_H

#include "http/answer.h"

/* plan.c, post_size.c, compare.c */
struct answer *post_plan(struct request *rq);
struct answer *post_size(struct request *rq);
struct answer *get_compare(struct request *rq);

/* keys.c, session.c */
struct answer *get_keys(struct request *rq);
struct answer *post_keys(struct request *rq);
struct answer *get_key(struct request *rq);
struct answer *delete_key(struct request *rq);
struct answer *get_session(struct request *rq);
struct answer *post_session(struct request *rq);
struct answer *delete_session(struct request *rq);

/* suppliers.c, sites.c */
struct answer *get_suppliers(struct request *rq);
struct answer *get_supplier(struct request *rq);
struct answer *put_supplier(struct request *rq);
struct answer *get_sites(struct request *rq);
struct answer *get_site(struct request *rq);
struct answer *put_site(struct request *rq);

/* cards.c, models.c, tariffs.c, fx.c */
struct answer *get_cards(struct request *rq);
struct answer *get_card(struct request *rq);
struct answer *put_card(struct request *rq);
struct answer *get_models(struct request *rq);
struct answer *get_model(struct request *rq);
struct answer *put_model(struct request *rq);
struct answer *get_tariffs(struct request *rq);
struct answer *get_tariff(struct request *rq);
struct answer *put_tariff(struct request *rq);
struct answer *get_rates(struct request *rq);
struct answer *get_rate(struct request *rq);
struct answer *put_rate(struct request *rq);

/* sheets.c */
struct answer *post_sheet(struct request *rq);
struct answer *get_sheets(struct request *rq);
struct answer *get_sheet(struct request *rq);
struct answer *get_original(struct request *rq);
struct answer *get_problems(struct request *rq);
struct answer *delete_sheet(struct request *rq);
struct answer *get_template_csv(struct request *rq);
struct answer *get_template_xlsx(struct request *rq);

/* offers.c, prices.c */
struct answer *get_offers(struct request *rq);
struct answer *get_offers_csv(struct request *rq);
struct answer *get_offers_xlsx(struct request *rq);
struct answer *get_offer(struct request *rq);
struct answer *get_offer_history(struct request *rq);
struct answer *get_prices(struct request *rq);

/* audit.c, openapi.c */
struct answer *get_audit(struct request *rq);
struct answer *get_openapi(struct request *rq);

#endif
