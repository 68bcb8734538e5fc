/* sample.c - see sample.h. */
#include "api/sample.h"

#include <string.h>

#include "api/catalogue_load.h"
#include "api/sheet_keep.h"
#include "base/arena.h"
#include "base/baked.h"
#include "base/clock.h"
#include "base/csv.h"
#include "market/catalogue.h"

#define LIST "schema/sample/suppliers.csv"

struct loading {
	struct app *app;
	struct problems *problems;
	const struct cards *cards;
	struct store_actor actor;
};

static bool fail(struct loading *in, const char *file, const char *what)
{
	problem_add(in->problems, PROBLEM_ERROR, "sample_unusable", (struct place){.sheet = file},
	            NULL, "the sample catalogue could not be loaded: %s", "无法载入示例目录：%s",
	            what);
	return false;
}

/* Only errors are worth telling: what is skipped and warned of stands with the sheet. */
static void report_errors(struct loading *in, const char *file, const struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->problems.count; i++) {
		const struct problem *problem = &sheet->problems.items[i];

		if (problem->severity == PROBLEM_ERROR)
			problem_add_text(in->problems, PROBLEM_ERROR, problem->code,
			                 (struct place){.sheet = file, .row = problem->place.row},
			                 problem->value, problem->message);
	}
}

static bool load_sheet(struct loading *in, const struct supplier *supplier, const char *filename)
{
	struct arena *arena = in->problems->arena;
	const struct baked_file *file =
	    baked_find(arena_printf(arena, "schema/sample/%s", filename));
	struct sheet_options options = {
	    .cards = in->cards,
	    .hours_per_month = 720,
	    .today = date_in_shanghai(in->actor.now_us / 1000000),
	};
	struct sheet sheet;
	int64_t id;

	if (file == NULL)
		return fail(in, filename, "no such file");
	struct sheet_bytes bytes = {.bytes = file->bytes,
	                            .size = file->size,
	                            .filename = filename,
	                            .media_type = "text/csv"};

	sheet_take(arena, supplier, &bytes, &options, &sheet);
	if (!sheet.accepted) {
		report_errors(in, filename, &sheet);
		return fail(in, filename, "not a price sheet");
	}
	enum store_result result =
	    sheet_keep(in->app->store, &in->actor, supplier, &bytes, &sheet, arena, &id);

	return result == STORE_OK || fail(in, filename, store_result_names[result]);
}

static bool has_sheet(struct loading *in, const char *supplier)
{
	struct sheet_query query = {.supplier = supplier, .limit = 1};
	struct stored_sheets sheets = {0};

	return store_sheets_list(in->app->store, in->problems->arena, &query, &sheets) ==
	           STORE_OK &&
	       sheets.count > 0;
}

static bool load_supplier(struct loading *in, const struct csv *csv, size_t row)
{
	const char *origin = csv_field(csv, row, csv_column(csv, "origin"));
	const char *source = csv_field(csv, row, csv_column(csv, "source"));
	struct supplier supplier = {
	    .id = csv_field(csv, row, csv_column(csv, "id")),
	    .name = csv_field(csv, row, csv_column(csv, "name")),
	    .name_en = csv_field(csv, row, csv_column(csv, "name_en")),
	    .origin = (enum origin)name_index(origin, origin_names, ORIGIN_COUNT),
	    .source = *source == '\0' ? NULL : source,
	};
	int64_t version;
	enum store_result result =
	    store_supplier_put(in->app->store, &in->actor, &supplier, STORE_NO_VERSION, &version);

	if (result != STORE_OK && result != STORE_CONFLICT) /* conflict: there already */
		return fail(in, supplier.id, store_result_names[result]);
	return has_sheet(in, supplier.id) ||
	       load_sheet(in, &supplier, csv_field(csv, row, csv_column(csv, "file")));
}

bool sample_load(struct app *app, struct problems *problems)
{
	const struct baked_file *file = baked_find(LIST);
	struct catalogue *catalogue = catalogue_slot_get(app->catalogue);
	struct loading in = {
	    .app = app,
	    .problems = problems,
	    .cards = &catalogue_reference_of(catalogue)->base.cards,
	    .actor = {.key_id = "system", .now_us = clock_now_us()},
	};
	struct csv csv;
	bool loaded =
	    csv_read(problems->arena, (const char *)file->bytes, file->size, ',', 10000, &csv);

	for (size_t row = 1; row < csv.count && loaded; row++)
		loaded = load_supplier(&in, &csv, row);
	catalogue_release(catalogue);
	if (loaded)
		catalogue_reload(app);
	return loaded;
}
