/*
 * test_cost_golden.c - invoices worked by hand (tests/golden/) against the cost room.
 *
 * A file says what is bought, line by line, and after "expect" what the bill must print; a line
 * that starts with # is the working. The words are those of the interface: see read_command().
 */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/compare.h"
#include "engine/cost_extras.h"
#include "engine/cost_host.h"
#include "engine/cost_rent.h"
#include "offer/reference.h"

#define PRICES_MAX 8
#define PRINTED_SIZE 16384

struct sale {
	struct offer offer;
	struct price prices[PRICES_MAX];
	char card[32];
	char service_tier[16];
};

struct golden {
	struct cost_basis basis;
	struct fx_rate rate;
	struct sale main;
	struct sale side;
	struct sale *current; /* to which prices belong */
	bool has_side;
	struct tariff tariff;
	bool has_tariff;
	const struct tariff_hours *hours;
	struct bill bill;
	struct sla_loss loss;
	bool has_loss;
	enum cost_status status;
	struct ratio card_hours;
	char printed[PRINTED_SIZE];
};

/* ---- Words of a command ---- */

/* The value of KEY= in COMMAND, or NULL. Static: valid until the next call. */
static const char *word(const char *command, const char *key)
{
	static char value[64];
	char wanted[40];

	snprintf(wanted, sizeof wanted, " %s=", key);
	const char *found = strstr(command, wanted);

	if (found == NULL)
		return NULL;
	found += strlen(wanted);
	snprintf(value, sizeof value, "%.*s", (int)strcspn(found, " "), found);
	return value;
}

static struct ratio number(const char *command, const char *key, int64_t otherwise)
{
	const char *text = word(command, key);
	struct ratio value = ratio_of(otherwise);

	if (text != NULL)
		assert_true(ratio_parse(text, &value));
	return value;
}

static int whole(const char *command, const char *key, int otherwise)
{
	return (int)number(command, key, otherwise).num;
}

static int one_of(const char *command, const char *key, const char *const *names, int count,
                  int otherwise)
{
	const char *text = word(command, key);

	if (text == NULL)
		return otherwise;
	int index = name_index(text, names, count);

	assert_true(index >= 0);
	return index;
}

static unsigned terms_of(const char *command)
{
	const char *text = word(command, "terms");
	unsigned terms = 0;

	if (text == NULL)
		return TERMS_ALL_BUT_SPOT;
	for (int term = 0; term < PRICE_TERM_COUNT; term++)
		if (strstr(text, price_term_names[term]) != NULL)
			terms |= 1u << term;
	return terms;
}

/* ---- Units: "8card/month", "1000mbps/year", "kwh", "once", "card/30day" ---- */

static const char *const per_words[PER_COUNT] = {
    "once", "card", "server", "cabinet", "kw", "ampere", "u", "kwh", "mbps", "gb", "tb", "ip"};
static const char *const period_words[PERIOD_COUNT] = {"", "hour", "day", "month", "year"};

static int counted(const char **text)
{
	char *end;
	long count = strtol(*text, &end, 10);

	if (end == *text)
		return 1;
	*text = end;
	return (int)count;
}

static struct unit unit_of(const char *text)
{
	char per[16];
	struct unit unit = {PER_NONE, 1, PERIOD_ONCE, 1};

	unit.per_count = counted(&text);
	snprintf(per, sizeof per, "%.*s", (int)strcspn(text, "/"), text);
	int found = name_index(per, per_words, PER_COUNT);

	assert_true(found >= 0);
	unit.per = (enum per)found;
	text = strchr(text, '/');
	if (text == NULL)
		return unit;
	text++;
	unit.period_count = counted(&text);
	found = name_index(text, period_words, PERIOD_COUNT);
	assert_true(found >= 0);
	unit.period = (enum period)found;
	return unit;
}

static void print_unit(struct unit unit, char *text, size_t size)
{
	char per_count[16] = "", period_count[16] = "";

	if (unit.per_count > 1)
		snprintf(per_count, sizeof per_count, "%d", (int)unit.per_count);
	if (unit.period_count > 1)
		snprintf(period_count, sizeof period_count, "%d", (int)unit.period_count);
	snprintf(text, size, "%s%s%s%s%s", per_count, per_words[unit.per],
	         unit.period == PERIOD_ONCE ? "" : "/", period_count, period_words[unit.period]);
}

/* ---- Commands ---- */

