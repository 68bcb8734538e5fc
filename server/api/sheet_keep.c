/* sheet_keep.c - see sheet_keep.h. */
#include "api/sheet_keep.h"

#include "api/sheet_problems.h"
#include "market/catalogue.h"

#define OLD_OFFERS_MOST 1000000

void sheet_take(struct arena *arena, const struct supplier *supplier,
                const struct sheet_bytes *bytes, const struct sheet_options *options,
                struct sheet *sheet)
{
	sheet_read(arena, bytes->bytes, bytes->size, bytes->filename, options, sheet);
	for (size_t i = 0; i < sheet->offer_count; i++) {
		struct offer *offer = &sheet->offers[i];

		offer->supplier = supplier->id;
		offer->supplier_name = supplier->name;
		offer->origin = supplier->origin;
		if (date_is_none(offer->observed_on))
			offer->observed_on = options->today;
	}
}

struct sheet_difference sheet_compare(struct arena *arena, const struct catalogue *catalogue,
                                      const struct supplier *supplier, struct sheet *sheet)
{
	struct catalogue_filter filter = catalogue_filter_any();
	struct catalogue_page old = {0};

	filter.supplier = supplier->id;
	catalogue_list(catalogue, &filter, 0, OLD_OFFERS_MOST, arena, &old);
	return sheet_difference(arena, (struct offer_list){old.items, old.count},
	                        (struct offer_list){sheet->offers, sheet->offer_count},
	                        &sheet->problems);
}

enum store_result sheet_keep(struct store *store, const struct store_actor *actor,
                             const struct supplier *supplier, const struct sheet_bytes *bytes,
                             const struct sheet *sheet, struct arena *arena, int64_t *id)
{
	const char *type =
	    bytes->media_type == NULL ? "application/octet-stream" : bytes->media_type;
	struct sheet_new kept = {
	    .supplier = supplier->id,
	    .filename = bytes->filename,
	    .media_type = type,
	    .format = sheet->format,
	    .encoding = sheet->encoding,
	    .bytes = bytes->bytes,
	    .size = bytes->size,
	    .problems_json = sheet_problems_keep(arena, &sheet->problems),
	    .errors = (int)sheet->problems.errors,
	    .warnings = sheet_problems_count(&sheet->problems, PROBLEM_WARNING),
	    .skipped = sheet_problems_count(&sheet->problems, PROBLEM_SKIPPED),
	    .offers = sheet->offers,
	    .offer_count = sheet->offer_count,
	};

	return store_sheet_add(store, actor, &kept, id);
}
