/* store_tariffs.c - electricity price tables and currency rates: see store.h. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "store/catalogue.h"
#include "store/versioned.h"

/* The numbers on disk are those of the enums; the bands are columns. */
_Static_assert(TAX_UNKNOWN == 0 && TAX_INCLUDED == 1 && TAX_EXCLUDED == 2, "on disk");
_Static_assert(BAND_VALLEY == 0 && BAND_FLAT == 1 && BAND_PEAK == 2 && BAND_SHARP == 3, "on disk");

/* --- Tariffs ------------------------------------------------------------------------------ */

#define COLUMNS                                                                                    \
	"id, city, name, hours_id, valley_micro, flat_micro, peak_micro, sharp_micro, tax,"        \
	" valid_from, valid_to, origin, source, version, updated_us"

static void read_tariff(struct query *q, struct stored_tariff *tariff)
{
	struct tariff *t = &tariff->value;

	t->id = query_text(q);
	t->city = (enum city)query_enum(q, CITY_COUNT);
	t->name = query_text(q);
	t->hours_id = query_text(q);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		t->known[band] = !query_is_null(q);
		t->per_kwh[band] = query_money(q);
	}
	t->tax = (enum tax_basis)query_enum(q, TAX_BASIS_COUNT);
	t->valid_from = query_date(q);
	t->valid_to = query_date(q);
	t->origin = (enum origin)query_enum(q, ORIGIN_COUNT);
	t->source = query_text(q);
	tariff->version = query_integer(q);
	tariff->updated_us = query_integer(q);
}

static struct query *tariff_row(struct connection *c, const void *value)
{
	const struct tariff *tariff = value;
	struct query *q = query_start(c, "SELECT version, " COLUMNS " FROM tariffs WHERE id = ?");

	query_put_text(q, tariff->id);
	return q;
}

static enum store_result put_tariff(struct writing *w, const void *value, int64_t version)
{
	const struct tariff *t = value;
	struct query *q = query_start(
	    w->connection, "INSERT INTO tariffs (" COLUMNS ") VALUES"
			   " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
			   " ON CONFLICT (id) DO UPDATE SET city = ?2, name = ?3, hours_id = ?4,"
			   " valley_micro = ?5, flat_micro = ?6, peak_micro = ?7, sharp_micro = ?8,"
			   " tax = ?9, valid_from = ?10, valid_to = ?11, origin = ?12,"
			   " source = ?13, version = ?14, updated_us = ?15");

	query_put_text(q, t->id);
	query_put_integer(q, t->city);
	query_put_text(q, t->name);
	query_put_text(q, t->hours_id);
	for (int band = 0; band < TARIFF_BAND_COUNT; band++)
		query_put_money_if(q, t->known[band], t->per_kwh[band]);
	query_put_integer(q, t->tax);
	query_put_date(q, t->valid_from);
	query_put_date(q, t->valid_to);
	query_put_integer(q, t->origin);
	query_put_text(q, t->source);
	query_put_integer(q, version);
	query_put_integer(q, w->actor->now_us);
	return query_run(q);
}

static enum store_result remove_tariff(struct writing *w, const void *value)
{
	const struct tariff *tariff = value;
	struct query *q = query_start(w->connection, "DELETE FROM tariffs WHERE id = ?");

	query_put_text(q, tariff->id);
	return query_run(q);
}

static const struct versioned tariff_kind = {
    .row = tariff_row, .put = put_tariff, .remove = remove_tariff};

enum store_result store_tariff_put(struct store *store, const struct store_actor *actor,
                                   const struct tariff *tariff, int64_t expected, int64_t *version)
{
	struct versioned_change change = {.kind = &tariff_kind,
	                                  .noun = "tariff",
	                                  .id = tariff->id,
	                                  .value = tariff,
	                                  .expected = expected};
	enum store_result result = versioned_put(store, actor, &change);

	*version = change.version;
	return result;
}