static void read_basis(struct golden *golden, const char *command)
{
	struct cost_basis *basis = &golden->basis;
	const char *start = word(command, "start");

	if (start != NULL)
		assert_true(date_parse(start, &basis->start));
	basis->months = whole(command, "months", 12);
	basis->hours_per_month = whole(command, "hours", 720);
	basis->tax =
	    (enum tax_basis)one_of(command, "tax", tax_basis_names, TAX_BASIS_COUNT, TAX_EXCLUDED);
}

static void read_assume(struct golden *golden, const char *command)
{
	for (int code = 0; code < ASSUMPTION_COUNT; code++)
		if (word(command, cost_assumptions[code].name) != NULL)
			cost_basis_give(&golden->basis, (enum cost_assumption)code,
			                number(command, cost_assumptions[code].name, 0));
}

static void read_fx(struct golden *golden, const char *command)
{
	snprintf(golden->rate.currency, sizeof golden->rate.currency, "%.3s", command + 3);
	assert_true(
	    money_from_ratio(number(command, golden->rate.currency, 0), &golden->rate.per_unit));
	golden->basis.fx = &golden->rate;
	golden->basis.fx_count = 1;
}

static void read_sale(struct sale *sale, const char *command)
{
	struct offer *offer = &sale->offer;
	const char *tier;

	*offer = offer_blank();
	offer->kind = (enum offer_kind)one_of(command, "kind", offer_kind_names, OFFER_KIND_COUNT,
	                                      OFFER_RENTAL);
	offer->cards_per_server = whole(command, "cards_per_server", 8);
	offer->delivery = (enum delivery)one_of(command, "delivery", delivery_names, DELIVERY_COUNT,
	                                        DELIVERY_BARE_METAL);
	offer->servers_available = whole(command, "servers", 100);
	offer->min_term_months = whole(command, "min_term", 0);
	offer->mbps_included = whole(command, "mbps", -1);
	offer->ips_included = whole(command, "ips", -1);
	offer->cabinet_watts = whole(command, "cabinet_watts", 0);
	offer->pue_milli = whole(command, "pue_milli", 0);
	offer->availability_ppm = whole(command, "availability_ppm", -1);
	offer->replacement_minutes = whole(command, "replacement_minutes", -1);
	offer->power_billing = (enum power_billing)one_of(command, "power", power_billing_names,
	                                                  POWER_BILLING_COUNT, POWER_UNKNOWN);
	tier = word(command, "service");
	if (tier != NULL) {
		snprintf(sale->service_tier, sizeof sale->service_tier, "%s", tier);
		offer->service_tier = sale->service_tier;
	}
	offer->prices = sale->prices;
}

/* price ITEM TERM AMOUNT UNIT TAX [rate=PERCENT] [currency=CNY] [min=N] */
static void read_price(struct golden *golden, const char *command)
{
	struct sale *sale = golden->current;
	struct price *price = &sale->prices[sale->offer.price_count++];
	char item[16], term[16], amount[32], unit[32], tax[16];

	assert_true(sale->offer.price_count <= PRICES_MAX);
	assert_int_equal(
	    sscanf(command, "price %15s %15s %31s %31s %15s", item, term, amount, unit, tax), 5);
	*price = (struct price){
	    .item = (enum price_item)name_index(item, price_item_names, PRICE_ITEM_COUNT),
	    .term = (enum price_term)name_index(term, price_term_names, PRICE_TERM_COUNT),
	    .unit = unit_of(unit),
	    .tax = (enum tax_basis)name_index(tax, tax_basis_names, TAX_BASIS_COUNT),
	    .tax_rate_bp = 100 * whole(command, "rate", 6),
	    .min_quantity = whole(command, "min", 0),
	};
	assert_true(money_parse(amount, &price->amount));
	const char *currency = word(command, "currency");

	snprintf(price->currency, sizeof price->currency, "%.3s",
	         currency != NULL ? currency : "CNY");
}

static void read_tariff(struct golden *golden, const char *command)
{
	struct tariff *tariff = &golden->tariff;

	*tariff = (struct tariff){
	    .id = "golden", .tax = TAX_INCLUDED, .valid_from = DATE_NONE, .valid_to = DATE_NONE};
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		const char *text = word(command, tariff_band_names[band]);

		tariff->known[band] = text != NULL;
		if (text != NULL)
			assert_true(money_parse(text, &tariff->per_kwh[band]));
	}
	golden->has_tariff = true;
}

