/*
 * command_key.c - `suanjia key`: API keys, from the machine itself.
 *
 * Works on the database of a service that is not running; a running one makes keys by POST /keys.
 */
#include "api/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "api/auth.h"
#include "api/command_parts.h"
#include "base/clock.h"

#define LIST_MOST 10000

struct key_options {
	const char *data;
	const char *role;
	const char *supplier;
	const char *label;
};

static const char usage[] =
    "usage: suanjia key create --role admin|buyer|supplier|viewer [--supplier ID] [--label TEXT]\n"
    "                          [--data DIR]\n"
    "       suanjia key list [--data DIR]\n"
    "       suanjia key revoke ID [--data DIR]\n"
    "create prints the new key, which cannot be read again. For create and revoke the service "
    "must\n"
    "be stopped (a running one makes keys by POST /keys).\n";

/* Why it was not done, in both languages, as all that a command tells on standard error. */
static const char *const reasons[STORE_RESULT_COUNT] = {
    [STORE_NOT_FOUND] = "there is no such key / 没有此密钥",
    [STORE_CONFLICT] = "it is revoked already / 已吊销",
    [STORE_FULL] = "the disk is full / 磁盘已满",
    [STORE_BUSY] = "the database is busy: stop the service first / 数据库被占用，请先停止服务",
    [STORE_FAILED] = "the database cannot be read or written / 数据库读写失败",
};

static int report(enum store_result result, const char *what)
{
	if (result == STORE_OK)
		return 0;
	fprintf(stderr, "suanjia key: %s: %s\n", what, reasons[result]);
	return 1;
}

static int create_failed(enum store_result result, const struct key_options *options)
{
	if (role_from_name(options->role) == 0)
		fputs("suanjia key: the role must be one of / 角色应为以下之一："
		      "admin, buyer, supplier, viewer\n",
		      stderr);
	else if (result == STORE_CONFLICT)
		fputs("suanjia key: the role supplier needs --supplier, the others have none / "
		      "供应商角色须给出 --supplier，其他角色不可给\n",
		      stderr);
	else if (result == STORE_NOT_FOUND)
		fprintf(stderr, "suanjia key: there is no supplier \"%s\" / 没有供应商“%s”\n",
		        options->supplier, options->supplier);
	else
		return report(result, "create");
	return 1;
}

static int create(struct store *store, const struct key_options *options)
{
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};
	struct api_key key = {
	    .role = options->role, .supplier = options->supplier, .label = options->label};
	char id[KEY_ID_SIZE];
	char text[KEY_TEXT_SIZE];
	enum store_result result = store_key_create(store, &actor, &key, id, text);

	if (result != STORE_OK)
		return create_failed(result, options);
	puts(text);
	return 0;
}

static int list(struct store *store, struct arena *arena)
{
	struct api_keys keys;
	enum store_result result = store_keys_list(store, arena, NULL, LIST_MOST, &keys);

	if (result != STORE_OK)
		return report(result, "list");
	for (size_t i = 0; i < keys.count; i++) {
		const struct api_key *key = &keys.items[i];
		char created[21];

		moment_format(key->created_us / 1000000, created);
		printf("%s  %-8s  %s  %s%s%s%s\n", key->id, key->role, created,
		       key->supplier == NULL ? "" : key->supplier,
		       key->supplier == NULL ? "" : "  ",
		       key->revoked_us > 0 ? "(revoked / 已吊销)  " : "",
		       key->label == NULL ? "" : key->label);
	}
	return 0;
}

static int revoke(struct store *store, const char *id)
{
	struct store_actor actor = {.key_id = "cli", .now_us = clock_now_us()};

	return report(store_key_revoke(store, &actor, id), id);
}

static int run(const char *verb, const char *id, const struct key_options *options)
{
	bool reading = strcmp(verb, "list") == 0;
	struct command_work work;
	int status = 1;

	command_begin(&work);
	/* The first key is made before the service has ever run. What fails is said by the opening.
	 */
	if (strcmp(verb, "create") == 0)
		(void)mkdir(options->data, 0700);
	if (command_open(&work, options->data, reading ? STORE_READ : STORE_WRITE))
		status = reading                       ? list(work.store, work.arena)
		         : strcmp(verb, "create") == 0 ? create(work.store, options)
		                                       : revoke(work.store, id);
	return command_end(&work, status == 0);
}

int command_key(int argc, char **argv)
{
	static const struct option long_options[] = {
	    {"data", required_argument, NULL, 'd'},     {"role", required_argument, NULL, 'r'},
	    {"supplier", required_argument, NULL, 's'}, {"label", required_argument, NULL, 'l'},
	    {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
	};
	struct key_options options = {.data = COMMAND_DATA};
	int choice;

	while ((choice = getopt_long(argc, argv, "d:r:s:l:h", long_options, NULL)) != -1)
		switch (choice) {
		case 'd':
			options.data = optarg;
			break;
		case 'r':
			options.role = optarg;
			break;
		case 's':
			options.supplier = optarg;
			break;
		case 'l':
			options.label = optarg;
			break;
		default:
			return command_usage(usage, choice == 'h');
		}
	const char *verb = optind < argc ? argv[optind] : "";
	const char *id = optind + 1 < argc ? argv[optind + 1] : NULL;
	bool known = (strcmp(verb, "create") == 0 && options.role != NULL) ||
	             strcmp(verb, "list") == 0 || (strcmp(verb, "revoke") == 0 && id != NULL);

	return known ? run(verb, id, &options) : command_usage(usage, false);
}
