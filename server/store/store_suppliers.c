/* store_suppliers.c - suppliers and sites: see store.h. */
#include "base/arena.h"
#include "store/catalogue.h"
#include "store/versioned.h"

/* The numbers on disk are those of the enums. */
_Static_assert(ORIGIN_SHEET == 0 && ORIGIN_PUBLISHED == 1 && ORIGIN_SAMPLE == 2, "on disk");
_Static_assert(CITY_UNKNOWN == 0 && CITY_SHENZHEN == 1 && CITY_DONGGUAN == 2 && CITY_HUIZHOU == 3 &&
                   CITY_OTHER == 4,
               "on disk");

/* --- Suppliers ---------------------------------------------------------------------------- */

#define SUPPLIER_COLUMNS "id, name, name_en, origin, source, note, version, updated_us"

static void read_supplier(struct query *q, struct stored_supplier *s)
{
	s->value.id = query_text(q);
	s->value.name = query_text(q);
	s->value.name_en = query_text(q);
	s->value.origin = (enum origin)query_enum(q, ORIGIN_COUNT);
	s->value.source = query_text(q);
	s->value.note = query_text(q);
	s->version = query_integer(q);
	s->updated_us = query_integer(q);
}

static struct query *supplier_row(struct connection *c, const void *value)
{
	const struct supplier *supplier = value;
	struct query *q =
	    query_start(c, "SELECT version, " SUPPLIER_COLUMNS " FROM suppliers WHERE id = ?");

	query_put_text(q, supplier->id);
	return q;
}

static enum store_result put_supplier(struct writing *w, const void *value, int64_t version)
{
	const struct supplier *supplier = value;
	struct query *q =
	    query_start(w->connection, "INSERT INTO suppliers (" SUPPLIER_COLUMNS ")"
	                               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
	                               " ON CONFLICT (id) DO UPDATE SET name = ?2, name_en = ?3,"
	                               " origin = ?4, source = ?5, note = ?6, version = ?7,"
	                               " updated_us = ?8");

	query_put_text(q, supplier->id);
	query_put_text(q, supplier->name);
	query_put_text(q, supplier->name_en);
	query_put_integer(q, supplier->origin);
	query_put_text(q, supplier->source);
	query_put_text(q, supplier->note);
	query_put_integer(q, version);
	query_put_integer(q, w->actor->now_us);
	return query_run(q);
}

enum store_result store_supplier_put(struct store *store, const struct store_actor *actor,
                                     const struct supplier *supplier, int64_t expected,
                                     int64_t *version)
{
	static const struct versioned kind = {.row = supplier_row, .put = put_supplier};
	struct versioned_change change = {.kind = &kind,
	                                  .noun = "supplier",
	                                  .id = supplier->id,
	                                  .value = supplier,
	                                  .expected = expected};
	enum store_result result = versioned_put(store, actor, &change);

	*version = change.version;
	return result;
}

enum store_result store_supplier_get(struct store *store, struct arena *arena, const char *id,
                                     struct stored_supplier *supplier)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c, "SELECT " SUPPLIER_COLUMNS " FROM suppliers WHERE id = ?", arena);

	query_put_text(q, id);
	if (query_next(q))
		read_supplier(q, supplier);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result suppliers_list(struct connection *c, struct arena *arena, struct page page,
                                 struct stored_suppliers *suppliers)
{
	struct query *q = query_start_into(
	    c, "SELECT " SUPPLIER_COLUMNS " FROM suppliers WHERE id > ? ORDER BY id LIMIT ?",
	    arena);
	size_t capacity = 0;

	*suppliers = (struct stored_suppliers){0};
	query_put_text(q, page.after == NULL ? "" : page.after);
	query_put_integer(q, page.limit + 1);
	while (query_next_in_page(q, suppliers->count, page.limit, &suppliers->more)) {
		suppliers->items = arena_grow(arena, suppliers->items, suppliers->count, &capacity,
		                              sizeof *suppliers->items);
		read_supplier(q, &suppliers->items[suppliers->count++]);
	}
	return query_end(q);
}

enum store_result store_suppliers_list(struct store *store, struct arena *arena, const char *after,
                                       int limit, struct stored_suppliers *suppliers)
{
	struct connection *c = store_read(store);
	struct page page = {.after = after, .limit = store_limit(limit)};

	return store_read_end(store, c, suppliers_list(c, arena, page, suppliers));
}

/* --- Sites -------------------------------------------------------------------------------- */

#define SITE_COLUMNS                                                                               \
	"id, supplier, name, city, city_name, pue_milli, power_tier, source, version, updated_us"

static void read_site(struct query *q, struct stored_site *s)
{
	s->value.id = query_text(q);
	s->value.supplier = query_text(q);
	s->value.name = query_text(q);
	s->value.city = (enum city)query_enum(q, CITY_COUNT);
	s->value.city_name = query_text(q);
	s->value.pue_milli = query_int(q);
	s->value.power_tier = query_text(q);
	s->value.source = query_text(q);
	s->version = query_integer(q);
	s->updated_us = query_integer(q);
}

static struct query *site_row(struct connection *c, const void *value)
{
	const struct site *site = value;
	struct query *q =
	    query_start(c, "SELECT version, " SITE_COLUMNS " FROM sites WHERE id = ?");

	query_put_text(q, site->id);
	return q;
}

static enum store_result put_site(struct writing *w, const void *value, int64_t version)
{
	const struct site *site = value;
	struct query *q =
	    query_start(w->connection, "INSERT INTO sites (" SITE_COLUMNS ")"
	                               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
	                               " ON CONFLICT (id) DO UPDATE SET supplier = ?2, name = ?3,"
	                               " city = ?4, city_name = ?5, pue_milli = ?6,"
	                               " power_tier = ?7, source = ?8, version = ?9,"
	                               " updated_us = ?10");

	query_put_text(q, site->id);
	query_put_text(q, site->supplier);
	query_put_text(q, site->name);
	query_put_integer(q, site->city);
	query_put_text(q, site->city_name);
	query_put_integer(q, site->pue_milli);
	query_put_text(q, site->power_tier);
	query_put_text(q, site->source);
	query_put_integer(q, version);
	query_put_integer(q, w->actor->now_us);
	return query_run(q);
}

enum store_result store_site_put(struct store *store, const struct store_actor *actor,
                                 const struct site *site, int64_t expected, int64_t *version)
{
	static const struct versioned kind = {.row = site_row, .put = put_site};
	struct versioned_change change = {
	    .kind = &kind, .noun = "site", .id = site->id, .value = site, .expected = expected};
	enum store_result result = versioned_put(store, actor, &change);

	*version = change.version;
	return result;
}

enum store_result store_site_get(struct store *store, struct arena *arena, const char *id,
                                 struct stored_site *site)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c, "SELECT " SITE_COLUMNS " FROM sites WHERE id = ?", arena);

	query_put_text(q, id);
	if (query_next(q))
		read_site(q, site);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result sites_list(struct connection *c, struct arena *arena, struct stored_sites *sites)
{
	struct query *q =
	    query_start_into(c, "SELECT " SITE_COLUMNS " FROM sites ORDER BY id", arena);
	size_t capacity = 0;

	*sites = (struct stored_sites){0};
	while (query_next(q)) {
		sites->items =
		    arena_grow(arena, sites->items, sites->count, &capacity, sizeof *sites->items);
		read_site(q, &sites->items[sites->count++]);
	}
	return query_end(q);
}