static enum cost_status do_rent(struct golden *golden, const char *command)
{
	struct rent_need need = {
	    .cards = whole(command, "cards", 8),
	    .hours_per_month = number(command, "hours", golden->basis.hours_per_month),
	    .terms = terms_of(command),
	};

	return cost_rent(&golden->basis, &golden->main.offer, &need, &golden->bill, NULL);
}

static enum cost_status do_network(struct golden *golden, const char *command)
{
	struct network_need need = {
	    .public_mbps = number(command, "mbps", 0),
	    .mbps_95 = number(command, "p95", 0),
	    .egress_gb = number(command, "egress_gb", 0),
	    .dataset_tb_in = number(command, "dataset_tb", 0),
	    .ips = whole(command, "ips", 0),
	    .storage_tb = number(command, "storage_tb", 0),
	};

	return cost_network(&golden->basis, &golden->main.offer,
	                    golden->has_side ? &golden->side.offer : NULL, &need, &golden->bill);
}

static enum cost_status do_service(struct golden *golden, const char *command)
{
	int tier = one_of(command, "tier", service_tier_names, SERVICE_TIER_COUNT, SERVICE_BARE);

	return cost_service(&golden->basis, &golden->main.offer,
	                    golden->has_side ? &golden->side.offer : NULL, (enum service_tier)tier,
	                    whole(command, "servers", 1), &golden->bill);
}

static enum cost_status do_host(struct golden *golden, const char *command)
{
	struct host_need need = {
	    .servers = whole(command, "servers", 1),
	    .server_watts = whole(command, "watts", 10200),
	    .schedule.kind = (enum schedule_kind)one_of(command, "schedule", schedule_kind_names,
	                                                SCHEDULE_KIND_COUNT, SCHEDULE_ALWAYS),
	    .terms = terms_of(command),
	};
	/* The servers stand in the side offer when the main offer is where they were bought. */
	const struct offer *site = golden->has_side ? &golden->side.offer : &golden->main.offer;

	return cost_host(&golden->basis, site, &need, golden->has_tariff ? &golden->tariff : NULL,
	                 golden->hours, &golden->bill, NULL);
}

static enum cost_status do_sla(struct golden *golden, const char *command)
{
	struct ratio hours =
	    ratio_of((int64_t)golden->basis.months * golden->basis.hours_per_month);

	golden->has_loss = true;
	return cost_sla(&golden->basis, &golden->main.offer, number(command, "cost", 0), hours,
	                whole(command, "servers", 1), &golden->bill, &golden->loss);
}

static bool begins(const char *command, const char *name)
{
	size_t length = strlen(name);

	return strncmp(command, name, length) == 0 &&
	       (command[length] == ' ' || command[length] == '\0');
}

static bool read_setting(struct golden *golden, const char *command)
{
	if (begins(command, "basis"))
		read_basis(golden, command);
	else if (begins(command, "assume"))
		read_assume(golden, command);
	else if (begins(command, "fx"))
		read_fx(golden, command);
	else if (begins(command, "offer"))
		read_sale(golden->current = &golden->main, command);
	else if (begins(command, "side"))
		read_sale(golden->current = &golden->side, command);
	else if (begins(command, "price"))
		read_price(golden, command);
	else if (begins(command, "tariff"))
		read_tariff(golden, command);
	else if (begins(command, "finish"))
		golden->card_hours = number(command, "card_hours", 0);
	else
		return false;
	golden->has_side = golden->has_side || begins(command, "side");
	return true;
}

static enum cost_status do_command(struct golden *golden, const char *command)
{
	if (begins(command, "rent"))
		return do_rent(golden, command);
	if (begins(command, "network"))
		return do_network(golden, command);
	if (begins(command, "service"))
		return do_service(golden, command);
	if (begins(command, "host"))
		return do_host(golden, command);
	if (begins(command, "buy"))
		return cost_buy(&golden->basis, &golden->main.offer, whole(command, "servers", 1),
		                &golden->bill);
	if (begins(command, "sla"))
		return do_sla(golden, command);
	fail_msg("no such command: %s", command);
	return COST_OK;
}

/* ---- What comes out ---- */

