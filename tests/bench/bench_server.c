/*
 * bench_server.c FOLDER OFFERS - the service over a random catalogue, for tests/bench/run.
 *
 * The program's own rooms and routes and one route more: POST /bench/constant?bytes=N takes a body
 * and gives N bytes that were there before, so it costs what HTTPS, the key and the log cost and
 * nothing else. Makes FOLDER/suanjia.db when it is not there; prints one line of JSON; serves until
 * SIGTERM.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/auth.h"
#include "api/catalogue_load.h"
#include "api/routes.h"
#include "api/service.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/server.h"
#include "market/catalogue.h"
#include "store/store.h"
#include "tests/bench/catalogue.h"

#define DRAIN_MS 2000
#define CONSTANT_MAX ((size_t)16 << 20)

static char *constant_bytes;

static struct answer *post_constant(struct request *rq)
{
	const char *wanted = request_query(rq, "bytes");
	size_t size = wanted == NULL ? 0 : (size_t)strtoul(wanted, NULL, 10);

	return answer_constant(rq, 200, "application/json", constant_bytes,
	                       size < CONSTANT_MAX ? size : CONSTANT_MAX);
}

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "bench_server: %s\n", what);
	exit(1);
}

/* ---- The catalogue ---- */

static void add_sheet(struct store *store, int supplier, size_t count)
{
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};
	struct offer *offers = alloc_zeroed(count, sizeof *offers);
	struct price(*prices)[BENCH_PRICES_MAX] = alloc_zeroed(count, sizeof *prices);
	struct bench_text *texts = alloc_zeroed(count, sizeof *texts);
	char id[24];
	struct supplier seller = {.id = id, .name = "示例供应商", .origin = ORIGIN_SAMPLE};
	struct sheet_new sheet = {.supplier = id,
	                          .media_type = "text/csv",
	                          .format = "csv",
	                          .bytes = "",
	                          .problems_json = "[]",
	                          .offers = offers,
	                          .offer_count = count};
	int64_t got;

	snprintf(id, sizeof id, "bench-%03d", supplier);
	for (size_t i = 0; i < count; i++) {
		bench_offer(supplier, i, &offers[i], prices[i], &texts[i]);
		offers[i].origin = ORIGIN_SAMPLE;
	}
	must(store_supplier_put(store, &actor, &seller, STORE_ANY_VERSION, &got) == STORE_OK &&
	         store_sheet_add(store, &actor, &sheet, &got) == STORE_OK,
	     "the catalogue cannot be written");
	free(offers);
	free(prices);
	free(texts);
}

static void fill(struct store *store, size_t offers)
{
	int suppliers = bench_suppliers(offers);
	int64_t revision;

	must(store_revision(store, &revision) == STORE_OK, "the store cannot be read");
	for (int i = 0; revision == 0 && i < suppliers; i++)
		add_sheet(store, i,
		          offers * ((size_t)i + 1) / (size_t)suppliers -
		              offers * (size_t)i / (size_t)suppliers);
}

/* ---- The server ---- */

static struct server *listen_on(struct service *service, struct problems *problems)
{
	static const struct route constant = {
	    "POST", "/bench/constant", post_constant, ROLE_ADMIN | ROLE_BUYER, 256 * 1024, 0};
	size_t count;
	const struct route *own = routes(&count);
	struct route *all = arena_array(service->arena, struct route, count + 1);
	struct server_config config = {
	    .listen_address = "127.0.0.1",
	    .listen_fd = -1,
	    .certificate_path = service->certificate_path,
	    .key_path = service->key_path,
	    .routes = all,
	    .route_count = count + 1,
	    .authenticate = authenticate,
	    .app = &service->app,
	};

	memcpy(all, own, count * sizeof *all);
	all[count] = constant;
	return server_start(&config, problems);
}

static void make_key(struct store *store, char text[static KEY_TEXT_SIZE])
{
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};
	struct api_key key = {.role = "admin", .label = "bench"};
	char id[KEY_ID_SIZE];

	must(store_key_create(store, &actor, &key, id, text) == STORE_OK, "no key can be made");
}

static void report(const struct service *service, int port, int64_t load_us)
{
	struct catalogue *catalogue = catalogue_slot_get(service->app.catalogue);
	char key[KEY_TEXT_SIZE];
	size_t blocks;

	catalogue_blocks(catalogue, &blocks);
	make_key(service->app.store, key);
	printf("{\"port\":%d,\"key\":\"%s\",\"offers\":%zu,\"blocks\":%zu,\"bytes\":%zu,"
	       "\"load_ms\":%.1f}\n",
	       port, key, catalogue_size(catalogue), blocks, catalogue_bytes(catalogue),
	       (double)load_us / 1e3);
	fflush(stdout);
	catalogue_release(catalogue);
}

static bool serve(struct service *service, size_t offers, struct problems *problems)
{
	fill(service->app.store, offers);
	int64_t began_us = clock_monotonic_us();
	struct catalogue *catalogue = catalogue_load(service->app.store, problems);
	int64_t load_us = clock_monotonic_us() - began_us;

	if (catalogue == NULL)
		return false;
	catalogue_slot_put(service->app.catalogue, catalogue);
	service->server = listen_on(service, problems);
	if (service->server == NULL)
		return false;
	report(service, server_port(service->server), load_us);
	service_run(service);
	return true;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct problems problems;
	struct service service;
	struct config config = {.host = "127.0.0.1", .data = argc > 1 ? argv[1] : ""};

	if (argc != 3) {
		fputs("usage: bench_server FOLDER OFFERS\n", stderr);
		return 2;
	}
	problems_init(&problems, arena);
	constant_bytes = alloc_zeroed(CONSTANT_MAX, 1);
	memset(constant_bytes, 'x', CONSTANT_MAX);
	log_setup(LOG_INFO, LOG_FORMAT_JSON);
	service_block_signals();
	bool served = service_open(&service, &config, &problems) &&
	              serve(&service, (size_t)strtoul(argv[2], NULL, 10), &problems);

	for (size_t i = 0; i < problems.count; i++)
		fprintf(stderr, "bench_server: %s\n", problems.items[i].message.en);
	service_close(&service);
	free(constant_bytes);
	arena_destroy(arena);
	return served ? 0 : 1;
}
