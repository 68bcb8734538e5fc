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

/* keys.c, session.c */
struct answer *keys_list(struct request *rq);
struct answer *keys_create(struct request *rq);
struct answer *key_revoke(struct request *rq);
struct answer *session_get(struct request *rq);
struct answer *session_start(struct request *rq);
struct answer *session_end(struct request *rq);

/* suppliers.c, sites.c */
struct answer *suppliers_list(struct request *rq);
struct answer *supplier_get(struct request *rq);
struct answer *supplier_put(struct request *rq);
struct answer *sites_list(struct request *rq);
struct answer *site_get(struct request *rq);
struct answer *site_put(struct request *rq);

/* cards.c, models.c, tariffs.c, fx.c */
struct answer *cards_list(struct request *rq);
struct answer *card_get(struct request *rq);
struct answer *card_put(struct request *rq);
struct answer *models_list(struct request *rq);
struct answer *model_get(struct request *rq);
struct answer *model_put(struct request *rq);
struct answer *tariffs_list(struct request *rq);
struct answer *tariff_get(struct request *rq);
struct answer *tariff_put(struct request *rq);
struct answer *fx_list(struct request *rq);
struct answer *fx_get(struct request *rq);
struct answer *fx_put(struct request *rq);

/* sheets.c */
struct answer *sheet_upload(struct request *rq);
struct answer *sheets_list(struct request *rq);
struct answer *sheet_get(struct request *rq);
struct answer *sheet_original(struct request *rq);
struct answer *sheet_problems(struct request *rq);
struct answer *sheet_withdraw(struct request *rq);
struct answer *sheet_template_get(struct request *rq);

/* offers.c, prices.c */
struct answer *offers_list(struct request *rq);
struct answer *offers_export(struct request *rq);
struct answer *offer_get(struct request *rq);
struct answer *offer_history(struct request *rq);
struct answer *prices_get(struct request *rq);

/* audit.c, openapi.c */
struct answer *audit_list(struct request *rq);
struct answer *openapi_get(struct request *rq);

#endif
