/* price_tax.c - see price_tax.h. */
#include "sheet/price_tax.h"

#include "sheet/norm.h"

static struct tax_reading column_tax(const struct row_view *view)
{
	struct arena *arena = view->reader->arena;
	const char *text = norm_text(arena, view_text(view, ROLE_TAX));
	struct tax_reading tax = tax_text_read(view->reader->words, text, true);
	const struct column *column = table_column(view->table, ROLE_TAX_RATE);
	const struct cell *cell = column == NULL ? NULL : view_cell(view, column);
	struct ratio rate;
	const char *after;
	int64_t points;

	/* "含6%" in the column of rates says both. */
	if (cell != NULL && tax.basis == TAX_UNKNOWN)
		tax = tax_text_read(view->reader->words, norm_text(arena, cell->text), false);
	if (cell == NULL || tax.rate_bp >= 0 ||
	    !number_text_first(norm_text(arena, cell->text), &rate, &after))
		return tax;
	/* 0.06 and "6%" and, in a column of rates, 6. */
	bool percent = *after == '%' || ratio_compare(rate, ratio_of(1)) >= 0;

	if (ratio_round(rate, percent ? 2 : 4, &points) && points >= 0 && points <= 3000)
		tax.rate_bp = (int32_t)points;
	return tax;
}

#define TAX_SOURCES 6
#define TAX_OF_PRICE 4 /* the first ones: two of them that disagree are a clash */

struct tax_reading price_tax_of(const struct row_view *view, const struct column *column,
                                const struct number_reading *number)
{
	const struct words *words = view->reader->words;
	const char *note = norm_text(view->reader->arena, view_text(view, ROLE_NOTE));
	struct tax_reading said[TAX_SOURCES] = {tax_text_read(words, number->rest, false),
	                                        tax_text_read(words, number->front, false),
	                                        column_tax(view),
	                                        column->price.tax,
	                                        tax_text_read(words, note, false),
	                                        view->context->tax};
	struct tax_reading tax = {.basis = TAX_UNKNOWN, .rate_bp = -1};

	for (int i = 0; i < TAX_SOURCES; i++) {
		if (said[i].basis != TAX_UNKNOWN && tax.basis == TAX_UNKNOWN)
			tax.basis = said[i].basis;
		else if (i < TAX_OF_PRICE && said[i].basis != TAX_UNKNOWN &&
		         said[i].basis != tax.basis)
			tax.clash = true;
		/* A rate belongs to the same statement, or to none of the two kinds. */
		if (tax.rate_bp < 0 && said[i].rate_bp >= 0 &&
		    (said[i].basis == TAX_UNKNOWN || said[i].basis == tax.basis))
			tax.rate_bp = said[i].rate_bp;
	}
	return tax;
}