enum store_result store_tariff_delete(struct store *store, const struct store_actor *actor,
                                      const char *id, int64_t expected)
{
	struct tariff tariff = {.id = id};
	struct versioned_change change = {.kind = &tariff_kind,
	                                  .noun = "tariff",
	                                  .id = id,
	                                  .value = &tariff,
	                                  .expected = expected};

	return versioned_remove(store, actor, &change);
}

enum store_result store_tariff_get(struct store *store, struct arena *arena, const char *id,
                                   struct stored_tariff *tariff)
{
	struct connection *c = store_read(store);
	struct query *q =
	    query_start_into(c, "SELECT " COLUMNS " FROM tariffs WHERE id = ?", arena);

	query_put_text(q, id);
	if (query_next(q))
		read_tariff(q, tariff);
	return store_read_end(store, c, query_end_one(q));
}

enum store_result tariffs_list(struct connection *c, struct arena *arena,
                               struct stored_tariffs *tariffs)
{
	struct query *q = query_start_into(c, "SELECT " COLUMNS " FROM tariffs ORDER BY id", arena);
	size_t capacity = 0;

	*tariffs = (struct stored_tariffs){0};
	while (query_next(q)) {
		tariffs->items = arena_grow(arena, tariffs->items, tariffs->count, &capacity,
		                            sizeof *tariffs->items);
		read_tariff(q, &tariffs->items[tariffs->count++]);
	}
	return query_end(q);
}

enum store_result store_tariffs_list(struct store *store, struct arena *arena,
                                     struct stored_tariffs *tariffs)
{
	struct connection *c = store_read(store);

	return store_read_end(store, c, tariffs_list(c, arena, tariffs));
}

/* --- Currency rates ----------------------------------------------------------------------- */

/* A rate has no version of its own: its day is its version. */
static struct query *fx_row(struct connection *c, const void *value)
{
	const struct fx_rate *rate = value;
	struct query *q = query_start(c, "SELECT 1, currency, on_day, per_unit_micro, source"
	                                 " FROM fx WHERE currency = ? AND on_day = ?");

	query_put_text(q, rate->currency);
	query_put_date(q, rate->on);
	return q;
}

static enum store_result put_fx(struct writing *w, const void *value, int64_t version)
{
	const struct fx_rate *rate = value;
	struct query *q = query_start(w->connection, "INSERT OR REPLACE INTO fx"
	                                             " (currency, on_day, per_unit_micro, source)"
	                                             " VALUES (?, ?, ?, ?)");

	(void)version;
	query_put_text(q, rate->currency);
	query_put_date(q, rate->on);
	query_put_money(q, rate->per_unit);
	query_put_text(q, rate->source);
	return query_run(q);
}

enum store_result store_fx_put(struct store *store, const struct store_actor *actor,
                               const struct fx_rate *rate)
{
	static const struct versioned kind = {.row = fx_row, .put = put_fx};
	char id[sizeof rate->currency + 11] = "";
	char day[11];

	date_format(rate->on, day);
	snprintf(id, sizeof id, "%.3s/%s", rate->currency, day);
	struct versioned_change change = {
	    .kind = &kind, .noun = "fx", .id = id, .value = rate, .expected = STORE_ANY_VERSION};

	return versioned_put(store, actor, &change);
}

enum store_result fx_list(struct connection *c, struct arena *arena, struct fx_rates *rates)
{
	struct query *q = query_start_into(c,
	                                   "SELECT currency, on_day, per_unit_micro, source FROM fx"
	                                   " ORDER BY currency, on_day",
	                                   arena);
	size_t capacity = 0;

	*rates = (struct fx_rates){0};
	while (query_next(q)) {
		rates->items =
		    arena_grow(arena, rates->items, rates->count, &capacity, sizeof *rates->items);
		struct fx_rate *rate = &rates->items[rates->count++];

		query_code(q, rate->currency);
		rate->on = query_date(q);
		rate->per_unit = query_money(q);
		rate->source = query_text(q);
	}
	return query_end(q);
}

enum store_result store_fx_list(struct store *store, struct arena *arena, struct fx_rates *rates)
{
	struct connection *c = store_read(store);

	return store_read_end(store, c, fx_list(c, arena, rates));
}
