/* service.c - see service.h. */
#include "api/service.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/answers.h"
#include "api/auth.h"
#include "api/catalogue_load.h"
#include "api/planner.h"
#include "api/routes.h"
#include "api/version.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/notify.h"
#include "http/certificate.h"
#include "http/server.h"
#include "market/catalogue.h"
#include "store/store.h"

#define CERTIFICATE_DAYS 825
#define DRAIN_MS 20000
#define ANSWERS_BYTES (32u << 20)

const char *service_database_path(const char *data, struct arena *arena)
{
	return arena_printf(arena, "%s/suanjia.db", data);
}

static bool make_folder(const char *path, struct problems *problems)
{
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return true;
	problem_add(problems, PROBLEM_ERROR, "data_unusable", (struct place){.pointer = path}, NULL,
	            "cannot make the folder %s: %s", "无法创建文件夹 %s：%s", path,
	            strerror(errno));
	return false;
}

/* The certificate that is configured, or DATA/tls/cert.pem, made when it is missing. */
static bool prepare_certificate(struct service *service, struct problems *problems)
{
	const struct config *config = &service->config;
	struct arena *arena = problems->arena;

	service->certificate_path = config->tls_cert;
	service->key_path = config->tls_key;
	if (config->tls_cert != NULL)
		return true;
	const char *folder = arena_printf(arena, "%s/tls", config->data);

	service->certificate_path = arena_printf(arena, "%s/cert.pem", folder);
	service->key_path = arena_printf(arena, "%s/key.pem", folder);
	if (!make_folder(folder, problems))
		return false;
	if (access(service->certificate_path, F_OK) == 0 && access(service->key_path, F_OK) == 0)
		return true;
	return certificate_make(service->certificate_path, service->key_path, CERTIFICATE_DAYS,
	                        problems);
}

bool service_open(struct service *service, const struct config *config, struct problems *problems)
{
	*service = (struct service){.config = *config};
	service->arena = arena_create();
	service->app.planner = planner_create();
	service->app.answers = answers_create(ANSWERS_BYTES);
	service->app.bands = price_bands_baked(service->arena);
	service->app.version = suanjia_version;
	service->app.compare_is_public = config->compare_public;
	if (!make_folder(config->data, problems) || !prepare_certificate(service, problems))
		return false;
	service->app.store =
	    store_open(service_database_path(config->data, problems->arena), STORE_WRITE, problems);
	if (service->app.store == NULL)
		return false;
	struct catalogue *catalogue = catalogue_load(service->app.store, problems);

	if (catalogue == NULL)
		return false;
	service->app.catalogue = catalogue_slot_create(catalogue);
	return true;
}

static void write_metrics(void *context, struct buf *text)
{
	const struct app *app = context;
	struct catalogue *catalogue = catalogue_slot_get(app->catalogue);

	buf_printf(text,
	           "# HELP suanjia_catalogue_revision Revision of the catalogue in memory.\n"
	           "# TYPE suanjia_catalogue_revision gauge\n"
	           "suanjia_catalogue_revision %lld\n"
	           "# HELP suanjia_catalogue_offers Offers in the catalogue.\n"
	           "# TYPE suanjia_catalogue_offers gauge\n"
	           "suanjia_catalogue_offers %zu\n"
	           "# HELP suanjia_catalogue_bytes Memory that the offers take.\n"
	           "# TYPE suanjia_catalogue_bytes gauge\n"
	           "suanjia_catalogue_bytes %zu\n",
	           (long long)catalogue_revision(catalogue), catalogue_size(catalogue),
	           catalogue_bytes(catalogue));
	catalogue_release(catalogue);
}

static bool is_ready(void *context, struct buf *why)
{
	const struct app *app = context;

	if (store_ping(app->store) == STORE_OK)
		return true;
	buf_puts(why, "the database cannot be written");
	return false;
}

bool service_listen(struct service *service, struct problems *problems)
{
	const struct config *config = &service->config;
	size_t route_count;
	const struct route *table = routes(&route_count);
	struct server_config server = {
	    .listen_address = config->host,
	    .listen_port = config->port,
	    .listen_fd = notify_listen_fd(),
	    .certificate_path = service->certificate_path,
	    .key_path = service->key_path,
	    .routes = table,
	    .route_count = route_count,
	    .authenticate = authenticate,
	    .metrics = write_metrics,
	    .ready = is_ready,
	    .metrics_roles = ROLE_ADMIN,
	    .app = &service->app,
	    .workers = config->workers,
	    .connection_limit = config->connections,
	    .connections_per_address = config->connections_per_address,
	    .requests_per_s = config->requests_per_s,
	    .static_prefix = "static/",
	};

	service->server = server_start(&server, problems);
	return service->server != NULL;
}

static sigset_t awaited_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	return set;
}

void service_block_signals(void)
{
	sigset_t set = awaited_signals();

	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void reload(struct service *service)
{
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	notify_reloading();
	if (server_reload_certificate(service->server, &problems))
		log_line(LOG_INFO, "certificate read again");
	for (size_t i = 0; i < problems.count; i++)
		log_line(LOG_ERROR, "reload: %s", problems.items[i].message.en);
	notify_ready("serving");
	arena_destroy(arena);
}

void service_run(struct service *service)
{
	sigset_t set = awaited_signals();
	int64_t watchdog_us = notify_watchdog_us();
	struct timespec wait = {.tv_sec = 3600};

	if (watchdog_us > 0) {
		wait.tv_sec = watchdog_us / 2 / 1000000;
		wait.tv_nsec = watchdog_us / 2 % 1000000 * 1000;
	}
	notify_ready("serving");
	for (;;) {
		int received = sigtimedwait(&set, NULL, &wait);

		if (received == SIGTERM || received == SIGINT)
			break;
		if (received == SIGHUP)
			reload(service);
		notify_watchdog();
	}
	notify_stopping();
	log_line(LOG_INFO, "draining");
}

void service_close(struct service *service)
{
	if (service->server != NULL)
		server_drain(service->server, DRAIN_MS);
	planner_destroy(service->app.planner);
	answers_destroy(service->app.answers);
	catalogue_slot_destroy(service->app.catalogue);
	store_close(service->app.store);
	arena_destroy(service->arena);
	*service = (struct service){0};
}
