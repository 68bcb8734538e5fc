/* routes.c - the table of routes. Rows with a fixed path stand before those with a parameter. */
#include "api/routes.h"

#include "api/app.h"
#include "api/plan.h"
#include "api/resources.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

#define ADMIN ROLE_ADMIN
#define READERS (ROLE_ADMIN | ROLE_BUYER | ROLE_VIEWER)
#define SELLERS (ROLE_ADMIN | ROLE_SUPPLIER)
#define BUYERS (ROLE_ADMIN | ROLE_BUYER)
#define TRADERS (ROLE_ADMIN | ROLE_BUYER | ROLE_SUPPLIER)

#define OPEN (ROUTE_PUBLIC | ROUTE_CACHEABLE)
#define UPLOAD (ROUTE_ANY_BODY | ROUTE_IDEMPOTENT)

/* Largest bodies. */
#define SMALL (64 * KIB)
#define SHEET (32 * MIB)

static const struct route table[] = {
    {"GET", "/openapi.json", openapi_get, 0, 0, OPEN},

    {"POST", "/keys", keys_create, ADMIN, SMALL, ROUTE_IDEMPOTENT},
    {"GET", "/keys", keys_list, ADMIN, 0, 0},
    {"DELETE", "/keys/{id}", key_revoke, ADMIN, 0, 0},
    {"GET", "/session", session_get, ROLE_ANY, 0, 0},
    {"POST", "/session", session_start, 0, SMALL, ROUTE_PUBLIC},
    {"DELETE", "/session", session_end, 0, 0, ROUTE_PUBLIC},

    {"GET", "/suppliers", suppliers_list, ROLE_ANY, 0, 0},
    {"GET", "/suppliers/{id}", supplier_get, ROLE_ANY, 0, 0},
    {"PUT", "/suppliers/{id}", supplier_put, SELLERS, SMALL, 0},
    {"GET", "/sites", sites_list, ROLE_ANY, 0, 0},
    {"GET", "/sites/{id}", site_get, ROLE_ANY, 0, 0},
    {"PUT", "/sites/{id}", site_put, ADMIN, SMALL, 0},
    {"GET", "/cards", cards_list, ROLE_ANY, 0, 0},
    {"GET", "/cards/{id}", card_get, ROLE_ANY, 0, 0},
    {"PUT", "/cards/{id}", card_put, ADMIN, SMALL, 0},
    {"GET", "/models", models_list, ROLE_ANY, 0, 0},
    {"GET", "/models/{id}", model_get, ROLE_ANY, 0, 0},
    {"PUT", "/models/{id}", model_put, ADMIN, SMALL, 0},
    {"GET", "/tariffs", tariffs_list, ROLE_ANY, 0, 0},
    {"GET", "/tariffs/{id}", tariff_get, ROLE_ANY, 0, 0},
    {"PUT", "/tariffs/{id}", tariff_put, ADMIN, SMALL, 0},
    {"GET", "/fx", fx_list, ROLE_ANY, 0, 0},
    {"GET", "/fx/{id}", fx_get, ROLE_ANY, 0, 0},
    {"PUT", "/fx/{id}", fx_put, ADMIN, SMALL, 0},

    {"POST", "/suppliers/{id}/sheets", sheet_upload, SELLERS, SHEET, UPLOAD},
    {"GET", "/suppliers/{id}/sheets", sheets_list, SELLERS, 0, 0},
    {"GET", "/sheets/template.csv", sheet_template_get, 0, 0, OPEN},
    {"GET", "/sheets/{id}", sheet_get, SELLERS, 0, 0},
    {"DELETE", "/sheets/{id}", sheet_withdraw, SELLERS, 0, 0},
    {"GET", "/sheets/{id}/original", sheet_original, SELLERS, 0, 0},
    {"GET", "/sheets/{id}/problems.csv", sheet_problems, SELLERS, 0, 0},

    {"GET", "/offers", offers_list, TRADERS, 0, 0},
    {"GET", "/offers.csv", offers_export, TRADERS, 0, 0},
    {"GET", "/offers/{id}", offer_get, TRADERS, 0, 0},
    {"GET", "/offers/{id}/history", offer_history, TRADERS, 0, 0},
    {"GET", "/prices/{card}", prices_get, READERS, 0, 0},

    {"POST", "/size", size_post, BUYERS, SMALL, 0},

    {"GET", "/audit", audit_list, ADMIN, 0, 0},
};

const struct route *routes(size_t *count)
{
	*count = sizeof table / sizeof *table;
	return table;
}
