/* routes.c - the table of routes. Rows with a fixed path stand before those with a parameter. */
#include "api/routes.h"

#include "api/app.h"
#include "api/resources.h"
#include "sheet/limits.h"

#define KIB ((size_t)1024)

#define ADMIN ROLE_ADMIN
#define READERS (ROLE_ADMIN | ROLE_BUYER | ROLE_VIEWER)
#define SELLERS (ROLE_ADMIN | ROLE_SUPPLIER)
#define BUYERS (ROLE_ADMIN | ROLE_BUYER)
#define TRADERS (ROLE_ADMIN | ROLE_BUYER | ROLE_SUPPLIER)

#define OPEN (ROUTE_PUBLIC | ROUTE_CACHEABLE)
#define UPLOAD (ROUTE_ANY_BODY | ROUTE_IDEMPOTENT | ROUTE_BULK)

/* Largest bodies. */
#define SMALL (64 * KIB)
#define PLAN (256 * KIB)

static const struct route table[] = {
    {"GET", "/openapi.json", get_openapi, 0, 0, OPEN},

    {"POST", "/keys", post_keys, ADMIN, SMALL, ROUTE_IDEMPOTENT | ROUTE_STORES},
    {"GET", "/keys", get_keys, ADMIN, 0, 0},
    {"GET", "/keys/{id}", get_key, ADMIN, 0, 0},
    {"DELETE", "/keys/{id}", delete_key, ADMIN, 0, ROUTE_STORES},
    {"GET", "/session", get_session, ROLE_ANY, 0, 0},
    {"POST", "/session", post_session, 0, SMALL, ROUTE_PUBLIC | ROUTE_STORES},
    {"DELETE", "/session", delete_session, 0, 0, ROUTE_PUBLIC | ROUTE_STORES},

    {"GET", "/suppliers", get_suppliers, ROLE_ANY, 0, 0},
    {"GET", "/suppliers/{id}", get_supplier, ROLE_ANY, 0, 0},
    {"PUT", "/suppliers/{id}", put_supplier, SELLERS, SMALL, ROUTE_BULK},
    {"GET", "/sites", get_sites, ROLE_ANY, 0, 0},
    {"GET", "/sites/{id}", get_site, ROLE_ANY, 0, 0},
    {"PUT", "/sites/{id}", put_site, ADMIN, SMALL, ROUTE_BULK},
    {"GET", "/cards", get_cards, ROLE_ANY, 0, 0},
    {"GET", "/cards/{id}", get_card, ROLE_ANY, 0, 0},
    {"PUT", "/cards/{id}", put_card, ADMIN, SMALL, ROUTE_BULK},
    {"GET", "/models", get_models, ROLE_ANY, 0, 0},
    {"GET", "/models/{id}", get_model, ROLE_ANY, 0, 0},
    {"PUT", "/models/{id}", put_model, ADMIN, SMALL, ROUTE_BULK},
    {"GET", "/tariffs", get_tariffs, ROLE_ANY, 0, 0},
    {"GET", "/tariffs/{id}", get_tariff, ROLE_ANY, 0, 0},
    {"PUT", "/tariffs/{id}", put_tariff, ADMIN, SMALL, ROUTE_BULK},
    {"GET", "/fx", get_rates, ROLE_ANY, 0, 0},
    {"GET", "/fx/{id}", get_rate, ROLE_ANY, 0, 0},
    {"PUT", "/fx/{id}", put_rate, ADMIN, SMALL, ROUTE_BULK},

    {"POST", "/suppliers/{id}/sheets", post_sheet, SELLERS, SHEET_BYTES_MAX, UPLOAD},
    {"GET", "/suppliers/{id}/sheets", get_sheets, SELLERS, 0, 0},
    {"GET", "/sheets/template.csv", get_template_csv, 0, 0, OPEN},
    {"GET", "/sheets/template.xlsx", get_template_xlsx, 0, 0, OPEN},
    {"GET", "/sheets/{id}", get_sheet, SELLERS, 0, 0},
    {"DELETE", "/sheets/{id}", delete_sheet, SELLERS, 0, ROUTE_BULK},
    {"GET", "/sheets/{id}/original", get_original, SELLERS, 0, 0},
    {"GET", "/sheets/{id}/problems.csv", get_problems, SELLERS, 0, 0},

    {"GET", "/offers", get_offers, TRADERS, 0, ROUTE_COMPUTES},
    {"GET", "/offers.csv", get_offers_csv, TRADERS, 0, ROUTE_COMPUTES},
    {"GET", "/offers.xlsx", get_offers_xlsx, TRADERS, 0, ROUTE_COMPUTES},
    {"GET", "/offers/{id}", get_offer, TRADERS, 0, 0},
    {"GET", "/offers/{id}/history", get_offer_history, TRADERS, 0, 0},
    {"GET", "/prices/{card}", get_prices, READERS, 0, ROUTE_COMPUTES},

    {"POST", "/size", post_size, BUYERS, SMALL, 0},
    {"POST", "/plan", post_plan, BUYERS, PLAN, ROUTE_COMPUTES | ROUTE_AT_ONCE},
    {"GET", "/compare", get_compare, READERS, 0, ROUTE_PUBLIC | ROUTE_COMPUTES},

    {"GET", "/audit", get_audit, ADMIN, 0, 0},
};

const struct route *routes(size_t *count)
{
	*count = sizeof table / sizeof *table;
	return table;
}
