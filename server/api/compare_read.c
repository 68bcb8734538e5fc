/* compare_read.c - the query of GET /compare; see compare.h. */
#include "api/compare.h"

#include <string.h>

#include "api/plan_read.h"
#include "base/arena.h"

static void read_cities(struct fields *in, struct compare_request *request)
{
	const char *list = NULL;

	if (!field_string(in, "cities", FIELD_OPTIONAL, &list)) {
		memset(request->cities, 1, sizeof request->cities);
		return;
	}
	do {
		size_t length = strcspn(list, ",");
		const char *name = arena_strndup(in->reader->arena, list, length);
		enum city city = city_from_name(name);

		if (city >= CITY_SHENZHEN && city <= CITY_HUIZHOU)
			request->cities[city - CITY_SHENZHEN] = true;
		else
			field_problem(in, "cities", "unknown_value", name,
			              "cities are 深圳, 东莞, 惠州 (shenzhen, dongguan, huizhou)",
			              "城市可选：深圳、东莞、惠州");
		list += length;
		list += *list == ',';
	} while (*list != '\0');
}

/* One or two digits at *TEXT, which moves behind them; -1 when there are none. */
static int take_hour(const char **text)
{
	int hour = -1;

	for (int digits = 0; digits < 2 && **text >= '0' && **text <= '9'; digits++, ++*text)
		hour = (hour < 0 ? 0 : hour * 10) + (**text - '0');
	return hour;
}

/* "9-18" or "0-8,22-24": the hours that run, at least one. */
static bool parse_hours(const char *text, bool run[24])
{
	for (;;) {
		int from = take_hour(&text);

		if (*text++ != '-')
			return false;
		int to = take_hour(&text);

		if (from < 0 || to > 24 || from >= to)
			return false;
		for (int hour = from; hour < to; hour++)
			run[hour] = true;
		if (*text == '\0')
			return true;
		if (*text++ != ',')
			return false;
	}
}

static void read_schedule(struct fields *in, struct schedule *schedule)
{
	const char *hours = NULL;
	int kind = SCHEDULE_ALWAYS;

	field_enum(in, "schedule", FIELD_OPTIONAL, schedule_kind_names, SCHEDULE_KIND_COUNT, &kind);
	schedule->kind = (enum schedule_kind)kind;
	bool given = field_string(in, "hours", FIELD_OPTIONAL, &hours);

	if (given && !parse_hours(hours, schedule->run))
		field_problem(in, "hours", "bad_value", hours,
		              "hours of the day such as 9-18 or 0-8,22-24 are wanted",
		              "应为小时段，例如 9-18 或 0-8,22-24");
	if (schedule->kind == SCHEDULE_HOURS && !given)
		field_problem(in, "hours", "missing_field", NULL,
		              "schedule=hours needs hours=9-18 or the like",
		              "schedule=hours 需要 hours=9-18 之类");
}

/* Watts of a figure in kW, at least 1. */
static int64_t watts(struct ratio kw)
{
	struct ratio product;
	int64_t whole = 0;

	return ratio_multiply(kw, ratio_of(1000), &product) && ratio_ceil(product, &whole) ? whole
	                                                                                   : 0;
}

static void read_servers(struct fields *in, const struct cards *cards,
                         struct compare_request *request)
{
	struct host_need *host = &request->question.host;
	struct ratio kw = ratio_of(0);
	struct ratio server_kw = ratio_of(0);

	field_card(in, cards, "card", FIELD_OPTIONAL, &request->card);
	field_integer(in, "cards_per_server", FIELD_OPTIONAL, 1, 128, &request->cards_per_server);
	field_integer(in, "servers", FIELD_OPTIONAL, 1, 100000, &host->servers);
	field_integer(in, "server_u", FIELD_OPTIONAL, 1, 60, &host->server_u);
	bool by_load =
	    field_ratio(in, "kw", FIELD_OPTIONAL, ratio_make(1, 100), ratio_of(1000000), &kw);
	bool by_server = field_ratio(in, "server_kw", FIELD_OPTIONAL, ratio_make(1, 100),
	                             ratio_of(1000), &server_kw);