static void print(struct golden *golden, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void print(struct golden *golden, const char *format, ...)
{
	size_t length = strlen(golden->printed);
	va_list args;

	va_start(args, format);
	vsnprintf(golden->printed + length, PRINTED_SIZE - length, format, args);
	va_end(args);
}

static void print_money(struct golden *golden, const char *name, struct money amount)
{
	char text[MONEY_TEXT_SIZE];

	money_format(amount, text);
	print(golden, "%s %s\n", name, text);
}

static void print_line(struct golden *golden, const struct cost_line *line)
{
	char quantity[RATIO_DECIMAL_SIZE], unit[48];
	char unit_price[MONEY_TEXT_SIZE], amount[MONEY_TEXT_SIZE];
	const char *band =
	    line->source.kind == SOURCE_TARIFF ? tariff_band_names[line->source.band] : "";

	assert_true(ratio_format_short(line->quantity, 6, quantity));
	print_unit(line->unit, unit, sizeof unit);
	money_format(line->unit_price_shown, unit_price);
	money_format(line->amount, amount);
	print(golden, "%s %s%s%s: %s %s x %s = %s%s\n", cost_account_names[line->account],
	      cost_what_name(line->what), *band != '\0' ? " " : "", band, quantity, unit,
	      unit_price, amount, line->is_cost ? "" : " (no cost)");
}

static void print_unknown(struct golden *golden, const struct cost_unknown *unknown)
{
	char quantity[RATIO_DECIMAL_SIZE], unit[48];

	assert_true(ratio_format_short(unknown->quantity, 6, quantity));
	print_unit(unknown->unit, unit, sizeof unit);
	print(golden, "unknown %s%s%s: %s %s\n", cost_what_name(unknown->what),
	      unknown->band < 0 ? "" : " ",
	      unknown->band < 0 ? "" : tariff_band_names[unknown->band], quantity, unit);
}

static void print_bill(struct golden *golden)
{
	const struct bill *bill = &golden->bill;

	for (int i = 0; i < bill->line_count; i++)
		print_line(golden, &bill->lines[i]);
	for (int i = 0; i < bill->unknown_count; i++)
		print_unknown(golden, &bill->unknowns[i]);
	print_money(golden, "total", bill->total);
	print_money(golden, "upfront", bill->upfront);
	print_money(golden, "paid_per_month", bill->paid_per_month);
	print_money(golden, "vat", bill->vat);
	if (bill->has_per_card_hour)
		print_money(golden, "per_card_hour", bill->per_card_hour);
	if (golden->has_loss)
		print_money(golden, "sla_loss", golden->loss.expected);
	for (int i = 0; i < bill->flags.count; i++)
		print(golden, "flag %s\n", cost_flag_name(bill->flags.items[i].code));
}

/* ---- A file ---- */

static bool run_file(const char *path, const struct tariff_hours *hours)
{
	static struct golden golden;
	static char expected[PRINTED_SIZE];
	char line[512];
	bool expecting = false;
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	memset(&golden, 0, sizeof golden);
	golden.basis = cost_basis_default();
	golden.card_hours = ratio_of(0);
	golden.hours = hours;
	bill_start(&golden.bill);
	expected[0] = '\0';
	while (fgets(line, sizeof line, file) != NULL) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (expecting) {
			size_t length = strlen(expected);

			snprintf(expected + length, sizeof expected - length, "%s", line);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		expecting = strcmp(line, "expect") == 0;
		if (!expecting && golden.status == COST_OK && !read_setting(&golden, line))
			golden.status = do_command(&golden, line);
	}
	fclose(file);
	if (golden.status == COST_OK)
		golden.status = bill_finish(&golden.basis, golden.card_hours, &golden.bill);
	if (golden.status == COST_OK)
		print_bill(&golden);
	else
		print(&golden, "refused %s\n", cost_status_names[golden.status]);
	bool right = strcmp(golden.printed, expected) == 0;

	if (!right)
		print_error("%s\n--- expected\n%s--- got\n%s", path, expected, golden.printed);
	return right;
}

static int is_invoice(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

static void every_invoice_worked_by_hand_comes_out(void **state)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct reference reference;
	struct dirent **names;
	int wrong = 0;
	int count = scandir("tests/golden", &names, is_invoice, alphasort);

	(void)state;
	problems_init(&problems, arena);
	assert_true(reference_baked(arena, &problems, &reference));
	assert_true(count >= 10);
	for (int i = 0; i < count; i++) {
		char path[300];

		snprintf(path, sizeof path, "tests/golden/%s", names[i]->d_name);
		wrong += !run_file(path, &reference.tariffs.hours[0]);
		free(names[i]);
	}
	free(names);
	arena_destroy(arena);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_invoice_worked_by_hand_comes_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
