/*
 * command_demo.c - `suanjia demo`: the service with a sample catalogue, showing itself once.
 *
 * Makes what is missing (folder, certificate, database, sample catalogue, three keys), serves,
 * posts schema/examples/plan.json to its own /plan over TLS, prints the ranked answer, and goes on
 * serving until Ctrl-C. The keys are kept in DATA/demo-keys (mode 0600), since a key cannot be read
 * back from the database; everything else is as `serve` has it.
 */
#include "api/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/command_parts.h"
#include "api/plan_table.h"
#include "api/sample.h"
#include "api/service.h"
#include "base/arena.h"
#include "base/baked.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/client.h"
#include "http/server.h"
#include "store/store.h"

#define DEMO_SUPPLIER "sample-pengcheng"
#define DEMO_KEYS 3

struct demo_key {
	const char *role;
	const char *supplier;
	char text[KEY_TEXT_SIZE];
};

/* ---- keys ---- */

/* Fills the texts that PATH holds: lines "role key". */
static void read_keys(const char *path, struct demo_key keys[DEMO_KEYS])
{
	FILE *file = fopen(path, "r");
	char line[256];

	if (file == NULL)
		return;
	while (fgets(line, sizeof line, file) != NULL)
		for (int i = 0; i < DEMO_KEYS; i++) {
			size_t length = strlen(keys[i].role);

			if (strncmp(line, keys[i].role, length) == 0 && line[length] == ' ')
				snprintf(keys[i].text, sizeof keys[i].text, "%.*s",
				         (int)strcspn(line + length + 1, "\n"), line + length + 1);
		}
	fclose(file);
}

static bool write_keys(const char *path, const struct demo_key keys[DEMO_KEYS])
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool written = fd >= 0;

	for (int i = 0; i < DEMO_KEYS && written; i++)
		written = dprintf(fd, "%s %s\n", keys[i].role, keys[i].text) > 0;
	if (fd >= 0)
		written &= close(fd) == 0;
	return written;
}

/* The keys of the last run where they still work, else new ones. */
static bool prepare_keys(struct service *service, struct demo_key keys[DEMO_KEYS],
                         struct problems *problems)
{
	struct arena *arena = problems->arena;
	const char *path = arena_printf(arena, "%s/demo-keys", service->config.data);
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};
	struct api_key found;
	bool made = true;

	read_keys(path, keys);
	for (int i = 0; i < DEMO_KEYS && made; i++) {
		struct api_key wanted = {
		    .role = keys[i].role, .supplier = keys[i].supplier, .label = "demo"};
		char id[KEY_ID_SIZE];

		if (store_key_find(service->app.store, arena, keys[i].text, actor.now_us, &found) ==
		    STORE_OK)
			continue;
		made = store_key_create(service->app.store, &actor, &wanted, id, keys[i].text) ==
		       STORE_OK;
	}
	if (made && write_keys(path, keys))
		return true;
	problem_add(problems, PROBLEM_ERROR, "data_unusable", (struct place){.pointer = path}, NULL,
	            "cannot make the demo's keys: %s", "无法创建演示密钥：%s", strerror(errno));
	return false;
}

static bool prepare(struct service *service, void *context, struct problems *problems)
{
	return sample_load(&service->app, problems) && prepare_keys(service, context, problems);
}

/* ---- the plan ---- */

static void show_plan(const struct service *service, const char *key)
{
	const struct baked_file *example = baked_find("schema/examples/plan.json");
	struct buf answer = {0};
	int status = 0;
	struct client_request request = {
	    .host =
		strcmp(service->config.host, "0.0.0.0") == 0 ? "127.0.0.1" : service->config.host,
	    .port = server_port(service->server),
	    .ca_path = service->certificate_path,
	    .method = "POST",
	    .path = "/plan",
	    .key = key,
	    .lang = "zh",
	    .body = (const char *)example->bytes,
	};

	puts("\nPOST /plan  < schema/examples/plan.json\n");
	if (!client_send(&request, &status, &answer))
		puts("no answer came; the log above says why");
	else if (status != 200)
		printf("HTTP %d: %s\n", status, buf_text(&answer));
	else
		plan_table_print(buf_text(&answer), answer.size, stdout);
	buf_finish(&answer);
}

static void show(const struct service *service, const void *context)
{
	const struct demo_key *keys = context;
	const char *host = service->config.host;

	show_plan(service, keys[0].text);
	printf("\npage      https://%s%s%s:%d/\n", strchr(host, ':') != NULL ? "[" : "", host,
	       strchr(host, ':') != NULL ? "]" : "", server_port(service->server));
	printf("trust     %s (curl --cacert)\n", service->certificate_path);
	for (int i = 0; i < DEMO_KEYS; i++)
		printf("%-9s %s%s%s\n", keys[i].role, keys[i].text,
		       keys[i].supplier == NULL ? "" : "  of ",
		       keys[i].supplier == NULL ? "" : keys[i].supplier);
	puts("\nserving until Ctrl-C / 按 Ctrl-C 结束");
	fflush(stdout);
}

static void configure(struct config *config)
{
	config->compare_public = true;
	log_setup(LOG_WARN, LOG_FORMAT_TEXT);
}

int command_demo(int argc, char **argv)
{
	struct demo_key keys[DEMO_KEYS] = {
	    {.role = "buyer"}, {.role = "supplier", .supplier = DEMO_SUPPLIER}, {.role = "admin"}};
	struct command_service demo = {.name = "demo",
	                               .configure = configure,
	                               .prepare = prepare,
	                               .announce = show,
	                               .context = keys};

	return command_service(argc, argv, &demo);
}