	if (request->card != NULL && request->cards_per_server == 0)
		request->cards_per_server =
		    request->card->host_cards > 0 ? request->card->host_cards : 8;
	if (by_load == (host->servers > 0)) {
		field_problem(in, "servers", "missing_field", NULL,
		              "give \"servers\" with \"card\" or \"server_kw\", or else \"kw\"",
		              "请给出“servers”与“card”（或“server_kw”），或只给“kw”");
		return;
	}
	if (by_load) {
		host->server_watts = watts(kw);
		return;
	}
	if (by_server)
		host->server_watts = watts(server_kw);
	else if (request->card != NULL)
		host->server_watts =
		    (int64_t)(card_server_kw(request->card, request->cards_per_server) * 1000 +
		              0.5);
	else
		field_problem(in, "server_kw", "missing_field", NULL,
		              "\"card\" or \"server_kw\" is needed to know a server's power",
		              "缺少“card”或“server_kw”，无法得知服务器功率");
	request->question.cards = request->cards_per_server * host->servers;
}

/* The assumptions a page has fields for; all others come with POST /plan. */
static void read_figures(struct fields *in, struct cost_basis *basis)
{
	static const enum cost_assumption figures[] = {ASSUME_PUE, ASSUME_LOAD, ASSUME_OWN_HOURS,
	                                               ASSUME_OWN_HOUR_COST};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		assumption_read(in, figures[i], basis);
}

static void read_basis(struct fields *in, struct date today, struct compare_request *request)
{
	static const char *const tax_names[] = {"", "included", "excluded"};
	struct cost_basis *basis = &request->basis;
	int tax = 0;

	*basis = cost_basis_default();
	basis->today = today;
	basis->start = today;
	field_integer(in, "months", FIELD_OPTIONAL, 1, 120, &basis->months);
	field_date(in, "start", FIELD_OPTIONAL, &basis->start);
	if (field_integer(in, "hours_per_month", FIELD_OPTIONAL, 720, 730,
	                  &basis->hours_per_month) &&
	    basis->hours_per_month != 720 && basis->hours_per_month != 730)
		field_problem(in, "hours_per_month", "unknown_value", NULL, "must be 720 or 730",
		              "应为 720 或 730");
	if (field_enum(in, "tax", FIELD_OPTIONAL, tax_names, 3, &tax))
		basis->tax = (enum tax_basis)tax;
	read_figures(in, basis);
}

static void read_network(struct fields *in, struct compare_question *question)
{
	struct network_need *need = &question->network;
	int service = 0;

	*need = (struct network_need){.public_mbps = ratio_of(0),
	                              .mbps_95 = ratio_of(0),
	                              .egress_gb = ratio_of(0),
	                              .dataset_tb_in = ratio_of(0),
	                              .storage_tb = ratio_of(0),
	                              .dedicated_mbps = ratio_of(0)};
	field_ratio(in, "mbps", FIELD_OPTIONAL, ratio_of(0), ratio_of(10000000),
	            &need->public_mbps);
	field_ratio(in, "dedicated_mbps", FIELD_OPTIONAL, ratio_of(0), ratio_of(10000000),
	            &need->dedicated_mbps);
	field_integer(in, "ips", FIELD_OPTIONAL, 0, 100000, &need->ips);
	field_ratio(in, "storage_tb", FIELD_OPTIONAL, ratio_of(0), ratio_of(1000000),
	            &need->storage_tb);
	if (field_enum(in, "service", FIELD_OPTIONAL, service_tier_names, SERVICE_TIER_COUNT,
	               &service))
		question->service = (enum service_tier)service;
}

bool compare_read(struct json_reader *reader, const struct cards *cards, const json_t *query,
                  struct date today, struct compare_request *request)
{
	static const char *const yes_no[] = {"yes", "no"};
	size_t errors = reader->problems->errors;
	struct fields in;
	int samples = 0;

	*request = (struct compare_request){0};
	if (!fields_begin(&in, reader, query, ""))
		return false;
	read_basis(&in, today, request);
	read_cities(&in, request);
	read_servers(&in, cards, request);
	read_schedule(&in, &request->question.host.schedule);
	read_network(&in, &request->question);
	field_string(&in, "tariff", FIELD_OPTIONAL, &request->tariff_id);
	request->has_kwh_price = field_money(&in, "kwh_price", FIELD_OPTIONAL, &request->kwh_price);
	field_enum(&in, "samples", FIELD_OPTIONAL, yes_no, 2, &samples);
	request->samples = samples == 0;
	field_any(&in, "lang");
	fields_end(&in);
	return reader->problems->errors == errors;
}
